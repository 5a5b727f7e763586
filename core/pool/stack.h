// Logistic regression of the members' log-odds, by a filter of full covariance that slowly forgets.
#pragma once

#include <array>
#include <cstddef>

#include "numbers.h"

namespace littlestone::pool {

inline constexpr double pi_over_8 = 0.39269908169872414;

// So many numbers as one, which is computed with as a whole; never passed by value, for vectors have no common ABI.
template <std::size_t N>
struct Doubles;
template <>
struct Doubles<4> {
    typedef double Vector __attribute__((vector_size(32)));
};
template <>
struct Doubles<8> {
    typedef double Vector __attribute__((vector_size(64)));
};

// The extended Kalman filter of logistic regression over N inputs, the last of them a constant. Each round the
// covariance S moves by a share of epsilon back to its prior.
template <std::size_t N>
struct Stack {
    using Inputs = std::array<double, N>;
    using Vector = typename Doubles<N>::Vector;
    double weights[N];
    double covariance[N][N];

    static Stack of(const Inputs& means, double variance) {
        Stack stack;
        for (std::size_t i = 0; i < N; ++i) {
            stack.weights[i] = means[i];
            for (std::size_t j = 0; j < N; ++j) stack.covariance[i][j] = i == j ? variance : 0.0;
        }
        return stack;
    }

    struct Reading {
        Inputs gain;  // S x
        double spread = 0.0, logit = 0.0;
        // MacKay's moderation: the log-odds under the uncertainty of the weights.
        double moderation() const { return 1.0 / std::sqrt(1.0 + pi_over_8 * spread); }
        double log_odds() const { return clip(finite_or_zero(logit * moderation()), 15.0); }
    };

    LITTLESTONE_INLINE Reading read(const Inputs& x) const {
        Reading reading;
        Vector gain{}, row, inputs, w;
        for (std::size_t j = 0; j < N; ++j) {  // S is symmetric: a sum of its rows
            take(covariance[j], row);
            gain += row * x[j];
        }
        take(x.data(), inputs);
        take(weights, w);
        const Vector spread = gain * inputs, logit = w * inputs;
        for (std::size_t i = 0; i < N; ++i) {
            reading.spread += spread[i];
            reading.logit += logit[i];
        }
        put(gain, reading.gain.data());
        return reading;
    }

    // The same filter with the labels exchanged.
    void mirror() {
        weights[N - 1] = -weights[N - 1];
        for (std::size_t i = 0; i + 1 < N; ++i) {
            covariance[i][N - 1] = -covariance[i][N - 1];
            covariance[N - 1][i] = -covariance[N - 1][i];
        }
    }

    LITTLESTONE_INLINE void learn(const Reading& reading, double truth, double weight, double epsilon, double variance,
                                  const Inputs& means) {
        if (!(reading.spread >= 0.0) || !std::isfinite(reading.spread) || !std::isfinite(reading.logit)) {
            *this = of(means, variance);
            return;
        }
        const double p = sigma(reading.logit);
        const double h = weight * std::max(p * (1.0 - p), 1e-5);
        const double c = 1.0 / (1.0 + h * reading.spread);
        Vector gain, w, row;
        take(reading.gain.data(), gain);
        take(weights, w);
        put(w + gain * weight * (truth - p) * c, weights);
        const Vector scaled = gain * (h * c);
        for (std::size_t i = 0; i < N; ++i) {
            take(covariance[i], row);
            put((1.0 - epsilon) * (row - scaled[i] * gain), covariance[i]);
            covariance[i][i] += epsilon * variance;
        }
    }

  private:
    LITTLESTONE_INLINE static void take(const double* from, Vector& of) { __builtin_memcpy(&of, from, sizeof of); }
    LITTLESTONE_INLINE static void put(const Vector& of, double* to) { __builtin_memcpy(to, &of, sizeof of); }
};

}  // namespace littlestone::pool
