#pragma once

#include <cstdint>
#include <vector>

#include "../random.h"
#include "adaptive_uniclass.h"
#include "sample.h"

namespace littlestone {

// Rows so far, a uniform sample of them, beside the spread of every feature: see the definition in
// uniclass/adaptive_kernel_uniclass.py.
struct ScaledSample {
    ScaledCentre centre;
    double* points;  // by feature and place
    std::size_t budget, width;

    template <class Row>
    void begin_round(const Row&) const {}

    std::size_t held() const {
        const double rounds = *centre.rounds;
        return rounds < static_cast<double>(budget) ? static_cast<std::size_t>(rounds) : budget;
    }
    // 1 minus the mean of what the row has in common with each row of the sample.
    template <class Row>
    double distance(const Row& x) const {
        const std::size_t count = held();
        if (count == 0) return 0.0;
        const std::vector<double> value = dense_values(x, width);
        std::vector<double> unlike(count, 0.0);
        for (std::size_t i = 0; i < width; ++i)
            sample::add_deviations(points + i * budget, value[i], centre.variance[i], *centre.rounds, unlike.data(),
                                   count);
        const double by = width ? 0.5 / static_cast<double>(width) : 0.0;
        return 1.0 - sample::likeness(unlike.data(), by, count) / static_cast<double>(count);
    }
    template <class Row>
    double score(const Row& x) const {
        return distance(x) - *centre.threshold;
    }
};

// Threshold and spreads follow as those of AdaptiveUniclass; the row takes a place in the sample, or not.
struct AdaptiveKernelUniclass : FlagsOutside {
    ScaledSample weights;
    std::uint64_t seed;
    double flag, eta;

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        const std::vector<double> value = dense_values(x, weights.width);
        const double share = weights.centre.follow(value, trial.score, flag, eta);
        const double count = *weights.centre.rounds;
        const auto number = static_cast<std::uint64_t>(count);
        const auto place =
            number <= weights.budget ? number - 1 : static_cast<std::uint64_t>(uniform(seed, number) * count);
        if (place < weights.budget)
            for (std::size_t i = 0; i < weights.width; ++i) weights.points[i * weights.budget + place] = value[i];
        return Step::otherwise(share);
    }
};

}  // namespace littlestone
