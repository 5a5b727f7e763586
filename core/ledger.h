// What a run leaves behind: running totals of fixed size, from which every certificate is computed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "clones.h"
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
    double chance = -1.0;       // the probability that what came was given; negative where none was
    double brier = 0.0;         // squared distance of the probabilities from what came

    LITTLESTONE_INLINE static Trial of(double score, const Interval& interval, double tolerance, double norm_squared,
                                       double largest_entry, int label) {
        const Violation miss = interval.violation(score);
        const Violation violation = tolerance > 0.0 ? interval.widened(tolerance).violation(score) : miss;
        return {score, interval, miss, violation, norm_squared, largest_entry, label, 1.0, 0, -1};
    }

    // The score is the log-odds of +1, and the loss of the round its log loss.
    void foretell() {
        const double margin = label * score, far = std::exp(-std::fabs(margin));
        chance = std::max((margin >= 0.0 ? 1.0 : far) / (1.0 + far), std::numeric_limits<double>::min());
        brier = (1.0 - chance) * (1.0 - chance);
        miss = {margin <= 0.0 ? label : 0, std::log1p(far) + (margin < 0.0 ? -margin : 0.0)};
        violation = miss;
    }
};

// What an update did, in full: it added size * x to the weights and did nothing else; or it moved the state in another
// way, of which size is only a measure. An impossible step is a loss that no weights could have avoided (an empty row).
struct Step {
    double size;
    bool moved;
    bool impossible;
    bool along;  // whether size * x is the whole change of the weights

    static Step stay() { return {0.0, false, false, true}; }
    static Step by(double size) { return {size, true, false, true}; }
    static Step otherwise(double size) { return {size, true, false, false}; }
    static Step cannot() { return {0.0, false, true, true}; }
};

// What was predicted: the sign shown, and the probability with which it could have been +1.
struct Decision {
    int sign;
    double chance_positive;
    bool randomized;

    static Decision by_sign(double score) {
        const int below = score < 0.0;  // without a branch, for the sign is anybody's guess
        return {1 - 2 * below, static_cast<double>(1 - below), false};
    }
};

using Count = std::uint64_t;

// The largest and the smallest value met, from a value of its own on.
struct Largest {
    double value = 0.0;
    void see(double other) { value = std::max(value, other); }
};
struct Smallest {
    double value = infinity;
    void see(double other) { value = std::min(value, other); }
};

// What was met last; nan before anything was.
struct Latest {
    double value = std::numeric_limits<double>::quiet_NaN();
    void see(double other) { value = other; }
};

// The total of two stretches of a stream, by what kind of total it is.
inline void merge(Count& total, Count other) { total += other; }
inline void merge(Sum& total, const Sum& other) {
    total.add(other.total);
    total.correction += other.correction;
}
inline void merge(Largest& total, Largest other) { total.see(other.value); }
inline void merge(Smallest& total, Smallest other) { total.see(other.value); }
inline void merge(Latest& total, Latest other) {
    if (!std::isnan(other.value)) total = other;
}

// A hash of a sequence: a polynomial in a number, modulo 2^64, whose coefficients are the hashes of its members.
struct Chain {
    Count value = 0;
    void append(Count hash) { value = value * base + hash; }
    // The sequence, and behind it another of so many members.
    void append(Chain other, Count members) {
        Count power = 1;
        for (Count square = base; members != 0; members >>= 1, square *= square)
            if (members & 1) power *= square;
        value = value * power + other.value;
    }

  private:
    static constexpr Count base = 0xD1342543DE82EF95u;
};
inline void merge(Chain&, Chain) {}  // needs the length of the other: see Ledger::merge

// Forecasts by tenths of their probability: how many there were, how often what they spoke of came, and their sum.
struct Tenths {
    static constexpr std::size_t count = 10;
    Count told[count] = {}, came[count] = {};
    Sum chance[count] = {};

