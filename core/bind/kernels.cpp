#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "../kernels/rules.h"
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
    in_checked_slices(held.batch, 0, held.batch.count, [&](std::size_t begin, std::size_t end) {
        std::visit(
            [&](const auto& rows) {
                auto cursor = rows.cursor();
                for (std::size_t t = begin; t < end; ++t) w.hold(cursor[t]);
            },
            held.batch.rows);
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
HeldLoop* loop(const Rule& rule, Expansion& w) {
    return new HeldLoop{std::make_unique<KernelLoop<Rule>>(rule, w), {}};
}

HeldLoop* uniclass(State v, State scale, State norm_squared, State since_refresh, State rounds, double epsilon) {
    const Centre centre{v.data(),   number(scale), number(norm_squared), number(since_refresh), number(rounds),
                        v.shape(0), epsilon};
    return held(Uniclass{{}, centre}, nullptr, {v, scale, norm_squared, since_refresh, rounds});
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
        .def("look", &look, nb::arg("batch"), nb::arg("t"), "Evaluates the kernel between a row and every point.")
        .def("hold", &hold, nb::arg("batch"), "Every row becomes a point of its own, with coefficient 0.")
        .def("score", &Expansion::score, "w.phi(x) of the row last looked at.")
        .def("self", &Expansion::self, "K(x, x) of the row last looked at.")
        .def("values", &kernel_values, nb::rv_policy::move, nb::sig("def values(self) -> NDArray[numpy.float64]"),
             "K(x, x_p) of the row last looked at, for every point p.")
        .def("add", &Expansion::add, nb::arg("step"), "w += step * phi(x), within the budget.")
        .def("shrink", &Expansion::shrink, nb::arg("factor"), "w *= factor.")
        .def("begin_round", [](Expansion& w) { w.rounds += 1.0; })
        .def("points", &points,
             nb::sig("def points(self) -> "
                     "tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.float64]]"),
             "The support points as the arrays (start, index, value) of a CSR matrix.")
        .def("coefficients", &coefficients, nb::rv_policy::move,
             nb::sig("def coefficients(self) -> NDArray[numpy.float64]"), "The coefficient of each point in w.")
        .def("averaged", &averaged, nb::rv_policy::move, nb::sig("def averaged(self) -> NDArray[numpy.float64]"),
             "The coefficient of each point in the mean of the w used so far.")
        .def("set_coefficients", &set_coefficients, nb::arg("values").noconvert())
        .def("__len__", &Expansion::count)
        .def_ro("norm_squared", &Expansion::norm_squared)
        .def_ro("self_sum", &Expansion::self_sum)
        .def_ro("distortion", &Expansion::distortion)
        .def_ro("rounds", &Expansion::rounds)
        .def_ro("dropped", &Expansion::dropped);

    m.def(
        "kernel_perceptron", [](Expansion& w, double eta) { return loop(KernelPerceptron{{}, eta}, w); },
        nb::keep_alive<0, 1>(), nb::arg("w"), nb::kw_only(), nb::arg("eta"));
    m.def(
        "kernel_passive_aggressive",
        [](Expansion& w, double margin, double epsilon) {
            return loop(KernelPassiveAggressive<Projection>{{}, margin, epsilon, {}}, w);
        },
        nb::keep_alive<0, 1>(), nb::arg("w"), nb::kw_only(), nb::arg("margin"), nb::arg("epsilon"));
    m.def(
        "kernel_passive_aggressive_capped",
        [](Expansion& w, double margin, double epsilon, double C) {
            return loop(KernelPassiveAggressive<Capped>{{}, margin, epsilon, {C}}, w);
        },
        nb::keep_alive<0, 1>(), nb::arg("w"), nb::kw_only(), nb::arg("margin"), nb::arg("epsilon"), nb::arg("C"));
    m.def(
        "kernel_passive_aggressive_relaxed",
        [](Expansion& w, double margin, double epsilon, double gamma) {
            return loop(KernelPassiveAggressive<Relaxed>{{}, margin, epsilon, {gamma}}, w);
        },
        nb::keep_alive<0, 1>(), nb::arg("w"), nb::kw_only(), nb::arg("margin"), nb::arg("epsilon"), nb::arg("gamma"));
    m.def(
        "kernel_uniclass", [](Expansion& w, double epsilon) { return loop(KernelUniclass{{}, epsilon}, w); },
        nb::keep_alive<0, 1>(), nb::arg("w"), nb::kw_only(), nb::arg("epsilon"));
    m.def(
        "kernel_fixed",
        [](Expansion& w, double margin, double epsilon) { return loop(KernelFixed{{}, margin, epsilon}, w); },
        nb::keep_alive<0, 1>(), nb::arg("w"), nb::kw_only(), nb::arg("margin"), nb::arg("epsilon"));
    m.def("uniclass", &uniclass, nb::kw_only(), nb::arg("v").noconvert(), nb::arg("scale").noconvert(),
          nb::arg("norm_squared").noconvert(), nb::arg("since_refresh").noconvert(), nb::arg("rounds").noconvert(),
          nb::arg("epsilon"));
}

}  // namespace littlestone::bind
