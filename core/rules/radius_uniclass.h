#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "flags_outside.h"

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

    // The distance in the space with the lift minus the bound; before the first row every row is inside.
    template <class Row>
    double score(const Row& x) const {
        if (*rounds == 0.0) return -bound;
        const std::vector<double> value = dense_values(x, width);
        double sum = 0.0;
        for (std::size_t i = 0; i < width; ++i) sum += (value[i] - w[i]) * (value[i] - w[i]);
        return std::sqrt(sum + *lift * *lift) - bound;
    }
};

// The move that brings the row into the ball, cut short by C (PA-I) or relaxed by 1/(2C) (PA-II).
struct RadiusUniclass : FlagsOutside {
    LiftedCentre weights;
    double cap, relaxation;

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        const bool first = *weights.rounds == 0.0;
        const double loss = trial.violation.distance;
        *weights.rounds += 1.0;
        if (!first && loss == 0.0) return Step::stay();
        const double length = std::min(cap, loss / (1.0 + relaxation));
        const double lambda = first ? 1.0 : length / (trial.score + weights.bound);
        const std::vector<double> value = dense_values(x, weights.width);
        for (std::size_t i = 0; i < weights.width; ++i) weights.w[i] += lambda * (value[i] - weights.w[i]);
        *weights.lift = first ? weights.bound : *weights.lift * (1.0 - lambda);
        return Step::otherwise(lambda);
    }
};

}  // namespace littlestone
