// Sums over nonzeros with the masks of AVX-512, for which a row needs no rest of fewer than eight (nonzeros.h); the
// bits are those of the plain loops.
#pragma once

#include "nonzeros.h"

namespace littlestone::nonzeros::wide {

extern const bool possible;

double dot(const float* x, std::size_t count, const double* w, double last);
double dot(const double* x, std::size_t count, const double* w, double last);
// Of a row without zeros, or whose zeros are counted.
double dot(const std::int32_t* index, const float* x, std::size_t count, const double* w, double last);
double dot(const std::int32_t* index, const double* x, std::size_t count, const double* w, double last);
double dot(const std::int64_t* index, const float* x, std::size_t count, const double* w, double last);
double dot(const std::int64_t* index, const double* x, std::size_t count, const double* w, double last);

// Of a row of which nothing is known. False, with no product, unless its values are nonzero and below `bound`, no
// index is outside the width, and they increase, or, of a row that is not long, differ. What is followed is what was
// looked at.
bool checked_dot(const std::int32_t* index, const float* x, std::size_t count, const double* w, std::size_t width,
                 double bound, double last, double& out);
bool checked_dot(const std::int32_t* index, const double* x, std::size_t count, const double* w, std::size_t width,
                 double bound, double last, double& out);
bool checked_dot(const std::int64_t* index, const float* x, std::size_t count, const double* w, std::size_t width,
                 double bound, double last, double& out);
bool checked_dot(const std::int64_t* index, const double* x, std::size_t count, const double* w, std::size_t width,
                 double bound, double last, double& out);

// As nonzeros.h has them; a row of 64-bit names, or none, is dense.
template <class Index, class Value>
Measures measured(const Index* index, const Value* x, std::size_t count, bool packed, double last);
template <class Index, class Value>
bool sound(const Index* index, const Value* x, std::size_t count, bool packed, double last, std::size_t width,
           Measures& of);

// The dot products of a row with the weights of several classes, which stand feature by feature, in eights.
void dots(const std::uint32_t* feature, const double* x, std::size_t count, const double* w, std::size_t classes,
          double* out);

bool rank(const std::int32_t* index, std::size_t count, std::int32_t* to);

}  // namespace littlestone::nonzeros::wide
