// Sums over nonzeros with the registers of AVX2, sixteen entries at a time (nonzeros.h); the bits are those of the
// plain loops.
#pragma once

#include "nonzeros.h"

namespace littlestone::nonzeros::narrow {

extern const bool possible;

// Each for rows of float and double, and where they are sparse with indices of 32 and 64 bits.
template <class Value>
double dot(const Value* x, std::size_t count, const double* w, double last);
template <class Index, class Value>
Measures measured(const Index* index, const Value* x, std::size_t count, bool packed, double last);
template <class Index, class Value>
bool sound(const Index* index, const Value* x, std::size_t count, bool packed, double last, std::size_t width,
           Measures& of);

// The dot products of a row with the weights of several classes, as wide.h has them.
void dots(const std::uint32_t* feature, const double* x, std::size_t count, const double* w, std::size_t classes,
          double* out);

}  // namespace littlestone::nonzeros::narrow
