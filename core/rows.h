// Rows of the caller's arrays, read in place: sparse (CSR), dense by rows, dense by any strides.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

#include "clones.h"
#include "dense.h"
#include "memory.h"
#include "nonzeros.h"

namespace littlestone {

inline constexpr std::size_t no_feature = std::numeric_limits<std::size_t>::max();

template <class Value, class Index>
struct SparseRow {
    const Index* index;
    const Value* value;
    std::size_t count;
    bool packed = false;  // no zero is stored, but where it keeps the place of a feature that the model does not know
    std::size_t constant = no_feature;  // behind all others, and always 1, where there is one
    std::size_t named = 0;              // one more than the largest feature that the row names, were it with a zero

    bool ends_in_one() const { return constant != no_feature; }
    double dot(const double* w) const {
        return nonzeros::dot(index, value, count, w, packed, ends_in_one() ? w[constant] : 0.0);
    }
    double norm_squared() const { return nonzeros::norm_squared(value, count, packed, ends_in_one() ? 1.0 : 0.0); }
    nonzeros::Measures measured() const {
        auto of = nonzeros::measured(index, value, count, packed, ends_in_one() ? 1.0 : 0.0);
        if (ends_in_one()) of.hash += nonzeros::mixed(constant, 1.0);
        return of;
    }
    // Measures the row; false where its indices do not increase or one is outside.
    bool sound(std::size_t width, nonzeros::Measures& of) const {
        const bool sound = nonzeros::sound(index, value, count, packed, ends_in_one() ? 1.0 : 0.0, width, of);
        if (ends_in_one()) of.hash += nonzeros::mixed(constant, 1.0);
        return sound;
    }
    double largest_value() const { return dense::largest_entry(value, count); }
    // One more than the largest feature that is there or named; the rows of dicts are not in order.
    std::size_t extent() const {
        std::size_t end = named;
        each([&](std::size_t i, double) { end = std::max(end, i + 1); });
        return end;
    }
    void add_to(double* w, double step) const {
        nonzeros::add(index, value, count, step, w);
        if (ends_in_one()) w[constant] += step;
    }
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t k = 0; k < count; ++k)
            if (value[k] != Value{0}) visit(static_cast<std::size_t>(index[k]), static_cast<double>(value[k]));
        if (ends_in_one()) visit(constant, 1.0);
    }
};

template <class Value>
struct DenseRow {
    const Value* value;
    std::size_t count;
    const std::uint64_t* names = nullptr;  // a hash of the name of each feature, where they have names
    bool constant = false;                 // whether a 1 comes behind the others

    double dot(const double* w) const { return nonzeros::dot(value, count, w, constant ? w[count] : 0.0); }
    double norm_squared() const { return nonzeros::norm_squared(value, count, false, constant ? 1.0 : 0.0); }
    nonzeros::Measures measured() const {
        auto of = nonzeros::measured(names, value, count, false, constant ? 1.0 : 0.0);
        if (constant) of.hash += nonzeros::mixed(count, 1.0);
        return of;
    }
    double largest_value() const { return dense::largest_entry(value, count); }
    std::size_t extent() const { return count + constant; }
    void add_to(double* w, double step) const {
        dense::add(value, step, w, count);
        if (constant) w[count] += step;
    }
    // Zeros are passed over, as in a sparse row.
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t i = 0; i < count; ++i)
            if (value[i] != Value{0}) visit(i, static_cast<double>(value[i]));
        if (constant) visit(count, 1.0);
    }
};

// Which row of an array is row t, and whether a constant feature comes behind its columns.
struct Layout {
    const std::int64_t* order = nullptr;  // null: as they lie
    bool constant = false;

    std::size_t operator()(std::size_t t) const { return order == nullptr ? t : static_cast<std::size_t>(order[t]); }
};

// Some rows of another order behind one another, from `first` on.
template <class Value, class Index>
struct GatheredRows {
    const Index* start = nullptr;  // offsets, the first of them that of the arrays
    const Index* index = nullptr;
    const Value* value = nullptr;
    std::size_t first = 0, count = 0;
};

template <class Value, class Index>
struct SparseRows {
    const Index* start;  // one offset more than there are rows in the arrays
    const Index* index;
    const Value* value;
    std::size_t rows, width;
    bool packed = false;  // of every row
    Layout layout = {};
    const Index* named = nullptr;  // SparseRow::named of each row, where features have names
    bool foreign = false;          // the indices are the caller's, and another thread of theirs may change them
    GatheredRows<Value, Index> gathered = {};  // those of the block at hand

    // Rows as they lie, for whoever compares indices and does not follow them.
    struct Unbounded {
        const SparseRows& rows;
        SparseRow<Value, Index> operator[](std::size_t t) const {
            const std::size_t r = rows.layout(t);
            const auto from = static_cast<std::size_t>(rows.start[r]), to = static_cast<std::size_t>(rows.start[r + 1]);
            if (rows.layout.order == nullptr) {
                ask_ahead(rows.index + from, to - from);
                ask_ahead(rows.value + from, to - from);
            } else if (t + rows_ahead < rows.rows) {
                const std::size_t next = rows.layout(t + rows_ahead);
                const auto begin = static_cast<std::size_t>(rows.start[next]);
                const std::size_t size = static_cast<std::size_t>(rows.start[next + 1]) - begin;
                ask_for(rows.index + begin, std::min(size, entries_asked));  // what is behind is foreseen
                ask_for(rows.value + begin, std::min(size, entries_asked));
            }
            return rows.row(rows.index + from, rows.value + from, to - from, t);
        }

