#include "strategy.h"

#include "../clones.h"
#include "../experts/vectors.h"

namespace littlestone::games {
namespace {

LITTLESTONE_INLINE double positive(double x) { return x > 0.0 ? x : 0.0; }

LITTLESTONE_CLONES void cut(double* x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] = positive(x[i]);
}

LITTLESTONE_CLONES void expect(const double* gains, double sign, const Expectation& how, double* __restrict R,
                               double* __restrict next, std::size_t count) {
    const auto [earned, trust, kept] = how;
    for (std::size_t i = 0; i < count; ++i) {
        const double now = sign * gains[i] - earned;
        R[i] = kept * positive(R[i] + now);
        next[i] = positive(R[i] + trust * now);
    }
}

}  // namespace

double take_positive(double* x, std::size_t count) {
    cut(x, count);
    return vectors::sum(x, count);
}

double predict(const double* gains, double sign, const Expectation& how, double* R, double* next, std::size_t count) {
    expect(gains, sign, how, R, next, count);
    return vectors::sum(next, count);
}

LITTLESTONE_CLONES void divide(double* x, double by, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] /= by;
}

}  // namespace littlestone::games
