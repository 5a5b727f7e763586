// The registers of AVX-512, for the files of wide.h: eight doubles, some of which may not be there.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && !defined(LITTLESTONE_PLAIN)
#include <immintrin.h>

#include <cstddef>

// GCC 12 warns of numbers that its own header leaves undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#define LITTLESTONE_WIDE __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")))

namespace littlestone::nonzeros::wide {

LITTLESTONE_WIDE inline __mmask8 first(std::size_t count) {
    return count >= 8 ? 0xFF : static_cast<__mmask8>((1u << count) - 1);
}
LITTLESTONE_WIDE inline __m512d read(__mmask8 there, const double* from) { return _mm512_maskz_loadu_pd(there, from); }
LITTLESTONE_WIDE inline __m512d read(__mmask8 there, const float* from) {
    return _mm512_maskz_cvtps_pd(there, _mm256_maskz_loadu_ps(there, from));
}
// Lanes 0 to 7 and 8 to 15 of a sum, and one number more for the lane behind the others.
LITTLESTONE_WIDE inline double total(__m512d low, __m512d high, std::size_t count, double last) {
    const unsigned place = 1u << count % 16;
    low = _mm512_mask_add_pd(low, static_cast<__mmask8>(place), low, _mm512_set1_pd(last));
    high = _mm512_mask_add_pd(high, static_cast<__mmask8>(place >> 8), high, _mm512_set1_pd(last));
    const __m512d eight = _mm512_add_pd(low, high);
    const __m256d four = _mm256_add_pd(_mm512_castpd512_pd256(eight), _mm512_maskz_extractf64x4_pd(0xF, eight, 1));
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(two) + _mm_cvtsd_f64(_mm_unpackhi_pd(two, two));
}

}  // namespace littlestone::nonzeros::wide
#endif
