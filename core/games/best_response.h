#pragma once

#include "strategy.h"

namespace littlestone::games {

// All weight on the action that gains most; the first of several.
struct BestResponse {
    std::vector<double> strategy;
    std::size_t best = 0;

    explicit BestResponse(std::size_t actions) : strategy(uniform_strategy(actions)) {}

    void observe(const double* gains, double sign) {
        best = 0;
        for (std::size_t i = 1; i < strategy.size(); ++i)
            if (sign * gains[i] > sign * gains[best]) best = i;
        std::fill(strategy.begin(), strategy.end(), 0.0);
        strategy[best] = 1.0;
    }
};

}  // namespace littlestone::games
