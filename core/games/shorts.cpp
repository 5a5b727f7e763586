#include "shorts.h"

#include <algorithm>

#include "../clones.h"
#include "../registers.h"
#include "../wide.h"

namespace littlestone::games {
namespace {

LITTLESTONE_CLONES void add_plainly(const WeighedRow* rows, std::size_t count, std::int32_t* __restrict sum,
                                    std::size_t columns) {
    for (std::size_t k = 0; k < count; ++k) {
        const std::int16_t* const row = rows[k].row;
        const auto weight = static_cast<std::int16_t>(rows[k].weight);
        for (std::size_t j = 0; j < columns; ++j) sum[j] += row[j] * weight;
    }
}

#if defined(LITTLESTONE_WIDE)
// Two rows at a time: their numbers side by side are multiplied with both weights and added in one instruction.
template <int Lines>
LITTLESTONE_WIDE inline void add_lines(const WeighedRow* rows, std::size_t count, std::int32_t* sum, std::size_t j) {
    __m512i low[Lines], high[Lines];
    for (int line = 0; line < Lines; ++line) low[line] = high[line] = _mm512_setzero_si512();
    for (std::size_t k = 0; k < count; k += 2) {
        const WeighedRow &one = rows[k], other = k + 1 < count ? rows[k + 1] : WeighedRow{one.row, 0};
        const __m512i weights = _mm512_set1_epi32(one.weight | other.weight << 16);
        for (int line = 0; line < Lines; ++line) {
            const __m512i a = _mm512_loadu_si512(one.row + j + shorts_per_line * line);
            const __m512i b = _mm512_loadu_si512(other.row + j + shorts_per_line * line);
            low[line] = _mm512_add_epi32(low[line], _mm512_madd_epi16(_mm512_unpacklo_epi16(a, b), weights));
            high[line] = _mm512_add_epi32(high[line], _mm512_madd_epi16(_mm512_unpackhi_epi16(a, b), weights));
        }
    }
    // Of each eight numbers, the first four are in `low`.
    const __m512i first = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
    const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
    for (int line = 0; line < Lines; ++line) {
        std::int32_t* const to = sum + j + shorts_per_line * line;
        for (int half = 0; half < 2; ++half) {
            const __m512i ordered = _mm512_permutex2var_epi32(low[line], half == 0 ? first : second, high[line]);
            _mm512_storeu_si512(to + 16 * half, _mm512_add_epi32(_mm512_loadu_si512(to + 16 * half), ordered));
        }
    }
}

LITTLESTONE_WIDE void add_widely(const WeighedRow* rows, std::size_t count, std::int32_t* sum, std::size_t columns) {
    std::size_t j = 0;
    for (; j + 2 * shorts_per_line <= columns; j += 2 * shorts_per_line) add_lines<2>(rows, count, sum, j);
    for (; j < columns; j += shorts_per_line) add_lines<1>(rows, count, sum, j);
}

void add_some(const WeighedRow* rows, std::size_t count, std::int32_t* sum, std::size_t columns) {
    (nonzeros::wide::possible ? add_widely : add_plainly)(rows, count, sum, columns);
}
#else
void add_some(const WeighedRow* rows, std::size_t count, std::int32_t* sum, std::size_t columns) {
    add_plainly(rows, count, sum, columns);
}
#endif

template <class Value>
LITTLESTONE_INLINE void shorten_all(const Value* row, std::size_t columns, double zero, double scale,
                                    std::int16_t* __restrict out) {
    for (std::size_t j = 0; j < columns; ++j) out[j] = shortened(static_cast<double>(row[j]), zero, scale);
}

}  // namespace

void add_rows(const WeighedRow* rows, std::size_t count, std::int32_t* sum, std::size_t columns) {
    // Sums stay in registers while a few rows pass by, and rows in the first cache while all of their columns do.
    const std::size_t together = std::max<std::size_t>(16, (std::size_t{1} << 15) / columns / 2 * 2);
    for (std::size_t k = 0; k < count; k += together) add_some(rows + k, std::min(together, count - k), sum, columns);
}

LITTLESTONE_CLONES std::int64_t count_units(const double* x, double units, std::int32_t* __restrict counts,
                                            std::size_t count) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += counts[i] = static_cast<std::int32_t>(x[i] * units + 0.5);
    return sum;
}
LITTLESTONE_CLONES void multiply(const std::int32_t* counts, double by, double* __restrict out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = counts[i] * by;
}
LITTLESTONE_CLONES void add_multiple(const std::int32_t* sum, double by, double* __restrict out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] += sum[i] * by;
}
LITTLESTONE_CLONES void shorten(const float* row, std::size_t columns, double zero, double scale, std::int16_t* out) {
    shorten_all(row, columns, zero, scale, out);
}
LITTLESTONE_CLONES void shorten(const double* row, std::size_t columns, double zero, double scale, std::int16_t* out) {
    shorten_all(row, columns, zero, scale, out);
}

}  // namespace littlestone::games
