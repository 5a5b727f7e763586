#pragma once

#include "compiled.h"

namespace littlestone {

// Bernstein Online Aggregation: w = eta exp(eta sum(r - eta r^2)) with 1/eta^2 = 2.2 sum r^2 for each expert; those
// that never had a regret keep their even share. Wintenberger 2017, with the rates of opera 1.2.
class BOA final : public CompiledExperts {
  public:
    BOA(std::size_t experts, double* regrets, double* squares)
        : CompiledExperts(experts), regrets_(regrets), squares_(squares) {}

    void weights(const Awake& awake, double* p) const override {
        double moved = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            const bool moves = squares_[i] > 0.0 && (awake.all || awake.flag[i]);
            p[i] = moves ? regrets_[i] / std::sqrt(squares_[i]) - 0.5 * std::log(squares_[i]) : -infinity;
            moved += moves ? 1.0 : 0.0;
        }
        if (moved > 0.0) {
            const double sum = vectors::exponentials(p, vectors::largest(p, count), count);
            for (std::size_t i = 0; i < count; ++i) p[i] = squares_[i] > 0.0 ? moved * p[i] / sum : 1.0;
        }
        for (std::size_t i = 0; moved == 0.0 && i < count; ++i) p[i] = 1.0;
        proportional(awake, p);
    }
    void advance(const double* losses, double own) override {
        for (std::size_t i = 0; i < count; ++i) {
            const double r = own - losses[i];
            squares_[i] += 2.2 * (r * r);
            if (squares_[i] > 0.0) regrets_[i] += r - r * r / std::sqrt(squares_[i]);
        }
    }

  private:
    double* regrets_;
    double* squares_;
};

}  // namespace littlestone
