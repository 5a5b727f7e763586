#include "target_view.h"

namespace littlestone::pool {

template <>
const std::array<double, target_members> MemberMixture::prior = {1 / 7.0, 1 / 7.0, 1 / 7.0, 1 / 7.0,
                                                                 1 / 7.0, 1 / 7.0, 1 / 7.0};
template <>
const MemberMixture::Advice MemberMixture::trust = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
template <>
const double MemberMixture::constant_variance = 0.01;

void TargetView::make_room(std::size_t count) {
    pool::make_room(lines, count);
    if (seats.retired()) return;
    for (Ridge& of : ridges) of.newton.make_room();
}

void TargetView::read(Row& row, TargetReading& reading) const {
    row.fill_up();
    read_lines(row, lines, reading.weighed);
    gauge_row(row, reading.weighed);
    reading.sums = weigh_row(row, reading.weighed);
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
        ridges[k].newton.read(row.seated, seats.size(), reading.newton[k]);
        raw[ridge + k] = reading.newton[k].sound() ? reading.newton[k].logit : 0.0;
    }
    for (std::size_t k = 0; k < target_members; ++k) reading.mixture.advice[k] = range.bounded(raw[k]);
    mixture.read(reading.mixture, [&](double prediction) { return range.bounded(prediction); });
}

void TargetView::learn(Row& row, TargetReading& reading, double target, double weight) {
    if (const std::size_t count = row.lines(); count > lines.size()) lines.resize(count);
    mixture.learn(reading.mixture, target, weight);
    if (rounds == 0.0) range = {target, target};
    range.widen(target);
    rounds += 1.0;
    step_linear(row, reading, target, weight);
    step_ridges(row, reading, target, weight);
    recent[(static_cast<std::size_t>(rounds) - 1) % recent_count] = target;
    write_lines(row, reading.weighed, lines);
}

void TargetView::step_linear(const Row& row, TargetReading& reading, double target, double weight) {
    const double error = target - reading.raw[adagrad];
    adagrad_error += std::fabs(error);
    const double cap_error = target - reading.raw[capped];
    capped_error += std::fabs(cap_error);
    if (!std::isfinite(adagrad_error) || !std::isfinite(capped_error)) return;
    const double unit = adagrad_error / rounds;
    const auto c = static_cast<float>(unit > 0.0 ? weight * error / unit : 0.0);
    const auto rho = static_cast<float>(reading.sums.scale);
    Weighed& of = reading.weighed;
    float* const G = of[Weighed::precisions + 1];
    float* const direction = of[Weighed::directions];
    double q = 0.0;
    for (std::size_t k = 0; k < row.size; ++k) {
        const float x = rho * of[Weighed::g][k];
        G[k] += c * c * x * x;
        direction[k] = x / __builtin_sqrtf(G[k]);
        q += static_cast<double>(x * direction[k]);
    }
    const auto reach = static_cast<float>(std::copysign(std::fabs(error) * std::min(weight, 1.0 / q), error));
    const auto step = static_cast<float>(target - reading.raw[aggressive]);
    const auto cap =
        static_cast<float>(std::copysign(std::min(std::fabs(cap_error), weight * capped_error / rounds), cap_error));
    for (std::size_t k = 0; k < row.size; ++k) {
        const float x = rho * of[Weighed::g][k];
        of[1][k] += reach * direction[k];
        of[2][k] += step * x;
        of[3][k] += cap * x;
    }
}

void TargetView::step_ridges(Row& row, TargetReading& reading, double target, double weight) {
    if (seats.retired()) return;
    const bool moved = seats.take(row, lines, ridges);
    for (std::size_t k = 0; k < 2; ++k) {
        if (moved) ridges[k].newton.read(row.seated, seats.size(), reading.newton[k]);
        if (!reading.newton[k].sound()) {
            ridges[k].newton.reset(seats);
            continue;
        }
        const double c = weight / (1.0 + weight * reading.newton[k].spread);
        ridges[k].newton.move(reading.newton[k], (target - reading.newton[k].logit) * c, c, seats.size());
    }
    ridges[1].newton.fade(seats, 1e-3);
}

}  // namespace littlestone::pool
