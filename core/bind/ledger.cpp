#include "../ledger.h"

#include <nanobind/stl/pair.h>

#include "bind.h"

namespace littlestone::bind {
namespace {

using Parts = std::pair<double, double>;

nb::dict parts(const Ledger& ledger) {
    nb::dict d;
    d["rounds"] = ledger.rounds;
    d["mistakes"] = ledger.mistakes;
    d["updates"] = ledger.updates;
    d["impossible"] = ledger.impossible;
    d["loss"] = Parts{ledger.loss.total, ledger.loss.correction};
    d["loss_squared"] = Parts{ledger.loss_squared.total, ledger.loss_squared.correction};
    d["tolerated_loss"] = Parts{ledger.tolerated_loss.total, ledger.tolerated_loss.correction};
    d["expected_mistakes"] = Parts{ledger.expected_mistakes.total, ledger.expected_mistakes.correction};
    d["smallest_margin"] = ledger.smallest_margin;
    d["largest_norm_squared"] = ledger.largest_norm_squared;
    d["largest_update_norm_squared"] = ledger.largest_update_norm_squared;
    d["largest_entry"] = ledger.largest_entry;
    d["missing"] = ledger.missing;
    d["extra_weight"] = Parts{ledger.extra_weight.total, ledger.extra_weight.correction};
    d["extra_loss"] = Parts{ledger.extra_loss.total, ledger.extra_loss.correction};
    d["extra_mistakes"] = Parts{ledger.extra_mistakes.total, ledger.extra_mistakes.correction};
    d["smallest_weight"] = ledger.smallest_weight;
    d["largest_weight"] = ledger.largest_weight;
    return d;
}

Sum sum_of(const nb::dict& d, const char* name) {
    const auto [total, correction] = nb::cast<Parts>(d[name]);
    return {total, correction};
}

Ledger from_parts(const nb::dict& d) {
    Ledger ledger;
    ledger.rounds = nb::cast<std::uint64_t>(d["rounds"]);
    ledger.mistakes = nb::cast<std::uint64_t>(d["mistakes"]);
    ledger.updates = nb::cast<std::uint64_t>(d["updates"]);
    ledger.impossible = nb::cast<std::uint64_t>(d["impossible"]);
    ledger.loss = sum_of(d, "loss");
    ledger.loss_squared = sum_of(d, "loss_squared");
    ledger.tolerated_loss = sum_of(d, "tolerated_loss");
    ledger.expected_mistakes = sum_of(d, "expected_mistakes");
    ledger.smallest_margin = nb::cast<double>(d["smallest_margin"]);
    ledger.largest_norm_squared = nb::cast<double>(d["largest_norm_squared"]);
    ledger.largest_update_norm_squared = nb::cast<double>(d["largest_update_norm_squared"]);
    ledger.largest_entry = nb::cast<double>(d["largest_entry"]);
    ledger.missing = nb::cast<std::uint64_t>(d["missing"]);
    ledger.extra_weight = sum_of(d, "extra_weight");
    ledger.extra_loss = sum_of(d, "extra_loss");
    ledger.extra_mistakes = sum_of(d, "extra_mistakes");
    ledger.smallest_weight = nb::cast<double>(d["smallest_weight"]);
    ledger.largest_weight = nb::cast<double>(d["largest_weight"]);
    return ledger;
}

}  // namespace

void bind_ledger(nb::module_& m) {
    nb::class_<Interval>(m, "Interval", "An interval of acceptable scores, each end open or closed.")
        .def(nb::init<double, double, bool, bool>(), nb::arg("low"), nb::arg("high"), nb::arg("low_open") = false,
             nb::arg("high_open") = false)
        .def_ro("low", &Interval::low)
        .def_ro("high", &Interval::high)
        .def_ro("low_open", &Interval::low_open)
        .def_ro("high_open", &Interval::high_open)
        .def_static("open_half_line", &Interval::open_half_line, nb::arg("label"), "(0, inf) for +1, (-inf, 0) for -1.")
        .def_static("half_line", &Interval::half_line, nb::arg("label"), nb::arg("margin"),
                    "[margin, inf) for +1, (-inf, -margin] for -1.")
        .def_static("around", &Interval::around, nb::arg("target"), nb::arg("epsilon"),
                    "[target - epsilon, target + epsilon].");

    nb::class_<Trial>(m, "Trial", "One round before its update: score, interval and where the score stands to it.")
        .def(nb::new_([](double score, const Interval& interval, double tolerance, const nb::object& row, int label,
                         double weight, std::uint32_t missing, std::int32_t truth) {
                 Trial trial = Trial::of(score, interval, tolerance, nb::cast<double>(row.attr("norm_squared")),
                                         nb::cast<double>(row.attr("largest_entry")), label);
                 trial.weight = weight;
                 trial.missing = missing;
                 trial.truth = truth;
                 return trial;
             }),
             nb::arg("score"), nb::arg("interval"), nb::arg("tolerance"), nb::arg("row"), nb::arg("label"),
             nb::kw_only(), nb::arg("weight") = 1.0, nb::arg("missing") = 0, nb::arg("truth") = -1)
        .def_ro("weight", &Trial::weight, "How much the round counts.")
        .def_ro("truth", &Trial::truth, "The number of the class, and -1 where outcomes are no classes.")
        .def_ro("score", &Trial::score)
        .def_ro("interval", &Trial::interval)
        .def_ro("label", &Trial::label)
        .def_prop_ro(
            "side", [](const Trial& trial) { return trial.violation.side; },
            "+1 when the score must rise, -1 when it must fall, 0 when it is accepted (after the tolerance).")
        .def_prop_ro(
            "distance", [](const Trial& trial) { return trial.violation.distance; },
            "How far the score is outside the interval (after the tolerance).")
        .def_prop_ro(
            "loss", [](const Trial& trial) { return trial.miss.distance; },
            "How far the score is outside the interval, without a tolerance.");

    nb::class_<Step>(m, "Step", "What an update did.")
        .def_static("stay", &Step::stay, "Nothing moved.")
        .def_static("by", &Step::by, nb::arg("size"), "The weights moved by size * x (and perhaps shrank).")
        .def_static("cannot", &Step::cannot, "A loss that no weights could have avoided; nothing moved.")
        .def_ro("size", &Step::size)
        .def_ro("moved", &Step::moved)
        .def_ro("impossible", &Step::impossible);

    nb::class_<Decision>(m, "Decision",
                         "What was predicted: the sign, and the probability with which it could have been +1.")
        .def(nb::init<int, double, bool>(), nb::arg("sign"), nb::arg("chance_positive"), nb::arg("randomized"))
        .def_static("by_sign", &Decision::by_sign, nb::arg("score"), "The sign of the score, +1 at 0.")
        .def_ro("sign", &Decision::sign)
        .def_ro("chance_positive", &Decision::chance_positive)
        .def_ro("randomized", &Decision::randomized);

    nb::class_<Ledger>(m, "Totals", "The running totals of a run.")
        .def(nb::init<>())
        .def("record", &Ledger::record, nb::arg("trial"), nb::arg("decision"), nb::arg("step"), "Adds one round.")
        .def_static("mistaken", &Ledger::mistaken, nb::arg("trial"), nb::arg("decision"))
        .def("parts", &parts, nb::sig("def parts(self) -> dict[str, float | tuple[float, float]]"),
             "Every total, sums as (total, correction), so that it can be stored and restored exactly.")
        .def_static("from_parts", &from_parts, nb::arg("parts"),
                    nb::sig("def from_parts(parts: dict[str, float | tuple[float, float]]) -> Totals"))
        .def_ro("rounds", &Ledger::rounds)
        .def_ro("mistakes", &Ledger::mistakes)
        .def_ro("updates", &Ledger::updates)
        .def_ro("impossible", &Ledger::impossible)
        .def_prop_ro("loss", [](const Ledger& l) { return l.loss.value(); })
        .def_prop_ro("loss_squared", [](const Ledger& l) { return l.loss_squared.value(); })
        .def_prop_ro("tolerated_loss", [](const Ledger& l) { return l.tolerated_loss.value(); })
        .def_prop_ro("expected_mistakes", [](const Ledger& l) { return l.expected_mistakes.value(); })
        .def_ro("smallest_margin", &Ledger::smallest_margin)
        .def_ro("largest_norm_squared", &Ledger::largest_norm_squared)
        .def_ro("largest_update_norm_squared", &Ledger::largest_update_norm_squared)
        .def_ro("largest_entry", &Ledger::largest_entry)
        .def_ro("missing", &Ledger::missing)
        .def_prop_ro("extra_weight", [](const Ledger& l) { return l.extra_weight.value(); })
        .def_prop_ro("extra_loss", [](const Ledger& l) { return l.extra_loss.value(); })
        .def_prop_ro("extra_mistakes", [](const Ledger& l) { return l.extra_mistakes.value(); })
        .def_ro("smallest_weight", &Ledger::smallest_weight)
        .def_ro("largest_weight", &Ledger::largest_weight);
}

}  // namespace littlestone::bind
