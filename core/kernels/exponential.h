#pragma once

#include <bit>
#include <cstdint>

namespace littlestone {

// exp(x) for x <= 0, from sums, products and one shift, so that loops over it become vector code and every machine
// gives the same bits: x = k log 2 + r with |r| <= log(2) / 2, Taylor's polynomial of degree 13 in r (error below
// 1e-17), and k added to the exponent. Below -708, where the result is next to the smallest normal number, it is 0.
inline __attribute__((always_inline)) double exp_of_negative(double x) {
    constexpr double per_log2 = 1.4426950408889634, high = 6.93147180369123816490e-01, low = 1.90821492927058770002e-10;
    constexpr double to_integer = 0x1.8p52, least = -708.0;
    const double kept = x < least ? least : x;
    const double shifted = kept * per_log2 + to_integer;
    const double k = shifted - to_integer;
    const double r = (kept - k * high) - k * low;
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    const std::uint64_t exponent = std::bit_cast<std::uint64_t>(shifted) << 52;
    const double scaled = std::bit_cast<double>(std::bit_cast<std::uint64_t>(p) + exponent);
    return x < least ? 0.0 : scaled;
}

}  // namespace littlestone
