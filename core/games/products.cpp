#include "products.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "../clones.h"

namespace littlestone::games {
namespace {

// Entry j of a row is added into lane j mod 8, and the lanes are added pairwise at the end.
typedef double Pack __attribute__((vector_size(64)));
constexpr std::size_t lanes = 8;
// So many rows share each load of q, and each load and store of pA.
constexpr std::size_t together = 4;

// Arrays are aligned to a number only, so they are copied in.
LITTLESTONE_INLINE void read(Pack& to, const double* from) { std::memcpy(&to, from, sizeof(to)); }
LITTLESTONE_INLINE void read(Pack& to, const float* from) {
    typedef float Half __attribute__((vector_size(32)));
    Half half;
    std::memcpy(&half, from, sizeof(half));
    to = __builtin_convertvector(half, Pack);
}

LITTLESTONE_INLINE double total(const Pack& pack) {
    double sum[lanes];
    std::memcpy(sum, &pack, sizeof(sum));
    for (std::size_t width = lanes / 2; width > 0; width /= 2)
        for (std::size_t k = 0; k < width; ++k) sum[k] += sum[k + width];
    return sum[0];
}

template <std::size_t Count, class Value>
LITTLESTONE_INLINE void dot_rows(const Value* const (&row)[Count], const double* q, std::size_t columns, double* out) {
    Pack sum[Count] = {}, weight, entries;
    std::size_t j = 0;
    for (; j + lanes <= columns; j += lanes) {
        read(weight, q + j);
        for (std::size_t r = 0; r < Count; ++r) {
            __builtin_prefetch(row[r] + j + 1024 / sizeof(Value));
            read(entries, row[r] + j);
            sum[r] += entries * weight;
        }
    }
    double last[lanes] = {}, here[lanes] = {};
    std::copy(q + j, q + columns, last);
    read(weight, last);
    for (std::size_t r = 0; r < Count; ++r) {
        if (j < columns) {
            std::copy(row[r] + j, row[r] + columns, here);
            read(entries, here);
            sum[r] += entries * weight;
        }
        out[r] = total(sum[r]);
    }
}

template <class Value>
LITTLESTONE_INLINE void times_dense(const Dense<Value>& A, const double* q, double* Aq) {
    std::size_t i = 0;
    for (; i + together <= A.rows; i += together) {
        const Value* const row[together] = {A.row(i), A.row(i + 1), A.row(i + 2), A.row(i + 3)};
        dot_rows<together>(row, q, A.columns, Aq + i);
    }
    for (; i < A.rows; ++i) {
        const Value* const row[1] = {A.row(i)};
        dot_rows<1>(row, q, A.columns, Aq + i);
    }
}

// A best response is one column; a cache line holds 8 or 16 values, so few nonzeros are cheaper by columns.
template <class Value>
LITTLESTONE_INLINE bool times_few(const Dense<Value>& A, const double* q, double* Aq) {
    constexpr std::size_t few = 64;
    std::size_t column[few], count = 0;
    for (std::size_t j = 0; j < A.columns; ++j) {
        if (q[j] == 0.0) continue;
        if (count == few || (count + 1) * 16 > A.columns) return false;
        column[count++] = j;
    }
    for (std::size_t i = 0; i < A.rows; ++i) {
        double sum = 0.0;
        for (std::size_t c = 0; c < count; ++c) sum += static_cast<double>(A.row(i)[column[c]]) * q[column[c]];
        Aq[i] = sum;
    }
    return true;
}

template <std::size_t Count, class Value>
LITTLESTONE_INLINE void add_rows(const Value* const (&row)[Count], const double (&p)[Count], double* __restrict pA,
                                 std::size_t columns) {
    for (std::size_t j = 0; j < columns; ++j) {
        double sum = pA[j];
        for (std::size_t r = 0; r < Count; ++r) sum += p[r] * static_cast<double>(row[r][j]);
        pA[j] = sum;
    }
}

template <class Value>
LITTLESTONE_INLINE void transposed_times_dense(const Dense<Value>& A, const double* p, double* pA) {
    std::fill(pA, pA + A.columns, 0.0);
    const Value* row[together];
    double weight[together];
    std::size_t held = 0;
    for (std::size_t i = 0; i < A.rows; ++i) {
        if (p[i] == 0.0) continue;
        row[held] = A.row(i);
        weight[held] = p[i];
        if (++held < together) continue;
        add_rows(row, weight, pA, A.columns);
        held = 0;
    }
    for (std::size_t r = 0; r < held; ++r) {
        const Value* const rows[1] = {row[r]};
        const double one[1] = {weight[r]};
        add_rows(rows, one, pA, A.columns);
    }
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t chains = 4;  // of comparisons, none of which need wait for the others

// The extremes of numbers that come in packs.
struct PackedExtremes {
    Pack least[chains], most[chains];

    LITTLESTONE_INLINE PackedExtremes() {
        for (std::size_t c = 0; c < chains; ++c) least[c] = Pack{} + infinity, most[c] = Pack{} - infinity;
    }
    LITTLESTONE_INLINE void take(std::size_t c, const Pack& now) {
        least[c] = now < least[c] ? now : least[c];
        most[c] = now > most[c] ? now : most[c];
    }
    LITTLESTONE_INLINE vectors::Extremes total() {
        for (std::size_t c = 1; c < chains; ++c) {
            least[0] = least[c] < least[0] ? least[c] : least[0];
            most[0] = most[c] > most[0] ? most[c] : most[0];
        }
        double low[lanes], high[lanes];
        std::memcpy(low, &least[0], sizeof(low));
        std::memcpy(high, &most[0], sizeof(high));
        for (std::size_t width = lanes / 2; width > 0; width /= 2)
            for (std::size_t k = 0; k < width; ++k) {
                low[k] = low[k + width] < low[k] ? low[k + width] : low[k];
                high[k] = high[k + width] > high[k] ? high[k + width] : high[k];
            }
        return {low[0], high[0]};
    }
};

template <class Value>
LITTLESTONE_INLINE vectors::Extremes extremes_of(const Value* row, std::size_t columns) {
    PackedExtremes packed;
    std::size_t j = 0;
    Pack now;
    for (; j + chains * lanes <= columns; j += chains * lanes)
        for (std::size_t c = 0; c < chains; ++c) {
            read(now, row + j + c * lanes);
            packed.take(c, now);
        }
    for (; j + lanes <= columns; j += lanes) {
        read(now, row + j);
        packed.take(0, now);
    }
    if (j < columns) {
        Value last[lanes];
        std::fill(last, last + lanes, row[j]);
        std::copy(row + j, row + columns, last);
        read(now, last);
        packed.take(1, now);
    }
    return packed.total();
}

}  // namespace

LITTLESTONE_CLONES void times(const Dense<float>& A, const double* q, double* Aq) {
    if (!times_few(A, q, Aq)) times_dense(A, q, Aq);
}
LITTLESTONE_CLONES void times(const Dense<double>& A, const double* q, double* Aq) {
    if (!times_few(A, q, Aq)) times_dense(A, q, Aq);
}
LITTLESTONE_CLONES void transposed_times(const Dense<float>& A, const double* p, double* pA) {
    transposed_times_dense(A, p, pA);
}
LITTLESTONE_CLONES void transposed_times(const Dense<double>& A, const double* p, double* pA) {
    transposed_times_dense(A, p, pA);
}
LITTLESTONE_CLONES void transpose(const Dense<std::int16_t>& A, std::int16_t* out, std::size_t stride) {
    constexpr std::size_t tile = 16;
    for (std::size_t i = 0; i < A.rows; i += tile)
        for (std::size_t j = 0; j < A.columns; j += tile)
            for (std::size_t r = i; r < std::min(i + tile, A.rows); ++r)
                for (std::size_t c = j; c < std::min(j + tile, A.columns); ++c) out[c * stride + r] = A.row(r)[c];
}
LITTLESTONE_CLONES void move_towards(double* mean, const double* value, double share, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) mean[i] += share * (value[i] - mean[i]);
}
LITTLESTONE_CLONES vectors::Extremes moved_towards(double* mean, const double* value, double share, std::size_t count) {
    PackedExtremes packed;
    std::size_t i = 0;
    Pack now, to;
    for (; i + chains * lanes <= count; i += chains * lanes)
        for (std::size_t c = 0; c < chains; ++c) {
            read(now, mean + i + c * lanes);
            read(to, value + i + c * lanes);
            now += share * (to - now);
            packed.take(c, now);
            std::memcpy(mean + i + c * lanes, &now, sizeof(now));
        }
    vectors::Extremes found = packed.total();
    for (; i < count; ++i) found.take(mean[i] += share * (value[i] - mean[i]));
    return found;
}
LITTLESTONE_CLONES vectors::Extremes extremes(const float* row, std::size_t columns) {
    return extremes_of(row, columns);
}
LITTLESTONE_CLONES vectors::Extremes extremes(const double* row, std::size_t columns) {
    return extremes_of(row, columns);
}

}  // namespace littlestone::games
