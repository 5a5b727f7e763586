#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../loop.h"

namespace littlestone {

// A centre with one more coordinate than the rows, its lift: a ball of radius `bound` around it meets the rows in a
// ball of radius √(bound² − lift²) around w, so that to move the centre is to learn the radius (Crammer et al. 2006,
// uniclass).
struct LiftedCentre {
    double* w;
    double* lift;
    double* rounds;
    std::size_t width;
    double bound;

    template <class Row>
    void begin_round(const Row&) const {}

    template <class Row>
    std::vector<double> values(const Row& x) const {
        std::vector<double> dense(width, 0.0);
        x.each([&](std::size_t i, double value) { dense[i] = value; });
        return dense;
    }
    // The distance in the space with the lift minus the bound; before the first row every row is inside.
    template <class Row>
    double score(const Row& x) const {
        if (*rounds == 0.0) return -bound;
        const std::vector<double> value = values(x);
        double sum = 0.0;
        for (std::size_t i = 0; i < width; ++i) sum += (value[i] - w[i]) * (value[i] - w[i]);
        return std::sqrt(sum + *lift * *lift) - bound;
    }
};

// The move that brings the row into the ball, cut short by C (PA-I) or relaxed by 1/(2C) (PA-II).
struct RadiusUniclass : LinearRule {
    LiftedCentre weights;
    double cap, relaxation;

    Interval accepts_label(int) const { return {-infinity, 0.0, true, false}; }
    Decision decide(double score, std::size_t = 0) const {
        return {score > 0.0 ? +1 : -1, score > 0.0 ? 1.0 : 0.0, false};
    }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        const bool first = *weights.rounds == 0.0;
        const double loss = trial.violation.distance;
        *weights.rounds += 1.0;
        if (!first && loss == 0.0) return Step::stay();
        const double length = std::min(cap, loss / (1.0 + relaxation));
        const double lambda = first ? 1.0 : length / (trial.score + weights.bound);
        const std::vector<double> value = weights.values(x);
        for (std::size_t i = 0; i < weights.width; ++i) weights.w[i] += lambda * (value[i] - weights.w[i]);
        *weights.lift = first ? weights.bound : *weights.lift * (1.0 - lambda);
        return Step::otherwise(lambda);
    }
};

}  // namespace littlestone
