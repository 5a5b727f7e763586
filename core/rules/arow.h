#pragma once

#include "../loop.h"
#include "../square_root.h"
#include "../weights.h"

namespace littlestone {

// Adaptive regularization of weights, diagonal (Crammer, Kulesza and Dredze 2009, with the variances 1 / precision):
// a feature that was often seen moves less. An importance weight divides r.
struct Arow : LinearRule {
    Weights weights;
    double* precision;  // of each feature
    double r;

    Interval accepts_label(int label) const { return Interval::half_line(label, 1.0); }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        if (trial.violation.distance == 0.0) return Step::stay();
        const double calm = r / trial.weight;
        double confidence = 0.0;
        x.each([&](std::size_t i, double value) { confidence += value * value / precision[i]; });
        if (confidence == 0.0 || !std::isfinite(confidence)) return Step::cannot();
        const double step = trial.violation.side * (trial.violation.distance / (confidence + calm));
        x.each([&](std::size_t i, double value) {
            weights.move(i, step * value / precision[i]);
            precision[i] += value * value / calm;
        });
        return Step::otherwise(step);
    }
};

// The same with the full matrix, of which the theorem speaks.
struct FullArow : LinearRule {
    Weights weights;
    SquareRoot covariance;
    double* log_det;  // ln det(I + sum xx' / r) over the rounds with an update
    double r;
    mutable std::vector<double> image = std::vector<double>(weights.width), direction = image;

    Interval accepts_label(int label) const { return Interval::half_line(label, 1.0); }
    std::size_t rows_between_signals(const Batch& batch) const {
        return 1 + 32 * batch.block() / (1 + weights.width * weights.width);
    }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        if (trial.violation.distance == 0.0) return Step::stay();
        const double calm = r / trial.weight, spread = covariance.look(x, image, direction);
        if (spread == 0.0 || !std::isfinite(spread)) return Step::cannot();
        const double step = trial.violation.side * (trial.violation.distance / (spread + calm));
        for (std::size_t i = 0; i < weights.width; ++i) weights.move(i, step * direction[i]);
        covariance.learn(image, direction, spread, 1.0 / calm);
        *log_det += std::log1p(spread / calm);
        return Step::otherwise(step);
    }
};

}  // namespace littlestone
