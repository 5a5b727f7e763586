// A member's score times a slope that is learned on the way: its log-odds.
#pragma once

#include <array>
#include <cstddef>

#include "numbers.h"

namespace littlestone::pool {

// Of each of N members a scalar extended Kalman filter of logistic regression without a constant; the variance returns
// to its prior.
template <std::size_t N>
struct Calibrations {
    double slope[N], variance[N], prior[N];

    static double bounded(double score) { return clip(score, 20.0); }
    double log_odds(std::size_t k, double score) const { return clip(slope[k] * bounded(score), 12.0); }

    // p is sigma of the log-odds; a sleeper, whose `awake` is 0, stays as it is.
    LITTLESTONE_INLINE void learn(const double* score, const double* p, const double* awake, double truth,
                                  double weight) {
        Calibrations next;  // apart from what is read, so that all are computed at once
        for (std::size_t k = 0; k < N; ++k) {
            const double s = bounded(score[k]);
            const double h = weight * std::max(p[k] * (1.0 - p[k]), 1e-5);
            const double c = 1.0 / (1.0 + h * s * s * variance[k]);
            const double moved = slope[k] + variance[k] * s * weight * (truth - p[k]) * c;
            const double known = 0.999 * variance[k] * c + 0.001 * prior[k];
            next.slope[k] = awake[k] != 0.0 ? moved : slope[k];
            next.variance[k] = awake[k] != 0.0 ? known : variance[k];
        }
        std::copy_n(next.slope, N, slope);
        std::copy_n(next.variance, N, variance);
    }
};

}  // namespace littlestone::pool
