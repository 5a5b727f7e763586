#include <algorithm>
#include <type_traits>

#include "measures.h"
#include "memory.h"
#include "registers.h"
#include "wide.h"

#if defined(LITTLESTONE_WIDE)
#define LITTLESTONE_WIDE_INLINE LITTLESTONE_WIDE inline __attribute__((always_inline))

namespace littlestone::nonzeros::wide {
namespace {

// As nonzeros.h has it: where eight features stand in the hash.
LITTLESTONE_WIDE_INLINE __m512i place_of(__m512i feature) {
    const __m512i above = _mm512_set1_epi64(static_cast<long long>(Mixing::above));
    return _mm512_add_epi64(_mm512_mul_epu32(feature, _mm512_set1_epi64(Mixing::spread)),
                            _mm512_and_si512(feature, above));
}
LITTLESTONE_WIDE_INLINE __m512i place_of(__m256i feature) {
    return _mm512_mul_epu32(_mm512_cvtepu32_epi64(feature), _mm512_set1_epi64(Mixing::spread));
}
LITTLESTONE_WIDE_INLINE __m512i stirred(__m512i bits) {
    const __m512i product = _mm512_mul_epu32(bits, _mm512_srli_epi64(bits, 32));
    return _mm512_xor_si512(product, _mm512_rol_epi64(bits, 32));
}
LITTLESTONE_WIDE_INLINE __m512i mixed_eight(__m512i place, __m512d value) {
    const __m512i bits = _mm512_add_epi64(_mm512_castpd_si512(value), place);
    return stirred(stirred(_mm512_xor_si512(bits, _mm512_set1_epi64(static_cast<long long>(Mixing::start)))));
}

LITTLESTONE_WIDE_INLINE __m256i read(__mmask8 there, const std::int32_t* from) {
    return _mm256_maskz_loadu_epi32(there, from);
}
LITTLESTONE_WIDE_INLINE __m512i read(__mmask8 there, const std::int64_t* from) {
    return _mm512_maskz_loadu_epi64(there, from);
}
// Which of eight indices are not above the one before, the first of them not above the last of `before`.
LITTLESTONE_WIDE_INLINE __mmask8 not_above(__mmask8 there, __m256i now, __m256i before) {
    return _mm256_mask_cmple_epi32_mask(there, now, _mm256_alignr_epi32(now, before, 7));
}
LITTLESTONE_WIDE_INLINE __mmask8 not_above(__mmask8 there, __m512i now, __m512i before) {
    return _mm512_mask_cmple_epi64_mask(there, now, _mm512_alignr_epi64(now, before, 7));
}

// The places of eight features: listed; listed and looked at; or of the columns themselves, one behind the other.
template <class Index>
struct Listed {
    const Index* index;

    LITTLESTONE_WIDE_INLINE __m512i operator()(__mmask8 there, std::size_t k) {
        return place_of(read(there, index + k));
    }
};
template <class Index>
struct LookedAt {
    using Eight = decltype(read(0, static_cast<const Index*>(nullptr)));
    const Index* index;
    Eight before = ~Eight{};
    unsigned wrong = 0;

    LITTLESTONE_WIDE_INLINE __m512i operator()(__mmask8 there, std::size_t k) {
        const Eight now = read(there, index + k);
        wrong |= not_above(there, now, before);
        before = now;
        return place_of(now);
    }
};
struct Columns {
    __m512i next;

    LITTLESTONE_WIDE_INLINE __m512i operator()(__mmask8, std::size_t) {
        const __m512i place = next;
        next = _mm512_add_epi64(next, _mm512_set1_epi64(8 * Mixing::spread));
        return place;
    }
};

struct Measuring {
    __m512d low = {}, high = {}, largest = {};
    __m512i hash = {};
    unsigned zeros = 0;

