// Sums over nonzeros with the registers of AVX2, sixteen entries at a time (nonzeros.h); the bits are those of the
// plain loops.
#pragma once

#include "nonzeros.h"

namespace littlestone::nonzeros::narrow {

extern const bool possible;

double dot(const float* x, std::size_t count, const double* w, double last);
double dot(const double* x, std::size_t count, const double* w, double last);
// The dot products of a row with the weights of several classes, as wide.h has them.
void dots(const std::uint32_t* feature, const double* x, std::size_t count, const double* w, std::size_t classes,
          double* out);

Measures measured(const std::int32_t* index, const float* x, std::size_t count, bool packed, double last);
Measures measured(const std::int32_t* index, const double* x, std::size_t count, bool packed, double last);
Measures measured(const std::int64_t* index, const float* x, std::size_t count, bool packed, double last);
Measures measured(const std::int64_t* index, const double* x, std::size_t count, bool packed, double last);
Measures measured(const std::uint64_t* names, const float* x, std::size_t count, bool packed, double last);
Measures measured(const std::uint64_t* names, const double* x, std::size_t count, bool packed, double last);

// There must be room for sixteen indices more.
bool copied(const std::int32_t* index, const float* x, std::size_t count, bool packed, double last, std::size_t width,
            std::int32_t* to, Measures& of);
bool copied(const std::int32_t* index, const double* x, std::size_t count, bool packed, double last, std::size_t width,
            std::int32_t* to, Measures& of);
bool copied(const std::int64_t* index, const float* x, std::size_t count, bool packed, double last, std::size_t width,
            std::int64_t* to, Measures& of);
bool copied(const std::int64_t* index, const double* x, std::size_t count, bool packed, double last, std::size_t width,
            std::int64_t* to, Measures& of);

}  // namespace littlestone::nonzeros::narrow
