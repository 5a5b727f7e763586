// The loops over the experts of one round, compiled for several instruction sets; all give the same bits.
#pragma once

#include <cstddef>

#include "../interval.h"

namespace littlestone::vectors {

struct Extremes {
    double least, most;

    void take(double value) {
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
};
Extremes extremes(const double* x, std::size_t count);
inline double largest(const double* x, std::size_t count) { return extremes(x, count).most; }
inline double smallest(const double* x, std::size_t count) { return extremes(x, count).least; }
// x <- exp(x - shift); returns the sum.
double exponentials(double* x, double shift, std::size_t count);
double sum(const double* x, std::size_t count);
void scale(double* x, double by, std::size_t count);
// out <- from; returns how many are finite.
std::size_t copy_finite(const double* from, double* out, std::size_t count);
// x <- (x - shift) / by.
void normalise(double* x, double shift, double by, std::size_t count);
// out <- start - eta losses; returns the largest.
double scores(const double* start, const double* losses, double eta, double* out, std::size_t count);
// Neumaier's compensated sum, one for each expert, and the plain sum of the squares.
void accumulate(const double* x, double low, double* total, double* correction, double* squares, std::size_t count);
// The variance of x under the distribution p.
double variance(const double* p, const double* x, std::size_t count);

}  // namespace littlestone::vectors
