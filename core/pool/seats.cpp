#include "seats.h"

#include "newton.h"
#include "row.h"

namespace littlestone::pool {
namespace {

// The square of a value has to be a number that can be divided by.
bool seatable(double value) { return std::fabs(value) > 1e-100 && std::fabs(value) < 1e100; }

}  // namespace

void Seats::find(Row& row, const Lines& lines) const {
    row.seated.clear();
    if (retired() || size() == 0) return;
    row.seated.push_back({0, 1.0});
    for (std::size_t k = 1; k < row.size; ++k)
        if (const auto seat = static_cast<std::uint32_t>(line_of(lines, row.line[k]).seat);
            seat > 0 && seatable(row.x[k]))
            row.seated.push_back({seat, row.x[k]});
}

bool Seats::take(Row& row, Lines& lines, Newton* const* filters, std::size_t count) {
    bool moved = false;
    const auto open = [&](double value) {
        const std::size_t seat = next(value, row.size - 1);
        for (std::size_t i = 0; i < count; ++i) filters[i]->open(seat, precision(seat));
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
        for (std::size_t i = 0; i < count; ++i) filters[i]->shrink(seat, precision(seat) - before, size());
        moved = true;
    }
    note(row.seated.size() - 1, row.size - 1);
    return moved;
}

}  // namespace littlestone::pool
