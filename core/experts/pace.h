#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace littlestone {

// How the learning rate goes with the rounds: sqrt(8 log N / period) for losses in [0, 1] (Mohri et al. section 8.2.4),
// or log(1/beta) with beta = max(1/2, 1 - sqrt(log N / period)) (theorem 8.4). The period is the horizon, the length of
// the current doubling period, or the number of the round.
struct Pace {
    enum class Kind { fixed, doubling, doubling_beta, anytime };
    Kind kind;
    double eta;          // of the fixed pace
    double log_experts;  // of the others

    bool doubles() const { return kind == Kind::doubling || kind == Kind::doubling_beta; }

    double rate(double rounds) const {
        if (kind == Kind::fixed) return eta;
        if (kind == Kind::anytime) return std::sqrt(8.0 * log_experts / (rounds + 1.0));
        const double period = static_cast<double>(std::bit_floor(static_cast<std::uint64_t>(rounds) + 1));
        if (kind == Kind::doubling) return std::sqrt(8.0 * log_experts / period);
        return -std::log(std::max(0.5, 1.0 - std::sqrt(log_experts / period)));
    }
    // Whether a doubling period starts after so many rounds.
    bool starts(double rounds) const {
        return doubles() && std::has_single_bit(static_cast<std::uint64_t>(rounds) + 1);
    }
};

}  // namespace littlestone
