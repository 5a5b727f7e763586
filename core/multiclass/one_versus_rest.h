// A binary learner a class: this class, or one of the others.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "prototypes.h"

namespace littlestone {

// The arrays of one binary learner's state.
struct Part {
    double* value;
    std::size_t count;
};

// Binary learners do not look at one another, so each learns a stretch of rows in turn, its weights in the cache.
// Learner 0 has met no class: every row is "another" to it. A class that is met for the first time takes a copy of it,
// and so is where it would be had it been known from the beginning.
class OneVersusRest final : public Loop {
  public:
    OneVersusRest(std::vector<Loop*> learners, std::vector<std::vector<Part>> states, double* met, double wanted)
        : learners_(std::move(learners)), states_(std::move(states)), met_(met), wanted_(wanted) {}

    std::size_t width() const override { return learners_[0]->width(); }
    std::size_t scores() const override { return static_cast<std::size_t>(*met_); }
    bool reads(const Outcomes& outcomes) const override {
        const auto* classes = std::get_if<Classes>(&outcomes.of);
        return classes != nullptr && std::all_of(classes->number, classes->number + outcomes.count, [&](auto number) {
                   return number >= 0 && static_cast<std::size_t>(number) + 1 < learners_.size();
               });
    }
    std::size_t rows_between_signals(const Batch& batch) const override {
        return 1 + learners_[0]->rows_between_signals(batch) / (1 + scores());
    }

    Round learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Ledger& ledger,
                const Columns& columns) override {
        const std::int32_t* number = std::get<Classes>(outcomes.of).number;
        Round last;
        while (begin < end) {
            const std::size_t before = scores();
            if (static_cast<std::size_t>(number[begin]) >= before) join(static_cast<std::size_t>(number[begin]));
            std::size_t to = begin + 1;
            while (to < end && static_cast<std::size_t>(number[to]) < scores()) ++to;
            learn_stretch(batch, outcomes, begin, to);
            for (std::size_t t = begin; t < to; ++t)
                last = record(batch, outcomes, begin, t, t == begin ? before : scores(), ledger, columns);
            begin = to;
        }
        return last;
    }

    void score(const Batch& batch, std::size_t begin, std::size_t end, double* out) const override {
        const std::size_t count = scores();
        std::vector<double> column(end);
        for (std::size_t k = 0; k < count; ++k) {
            learners_[k + 1]->score(batch, begin, end, column.data());
            for (std::size_t t = begin; t < end; ++t) out[t * count + k] = column[t];
        }
    }

    int sign(double, std::size_t) const override { return +1; }
    Round verdict(const double* scores_of_row) const override {
        const int best = leader(scores_of_row, scores());
        return {best < 0 ? 0.0 : scores_of_row[best], best};
    }

  private:
    void join(std::size_t truth) {
        for (std::size_t k = scores(); k <= truth; ++k)
            for (std::size_t part = 0; part < states_[0].size(); ++part)
                std::copy_n(states_[0][part].value, states_[0][part].count, states_[k + 1][part].value);
        *met_ = static_cast<double>(truth + 1);
    }

    void learn_stretch(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end) {
        const std::size_t rows = end - begin, count = scores();
        const std::int32_t* number = std::get<Classes>(outcomes.of).number;
        sign_.resize(std::max(sign_.size(), outcomes.count));
        column_.resize(std::max(column_.size(), rows));
        score_.resize(std::max(score_.size(), rows * count));
        moved_.resize(std::max(moved_.size(), rows));
        learners_moved_.assign(rows, 0.0);
        for (std::size_t k = 0; k <= count; ++k) {
            for (std::size_t t = begin; t < end; ++t) sign_[t] = static_cast<std::size_t>(number[t]) + 1 == k ? +1 : -1;
            Ledger own;
            const Columns columns{column_.data(), nullptr, nullptr, nullptr, moved_.data(), nullptr, begin};
            learners_[k]->learn(batch, {Labels{sign_.data()}, outcomes.count, outcomes.importance}, begin, end, own,
                                columns);
            for (std::size_t t = 0; t < rows; ++t) learners_moved_[t] += moved_[t];
            if (k > 0)
                for (std::size_t t = 0; t < rows; ++t) score_[t * count + k - 1] = column_[t];
        }
    }

    Round record(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t t, std::size_t before,
                 Ledger& ledger, const Columns& columns) const {
        const std::size_t count = scores();
        const std::int32_t truth = std::get<Classes>(outcomes.of).number[t];
        const Contest contest{score_.data() + (t - begin) * count, count, static_cast<std::size_t>(truth)};
        Trial trial = Trial::of(contest.margin(), {wanted_, infinity, false, false}, 0.0, batch.norm_squared[t],
                                batch.largest_entry[t], +1);
        trial.weight = outcomes.weight(t);
        trial.missing = batch.missing_of(t);
        trial.truth = truth;
        const Decision decision = decision_of(trial.score, contest.truth < before);
        const double moved = learners_moved_[t - begin];
        const Step step = moved > 0.0 ? Step::by(moved) : Step::stay();
        const int shown = leader(contest.score, before);
        ledger.record(trial, decision, step);
        columns.write(t, trial, decision, step, shown);
        return {trial.score, shown};
    }

    std::vector<Loop*> learners_;
    std::vector<std::vector<Part>> states_;
    double* met_;
    double wanted_;
    std::vector<std::int8_t> sign_;
    std::vector<std::uint8_t> moved_;
    std::vector<double> column_, score_, learners_moved_;
};

}  // namespace littlestone
