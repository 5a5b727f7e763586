#include "chunk.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "../rows.h"

namespace littlestone::readers {

std::int32_t Names::number(std::string_view name) {
    if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
    const auto number = static_cast<std::int32_t>(listed_.size());
    const auto placed = numbers_.emplace(std::string(name), number).first;
    listed_.push_back(&placed->first);
    return number;
}

Chunk::Chunk() { start.push(0); }

bool Chunk::settle_row(bool adds_up) {
    const auto from = static_cast<std::size_t>(start[start.size() - 1]);
    const std::size_t count = index.size() - from;
    if (nonzeros::increasing(index.data() + from, count)) return true;
    sort_row(from, count);
    return merge_row(from, adds_up);
}

Problem Chunk::end_row(double label_of_row, double weight_of_row, bool adds_up) {
    const auto from = static_cast<std::size_t>(start[start.size() - 1]);
    SparseRow<double, std::int32_t> row{index.data() + from, value.data() + from, index.size() - from};
    nonzeros::Measures of;
    if (!row.sound(std::numeric_limits<std::size_t>::max(), of)) {
        if (!settle_row(adds_up)) return {"no feature twice in a row", {}};
        row.count = index.size() - from;
        of = row.measured();
    }
    stores_zero |= of.zeros;
    if (!std::isfinite(of.norm_squared)) return {"values below 1e150 in magnitude", {}};
    norm_squared.push(of.norm_squared);
    largest_entry.push(of.largest_entry);
    row_hash.push(of.hash);
    if (row.count > 0) width = std::max(width, static_cast<std::size_t>(row.index[row.count - 1]) + 1);
    push_row(index.size(), label_of_row, weight_of_row);
    return {};
}

void Chunk::end_named_row(double label_of_row, double weight_of_row) {
    width = names.listed().size();
    push_row(index.size(), label_of_row, weight_of_row);
}

void Chunk::push_row(std::size_t end, double label_of_row, double weight_of_row) {
    if (weight_of_row != 1.0)
        while (weight.size() < label.size()) weight.push(1.0);
    if (weight_of_row != 1.0 || weight.size() > 0) weight.push(weight_of_row);
    if (gone_ > 0)
        while (missing.size() < label.size()) missing.push(0);
    if (gone_ > 0 || missing.size() > 0) missing.push(gone_);
    gone_ = 0;
    label.push(label_of_row);
    start.push(static_cast<std::int32_t>(end));
}

void Chunk::drop_row() {
    const auto from = static_cast<std::size_t>(start[start.size() - 1]);
    index.truncate(from);
    value.truncate(from);
    gone_ = 0;
    while (!words.empty() && words.back().row >= rows()) words.pop_back();
    while (!tags.empty() && tags.back().row >= rows()) tags.pop_back();
}

// Stable, so that the values of one feature are added in the order of the line.
void Chunk::sort_row(std::size_t from, std::size_t count) {
    entries_.resize(count);
    scratch_.resize(count);
    std::uint64_t largest = 0;
    for (std::size_t k = 0; k < count; ++k) {
        entries_[k] = {static_cast<std::uint32_t>(index[from + k]), value[from + k]};
        largest = std::max<std::uint64_t>(largest, entries_[k].index);
    }
    constexpr std::size_t few = 40;
    if (count <= few) {
        for (std::size_t k = 1; k < count; ++k) {
            const Entry entry = entries_[k];
            std::size_t at = k;
            for (; at > 0 && entries_[at - 1].index > entry.index; --at) entries_[at] = entries_[at - 1];
            entries_[at] = entry;
        }
    } else {
        // As few turns as digits of eight bits would take, with digits no longer than that needs.
        const auto bits = static_cast<unsigned>(std::bit_width(largest)), turns = (bits + 7) / 8;
        const unsigned width = turns == 0 ? 1 : (bits + turns - 1) / turns, last = (1u << width) - 1;
        for (unsigned shift = 0; largest >> shift > 0; shift += width) {
            std::array<std::uint32_t, 257> place;
            std::fill_n(place.begin(), last + 2, 0u);
            for (const Entry& entry : entries_) ++place[(entry.index >> shift & last) + 1];
            for (std::size_t digit = 1; digit <= last; ++digit) place[digit] += place[digit - 1];
            for (const Entry& entry : entries_) scratch_[place[entry.index >> shift & last]++] = entry;
            entries_.swap(scratch_);
        }
    }
    for (std::size_t k = 0; k < count; ++k) {
        index[from + k] = static_cast<std::int32_t>(entries_[k].index);
        value[from + k] = entries_[k].value;
    }
}

bool Chunk::merge_row(std::size_t from, bool adds_up) {
    std::size_t kept = from;
    for (std::size_t k = from; k < index.size(); ++k) {
        if (kept > from && index[k] == index[kept - 1]) {
            if (!adds_up) return false;
            value[kept - 1] += value[k];
        } else {
            index[kept] = index[k];
            value[kept++] = value[k];
        }
    }
    index.truncate(kept);
    value.truncate(kept);
    return true;
}

}  // namespace littlestone::readers
