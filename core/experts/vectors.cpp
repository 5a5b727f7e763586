#include "vectors.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "../clones.h"
#include "../dense.h"
#include "../sums.h"
#include "exp.h"

namespace littlestone::vectors {

// A vector of the compiler: it compares all lanes at once, which a loop with a condition does not.
using Pack = double __attribute__((vector_size(64)));
using PackBits = std::uint64_t __attribute__((vector_size(64)));
constexpr std::size_t packed = sizeof(Pack) / sizeof(double);

LITTLESTONE_CLONES Extremes extremes(const double* x, std::size_t count) {
    Extremes found{infinity, -infinity};
    std::size_t i = 0;
    // Two of each, so that a comparison need not wait for the one before it.
    Pack least[2], most[2], here;
    for (std::size_t k = 0; k < 2; ++k) least[k] = Pack{} + infinity, most[k] = Pack{} - infinity;
    for (; i + 2 * packed <= count; i += 2 * packed)
        for (std::size_t k = 0; k < 2; ++k) {
            std::memcpy(&here, x + i + k * packed, sizeof(Pack));
            least[k] = here < least[k] ? here : least[k];
            most[k] = here > most[k] ? here : most[k];
        }
    least[0] = least[1] < least[0] ? least[1] : least[0];
    most[0] = most[1] > most[0] ? most[1] : most[0];
    for (std::size_t k = 0; i > 0 && k < packed; ++k) found.take(least[0][k]), found.take(most[0][k]);
    for (; i < count; ++i) found.take(x[i]);
    return found;
}

LITTLESTONE_CLONES double exponentials(double* x, double shift, std::size_t count) {
    Pack sum{}, here;
    std::size_t i = 0;
    for (; i + packed <= count; i += packed) {
        std::memcpy(&here, x + i, sizeof(Pack));
        here -= shift;
        exponential<PackBits>(here);
        std::memcpy(x + i, &here, sizeof(Pack));
        sum += here;
    }
    if (i < count) {
        here = Pack{} - infinity;  // the lanes without an expert add exp(-infinity) = 0
        std::memcpy(&here, x + i, (count - i) * sizeof(double));
        here -= shift;
        exponential<PackBits>(here);
        std::memcpy(x + i, &here, (count - i) * sizeof(double));
        sum += here;
    }
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

LITTLESTONE_CLONES double sum(const double* x, std::size_t count) {
    Lanes sum;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) sum.lane[k] += x[i + k];
    for (std::size_t k = 0; i + k < count; ++k) sum.lane[k] += x[i + k];
    return sum.total();
}

LITTLESTONE_CLONES void scale(double* x, double by, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] *= by;
}

LITTLESTONE_CLONES std::size_t copy_finite(const double* from, double* out, std::size_t count) {
    // The next row comes from memory while this one is worked on; asking for an address past the end does no harm.
    for (std::size_t i = 0; i < count; i += packed) __builtin_prefetch(from + count + i);
    std::size_t good = 0;
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = from[i];
        good += std::fabs(from[i]) <= std::numeric_limits<double>::max() ? 1 : 0;
    }
    return good;
}

LITTLESTONE_CLONES void normalise(double* x, double shift, double by, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] = (x[i] - shift) / by;
}

LITTLESTONE_CLONES double scores(const double* start, const double* losses, double eta, double* out,
                                 std::size_t count) {
    Pack most = Pack{} - infinity, score, loss;
    std::size_t i = 0;
    for (; i + packed <= count; i += packed) {
        std::memcpy(&score, start + i, sizeof(Pack));
        std::memcpy(&loss, losses + i, sizeof(Pack));
        score -= eta * loss;
        std::memcpy(out + i, &score, sizeof(Pack));
        most = score > most ? score : most;
    }
    double found = -infinity;
    for (std::size_t k = 0; i > 0 && k < packed; ++k) found = most[k] > found ? most[k] : found;
    for (; i < count; ++i) {
        out[i] = start[i] - eta * losses[i];
        found = out[i] > found ? out[i] : found;
    }
    return found;
}

LITTLESTONE_CLONES void accumulate(const double* x, double low, double* total, double* correction, double* squares,
                                   std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const double next = total[i] + x[i];
        const double lost =
            std::fabs(total[i]) >= std::fabs(x[i]) ? (total[i] - next) + x[i] : (x[i] - next) + total[i];
        correction[i] += lost;
        total[i] = next;
        squares[i] += (x[i] - low) * (x[i] - low);
    }
}

LITTLESTONE_CLONES double variance(const double* p, const double* x, std::size_t count) {
    const double mean = dense::dot(x, p, count);
    Lanes sum;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) sum.lane[k] += p[i + k] * ((x[i + k] - mean) * (x[i + k] - mean));
    for (std::size_t k = 0; i + k < count; ++k) sum.lane[k] += p[i + k] * ((x[i + k] - mean) * (x[i + k] - mean));
    return sum.total();
}

}  // namespace littlestone::vectors
