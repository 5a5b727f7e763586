#include "narrow.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "measures.h"
#include "memory.h"
#include "sums.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && !defined(LITTLESTONE_PLAIN)
#include <immintrin.h>

#define LITTLESTONE_NARROW __attribute__((target("avx2,popcnt")))
#define LITTLESTONE_NARROW_INLINE inline __attribute__((target("avx2,popcnt"), always_inline))

namespace littlestone::nonzeros::narrow {
namespace {

// Whole sixteens are read as they are, four entries at a time; of the rest of a row those that are there, and zeros
// behind them.
struct Whole {
    LITTLESTONE_NARROW_INLINE __m256i there(std::size_t) const { return _mm256_set1_epi32(-1); }
    LITTLESTONE_NARROW_INLINE __m256d read(const float* x, std::size_t k) const {
        return _mm256_cvtps_pd(_mm_loadu_ps(x + k));
    }
    LITTLESTONE_NARROW_INLINE __m256d read(const double* x, std::size_t k) const { return _mm256_loadu_pd(x + k); }
    LITTLESTONE_NARROW_INLINE __m128i read(const std::int32_t* x, std::size_t k) const {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + k));
    }
    LITTLESTONE_NARROW_INLINE __m256i read(const std::int64_t* x, std::size_t k) const {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + k));
    }
};

alignas(64) constexpr std::int32_t window[32] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

struct Rest {
    std::size_t left;  // fewer than sixteen

    LITTLESTONE_NARROW_INLINE __m128i these(std::size_t k) const {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(window + 16 - left + k));
    }
    LITTLESTONE_NARROW_INLINE __m256i there(std::size_t k) const { return _mm256_cvtepi32_epi64(these(k)); }
    LITTLESTONE_NARROW_INLINE __m256d read(const float* x, std::size_t k) const {
        return _mm256_cvtps_pd(_mm_maskload_ps(x + k, these(k)));
    }
    LITTLESTONE_NARROW_INLINE __m256d read(const double* x, std::size_t k) const {
        return _mm256_maskload_pd(x + k, there(k));
    }
    LITTLESTONE_NARROW_INLINE __m128i read(const std::int32_t* x, std::size_t k) const {
        return _mm_maskload_epi32(x + k, these(k));
    }
    LITTLESTONE_NARROW_INLINE __m256i read(const std::int64_t* x, std::size_t k) const {
        return _mm256_maskload_epi64(reinterpret_cast<const long long*>(x + k), there(k));
    }
};

// As nonzeros.h has it: where four features stand in the hash.
LITTLESTONE_NARROW_INLINE __m256i place_of(__m256i feature) {
    const __m256i above = _mm256_set1_epi64x(static_cast<long long>(Mixing::above));
    return _mm256_add_epi64(_mm256_mul_epu32(feature, _mm256_set1_epi64x(Mixing::spread)),
                            _mm256_and_si256(feature, above));
}
LITTLESTONE_NARROW_INLINE __m256i place_of(__m128i feature) {
    return _mm256_mul_epu32(_mm256_cvtepu32_epi64(feature), _mm256_set1_epi64x(Mixing::spread));
}

// The places of four features: listed; listed and looked at; or of the columns themselves.
template <class Index>
struct Listed {
    const Index* index;

    template <class Part>
    LITTLESTONE_NARROW_INLINE __m256i operator()(const Part& part, std::size_t from, std::size_t k) {
        return place_of(part.read(index + from, k));
    }
};
// Columns come one behind the other, and so do their places in the hash.
struct Columns {
    __m256i next = {0, Mixing::spread, 2 * Mixing::spread, 3 * Mixing::spread};

    template <class Part>
    LITTLESTONE_NARROW_INLINE __m256i operator()(const Part&, std::size_t, std::size_t) {
        const __m256i place = next;
        next = _mm256_add_epi64(next, _mm256_set1_epi64x(4 * Mixing::spread));
        return place;
    }
};
// Each index must be above the one before.
template <class Index>
struct LookedAt;
template <>
struct LookedAt<std::int32_t> {
    const std::int32_t* index;
    __m128i before = {-1, -1}, wrong = {};

