// The first 96 features, the constant among them: those that a full covariance has room for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "line.h"
#include "numbers.h"

namespace littlestone::pool {

inline constexpr std::size_t seat_count = 96;

// The square of a value has to be a number that can be divided by.
inline bool seatable(double value) { return std::fabs(value) > 1e-100 && std::fabs(value) < 1e100; }

// A row as its seated entries; the constant has the first seat.
struct Seated {
    std::uint32_t seat, entry;  // the entry of the row
    double value;
};

struct Row;
class Newton;

struct Seats {
    double taken = 0.0;
    double fit = 1.0;  // moving average of the share of a row's features that have a seat
    double largest[seat_count] = {};
    double shrinkage[seat_count] = {};  // prior precision of a weight, in units of its largest value squared

    std::size_t size() const { return static_cast<std::size_t>(taken); }
    bool retired() const { return fit < 0.5; }

    double precision(std::size_t seat) const { return shrinkage[seat] * largest[seat] * largest[seat]; }

    // The entries of a row that have a seat; a row is scored by those that were there before it.
    void find(Row& row, const Lines& lines) const;
    // Seats for the new features of a row that is learned, as long as there are any; a value larger than all before it
    // adds to the prior precision of its weight. Says whether the filters moved.
    template <class Filters>
    bool take(Row& row, Lines& lines, Filters& filters);
    // The same of a row that brings no feature that a seat could be given to; these are its seated entries.
    template <class Filters>
    bool take(const std::vector<Seated>& seated, std::size_t features, Filters& filters);

  private:
    // Whether a value is the largest of its seat so far, which moves the filters.
    template <class Filters>
    bool grow(std::size_t seat, double value, Filters& filters);
    std::size_t next(double value, std::size_t nonzeros) {
        const std::size_t own = size();
        taken += 1.0;
        largest[own] = std::fabs(value);
        shrinkage[own] = std::max(taken, static_cast<double>(nonzeros + 1)) / 100.0;
        return own;
    }

    void note(std::size_t seated, std::size_t features) {
        if (features == 0 || retired()) return;
        fit += 0.01 * (static_cast<double>(seated) / static_cast<double>(features) - fit);
    }
};

}  // namespace littlestone::pool
