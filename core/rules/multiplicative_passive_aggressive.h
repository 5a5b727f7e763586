#pragma once

#include "multiplicative.h"

namespace littlestone {

// theta += side * 4 loss / rho^2 * x, where rho = max(x, 0) - min(x, 0) is at least the range of x; Crammer et al. 2003
// section 6 with the step corrected for signed rows (Hoeffding's lemma asks for the range).
struct MultiplicativePassiveAggressive : MultiplicativeRule<Positive> {
    double margin;
    double epsilon;
    double* largest_spread;  // of the rows that moved the weights

    Interval accepts_label(int label) const { return Interval::half_line(label, margin); }
    Interval accepts_target(double target) const { return Interval::around(target, epsilon); }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        if (trial.violation.side == 0 || trial.violation.distance == 0.0) return Step::stay();
        double low = 0.0, high = 0.0;
        x.each([&](std::size_t, double v) {
            low = std::min(low, v);
            high = std::max(high, v);
        });
        const double spread = high - low;
        const double size = 4.0 * trial.violation.distance / (spread * spread);
        if (!std::isfinite(size)) return Step::cannot();  // an empty row, or one next to underflow
        const Step step = move(x, trial, trial.violation.side * size);
        if (step.moved) *largest_spread = std::max(*largest_spread, spread);
        return step;
    }
};

}  // namespace littlestone
