#pragma once

#include "../rules/passive_aggressive.h"
#include "prototypes.h"

namespace littlestone {

// The smallest change of all prototypes that lets the true class lead the best rival by the margin: the binary rule on
// the row that has x at the true class and -x at the rival, whose squared norm is 2 |x|^2 (Crammer et al. 2006).
template <class StepSize>
struct MulticlassPassiveAggressive : PrototypeRule {
    double wanted;
    StepSize step_size;

    Interval accepts() const { return {wanted, infinity, false, false}; }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        if (trial.violation.distance == 0.0) return Step::stay();
        if (trial.norm_squared == 0.0) return Step::cannot();
        const double step = step_size(trial.violation.distance, 2.0 * trial.norm_squared, trial.weight);
        if (!std::isfinite(step)) return Step::cannot();
        prototypes.of(contest.truth).add(x, step);
        prototypes.of(contest.rival()).add(x, -step);
        return Step::otherwise(step);
    }
};

// Prototypes that never move: a comparator.
struct MulticlassFixed : PrototypeRule {
    double wanted;

    Interval accepts() const { return {wanted, infinity, false, false}; }

    template <class Row>
    Step update(const Row&, const Trial&) const {
        return Step::stay();
    }
};

}  // namespace littlestone
