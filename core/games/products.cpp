#include "products.h"

#include <algorithm>
#include <array>
#include <limits>

#include "../clones.h"

#define LITTLESTONE_INLINE inline __attribute__((always_inline))

namespace littlestone::games {
namespace {

// Entry j of a row is added into lane j mod 8, and the lanes are added pairwise at the end.
constexpr std::size_t lanes = 8;
// So many rows share each load of q, and each load and store of pA.
constexpr std::size_t together = 4;

using Lane = std::array<double, lanes>;

LITTLESTONE_INLINE double total(Lane sum) {
    for (std::size_t width = lanes / 2; width > 0; width /= 2)
        for (std::size_t k = 0; k < width; ++k) sum[k] += sum[k + width];
    return sum[0];
}

template <std::size_t Count, class Value>
LITTLESTONE_INLINE void dot_rows(const Value* const (&row)[Count], const double* q, std::size_t columns, double* out) {
    Lane sum[Count] = {};
    std::size_t j = 0;
    for (; j + lanes <= columns; j += lanes)
        for (std::size_t r = 0; r < Count; ++r) {
            __builtin_prefetch(row[r] + j + 1024 / sizeof(Value));
            for (std::size_t k = 0; k < lanes; ++k) sum[r][k] += static_cast<double>(row[r][j + k]) * q[j + k];
        }
    for (std::size_t r = 0; r < Count; ++r) {
        for (std::size_t k = 0; j + k < columns; ++k) sum[r][k] += static_cast<double>(row[r][j + k]) * q[j + k];
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
    constexpr std::size_t few = 8;
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
        const Value* const rows[together] = {row[0], row[1], row[2], row[3]};
        add_rows<together>(rows, weight, pA, A.columns);
        held = 0;
    }
    for (std::size_t r = 0; r < held; ++r) {
        const Value* const rows[1] = {row[r]};
        const double one[1] = {weight[r]};
        add_rows<1>(rows, one, pA, A.columns);
    }
}

template <class Value>
LITTLESTONE_INLINE void widen_dense(const Value* row, std::size_t columns, double* __restrict column_low,
                                    double* __restrict column_high, double& low, double& high) {
    Lane least, most;
    least.fill(std::numeric_limits<double>::infinity());
    most.fill(-std::numeric_limits<double>::infinity());
    for (std::size_t j = 0; j < columns; j += lanes)
        for (std::size_t k = 0; k < std::min(lanes, columns - j); ++k) {
            const double x = row[j + k];
            least[k] = x < least[k] ? x : least[k];
            most[k] = x > most[k] ? x : most[k];
        }
    for (std::size_t j = 0; j < columns; ++j) {
        const double x = row[j];
        column_low[j] = x < column_low[j] ? x : column_low[j];
        column_high[j] = x > column_high[j] ? x : column_high[j];
    }
    low = *std::min_element(least.begin(), least.end());
    high = *std::max_element(most.begin(), most.end());
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
LITTLESTONE_CLONES void widen(const float* row, std::size_t columns, double* column_low, double* column_high,
                              double& low, double& high) {
    widen_dense(row, columns, column_low, column_high, low, high);
}
LITTLESTONE_CLONES void widen(const double* row, std::size_t columns, double* column_low, double* column_high,
                              double& low, double& high) {
    widen_dense(row, columns, column_low, column_high, low, high);
}

}  // namespace littlestone::games
