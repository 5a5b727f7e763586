// What rules of one class share.
#pragma once

#include <vector>

#include "../loop.h"

namespace littlestone {

// A row whose score is above 0 is outside.
struct FlagsOutside : LinearRule {
    Interval accepts_label(int) const { return {-infinity, 0.0, true, false}; }
    Decision decide(double score, std::size_t = 0) const {
        return {score > 0.0 ? +1 : -1, score > 0.0 ? 1.0 : 0.0, false};
    }
};

// A row with its zeros.
template <class Row>
std::vector<double> dense_values(const Row& x, std::size_t width) {
    std::vector<double> dense(width, 0.0);
    x.each([&](std::size_t i, double value) { dense[i] = value; });
    return dense;
}

}  // namespace littlestone
