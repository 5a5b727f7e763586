#include "../ledger.h"

#include <nanobind/stl/pair.h>

#include "bind.h"

namespace littlestone::bind {
namespace {

using Parts = std::pair<double, double>;

// What a total is worth, how it is kept, and its kind by name.
Count value_of(Count total) { return total; }
double value_of(const Sum& total) { return total.value(); }
double value_of(Largest total) { return total.value; }
double value_of(Smallest total) { return total.value; }
double value_of(Latest total) { return total.value; }
Count value_of(Chain total) { return total.value; }

using Triples = nb::typed<nb::tuple, nb::typed<nb::tuple, Count, Count, double>, nb::ellipsis>;
Triples value_of(const Tenths& total) {
    nb::list found;
    for (std::size_t k = 0; total.any() && k < Tenths::count; ++k)
        found.append(nb::make_tuple(total.told[k], total.came[k], total.chance[k].value()));
    return Triples(nb::tuple(found));
}

Count part_of(Count total) { return total; }
Parts part_of(const Sum& total) { return {total.total, total.correction}; }
double part_of(Largest total) { return total.value; }
double part_of(Smallest total) { return total.value; }
double part_of(Latest total) { return total.value; }
Count part_of(Chain total) { return total.value; }

// Nothing before the first forecast; then four numbers per tenth.
nb::tuple part_of(const Tenths& total) {
    nb::list found;
    for (std::size_t k = 0; total.any() && k < Tenths::count; ++k)
        for (const double number : {static_cast<double>(total.told[k]), static_cast<double>(total.came[k]),
                                    total.chance[k].total, total.chance[k].correction})
            found.append(number);
    return nb::tuple(found);
}

Count count_of(double number) {
    if (!(number >= 0.0 && number <= 0x1p53)) raise("InvalidData", "a total has a count that cannot be");
    return static_cast<Count>(number);
}

void take(Count& total, nb::handle part) { total = nb::cast<Count>(part); }
void take(Sum& total, nb::handle part) {
    const auto [sum, correction] = nb::cast<Parts>(part);
    total = {sum, correction};
}
void take(Largest& total, nb::handle part) { total.value = nb::cast<double>(part); }
void take(Smallest& total, nb::handle part) { total.value = nb::cast<double>(part); }
void take(Latest& total, nb::handle part) { total.value = nb::cast<double>(part); }
void take(Chain& total, nb::handle part) { total.value = nb::cast<Count>(part); }
void take(Tenths& total, nb::handle part) {
    // Not by way of a vector: nanobind would end the process where there is no memory for one.
    const auto given = nb::cast<nb::sequence>(part);
    if (nb::len(given) == 0) return;
    if (nb::len(given) != 4 * Tenths::count) raise("InvalidData", "the tenths of the forecasts are not ten");
    double numbers[4 * Tenths::count];
    for (std::size_t i = 0; i < 4 * Tenths::count; ++i) numbers[i] = nb::cast<double>(given[i]);
    for (std::size_t k = 0; k < Tenths::count; ++k) {
        const double* of = &numbers[4 * k];
        total.told[k] = count_of(of[0]);
        total.came[k] = count_of(of[1]);
        total.chance[k] = {of[2], of[3]};
    }
}

Trial forecast(double score, const nb::object& row, int label, double weight, double chance) {
    Trial trial = Trial::of(score, Interval::open_half_line(label), 0.0, nb::cast<double>(row.attr("norm_squared")),
                            nb::cast<double>(row.attr("largest_entry")), label);
    trial.miss = trial.violation = {label * score <= 0.0 ? 1 : 0, -std::log(chance)};
    trial.weight = weight;
    trial.missing = nb::cast<std::uint32_t>(row.attr("missing"));
    trial.chance = chance;
    trial.brier = (1.0 - chance) * (1.0 - chance);
    return trial;
}

nb::dict parts(const Ledger& ledger) {
    nb::dict d;
#define LITTLESTONE_PART(kind, name, start, words) d[#name] = part_of(ledger.name);
    LITTLESTONE_TOTALS(LITTLESTONE_PART)
#undef LITTLESTONE_PART
    return d;
}

// A total that was not stored has the value it has before the first round.
Ledger from_parts(const nb::dict& d) {
    Ledger ledger;
#define LITTLESTONE_TAKE(kind, name, start, words) \
    if (d.contains(#name)) take(ledger.name, d[#name]);
    LITTLESTONE_TOTALS(LITTLESTONE_TAKE)
#undef LITTLESTONE_TAKE
    return ledger;
}

nb::list declared() {
    nb::list found;
    const Ledger fresh;
#define LITTLESTONE_DECLARED(kind, name, start, words) found.append(nb::make_tuple(#name, value_of(fresh.name), words));
    LITTLESTONE_TOTALS(LITTLESTONE_DECLARED)
#undef LITTLESTONE_DECLARED
    return found;
}

nb::dict kinds() {
    nb::dict found;
#define LITTLESTONE_KIND(kind, name, start, words) found[#name] = #kind;
    LITTLESTONE_TOTALS(LITTLESTONE_KIND)
#undef LITTLESTONE_KIND
    return found;
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
                         double weight, std::uint32_t missing, std::int32_t truth, bool log_odds) {
                 Trial trial = Trial::of(score, interval, tolerance, nb::cast<double>(row.attr("norm_squared")),
                                         nb::cast<double>(row.attr("largest_entry")), label);
                 trial.weight = weight;
                 trial.missing = missing;
                 trial.truth = truth;
                 if (log_odds && label != 0) trial.foretell();
                 return trial;
             }),
             nb::arg("score"), nb::arg("interval"), nb::arg("tolerance"), nb::arg("row"), nb::arg("label"),
             nb::kw_only(), nb::arg("weight") = 1.0, nb::arg("missing") = 0, nb::arg("truth") = -1,
             nb::arg("log_odds") = false)
        .def_static(
            "forecast", &forecast, nb::arg("score"), nb::arg("row"), nb::arg("label"), nb::kw_only(), nb::arg("weight"),
            nb::arg("chance"),
            nb::sig("def forecast(score: float, row: Row, label: int, *, weight: float, chance: float) -> Trial"),
            "A round whose loss is the log loss of the probability that the label was given.")
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
        .def_static("by", &Step::by, nb::arg("size"), "The weights moved by size * x, and nothing else did.")
        .def_static("otherwise", &Step::otherwise, nb::arg("size"),
                    "The state moved in another way; the size is a measure of it.")
        .def_static("cannot", &Step::cannot, "A loss that no weights could have avoided; nothing moved.")
        .def_ro("size", &Step::size)
        .def_ro("moved", &Step::moved)
        .def_ro("impossible", &Step::impossible)
        .def_ro("along", &Step::along, "Whether size * x is the whole change of the weights.");

