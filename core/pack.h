// Products of a dense row that has zeros: those of its nonzeros are moved together and then summed (nonzeros.h).
#pragma once

#include <cstddef>

namespace littlestone::pack {

// The sum of x[i] * y[i] over the nonzeros of x.
double sum(const float* x, const double* y, std::size_t count);
double sum(const double* x, const double* y, std::size_t count);
double sum(const float* x, const float* y, std::size_t count);

}  // namespace littlestone::pack
