// A square root R of a covariance P = R'R over all pairs of features, kept by Potter's updates: P stays positive, and
// the root has twice the digits.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace littlestone {

struct SquareRoot {
    double* root;  // width x width, by rows
    std::size_t width;

    // x'Px = |Rx|^2.
    template <class Row>
    double spread(const Row& x) const {
        double sum = 0.0;
        for_image(x, [&](std::size_t, double entry) { sum += entry * entry; });
        return sum;
    }
    // Rx goes to image and R'(Rx) = Px to direction; returns x'Px.
    template <class Row>
    double look(const Row& x, std::vector<double>& image, std::vector<double>& direction) const {
        image.resize(width);
        direction.assign(width, 0.0);
        double sum = 0.0;
        for_image(x, [&](std::size_t i, double entry) {
            image[i] = entry;
            sum += entry * entry;
        });
        for (std::size_t i = 0; i < width; ++i)
            if (image[i] != 0.0)
                for (std::size_t j = 0; j < width; ++j) direction[j] += image[i] * root[i * width + j];
        return sum;
    }
    // P - Pxx'P/(r + x'Px) with r = 1/precision: R - gamma (Rx)(Px)'.
    void learn(const std::vector<double>& image, const std::vector<double>& direction, double spread,
               double precision) const {
        const double grown = 1.0 + precision * spread;
        const double gamma = precision / (grown + std::sqrt(grown));
        for (std::size_t i = 0; i < width; ++i) {
            if (image[i] == 0.0) continue;
            const double step = gamma * image[i];
            for (std::size_t j = 0; j < width; ++j) root[i * width + j] -= step * direction[j];
        }
    }

  private:
    // The entries of Rx in order, each summed over the nonzeros in order; eight at a time, since a sum waits for
    // itself.
    template <class Row, class Visit>
    void for_image(const Row& x, Visit visit) const {
        constexpr std::size_t lanes = 8;
        for (std::size_t first = 0; first < width; first += lanes) {
            const std::size_t count = std::min(lanes, width - first);
            double entry[lanes] = {};
            x.each([&](std::size_t j, double value) {
                for (std::size_t r = 0; r < count; ++r) entry[r] += value * root[(first + r) * width + j];
            });
            for (std::size_t r = 0; r < count; ++r) visit(first + r, entry[r]);
        }
    }
};

}  // namespace littlestone
