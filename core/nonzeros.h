// Sums over the nonzeros of a row. The k-th of them, in the order of the features, goes to lane k mod 16 (sums.h):
// stored zeros are left out before anything is counted, so a dense row and a sparse one give the same bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace littlestone::nonzeros {

// Of a dense row. `last` is one product more, behind the others: that of a constant feature, or 0, which changes
// nothing.
double dot(const float* x, std::size_t count, const double* w, double last = 0.0);
double dot(const double* x, std::size_t count, const double* w, double last = 0.0);
// Of a row whose value k belongs to feature index[k]. A packed row has no zeros to leave out: what zeros it has are
// counted.
double dot(const std::int32_t* index, const float* x, std::size_t count, const double* w, bool packed, double last);
double dot(const std::int32_t* index, const double* x, std::size_t count, const double* w, bool packed, double last);
double dot(const std::int64_t* index, const float* x, std::size_t count, const double* w, bool packed, double last);
double dot(const std::int64_t* index, const double* x, std::size_t count, const double* w, bool packed, double last);

// Of rows [begin, end), where row t has the entries from start[t] - start[0] to start[t + 1] - start[0]: the sums in
// the order in which the entries lie, up to the first row whose sum is not sure to have the sign of `dot` once they are
// sorted and those of one feature added up. Returns that row. Indices must be in range, and values below 1e140 in
// magnitude.
std::size_t rough_dots(const std::int32_t* start, const std::int32_t* index, const float* x, std::size_t begin,
                       std::size_t end, const double* w, double last, double* out);
std::size_t rough_dots(const std::int32_t* start, const std::int32_t* index, const double* x, std::size_t begin,
                       std::size_t end, const double* w, double last, double* out);
std::size_t rough_dots(const std::int64_t* start, const std::int64_t* index, const float* x, std::size_t begin,
                       std::size_t end, const double* w, double last, double* out);
std::size_t rough_dots(const std::int64_t* start, const std::int64_t* index, const double* x, std::size_t begin,
                       std::size_t end, const double* w, double last, double* out);

// The dot products of a row with the weights of several classes, which stand feature by feature, in eights; only where
// the machine has registers for them.
bool has_dots();
void dots(const std::uint32_t* feature, const double* x, std::size_t count, const double* w, std::size_t classes,
          double* out);

// Adds step * x to the weights of the features of a row.
void add(const std::int32_t* index, const float* x, std::size_t count, double step, double* w);
void add(const std::int32_t* index, const double* x, std::size_t count, double step, double* w);
void add(const std::int64_t* index, const float* x, std::size_t count, double step, double* w);
void add(const std::int64_t* index, const double* x, std::size_t count, double step, double* w);

double norm_squared(const float* x, std::size_t count, bool packed = false, double last = 0.0);
double norm_squared(const double* x, std::size_t count, bool packed = false, double last = 0.0);

// One entry of a row as 64 bits that look random: two steps, each of which multiplies one half of the bits by the
// other, the multiplication that every machine has for many numbers at once. A feature is known by its column, or by a
// hash of its name.
struct Mixing {
    static constexpr std::uint64_t spread = 0x9E3779B1u, above = 0xFFFFFFFF00000000u;  // of features; a prime
    static constexpr std::uint64_t start = 0xA0761D6478BD642Fu;

    static constexpr std::uint64_t stirred(std::uint64_t bits) {
        return (bits >> 32) * (bits & ~above) ^ std::rotl(bits, 32);
    }
};
inline std::uint64_t mixed(std::uint64_t feature, double value) {
    const std::uint64_t place = (feature & ~Mixing::above) * Mixing::spread + (feature & Mixing::above);
    return Mixing::stirred(Mixing::stirred((std::bit_cast<std::uint64_t>(value) + place) ^ Mixing::start));
}

// The hash of a name, eight bytes at a time.
std::uint64_t name_hash(std::string_view name);

// What a check reads of a row: its squared norm, its largest magnitude (nan counts as larger than infinity), its hash,
// the sum of its nonzeros', whatever their order and however they are stored, and whether there are zeros among them.
struct Measures {
    double norm_squared, largest_entry;
    std::uint64_t hash;
    bool zeros;
};
Measures measured(const std::int32_t* index, const float* x, std::size_t count, bool packed, double last);
Measures measured(const std::int32_t* index, const double* x, std::size_t count, bool packed, double last);
Measures measured(const std::int64_t* index, const float* x, std::size_t count, bool packed, double last);
Measures measured(const std::int64_t* index, const double* x, std::size_t count, bool packed, double last);
// Of a dense row; `names` has a hash of each feature's name, or is null where they are known by their columns.
Measures measured(const std::uint64_t* names, const float* x, std::size_t count, bool packed, double last);
Measures measured(const std::uint64_t* names, const double* x, std::size_t count, bool packed, double last);

// The same, of a sparse row whose indices are looked at; false where they do not increase, or one is outside the width.
bool sound(const std::int32_t* index, const float* x, std::size_t count, bool packed, double last, std::size_t width,
           Measures& of);
bool sound(const std::int32_t* index, const double* x, std::size_t count, bool packed, double last, std::size_t width,
           Measures& of);
bool sound(const std::int64_t* index, const float* x, std::size_t count, bool packed, double last, std::size_t width,
           Measures& of);
bool sound(const std::int64_t* index, const double* x, std::size_t count, bool packed, double last, std::size_t width,
           Measures& of);

// The indices, and for those outside the width its last place.
void bounded(const std::int32_t* index, std::size_t count, std::size_t width, std::int32_t* to);
void bounded(const std::int64_t* index, std::size_t count, std::size_t width, std::int64_t* to);

// Whether all indices are places in the width.
bool inside(const std::int32_t* index, std::size_t count, std::size_t width);
bool inside(const std::int64_t* index, std::size_t count, std::size_t width);

// Whether the indices of a row increase.
bool increasing(const std::int32_t* index, std::size_t count);
bool increasing(const std::int64_t* index, std::size_t count);

// How many indices are not above the one before them.
std::size_t descents(const std::int32_t* index, std::size_t count);
std::size_t descents(const std::int64_t* index, std::size_t count);

bool has_zero(const float* x, std::size_t count);
bool has_zero(const double* x, std::size_t count);

// For each index how many of the others are below it; false where two are equal. There must be room for sixteen more.
bool rank(const std::int32_t* index, std::size_t count, std::int32_t* to);
bool rank(const std::int64_t* index, std::size_t count, std::int64_t* to);

}  // namespace littlestone::nonzeros
