// The two rules whose weights are what a table of pair weights leaves in balance.
#pragma once

#include <vector>

#include "compiled.h"
#include "pace.h"
#include "stationary.h"

namespace littlestone {

// What both keep: swaps[i][j] = sum p_i (l_i - l_j), and the balance of the last call of weights.
class Balanced : public CompiledExperts {
  public:
    Balanced(std::size_t experts, double* swaps)
        : CompiledExperts(experts), swaps_(swaps), table_(experts * experts), balance_(experts) {}

    void weights(const Awake& awake, double* p) const override {
        fill(table_.data());
        stationary(table_.data(), count, balance_.data());
        std::copy(balance_.begin(), balance_.end(), p);
        proportional(awake, p);
    }

  protected:
    // Writes the pair weights, all of them above 0 off the diagonal.
    virtual void fill(double* table) const = 0;

    // The balance of this round: the loop has asked for the weights before it moves the state.
    const double* balance() const { return balance_.data(); }

    void add_swaps(const double* losses) {
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j < count; ++j) swaps_[i * count + j] += balance_[i] * (losses[i] - losses[j]);
    }

    double* swaps_;

  private:
    mutable std::vector<double> table_, balance_;
};

// Exponential weights over the pairs i -> j, charged what moving the mass of i to j costs. Stoltz and Lugosi 2005.
class InternalRegret final : public Balanced {
  public:
    InternalRegret(std::size_t experts, double* swaps, double* rounds, const Pace& pace)
        : Balanced(experts, swaps), rounds_(rounds), pace_(pace) {}

    void advance(const double* losses, double) override {
        add_swaps(losses);
        *rounds_ += 1.0;
    }

  private:
    void fill(double* table) const override {
        const double eta = pace_.rate(*rounds_);
        double top = -infinity;
        for (std::size_t k = 0; k < count * count; ++k)
            if (k % (count + 1) != 0) top = std::max(top, swaps_[k]);
        for (std::size_t k = 0; k < count * count; ++k) table[k] = std::max(eta * (swaps_[k] - top), -700.0);
        vectors::exponentials(table, 0.0, count * count);
    }

    double* rounds_;
    Pace pace_;
};

// N copies of the multiplicative rule, copy i charged p_i times the losses; p = p Q. Blum and Mansour 2007.
class SwapRegret final : public Balanced {
  public:
    SwapRegret(std::size_t experts, double* swaps, double* log_weights, double step)
        : Balanced(experts, swaps), log_weights_(log_weights), step_(step) {}

    void advance(const double* losses, double) override {
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j < count; ++j)
                log_weights_[i * count + j] += std::log1p(-step_ * (balance()[i] * losses[j]));
        add_swaps(losses);
    }

  private:
    void fill(double* table) const override {
        for (std::size_t i = 0; i < count; ++i) {
            double* row = table + i * count;
            std::copy(log_weights_ + i * count, log_weights_ + (i + 1) * count, row);
            const double top = vectors::largest(row, count);
            for (std::size_t j = 0; j < count; ++j) row[j] = std::max(row[j] - top, -700.0);
            vectors::scale(row, 1.0 / vectors::exponentials(row, 0.0, count), count);
        }
    }

    double* log_weights_;
    double step_;
};

}  // namespace littlestone
