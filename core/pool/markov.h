// The last three labels as a context: how often either label followed.
#pragma once

#include "numbers.h"

namespace littlestone::pool {

struct Markov {
    double counts[8][2];
    double context = 0.0;  // the last three labels as bits, the latest lowest

    static Markov fresh() {
        Markov markov;
        for (auto& pair : markov.counts) pair[0] = pair[1] = 0.5;
        return markov;
    }
    double score() const {
        const auto& here = counts[static_cast<int>(context)];
        return log_of(here[1] / here[0]);
    }
    void learn(bool positive, double weight) {
        auto& here = counts[static_cast<int>(context)];
        for (double& count : here) count = std::max(0.998 * count, 0.02);
        here[positive] += weight;
        context = static_cast<double>((static_cast<int>(context) * 2 + positive) % 8);
    }
};

}  // namespace littlestone::pool
