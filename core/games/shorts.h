// Sums of rows of 16-bit numbers, each times a weight: whole numbers, which give the same bits in every order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace littlestone::games {

// Columns come in whole cache lines.
constexpr std::size_t shorts_per_line = 64 / sizeof(std::int16_t);

// Some rows of a matrix, and their weights, 1 to 32767.
struct WeighedRows {
    const std::int16_t* first;
    std::size_t stride;
    const std::uint32_t* place;
    const std::int32_t* weight;
    std::size_t count;

    const std::int16_t* row(std::size_t k) const { return first + place[k] * stride; }
};
// What the weights of rows that are added may sum up to: times 32767 it is the last that 32 bits hold.
constexpr std::int64_t largest_sum_of_weights = 1 << 16;

// sum = Σ weight·row, for all columns up to the stride.
void add_up(const WeighedRows& rows, std::int32_t* sum);
struct Counted {
    std::int32_t sum, most;
    std::size_t used;
};
// counts = x·units, rounded, and those above 0 with their places; what is listed has room for eight more.
Counted count_units(const double* x, double units, std::size_t count, std::int32_t* counts, std::uint32_t* place,
                    std::int32_t* weight);
// out = counts·by.
void multiply(const std::int32_t* counts, double by, double* out, std::size_t count);
// out ← out + sum·by.
void add_multiple(const std::int32_t* sum, double by, double* out, std::size_t count);
// Some places of every row, in order.
class Picked {
  public:
    explicit Picked(const std::vector<std::size_t>& places, std::size_t columns);
    // What a row has there; up to a line more is written behind it.
    void copy(const std::int16_t* row, std::int16_t* out) const;

  private:
    // Of a line, where those that are picked are, and how many.
    struct Line {
        std::int16_t place[shorts_per_line] = {};
        std::size_t count = 0;
    };
    std::vector<Line> lines_;

    friend void pick_plainly(const Picked&, const std::int16_t*, std::int16_t*);
    friend void pick_widely(const Picked&, const std::int16_t*, std::int16_t*);
};
// out = (row − zero)·scale, rounded, for what lies between −32767 and 32767.
void shorten(const float* row, std::size_t columns, double zero, double scale, std::int16_t* out);
void shorten(const double* row, std::size_t columns, double zero, double scale, std::int16_t* out);
void fill(std::int16_t* out, std::size_t count, std::int16_t value);
inline std::int16_t shortened(double x, double zero, double scale) {
    // What is converted is above 0, where to cut off is to round down.
    return static_cast<std::int16_t>(static_cast<std::int32_t>((x - zero) * scale + 32768.5) - 32768);
}

}  // namespace littlestone::games
