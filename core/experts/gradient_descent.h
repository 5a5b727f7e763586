#pragma once

#include <cmath>

#include "compiled.h"
#include "simplex.h"

namespace littlestone {

// w <- the point of the simplex nearest to w - eta g, with eta = t^-power/(the largest norm of g so far). Zinkevich
// 2003.
class GradientDescent final : public CompiledExperts {
  public:
    GradientDescent(std::size_t experts, double* point, double* largest, double* rounds, double* paid, double power,
                    bool centred)
        : CompiledExperts(experts),
          point_(point),
          largest_(largest),
          rounds_(rounds),
          paid_(paid),
          power_(power),
          centred_(centred) {}

    void weights(const Awake& awake, double* p) const override {
        std::copy(point_, point_ + count, p);
        proportional(awake, p);
    }
    void advance(const double* losses, double) override {
        const double level = centred_ ? level_of(losses, count) : 0.0;
        const double square = square_norm(losses, level, count);
        *rounds_ += 1.0;
        *largest_ = std::max(*largest_, std::sqrt(square));
        if (!(*largest_ > 0.0)) return;
        const double eta = std::pow(*rounds_, -power_) / *largest_;
        *paid_ += 0.5 * eta * square;
        for (std::size_t i = 0; i < count; ++i) point_[i] -= eta * (losses[i] - level);
        to_simplex(point_, count, room_);
    }

  private:
    double* point_;
    double* largest_;
    double* rounds_;
    double* paid_;
    double power_;
    bool centred_;
    std::vector<double> room_;
};

}  // namespace littlestone
