#include "simplex.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../clones.h"
#include "../random.h"
#include "strategy.h"

namespace littlestone::games {
namespace {

// Values below it are rounding: the payoffs are of size 1.
constexpr double rounding = 1e-12;
constexpr double smallest_pivot = 1e-9;
// A basis that is entered by smaller pivots is too close to a singular one to go on from.
constexpr double firm_pivot = 1e-2;
constexpr int refinements = 2;

// Takes from every line but i the multiple of line i that leaves −(entry j)·(line i's entry j) in its column j.
LITTLESTONE_CLONES void eliminate(double* entry, std::size_t lines, std::size_t stride, std::size_t count,
                                  std::size_t i, std::size_t j) {
    const double* __restrict of = entry + i * stride;
    for (std::size_t r = 0; r < lines; ++r) {
        double* __restrict line = entry + r * stride;
        const double factor = line[j];
        if (r == i || factor == 0.0) continue;
        line[j] = 0.0;
        for (std::size_t k = 0; k < count; ++k) line[k] -= factor * of[k];
    }
}

}  // namespace

Schema::Schema(const double* A, std::size_t rows, std::size_t columns)
    : A_(A),
      rows_(rows),
      columns_(columns),
      stride_((columns + 2 + 7) / 8 * 8),
      entry_((rows + 2) * stride_, 0.0),
      basic_(rows),
      other_(columns) {
    for (std::size_t i = 0; i < rows; ++i) {
        std::copy(A + i * columns, A + (i + 1) * columns, line(i));
        line(i)[columns] = 1.0;
        basic_[i] = columns + i;
    }
    for (std::size_t j = 0; j < columns; ++j) {
        line(rows)[j] = 1.0;
        other_[j] = j;
    }
}

void Schema::pivot(std::size_t i, std::size_t j) {
    double* of = line(i);
    const double by = 1.0 / of[j];
    for (std::size_t k = 0; k < columns_ + 2; ++k) of[k] *= by;
    of[j] = by;
    eliminate(entry_.data(), rows_ + 2, stride_, columns_ + 2, i, j);
    std::swap(basic_[i], other_[j]);
}

void Schema::enter(const char* rows, const char* columns) {
    for (std::size_t j = 0; j < columns_; ++j) {
        if (columns[j] == 0) continue;
        std::size_t best = rows_;
        double size = firm_pivot;
        for (std::size_t i = 0; i < rows_; ++i)
            if (rows[i] != 0 && basic_[i] >= columns_ && std::abs(line(i)[j]) > size)
                size = std::abs(line(best = i)[j]);
        if (best < rows_) pivot(best, j);
    }
    // No two perturbations are alike, so that no two pivots tie.
    for (std::size_t i = 0; i < rows_; ++i) line(i)[columns_ + 1] = 1.0 + uniform(1, i);
    for (std::size_t j = 0; j < columns_; ++j) line(rows_ + 1)[j] = -1.0 - uniform(2, j);
}

std::size_t Schema::entered() const {
    return static_cast<std::size_t>(
        std::count_if(basic_.begin(), basic_.end(), [&](std::size_t of) { return of < columns_; }));
}

// Of the rows that a growing column j empties, the first to be empty when the perturbation has this share.
std::size_t Schema::leaving(std::size_t j, double share) const {
    std::size_t best = rows_;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < rows_; ++i) {
        const double* of = line(i);
        if (of[j] <= smallest_pivot) continue;
        const double ratio = (of[columns_] + share * of[columns_ + 1]) / of[j];
        if (ratio < least) least = ratio, best = i;
    }
    return best;
}

std::size_t Schema::entering(std::size_t i, double share) const {
    std::size_t best = columns_;
    double least = std::numeric_limits<double>::infinity();
    const double *of = line(i), *cost = line(rows_), *perturbed = line(rows_ + 1);
    for (std::size_t j = 0; j < columns_; ++j) {
        if (of[j] >= -smallest_pivot) continue;
        const double ratio = (cost[j] + share * perturbed[j]) / of[j];
        if (ratio < least) least = ratio, best = j;
    }
    return best;
}

Schema::Outcome Schema::solve(std::size_t most) {
    for (std::size_t done = 0; done < most; ++done) {
        // The largest share of the perturbation at which the basis is not optimal yet, and where.
        double share = 0.0;
        std::size_t row = rows_, column = columns_;
        for (std::size_t i = 0; i < rows_; ++i) {
            const double value = line(i)[columns_], perturbed = line(i)[columns_ + 1];
            if (value < -rounding && perturbed > 0.0 && -value > share * perturbed) share = -value / perturbed, row = i;
        }
        for (std::size_t j = 0; j < columns_; ++j) {
            const double value = line(rows_)[j], perturbed = -line(rows_ + 1)[j];
            if (value > rounding && perturbed > 0.0 && value > share * perturbed)
                share = value / perturbed, column = j, row = rows_;
        }
        if (row == rows_ && column == columns_) return Outcome::optimal;
        if (row < rows_)
            column = entering(row, share);
        else
            row = leaving(column, share);
        if (row == rows_ || column == columns_) return Outcome::stuck;
        pivot(row, column);
    }
    return Outcome::unfinished;
}

std::vector<double> Schema::column() const {
    std::vector<double> y(columns_, 0.0), residual(rows_);
    for (std::size_t i = 0; i < rows_; ++i)
        if (basic_[i] < columns_) y[basic_[i]] = line(i)[columns_];
    for (int step = 0; step < refinements; ++step) {
        for (std::size_t j = 0; j < columns_; ++j)  // 1 − A y in the tight rows
            if (other_[j] >= columns_) {
                const std::size_t i = other_[j] - columns_;
                residual[i] = 1.0 - dense::dot(A_ + i * columns_, y.data(), columns_);
            }
        for (std::size_t r = 0; r < rows_; ++r)
            if (basic_[r] < columns_)
                for (std::size_t j = 0; j < columns_; ++j)
                    if (other_[j] >= columns_) y[basic_[r]] += line(r)[j] * residual[other_[j] - columns_];
    }
    normalize_positive(y);
    return y;
}

std::vector<double> Schema::row() const {
    std::vector<double> x(rows_, 0.0), earned(columns_);
    for (std::size_t j = 0; j < columns_; ++j)
        if (other_[j] >= columns_) x[other_[j] - columns_] = -line(rows_)[j];
    for (int step = 0; step < refinements; ++step) {
        std::fill(earned.begin(), earned.end(), 0.0);  // xᵀA
        for (std::size_t i = 0; i < rows_; ++i)
            if (x[i] != 0.0) dense::add(A_ + i * columns_, x[i], earned.data(), columns_);
        for (std::size_t r = 0; r < rows_; ++r)
            if (basic_[r] < columns_) {
                const double residual = 1.0 - earned[basic_[r]];
                for (std::size_t j = 0; j < columns_; ++j)
                    if (other_[j] >= columns_) x[other_[j] - columns_] += line(r)[j] * residual;
            }
    }
    normalize_positive(x);
    return x;
}

double Schema::gap(const std::vector<double>& x, const std::vector<double>& y) const {
    std::vector<double> earned(columns_, 0.0);
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < rows_; ++i) {
        const double* of = A_ + i * columns_;
        most = std::max(most, dense::dot(of, y.data(), columns_));
        if (x[i] != 0.0) dense::add(of, x[i], earned.data(), columns_);
    }
    return most - *std::min_element(earned.begin(), earned.end());
}

}  // namespace littlestone::games
