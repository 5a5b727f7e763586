#pragma once

#include "../loop.h"
#include "../random.h"
#include "../weights.h"

namespace littlestone {

// Rosenblatt's rule on intervals: when the score is below the interval w += eta x, above it w -= eta x.
// Mohri et al. figure 8.6; Bylander 1998 figure 1, with a tolerance as in his section 5.
struct Perceptron : LinearRule {
    Weights weights;
    double eta;
    double widening;

    Interval accepts_label(int label) const { return Interval::open_half_line(label); }
    double tolerance() const { return widening; }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        if (trial.violation.side == 0) return Step::stay();
        const double step = trial.violation.side * eta * trial.weight;
        weights.add(x, step);
        return Step::by(step);
    }
};

// Bylander 1998 section 6: the Perceptron with intervals [1, inf) and tolerance 1/2 predicts + with probability
// score + 1/2. The update does not look at the draw.
struct RandomizedPerceptron : LinearRule {
    Weights weights;
    double eta;
    std::uint64_t seed;
    double* draws;

    Interval accepts_label(int label) const { return Interval::half_line(label, 1.0); }
    double tolerance() const { return 0.5; }
    Decision decide(double score, std::size_t ahead = 0) const {
        const double chance = std::clamp(score + 0.5, 0.0, 1.0);
        return {uniform(seed, static_cast<std::uint64_t>(*draws) + ahead) < chance ? +1 : -1, chance, true};
    }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        *draws += 1.0;
        if (trial.violation.side == 0) return Step::stay();
        const double step = trial.violation.side * eta * trial.weight;
        weights.add(x, step);
        return Step::by(step);
    }
};

}  // namespace littlestone
