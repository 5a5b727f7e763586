// The loop of zero-sum games: two players, each learning from what its actions would have gained.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "../dense.h"
#include "../experts/vectors.h"
#include "payoffs.h"
#include "products.h"

namespace littlestone::games {

// Means over the rounds, round t with weight t^power. The mean of the products A q_t is the product A q̄, so the bracket
// of the value is known in every round without a product of its own.
struct Averages {
    std::vector<double> row, column, row_payoffs, column_payoffs;  // p̄, q̄, A q̄, p̄ᵀA
    vectors::Extremes of_rows{0.0, 0.0}, of_columns{0.0, 0.0};     // of the latter two
    double payoff = 0.0;                                           // mean of p_tᵀ A q_t
    double mass = 0.0;
    std::size_t rounds = 0;
    double power;

    Averages(std::size_t rows, std::size_t columns, double power)
        : row(rows, 0.0), column(columns, 0.0), row_payoffs(rows, 0.0), column_payoffs(columns, 0.0), power(power) {}

    // Adds a round; the share of it in the means.
    double add(const std::vector<double>& p, const std::vector<double>& q, const std::vector<double>& Aq,
               const std::vector<double>& pA) {
        ++rounds;
        const double weight = std::pow(static_cast<double>(rounds), power);
        mass += weight;
        const double share = weight / mass;
        payoff += share * (dense::dot(p.data(), Aq.data(), row.size()) - payoff);
        move_towards(row.data(), p.data(), share, row.size());
        move_towards(column.data(), q.data(), share, column.size());
        of_rows = moved_towards(row_payoffs.data(), Aq.data(), share, row.size());
        of_columns = moved_towards(column_payoffs.data(), pA.data(), share, column.size());
        return share;
    }

    // [lower, upper]: what the row player's average secures and what the column player's concedes, for sign = +1; the
    // other way round for a row player who minimises.
    std::pair<double, double> bracket(double sign) const {
        return sign > 0.0 ? std::pair{of_columns.least, of_rows.most} : std::pair{of_rows.least, of_columns.most};
    }
};

class Duel {
  public:
    Duel(std::size_t rows, std::size_t columns, double sign, double power)
        : averages(rows, columns, power), sign(sign), Aq_(rows), pA_(columns) {}
    virtual ~Duel() = default;

    // Plays one round.
    virtual void round(const Payoffs& A) = 0;

    // What the averages prove of the value.
    virtual std::pair<double, double> bracket() const { return averages.bracket(sign); }

    struct History {
        std::vector<double> rounds, lower, upper;
    };
    // The bracket whenever the rounds had grown by a quarter, and as it is.
    History history() const {
        History whole = noted_;
        if (whole.rounds.empty() || whole.rounds.back() < static_cast<double>(averages.rounds)) add_to(whole);
        return whole;
    }
    void note() {
        if (averages.rounds < next_note_) return;
        add_to(noted_);
        next_note_ += 1 + next_note_ / 4;
    }

    bool reached(double gap) const {
        const auto [lower, upper] = bracket();
        return averages.rounds > 0 && upper - lower <= gap;
    }

    Averages averages;
    const double sign;  // +1 when the row player maximises, −1 when it minimises

  protected:
    std::vector<double> Aq_, pA_;

  private:
    History noted_;
    std::size_t next_note_ = 1;

    void add_to(History& history) const {
        const auto [lower, upper] = bracket();
        history.rounds.push_back(static_cast<double>(averages.rounds));
        history.lower.push_back(lower);
        history.upper.push_back(upper);
    }
};

// The column player learns from this round's row strategy before it plays; a best response is such a player.
template <class Row, class Column>
class Alternating final : public Duel {
  public:
    Alternating(Row row, Column column, double sign, double power)
        : Duel(row.strategy.size(), column.strategy.size(), sign, power),
          row_(std::move(row)),
          column_(std::move(column)) {}

    void round(const Payoffs& A) override {
        A.transposed_played(row_.strategy.data(), pA_.data());
        column_.observe(pA_.data(), -sign);
        A.played(column_.strategy.data(), Aq_.data());
        averages.add(row_.strategy, column_.strategy, Aq_, pA_);
        row_.observe(Aq_.data(), sign);
    }

  private:
    Row row_;
    Column column_;
};

// Both players move at once, as the book has it.
template <class Row, class Column>
class Simultaneous final : public Duel {
  public:
    Simultaneous(Row row, Column column, double sign, double power)
        : Duel(row.strategy.size(), column.strategy.size(), sign, power),
          row_(std::move(row)),
          column_(std::move(column)) {}

    void round(const Payoffs& A) override {
        A.transposed_played(row_.strategy.data(), pA_.data());
        A.played(column_.strategy.data(), Aq_.data());
        averages.add(row_.strategy, column_.strategy, Aq_, pA_);
        row_.observe(Aq_.data(), sign);
        column_.observe(pA_.data(), -sign);
    }

  private:
    Row row_;
    Column column_;
};

template <template <class, class> class Order, class Row, class Column>
std::unique_ptr<Duel> duel_of(Row row, Column column, double sign, double power) {
    return std::make_unique<Order<Row, Column>>(std::move(row), std::move(column), sign, power);
}

}  // namespace littlestone::games
