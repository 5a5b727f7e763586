// The one loop: row -> score or scores -> interval -> update -> record.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "batch.h"
#include "calibration.h"
#include "clones.h"
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
    std::int32_t* shown = nullptr;     // what was predicted: a sign, or the number of a class (-1 before one was met)
    double* norm_squared = nullptr;    // of the row, in the space of the kernel where there is one
    std::size_t origin = 0;            // the round of the first value
    Foreteller* foreteller = nullptr;  // where scores are calibrated

    bool any() const { return score || loss || step || mistake || update || shown || norm_squared; }

    LITTLESTONE_INLINE void write(std::size_t round, const Trial& trial, const Decision& decision, const Step& moved,
                                  int shows) const {
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

// A compiled rule bound to a state. Calls on one loop must not overlap; bind/ sees to that.
class Loop {
  public:
    virtual ~Loop() = default;
    virtual std::size_t width() const = 0;
    // How many scores a row has: one per class, and otherwise one.
    virtual std::size_t scores() const { return 1; }
    virtual bool reads(const Outcomes& outcomes) const { return !std::holds_alternative<Classes>(outcomes.of); }
    // Learns rows [begin, end), all of them checked, in order and tells of the last one. The ledger may be null.
    virtual Round learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end,
                        Ledger* ledger, const Columns& columns) = 0;
    // The scores of row t go to out[t * scores()] and behind.
    virtual void score(const Batch& batch, std::size_t begin, std::size_t end, double* out) const = 0;
    // Whether several threads may score at once: scoring writes nothing but the scores.
    virtual bool scores_apart() const { return false; }
    // The weights of a rule whose scores are dot products with them; null where they are something else.
    virtual const double* plain_weights() const { return nullptr; }
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

// A row whose score is beyond all numbers: thrown before anything of its round is learned.
struct Unscorable {
    std::size_t row;
    double score;
};

// While values, targets and importance weights stay below, no score or step is beyond all numbers, whatever the rule:
// rates are at most 1e50, and weights to start with at most 1e150.
inline constexpr double calm = 1e30;

// Whether one of these rows, all of them checked, or of those before was so large that a round may have to be refused
// when it has come, or its result. Who learns such rows keeps what to go back to.
inline bool is_wild(const Batch& batch, const Outcomes& outcomes, const Ledger& ledger) {
    const auto largest = std::max({ledger.largest_entry.value, ledger.largest_loss.value, ledger.largest_weight.value});
    if (largest > calm || dense::largest_entry(batch.largest_entry.data(), batch.count) > calm) return true;
    if (std::holds_alternative<Labels>(outcomes.of) && outcomes.importance == nullptr) return false;
    for (std::size_t t = 0; t < batch.count; ++t)
        if (outcomes.largest(t) > calm) return true;
    return false;
}

inline void check_score(std::size_t row, double score) {
    if (!std::isfinite(score)) [[unlikely]]
        throw Unscorable{row, score};
}

// How a rule with one score faces a round; what a rule is asked is in LinearRule.
struct OneScore {
    static std::size_t width(const auto& rule) { return rule.weights.width; }
    static std::size_t scores(const auto&) { return 1; }
    static bool reads(const auto&, const Outcomes& outcomes) { return !std::holds_alternative<Classes>(outcomes.of); }
    // Where the rounds that can be faced next end, once `rule` is ready for them.
    static std::size_t ready(auto&, const Batch&, const auto&, std::size_t, std::size_t end) { return end; }
    LITTLESTONE_INLINE static Trial face(const auto& rule, const auto& x, const Batch& batch, const auto& outcomes,
                                         std::size_t t) {
        if constexpr (requires { rule.weights.welcome(x); }) rule.weights.welcome(x);
        const Interval interval = outcomes.interval(rule, t);
        const double score = rule.settle(x, rule.weights.score(x), interval);
        check_score(t, score);
        rule.weights.begin_round(x);
        Trial trial = Trial::of(score, interval, rule.tolerance(), rule.length_squared(batch.norm_squared[t]),
                                batch.largest_entry[t], outcomes.label(t));
        if (rule.has_log_odds() && trial.label != 0) trial.foretell();
        return trial;
    }
    static Decision decide(const auto& rule, const Trial& trial) { return rule.decide(trial.score); }
    static int shown(const auto&, const Decision& decision) { return decision.sign; }
    static void foretell(const auto&, Foreteller& foreteller, Trial& trial) { foreteller.foretell(trial); }
    static void score(const auto& rule, const auto& x, double* out) {
        *out = rule.settle(x, rule.weights.score(x), Interval::open_half_line(+1));
    }
    static int sign(const auto& rule, double score, std::size_t ahead) { return rule.decide(score, ahead).sign; }
    static Round verdict(const auto& rule, const double* scores) { return {*scores, rule.decide(*scores).sign}; }
};

// What most linear rules share; a rule hides what it does otherwise.
struct LinearRule {
    using Protocol = OneScore;

    Interval accepts_target(double target) const { return Interval::around(target, 0.0); }
    double tolerance() const { return 0.0; }
    bool has_log_odds() const { return false; }
    Decision decide(double score, std::size_t = 0) const { return Decision::by_sign(score); }
    // The squared length of the row that was just scored, in the space of the rule.
    double length_squared(double of_row) const { return of_row; }
    std::size_t rows_between_signals(const Batch& batch) const { return 32 * batch.block(); }
    // A rule that knows its scores to be inexact may move one that is next to an end of the interval on to it.
    template <class Row>
    double settle(const Row&, double score, const Interval&) const {
        return score;
    }
};

// The one round of all rules: a row is faced, decided, learned and recorded. What differs between one score and many is
// the protocol's; what differs between rules is the rule's.
template <class Rule>
class LoopOf final : public Loop {
    using Protocol = typename Rule::Protocol;

  public:
    explicit LoopOf(Rule rule) : rule_(std::move(rule)) {}

    std::size_t width() const override { return Protocol::width(rule_); }
    std::size_t scores() const override { return Protocol::scores(rule_); }
    bool reads(const Outcomes& outcomes) const override { return Protocol::reads(rule_, outcomes); }
    std::size_t rows_between_signals(const Batch& batch) const override { return rule_.rows_between_signals(batch); }
    bool scores_apart() const override {
        if constexpr (requires { rule_.scores_apart(); }) return rule_.scores_apart();
        return requires { rule_.weights.scores_apart; };
    }
    const double* plain_weights() const override {
        if constexpr (requires { rule_.weights.plain(); }) return rule_.weights.plain();
        return nullptr;
    }

    Round learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Ledger* ledger,
                const Columns& columns) override {
        if constexpr (std::is_same_v<Protocol, OneScore>)
            if (ledger && !columns.any() && !columns.foreteller && batch.missing.empty() && outcomes.plain())
                return rounds<true>(batch, outcomes.labels(), begin, end, ledger, columns);
        return rounds<false>(batch, outcomes, begin, end, ledger, columns);
    }

    void score(const Batch& batch, std::size_t begin, std::size_t end, double* out) const override {
        fill(batch, begin, end, out);
        for (std::size_t k = begin * scores(); k < end * scores(); ++k) check_score(k / scores(), out[k]);
    }

    int sign(double score, std::size_t ahead) const override { return Protocol::sign(rule_, score, ahead); }
    Round verdict(const double* scores) const override { return Protocol::verdict(rule_, scores); }

  private:
    // Most rounds have a label and a weight of 1, and nothing is kept of them but their totals: the same lines, of
    // which the compiler then leaves out the rest.
    template <bool plain>
    Round rounds(const Batch& batch, const auto& outcomes, std::size_t begin, std::size_t end, Ledger* ledger,
                 const Columns& columns) {
        return std::visit(
            [&](const auto& rows) {
                Round last;
                auto cursor = rows.cursor();
                const bool keeps = !plain && columns.any();
                Foreteller* const foreteller = plain ? nullptr : columns.foreteller;
                for (std::size_t t = begin; t < end;) {
                    const std::size_t to = Protocol::ready(rule_, batch, outcomes, t, end);
                    for (; t < to; ++t) {
                        const auto x = batch.row(cursor, t);
                        Trial trial = Protocol::face(rule_, x, batch, outcomes, t);
                        trial.weight = outcomes.weight(t);
                        trial.missing = plain ? 0 : batch.missing_of(t);
                        const Decision decision = Protocol::decide(rule_, trial);
                        if (foreteller) [[unlikely]]
                            foretell(*foreteller, trial);
                        // A round of weight 0 is recorded and not learned from.
                        const Step step = trial.weight == 0.0 ? Step::stay() : rule_.update(x, trial);
                        if (foreteller) [[unlikely]]
                            foreteller->learn(trial.weight);
                        if (plain || ledger) ledger->record(trial, decision, step);
                        last = {trial.score, Protocol::shown(rule_, decision)};
                        if (keeps) columns.write(t, trial, decision, step, last.sign);
                    }
                }
                return last;
            },
            batch.rows);
    }
    // Of a rule that has probabilities of its own nothing is calibrated.
    void foretell(Foreteller& foreteller, Trial& trial) const {
        if constexpr (requires { Protocol::foretell(rule_, foreteller, trial); })
            Protocol::foretell(rule_, foreteller, trial);
    }
    void fill(const Batch& batch, std::size_t begin, std::size_t end, double* out) const {
        if constexpr (requires { rule_.score_rows(batch, begin, end, out); })
            rule_.score_rows(batch, begin, end, out);
        else
            std::visit(
                [&](const auto& rows) {
                    const std::size_t count = scores();
                    auto cursor = rows.cursor();
                    for (std::size_t t = begin; t < end; ++t) Protocol::score(rule_, cursor[t], out + t * count);
                },
                batch.rows);
    }

    Rule rule_;
};

