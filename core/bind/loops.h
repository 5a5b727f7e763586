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

inline double* number(const State& state) {
    if (state.shape(0) != 1) raise("InvalidData", "a scalar of the state must be an array of length 1");
    return state.data();
}

// Refuses arrays that do not run along the same features as the first.
inline void check_lengths(const char* whose, const State& first, std::initializer_list<State> others) {
    for (const State& other : others)
        if (other.shape(0) != first.shape(0))
            raise("InvalidData", std::string("the arrays of ") + whose + " differ in length");
}

struct HeldAverage {
    State drift, settled, mass;

    HeldAverage(State drift, State settled, State mass) : drift(drift), settled(settled), mass(mass) {
        check_lengths("an average", drift, {settled});
    }
};

// Of so many vectors of weights, one behind another.
inline Average pointers(const HeldAverage* average, const State& w, std::size_t vectors = 1) {
    if (average == nullptr) return {};
    check_lengths("weights and average", w, {average->drift});
    if (average->mass.shape(0) != vectors) raise("InvalidData", "there must be one mass per vector of weights");
    return {average->drift.data(), average->settled.data(), average->mass.data()};
}

template <class Rule>
HeldLoop* held(const Rule& rule, const HeldAverage* average, std::vector<State> state) {
    if (average != nullptr) state.insert(state.end(), {average->drift, average->settled, average->mass});
    return new HeldLoop{loop_of(rule), std::move(state)};
}

}  // namespace littlestone::bind
