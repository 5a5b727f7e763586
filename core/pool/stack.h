// Logistic regression of the members' log-odds, by a filter of full covariance that slowly forgets.
#pragma once

#include <array>
#include <cstddef>

#include "numbers.h"

namespace littlestone::pool {

inline constexpr double pi_over_8 = 0.39269908169872414;

// Four numbers as one: what a register of AVX2 holds. Of more the compiler makes memory where there is no AVX-512.
// Never passed by value, for vectors have no common ABI.
typedef double FourDoubles __attribute__((vector_size(32)));

LITTLESTONE_INLINE void take(const double* from, FourDoubles& of) { __builtin_memcpy(&of, from, sizeof of); }
LITTLESTONE_INLINE void put(const FourDoubles& of, double* to) { __builtin_memcpy(to, &of, sizeof of); }

// The extended Kalman filter of logistic regression over N inputs, the last of them a constant. Each round the
// covariance S moves by a share of epsilon back to its prior.
template <std::size_t N>
struct Stack {
    static_assert(N % 4 == 0);
    static constexpr std::size_t fours = N / 4;
    using Inputs = std::array<double, N>;
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
        FourDoubles gain[fours] = {}, row, inputs, w;
        for (std::size_t j = 0; j < N; ++j)  // S is symmetric: a sum of its rows
            for (std::size_t b = 0; b < fours; ++b) {
                take(covariance[j] + 4 * b, row);
                gain[b] += row * x[j];
            }
        for (std::size_t b = 0; b < fours; ++b) {
            take(x.data() + 4 * b, inputs);
            take(weights + 4 * b, w);
            const FourDoubles spread = gain[b] * inputs, logit = w * inputs;
            for (std::size_t i = 0; i < 4; ++i) {
                reading.spread += spread[i];
                reading.logit += logit[i];
            }
            put(gain[b], reading.gain.data() + 4 * b);
        }
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
        FourDoubles gain[fours], w, row;
        for (std::size_t b = 0; b < fours; ++b) {
            take(reading.gain.data() + 4 * b, gain[b]);
            take(weights + 4 * b, w);
            put(w + gain[b] * weight * (truth - p) * c, weights + 4 * b);
        }
        for (std::size_t i = 0; i < N; ++i) {
            const double scaled = reading.gain[i] * (h * c);
            for (std::size_t b = 0; b < fours; ++b) {
                take(covariance[i] + 4 * b, row);
                put((1.0 - epsilon) * (row - scaled * gain[b]), covariance[i] + 4 * b);
            }
            covariance[i][i] += epsilon * variance;
        }
    }
};

}  // namespace littlestone::pool
