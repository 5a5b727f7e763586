#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "registers.h"
#include "wide.h"

#if defined(LITTLESTONE_WIDE)
namespace littlestone::nonzeros::wide {
namespace {

LITTLESTONE_WIDE inline __m256d read_four(__mmask8 there, const double* x) { return _mm256_maskz_loadu_pd(there, x); }
LITTLESTONE_WIDE inline __m256d read_four(__mmask8 there, const float* x) {
    return _mm256_maskz_cvtps_pd(there, _mm_maskz_loadu_ps(there, x));
}
// Weights are loaded one by one: that takes less time than to gather them.
LITTLESTONE_WIDE inline __m256d weights_of(const std::int64_t* index, const double* w) {
    return _mm256_setr_pd(w[index[0]], w[index[1]], w[index[2]], w[index[3]]);
}
// Narrow indices are read two at a time, for loads are what a sparse row waits for.
LITTLESTONE_WIDE inline __m256d weights_of(const std::int32_t* index, const double* w) {
    std::uint64_t front, back;
    std::memcpy(&front, index, sizeof(front));
    std::memcpy(&back, index + 2, sizeof(back));
    return _mm256_setr_pd(w[static_cast<std::uint32_t>(front)], w[front >> 32], w[static_cast<std::uint32_t>(back)],
                          w[back >> 32]);
}
template <class Index, class Value>
LITTLESTONE_WIDE inline __m256d products(const Index* index, const Value* x, const double* w) {
    return _mm256_mul_pd(read_four(0xF, x), weights_of(index, w));
}
LITTLESTONE_WIDE inline __m512d both(__m256d low, __m256d high) {
    return _mm512_maskz_insertf64x4(0xFF, _mm512_castpd256_pd512(low), high, 1);
}

// The rest of a row has fewer than sixteen entries: those behind the last are at place 0, and their products are left
// out. There is no branch by its length, which is anybody's guess.
LITTLESTONE_WIDE inline void read_rest(const std::int32_t* index, __mmask16 there, std::int32_t* to) {
    _mm512_store_si512(to, _mm512_maskz_loadu_epi32(there, index));
}
LITTLESTONE_WIDE inline void read_rest(const std::int64_t* index, __mmask16 there, std::int64_t* to) {
    _mm512_store_si512(to, _mm512_maskz_loadu_epi64(static_cast<__mmask8>(there), index));
    _mm512_store_si512(to + 8, _mm512_maskz_loadu_epi64(static_cast<__mmask8>(there >> 8), index + 8));
}

template <class Index, class Value>
LITTLESTONE_WIDE inline double sparse_dot(const Index* index, const Value* x, std::size_t count, const double* w,
                                          double last) {
    __m256d a = _mm256_setzero_pd(), b = a, c = a, d = a;
    for (; count >= 16; count -= 16, index += 16, x += 16) {
        a = _mm256_add_pd(a, products(index, x, w));
        b = _mm256_add_pd(b, products(index + 4, x + 4, w));
        c = _mm256_add_pd(c, products(index + 8, x + 8, w));
        d = _mm256_add_pd(d, products(index + 12, x + 12, w));
    }
    if (count > 0) {
        alignas(64) Index rest[16];
        const auto there = static_cast<__mmask16>((1u << count) - 1);
        read_rest(index, there, rest);
        const auto four = [&](std::size_t k) LITTLESTONE_WIDE {
            const auto some = static_cast<__mmask8>(there >> k & 0xF);
            return _mm256_maskz_mul_pd(some, read_four(some, x + k), weights_of(rest + k, w));
        };
        a = _mm256_add_pd(a, four(0));
        b = _mm256_add_pd(b, four(4));
        if (count > 8) {
            c = _mm256_add_pd(c, four(8));
            d = _mm256_add_pd(d, four(12));
        }
    }
    return total(both(a, b), both(c, d), count, last);
}

template <class Index>
inline std::make_unsigned_t<Index> last_place(std::size_t width) {
    constexpr std::size_t most = std::numeric_limits<Index>::max();
    return static_cast<std::make_unsigned_t<Index>>(std::min(width - 1, most));
}
// Sixteen indices, copied: whether each is above the one before and in range.
template <class Index>
struct Looked {
    alignas(64) Index place[16];
    bool inside = true, increases = true;
};
LITTLESTONE_WIDE inline void look_at(Looked<std::int32_t>& to, const std::int32_t* index, __mmask16 there,
                                     std::int32_t before, std::uint32_t last) {
    const __m512i now = _mm512_maskz_loadu_epi32(there, index);
    const __m512i previous = _mm512_alignr_epi32(now, _mm512_set1_epi32(before), 15);
    _mm512_store_si512(to.place, now);
    to.inside = _mm512_mask_cmpgt_epu32_mask(there, now, _mm512_set1_epi32(static_cast<std::int32_t>(last))) == 0;
    to.increases = _mm512_mask_cmple_epi32_mask(there, now, previous) == 0;
}
LITTLESTONE_WIDE inline void look_at(Looked<std::int64_t>& to, const std::int64_t* index, __mmask16 there,
                                     std::int64_t before, std::uint64_t last) {
    const __m512i most = _mm512_set1_epi64(static_cast<long long>(last)), first = _mm512_set1_epi64(before);
    const auto below = static_cast<__mmask8>(there), above = static_cast<__mmask8>(there >> 8);
    const __m512i low = _mm512_maskz_loadu_epi64(below, index), high = _mm512_maskz_loadu_epi64(above, index + 8);
    _mm512_store_si512(to.place, low);
    _mm512_store_si512(to.place + 8, high);
    to.inside = (_mm512_mask_cmpgt_epu64_mask(below, low, most) | _mm512_mask_cmpgt_epu64_mask(above, high, most)) == 0;
    to.increases = (_mm512_mask_cmple_epi64_mask(below, low, _mm512_alignr_epi64(low, first, 7)) |
                    _mm512_mask_cmple_epi64_mask(above, high, _mm512_alignr_epi64(high, low, 7))) == 0;
}
// Whether these numbers are neither zero nor beyond a bound, nor nan.
LITTLESTONE_WIDE inline bool moderate(__mmask8 there, __m512d x, double bound) {
    const __m512d size = _mm512_abs_pd(x);
    return _mm512_mask_cmp_pd_mask(there, size, _mm512_set1_pd(bound), _CMP_LT_OQ) == there &&
           _mm512_mask_cmp_pd_mask(there, size, _mm512_setzero_pd(), _CMP_GT_OQ) == there;
}

// For each index how many of the others are below it, some sixteens at a time.
template <std::size_t sixteens>
LITTLESTONE_WIDE inline void rank_some(const std::int32_t* index, std::size_t count, std::size_t from,
                                       std::int32_t* to) {
    __m512i these[sixteens], below[sixteens];
    for (std::size_t i = 0; i < sixteens; ++i) {
        const std::size_t begin = from + 16 * i, left = count > begin ? count - begin : 0;
        const auto there = static_cast<__mmask16>(left >= 16 ? 0xFFFF : (1u << left) - 1);
        these[i] = _mm512_maskz_loadu_epi32(there, index + begin), below[i] = _mm512_setzero_si512();
    }
    for (std::size_t j = 0; j < count; ++j) {
        const __m512i other = _mm512_set1_epi32(index[j]);
        for (std::size_t i = 0; i < sixteens; ++i)
            below[i] = _mm512_mask_add_epi32(below[i], _mm512_cmplt_epi32_mask(other, these[i]), below[i],
                                             _mm512_set1_epi32(1));
    }
    for (std::size_t i = 0; i < sixteens && from + 16 * i < count; ++i)
        _mm512_storeu_si512(to + from + 16 * i, below[i]);
}
LITTLESTONE_WIDE inline bool ranked(const std::int32_t* index, std::size_t count, std::int32_t* to) {
    if (count <= 16)
        rank_some<1>(index, count, 0, to);
    else if (count <= 32)
        rank_some<2>(index, count, 0, to);
    else
        for (std::size_t k = 0; k < count; k += 64) rank_some<4>(index, count, k, to);
    std::size_t sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += static_cast<std::size_t>(to[k]);
    return 2 * sum == count * (count - 1) || count == 0;
}
LITTLESTONE_WIDE inline bool ranked(const std::int64_t* index, std::size_t count, std::int64_t* to) {
    return nonzeros::rank(index, count, to);
}

// Products of a row whose indices are in any order, put into the order of the features and then added.
template <class Index>
struct Placed {
    static constexpr std::size_t most = 256;
    alignas(64) Index index[most];
    alignas(64) double product[most];

