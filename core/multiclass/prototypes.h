// Many classes, a vector each: row -> a score a class -> margin over the best rival -> update -> record.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "../loop.h"

namespace littlestone {

// One row of weights a class. Classes are numbered in the order in which they were first met; the first `met` of them
// take part, and a class takes its place, with zero weights, in the round in which it is first seen.
struct Prototypes {
    double* w;
    double* met;
    std::size_t width, room;

    std::size_t count() const { return static_cast<std::size_t>(*met); }
    double* of(std::size_t r) const { return w + r * width; }
};

// What is known of a round before its update.
struct Contest {
    const double* score;  // of each class
    std::size_t count, truth;

    // The best other class, the first of them where several are.
    std::size_t rival() const {
        std::size_t best = truth == 0 ? 1 : 0;
        for (std::size_t r = best + 1; r < count; ++r)
            if (r != truth && score[r] > score[best]) best = r;
        return best;
    }
    // By how much the true class leads; infinite without a rival.
    double margin() const { return count < 2 ? infinity : score[truth] - score[rival()]; }
};

// The first class with the largest score; -1 where there is none.
inline int leader(const double* score, std::size_t count) {
    return count == 0 ? -1 : static_cast<int>(std::max_element(score, score + count) - score);
}

// A margin above 0 is right. A class that was not known before the round could not be predicted, whatever its score.
inline Decision decision_of(double margin, bool known) {
    if (!known) return {-1, 0.0, true};
    return {margin > 0.0 ? +1 : -1, margin > 0.0 ? 1.0 : 0.0, false};
}

template <class Rule>
class PrototypeLoop final : public Loop {
  public:
    explicit PrototypeLoop(const Rule& rule) : rule_(rule), score_(rule.prototypes.room) {}

    std::size_t width() const override { return rule_.prototypes.width; }
    std::size_t scores() const override { return rule_.prototypes.count(); }
    bool reads(const Outcomes& outcomes) const override {
        const auto* classes = std::get_if<Classes>(&outcomes.of);
        return classes != nullptr && std::all_of(classes->number, classes->number + outcomes.count, [&](auto number) {
                   return number >= 0 && static_cast<std::size_t>(number) < rule_.prototypes.room;
               });
    }
    std::size_t rows_between_signals(const Batch& batch) const override {
        return 1 + 32 * batch.block() / (1 + rule_.prototypes.count());
    }

    Round learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Ledger& ledger,
                const Columns& columns) override {
        const std::int32_t* number = std::get<Classes>(outcomes.of).number;
        return std::visit(
            [&](const auto& rows) {
                Round last;
                auto cursor = rows.cursor();
                for (std::size_t t = begin; t < end; ++t) {
                    const auto x = cursor[t];
                    const std::size_t before = meet(static_cast<std::size_t>(number[t]));
                    const Contest contest = hold(x, static_cast<std::size_t>(number[t]));
                    Trial trial = Trial::of(contest.margin(), rule_.accepts(), 0.0, batch.norm_squared[t],
                                            batch.largest_entry[t], +1);
                    trial.weight = outcomes.weight(t);
                    trial.missing = batch.missing_of(t);
                    trial.truth = number[t];
                    const Decision decision = decision_of(trial.score, contest.truth < before);
                    last = {trial.score, leader(contest.score, before)};
                    const Step step = trial.weight == 0.0 ? Step::stay() : rule_.update(x, trial, contest);
                    ledger.record(trial, decision, step);
                    columns.write(t, trial, decision, step, last.sign);
                }
                return last;
            },
            batch.rows);
    }

    void score(const Batch& batch, std::size_t begin, std::size_t end, double* out) const override {
        const std::size_t count = rule_.prototypes.count();
        std::visit(
            [&](const auto& rows) {
                auto cursor = rows.cursor();
                for (std::size_t t = begin; t < end; ++t) {
                    const auto x = cursor[t];
                    for (std::size_t r = 0; r < count; ++r) out[t * count + r] = x.dot(rule_.prototypes.of(r));
                }
            },
            batch.rows);
    }

    int sign(double, std::size_t) const override { return +1; }
    Round verdict(const double* scores) const override {
        const int best = leader(scores, rule_.prototypes.count());
        return {best < 0 ? 0.0 : scores[best], best};
    }

  private:
    // Gives the class its place; returns how many there were before.
    std::size_t meet(std::size_t truth) {
        const std::size_t before = rule_.prototypes.count();
        if (truth >= before) *rule_.prototypes.met = static_cast<double>(truth + 1);
        return before;
    }
    template <class Row>
    Contest hold(const Row& x, std::size_t truth) {
        const std::size_t count = rule_.prototypes.count();
        for (std::size_t r = 0; r < count; ++r) score_[r] = x.dot(rule_.prototypes.of(r));
        return {score_.data(), count, truth};
    }

    Rule rule_;
    std::vector<double> score_;
};

}  // namespace littlestone
