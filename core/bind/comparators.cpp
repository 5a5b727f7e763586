#include "../comparators/interval_descent.h"
#include "bind.h"

namespace littlestone::bind {
namespace {

// A descent and the arrays that it moves.
struct HeldDescent {
    IntervalDescent descent;
    Vector<double> w, dual;

    HeldDescent(Vector<double> w, Vector<double> dual, double margin, double epsilon, double cap, double ridge)
        : descent{margin, epsilon, cap, ridge, w.data(), dual.data()}, w(w), dual(dual) {}
};

void check_lengths(const HeldDescent& held, const Batch& batch, const Outcomes& outcomes) {
    if (held.w.shape(0) < batch.width || held.dual.shape(0) != batch.count || outcomes.count != batch.count)
        raise("InvalidData", "rows, outcomes, weights and dual numbers differ in length");
}

void sweep(const HeldDescent& held, HeldBatch& batch, const HeldOutcomes& outcomes,
           Vector<const std::uint32_t> blocks) {
    check_lengths(held, batch.batch, outcomes.outcomes);
    for (std::size_t b = 0; b < blocks.shape(0); ++b)
        if (blocks(b) * IntervalDescent::block >= batch.batch.count)
            raise("InvalidData", "a block is outside the batch");
    check_until(batch.batch, batch.batch.count);
    const std::size_t slice = 1 + 2 * batch.batch.block();
    for (std::size_t from = 0; from < blocks.shape(0); from += slice) {
        {
            nb::gil_scoped_release release;
            held.descent.sweep(batch.batch, outcomes.outcomes, blocks.data() + from,
                               std::min(slice, blocks.shape(0) - from));
        }
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
}

double gain(const HeldDescent& held, const HeldOutcomes& outcomes) {
    if (held.dual.shape(0) != outcomes.outcomes.count)
        raise("InvalidData", "outcomes and dual numbers differ in length");
    return held.descent.gain(outcomes.outcomes);
}

}  // namespace

void bind_comparators(nb::module_& m) {
    nb::class_<HeldDescent>(m, "IntervalDescent",
                            "Dual coordinate descent for the comparator that keeps its scores in the intervals.")
        .def(nb::init<Vector<double>, Vector<double>, double, double, double, double>(), nb::kw_only(),
             nb::arg("w").noconvert(), nb::arg("dual").noconvert(), nb::arg("margin"), nb::arg("epsilon"),
             nb::arg("cap"), nb::arg("ridge"))
        .def_prop_ro_static(
            "block", [](nb::handle) { return IntervalDescent::block; }, "Rows a block.")
        .def("sweep", &sweep, nb::arg("batch"), nb::arg("outcomes"), nb::arg("blocks").noconvert(),
             "Visits every row of the listed blocks once.")
        .def("gain", &gain, nb::arg("outcomes"), "The part of the dual objective that is linear in the dual numbers.");
}

}  // namespace littlestone::bind
