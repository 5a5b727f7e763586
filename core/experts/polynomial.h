#pragma once

#include "compiled.h"

namespace littlestone {

// w = (R+)^(alpha - 1), R the regrets so far; relative to the largest, powers do not overflow. Mohri et al. ex. 8.8.
class Polynomial final : public CompiledExperts {
  public:
    Polynomial(std::size_t experts, double* regrets, double alpha)
        : CompiledExperts(experts), regrets_(regrets), alpha_(alpha) {}

    void weights(const Awake& awake, double* p) const override {
        double top = 0.0;
        for (std::size_t i = 0; i < count; ++i)
            if (awake.all || awake.flag[i]) top = std::max(top, regrets_[i]);
        for (std::size_t i = 0; i < count; ++i)
            p[i] = top > 0.0 ? std::pow(std::clamp(regrets_[i] / top, 0.0, 1.0), alpha_ - 1.0) : 0.0;
        proportional(awake, p);
    }
    void advance(const double* losses, double own) override {
        for (std::size_t i = 0; i < count; ++i) regrets_[i] += own - losses[i];
    }

  private:
    double* regrets_;
    double alpha_;
};

}  // namespace littlestone
