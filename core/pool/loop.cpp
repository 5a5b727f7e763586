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

// Of the row after this one the lines are asked for, where rows are sparse: they may be anywhere.
template <class Rows>
void ask_ahead(const Rows&, std::size_t, const Pool&) {}

template <class Value, class Index>
void ask_ahead(const SparseRows<Value, Index>& rows, std::size_t next, const Pool& pool) {
    const std::size_t r = rows.layout(next);
    const auto from = static_cast<std::size_t>(rows.start[r]), to = static_cast<std::size_t>(rows.start[r + 1]);
    for (std::size_t k = from; k < to; ++k) pool.ask_for(static_cast<std::size_t>(rows.index[k]));
}

std::size_t class_of(const Outcomes& outcomes, std::size_t t) {
    if (const auto* labels = std::get_if<Labels>(&outcomes.of)) return labels->sign[t] > 0 ? 1 : 0;
    return static_cast<std::size_t>(std::get<Classes>(outcomes.of).number[t]);
}

// What is shown for a row, and how it stands to the truth.
struct Shown {
    double score;    // of two labels the log-odds of the positive; of many the margin of the truth over its best rival
    double margin;   // at most 0 is a mistake
    int prediction;  // a sign, or a class
    double chance = -1.0, brier = 0.0;
};

// A class that nobody could know of is a mistake: its log-odds are taken for 0, and no rival's for less.
Shown unforeseen(double rival, int prediction) {
    const double margin = -std::max(rival, 0.0);
    return {margin, margin, prediction};
}

Shown shown_of_two(const BlendReading& reading, std::size_t truth, bool signs, double threshold) {
    const double z = reading.log_odds_shown(), p = reading.probability;
    const double of_truth = truth == 1 ? p : 1.0 - p;
    const int prediction = z < threshold ? (signs ? -1 : 0) : 1;
    if (truth > 1) return unforeseen(std::fabs(z), prediction);
    return {z, truth == 1 ? z : -z, prediction, of_truth, (1.0 - of_truth) * (1.0 - of_truth)};
}

Shown shown_of_many(const std::vector<BlendReading>& readings, std::size_t truth) {
    std::size_t best = 0;
    double rival = -infinity, total = 0.0, squares = 0.0, highest = -infinity;
    for (std::size_t c = 0; c < readings.size(); ++c) {
        const double z = readings[c].log_odds_shown();
        total += readings[c].probability;
        if (z > highest) best = c, highest = z;
        if (c != truth) rival = std::max(rival, z);
    }
    if (truth >= readings.size()) return unforeseen(highest, static_cast<int>(best));
    for (std::size_t c = 0; c < readings.size(); ++c) {
        const double away = readings[c].probability / total - (c == truth ? 1.0 : 0.0);
        squares += away * away;
    }
    const double margin = readings[truth].log_odds_shown() - rival;
    return {margin, margin, static_cast<int>(best), readings[truth].probability / total, squares};
}

Shown shown(const std::vector<BlendReading>& readings, std::size_t truth, bool signs, double threshold) {
    return readings.size() == 1 ? shown_of_two(readings[0], truth, signs, threshold) : shown_of_many(readings, truth);
}

// The loss of the round is the log loss. The round in which a class is new has none: it is counted apart.
Trial trial_of(const Shown& round, const Batch& batch, const Outcomes& outcomes, std::size_t t, int label) {
    Trial trial{};
    trial.score = round.score;
    trial.label = label;
    trial.interval = Interval::open_half_line(label < 0 ? -1 : +1);
    trial.miss = {round.margin <= 0.0 ? 1 : 0, round.chance >= 0.0 ? -log_of(round.chance) : 0.0};
    trial.violation = trial.miss;
    trial.norm_squared = batch.norm_squared[t];
    trial.largest_entry = batch.largest_entry[t];
    trial.weight = outcomes.weight(t);
    trial.missing = batch.missing_of(t);
    trial.chance = round.chance;
    trial.brier = round.brier;
    return trial;
}

}  // namespace

Round PoolLoop::learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Ledger* ledger,
                      const Columns& columns) {
    return std::visit(
        [&](const auto& rows) {
            Round last;
            auto cursor = rows.cursor();
            const bool signs = std::holds_alternative<Labels>(outcomes.of);
            for (std::size_t t = begin; t < end; ++t) {
                fill(desk_.rows[raw_view], cursor[t]);
                if (t + 1 < end) ask_ahead(rows, t + 1, pool_);
                const std::size_t truth = class_of(outcomes, t);
                pool_.read(desk_);
                const bool two = desk_.blends.size() == 1 && truth < 2;
                const Shown round = shown(desk_.blends, truth, signs, pool_.options.threshold);
                Trial trial = trial_of(round, batch, outcomes, t, two ? (truth == 1 ? +1 : -1) : +1);
                if (!two) trial.truth = static_cast<std::int32_t>(truth);
                const Decision decision = Decision::by_sign(two ? round.score - pool_.options.threshold : round.score);
                if (truth >= pool_.met()) {
                    pool_.join(truth + 1);
                    pool_.read(desk_);
                }
                const Step step = trial.weight == 0.0 ? Step::stay() : Step::otherwise(1.0);
                if (trial.weight != 0.0) pool_.learn(desk_, truth, trial.weight);
                if (ledger) ledger->record(trial, decision, step);
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

ExplainedRow explained(const Pool& pool, const Batch& batch, std::size_t t) {
    Desk desk;
    std::visit([&](const auto& rows) { fill(desk.rows[raw_view], rows.cursor()[t]); }, batch.rows);
    pool.read(desk);
    const Row& row = desk.rows[raw_view];
    return {{row.line.begin() + 1, row.line.begin() + static_cast<std::ptrdiff_t>(row.size)}, explained(pool, desk)};
}

Round PoolLoop::verdict(const double* scores) const {
    if (pool_.blends.size() == 1) return {*scores, sign(*scores, 0)};
    const double* best = std::max_element(scores, scores + pool_.blends.size());
    return {*best, static_cast<int>(best - scores)};
}

Round TargetPoolLoop::learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end,
                            Ledger* ledger, const Columns& columns) {
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
                const Step step = trial.weight == 0.0 ? Step::stay() : Step::otherwise(1.0);
                if (trial.weight != 0.0) pool_.learn(desk_, targets.value[t], trial.weight);
                if (ledger) ledger->record(trial, decision, step);
                columns.write(t, trial, decision, step, decision.sign);
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
