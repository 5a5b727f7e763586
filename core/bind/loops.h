// A loop and the arrays of the state that it moves, for the files that bind rules.
#pragma once

#include "bind.h"

namespace littlestone::bind {

using State = Vector<double>;

struct HeldLoop {
    std::unique_ptr<Loop> loop;
    std::vector<State> state;
    std::vector<nb::object> parts = {};  // loops that it runs
};

struct HeldAverage {
    State drift, settled, mass;

    HeldAverage(State drift, State settled, State mass) : drift(drift), settled(settled), mass(mass) {
        if (settled.shape(0) != drift.shape(0) || mass.shape(0) != 1)
            raise("InvalidData", "the arrays of an average differ in length");
    }
};

inline Average pointers(const HeldAverage* average, const State& w) {
    if (average == nullptr) return {};
    if (average->drift.shape(0) != w.shape(0)) raise("InvalidData", "the average and the weights differ in length");
    return {average->drift.data(), average->settled.data(), average->mass.data()};
}

inline double* number(const State& state) {
    if (state.shape(0) != 1) raise("InvalidData", "a scalar of the state must be an array of length 1");
    return state.data();
}

template <class Rule>
HeldLoop* held(const Rule& rule, const HeldAverage* average, std::vector<State> state) {
    if (average != nullptr) state.insert(state.end(), {average->drift, average->settled, average->mass});
    return new HeldLoop{loop_of(rule), std::move(state)};
}

}  // namespace littlestone::bind
