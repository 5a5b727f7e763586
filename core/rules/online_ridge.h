#pragma once

#include "../loop.h"
#include "../square_root.h"
#include "../weights.h"

namespace littlestone {

// Ridge weights w = P b with P = (aI + sum xx')^-1; the forecast of Vovk, Azoury and Warmuth counts the row itself
// before its target is known, which divides the ridge forecast by 1 + x'Px.
struct RidgeWeights {
    double* w;
    SquareRoot covariance;
    std::size_t width;
    bool forward;

    template <class Row>
    void begin_round(const Row&) const {}
    template <class Row>
    double score(const Row& x) const {
        const double ridge = x.dot(w);
        return forward ? ridge / (1.0 + covariance.spread(x)) : ridge;
    }
};

struct OnlineRidge : LinearRule {
    RidgeWeights weights;
    double* sums;            // b = sum yx
    double* residual;        // sum (y - w.x)^2 / (1 + x'Px)
    double* log_det;         // ln det(I + sum xx' / a)
    double* largest_target;  // |y|
    mutable std::vector<double> image = std::vector<double>(weights.width), direction = image;

    Interval accepts_label(int label) const { return Interval::around(label, 0.0); }
    std::size_t rows_between_signals(const Batch& batch) const {
        return 1 + 32 * batch.block() / (1 + weights.width * weights.width);
    }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        const double target = trial.interval.low, error = target - x.dot(weights.w);
        const double spread = weights.covariance.look(x, image, direction);
        const double grown = 1.0 + trial.weight * spread;
        const double step = trial.weight * error / grown;
        if (!std::isfinite(grown) || !std::isfinite(step)) return Step::cannot();
        for (std::size_t i = 0; i < weights.width; ++i) weights.w[i] += step * direction[i];
        weights.covariance.learn(image, direction, spread, trial.weight);
        x.add_to(sums, trial.weight * target);
        *residual += step * error;
        *log_det += std::log1p(trial.weight * spread);
        *largest_target = std::max(*largest_target, std::fabs(target));
        return Step::otherwise(step);
    }
};

}  // namespace littlestone
