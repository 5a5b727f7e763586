#pragma once

#include "../loop.h"

namespace littlestone {

// The masses of every feature by label, and of all features; w is the log-ratio of a feature's.
struct Masses {
    static constexpr std::size_t numbers = 5;
    enum Total { positive_rows, negative_rows, positive_mass, negative_mass, met };

    double* w;
    double* positive;
    double* negative;
    double* totals;
    std::size_t width;

    template <class Row>
    void begin_round(const Row&) const {}
    template <class Row>
    double score(const Row& x) const {
        const double half = 0.5 * std::max(totals[met], 1.0);
        const double shift = std::log((totals[positive_mass] + half) / (totals[negative_mass] + half));
        double sum = std::log((totals[positive_rows] + 0.5) / (totals[negative_rows] + 0.5));
        x.each([&](std::size_t i, double value) {
            if (positive[i] + negative[i] > 0.0) sum += std::fabs(value) * (w[i] - shift);
        });
        return sum;
    }
};

struct NaiveBayes : LinearRule {
    Masses weights;

    Interval accepts_label(int label) const { return Interval::open_half_line(label); }
    bool has_log_odds() const { return true; }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        const bool up = trial.label > 0;
        double* mass = up ? weights.positive : weights.negative;
        double* total = weights.totals;
        total[up ? Masses::positive_rows : Masses::negative_rows] += trial.weight;
        x.each([&](std::size_t i, double value) {
            const double more = trial.weight * std::fabs(value);
            total[Masses::met] += weights.positive[i] + weights.negative[i] == 0.0;
            total[up ? Masses::positive_mass : Masses::negative_mass] += more;
            mass[i] += more;
            weights.w[i] = std::log((weights.positive[i] + 0.5) / (weights.negative[i] + 0.5));
        });
        return Step::otherwise(trial.weight);
    }
};

}  // namespace littlestone
