#include "target_pool.h"

namespace littlestone::pool {

// Most rows need no shapes to be seen: the raw view is trusted first. What the views say is calibrated already, and has
// no constant.
template <>
const std::array<double, view_count> ViewMixture::prior = {0.8, 0.1, 0.1};
template <>
const ViewMixture::Advice ViewMixture::trust = {0.8, 0.1, 0.1, 1 / 3.0, 1 / 3.0, 1 / 3.0};
template <>
const double ViewMixture::constant_variance = 0.0;

void TargetPool::read(TargetDesk& desk) const {
    views[raw_view].read(desk.rows[raw_view], desk.readings[raw_view]);
    desk.prediction = desk.readings[raw_view].mixture.prediction;
    desk.viewed = narrow_views && binning.shows(desk.rows[raw_view]);
    if (!desk.viewed) return;
    binning.expand(desk.rows[raw_view], desk.rows[bins_view], desk.rows[pairs_view]);
    for (const View view : {bins_view, pairs_view}) views[view].read(desk.rows[view], desk.readings[view]);
    mix(desk, views[raw_view].range);
}

void TargetPool::mix(TargetDesk& desk, const Range& range) const {
    for (std::size_t view = 0; view < view_count; ++view)
        desk.mixture.advice[view] = range.bounded(desk.readings[view].mixture.prediction);
    mixture.read(desk.mixture, [&](double prediction) { return range.bounded(prediction); });
    desk.prediction = desk.mixture.prediction;
}

void TargetPool::learn_views(const Stretch& stretch, TargetDesk& desk) {
    desk.viewed = true;
    desk.range = views[raw_view].range;
    const auto make_room = [&](View view, std::size_t entries) {
        desk.readings[view].weighed.make_room(entries);
        desk.staged[view].resize(stretch.size());
    };
    learn_side_by_side(stretch, binning, views, make_room, [&](View view, Row& row, std::size_t t) {
        TargetReading& reading = desk.readings[view];
        views[view].read(row, reading);
        desk.staged[view][t] = reading.mixture.prediction;
        if (const double weight = stretch.weight(t); weight != 0.0)
            views[view].learn(row, reading, stretch.outcome(t), weight);
    });
}

void TargetPool::read_over_views(TargetDesk& desk, std::size_t t) const {
    for (std::size_t view = 0; view < view_count; ++view) desk.readings[view].mixture.prediction = desk.staged[view][t];
    mix(desk, desk.range);
}

void TargetPool::learn_over_views(TargetDesk& desk, double target, double weight) {
    mixture.learn(desk.mixture, target, weight);
    desk.range.widen(target);
}

void TargetPool::make_room(const TargetDesk& desk) {
    for (std::size_t view = 0; view < desk.views(); ++view) views[view].make_room(desk.rows[view].lines());
    if (!cuts()) return;
    binning.make_room(desk.rows[raw_view]);
    if (binning.rounds < last_renewal) past.make_room(desk.rows[raw_view]);
}

// As that of a pool for labels.
void TargetPool::renew(TargetDesk& desk) {
    Renewal<TargetView> next{.binning = binning, .views = {}};
    const auto teach = [&](TargetView& of, View view, Row& row, std::size_t t) {
        of.read(row, desk.readings[view]);
        of.learn(row, desk.readings[view], past.rounds[t].outcome, past.rounds[t].weight);
    };
    const bool known = binning.born() && static_cast<double>(past.size()) == binning.rounds;
    next.make(past, desk.rows, views, known, teach, worth, {});
    desk.viewed = next.binning.shows(desk.rows[raw_view]);
    if (desk.viewed) next.binning.expand(desk.rows[raw_view], desk.rows[bins_view], desk.rows[pairs_view]);
    for (const View view : {bins_view, pairs_view}) {
        if (desk.viewed) next.views[view].read(desk.rows[view], desk.readings[view]);
        std::swap(views[view], next.views[view]);
    }
    std::swap(binning, next.binning);
}

void TargetPool::learn(TargetDesk& desk, double target, double weight) {
    make_room(desk);
    const bool mixed = desk.viewed;
    if (cuts() && renews_at(binning.rounds + 1.0)) renew(desk);
    if (mixed)
        mixture.learn(desk.mixture, target, weight);
    else
        mixture.sleep(desk.prediction, target);
    if (desk.viewed) {
        for (const View view : {bins_view, pairs_view})
            views[view].learn(desk.rows[view], desk.readings[view], target, weight);
    }
    views[raw_view].learn(desk.rows[raw_view], desk.readings[raw_view], target, weight);
    if (!cuts()) return;
    if (binning.rounds + 1.0 < last_renewal)
        past.note(desk.rows[raw_view], target, weight);
    else
        past.forget();
    if (binning.note(desk.rows[raw_view])) binning.cut_last(worth(binning, views[bins_view]), {});
}

// Of a column: how far the weights of its bins have moved.
Worth TargetPool::worth(const Binning& binning, const TargetView& bins) {
    Worth sums{};
    for (const Scale& scale : binning.scales)
        for (std::size_t b = 0; !scale.in_pairs() && b < scale.bins(); ++b)
            sums[scale.seat] +=
                std::fabs(line_of(bins.lines, static_cast<std::size_t>(scale.first) + b + 1).weights[1]);
    return sums;
}

}  // namespace littlestone::pool
