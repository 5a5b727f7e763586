#include "shorts.h"

#include <algorithm>
#include <numeric>

#include "../clones.h"
#include "../registers.h"
#include "../wide.h"

namespace littlestone::games {
namespace {

// So many rows share each load and store of the sums.
template <std::size_t Count>
LITTLESTONE_INLINE void add_some_rows(const WeighedRows& rows, std::size_t k, std::int32_t* __restrict sum,
                                      std::size_t columns) {
    const std::int16_t* row[Count];
    std::int32_t weight[Count];
    for (std::size_t r = 0; r < Count; ++r) row[r] = rows.row(k + r), weight[r] = rows.weight[k + r];
    for (std::size_t j = 0; j < columns; ++j) {
        std::int32_t here = sum[j];
        for (std::size_t r = 0; r < Count; ++r) here += weight[r] * row[r][j];
        sum[j] = here;
    }
}

LITTLESTONE_CLONES void add_plainly(const WeighedRows& rows, std::int32_t* sum, bool afresh) {
    if (afresh) std::fill(sum, sum + rows.stride, 0);
    std::size_t k = 0;
    for (; k + 4 <= rows.count; k += 4) add_some_rows<4>(rows, k, sum, rows.stride);
    for (; k < rows.count; ++k) add_some_rows<1>(rows, k, sum, rows.stride);
}

LITTLESTONE_CLONES Counted count_plainly(const double* x, double units, std::size_t count,
                                         std::int32_t* __restrict counts, std::uint32_t* place, std::int32_t* weight) {
    Counted found{0, 0, 0};
    for (std::size_t i = 0; i < count; ++i) {
        found.sum += counts[i] = static_cast<std::int32_t>(x[i] * units + 0.5);
        found.most = std::max(found.most, counts[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {  // without a jump that half of the actions would take
        place[found.used] = static_cast<std::uint32_t>(i);
        weight[found.used] = counts[i];
        found.used += counts[i] > 0 ? 1 : 0;
    }
    return found;
}

#if defined(LITTLESTONE_WIDE)
// Two rows at a time: their numbers side by side are multiplied with both weights and added in one instruction.
template <int Lines>
LITTLESTONE_WIDE inline void add_lines(const WeighedRows& rows, std::int32_t* sum, bool afresh, std::size_t j) {
    __m512i low[Lines], high[Lines];
    for (int line = 0; line < Lines; ++line) low[line] = high[line] = _mm512_setzero_si512();
    for (std::size_t k = 0; k < rows.count; k += 2) {
        const std::size_t other = k + 1 < rows.count ? k + 1 : k;
        const std::int32_t second_weight = other > k ? rows.weight[other] : 0;
        const std::int16_t *const one = rows.row(k) + j, *const two = rows.row(other) + j;
        const __m512i weights = _mm512_set1_epi32(rows.weight[k] | second_weight << 16);
        for (int line = 0; line < Lines; ++line) {
            const __m512i a = _mm512_loadu_si512(one + shorts_per_line * line);
            const __m512i b = _mm512_loadu_si512(two + shorts_per_line * line);
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
            const __m512i before = afresh ? _mm512_setzero_si512() : _mm512_loadu_si512(to + 16 * half);
            _mm512_storeu_si512(to + 16 * half, _mm512_add_epi32(before, ordered));
        }
    }
}

LITTLESTONE_WIDE void add_widely(const WeighedRows& rows, std::int32_t* sum, bool afresh) {
    std::size_t j = 0;
    for (; j + 2 * shorts_per_line <= rows.stride; j += 2 * shorts_per_line) add_lines<2>(rows, sum, afresh, j);
    for (; j < rows.stride; j += shorts_per_line) add_lines<1>(rows, sum, afresh, j);
}

LITTLESTONE_WIDE Counted count_widely(const double* x, double units, std::size_t count, std::int32_t* counts,
                                      std::uint32_t* place, std::int32_t* weight) {
    const __m512d unit = _mm512_set1_pd(units), half = _mm512_set1_pd(0.5);
    __m256i sum = _mm256_setzero_si256(), most = sum, here = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    std::size_t used = 0;
    for (std::size_t i = 0; i < count; i += 8, here = _mm256_add_epi32(here, _mm256_set1_epi32(8))) {
        const __mmask8 there = nonzeros::wide::first(count - i);
        const __m512d scaled = _mm512_mul_pd(nonzeros::wide::read(there, x + i), unit);
        const __m256i now = _mm512_cvttpd_epi32(_mm512_add_pd(scaled, half));
        const __mmask8 played = _mm256_cmpgt_epi32_mask(now, _mm256_setzero_si256());
        sum = _mm256_add_epi32(sum, now);
        most = _mm256_max_epi32(most, now);
        _mm256_mask_storeu_epi32(counts + i, there, now);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(place + used), _mm256_maskz_compress_epi32(played, here));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(weight + used), _mm256_maskz_compress_epi32(played, now));
        used += static_cast<std::size_t>(_mm_popcnt_u32(played));
    }
    alignas(32) std::int32_t sums[8], largest[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(sums), sum);
    _mm256_store_si256(reinterpret_cast<__m256i*>(largest), most);
    return {std::accumulate(sums, sums + 8, 0), *std::max_element(largest, largest + 8), used};
}

void add_some(const WeighedRows& rows, std::int32_t* sum, bool afresh) {
    (nonzeros::wide::possible ? add_widely : add_plainly)(rows, sum, afresh);
}
#else
void add_some(const WeighedRows& rows, std::int32_t* sum, bool afresh) { add_plainly(rows, sum, afresh); }
#endif

}  // namespace

void pick_plainly(const Picked& picked, const std::int16_t* row, std::int16_t* out) {
    for (const auto& line : picked.lines_) {
        for (std::size_t k = 0; k < line.count; ++k) out[k] = row[line.place[k]];
        row += shorts_per_line;
        out += line.count;
    }
}
#if defined(LITTLESTONE_WIDE)
LITTLESTONE_WIDE void pick_widely(const Picked& picked, const std::int16_t* row, std::int16_t* out) {
    for (const auto& line : picked.lines_) {
        const __m512i place = _mm512_loadu_si512(line.place), here = _mm512_loadu_si512(row);
        _mm512_storeu_si512(out, _mm512_permutexvar_epi16(place, here));
        row += shorts_per_line;
        out += line.count;
    }
}
#endif

namespace {

template <class Value>
LITTLESTONE_INLINE void shorten_all(const Value* row, std::size_t columns, double zero, double scale,
                                    std::int16_t* __restrict out) {
    for (std::size_t j = 0; j < columns; ++j) out[j] = shortened(static_cast<double>(row[j]), zero, scale);
}

}  // namespace

void add_up(const WeighedRows& rows, std::int32_t* sum) {
    // Sums stay in registers while a few rows pass by, and rows in the first cache while all of their columns do.
    const std::size_t together = std::max<std::size_t>(16, (std::size_t{1} << 15) / rows.stride / 2 * 2);
    WeighedRows some = rows;
    for (std::size_t k = 0; k < rows.count; k += together) {
        some.place = rows.place + k;
        some.weight = rows.weight + k;
        some.count = std::min(together, rows.count - k);
        add_some(some, sum, k == 0);
    }
}

Counted count_units(const double* x, double units, std::size_t count, std::int32_t* counts, std::uint32_t* place,
                    std::int32_t* weight) {
#if defined(LITTLESTONE_WIDE)
    if (nonzeros::wide::possible) return count_widely(x, units, count, counts, place, weight);
#endif
    return count_plainly(x, units, count, counts, place, weight);
}
Picked::Picked(const std::vector<std::size_t>& places, std::size_t columns)
    : lines_((columns + shorts_per_line - 1) / shorts_per_line) {
    for (const std::size_t place : places) {
        Line& line = lines_[place / shorts_per_line];
        line.place[line.count++] = static_cast<std::int16_t>(place % shorts_per_line);
    }
}
void Picked::copy(const std::int16_t* row, std::int16_t* out) const {
#if defined(LITTLESTONE_WIDE)
    if (nonzeros::wide::possible) return pick_widely(*this, row, out);
#endif
    pick_plainly(*this, row, out);
}

LITTLESTONE_CLONES void multiply(const std::int32_t* counts, double by, double* __restrict out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = counts[i] * by;
}
LITTLESTONE_CLONES void add_multiple(const std::int32_t* sum, double by, double* __restrict out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] += sum[i] * by;
}
LITTLESTONE_CLONES void fill(std::int16_t* out, std::size_t count, std::int16_t value) {
    for (std::size_t j = 0; j < count; ++j) out[j] = value;
}
LITTLESTONE_CLONES void shorten(const float* row, std::size_t columns, double zero, double scale, std::int16_t* out) {
    shorten_all(row, columns, zero, scale, out);
}
LITTLESTONE_CLONES void shorten(const double* row, std::size_t columns, double zero, double scale, std::int16_t* out) {
    shorten_all(row, columns, zero, scale, out);
}

}  // namespace littlestone::games
