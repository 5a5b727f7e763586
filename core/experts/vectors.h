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
// x <- exp(x - shift).
void exponentials(double* x, double shift, std::size_t count);
double sum(const double* x, std::size_t count);
void scale(double* x, double by, std::size_t count);
// How many are finite.
std::size_t finite(const double* x, std::size_t count);
// x <- (x - shift) / by.
void normalise(double* x, double shift, double by, std::size_t count);
// out <- start - eta losses.
void scores(const double* start, const double* losses, double eta, double* out, std::size_t count);
// Neumaier's compensated sum, one for each expert, and the plain sum of the squares.
void accumulate(const double* x, double* total, double* correction, double* squares, std::size_t count);
// The variance of x under the distribution p.
double variance(const double* p, const double* x, double mean, std::size_t count);

}  // namespace littlestone::vectors
