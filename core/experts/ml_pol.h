#pragma once

#include "compiled.h"

namespace littlestone {

// w = eta R+ with a rate for each expert: 1/eta grows by the squared regret of the round and by how much the largest
// squared regret has grown. Gaillard, Stoltz and van Erven 2014, ML-Poly, with the rates of opera 1.2.
class MLpol final : public CompiledExperts {
  public:
    MLpol(std::size_t experts, double* regrets, double* inverse_rates, double* largest)
        : CompiledExperts(experts), regrets_(regrets), inverse_(inverse_rates), largest_(largest) {}

    void weights(const Awake& awake, double* p) const override {
        for (std::size_t i = 0; i < count; ++i) p[i] = regrets_[i] > 0.0 ? regrets_[i] / inverse_[i] : 0.0;
        proportional(awake, p);
    }
    void advance(const double* losses, double own) override {
        double top = *largest_;
        for (std::size_t i = 0; i < count; ++i) top = std::max(top, (own - losses[i]) * (own - losses[i]));
        for (std::size_t i = 0; i < count; ++i) {
            const double regret = own - losses[i];
            regrets_[i] += regret;
            inverse_[i] += regret * regret + (top - *largest_);
        }
        *largest_ = top;
    }

  private:
    double* regrets_;
    double* inverse_;
    double* largest_;
};

}  // namespace littlestone
