// Mixed strategies from scores.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../dense.h"

namespace littlestone::games {

// x ← [x]₊; the sum of what is left.
double take_positive(double* x, std::size_t count);
struct Expectation {
    double earned, trust, kept;
};
// R ← kept·[R + r]₊ with r = sign·gains − earned, and next ← [R + trust·r]₊; the sum of the latter.
double predict(const double* gains, double sign, const Expectation& how, double* R, double* next, std::size_t count);
void divide(double* x, double by, std::size_t count);

// What some of the actions have, in order.
inline void keep(std::vector<double>& of, const std::vector<std::size_t>& actions) {
    for (std::size_t k = 0; k < actions.size(); ++k) of[k] = of[actions[k]];
    of.resize(actions.size());
}

inline std::vector<double> uniform_strategy(std::size_t actions) {
    return std::vector<double>(actions, 1.0 / static_cast<double>(actions));
}

// p ∝ p in place, for what is 0 or more and sums up to total; uniform where nothing is positive.
inline void normalize(std::vector<double>& p, double total) {
    if (total > 0.0)  // divided as in Python: a regret of 0 must not become a rounding above it
        divide(p.data(), total, p.size());
    else
        std::fill(p.begin(), p.end(), 1.0 / static_cast<double>(p.size()));
}

// p ∝ [p]₊ in place.
inline void normalize_positive(std::vector<double>& p) { normalize(p, take_positive(p.data(), p.size())); }

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
