// A member's score times a slope that is learned on the way: its log-odds.
#pragma once

#include "numbers.h"

namespace littlestone::pool {

// A scalar extended Kalman filter of logistic regression without a constant; the variance returns to its prior.
struct Calibration {
    double slope, variance, prior;

    static double bounded(double score) { return clip(score, 20.0); }
    double log_odds(double score) const { return clip(slope * bounded(score), 12.0); }

    // p is sigma of the log-odds.
    void learn(double score, double p, double truth, double weight) {
        const double s = bounded(score);
        const double h = weight * std::max(p * (1.0 - p), 1e-5);
        const double c = 1.0 / (1.0 + h * s * s * variance);
        slope += variance * s * weight * (truth - p) * c;
        variance = 0.999 * variance * c + 0.001 * prior;
    }
};

}  // namespace littlestone::pool
