// What two columns tell together of a label beyond what each of them tells by itself.
#pragma once

#include <algorithm>
#include <cstddef>

namespace littlestone::pool {

// Rows of either label in the cells of two columns.
class CellCounts {
  public:
    static constexpr std::size_t most_bins = 16;

    CellCounts(std::size_t left, std::size_t right) : left_(left), right_(right) {
        std::fill_n(&of_[0][0], left * right * 2, 0.0);
    }
    CellCounts(const CellCounts& other) : left_(other.left_), right_(other.right_) {
        std::copy_n(&other.of_[0][0], left_ * right_ * 2, &of_[0][0]);
    }
    CellCounts& operator=(const CellCounts&) = delete;

    std::size_t left() const { return left_; }
    std::size_t right() const { return right_; }
    // Of the cell in row i and column j: the negative ones, and the positive.
    double* at(std::size_t i, std::size_t j) { return of_[i * right_ + j]; }
    const double* at(std::size_t i, std::size_t j) const { return of_[i * right_ + j]; }

  private:
    const std::size_t left_, right_;
    double of_[most_bins * most_bins][2];
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