    template <class Value, class Feature>
    LITTLESTONE_WIDE_INLINE void take(__m512d& sum, __mmask8 given, const Value* x, Feature& feature, std::size_t k) {
        const __m512d value = wide::read(given, x + k);
        const __mmask8 there = _mm512_cmp_pd_mask(value, _mm512_setzero_pd(), _CMP_NEQ_UQ);
        zeros |= static_cast<unsigned>(given ^ there);
        hash = _mm512_mask_add_epi64(hash, there, hash, mixed_eight(feature(given, k), value));
        largest = _mm512_max_pd(largest, _mm512_abs_pd(value));
        sum = _mm512_add_pd(sum, _mm512_mul_pd(value, value));
    }
};

template <class Value, class Feature>
LITTLESTONE_WIDE_INLINE Measures measured_by(Feature& feature, const Value* x, std::size_t count, bool packed,
                                             double last) {
    Measuring so_far;
    std::size_t k = 0;
    for (; k + 16 <= count; k += 16) {
        ask_ahead(x + k, 16);
        so_far.take(so_far.low, 0xFF, x, feature, k);
        so_far.take(so_far.high, 0xFF, x, feature, k + 8);
    }
    if (k < count) so_far.take(so_far.low, first(count - k), x, feature, k);
    if (k + 8 < count) so_far.take(so_far.high, first(count - k - 8), x, feature, k + 8);
    const bool zeros = so_far.zeros != 0;
    const double norm =
        zeros && !packed ? norm_squared(x, count, false, last) : total(so_far.low, so_far.high, count, last);
    const double largest = largest_of(_mm512_reduce_max_pd(so_far.largest), norm, x, count);
    return {norm, std::max(largest, last), static_cast<std::uint64_t>(_mm512_reduce_add_epi64(so_far.hash)), zeros};
}

template <class Index, class Value>
LITTLESTONE_WIDE Measures listed(const Index* index, const Value* x, std::size_t count, bool packed, double last) {
    Listed<Index> features{index};
    return measured_by(features, x, count, packed, last);
}
template <class Value>
LITTLESTONE_WIDE Measures dense(const Value* x, std::size_t count, bool packed, double last) {
    Columns features{_mm512_mullo_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(Mixing::spread))};
    return measured_by(features, x, count, packed, last);
}
template <class Index, class Value>
LITTLESTONE_WIDE bool looked_at(const Index* index, const Value* x, std::size_t count, bool packed, double last,
                                std::size_t width, Measures& of) {
    LookedAt<Index> features{index};
    of = measured_by(features, x, count, packed, last);
    return count == 0 || (features.wrong == 0 && index[0] >= 0 && static_cast<std::size_t>(index[count - 1]) < width);
}

}  // namespace

template <class Index, class Value>
Measures measured(const Index* index, const Value* x, std::size_t count, bool packed, double last) {
    if constexpr (!std::is_same_v<Index, std::uint64_t>)
        return listed(index, x, count, packed, last);
    else if (index == nullptr)
        return dense(x, count, packed, last);
    else
        return listed(reinterpret_cast<const std::int64_t*>(index), x, count, packed, last);
}
template <class Index, class Value>
bool sound(const Index* index, const Value* x, std::size_t count, bool packed, double last, std::size_t width,
           Measures& of) {
    return looked_at(index, x, count, packed, last, width, of);
}

}  // namespace littlestone::nonzeros::wide
#else
namespace littlestone::nonzeros::wide {

template <class Index, class Value>
Measures measured(const Index*, const Value*, std::size_t, bool, double) {
    return {};
}
template <class Index, class Value>
bool sound(const Index*, const Value*, std::size_t, bool, double, std::size_t, Measures&) {
    return false;
}

}  // namespace littlestone::nonzeros::wide
#endif

namespace littlestone::nonzeros::wide {

LITTLESTONE_MEASURES(float)
LITTLESTONE_MEASURES(double)

}  // namespace littlestone::nonzeros::wide
