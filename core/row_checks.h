// What can be wrong with one row, and how rows whose features are out of order are put into it.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "batch.h"

namespace littlestone {

// Measures a row; the first of its indices that is not above the one before, or outside.
template <class Value, class Index>
std::optional<Fault> measure(const SparseRow<Value, Index>& x, std::size_t row, std::size_t width,
                             nonzeros::Measures& of) {
    if (x.sound(width, of)) return std::nullopt;
    for (std::size_t k = 0; k < x.count; ++k) {
        const auto feature = static_cast<std::int64_t>(x.index[k]);
        if (feature < 0 || static_cast<std::size_t>(feature) >= width)
            return Fault{Defect::index_out_of_range, row, feature, 0.0};
        if (k > 0 && x.index[k] <= x.index[k - 1]) return Fault{Defect::indices_not_increasing, row, feature, 0.0};
    }
    return std::nullopt;
}

template <class Value>
std::optional<Fault> measure(const DenseRow<Value>& x, std::size_t, std::size_t, nonzeros::Measures& of) {
    of = x.measured();
    return std::nullopt;
}

template <class Row>
Fault find_not_finite(const Row& x, std::size_t row) {
    Fault fault{Defect::too_large, row, 0, 0.0};
    x.each([&](std::size_t feature, double value) {
        if (fault.defect == Defect::too_large && !std::isfinite(value))
            fault = {Defect::not_finite, row, static_cast<std::int64_t>(feature), value};
    });
    return fault;
}

constexpr double surely_small = 1e140;  // the squares of 2^60 such values do not overflow

// A row that is not to be measured: whether its values are finite, and their squares too.
template <class Row>
std::optional<Fault> check_values(const Row& x, std::size_t row) {
    if (x.largest_value() < surely_small || std::isfinite(x.norm_squared())) return std::nullopt;
    return find_not_finite(x, row);
}

// Rows of which each is given in any order and kept in increasing order, what one feature has twice added up.
template <class Value, class Index>
struct SortedRows {
    std::vector<Index> start{0};
    Buffer<Index> index;
    Buffer<Value> value;
    std::vector<std::pair<Index, Value>> entries;
    std::vector<Index> rank;

    explicit SortedRows(std::size_t room) { clear(room); }

    // Forgets the rows, with room for others.
    void clear(std::size_t room) {
        start.assign(1, 0);
        index.resize(room);
        value.resize(room);
    }

    void add_row(const SparseRow<Value, Index>& x) {
        const auto from = static_cast<std::size_t>(start.back());
        start.push_back(static_cast<Index>(from + (place(x, from) ? x.count : sort(x, from))));
    }

  private:
    // A row that is not long: to count for each index how many are below takes less time than to sort. False where one
    // index is there twice, for then two have one place.
    bool place(const SparseRow<Value, Index>& x, std::size_t from) {
        constexpr std::size_t not_long = 512;
        if (x.count > not_long) return false;
        rank.resize(x.count + 16);
        if (!nonzeros::rank(x.index, x.count, rank.data())) return false;
        for (std::size_t k = 0; k < x.count; ++k) {
            index[from + static_cast<std::size_t>(rank[k])] = x.index[k];
            value[from + static_cast<std::size_t>(rank[k])] = x.value[k];
        }
        return true;
    }
    // In the order of std::sort, by which SciPy sorts, so that even three values of one feature give the same sum.
    std::size_t sort(const SparseRow<Value, Index>& x, std::size_t from) {
        entries.clear();
        for (std::size_t k = 0; k < x.count; ++k) entries.emplace_back(x.index[k], x.value[k]);
        if (!std::is_sorted(x.index, x.index + x.count))
            std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::size_t end = from;
        for (const auto& [feature, amount] : entries) {
            if (end > from && index[end - 1] == feature) {
                value[end - 1] += amount;
            } else {
                index[end] = feature;
                value[end++] = amount;
            }
        }
        return end - from;
    }
};

}  // namespace littlestone
