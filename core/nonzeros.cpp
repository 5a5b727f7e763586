#include "nonzeros.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "clones.h"
#include "narrow.h"
#include "sums.h"
#include "wide.h"

namespace littlestone::nonzeros {
namespace {

// Four lanes that the compiler keeps in as many registers as the machine needs for them.
typedef double Four __attribute__((vector_size(32)));

template <class Value>
LITTLESTONE_INLINE void read(Four& to, const Value* x) {
    to = Four{static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2]),
              static_cast<double>(x[3])};
}

struct Places {
    std::size_t a, b, c, d;
};
LITTLESTONE_INLINE Places places(const std::int64_t* index) {
    return {static_cast<std::size_t>(index[0]), static_cast<std::size_t>(index[1]), static_cast<std::size_t>(index[2]),
            static_cast<std::size_t>(index[3])};
}
// Narrow indices are read two at a time, for loads are what a sparse row waits for.
LITTLESTONE_INLINE Places places(const std::int32_t* index) {
    std::uint64_t front, back;
    std::memcpy(&front, index, sizeof(front));
    std::memcpy(&back, index + 2, sizeof(back));
    const auto low = [](std::uint64_t pair) { return static_cast<std::size_t>(static_cast<std::uint32_t>(pair)); };
    if constexpr (std::endian::native == std::endian::little) return {low(front), front >> 32, low(back), back >> 32};
    return {front >> 32, low(front), back >> 32, low(back)};
}

template <class Index, class Value>
LITTLESTONE_INLINE void add_four(Four& sum, const Index* index, const Value* x, const double* w) {
    Four value;
    read(value, x);
    const Places at = places(index);
    sum += value * Four{w[at.a], w[at.b], w[at.c], w[at.d]};
}

template <class Index, class Value>
LITTLESTONE_INLINE bool rough_sum(const Index* index, const Value* x, std::size_t count, const double* w, double last,
                                  double& out) {
    Four sums = {}, sizes = {};
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4) {
        Four value;
        read(value, x + k);
        const Places at = places(index + k);
        const Four product = value * Four{w[at.a], w[at.b], w[at.c], w[at.d]};
        sums += product;
        sizes += product < 0.0 ? -product : product;
    }
    double sum = last, size = std::fabs(last);
    for (; k < count; ++k) {
        const double product = static_cast<double>(x[k]) * w[index[k]];
        sum += product;
        size += std::fabs(product);
    }
    out = sum + ((sums[0] + sums[2]) + (sums[1] + sums[3]));
    size += (sizes[0] + sizes[2]) + (sizes[1] + sizes[3]);
    // Roundings of products and sums, and of values of one feature that were added up, are less for either order.
    constexpr double of_each = 4.0 * static_cast<double>(std::numeric_limits<Value>::epsilon());
    constexpr double least = 1e-280;  // what is larger has not lost anything next to 0
    return std::fabs(out) > of_each * static_cast<double>(count + 4) * size + least;
}

template <class Index, class Value>
LITTLESTONE_INLINE std::size_t rough_sums(const Index* start, const Index* index, const Value* x, std::size_t begin,
                                          std::size_t end, const double* w, double last, double* out) {
    for (std::size_t t = begin; t < end; ++t) {
        const auto from = static_cast<std::size_t>(start[t] - start[0]);
        const auto count = static_cast<std::size_t>(start[t + 1] - start[t]);
        if (!rough_sum(index + from, x + from, count, w, last, out[t])) return t;
    }
    return end;
}

// One after the other: a zero that only keeps a place may name a feature for the second time.
template <class Index, class Value>
LITTLESTONE_INLINE void sparse_add(const Index* index, const Value* x, std::size_t count, double step, double* w) {
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4) {
        Four value;
        read(value, x + k);
        const Four change = step * value;
        const Places at = places(index + k);
        w[at.a] += change[0];
        w[at.b] += change[1];
        w[at.c] += change[2];
        w[at.d] += change[3];
    }
    for (; k < count; ++k) w[index[k]] += step * static_cast<double>(x[k]);
}

