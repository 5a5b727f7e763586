// A copy of a payoff matrix in single precision, multiplied in it: half the memory, and twice the numbers at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../buffer.h"
#include "matrix.h"

namespace littlestone::games {

// Rows of floats, each filled up with zeros to whole cache lines.
class Lines {
  public:
    Lines(std::size_t rows, std::size_t columns)
        : rows_(rows), columns_(columns), stride_((columns + line - 1) / line * line) {
        held_.resize(rows_ * stride_ + line);
        first_ = (line - reinterpret_cast<std::uintptr_t>(held_.data()) / sizeof(float) % line) % line;
        for (std::size_t i = 0; i < rows_; ++i) std::fill(row(i) + columns_, row(i) + stride_, 0.0f);
    }

    void fill(float value) {
        for (std::size_t i = 0; i < rows_; ++i) std::fill(row(i), row(i) + columns_, value);
    }
    float* row(std::size_t i) { return held_.data() + first_ + i * stride_; }
    std::size_t stride() const { return stride_; }
    Dense<float> dense() const {
        return {held_.data() + first_, rows_, columns_, static_cast<std::ptrdiff_t>(stride_)};
    }
    // The sum of the rows, each times its weight; rows of weight 0 are not read.
    void sum(const double* weight, double* out) const {
        std::vector<float> narrowed(rows_), product(stride_);
        narrow(weight, rows_, 0.0, 1.0, narrowed.data());
        Dense<float> whole = dense();
        whole.columns = stride_;
        transposed_times(whole, narrowed.data(), product.data());
        widened(product.data(), columns_, out);
    }

  private:
    static constexpr std::size_t line = 64 / sizeof(float);
    std::size_t rows_, columns_, stride_, first_;
    Buffer<float> held_;
};

// (A − zero)/unit by rows and by columns, so that neither product reads what is not played; where few payoffs are
// stored, the others are written down as well. For play only: what strategies are worth is measured on the payoffs
// themselves.
class SingleCopy final : public Payoffs {
  public:
    SingleCopy(const Batch& batch, double zero, double unit)
        : by_rows_(batch.count, batch.width), by_columns_(batch.width, batch.count) {
        std::visit([&](const auto& rows) { copy(rows, zero, 1.0 / unit); }, batch.rows);
    }

    std::size_t rows() const override { return by_rows_.dense().rows; }
    std::size_t columns() const override { return by_columns_.dense().rows; }
    void times(const double* q, double* Aq) const override { by_columns_.sum(q, Aq); }
    void transposed_times(const double* p, double* pA) const override { by_rows_.sum(p, pA); }

  private:
    Lines by_rows_, by_columns_;

    template <class Value>
    void copy(const DenseRows<Value>& rows, double zero, double scale) {
        auto cursor = rows.cursor();
        for (std::size_t i = 0; i < rows.rows; ++i) narrow(cursor[i].value, rows.width, zero, scale, by_rows_.row(i));
        transpose(by_rows_.dense(), by_columns_.row(0), by_columns_.stride());
    }
    template <class RowsOf>
    void copy(const RowsOf& rows, double zero, double scale) {
        const auto nothing = static_cast<float>(-zero * scale);
        by_rows_.fill(nothing);
        by_columns_.fill(nothing);
        auto cursor = rows.cursor();
        for (std::size_t i = 0; i < rows.rows; ++i) {
            float *const across = by_rows_.row(i), *const down = by_columns_.row(0) + i;
            cursor[i].each([&](std::size_t j, double x) {
                across[j] = down[j * by_columns_.stride()] = static_cast<float>((x - zero) * scale);
            });
        }
    }
};

}  // namespace littlestone::games