    nb::class_<Decision>(m, "Decision",
                         "What was predicted: the sign, and the probability with which it could have been +1.")
        .def(nb::init<int, double, bool>(), nb::arg("sign"), nb::arg("chance_positive"), nb::arg("randomized"))
        .def_static("by_sign", &Decision::by_sign, nb::arg("score"), "The sign of the score, +1 at 0.")
        .def_ro("sign", &Decision::sign)
        .def_ro("chance_positive", &Decision::chance_positive)
        .def_ro("randomized", &Decision::randomized);

    auto totals = nb::class_<Ledger>(m, "Totals", "The running totals of a run.");
    totals.def(nb::init<>())
        .def("record", &Ledger::record, nb::arg("trial"), nb::arg("decision"), nb::arg("step"), "Adds one round.")
        .def(
            "witness",
            [](Ledger& ledger, HeldBatch& batch, const HeldOutcomes& outcomes, std::size_t begin, std::size_t end) {
                if (outcomes.outcomes.count != batch.batch.count || begin > end || end > batch.batch.count)
                    raise("InvalidData", "rows and outcomes differ in length");
                if (const auto fault = batch.batch.check(end)) raise_fault(*fault);
                witness(batch.batch, outcomes.outcomes, begin, end, ledger);
            },
            nb::arg("batch"), nb::arg("outcomes"), nb::arg("begin"), nb::arg("end"), "Adds rows to the fingerprints.")
        .def("merge", &Ledger::merge, nb::arg("other"), "Adds the totals of another stretch of the stream.")
        .def_static("mistaken", &Ledger::mistaken, nb::arg("trial"), nb::arg("decision"))
        .def(
            "copy", [](const Ledger& ledger) { return ledger; }, "Totals of their own with the same numbers.")
        .def("parts", &parts, nb::sig("def parts(self) -> dict[str, float | tuple[float, ...]]"),
             "Every total, sums as (total, correction), so that it can be stored and restored exactly.")
        .def_static("from_parts", &from_parts, nb::arg("parts"),
                    nb::sig("def from_parts(parts: dict[str, float | tuple[float, ...]]) -> Totals"))
        .def_static("kinds", &kinds, nb::sig("def kinds() -> dict[str, str]"),
                    "What kind of total each is, which says how two of them merge.")
        .def_static("declared", &declared, nb::sig("def declared() -> list[tuple[str, int | float, str]]"),
                    "Every total: its name, its value before the first round, and words where it is shown.")
        .def_prop_ro("weight", &Ledger::weight, "The weights of the rounds.")
        .def_prop_ro("weighted_loss", &Ledger::weighted_loss, "The losses, each times the weight of its round.")
        .def_prop_ro("weighted_mistakes", &Ledger::weighted_mistakes, "The weights of the mistakes.");
#define LITTLESTONE_SHOW(kind, name, start, words) \
    totals.def_prop_ro(#name, [](const Ledger& ledger) { return value_of(ledger.name); });
    LITTLESTONE_TOTALS(LITTLESTONE_SHOW)
#undef LITTLESTONE_SHOW
}

}  // namespace littlestone::bind
