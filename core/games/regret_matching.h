#pragma once

#include "strategy.h"

namespace littlestone::games {

// R ← [R + gains − p·gains]₊, p ∝ R (Tammelin, Burch, Johanson and Bowling 2015).
struct RegretMatching {
    std::vector<double> strategy, regret;

    explicit RegretMatching(std::size_t actions) : strategy(uniform_strategy(actions)), regret(actions, 0.0) {}

    void observe(const double* gains, double sign) {
        const double earned = mean(strategy, gains, sign);
        for (std::size_t i = 0; i < regret.size(); ++i) {
            const double next = regret[i] + (sign * gains[i] - earned);
            strategy[i] = regret[i] = next > 0.0 ? next : 0.0;
        }
        normalize_positive(strategy);
    }
};

}  // namespace littlestone::games
