// What two columns tell together of a label beyond what each of them tells by itself.
#pragma once

#include <cstddef>

namespace littlestone::pool {

// Rows of either label in the cells of two columns.
struct CellCounts {
    static constexpr std::size_t most_bins = 16;
    std::size_t left, right;  // bins
    double of[most_bins][most_bins][2];
};

// The likelihood ratio of such a table, and what it is by chance alone: chi-squared with so many degrees of freedom.
struct Interaction {
    double ratio = 0.0, freedom = 0.0;

    void add(const Interaction& other) {
        ratio += other.ratio;
        freedom += other.freedom;
    }
    // How far it is above its mean by chance, in standard deviations.
    double evidence() const;
};

// G^2 against the table without a three-way interaction (Bartlett 1935): the one that has the cells of the columns, and
// of either column with the label, as they are; found by scaling it to each of these in turn (Deming and Stephan 1940).
Interaction interaction(const CellCounts& seen);

}  // namespace littlestone::pool
