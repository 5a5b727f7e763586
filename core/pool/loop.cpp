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

template <class Value, class Index>
void fill(Row& row, const SparseRow<Value, Index>& entries) {
    row.clear();
    row.add(entries.index, entries.value, entries.count);
    if (entries.ends_in_one()) row.add(entries.constant, 1.0);
}

// Lines of a row to come are asked for where rows are sparse: they may be anywhere.
template <class Rows>
void ask_ahead(const Rows&, std::size_t, const Pool&) {}

template <class Value, class Index>
void ask_ahead(const SparseRows<Value, Index>& rows, std::size_t next, const Pool& pool) {
    const std::size_t r = rows.layout(next);
    const auto from = static_cast<std::size_t>(rows.start[r]), to = static_cast<std::size_t>(rows.start[r + 1]);
    for (std::size_t k = from; k < to; ++k) pool.ask_for(static_cast<std::size_t>(rows.index[k]));
    __asm__ volatile("");  // GCC would leave out a function that does nothing but ask for memory
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

Shown shown_for(const std::vector<BlendReading>& readings, std::size_t truth, bool signs, double threshold) {
    return readings.size() == 1 ? shown_of_two(readings[0], truth, signs, threshold) : shown_of_many(readings, truth);
}

// A pool reads a row whole, answers for all classes at once and makes room itself.
struct Whole {
    static std::size_t width(const auto&) { return std::size_t{1} << 40; }
    static std::size_t scores(const auto& rule) { return rule.scores(); }
    static bool reads(const auto& rule, const Outcomes& outcomes) { return rule.reads(outcomes); }
    static std::size_t ready(auto& rule, const Batch& batch, const Outcomes& outcomes, std::size_t begin,
                             std::size_t end) {
        return rule.ready(batch, outcomes, begin, end);
    }
    static Trial face(auto& rule, const auto& x, const Batch& batch, const Outcomes& outcomes, std::size_t t) {
        return rule.face(x, batch, outcomes, t);
    }
    static Decision decide(const auto& rule, const Trial& trial) { return rule.decide(trial.score); }
    static int shown(const auto& rule, const Decision& decision) { return rule.shown(decision); }
    static int sign(const auto& rule, double score, std::size_t) { return rule.sign(score); }
    static Round verdict(const auto& rule, const double* scores) { return rule.verdict(scores); }
};

// The rounds of a pool: each by itself, or first a stretch of rows by all views, and then the rounds of these.
template <class Of, class DeskOf>
struct PoolRounds {
    using Protocol = Whole;

    Of& pool;
    DeskOf desk = {};
    Stretch stretch = {};
    Row raw = {};
    std::size_t first = 0, alone = 0;  // row of a stretch; rows faced one by one before another stretch is looked for
    bool staged = false;               // whether the views have learned the row of the round

    std::size_t rows_between_signals(const Batch& batch) const { return 32 * batch.block(); }

    // Where the views learn a stretch from row `t` on, its end; where they do not, the row behind. A row with an
    // outcome that is no number ends the stretch.
    template <class Outcome>
    std::size_t stage(const Lines& lines, const Batch& batch, const Outcomes& outcomes, std::size_t t, std::size_t end,
                      Outcome outcome) {
        if (!looks_for_a_stretch(t, end) || !pool.takes_stretches()) return t + 1;
        const auto add = [&](double of, double weight) { return stretch.add(raw, lines, of, weight); };
        if (!gathered(stretch, batch, outcomes, t, std::min(end, t + pool.most_rows()), outcome, add)) return t + 1;
        pool.learn_views(stretch, desk);
        return t + stretch.size();
    }
    bool looks_for_a_stretch(std::size_t t, std::size_t end) {
        stretch.clear();
        if (alone > 0) --alone;
        return alone == 0 && end - t >= Stretch::least;
    }
    // Whether there is a stretch from row `t` on; `add` takes the row in that stands in `raw`.
    template <class Outcome, class Add>
    bool gathered(Stretch& of, const Batch& batch, const Outcomes& outcomes, std::size_t t, std::size_t end,
                  Outcome outcome, Add add) {
        first = t;
        std::visit(
            [&](const auto& rows) {
                auto cursor = rows.cursor();
                for (const std::size_t last = std::min(end, t + Stretch::most); t < last; ++t) {
                    fill(raw, batch.row(cursor, t));
                    const double truth = outcome(t);
                    if (std::isnan(truth) || !add(truth, outcomes.weight(t))) break;
                }
            },
            batch.rows);
        if (of.size() >= Stretch::least) return true;
        alone = of.size() + 1;
        of.clear();
        return false;
    }

    template <class Entries>
    void read(const Entries& x, std::size_t t) {
        staged = t - first < stretch.size();
        if (staged) return pool.read_over_views(desk, t - first);
        fill(desk.rows[raw_view], x);
        pool.read(desk);
    }
    template <class Outcome>
    Step learn(Outcome outcome, double weight) {
        if (staged)
            pool.learn_over_views(desk, outcome, weight);
        else
            pool.learn(desk, outcome, weight);
        return Step::otherwise(1.0);
    }
    // Reads rows on a desk of its own, and tells of each.
    template <class Tell>
    void read_rows(const Batch& batch, std::size_t begin, std::size_t end, Tell tell) const {
        std::visit(
            [&](const auto& rows) {
                DeskOf own;
                auto cursor = rows.cursor();
                for (std::size_t t = begin; t < end; ++t) {
                    fill(own.rows[raw_view], cursor[t]);
                    pool.read(own);
                    tell(t, own);
                }
            },
            batch.rows);
    }
};

struct PoolRule : PoolRounds<Pool, Desk> {
    std::unique_ptr<Ahead> ahead = std::make_unique<Ahead>();
    std::size_t truth = 0;
    bool behind = false;  // whether the full covariance has learned the row of the round
    bool two = true;      // whether the round is one of two labels
    int prediction = +1;

    std::size_t scores() const { return pool.blends.size(); }
    bool reads(const Outcomes& outcomes) const {
        return std::holds_alternative<Labels>(outcomes.of) || std::holds_alternative<Classes>(outcomes.of);
    }
    // One round at a time, while the lines of the next are on their way; or all that the views can learn on their own,
    // or the full covariance ahead of the others.
    std::size_t ready(const Batch& batch, const Outcomes& outcomes, std::size_t t, std::size_t end) {
        const auto known = [&](std::size_t at) {
            const std::size_t number = class_of(outcomes, at);
            return number < pool.met() ? static_cast<double>(number) : std::numeric_limits<double>::quiet_NaN();
        };
        const Lines& lines = pool.views[raw_view].classes[0].lines;
        ahead->stretch.clear();
        if (pool.goes_ahead()) return send(lines, batch, outcomes, t, end, known);
        const std::size_t next = stage(lines, batch, outcomes, t, end, known);
        if (next == t + 1) ask_for(batch, next, end);
        return next;
    }
    template <class Known>
    std::size_t send(const Lines& lines, const Batch& batch, const Outcomes& outcomes, std::size_t t, std::size_t end,
                     Known known) {
        if (looks_for_a_stretch(t, end)) {
            const bool left = pool.views[raw_view].seats.size() < seat_count;
            const auto add = [&](double of, double weight) {
                return ahead->stretch.add_seated(raw, lines, of, weight, left);
            };
            if (!may_have_help())
                alone = end - t;
            else if (gathered(ahead->stretch, batch, outcomes, t, end, known, add)) {
                pool.send(*ahead, desk);
                return t + ahead->stretch.size();
            }
        }
        ask_for(batch, t + 1, end);
        return t + 1;
    }
    void ask_for(const Batch& batch, std::size_t next, std::size_t end) const {
        if (next < end) std::visit([&](const auto& rows) { ask_ahead(rows, next, pool); }, batch.rows);
    }
    template <class Entries>
    void read_round(const Entries& x, const Batch& batch, std::size_t t) {
        const std::size_t rows = ahead->stretch.size();
        behind = t - first < rows;
        if (!behind) return read(x, t);
        ask_for(batch, t + 1, first + rows);
        staged = false;
        fill(desk.rows[raw_view], x);
        pool.read_behind(*ahead, desk, t - first);
    }

    // The loss of the round is the log loss. The round in which a class is new has none: it is counted apart.
    template <class Row>
    Trial face(const Row& x, const Batch& batch, const Outcomes& outcomes, std::size_t t) {
        truth = class_of(outcomes, t);
        read_round(x, batch, t);
        two = desk.blends.size() == 1 && truth < 2;
        const bool signs = std::holds_alternative<Labels>(outcomes.of);
        const Shown round = shown_for(desk.blends, truth, signs, pool.options.threshold);
        prediction = round.prediction;
        Trial trial{};
        trial.score = round.score;
        trial.label = two && truth == 0 ? -1 : +1;
        if (!two) trial.truth = static_cast<std::int32_t>(truth);
        trial.interval = Interval::open_half_line(trial.label);
        trial.miss = {round.margin <= 0.0 ? 1 : 0, round.chance >= 0.0 ? -log_of(round.chance) : 0.0};
        trial.violation = trial.miss;
        trial.norm_squared = batch.norm_squared[t];
        trial.largest_entry = batch.largest_entry[t];
        trial.chance = round.chance;
        trial.brier = round.brier;
        if (truth >= pool.met()) {
            if (outcomes.weight(t) != 0.0) pool.make_room(desk);  // or there is a class that could not be learned
            pool.join(desk, truth + 1);
            pool.read(desk);
        }
        return trial;
    }
    Decision decide(double score) const { return Decision::by_sign(two ? score - pool.options.threshold : score); }
    int shown(const Decision&) const { return prediction; }
    template <class Row>
    Step update(const Row&, const Trial& trial) {
        if (!behind) return learn(truth, trial.weight);
        pool.learn_behind(desk, truth, trial.weight);
        return Step::otherwise(1.0);
    }

    void score_rows(const Batch& batch, std::size_t begin, std::size_t end, double* out) const {
        read_rows(batch, begin, end, [&](std::size_t t, const Desk& own) {
            for (std::size_t c = 0; c < own.blends.size(); ++c)
                out[t * own.blends.size() + c] = own.blends[c].log_odds_shown();
        });
    }
    int sign(double score) const { return score < pool.options.threshold ? -1 : +1; }
    Round verdict(const double* of) const {
        if (scores() == 1) return {*of, sign(*of)};
        const double* best = std::max_element(of, of + scores());
        return {*best, static_cast<int>(best - of)};
    }
};

struct TargetPoolRule : PoolRounds<TargetPool, TargetDesk> {
    double target = 0.0;

    std::size_t scores() const { return 1; }
    bool reads(const Outcomes& outcomes) const { return std::holds_alternative<Targets>(outcomes.of); }
    std::size_t ready(const Batch& batch, const Outcomes& outcomes, std::size_t t, std::size_t end) {
        const auto value = [&](std::size_t at) { return std::get<Targets>(outcomes.of).value[at]; };
        return stage(pool.views[raw_view].lines, batch, outcomes, t, end, value);
    }

    template <class Row>
    Trial face(const Row& x, const Batch& batch, const Outcomes& outcomes, std::size_t t) {
        target = std::get<Targets>(outcomes.of).value[t];
        read(x, t);
        return Trial::of(desk.prediction, Interval::around(target, 0.0), 0.0, batch.norm_squared[t],
                         batch.largest_entry[t], 0);
    }
    Decision decide(double score) const { return Decision::by_sign(score); }
    int shown(const Decision& decision) const { return decision.sign; }
    template <class Row>
    Step update(const Row&, const Trial& trial) {
        return learn(target, trial.weight);
    }

    void score_rows(const Batch& batch, std::size_t begin, std::size_t end, double* out) const {
        read_rows(batch, begin, end, [&](std::size_t t, const TargetDesk& own) { out[t] = own.prediction; });
    }
    int sign(double score) const { return score < 0.0 ? -1 : +1; }
    Round verdict(const double* of) const { return {*of, sign(*of)}; }
};

}  // namespace

std::unique_ptr<Loop> loop_on(Pool& pool) { return loop_of(PoolRule{{pool}}); }
std::unique_ptr<Loop> loop_on(TargetPool& pool) { return loop_of(TargetPoolRule{{pool}}); }

namespace {

template <class Desk, class Pool>
ExplainedRow explained_row(const Pool& pool, const Batch& batch, std::size_t t) {
    Desk desk;
    std::visit([&](const auto& rows) { fill(desk.rows[raw_view], rows.cursor()[t]); }, batch.rows);
    pool.read(desk);
    const Row& row = desk.rows[raw_view];
    return {{row.line.begin() + 1, row.line.begin() + static_cast<std::ptrdiff_t>(row.size)}, {explained(pool, desk)}};
}

}  // namespace

ExplainedRow explained(const Pool& pool, const Batch& batch, std::size_t t) {
    return explained_row<Desk>(pool, batch, t);
}
ExplainedRow explained(const TargetPool& pool, const Batch& batch, std::size_t t) {
    return explained_row<TargetDesk>(pool, batch, t);
}

}  // namespace littlestone::pool
