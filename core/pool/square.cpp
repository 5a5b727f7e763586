#include "square.h"

namespace littlestone::pool {

SquareStack SquareStack::fresh() {
    SquareStack stack{};
    for (std::size_t i = 0; i < N; ++i) {
        stack.weights[i] = i + 1 < N ? 1.0 / static_cast<double>(target_members) : 0.0;
        stack.covariance[i][i] = i + 1 < N ? 0.1 : 0.01;
    }
    return stack;
}

SquareStack::Reading SquareStack::read(const Inputs& x) const {
    Reading reading;
    for (std::size_t i = 0; i < N; ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < N; ++j) sum += covariance[i][j] * x[j];
        reading.gain[i] = sum;
        reading.spread += sum * x[i];
        reading.value += weights[i] * x[i];
    }
    return reading;
}

void SquareStack::learn(const Reading& reading, double target, double weight, double epsilon) {
    if (!(reading.spread >= 0.0) || !std::isfinite(reading.spread) || !std::isfinite(reading.value)) {
        *this = fresh();
        return;
    }
    const double c = weight / (1.0 + weight * reading.spread);
    for (std::size_t i = 0; i < N; ++i) weights[i] += reading.gain[i] * (target - reading.value) * c;
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < N; ++j)
            covariance[i][j] = (1.0 - epsilon) * (covariance[i][j] - reading.gain[i] * reading.gain[j] * c) +
                               (i == j ? epsilon * (i + 1 < N ? 0.1 : 0.01) : 0.0);
}

double Polynomial::mixed(const std::array<double, target_experts>& advice) const {
    double sum = 0.0, total = 0.0, plain = 0.0;
    for (std::size_t k = 0; k < target_experts; ++k) {
        const double weight = regrets[k] > 0.0 ? regrets[k] / (largest + squares[k]) : 0.0;
        sum += weight * advice[k];
        total += weight;
        plain += advice[k];
    }
    return total > 0.0 ? sum / total : plain / static_cast<double>(target_experts);
}

void Polynomial::learn(const std::array<double, target_experts>& advice, double shown, double target, double weight) {
    for (std::size_t k = 0; k < target_experts; ++k) {
        const double regret = weight * 2.0 * (shown - target) * (shown - advice[k]);
        regrets[k] += regret;
        squares[k] += regret * regret;
        largest = std::max(largest, regret * regret);
    }
}

TargetPool::TargetPool() {
    for (SquareStack& stack : stacks) stack = SquareStack::fresh();
}

double TargetPool::clipped(double prediction) const {
    const double slack = 0.1 * (highest - lowest);
    return std::min(std::max(finite_or_zero(prediction), lowest - slack), highest + slack);
}

void TargetPool::read(Row& row, TargetReading& reading) const {
    gauge_row(row, lines);
    reading.sums = weigh_row(row, lines, 0.0f, false);
    seats.find(row, lines);
    auto& raw = reading.raw;
    for (std::size_t k = 0; k < 3; ++k) raw[k] = reading.sums.scores[k + 1];
    const auto count = std::min(static_cast<std::size_t>(rounds), recent_count);
    raw[last_value] = count > 0 ? recent[(static_cast<std::size_t>(rounds) - 1) % recent_count] : 0.0;
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) sum += recent[i];
    raw[recent_mean] = count > 0 ? sum / static_cast<double>(count) : 0.0;
    for (std::size_t k = 0; k < 2; ++k) {
        raw[ridge + k] = raw[recent_mean];  // whoever has retired says what the mean says
        if (seats.retired()) continue;
        ridges[k].read(row.seated, seats.size(), reading.newton[k]);
        raw[ridge + k] = reading.newton[k].sound() ? reading.newton[k].logit : 0.0;
    }
    reading.centre = 0.0;
    for (std::size_t k = 0; k < target_members; ++k) {
        reading.advice[k] = clipped(raw[k]);
        reading.centre += reading.advice[k] / static_cast<double>(target_members);
    }
    const double unit = square_error > 0.0 ? std::sqrt(square_error) : 1.0;
    for (std::size_t k = 0; k < target_members; ++k)
        reading.inputs[k] = clip((reading.advice[k] - reading.centre) / unit, 100.0);
    reading.inputs[target_members] = 1.0;
    for (std::size_t k = 0; k < target_stacks; ++k) {
        reading.stacks[k] = stacks[k].read(reading.inputs);
        reading.advice[target_members + k] = clipped(reading.centre + unit * reading.stacks[k].value);
    }
    reading.prediction = master.mixed(reading.advice);
}

