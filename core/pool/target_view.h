// The members that predict a number, on one view of the rows.
#pragma once

#include "members.h"
#include "newton.h"
#include "square.h"

namespace littlestone::pool {

inline constexpr std::size_t target_members = 7;
enum TargetMember : std::size_t { adagrad, aggressive, capped, ridge, drifting_ridge, last_value, recent_mean };
using MemberMixture = SquareMixture<target_members>;
template <>
const std::array<double, target_members> MemberMixture::prior;
template <>
const MemberMixture::Advice MemberMixture::trust;
template <>
const double MemberMixture::constant_variance;

struct TargetReading {
    Weighed weighed;
    Sums sums;
    Newton::Reading newton[2];
    std::array<double, target_members> raw;  // before they are clipped
    MemberMixture::Reading mixture;
};

struct Ridge {
    Newton newton;
};

class TargetView {
  public:
    static constexpr std::size_t recent_count = 20;

    Lines lines = Lines(1);  // weights: none, AdaGrad, Passive-Aggressive, capped Passive-Aggressive
    Seats seats;
    Ridge ridges[2];
    MemberMixture mixture;
    double rounds = 0.0, lowest = 0.0, highest = 0.0;
    double adagrad_error = 0.0, capped_error = 0.0;  // sums of absolute errors
    double recent[recent_count] = {};

    void read(Row& row, TargetReading& reading) const;
    void learn(Row& row, TargetReading& reading, double target, double weight);
    // Room for a row that is to be learned; from here on it takes no memory.
    void make_room(const Row& row);
    // A prediction within a tenth of the range beyond the targets seen.
    double bounded(double prediction) const;

  private:
    void step_linear(const Row& row, TargetReading& reading, double target, double weight);
    void step_ridges(Row& row, TargetReading& reading, double target, double weight);
};

}  // namespace littlestone::pool
