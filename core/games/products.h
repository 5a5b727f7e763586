// The products of a dense row-major matrix with a vector, and what else a round does, compiled for several instruction
// sets; all give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../experts/vectors.h"

namespace littlestone::games {

template <class Value>
struct Dense {
    const Value* value;
    std::size_t rows, columns;
    std::ptrdiff_t stride;  // values from one row to the next

    const Value* row(std::size_t i) const { return value + static_cast<std::ptrdiff_t>(i) * stride; }
};

// Aq = A q. Where q has few nonzeros only their columns are read.
void times(const Dense<float>& A, const double* q, double* Aq);
void times(const Dense<double>& A, const double* q, double* Aq);
// pA = pᵀA. Rows of weight 0 are not read.
void transposed_times(const Dense<float>& A, const double* p, double* pA);
void transposed_times(const Dense<double>& A, const double* p, double* pA);
void transpose(const Dense<std::int16_t>& A, std::int16_t* out, std::size_t stride);
// mean ← mean + share·(value − mean).
void move_towards(double* mean, const double* value, double share, std::size_t count);
// The same; the smallest and the largest of it.
vectors::Extremes moved_towards(double* mean, const double* value, double share, std::size_t count);
// The smallest and the largest value of a row.
vectors::Extremes extremes(const float* row, std::size_t columns);
vectors::Extremes extremes(const double* row, std::size_t columns);

}  // namespace littlestone::games
