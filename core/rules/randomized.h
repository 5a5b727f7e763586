#pragma once

#include "../loop.h"
#include "../random.h"

namespace littlestone {

// Bylander 1998 section 6: a rule with intervals [1, inf) and tolerance 1/2 predicts + with probability score + 1/2.
// The update does not look at the draw.
template <class Rule>
struct Randomized : Rule {
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
        return Rule::update(x, trial);
    }
};

}  // namespace littlestone
