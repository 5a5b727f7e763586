#include "batch.h"

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
    bool increasing = true;
    for (std::size_t k = 1; k < x.count; ++k) increasing &= x.index[k - 1] < x.index[k];
    if (increasing && x.index[0] >= 0 && static_cast<std::size_t>(x.index[x.count - 1]) < width) return std::nullopt;
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

template <class RowsOf>
std::optional<Fault> check_rows(Batch& batch, const RowsOf& rows, std::size_t end) {
    auto cursor = rows.cursor();
    for (std::size_t& t = batch.checked; t < end; ++t) {
        const auto x = cursor[t];
        if (const auto fault = check_indices(x, t, rows.width)) return fault;
        batch.norm_squared[t] = x.norm_squared();
        batch.largest_entry[t] = x.largest_entry();
        if (!std::isfinite(batch.norm_squared[t])) return find_not_finite(x, t);
    }
    return std::nullopt;
}

}  // namespace

std::optional<Fault> Batch::check(std::size_t end) {
    if (end <= checked) return std::nullopt;
    norm_squared.resize(count);
    largest_entry.resize(count);
    return std::visit([&](const auto& of) { return check_rows(*this, of, end); }, rows);
}

std::optional<Fault> check_offsets(const Rows& rows, std::size_t stored_entries) {
    return std::visit([&](const auto& of) { return offsets_fault(of, stored_entries); }, rows);
}

}  // namespace littlestone
