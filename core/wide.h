// Sums over nonzeros with the masks of AVX-512, for which a row needs no rest of fewer than eight (nonzeros.h); the
// bits are those of the plain loops.
#pragma once

#include "nonzeros.h"

namespace littlestone::nonzeros::wide {

extern const bool possible;

double dot(const float* x, std::size_t count, const double* w, double last);
double dot(const double* x, std::size_t count, const double* w, double last);

Measures measured(const std::int32_t* index, const float* x, std::size_t count, bool packed, double last);
Measures measured(const std::int32_t* index, const double* x, std::size_t count, bool packed, double last);
Measures measured(const std::int64_t* index, const float* x, std::size_t count, bool packed, double last);
Measures measured(const std::int64_t* index, const double* x, std::size_t count, bool packed, double last);
Measures measured(const std::uint64_t* names, const float* x, std::size_t count, bool packed, double last);
Measures measured(const std::uint64_t* names, const double* x, std::size_t count, bool packed, double last);

}  // namespace littlestone::nonzeros::wide
