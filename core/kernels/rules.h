// Rules whose weights are a kernel expansion, and their loop: row -> kernel values -> score -> interval -> update ->
// record.
#pragma once

#include <limits>

#include "../loop.h"
#include "../rules/passive_aggressive.h"
#include "expansion.h"

namespace littlestone {

// Mohri et al. figures 8.8 and 8.9: the Perceptron in the space of the kernel.
struct KernelPerceptron : LinearRule {
    double eta;

    Interval accepts_label(int label) const { return Interval::open_half_line(label); }
    double score(const Expansion& w) const { return w.score(); }
    Step update(Expansion& w, const Trial& trial) const {
        if (trial.violation.side == 0) return Step::stay();
        const double step = trial.violation.side * eta;
        w.add(step);
        return Step::by(step);
    }
};

// Passive-Aggressive in the space of the kernel, where |x|^2 is K(x, x).
template <class StepSize>
struct KernelPassiveAggressive : LinearRule {
    double margin, epsilon;
    StepSize step_size;

    Interval accepts_label(int label) const { return Interval::half_line(label, margin); }
    Interval accepts_target(double target) const { return Interval::around(target, epsilon); }
    double score(const Expansion& w) const { return w.score(); }
    Step update(Expansion& w, const Trial& trial) const {
        if (trial.violation.side == 0 || trial.violation.distance == 0.0) return Step::stay();
        if (trial.norm_squared == 0.0) return Step::cannot();
        const double step = trial.violation.side * step_size(trial.violation.distance, trial.norm_squared, 1.0);
        if (!std::isfinite(step)) return Step::cannot();
        w.add(step);
        return Step::by(step);
    }
};

// Never moves: a predictor, or a comparator.
struct KernelFixed : LinearRule {
    double margin, epsilon;

    Interval accepts_label(int label) const { return Interval::half_line(label, margin); }
    Interval accepts_target(double target) const { return Interval::around(target, epsilon); }
    double score(const Expansion& w) const { return w.score(); }
    Step update(Expansion&, const Trial&) const { return Step::stay(); }
};

// The centre of a ball of radius epsilon in the space of the kernel (Crammer et al. 2003, uniclass). The score is the
// distance from the centre minus epsilon; the first row is the first centre.
struct KernelUniclass : LinearRule {
    double epsilon;

    Interval accepts_label(int) const { return {-infinity, 0.0, true, false}; }
    Decision decide(double score, std::size_t = 0) const {
        return {score > 0.0 ? +1 : -1, score > 0.0 ? 1.0 : 0.0, false};
    }
    double score(const Expansion& w) const {
        if (w.count() == 0) return -epsilon;
        return std::sqrt(std::max(w.self() - 2.0 * w.score() + w.norm_squared, 0.0)) - epsilon;
    }
    Step update(Expansion& w, const Trial& trial) const {
        double lambda = 1.0;
        if (w.count() > 0) {
            if (trial.violation.distance == 0.0) return Step::stay();
            lambda = trial.violation.distance / (trial.score + epsilon);
            w.shrink(1.0 - lambda);
        }
        w.add(lambda);
        return Step::by(lambda);
    }
};

template <class Rule>
class KernelLoop final : public Loop {
  public:
    KernelLoop(const Rule& rule, Expansion& w) : rule_(rule), w_(w) {}

    // A kernel is defined for rows of any width.
    std::size_t width() const override { return std::numeric_limits<std::size_t>::max(); }

    std::size_t rows_between_signals(const Batch& batch) const override {
        constexpr std::size_t work = 1u << 22;  // a few milliseconds
        const std::size_t features = batch.count == 0 ? 1 : batch.entries() / batch.count;
        return 1 + work / ((w_.count() + 32) * (features + 16));
    }

    Round learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Ledger& ledger,
                const Columns& columns) override {
        return std::visit(
            [&](const auto& rows) {
                Round last;
                auto cursor = rows.cursor();
                for (std::size_t t = begin; t < end; ++t) {
                    w_.rounds += 1.0;
                    w_.look(cursor[t]);
                    Trial trial = Trial::of(rule_.score(w_), outcomes.interval(rule_, t), rule_.tolerance(), w_.self(),
                                            batch.largest_entry[t], outcomes.label(t));
                    trial.missing = batch.missing_of(t);
                    const Decision decision = rule_.decide(trial.score);
                    const Step step = rule_.update(w_, trial);
                    ledger.record(trial, decision, step);
                    columns.write(t, trial, decision, step);
                    last = {trial.score, decision.sign};
                }
                return last;
            },
            batch.rows);
    }

    void score(const Batch& batch, std::size_t begin, std::size_t end, double* out) const override {
        std::visit(
            [&](const auto& rows) {
                auto cursor = rows.cursor();
                for (std::size_t t = begin; t < end; ++t) {
                    w_.look(cursor[t]);
                    out[t] = rule_.score(w_);
                }
            },
            batch.rows);
    }

    int sign(double score, std::size_t ahead) const override { return rule_.decide(score, ahead).sign; }

  private:
    Rule rule_;
    Expansion& w_;
};

}  // namespace littlestone
