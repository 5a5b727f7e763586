#include "pack.h"

#include <algorithm>
#include <cstdint>

#include "clones.h"
#include "sums.h"
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#include <immintrin.h>
#define LITTLESTONE_PACKS
#endif

namespace littlestone::pack {
namespace {

// Writes the products of the nonzeros one behind another and says how many they are; up to eight numbers behind them
// may be written over.
template <class Value, class Other>
std::size_t products(const Value* x, const Other* y, std::size_t count, double* to) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {  // without a branch: where the zeros are is anybody's guess
        to[kept] = static_cast<double>(x[i]) * static_cast<double>(y[i]);
        kept += x[i] != Value{0};
    }
    return kept;
}

#ifdef LITTLESTONE_PACKS
#define LITTLESTONE_EIGHTS __attribute__((target("avx512f,popcnt")))

LITTLESTONE_EIGHTS inline __m512d eight(const double* from) { return _mm512_loadu_pd(from); }
LITTLESTONE_EIGHTS inline __m512d eight(const float* from) {
    return _mm512_maskz_cvtps_pd(0xFF, _mm256_loadu_ps(from));
}

template <class Value, class Other>
LITTLESTONE_EIGHTS std::size_t products_by_eight(const Value* x, const Other* y, std::size_t count, double* to) {
    std::size_t kept = 0, i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m512d value = eight(x + i);
        const __mmask8 there = _mm512_cmp_pd_mask(value, _mm512_setzero_pd(), _CMP_NEQ_UQ);
        _mm512_storeu_pd(to + kept, _mm512_maskz_compress_pd(there, _mm512_mul_pd(value, eight(y + i))));
        kept += static_cast<std::size_t>(__builtin_popcount(there));
    }
    return kept + products(x + i, y + i, count - i, to + kept);
}

bool has_eights() {
    static const bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("popcnt");
    return can;
}
#endif

template <class Value, class Other>
std::size_t packed(const Value* x, const Other* y, std::size_t count, double* to) {
#ifdef LITTLESTONE_PACKS
    if (has_eights()) return products_by_eight(x, y, count, to);
#endif
    return products(x, y, count, to);
}

LITTLESTONE_CLONES void add_to_lanes(Lanes& sum, const double* products, std::size_t count) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) sum.lane[k] += products[i + k];
    for (std::size_t k = 0; i + k < count; ++k) sum.lane[k] += products[i + k];
}

template <class Value, class Other>
double sum_of(const Value* x, const Other* y, std::size_t count) {
    constexpr std::size_t block = 1024;
    double product[lanes + block + 8];
    Lanes sum;
    std::size_t kept = 0;
    for (std::size_t from = 0; from < count; from += block) {
        kept += packed(x + from, y + from, std::min(block, count - from), product + kept);
        const std::size_t whole = kept / lanes * lanes;
        add_to_lanes(sum, product, whole);
        std::copy(product + whole, product + kept, product);
        kept -= whole;
    }
    add_to_lanes(sum, product, kept);
    return sum.total();
}

}  // namespace

double sum(const float* x, const double* y, std::size_t count) { return sum_of(x, y, count); }
double sum(const double* x, const double* y, std::size_t count) { return sum_of(x, y, count); }
double sum(const float* x, const float* y, std::size_t count) { return sum_of(x, y, count); }

}  // namespace littlestone::pack
