// What a rule is shown of a row: its features in running scales, which take the row in before it is shown.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "loop.h"
#include "pool/gauge.h"
#include "pool/numbers.h"

namespace littlestone {

// Rows in arrays of their own that stand for the rows of a batch.
class Shown {
  public:
    void clear(std::size_t width);
    // Room for so many rows and entries, measured or not; from here on they take no memory.
    void make_room(std::size_t rows, std::size_t entries);
    void add(std::size_t feature, double value) {
        index_.push_back(static_cast<std::int64_t>(feature));
        value_.push_back(value);
    }
    void end_row(std::size_t named) {
        start_.push_back(static_cast<std::int64_t>(index_.size()));
        named_.push_back(static_cast<std::int64_t>(named));
    }
    // The rows, to be scored.
    Batch& rows();
    // The rows, measured, to be learned; hashes and counts of missing values are those of rows [begin, ...) of the
    // batch, for which they stand.
    Batch& measured(const Batch& of, std::size_t begin);

  private:
    std::vector<std::int64_t> start_, index_, named_;
    std::vector<double> value_;
    Batch batch_;
};

// The entries of a row that have a place in its sums: of names, those that the model does not know too, with a 0.
template <class Row, class Visit>
void each_place(const Row& x, Visit visit) {
    if constexpr (requires { x.packed; }) {
        if (x.packed) {
            for (std::size_t k = 0; k < x.count; ++k)
                visit(static_cast<std::size_t>(x.index[k]), static_cast<double>(x.value[k]));
            if (x.ends_in_one()) visit(x.constant, 1.0);
            return;
        }
    }
    x.each(visit);
}

// A scale that keeps zeros: each value by itself. `Of` says what a value is in the scale of its feature once the value
// itself was taken in, and is then the new state of the feature.
template <class Of>
struct FeatureScale {
    Of of;

    std::size_t width() const { return of.width; }
    std::size_t most(std::size_t stored) const { return stored; }
    template <bool learns, class Row>
    void show(const Row& x, Shown& out) const {
        each_place(x, [&](std::size_t i, double v) { out.add(i, v == 0.0 ? 0.0 : of.template scaled<learns>(i, v)); });
    }
};

// x / max |x|.
struct LargestValue {
    double* largest;
    std::size_t width;

    template <bool learns>
    double scaled(std::size_t i, double x) const {
        const double most = std::max(largest[i], std::fabs(x));
        if constexpr (learns) largest[i] = most;
        return x / most;
    }
};

// x / sqrt(mean of x^2), over the rows that have the feature.
struct MeanSquare {
    double *mean, *count;
    std::size_t width;

    template <bool learns>
    double scaled(std::size_t i, double x) const {
        const double n = count[i] + 1.0, square = mean[i] + (x * x - mean[i]) / n;
        if constexpr (learns) count[i] = n, mean[i] = square;
        return square > 0.0 ? x / std::sqrt(square) : std::copysign(1.0, x);  // squares below all numbers
    }
};

// The gauge of the pool.
struct GeometricMean {
    double *level, *count;
    std::size_t width;

    template <bool learns>
    double scaled(std::size_t i, double x) const {
        const auto now = pool::gauged(x, static_cast<float>(count[i]), static_cast<float>(level[i]));
        if constexpr (learns) count[i] = now.count, level[i] = now.level;
        return now.f;
    }
};

// (x - mean) / deviation of every feature, zeros too: Welford's sums over all rows so far. A feature that was never
// otherwise is 1 in magnitude.
struct StandardScale {
    double *mean, *squares, *rounds;
    std::size_t features;
    mutable std::vector<double> row = {};

    std::size_t width() const { return features; }
    std::size_t most(std::size_t) const { return features; }
    template <bool learns, class Row>
    void show(const Row& x, Shown& out) const {
        row.assign(features, 0.0);
        x.each([&](std::size_t i, double v) { row[i] = v; });
        const double n = *rounds + 1.0;
        for (std::size_t i = 0; i < features; ++i) {
            const double away = row[i] - mean[i], centre = mean[i] + away / n, left = row[i] - centre;
            const double sum = squares[i] + away * left;
            if (sum > 0.0 && left != 0.0)
                out.add(i, left / std::sqrt(sum / n));
            else if (sum <= 0.0 && row[i] != 0.0)
                out.add(i, std::copysign(1.0, row[i]));
            if constexpr (learns) mean[i] = centre, squares[i] = sum;
        }
        if constexpr (learns) *rounds = n;
    }
};

// x (1 + |lambda|), lambda the evidence of the feature for either label on the rows before: the weights of the pool, of
// rows as they are given. The masses are sums of |x| by label.
struct Evidence {
    static constexpr double most_mass = 4194304.0;  // 2^22, where both masses of a feature are halved

    double *positive, *negative;  // of each feature
    double *totals, *met;         // of all features by label, negative first; features that have a mass
    std::size_t features;

