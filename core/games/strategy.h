// Mixed strategies from scores.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../dense.h"

namespace littlestone::games {

inline std::vector<double> uniform_strategy(std::size_t actions) {
    return std::vector<double>(actions, 1.0 / static_cast<double>(actions));
}

// p ∝ [p]₊ in place; uniform where nothing is positive.
inline void normalize_positive(std::vector<double>& p) {
    double total = 0.0;
    for (double& x : p) total += (x = x > 0.0 ? x : 0.0);
    if (total > 0.0)
        for (double& x : p) x /= total;
    else
        std::fill(p.begin(), p.end(), 1.0 / static_cast<double>(p.size()));
}

// p ∝ exp(score), relative to the largest score, so that it never underflows to 0/0.
inline void softmax(std::vector<double>& p) {
    const double top = *std::max_element(p.begin(), p.end());
    double total = 0.0;
    for (double& x : p) total += (x = std::exp(x - top));
    for (double& x : p) x /= total;
}

// What the mixed strategy earned.
inline double mean(const std::vector<double>& p, const double* gains, double sign) {
    return sign * dense::dot(gains, p.data(), p.size());
}

}  // namespace littlestone::games
