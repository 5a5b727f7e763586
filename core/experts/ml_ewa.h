#pragma once

#include "compiled.h"

namespace littlestone {

// w = exp(eta R), a rate eta = sqrt(log N / sum r^2) for each expert. Gaillard, Stoltz and van Erven 2014; opera 1.2.
class MLewa final : public CompiledExperts {
  public:
    MLewa(std::size_t experts, double* regrets, double* squares)
        : CompiledExperts(experts), regrets_(regrets), squares_(squares) {}

    void weights(const Awake& awake, double* p) const override {
        const double experts = std::log(static_cast<double>(count));
        for (std::size_t i = 0; i < count; ++i)
            p[i] = squares_[i] > 0.0 ? std::sqrt(experts / squares_[i]) * regrets_[i] : 0.0;
        softmax(awake, p);
    }
    void advance(const double* losses, double own) override {
        for (std::size_t i = 0; i < count; ++i) {
            const double r = own - losses[i];
            regrets_[i] += r;
            squares_[i] += r * r;
        }
    }

  private:
    double* regrets_;
    double* squares_;
};

}  // namespace littlestone