void TargetPool::learn(Row& row, TargetReading& reading, double target, double weight) {
    for (std::size_t k = 0; k < target_experts; ++k) {
        const double error = target - reading.advice[k];
        losses[k] += error * error;
    }
    master.learn(reading.advice, reading.prediction, target, weight);
    const double unit = square_error > 0.0 ? std::sqrt(square_error) : 1.0;
    const double away = target - reading.centre;
    for (std::size_t k = 0; k < target_stacks; ++k)
        stacks[k].learn(reading.stacks[k], clip(away / unit, 10.0), weight, fading[k]);
    lowest = rounds > 0.0 ? std::min(lowest, target) : target;
    highest = rounds > 0.0 ? std::max(highest, target) : target;
    rounds += 1.0;
    // The first round, before any target was seen, says nothing of the errors to come.
    if (rounds > 1.0) square_error += (away * away - square_error) / std::min(rounds - 1.0, 1000.0);
    step_linear(row, reading, target, weight);
    step_ridges(row, reading, target, weight);
    recent[(static_cast<std::size_t>(rounds) - 1) % recent_count] = target;
    for (std::size_t k = 1; k < row.size; ++k) {
        lines[row.line[k]].count = row.count[k];
        lines[row.line[k]].level = row.level[k];
    }
}

void TargetPool::step_linear(Row& row, const TargetReading& reading, double target, double weight) {
    const double error = target - reading.raw[adagrad];
    adagrad_error += std::fabs(error);
    const double cap_error = target - reading.raw[capped];
    capped_error += std::fabs(cap_error);
    if (!std::isfinite(adagrad_error) || !std::isfinite(capped_error)) return;
    const double unit = adagrad_error / rounds;
    const auto c = static_cast<float>(unit > 0.0 ? weight * error / unit : 0.0);
    const auto rho = static_cast<float>(reading.sums.scale);
    double q = 0.0;
    for (std::size_t k = 0; k < row.size; ++k) {
        Line& line = lines[row.line[k]];
        const float x = rho * row.g[k];
        line.precisions[1] += c * c * x * x;
        row.direction[k] = Four{0.0f, x / __builtin_sqrtf(line.precisions[1]), x, x};
        q += static_cast<double>(x * row.direction[k][1]);
    }
    const double reach = std::fabs(error) * std::min(weight, 1.0 / q);
    const double cap = std::min(std::fabs(cap_error), weight * capped_error / rounds);
    const Four step{0.0f, static_cast<float>(std::copysign(reach, error)),
                    static_cast<float>(target - reading.raw[aggressive]), static_cast<float>(std::copysign(cap, cap_error))};
    for (std::size_t k = 0; k < row.size; ++k) lines[row.line[k]].weights += step * row.direction[k];
}

void TargetPool::step_ridges(Row& row, TargetReading& reading, double target, double weight) {
    if (seats.retired()) return;
    Newton* of[2] = {&ridges[0], &ridges[1]};
    const bool moved = seats.take(row, lines, of, 2);
    for (std::size_t k = 0; k < 2; ++k) {
        if (moved) ridges[k].read(row.seated, seats.size(), reading.newton[k]);
        if (!reading.newton[k].sound()) {
            ridges[k].reset(seats);
            continue;
        }
        const double c = weight / (1.0 + weight * reading.newton[k].spread);
        ridges[k].move(reading.newton[k], (target - reading.newton[k].logit) * c, c, seats.size());
    }
    ridges[1].fade(seats, 1e-3);
}

}  // namespace littlestone::pool
