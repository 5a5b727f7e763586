#pragma once

#include "../log_weights.h"
#include "flags_outside.h"

namespace littlestone {

// A centre w among the distributions over the features, as log-weights: w_i = power_i / total, power_i =
// exp(theta_i - shift).
//
// An update moves every log-weight, each by an amount of its own (theta_i += a (x_i - w_i)), so it cannot be put off.
// But the features that no update has had yet have all moved alike: they share the log-weight `rest`, and an update
// costs what the features seen so far cost, whatever the width. A distance costs O(nonzeros).
struct SimplexCentre {
    double *theta, *power;  // of the features that were seen
    double* seen;           // 1 for these
    double* order;          // which they are, in the order of their first update
    double *count, *rest, *shift, *total, *squares;
    std::size_t width;
    double epsilon;

    static constexpr double cancelled = 1e-6;

    template <class Row>
    void begin_round(const Row&) const {}

    // The distance from the centre minus epsilon.
    template <class Row>
    double score(const Row& x) const {
        const double length = x.norm_squared(), own = *squares / (*total * *total), both = length + own;
        double dot = 0.0;
        x.each([&](std::size_t i, double v) { dot += v * share(i); });
        const double squared = both - 2.0 * dot;
        return std::sqrt(squared >= cancelled * both ? squared : summed_distance_squared(x)) - epsilon;
    }

    // theta += a (x - w).
    template <class Row>
    void move(const Row& x, double a) const {
        x.each([&](std::size_t i, double v) {
            if (v != 0.0 && seen[i] == 0.0) see(i);
        });
        const double b = a / *total;
        if (unseen() > 0.0) *rest -= b * rest_power();
        for (std::size_t k = 0; k < known(); ++k) theta[at(k)] -= b * power[at(k)];
        x.each([&](std::size_t i, double v) {
            if (v != 0.0) theta[i] += a * v;
        });
        refill();
    }

  private:
    std::size_t known() const { return static_cast<std::size_t>(*count); }
    std::size_t at(std::size_t k) const { return static_cast<std::size_t>(order[k]); }
    double unseen() const { return static_cast<double>(width) - *count; }
    double rest_power() const { return std::exp(*rest - *shift); }
    double share(std::size_t i) const { return (seen[i] != 0.0 ? power[i] : rest_power()) / *total; }

    void see(std::size_t i) const {
        seen[i] = 1.0;
        theta[i] = *rest;
        power[i] = rest_power();
        order[known()] = static_cast<double>(i);
        *count += 1.0;
    }
    void refill() const {
        double highest = unseen() > 0.0 ? *rest : -infinity;
        for (std::size_t k = 0; k < known(); ++k) highest = std::max(highest, theta[at(k)]);
        *shift = highest;
        const double other = unseen() > 0.0 ? rest_power() : 0.0;
        *total = unseen() * other;
        *squares = unseen() * other * other;
        for (std::size_t k = 0; k < known(); ++k) {
            const double next = std::exp(theta[at(k)] - *shift);
            power[at(k)] = next;
            *total += next;
            *squares += next * next;
        }
    }
    // For a row so close that the difference of squares has lost its digits. The squares of the row's own features
    // leave the sum of all squares again without a rounding.
    template <class Row>
    double summed_distance_squared(const Row& x) const {
        double total_squares = 0.0, correction = 0.0, apart = 0.0, others = unseen();
        for (std::size_t k = 0; k < known(); ++k) {
            const double w = share(at(k));
            add_exactly(w * w, total_squares, correction);
        }
        x.each([&](std::size_t i, double v) {
            const double w = share(i);
            apart += (v - w) * (v - w);
            if (seen[i] != 0.0)
                add_exactly(-w * w, total_squares, correction);
            else
                others -= 1.0;
        });
        const double other = others > 0.0 ? rest_power() / *total : 0.0;
        return apart + std::max(total_squares + correction, 0.0) + others * other * other;
    }
};

// theta += 2 loss (x - w) / |x - w|: Crammer et al. 2003, section 6, with the step that its proof allows.
struct MultiplicativeUniclass : FlagsOutside {
    SimplexCentre weights;

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        const double loss = trial.violation.distance;
        if (loss == 0.0) return Step::stay();
        weights.move(x, 2.0 * loss / (trial.score + weights.epsilon));
        return Step::otherwise(2.0 * loss);
    }
};

}  // namespace littlestone
