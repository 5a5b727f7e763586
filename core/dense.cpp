#include "dense.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "clones.h"
#include "sums.h"

namespace littlestone::dense {
namespace {

template <class Value>
inline __attribute__((always_inline)) double dot_lanes(const Value* x, const double* w, std::size_t count) {
    Lanes sum;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) sum.lane[k] += static_cast<double>(x[i + k]) * w[i + k];
    for (std::size_t k = 0; i + k < count; ++k) sum.lane[k] += static_cast<double>(x[i + k]) * w[i + k];
    return sum.total();
}

template <class Value>
inline __attribute__((always_inline)) double norm_lanes(const Value* x, std::size_t count) {
    Lanes sum;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        // The first reader of a row waits for memory; asking half a page ahead hides most of it.
        __builtin_prefetch(x + i + 2048 / sizeof(Value));
        for (std::size_t k = 0; k < lanes; ++k) {
            const double value = x[i + k];
            sum.lane[k] += value * value;
        }
    }
    for (std::size_t k = 0; i + k < count; ++k) {
        const double value = x[i + k];
        sum.lane[k] += value * value;
    }
    return sum.total();
}

// Magnitudes of IEEE numbers are ordered as the integers of their bits, and integer maxima are what compilers
// vectorise.
template <class Value, class Bits>
inline __attribute__((always_inline)) double largest_bits(const Value* x, std::size_t count) {
    constexpr Bits magnitude = std::numeric_limits<Bits>::max();
    Bits largest = 0;
    for (std::size_t i = 0; i < count; ++i) largest = std::max<Bits>(largest, std::bit_cast<Bits>(x[i]) & magnitude);
    return std::bit_cast<Value>(largest);
}

template <class Value>
inline __attribute__((always_inline)) void add_scaled(const Value* x, double step, double* w, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) w[i] += step * static_cast<double>(x[i]);
}

}  // namespace

LITTLESTONE_CLONES double dot(const float* x, const double* w, std::size_t count) { return dot_lanes(x, w, count); }
LITTLESTONE_CLONES double dot(const double* x, const double* w, std::size_t count) { return dot_lanes(x, w, count); }
LITTLESTONE_CLONES double norm_squared(const float* x, std::size_t count) { return norm_lanes(x, count); }
LITTLESTONE_CLONES double norm_squared(const double* x, std::size_t count) { return norm_lanes(x, count); }
LITTLESTONE_CLONES double largest_entry(const float* x, std::size_t count) {
    return largest_bits<float, std::int32_t>(x, count);
}
LITTLESTONE_CLONES double largest_entry(const double* x, std::size_t count) {
    return largest_bits<double, std::int64_t>(x, count);
}
LITTLESTONE_CLONES void add(const float* x, double step, double* w, std::size_t count) {
    add_scaled(x, step, w, count);
}
LITTLESTONE_CLONES void add(const double* x, double step, double* w, std::size_t count) {
    add_scaled(x, step, w, count);
}

}  // namespace littlestone::dense
