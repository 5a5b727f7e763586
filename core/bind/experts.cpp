#include "experts.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "../experts/exp.h"
#include "../experts/loop.h"

namespace littlestone::bind {
namespace {

using Matrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Rows = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A loop, the arrays of the state that it moves, and a row to read single rounds into.
struct HeldExpertLoop {
    ExpertLoop loop;
    std::vector<State> state;
    std::vector<double> row;

    HeldExpertLoop(HeldExperts& held, const Loss& loss, bool unit, bool votes, bool squares, bool gradient,
                   bool sleepers)
        : loop(taken(held), Protocol{loss, unit, votes, squares, gradient, sleepers}),
          state(held.state),
          row(loop.experts()) {}

    static std::unique_ptr<CompiledExperts> taken(HeldExperts& held) {
        if (!held.compiled) raise("InvalidData", "this compiled rule is in use by another loop");
        if (held.compiled->count == 0) raise("InvalidData", "there are no experts; a rule needs at least one");
        return std::move(held.compiled);
    }
};

Table table_of(const Matrix& matrix, std::size_t experts) {
    if (matrix.shape(1) != experts)
        raise("InvalidData", "there are " + std::to_string(matrix.shape(1)) + " columns of advice and " +
                                 std::to_string(experts) + " experts");
    const bool wide = matrix.dtype() == nb::dtype<double>();
    if (!wide && matrix.dtype() != nb::dtype<float>())
        raise("InvalidData", "the advice is neither float64 nor float32");
    return {wide ? static_cast<const double*>(matrix.data()) : nullptr,
            wide ? nullptr : static_cast<const float*>(matrix.data()),
            matrix.shape(0),
            matrix.shape(1),
            matrix.stride(0),
            matrix.stride(1)};
}

std::string number_words(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

[[noreturn]] void raise_fault(const ExpertFault& fault, const Loss& loss) {
    const std::string row = "row " + std::to_string(fault.row) + ": ";
    const std::string expert = " of expert " + std::to_string(fault.expert) + " is " + number_words(fault.value);
    const char* kind = loss.labels() ? "0 or 1" : loss.probabilities() ? "a probability" : "finite, or nan for sleep";
    const char* outcome = loss.labels() || loss.probabilities() ? "0 or 1"
                          : loss.kind == LossKind::percentage   ? "finite and not 0"
                                                                : "finite";
    switch (fault.kind) {
        case ExpertFault::Kind::outcome:
            raise("InvalidData", row + "the outcome is " + number_words(fault.value) + "; it must be " + outcome);
        case ExpertFault::Kind::advice:
            raise("InvalidData", row + "the advice" + expert + "; it must be " + kind);
        case ExpertFault::Kind::asleep:
            raise("InvalidData", row + "expert " + std::to_string(fault.expert) +
                                     " sleeps; the rule needs the advice of everybody in every round");
        case ExpertFault::Kind::all_asleep:
            raise("InvalidData", row + "every expert sleeps; a round needs at least one that is awake");
        case ExpertFault::Kind::range:
            raise("InvalidData", row + "the loss" + expert + "; it must be " +
                                     (loss.declared() ? "in the declared range [" + number_words(loss.low) + ", " +
                                                            number_words(loss.high) + "]"
                                                      : std::string("finite")));
        case ExpertFault::Kind::scale:
            raise("InvalidData",
                  row + "the experts' losses differ by " + number_words(fault.value) +
                      ", and the rule squares that; multiply advice and outcomes by one factor, so that it "
                      "lies between 1e-150 and 1e+150");
    }
    raise("InvalidData", row + "refused");
}

void learn(HeldExpertLoop& held, const Matrix& advice, const std::optional<Vector<const double>>& outcomes,
           ExpertLedger& ledger, std::optional<Vector<double>> prediction, std::optional<Vector<double>> loss,
           std::optional<Rows> weights) {
    const Table table = table_of(advice, held.loop.experts());
    const bool fits = (!outcomes || outcomes->shape(0) == table.rows) &&
                      (!prediction || prediction->shape(0) == table.rows) && (!loss || loss->shape(0) == table.rows) &&
                      (!weights || (weights->shape(0) == table.rows && weights->shape(1) == table.columns));
    if (!fits || ledger.experts() != table.columns)
        raise("InvalidData", "advice, outcomes and columns differ in length");
    if (!outcomes && held.loop.protocol().loss.kind != LossKind::given) raise("InvalidData", "there are no outcomes");
    const ExpertColumns columns{prediction ? prediction->data() : nullptr, loss ? loss->data() : nullptr,
                                weights ? weights->data() : nullptr};
    const std::size_t slice = std::max<std::size_t>(1, (1u << 21) / table.columns);
    for (std::size_t from = 0; from < table.rows; from += slice) {
        std::optional<ExpertFault> fault;
        {
            nb::gil_scoped_release release;
            fault = held.loop.learn(table, outcomes ? outcomes->data() : nullptr, from,
                                    std::min(from + slice, table.rows), ledger, columns);
        }
        if (fault) raise_fault(*fault, held.loop.protocol().loss);
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
}

// One number of a round; None is sleep.
double entry(nb::handle value) {
    if (value.is_none()) return std::numeric_limits<double>::quiet_NaN();
    const double number = PyFloat_AsDouble(value.ptr());
    if (number == -1.0 && PyErr_Occurred()) {
        // Ctrl-C and a lack of memory are not about the value.
        if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError))
            throw nb::python_error();
        PyErr_Clear();
        raise("InvalidData", "the advice of an expert is not a number; use None or nan for sleep");
    }
    return number;
}

// A list or a tuple, by calls that every later Python has; its items are borrowed.
struct Listed {
    explicit Listed(nb::handle values) : values(values.ptr()), list(PyList_Check(values.ptr())) {}

