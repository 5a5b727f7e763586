#include "interaction.h"

#include <cmath>

#include "numbers.h"

namespace littlestone::pool {
namespace {

constexpr std::size_t most_scalings = 30;
constexpr double close_enough = 1e-3;  // the share of all rows that a scaling moves

// The table that has the margins of another one, and no interaction of all three.
class Fit {
  public:
    explicit Fit(const CellCounts& seen) : seen_(seen), fit_(seen) {
        double rows = 0.0;
        each([&](std::size_t i, std::size_t j, std::size_t y) {
            fit_.at(i, j)[y] = 0.5 * cell(i, j);
            left_[i][y] += seen.at(i, j)[y];
            right_[j][y] += seen.at(i, j)[y];
            rows += seen.at(i, j)[y];
        });
        for (std::size_t scaling = 0; scaling < most_scalings; ++scaling)
            if (scale() <= close_enough * rows) return;
    }
    Interaction interaction() const {
        Interaction found{0.0, 1.0};
        each([&](std::size_t i, std::size_t j, std::size_t y) {
            const double count = seen_.at(i, j)[y];
            if (count > 0.0) found.ratio += 2.0 * count * log_of(count / fit_.at(i, j)[y]);
            if (y == 0) found.freedom += cell(i, j) > 0.0;
        });
        for (std::size_t i = 0; i < seen_.left(); ++i) found.freedom -= left_[i][0] + left_[i][1] > 0.0;
        for (std::size_t j = 0; j < seen_.right(); ++j) found.freedom -= right_[j][0] + right_[j][1] > 0.0;
        return found;
    }

  private:
    using Margin = double[CellCounts::most_bins][2];

    const CellCounts& seen_;
    CellCounts fit_;
    Margin left_ = {}, right_ = {};

    double cell(std::size_t i, std::size_t j) const { return seen_.at(i, j)[0] + seen_.at(i, j)[1]; }
    template <class Each>
    void each(Each visit) const {
        for (std::size_t i = 0; i < seen_.left(); ++i)
            for (std::size_t j = 0; j < seen_.right(); ++j)
                for (std::size_t y = 0; y < 2; ++y) visit(i, j, y);
    }
    // A margin of the fit becomes that of the table; by how much it was wrong.
    template <class Of>
    double scale_to(const Margin& margin, Of of) {
        Margin now = {};
        double wrong = 0.0;
        each([&](std::size_t i, std::size_t j, std::size_t y) { now[of(i, j)][y] += fit_.at(i, j)[y]; });
        for (std::size_t k = 0; k < std::max(seen_.left(), seen_.right()); ++k)
            for (std::size_t y = 0; y < 2; ++y) {
                wrong += std::fabs(margin[k][y] - now[k][y]);
                now[k][y] = now[k][y] > 0.0 ? margin[k][y] / now[k][y] : 0.0;  // from here on the factor
            }
        each([&](std::size_t i, std::size_t j, std::size_t y) { fit_.at(i, j)[y] *= now[of(i, j)][y]; });
        return wrong;
    }
    double scale() {
        const double wrong = scale_to(left_, [](std::size_t i, std::size_t) { return i; }) +
                             scale_to(right_, [](std::size_t, std::size_t j) { return j; });
        each([&](std::size_t i, std::size_t j, std::size_t y) {
            if (y != 0) return;
            double* const of = fit_.at(i, j);
            const double factor = of[0] + of[1] > 0.0 ? cell(i, j) / (of[0] + of[1]) : 0.0;
            of[0] *= factor;
            of[1] *= factor;
        });
        return wrong;
    }
};

}  // namespace

double Interaction::evidence() const { return freedom > 0.0 ? (ratio - freedom) / std::sqrt(2.0 * freedom) : 0.0; }

Interaction interaction(const CellCounts& seen) { return Fit(seen).interaction(); }

}  // namespace littlestone::pool
