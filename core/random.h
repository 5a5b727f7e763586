// A counter-based generator: draw k of a seed is a pure function of (seed, k), so that chunking cannot change a draw.
#pragma once

#include <cstdint>

namespace littlestone {

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), top 53 bits as a number in [0, 1).
inline double uniform(std::uint64_t seed, std::uint64_t draw) {
    std::uint64_t z = seed + (draw + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1.0p-53;
}

}  // namespace littlestone