    template <class Part>
    LITTLESTONE_NARROW_INLINE __m256i operator()(const Part& part, std::size_t from, std::size_t k) {
        const __m128i now = part.read(index + from, k);
        const __m128i above = _mm_cmpgt_epi32(now, _mm_alignr_epi8(now, before, 12));
        if constexpr (requires { part.left; })
            wrong = _mm_or_si128(wrong, _mm_andnot_si128(above, part.these(k)));
        else
            wrong = _mm_or_si128(wrong, _mm_xor_si128(above, _mm_set1_epi32(-1)));
        before = now;
        return place_of(now);
    }
    LITTLESTONE_NARROW_INLINE bool increase() const { return _mm_testz_si128(wrong, wrong) != 0; }
};
template <>
struct LookedAt<std::int64_t> {
    const std::int64_t* index;
    __m256i before = {-1, -1, -1, -1}, wrong = {};

    template <class Part>
    LITTLESTONE_NARROW_INLINE __m256i operator()(const Part& part, std::size_t from, std::size_t k) {
        const __m256i now = part.read(index + from, k);
        const __m256i previous = _mm256_alignr_epi8(now, _mm256_permute2x128_si256(before, now, 0x21), 8);
        wrong = _mm256_or_si256(wrong, _mm256_andnot_si256(_mm256_cmpgt_epi64(now, previous), part.there(k)));
        before = now;
        return place_of(now);
    }
    LITTLESTONE_NARROW_INLINE bool increase() const { return _mm256_testz_si256(wrong, wrong) != 0; }
};

LITTLESTONE_NARROW_INLINE __m256i stirred(__m256i bits) {
    const __m256i product = _mm256_mul_epu32(bits, _mm256_srli_epi64(bits, 32));
    return _mm256_xor_si256(product, _mm256_shuffle_epi32(bits, 0xB1));
}
LITTLESTONE_NARROW_INLINE __m256i mixed_four(__m256i place, __m256d value) {
    const __m256i bits = _mm256_add_epi64(_mm256_castpd_si256(value), place);
    return stirred(stirred(_mm256_xor_si256(bits, _mm256_set1_epi64x(static_cast<long long>(Mixing::start)))));
}

// Lanes 0 to 15 of a sum.
struct Sums {
    __m256d a = {}, b = {}, c = {}, d = {};

    // With one number more, for the lane behind the others.
    LITTLESTONE_NARROW_INLINE double total(std::size_t count, double last) {
        if (last != 0.0) {
            const __m256i place = _mm256_set1_epi64x(static_cast<long long>(count % lanes));
            const auto here = [&](long long k) LITTLESTONE_NARROW {
                const __m256i four = _mm256_setr_epi64x(k, k + 1, k + 2, k + 3);
                return _mm256_and_pd(_mm256_set1_pd(last), _mm256_castsi256_pd(_mm256_cmpeq_epi64(four, place)));
            };
            a = _mm256_add_pd(a, here(0)), b = _mm256_add_pd(b, here(4));
            c = _mm256_add_pd(c, here(8)), d = _mm256_add_pd(d, here(12));
        }
        const __m256d four = _mm256_add_pd(_mm256_add_pd(a, c), _mm256_add_pd(b, d));
        const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
        return _mm_cvtsd_f64(two) + _mm_cvtsd_f64(_mm_unpackhi_pd(two, two));
    }
};

// How the nonzeros among four numbers are moved together, in halves of 64 bits.
struct Together {
    alignas(32) std::int32_t order[16][8] = {};
    constexpr Together() {
        for (int some = 0; some < 16; ++some)
            for (int k = 0, kept = 0; k < 4; ++k)
                if (some >> k & 1) {
                    order[some][2 * kept] = 2 * k;
                    order[some][2 * kept + 1] = 2 * k + 1;
                    ++kept;
                }
    }
};
constexpr Together together;

