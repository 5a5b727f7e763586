// What the members know of one feature: one cache line, read and written whole.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace littlestone::pool {

typedef float Four __attribute__((vector_size(16)));

inline __attribute__((always_inline)) Four roots(Four x) {
#if defined(__SSE__)
    return reinterpret_cast<Four>(_mm_sqrt_ps(reinterpret_cast<__m128>(x)));
#else
    return Four{__builtin_sqrtf(x[0]), __builtin_sqrtf(x[1]), __builtin_sqrtf(x[2]), __builtin_sqrtf(x[3])};
#endif
}

struct alignas(64) Line {
    Four weights{};                             // AROW, AdaGrad logistic, AdaGrad hinge, Passive-Aggressive
    Four precisions{1.0f, 1e-3f, 1e-2f, 1.0f};  // A, G, G, and 1: the last has none
    float positive = 0.0f, negative = 0.0f;     // masses of the feature by label
    float count = 0.0f, level = 0.0f;           // of the gauge: values met, and the mean of their log2
    float seat = 0.0f;                          // in the full-covariance member, from 1; 0 has none
    float spare[3] = {};
};
static_assert(sizeof(Line) == 64);

// Line 0 is that of the constant; feature j has line j + 1.
using Lines = std::vector<Line>;

// The line of a feature, known or not: a row to be scored may have features that were never learned.
inline const Line& line_of(const Lines& lines, std::size_t number) {
    static const Line unknown;
    return number < lines.size() ? lines[number] : unknown;
}

}  // namespace littlestone::pool
