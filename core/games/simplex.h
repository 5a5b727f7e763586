// A zero-sum game to the last digit: Tucker's schema of its linear program, pivoted from strategies that play found.
#pragma once

#include <cstddef>
#include <vector>

namespace littlestone::games {

// max Σy subject to A y + w = 1, y ≥ 0, w ≥ 0, for payoffs A > 0 of a row player who maximises: q = y/Σy, and the duals
// of the rows are p/value. A pivot exchanges the slack of a row with a column. Whatever basis it starts from is made
// optimal by the self-dual parametric simplex method (Dantzig 1963; Vanderbei 2020, chapter 7): both sides are
// perturbed until the basis is optimal, and the perturbation is taken back pivot by pivot.
class Schema {
  public:
    // Row-major payoffs, above 0, which must stay where they are.
    Schema(const double* A, std::size_t rows, std::size_t columns);

    // Brings the marked columns into the basis in place of marked rows, each by its largest pivot, and perturbs.
    void enter(const char* rows, const char* columns);
    // How many columns are in the basis.
    std::size_t entered() const;
    enum class Outcome { optimal, unfinished, stuck };
    // Makes at most so many pivots.
    Outcome solve(std::size_t most);

    // The strategies of the basis, refined: a schema holds the inverse of the payoffs that its basis mixes.
    std::vector<double> row() const;
    std::vector<double> column() const;
    // The gap of two strategies.
    double gap(const std::vector<double>& x, const std::vector<double>& y) const;

  private:
    const double* A_;
    std::size_t rows_, columns_, stride_;
    // A line for each basic variable: its coefficients, then value and perturbation; the last two lines are costs.
    std::vector<double> entry_;
    std::vector<std::size_t> basic_, other_;  // columns are numbered first, then the slacks of rows

    double* line(std::size_t i) { return entry_.data() + i * stride_; }
    const double* line(std::size_t i) const { return entry_.data() + i * stride_; }
    void pivot(std::size_t i, std::size_t j);
    std::size_t leaving(std::size_t j, double share) const;
    std::size_t entering(std::size_t i, double share) const;
};

}  // namespace littlestone::games
