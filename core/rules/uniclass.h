#pragma once

#include <utility>
#include <vector>

#include "../weights.h"
#include "flags_outside.h"

namespace littlestone {

// A centre w = scale * v with its squared norm kept incrementally, so that a distance costs O(nonzeros).
struct Centre {
    double* v;
    double* scale;
    double* norm_squared;
    double* since_refresh;  // updates since it was summed anew
    double* rounds;
    std::size_t width;
    double epsilon;

    static constexpr double fold_below = 1e-6, cancelled = 1e-6, refresh_every = 10000.0;

    template <class Row>
    void begin_round(const Row&) const {}

    template <class Row>
    double distance(const Row& x) const {
        const double both = x.norm_squared() + *norm_squared;
        const double squared = both - 2.0 * (*scale * x.dot(v));
        return std::sqrt(squared >= cancelled * both ? squared : summed_distance_squared(x));
    }
    // The distance from the centre minus epsilon; before the first row there is no centre, and every row is inside.
    template <class Row>
    double score(const Row& x) const {
        return *rounds == 0.0 ? -epsilon : distance(x) - epsilon;
    }
    // w <- (1 - lambda) w + lambda x.
    template <class Row>
    void move(const Row& x, double lambda) const {
        const double kept = 1.0 - lambda, across = 2.0 * lambda * kept * (*scale * x.dot(v));
        const double own = kept * kept * *norm_squared + lambda * lambda * x.norm_squared();
        shrink(kept);
        x.add_to(v, lambda / *scale);
        *norm_squared = own + across;
        *since_refresh += 1.0;
        if (*since_refresh >= refresh_every || !(*norm_squared >= cancelled * own)) refresh();
    }

  private:
    void shrink(double factor) const {
        *scale *= factor;
        if (*scale >= fold_below) return;
        // Adding 0 leaves no -0, which a dense row would turn into 0 and a sparse one would not.
        for (std::size_t i = 0; i < width; ++i) v[i] = v[i] * *scale + 0.0;
        *scale = 1.0;
    }
    void refresh() const {
        *norm_squared = *scale * *scale * dense::norm_squared(v, width);
        *since_refresh = 0.0;
    }
    // Feature by feature, for a row so close that the difference of squares has lost its digits.
    template <class Row>
    double summed_distance_squared(const Row& x) const {
        std::vector<std::pair<std::size_t, double>> entries;
        x.each([&](std::size_t i, double value) { entries.emplace_back(i, value); });
        std::sort(entries.begin(), entries.end());  // a dict may name its features in any order
        double sum = 0.0;
        std::size_t next = 0;
        const auto squares_until = [&](std::size_t end) {
            for (; next < end; ++next) sum += (*scale * v[next]) * (*scale * v[next]);
        };
        for (const auto& [i, value] : entries) {
            squares_until(i);
            sum += (*scale * v[i] - value) * (*scale * v[i] - value);
            next = i + 1;
        }
        squares_until(width);
        return sum;
    }
};

// The smallest move of the centre that brings the row within epsilon of it; Crammer et al. 2003, uniclass. As a batch
// algorithm (their section 4) it lets squared losses up to beta be.
struct Uniclass : FlagsOutside {
    Centre weights;
    double beta;

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        const bool first = *weights.rounds == 0.0;
        *weights.rounds += 1.0;
        const double loss = trial.violation.distance;
        if (!first && (loss == 0.0 || (beta > 0.0 && loss * loss <= beta))) return Step::stay();
        const double lambda = first ? 1.0 : loss / (trial.score + weights.epsilon);
        weights.move(x, lambda);
        return Step::otherwise(lambda);
    }
};

}  // namespace littlestone
