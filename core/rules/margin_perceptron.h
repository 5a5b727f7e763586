#pragma once

#include "../loop.h"
#include "../weights.h"

namespace littlestone {

// Updates w += y x while the normalised margin is below rho / 2; Mohri et al. exercise 8.6, figure 8.12.
struct MarginPerceptron : LinearRule {
    Weights weights;
    double rho;
    double* norm_squared;   // of w, kept incrementally
    double* since_refresh;  // updates since it was summed anew

    static constexpr double refresh_every = 10000.0;

    Interval accepts_label(int label) const {
        if (*norm_squared == 0.0) return Interval::open_half_line(label);
        return Interval::half_line(label, 0.5 * rho * std::sqrt(*norm_squared));
    }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        if (trial.violation.side == 0) return Step::stay();
        const double step = trial.violation.side * trial.weight;
        weights.add(x, step);
        *norm_squared += 2.0 * step * trial.score + step * step * trial.norm_squared;
        *since_refresh += 1.0;
        if (*since_refresh >= refresh_every || *norm_squared <= 0.0) {
            *norm_squared = dense::norm_squared(weights.w, weights.width);
            *since_refresh = 0.0;
        }
        return Step::by(step);
    }
};

}  // namespace littlestone
