#include "loop.h"

namespace littlestone::pool {
namespace {

template <class Entries>
void fill(Row& row, const Entries& entries) {
    row.clear();
    entries.each([&](std::size_t feature, double value) {
        if (value != 0.0) row.add(feature, value);
    });
}

std::size_t class_of(const Outcomes& outcomes, std::size_t t) {
    if (const auto* labels = std::get_if<Labels>(&outcomes.of)) return labels->sign[t] > 0 ? 1 : 0;
    return static_cast<std::size_t>(std::get<Classes>(outcomes.of).number[t]);
}

// The log loss of the truth among classes whose probabilities are normalised.
double lost(const std::vector<BlendReading>& readings, std::size_t truth) {
    if (readings.size() == 1) {
        const double p = readings[0].probability;
        return -log_of(truth == 1 ? p : 1.0 - p);
    }
    double total = 0.0;
    for (const BlendReading& reading : readings) total += reading.probability;
    return -log_of(readings[truth].probability / total);
}

struct Shown {
    double score;    // of two labels the log-odds of the positive; of many the margin of the truth over its best rival
    double margin;   // at most 0 is a mistake
    int prediction;  // a sign or a class
};

Shown shown(const std::vector<BlendReading>& readings, std::size_t truth, bool signs) {
    if (readings.size() == 1) {
        const double z = readings[0].log_odds_shown();
        return {z, truth == 1 ? z : -z, signs ? (z < 0.0 ? -1 : 1) : z >= 0.0};
    }
    std::size_t best = 0;
    double rival = -infinity;
    for (std::size_t c = 0; c < readings.size(); ++c) {
        const double z = readings[c].log_odds_shown();
        if (z > readings[best].log_odds_shown()) best = c;
        if (c != truth) rival = std::max(rival, z);
    }
    const double own = truth < readings.size() ? readings[truth].log_odds_shown() : -infinity;
    return {own - rival, own - rival, static_cast<int>(best)};
}

}  // namespace

Round PoolLoop::learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Ledger& ledger,
                      const Columns& columns) {
    return std::visit(
        [&](const auto& rows) {
            Round last;
            auto cursor = rows.cursor();
            const bool signs = std::holds_alternative<Labels>(outcomes.of);
            for (std::size_t t = begin; t < end; ++t) {
                fill(desk_.rows[raw_view], cursor[t]);
                const std::size_t truth = class_of(outcomes, t);
                pool_.read(desk_);
                const bool met = truth < pool_.met();
                const Shown round = shown(desk_.blends, truth, signs);
                Trial trial{};
                trial.score = round.score;
                trial.label = signs ? (truth == 1 ? 1 : -1) : 0;
                trial.miss.distance = met ? lost(desk_.blends, truth) : 0.0;
                trial.miss.side = round.margin <= 0.0 ? 1 : 0;
                trial.violation = trial.miss;
                trial.norm_squared = batch.norm_squared[t];
                trial.largest_entry = batch.largest_entry[t];
                trial.weight = outcomes.weight(t);
                trial.missing = batch.missing_of(t);
                const Decision decision = Decision::by_sign(round.margin * (truth == 1 && signs ? 1.0
                                                                            : signs             ? -1.0
                                                                                                : 1.0));
                if (!met) {
                    pool_.join(truth + 1);
                    pool_.read(desk_);
                }
                const Step step = trial.weight == 0.0 ? Step::stay() : Step::by(1.0);
                if (trial.weight != 0.0) pool_.learn(desk_, truth, trial.weight);
                ledger.record(trial, decision, step);
                columns.write(t, trial, decision, step, round.prediction);
                last = {trial.score, round.prediction};
            }
            return last;
        },
        batch.rows);
}

void PoolLoop::score(const Batch& batch, std::size_t begin, std::size_t end, double* out) const {
    std::visit(
        [&](const auto& rows) {
            Desk desk;
            auto cursor = rows.cursor();
            for (std::size_t t = begin; t < end; ++t) {
                fill(desk.rows[raw_view], cursor[t]);
                pool_.read(desk);
                for (std::size_t c = 0; c < desk.blends.size(); ++c)
                    out[t * desk.blends.size() + c] = desk.blends[c].log_odds_shown();
            }
        },
        batch.rows);
}

Round PoolLoop::verdict(const double* scores) const {
    if (pool_.blends.size() == 1) return {*scores, sign(*scores, 0)};
    const double* best = std::max_element(scores, scores + pool_.blends.size());
    return {*best, static_cast<int>(best - scores)};
}

Round TargetPoolLoop::learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end,
                            Ledger& ledger, const Columns& columns) {
    const auto& targets = std::get<Targets>(outcomes.of);
    return std::visit(
        [&](const auto& rows) {
            Round last;
            auto cursor = rows.cursor();
            for (std::size_t t = begin; t < end; ++t) {
                fill(desk_.rows[raw_view], cursor[t]);
                pool_.read(desk_);
                Trial trial = Trial::of(desk_.prediction, Interval::around(targets.value[t], 0.0), 0.0,
                                        batch.norm_squared[t], batch.largest_entry[t], 0);
                trial.weight = outcomes.weight(t);
                trial.missing = batch.missing_of(t);
                const Decision decision = Decision::by_sign(trial.score);
                const Step step = trial.weight == 0.0 ? Step::stay() : Step::by(1.0);
                if (trial.weight != 0.0) pool_.learn(desk_, targets.value[t], trial.weight);
                ledger.record(trial, decision, step);
                columns.write(t, trial, decision, step);
                last = {trial.score, decision.sign};
            }
            return last;
        },
        batch.rows);
}

void TargetPoolLoop::score(const Batch& batch, std::size_t begin, std::size_t end, double* out) const {
    std::visit(
        [&](const auto& rows) {
            TargetDesk desk;
            auto cursor = rows.cursor();
            for (std::size_t t = begin; t < end; ++t) {
                fill(desk.rows[raw_view], cursor[t]);
                pool_.read(desk);
                out[t] = desk.prediction;
            }
        },
        batch.rows);
}

}  // namespace littlestone::pool
