// Logarithms, powers and logistic functions made of sums and products, so that every machine has the same bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "../experts/exp.h"

namespace littlestone::pool {

#define LITTLESTONE_INLINE inline __attribute__((always_inline))

// log2 of a positive normal number: the exponent, and of the mantissa m in [sqrt(1/2), sqrt(2)) the series of
// 2 artanh((m-1)/(m+1)), which is exact at powers of two; error below 2e-7.
LITTLESTONE_INLINE float log2_of(float x) {
    constexpr std::int32_t root_half = 0x3f3504f3;
    const auto bits = std::bit_cast<std::int32_t>(x);
    const std::int32_t exponent = (bits - root_half) >> 23;
    const float m = std::bit_cast<float>(bits - (exponent << 23));
    const float s = (m - 1.0f) / (m + 1.0f), z = s * s;
    const float series =
        s * (2.885390082f + z * (0.961796694f + z * (0.577078016f + z * (0.412198583f + z * 0.320598898f))));
    return static_cast<float>(exponent) + series;
}

// The same of a double of any size: its mantissa as a float, its exponent apart.
LITTLESTONE_INLINE float log2_of(double x) {
    constexpr std::int64_t root_half = 0x3fe6a09e667f3bcd;
    const auto bits = std::bit_cast<std::int64_t>(x);
    const std::int64_t exponent = (bits - root_half) >> 52;
    const auto m = static_cast<float>(std::bit_cast<double>(bits - (exponent << 52)));
    const float s = (m - 1.0f) / (m + 1.0f), z = s * s;
    const float series =
        s * (2.885390082f + z * (0.961796694f + z * (0.577078016f + z * (0.412198583f + z * 0.320598898f))));
    return static_cast<float>(static_cast<std::int32_t>(exponent)) + series;
}

// 2^x for |x| <= 120: the nearest whole number into the exponent, Taylor's polynomial for the rest.
LITTLESTONE_INLINE float exp2_of(float x) {
    constexpr float rounder = 0x1.8p23f;
    const float shifted = x + rounder;
    const float r = (x - (shifted - rounder)) * 0.693147181f;
    const float power =
        1.0f +
        r * (1.0f + r * (0.5f + r * (0.166666667f + r * (0.0416666667f + r * (0.00833333333f + r * 0.00138888889f)))));
    return std::bit_cast<float>(std::bit_cast<std::int32_t>(power) + (std::bit_cast<std::int32_t>(shifted) << 23));
}

// ln of a positive normal number, to about one unit in the last place.
inline double log_of(double x) {
    constexpr std::int64_t root_half = 0x3fe6a09e667f3bcd;
    const auto bits = std::bit_cast<std::int64_t>(x);
    const std::int64_t exponent = (bits - root_half) >> 52;
    const double m = std::bit_cast<double>(bits - (exponent << 52));
    const double s = (m - 1.0) / (m + 1.0), z = s * s;
    double tail = 1.0 / 21.0;
    for (int k = 19; k >= 3; k -= 2) tail = tail * z + 1.0 / k;
    const double series = 2.0 * s + 2.0 * s * (z * tail);
    const auto n = static_cast<double>(exponent);
    return n * 0x1.62e42fee00000p-1 + (series + n * 0x1.a39ef35793c76p-33);
}

LITTLESTONE_INLINE double sigma(double z) {
    const double e = exp_of(-std::fabs(z));
    return (z < 0.0 ? e : 1.0) / (1.0 + e);
}

LITTLESTONE_INLINE double clip(double x, double bound) { return std::min(std::max(x, -bound), bound); }
LITTLESTONE_INLINE double finite_or_zero(double x) { return std::isfinite(x) ? x : 0.0; }

}  // namespace littlestone::pool
