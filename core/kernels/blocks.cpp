#include "blocks.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "../clones.h"
#include "exponential.h"

namespace littlestone::blocks {
namespace {

// Eight numbers that the compiler keeps in as many registers as the machine needs for them.
typedef double Eight __attribute__((vector_size(64)));
static_assert(size == 32);

// Arrays are aligned to a number only, so they are copied in and out.
inline __attribute__((always_inline)) void read(Eight& to, const double* from) { std::memcpy(&to, from, sizeof(to)); }
inline __attribute__((always_inline)) void write(double* to, const Eight& from) {
    std::memcpy(to, &from, sizeof(from));
}

struct Product {
    inline __attribute__((always_inline)) void operator()(Eight& sum, double x, const double* from) const {
        Eight point;
        read(point, from);
        sum += x * point;
    }
};
struct Difference {
    inline __attribute__((always_inline)) void operator()(Eight& sum, double x, const double* from) const {
        Eight point;
        read(point, from);
        const Eight apart = x - point;
        sum += apart < 0.0 ? -apart : apart;
    }
};

template <class Term>
inline __attribute__((always_inline)) void sum_features(const double* points, std::size_t blocks, std::size_t width,
                                                        const double* x, double* out, Term term) {
    for (std::size_t b = 0; b < blocks; ++b) {
        Eight s0 = {}, s1 = {}, s2 = {}, s3 = {};
        const double* at = points + b * width * size;
        for (std::size_t i = 0; i < width; ++i, at += size) {
            term(s0, x[i], at);
            term(s1, x[i], at + 8);
            term(s2, x[i], at + 16);
            term(s3, x[i], at + 24);
        }
        double* to = out + b * size;
        write(to, s0);
        write(to + 8, s1);
        write(to + 16, s2);
        write(to + 24, s3);
    }
}

}  // namespace

LITTLESTONE_CLONES void dots(const double* points, std::size_t blocks, std::size_t width, const double* x,
                             double* out) {
    sum_features(points, blocks, width, x, out, Product{});
}

LITTLESTONE_CLONES void distances(const double* points, std::size_t blocks, std::size_t width, const double* x,
                                  double* out) {
    sum_features(points, blocks, width, x, out, Difference{});
}

LITTLESTONE_CLONES bool squared_distances(double* values, const double* norms, double norm, std::size_t count) {
    int lost = 0;
    for (std::size_t p = 0; p < count; ++p) {
        const double both = norms[p] + norm;
        values[p] = both - 2.0 * values[p];
        lost |= !(values[p] >= cancelled * both);
    }
    return lost != 0;
}

LITTLESTONE_CLONES void exponentials(double* values, double gamma, std::size_t count) {
    for (std::size_t p = 0; p < count; ++p) values[p] = exp_of_negative(std::min(-gamma * values[p], 0.0));
}

LITTLESTONE_CLONES double weighted_sum(const double* a, const double* b, std::size_t count) {
    Eight s[4] = {};
    for (std::size_t p = 0; p < count; p += size)
        for (std::size_t k = 0; k < 4; ++k) {
            Eight left, right;
            read(left, a + p + 8 * k);
            read(right, b + p + 8 * k);
            s[k] += left * right;
        }
    double lane[size];
    std::memcpy(lane, s, sizeof(lane));
    for (std::size_t width = size / 2; width > 0; width /= 2)
        for (std::size_t k = 0; k < width; ++k) lane[k] += lane[k + width];
    return lane[0];
}

}  // namespace littlestone::blocks
