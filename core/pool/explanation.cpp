#include "explanation.h"

namespace littlestone::pool {
namespace {

constexpr std::size_t linear_members = 4;

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
ViewStack::Inputs view_shares(const Blend& blend, const BlendReading& reading) {
    ViewStack::Inputs share{};
    double total = 0.0;
    for (std::size_t k = 0; k < blend_experts; ++k) total += reading.awake[k] * blend.master.weights[k];
    total /= 1.0 - blend.frequency.weight;
    for (std::size_t k = 0; k < view_count; ++k) share[k] = reading.awake[k] * blend.master.weights[k] / total;
    for (std::size_t s = 0; s < stack_count; ++s) {
        if (reading.awake[view_count + s] == 0.0) continue;
        const double part = blend.master.weights[view_count + s] / total * reading.stacks[s].moderation();
        for (std::size_t k = 0; k <= view_count; ++k) share[k] += part * blend.stacks[s].weights[k];
    }
    return share;
}

// Adds what one view says, times its share.
void add_view(const Binary& of, const Reading& reading, const Row& row, const std::vector<Owners>& owners, double times,
              std::size_t size, Explanation& to) {
    const auto share = of.shares(reading);
    const auto add = [&](std::size_t member, std::size_t entry, double part) {
        const double worth = 0.5 * times * share[member] * of.calibrations.slope[member] * part;
        to.parts[member * size + owners[entry].one] += worth;
        to.parts[member * size + owners[entry].other] += worth;
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
    to.rest += times * share[member_count];
}

}  // namespace

std::vector<Explanation> explained(const Pool& pool, const Desk& desk) {
    const Row& raw = desk.rows[raw_view];
    std::vector<Explanation> found;
    for (std::size_t c = 0; c < pool.blends.size(); ++c) {
        const auto share = view_shares(pool.blends[c], desk.blends[c]);
        Explanation of{std::vector<double>(member_count * raw.size), desk.blends[c].log_odds_shown(), 0.0};
        for (std::size_t view = 0; view < (desk.viewed ? view_count : 1); ++view)
            add_view(pool.views[view].classes[c], desk.readings[view][c], desk.rows[view],
                     owners_of(pool.binning, raw, desk.rows[bins_view], desk.rows[view]), share[view], raw.size, of);
        double sum = 0.0;
        for (const double part : of.parts) sum += part;
        of.rest = of.log_odds - sum;
        found.push_back(std::move(of));
    }
    return found;
}

std::vector<double> heaviness(const Pool& pool, std::size_t number) {
    const ViewPool& view = pool.views[raw_view];
    const Binary& of = view.classes[number];
    Reading reading;
    reading.awake.fill(1.0);
    for (auto& stack : reading.stacks) stack.spread = 0.0;
    const auto share = of.shares(reading);
    const double V = std::max(view.features, 1.0);
    const double lean = log_of((of.masses[1] + 0.5 * V) / (of.masses[0] + 0.5 * V));
    std::vector<double> heavy(of.lines.size());
    for (std::size_t j = 1; j < of.lines.size(); ++j) {
        const Line& line = of.lines[j];
        const double ratio =
            (static_cast<double>(line.positive()) + 0.5) / (static_cast<double>(line.negative()) + 0.5);
        const double lambda = line.count() > 0.0f ? log_of(ratio) - lean : 0.0;
        const double g = 1.0 + std::fabs(lambda), unit = g / std::sqrt(1.0 + g * g);
        for (std::size_t m = 0; m < linear_members; ++m)
            heavy[j] += share[m] * of.calibrations.slope[m] * unit * static_cast<double>(line.weights[m]);
        heavy[j] += share[naive_bayes] * of.calibrations.slope[naive_bayes] * lambda;
    }
    heavy.erase(heavy.begin());
    return heavy;
}

}  // namespace littlestone::pool
