// A binary learner per class: this class, or one of the others.
#pragma once

#include <algorithm>
#include <memory>
#include <variant>
#include <vector>

#include "../kernels/expansion.h"
#include "interleaved.h"
#include "prototypes.h"

namespace littlestone {

// An array of a binary learner's state.
struct Part {
    double* value;
    std::size_t count;
};

// What a binary learner knows: arrays, or the points of a kernel. All learners of a rule know the same kind of thing.
using Known = std::variant<std::vector<Part>, Expansion*>;

inline void copy_known(const std::vector<Part>& from, const std::vector<Part>& to) {
    for (std::size_t part = 0; part < from.size(); ++part)
        std::copy_n(from[part].value, from[part].count, to[part].value);
}
inline void copy_known(const Expansion* from, Expansion* to) { *to = *from; }

// Binary learners do not look at one another, so each learns a stretch of rows in turn, its weights in the cache.
// Learner 0 has met no class: every row is "another" to it. A class that is met for the first time takes a copy of it,
// and so is where it would be had it been known from the beginning.
struct OneVersusRest : ManyClasses {
    OneVersusRest(std::vector<Loop*> learners, std::vector<Known> known, double* met, double wanted)
        : learners_(std::move(learners)), known_(std::move(known)), met_(met), wanted_(wanted) {}

    std::size_t width() const { return learners_[0]->width(); }
    std::size_t room() const { return learners_.size() - 1; }
    std::size_t count() const { return static_cast<std::size_t>(*met_); }
    Interval accepts() const { return {wanted_, infinity, false, false}; }
    std::size_t rows_between_signals(const Batch& batch) const {
        double work = 0.0;  // of a row; one learner does 1 between two signals
        for (std::size_t k = 0; k <= count(); ++k)
            work += 1.0 / static_cast<double>(learners_[k]->rows_between_signals(batch));
        return 1 + static_cast<std::size_t>(1.0 / work);
    }

    // Learns the rows up to the next one whose class is new.
    std::size_t ready(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end) {
        const std::int32_t* number = std::get<Classes>(outcomes.of).number;
        begin_ = begin;
        known_before_ = count();
        const std::size_t classes = std::max(count(), static_cast<std::size_t>(number[begin]) + 1);
        std::size_t to = begin + 1;
        while (to < end && static_cast<std::size_t>(number[to]) < classes) ++to;
        make_room(outcomes.count, to - begin, classes);
        if (classes > count()) join(classes - 1);
        learn_stretch(batch, outcomes, begin, to);
        return to;
    }
    std::size_t meet(std::size_t, std::size_t t) {
        round_ = t - begin_;
        return round_ == 0 ? known_before_ : count();
    }
    template <class Row>
    const double* scored(const Row&, std::size_t) const {
        return score_.data() + round_ * count();
    }
    double length_squared(const Batch&, std::size_t) const { return norm_squared_[round_]; }
    // The binary learners have moved by now; the step is how many did.
    template <class Row>
    Step update(const Row&, const Trial&) const {
        return learners_moved_[round_] > 0.0 ? Step::otherwise(learners_moved_[round_]) : Step::stay();
    }

    bool scores_apart() const { return learners_[0]->scores_apart(); }
    void score_rows(const Batch& batch, std::size_t begin, std::size_t end, double* out) const {
        if (Interleaved::pays(batch, begin, end) && count() > 1 && learners_[0]->plain_weights() != nullptr) {
            std::vector<const double*> weights;
            for (std::size_t k = 1; k <= count(); ++k) weights.push_back(learners_[k]->plain_weights());
            Interleaved(weights, batch.width).score(batch, begin, end, out);
            return;
        }
        // Of its own, for a thread may score while another does; not filled, for only [begin, end) is touched.
        const auto column = std::make_unique_for_overwrite<double[]>(end);
        for (std::size_t k = 0; k < count(); ++k) {
            learners_[k + 1]->score(batch, begin, end, column.get());
            for (std::size_t t = begin; t < end; ++t) out[t * count() + k] = column[t];
        }
    }

  private:
    void join(std::size_t truth) {
        for (std::size_t k = count(); k <= truth; ++k)
            std::visit(
                [&](const auto& spare) { copy_known(spare, std::get<std::decay_t<decltype(spare)>>(known_[k + 1])); },
                known_[0]);
        *met_ = static_cast<double>(truth + 1);
    }

    void make_room(std::size_t outcomes, std::size_t rows, std::size_t classes) {
        sign_.resize(std::max(sign_.size(), outcomes));
        column_.resize(std::max(column_.size(), rows));
        score_.resize(std::max(score_.size(), rows * classes));
        moved_.resize(std::max(moved_.size(), rows));
        norm_squared_.resize(std::max(norm_squared_.size(), rows));
        learners_moved_.resize(std::max(learners_moved_.size(), rows));
    }

    // For which there is room: of rules whose rounds take no memory, a lack of it leaves none half learned.
    void learn_stretch(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end) {
        const std::size_t rows = end - begin, classes = count();
        const std::int32_t* number = std::get<Classes>(outcomes.of).number;
        std::fill_n(learners_moved_.begin(), rows, 0.0);
        for (std::size_t k = 0; k <= classes; ++k) {
            for (std::size_t t = begin; t < end; ++t) sign_[t] = static_cast<std::size_t>(number[t]) + 1 == k ? +1 : -1;
            Columns columns;
            columns.score = column_.data();
            columns.update = moved_.data();
            columns.norm_squared = norm_squared_.data();
            columns.origin = begin;
            learners_[k]->learn(batch, {Labels{sign_.data()}, outcomes.count, outcomes.importance}, begin, end, nullptr,
                                columns);
            for (std::size_t t = 0; t < rows; ++t) learners_moved_[t] += moved_[t];
            if (k > 0)
                for (std::size_t t = 0; t < rows; ++t) score_[t * classes + k - 1] = column_[t];
        }
    }

    std::vector<Loop*> learners_;
    std::vector<Known> known_;
    double* met_;
    double wanted_;
    std::size_t begin_ = 0, known_before_ = 0, round_ = 0;  // of the stretch that was learned, and the round in it
    std::vector<std::int8_t> sign_;
    std::vector<std::uint8_t> moved_;
    std::vector<double> column_, score_, norm_squared_, learners_moved_;
};

}  // namespace littlestone
