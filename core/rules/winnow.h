#pragma once

#include "multiplicative.h"

namespace littlestone {

// On a mistake theta += eta y x, w = softmax(theta); Mohri et al. figure 8.10 and the lecture's section 2.2.
template <class Form>
struct Winnow : MultiplicativeRule<Form> {
    double eta;

    Interval accepts_label(int label) const { return Interval::open_half_line(label); }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        if (trial.violation.side == 0) return Step::stay();
        return this->move(x, trial, trial.violation.side * eta);
    }
};

}  // namespace littlestone
