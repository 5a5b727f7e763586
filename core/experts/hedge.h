#pragma once

#include "../random.h"
#include "compiled.h"
#include "exp.h"
#include "pace.h"

namespace littlestone {

// p ~ prior exp(-eta L), L the losses so far. Mohri et al. figure 8.5, and figure 8.4 with eta = log(1/beta).
class Hedge : public CompiledExperts {
  public:
    Hedge(std::size_t experts, double* losses, const double* log_prior, double* rounds, const Pace& pace)
        : CompiledExperts(experts), losses_(losses), log_prior_(log_prior), rounds_(rounds), pace_(pace) {}

    void weights(const Awake& awake, double* p) const override {
        softmax(awake, p, vectors::scores(log_prior_, losses_, pace_.rate(*rounds_), p, count));
    }
    void advance(const double* losses, double) override {
        dense::add(losses, 1.0, losses_, count);
        *rounds_ += 1.0;
        if (pace_.starts(*rounds_)) std::fill(losses_, losses_ + count, 0.0);
    }
    void rescale(double factor) override {
        for (std::size_t i = 0; i < count; ++i) losses_[i] *= factor;
    }

  protected:
    double* losses_;
    const double* log_prior_;
    double* rounds_;
    Pace pace_;
};

// Hedge that says what an expert drawn from p says. Draw t of a seed is a function of the seed and t alone.
class RandomizedHedge final : public Hedge {
  public:
    RandomizedHedge(std::size_t experts, double* losses, const double* log_prior, double* rounds, const Pace& pace,
                    std::uint64_t seed)
        : Hedge(experts, losses, log_prior, rounds, pace), seed_(seed) {}

    double predict(const Awake&, const double* p, const double* advice, const Loss& loss) const override {
        if (!loss.labels()) return dense::dot(advice, p, count);
        const double drawn = uniform(seed_, static_cast<std::uint64_t>(*rounds_));
        double below = 0.0, said = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            if (p[i] > 0.0) said = advice[i];
            below += p[i];
            if (drawn < below) break;
        }
        return said;
    }

  private:
    std::uint64_t seed_;
};

// Vovk's Aggregating Algorithm for the Brier game of two outcomes: exp(-eta G(y)) = sum p exp(-eta loss(x, y)), and the
// forecast whose losses on 1 and 0 differ by G(1) - G(0) is at most G on both (Vovk and Zhdanov 2009).
class BrierAggregation final : public Hedge {
  public:
    using Hedge::Hedge;

    double predict(const Awake&, const double* p, const double* advice, const Loss&) const override {
        const double eta = pace_.rate(*rounds_);
        double one = 0.0, zero = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            if (!(p[i] > 0.0)) continue;
            one += p[i] * exp_of(-eta * ((1.0 - advice[i]) * (1.0 - advice[i])));
            zero += p[i] * exp_of(-eta * (advice[i] * advice[i]));
        }
        return std::clamp(0.5 + (std::log(one) - std::log(zero)) / (2.0 * eta), 0.0, 1.0);
    }
};

}  // namespace littlestone
