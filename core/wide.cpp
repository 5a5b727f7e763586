#include "wide.h"

#include <algorithm>

#include "registers.h"

#if defined(LITTLESTONE_WIDE)
namespace littlestone::nonzeros::wide {
namespace {

// Eight numbers, and the next eight.
struct Sixteen {
    __m512i low, high;
};

// The features of sixteen entries: listed; listed, copied and looked at; or the columns themselves.
template <class Index>
struct Listed {
    const Index* index;

    LITTLESTONE_WIDE inline Sixteen operator()(__mmask16 there, std::size_t k) {
        const auto low = static_cast<__mmask8>(there), high = static_cast<__mmask8>(there >> 8);
        if constexpr (sizeof(Index) == 4)
            return {_mm512_maskz_cvtepi32_epi64(low, _mm256_maskz_loadu_epi32(low, index + k)),
                    _mm512_maskz_cvtepi32_epi64(high, _mm256_maskz_loadu_epi32(high, index + k + 8))};
        else
            return {_mm512_maskz_loadu_epi64(low, index + k), _mm512_maskz_loadu_epi64(high, index + k + 8)};
    }
};
struct Columns {
    LITTLESTONE_WIDE inline Sixteen operator()(__mmask16, std::size_t k) {
        const __m512i low =
            _mm512_add_epi64(_mm512_set1_epi64(static_cast<long long>(k)), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
        return {low, _mm512_add_epi64(low, _mm512_set1_epi64(8))};
    }
};
// What is compared is what was copied: nobody can change it in between. Each index must be above the one before, the
// first above -1, and none beyond the last place.
struct CopiedNarrow {
    const std::int32_t* index;
    std::int32_t* to;
    __m512i last, before = _mm512_set1_epi32(-1);
    unsigned wrong = 0;

    LITTLESTONE_WIDE CopiedNarrow(const std::int32_t* index, std::int32_t* to, std::size_t width)
        : index(index),
          to(to),
          last(_mm512_set1_epi32(static_cast<std::int32_t>(std::min<std::size_t>(width, std::size_t{1} << 31) - 1))) {}
    LITTLESTONE_WIDE inline Sixteen operator()(__mmask16 there, std::size_t k) {
        const __m512i now = _mm512_maskz_loadu_epi32(there, index + k);
        _mm512_mask_storeu_epi32(to + k, there, now);
        wrong |= _mm512_mask_cmple_epi32_mask(there, now, _mm512_alignr_epi32(now, before, 15));
        wrong |= _mm512_mask_cmpgt_epi32_mask(there, now, last);
        before = now;
        return {_mm512_cvtepi32_epi64(_mm512_castsi512_si256(now)),
                _mm512_cvtepi32_epi64(_mm512_maskz_extracti64x4_epi64(0xF, now, 1))};
    }
};
struct CopiedFull {
    const std::int64_t* index;
    std::int64_t* to;
    __m512i last, before = _mm512_set1_epi64(-1);
    unsigned wrong = 0;

