// The outcomes of a batch: labels, targets, intervals of acceptable scores, or classes. One of the four is present.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "interval.h"
#include "nonzeros.h"

namespace littlestone {

struct Labels {
    const std::int8_t* sign;

    Labels from(std::size_t begin) const { return {sign + begin}; }
};

struct Targets {
    const double* value;

    Targets from(std::size_t begin) const { return {value + begin}; }
};

struct IntervalEnds {
    const double *low, *high;
    const std::uint8_t *low_open, *high_open;

    Interval operator[](std::size_t t) const { return {low[t], high[t], low_open[t] != 0, high_open[t] != 0}; }
    IntervalEnds from(std::size_t begin) const {
        return {low + begin, high + begin, low_open + begin, high_open + begin};
    }
};

// Numbers of classes, in the order in which the classes were first met.
struct Classes {
    const std::int32_t* number;

    Classes from(std::size_t begin) const { return {number + begin}; }
};

// Labels of rounds that all count as one.
struct PlainLabels {
    const std::int8_t* sign;

    double weight(std::size_t) const { return 1.0; }
    int label(std::size_t t) const {
        const int of = sign[t];
        if (of != 1 && of != -1) __builtin_unreachable();
        return of;
    }
    template <class Rule>
    Interval interval(const Rule& rule, std::size_t t) const {
        return rule.accepts_label(label(t));
    }
};

struct Outcomes {
    std::variant<Labels, Targets, IntervalEnds, Classes> of;
    std::size_t count = 0;
    const double* importance = nullptr;  // of each round; null where every round counts as one

    double weight(std::size_t t) const { return importance ? importance[t] : 1.0; }

    bool plain() const { return importance == nullptr && std::holds_alternative<Labels>(of); }
    PlainLabels labels() const { return {std::get<Labels>(of).sign}; }

    int label(std::size_t t) const {
        const auto* labels = std::get_if<Labels>(&of);
        return labels ? labels->sign[t] : 0;
    }

    // The outcomes of the rounds from this one on.
    Outcomes from(std::size_t begin) const {
        Outcomes rest{std::visit([&](auto kind) { return decltype(of)(kind.from(begin)); }, of), count - begin};
        if (importance) rest.importance = importance + begin;
        return rest;
    }

    // The largest finite number that a round is about.
    double largest(std::size_t t) const {
        double value = weight(t);
        if (const auto* targets = std::get_if<Targets>(&of)) value = std::max(value, std::fabs(targets->value[t]));
        if (const auto* ends = std::get_if<IntervalEnds>(&of))
            for (const double end : {ends->low[t], ends->high[t]})
                if (std::isfinite(end)) value = std::max(value, std::fabs(end));
        return value;
    }

    // A hash of what came out in a round, and of its weight, with that of its row.
    std::uint64_t hashed(std::size_t t, std::uint64_t row) const {
        const std::uint64_t hash = std::visit([&](const auto& kind) { return with_outcome(kind, t, row); }, of);
        return importance && importance[t] != 1.0 ? nonzeros::mixed(hash, importance[t]) : hash;
    }

    // The rule says which scores it accepts for a label or a target; an interval speaks for itself.
    template <class Rule>
    Interval interval(const Rule& rule, std::size_t t) const {
        if (const auto* labels = std::get_if<Labels>(&of)) return rule.accepts_label(labels->sign[t]);
        if (const auto* targets = std::get_if<Targets>(&of)) return rule.accepts_target(targets->value[t]);
        return std::get<IntervalEnds>(of)[t];
    }

  private:
    static std::uint64_t with_outcome(const Labels& labels, std::size_t t, std::uint64_t row) {
        return nonzeros::mixed(row, labels.sign[t] > 0 ? 1.0 : 0.0);  // as the classes that a pair may become
    }
    static std::uint64_t with_outcome(const Targets& targets, std::size_t t, std::uint64_t row) {
        return nonzeros::mixed(row, targets.value[t] + 0.0);  // -0 is 0
    }
    static std::uint64_t with_outcome(const Classes& classes, std::size_t t, std::uint64_t row) {
        return nonzeros::mixed(row, classes.number[t]);
    }
    static std::uint64_t with_outcome(const IntervalEnds& ends, std::size_t t, std::uint64_t row) {
        const double open = (ends.low_open[t] ? 1.0 : 0.0) + (ends.high_open[t] ? 2.0 : 0.0);
        return nonzeros::mixed(nonzeros::mixed(nonzeros::mixed(row, ends.low[t] + 0.0), ends.high[t] + 0.0), open);
    }
};

}  // namespace littlestone
