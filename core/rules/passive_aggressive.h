#pragma once

#include "../loop.h"
#include "../weights.h"

namespace littlestone {

// Step sizes tau(loss, |x|^2, weight): the weight of a round multiplies its C. Crammer et al. 2003: projection, and
// relaxed by gamma (their theorem 3); the journal version (2006): PA-I caps the projection at C, PA-II is the relaxed
// step with gamma = 1 / (2C).
struct Projection {
    double operator()(double loss, double norm_squared, double) const { return loss / norm_squared; }
};
struct Capped {
    double C;
    double operator()(double loss, double norm_squared, double weight) const {
        return std::min(C * weight, loss / norm_squared);
    }
};
struct Relaxed {
    double gamma;
    double operator()(double loss, double norm_squared, double weight) const {
        return loss / (norm_squared + gamma / weight);
    }
};

// w <- w + side * tau * x whenever the score is outside the interval; a projection makes the loss on x exactly 0.
template <class StepSize>
struct PassiveAggressive : LinearRule {
    Weights weights;
    double margin;
    double epsilon;
    StepSize step_size;

    Interval accepts_label(int label) const { return Interval::half_line(label, margin); }
    Interval accepts_target(double target) const { return Interval::around(target, epsilon); }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        if (trial.violation.side == 0 || trial.violation.distance == 0.0) return Step::stay();
        if (trial.norm_squared == 0.0) return Step::cannot();
        const double step =
            trial.violation.side * step_size(trial.violation.distance, trial.norm_squared, trial.weight);
        if (!std::isfinite(step))
            return Step::cannot();  // |x|^2 next to underflow: no finite weights reach the interval
        weights.add(x, step);
        return Step::by(step);
    }
};

}  // namespace littlestone
