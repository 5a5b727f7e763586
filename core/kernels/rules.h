// Rules whose weights are a kernel expansion: the linear rules in the space of the kernel.
#pragma once

#include <limits>

#include "../loop.h"
#include "../rules/passive_aggressive.h"
#include "expansion.h"

namespace littlestone {

// w = sum_p alpha_p phi(x_p) in the place of weights. A kernel is defined for rows of any width.
struct KernelWeights {
    Expansion* w;

    static constexpr std::size_t width = std::numeric_limits<std::size_t>::max();

    template <class Row>
    void begin_round(const Row&) const {
        w->rounds += 1.0;
    }
    template <class Row>
    double score(const Row& x) const {
        w->look(x);
        return w->score();
    }
    // A round that finds no memory for its point has not been.
    void add(double step) const {
        or_has_not_been([&] { w->add(step); });
    }
    void shift(double factor, double step) const {
        or_has_not_been([&] { w->shift(factor, step); });
    }

  private:
    template <class Move>
    void or_has_not_been(Move move) const {
        try {
            move();
        } catch (...) {
            w->rounds -= 1.0;
            throw;
        }
    }
};

// The centre of a ball; the score is the distance from it minus epsilon.
struct KernelCentre : KernelWeights {
    double epsilon;

    template <class Row>
    double score(const Row& x) const {
        const double inner = KernelWeights::score(x);
        if (w->count() == 0) return -epsilon;
        return std::sqrt(std::max(w->self() - 2.0 * inner + w->norm_squared, 0.0)) - epsilon;
    }
};

// What kernel rules share: |x|^2 is K(x, x), and a round takes as long as there are points.
template <class Geometry = KernelWeights>
struct KernelRule : LinearRule {
    Geometry weights;

    double length_squared(double) const { return weights.w->self(); }
    std::size_t rows_between_signals(const Batch& batch) const {
        constexpr std::size_t work = 1u << 22;  // a few milliseconds
        const std::size_t features = batch.count == 0 ? 1 : batch.entries() / batch.count;
        return 1 + work / ((weights.w->count() + 32) * (features + 16));
    }
};

// Mohri et al. figures 8.8 and 8.9: the Perceptron in the space of the kernel.
struct KernelPerceptron : KernelRule<> {
    double eta;

    Interval accepts_label(int label) const { return Interval::open_half_line(label); }

    template <class Row>
    Step update(const Row&, const Trial& trial) const {
        if (trial.violation.side == 0) return Step::stay();
        const double step = trial.violation.side * eta * trial.weight;
        weights.add(step);
        return Step::by(step);
    }
};

// Passive-Aggressive in the space of the kernel.
template <class StepSize>
struct KernelPassiveAggressive : KernelRule<> {
    double margin, epsilon;
    StepSize step_size;

    Interval accepts_label(int label) const { return Interval::half_line(label, margin); }
    Interval accepts_target(double target) const { return Interval::around(target, epsilon); }

    template <class Row>
    Step update(const Row&, const Trial& trial) const {
        if (trial.violation.side == 0 || trial.violation.distance == 0.0) return Step::stay();
        if (trial.norm_squared == 0.0) return Step::cannot();
        const double step =
            trial.violation.side * step_size(trial.violation.distance, trial.norm_squared, trial.weight);
        if (!std::isfinite(step)) return Step::cannot();
        weights.add(step);
        return Step::by(step);
    }
};

// Never moves: a predictor, or a comparator.
struct KernelFixed : KernelRule<> {
    double margin, epsilon;

    Interval accepts_label(int label) const { return Interval::half_line(label, margin); }
    Interval accepts_target(double target) const { return Interval::around(target, epsilon); }

    template <class Row>
    Step update(const Row&, const Trial&) const {
        return Step::stay();
    }
};

// The centre of a ball of radius epsilon in the space of the kernel (Crammer et al. 2003, uniclass); the first row is
// the first centre.
struct KernelUniclass : KernelRule<KernelCentre> {
    Interval accepts_label(int) const { return {-infinity, 0.0, true, false}; }
    Decision decide(double score, std::size_t = 0) const {
        return {score > 0.0 ? +1 : -1, score > 0.0 ? 1.0 : 0.0, false};
    }

    template <class Row>
    Step update(const Row&, const Trial& trial) const {
        if (weights.w->count() == 0) {
            weights.add(1.0);
            return Step::otherwise(1.0);
        }
        if (trial.violation.distance == 0.0) return Step::stay();
        const double lambda = trial.violation.distance / (trial.score + weights.epsilon);
        weights.shift(1.0 - lambda, lambda);
        return Step::otherwise(lambda);
    }
};

}  // namespace littlestone
