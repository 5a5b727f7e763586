#include "explanation.h"

namespace littlestone::pool {
namespace {

constexpr std::size_t linear_members = 4, linear_targets = 3;
using EachView = std::array<double, view_count>;

// The entries of the raw row that an entry of a view is about; both the same but for cells.
struct Owners {
    std::size_t one, other;
};

std::vector<Owners> owners_of(const Binning& binning, const Row& raw, const Row& bins, const Row& row) {
    std::vector<Owners> owners(row.size);
    std::size_t entry[seat_count] = {};
    for (std::size_t k = 0; k < raw.size; ++k) owners[k] = {k, k};
    for (const Seated& at : raw.seated) entry[at.seat] = at.entry;
    std::size_t next = raw.size;
    for (std::size_t s = 0; s < binning.scales.size() && next < row.size; ++s)
        if (bins.bin[s] >= 0 && !binning.scales[s].in_pairs()) {
            const std::size_t own = entry[binning.scales[s].seat];
            owners[next++] = {own, own};
        }
    for (const Pairing& pair : binning.pairings)
        if (next < row.size && bins.bin[pair.left] >= 0 && bins.bin[pair.right] >= 0)
            owners[next++] = {entry[binning.scales[pair.left].seat], entry[binning.scales[pair.right].seat]};
    return owners;
}

// How much of a view's log-odds is in what is shown.
EachView view_shares(const Blend& blend, const BlendReading& reading) {
    EachView share{};
    double total = 0.0;
    for (std::size_t k = 0; k < blend_experts; ++k) total += reading.awake[k] * blend.master.weights[k];
    total /= 1.0 - blend.frequency.weight;
    for (std::size_t k = 0; k < view_count; ++k) share[k] = reading.awake[k] * blend.master.weights[k] / total;
    for (std::size_t s = 0; s < stack_count; ++s) {
        if (reading.awake[view_count + s] == 0.0) continue;
        const double part = blend.master.weights[view_count + s] / total * reading.stacks[s].moderation();
        for (std::size_t k = 0; k < view_count; ++k) share[k] += reading.awake[k] * part * blend.stacks[s].weights[k];
    }
    return share;
}

// The parts of an explanation, where what an entry of a view adds is half its owners' each.
struct Adder {
    Explanation& to;
    const std::vector<Owners> owners;
    const std::size_t size;  // of the raw row

