// Bayes' mixture of experts with shares: the log loss is within ln(1/prior) + ln T of every expert's, whatever comes.
#pragma once

#include <array>
#include <cstddef>

#include "numbers.h"

namespace littlestone::pool {

// Vovk 1990; Herbster and Warmuth 1998 with the share 1/(t+1) after round t; sleepers as in Freund et al. 1997.
template <std::size_t N>
struct Master {
    double weights[N];
    double rounds = 0.0;

    using Each = std::array<double, N>;  // of those who are awake and those who sleep: 1 and 0

    static Master of(const Each& prior) {
        Master master;
        std::copy(prior.begin(), prior.end(), master.weights);
        return master;
    }

    // The probability of the positive label: the mean of those awake; 1/2 where nobody is.
    LITTLESTONE_INLINE double mixed(const Each& probability, const Each& awake) const {
        double sum = 0.0, total = 0.0;
        for (std::size_t k = 0; k < N; ++k) {
            const double weight = awake[k] * weights[k];
            sum += weight * probability[k];
            total += weight;
        }
        return total > 0.0 ? sum / total : 0.5;
    }

    // Each weight by the power of the probability that its expert gave to what came; the total of those awake stays.
    LITTLESTONE_INLINE void learn(const Each& of_truth, const Each& awake, double power, const Each& prior) {
        Each moved;
        Each gave = of_truth;
        if (power != 1.0)
            for (std::size_t k = 0; k < N; ++k) gave[k] = exp_of(power * log_of(of_truth[k]));
        double before = 0.0, after = 0.0;
        for (std::size_t k = 0; k < N; ++k) {
            moved[k] = weights[k] * gave[k];
            before += awake[k] * weights[k];
            after += awake[k] * moved[k];
        }
        if (!(after > 0.0)) return;
        rounds += 1.0;
        const double share = 1.0 / (rounds + 1.0), scale = before / after;
        for (std::size_t k = 0; k < N; ++k) {
            const double kept = awake[k] != 0.0 ? moved[k] * scale : weights[k];
            weights[k] = (1.0 - share) * kept + share * prior[k];
        }
    }
};

// The log loss of N experts. Probabilities are multiplied, and a logarithm is taken only before they grow too small.
template <std::size_t N>
struct Losses {
    double settled[N] = {};
    double product[N];

    Losses() { std::fill(product, product + N, 1.0); }
    void add(const std::array<double, N>& of_truth, double weight) {
        if (weight != 1.0) {
            for (std::size_t k = 0; k < N; ++k) settled[k] -= weight * log_of(of_truth[k]);
            return;
        }
        double least = 1.0;
        for (std::size_t k = 0; k < N; ++k) least = std::min(least, product[k] *= of_truth[k]);
        if (least >= 1e-200) return;
        for (std::size_t k = 0; k < N; ++k) {
            settled[k] -= log_of(product[k]);
            product[k] = 1.0;
        }
    }
    double of(std::size_t k) const { return settled[k] - log_of(product[k]); }
};

// How often one of the first two labels came, beside the pool by Bayes' rule without shares: what the pool loses where
// rows say nothing is then a constant more than what the frequency loses, not a multiple of ln T. It starts with a
// sixteenth of a row of either label, so that rows of one label cost it next to nothing, and rows of both soon make it
// light.
struct Frequency {
    static constexpr double prior = 1.0 / 16.0;
    double counts[2] = {1.0 / 16.0, 1.0 / 16.0};
    double weight = prior;  // that of the pool is what is left of 1
    Losses<1> losses;

    double chance() const { return counts[1] / (counts[0] + counts[1]); }
    double mixed(double pooled) const { return pooled + weight * (chance() - pooled); }
    void learn(double pooled, bool positive, double importance, double power) {
        const auto gave = [&](double chance) {
            const double of_truth = positive ? chance : 1.0 - chance;
            return power == 1.0 ? of_truth : exp_of(power * log_of(of_truth));
        };
        const double own = weight * gave(chance()), total = own + (1.0 - weight) * gave(pooled);
        losses.add({positive ? chance() : 1.0 - chance()}, importance);
        if (total > 0.0) weight = own / total;
        counts[positive] += importance;
    }
};

}  // namespace littlestone::pool
