#pragma once

#include "../loop.h"
#include "../weights.h"

namespace littlestone {

// Batch PA (Crammer et al. 2003, section 4): the projection of PA, but only where the squared loss is above beta.
struct BatchPassiveAggressive : LinearRule {
    Weights weights;
    double margin;
    double epsilon;
    double beta;

    Interval accepts_label(int label) const { return Interval::half_line(label, margin); }
    Interval accepts_target(double target) const { return Interval::around(target, epsilon); }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        const double loss = trial.violation.distance;
        if (!(loss * loss > beta)) return Step::stay();
        const double step = trial.violation.side * loss / trial.norm_squared;
        if (trial.norm_squared == 0.0 || !std::isfinite(step)) return Step::cannot();
        weights.add(x, step);
        return Step::by(step);
    }
};

}  // namespace littlestone
