// What a run of an expert rule leaves behind: a few numbers, and a few for each expert.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../interval.h"
#include "../sums.h"
#include "compiled.h"

namespace littlestone {

struct ExpertLedger {
    explicit ExpertLedger(std::size_t experts, double lowest = 0.0)
        : low(lowest),
          loss_total(experts),
          loss_correction(experts),
          squares(experts),
          asleep(experts),
          asleep_loss(experts) {}

    double low;  // the lower end of the declared range: squares are of losses from there, where they keep their digits
    std::uint64_t rounds = 0;
    std::uint64_t mistakes = 0;
    double above_mean =
        0.0;       // the most by which the learner's loss exceeded the mean of the experts' under its weights
    Sum loss;      // the learner's
    Sum variance;  // of what the experts were charged, under the weights, for a rule that is free of scale
    double smallest_loss = infinity, largest_loss = -infinity;
    double largest_range = 0.0;  // of what was charged in one round
    double scale = 0.0;          // the unit of the charges where the range is tracked
    double charged = 0.0;        // what the learner was charged in that unit: what an expert has that slept all along
    std::vector<double> loss_total, loss_correction, squares;
    std::vector<double> asleep;    // rounds
    std::vector<Sum> asleep_loss;  // the learner's in these rounds

    std::size_t experts() const { return squares.size(); }

    // One round: the losses of the experts (0 for whoever sleeps), the learner's, and whether its label was wrong.
    void record(const Awake& awake, const double* losses, double own, bool mistaken) {
        rounds += 1;
        mistakes += mistaken;
        loss.add(own);
        vectors::accumulate(losses, low, loss_total.data(), loss_correction.data(), squares.data(), experts());
        if (awake.all) return;
        for (std::size_t i = 0; i < experts(); ++i)
            if (!awake.flag[i]) {
                asleep[i] += 1.0;
                asleep_loss[i].add(own);
            }
    }
    void saw(double least, double most) {
        smallest_loss = std::min(smallest_loss, least);
        largest_loss = std::max(largest_loss, most);
    }
};

}  // namespace littlestone
