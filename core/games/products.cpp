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

// Takes the entries of a row from j on into what is known of the row and of their columns.
template <class Value>
LITTLESTONE_INLINE void widen_line(const Value* row, double* column_low, double* column_high, Pack& least, Pack& most) {
    Pack x, low, high;
    read(x, row);
    read(low, column_low);
    read(high, column_high);
    least = x < least ? x : least;
    most = x > most ? x : most;
    low = x < low ? x : low;
    high = x > high ? x : high;
    std::memcpy(column_low, &low, sizeof(low));
    std::memcpy(column_high, &high, sizeof(high));
}

template <class Value>
LITTLESTONE_INLINE void widen_dense(const Value* row, std::size_t columns, double* column_low, double* column_high,
                                    double& low, double& high) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Pack least = Pack{} + infinity, most = Pack{} - infinity;
    std::size_t j = 0;
    for (; j + lanes <= columns; j += lanes) widen_line(row + j, column_low + j, column_high + j, least, most);
    low = infinity, high = -infinity;
    for (std::size_t k = 0; k < lanes; ++k) low = std::min(low, least[k]), high = std::max(high, most[k]);
    for (; j < columns; ++j) {
        const double x = row[j];
        low = std::min(low, x), high = std::max(high, x);
        column_low[j] = std::min(column_low[j], x), column_high[j] = std::max(column_high[j], x);
    }
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
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr std::size_t chains = 4;  // a comparison need not wait for the one before it
    vectors::Extremes found{infinity, -infinity};
    Pack least[chains], most[chains], now, to;
    for (std::size_t c = 0; c < chains; ++c) least[c] = Pack{} + infinity, most[c] = Pack{} - infinity;
    std::size_t i = 0;
    for (; i + chains * lanes <= count; i += chains * lanes)
        for (std::size_t c = 0; c < chains; ++c) {
            read(now, mean + i + c * lanes);
            read(to, value + i + c * lanes);
            now += share * (to - now);
            least[c] = now < least[c] ? now : least[c];
            most[c] = now > most[c] ? now : most[c];
            std::memcpy(mean + i + c * lanes, &now, sizeof(now));
        }
    for (std::size_t c = 1; c < chains; ++c) {
        least[0] = least[c] < least[0] ? least[c] : least[0];
        most[0] = most[c] > most[0] ? most[c] : most[0];
    }
    for (std::size_t k = 0; i > 0 && k < lanes; ++k) found.take(least[0][k]), found.take(most[0][k]);
    for (; i < count; ++i) found.take(mean[i] += share * (value[i] - mean[i]));
    return found;
}
LITTLESTONE_CLONES void widen(const float* row, std::size_t columns, double* column_low, double* column_high,
                              double& low, double& high) {
    widen_dense(row, columns, column_low, column_high, low, high);
}
LITTLESTONE_CLONES void widen(const double* row, std::size_t columns, double* column_low, double* column_high,
                              double& low, double& high) {
    widen_dense(row, columns, column_low, column_high, low, high);
}

}  // namespace littlestone::games