    std::size_t size() const {
        return static_cast<std::size_t>(list ? NB_LIST_GET_SIZE(values) : NB_TUPLE_GET_SIZE(values));
    }

    PyObject* operator[](std::size_t i) const {
        const auto k = static_cast<Py_ssize_t>(i);
        return list ? NB_LIST_GET_ITEM(values, k) : NB_TUPLE_GET_ITEM(values, k);
    }

    PyObject* values;
    bool list;
};

// Whether all of them are floats, exact ints or None, which run no code of the caller's to be read.
bool plain(const Listed& values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (values[i] != Py_None && !PyFloat_Check(values[i]) && !PyLong_CheckExact(values[i])) return false;
    return true;
}

// The numbers of a list or tuple. Others may run code that changes the list, or comes back to the loop: the values are
// held before the first of them is asked for its number, and the row of the loop is filled by no one but us.
void read_row(const Listed& values, std::size_t count, std::vector<double>& row) {
    if (plain(values, count)) {
        for (std::size_t i = 0; i < count; ++i) row[i] = entry(values[i]);
        return;
    }
    std::vector<nb::object> held;
    held.reserve(count);
    for (std::size_t i = 0; i < count; ++i) held.push_back(nb::borrow(values[i]));
    std::vector<double> numbers;
    for (const nb::object& value : held) numbers.push_back(entry(value));
    std::copy(numbers.begin(), numbers.end(), row.begin());
}

// Reads one round of advice, an array, list or tuple, into the row of the loop.
Table row_of(HeldExpertLoop& held, nb::handle advice) {
    const std::size_t experts = held.row.size();
    const bool listed = PyList_Check(advice.ptr()) || PyTuple_Check(advice.ptr());
    nb::ndarray<const double, nb::ndim<1>, nb::device::cpu> array;
    if (!listed && !nb::try_cast(advice, array))
        raise("InvalidData", "the advice of a round must be a list or a one-dimensional array of numbers");
    const std::size_t given = listed ? Listed(advice).size() : array.shape(0);
    if (given != experts)
        raise("InvalidData",
              "there are " + std::to_string(given) + " pieces of advice and " + std::to_string(experts) + " experts");
    if (listed)
        read_row(Listed(advice), experts, held.row);
    else
        for (std::size_t i = 0; i < experts; ++i) held.row[i] = array(i);
    return {held.row.data(), nullptr, 1, experts, static_cast<std::ptrdiff_t>(experts), 1};
}

double learn_row(HeldExpertLoop& held, nb::handle advice, double outcome, ExpertLedger& ledger) {
    const Table table = row_of(held, advice);
    double said = 0.0;
    const auto fault = held.loop.learn(table, &outcome, 0, 1, ledger, ExpertColumns{&said, nullptr, nullptr});
    if (fault) raise_fault(*fault, held.loop.protocol().loss);
    return said;
}

double predict_row(HeldExpertLoop& held, nb::handle advice) {
    const Table table = row_of(held, advice);
    double said = 0.0;
    if (const auto fault = held.loop.look(table, 0, &said)) raise_fault(*fault, held.loop.protocol().loss);
    return said;
}

nb::ndarray<nb::numpy, double, nb::ndim<1>> weights_of_row(HeldExpertLoop& held, nb::handle advice) {
    predict_row(held, advice);
    return owned_array(std::vector<double>(held.loop.weights(), held.loop.weights() + held.loop.experts()));
}

std::vector<double> sums(const std::vector<double>& totals, const std::vector<double>& corrections) {
    std::vector<double> out(totals);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += corrections[i];
    return out;
}

std::vector<double> values(const std::vector<Sum>& all) {
    std::vector<double> out;
    for (const Sum& sum : all) out.push_back(sum.value());
    return out;
}

using Owned = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

auto array_getter(const char* signature) { return nb::for_getter(nb::sig(signature)); }

nb::dict parts(const ExpertLedger& ledger) {
    nb::dict d;
    const auto sum = [](const Sum& s) { return std::vector<double>{s.total, s.correction}; };
    std::vector<double> asleep_total, asleep_correction;
    for (const Sum& s : ledger.asleep_loss) asleep_total.push_back(s.total), asleep_correction.push_back(s.correction);
    d["counts"] = std::vector<double>{static_cast<double>(ledger.rounds), static_cast<double>(ledger.mistakes)};
    d["loss"] = sum(ledger.loss);
    d["variance"] = sum(ledger.variance);
    d["ranges"] = std::vector<double>{ledger.smallest_loss, ledger.largest_loss, ledger.largest_range,
                                      ledger.scale,         ledger.low,          ledger.above_mean};
    d["charged"] = std::vector<double>{ledger.charged};
    d["loss_total"] = ledger.loss_total;
    d["loss_correction"] = ledger.loss_correction;
    d["squares"] = ledger.squares;
    d["asleep"] = ledger.asleep;
    d["asleep_total"] = asleep_total;
    d["asleep_correction"] = asleep_correction;
    return d;
}

ExpertLedger from_parts(const nb::dict& d) {
    const auto list = [&](const char* name) { return nb::cast<std::vector<double>>(d[name]); };
    ExpertLedger ledger(list("squares").size());
    const auto counts = list("counts"), loss = list("loss"), variance = list("variance"), ranges = list("ranges");
    const auto total = list("asleep_total"), correction = list("asleep_correction");
    ledger.rounds = static_cast<std::uint64_t>(counts.at(0));
    ledger.mistakes = static_cast<std::uint64_t>(counts.at(1));
    ledger.loss = {loss.at(0), loss.at(1)};
    ledger.variance = {variance.at(0), variance.at(1)};
    ledger.smallest_loss = ranges.at(0), ledger.largest_loss = ranges.at(1);
    ledger.largest_range = ranges.at(2), ledger.scale = ranges.at(3);
    ledger.low = ranges.at(4), ledger.above_mean = ranges.at(5);
    ledger.charged = list("charged").at(0);
    ledger.loss_total = list("loss_total"), ledger.loss_correction = list("loss_correction");
    ledger.squares = list("squares"), ledger.asleep = list("asleep");
    for (std::size_t i = 0; i < ledger.experts(); ++i) ledger.asleep_loss[i] = {total.at(i), correction.at(i)};
    return ledger;
}

void bind_ledger_of_experts(nb::module_& m) {
    nb::class_<ExpertLedger>(m, "ExpertTotals", "The running totals of a run of an expert rule.")
        .def(nb::init<std::size_t, double>(), nb::arg("experts"), nb::arg("low") = 0.0)
        .def("copy", [](const ExpertLedger& ledger) { return ExpertLedger(ledger); })
        .def(
            "restore", [](ExpertLedger& ledger, const ExpertLedger& saved) { ledger = saved; }, nb::arg("saved"))
        .def("parts", &parts, nb::sig("def parts(self) -> dict[str, list[float]]"),
             "Every total as it is kept, so that it can be stored and restored exactly.")
        .def_static("from_parts", &from_parts, nb::arg("parts"),
                    nb::sig("def from_parts(parts: dict[str, list[float]]) -> ExpertTotals"))
        .def(
            "record",
            [](ExpertLedger& ledger, Vector<const double> losses, Vector<const std::uint8_t> awake, double own,
               bool mistaken, double variance, double least, double most, double range, double mean) {
                if (losses.shape(0) != ledger.experts() || awake.shape(0) != ledger.experts())
                    raise("InvalidData", "the losses are not as many as the experts");
                const std::uint8_t* flag = awake.data();
                const std::size_t n = ledger.experts(), up = static_cast<std::size_t>(std::count(flag, flag + n, 1));
                ledger.record({flag, up, up == n}, losses.data(), own, mistaken);
                ledger.variance.add(variance);
                ledger.saw(least, most);
                ledger.largest_range = std::max(ledger.largest_range, range);
                ledger.above_mean = std::max(ledger.above_mean, own - mean);
            },
            nb::kw_only(), nb::arg("losses"), nb::arg("awake"), nb::arg("own"), nb::arg("mistaken"),
            nb::arg("variance"), nb::arg("least"), nb::arg("most"), nb::arg("range"), nb::arg("mean"),
            "Adds one round.")
        .def_ro("rounds", &ExpertLedger::rounds)
        .def_ro("mistakes", &ExpertLedger::mistakes)
        .def_prop_ro("loss", [](const ExpertLedger& l) { return l.loss.value(); })
        .def_prop_ro("variance", [](const ExpertLedger& l) { return l.variance.value(); })
        .def_ro("smallest_loss", &ExpertLedger::smallest_loss)
        .def_ro("largest_loss", &ExpertLedger::largest_loss)
        .def_ro("largest_range", &ExpertLedger::largest_range)
        .def_ro("low", &ExpertLedger::low)
        .def_ro("above_mean", &ExpertLedger::above_mean)
        .def_rw("scale", &ExpertLedger::scale)
        .def_rw("charged", &ExpertLedger::charged)
        .def_prop_ro(
            "losses", [](const ExpertLedger& l) -> Owned { return owned_array(sums(l.loss_total, l.loss_correction)); },
            nb::rv_policy::move, array_getter("def losses(self) -> NDArray[numpy.float64]"))
        .def_prop_ro(
            "squares", [](const ExpertLedger& l) -> Owned { return owned_array(std::vector<double>(l.squares)); },
            nb::rv_policy::move, array_getter("def squares(self) -> NDArray[numpy.float64]"))
        .def_prop_ro(
            "asleep", [](const ExpertLedger& l) -> Owned { return owned_array(std::vector<double>(l.asleep)); },
            nb::rv_policy::move, array_getter("def asleep(self) -> NDArray[numpy.float64]"))
        .def_prop_ro(
            "asleep_loss", [](const ExpertLedger& l) -> Owned { return owned_array(values(l.asleep_loss)); },
            nb::rv_policy::move, array_getter("def asleep_loss(self) -> NDArray[numpy.float64]"));
}

}  // namespace

void bind_experts(nb::module_& m) {
    nb::enum_<LossKind>(m, "LossKind")
        .value("given", LossKind::given)
        .value("zero_one", LossKind::zero_one)
        .value("absolute", LossKind::absolute)
        .value("square", LossKind::square)
        .value("percentage", LossKind::percentage)
        .value("pinball", LossKind::pinball)
        .value("log", LossKind::log)
        .value("brier", LossKind::brier);
    nb::class_<Loss>(m, "LossSpec",
                     "A loss of the compiled loop; low above high or nan says that no range is declared.")
        .def(nb::new_([](LossKind kind, double quantile, double low, double high) {
                 return Loss{kind, quantile, low, high};
             }),
             nb::arg("kind"), nb::kw_only(), nb::arg("quantile") = 0.5,
             nb::arg("low") = std::numeric_limits<double>::quiet_NaN(),
             nb::arg("high") = std::numeric_limits<double>::quiet_NaN())
        .def("of", &Loss::of, nb::arg("x"), nb::arg("y"))
        .def("gradient", &Loss::gradient, nb::arg("x"), nb::arg("y"));
    bind_ledger_of_experts(m);
    bind_expert_rules(m);
    const char* advice_type = "advice: NDArray[numpy.float64] | list[float | None] | tuple[float | None, ...]";
    nb::class_<HeldExpertLoop>(m, "ExpertLoop", "An expert rule, its loss and the rounds.")
        .def(nb::init<HeldExperts&, const Loss&, bool, bool, bool, bool, bool>(), nb::arg("compiled"), nb::arg("loss"),
             nb::kw_only(), nb::arg("unit"), nb::arg("votes"), nb::arg("squares"), nb::arg("gradient"),
             nb::arg("sleepers") = true)
        .def("learn", &learn,
             nb::sig("def learn(self, advice: NDArray[numpy.float64] | NDArray[numpy.float32], "
                     "outcomes: NDArray[numpy.float64] | None, totals: ExpertTotals, *, "
                     "prediction: NDArray[numpy.float64] | None = None, "
                     "loss: NDArray[numpy.float64] | None = None, "
                     "weights: NDArray[numpy.float64] | None = None) -> None"),
             nb::arg("advice").noconvert(), nb::arg("outcomes").none(), nb::arg("totals"), nb::kw_only(),
             nb::arg("prediction").noconvert().none() = nb::none(), nb::arg("loss").noconvert().none() = nb::none(),
             nb::arg("weights").noconvert().none() = nb::none(), "Learns the rows in order.")
        .def_prop_ro(
            "torn", [](const HeldExpertLoop&) { return false; }, "Whether a round was begun and not ended: never.")
        .def("learn_row", &learn_row,
             nb::sig((std::string("def learn_row(self, ") + advice_type +
                      ", outcome: float, totals: ExpertTotals) -> float")
                         .c_str()),
             nb::arg("advice"), nb::arg("outcome"), nb::arg("totals"), "Learns one round; returns what was predicted.")
        .def("predict_row", &predict_row,
             nb::sig((std::string("def predict_row(self, ") + advice_type + ") -> float").c_str()), nb::arg("advice"),
             "What would be predicted.")
        .def("weights_row", &weights_of_row,
             nb::sig((std::string("def weights_row(self, ") + advice_type + ") -> NDArray[numpy.float64]").c_str()),
             nb::arg("advice"), "The weights among those that give advice.");
    m.def(
        "exp", [](double x) { return exp_of(x); }, nb::arg("x"),
        "The exponential of the compiled loops, for x <= 709.");
}

}  // namespace littlestone::bind
