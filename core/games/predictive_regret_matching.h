#pragma once

#include "strategy.h"

namespace littlestone::games {

// R ← [R + r]₊ with r = gains − p·gains, p ∝ [R + r]₊: the last regrets stand for the next ones (Farina, Kroer and
// Sandholm 2021, algorithm 4).
struct PredictiveRegretMatching {
    std::vector<double> strategy, regret;

    explicit PredictiveRegretMatching(std::size_t actions)
        : strategy(uniform_strategy(actions)), regret(actions, 0.0) {}

    void observe(const double* gains, double sign) {
        const double earned = mean(strategy, gains, sign);
        for (std::size_t i = 0; i < regret.size(); ++i) {
            const double now = sign * gains[i] - earned, next = regret[i] + now;
            regret[i] = next > 0.0 ? next : 0.0;
            strategy[i] = regret[i] + now;
        }
        normalize_positive(strategy);
    }
};

}  // namespace littlestone::games
