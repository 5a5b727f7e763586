// Loops over all numbers of a vector, number i in lane i mod 16 of a sum; compiled for several instruction sets and
// chosen at run time; all give the same bits.
#pragma once

#include <cstddef>

namespace littlestone::dense {

double dot(const float* x, const double* w, std::size_t count);
double dot(const double* x, const double* w, std::size_t count);
double norm_squared(const float* x, std::size_t count);
double norm_squared(const double* x, std::size_t count);
// The largest magnitude; nan counts as larger than infinity.
double largest_entry(const float* x, std::size_t count);
double largest_entry(const double* x, std::size_t count);
void add(const float* x, double step, double* w, std::size_t count);
void add(const double* x, double step, double* w, std::size_t count);

}  // namespace littlestone::dense
