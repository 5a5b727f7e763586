// What one player can do in a game with turns: decision points, parents first, and sequences of its own actions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "../dense.h"

namespace littlestone::games {

// Sequence 0 is that of no action; the actions of point k end the sequences first[k] … first[k + 1] − 1, which go on
// from sequence parent[k] (von Stengel 1996).
struct Treeplex {
    std::vector<std::size_t> parent, first;

    std::size_t points() const { return parent.size(); }
    std::size_t sequences() const { return first.back(); }
    std::size_t actions(std::size_t point) const { return first[point + 1] - first[point]; }

    // What the best plan gains when a sequence gains sign·gains.
    double best(const std::vector<double>& gains, double sign) const {
        std::vector<double> value(gains);
        for (double& x : value) x *= sign;
        for (std::size_t k = points(); k-- > 0;)
            value[parent[k]] += *std::max_element(value.begin() + static_cast<std::ptrdiff_t>(first[k]),
                                                  value.begin() + static_cast<std::ptrdiff_t>(first[k + 1]));
        return value[0];
    }
};

// Counterfactual regret minimisation (Zinkevich et al. 2007): a regret minimiser at each decision point, who learns
// from what its actions and the play that follows them would have gained.
template <class Local>
class Counterfactual {
  public:
    std::vector<double> strategy;  // the chance that this player lets a sequence happen

    // What a regret minimiser takes besides the number of its actions comes behind the plan.
    template <class... Settings>
    explicit Counterfactual(Treeplex plan, Settings... settings)
        : strategy(plan.sequences()), plan_(std::move(plan)), value_(strategy.size()) {
        for (std::size_t k = 0; k < plan_.points(); ++k) local_.emplace_back(plan_.actions(k), settings...);
        regret_.assign(strategy.size(), 0.0);
        realise();
    }

    void observe(const double* gains, double sign) {
        std::copy(gains, gains + value_.size(), value_.begin());
        for (std::size_t k = plan_.points(); k-- > 0;) {
            const double* of = value_.data() + plan_.first[k];
            value_[plan_.parent[k]] += dense::dot(of, local_[k].strategy.data(), plan_.actions(k));
            local_[k].observe(of, sign);
        }
        realise();
    }

    // Moves the means of the regrets at each decision point by a round of this share.
    void note(const double* gains, double sign, double share) {
        std::copy(gains, gains + value_.size(), value_.begin());
        for (std::size_t k = plan_.points(); k-- > 0;) {
            const double* of = value_.data() + plan_.first[k];
            const double earned = dense::dot(of, local_[k].strategy.data(), plan_.actions(k));
            for (std::size_t a = 0; a < plan_.actions(k); ++a) {
                double& mean = regret_[plan_.first[k] + a];
                mean += share * (sign * (of[a] - earned) - mean);
            }
            value_[plan_.parent[k]] += earned;
        }
    }

    // Σ over the decision points of the largest mean regret, where it is above 0.
    double immediate() const {
        double total = 0.0;
        for (std::size_t k = 0; k < plan_.points(); ++k)
            total +=
                std::max(0.0, *std::max_element(regret_.begin() + static_cast<std::ptrdiff_t>(plan_.first[k]),
                                                regret_.begin() + static_cast<std::ptrdiff_t>(plan_.first[k + 1])));
        return total;
    }

    const Treeplex& plan() const { return plan_; }

  private:
    Treeplex plan_;
    std::vector<Local> local_;
    std::vector<double> value_, regret_;

    void realise() {
        strategy[0] = 1.0;
        for (std::size_t k = 0; k < plan_.points(); ++k)
            for (std::size_t a = 0; a < plan_.actions(k); ++a)
                strategy[plan_.first[k] + a] = strategy[plan_.parent[k]] * local_[k].strategy[a];
    }
};

}  // namespace littlestone::games
