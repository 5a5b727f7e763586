// Sums with a fixed order, so that every path through the library gives the same bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace littlestone {

// The k-th number of a sum is added into lane k mod 16, and the lanes are added pairwise at the end. Of a row the
// numbers are those of its nonzeros, in the order of the features (nonzeros.h).
inline constexpr std::size_t lanes = 16;

struct alignas(64) Lanes {
    double lane[lanes] = {};

    double total() const {
        double half[lanes];
        std::copy(lane, lane + lanes, half);
        for (std::size_t width = lanes / 2; width > 0; width /= 2)
            for (std::size_t k = 0; k < width; ++k) half[k] += half[k + width];
        return half[0];
    }
};

// A compensated sum: the error stays one rounding however many terms are added. What an addition has lost is found
// without asking which of the two is larger (Knuth, The Art of Computer Programming, volume 2, section 4.2.2).
struct Sum {
    double total = 0.0;
    double correction = 0.0;

    void add(double term) {
        const double next = total + term, part = next - total;
        const double lost = (total - (next - part)) + (term - part);
        // An infinite sum has no correction: it would be nan.
        if (std::isfinite(lost)) correction += lost;
        total = next;
    }
    void replace(double term, double by) {
        add(by);
        add(-term);
    }
    // A multiple of a half, of which no addition loses anything.
    void add_exactly(double term) { total += term; }
    double value() const { return total + correction; }
};

}  // namespace littlestone