// Fewer than four, and the last: the lanes behind them gain a zero, which changes no sum that began at zero.
template <class Index, class Value>
LITTLESTONE_INLINE void add_few(Four& sum, const Index* index, const Value* x, std::size_t count, const double* w,
                                double last) {
    const auto product = [&](std::size_t k) {
        return k < count ? static_cast<double>(x[k]) * w[index[k]] : k == count ? last : 0.0;
    };
    sum += Four{product(0), product(1), product(2), count == 3 ? last : 0.0};
}

LITTLESTONE_INLINE double total(const Four& a, const Four& b, const Four& c, const Four& d) {
    const Four sum = (a + c) + (b + d);
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

template <class Value>
LITTLESTONE_INLINE bool any_zero(const Value* x, std::size_t count) {
    int found = 0;
    for (std::size_t k = 0; k < count; ++k) found |= x[k] == Value{0};
    return found != 0;
}

template <class Index, class Value>
double dot_without_zeros(const Index* index, const Value* x, std::size_t count, const double* w, double last) {
    Lanes sum;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count; ++k)
        if (x[k] != Value{0}) sum.lane[kept++ % lanes] += static_cast<double>(x[k]) * w[index[k]];
    sum.lane[kept % lanes] += last;
    return sum.total();
}

template <class Index, class Value>
LITTLESTONE_INLINE double sparse_dot(const Index* index, const Value* x, std::size_t count, const double* w,
                                     bool packed, double last) {
    if (!packed && any_zero(x, count)) return dot_without_zeros(index, x, count, w, last);
    Four a = {}, b = {}, c = {}, d = {};
    for (; count >= lanes; count -= lanes, index += lanes, x += lanes) {
        add_four(a, index, x, w);
        add_four(b, index + 4, x + 4, w);
        add_four(c, index + 8, x + 8, w);
        add_four(d, index + 12, x + 12, w);
    }
    if (count >= 4) add_four(a, index, x, w);
    if (count >= 8) add_four(b, index + 4, x + 4, w);
    if (count >= 12) add_four(c, index + 8, x + 8, w);
    const std::size_t done = count & ~std::size_t{3};
    if (done < count || last != 0.0)
        add_few(done == 0 ? a : done == 4 ? b : done == 8 ? c : d, index + done, x + done, count - done, w, last);
    return total(a, b, c, d);
}

// The sum of x[i] * y[i] over the nonzeros of a row that has zeros: their products are moved together, without a
// branch, for where the zeros are is anybody's guess, and then added.
template <class Value, class Other>
LITTLESTONE_INLINE double packed_sum(const Value* x, const Other* y, std::size_t count, double last) {
    constexpr std::size_t block = 256;
    double product[lanes + block + 1];
    Lanes sum;
    std::size_t kept = 0;
    for (std::size_t from = 0; from < count; from += block) {
        for (std::size_t i = from; i < std::min(from + block, count); ++i) {
            product[kept] = static_cast<double>(x[i]) * static_cast<double>(y[i]);
            kept += x[i] != Value{0};
        }
        std::size_t done = 0;
        for (; done + lanes <= kept; done += lanes)
            for (std::size_t k = 0; k < lanes; ++k) sum.lane[k] += product[done + k];
        std::copy(product + done, product + kept, product);
        kept -= done;
    }
    for (std::size_t k = 0; k < kept; ++k) sum.lane[k] += product[k];
    sum.lane[kept] += last;
    return sum.total();
}

