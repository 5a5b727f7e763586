// The pool for targets: members that predict a number, least-squares stacks, and ML-Poly with gradients over all.
#pragma once

#include "members.h"
#include "newton.h"

namespace littlestone::pool {

inline constexpr std::size_t target_members = 7, target_stacks = 3, target_experts = target_members + target_stacks;
enum TargetMember : std::size_t { adagrad, aggressive, capped, ridge, drifting_ridge, last_value, recent_mean };

// Least squares over the members' predictions, in units of the error of their mean; the covariance fades to its prior.
struct SquareStack {
    static constexpr std::size_t N = target_members + 1;
    using Inputs = std::array<double, N>;
    double weights[N];
    double covariance[N][N];

    static SquareStack fresh();
    struct Reading {
        Inputs gain;
        double spread = 0.0, value = 0.0;
    };
    Reading read(const Inputs& x) const;
    void learn(const Reading& reading, double target, double weight, double epsilon);
};

// ML-Poly (Gaillard, Stoltz and van Erven 2014): weights proportional to R+ / (B + sum of r^2).
struct Polynomial {
    double regrets[target_experts] = {};
    double squares[target_experts] = {};
    double largest = 0.0;

    double mixed(const std::array<double, target_experts>& advice) const;
    void learn(const std::array<double, target_experts>& advice, double shown, double target, double weight);
};

struct TargetReading {
    Sums sums;
    Newton::Reading newton[2];
    std::array<double, target_experts> advice;  // clipped to what targets were seen
    std::array<double, target_experts> raw;
    SquareStack::Inputs inputs;
    std::array<SquareStack::Reading, target_stacks> stacks;
    double centre, prediction;
};

class TargetPool {
  public:
    static constexpr double fading[target_stacks] = {1e-5, 1e-3, 1e-2};
    static constexpr std::size_t recent_count = 20;

    Lines lines = Lines(1);  // weights: AdaGrad, Passive-Aggressive, capped
    Seats seats;
    Newton ridges[2];
    SquareStack stacks[target_stacks];
    Polynomial master;
    double rounds = 0.0, lowest = 0.0, highest = 0.0;
    double adagrad_error = 0.0, capped_error = 0.0;  // sums of absolute errors
    double square_error = 0.0;                       // running mean of the squared error of the members' mean
    double recent[recent_count] = {};
    double losses[target_experts] = {};  // squared

    TargetPool();
    void read(Row& row, TargetReading& reading) const;
    void learn(Row& row, TargetReading& reading, double target, double weight);
    void widen(std::size_t count) {
        if (lines.size() < count) lines.resize(count);
    }

  private:
    double clipped(double prediction) const;
    void step_linear(Row& row, const TargetReading& reading, double target, double weight);
    void step_ridges(Row& row, TargetReading& reading, double target, double weight);
};

}  // namespace littlestone::pool
