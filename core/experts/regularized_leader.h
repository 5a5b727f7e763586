#pragma once

#include <cmath>

#include "compiled.h"
#include "simplex.h"

namespace littlestone {

// w = the point of the simplex nearest to 1/N - L/sqrt(S), L the gradients so far and S the sum of their squared norms.
// McMahan 2017; Orabona and Pal 2018.
class RegularizedLeader final : public CompiledExperts {
  public:
    RegularizedLeader(std::size_t experts, double* losses, double* squares, double* paid)
        : CompiledExperts(experts), losses_(losses), squares_(squares), paid_(paid) {}

    void weights(const Awake& awake, double* p) const override {
        const double even = 1.0 / static_cast<double>(count), eta = *squares_ > 0.0 ? 1.0 / std::sqrt(*squares_) : 0.0;
        std::vector<double> room;
        for (std::size_t i = 0; i < count; ++i) p[i] = even - eta * losses_[i];
        to_simplex(p, count, room);
        proportional(awake, p);
    }
    void advance(const double* losses, double) override {
        const double level = level_of(losses, count);
        const double square = square_norm(losses, level, count), most = std::sqrt(2.0 * square);
        *paid_ += *squares_ > 0.0 ? std::min(most, 0.5 * square / std::sqrt(*squares_)) : most;
        *squares_ += square;
        for (std::size_t i = 0; i < count; ++i) losses_[i] += losses[i] - level;
    }

  private:
    double* losses_;
    double* squares_;
    double* paid_;
};

}  // namespace littlestone