// The sum of x[i] * y[i] over the nonzeros of x; y is a vector of weights, or x itself.
template <class Value, class Other>
LITTLESTONE_INLINE double dense_sum(const Value* x, const Other* y, std::size_t count, bool packed, double last) {
    if (!packed && any_zero(x, count)) return packed_sum(x, y, count, last);
    Lanes sum;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k)
            sum.lane[k] += static_cast<double>(x[i + k]) * static_cast<double>(y[i + k]);
    for (std::size_t k = 0; i + k < count; ++k)
        sum.lane[k] += static_cast<double>(x[i + k]) * static_cast<double>(y[i + k]);
    sum.lane[count % lanes] += last;
    return sum.total();
}

template <class Value>
using BitsOf = std::conditional_t<sizeof(Value) == 4, std::int32_t, std::int64_t>;

template <class Value, class Feature>
LITTLESTONE_INLINE Measures measured_by(Feature feature, const Value* x, std::size_t count, bool packed, double last) {
    using Bits = BitsOf<Value>;
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < count; ++k)
        hash += x[k] == Value{0} ? 0 : mixed(static_cast<std::uint64_t>(feature(k)), static_cast<double>(x[k]));
    // Magnitudes are ordered as the integers of their bits, and integer maxima are what compilers vectorise.
    Bits largest = 0;
    for (std::size_t k = 0; k < count; ++k)
        largest = std::max<Bits>(largest, std::bit_cast<Bits>(x[k]) & std::numeric_limits<Bits>::max());
    const double norm = dense_sum(x, x, count, packed, last);
    return {norm, std::max<double>(std::bit_cast<Value>(largest), last), hash, any_zero(x, count)};
}

template <class Value>
LITTLESTONE_INLINE Measures dense_measured(const std::uint64_t* names, const Value* x, std::size_t count, bool packed,
                                           double last) {
    if (names == nullptr) return measured_by([](std::size_t k) { return k; }, x, count, packed, last);
    return measured_by([&](std::size_t k) { return names[k]; }, x, count, packed, last);
}

template <class Index>
LITTLESTONE_INLINE bool all_increase(const Index* index, std::size_t count) {
    Index disorder = 0;  // a number as wide as an index, for the compiler makes vectors of these
    for (std::size_t k = 1; k < count; ++k) disorder |= index[k - 1] >= index[k];
    return disorder == 0;
}

template <class Index>
LITTLESTONE_INLINE bool all_inside(const Index* index, std::size_t count, std::size_t width) {
    using Unsigned = std::make_unsigned_t<Index>;
    if (width == 0) return count == 0;
    const auto last = static_cast<Unsigned>(std::min<std::size_t>(width - 1, std::numeric_limits<Index>::max()));
    Unsigned outside = 0;
    for (std::size_t k = 0; k < count; ++k) outside |= static_cast<Unsigned>(index[k]) > last;
    return outside == 0;
}

template <class Index>
LITTLESTONE_INLINE std::size_t count_descents(const Index* index, std::size_t count) {
    Index found = 0;
    for (std::size_t k = 1; k < count; ++k) found += index[k - 1] >= index[k];
    return static_cast<std::size_t>(found);
}

template <class Index>
LITTLESTONE_INLINE void bound_all(const Index* index, std::size_t count, std::size_t width, Index* to) {
    using Unsigned = std::make_unsigned_t<Index>;
    const auto last = static_cast<Unsigned>(width - 1);
    for (std::size_t k = 0; k < count; ++k) to[k] = static_cast<Index>(std::min(static_cast<Unsigned>(index[k]), last));
}

