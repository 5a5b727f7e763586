// Rows of the caller's arrays, read in place: sparse (CSR), dense by rows, dense by any strides.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "dense.h"
#include "nonzeros.h"

namespace littlestone {

template <class Value, class Index>
struct SparseRow {
    const Index* index;
    const Value* value;
    std::size_t count;
    bool packed = false;  // no zero is stored, but where it keeps the place of a feature that the model does not know

    double dot(const double* w) const { return nonzeros::dot(index, value, count, w, packed); }
    double norm_squared() const { return nonzeros::norm_squared(value, count, packed); }
    double largest_entry() const { return dense::largest_entry(value, count); }
    std::uint64_t hash() const { return nonzeros::row_hash(index, value, count); }
    // One more than the largest feature that is there; the rows of dicts are not in order.
    std::size_t extent() const {
        std::size_t end = 0;
        each([&](std::size_t i, double) { end = std::max(end, i + 1); });
        return end;
    }
    void add_to(double* w, double step) const {
        for (std::size_t k = 0; k < count; ++k) w[index[k]] += step * static_cast<double>(value[k]);
    }
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t k = 0; k < count; ++k)
            if (value[k] != Value{0}) visit(static_cast<std::size_t>(index[k]), static_cast<double>(value[k]));
    }
};

template <class Value>
struct DenseRow {
    const Value* value;
    std::size_t count;
    const std::uint64_t* names = nullptr;  // a hash of the name of each feature, where they have names

    double dot(const double* w) const { return nonzeros::dot(value, count, w); }
    double norm_squared() const { return nonzeros::norm_squared(value, count); }
    double largest_entry() const { return dense::largest_entry(value, count); }
    std::uint64_t hash() const {
        return names == nullptr ? nonzeros::row_hash(value, count) : nonzeros::row_hash(names, value, count);
    }
    std::size_t extent() const { return count; }
    void add_to(double* w, double step) const { dense::add(value, step, w, count); }
    // Zeros are passed over, as in a sparse row.
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t i = 0; i < count; ++i)
            if (value[i] != Value{0}) visit(i, static_cast<double>(value[i]));
    }
};

template <class Value, class Index>
struct SparseRows {
    const Index* start;  // rows + 1 offsets
    const Index* index;
    const Value* value;
    std::size_t rows, width;
    bool packed = false;  // of every row

    struct Cursor {
        const SparseRows& rows;
        SparseRow<Value, Index> operator[](std::size_t t) const {
            const auto from = static_cast<std::size_t>(rows.start[t]);
            const auto to = static_cast<std::size_t>(rows.start[t + 1]);
            ask_ahead(rows.index + from, to - from);
            ask_ahead(rows.value + from, to - from);
            return {rows.index + from, rows.value + from, to - from, rows.packed};
        }

      private:
        // Asks for what comes two thousand bytes later, past the second-level cache, which is left to the weights.
        template <class Stored>
        static void ask_ahead(const Stored* from, std::size_t count) {
            constexpr std::size_t line = 64, ahead = 2048;
            const char* at = reinterpret_cast<const char*>(from) + ahead;
            for (const char* end = at + count * sizeof(Stored); at < end; at += line) __builtin_prefetch(at, 0, 0);
        }
    };
    Cursor cursor() const { return {*this}; }
    std::size_t entries() const { return rows == 0 ? 0 : static_cast<std::size_t>(start[rows] - start[0]); }
};

template <class Value>
struct DenseRows {
    const Value* value;
    std::size_t rows, width;
    std::ptrdiff_t stride;                 // values from one row to the next
    const std::uint64_t* names = nullptr;  // a hash of the name of each feature, where they have names

    struct Cursor {
        const DenseRows& rows;
        DenseRow<Value> operator[](std::size_t t) const {
            return {rows.value + static_cast<std::ptrdiff_t>(t) * rows.stride, rows.width, rows.names};
        }
    };
    Cursor cursor() const { return {*this}; }
    std::size_t entries() const { return rows * width; }
};

// Any two strides, a Fortran-ordered array above all: rows are gathered a block at a time, which reads each cache line
// once.
template <class Value>
struct StridedRows {
    const Value* value;
    std::size_t rows, width;
    std::ptrdiff_t row_stride, column_stride;
    const std::uint64_t* names = nullptr;

    class Cursor {
      public:
        explicit Cursor(const StridedRows& rows) : rows_(rows), block_(block_rows * rows.width) {}

        DenseRow<Value> operator[](std::size_t t) {
            if (t < first_ || t >= end_) gather(t);
            return {block_.data() + (t - first_) * rows_.width, rows_.width, rows_.names};
        }

      private:
        static constexpr std::size_t block_rows = 16;

        void gather(std::size_t t) {
            first_ = t;
            end_ = std::min(t + block_rows, rows_.rows);
            for (std::size_t i = 0; i < rows_.width; ++i) {
                const Value* column = rows_.value + static_cast<std::ptrdiff_t>(i) * rows_.column_stride;
                for (std::size_t r = first_; r < end_; ++r)
                    block_[(r - first_) * rows_.width + i] = column[static_cast<std::ptrdiff_t>(r) * rows_.row_stride];
            }
        }

        const StridedRows& rows_;
        std::vector<Value> block_;
        std::size_t first_ = 0, end_ = 0;
    };
    Cursor cursor() const { return Cursor(*this); }
    std::size_t entries() const { return rows * width; }
};

using Rows = std::variant<SparseRows<float, std::int32_t>, SparseRows<float, std::int64_t>,
                          SparseRows<double, std::int32_t>, SparseRows<double, std::int64_t>, DenseRows<float>,
                          DenseRows<double>, StridedRows<float>, StridedRows<double>>;

}  // namespace littlestone
