#include "vectors.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "../sums.h"
#include "exp.h"

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#define LITTLESTONE_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define LITTLESTONE_CLONES
#endif

namespace littlestone::vectors {

// A vector of the compiler: it compares all lanes at once, which a loop with a condition does not.
using Pack = double __attribute__((vector_size(64)));
constexpr std::size_t packed = sizeof(Pack) / sizeof(double);

LITTLESTONE_CLONES Extremes extremes(const double* x, std::size_t count) {
    Extremes found{infinity, -infinity};
    std::size_t i = 0;
    if (count >= packed) {
        Pack least, most, here;
        std::memcpy(&least, x, sizeof(Pack));
        most = least;
        for (i = packed; i + packed <= count; i += packed) {
            std::memcpy(&here, x + i, sizeof(Pack));
            least = here < least ? here : least;
            most = here > most ? here : most;
        }
        for (std::size_t k = 0; k < packed; ++k) found.take(least[k]), found.take(most[k]);
    }
    for (; i < count; ++i) found.take(x[i]);
    return found;
}

LITTLESTONE_CLONES void exponentials(double* x, double shift, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] = exp_of(x[i] - shift);
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

LITTLESTONE_CLONES std::size_t finite(const double* x, std::size_t count) {
    std::size_t good = 0;
    for (std::size_t i = 0; i < count; ++i) good += std::fabs(x[i]) <= std::numeric_limits<double>::max() ? 1 : 0;
    return good;
}

LITTLESTONE_CLONES void normalise(double* x, double shift, double by, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] = (x[i] - shift) / by;
}

LITTLESTONE_CLONES void scores(const double* start, const double* losses, double eta, double* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = start[i] - eta * losses[i];
}

LITTLESTONE_CLONES void accumulate(const double* x, double* total, double* correction, double* squares,
                                   std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const double next = total[i] + x[i];
        const double lost =
            std::fabs(total[i]) >= std::fabs(x[i]) ? (total[i] - next) + x[i] : (x[i] - next) + total[i];
        correction[i] += lost;
        total[i] = next;
        squares[i] += x[i] * x[i];
    }
}

LITTLESTONE_CLONES double variance(const double* p, const double* x, double mean, std::size_t count) {
    Lanes sum;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) sum.lane[k] += p[i + k] * ((x[i + k] - mean) * (x[i + k] - mean));
    for (std::size_t k = 0; i + k < count; ++k) sum.lane[k] += p[i + k] * ((x[i + k] - mean) * (x[i + k] - mean));
    return sum.total();
}

}  // namespace littlestone::vectors