// Every other index is compared with some at a time, which are in four registers of AVX2.
template <class Index>
LITTLESTONE_INLINE bool rank_all(const Index* index, std::size_t count, Index* to) {
    typedef Index Vector __attribute__((vector_size(32)));
    constexpr std::size_t each = sizeof(Vector) / sizeof(Index), some = 4 * each;
    std::size_t below = 0;
    for (std::size_t k = 0; k < count; k += some) {
        const std::size_t here = std::min(some, count - k);
        Index part[some] = {};
        std::copy_n(index + k, here, part);
        Vector a, b, c, d, of_a = {}, of_b = {}, of_c = {}, of_d = {};
        std::memcpy(&a, part, sizeof(a));
        std::memcpy(&b, part + each, sizeof(b));
        std::memcpy(&c, part + 2 * each, sizeof(c));
        std::memcpy(&d, part + 3 * each, sizeof(d));
        for (std::size_t j = 0; j < count; ++j) {
            of_a -= index[j] < a;
            of_b -= index[j] < b;
            of_c -= index[j] < c;
            of_d -= index[j] < d;
        }
        std::memcpy(part, &of_a, sizeof(a));
        std::memcpy(part + each, &of_b, sizeof(b));
        std::memcpy(part + 2 * each, &of_c, sizeof(c));
        std::memcpy(part + 3 * each, &of_d, sizeof(d));
        std::copy_n(part, here, to + k);
    }
    for (std::size_t k = 0; k < count; ++k) below += static_cast<std::size_t>(to[k]);
    return 2 * below == count * (count - 1) || count == 0;
}

}  // namespace

std::uint64_t name_hash(std::string_view name) {
    std::uint64_t hash = name.size();
    for (; !name.empty(); name.remove_prefix(std::min<std::size_t>(8, name.size()))) {
        double block = 0.0;
        std::memcpy(&block, name.data(), std::min<std::size_t>(8, name.size()));
        hash = mixed(hash, block);
    }
    return hash;
}

bool has_dots() { return narrow::possible; }
void dots(const std::uint32_t* feature, const double* x, std::size_t count, const double* w, std::size_t classes,
          double* out) {
    (wide::possible ? wide::dots : narrow::dots)(feature, x, count, w, classes, out);
}

// The second name of each is for machines without AVX-512.
#define LITTLESTONE_SPARSE(Index, Value)                                                                           \
    LITTLESTONE_CLONES static double dot_plainly(const Index* index, const Value* x, std::size_t count,            \
                                                 const double* w, bool packed, double last) {                      \
        return sparse_dot(index, x, count, w, packed, last);                                                       \
    }                                                                                                              \
    double dot(const Index* index, const Value* x, std::size_t count, const double* w, bool packed, double last) { \
        if (packed && wide::possible) return wide::dot(index, x, count, w, last);                                  \
        return dot_plainly(index, x, count, w, packed, last);                                                      \
    }                                                                                                              \
    LITTLESTONE_CLONES std::size_t rough_dots(const Index* start, const Index* index, const Value* x,              \
                                              std::size_t begin, std::size_t end, const double* w, double last,    \
                                              double* out) {                                                       \
        return rough_sums(start, index, x, begin, end, w, last, out);                                              \
    }                                                                                                              \
    LITTLESTONE_CLONES void add(const Index* index, const Value* x, std::size_t count, double step, double* w) {   \
        sparse_add(index, x, count, step, w);                                                                      \
    }                                                                                                              \
    LITTLESTONE_CLONES static Measures measured_plainly(const Index* index, const Value* x, std::size_t count,     \
                                                        bool packed, double last) {                                \
        return measured_by([&](std::size_t k) { return index[k]; }, x, count, packed, last);                       \
    }                                                                                                              \
    Measures measured(const Index* index, const Value* x, std::size_t count, bool packed, double last) {           \
        if (wide::possible) return wide::measured(index, x, count, packed, last);                                  \
        return narrow::possible ? narrow::measured(index, x, count, packed, last)                                  \
                                : measured_plainly(index, x, count, packed, last);                                 \
    }                                                                                                              \
    bool sound(const Index* index, const Value* x, std::size_t count, bool packed, double last, std::size_t width, \
               Measures& of) {                                                                                     \
        if (wide::possible) return wide::sound(index, x, count, packed, last, width, of);                          \
        if (narrow::possible) return narrow::sound(index, x, count, packed, last, width, of);                      \
        of = measured_plainly(index, x, count, packed, last);                                                      \
        return count == 0 ||                                                                                       \
               (index[0] >= 0 && static_cast<std::size_t>(index[count - 1]) < width && increasing(index, count));  \
    }