// A loop whose scores are calibrated on the way: its rounds have probabilities.
class CalibratedLoop final : public Loop {
  public:
    CalibratedLoop(Calibration calibration, Loop& loop) : foreteller_(calibration), loop_(loop) {}

    std::size_t width() const override { return loop_.width(); }
    std::size_t scores() const override { return loop_.scores(); }
    bool reads(const Outcomes& outcomes) const override { return loop_.reads(outcomes); }
    bool scores_apart() const override { return loop_.scores_apart(); }
    const double* plain_weights() const override { return loop_.plain_weights(); }
    std::size_t rows_between_signals(const Batch& batch) const override { return loop_.rows_between_signals(batch); }
    int sign(double score, std::size_t ahead) const override { return loop_.sign(score, ahead); }
    Round verdict(const double* scores) const override { return loop_.verdict(scores); }
    Round learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Ledger* ledger,
                const Columns& columns) override {
        std::size_t count = loop_.scores();
        if (const auto* classes = std::get_if<Classes>(&outcomes.of))
            for (std::size_t t = begin; t < end; ++t)
                count = std::max(count, static_cast<std::size_t>(classes->number[t]) + 1);
        foreteller_.begin(count);
        Columns kept = columns;
        kept.foreteller = &foreteller_;
        return loop_.learn(batch, outcomes, begin, end, ledger, kept);
    }
    void score(const Batch& batch, std::size_t begin, std::size_t end, double* out) const override {
        loop_.score(batch, begin, end, out);
    }

  private:
    Foreteller foreteller_;
    Loop& loop_;
};

template <class Rule>
std::unique_ptr<Loop> loop_of(Rule rule) {
    return std::make_unique<LoopOf<Rule>>(std::move(rule));
}

}  // namespace littlestone
