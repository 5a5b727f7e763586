// The additive geometry: weights, their lazily kept sum over the rounds, and weights that shrink by a common factor.
#pragma once

#include <cstddef>

#include "sums.h"

namespace littlestone {

// The sum of the weights used in each round so far is settled + mass * w - drift, where mass counts rounds and every
// change d of w adds mass * d to drift (Mohri et al. chapter 8: the averaged Perceptron). Empty when nobody asked for
// it.
struct Average {
    double* drift = nullptr;
    double* settled = nullptr;
    double* mass = nullptr;

    explicit operator bool() const { return mass != nullptr; }
    // That of one of many vectors of a width, whose sums stand one behind another.
    Average row(std::size_t r, std::size_t width) const {
        if (mass == nullptr) return {};
        return {drift + r * width, settled + r * width, mass + r};
    }
};

struct Weights {
    static constexpr bool scores_apart = true;

    double* w;
    std::size_t width;
    Average average;

    template <class Row>
    void begin_round(const Row&) const {
        if (average) *average.mass += 1.0;
    }
    template <class Row>
    double score(const Row& x) const {
        return x.dot(w);
    }
    const double* plain() const { return w; }
    template <class Row>
    void add(const Row& x, double step) const {
        x.add_to(w, step);
        if (average) x.add_to(average.drift, *average.mass * step);
    }
    // One weight, by a change of its own.
    void move(std::size_t i, double change) const {
        w[i] += change;
        if (average) average.drift[i] += *average.mass * change;
    }
};

// w = scale * v, so that shrinking every weight costs one multiplication (Mohri et al. exercise 8.5).
struct ScaledWeights {
    static constexpr bool scores_apart = true;

    double* v;
    double* scale;
    std::size_t width;
    Average average;

    // Folding early keeps the cancellation in the average's mass * v - drift below about 1e-11.
    static constexpr double fold_below = 1e-6;

    template <class Row>
    void begin_round(const Row&) const {
        if (average) *average.mass += *scale;
    }
    template <class Row>
    double score(const Row& x) const {
        return *scale * x.dot(v);
    }
    template <class Row>
    void add(const Row& x, double step) const {
        const double change = step / *scale;
        x.add_to(v, change);
        if (average) x.add_to(average.drift, *average.mass * change);
    }
    void shrink(double factor) const {
        *scale *= factor;
        if (*scale < fold_below) fold();
    }

  private:
    void fold() const {
        if (average) settle();
        for (std::size_t i = 0; i < width; ++i) v[i] *= *scale;
        *scale = 1.0;
    }
    void settle() const {
        for (std::size_t i = 0; i < width; ++i) {
            average.settled[i] += *average.mass * v[i] - average.drift[i];
            average.drift[i] = 0.0;
        }
        *average.mass = 0.0;
    }
};

}  // namespace littlestone
