#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "../kernels/rules.h"
#include "../rules/adaptive_kernel_uniclass.h"
#include "../rules/adaptive_uniclass.h"
#include "../rules/multiplicative_uniclass.h"
#include "../rules/radius_uniclass.h"
#include "../rules/uniclass.h"
#include "loops.h"

namespace littlestone::bind {
namespace {

using Coefficients = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

std::unique_ptr<Expansion> expansion(KernelFunction kernel, std::size_t budget, bool project) {
    auto made = std::make_unique<Expansion>();
    made->kernel = kernel;
    made->budget = budget;
    made->overflow = project ? Overflow::project : Overflow::drop_oldest;
    return made;
}

// One row of a batch, looked at by an expansion, for rules written in Python.
void look(Expansion& w, HeldBatch& held, std::size_t t) {
    if (t >= held.batch.count) throw nb::index_error("there is no such row");
    if (const auto fault = held.batch.check(t + 1)) raise_fault(*fault);
    std::visit(
        [&](const auto& rows) {
            auto cursor = rows.cursor();
            w.look(cursor[t]);
        },
        held.batch.rows);
}

void hold(Expansion& w, HeldBatch& held) {
    in_checked_slices(held.batch, 0, held.batch.count, [&](const Batch& batch, std::size_t begin, std::size_t end) {
        std::visit(
            [&](const auto& rows) {
                auto cursor = rows.cursor();
                for (std::size_t t = begin; t < end; ++t) w.hold(cursor[t]);
            },
            batch.rows);
    });
}

// Rows [begin, end) of a run again, each scored by every hypothesis that the run had until then: hypothesis k is the
// first scores plus the first k steps. `later[k]` counts the rows after its last round that hypothesis k gets wrong,
// `own[t]` says whether the hypothesis of round t got its row wrong. A score of 0 is wrong.
void replay(Expansion& table, HeldBatch& held, Vector<const std::int8_t> signs, Vector<const double> first,
            Vector<const std::uint8_t> update, Vector<const double> step, Vector<std::int64_t> later,
            Vector<std::uint8_t> own, std::size_t begin, std::size_t end) {
    const std::size_t rows = held.batch.count;
    for (const std::size_t length : {signs.shape(0), first.shape(0), update.shape(0), step.shape(0), own.shape(0)})
        if (length != rows || end > rows) raise("InvalidData", "the columns of a run differ in length");
    const double* steps = step.data();
    std::vector<double> size;  // of the steps so far
    for (std::size_t t = 0; t < begin; ++t)
        if (update(t)) size.push_back(steps[t]);
    for (std::size_t t = begin, all = size.size(); t < end; ++t)
        if ((all += update(t) != 0) > later.shape(0)) raise("InvalidData", "there are more updates than counts");
    if (table.count() != size.size()) raise("InvalidData", "the table does not hold the rows of the updates before");
    const auto slice = [&] { return 1 + (std::size_t{1} << 22) / ((size.size() + 32) * (held.batch.width + 16)); };
    in_checked_slices_of(slice, held.batch, begin, end, [&](const Batch& batch, std::size_t from, std::size_t to) {
        std::visit(
            [&](const auto& of) {
                auto cursor = of.cursor();
                for (std::size_t t = from; t < to; ++t) {
                    table.look(cursor[t]);
                    double score = first(t);
                    for (std::size_t k = 0; k < size.size(); ++k) {
                        later(k) += signs(t) * score <= 0.0;
                        score += size[k] * table.values()[k];
                    }
                    own(t) = signs(t) * score <= 0.0;
                    if (!update(t)) continue;
                    table.hold(cursor[t]);
                    size.push_back(steps[t]);
                }
            },
            batch.rows);
    });
}

nb::tuple points(const Expansion& w) {
    std::vector<std::int64_t> start{0}, index;
    std::vector<double> value;
    for (std::size_t p = 0; p < w.count(); ++p) {
        for (const Entry& e : w.entries(p)) {
            index.push_back(static_cast<std::int64_t>(e.feature));
            value.push_back(e.value);
        }
        start.push_back(static_cast<std::int64_t>(index.size()));
    }
    return nb::make_tuple(owned_array(std::move(start)), owned_array(std::move(index)), owned_array(std::move(value)));
}

Coefficients coefficients(const Expansion& w) {
    std::vector<double> values(w.alpha.begin(), w.alpha.begin() + static_cast<std::ptrdiff_t>(w.count()));
    for (double& v : values) v *= w.scale;
    return owned_array(std::move(values));
}

Coefficients averaged(const Expansion& w) {
    std::vector<double> values(w.count());
    for (std::size_t p = 0; p < w.count(); ++p) values[p] = (w.rounds * w.alpha[p] - w.drift[p]) / w.rounds;
    return owned_array(std::move(values));
}

Coefficients kernel_values(const Expansion& w) {
    return owned_array(
        std::vector<double>(w.values().begin(), w.values().begin() + static_cast<std::ptrdiff_t>(w.count())));
}

void set_coefficients(Expansion& w, Vector<const double> values) {
    if (values.shape(0) != w.count()) raise("InvalidData", "there must be one coefficient a support point");
    for (std::size_t p = 0; p < w.count(); ++p) w.alpha[p] = values(p);
    w.scale = 1.0;
}

template <class Rule>
HeldLoop* loop(const Rule& rule) {
    return new HeldLoop{loop_of(rule), {}};
}

KernelRule<> kernel_rule(Expansion& w) { return {{}, {&w}}; }

// Everything that decides how an expansion goes on, as arrays by name, for a file.
nb::dict parts(const Expansion& w) {
    std::vector<double> start{0.0}, index, value;
    for (std::size_t p = 0; p < w.count(); ++p) {
        for (const Entry& e : w.entries(p)) {
            index.push_back(static_cast<double>(e.feature));
            value.push_back(e.value);
        }
        start.push_back(static_cast<double>(index.size()));
    }
    const auto padded = [&](const std::vector<double>& of) {
        return std::vector<double>(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(w.count()));
    };
    nb::dict known;
    const auto put = [&](const char* name, std::vector<double>&& numbers) {
        known[name] = owned_array(std::move(numbers));
    };
    put("start", std::move(start));
    put("index", std::move(index));
    put("value", std::move(value));
    put("alpha", padded(w.alpha));
    put("drift", padded(w.drift));
    put("scale", {w.scale});
    put("norm_squared", {w.norm_squared});
    put("self_sum", {w.self_sum});
    put("distortion", {w.distortion});
    put("rounds", {w.rounds});
    put("dropped", {static_cast<double>(w.dropped)});
    put("oldest", {static_cast<double>(w.oldest())});
    return known;
}

// The points of three arrays as `parts` wrote them; an array that says something else is refused.
std::vector<Entries> listed(Vector<const double> start, Vector<const double> index, Vector<const double> value) {
    constexpr double most = 0x1.0p53;
    const auto whole = [&](double v, double end) { return v >= 0.0 && v < end && v == std::floor(v); };
    const auto check = [](bool sound) {
        if (!sound) raise("InvalidData", "the support points are not rows of numbers");
    };
    check(start.shape(0) > 0 && start(0) == 0.0 && index.shape(0) == value.shape(0));
    check(start(start.shape(0) - 1) == static_cast<double>(index.shape(0)));
    std::vector<Entries> points(start.shape(0) - 1);
    for (std::size_t p = 0; p < points.size(); ++p) {
        check(whole(start(p + 1), most) && start(p + 1) >= start(p) &&
              start(p + 1) <= static_cast<double>(index.shape(0)));
        double before = -1.0;
        for (auto k = static_cast<std::size_t>(start(p)); k < static_cast<std::size_t>(start(p + 1)); ++k) {
            check(whole(index(k), most) && index(k) > before && std::isfinite(value(k)) && value(k) != 0.0);
            before = index(k);
            points[p].push_back({static_cast<std::size_t>(index(k)), value(k)});
        }
    }
    return points;
}

// Makes an empty expansion what `parts` told of.
void refill(Expansion& w, const nb::dict& parts) {
    const auto array = [&](const char* name) { return nb::cast<Vector<const double>>(parts[name]); };
    const auto scalar = [&](const char* name) { return nb::cast<Vector<const double>>(parts[name])(0); };
    const std::vector<Entries> points = listed(array("start"), array("index"), array("value"));
    const auto alpha = array("alpha"), drift = array("drift");
    const double scale = scalar("scale"), norm_squared = scalar("norm_squared"), self_sum = scalar("self_sum");
    const double distortion = scalar("distortion"), rounds = scalar("rounds"), dropped = scalar("dropped");
    const double oldest = scalar("oldest");
    const std::size_t count = points.size();
    const auto counted = [](double v) { return v >= 0.0 && v < 0x1.0p53 && v == std::floor(v); };
    bool sound = w.count() == 0 && alpha.shape(0) == count && drift.shape(0) == count;
    sound = sound && (w.budget == 0 || count <= w.budget) && counted(rounds) && counted(dropped) && counted(oldest);
    sound = sound && oldest < static_cast<double>(std::max<std::size_t>(w.budget, 1)) && scale > 0.0;
    for (const double v : {scale, norm_squared, self_sum, distortion}) sound = sound && std::isfinite(v);
    for (std::size_t p = 0; sound && p < count; ++p) sound = std::isfinite(alpha(p)) && std::isfinite(drift(p));
    if (!sound || !w.refill(points, static_cast<std::size_t>(oldest)))
        raise("InvalidData", "the support points and their coefficients do not fit the rule");
    for (std::size_t p = 0; p < count; ++p) {
        w.alpha[p] = alpha(p);
        w.drift[p] = drift(p);
    }
    w.scale = scale;
    w.norm_squared = norm_squared;
    w.self_sum = self_sum;
    w.distortion = distortion;
    w.rounds = rounds;
    w.dropped = static_cast<std::uint64_t>(dropped);
}

HeldLoop* multiplicative_uniclass(State theta, State power, State seen, State order, State count, State rest,
                                  State shift, State total, State squares, double epsilon) {
    const std::size_t width = theta.shape(0);
    check_lengths("a centre", theta, {power, seen, order});
    if (!(*number(count) >= 0.0 && *number(count) <= static_cast<double>(width)))
        raise("InvalidData", "more features were seen than there are");
    for (std::size_t k = 0; k < static_cast<std::size_t>(*number(count)); ++k)
        if (!(order(k) >= 0.0 && order(k) < static_cast<double>(width)))
            raise("InvalidData", "a feature was seen that is not there");
    const SimplexCentre centre{theta.data(),  power.data(),  seen.data(),     order.data(), number(count), number(rest),
                               number(shift), number(total), number(squares), width,        epsilon};
    return held(MultiplicativeUniclass{{}, centre}, nullptr,
                {theta, power, seen, order, count, rest, shift, total, squares});
}

HeldLoop* adaptive_uniclass(State w, State variance, State rounds, State threshold, State largest, double flag,
                            double eta) {
    check_lengths("a centre", w, {variance});
    const ScaledCentre centre{w.data(),          variance.data(), number(rounds),
                              number(threshold), number(largest), w.shape(0)};
    return held(AdaptiveUniclass{{}, centre, flag, eta}, nullptr, {w, variance, rounds, threshold, largest});
}

HeldLoop* adaptive_kernel_uniclass(State w, State variance, State points, State rounds, State threshold, State largest,
                                   std::size_t budget, std::uint64_t seed, double flag, double eta) {
    check_lengths("a centre", w, {variance});
    if (budget == 0 || points.shape(0) != w.shape(0) * budget)
        raise("InvalidData", "a sample has another number of values than features times places");
    const ScaledCentre centre{w.data(),          variance.data(), number(rounds),
                              number(threshold), number(largest), w.shape(0)};
    return held(AdaptiveKernelUniclass{{}, {centre, points.data(), budget, w.shape(0)}, seed, flag, eta}, nullptr,
                {w, variance, points, rounds, threshold, largest});
}

HeldLoop* radius_uniclass(State w, State lift, State rounds, double bound, double cap, double relaxation) {
    const LiftedCentre centre{w.data(), number(lift), number(rounds), w.shape(0), bound};
    return held(RadiusUniclass{{}, centre, cap, relaxation}, nullptr, {w, lift, rounds});
}

HeldLoop* uniclass(State v, State scale, State norm_squared, State since_refresh, State rounds, double epsilon,
                   double beta) {
    const Centre centre{v.data(),   number(scale), number(norm_squared), number(since_refresh), number(rounds),
                        v.shape(0), epsilon};
    return held(Uniclass{{}, centre, beta}, nullptr, {v, scale, norm_squared, since_refresh, rounds});
}

}  // namespace

void bind_kernel_rules(nb::module_& m) {
    nb::class_<KernelFunction>(m, "KernelFunction", "A kernel that the core evaluates.")
        .def_static(
            "linear", [] { return KernelFunction(LinearKernel{}); }, "x.z")
        .def_static(
            "polynomial",
            [](double gamma, double constant, std::uint64_t degree) {
                return KernelFunction(PolynomialKernel{gamma, constant, degree});
            },
            nb::arg("gamma"), nb::arg("constant"), nb::arg("degree"), "(gamma x.z + constant)^degree")
        .def_static(
            "gaussian", [](double gamma) { return KernelFunction(GaussianKernel{gamma}); }, nb::arg("gamma"),
            "exp(-gamma |x-z|^2)")
        .def_static(
            "laplace", [](double gamma) { return KernelFunction(LaplaceKernel{gamma}); }, nb::arg("gamma"),
            "exp(-gamma |x-z|_1)");

    nb::class_<Expansion>(m, "Expansion", "w = sum_p alpha_p phi(x_p): the state of a kernel rule.")
        .def(nb::new_(&expansion), nb::arg("kernel"), nb::kw_only(), nb::arg("budget"), nb::arg("project"))
        .def("copy", [](const Expansion& w) { return std::make_unique<Expansion>(w); })
        .def(
            "restore", [](Expansion& w, const Expansion& saved) { w = saved; }, nb::arg("saved"))
        .def("take", &Expansion::take, nb::arg("saved"), "Becomes what a copy is that is of no more use then.")
        .def("look", &look, nb::arg("batch"), nb::arg("t"), "Evaluates the kernel between a row and every point.")
        .def("hold", &hold, nb::arg("batch"), "Every row becomes a point of its own, with coefficient 0.")
        .def("replay", &replay, nb::arg("batch"), nb::kw_only(), nb::arg("signs").noconvert(),
             nb::arg("first").noconvert(), nb::arg("update").noconvert(), nb::arg("step").noconvert(),
             nb::arg("later").noconvert(), nb::arg("own").noconvert(), nb::arg("begin"), nb::arg("end"),
             "Scores rows of a run again, each by every hypothesis until then, and counts what they get wrong.")
        .def("score", &Expansion::score, "w.phi(x) of the row last looked at.")
        .def("self", &Expansion::self, "K(x, x) of the row last looked at.")
        .def("values", &kernel_values, nb::rv_policy::move, nb::sig("def values(self) -> NDArray[numpy.float64]"),
             "K(x, x_p) of the row last looked at, for every point p.")
        .def("add", &Expansion::add, nb::arg("step"), "w += step * phi(x), within the budget.")
        .def("shrink", &Expansion::shrink, nb::arg("factor"), "w *= factor.")
        .def("mirror", &Expansion::mirror, "w *= -1, in the average too.")
        .def("begin_round", [](Expansion& w) { w.rounds += 1.0; })
        .def("points", &points,
             nb::sig("def points(self) -> "
                     "tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.float64]]"),
             "The support points as the arrays (start, index, value) of a CSR matrix.")
        .def("coefficients", &coefficients, nb::rv_policy::move,
             nb::sig("def coefficients(self) -> NDArray[numpy.float64]"), "The coefficient of each point in w.")
        .def("averaged", &averaged, nb::rv_policy::move, nb::sig("def averaged(self) -> NDArray[numpy.float64]"),
             "The coefficient of each point in the mean of the w used so far.")
        .def("parts", &parts, nb::sig("def parts(self) -> dict[str, NDArray[numpy.float64]]"),
             "Everything that decides how the expansion goes on, as arrays by name.")
        .def("refill", &refill, nb::arg("parts"),
             nb::sig("def refill(self, parts: dict[str, NDArray[numpy.float64]]) -> None"),
             "Makes an empty expansion what `parts` told of.")
        .def_ro("budget", &Expansion::budget)
        .def_prop_ro("project", [](const Expansion& w) { return w.overflow == Overflow::project; })
        .def("set_coefficients", &set_coefficients, nb::arg("values").noconvert())
        .def("__len__", &Expansion::count)
        .def_ro("norm_squared", &Expansion::norm_squared)
        .def_ro("self_sum", &Expansion::self_sum)
        .def_ro("distortion", &Expansion::distortion)
        .def_ro("rounds", &Expansion::rounds)
        .def_ro("dropped", &Expansion::dropped);

    m.def(
        "kernel_perceptron", [](Expansion& w, double eta) { return loop(KernelPerceptron{kernel_rule(w), eta}); },
        nb::keep_alive<0, 1>(), nb::arg("w"), nb::kw_only(), nb::arg("eta"));
    m.def(
        "kernel_passive_aggressive",
        [](Expansion& w, double margin, double epsilon) {
            return loop(KernelPassiveAggressive<Projection>{kernel_rule(w), margin, epsilon, {}});
        },
        nb::keep_alive<0, 1>(), nb::arg("w"), nb::kw_only(), nb::arg("margin"), nb::arg("epsilon"));
    m.def(
        "kernel_passive_aggressive_capped",
        [](Expansion& w, double margin, double epsilon, double C) {
            return loop(KernelPassiveAggressive<Capped>{kernel_rule(w), margin, epsilon, {C}});
        },
        nb::keep_alive<0, 1>(), nb::arg("w"), nb::kw_only(), nb::arg("margin"), nb::arg("epsilon"), nb::arg("C"));
    m.def(
        "kernel_passive_aggressive_relaxed",
        [](Expansion& w, double margin, double epsilon, double gamma) {
            return loop(KernelPassiveAggressive<Relaxed>{kernel_rule(w), margin, epsilon, {gamma}});
        },
        nb::keep_alive<0, 1>(), nb::arg("w"), nb::kw_only(), nb::arg("margin"), nb::arg("epsilon"), nb::arg("gamma"));
    m.def(
        "kernel_uniclass", [](Expansion& w, double epsilon) { return loop(KernelUniclass{{{}, {{&w}, epsilon}}}); },
        nb::keep_alive<0, 1>(), nb::arg("w"), nb::kw_only(), nb::arg("epsilon"));
    m.def(
        "kernel_fixed",
        [](Expansion& w, double margin, double epsilon) { return loop(KernelFixed{kernel_rule(w), margin, epsilon}); },
        nb::keep_alive<0, 1>(), nb::arg("w"), nb::kw_only(), nb::arg("margin"), nb::arg("epsilon"));
    m.def("uniclass", &uniclass, nb::kw_only(), nb::arg("v").noconvert(), nb::arg("scale").noconvert(),
          nb::arg("norm_squared").noconvert(), nb::arg("since_refresh").noconvert(), nb::arg("rounds").noconvert(),
          nb::arg("epsilon"), nb::arg("beta"));
    m.def("adaptive_uniclass", &adaptive_uniclass, nb::kw_only(), nb::arg("w").noconvert(),
          nb::arg("variance").noconvert(), nb::arg("rounds").noconvert(), nb::arg("threshold").noconvert(),
          nb::arg("largest").noconvert(), nb::arg("flag"), nb::arg("eta"));
    m.def("adaptive_kernel_uniclass", &adaptive_kernel_uniclass, nb::kw_only(), nb::arg("w").noconvert(),
          nb::arg("variance").noconvert(), nb::arg("points").noconvert(), nb::arg("rounds").noconvert(),
          nb::arg("threshold").noconvert(), nb::arg("largest").noconvert(), nb::arg("budget"), nb::arg("seed"),
          nb::arg("flag"), nb::arg("eta"));
    m.def("radius_uniclass", &radius_uniclass, nb::kw_only(), nb::arg("w").noconvert(), nb::arg("lift").noconvert(),
          nb::arg("rounds").noconvert(), nb::arg("bound"), nb::arg("cap"), nb::arg("relaxation"));
    m.def("multiplicative_uniclass", &multiplicative_uniclass, nb::kw_only(), nb::arg("theta").noconvert(),
          nb::arg("power").noconvert(), nb::arg("seen").noconvert(), nb::arg("order").noconvert(),
          nb::arg("count").noconvert(), nb::arg("rest").noconvert(), nb::arg("shift").noconvert(),
          nb::arg("total").noconvert(), nb::arg("squares").noconvert(), nb::arg("epsilon"));
}

}  // namespace littlestone::bind
