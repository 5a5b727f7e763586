#pragma once

#include "strategy.h"

namespace littlestone::games {

// R ← R + gains − p·gains, p ∝ [R]₊ (Hart and Mas-Colell 2000): regrets may fall below 0, and are remembered.
struct PlainRegretMatching {
    std::vector<double> strategy, regret;

    explicit PlainRegretMatching(std::size_t actions) : strategy(uniform_strategy(actions)), regret(actions, 0.0) {}

    void observe(const double* gains, double sign) {
        const double earned = mean(strategy, gains, sign);
        for (std::size_t i = 0; i < regret.size(); ++i) strategy[i] = regret[i] += sign * gains[i] - earned;
        normalize_positive(strategy);
    }
};

}  // namespace littlestone::games
