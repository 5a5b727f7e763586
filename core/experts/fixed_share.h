#pragma once

#include "compiled.h"

namespace littlestone {

// v ~ w exp(-eta loss), then w = (1 - alpha) v + alpha (1 - v)/(N - 1): every expert can come back.
// Herbster and Warmuth 1998.
class FixedShare final : public CompiledExperts {
  public:
    FixedShare(std::size_t experts, double* shares, double eta, double alpha)
        : CompiledExperts(experts), shares_(shares), eta_(eta), alpha_(alpha) {}

    void weights(const Awake& awake, double* p) const override {
        std::copy(shares_, shares_ + count, p);
        proportional(awake, p);
    }
    void advance(const double* losses, double) override {
        if (count == 1) return;
        const double least = vectors::smallest(losses, count);
        double sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            shares_[i] *= std::exp(-eta_ * (losses[i] - least));
            sum += shares_[i];
        }
        const double others = static_cast<double>(count - 1);
        for (std::size_t i = 0; i < count; ++i) {
            const double v = shares_[i] / sum;
            shares_[i] = (1.0 - alpha_) * v + alpha_ * (1.0 - v) / others;
        }
    }

  private:
    double* shares_;
    double eta_, alpha_;
};

}  // namespace littlestone
