// What a row has in common with each row of a sample, compiled for several instruction sets; all give the same bits.
#pragma once

#include <cstddef>

namespace littlestone::sample {

// Adds (value − point)²/variance for every point, none above `most`.
void add_deviations(const double* point, double value, double variance, double most, double* sum, std::size_t count);
// Σ 1/(1 + by·x): entry k is added into lane k mod 8, and the lanes are added pairwise at the end.
double likeness(const double* x, double by, std::size_t count);

}  // namespace littlestone::sample