    void operator()(std::size_t member, std::size_t entry, double part) const {
        to.parts[member * size + owners[entry].one] += 0.5 * part;
        to.parts[member * size + owners[entry].other] += 0.5 * part;
    }
};

// Adds what one view says, times its share.
void add_view(const Binary& of, const Reading& reading, const Row& row, double times, const Adder& adder) {
    const auto share = of.shares(reading);
    const auto add = [&](std::size_t member, std::size_t entry, double part) {
        adder(member, entry, times * share[member] * of.calibrations.slope[member] * part);
    };
    for (std::size_t k = 0; k < row.size; ++k) {
        const double x = reading.sums.scale * static_cast<double>(reading.weighed[Weighed::g][k]);
        for (std::size_t m = 0; m < linear_members; ++m) add(m, k, x * static_cast<double>(reading.weighed[m][k]));
        add(naive_bayes, k, static_cast<double>(std::fabs(row.f[k]) * reading.weighed[Weighed::lambda][k]));
    }
    add(naive_bayes, 0, log_of((of.rows[1] + 0.5) / (of.rows[0] + 0.5)));
    add(markov_chain, 0, reading.score[markov_chain]);
    if (reading.awake[newton_filter] != 0.0) {
        const double moderation = 1.0 / std::sqrt(1.0 + pi_over_8 * reading.newton.spread);
        for (const Seated& at : row.seated)
            add(newton_filter, at.entry, moderation * of.newton.weights[at.seat] * at.value);
    }
}

void add_view(const TargetView& of, const TargetReading& reading, const Row& row, double times, const Adder& adder) {
    const auto share = of.mixture.shares();
    const auto add = [&](std::size_t member, std::size_t entry, double part) {
        adder(member, entry, times * share[member] * part);
    };
    for (std::size_t k = 0; k < row.size; ++k) {
        const double x = reading.sums.scale * static_cast<double>(reading.weighed[Weighed::g][k]);
        for (std::size_t m = 0; m < linear_targets; ++m) add(m, k, x * static_cast<double>(reading.weighed[m + 1][k]));
    }
    for (std::size_t k = 0; k < 2; ++k) {
        if (of.seats.retired())
            add(ridge + k, 0, reading.raw[ridge + k]);
        else if (reading.newton[k].sound())
            for (const Seated& at : row.seated)
                add(ridge + k, at.entry, of.ridges[k].newton.weights[at.seat] * at.value);
    }
    for (const TargetMember member : {last_value, recent_mean}) add(member, 0, reading.raw[member]);
}

Explanation fresh(std::size_t members, std::size_t entries, double score) {
    return {std::vector<double>(members * entries), score, 0.0};
}

void close(Explanation& of) {
    double sum = 0.0;
    for (const double part : of.parts) sum += part;
    of.rest = of.score - sum;
}

template <class Pool, class Desk>
Adder adder_of(const Pool& pool, const Desk& desk, std::size_t view, Explanation& to) {
    const Row& raw = desk.rows[raw_view];
    return {to, owners_of(pool.binning, raw, desk.rows[bins_view], desk.rows[view]), raw.size};
}

// A value as large as usual of a line's feature, raw.
double usual(const Line& line) { return std::exp2(static_cast<double>(line.level())); }

// rho of a usual row, with every feature in it as often as it was met; g by line.
double usual_scale(const Lines& gauges, double rounds, const std::vector<double>& g) {
    double sum = 1.0;
    for (std::size_t j = 1; j < gauges.size(); ++j)
        sum += std::min(static_cast<double>(gauges[j].count()) / std::max(rounds, 1.0), 1.0) * g[j] * g[j];
    return 1.0 / std::sqrt(sum);
}

}  // namespace

std::vector<Explanation> explained(const Pool& pool, const Desk& desk) {
    std::vector<Explanation> found;
    for (std::size_t c = 0; c < pool.blends.size(); ++c) {
        const auto share = view_shares(pool.blends[c], desk.blends[c]);
        Explanation of = fresh(member_count, desk.rows[raw_view].size, desk.blends[c].log_odds_shown());
        for (std::size_t view = 0; view < view_count; ++view)
            if (desk.has(view))
                add_view(pool.views[view].classes[c], desk.readings[view][c], desk.rows[view], share[view],
                         adder_of(pool, desk, view, of));
        close(of);
        found.push_back(std::move(of));
    }
    return found;
}

Explanation explained(const TargetPool& pool, const TargetDesk& desk) {
    const EachView share = desk.viewed ? pool.mixture.shares() : EachView{1.0};
    Explanation of = fresh(target_members, desk.rows[raw_view].size, desk.prediction);
    for (std::size_t view = 0; view < desk.views(); ++view)
        add_view(pool.views[view], desk.readings[view], desk.rows[view], share[view], adder_of(pool, desk, view, of));
    close(of);
    return of;
}

std::vector<double> heaviness(const Pool& pool, std::size_t number) {
    const ViewPool& view = pool.views[raw_view];
    const Binary& of = view.classes[number];
    const Lines& gauges = view.classes[0].lines;
    Reading reading;
    reading.awake.fill(1.0);
    std::copy_n(pool.options.members.begin(), member_count, reading.awake.begin());
    if (view.seats.retired()) reading.awake[newton_filter] = 0.0;
    for (auto& stack : reading.stacks) stack.spread = 0.0;
    auto by = of.shares(reading);
    for (std::size_t m = 0; m < member_count; ++m) by[m] *= of.calibrations.slope[m];
    const double V = std::max(view.features, 1.0);
    const double lean = log_of((of.masses[1] + 0.5 * V) / (of.masses[0] + 0.5 * V));
    std::vector<double> lambda(gauges.size()), g(gauges.size());
    for (std::size_t j = 1; j < gauges.size(); ++j) {
        const auto positive = static_cast<double>(of.lines[j].positive());
        const auto negative = static_cast<double>(of.lines[j].negative());
        lambda[j] = gauges[j].count() > 0.0f ? log_of((positive + 0.5) / (negative + 0.5)) - lean : 0.0;
        g[j] = 1.0 + std::fabs(lambda[j]);
    }
    const double rho = usual_scale(gauges, of.rows[0] + of.rows[1], g);
    std::vector<double> heavy;
    for (std::size_t j = 1; j < gauges.size(); ++j) {
        double sum = by[naive_bayes] * lambda[j];
        for (std::size_t m = 0; m < linear_members; ++m)
            sum += by[m] * rho * g[j] * static_cast<double>(of.lines[j].weights[m]);
        if (by[newton_filter] != 0.0 && gauges[j].seat != 0.0f)
            sum += by[newton_filter] * of.newton.weights[static_cast<std::size_t>(gauges[j].seat)] * usual(gauges[j]);
        heavy.push_back(sum);
    }
    return heavy;
}

std::vector<double> heaviness(const TargetPool& pool) {
    const TargetView& of = pool.views[raw_view];
    const auto by = of.mixture.shares();
    const double rho = usual_scale(of.lines, of.rounds, std::vector<double>(of.lines.size(), 1.0));
    std::vector<double> heavy;
    for (std::size_t j = 1; j < of.lines.size(); ++j) {
        const Line& line = of.lines[j];
        double sum = 0.0;
        for (std::size_t m = 0; m < linear_targets; ++m) sum += by[m] * rho * static_cast<double>(line.weights[m + 1]);
        if (line.seat != 0.0f && !of.seats.retired())
            for (std::size_t k = 0; k < 2; ++k)
                sum += by[ridge + k] * of.ridges[k].newton.weights[static_cast<std::size_t>(line.seat)] * usual(line);
        heavy.push_back(sum);
    }
    return heavy;
}

}  // namespace littlestone::pool