    LITTLESTONE_WIDE bool sum(std::size_t count, double last, double& out) {
        alignas(64) Index rank[most + 16];
        alignas(64) double ordered[most + 16];
        if (!ranked(index, count, rank)) return false;
        for (std::size_t k = 0; k < count; ++k) ordered[rank[k]] = product[k];
        const std::size_t rest = count % 16;
        for (std::size_t k = rest == 0 ? 16 : rest; k < 16; ++k) ordered[count - rest + k] = 0.0;
        __m512d low = _mm512_setzero_pd(), high = low;
        for (std::size_t k = 0; k < count; k += 16) {
            low = _mm512_add_pd(low, _mm512_loadu_pd(ordered + k));
            high = _mm512_add_pd(high, _mm512_loadu_pd(ordered + k + 8));
        }
        out = total(low, high, count, last);
        return true;
    }
};

template <class Index, class Value>
LITTLESTONE_WIDE bool any_order_dot(const Index* index, const Value* x, std::size_t count, const double* w,
                                    std::size_t width, double bound, double last, double& out) {
    Placed<Index> placed;
    if (count > Placed<Index>::most) return false;
    for (std::size_t k = 0; k < count; k += 16) {
        const auto there = static_cast<__mmask16>((1u << std::min<std::size_t>(count - k, 16)) - 1);
        const auto low = static_cast<__mmask8>(there), high = static_cast<__mmask8>(there >> 8);
        Looked<Index> here;
        look_at(here, index + k, there, -1, last_place<Index>(width));
        const __m512d a = read(low, x + k), b = read(high, x + k + 8);
        if (!here.inside || !moderate(low, a, bound) || !moderate(high, b, bound)) return false;
        std::memcpy(placed.index + k, here.place, sizeof(here.place));
        _mm512_store_pd(placed.product + k,
                        _mm512_mul_pd(a, both(weights_of(here.place, w), weights_of(here.place + 4, w))));
        _mm512_store_pd(placed.product + k + 8,
                        _mm512_mul_pd(b, both(weights_of(here.place + 8, w), weights_of(here.place + 12, w))));
    }
    return placed.sum(count, last, out);
}

template <class Index, class Value>
LITTLESTONE_WIDE bool in_order_dot(const Index* index, const Value* x, std::size_t count, const double* w,
                                   std::size_t width, double bound, double last, double& out) {
    __m512d low = _mm512_setzero_pd(), high = low;
    Index before = -1;
    for (std::size_t k = 0; k < count; k += 16) {
        const auto there = static_cast<__mmask16>((1u << std::min<std::size_t>(count - k, 16)) - 1);
        const auto below = static_cast<__mmask8>(there), above = static_cast<__mmask8>(there >> 8);
        Looked<Index> here;
        look_at(here, index + k, there, before, last_place<Index>(width));
        const __m512d a = read(below, x + k), b = read(above, x + k + 8);
        if (!here.inside || !here.increases || !moderate(below, a, bound) || !moderate(above, b, bound)) return false;
        const __m512d first = both(weights_of(here.place, w), weights_of(here.place + 4, w));
        const __m512d second = both(weights_of(here.place + 8, w), weights_of(here.place + 12, w));
        low = _mm512_add_pd(low, _mm512_maskz_mul_pd(below, a, first));
        high = _mm512_add_pd(high, _mm512_maskz_mul_pd(above, b, second));
        before = here.place[15];
    }
    out = total(low, high, count, last);
    return true;
}

// Lane k mod 16 of eight classes is one register: the sums of each class are those of its own dot product.
template <std::size_t... j>
LITTLESTONE_WIDE inline __m512d eight_dots(std::index_sequence<j...>, const std::uint32_t* feature, const double* x,
                                           std::size_t count, const double* w, std::size_t stride) {
    __m512d lane[] = {((void)j, _mm512_setzero_pd())...};
    std::size_t k = 0;
    const auto add = [&](__m512d& sum, std::size_t at) LITTLESTONE_WIDE __attribute__((always_inline)) {
        sum = _mm512_add_pd(sum, _mm512_mul_pd(_mm512_set1_pd(x[at]), _mm512_loadu_pd(w + feature[at] * stride)));
    };
    for (; k + 16 <= count; k += 16) (add(lane[j], k + j), ...);
    (void)((k + j < count && (add(lane[j], k + j), true)) && ...);
    const auto fold = [&](__m512d& sum, const __m512d& other) LITTLESTONE_WIDE
        __attribute__((always_inline)) { sum = _mm512_add_pd(sum, other); };
    ((j < 8 ? fold(lane[j % 8], lane[j % 8 + 8]) : void()), ...);
    ((j < 4 ? fold(lane[j % 4], lane[j % 4 + 4]) : void()), ...);
    fold(lane[0], lane[2]);
    fold(lane[1], lane[3]);
    fold(lane[0], lane[1]);
    return lane[0];
}

}  // namespace

LITTLESTONE_WIDE void dots(const std::uint32_t* feature, const double* x, std::size_t count, const double* w,
                           std::size_t classes, double* out) {
    const std::size_t stride = (classes + 7) / 8 * 8;
    for (std::size_t c = 0; c < classes; c += 8)
        _mm512_mask_storeu_pd(out + c, first(classes - c),
                              eight_dots(std::make_index_sequence<16>(), feature, x, count, w + c, stride));
}

LITTLESTONE_WIDE bool rank(const std::int32_t* index, std::size_t count, std::int32_t* to) {
    return ranked(index, count, to);
}

#define LITTLESTONE_DOTS(Index, Value)                                                                                 \
    LITTLESTONE_WIDE double dot(const Index* index, const Value* x, std::size_t count, const double* w, double last) { \
        return sparse_dot(index, x, count, w, last);                                                                   \
    }                                                                                                                  \
    bool checked_dot(const Index* index, const Value* x, std::size_t count, const double* w, std::size_t width,        \
                     double bound, double last, double& out) {                                                         \
        if (width == 0 && count > 0) return false;                                                                     \
        return in_order_dot(index, x, count, w, width, bound, last, out) ||                                            \
               any_order_dot(index, x, count, w, width, bound, last, out);                                             \
    }
LITTLESTONE_DOTS(std::int32_t, float)
LITTLESTONE_DOTS(std::int32_t, double)
LITTLESTONE_DOTS(std::int64_t, float)
LITTLESTONE_DOTS(std::int64_t, double)

}  // namespace littlestone::nonzeros::wide
#else
namespace littlestone::nonzeros::wide {

void dots(const std::uint32_t*, const double*, std::size_t, const double*, std::size_t, double*) {}
bool rank(const std::int32_t*, std::size_t, std::int32_t*) { return false; }

#define LITTLESTONE_DOTS(Index, Value)                                                                               \
    double dot(const Index*, const Value*, std::size_t, const double*, double) { return 0.0; }                       \
    bool checked_dot(const Index*, const Value*, std::size_t, const double*, std::size_t, double, double, double&) { \
        return false;                                                                                                \
    }
LITTLESTONE_DOTS(std::int32_t, float)
LITTLESTONE_DOTS(std::int32_t, double)
LITTLESTONE_DOTS(std::int64_t, float)
LITTLESTONE_DOTS(std::int64_t, double)

}  // namespace littlestone::nonzeros::wide
#endif
