// The best comparator for trials that are intervals, by dual coordinate descent (Hsieh et al. 2008; Ho and Lin 2012).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../batch.h"
#include "../outcomes.h"
#include "../sums.h"

namespace littlestone {

// Minimises 1/2 |u - s|^2 + sum_t cost(distance of u.x_t to its interval). The dual has one number a_t a round,
// positive where the score must be held up and negative where it must be held down, and u = s + sum_t a_t x_t:
//   cost C d:    |a_t| <= cap = C, ridge = 0          cost C d^2: cap = inf, ridge = 1/(2C)
//   no d at all: cap = inf, ridge = 0 (hard ends)
// From a_t = 0 the first sweep of a capped descent makes the steps of PA-I.
struct IntervalDescent {
    double margin;
    double epsilon;
    double cap;
    double ridge;
    double* w;
    double* dual;

    // Rows are visited a block at a time, which is nearly a random order and is kind to the cache.
    static constexpr std::size_t block = 16;

    Interval accepts_label(int label) const { return Interval::half_line(label, margin); }
    Interval accepts_target(double target) const { return Interval::around(target, epsilon); }

    // The exact minimum along one dual coordinate: a quadratic with a kink at 0, where it jumps from low to high.
    double best(double a, double gradient, double curvature, const Interval& interval) const {
        const double raised = a + (interval.low - gradient) / curvature;
        const double lowered = a + (interval.high - gradient) / curvature;
        const double unbounded = raised > 0.0 ? raised : lowered < 0.0 ? lowered : 0.0;
        return std::clamp(unbounded, -cap, cap);
    }

    template <class Row>
    void visit(const Row& x, double norm_squared, const Interval& interval, double& a) const {
        const double curvature = norm_squared + ridge;
        if (norm_squared == 0.0) return;
        const double next = best(a, x.dot(w) + ridge * a, curvature, interval);
        if (next == a) return;
        x.add_to(w, next - a);
        a = next;
    }

    // Visits the listed blocks of a batch whose rows have all been checked.
    void sweep(const Batch& batch, const Outcomes& outcomes, const std::uint32_t* blocks, std::size_t count) const {
        std::visit(
            [&](const auto& rows) {
                auto cursor = rows.cursor();
                for (std::size_t b = 0; b < count; ++b) {
                    const std::size_t begin = blocks[b] * block, end = std::min(begin + block, batch.count);
                    for (std::size_t t = begin; t < end; ++t)
                        visit(cursor[t], batch.norm_squared[t], outcomes.interval(*this, t), dual[t]);
                }
            },
            batch.rows);
    }

    // sum_t (low a+ - high a-) - ridge/2 a^2: the part of the dual objective that is not about u - s.
    double gain(const Outcomes& outcomes) const {
        Sum sum;
        for (std::size_t t = 0; t < outcomes.count; ++t) {
            const Interval interval = outcomes.interval(*this, t);
            if (dual[t] != 0.0) sum.add(dual[t] * (dual[t] > 0.0 ? interval.low : interval.high));
            sum.add(-0.5 * ridge * dual[t] * dual[t]);
        }
        return sum.value();
    }
};

}  // namespace littlestone
