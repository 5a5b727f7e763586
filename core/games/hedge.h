#pragma once

#include "strategy.h"

namespace littlestone::games {

// p ∝ exp(η·gains so far), the gains in units of the payoff range: Exponential Weights (Mohri et al., figure 8.5).
struct Hedge {
    std::vector<double> strategy, total;
    double eta;    // 0 for a player with one action
    double range;  // of the payoffs, above 0

    Hedge(std::size_t actions, double eta, double range)
        : strategy(uniform_strategy(actions)), total(actions, 0.0), eta(eta), range(range) {}

    void observe(const double* gains, double sign) {
        for (std::size_t i = 0; i < total.size(); ++i) {
            total[i] += sign * gains[i] / range;
            strategy[i] = eta * total[i];
        }
        softmax(strategy);
    }
};

}  // namespace littlestone::games