    bool any() const {
        return std::any_of(told, told + count, [](Count forecasts) { return forecasts != 0; });
    }
    void see(double probability, bool happened) {
        const std::size_t k = std::min(static_cast<std::size_t>(probability * static_cast<double>(count)), count - 1);
        ++told[k];
        came[k] += happened;
        chance[k].add(probability);
    }
};
inline void merge(Tenths& total, const Tenths& other) {
    for (std::size_t k = 0; k < Tenths::count; ++k) {
        total.told[k] += other.told[k];
        total.came[k] += other.came[k];
        merge(total.chance[k], other.chance[k]);
    }
}

// Every total, once: its kind, name, value before the first round, and what `ls.Ledger` says of it; one without words
// is part of another and not shown. Fields, bindings, stored parts, merging, model files and (by `make stubs tables`)
// the fields of `ls.Ledger` are made of this list. To add a total: a line here, and a line in `record`.
#define LITTLESTONE_TOTALS(TOTAL)                                                                                      \
    TOTAL(Count, rounds, 0, "Rows learned.")                                                                           \
    TOTAL(Count, mistakes, 0, "Rounds with label * score <= 0; without labels, with a score outside the interval.")    \
    TOTAL(Count, updates, 0, "Rounds in which the state moved.")                                                       \
    TOTAL(Count, impossible, 0, "Rounds with a loss that no weights could have avoided: an empty row.")                \
    TOTAL(Sum, loss, {}, "Distances from the scores to the intervals, before the tolerance.")                          \
    TOTAL(Sum, loss_squared, {}, "Their squares.")                                                                     \
    TOTAL(Sum, tolerated_loss, {}, "Distances from the scores to the intervals, after the tolerance.")                 \
    TOTAL(Sum, expected_mistakes, {}, "Of a randomised rule; for the others, their mistakes on labels.")               \
    TOTAL(Largest, largest_loss, {}, "Of a round, before the tolerance.")                                              \
    TOTAL(Sum, zero_loss, {}, "What a score of 0 in every round would have lost.")                                     \
    TOTAL(Sum, zero_loss_squared, {}, "The squares of that.")                                                          \
    TOTAL(Count, forecasts, 0, "Rounds in which what came was given a probability.")                                   \
    TOTAL(Sum, log_loss, {}, "-ln of the probabilities that what came was given.")                                     \
    TOTAL(Sum, brier, {}, "Squared distances of the probabilities from what came.")                                    \
    TOTAL(Tenths, tenths, {}, "") /* of the positive of two labels */                                                  \
    TOTAL(Count, positives, 0, "Rounds with the positive label.")                                                      \
    TOTAL(Count, shown_errors, 0, "Rounds in which the label that was shown was wrong; a score of 0 shows one, too.")  \
    TOTAL(Count, two_labels, 0, "Rounds whose outcome was one of two labels.")                                         \
    TOTAL(Count, missed, 0, "Of these, with the positive label, while the negative one was shown.")                    \
    TOTAL(Count, false_alarms, 0, "Of these, with the negative label, while the positive one was shown.")              \
    TOTAL(Count, pairs, 0, "Of these, those that have one with the other label before them: a pair with the latest.")  \
    TOTAL(Sum, ordered, {}, "Pairs in which the positive one had the higher score; half of those with equal scores.")  \
    TOTAL(Latest, negative_score, {}, "") /* of the latest round with the label */                                     \
    TOTAL(Latest, positive_score, {}, "")                                                                              \
    TOTAL(Count, majority_errors, 0, "Of whoever shows the label met most often so far; of two labels.")               \
    TOTAL(Count, last_label_errors, 0, "Of whoever shows the label of the round before.")                              \
    TOTAL(Count, targets, 0, "Rounds whose outcome was a number, and not a label or an unbounded interval.")           \
    TOTAL(Sum, absolute_error, {}, "Distances from the scores to the targets.")                                        \
    TOTAL(Sum, squared_error, {}, "Their squares.")                                                                    \
    TOTAL(Sum, target, {}, "The targets.")                                                                             \
    TOTAL(Sum, target_squared, {}, "Their squares.")                                                                   \
    TOTAL(Sum, mean_error, {}, "Distances to the targets of whoever predicts their mean so far.")                      \
    TOTAL(Sum, last_value_error, {}, "Distances to the targets of whoever predicts the one before.")                   \
    TOTAL(Latest, last_outcome, {}, "") /* a label, a class or a target */                                             \
    TOTAL(Smallest, smallest_margin, {}, "Of label * score; infinite before the first label.")                         \
    TOTAL(Largest, largest_norm_squared, {}, "Of a row: the radius r of the theorems, squared.")                       \
    TOTAL(Largest, largest_update_norm_squared, {}, "Of a row that moved the state.")                                  \
    TOTAL(Largest, largest_update_entry, {}, "The largest absolute value of a feature in a row that moved the state.") \
    TOTAL(Sum, update_norm_squared, {}, "Of the rows that moved the state, added up.")                                 \
    TOTAL(Sum, step_loss, {}, "Of the updates: the size of the step times the loss, before the tolerance.")            \
    TOTAL(Largest, largest_entry, {}, "The largest absolute value of a feature.")                                      \
    TOTAL(Count, missing, 0, "Values that were left out of the rows learned (`missing=\"skip\"`).")                    \
    TOTAL(Sum, extra_weight, {}, "")   /* what weights other than 1 add to `rounds` */                                 \
    TOTAL(Sum, extra_loss, {}, "")     /* and to `loss` */                                                             \
    TOTAL(Sum, extra_mistakes, {}, "") /* and to `mistakes` */                                                         \
    TOTAL(Smallest, smallest_weight, {1.0}, "Of 1 and every weight met.")                                              \
    TOTAL(Largest, largest_weight, {1.0}, "Of 1 and every weight met.")                                                \
    TOTAL(Count, witnessed, 0, "Rounds that the two fingerprints speak of: all but those of files without them.")      \
    TOTAL(Count, fingerprint, 0, "Of the rows, outcomes and weights learned, in whatever order.")                      \
    TOTAL(Chain, sequence, {}, "The same in the order in which they were learned.")                                    \
    TOTAL(Count, other_updates, 0, "Updates that did more, or other, than add a multiple of the row.")

