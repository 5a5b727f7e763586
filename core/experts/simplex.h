#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace littlestone {

// x <- the nearest point whose entries are at least 0 and add up to 1: what is above a level, which is found by going
// down the sorted entries (Held, Wolfe and Crowder 1974). The sorted entries are left in room.
inline void to_simplex(double* x, std::size_t count, std::vector<double>& room) {
    room.assign(x, x + count);
    std::sort(room.begin(), room.end(), std::greater<>());
    double sum = 0.0, level = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
        sum += room[k];
        const double next = (sum - 1.0) / static_cast<double>(k + 1);
        if (room[k] <= next) break;
        level = next;
    }
    for (std::size_t i = 0; i < count; ++i) x[i] = std::max(x[i] - level, 0.0);
}

// The sum of the squares of x less a level.
// The mean, measured from the first: of entries that are all the same it is exactly they.
inline double level_of(const double* x, std::size_t count) {
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) sum += x[i] - x[0];
    return x[0] + sum / static_cast<double>(count);
}

inline double square_norm(const double* x, double level, std::size_t count) {
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) sum += (x[i] - level) * (x[i] - level);
    return sum;
}

}  // namespace littlestone