    LITTLESTONE_WIDE CopiedFull(const std::int64_t* index, std::int64_t* to, std::size_t width)
        : index(index), to(to), last(_mm512_set1_epi64(static_cast<long long>(width) - 1)) {}
    LITTLESTONE_WIDE inline __m512i half(__mmask8 there, std::size_t k) {
        const __m512i now = _mm512_maskz_loadu_epi64(there, index + k);
        _mm512_mask_storeu_epi64(to + k, there, now);
        wrong |= _mm512_mask_cmple_epi64_mask(there, now, _mm512_alignr_epi64(now, before, 7));
        wrong |= _mm512_mask_cmpgt_epi64_mask(there, now, last);
        before = now;
        return now;
    }
    LITTLESTONE_WIDE inline Sixteen operator()(__mmask16 there, std::size_t k) {
        const __m512i low = half(static_cast<__mmask8>(there), k);
        return {low, half(static_cast<__mmask8>(there >> 8), k + 8)};
    }
};

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

// As nonzeros.h has it.
LITTLESTONE_WIDE inline __m512i mixed_eight(__m512i feature, __m512d value) {
    const __m512i steps = _mm512_set1_epi64(static_cast<long long>(0xD6E8FEB86659FD93u));
    const __m512i spread = _mm512_mullo_epi64(feature, _mm512_set1_epi64(static_cast<long long>(0x9E3779B97F4A7C15u)));
    __m512i bits = _mm512_add_epi64(_mm512_castpd_si512(value), spread);
    bits = _mm512_xor_si512(bits, _mm512_srli_epi64(bits, 32));
    bits = _mm512_mullo_epi64(bits, steps);
    bits = _mm512_xor_si512(bits, _mm512_srli_epi64(bits, 32));
    bits = _mm512_mullo_epi64(bits, steps);
    return _mm512_xor_si512(bits, _mm512_srli_epi64(bits, 32));
}

struct Measuring {
    __m512d low, high;
    __m512i largest, hash;
    unsigned zeros;
};

// Which of sixteen entries are there, and whether the bits of one are the largest so far: magnitudes are ordered as the
// integers of their bits.
LITTLESTONE_WIDE inline __mmask16 look(Measuring& so_far, __mmask16 given, const float* x) {
    const __m512 value = _mm512_maskz_loadu_ps(given, x);
    const __m512i bits = _mm512_and_si512(_mm512_castps_si512(value), _mm512_set1_epi32(0x7FFFFFFF));
    so_far.largest = _mm512_max_epi32(so_far.largest, bits);
    return _mm512_mask_cmp_ps_mask(given, value, _mm512_setzero_ps(), _CMP_NEQ_UQ);
}
LITTLESTONE_WIDE inline __mmask8 look_at_half(Measuring& so_far, __mmask8 given, const double* x) {
    const __m512d value = _mm512_maskz_loadu_pd(given, x);
    const __m512i bits = _mm512_and_si512(_mm512_castpd_si512(value), _mm512_set1_epi64(0x7FFFFFFFFFFFFFFF));
    so_far.largest = _mm512_max_epi64(so_far.largest, bits);
    return _mm512_mask_cmp_pd_mask(given, value, _mm512_setzero_pd(), _CMP_NEQ_UQ);
}
LITTLESTONE_WIDE inline __mmask16 look(Measuring& so_far, __mmask16 given, const double* x) {
    const unsigned low = look_at_half(so_far, static_cast<__mmask8>(given), x);
    const unsigned high = look_at_half(so_far, static_cast<__mmask8>(given >> 8), x + 8);
    return static_cast<__mmask16>(low | high << 8);
}

LITTLESTONE_WIDE inline void measure(Measuring& so_far, __m512d& sum, __mmask8 there, __m512d value, __m512i feature) {
    sum = _mm512_add_pd(sum, _mm512_mul_pd(value, value));
    so_far.hash = _mm512_mask_add_epi64(so_far.hash, there, so_far.hash, mixed_eight(feature, value));
}

template <class Value>
LITTLESTONE_WIDE inline double largest_of(__m512i bits) {
    if constexpr (sizeof(Value) == 4) return std::bit_cast<float>(_mm512_reduce_max_epi32(bits));
    return std::bit_cast<double>(_mm512_reduce_max_epi64(bits));
}

template <class Value, class Feature>
LITTLESTONE_WIDE inline Measures measured_by(Feature&& feature, const Value* x, std::size_t count, bool packed,
                                             double last) {
    Measuring so_far{_mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_si512(), _mm512_setzero_si512(), 0};
    for (std::size_t k = 0; k < count; k += 16) {
        const auto given = static_cast<__mmask16>((1u << std::min<std::size_t>(count - k, 16)) - 1);
        const __mmask16 there = look(so_far, given, x + k);
        const auto low = static_cast<__mmask8>(given), high = static_cast<__mmask8>(given >> 8);
        const Sixteen features = feature(given, k);
        so_far.zeros |= static_cast<unsigned>(given ^ there);
        measure(so_far, so_far.low, static_cast<__mmask8>(there), read(low, x + k), features.low);
        measure(so_far, so_far.high, static_cast<__mmask8>(there >> 8), read(high, x + k + 8), features.high);
    }
    const bool zeros = so_far.zeros != 0;
    const double norm = zeros && !packed ? packed_sum(x, x, count, last) : total(so_far.low, so_far.high, count, last);
    const auto hash = static_cast<std::uint64_t>(_mm512_reduce_add_epi64(so_far.hash));
    return {norm, std::max(largest_of<Value>(so_far.largest), last), hash, zeros};
}

template <class Index, class Value>
LITTLESTONE_WIDE Measures sparse(const Index* index, const Value* x, std::size_t count, bool packed, double last) {
    return measured_by(Listed<Index>{index}, x, count, packed, last);
}

template <class Value>
LITTLESTONE_WIDE Measures dense(const std::uint64_t* names, const Value* x, std::size_t count, bool packed,
                                double last) {
    if (names != nullptr) return sparse(names, x, count, packed, last);
    return measured_by(Columns{}, x, count, packed, last);
}

template <class Value>
LITTLESTONE_WIDE bool sparse_copied(const std::int32_t* index, const Value* x, std::size_t count, bool packed,
                                    double last, std::size_t width, std::int32_t* to, Measures& of) {
    CopiedNarrow features(index, to, width);
    of = measured_by(features, x, count, packed, last);
    return features.wrong == 0;
}
template <class Value>
LITTLESTONE_WIDE bool sparse_copied(const std::int64_t* index, const Value* x, std::size_t count, bool packed,
                                    double last, std::size_t width, std::int64_t* to, Measures& of) {
    CopiedFull features(index, to, width);
    of = measured_by(features, x, count, packed, last);
    return features.wrong == 0;
}

template <class Value>
LITTLESTONE_WIDE double dense_dot(const Value* x, std::size_t count, const double* w, double last) {
    __m512d low = _mm512_setzero_pd(), high = low;
    unsigned zeros = 0;
    for (std::size_t k = 0; k < count; k += 16) {
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

#define LITTLESTONE_MEASURED(how, Feature, Value)                                                          \
    Measures measured(const Feature* index, const Value* x, std::size_t count, bool packed, double last) { \
        return how(index, x, count, packed, last);                                                         \
    }
LITTLESTONE_MEASURED(sparse, std::int32_t, float)
LITTLESTONE_MEASURED(sparse, std::int32_t, double)
LITTLESTONE_MEASURED(sparse, std::int64_t, float)
LITTLESTONE_MEASURED(sparse, std::int64_t, double)
LITTLESTONE_MEASURED(dense, std::uint64_t, float)
LITTLESTONE_MEASURED(dense, std::uint64_t, double)

#define LITTLESTONE_COPIED(Index, Value)                                                                            \
    bool copied(const Index* index, const Value* x, std::size_t count, bool packed, double last, std::size_t width, \
                Index* to, Measures& of) {                                                                          \
        return sparse_copied(index, x, count, packed, last, width, to, of);                                         \
    }
LITTLESTONE_COPIED(std::int32_t, float)
LITTLESTONE_COPIED(std::int32_t, double)
LITTLESTONE_COPIED(std::int64_t, float)
LITTLESTONE_COPIED(std::int64_t, double)

}  // namespace littlestone::nonzeros::wide
#else
namespace littlestone::nonzeros::wide {

const bool possible = false;

double dot(const float*, std::size_t, const double*, double) { return 0.0; }
double dot(const double*, std::size_t, const double*, double) { return 0.0; }

#define LITTLESTONE_MEASURED(Feature, Value) \
    Measures measured(const Feature*, const Value*, std::size_t, bool, double) { return {}; }
LITTLESTONE_MEASURED(std::int32_t, float)
LITTLESTONE_MEASURED(std::int32_t, double)
LITTLESTONE_MEASURED(std::int64_t, float)
LITTLESTONE_MEASURED(std::int64_t, double)
LITTLESTONE_MEASURED(std::uint64_t, float)
LITTLESTONE_MEASURED(std::uint64_t, double)

#define LITTLESTONE_COPIED(Index, Value) \
    bool copied(const Index*, const Value*, std::size_t, bool, double, std::size_t, Index*, Measures&) { return false; }
LITTLESTONE_COPIED(std::int32_t, float)
LITTLESTONE_COPIED(std::int32_t, double)
LITTLESTONE_COPIED(std::int64_t, float)
LITTLESTONE_COPIED(std::int64_t, double)

}  // namespace littlestone::nonzeros::wide
#endif
