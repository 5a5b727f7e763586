#include "batch.h"

#include <cstring>

#include "row_checks.h"

namespace littlestone {
namespace {

constexpr std::size_t sixteen = 16;

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
    auto kept = std::make_shared<Buffer<Index>>();
    kept->resize(end);
    nonzeros::bounded(rows.index, end, rows.width, kept->data());
    rows.index = kept->data();
    rows.foreign = false;
    return kept;
}

template <class Dense>
std::shared_ptr<const void> own_these(Dense&) {
    return nullptr;
}

// What is known of rows in another order is known already.
void take_measures(Batch& batch, const std::int64_t* order, std::size_t begin, std::size_t end) {
    constexpr std::size_t ahead = 16;
    const Batch& from = *batch.origin;
    for (std::size_t t = begin; t < end; ++t) {
        const auto r = static_cast<std::size_t>(order[t]);
        if (t + ahead < end) {
            const auto next = static_cast<std::size_t>(order[t + ahead]);
            __builtin_prefetch(&from.norm_squared[next]);
            __builtin_prefetch(&from.largest_entry[next]);
            __builtin_prefetch(&from.row_hash[next]);
        }
        batch.note(t, {from.norm_squared[r], from.largest_entry[r], from.row_hash[r],
                       r >= from.stores_zero.size() || from.stores_zero[r] != 0});
    }
}

template <class RowsOf>
std::optional<Fault> check_these(Batch& batch, const RowsOf& rows, std::size_t begin, std::size_t end) {
    if (batch.origin != nullptr) {
        take_measures(batch, rows.layout.order, begin, end);
        return std::nullopt;
    }
    auto cursor = rows.unbounded();
    for (std::size_t t = begin; t < end; ++t) {
        const auto x = cursor[t];
        nonzeros::Measures of;
        if (const auto fault = measure(x, t, rows.width, of)) return fault;
        if (!std::isfinite(of.norm_squared)) return find_not_finite(x, t);
        batch.note(t, of);
    }
    return std::nullopt;
}

template <class Stored>
Stored* room_for(Buffer<std::uint64_t>& memory, std::size_t count) {
    memory.resize(1 + count * sizeof(Stored) / sizeof(std::uint64_t));
    return reinterpret_cast<Stored*>(memory.data());
}

// Sixteen at a time, also where the last of them are not the row's, whose number is anybody's guess: what follows is
// written over them. Not at the end of the arrays.
template <class Stored>
LITTLESTONE_INLINE Stored* copy_row(const Stored* from, std::size_t count, bool at_end, Stored* to) {
    if (at_end) return std::copy(from, from + count, to);
    for (std::size_t k = 0; k < count; k += sixteen) std::memcpy(to + k, from + k, sixteen * sizeof(Stored));
    return to + count;
}

// Rows in another order, which are then read one behind the other.
template <class Value, class Index>
void gather_rows(const SparseRows<Value, Index>& rows, std::size_t stored, std::size_t begin, std::size_t end,
                 BlockMemory& block) {
    const auto cursor = rows.unbounded();
    Index* start = room_for<Index>(block.start, end - begin + 1);
    *start = 0;
    for (std::size_t t = begin; t < end; ++t, ++start) {
        const std::size_t r = rows.layout(t);
        start[1] = start[0] + (rows.start[r + 1] - rows.start[r]);
    }
    Index* index = room_for<Index>(block.index, static_cast<std::size_t>(*start) + sixteen);
    Value* value = room_for<Value>(block.value, static_cast<std::size_t>(*start) + sixteen);
    for (std::size_t t = begin; t < end; ++t) {
        const auto x = cursor[t];
        const bool at_end = static_cast<std::size_t>(x.index - rows.index) + x.count + sixteen > stored;
        index = copy_row(x.index, x.count, at_end, index);
        value = copy_row(x.value, x.count, at_end, value);
    }
}

template <class Value, class Index>
bool gathers(const SparseRows<Value, Index>& rows, bool ahead) {
    return ahead && rows.layout.order != nullptr;
}

template <class Value, class Index>
std::optional<Fault> check_and_gather(Batch& batch, const SparseRows<Value, Index>& rows, std::size_t begin,
                                      std::size_t end, std::size_t known, bool ahead, BlockMemory& block) {
    if (gathers(rows, ahead)) {
        const auto stored = static_cast<std::size_t>(rows.start[batch.origin->count]);
        gather_rows(rows, stored, begin, end, block);
    }
    return check_these(batch, rows, std::max(begin, known), end);
}

template <class Dense>
std::optional<Fault> check_and_gather(Batch& batch, const Dense& rows, std::size_t begin, std::size_t end,
                                      std::size_t known, bool, BlockMemory&) {
    return check_these(batch, rows, std::max(begin, known), end);
}

template <class Value, class Index>
void read_gathered(SparseRows<Value, Index>& rows, std::size_t begin, std::size_t end, bool ahead,
                   const BlockMemory& block) {
    if (!gathers(rows, ahead)) return;
    rows.gathered = {reinterpret_cast<const Index*>(block.start.data()),
                     reinterpret_cast<const Index*>(block.index.data()),
                     reinterpret_cast<const Value*>(block.value.data()), begin, end - begin};
}

template <class Dense>
void read_gathered(Dense&, std::size_t, std::size_t, bool, const BlockMemory&) {}

}  // namespace

std::optional<Fault> Batch::check_rows(std::size_t begin, std::size_t end) {
    return std::visit([&](const auto& of) { return check_these(*this, of, begin, end); }, rows);
}

bool Batch::gathers_blocks() const {
    return std::visit(
        [](const auto& of) {
            if constexpr (requires { of.foreign; }) return gathers(of, true);
            return false;
        },
        rows);
}

std::optional<Fault> Batch::check_block(std::size_t begin, std::size_t end, std::size_t known, bool ahead,
                                        BlockMemory& to) {
    return std::visit([&](const auto& of) { return check_and_gather(*this, of, begin, end, known, ahead, to); }, rows);
}

void Batch::read_from(std::size_t begin, std::size_t end, bool ahead, const BlockMemory& block) {
    std::visit([&](auto& of) { read_gathered(of, begin, end, ahead, block); }, rows);
}

Batch Batch::view() const {
    Batch made;
    made.rows = rows;
    made.count = count;
    made.width = width;
    made.checked = checked;
    made.norm_squared = norm_squared.view();
    made.largest_entry = largest_entry.view();
    made.row_hash = row_hash.view();
    made.stores_zero = stores_zero.view();
    made.missing = missing;
    made.origin = origin;
    made.ordered_entries = ordered_entries;
    return made;
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
    made.origin = this;
    made.count = size;
    made.width = width;
    made.ordered_entries = std::visit(
        [&](auto& of) {
            of.layout.order = order;
            of.rows = size;
            return of.entries();
        },
        made.rows);
    made.missing.resize(missing.empty() ? 0 : size);
    for (std::size_t t = 0; t < made.missing.size(); ++t) made.missing[t] = missing[static_cast<std::size_t>(order[t])];
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
