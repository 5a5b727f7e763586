// What a run leaves behind: running totals of fixed size, from which every certificate is computed.
#pragma once

#include <algorithm>
#include <cstdint>

#include "interval.h"
#include "sums.h"

namespace littlestone {

// One round before its update. A label is -1 or +1; 0 says that the outcome was a target or an interval.
struct Trial {
    double score;
    Interval interval;
    Violation miss;       // of the interval
    Violation violation;  // of the interval widened by the rule's tolerance: what updates go by
    double norm_squared;
    double largest_entry;
    int label;
    double weight = 1.0;        // importance; 1 where none was given
    std::uint32_t missing = 0;  // values left out of the row
    std::int32_t truth = -1;    // the class, where outcomes are classes

    static Trial of(double score, const Interval& interval, double tolerance, double norm_squared, double largest_entry,
                    int label) {
        const Violation miss = interval.violation(score);
        const Violation violation = tolerance > 0.0 ? interval.widened(tolerance).violation(score) : miss;
        return {score, interval, miss, violation, norm_squared, largest_entry, label, 1.0, 0, -1};
    }
};

// What an update did. An impossible step is a loss that no weights could have avoided (an empty row).
struct Step {
    double size;
    bool moved;
    bool impossible;

    static Step stay() { return {0.0, false, false}; }
    static Step by(double size) { return {size, true, false}; }
    static Step cannot() { return {0.0, false, true}; }
};

// What was predicted: the sign shown, and the probability with which it could have been +1.
struct Decision {
    int sign;
    double chance_positive;
    bool randomized;

    static Decision by_sign(double score) { return {score < 0.0 ? -1 : +1, score < 0.0 ? 0.0 : 1.0, false}; }
};

struct Ledger {
    std::uint64_t rounds = 0, mistakes = 0, updates = 0, impossible = 0;
    Sum loss, loss_squared, tolerated_loss, expected_mistakes;
    double smallest_margin = infinity;
    double largest_norm_squared = 0.0, largest_update_norm_squared = 0.0, largest_entry = 0.0;
    std::uint64_t missing = 0;
    // What weights other than 1 add to the plain totals: sums of w - 1, (w - 1) * loss and w - 1 over the mistakes.
    Sum extra_weight, extra_loss, extra_mistakes;
    double smallest_weight = 1.0, largest_weight = 1.0;  // of 1 and the weights met

    // A score of 0 is a mistake for either label (spec.md D1); without labels a mistake is a score outside the
    // interval.
    static bool mistaken(const Trial& trial, const Decision& decision) {
        if (trial.label == 0) return trial.miss.side != 0;
        return decision.randomized ? decision.sign != trial.label : trial.label * trial.score <= 0.0;
    }

    void record(const Trial& trial, const Decision& decision, const Step& step) {
        ++rounds;
        const bool mistake = mistaken(trial, decision);
        mistakes += mistake;
        if (trial.miss.distance > 0.0) {
            loss.add(trial.miss.distance);
            loss_squared.add(trial.miss.distance * trial.miss.distance);
        }
        if (trial.violation.distance > 0.0) tolerated_loss.add(trial.violation.distance);
        if (trial.label != 0) {
            smallest_margin = std::min(smallest_margin, trial.label * trial.score);
            const double chance = trial.label > 0 ? 1.0 - decision.chance_positive : decision.chance_positive;
            expected_mistakes.add(decision.randomized ? chance : (mistake ? 1.0 : 0.0));
        }
        largest_norm_squared = std::max(largest_norm_squared, trial.norm_squared);
        largest_entry = std::max(largest_entry, trial.largest_entry);
        impossible += step.impossible;
        missing += trial.missing;
        if (trial.weight != 1.0) record_weight(trial, mistake);
        if (step.moved) {
            ++updates;
            largest_update_norm_squared = std::max(largest_update_norm_squared, trial.norm_squared);
        }
    }

  private:
    void record_weight(const Trial& trial, bool mistake) {
        const double extra = trial.weight - 1.0;
        extra_weight.add(extra);
        extra_loss.add(extra * trial.miss.distance);
        if (mistake) extra_mistakes.add(extra);
        smallest_weight = std::min(smallest_weight, trial.weight);
        largest_weight = std::max(largest_weight, trial.weight);
    }
};

}  // namespace littlestone