    std::size_t width() const { return features; }
    std::size_t most(std::size_t stored) const { return stored; }
    template <bool, class Row>
    void show(const Row& x, Shown& out) const {
        double count = *met;
        x.each([&](std::size_t i, double v) { count += v != 0.0 && positive[i] + negative[i] == 0.0; });
        count = std::max(count, 1.0);
        const double offset = pool::log_of((totals[1] + 0.5 * count) / (totals[0] + 0.5 * count));
        each_place(x, [&](std::size_t i, double v) {
            const double lambda = pool::log_of((positive[i] + 0.5) / (negative[i] + 0.5)) - offset;
            out.add(i, v * (1.0 + std::fabs(lambda)));
        });
    }
    // The row was learned; of an outcome that is no label nothing is known.
    template <class Row>
    void learn(const Row& x, int label, double weight) const {
        if (label == 0) return;
        x.each([&](std::size_t i, double v) {
            if (v == 0.0) return;
            *met += positive[i] + negative[i] == 0.0;
            const double mass = std::min(weight * std::fabs(v), most_mass);
            (label > 0 ? positive : negative)[i] += mass;
            totals[label > 0] += mass;
            if (positive[i] <= most_mass && negative[i] <= most_mass) return;
            positive[i] *= 0.5;
            negative[i] *= 0.5;
            totals[1] -= positive[i];
            totals[0] -= negative[i];
        });
    }
};

class View {
  public:
    virtual ~View() = default;
    virtual std::size_t width() const = 0;
    // How many features are shown for each: those of feature i are i * spread() and behind.
    virtual std::size_t spread() const = 0;
    // Shows rows [begin, end), all of them checked, and learns the scales from those of a weight other than 0.
    virtual void learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end,
                       Shown& out) = 0;
    // Shows each of the rows as if it came next.
    virtual void show(const Batch& batch, std::size_t begin, std::size_t end, Shown& out) const = 0;
};

template <class Scale>
class ViewOf final : public View {
  public:
    explicit ViewOf(Scale scale) : scale_(std::move(scale)) {}

    std::size_t width() const override { return scale_.width(); }
    std::size_t spread() const override {
        if constexpr (requires { scale_.spread(); }) return scale_.spread();
        return 1;
    }

    void learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Shown& out) override {
        make_room(batch, begin, end, out);  // or a row could be taken in and not shown
        each_row(batch, begin, end, out, [&](const auto& x, std::size_t t) {
            const double weight = outcomes.weight(t);
            if (weight == 0.0) return scale_.template show<false>(x, out);
            scale_.template show<true>(x, out);
            // What is known of a row only once it was learned.
            if constexpr (requires { scale_.learn(x, 0, weight); }) scale_.learn(x, outcomes.label(t), weight);
        });
    }

    void show(const Batch& batch, std::size_t begin, std::size_t end, Shown& out) const override {
        each_row(batch, begin, end, out, [&](const auto& x, std::size_t) { scale_.template show<false>(x, out); });
    }

  private:
    void make_room(const Batch& batch, std::size_t begin, std::size_t end, Shown& out) const {
        std::size_t entries = 0;
        std::visit(
            [&](const auto& rows) {
                for (std::size_t t = begin; t < end; ++t) {
                    std::size_t stored = batch.width;
                    if constexpr (requires { rows.start; })
                        stored = static_cast<std::size_t>(rows.start[rows.layout(t) + 1] - rows.start[rows.layout(t)]);
                    entries += scale_.most(stored + 1);  // there may be a constant
                }
            },
            batch.rows);
        out.make_room(end - begin, entries);
    }

    template <class Use>
    void each_row(const Batch& batch, std::size_t begin, std::size_t end, Shown& out, Use use) const {
        out.clear(scale_.width() * spread());
        std::visit(
            [&](const auto& rows) {
                auto cursor = rows.cursor();
                for (std::size_t t = begin; t < end; ++t) {
                    const auto x = batch.row(cursor, t);
                    use(x, t);
                    out.end_row(x.extent() * spread());
                }
            },
            batch.rows);
    }

    Scale scale_;
};

template <class Scale>
std::unique_ptr<View> view_of(Scale scale) {
    return std::make_unique<ViewOf<Scale>>(std::move(scale));
}

// Views one behind another: each is shown rows as the one before shows them.
class ChainedView final : public View {
  public:
    explicit ChainedView(std::vector<View*> views) : views_(std::move(views)), between_(views_.size()) {}

    std::size_t width() const override { return views_.front()->width(); }
    std::size_t spread() const override {
        std::size_t found = 1;
        for (const View* view : views_) found *= view->spread();
        return found;
    }
    void learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Shown& out) override;
    void show(const Batch& batch, std::size_t begin, std::size_t end, Shown& out) const override;

  private:
    std::vector<View*> views_;
    std::vector<Shown> between_;
};

// A loop whose rule sees rows through a view. Views and weights move in the same rounds.
class ViewedLoop final : public Loop {
  public:
    ViewedLoop(View& view, Loop& loop) : view_(view), loop_(loop) {}

    std::size_t width() const override { return std::min(view_.width(), loop_.width() / view_.spread()); }
    std::size_t scores() const override { return loop_.scores(); }
    bool reads(const Outcomes& outcomes) const override { return loop_.reads(outcomes); }
    std::size_t rows_between_signals(const Batch& batch) const override { return loop_.rows_between_signals(batch); }
    int sign(double score, std::size_t ahead) const override { return loop_.sign(score, ahead); }
    Round verdict(const double* scores) const override { return loop_.verdict(scores); }
    Round learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Ledger* ledger,
                const Columns& columns) override;
    void score(const Batch& batch, std::size_t begin, std::size_t end, double* out) const override;

  private:
    View& view_;
    Loop& loop_;
    mutable Shown shown_;
};

}  // namespace littlestone