struct Ledger {
#define LITTLESTONE_FIELD(kind, name, start, words) kind name = start;
    LITTLESTONE_TOTALS(LITTLESTONE_FIELD)
#undef LITTLESTONE_FIELD

    // Adds what another stretch of the stream left behind.
    void merge(const Ledger& other) {
        sequence.append(other.sequence, other.witnessed);
#define LITTLESTONE_MERGE(kind, name, start, words) littlestone::merge(name, other.name);
        LITTLESTONE_TOTALS(LITTLESTONE_MERGE)
#undef LITTLESTONE_MERGE
    }

    // A score of 0 is a mistake for either label; without labels a mistake is a score outside the
    // interval.
    static bool mistaken(const Trial& trial, const Decision& decision) {
        if (trial.label == 0) return trial.miss.side != 0;
        return decision.randomized ? decision.sign != trial.label : trial.label * trial.score <= 0.0;
    }

    LITTLESTONE_INLINE void record(const Trial& trial, const Decision& decision, const Step& step) {
        ++rounds;
        const bool mistake = mistaken(trial, decision);
        mistakes += mistake;
        if (trial.miss.distance > 0.0) {
            loss.add(trial.miss.distance);
            loss_squared.add(trial.miss.distance * trial.miss.distance);
            largest_loss.see(trial.miss.distance);
        }
        const double at_zero = trial.interval.distance(0.0);
        if (at_zero > 0.0) {
            zero_loss.add(at_zero);
            zero_loss_squared.add(at_zero * at_zero);
        }
        if (trial.violation.distance > 0.0) tolerated_loss.add(trial.violation.distance);
        if (trial.label != 0) {
            smallest_margin.see(trial.label * trial.score);
            record_label(trial, decision);
            if (decision.randomized)
                expected_mistakes.add(trial.label > 0 ? 1.0 - decision.chance_positive : decision.chance_positive);
            else if (mistake)
                expected_mistakes.add(1.0);
        }
        if (trial.chance >= 0.0) {
            ++forecasts;
            log_loss.add(-std::log(trial.chance));
            brier.add(trial.brier);
            if (trial.label != 0 && trial.truth < 0)
                tenths.see(trial.label > 0 ? trial.chance : 1.0 - trial.chance, trial.label > 0);
        }
        if (trial.label == 0 && std::isfinite(trial.interval.low) && std::isfinite(trial.interval.high))
            record_target(trial.score, 0.5 * trial.interval.low + 0.5 * trial.interval.high);
        largest_norm_squared.see(trial.norm_squared);
        largest_entry.see(trial.largest_entry);
        impossible += step.impossible;
        missing += trial.missing;
        if (trial.weight != 1.0) record_weight(trial, mistake);
        if (step.moved) {
            ++updates;
            other_updates += !step.along;
            largest_update_norm_squared.see(trial.norm_squared);
            largest_update_entry.see(trial.largest_entry);
            update_norm_squared.add(trial.norm_squared);
            step_loss.add(std::fabs(step.size) * trial.miss.distance);
        }
    }

