#pragma once

#include "../random.h"
#include "compiled.h"
#include "pace.h"

namespace littlestone {

// All weight on the expert with the largest gumbel - eta L, the noise drawn anew in every round: in law, Hedge.
// Kalai and Vempala 2005.
class PerturbedLeader final : public CompiledExperts {
  public:
    PerturbedLeader(std::size_t experts, double* losses, double* rounds, const Pace& pace, std::uint64_t seed)
        : CompiledExperts(experts), losses_(losses), rounds_(rounds), pace_(pace), seed_(seed) {}

    void weights(const Awake& awake, double* p) const override {
        const double eta = pace_.rate(*rounds_);
        const std::uint64_t first = static_cast<std::uint64_t>(*rounds_) * count;
        std::size_t leader = count;
        double best = -infinity;
        for (std::size_t i = 0; i < count; ++i) {
            p[i] = 0.0;
            if (!awake.all && !awake.flag[i]) continue;
            const double score = -std::log(-std::log(uniform(seed_, first + i))) - eta * losses_[i];
            if (leader == count || score > best) leader = i, best = score;
        }
        p[leader] = 1.0;
    }
    void advance(const double* losses, double) override {
        dense::add(losses, 1.0, losses_, count);
        *rounds_ += 1.0;
        if (pace_.starts(*rounds_)) std::fill(losses_, losses_ + count, 0.0);
    }
    void rescale(double factor) override {
        for (std::size_t i = 0; i < count; ++i) losses_[i] *= factor;
    }

  private:
    double* losses_;
    double* rounds_;
    Pace pace_;
    std::uint64_t seed_;
};

}  // namespace littlestone
