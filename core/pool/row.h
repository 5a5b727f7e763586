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
    std::size_t measured = 0;  // entries behind these are bins and cells: their value is 1 whenever they are there
    std::size_t fresh = 0;     // features never learned so far

    void clear() {
        if (line.empty()) make_room(64);
        line[0] = 0;
        x[0] = 1.0;
        size = 1;
        measured = std::numeric_limits<std::size_t>::max();
    }
    void make_room(std::size_t entries) {
        if (entries + strands <= line.size()) return;
        const std::size_t room = 2 * (entries + strands);
        x.resize(room);
        for (auto* of : {&f, &count, &level}) of->resize(room);
        line.resize(room);  // last: it tells how much room there is, and memory may be lacking for the others
    }
    void add(std::size_t feature, double value) {
        make_room(size + 1);
        line[size] = static_cast<std::uint32_t>(feature + 1);
        x[size++] = value;
    }
    // The lines there must be to learn it.
    std::size_t lines() const {
        return 1 + *std::max_element(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(size));
    }
    void fill_up() {
        for (std::size_t k = size; k < filled(size); ++k) line[k] = nowhere, x[k] = 1.0;
    }
};

// What the lines of one class know of a row's features, an array for every number.
class Weighed {
  public:
    enum Number : std::size_t {
        weights = 0,
        precisions = 4,
        positive = 8,
        negative,
        directions,
        g = 14,
        lambda,
        numbers
    };

    float* operator[](std::size_t number) { return room_.data() + number * stride_; }
    const float* operator[](std::size_t number) const { return room_.data() + number * stride_; }
    std::size_t stride() const { return stride_; }  // from one number to the next
    void make_room(std::size_t entries) {
        if (filled(entries) <= stride_) return;
        const std::size_t stride = 2 * filled(entries);
        room_.resize(numbers * stride);
        stride_ = stride;
    }

  private:
    std::size_t stride_ = 0;
    std::vector<float> room_;
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
        const double magnitude = std::fabs(row.x[k]);
        if (!seatable(magnitude)) continue;
        if (line.seat == 0.0f) {
            if (size() < seat_count) line.seat = static_cast<float>(open(row.x[k], k));
            continue;
        }
        const auto seat = static_cast<std::size_t>(line.seat);
        if (magnitude <= largest[seat]) continue;
        const double before = precision(seat);
        largest[seat] = magnitude;
        for (auto& of : filters) of.newton.shrink(seat, precision(seat) - before, size());
        moved = true;
    }
    note(row.seated.size() - 1, row.size - 1);
    return moved;
}

}  // namespace littlestone::pool