    // Sums over the rounds, each times its weight.
    double weight() const { return with(Sum{static_cast<double>(rounds)}, extra_weight); }
    double weighted_loss() const { return with(loss, extra_loss); }
    double weighted_mistakes() const { return with(Sum{static_cast<double>(mistakes)}, extra_mistakes); }

    // The round again, for the fingerprints: a hash of its row, its outcome and its weight.
    void witness(Count round) {
        ++witnessed;
        fingerprint += round;
        sequence.append(round);
    }

  private:
    static double with(Sum total, const Sum& extra) {
        littlestone::merge(total, extra);
        return total.value();
    }
    // Beside those who learn nothing: the label met most often, and the last one.
    LITTLESTONE_INLINE void record_label(const Trial& trial, const Decision& decision) {
        const double outcome = trial.truth >= 0 ? trial.truth : trial.label;
        shown_errors += decision.sign != trial.label;
        majority_errors += (trial.truth < 0) & ((trial.label > 0) != (2 * positives >= rounds - 1));
        last_label_errors += last_outcome.value != outcome;
        positives += trial.label > 0;
        last_outcome.see(outcome);
        if (trial.truth < 0) record_pair(trial, decision);
    }
    // A row and the latest one with the other label: which of the two had the higher score.
    LITTLESTONE_INLINE void record_pair(const Trial& trial, const Decision& decision) {
        const bool positive = trial.label > 0;
        Latest* const latest[] = {&negative_score, &positive_score};
        ++two_labels;
        missed += positive & (decision.sign < 0);
        false_alarms += !positive & (decision.sign > 0);
        const double other = latest[!positive]->value;
        if (!std::isnan(other)) {
            ++pairs;
            ordered.add_exactly(0.5 + 0.5 * (trial.label * ((trial.score > other) - (trial.score < other))));
        }
        latest[positive]->see(trial.score);
    }
    // Beside the mean of the targets so far, and the last one; before the first both predict 0.
    void record_target(double score, double y) {
        const double mean = targets > 0 ? target.value() / static_cast<double>(targets) : 0.0;
        absolute_error.add(std::fabs(score - y));
        squared_error.add((score - y) * (score - y));
        mean_error.add(std::fabs(mean - y));
        last_value_error.add(std::fabs((targets > 0 ? last_outcome.value : 0.0) - y));
        ++targets;
        target.add(y);
        target_squared.add(y * y);
        last_outcome.see(y);
    }
    // What the weight makes of a round in place of what is counted without it: each by itself, for in their difference
    // a small weight would be lost.
    void record_weight(const Trial& trial, bool mistake) {
        extra_weight.replace(1.0, trial.weight);
        extra_loss.replace(trial.miss.distance, trial.weight * trial.miss.distance);
        if (mistake) extra_mistakes.replace(1.0, trial.weight);
        smallest_weight.see(trial.weight);
        largest_weight.see(trial.weight);
    }
};

}  // namespace littlestone
