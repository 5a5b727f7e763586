// One label against the other: seven members, their calibrations, two stacks and the master over all of them.
#pragma once

#include "calibration.h"
#include "markov.h"
#include "master.h"
#include "members.h"
#include "newton.h"
#include "stack.h"

namespace littlestone::pool {

inline constexpr std::size_t member_count = 7, stack_count = 2, expert_count = member_count + stack_count;
enum Member : std::size_t { arow, logistic, hinge, passive_aggressive, naive_bayes, newton_filter, markov_chain };

using MemberStack = Stack<member_count + 1>;
using PoolMaster = Master<expert_count>;
using EachMember = std::array<double, member_count>;  // of members that take part: 1; of the others 0

// What a row says before its label is known; learning goes on from here.
struct alignas(64) Reading {
    Weighed weighed;
    Sums sums;
    Newton::Reading newton;
    std::array<double, member_count> score;     // raw
    std::array<double, expert_count> log_odds;  // calibrated; of the stacks moderated
    std::array<double, expert_count> chance;    // what they give to the positive label
    std::array<double, expert_count> awake;     // 1, or 0 of a sleeper
    std::array<MemberStack::Reading, stack_count> stacks;
    double probability;  // of the positive label
    double log_odds_shown() const { return log_of(probability / (1.0 - probability)); }
    double lost(bool positive) const { return -log_of(positive ? probability : 1.0 - probability); }
};

class alignas(64) Binary {
  public:
    static const PoolMaster::Each prior;
    static const MemberStack::Inputs stack_means;
    static constexpr double stack_variance = 0.1, fading[stack_count] = {1e-5, 1e-3};

    Lines lines = Lines(1);
    Newton newton;
    Calibrations<member_count> calibrations;
    MemberStack stacks[stack_count];
    PoolMaster master;
    Markov markov;
    double rows[2] = {}, masses[2] = {};  // by label: negative, positive
    Losses<expert_count> losses;          // a sleeper is charged what the pool lost
    double mistakes[expert_count] = {};

    Binary();

    // What the full covariance says, which the rest of a reading begins with.
    void ask_filter(const std::vector<Seated>& x, const Seats& seats, double taking_part, Reading& reading) const;
    // A row gauged by the shared gauges, whose lines are in reading.weighed, of which the full covariance has spoken;
    // `features` counts all features met, those of this row with them.
    void read(const Row& row, double features, const EachMember& taking_part, Reading& reading) const;
    // All but the full covariance.
    void learn(const Row& row, Reading& reading, bool positive, double weight, double power);
    // What each calibrated member adds to the log-odds shown, as far as that is a sum: by its own weight in the master,
    // and by its weight in the stacks.
    EachMember shares(const Reading& reading) const;
    // Forgets all features but these, in this order.
    void keep(const std::vector<std::size_t>& features);
    // The same learner with the labels exchanged.
    Binary mirrored() const;

  private:
    void combine(Reading& reading) const;
};

}  // namespace littlestone::pool
