// A payoff matrix over the caller's arrays: the rows of a checked batch, dense or sparse.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

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

// The extremes of a row; a payoff that a sparse row does not store is 0.
template <class Value>
vectors::Extremes extremes(const DenseRow<Value>& row, std::size_t) {
    return extremes(row.value, row.count);
}
template <class Value, class Index>
vectors::Extremes extremes(const SparseRow<Value, Index>& row, std::size_t columns) {
    vectors::Extremes found = extremes(row.value, row.count);
    if (row.count < columns) found.take(0.0);
    return found;
}

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

// The range of the payoffs, and an equilibrium without mixing, if there is one.
struct Summary {
    vectors::Extremes range;
    bool pure = false;
    std::size_t row = 0, column = 0;
};

// The first of the rows that secure most, and the first column in which nothing is more than that, for sign = +1; the
// other way round for a row player who minimises. Few columns are left after the first rows.
template <class RowsOf>
Summary summary(const RowsOf& rows, std::size_t columns, double sign) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Summary found{{infinity, -infinity}};
    auto cursor = rows.cursor();
    auto values = rows.unbounded();
    double secured = -infinity;
    for (std::size_t i = 0; i < rows.rows; ++i) {
        const vectors::Extremes of = extremes(values[i], columns);
        found.range.take(of.least), found.range.take(of.most);
        const double least = sign > 0.0 ? of.least : -of.most;
        if (least > secured) secured = least, found.row = i;
    }
    std::vector<std::size_t> left(columns);
    std::iota(left.begin(), left.end(), std::size_t{0});
    for (std::size_t i = 0; i < rows.rows && !left.empty(); ++i) {
        const Entries entries(cursor[i], columns);
        std::erase_if(left, [&](std::size_t j) { return sign * entries[j] > secured; });
    }
    found.pure = !left.empty();
    if (found.pure) found.column = left.front();
    return found;
}

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
    Summary summary(double sign) const {
        return std::visit([&](const auto& rows) { return games::summary(rows, batch_.width, sign); }, batch_.rows);
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