      private:
        static constexpr std::size_t rows_ahead = 8, entries_asked = 64;
    };
    Unbounded unbounded() const { return {*this}; }
    // Row t, wherever it stands.
    SparseRow<Value, Index> row(const Index* at, const Value* of, std::size_t size, std::size_t t) const {
        return {at,
                of,
                size,
                packed,
                layout.constant ? width : no_feature,
                named == nullptr ? 0 : static_cast<std::size_t>(named[layout(t)])};
    }

    // Rows whose indices are places in the width, come what may: those of the caller, who could have changed them since
    // they were checked, are bounded in a copy. A row is good until the next one is asked for.
    class Cursor {
      public:
        explicit Cursor(const SparseRows& rows) : rows_{rows}, gathered_(rows.gathered) {}

        SparseRow<Value, Index> operator[](std::size_t t) {
            const std::size_t k = t - gathered_.first;
            if (k >= gathered_.count) return bounded(t);
            const auto from = static_cast<std::size_t>(gathered_.start[k] - gathered_.start[0]);
            const auto to = static_cast<std::size_t>(gathered_.start[k + 1] - gathered_.start[0]);
            // Whoever gathered them may have done so on another core.
            ask_ahead(gathered_.index + from, to - from);
            ask_ahead(gathered_.value + from, to - from);
            return rows_.rows.row(gathered_.index + from, gathered_.value + from, to - from, t);
        }

      private:
        SparseRow<Value, Index> bounded(std::size_t t) {
            auto x = rows_[t];
            if (!rows_.rows.foreign) return x;
            if (x.count > places_.size()) places_.resize(x.count);
            nonzeros::bounded(x.index, x.count, rows_.rows.width, places_.data());
            x.index = places_.data();
            return x;
        }

        Unbounded rows_;
        GatheredRows<Value, Index> gathered_;
        std::vector<Index> places_;
    };
    Cursor cursor() const { return Cursor(*this); }
    std::size_t entries() const {
        if (rows == 0) return 0;
        if (layout.order == nullptr) return static_cast<std::size_t>(start[rows] - start[0]) + rows * layout.constant;
        std::size_t sum = rows * layout.constant;
        for (std::size_t t = 0; t < rows; ++t) sum += static_cast<std::size_t>(start[layout(t) + 1] - start[layout(t)]);
        return sum;
    }
};

template <class Value>
struct DenseRows {
    const Value* value;
    std::size_t rows, width;
    std::ptrdiff_t stride;                 // values from one row to the next
    const std::uint64_t* names = nullptr;  // a hash of the name of each feature, where they have names
    Layout layout = {};

    struct Cursor {
        const DenseRows& rows;
        DenseRow<Value> operator[](std::size_t t) const {
            const auto r = static_cast<std::ptrdiff_t>(rows.layout(t));
            return {rows.value + r * rows.stride, rows.width, rows.names, rows.layout.constant};
        }
    };
    Cursor cursor() const { return {*this}; }
    Cursor unbounded() const { return cursor(); }
    std::size_t entries() const { return rows * (width + layout.constant); }
};

// Any two strides, a Fortran-ordered array above all: rows are gathered a block at a time, which reads each cache line
// once.
template <class Value>
struct StridedRows {
    const Value* value;
    std::size_t rows, width;
    std::ptrdiff_t row_stride, column_stride;
    const std::uint64_t* names = nullptr;
    Layout layout = {};

    class Cursor {
      public:
        explicit Cursor(const StridedRows& rows) : rows_(rows), block_(block_rows * rows.width) {}

        DenseRow<Value> operator[](std::size_t t) {
            if (t < first_ || t >= end_) gather(t);
            return {block_.data() + (t - first_) * rows_.width, rows_.width, rows_.names, rows_.layout.constant};
        }

      private:
        static constexpr std::size_t block_rows = 16;

        void gather(std::size_t t) {
            first_ = t;
            end_ = std::min(t + block_rows, rows_.rows);
            for (std::size_t i = 0; i < rows_.width; ++i) {
                const Value* column = rows_.value + static_cast<std::ptrdiff_t>(i) * rows_.column_stride;
                for (std::size_t r = first_; r < end_; ++r)
                    block_[(r - first_) * rows_.width + i] =
                        column[static_cast<std::ptrdiff_t>(rows_.layout(r)) * rows_.row_stride];
            }
        }

        const StridedRows& rows_;
        std::vector<Value> block_;
        std::size_t first_ = 0, end_ = 0;
    };
    Cursor cursor() const { return Cursor(*this); }
    Cursor unbounded() const { return cursor(); }
    std::size_t entries() const { return rows * (width + layout.constant); }
};

using Rows = std::variant<SparseRows<float, std::int32_t>, SparseRows<float, std::int64_t>,
                          SparseRows<double, std::int32_t>, SparseRows<double, std::int64_t>, DenseRows<float>,
                          DenseRows<double>, StridedRows<float>, StridedRows<double>>;

}  // namespace littlestone
