#pragma once

#include <vector>

#include "compiled.h"

namespace littlestone {

// Weights beta^c, c the mistakes of an expert; relative to the smallest c among those awake, they never underflow to
// nothing. Mohri et al. figure 8.3 (beta > 0) and figure 8.2 (beta = 0: one mistake and an expert is out).
class Majority final : public CompiledExperts {
  public:
    Majority(std::size_t experts, double* mistakes, double beta, bool always)
        : CompiledExperts(experts), mistakes_(mistakes), beta_(beta), always_(always) {}

    void weights(const Awake& awake, double* p) const override {
        raw(awake, p);
        proportional(awake, p);
    }
    double predict(const Awake& awake, const double* p, const double* advice, const Loss&) const override {
        // With beta = 0 and everybody out both sums are 0, and the tie says 1.
        return beta_ == 0.0 && fewest(awake) > 0.0 ? 1.0 : majority(p, advice);
    }
    void advance(const double* losses, double own) override {
        if (always_ || own > 0.0) dense::add(losses, 1.0, mistakes_, count);
    }
    double asleep(double) const override { return 0.0; }

  private:
    double fewest(const Awake& awake) const {
        double least = infinity;
        for (std::size_t i = 0; i < count; ++i)
            if (awake.all || awake.flag[i]) least = std::min(least, mistakes_[i]);
        return least;
    }
    void raw(const Awake& awake, double* p) const {
        const double least = beta_ == 0.0 ? 0.0 : fewest(awake);
        for (std::size_t i = 0; i < count; ++i) p[i] = std::pow(beta_, std::max(mistakes_[i] - least, 0.0));
    }

    double* mistakes_;
    double beta_;
    bool always_;
};

}  // namespace littlestone
