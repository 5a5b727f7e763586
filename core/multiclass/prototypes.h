// Many classes, a vector each: how a round is faced where every class has a score.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "../loop.h"
#include "../weights.h"

namespace littlestone {

// One row of weights per class, and of their sums over the rounds where somebody asked for them. Classes are numbered
// in the order in which they were first met; the first `met` of them take part, and a class takes its place, with zero
// weights, in the round in which it is first seen. The sum of its weights is 0 until then, whatever its mass counts.
struct Prototypes {
    double* w;
    double* met;
    std::size_t width, room;
    Average average;

    std::size_t count() const { return static_cast<std::size_t>(*met); }
    Weights of(std::size_t r) const { return {w + r * width, width, average.row(r, width)}; }
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

// How a rule with a score per class faces a round: it is about the margin of the true class over the best rival. The
// rule says which classes take part, and scores them.
struct ManyScores {
    static std::size_t width(const auto& rule) { return rule.width(); }
    static std::size_t scores(const auto& rule) { return rule.count(); }
    static bool reads(const auto& rule, const Outcomes& outcomes) {
        const auto* classes = std::get_if<Classes>(&outcomes.of);
        return classes != nullptr && std::all_of(classes->number, classes->number + outcomes.count, [&](auto number) {
                   return number >= 0 && static_cast<std::size_t>(number) < rule.room();
               });
    }
    static std::size_t ready(auto& rule, const Batch& batch, const Outcomes& outcomes, std::size_t begin,
                             std::size_t end) {
        return rule.ready(batch, outcomes, begin, end);
    }
    static Trial face(auto& rule, const auto& x, const Batch& batch, const Outcomes& outcomes, std::size_t t) {
        const std::int32_t truth = std::get<Classes>(outcomes.of).number[t];
        rule.before = rule.meet(static_cast<std::size_t>(truth), t);
        rule.contest = {rule.scored(x, t), rule.count(), static_cast<std::size_t>(truth)};
        // A margin is infinite, too, where no other class was met.
        for (std::size_t c = 0; c < rule.count(); ++c) check_score(t, rule.contest.score[c]);
        rule.begin_round(x);
        Trial trial = Trial::of(rule.contest.margin(), rule.accepts(), 0.0, rule.length_squared(batch, t),
                                batch.largest_entry[t], +1);
        trial.truth = truth;
        return trial;
    }
    static Decision decide(const auto& rule, const Trial& trial) {
        return decision_of(trial.score, rule.contest.truth < rule.before);
    }
    static int shown(const auto& rule, const Decision&) { return leader(rule.contest.score, rule.before); }
    // Nobody could know of a class that is new: its round has no probability.
    static void foretell(const auto& rule, Foreteller& foreteller, Trial& trial) {
        const Contest& of = rule.contest;
        if (of.truth < rule.before) foreteller.foretell(of.score, of.count, of.truth, trial);
    }
    static void score(const auto& rule, const auto& x, double* out) { rule.score(x, out); }
    static int sign(const auto&, double, std::size_t) { return +1; }
    static Round verdict(const auto& rule, const double* scores) {
        const int best = leader(scores, rule.count());
        return {best < 0 ? 0.0 : scores[best], best};
    }
};

// What is known of the round that is faced.
struct ManyClasses {
    using Protocol = ManyScores;

    Contest contest{};
    std::size_t before = 0;  // how many classes took part in the round before

    template <class Row>
    void begin_round(const Row&) const {}
};

// What rules on prototypes share; a rule hides what it does otherwise.
struct PrototypeRule : ManyClasses {
    Prototypes prototypes;
    std::vector<double> scores;

    explicit PrototypeRule(const Prototypes& given) : prototypes(given), scores(given.room) {}

    std::size_t width() const { return prototypes.width; }
    std::size_t room() const { return prototypes.room; }
    std::size_t count() const { return prototypes.count(); }
    std::size_t rows_between_signals(const Batch& batch) const { return 1 + 32 * batch.block() / (1 + count()); }
    std::size_t ready(const Batch&, const Outcomes&, std::size_t, std::size_t end) { return end; }
    double length_squared(const Batch& batch, std::size_t t) const { return batch.norm_squared[t]; }

    // Gives the class its place; returns how many there were before.
    std::size_t meet(std::size_t truth, std::size_t) const {
        const std::size_t known = count();
        if (truth >= known) *prototypes.met = static_cast<double>(truth + 1);
        return known;
    }
    template <class Row>
    void begin_round(const Row& x) const {
        if (prototypes.average)
            for (std::size_t r = 0; r < count(); ++r) prototypes.of(r).begin_round(x);
    }
    template <class Row>
    const double* scored(const Row& x, std::size_t) {
        score(x, scores.data());
        return scores.data();
    }
    template <class Row>
    void score(const Row& x, double* out) const {
        for (std::size_t r = 0; r < count(); ++r) out[r] = prototypes.of(r).score(x);
    }
};

}  // namespace littlestone
