// An exponential that compilers vectorise; the same bits on every instruction set, within one unit in the last place.
#pragma once

#include <cstdint>

namespace littlestone {

// exp(x) for x <= 709; 0 below -708, where the result would be subnormal.
// x = n log 2 + r with |r| <= (log 2)/2 (Cody and Waite 1980: log 2 in two parts, the first one short, so that n times
// it is exact), then the Taylor polynomial of degree 13 in r, whose remainder is below 5e-18, and 2^n by its exponent
// bits.
// Real is double or a vector of them, Bits the integers of the same size; by reference, because vectors have no common
// ABI.
template <class Bits, class Real>
inline __attribute__((always_inline)) void exponential(Real& x) {
    constexpr double log2_e = 0x1.71547652b82fep+0;
    constexpr double log_2_high = 0x1.62e42fee00000p-1, log_2_low = 0x1.a39ef35793c76p-33;
    constexpr double rounder = 0x1.8p52;  // adding it leaves the nearest whole number in the low bits
    const Real shifted = x * log2_e + rounder;
    const Real n = shifted - rounder;
    const Real r = (x - n * log_2_high) - n * log_2_low;
    const Real r2 = r * r, r4 = r2 * r2;
    const Real low =
        (0x1.0000000000001p-1 + 0x1.5555555555556p-3 * r) + (0x1.5555555553d63p-5 + 0x1.11111111109b3p-7 * r) * r2;
    const Real high =
        (0x1.6c16c1788bd90p-10 + 0x1.a01a01a7c41d5p-13 * r) + (0x1.a019b90d2ae7ap-16 + 0x1.71de0dae63bb3p-19 * r) * r2;
    const Real top = 0x1.289185613a3d6p-22 + 0x1.af38a9b0ec855p-26 * r;
    const Real tail = (low + high * r4) + top * (r4 * r4);
    // 1 + (r + r^2 tail): the large term is added last, so that it is rounded once.
    const Real power = 1.0 + (r + r2 * tail);
    const Bits exponent = __builtin_bit_cast(Bits, shifted) << 52;
    const Real result = __builtin_bit_cast(Real, __builtin_bit_cast(Bits, power) + exponent);
    x = x < -708.0 ? Real{} : result;
}

inline double exp_of(double x) {
    exponential<std::uint64_t>(x);
    return x;
}

}  // namespace littlestone
