#pragma once

#include "multiplicative.h"

namespace littlestone {

// Below the interval theta += eta x, above it theta -= eta x, w = U softmax(theta); Bylander 1998 figure 2, with a
// tolerance as in his section 5.
template <class Form>
struct ExponentiatedUpdate : MultiplicativeRule<Form> {
    double eta;
    double widening;

    Interval accepts_label(int label) const { return Interval::open_half_line(label); }
    double tolerance() const { return widening; }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        if (trial.violation.side == 0) return Step::stay();
        return this->move(x, trial, trial.violation.side * eta);
    }
};

}  // namespace littlestone
