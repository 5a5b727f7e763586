// A copy of a payoff matrix in whole numbers of 16 bits, multiplied in them: a quarter of the memory, exact sums.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../buffer.h"
#include "matrix.h"
#include "shorts.h"

namespace littlestone::games {

// Rows of whole numbers, each filled up to whole cache lines.
class ShortRows {
  public:
    ShortRows(std::size_t rows, std::size_t columns)
        : rows_(rows), columns_(columns), stride_((columns + line - 1) / line * line) {
        held_.resize(rows_ * stride_ + 2 * line);
        first_ = (line - reinterpret_cast<std::uintptr_t>(held_.data()) / sizeof(std::int16_t) % line) % line;
    }

    std::size_t rows() const { return rows_; }
    std::size_t stride() const { return stride_; }
    std::int16_t* row(std::size_t i) { return held_.data() + first_ + i * stride_; }
    const std::int16_t* row(std::size_t i) const { return held_.data() + first_ + i * stride_; }
    void fill(std::int16_t value) { games::fill(row(0), rows_ * stride_, value); }
    void fill_up() {
        for (std::size_t i = 0; i < rows_; ++i) std::fill(row(i) + columns_, row(i) + stride_, std::int16_t{0});
    }

    ShortRows part(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) const {
        ShortRows found(rows.size(), columns.size());
        const Picked picked(columns, columns_);
        for (std::size_t k = 0; k < rows.size(); ++k) picked.copy(row(rows[k]), found.row(k));
        found.fill_up();
        return found;
    }

    // The mean of the rows under a strategy, times `unit`; rows of weight 0 are not read. The strategy is rounded to
    // whole numbers first, and what is left in its place is what was multiplied, to the last bit.
    void play(double* strategy, double unit, double* out) const {
        static thread_local Room room;
        room.sum.resize(stride_);
        const std::int32_t sum = weigh(strategy, room);
        multiply(room.counts.data(), 1.0 / sum, strategy, rows_);
        for (std::size_t k = 0; k < room.used;) {
            const std::size_t end = sum <= largest_sum_of_weights ? room.used : room.end(k);
            add_up({row(0), stride_, room.place.data() + k, room.weight.data() + k, end - k}, room.sum.data());
            (k == 0 ? multiply : add_multiple)(room.sum.data(), unit / sum, out, columns_);
            k = end;
        }
    }

  private:
    static constexpr std::size_t line = shorts_per_line;
    std::size_t rows_, columns_, stride_, first_;
    Buffer<std::int16_t> held_;

    // The rows that count, how often, and their sum.
    struct Room {
        std::vector<std::int32_t> counts, weight, sum;
        std::vector<std::uint32_t> place;
        std::size_t used;

        // The end of those that can be added up at once, from the k-th on.
        std::size_t end(std::size_t k) const {
            for (std::int64_t held = 0; k < used; ++k)
                if ((held += weight[k]) > largest_sum_of_weights) break;
            return k;
        }
    };

    // A strategy in whole numbers, eight for each action at least, were it uniform; their sum.
    std::int32_t weigh(const double* strategy, Room& room) const {
        constexpr std::int32_t most = 32767;
        const std::size_t units = std::max<std::size_t>(most + 1, 8 * rows_), listed = rows_ + units / most + 8;
        room.counts.resize(rows_), room.place.resize(listed), room.weight.resize(listed);
        const auto [sum, largest, used] = count_units(strategy, static_cast<double>(units), rows_, room.counts.data(),
                                                      room.place.data(), room.weight.data());
        room.used = used;
        // A row that counts for more than a weight can say is there again.
        for (std::size_t k = 0; largest > most && k < used; ++k)
            for (; room.weight[k] > most; room.weight[k] -= most) {
                room.place[room.used] = room.place[k];
                room.weight[room.used++] = most;
            }
        return sum;
    }
};

// (A − zero)/unit by rows and by columns, so that neither product reads what is not played; where few payoffs are
// stored, the others are written down as well. For play only: what strategies are worth is measured on the payoffs
// themselves.
class ShortCopy final : public Payoffs {
  public:
    // Payoffs between zero − unit/2 and zero + unit/2.
    ShortCopy(const Batch& batch, double zero, double unit)
        : by_rows_(batch.count, batch.width), by_columns_(batch.width, batch.count) {
        std::visit([&](const auto& rows) { copy(rows, zero, steps / unit); }, batch.rows);
    }

    std::size_t rows() const override { return by_rows_.rows(); }
    std::size_t columns() const override { return by_columns_.rows(); }
    void transpose() { std::swap(by_rows_, by_columns_); }
    std::unique_ptr<Payoffs> part(const Actions& rows, const Actions& columns) const override {
        return std::unique_ptr<Payoffs>(new ShortCopy(by_rows_.part(rows, columns), by_columns_.part(columns, rows)));
    }
    void times(const double* q, double* Aq) const override { multiplied(by_columns_, q, Aq); }
    void transposed_times(const double* p, double* pA) const override { multiplied(by_rows_, p, pA); }
    void played(double* q, double* Aq) const override { by_columns_.play(q, 1.0 / steps, Aq); }
    void transposed_played(double* p, double* pA) const override { by_rows_.play(p, 1.0 / steps, pA); }

  private:
    static constexpr double steps = 65534.0;
    ShortRows by_rows_, by_columns_;

    ShortCopy(ShortRows by_rows, ShortRows by_columns)
        : by_rows_(std::move(by_rows)), by_columns_(std::move(by_columns)) {}
    static void multiplied(const ShortRows& of, const double* strategy, double* out) {
        std::vector<double> rounded(strategy, strategy + of.rows());
        of.play(rounded.data(), 1.0 / steps, out);
    }
    template <class Value>
    void copy(const DenseRows<Value>& rows, double zero, double scale) {
        by_rows_.fill_up();
        by_columns_.fill_up();
        auto cursor = rows.cursor();
        for (std::size_t i = 0; i < rows.rows; ++i) shorten(cursor[i].value, rows.width, zero, scale, by_rows_.row(i));
        games::transpose({by_rows_.row(0), rows.rows, rows.width, static_cast<std::ptrdiff_t>(by_rows_.stride())},
                         by_columns_.row(0), by_columns_.stride());
    }
    template <class RowsOf>
    void copy(const RowsOf& rows, double zero, double scale) {
        const std::int16_t nothing = shortened(0.0, zero, scale);
        by_rows_.fill(nothing);
        by_columns_.fill(nothing);
        auto cursor = rows.cursor();
        for (std::size_t i = 0; i < rows.rows; ++i) {
            std::int16_t *const across = by_rows_.row(i), *const down = by_columns_.row(0) + i;
            cursor[i].each([&](std::size_t j, double x) {
                across[j] = down[j * by_columns_.stride()] = shortened(x, zero, scale);
            });
        }
    }
};

}  // namespace littlestone::games
