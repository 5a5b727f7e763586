#pragma once

#include "compiled.h"

namespace littlestone {

// w = eta exp(l), l <- (eta'/eta) l + log(1 + eta' r), with a rate eta' = min(1/(2 max|r|), sqrt(log N/(1 + sum r^2)))
// for each expert. Gaillard, Stoltz and van Erven 2014, Adapt-ML-Prod, with the rates of opera 1.2.
class MLprod final : public CompiledExperts {
  public:
    MLprod(std::size_t experts, double* log_weights, double* rates, double* squares, double* largest)
        : CompiledExperts(experts), log_(log_weights), rates_(rates), squares_(squares), largest_(largest) {}

    void weights(const Awake& awake, double* p) const override {
        std::copy(log_, log_ + count, p);
        sleep(awake, p, -infinity);
        const double top = vectors::largest(p, count);
        vectors::exponentials(p, top, count);
        for (std::size_t i = 0; i < count; ++i) p[i] *= rates_[i];
        proportional(awake, p);
    }
    void advance(const double* losses, double own) override {
        const double experts = std::log(static_cast<double>(count));
        for (std::size_t i = 0; i < count; ++i) {
            const double r = own - losses[i];
            squares_[i] += r * r;
            largest_[i] = std::max(largest_[i], std::fabs(r));
            const double rate = std::min(0.5 / largest_[i], std::sqrt(experts / squares_[i]));
            log_[i] = (rates_[i] > 0.0 ? rate / rates_[i] * log_[i] : 0.0) + std::log1p(rate * r);
            rates_[i] = rate;
        }
    }

  private:
    double* log_;
    double* rates_;
    double* squares_;
    double* largest_;
};

}  // namespace littlestone
