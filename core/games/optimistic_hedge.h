#pragma once

#include "strategy.h"

namespace littlestone::games {

// p ∝ exp(η·(gains so far + last gains)), η = √(log N/Σδ²), where δ is half the spread of the change from one round's
// gains to the next (Rakhlin and Sridharan 2013, with a rate that is free of scale).
struct OptimisticHedge {
    std::vector<double> strategy, total, last;
    double changed = 0.0;  // Σδ²

    explicit OptimisticHedge(std::size_t actions)
        : strategy(uniform_strategy(actions)), total(actions, 0.0), last(actions, 0.0) {}

    void observe(const double* gains, double sign) {
        double low = sign * gains[0] - last[0], high = low;
        for (std::size_t i = 0; i < total.size(); ++i) {
            const double now = sign * gains[i], change = now - last[i];
            low = std::min(low, change);
            high = std::max(high, change);
            total[i] += now;
            last[i] = now;
        }
        changed += (high - low) * (high - low) / 4.0;
        const double eta = changed > 0.0 ? std::sqrt(std::log(static_cast<double>(total.size())) / changed) : 0.0;
        for (std::size_t i = 0; i < total.size(); ++i) strategy[i] = eta * (total[i] + last[i]);
        softmax(strategy);
    }
};

}  // namespace littlestone::games
