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

struct alignas(64) TargetReading {
    Weighed weighed;
    Sums sums;
    Newton::Reading newton[2];
    std::array<double, target_members> raw;  // before they are clipped
    MemberMixture::Reading mixture;
};

// The targets seen. A prediction is kept within a tenth of their range beyond them.
struct Range {
    double lowest = 0.0, highest = 0.0;

    double bounded(double prediction) const {
        const double slack = 0.1 * (highest - lowest);
        return std::min(std::max(finite_or_zero(prediction), lowest - slack), highest + slack);
    }
    void widen(double target) {
        lowest = std::min(lowest, target);
        highest = std::max(highest, target);
    }
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
    double rounds = 0.0;
    Range range;
    double adagrad_error = 0.0, capped_error = 0.0;  // sums of absolute errors
    double recent[recent_count] = {};
    Apart apart;

    void read(Row& row, TargetReading& reading) const;
    void learn(Row& row, TargetReading& reading, double target, double weight);
    // Room for rows that are to be learned, with so many lines; from here on it takes no memory.
    void make_room(std::size_t lines);
    void ask_for(const Row& row) const {
        for (std::size_t k = row.measured; k < row.size; ++k) pool::ask_for(lines, row.line[k]);
    }

  private:
    void step_linear(const Row& row, TargetReading& reading, double target, double weight);
    void step_ridges(Row& row, TargetReading& reading, double target, double weight);
};

}  // namespace littlestone::pool
