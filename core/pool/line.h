// What the members know of one feature: one cache line, read and written whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace littlestone::pool {

typedef float Four __attribute__((vector_size(16)));

struct alignas(64) Line {
    Four weights{};                             // AROW, AdaGrad logistic, AdaGrad hinge, Passive-Aggressive
    Four precisions{1.0f, 1e-3f, 1e-2f, 1.0f};  // A, G, G, and 1: the last has none
    Four rest{};                                // masses by label, positive and negative; count and level of the gauge
    float seat = 0.0f;                          // in the full-covariance member, from 1; 0 has none
    float spare[3] = {};

    float positive() const { return rest[0]; }
    float negative() const { return rest[1]; }
    float count() const { return rest[2]; }  // values that the gauge has met
    float level() const { return rest[3]; }
};
static_assert(sizeof(Line) == 64);

// Line 0 is that of the constant; feature j has line j + 1.
using Lines = std::vector<Line>;

inline const Line unknown_line;

// The line of a feature, known or not: a row to be scored may have features that were never learned.
inline __attribute__((always_inline)) const Line& line_of(const Lines& lines, std::size_t number) {
    return number < lines.size() ? lines[number] : unknown_line;
}

// How many values of each feature the gauge has met.
std::vector<double> counts_of(const Lines& lines);

// The lines of the constant and of these features, in this order.
Lines kept(const Lines& lines, const std::vector<std::size_t>& features);

// Asks for the line of a feature, which is needed soon.
inline __attribute__((always_inline)) void ask_for(const Lines& lines, std::size_t number) {
    if (number < lines.size()) __builtin_prefetch(&lines[number], 1);
}

// Four lines' Fours as the four numbers of all: what was a row is a column.
inline __attribute__((always_inline)) void transpose(Four& a, Four& b, Four& c, Four& d) {
    const Four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Four ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

}  // namespace littlestone::pool
