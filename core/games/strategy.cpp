#include "strategy.h"

#include "../clones.h"
#include "../experts/vectors.h"
#include "../sums.h"

namespace littlestone::games {
namespace {

LITTLESTONE_INLINE double positive(double x) { return x > 0.0 ? x : 0.0; }

LITTLESTONE_CLONES void cut(double* x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] = positive(x[i]);
}

}  // namespace

double take_positive(double* x, std::size_t count) {
    cut(x, count);
    return vectors::sum(x, count);
}

// Summed as vectors::sum does.
LITTLESTONE_CLONES double predict(const double* gains, double sign, const Expectation& how, double* __restrict R,
                                  double* __restrict next, std::size_t count) {
    const double earned = how.earned, trust = how.trust, kept = how.kept;
    const auto step = [&](std::size_t i) {
        const double now = sign * gains[i] - earned;
        R[i] = kept * positive(R[i] + now);
        return next[i] = positive(R[i] + trust * now);
    };
    Lanes sum;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) sum.lane[k] += step(i + k);
    for (std::size_t k = 0; i + k < count; ++k) sum.lane[k] += step(i + k);
    return sum.total();
}

LITTLESTONE_CLONES void divide(double* x, double by, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] /= by;
}

}  // namespace littlestone::games
