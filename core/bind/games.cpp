#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>

#include "../games/best_response.h"
#include "../games/duel.h"
#include "../games/extensive.h"
#include "../games/hedge.h"
#include "../games/matrix.h"
#include "../games/optimistic_hedge.h"
#include "../games/plain_regret_matching.h"
#include "../games/predictive_regret_matching.h"
#include "../games/regret_matching.h"
#include "../games/short_copy.h"
#include "../games/simplex.h"
#include "bind.h"

namespace littlestone::bind {
namespace {

using namespace games;
using Array = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using Strategy = Vector<const double>;

// Payoffs that two Python functions compute, A@q and p@A.
class Functions final : public Payoffs {
  public:
    Functions(nb::callable times, nb::callable transposed_times, std::size_t rows, std::size_t columns)
        : times_(times), transposed_times_(transposed_times), rows_(rows), columns_(columns) {}

    std::size_t rows() const override { return rows_; }
    std::size_t columns() const override { return columns_; }
    void times(const double* q, double* Aq) const override { call(times_, q, columns_, Aq, rows_); }
    void transposed_times(const double* p, double* pA) const override {
        call(transposed_times_, p, rows_, pA, columns_);
    }

  private:
    nb::callable times_, transposed_times_;
    std::size_t rows_, columns_;

    // The function gets a copy, so that it may keep what it was given.
    static void call(const nb::callable& function, const double* in, std::size_t count, double* out,
                     std::size_t expected) {
        nb::gil_scoped_acquire acquire;
        const auto got = nb::cast<Strategy>(function(owned_array(std::vector<double>(in, in + count))));
        if (got.shape(0) != expected)
            raise("InvalidData",
                  "a product has length " + std::to_string(got.shape(0)) + "; expected " + std::to_string(expected));
        std::copy(got.data(), got.data() + expected, out);
    }
};

// Payoffs and whatever they read.
struct HeldGame {
    nb::object batch;
    std::unique_ptr<Matrix> matrix;
    std::unique_ptr<Payoffs> copy;   // of the matrix, in 16 bits
    std::unique_ptr<Payoffs> other;  // the matrix transposed, or functions

