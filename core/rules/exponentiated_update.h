#pragma once

#include "../random.h"
#include "multiplicative.h"

namespace littlestone {

// Below the interval theta += eta x, above it theta -= eta x, w = U softmax(theta); Bylander 1998 figure 2, with a
// tolerance as in his section 5.
template <class Form>
struct ExponentiatedUpdate : MultiplicativeRule<Form> {
    double eta;
    double widening;

    Interval accepts_label(int label) const { return Interval::open_half_line(label); }
    double tolerance() const { return widening; }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        if (trial.violation.side == 0) return Step::stay();
        return this->move(x, trial, trial.violation.side * eta);
    }
};

// Bylander 1998 section 6: intervals [1, inf), tolerance 1/2, and + is predicted with probability score + 1/2.
struct RandomizedExponentiatedUpdate : MultiplicativeRule<Positive> {
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
        return move(x, trial, trial.violation.side * eta);
    }
};

}  // namespace littlestone
