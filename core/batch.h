// A batch is a set of rows that has been checked once, with the norms that the check read anyway.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "buffer.h"
#include "rows.h"

namespace littlestone {

// Indices that do not increase are a defect only until the rows are sorted.
enum class Defect { not_finite, too_large, index_out_of_range, indices_not_increasing, offsets_not_increasing };

// The first thing wrong with a batch: the caller turns it into a sentence.
struct Fault {
    Defect defect;
    std::size_t row;
    std::int64_t feature;
    double value;
};

// Memory for the rows of a block that are gathered.
struct BlockMemory {
    Buffer<std::uint64_t> start, index, value;  // what stands there is of the types of the rows
};

// A row is read by a kernel only after it was checked. Rows are checked in order, a block just before it is learned, so
// that a long batch crosses the memory bus once.
struct Batch {
    Rows rows;
    std::size_t count = 0, width = 0;
    std::size_t checked = 0;  // rows before this one are known to be sound
    // Of each checked row: its squared norm, its largest magnitude, the hash of its nonzeros, and whether it stores a
    // zero. Rows that a parser has measured do not say the last.
    Buffer<double> norm_squared, largest_entry;
    Buffer<std::uint64_t> row_hash;
    Buffer<std::uint8_t> stores_zero;
    std::vector<std::uint32_t> missing;  // values left out of each row; empty where none were
    std::shared_ptr<const void> own;     // the arrays of the rows, where they are not the caller's
    const Batch* origin = nullptr;       // the checked rows of which these are some, in another order
    std::size_t ordered_entries = 0;     // of rows in another order, which to count takes a while

    // Whether the rows before `end` are sound; of rows in another order all were.
    bool knows(std::size_t end) const { return end <= checked || origin != nullptr; }
    std::uint32_t missing_of(std::size_t t) const { return missing.empty() ? 0 : missing[t]; }
    // Row t of what a cursor reads, with all that the check has found out about it.
    template <class Cursor>
    auto row(Cursor& cursor, std::size_t t) const {
        auto x = cursor[t];
        if constexpr (requires { x.packed; }) x.packed |= t < stores_zero.size() && stores_zero[t] == 0;
        return x;
    }
    std::size_t entries() const {
        return origin ? ordered_entries : std::visit([](const auto& of) { return of.entries(); }, rows);
    }
    // Rows that fill about a quarter of a second-level cache.
    std::size_t block() const {
        constexpr std::size_t entries_per_block = 1u << 15;
        return 1 + count * entries_per_block / (entries() + count + 1);
    }
    // Room for the measures of every row. Where nobody has said whether a row stores a zero, it may.
    void make_room() {
        norm_squared.resize(count);
        largest_entry.resize(count);
        row_hash.resize(count);
        const std::size_t said = std::min(stores_zero.size(), count);
        stores_zero.resize(count);
        std::fill(stores_zero.data() + said, stores_zero.data() + count, std::uint8_t{1});
    }
    void note(std::size_t t, const nonzeros::Measures& of) {
        norm_squared[t] = of.norm_squared;
        largest_entry[t] = of.largest_entry;
        row_hash[t] = of.hash;
        stores_zero[t] = of.zeros;
    }
    // Checks and measures some rows, for which there is room: indices in range and increasing, values finite. Several
    // threads may check different rows.
    std::optional<Fault> check_rows(std::size_t begin, std::size_t end);
    // Whether a second thread has something to do though all rows were checked: it gathers rows in another order, which
    // are then read one behind the other.
    bool gathers_blocks() const;
    // The same for a block, of which the rows before `known` were checked: `ahead` of whoever reads them by a thread of
    // its own, which gathers rows in another order too.
    std::optional<Fault> check_block(std::size_t begin, std::size_t end, std::size_t known, bool ahead,
                                     BlockMemory& to);
    // These rows and what is known of them, read where they are.
    Batch view() const;
    // Reads the rows of a block from now on where they were gathered, if they were.
    void read_from(std::size_t begin, std::size_t end, bool ahead, const BlockMemory& block);
    // Puts the entries of every row into the order of the features, in a copy, and adds up those of one feature.
    void sort_rows();
    // Copies indices of the caller, all of them checked, so that many passes need not bound them in each.
    void own_indices();
    // These rows, all of them checked, in another order; what they hold is read from here.
    Batch in_order(const std::int64_t* order, std::size_t size) const;
    // Checks the rows up to `end` that were not checked yet, and sorts them if that has to be.
    std::optional<Fault> check(std::size_t end);
};

// Offsets are checked before anything reads a row through them.
std::optional<Fault> check_offsets(const Rows& rows, std::size_t stored_entries);

}  // namespace littlestone