// Products that were moved together, of which every sixteen are added.
struct Waiting {
    static constexpr std::size_t most = 256;
    alignas(32) double product[most + 2 * lanes];
    std::size_t kept = 0;
    Sums sum;

    LITTLESTONE_NARROW_INLINE void take(__m256d value, __m256d other) {
        const int there = _mm256_movemask_pd(_mm256_cmp_pd(value, _mm256_setzero_pd(), _CMP_NEQ_UQ));
        const __m256i order = _mm256_load_si256(reinterpret_cast<const __m256i*>(together.order[there]));
        const __m256 moved = _mm256_permutevar8x32_ps(_mm256_castpd_ps(_mm256_mul_pd(value, other)), order);
        _mm256_storeu_pd(product + kept, _mm256_castps_pd(moved));
        kept += static_cast<std::size_t>(__builtin_popcount(static_cast<unsigned>(there)));
    }
    LITTLESTONE_NARROW_INLINE void add(const double* sixteen) {
        sum.a = _mm256_add_pd(sum.a, _mm256_loadu_pd(sixteen));
        sum.b = _mm256_add_pd(sum.b, _mm256_loadu_pd(sixteen + 4));
        sum.c = _mm256_add_pd(sum.c, _mm256_loadu_pd(sixteen + 8));
        sum.d = _mm256_add_pd(sum.d, _mm256_loadu_pd(sixteen + 12));
    }
    LITTLESTONE_NARROW_INLINE void add_sixteens() {
        std::size_t done = 0;
        for (; done + lanes <= kept; done += lanes) add(product + done);
        std::copy(product + done, product + kept, product);
        kept -= done;
    }
    LITTLESTONE_NARROW_INLINE double all(double last) {
        add_sixteens();
        std::fill(product + kept, product + lanes, 0.0);
        add(product);
        return sum.total(kept, last);
    }
};

// The sum of x[i] * y[i] over the nonzeros of x.
template <class Value, class Other>
LITTLESTONE_NARROW double packed_sum(const Value* x, const Other* y, std::size_t count, double last) {
    Waiting waiting;
    std::size_t from = 0;
    for (; from + lanes <= count; from += lanes) {
        for (std::size_t k = 0; k < lanes; k += 4) waiting.take(Whole{}.read(x + from, k), Whole{}.read(y + from, k));
        if (waiting.kept > Waiting::most - lanes) waiting.add_sixteens();
    }
    const Rest rest{count - from};
    for (std::size_t k = 0; from + k < count; k += 4) waiting.take(rest.read(x + from, k), rest.read(y + from, k));
    return waiting.all(last);
}

struct Measuring {
    Sums norm;
    __m256d largest = {};
    __m256i hash = {}, nonzero = {-1, -1, -1, -1};

    template <class Part, class Value, class Feature>
    LITTLESTONE_NARROW_INLINE void take(__m256d& sum, const Part& part, const Value* x, Feature& feature,
                                        std::size_t from, std::size_t k) {
        const __m256d value = part.read(x + from, k);
        const __m256i there = _mm256_castpd_si256(_mm256_cmp_pd(value, _mm256_setzero_pd(), _CMP_NEQ_UQ));
        if constexpr (requires { part.left; })
            nonzero = _mm256_andnot_si256(_mm256_andnot_si256(there, part.there(k)), nonzero);
        else
            nonzero = _mm256_and_si256(nonzero, there);
        hash = _mm256_add_epi64(hash, _mm256_and_si256(mixed_four(feature(part, from, k), value), there));
        largest = _mm256_max_pd(largest, _mm256_andnot_pd(_mm256_set1_pd(-0.0), value));
        sum = _mm256_add_pd(sum, _mm256_mul_pd(value, value));
    }
    LITTLESTONE_NARROW_INLINE std::uint64_t hashed() const {
        const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(hash), _mm256_extracti128_si256(hash, 1));
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(two)) +
               static_cast<std::uint64_t>(_mm_extract_epi64(two, 1));
    }
    LITTLESTONE_NARROW_INLINE bool any_zero() const { return _mm256_movemask_epi8(nonzero) != -1; }
    LITTLESTONE_NARROW_INLINE double most() const {
        const __m128d two = _mm_max_pd(_mm256_castpd256_pd128(largest), _mm256_extractf128_pd(largest, 1));
        return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
    }
};

