#pragma once

#include "payoffs.h"
#include "strategy.h"

namespace littlestone::games {

// R ← d[R + r]₊ with r = gains − p·gains, p ∝ [R + trust·r]₊: the last regrets, or a part of them, stand for the next
// ones (Farina, Kroer and Sandholm 2021, algorithm 4, where all of them do), and d = t^α/(t^α + 1) of the regrets is
// kept (α the fading: Xu et al. 2024; without one everything is).
struct PredictiveRegretMatching {
    std::vector<double> strategy, regret;
    double trust, fading;  // a fading of 0: none
    std::size_t rounds = 0;

    explicit PredictiveRegretMatching(std::size_t actions, double trust, double fading = 0.0)
        : strategy(uniform_strategy(actions)), regret(actions, 0.0), trust(trust), fading(fading) {}

    void observe(const double* gains, double sign) {
        ++rounds;
        const Expectation how{mean(strategy, gains, sign), trust, kept()};
        normalize(strategy, predict(gains, sign, how, regret.data(), strategy.data(), regret.size()));
    }

    // Whether an action is played, or would be for a while.
    bool uses(std::size_t action) const { return strategy[action] > 0.0 || regret[action] > 0.0; }
    void keep(const Actions& actions) {
        games::keep(strategy, actions);
        games::keep(regret, actions);
    }

  private:
    double kept() const {
        if (fading == 0.0) return 1.0;
        const double power = std::pow(static_cast<double>(rounds), fading);
        return power / (power + 1.0);
    }
};

}  // namespace littlestone::games
