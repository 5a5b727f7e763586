#include "pool.h"

#include "../clones.h"
#include "telling_pairs.h"

namespace littlestone::pool {

const ViewMaster::Each Blend::prior = {0.2, 0.2, 0.2, 0.2, 0.2};
const ViewStack::Inputs Blend::means = {0.5, 0.5, 0.5, 0.0};

Blend::Blend()
    : stacks{ViewStack::of(means, Binary::stack_variance), ViewStack::of(means, Binary::stack_variance)},
      master(ViewMaster::of(prior)) {}

Blend Blend::mirrored() const {
    Blend twin = *this;
    for (ViewStack& stack : twin.stacks) stack.mirror();
    std::swap(twin.frequency.counts[0], twin.frequency.counts[1]);
    return twin;
}

void Pool::read(Desk& desk) const {
    views[raw_view].read(desk.rows[raw_view], desk.readings[raw_view], options.members);
    desk.viewed = options.narrow_views && binning.shows(desk.rows[raw_view]);
    desk.resting = binning.resting;
    if (desk.viewed) {
        binning.expand(desk.rows[raw_view], desk.rows[bins_view], desk.rows[pairs_view]);
        for (const View view : {bins_view, pairs_view}) views[view].ask_for(desk.rows[view]);
        for (const View view : {bins_view, pairs_view})
            if (desk.has(view)) views[view].read(desk.rows[view], desk.readings[view], options.members);
    }
    read_over(desk);
}

void Pool::read_over(Desk& desk) const {
    desk.blends.resize(blends.size());
    for (std::size_t c = 0; c < blends.size(); ++c) blend(desk, c);
}

void Pool::blend(Desk& desk, std::size_t c) const {
    BlendReading& reading = desk.blends[c];
    reading.pooled = desk.readings[raw_view][c].probability;
    const double stacked = desk.viewed ? 1.0 : 0.0;
    reading.awake = {1.0, desk.has(bins_view) ? 1.0 : 0.0, desk.has(pairs_view) ? 1.0 : 0.0, stacked, stacked};
    reading.chance[raw_view] = reading.pooled;
    if (desk.viewed) blend_views(desk, c);
    reading.probability = blends[c].frequency.mixed(reading.pooled);
}

LITTLESTONE_CLONES void Pool::blend_views(Desk& desk, std::size_t c) const {
    BlendReading& reading = desk.blends[c];
    ViewStack::Inputs inputs;
    for (std::size_t view = 0; view < view_count; ++view) {
        reading.chance[view] = desk.has(view) ? desk.readings[view][c].probability : 0.5;
        inputs[view] = desk.has(view) ? desk.readings[view][c].log_odds_shown() : 0.0;
    }
    inputs[view_count] = 1.0;
    for (std::size_t k = 0; k < stack_count; ++k) {
        reading.stacks[k] = blends[c].stacks[k].read(inputs);
        reading.chance[view_count + k] = sigma(reading.stacks[k].log_odds());
    }
    reading.pooled = blends[c].master.mixed(reading.chance, reading.awake);
}

LITTLESTONE_CLONES void Pool::learn_blend(const BlendReading& reading, Blend& of, bool positive, double weight,
                                          double power) {
    ViewMaster::Each of_truth;
    for (std::size_t k = 0; k < blend_experts; ++k) {
        const double chance = reading.awake[k] != 0.0 ? reading.chance[k] : reading.pooled;
        of_truth[k] = positive ? chance : 1.0 - chance;
    }
    of.losses.add(of_truth, weight);
    of.frequency.learn(reading.pooled, positive, weight, power);
    if (reading.awake[view_count] == 0.0) return;  // nor has a row of one view a stack
    of.master.learn(of_truth, reading.awake, power, Blend::prior);
    for (std::size_t k = 0; k < stack_count; ++k)
        of.stacks[k].learn(reading.stacks[k], positive ? 1.0 : 0.0, weight, Binary::fading[k], Binary::stack_variance,
                           Blend::means);
}

void Desk::make_room(std::size_t classes) {
    for (std::size_t view = 0; view < view_count; ++view) {
        if (!has(view)) continue;
        readings[view].resize(classes);
        for (Reading& reading : readings[view]) reading.weighed.make_room(rows[view].size);
    }
    blends.resize(classes);
}

void Pool::make_room(const Desk& desk) {
    for (std::size_t view = 0; view < view_count; ++view)
        if (desk.has(view)) views[view].make_room(desk.rows[view].lines());
    if (!cuts()) return;
    binning.make_room(desk.rows[raw_view]);
    if (binning.rounds < last_renewal) past.make_room(desk.rows[raw_view]);
}

// Whether the views have learned all rows that are kept, for every class: none has come since they were made.
bool Pool::knows_past() const {
    if (!binning.born() || static_cast<double>(past.size()) != binning.rounds) return false;
    const auto first = static_cast<std::size_t>(last_renewal_by(binning.rounds));
    return blends.size() == 1 || past.largest_outcome(first) + 1.0 == static_cast<double>(blends.size());
}

// Nothing moves before all is made; the row on the desk is then as the new views see it.
void Pool::renew(Desk& desk) {
    Renewal<ViewPool> next{.binning = binning, .views = {}};
    for (const View view : {bins_view, pairs_view}) {
        next.views[view].classes.resize(blends.size());
        desk.readings[view].resize(blends.size());
    }
    const auto teach = [&](ViewPool& of, View view, Row& row, std::size_t t) {
        const auto [end, outcome, weight] = past.rounds[t];
        of.read(row, desk.readings[view], options.members);
        of.learn(row, desk.readings[view], static_cast<std::size_t>(outcome), weight, power(weight));
    };
    const bool is_table = views[raw_view].seats.size() < seat_count;  // whose columns all have a seat
    const bool chooses = is_table && blends.size() == 1 && binning.rounds + 1.0 == last_renewal;
    next.make(past, desk.rows, views, knows_past(), teach, worth, chooses ? telling_pairs(past) : Pairs{});
    desk.viewed = next.binning.shows(desk.rows[raw_view]);
    if (desk.viewed) next.binning.expand(desk.rows[raw_view], desk.rows[bins_view], desk.rows[pairs_view]);
    for (const View view : {bins_view, pairs_view}) {
        if (desk.viewed) next.views[view].read(desk.rows[view], desk.readings[view], options.members);
        std::swap(views[view], next.views[view]);
    }
    std::swap(binning, next.binning);
}

void Pool::learn(Desk& desk, std::size_t truth, double weight) {
    make_room(desk);
    if (cuts() && renews_at(binning.rounds + 1.0)) renew(desk);
    learn_blends(desk, truth, weight);
    for (const View view : {bins_view, pairs_view})
        if (desk.has(view)) views[view].learn(desk.rows[view], desk.readings[view], truth, weight, power(weight));
    views[raw_view].learn(desk.rows[raw_view], desk.readings[raw_view], truth, weight, power(weight));
    if (desk.viewed && binning.complete()) return count_viewed();
    if (!cuts()) return;
    if (binning.rounds + 1.0 < last_renewal)
        past.note(desk.rows[raw_view], static_cast<double>(truth), weight);
    else
        past.forget();
    if (binning.note(desk.rows[raw_view]))
        binning.cut_last(worth(binning, views[bins_view]), judge(judgements[0].least));
}

void Pool::learn_blends(const Desk& desk, std::size_t truth, double weight) {
    for (std::size_t c = 0; c < blends.size(); ++c)
        learn_blend(desk.blends[c], blends[c], blends.size() == 1 ? truth == 1 : truth == c, weight, power(weight));
}

void Pool::learn_over_views(const Desk& desk, std::size_t truth, double weight) {
    learn_blends(desk, truth, weight);
    count_viewed();
}

std::size_t Pool::most_rows() const {
    for (const Judgement& next : judgements)
        if (binning.rounds < next.at) return static_cast<std::size_t>(next.at - binning.rounds);
    return Stretch::most;
}

void Pool::count_viewed() {
    if (binning.rounds >= last_judgement) return;
    binning.rounds += 1.0;
    for (const Judgement& due : judgements)
        if (binning.rounds == due.at) judge(due.least);
    if (binning.rounds == last_judgement) rest();
}

Pairs Pool::judge(double least) {
    return binning.judge([&](const Pairing& pair) {
        const Interaction of = interaction_of(pair);
        return of.freedom <= 0.0 || of.evidence() >= least;
    });
}

// Of all classes together, each against the rest. The masses of a cell are its rows, where these weigh 1 on average.
Interaction Pool::interaction_of(const Pairing& pair) const {
    Interaction found;
    CellCounts seen(binning.scales[pair.left].bins(), binning.scales[pair.right].bins());
    for (const Binary& of : views[pairs_view].classes) {
        const double total = of.rows[0] + of.rows[1];
        const double per_row = total > 0.0 ? of.master.rounds / total : 0.0;
        for (std::size_t i = 0; i < seen.left(); ++i)
            for (std::size_t j = 0; j < seen.right(); ++j) {
                const Line& cell = line_of(of.lines, pair.first + i * seen.right() + j + 1);
                seen.at(i, j)[0] = per_row * static_cast<double>(cell.negative());
                seen.at(i, j)[1] = per_row * static_cast<double>(cell.positive());
            }
        found.add(interaction(seen));
    }
    return found;
}

void Pool::rest() {
    double behind = 0.0, rows = 0.0;  // of the bins
    for (const Blend& of : blends) behind += of.losses.of(bins_view) - of.losses.of(pairs_view);
    for (const double mass : views[raw_view].classes[0].rows) rows += mass;
    if (std::fabs(behind) < most_behind * rows) return;
    binning.resting = behind > 0.0 ? bins_view : pairs_view;
    views[binning.resting].forget();
}

void Pool::send(Ahead& ahead, Desk& desk) {
    desk.viewed = false;
    desk.rows[raw_view].make_room(ahead.stretch.longest());
    desk.readings[raw_view].resize(blends.size());
    for (Reading& reading : desk.readings[raw_view]) reading.weighed.make_room(ahead.stretch.longest());
    desk.blends.resize(blends.size());
    views[raw_view].make_room(ahead.stretch.last_line() + 1);
    ahead.begin(views[raw_view].seats, views[raw_view].classes);
}

void Pool::read_behind(Ahead& ahead, Desk& desk, std::size_t t) {
    ahead.reach(t);
    views[raw_view].read_behind(desk.rows[raw_view], desk.readings[raw_view], options.members, ahead, t);
    read_over(desk);
    if (t + 1 == ahead.stretch.size()) ahead.end(views[raw_view].seats, views[raw_view].classes);
}

void Pool::learn_behind(Desk& desk, std::size_t truth, double weight) {
    learn_blends(desk, truth, weight);
    views[raw_view].learn_behind(desk.rows[raw_view], desk.readings[raw_view], truth, weight, power(weight));
}

void Pool::learn_views(const Stretch& stretch, Desk& desk) {
    desk.viewed = true;
    desk.resting = binning.resting;
    desk.blends.resize(blends.size());
    const auto make_room = [&](View view, std::size_t entries) {
        desk.readings[view].resize(blends.size());
        for (Reading& reading : desk.readings[view]) reading.weighed.make_room(entries);
        desk.staged[view].resize(stretch.size() * blends.size());
    };
    learn_side_by_side(stretch, binning, views, make_room, [&](View view, Row& row, std::size_t t) {
        std::vector<Reading>& readings = desk.readings[view];
        views[view].read(row, readings, options.members);
        for (std::size_t c = 0; c < readings.size(); ++c)
            desk.staged[view][t * readings.size() + c] = readings[c].probability;
        if (const double weight = stretch.weight(t); weight != 0.0)
            views[view].learn(row, readings, static_cast<std::size_t>(stretch.outcome(t)), weight, power(weight));
    });
}

void Pool::read_over_views(Desk& desk, std::size_t t) const {
    for (std::size_t view = 0; view < view_count; ++view)
        for (std::size_t c = 0; c < blends.size() && desk.has(view); ++c)
            desk.readings[view][c].probability = desk.staged[view][t * blends.size() + c];
    for (std::size_t c = 0; c < blends.size(); ++c) blend(desk, c);
}

void Pool::join(Desk& desk, std::size_t count) {
    if (count <= 2 || count <= blends.size()) return;
    std::vector<Binary> newcomers[view_count];
    for (std::size_t view = 0; view < view_count; ++view) newcomers[view] = views[view].newcomers(count);
    blends.reserve(count);
    desk.make_room(count);
    for (std::size_t view = 0; view < view_count; ++view) views[view].take_in(std::move(newcomers[view]));
    if (blends.size() == 1) blends.insert(blends.begin(), blends[0].mirrored());
    Blend newcomer;
    newcomer.frequency.weight = 0.0;  // what came often before a class was met says nothing of it
    blends.resize(count, newcomer);
}

// Of a column: the masses of its bins, each by how strongly its label leans.
Worth Pool::worth(const Binning& binning, const ViewPool& bins) {
    Worth sums{};
    for (const Scale& scale : binning.scales)
        for (std::size_t b = 0; !scale.in_pairs() && b < scale.bins(); ++b)
            for (const Binary& of : bins.classes) {
                const Line& line = line_of(of.lines, static_cast<std::size_t>(scale.first) + b + 1);
                const double lean = log_of((of.masses[1] + 0.5) / (of.masses[0] + 0.5));
                const double log_ratio =
                    log_of((static_cast<double>(line.positive()) + 0.5) / (static_cast<double>(line.negative()) + 0.5));
                sums[scale.seat] +=
                    static_cast<double>(line.positive() + line.negative()) * std::fabs(log_ratio - lean);
            }
    return sums;
}

}  // namespace littlestone::pool
