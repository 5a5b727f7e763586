#include "seats.h"

#include "newton.h"
#include "row.h"

namespace littlestone::pool {

void Seats::find(Row& row, const Lines& lines) const {
    row.seated.clear();
    row.seated.reserve(row.size);  // those that a seat is given to, too
    if (retired() || size() == 0) return;
    row.seated.push_back({0, 0, 1.0});
    for (std::size_t k = 1; k < row.size; ++k)
        if (const auto seat = static_cast<std::uint32_t>(line_of(lines, row.line[k]).seat);
            seat > 0 && seatable(row.x[k]))
            row.seated.push_back({seat, static_cast<std::uint32_t>(k), row.x[k]});
}

}  // namespace littlestone::pool
