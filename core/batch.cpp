#include "batch.h"

#include "row_checks.h"

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

template <class Value, class Index>
std::shared_ptr<const void> own_these(SparseRows<Value, Index>& rows) {
    if (!rows.foreign) return nullptr;
    const std::size_t end = rows.rows == 0 ? 0 : static_cast<std::size_t>(rows.start[rows.rows]);
    auto kept = std::make_shared<std::vector<Index>>(end);
    nonzeros::bounded(rows.index, end, rows.width, kept->data());
    rows.index = kept->data();
    rows.foreign = false;
    return kept;
}

template <class Dense>
std::shared_ptr<const void> own_these(Dense&) {
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

}  // namespace

std::optional<Fault> Batch::check_rows(std::size_t begin, std::size_t end) {
    return std::visit([&](const auto& of) { return check_these(*this, of, begin, end); }, rows);
}

void Batch::sort_rows() {
    own = std::visit([](auto& of) { return sort_these(of); }, rows);
}

void Batch::own_indices() {
    if (auto copied = std::visit([](auto& of) { return own_these(of); }, rows)) own = std::move(copied);
}

Batch Batch::in_order(const std::int64_t* order, std::size_t size) const {
    Batch made;
    made.rows = rows;
    made.own = own;
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