    const Payoffs& payoffs() const { return other ? *other : copy ? *copy : *matrix; }
};

HeldGame* matrix_game(nb::handle_t<HeldBatch> held, bool transposed) {
    const Batch& batch = nb::cast<HeldBatch&>(held).batch;
    if (batch.checked != batch.count) raise("InvalidData", "the batch of a game was not checked");
    auto game = std::make_unique<HeldGame>();
    game->batch = nb::borrow(held);
    game->matrix = std::make_unique<Matrix>(batch);
    if (transposed) game->other = std::make_unique<Transposed>(*game->matrix);
    return game.release();
}

void needs_matrix(const HeldGame& held) {
    if (!held.matrix) raise("NotApplicable", "the payoffs of a game given by functions cannot be listed");
}

HeldGame* short_game(const HeldGame& of, double zero, double unit) {
    needs_matrix(of);
    nb::gil_scoped_release release;
    auto game = std::make_unique<HeldGame>();
    auto copy = std::make_unique<ShortCopy>(of.matrix->batch(), zero, unit);
    if (of.other) copy->transpose();
    game->copy = std::move(copy);
    return game.release();
}

using Places = Vector<const std::int64_t>;
using Marks = Vector<const bool>;

std::vector<std::size_t> marked(Marks marks, std::size_t actions) {
    if (marks.shape(0) != actions)
        raise("InvalidData",
              std::to_string(marks.shape(0)) + " actions are marked or not; expected " + std::to_string(actions));
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < actions; ++k)
        if (marks.data()[k]) found.push_back(k);
    return found;
}

// The payoffs between some actions, (A − zero)/unit + 1.5, row by row.
std::vector<double> block(const HeldGame& held, const std::vector<std::size_t>& rows,
                          const std::vector<std::size_t>& columns, double zero, double unit) {
    const std::size_t height = rows.size(), width = columns.size();
    std::vector<double> values(height * width);
    if (!held.other) {
        held.matrix->block(rows, columns, zero, unit, values.data());
    } else {
        std::vector<double> across(height * width);
        held.matrix->block(columns, rows, zero, unit, across.data());
        for (std::size_t i = 0; i < height; ++i)
            for (std::size_t j = 0; j < width; ++j) values[i * width + j] = across[j * height + i];
    }
    for (double& x : values) x += 1.5;
    return values;
}

// The simplex method from the marked actions; looks for Ctrl-C every few milliseconds.
std::unique_ptr<Schema> by_simplex(const std::vector<double>& A, const std::vector<char>& rows,
                                   const std::vector<char>& columns) {
    constexpr std::size_t slice_entries = 1u << 25, tries = 20;
    const std::size_t slice = 1 + slice_entries / (A.size() + 1), most = tries * (rows.size() + columns.size());
    std::unique_ptr<Schema> schema;
    auto outcome = Schema::Outcome::unfinished;
    for (std::size_t done = 0; done < most && outcome == Schema::Outcome::unfinished; done += slice) {
        {
            nb::gil_scoped_release release;
            if (!schema) {
                schema = std::make_unique<Schema>(A.data(), rows.size(), columns.size());
                schema->enter(rows.data(), columns.data());
            }
            outcome = schema->solve(slice);
        }
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    return schema;
}

std::vector<char> chosen(const std::vector<std::size_t>& actions, Marks marks) {
    std::vector<char> found;
    for (const std::size_t k : actions) found.push_back(marks.data()[k] ? 1 : 0);
    return found;
}

Array spread(const std::vector<double>& of, const std::vector<std::size_t>& actions, std::size_t count) {
    std::vector<double> strategy(count, 0.0);
    for (std::size_t k = 0; k < of.size(); ++k) strategy[actions[k]] = of[k];
    return owned_array(std::move(strategy));
}

// Whether the payoffs between the marked actions have no higher rank than that, up to pivots that are not firm.
// Features hardly ever make a payoff of 0: where half of them are, nobody counts pivots.
bool of_few_features(const HeldGame& held, Marks rows, Marks columns, std::size_t most, double zero, double unit) {
    needs_matrix(held);
    const auto across = marked(rows, held.payoffs().rows()), down = marked(columns, held.payoffs().columns());
    nb::gil_scoped_release release;
    const auto A = block(held, across, down, zero, unit);
    if (2 * static_cast<std::size_t>(std::count(A.begin(), A.end(), -zero / unit + 1.5)) > A.size()) return false;
    Schema schema(A.data(), across.size(), down.size());
    schema.enter(std::vector<char>(across.size(), 1).data(), std::vector<char>(down.size(), 1).data());
    return schema.entered() <= most;
}

// An equilibrium between the marked actions, from those that are in use, and its gap.
nb::tuple restricted(const HeldGame& held, Marks rows, Marks columns, Marks used_rows, Marks used_columns, double zero,
                     double unit) {
    needs_matrix(held);
    const std::size_t height = held.payoffs().rows(), width = held.payoffs().columns();
    const auto across = marked(rows, height), down = marked(columns, width);
    marked(used_rows, height), marked(used_columns, width);
    const auto A = block(held, across, down, zero, unit);
    const auto schema = by_simplex(A, chosen(across, used_rows), chosen(down, used_columns));
    const auto x = schema->row(), y = schema->column();
    return nb::make_tuple(spread(x, across, height), spread(y, down, width), schema->gap(x, y));
}

HeldGame* function_game(nb::callable times, nb::callable transposed_times, std::size_t rows, std::size_t columns) {
    auto game = std::make_unique<HeldGame>();
    game->other = std::make_unique<Functions>(times, transposed_times, rows, columns);
    return game.release();
}

void needs_length(Strategy strategy, std::size_t actions) {
    if (strategy.shape(0) != actions)
        raise("InvalidData",
              "a strategy has length " + std::to_string(strategy.shape(0)) + "; expected " + std::to_string(actions));
}

Array product(const HeldGame& held, Strategy strategy, bool transposed) {
    const Payoffs& A = held.payoffs();
    needs_length(strategy, transposed ? A.rows() : A.columns());
    std::vector<double> result(transposed ? A.columns() : A.rows());
    {
        nb::gil_scoped_release release;
        if (transposed)
            A.transposed_times(strategy.data(), result.data());
        else
            A.times(strategy.data(), result.data());
    }
    return owned_array(std::move(result));
}

// What two strategies prove: the extremes of A q and of pᵀA, and pᵀA q.
nb::tuple measured(const HeldGame& held, Strategy p, Strategy q) {
    const Payoffs& A = held.payoffs();
    needs_length(p, A.rows());
    needs_length(q, A.columns());
    std::vector<double> Aq(A.rows()), pA(A.columns());
    double payoff;
    vectors::Extremes of_rows, of_columns;
    {
        nb::gil_scoped_release release;
        A.times(q.data(), Aq.data());
        A.transposed_times(p.data(), pA.data());
        payoff = dense::dot(p.data(), Aq.data(), Aq.size());
        of_rows = vectors::extremes(Aq.data(), Aq.size()), of_columns = vectors::extremes(pA.data(), pA.size());
    }
    return nb::make_tuple(of_rows.least, of_rows.most, of_columns.least, of_columns.most, payoff);
}

// The smallest and the largest payoff, and where an equilibrium without mixing is.
nb::tuple summary(const HeldGame& held, double sign) {
    needs_matrix(held);
    Summary found;
    {
        nb::gil_scoped_release release;
        // The rows of a transposed game are the columns of its matrix, whose rows belong to the other player.
        found = held.matrix->summary(held.other ? -sign : sign);
    }
    if (held.other) std::swap(found.row, found.column);
    const nb::object pure = found.pure ? nb::object(nb::make_tuple(found.row, found.column)) : nb::none();
    return nb::make_tuple(found.range.least, found.range.most, pure);
}

// Plays until the gap is reached, at most so many rounds; looks for Ctrl-C every few milliseconds.
void play(Duel& duel, const HeldGame& held, std::size_t rounds, double gap, bool whole) {
    const Payoffs& A = held.payoffs();
    if (A.rows() != duel.rows() || A.columns() != duel.columns())
        raise("InvalidData", "the game is of another size than the players");
    constexpr std::size_t slice_entries = 1u << 25;
    const std::size_t slice = 1 + slice_entries / (2 * A.rows() * A.columns() + A.rows() + A.columns());
    for (std::size_t done = 0; done < rounds && !duel.reached(gap);) {
        {
            nb::gil_scoped_release release;
            const std::size_t end = std::min(done + slice, rounds);
            for (; done < end && !duel.reached(gap); ++done) {
                duel.round(A);
                duel.note();
                if (!whole) duel.narrow(A);
            }
        }
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
}

template <class Player>
std::unique_ptr<Duel> self_play(std::size_t rows, std::size_t columns, double sign, double power) {
    return duel_of<Alternating>(Player(rows), Player(columns), sign, power);
}

std::unique_ptr<Duel> predictive_self_play(std::size_t rows, std::size_t columns, double sign, double power,
                                           double trust, double fading) {
    return duel_of<Alternating>(PredictiveRegretMatching(rows, trust, fading),
                                PredictiveRegretMatching(columns, trust, fading), sign, power);
}

std::unique_ptr<Duel> hedge_against_best_response(std::size_t rows, std::size_t columns, double sign, double eta,
                                                  double range) {
    return duel_of<Alternating>(Hedge(rows, eta, range), BestResponse(columns), sign, 0.0);
}

std::unique_ptr<Duel> hedge_self_play(std::size_t rows, std::size_t columns, double sign, double row_eta,
                                      double column_eta, double range) {
    return duel_of<Simultaneous>(Hedge(rows, row_eta, range), Hedge(columns, column_eta, range), sign, 0.0);
}

// A player's decision points, checked: parents first, and every action a sequence of its own.
Treeplex treeplex(Places parent, Places first) {
    Treeplex plan{{parent.data(), parent.data() + parent.size()}, {first.data(), first.data() + first.size()}};
    bool sound = plan.first.size() == plan.parent.size() + 1 && plan.first[0] == 1;
    for (std::size_t k = 0; sound && k < plan.points(); ++k)
        sound = plan.parent[k] < plan.first[k] && plan.first[k] < plan.first[k + 1] &&
                plan.first[k + 1] - plan.first[k] < (std::size_t{1} << 32);
    if (!sound) raise("InvalidData", "the decision points of a player are not in order, parents first");
    return plan;
}

template <class Local, class... Settings>
std::unique_ptr<ExtensiveDuel> counterfactual(Places row_parent, Places row_first, Places column_parent,
                                              Places column_first, double power, bool alternate, Settings... settings) {
    return std::make_unique<CounterfactualDuel<Local>>(
        treeplex(row_parent, row_first), treeplex(column_parent, column_first), power, alternate, settings...);
}

Array copied(const std::vector<double>& values) { return owned_array(std::vector<double>(values)); }

Array distribution(std::vector<double> mean) {
    normalize_positive(mean);
    return owned_array(std::move(mean));
}

}  // namespace

void bind_games(nb::module_& m) {
    nb::class_<HeldGame>(m, "Game", "A payoff matrix, or two functions that stand for one.")
        .def_prop_ro("rows", [](const HeldGame& held) { return held.payoffs().rows(); })
        .def_prop_ro("columns", [](const HeldGame& held) { return held.payoffs().columns(); })
        .def(
            "times", [](const HeldGame& held, Strategy q) { return product(held, q, false); }, nb::arg("q").noconvert(),
            nb::sig("def times(self, q: NDArray[numpy.float64]) -> NDArray[numpy.float64]"), "A q, summed in float64.")
        .def(
            "transposed_times", [](const HeldGame& held, Strategy p) { return product(held, p, true); },
            nb::arg("p").noconvert(),
            nb::sig("def transposed_times(self, p: NDArray[numpy.float64]) -> NDArray[numpy.float64]"),
            "pᵀA, summed in float64.")
        .def("measured", &measured, nb::arg("p").noconvert(), nb::arg("q").noconvert(),
             nb::sig("def measured(self, p: NDArray[numpy.float64], q: NDArray[numpy.float64]) -> tuple[float, float, "
                     "float, float, float]"),
             "The smallest and the largest of A q, those of pᵀA, and pᵀA q, summed in float64.")
        .def("restricted", &restricted, nb::arg("rows").noconvert(), nb::arg("columns").noconvert(),
             nb::arg("used_rows").noconvert(), nb::arg("used_columns").noconvert(), nb::kw_only(), nb::arg("zero"),
             nb::arg("unit"),
             nb::sig("def restricted(self, rows: NDArray[numpy.bool_], columns: NDArray[numpy.bool_], used_rows: "
                     "NDArray[numpy.bool_], used_columns: NDArray[numpy.bool_], *, zero: float, unit: float) -> "
                     "tuple[NDArray[numpy.float64], NDArray[numpy.float64], float]"),
             "An equilibrium of (A − zero)/unit between some actions by the simplex method, which starts from those "
             "that are in use, and its gap.")
        .def("of_few_features", &of_few_features, nb::arg("rows").noconvert(), nb::arg("columns").noconvert(),
             nb::kw_only(), nb::arg("most"), nb::arg("zero"), nb::arg("unit"),
             nb::sig(
                 "def of_few_features(self, rows: NDArray[numpy.bool_], columns: NDArray[numpy.bool_], *, most: int, "
                 "zero: float, unit: float) -> bool"),
             "Whether the payoffs between some actions have no higher rank than that, a constant counted and what is "
             "below a hundredth of their range not, and are not 0 for the most part.")
        .def("short_copy", &short_game, nb::kw_only(), nb::arg("zero"), nb::arg("unit"),
             nb::sig("def short_copy(self, *, zero: float, unit: float) -> Game"),
             "A copy (A − zero)/unit in 16 bits, for payoffs that are at most unit/2 from zero; it multiplies "
             "strategies, which it rounds to as many bits.")
        .def(
            "summary", &summary, nb::arg("sign"),
            nb::sig("def summary(self, sign: float) -> tuple[float, float, tuple[int, int] | None]"),
            "The smallest and the largest payoff, and the row and column of an equilibrium without mixing, if there is "
            "one; the sign is +1 where the row player maximises, and -1 where it minimises.");
    m.def("matrix_game", &matrix_game, nb::arg("batch"), nb::arg("transposed"),
          nb::sig("def matrix_game(batch: Batch, transposed: bool) -> Game"), "The game of a batch's rows.");
    m.def(
        "function_game", &function_game, nb::arg("times"), nb::arg("transposed_times"), nb::arg("rows"),
        nb::arg("columns"),
        nb::sig("def function_game(times: collections.abc.Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]], "
                "transposed_times: collections.abc.Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]], "
                "rows: int, columns: int) -> Game"),
        "The game of two functions, A@q and p@A.");

    const auto vector = [](const char* name) {
        return std::string("def ") + name + "(self) -> NDArray[numpy.float64]";
    };
    nb::class_<Duel>(m, "Duel", "Two players of a zero-sum game and the averages of what they played.")
        .def("play", &play, nb::arg("game"), nb::arg("rounds"), nb::arg("gap"), nb::arg("whole") = true,
             "Plays until the gap of the averages is reached, at most so many rounds; unless it is to be the whole "
             "game, "
             "actions that fall far behind leave it, and the gap is that of the others.")
        .def_prop_ro("narrowed", &Duel::narrowed, "Whether actions have left.")
        .def_prop_ro("rounds", [](const Duel& duel) { return duel.averages.rounds; })
        .def_prop_ro(
            "payoff", [](const Duel& duel) { return duel.averages.payoff; }, "The mean of p_tᵀ A q_t.")
        .def_prop_ro("bracket", [](const Duel& duel) { return duel.bracket(); })
        .def_prop_ro(
            "history",
            [](const Duel& duel) {
                const auto& [rounds, lower, upper] = duel.history();
                return nb::make_tuple(copied(rounds), copied(lower), copied(upper));
            },
            nb::sig(
                "def history(self) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64]]"),
            "Rounds, and the ends of the bracket after them: a point whenever the rounds have grown by a quarter, and "
            "the last.")
        .def_prop_ro(
            "strategies",
            [](const Duel& duel) { return nb::make_tuple(distribution(duel.row()), distribution(duel.column())); },
            nb::sig("def strategies(self) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]"),
            "The averages as distributions, to the last bit that a sum can tell.")
        .def_prop_ro(
            "row", [](const Duel& duel) { return owned_array(duel.row()); }, nb::rv_policy::move,
            nb::sig(vector("row").c_str()))
        .def_prop_ro(
            "column", [](const Duel& duel) { return owned_array(duel.column()); }, nb::rv_policy::move,
            nb::sig(vector("column").c_str()));
    nb::class_<ExtensiveDuel, Duel>(m, "ExtensiveDuel", "Two players of a zero-sum game with turns.")
        .def_prop_ro("immediate_regret", &ExtensiveDuel::immediate_regret,
                     "The mean regrets at the decision points, where they are above 0, added up.");
    const auto turns = [&m](const char* name, auto make, const char* setting = "", auto... settings) {
        m.def(name, make, nb::kw_only(), nb::arg("row_parent").noconvert(), nb::arg("row_first").noconvert(),
              nb::arg("column_parent").noconvert(), nb::arg("column_first").noconvert(), nb::arg("power"),
              nb::arg("alternate"), settings...,
              nb::sig(("def " + std::string(name) +
                       "(*, row_parent: NDArray[numpy.int64], row_first: NDArray[numpy.int64], column_parent: "
                       "NDArray[numpy.int64], column_first: NDArray[numpy.int64], power: float, alternate: bool" +
                       setting + ") -> ExtensiveDuel")
                          .c_str()));
    };
    turns("cfr", &counterfactual<PlainRegretMatching>);
    turns("cfr_plus", &counterfactual<RegretMatching>);
    turns("predictive_cfr_plus", &counterfactual<PredictiveRegretMatching, double>, ", trust: float", nb::arg("trust"));
    const auto rows = nb::arg("rows"), columns = nb::arg("columns"), sign = nb::arg("sign");
    m.def("regret_matching_plus", &self_play<RegretMatching>, nb::kw_only(), rows, columns, sign, nb::arg("power"));
    m.def("predictive_regret_matching_plus", &predictive_self_play, nb::kw_only(), rows, columns, sign,
          nb::arg("power"), nb::arg("trust"), nb::arg("fading"));
    m.def("optimistic_hedge", &self_play<OptimisticHedge>, nb::kw_only(), rows, columns, sign, nb::arg("power"));
    m.def("hedge_against_best_response", &hedge_against_best_response, nb::kw_only(), rows, columns, sign,
          nb::arg("eta"), nb::arg("range"));
    m.def("hedge_self_play", &hedge_self_play, nb::kw_only(), rows, columns, sign, nb::arg("row_eta"),
          nb::arg("column_eta"), nb::arg("range"));
}

}  // namespace littlestone::bind
