#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "flags_outside.h"

namespace littlestone {

// A centre, a spread of every feature and a threshold, all of them running: see the definition in
// uniclass/adaptive_uniclass.py.
struct ScaledCentre {
    double* w;
    double* variance;
    double* rounds;
    double* threshold;
    double* largest;  // distance so far
    std::size_t width;

    template <class Row>
    void begin_round(const Row&) const {}

    // √(mean of squared deviations in spreads, none above the number of rounds).
    template <class Row>
    double distance(const Row& x) const {
        const std::vector<double> value = dense_values(x, width);
        double sum = 0.0;
        for (std::size_t i = 0; i < width; ++i) {
            const double apart = value[i] - w[i], squared = apart * apart;
            // Written without a quotient first, so that a spread of 0 needs no case of its own.
            sum += squared >= *rounds * variance[i] ? (squared > 0.0 ? *rounds : 0.0) : squared / variance[i];
        }
        return width ? std::sqrt(sum / static_cast<double>(width)) : 0.0;
    }
    template <class Row>
    double score(const Row& x) const {
        return distance(x) - *threshold;
    }
    // Moves the threshold down the pinball loss of the share that is to be flagged, then centre and spreads towards the
    // row, neither by more than a few spreads; the share of the row in these.
    double follow(const std::vector<double>& value, double score, double flag, double eta) const {
        *largest = std::max(*largest, score + *threshold);
        *threshold += eta * ((score > 0.0 ? 1.0 : 0.0) - flag);
        const double count = *rounds += 1.0, share = 1.0 / count;
        for (std::size_t i = 0; i < width; ++i) {
            double apart = value[i] - w[i];
            const double most = reach * std::sqrt(variance[i]);
            if (count > 2.0 && variance[i] > 0.0) apart = apart > most ? most : apart < -most ? -most : apart;
            w[i] += share * apart;
            variance[i] += share * ((1.0 - share) * (apart * apart) - variance[i]);
        }
        return share;
    }

  private:
    static constexpr double reach = 5.0;  // so many spreads a row may pull
};

// The centre follows the rows, the spreads their deviations, the threshold the share that is to be flagged.
struct AdaptiveUniclass : FlagsOutside {
    ScaledCentre weights;
    double flag, eta;

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        return Step::otherwise(weights.follow(dense_values(x, weights.width), trial.score, flag, eta));
    }
};

}  // namespace littlestone
