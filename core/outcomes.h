// The outcomes of a batch: labels, targets, intervals of acceptable scores, or classes. One of the four is present.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "interval.h"

namespace littlestone {

struct Labels {
    const std::int8_t* sign;
};

struct Targets {
    const double* value;
};

struct IntervalEnds {
    const double *low, *high;
    const std::uint8_t *low_open, *high_open;

    Interval operator[](std::size_t t) const { return {low[t], high[t], low_open[t] != 0, high_open[t] != 0}; }
};

// Numbers of classes, in the order in which the classes were first met.
struct Classes {
    const std::int32_t* number;
};

struct Outcomes {
    std::variant<Labels, Targets, IntervalEnds, Classes> of;
    std::size_t count = 0;
    const double* importance = nullptr;  // of each round; null where every round counts as one

    double weight(std::size_t t) const { return importance ? importance[t] : 1.0; }

    int label(std::size_t t) const {
        const auto* labels = std::get_if<Labels>(&of);
        return labels ? labels->sign[t] : 0;
    }

    // The rule says which scores it accepts for a label or a target; an interval speaks for itself.
    template <class Rule>
    Interval interval(const Rule& rule, std::size_t t) const {
        if (const auto* labels = std::get_if<Labels>(&of)) return rule.accepts_label(labels->sign[t]);
        if (const auto* targets = std::get_if<Targets>(&of)) return rule.accepts_target(targets->value[t]);
        return std::get<IntervalEnds>(of)[t];
    }
};

}  // namespace littlestone
