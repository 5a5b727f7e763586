#pragma once

#include <cmath>

#include "compiled.h"

namespace littlestone {

// Linear least squares with a ridge at the mean of the advice. With e = y - mean(x): u = A^-1 sum e x, A = ridge I +
// sum x x', and the prediction is mean(x) + u.x/(1 + x'A^-1 x), the Vovk-Azoury-Warmuth forecaster of e.
class Ridge final : public CompiledAdvice {
  public:
    Ridge(std::size_t experts, double* inverse, double* moments, double* scale, double* squares, double* paid,
          double* largest, double ridge)
        : CompiledAdvice(experts),
          inverse_(inverse),
          moments_(moments),
          scale_(scale),
          squares_(squares),
          paid_(paid),
          largest_(largest),
          ridge_(ridge),
          gain_(experts) {}

    void weights(const Awake&, double* p) const override {
        for (std::size_t i = 0; i < count; ++i) {
            p[i] = 1.0 / static_cast<double>(count);
            if (*scale_ > 0.0) p[i] += dense::dot(inverse_ + i * count, moments_, count);
        }
    }
    double predict(const Awake&, const double* p, const double* advice, const Loss&) const override {
        const double even = vectors::sum(advice, count) / static_cast<double>(count);
        if (!(*scale_ > 0.0)) return even;
        return even + (dense::dot(advice, p, count) - even) / (1.0 + spread(advice));
    }
    void learn(const AdviceRound& round) override {
        const double even = vectors::sum(round.advice, count) / static_cast<double>(count);
        if (!(*scale_ > 0.0)) begin(round.advice, even);
        const double size = spread(round.advice), error = round.y - even;
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j < count; ++j) inverse_[i * count + j] -= gain_[i] * gain_[j] / (1.0 + size);
        for (std::size_t i = 0; i < count; ++i) moments_[i] += error * round.advice[i];
        *squares_ += error * error;
        *paid_ += size / (1.0 + size);
        *largest_ = std::max(*largest_, std::fabs(error));
    }

  private:
    // x'A^-1 x; A^-1 x is left in gain_.
    double spread(const double* x) const {
        for (std::size_t i = 0; i < count; ++i) gain_[i] = dense::dot(inverse_ + i * count, x, count);
        return dense::dot(x, gain_.data(), count);
    }
    // The first prediction does not depend on the ridge, so that it can be set by the advice of the first round.
    void begin(const double* advice, double even) {
        double square = 0.0;
        for (std::size_t i = 0; i < count; ++i) square += (advice[i] - even) * (advice[i] - even);
        *scale_ = square > 0.0 ? ridge_ * square / static_cast<double>(count) : ridge_;
        for (std::size_t i = 0; i < count; ++i) inverse_[i * count + i] = 1.0 / *scale_;
    }

    double* inverse_;
    double* moments_;
    double* scale_;
    double* squares_;
    double* paid_;
    double* largest_;
    double ridge_;
    mutable std::vector<double> gain_;
};

}  // namespace littlestone
