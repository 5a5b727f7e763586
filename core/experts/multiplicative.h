#pragma once

#include "compiled.h"

namespace littlestone {

// w <- w (1 - (1 - beta) loss), kept as logarithms. Mohri et al. exercise 8.7.
class Multiplicative final : public CompiledExperts {
  public:
    Multiplicative(std::size_t experts, double* log_weights, double beta)
        : CompiledExperts(experts), log_weights_(log_weights), beta_(beta) {}

    void weights(const Awake& awake, double* p) const override {
        std::copy(log_weights_, log_weights_ + count, p);
        softmax(awake, p);
    }
    void advance(const double* losses, double) override {
        for (std::size_t i = 0; i < count; ++i) log_weights_[i] += std::log1p(-(1.0 - beta_) * losses[i]);
    }

  private:
    double* log_weights_;
    double beta_;
};

}  // namespace littlestone
