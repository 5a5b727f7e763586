// A row as the members read it, and the room for what is computed on the way.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "newton.h"

namespace littlestone::pool {

inline constexpr std::size_t strands = 16;  // sums over a row go by strand k mod 16, added pairwise at the end
inline constexpr std::size_t filled(std::size_t size) { return (size + strands - 1) / strands * strands; }

// Nonzeros in the order of the row; entry 0 is the constant, so that feature k of the row stands at k + 1. Arrays are
// filled up to a multiple of sixteen by entries that are worth 0.
struct Row {
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> line;
    std::vector<double> x;
    std::vector<float> f, count, level;  // gauged values, and what the gauges are when the row is learned
    std::vector<Seated> seated;
    std::vector<std::ptrdiff_t> bin;  // by scale, of the views
    std::size_t size = 0;             // with the constant
    std::uint32_t last = 0;           // the largest number of a line, once the row is filled up
    std::size_t measured = 0;  // entries behind these are bins and cells: their value is 1 whenever they are there
    std::size_t fresh = 0;     // features never learned so far

    void clear() {
        if (line.empty()) make_room(64);
        line[0] = 0;
        x[0] = 1.0;
        size = 1;
        measured = std::numeric_limits<std::size_t>::max();
    }
    LITTLESTONE_INLINE void make_room(std::size_t entries) {
        if (entries + strands > line.size()) [[unlikely]]
            grow(2 * (entries + strands));
    }
    LITTLESTONE_INLINE void add(std::size_t feature, double value) {
        make_room(size + 1);
        line[size] = static_cast<std::uint32_t>(feature + 1);
        x[size++] = value;
    }
    // All of these that are not 0, at once.
    template <class Index, class Value>
    void add(const Index* __restrict feature, const Value* __restrict value, std::size_t entries) {
        make_room(size + entries);
        std::uint32_t* __restrict const to_line = line.data() + size;
        double* __restrict const to_x = x.data() + size;
        std::size_t k = 0, zeros = 0;
        for (std::size_t i = 0; i < entries; ++i) zeros += value[i] == Value{0};
        if (zeros == 0) {
            for (std::size_t i = 0; i < entries; ++i) to_line[i] = static_cast<std::uint32_t>(feature[i]) + 1;
            for (std::size_t i = 0; i < entries; ++i) to_x[i] = static_cast<double>(value[i]);
            k = entries;
        } else
            for (std::size_t i = 0; i < entries; ++i) {
                to_line[k] = static_cast<std::uint32_t>(feature[i]) + 1;
                to_x[k] = static_cast<double>(value[i]);
                k += value[i] != Value{0};
            }
        size += k;
    }
    // The lines there must be to learn it.
    std::size_t lines() const { return std::size_t{1} + last; }
    // Nothing comes behind this.
    void fill_up();

  private:
    void grow(std::size_t room);
};

// What the lines of one class know of a row's features, an array for every number.
class Weighed {
  public:
    enum Number : std::size_t {
        weights = 0,
        precisions = 4,
        positive = 8,
        negative,
        count,  // of the gauge before the row, and its level
        level,
        directions,
        g = directions + 4,
        lambda,
        numbers
    };

    float* operator[](std::size_t number) { return first() + number * stride_; }
    const float* operator[](std::size_t number) const { return first() + number * stride_; }
    std::size_t stride() const { return stride_; }  // from one number to the next
    void make_room(std::size_t entries) {
        if (filled(entries) <= stride_) return;
        // An odd number of cache lines: what belongs together is then in different sets of a cache.
        const std::size_t stride = 2 * filled(entries) + strands;
        room_.resize(numbers * stride / strands);
        stride_ = stride;
    }

  private:
    struct alignas(64) CacheLine {
        float numbers[strands];
    };
    std::size_t stride_ = 0;
    std::vector<CacheLine> room_;

    float* first() { return reinterpret_cast<float*>(room_.data()); }
    const float* first() const { return reinterpret_cast<const float*>(room_.data()); }
};

// Filters have members `newton`, one each.
template <class Filters>
bool Seats::take(Row& row, Lines& lines, Filters& filters) {
    bool moved = false;
    const auto open = [&](double value, std::size_t entry) {
        const std::size_t seat = next(value, row.size - 1);
        for (auto& of : filters) of.newton.open(seat, precision(seat), size());
        row.seated.push_back({static_cast<std::uint32_t>(seat), static_cast<std::uint32_t>(entry), value});
        moved = true;
        return seat;
    };
    if (size() == 0) open(1.0, 0);
    for (std::size_t k = 1; k < row.size; ++k) {
        Line& line = lines[row.line[k]];
        if (!seatable(row.x[k])) continue;
        if (line.seat == 0.0f) {
            if (size() < seat_count) line.seat = static_cast<float>(open(row.x[k], k));
            continue;
        }
        if (grow(static_cast<std::size_t>(line.seat), row.x[k], filters)) moved = true;
    }
    note(row.seated.size() - 1, row.size - 1);
    return moved;
}

template <class Filters>
bool Seats::take(const std::vector<Seated>& seated, std::size_t features, Filters& filters) {
    bool moved = false;
    for (std::size_t k = 1; k < seated.size(); ++k)
        if (grow(seated[k].seat, seated[k].value, filters)) moved = true;
    note(seated.size() - 1, features);
    return moved;
}

template <class Filters>
bool Seats::grow(std::size_t seat, double value, Filters& filters) {
    const double magnitude = std::fabs(value);
    if (magnitude <= largest[seat]) return false;
    const double before = precision(seat);
    largest[seat] = magnitude;
    for (auto& of : filters) of.newton.shrink(seat, precision(seat) - before, size());
    return true;
}

}  // namespace littlestone::pool
