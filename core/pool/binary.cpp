#include "binary.h"

#include "../clones.h"

namespace littlestone::pool {
namespace {

PoolMaster::Each normalised(PoolMaster::Each prior) {
    double total = 0.0;
    for (const double share : prior) total += share;
    for (double& share : prior) share /= total;
    return prior;
}

}  // namespace

const PoolMaster::Each Binary::prior = normalised({1.0, 1.0, 1.0, 0.05, 0.3, 0.5, 0.05, 1.0, 1.0});
const MemberStack::Inputs Binary::stack_means = {1 / 3.8, 1 / 3.8, 1 / 3.8, 0.0, 0.3 / 3.8, 0.5 / 3.8, 0.0, 0.0};

Binary::Binary()
    : calibrations{{2.0, 1.0, 2.0, 2.0, 0.1, 1.0, 1.0},
                   {0.3, 0.1, 0.3, 0.3, 0.3, 0.1, 0.1},
                   {0.3, 0.1, 0.3, 0.3, 0.3, 0.1, 0.1}},
      stacks{MemberStack::of(stack_means, stack_variance), MemberStack::of(stack_means, stack_variance)},
      master(PoolMaster::of(prior)),
      markov(Markov::fresh()) {}

LITTLESTONE_CLONES void Binary::combine(Reading& reading) const {
    MemberStack::Inputs inputs;
    PoolMaster::Each log_odds, chance;
    for (std::size_t k = 0; k < member_count; ++k)
        log_odds[k] = inputs[k] = reading.awake[k] * calibrations.log_odds(k, reading.score[k]);
    inputs[member_count] = 1.0;
    for (std::size_t k = 0; k < stack_count; ++k) {
        const MemberStack::Reading of = stacks[k].read(inputs);
        log_odds[member_count + k] = of.log_odds();
        reading.stacks[k] = of;
    }
    for (std::size_t k = 0; k < expert_count; ++k) chance[k] = sigma(log_odds[k]);
    reading.probability = master.mixed(chance, reading.awake);
    reading.log_odds = log_odds;
    reading.chance = chance;
}

void Binary::ask_filter(const std::vector<Seated>& x, const Seats& seats, double taking_part, Reading& reading) const {
    reading.awake[newton_filter] = seats.retired() ? 0.0 : taking_part;
    reading.score[newton_filter] = 0.0;
    if (reading.awake[newton_filter] == 0.0) return;
    newton.read(x, seats.size(), reading.newton);
    reading.score[newton_filter] = Newton::score(reading.newton);
}

void Binary::read(const Row& row, double features, const EachMember& taking_part, Reading& reading) const {
    const double V = std::max(features, 1.0);
    const double offset = log_of((masses[1] + 0.5 * V) / (masses[0] + 0.5 * V));
    reading.sums = weigh_row(row, static_cast<float>(offset), reading.weighed);
    std::copy_n(reading.sums.scores, 4, reading.score.begin());
    reading.score[naive_bayes] = finite_or_zero(log_of((rows[1] + 0.5) / (rows[0] + 0.5)) + reading.sums.evidence);
    for (std::size_t k = 0; k < expert_count; ++k)
        if (k != newton_filter) reading.awake[k] = k < member_count ? taking_part[k] : 1.0;
    reading.score[markov_chain] = reading.awake[markov_chain] != 0.0 ? markov.score() : 0.0;
    combine(reading);
}

LITTLESTONE_CLONES void Binary::learn(const Row& row, Reading& reading, bool positive, double weight, double power) {
    const double truth = positive ? 1.0 : 0.0, sign = positive ? 1.0 : -1.0;
    PoolMaster::Each of_truth, mistaken;
    const PoolMaster::Each awake = reading.awake;
    for (std::size_t k = 0; k < expert_count; ++k) {
        const double chance = awake[k] != 0.0 ? reading.chance[k] : reading.probability;
        of_truth[k] = positive ? chance : 1.0 - chance;
        mistaken[k] = sign * reading.log_odds[k] <= 0.0 ? 1.0 : 0.0;
    }
    for (std::size_t k = 0; k < expert_count; ++k) mistakes[k] += mistaken[k];
    losses.add(of_truth, weight);
    master.learn(of_truth, awake, power, prior);
    for (std::size_t k = 0; k < stack_count; ++k)
        stacks[k].learn(reading.stacks[k], truth, weight, fading[k], stack_variance, stack_means);
    calibrations.learn(reading.score.data(), reading.chance.data(), awake.data(), truth, weight);

    Steps steps;
    steps.sign = sign;
    steps.weight = weight;
    for (std::size_t k = 0; k < 4; ++k) {
        const double loss = 1.0 - sign * reading.score[k];
        steps.loss[k] = loss > reached ? loss : 0.0;
    }
    steps.logistic_error = weight * sign * sigma(-sign * reading.score[logistic]);
    step_linear(row, reading.sums.scale, steps, reading.weighed);
    const Masses change = add_masses(row, positive, weight, reading.weighed);
    write_lines(row, reading.weighed, lines);
    masses[0] += change.negative;
    masses[1] += change.positive;
    rows[positive] += weight;
    if (reading.awake[markov_chain] != 0.0) markov.learn(positive, weight);
}

EachMember Binary::shares(const Reading& reading) const {
    EachMember share{};
    double total = 0.0;
    for (std::size_t k = 0; k < expert_count; ++k) total += reading.awake[k] * master.weights[k];
    for (std::size_t k = 0; k < member_count; ++k) share[k] = reading.awake[k] * master.weights[k] / total;
    for (std::size_t s = 0; s < stack_count; ++s) {
        const double part = reading.awake[member_count + s] * master.weights[member_count + s] / total;
        for (std::size_t k = 0; k < member_count; ++k)
            share[k] += reading.awake[k] * part * reading.stacks[s].moderation() * stacks[s].weights[k];
    }
    return share;
}

// The masses are the totals of what is kept; those of the constant stand in its line.
void Binary::keep(const std::vector<std::size_t>& features) {
    const auto added = [](const Lines& of) {
        std::array<double, 2> sums{};
        for (const Line& line : of) {
            sums[0] += static_cast<double>(line.negative());
            sums[1] += static_cast<double>(line.positive());
        }
        return sums;
    };
    const auto before = added(lines);
    lines = kept(lines, features);
    const auto after = added(lines);
    for (std::size_t label = 0; label < 2; ++label)
        masses[label] = std::max(masses[label] - (before[label] - after[label]), 0.0);
}

Binary Binary::mirrored() const {
    Binary twin = *this;
    for (Line& line : twin.lines) {
        line.weights = -line.weights;
        line.rest = Four{line.rest[1], line.rest[0], line.rest[2], line.rest[3]};
    }
    for (double& weight : twin.newton.weights) weight = -weight;
    for (MemberStack& stack : twin.stacks) stack.mirror();
    for (int context = 0; context < 8; ++context)
        for (int label = 0; label < 2; ++label)
            twin.markov.counts[7 - context][1 - label] = markov.counts[context][label];
    twin.markov.context = 7.0 - markov.context;
    std::swap(twin.rows[0], twin.rows[1]);
    std::swap(twin.masses[0], twin.masses[1]);
    return twin;
}

}  // namespace littlestone::pool
