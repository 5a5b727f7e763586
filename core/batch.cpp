#include "batch.h"

#include <algorithm>
#include <cmath>

namespace littlestone {
namespace {

template <class Value, class Index>
std::optional<Fault> offsets_fault(const SparseRows<Value, Index>& rows, std::size_t stored_entries) {
    if (rows.rows > 0 && rows.start[0] < 0) return Fault{Defect::offsets_not_increasing, 0, 0, 0.0};
    for (std::size_t t = 0; t < rows.rows; ++t)
        if (rows.start[t + 1] < rows.start[t] || static_cast<std::size_t>(rows.start[t + 1]) > stored_entries)
            return Fault{Defect::offsets_not_increasing, t, 0, 0.0};
    return std::nullopt;
}

template <class Dense>
std::optional<Fault> offsets_fault(const Dense&, std::size_t) {
    return std::nullopt;
}

template <class Value, class Index>
std::optional<Fault> check_indices(const SparseRow<Value, Index>& x, std::size_t row, std::size_t width) {
    if (x.count == 0) return std::nullopt;
    if (nonzeros::increasing(x.index, x.count) && x.index[0] >= 0 &&
        static_cast<std::size_t>(x.index[x.count - 1]) < width)
        return std::nullopt;
    for (std::size_t k = 0; k < x.count; ++k) {
        const auto feature = static_cast<std::int64_t>(x.index[k]);
        if (feature < 0 || static_cast<std::size_t>(feature) >= width)
            return Fault{Defect::index_out_of_range, row, feature, 0.0};
        if (k > 0 && x.index[k] <= x.index[k - 1]) return Fault{Defect::indices_not_increasing, row, feature, 0.0};
    }
    return std::nullopt;
}

template <class Value>
std::optional<Fault> check_indices(const DenseRow<Value>&, std::size_t, std::size_t) {
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

template <class Value, class Index>
struct SortedRows {
    std::vector<Index> start{0}, index;
    std::vector<Value> value;
    std::vector<std::pair<Index, Value>> entries;
    std::vector<Index> rank;

    explicit SortedRows(std::size_t room) : index(room), value(room) {}

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
        rank.resize(x.count);
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

template <class Value, class Index>
std::shared_ptr<const void> sort_these(SparseRows<Value, Index>& rows) {
    auto kept = std::make_shared<SortedRows<Value, Index>>(rows.entries());
    for (std::size_t t = 0; t < rows.rows; ++t) kept->add_row(rows.unbounded()[t]);
    rows.start = kept->start.data();
    rows.index = kept->index.data();
    rows.value = kept->value.data();
    rows.foreign = false;
    return kept;
}

template <class Dense>
std::shared_ptr<const void> sort_these(Dense&) {
    return nullptr;
}

template <class RowsOf>
std::optional<Fault> check_these(Batch& batch, const RowsOf& rows, std::size_t begin, std::size_t end) {
    auto cursor = rows.unbounded();
    for (std::size_t t = begin; t < end; ++t) {
        const auto x = cursor[t];
        if (const auto fault = check_indices(x, t, rows.width)) return fault;
        batch.note(t, x.measured());
        if (!std::isfinite(batch.norm_squared[t])) return find_not_finite(x, t);
    }
    return std::nullopt;
}

template <class RowsOf>
std::optional<Fault> check_only_these(const RowsOf& rows, std::size_t begin, std::size_t end) {
    constexpr double surely_small = 1e140;  // the squares of 2^60 such values do not overflow
    auto cursor = rows.unbounded();
    for (std::size_t t = begin; t < end; ++t) {
        const auto x = cursor[t];
        if (const auto fault = check_indices(x, t, rows.width)) return fault;
        if (!(x.largest_value() < surely_small) && !std::isfinite(x.norm_squared())) return find_not_finite(x, t);
    }
    return std::nullopt;
}

}  // namespace

std::optional<Fault> Batch::check_only(std::size_t begin, std::size_t end) const {
    return std::visit([&](const auto& of) { return check_only_these(of, begin, end); }, rows);
}

std::optional<Fault> Batch::check_rows(std::size_t begin, std::size_t end) {
    return std::visit([&](const auto& of) { return check_these(*this, of, begin, end); }, rows);
}

void Batch::sort_rows() {
    sorted = std::visit([](auto& of) { return sort_these(of); }, rows);
}

Batch Batch::in_order(const std::int64_t* order, std::size_t size) const {
    Batch made;
    made.rows = rows;
    made.sorted = sorted;
    made.count = made.checked = size;
    made.width = width;
    std::visit(
        [&](auto& of) {
            of.layout.order = order;
            of.rows = size;
        },
        made.rows);
    made.make_room();
    made.missing.resize(missing.empty() ? 0 : size);
    for (std::size_t t = 0; t < size; ++t) {
        const auto r = static_cast<std::size_t>(order[t]);
        made.norm_squared[t] = norm_squared[r];
        made.largest_entry[t] = largest_entry[r];
        made.row_hash[t] = row_hash[r];
        made.stores_zero[t] = r < stores_zero.size() ? stores_zero[r] : 1;
        if (!missing.empty()) made.missing[t] = missing[r];
    }
    return made;
}

std::optional<Fault> Batch::check(std::size_t end) {
    if (end <= checked) return std::nullopt;
    make_room();
    auto fault = check_rows(checked, end);
    if (fault && fault->defect == Defect::indices_not_increasing) {
        sort_rows();
        fault = check_rows(fault->row, end);
    }
    checked = fault ? fault->row : end;
    return fault;
}

std::optional<Fault> check_offsets(const Rows& rows, std::size_t stored_entries) {
    return std::visit([&](const auto& of) { return offsets_fault(of, stored_entries); }, rows);
}

}  // namespace littlestone
