// What combines predictions of a number: least-squares stacks and ML-Poly over all of them.
#pragma once

#include <array>
#include <cstddef>

#include "numbers.h"

namespace littlestone::pool {

// Least squares over N predictions and a constant, in units of the error of their mean; the covariance fades to its
// prior: variance 0.1, and another of the constant, whose mean is 0.
template <std::size_t N>
struct SquareStack {
    using Inputs = std::array<double, N + 1>;
    double weights[N + 1] = {};
    double covariance[N + 1][N + 1] = {};

    SquareStack(const std::array<double, N>& prior, double of_constant) {
        std::copy(prior.begin(), prior.end(), weights);
        for (std::size_t i = 0; i <= N; ++i) covariance[i][i] = i < N ? 0.1 : of_constant;
    }

    struct Reading {
        Inputs gain;  // S x
        double spread = 0.0, value = 0.0;
        bool sound() const { return spread >= 0.0 && std::isfinite(spread) && std::isfinite(value); }
    };

    Reading read(const Inputs& x) const {
        Reading reading;
        for (std::size_t i = 0; i <= N; ++i) {
            double sum = 0.0;
            for (std::size_t j = 0; j <= N; ++j) sum += covariance[i][j] * x[j];
            reading.gain[i] = sum;
            reading.spread += sum * x[i];
            reading.value += weights[i] * x[i];
        }
        return reading;
    }

    // `start` is what it began as.
    void learn(const Reading& reading, double target, double weight, double epsilon, const SquareStack& start) {
        if (!reading.sound()) {
            *this = start;
            return;
        }
        const double c = weight / (1.0 + weight * reading.spread);
        for (std::size_t i = 0; i <= N; ++i) weights[i] += reading.gain[i] * (target - reading.value) * c;
        for (std::size_t i = 0; i <= N; ++i)
            for (std::size_t j = 0; j <= N; ++j)
                covariance[i][j] = (1.0 - epsilon) * (covariance[i][j] - reading.gain[i] * reading.gain[j] * c) +
                                   epsilon * start.covariance[i][j];
    }
};

// ML-Poly (Gaillard, Stoltz and van Erven 2014) on the gradients of the squared error: weights R+ / (B + sum of r^2),
// each times the trust that an expert has before anything is known.
template <std::size_t N>
struct Polynomial {
    double regrets[N] = {}, squares[N] = {};
    double largest = 0.0;

    // `before` is shown as long as nobody was better than what was shown.
    double mixed(const std::array<double, N>& advice, const std::array<double, N>& trust, double before) const {
        double sum = 0.0, total = 0.0;
        for (std::size_t k = 0; k < N; ++k) {
            const double weight = weight_of(k, trust);
            sum += weight * advice[k];
            total += weight;
        }
        return total > 0.0 ? sum / total : before;
    }
    double weight_of(std::size_t k, const std::array<double, N>& trust) const {
        return regrets[k] > 0.0 ? trust[k] * regrets[k] / (largest + squares[k]) : 0.0;
    }

    void learn(const std::array<double, N>& advice, double shown, double target, double weight) {
        for (std::size_t k = 0; k < N; ++k) {
            const double regret = weight * 2.0 * (shown - target) * (shown - advice[k]);
            regrets[k] += regret;
            squares[k] += regret * regret;
            largest = std::max(largest, regret * regret);
        }
    }
};

inline constexpr std::size_t square_stacks = 3;

// N predictions, three stacks of them that forget at different rates, and ML-Poly over all.
template <std::size_t N>
struct SquareMixture {
    static constexpr double fading[square_stacks] = {1e-5, 1e-3, 1e-2};
    using Advice = std::array<double, N + square_stacks>;
    static const std::array<double, N> prior;  // of the stacks' weights
    static const Advice trust;                 // of the master
    static const double constant_variance;     // of the stacks
    static SquareStack<N> start() { return {prior, constant_variance}; }
    SquareStack<N> stacks[square_stacks] = {start(), start(), start()};
    Polynomial<N + square_stacks> master;
    double square_error = 0.0;  // running mean of the squared error of the members' mean
    double rounds = 0.0;
    double losses[N + square_stacks] = {};  // squared

    struct Reading {
        Advice advice;
        std::array<typename SquareStack<N>::Reading, square_stacks> stacks;
        double centre, prediction;
    };

    // The weights of the N and of the stacks, of sum 1; as long as nobody was better than the mean, those of the mean.
    Advice weights() const {
        Advice weights;
        double total = 0.0;
        for (std::size_t k = 0; k < N + square_stacks; ++k) total += weights[k] = master.weight_of(k, trust);
        for (std::size_t k = 0; k < N + square_stacks; ++k)
            weights[k] = total > 0.0 ? weights[k] / total : k < N ? prior[k] : 0.0;
        return weights;
    }
    // What is shown as a sum over the N: by their own weights, and by those that they have in the stacks.
    std::array<double, N> shares() const {
        const Advice weight = weights();
        std::array<double, N> share;
        std::copy_n(weight.begin(), N, share.begin());
        for (std::size_t s = 0; s < square_stacks; ++s) {
            double of_centre = 1.0;
            for (std::size_t k = 0; k < N; ++k) of_centre -= stacks[s].weights[k];
            for (std::size_t k = 0; k < N; ++k)
                share[k] += weight[N + s] * (stacks[s].weights[k] + of_centre * prior[k]);
        }
        return share;
    }
    double unit() const { return square_error > 0.0 ? std::sqrt(square_error) : 1.0; }

    // `bounded` keeps a prediction to what targets were seen.
    template <class Bounded>
    void read(Reading& reading, Bounded bounded) const {
        reading.centre = 0.0;
        for (std::size_t k = 0; k < N; ++k) reading.centre += prior[k] * reading.advice[k];
        typename SquareStack<N>::Inputs inputs;
        for (std::size_t k = 0; k < N; ++k) inputs[k] = clip((reading.advice[k] - reading.centre) / unit(), 100.0);
        inputs[N] = 1.0;
        for (std::size_t k = 0; k < square_stacks; ++k) {
            reading.stacks[k] = stacks[k].read(inputs);
            reading.advice[N + k] = bounded(reading.centre + unit() * reading.stacks[k].value);
        }
        reading.prediction = master.mixed(reading.advice, trust, reading.centre);
    }

    // Everybody slept, and is charged what was shown instead.
    void sleep(double shown, double target) {
        for (double& loss : losses) loss += (target - shown) * (target - shown);
    }
    void learn(const Reading& reading, double target, double weight) {
        for (std::size_t k = 0; k < N + square_stacks; ++k)
            losses[k] += (target - reading.advice[k]) * (target - reading.advice[k]);
        master.learn(reading.advice, reading.prediction, target, weight);
        const double away = target - reading.centre;
        const SquareStack<N> from = start();
        for (std::size_t k = 0; k < square_stacks; ++k)
            stacks[k].learn(reading.stacks[k], clip(away / unit(), 10.0), weight, fading[k], from);
        // The first round, before any target was seen, says nothing of the errors to come.
        rounds += 1.0;
        if (rounds > 1.0) square_error += (away * away - square_error) / std::min(rounds - 1.0, 1000.0);
    }
};

}  // namespace littlestone::pool
