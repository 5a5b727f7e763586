// A row as the members read it, and the room for what is computed on the way.
#pragma once

#include <vector>

#include "newton.h"

namespace littlestone::pool {

// Nonzeros in the order of the row; entry 0 is the constant, so that feature k of the row stands at k + 1.
struct Row {
    std::vector<std::uint32_t> line;
    std::vector<double> x;
    std::vector<float> f, count, level;  // gauged values, and what the gauges are when the row is learned
    std::vector<float> g, lambda;        // of the class at hand
    std::vector<Four> direction;
    std::vector<Seated> seated;
    std::vector<std::ptrdiff_t> bin;  // by scale, of the views
    std::size_t size = 0;             // with the constant
    std::size_t fresh = 0;            // features never learned so far

    void clear() {
        if (line.empty()) line.resize(64), x.resize(64);
        line[0] = 0;
        x[0] = 1.0;
        size = 1;
    }
    void add(std::size_t feature, double value) {
        if (size == line.size()) line.resize(2 * size), x.resize(2 * size);
        line[size] = static_cast<std::uint32_t>(feature + 1);
        x[size++] = value;
    }
    void make_room() {
        if (f.size() >= size) return;
        const std::size_t room = 2 * size;
        for (auto* of : {&f, &count, &level, &g, &lambda}) of->resize(room);
        direction.resize(room);
    }
};

// Filters have members `newton`, one each.
template <class Filters>
bool Seats::take(Row& row, Lines& lines, Filters& filters) {
    bool moved = false;
    const auto open = [&](double value) {
        const std::size_t seat = next(value, row.size - 1);
        for (auto& of : filters) of.newton.open(seat, precision(seat));
        row.seated.push_back({static_cast<std::uint32_t>(seat), value});
        moved = true;
        return seat;
    };
    if (size() == 0) open(1.0);
    for (std::size_t k = 1; k < row.size; ++k) {
        Line& line = lines[row.line[k]];
        const double magnitude = std::fabs(row.x[k]);
        if (!seatable(magnitude)) continue;
        if (line.seat == 0.0f) {
            if (size() < seat_count) line.seat = static_cast<float>(open(row.x[k]));
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
