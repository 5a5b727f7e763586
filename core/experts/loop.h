// The one loop of the expert protocol: advice -> weights -> prediction -> losses -> record -> update.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "compiled.h"
#include "ledger.h"
#include "loss.h"

namespace littlestone {

// The caller's matrix, read in place whatever its strides: one row per round, one column per expert, nan for sleep.
struct Table {
    const double* wide;   // float64, or
    const float* narrow;  // float32; the other is null
    std::size_t rows, columns;
    std::ptrdiff_t row_stride, column_stride;  // in entries

    // Copies a row and says how many of its entries are finite.
    std::size_t copy(std::size_t row, double* out) const {
        const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(row) * row_stride;
        if (wide && column_stride == 1) return vectors::copy_finite(wide + start, out, columns);
        if (wide)
            gather(wide + start, out);
        else
            gather(narrow + start, out);
        return vectors::copy_finite(out, out, columns);
    }

  private:
    template <class Value>
    void gather(const Value* from, double* out) const {
        for (std::size_t i = 0; i < columns; ++i)
            out[i] = static_cast<double>(from[static_cast<std::ptrdiff_t>(i) * column_stride]);
    }
};

// Why a round was refused: which row, which expert, and the number that is wrong.
struct ExpertFault {
    enum class Kind { outcome, advice, asleep, all_asleep, range, scale };
    Kind kind;
    std::size_t row, expert;
    double value;
};

// Per-round columns the caller asked to keep; each pointer may be null.
struct ExpertColumns {
    double* prediction = nullptr;
    double* loss = nullptr;
    double* weights = nullptr;  // rows of N
};

struct Protocol {
    Loss loss;
    bool unit;      // the rule wants losses in [0, 1]
    bool votes;     // the rule's loss on labels is that of its vote; else it is the chance of being wrong
    bool squares;   // the rule squares what it is charged
    bool gradient;  // the rule is charged gradient times advice
    bool sleepers;  // the rule can do without the advice of some
};

class ExpertLoop {
  public:
    static constexpr double narrowest = 1e-150;  // the least range of charges whose square keeps its digits

    ExpertLoop(std::unique_ptr<CompiledExperts> compiled, const Protocol& protocol)
        : compiled_(std::move(compiled)),
          protocol_(protocol),
          advice_(experts()),
          losses_(experts()),
          charges_(experts()),
          weights_(experts()),
          flags_(experts()) {}

    std::size_t experts() const { return compiled_->count; }
    const Protocol& protocol() const { return protocol_; }
    const double* weights() const { return weights_.data(); }

    // Reads a row, checks it and finds the weights and the prediction. Nothing of the state changes.
    std::optional<ExpertFault> look(const Table& table, std::size_t row, double* prediction) {
        const std::size_t finite = table.copy(row, advice_.data());
        if (const auto fault = wake(row, finite)) return fault;
        compiled_->weights(awake_, weights_.data());
        *prediction = compiled_->predict(awake_, weights_.data(), advice_.data(), protocol_.loss);
        return std::nullopt;
    }

    // Learns rows [begin, end) in order; stops at the first one that is refused, with those before it learned.
    std::optional<ExpertFault> learn(const Table& table, const double* outcomes, std::size_t begin, std::size_t end,
                                     ExpertLedger& ledger, const ExpertColumns& columns) {
        for (std::size_t t = begin; t < end; ++t) {
            const double y = outcomes ? outcomes[t] : 0.0;
            if (!protocol_.loss.takes_outcome(y)) return ExpertFault{ExpertFault::Kind::outcome, t, 0, y};
            double said = 0.0;
            if (const auto fault = look(table, t, &said)) return fault;
            if (const auto fault = observe(t, y)) return fault;
            const vectors::Extremes losses = seen_;
            const double own = own_loss(said, y);
            const double range = price(said, y);
            if (!measurable(range, ledger)) return ExpertFault{ExpertFault::Kind::scale, t, 0, range};
            ledger.saw(losses.least, losses.most);
            ledger.record(awake_, losses_.data(), own, protocol_.loss.labels() && said != y);
            if (compiled_->reads()) compiled_->learn(round(y));
            charge(said, y, own, range, ledger);
            if (columns.prediction) columns.prediction[t] = said;
            if (columns.loss) columns.loss[t] = own;
            if (columns.weights) std::copy(weights_.begin(), weights_.end(), columns.weights + t * experts());
        }
        return std::nullopt;
    }

  private:
    // Finds out who is awake, and checks what they say; the advice of whoever sleeps becomes 0.
    std::optional<ExpertFault> wake(std::size_t row, std::size_t finite) {
        const std::size_t count = experts();
        const bool free = !protocol_.loss.labels() && !protocol_.loss.probabilities();
        if (free && finite == count) {
            awake_ = {flags_.data(), count, true};
            return std::nullopt;
        }
        std::size_t awake = 0;
        for (std::size_t i = 0; i < count; ++i) {
            flags_[i] = !std::isnan(advice_[i]);
            awake += flags_[i];
            if (!flags_[i]) advice_[i] = 0.0;
            if (flags_[i] && !protocol_.loss.takes_advice(advice_[i]))
                return ExpertFault{ExpertFault::Kind::advice, row, i, advice_[i]};
        }
        awake_ = {flags_.data(), awake, awake == count};
        if (awake < count && !protocol_.sleepers) return ExpertFault{ExpertFault::Kind::asleep, row, first(0), 0.0};
        if (awake == 0) return ExpertFault{ExpertFault::Kind::all_asleep, row, 0, 0.0};
        return std::nullopt;
    }

