#pragma once

#include <vector>

#include "compiled.h"

namespace littlestone {

// Hedge with eta = log N / gap, gap the sum of (mean loss - mix loss) so far; while it is 0, the leaders share.
// De Rooij, van Erven, Grunwald and Koolen 2014, figure 1.
class AdaHedge final : public CompiledExperts {
  public:
    AdaHedge(std::size_t experts, double* losses, double* gap)
        : CompiledExperts(experts), losses_(losses), gap_(gap), all_(experts) {}

    void weights(const Awake& awake, double* p) const override {
        if (*gap_ > 0.0) {
            const double eta = rate();
            for (std::size_t i = 0; i < count; ++i) p[i] = -eta * losses_[i];
            return softmax(awake, p);
        }
        double least = infinity;
        for (std::size_t i = 0; i < count; ++i)
            if (awake.all || awake.flag[i]) least = std::min(least, losses_[i]);
        for (std::size_t i = 0; i < count; ++i) p[i] = losses_[i] == least ? 1.0 : 0.0;
        proportional(awake, p);
    }
    void advance(const double* losses, double) override {
        double* p = all_.data();
        weights({nullptr, count, true}, p);
        // From the least loss on, so that equal losses leave no gap by rounding, however large they are.
        const double least = vectors::smallest(losses, count);
        double mean = 0.0;
        for (std::size_t i = 0; i < count; ++i) mean += p[i] * (losses[i] - least);
        const double mix = *gap_ > 0.0 ? mix_loss(p, losses, least) : growth(losses, least);
        dense::add(losses, 1.0, losses_, count);
        if (count > 1) *gap_ += std::max(mean - mix, 0.0);
    }

  private:
    double rate() const { return std::log(static_cast<double>(count)) / *gap_; }
    // How much the smallest total grows, from differences.
    double growth(const double* losses, double least) const {
        const double leading = vectors::smallest(losses_, count);
        double grown = infinity;
        for (std::size_t i = 0; i < count; ++i) grown = std::min(grown, (losses_[i] - leading) + (losses[i] - least));
        return grown;
    }
    double mix_loss(const double* p, const double* losses, double least) const {
        const double eta = rate();
        double sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) sum += p[i] * std::exp(-eta * (losses[i] - least));
        return -std::log(sum) / eta;
    }

    double* losses_;
    double* gap_;
    std::vector<double> all_;
};

}  // namespace littlestone