LITTLESTONE_SPARSE(std::int32_t, float)
LITTLESTONE_SPARSE(std::int32_t, double)
LITTLESTONE_SPARSE(std::int64_t, float)
LITTLESTONE_SPARSE(std::int64_t, double)

#define LITTLESTONE_DENSE(Value)                                                                                       \
    LITTLESTONE_CLONES static double dot_plainly(const Value* x, std::size_t count, const double* w, double last) {    \
        return dense_sum(x, w, count, false, last);                                                                    \
    }                                                                                                                  \
    double dot(const Value* x, std::size_t count, const double* w, double last) {                                      \
        if (wide::possible) return wide::dot(x, count, w, last);                                                       \
        return narrow::possible ? narrow::dot(x, count, w, last) : dot_plainly(x, count, w, last);                     \
    }                                                                                                                  \
    LITTLESTONE_CLONES double norm_squared(const Value* x, std::size_t count, bool packed, double last) {              \
        return dense_sum(x, x, count, packed, last);                                                                   \
    }                                                                                                                  \
    LITTLESTONE_CLONES static Measures measured_plainly(const std::uint64_t* names, const Value* x, std::size_t count, \
                                                        bool packed, double last) {                                    \
        return dense_measured(names, x, count, packed, last);                                                          \
    }                                                                                                                  \
    Measures measured(const std::uint64_t* names, const Value* x, std::size_t count, bool packed, double last) {       \
        if (wide::possible) return wide::measured(names, x, count, packed, last);                                      \
        return narrow::possible ? narrow::measured(names, x, count, packed, last)                                      \
                                : measured_plainly(names, x, count, packed, last);                                     \
    }
LITTLESTONE_DENSE(float)
LITTLESTONE_DENSE(double)

LITTLESTONE_CLONES void bounded(const std::int32_t* index, std::size_t count, std::size_t width, std::int32_t* to) {
    bound_all(index, count, width, to);
}
LITTLESTONE_CLONES void bounded(const std::int64_t* index, std::size_t count, std::size_t width, std::int64_t* to) {
    bound_all(index, count, width, to);
}

LITTLESTONE_CLONES bool inside(const std::int32_t* index, std::size_t count, std::size_t width) {
    return all_inside(index, count, width);
}
LITTLESTONE_CLONES bool inside(const std::int64_t* index, std::size_t count, std::size_t width) {
    return all_inside(index, count, width);
}

LITTLESTONE_CLONES bool increasing(const std::int32_t* index, std::size_t count) { return all_increase(index, count); }
LITTLESTONE_CLONES bool increasing(const std::int64_t* index, std::size_t count) { return all_increase(index, count); }

LITTLESTONE_CLONES std::size_t descents(const std::int32_t* index, std::size_t count) {
    return count_descents(index, count);
}
LITTLESTONE_CLONES std::size_t descents(const std::int64_t* index, std::size_t count) {
    return count_descents(index, count);
}

LITTLESTONE_CLONES bool has_zero(const float* x, std::size_t count) { return any_zero(x, count); }
LITTLESTONE_CLONES bool has_zero(const double* x, std::size_t count) { return any_zero(x, count); }

LITTLESTONE_CLONES static bool rank_plainly(const std::int32_t* index, std::size_t count, std::int32_t* to) {
    return rank_all(index, count, to);
}
bool rank(const std::int32_t* index, std::size_t count, std::int32_t* to) {
    return wide::possible ? wide::rank(index, count, to) : rank_plainly(index, count, to);
}
LITTLESTONE_CLONES bool rank(const std::int64_t* index, std::size_t count, std::int64_t* to) {
    return rank_all(index, count, to);
}

}  // namespace littlestone::nonzeros
