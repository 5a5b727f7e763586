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

    void add(Index feature, Value amount) {
        const bool again = index.size() > static_cast<std::size_t>(start.back()) && index.back() == feature;
        if (again) {
            value.back() += amount;
        } else {
            index.push_back(feature);
            value.push_back(amount);
        }
    }
};

// In the order of std::sort, by which SciPy sorts, so that even three values of one feature give the same sum.
template <class Value, class Index>
std::shared_ptr<const void> sort_these(SparseRows<Value, Index>& rows) {
    auto kept = std::make_shared<SortedRows<Value, Index>>();
    kept->index.reserve(rows.entries());
    kept->value.reserve(rows.entries());
    std::vector<std::pair<Index, Value>> entries;
    for (std::size_t t = 0; t < rows.rows; ++t) {
        const auto x = rows.cursor()[t];
        entries.clear();
        for (std::size_t k = 0; k < x.count; ++k) entries.emplace_back(x.index[k], x.value[k]);
        if (!nonzeros::increasing(x.index, x.count))
            std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [feature, amount] : entries) kept->add(feature, amount);
        kept->start.push_back(static_cast<Index>(kept->index.size()));
    }
    rows.start = kept->start.data();
    rows.index = kept->index.data();
    rows.value = kept->value.data();
    return kept;
}

template <class Dense>
std::shared_ptr<const void> sort_these(Dense&) {
    return nullptr;
}

template <class RowsOf>
std::optional<Fault> check_these(Batch& batch, const RowsOf& rows, std::size_t begin, std::size_t end) {
    auto cursor = rows.cursor();
    for (std::size_t t = begin; t < end; ++t) {
        const auto x = cursor[t];
        if (const auto fault = check_indices(x, t, rows.width)) return fault;
        batch.measure(t, x);
        if (!std::isfinite(batch.norm_squared[t])) return find_not_finite(x, t);
    }
    return std::nullopt;
}

}  // namespace

std::optional<Fault> Batch::check_rows(std::size_t begin, std::size_t end) {
    return std::visit([&](const auto& of) { return check_these(*this, of, begin, end); }, rows);
}

void Batch::sort_rows() {
    sorted = std::visit([](auto& of) { return sort_these(of); }, rows);
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
