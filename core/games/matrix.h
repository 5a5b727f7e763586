// A payoff matrix over the caller's arrays: the rows of a checked batch, dense or sparse.
#pragma once

#include <algorithm>
#include <limits>

#include "../batch.h"
#include "payoffs.h"
#include "products.h"

namespace littlestone::games {

template <class Value>
Dense<Value> dense(const DenseRows<Value>& rows) {
    return {rows.value, rows.rows, rows.width, rows.stride};
}

template <class RowsOf>
void times(const RowsOf& rows, const double* q, double* Aq) {
    auto cursor = rows.cursor();
    for (std::size_t i = 0; i < rows.rows; ++i) Aq[i] = cursor[i].dot(q);
}

template <class Value>
void times(const DenseRows<Value>& rows, const double* q, double* Aq) {
    times(dense(rows), q, Aq);
}

template <class RowsOf>
void transposed_times(const RowsOf& rows, const double* p, double* pA) {
    std::fill(pA, pA + rows.width, 0.0);
    auto cursor = rows.cursor();
    for (std::size_t i = 0; i < rows.rows; ++i)
        if (p[i] != 0.0) cursor[i].add_to(pA, p[i]);
}

template <class Value>
void transposed_times(const DenseRows<Value>& rows, const double* p, double* pA) {
    transposed_times(dense(rows), p, pA);
}

// Collects the extremes row by row; a payoff that a sparse row does not store is 0.
struct Widening {
    Extremes found;
    std::vector<std::size_t> stored;

    Widening(std::size_t rows, std::size_t columns)
        : found{std::vector(rows, infinity), std::vector(rows, -infinity), std::vector(columns, infinity),
                std::vector(columns, -infinity)},
          stored(columns, 0) {}

    template <class Value>
    void add(std::size_t i, const DenseRow<Value>& row) {
        widen(row.value, row.count, found.column_low.data(), found.column_high.data(), found.row_low[i],
              found.row_high[i]);
        dense_rows = true;
    }
    template <class Value, class Index>
    void add(std::size_t i, const SparseRow<Value, Index>& row) {
        double low = infinity, high = -infinity;  // what the compiler may keep in registers
        double *const column_low = found.column_low.data(), *const column_high = found.column_high.data();
        row.each([&](std::size_t j, double x) {
            include(low, high, x);
            include(column_low[j], column_high[j], x);
            ++stored[j];
        });
        if (row.count < stored.size()) include(low, high, 0.0);
        found.row_low[i] = low, found.row_high[i] = high;
    }
    Extremes finish() {
        for (std::size_t j = 0; j < stored.size() && !dense_rows; ++j)
            if (stored[j] < found.row_low.size()) include(found.column_low[j], found.column_high[j], 0.0);
        return std::move(found);
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    bool dense_rows = false;

    static void include(double& low, double& high, double x) {
        low = std::min(low, x);
        high = std::max(high, x);
    }
};

// The entries of a row by their columns: as they lie, or written out where only the others than 0 are stored.
template <class Row>
class Entries;

template <class Value>
class Entries<DenseRow<Value>> {
  public:
    Entries(const DenseRow<Value>& row, std::size_t) : value_(row.value) {}
    double operator[](std::size_t j) const { return value_[j]; }

  private:
    const Value* value_;
};

template <class Value, class Index>
class Entries<SparseRow<Value, Index>> {
  public:
    Entries(const SparseRow<Value, Index>& row, std::size_t columns) : value_(columns, 0.0) {
        row.each([&](std::size_t j, double x) { value_[j] = x; });
    }
    double operator[](std::size_t j) const { return value_[j]; }

  private:
    std::vector<double> value_;
};

template <class Row>
Entries(const Row&, std::size_t) -> Entries<Row>;

class Matrix final : public Payoffs {
  public:
    explicit Matrix(const Batch& batch) : batch_(batch) {}

    std::size_t rows() const override { return batch_.count; }
    std::size_t columns() const override { return batch_.width; }
    void times(const double* q, double* Aq) const override {
        std::visit([&](const auto& rows) { games::times(rows, q, Aq); }, batch_.rows);
    }
    void transposed_times(const double* p, double* pA) const override {
        std::visit([&](const auto& rows) { games::transposed_times(rows, p, pA); }, batch_.rows);
    }
    Extremes extremes() const {
        Widening widening(rows(), columns());
        std::visit(
            [&](const auto& rows) {
                auto cursor = rows.cursor();
                for (std::size_t i = 0; i < batch_.count; ++i) widening.add(i, cursor[i]);
            },
            batch_.rows);
        return widening.finish();
    }
    const Batch& batch() const { return batch_; }
    // The payoffs between some of the rows and some of the columns, (A − zero)/unit, row by row.
    void block(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns, double zero, double unit,
               double* out) const {
        std::visit(
            [&](const auto& of) {
                auto cursor = of.cursor();
                for (const std::size_t i : rows) {
                    const Entries entries(cursor[i], this->columns());
                    for (const std::size_t j : columns) *out++ = (entries[j] - zero) / unit;
                }
            },
            batch_.rows);
    }

  private:
    const Batch& batch_;
};

}  // namespace littlestone::games
