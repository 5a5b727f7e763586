#include "wide.h"

#include <algorithm>

#include "memory.h"
#include "registers.h"

#if defined(LITTLESTONE_WIDE)
namespace littlestone::nonzeros::wide {
namespace {

// The sum of x[i] * y[i] over the nonzeros of x: their products are moved together, and every eight of them are added.
template <class Value, class Other>
LITTLESTONE_WIDE double packed_sum(const Value* x, const Other* y, std::size_t count, double last) {
    const __m512i places = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    __m512d sum[2] = {_mm512_setzero_pd(), _mm512_setzero_pd()}, waiting = _mm512_setzero_pd();
    std::size_t kept = 0;  // products so far; kept % 8 of them wait
    for (std::size_t k = 0; k < count; k += 8) {
        const __mmask8 given = first(count - k);
        const __m512d value = read(given, x + k);
        const __mmask8 there = _mm512_mask_cmp_pd_mask(given, value, _mm512_setzero_pd(), _CMP_NEQ_UQ);
        const __m512d fresh = _mm512_maskz_compress_pd(there, _mm512_mul_pd(value, read(given, y + k)));
        const unsigned before = kept % 8, now = before + static_cast<unsigned>(__builtin_popcount(there));
        const auto old = static_cast<__mmask8>((1u << before) - 1);
        const __m512i moved = _mm512_add_epi64(places, _mm512_set1_epi64(8 - static_cast<int>(before)));
        waiting = _mm512_permutex2var_pd(waiting, _mm512_mask_mov_epi64(moved, old, places), fresh);
        if (now >= 8) {
            sum[kept / 8 % 2] = _mm512_add_pd(sum[kept / 8 % 2], waiting);
            waiting = _mm512_maskz_permutexvar_pd(old, moved, fresh);
        }
        kept += now - before;
    }
    sum[kept / 8 % 2] = _mm512_add_pd(sum[kept / 8 % 2], waiting);
    return total(sum[0], sum[1], kept, last);
}

template <class Value>
LITTLESTONE_WIDE double dense_dot(const Value* x, std::size_t count, const double* w, double last) {
    __m512d low = _mm512_setzero_pd(), high = low;
    unsigned zeros = 0;
    for (std::size_t k = 0; k < count; k += 16) {
        ask_ahead(x + k, 16);
        const __mmask8 here = first(count - k), behind = count - k > 8 ? first(count - k - 8) : 0;
        const __m512d a = read(here, x + k), b = read(behind, x + k + 8);
        zeros |= _mm512_mask_cmp_pd_mask(here, a, _mm512_setzero_pd(), _CMP_EQ_OQ);
        zeros |= _mm512_mask_cmp_pd_mask(behind, b, _mm512_setzero_pd(), _CMP_EQ_OQ);
        low = _mm512_add_pd(low, _mm512_mul_pd(a, read(here, w + k)));
        high = _mm512_add_pd(high, _mm512_mul_pd(b, read(behind, w + k + 8)));
    }
    return zeros == 0 ? total(low, high, count, last) : packed_sum(x, w, count, last);
}

}  // namespace

const bool possible = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("popcnt");

double dot(const float* x, std::size_t count, const double* w, double last) { return dense_dot(x, count, w, last); }
double dot(const double* x, std::size_t count, const double* w, double last) { return dense_dot(x, count, w, last); }

}  // namespace littlestone::nonzeros::wide
#else
namespace littlestone::nonzeros::wide {

const bool possible = false;

double dot(const float*, std::size_t, const double*, double) { return 0.0; }
double dot(const double*, std::size_t, const double*, double) { return 0.0; }

}  // namespace littlestone::nonzeros::wide
#endif
