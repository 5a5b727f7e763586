#pragma once

#include "../loop.h"
#include "../weights.h"

namespace littlestone {

// Rosenblatt's rule on intervals: when the score is below the interval w += eta x, above it w -= eta x.
// Mohri et al. figure 8.6; Bylander 1998 figure 1, with a tolerance as in his section 5.
struct Perceptron : LinearRule {
    Weights weights;
    double eta;
    double widening;

    Interval accepts_label(int label) const { return Interval::open_half_line(label); }
    double tolerance() const { return widening; }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        if (trial.violation.side == 0) return Step::stay();
        const double step = trial.violation.side * eta * trial.weight;
        weights.add(x, step);
        return Step::by(step);
    }
};

}  // namespace littlestone