template <class Value, class Feature>
LITTLESTONE_NARROW_INLINE Measures measured_by(Feature& feature, const Value* x, std::size_t count, bool packed,
                                               double last) {
    Measuring so_far;
    std::size_t from = 0;
    for (; from + lanes <= count; from += lanes) {
        ask_ahead(x + from, lanes);
        so_far.take(so_far.norm.a, Whole{}, x, feature, from, 0);
        so_far.take(so_far.norm.b, Whole{}, x, feature, from, 4);
        so_far.take(so_far.norm.c, Whole{}, x, feature, from, 8);
        so_far.take(so_far.norm.d, Whole{}, x, feature, from, 12);
    }
    const Rest rest{count - from};
    if (rest.left > 0) so_far.take(so_far.norm.a, rest, x, feature, from, 0);
    if (rest.left > 4) so_far.take(so_far.norm.b, rest, x, feature, from, 4);
    if (rest.left > 8) so_far.take(so_far.norm.c, rest, x, feature, from, 8);
    if (rest.left > 12) so_far.take(so_far.norm.d, rest, x, feature, from, 12);
    const bool zeros = so_far.any_zero();
    const double norm = zeros && !packed ? packed_sum(x, x, count, last) : so_far.norm.total(count, last);
    return {norm, std::max(largest_of(so_far.most(), norm, x, count), last), so_far.hashed(), zeros};
}

template <class Index, class Value>
LITTLESTONE_NARROW Measures sparse(const Index* index, const Value* x, std::size_t count, bool packed, double last) {
    Listed<Index> features{index};
    return measured_by(features, x, count, packed, last);
}

template <class Value>
LITTLESTONE_NARROW Measures dense(const std::uint64_t* names, const Value* x, std::size_t count, bool packed,
                                  double last) {
    if (names != nullptr) return sparse(reinterpret_cast<const std::int64_t*>(names), x, count, packed, last);
    Columns features;
    return measured_by(features, x, count, packed, last);
}

template <class Index, class Value>
LITTLESTONE_NARROW bool sparse_sound(const Index* index, const Value* x, std::size_t count, bool packed, double last,
                                     std::size_t width, Measures& of) {
    LookedAt<Index> features{index};
    of = measured_by(features, x, count, packed, last);
    return count == 0 || (features.increase() && index[0] >= 0 && static_cast<std::size_t>(index[count - 1]) < width);
}

template <class Value>
LITTLESTONE_NARROW double dense_dot(const Value* x, std::size_t count, const double* w, double last) {
    Sums sum;
    __m256d zeros = {};
    const auto add = [&](__m256d& lanes_of, const auto& part, std::size_t from, std::size_t k)
                         __attribute__((target("avx2,popcnt"), always_inline)) {
                             const __m256d value = part.read(x + from, k);
                             const __m256d zero = _mm256_cmp_pd(value, _mm256_setzero_pd(), _CMP_EQ_OQ);
                             if constexpr (requires { part.left; })
                                 zeros = _mm256_or_pd(zeros, _mm256_and_pd(zero, _mm256_castsi256_pd(part.there(k))));
                             else
                                 zeros = _mm256_or_pd(zeros, zero);
                             lanes_of = _mm256_add_pd(lanes_of, _mm256_mul_pd(value, part.read(w + from, k)));
                         };
    std::size_t from = 0;
    for (; from + lanes <= count; from += lanes) {
        ask_ahead(x + from, lanes);
        add(sum.a, Whole{}, from, 0);
        add(sum.b, Whole{}, from, 4);
        add(sum.c, Whole{}, from, 8);
        add(sum.d, Whole{}, from, 12);
    }
    const Rest rest{count - from};
    if (rest.left > 0) add(sum.a, rest, from, 0);
    if (rest.left > 4) add(sum.b, rest, from, 4);
    if (rest.left > 8) add(sum.c, rest, from, 8);
    if (rest.left > 12) add(sum.d, rest, from, 12);
    return _mm256_movemask_pd(zeros) != 0 ? packed_sum(x, w, count, last) : sum.total(count, last);
}

