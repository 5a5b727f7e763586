// A running geometric mean as the scale of a feature: multiplying a column by a number changes nothing.
#pragma once

#include "numbers.h"

namespace littlestone::pool {

// What a value x is in the scale of its feature, and what the gauge is when x is learned:
// n' = n + 1, L' = L + (log2|x| - L)/n', u = sign(x) 2^clip(log2|x| - L', 60), f = u sqrt(2/(1 + |u|)).
// A feature that is 1 whenever it is there has f = 1.
struct Gauged {
    float f, count, level;
};

LITTLESTONE_INLINE Gauged gauged(double x, float count, float level) {
    constexpr float most = 16777216.0f;  // where a float no longer counts by ones
    const float log = log2_of(std::fabs(x));
    const float n = std::min(count + 1.0f, most);
    const float L = level + (log - level) / n;
    const float distance = log - L;
    const float u = exp2_of(std::min(std::max(distance, -60.0f), 60.0f));
    const float f = u * __builtin_sqrtf(2.0f / (1.0f + u));
    return {x < 0.0 ? -f : f, n, L};
}

}  // namespace littlestone::pool
