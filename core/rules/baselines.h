// Those that do not look at the row: what every learner should be better than.
#pragma once

#include "../loop.h"

namespace littlestone {

struct Remembered {
    double* known;
    std::size_t width;

    template <class Row>
    void begin_round(const Row&) const {}
};

struct Counts : Remembered {
    template <class Row>
    double score(const Row&) const {
        return std::log((known[1] + 0.5) / (known[0] + 0.5));
    }
};

struct MajorityLabel : LinearRule {
    Counts weights;

    Interval accepts_label(int label) const { return Interval::open_half_line(label); }
    bool has_log_odds() const { return true; }
    template <class Row>
    Step update(const Row&, const Trial& trial) const {
        weights.known[trial.label > 0] += trial.weight;
        return Step::otherwise(trial.weight);
    }
};

struct First : Remembered {
    template <class Row>
    double score(const Row&) const {
        return known[0];
    }
};

struct LastLabel : LinearRule {
    First weights;

    Interval accepts_label(int label) const { return Interval::open_half_line(label); }
    template <class Row>
    Step update(const Row&, const Trial& trial) const {
        weights.known[0] = trial.label;
        return Step::otherwise(1.0);
    }
};

// Counts of both labels after every history of the last few, which fade; the history is the first number.
struct Chains : Remembered {
    unsigned order;

    double* here() const { return known + 1 + 2 * static_cast<std::size_t>(known[0]); }
    template <class Row>
    double score(const Row&) const {
        return std::log(here()[1] / here()[0]);
    }
};

struct Markov : LinearRule {
    Chains weights;
    double decay;

    static constexpr double floor = 0.02;
    static constexpr std::size_t numbers(unsigned order) { return 1 + (std::size_t{2} << order); }

    Interval accepts_label(int label) const { return Interval::open_half_line(label); }
    bool has_log_odds() const { return true; }
    template <class Row>
    Step update(const Row&, const Trial& trial) const {
        double* here = weights.here();
        for (int k : {0, 1}) here[k] = std::max(decay * here[k], floor);
        here[trial.label > 0] += trial.weight;
        const auto histories = std::size_t{1} << weights.order;
        const auto next = 2 * static_cast<std::size_t>(weights.known[0]) + (trial.label > 0);
        weights.known[0] = static_cast<double>(next % histories);
        return Step::otherwise(trial.weight);
    }
};

struct RunningMean : LinearRule {
    First weights;

    Interval accepts_label(int label) const { return Interval::around(label, 0.0); }
    template <class Row>
    Step update(const Row&, const Trial& trial) const {
        weights.known[1] += trial.weight;
        const double step = trial.weight / weights.known[1] * (trial.interval.low - weights.known[0]);
        weights.known[0] += step;
        return Step::otherwise(step);
    }
};

struct LastValue : LinearRule {
    First weights;

    Interval accepts_label(int label) const { return Interval::around(label, 0.0); }
    template <class Row>
    Step update(const Row&, const Trial& trial) const {
        weights.known[0] = trial.interval.low;
        return Step::otherwise(1.0);
    }
};

}  // namespace littlestone
