// Where columns are cut: the generations of bins, and the cut points of one column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace littlestone::pool {

struct Generation {
    double at;
    std::size_t bins[2];  // resolutions; the second may be 0
    std::size_t cells;    // bins of either column of a pair
};
inline constexpr Generation generations[] = {{48.0, {8, 0}, 4}, {400.0, {8, 32}, 8}, {4000.0, {16, 64}, 16}};

// The rounds after which the pairs are judged, and the evidence that one needs to stay, in standard deviations of what
// chance gives: little at first, for a pair that goes is gone.
struct Judgement {
    double at, least;
};
inline constexpr Judgement judgements[] = {{generations[2].at, 0.5}, {8000.0, 1.5}, {16000.0, 3.0}};
// After the last of them a narrow view rests whose log loss is so much per row above that of the other one.
inline constexpr double last_judgement = judgements[2].at, most_behind = 0.03;

inline constexpr std::size_t most_paired = 12, most_pairings = most_paired * (most_paired - 1) / 2, least_values = 2;

// How many generations were cut by a round, and whether one is due.
inline std::size_t generations_by(double rounds) {
    return static_cast<std::size_t>(std::count_if(std::begin(generations), std::end(generations),
                                                  [&](const Generation& g) { return g.at <= rounds; }));
}
inline bool is_due(double rounds) {
    return std::any_of(std::begin(generations), std::end(generations),
                       [&](const Generation& g) { return g.at == rounds; });
}

inline std::size_t distinct(const double* sorted, std::size_t size) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < size; ++i) count += i == 0 || sorted[i] != sorted[i - 1];
    return count;
}

// A bin for every value where there are few, and else one for every quantile: `add` is told below `bins` cuts, each
// above the one before. A value is in bin #{cuts <= value}.
template <class Add>
void each_cut(const double* sorted, std::size_t size, std::size_t bins, Add add) {
    if (distinct(sorted, size) <= bins) {
        for (std::size_t i = 1; i < size; ++i)
            if (sorted[i] != sorted[i - 1]) add(sorted[i]);
        return;
    }
    double last = sorted[0];
    for (std::size_t i = 1; i < bins; ++i) {
        const double cut = sorted[i * size / bins];
        if (cut > last) add(last = cut);
    }
}

// How many of the cuts a value reaches: the half that holds the last of them, again and again, without a branch that
// hangs on the value.
inline std::ptrdiff_t not_above(const double* cuts, std::size_t left, double value) {
    const double* from = cuts;
    if (left == 0) return 0;
    while (left > 1) {
        const std::size_t half = left / 2;
        from += half & (std::size_t{0} - static_cast<std::size_t>(from[half - 1] <= value));
        left -= half;
    }
    return from - cuts + (*from <= value);
}

}  // namespace littlestone::pool
