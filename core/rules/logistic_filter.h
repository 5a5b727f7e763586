#pragma once

#include "../loop.h"
#include "../square_root.h"

namespace littlestone {

// Weights that are normal with covariance P; the log-odds of a row are moderated by how unsure they are (MacKay 1992).
struct NormalWeights {
    double* w;
    SquareRoot covariance;
    std::size_t width;

    template <class Row>
    void begin_round(const Row&) const {}
    template <class Row>
    double score(const Row& x) const {
        return x.dot(w) / std::sqrt(1.0 + 0.39269908169872414 * covariance.spread(x));  // pi / 8
    }
};

// One step of Newton's method a row, which is the extended Kalman filter of logistic regression.
struct LogisticFilter : LinearRule {
    NormalWeights weights;
    mutable std::vector<double> image = std::vector<double>(weights.width), direction = image;

    static constexpr double least_curvature = 1e-4;

    Interval accepts_label(int label) const { return Interval::open_half_line(label); }
    bool has_log_odds() const { return true; }
    std::size_t rows_between_signals(const Batch& batch) const {
        return 1 + 32 * batch.block() / (1 + weights.width * weights.width);
    }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        const double p = 1.0 / (1.0 + std::exp(-x.dot(weights.w)));
        const double curvature = trial.weight * std::max(p * (1.0 - p), least_curvature);
        const double spread = weights.covariance.look(x, image, direction);
        const double step = trial.weight * ((trial.label > 0 ? 1.0 : 0.0) - p) / (1.0 + curvature * spread);
        if (!std::isfinite(step) || !std::isfinite(spread)) return Step::cannot();
        for (std::size_t i = 0; i < weights.width; ++i) weights.w[i] += step * direction[i];
        weights.covariance.learn(image, direction, spread, curvature);
        return Step::otherwise(step);
    }
};

}  // namespace littlestone
