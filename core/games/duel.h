// The loop of zero-sum games: two players, each learning from what its actions would have gained.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../dense.h"
#include "../experts/vectors.h"
#include "payoffs.h"
#include "products.h"
#include "strategy.h"

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

// One player's actions that are still in the game, and what the others had played when they left.
class Remaining {
  public:
    explicit Remaining(std::size_t actions) : actions_(actions) {}

    std::size_t actions() const { return actions_; }
    // Only these remain, of those that remained; each round counted for its weight, and all for `mass`.
    void keep(const Actions& kept, std::vector<double>& mean, double mass) {
        if (left_.empty()) {
            left_.resize(actions_);
            std::iota(left_.begin(), left_.end(), std::size_t{0});
            played_.assign(actions_, 0.0);
        }
        for (std::size_t k = 0; k < left_.size(); ++k) played_[left_[k]] = mass * mean[k];
        Actions places;
        for (const std::size_t k : kept) places.push_back(left_[k]);
        left_ = std::move(places);
        games::keep(mean, kept);
    }
    // The mean over all actions.
    std::vector<double> whole(const std::vector<double>& mean, double mass) const {
        if (left_.empty()) return mean;
        std::vector<double> found(played_);
        for (double& x : found) x /= mass;
        for (std::size_t k = 0; k < left_.size(); ++k) found[left_[k]] = mean[k];
        return found;
    }

  private:
    std::size_t actions_;
    Actions left_;
    std::vector<double> played_;
};

class Duel {
  public:
    Duel(std::size_t rows, std::size_t columns, double sign, double power)
        : averages(rows, columns, power), sign(sign), rows_(rows), columns_(columns), Aq_(rows), pA_(columns) {}
    virtual ~Duel() = default;

    // Plays one round, on the part of the game that is left.
    virtual void round(const Payoffs& A) = 0;
    // Takes actions that have fallen far behind out of the game, where that is possible: what is played then is less.
    virtual void narrow(const Payoffs&) {}
    bool narrowed() const { return part_ != nullptr; }
    std::size_t rows() const { return rows_.actions(); }
    std::size_t columns() const { return columns_.actions(); }
    std::vector<double> row() const { return rows_.whole(averages.row, averages.mass); }
    std::vector<double> column() const { return columns_.whole(averages.column, averages.mass); }

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
    Remaining rows_, columns_;
    std::vector<double> Aq_, pA_;

    const Payoffs& field(const Payoffs& A) const { return part_ ? *part_ : A; }
    // Every so many rounds, whenever they have doubled.
    bool is_time_to_narrow() {
        if (averages.rounds < next_cut_) return false;
        next_cut_ *= 2;
        return true;
    }
    void keep(std::unique_ptr<Payoffs> part, const Actions& rows, const Actions& columns) {
        rows_.keep(rows, averages.row, averages.mass);
        columns_.keep(columns, averages.column, averages.mass);
        games::keep(averages.row_payoffs, rows);
        games::keep(averages.column_payoffs, columns);
        Aq_.resize(rows.size()), pA_.resize(columns.size());
        part_ = std::move(part);
    }

  private:
    History noted_;
    std::size_t next_note_ = 1, next_cut_ = 24;
    std::unique_ptr<Payoffs> part_;

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
        const Payoffs& here = field(A);
        here.transposed_played(row_.strategy.data(), pA_.data());
        column_.observe(pA_.data(), -sign);
        here.played(column_.strategy.data(), Aq_.data());
        averages.add(row_.strategy, column_.strategy, Aq_, pA_);
        row_.observe(Aq_.data(), sign);
    }

    void narrow(const Payoffs& A) override {
        if constexpr (requires { row_.uses(0), column_.uses(0); }) {
            constexpr std::size_t worth = 1u << 16;  // payoffs of a game that is cut
            if (rows() * columns() < worth || !is_time_to_narrow()) return;
            const auto [lower, upper] = bracket();
            const double margin = gaps_per_round * static_cast<double>(averages.rounds) * (upper - lower);
            const Actions near_rows = near(row_, averages.row_payoffs, averages.of_rows, sign, margin);
            const Actions near_columns = near(column_, averages.column_payoffs, averages.of_columns, -sign, margin);
            if (4 * near_rows.size() * near_columns.size() > 3 * Aq_.size() * pA_.size()) return;
            auto part = field(A).part(near_rows, near_columns);
            if (part == nullptr) return;
            keep(std::move(part), near_rows, near_columns);
            row_.keep(near_rows);
            column_.keep(near_columns);
        }
    }

  private:
    Row row_;
    Column column_;

    // The gap shrinks faster than the actions change their places: the more rounds, the more gaps are far behind.
    static constexpr double gaps_per_round = 0.2;

    // The actions that are in use, or lose no more than that to the best.
    template <class Player>
    static Actions near(const Player& player, const std::vector<double>& payoffs, const vectors::Extremes& of,
                        double sign, double margin) {
        const double worst = (sign > 0.0 ? of.most : -of.least) - margin;
        Actions found;
        for (std::size_t i = 0; i < payoffs.size(); ++i)
            if (player.uses(i) || sign * payoffs[i] >= worst) found.push_back(i);
        return found;
    }
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
