// The loop of zero-sum games with turns: two players who minimise counterfactual regret.
#pragma once

#include "duel.h"
#include "treeplex.h"

namespace littlestone::games {

// A duel between sequences instead of actions: the averages are of sequences, and the bracket is that of the best
// plans.
class ExtensiveDuel : public Duel {
  public:
    using Duel::Duel;
    // What theorem 3 of Zinkevich et al. bounds the gap by: the mean regrets at all decision points of both players.
    virtual double immediate_regret() const = 0;
};

template <class Local>
class CounterfactualDuel final : public ExtensiveDuel {
  public:
    template <class... Settings>
    CounterfactualDuel(Treeplex row, Treeplex column, double power, bool alternate, Settings... settings)
        : ExtensiveDuel(row.sequences(), column.sequences(), 1.0, power),
          row_(std::move(row), settings...),
          column_(std::move(column), settings...),
          alternate_(alternate) {}

    void round(const Payoffs& A) override {
        A.transposed_times(row_.strategy.data(), pA_.data());
        if (alternate_) column_.observe(pA_.data(), -sign);
        A.times(column_.strategy.data(), Aq_.data());
        const double share = averages.add(row_.strategy, column_.strategy, Aq_, pA_);
        row_.note(Aq_.data(), sign, share);
        column_.note(pA_.data(), -sign, share);
        row_.observe(Aq_.data(), sign);
        if (!alternate_) column_.observe(pA_.data(), -sign);
    }
    std::pair<double, double> bracket() const override {
        return {-column_.plan().best(averages.column_payoffs, -sign), row_.plan().best(averages.row_payoffs, sign)};
    }
    double immediate_regret() const override { return row_.immediate() + column_.immediate(); }

  private:
    Counterfactual<Local> row_, column_;
    bool alternate_;
};

}  // namespace littlestone::games
