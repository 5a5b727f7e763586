// A counter-based generator: draw k of a seed is a pure function of (seed, k), so that chunking cannot change a draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace littlestone {

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t draw) {
    std::uint64_t z = seed + (draw + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

// Its top 53 bits as a number in [0, 1).
inline double uniform(std::uint64_t seed, std::uint64_t draw) {
    return static_cast<double>(random_bits(seed, draw) >> 11) * 0x1.0p-53;
}

// The numbers below `count` in an order drawn from a seed (Fisher and Yates; Durstenfeld 1964, CACM algorithm 235).
inline std::vector<std::int64_t> permutation(std::uint64_t seed, std::size_t count) {
    std::vector<std::int64_t> order(count);
    std::iota(order.begin(), order.end(), std::int64_t{0});
    for (std::size_t left = count; left > 1; --left)
        std::swap(order[left - 1], order[static_cast<std::size_t>(uniform(seed, left) * static_cast<double>(left))]);
    return order;
}

}  // namespace littlestone
