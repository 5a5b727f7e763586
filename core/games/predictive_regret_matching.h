#pragma once

#include "strategy.h"

namespace littlestone::games {

// R ← [R + r]₊ with r = gains − p·gains, p ∝ [R + trust·r]₊: the last regrets, or a part of them, stand for the next
// ones (Farina, Kroer and Sandholm 2021, algorithm 4, where all of them do).
struct PredictiveRegretMatching {
    std::vector<double> strategy, regret;
    double trust;

    explicit PredictiveRegretMatching(std::size_t actions, double trust)
        : strategy(uniform_strategy(actions)), regret(actions, 0.0), trust(trust) {}

    void observe(const double* gains, double sign) {
        const double earned = mean(strategy, gains, sign);
        normalize(strategy, predict(gains, sign, earned, trust, regret.data(), strategy.data(), regret.size()));
    }
};

}  // namespace littlestone::games