    // The losses of those awake; refuses a loss that is infinite or outside the declared range.
    std::optional<ExpertFault> observe(std::size_t row, double y) {
        const std::size_t count = experts();
        if (protocol_.loss.kind == LossKind::given)
            losses_.swap(advice_);
        else
            protocol_.loss.with(y, [&](auto loss) {
                for (std::size_t i = 0; i < count; ++i) losses_[i] = loss(advice_[i]);
            });
        if (!awake_.all)
            for (std::size_t i = 0; i < count; ++i)
                if (!flags_[i]) losses_[i] = losses_[first(1)];
        seen_ = vectors::extremes(losses_.data(), count);
        const double low = protocol_.loss.declared() ? protocol_.loss.low : std::numeric_limits<double>::lowest();
        const double high = protocol_.loss.declared() ? protocol_.loss.high : std::numeric_limits<double>::max();
        if (seen_.least < low || seen_.most > high) {
            std::size_t i = 0;
            while (losses_[i] >= low && losses_[i] <= high) ++i;
            return ExpertFault{ExpertFault::Kind::range, row, i, losses_[i]};
        }
        if (!awake_.all)
            for (std::size_t i = 0; i < count; ++i)
                if (!flags_[i]) losses_[i] = 0.0;
        return std::nullopt;
    }

    // The first expert that is awake (1) or asleep (0); there must be one.
    std::size_t first(std::uint8_t awake) const {
        return static_cast<std::size_t>(std::find(flags_.begin(), flags_.end(), awake) - flags_.begin());
    }

    AdviceRound round(double y) const {
        const bool given = protocol_.loss.kind == LossKind::given;
        return {awake_, given ? losses_.data() : advice_.data(), losses_.data(), y, protocol_.loss, protocol_.gradient};
    }

    double own_loss(double said, double y) const {
        if (protocol_.loss.kind == LossKind::given) return said;
        if (protocol_.loss.labels() && !protocol_.votes) return dense::dot(losses_.data(), weights_.data(), experts());
        return protocol_.loss.of(said, y);
    }

    // What the experts are charged, still without those asleep: the losses, or the gradient at the prediction times the
    // advice. Returns its range among those awake.
    double price(double said, double y) {
        if (protocol_.gradient) {
            const double slope = protocol_.loss.gradient(said, y);
            for (std::size_t i = 0; i < experts(); ++i) charges_[i] = slope * advice_[i];
            rest(charges_.data(), slope * said);
            seen_ = vectors::extremes(charges_.data(), experts());
        }
        return seen_.most - seen_.least;
    }

    // A rule may square what it is charged: the square of the largest range so far must be a number.
    bool measurable(double range, const ExpertLedger& ledger) const {
        const double widest = std::max(range, ledger.largest_range);
        return !protocol_.squares || widest == 0.0 || (widest >= narrowest && widest <= 1.0 / narrowest);
    }

    // Moves the rule by the charges, in the unit that it wants.
    void charge(double said, double y, double own, double range, ExpertLedger& ledger) {
        if (protocol_.gradient)
            own = protocol_.loss.gradient(said, y) * said;
        else
            charges_.swap(losses_);  // they are recorded already
        double* charges = charges_.data();
        rest(charges, own);
        ledger.largest_range = std::max(ledger.largest_range, range);
        if (protocol_.unit)
            own = to_unit(charges, own, ledger);
        else
            ledger.variance.add(vectors::variance(weights_.data(), charges, experts()));
        ledger.charged += own;
        if (compiled_->reads()) return;
        if (protocol_.votes) rest(charges, compiled_->asleep(own));
        compiled_->advance(charges, own);
    }

    void rest(double* charges, double own) const {
        for (std::size_t i = 0; !awake_.all && i < experts(); ++i)
            if (!flags_[i]) charges[i] = own;
    }

    // Brings the charges into [0, 1]: by the declared range, or by the widest range of a round so far.
    double to_unit(double* charges, double own, ExpertLedger& ledger) {
        double shift = protocol_.loss.low, width = protocol_.loss.high - protocol_.loss.low;
        if (!protocol_.loss.declared() || protocol_.gradient) {
            const double range = seen_.most - seen_.least;
            if (range > ledger.scale) {
                if (ledger.scale > 0.0) {
                    compiled_->rescale(ledger.scale / range);
                    ledger.charged *= ledger.scale / range;
                }
                ledger.scale = range;
            }
            shift = seen_.least;
            width = ledger.scale > 0.0 ? ledger.scale : 1.0;
        }
        if (shift == 0.0 && width == 1.0) return own;
        vectors::normalise(charges, shift, width, experts());
        return (own - shift) / width;
    }

    std::unique_ptr<CompiledExperts> compiled_;
    Protocol protocol_;
    std::vector<double> advice_, losses_, charges_, weights_;
    std::vector<std::uint8_t> flags_;
    Awake awake_{};
    vectors::Extremes seen_{};
};

}  // namespace littlestone
