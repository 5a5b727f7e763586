#include <nanobind/stl/string.h>

#include "../multiclass/one_versus_rest.h"
#include "../multiclass/passive_aggressive.h"
#include "../multiclass/perceptron.h"
#include "loops.h"

namespace littlestone::bind {
namespace {

PrototypeRule prototypes(const State& w, const State& met, std::size_t room, const HeldAverage* average) {
    const double count = *number(met);
    if (room == 0 || w.shape(0) % room != 0 || !(count >= 0.0 && count <= static_cast<double>(room)))
        raise("InvalidData", "the prototypes have no room for the classes that were met");
    return PrototypeRule({w.data(), met.data(), w.shape(0) / room, room, pointers(average, w, room)});
}

Share share_of(const std::string& name) {
    if (name == "uniform") return Share::uniform;
    return name == "max" ? Share::max : Share::proportional;
}

// The learners side by side; the loop keeps alive what `kept` and `arrays` hold. Lists stay Python's: to make vectors
// of them on the way here, without memory, would end the process.
HeldLoop* side_by_side(const nb::list& loops, std::vector<Known> known, const State& met, double margin,
                       std::vector<State> arrays, std::vector<nb::object> kept) {
    std::vector<Loop*> learners;
    for (const nb::handle one : loops) {
        learners.push_back(nb::cast<HeldLoop&>(one).loop.get());
        kept.push_back(nb::borrow(one));
    }
    if (learners.empty() || learners.size() != known.size() || !(*number(met) >= 0.0) ||
        *number(met) >= static_cast<double>(learners.size()))
        raise("InvalidData", "there must be one binary learner a class, and one before them");
    arrays.push_back(met);
    return new HeldLoop{loop_of(OneVersusRest(std::move(learners), std::move(known), number(met), margin)),
                        std::move(arrays), std::move(kept)};
}

HeldLoop* one_versus_rest(const nb::list& loops, const nb::list& states, State met, double margin) {
    std::vector<Known> known;
    std::vector<State> arrays;
    for (const nb::handle state : states) {
        std::vector<Part> own;
        for (const nb::handle one : nb::cast<nb::list>(state)) {
            const auto array = nb::cast<State>(one, false);
            own.push_back({array.data(), array.shape(0)});
            arrays.push_back(array);
        }
        if (!known.empty() &&
            !std::ranges::equal(own, std::get<std::vector<Part>>(known[0]), {}, &Part::count, &Part::count))
            raise("InvalidData", "the states of the binary learners differ in shape");
        known.push_back(std::move(own));
    }
    return side_by_side(loops, std::move(known), met, margin, std::move(arrays), {});
}

HeldLoop* kernel_one_versus_rest(const nb::list& loops, const nb::list& expansions, State met, double margin) {
    std::vector<Known> known;
    std::vector<nb::object> kept;
    for (const nb::handle one : expansions) {
        known.push_back(&nb::cast<Expansion&>(one));
        kept.push_back(nb::borrow(one));
    }
    return side_by_side(loops, std::move(known), met, margin, {}, std::move(kept));
}

}  // namespace

void bind_multiclass(nb::module_& m) {
    const auto w = nb::arg("w").noconvert(), met = nb::arg("met").noconvert();
    const auto average = nb::arg("average").none() = nb::none();
    m.def(
        "multiclass_perceptron",
        [](State w, State met, std::size_t room, double eta, const std::string& share, const HeldAverage* average) {
            return held(MulticlassPerceptron{prototypes(w, met, room, average), eta, share_of(share)}, average,
                        {w, met});
        },
        nb::kw_only(), w, met, nb::arg("room"), nb::arg("eta"), nb::arg("share"), average);
    m.def(
        "multiclass_passive_aggressive",
        [](State w, State met, std::size_t room, double margin, const HeldAverage* average) {
            return held(MulticlassPassiveAggressive<Projection>{prototypes(w, met, room, average), margin, {}}, average,
                        {w, met});
        },
        nb::kw_only(), w, met, nb::arg("room"), nb::arg("margin"), average);
    m.def(
        "multiclass_passive_aggressive_capped",
        [](State w, State met, std::size_t room, double margin, double C, const HeldAverage* average) {
            return held(MulticlassPassiveAggressive<Capped>{prototypes(w, met, room, average), margin, {C}}, average,
                        {w, met});
        },
        nb::kw_only(), w, met, nb::arg("room"), nb::arg("margin"), nb::arg("C"), average);
    m.def(
        "multiclass_passive_aggressive_relaxed",
        [](State w, State met, std::size_t room, double margin, double gamma, const HeldAverage* average) {
            return held(MulticlassPassiveAggressive<Relaxed>{prototypes(w, met, room, average), margin, {gamma}},
                        average, {w, met});
        },
        nb::kw_only(), w, met, nb::arg("room"), nb::arg("margin"), nb::arg("gamma"), average);
    m.def(
        "multiclass_fixed",
        [](State w, State met, std::size_t room, double margin, const HeldAverage* average) {
            return held(MulticlassFixed{prototypes(w, met, room, average), margin}, average, {w, met});
        },
        nb::kw_only(), w, met, nb::arg("room"), nb::arg("margin"), average);
    m.def("one_versus_rest", &one_versus_rest, nb::kw_only(), nb::arg("loops"), nb::arg("states"), met,
          nb::arg("margin"),
          nb::sig("def one_versus_rest(*, loops: list[Loop], states: list[list[NDArray[numpy.float64]]], "
                  "met: NDArray[numpy.float64], margin: float) -> Loop"),
          "Binary learners side by side: the first for a class that was not met yet, then one per class.");
    m.def("kernel_one_versus_rest", &kernel_one_versus_rest, nb::kw_only(), nb::arg("loops"), nb::arg("expansions"),
          met, nb::arg("margin"),
          nb::sig("def kernel_one_versus_rest(*, loops: list[Loop], expansions: list[Expansion], "
                  "met: NDArray[numpy.float64], margin: float) -> Loop"),
          "The same for learners with a kernel.");
}

}  // namespace littlestone::bind