// The dot products of a row with eight classes: the lanes of each class are added as those of its own dot product, lane
// by lane, so that no more of them wait than there are registers for.
struct EightClasses {
    const std::uint32_t* feature;
    const double* x;
    std::size_t count;
    const double* w;
    std::size_t stride;

    struct Both {
        __m256d a = {}, b = {};
    };

    LITTLESTONE_NARROW_INLINE Both lane(std::size_t k) const {
        Both sum;
        for (; k < count; k += lanes) {
            const double* at = w + feature[k] * stride;
            const __m256d value = _mm256_set1_pd(x[k]);
            sum.a = _mm256_add_pd(sum.a, _mm256_mul_pd(value, _mm256_loadu_pd(at)));
            sum.b = _mm256_add_pd(sum.b, _mm256_mul_pd(value, _mm256_loadu_pd(at + 4)));
        }
        return sum;
    }
    // The sum of the lanes k, k + apart, k + 2 apart and so on.
    template <std::size_t k, std::size_t apart>
    LITTLESTONE_NARROW_INLINE Both sum() const {
        if constexpr (apart == lanes) {
            return lane(k);
        } else {
            const Both front = sum<k, 2 * apart>(), back = sum<k + apart, 2 * apart>();
            return {_mm256_add_pd(front.a, back.a), _mm256_add_pd(front.b, back.b)};
        }
    }
};

}  // namespace

const bool possible = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");

LITTLESTONE_NARROW void dots(const std::uint32_t* feature, const double* x, std::size_t count, const double* w,
                             std::size_t classes, double* out) {
    const std::size_t stride = (classes + 7) / 8 * 8;
    for (std::size_t c = 0; c < classes; c += 8) {
        const EightClasses::Both sum = EightClasses{feature, x, count, w + c, stride}.sum<0, 1>();
        alignas(32) double these[8];
        _mm256_store_pd(these, sum.a);
        _mm256_store_pd(these + 4, sum.b);
        std::copy(these, these + std::min<std::size_t>(classes - c, 8), out + c);
    }
}

template <class Value>
double dot(const Value* x, std::size_t count, const double* w, double last) {
    return dense_dot(x, count, w, last);
}
template <class Index, class Value>
Measures measured(const Index* index, const Value* x, std::size_t count, bool packed, double last) {
    if constexpr (std::is_same_v<Index, std::uint64_t>)
        return dense(index, x, count, packed, last);
    else
        return sparse(index, x, count, packed, last);
}
template <class Index, class Value>
bool sound(const Index* index, const Value* x, std::size_t count, bool packed, double last, std::size_t width,
           Measures& of) {
    return sparse_sound(index, x, count, packed, last, width, of);
}

}  // namespace littlestone::nonzeros::narrow
#else
namespace littlestone::nonzeros::narrow {

const bool possible = false;

void dots(const std::uint32_t*, const double*, std::size_t, const double*, std::size_t, double*) {}

template <class Value>
double dot(const Value*, std::size_t, const double*, double) {
    return 0.0;
}
template <class Index, class Value>
Measures measured(const Index*, const Value*, std::size_t, bool, double) {
    return {};
}
template <class Index, class Value>
bool sound(const Index*, const Value*, std::size_t, bool, double, std::size_t, Measures&) {
    return false;
}

}  // namespace littlestone::nonzeros::narrow
#endif

namespace littlestone::nonzeros::narrow {

template double dot(const float*, std::size_t, const double*, double);
template double dot(const double*, std::size_t, const double*, double);
LITTLESTONE_MEASURES(float)
LITTLESTONE_MEASURES(double)

}  // namespace littlestone::nonzeros::narrow
