#pragma once

#include "../log_weights.h"
#include "../loop.h"

namespace littlestone {

// What the multiplicative rules share: a score closer to an end of the interval than tie_tol * sum |w_i x_i| is that
// end.
template <class Form>
struct MultiplicativeRule : LinearRule {
    LogWeights<Form> weights;
    double tie_tol;

    template <class Row>
    double settle(const Row& x, double score, const Interval& interval) const {
        if (tie_tol == 0.0) return score;
        const double slack = tie_tol * weights.absolute_score(x);
        if (std::fabs(score - interval.low) <= slack) return interval.low;
        if (std::fabs(score - interval.high) <= slack) return interval.high;
        return score;
    }

  protected:
    template <class Row>
    Step move(const Row& x, const Trial& trial, double step) const {
        if (!LogWeights<Form>::can_move(step, trial.largest_entry)) return Step::cannot();
        weights.move(x, step);
        return Step::otherwise(step);
    }
};

}  // namespace littlestone
