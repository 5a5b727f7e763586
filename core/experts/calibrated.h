#pragma once

#include <cmath>

#include "compiled.h"
#include "exp.h"

namespace littlestone {

// Follows the best of many rules that differ in their rate and share. All rates start 2^k with |k| <= reach run from
// the first round on; those of a grid can be followed, and the grid grows by three where the best of it lies at an end.
// R's opera starts the rates that it adds from the first round anew, which comes to the same. Sums go from the first
// expert to the last: where two of the rules do equally well, roundings decide.
class Calibrated : public CompiledAdvice {
  public:
    // Of the state: the table of all rules, a row of N each, rates within shares; their losses; the first and the last
    // rate of the grid, the rule that is followed, and the rate at the middle, 0 before the first round.
    struct Chains {
        double* table;
        double* losses;
        double* low;
        double* high;
        double* best;
        double* start;
        std::size_t rates, shares;
    };

    Calibrated(std::size_t experts, const Chains& chains)
        : CompiledAdvice(experts), chains_(chains), p_(experts), regrets_(experts) {}

    void weights(const Awake& awake, double* p) const override {
        mixed(static_cast<std::size_t>(*chains_.best), awake, p);
    }

    void learn(const AdviceRound& round) override {
        const std::size_t middle = chains_.rates / 2;
        const bool first = *chains_.start == 0.0;
        std::vector<double> starts(chains_.shares, 1.0);
        if (first) begin(round, starts);
        for (std::size_t share = 0; share < chains_.shares; ++share)
            for (std::size_t rate = 0; rate < chains_.rates; ++rate) {
                const std::size_t chain = share * chains_.rates + rate;
                chains_.losses[chain] += meet(chain, round);
                // The first round of the first rate of the grid is learned with the rate as it then stood.
                move(chain, first && rate == middle ? starts[share] : rate_of(rate));
            }
        choose();
    }

  protected:
    // The distribution of one of the rules among those awake.
    virtual void mixed(std::size_t chain, const Awake& awake, double* p) const = 0;
    // Moves it by the regrets of the round.
    virtual void move(std::size_t chain, double eta) = 0;

    double* row(std::size_t chain) const { return chains_.table + chain * count; }
    double rate_of(std::size_t rate) const {
        return std::ldexp(*chains_.start, static_cast<int>(rate) - static_cast<int>(chains_.rates / 2));
    }

    Chains chains_;
    std::vector<double> p_, regrets_;

  private:
    // What the rule loses in the round; its regrets are left in regrets_, 0 for whoever sleeps.
    double meet(std::size_t chain, const AdviceRound& round) {
        mixed(chain, round.awake, p_.data());
        const bool labels = round.loss.labels();
        const double* what = labels ? round.losses : round.advice;
        double said = 0.0;
        for (std::size_t i = 0; i < count; ++i) said += p_[i] * what[i];
        const double own = labels ? said : round.loss.of(said, round.y);
        const double slope = round.gradient ? round.loss.gradient(said, round.y) : 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            const double regret = round.gradient ? slope * said - slope * round.advice[i] : own - round.losses[i];
            regrets_[i] = round.awake.all || round.awake.flag[i] ? regret : 0.0;
        }
        return own;
    }

    // The rate of the middle: one over the mean of |regret - (log N)/rate|, from the rate 1 on once for each share.
    void begin(const AdviceRound& round, std::vector<double>& starts) {
        meet(chains_.rates / 2, round);
        const double log_count = std::log(static_cast<double>(count));
        double start = 1.0;
        for (double& value : starts) {
            double sum = 0.0;
            for (const double regret : regrets_) sum += std::fabs(regret - log_count / start);
            if (sum > 0.0) start = static_cast<double>(count) / sum;
            value = start;
        }
        *chains_.start = start;
    }

    void choose() {
        const auto low = static_cast<std::size_t>(*chains_.low), high = static_cast<std::size_t>(*chains_.high);
        std::size_t best = low, rate = low;
        for (std::size_t share = 0; share < chains_.shares; ++share)
            for (std::size_t k = low; k <= high; ++k)
                if (chains_.losses[share * chains_.rates + k] < chains_.losses[best])
                    best = share * chains_.rates + k, rate = k;
        *chains_.best = static_cast<double>(best);
        if (rate == high) *chains_.high = static_cast<double>(std::min(high + 3, chains_.rates - 1));
        if (rate == low) *chains_.low = static_cast<double>(low < 3 ? 0 : low - 3);
    }
};

// Exponential weights of the regrets. R's opera, EWA without a rate.
class CalibratedExponentialWeights final : public Calibrated {
  public:
    using Calibrated::Calibrated;

  protected:
    void mixed(std::size_t chain, const Awake& awake, double* p) const override {
        const double eta = *chains_.start > 0.0 ? rate_of(chain) : 0.0;
        for (std::size_t i = 0; i < count; ++i) p[i] = eta * row(chain)[i];
        sleep(awake, p, -infinity);
        const double top = vectors::largest(p, count);
        double sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) p[i] = exp_of(p[i] - top);
        for (std::size_t i = 0; i < count; ++i) sum += p[i];
        for (std::size_t i = 0; i < count; ++i) p[i] /= sum;
    }
    void move(std::size_t chain, double) override {
        for (std::size_t i = 0; i < count; ++i) row(chain)[i] += regrets_[i];
    }
};

// Fixed share: v ~ w exp(eta regret), w = alpha/N + (1 - alpha) v. R's opera, FS without a rate and a share.
class CalibratedFixedShare final : public Calibrated {
  public:
    CalibratedFixedShare(std::size_t experts, const Chains& chains, std::vector<double> alphas)
        : Calibrated(experts, chains), alphas_(std::move(alphas)) {}

  protected:
    void mixed(std::size_t chain, const Awake& awake, double* p) const override {
        std::copy(row(chain), row(chain) + count, p);
        sleep(awake, p, 0.0);
        double sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) sum += p[i];
        for (std::size_t i = 0; i < count; ++i) p[i] /= sum;
    }
    void move(std::size_t chain, double eta) override {
        const double alpha = alphas_[chain / chains_.rates], top = vectors::largest(regrets_.data(), count);
        double* w = row(chain);
        double sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) w[i] *= exp_of(eta * (regrets_[i] - top));
        for (std::size_t i = 0; i < count; ++i) sum += w[i];
        for (std::size_t i = 0; i < count; ++i)
            w[i] = alpha / static_cast<double>(count) + (1.0 - alpha) * (w[i] / sum);
    }

  private:
    std::vector<double> alphas_;
};

}  // namespace littlestone
