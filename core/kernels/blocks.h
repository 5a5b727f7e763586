// Loops over many points at once, compiled for several instruction sets and chosen at run time; all give the same bits.
#pragma once

#include <cstddef>

namespace littlestone::blocks {

// Points stand in blocks of 32, feature by feature: value i of point p is at [(p / 32 * width + i) * 32 + p % 32]. A
// sum over the features of a point is taken in their order, so that a zero changes nothing and dense and sparse points
// give the same bits.
inline constexpr std::size_t size = 32;

// out[p] = sum_i x[i] * point_p[i].
void dots(const double* points, std::size_t blocks, std::size_t width, const double* x, double* out);
// out[p] = sum_i |x[i] - point_p[i]|.
void distances(const double* points, std::size_t blocks, std::size_t width, const double* x, double* out);

// values[p]: from dot products to squared distances norms[p] + norm - 2 values[p]; true if one of them lost more than
// six digits to cancellation, which the caller then sums anew.
bool squared_distances(double* values, const double* norms, double norm, std::size_t count);
inline constexpr double cancelled = 1e-6;

// values[p] = exp(-gamma * values[p]), a negative distance counting as 0.
void exponentials(double* values, double gamma, std::size_t count);

// sum_p a[p] * b[p], point p in lane p mod 32; count is a multiple of 32.
double weighted_sum(const double* a, const double* b, std::size_t count);

}  // namespace littlestone::blocks
