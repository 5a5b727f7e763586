// The one loop of the linear family: row -> score -> interval -> update -> record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "batch.h"
#include "ledger.h"
#include "outcomes.h"

namespace littlestone {

// Per-round columns the caller asked to keep; each pointer may be null.
struct Columns {
    double* score = nullptr;
    double* loss = nullptr;
    double* step = nullptr;
    std::uint8_t* mistake = nullptr;
    std::uint8_t* update = nullptr;
    std::int32_t* shown = nullptr;   // what was predicted: a sign, or the number of a class (-1 before one was met)
    double* norm_squared = nullptr;  // of the row, in the space of the kernel where there is one
    std::size_t origin = 0;          // the round of the first value

    void write(std::size_t round, const Trial& trial, const Decision& decision, const Step& moved) const {
        write(round, trial, decision, moved, decision.sign);
    }
    void write(std::size_t round, const Trial& trial, const Decision& decision, const Step& moved, int shows) const {
        const std::size_t t = round - origin;
        if (score) score[t] = trial.score;
        if (loss) loss[t] = trial.miss.distance;
        if (step) step[t] = moved.size;
        if (mistake) mistake[t] = Ledger::mistaken(trial, decision);
        if (update) update[t] = moved.moved;
        if (shown) shown[t] = shows;
        if (norm_squared) norm_squared[t] = trial.norm_squared;
    }
};

struct Round {
    double score = 0.0;
    int sign = +1;
};

// A rule's kernel bound to a state. Calls on one loop must not overlap; bind/ sees to that.
class Loop {
  public:
    virtual ~Loop() = default;
    virtual std::size_t width() const = 0;
    // How many scores a row has: one a class, and otherwise one.
    virtual std::size_t scores() const { return 1; }
    virtual bool reads(const Outcomes& outcomes) const { return !std::holds_alternative<Classes>(outcomes.of); }
    // Learns rows [begin, end), all of them checked, in order and tells of the last one.
    virtual Round learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end,
                        Ledger& ledger, const Columns& columns) = 0;
    // The scores of row t go to out[t * scores()] and behind.
    virtual void score(const Batch& batch, std::size_t begin, std::size_t end, double* out) const = 0;
    // How many rows pass before the caller looks for Ctrl-C; a rule whose rounds are long takes fewer.
    virtual std::size_t rows_between_signals(const Batch& batch) const { return 32 * batch.block(); }
    // What would be predicted for a score, `ahead` rounds from now.
    virtual int sign(double score, std::size_t ahead) const = 0;
    // What the scores of one row say: the one that counts, and what is predicted.
    virtual Round verdict(const double* scores) const { return {*scores, sign(*scores, 0)}; }
};

// Adds rows [begin, end), all of them checked, to the fingerprints.
inline void witness(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Ledger& ledger) {
    for (std::size_t t = begin; t < end; ++t) ledger.witness(outcomes.hashed(t, batch.row_hash[t]));
}

// What most linear rules share; a rule hides what it does otherwise.
struct LinearRule {
    Interval accepts_target(double target) const { return Interval::around(target, 0.0); }
    double tolerance() const { return 0.0; }
    Decision decide(double score, std::size_t = 0) const { return Decision::by_sign(score); }
    // A rule that knows its scores to be inexact may move one that is next to an end of the interval on to it.
    template <class Row>
    double settle(const Row&, double score, const Interval&) const {
        return score;
    }
};

template <class Rule>
class LoopOf final : public Loop {
  public:
    explicit LoopOf(const Rule& rule) : rule_(rule) {}

    std::size_t width() const override { return rule_.weights.width; }

    Round learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Ledger& ledger,
                const Columns& columns) override {
        return std::visit(
            [&](const auto& rows) {
                Round last;
                auto cursor = rows.cursor();
                for (std::size_t t = begin; t < end; ++t) {
                    const auto x = cursor[t];
                    rule_.weights.begin_round(x);
                    const Interval interval = outcomes.interval(rule_, t);
                    const double score = rule_.settle(x, rule_.weights.score(x), interval);
                    Trial trial = Trial::of(score, interval, rule_.tolerance(), batch.norm_squared[t],
                                            batch.largest_entry[t], outcomes.label(t));
                    trial.weight = outcomes.weight(t);
                    trial.missing = batch.missing_of(t);
                    const Decision decision = rule_.decide(trial.score);
                    // A round of weight 0 is recorded and not learned from.
                    const Step step = trial.weight == 0.0 ? Step::stay() : rule_.update(x, trial);
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
                    const auto x = cursor[t];
                    out[t] = rule_.settle(x, rule_.weights.score(x), Interval::open_half_line(+1));
                }
            },
            batch.rows);
    }

    int sign(double score, std::size_t ahead) const override { return rule_.decide(score, ahead).sign; }

  private:
    Rule rule_;
};

template <class Rule>
std::unique_ptr<Loop> loop_of(const Rule& rule) {
    return std::make_unique<LoopOf<Rule>>(rule);
}

}  // namespace littlestone
