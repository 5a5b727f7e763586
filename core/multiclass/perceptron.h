#pragma once

#include "prototypes.h"

namespace littlestone {

// How the step is shared among the classes that scored at least as much as the true one (Crammer and Singer 2003,
// section 4): equally, by the best of them alone, or by how much they lead.
enum class Share { uniform, max, proportional };

// Ultraconservative: w_y += eta x, and the classes in error lose eta x between them; no other class moves.
struct MulticlassPerceptron : PrototypeRule {
    double eta;
    Share share;

    Interval accepts() const { return {0.0, infinity, true, false}; }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        if (trial.violation.side == 0) return Step::stay();
        const double step = eta * trial.weight;
        prototypes.of(contest.truth).add(x, step);
        if (share == Share::max)
            prototypes.of(contest.rival()).add(x, -step);
        else
            divide(x, step);
        return Step::otherwise(step);
    }

  private:
    template <class Row>
    void divide(const Row& x, double step) const {
        const double own = contest.score[contest.truth];
        double total = 0.0, count = 0.0;
        for (std::size_t r = 0; r < contest.count; ++r)
            if (r != contest.truth && contest.score[r] >= own) {
                total += contest.score[r] - own;
                count += 1.0;
            }
        // Where all in error are tied nobody leads, and the shares are equal.
        const bool equal = share == Share::uniform || !(total > 0.0) || !std::isfinite(total);
        for (std::size_t r = 0; r < contest.count; ++r)
            if (r != contest.truth && contest.score[r] >= own)
                prototypes.of(r).add(x, -(equal ? step / count : step * ((contest.score[r] - own) / total)));
    }
};

}  // namespace littlestone
