#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "../multiclass/one_versus_rest.h"
#include "../multiclass/passive_aggressive.h"
#include "../multiclass/perceptron.h"
#include "loops.h"

namespace littlestone::bind {
namespace {

Prototypes prototypes(const State& w, const State& met, std::size_t room) {
    const double count = *number(met);
    if (room == 0 || w.shape(0) % room != 0 || !(count >= 0.0 && count <= static_cast<double>(room)))
        raise("InvalidData", "the prototypes have no room for the classes that were met");
    return {w.data(), met.data(), w.shape(0) / room, room};
}

template <class Rule>
HeldLoop* loop(const Rule& rule, const State& w, const State& met) {
    return new HeldLoop{std::make_unique<PrototypeLoop<Rule>>(rule), {w, met}, {}};
}

Share share_of(const std::string& name) {
    if (name == "uniform") return Share::uniform;
    return name == "max" ? Share::max : Share::proportional;
}

HeldLoop* one_versus_rest(std::vector<nb::object> loops, std::vector<std::vector<State>> states, State met,
                          double margin) {
    std::vector<Loop*> learners;
    std::vector<std::vector<Part>> parts;
    std::vector<State> arrays{met};
    for (const nb::object& one : loops) learners.push_back(nb::cast<HeldLoop&>(one).loop.get());
    for (const std::vector<State>& state : states) {
        std::vector<Part> own;
        for (const State& array : state) {
            if (&state != &states[0] &&
                (state.size() != states[0].size() || array.shape(0) != states[0][own.size()].shape(0)))
                raise("InvalidData", "the states of the binary learners differ in shape");
            own.push_back({array.data(), array.shape(0)});
            arrays.push_back(array);
        }
        parts.push_back(std::move(own));
    }
    if (learners.empty() || learners.size() != parts.size() || !(*number(met) >= 0.0) ||
        *number(met) >= static_cast<double>(learners.size()))
        raise("InvalidData", "there must be one binary learner a class, and one before them");
    return new HeldLoop{std::make_unique<OneVersusRest>(std::move(learners), std::move(parts), number(met), margin),
                        arrays, loops};
}

}  // namespace

void bind_multiclass(nb::module_& m) {
    const auto w = nb::arg("w").noconvert(), met = nb::arg("met").noconvert();
    m.def(
        "multiclass_perceptron",
        [](State w, State met, std::size_t room, double eta, const std::string& share) {
            return loop(MulticlassPerceptron{prototypes(w, met, room), eta, share_of(share)}, w, met);
        },
        nb::kw_only(), w, met, nb::arg("room"), nb::arg("eta"), nb::arg("share"));
    m.def(
        "multiclass_passive_aggressive",
        [](State w, State met, std::size_t room, double margin) {
            return loop(MulticlassPassiveAggressive<Projection>{prototypes(w, met, room), margin, {}}, w, met);
        },
        nb::kw_only(), w, met, nb::arg("room"), nb::arg("margin"));
    m.def(
        "multiclass_passive_aggressive_capped",
        [](State w, State met, std::size_t room, double margin, double C) {
            return loop(MulticlassPassiveAggressive<Capped>{prototypes(w, met, room), margin, {C}}, w, met);
        },
        nb::kw_only(), w, met, nb::arg("room"), nb::arg("margin"), nb::arg("C"));
    m.def(
        "multiclass_passive_aggressive_relaxed",
        [](State w, State met, std::size_t room, double margin, double gamma) {
            return loop(MulticlassPassiveAggressive<Relaxed>{prototypes(w, met, room), margin, {gamma}}, w, met);
        },
        nb::kw_only(), w, met, nb::arg("room"), nb::arg("margin"), nb::arg("gamma"));
    m.def(
        "multiclass_fixed",
        [](State w, State met, std::size_t room, double margin) {
            return loop(MulticlassFixed{prototypes(w, met, room), margin}, w, met);
        },
        nb::kw_only(), w, met, nb::arg("room"), nb::arg("margin"));
    m.def("one_versus_rest", &one_versus_rest, nb::kw_only(), nb::arg("loops"), nb::arg("states"), met,
          nb::arg("margin"),
          nb::sig("def one_versus_rest(*, loops: list[Loop], states: list[list[NDArray[numpy.float64]]], "
                  "met: NDArray[numpy.float64], margin: float) -> Loop"),
          "Binary learners side by side: the first for a class that was not met yet, then one a class.");
}

}  // namespace littlestone::bind
