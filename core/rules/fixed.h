#pragma once

#include "../loop.h"
#include "../weights.h"

namespace littlestone {

// A comparator: the same loop, and nothing moves.
struct Fixed : LinearRule {
    Weights weights;
    double margin;
    double epsilon;
    bool logistic = false;  // whether its score is charged as log-odds

    bool has_log_odds() const { return logistic; }
    Interval accepts_label(int label) const { return Interval::half_line(label, margin); }
    Interval accepts_target(double target) const { return Interval::around(target, epsilon); }

    template <class Row>
    Step update(const Row&, const Trial&) const {
        return Step::stay();
    }
};

}  // namespace littlestone
