#pragma once

#include "../loop.h"
#include "../weights.h"

namespace littlestone {

// Stochastic subgradient descent on |w|^2 / 2 + C * mean hinge; Mohri et al. exercise 8.5, figure 8.11.
// Below margin 1: w <- (1 - eta) w + eta C y x. Above: w <- (1 - eta) w. At exactly 1 the figure does nothing.
struct OnlineSvm : LinearRule {
    ScaledWeights weights;
    double eta;  // 0 stands for 1 / (t + 1)
    double C;
    bool shrink_at_kink;
    double* rounds;

    Interval accepts_label(int label) const { return Interval::half_line(label, 1.0); }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        *rounds += 1.0;
        const double rate = eta > 0.0 ? eta : 1.0 / (*rounds + 1.0);
        if (trial.label * trial.score == 1.0 && !shrink_at_kink) return Step::stay();
        weights.shrink(1.0 - rate);
        if (trial.violation.side == 0) return Step::otherwise(0.0);
        const double step = rate * C * trial.violation.side * trial.weight;
        weights.add(x, step);
        return Step::otherwise(step);
    }
};

}  // namespace littlestone
