#include "views.h"

#include <algorithm>

#include "../clones.h"

namespace littlestone::pool {
namespace {

struct Generation {
    double at;
    std::size_t bins[2];  // resolutions; the second may be 0
    std::size_t cells;    // bins of either column of a pair
};
constexpr Generation generations[] = {{48.0, {8, 0}, 4}, {400.0, {8, 32}, 8}, {4000.0, {16, 64}, 16}};
constexpr std::size_t most_paired = 12, least_values = 2;

// A bin for every value where there are few, and else one for every quantile.
std::vector<double> cuts_of(const std::vector<double>& sorted, std::size_t bins) {
    std::vector<double> cuts = sorted;
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    if (cuts.size() <= bins) {
        cuts.erase(cuts.begin());
        return cuts;
    }
    cuts.clear();
    for (std::size_t i = 1; i < bins; ++i) {
        const double cut = sorted[i * sorted.size() / bins];
        if (cut > sorted.front() && (cuts.empty() || cut > cuts.back())) cuts.push_back(cut);
    }
    return cuts;
}

// How many of the cuts a value reaches.
LITTLESTONE_CLONES std::ptrdiff_t not_above(const double* cuts, std::size_t count, double value) {
    std::ptrdiff_t reached = 0;
    for (std::size_t i = 0; i < count; ++i) reached += cuts[i] <= value;
    return reached;
}

std::size_t distinct(const std::vector<double>& sorted) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) count += i == 0 || sorted[i] != sorted[i - 1];
    return count;
}

}  // namespace

void Binning::expand(const Row& raw, Row& bins, Row& pairs) const {
    double value[seat_count];
    bool there[seat_count] = {};
    bins.clear();
    for (std::size_t k = 1; k < raw.seated.size(); ++k) {
        const std::uint32_t seat = raw.seated[k].seat;
        const double x = raw.seated[k].value;
        value[seat] = x;
        there[seat] = true;
        bins.add(seat - 1, x);
    }
    bins.measured = bins.size;
    auto& bin = bins.bin;
    bin.assign(scales.size(), -1);
    for (std::size_t s = 0; s < scales.size(); ++s) {
        const auto seat = static_cast<std::size_t>(scales[s].seat);
        if (!there[seat]) continue;
        const auto& cuts = scales[s].cuts;
        bin[s] = not_above(cuts.data(), cuts.size(), value[seat]);
        if (scales[s].first >= 0.0)
            bins.add(static_cast<std::size_t>(scales[s].first) + static_cast<std::size_t>(bin[s]), 1.0);
    }
    pairs.clear();
    pairs.make_room(bins.size);
    std::copy_n(bins.line.begin(), bins.size, pairs.line.begin());
    std::copy_n(bins.x.begin(), bins.size, pairs.x.begin());
    pairs.size = bins.size;
    pairs.measured = bins.measured;
    for (const Pairing& pair : pairings) {
        const auto left = static_cast<std::size_t>(pair.left), right = static_cast<std::size_t>(pair.right);
        if (bin[left] < 0 || bin[right] < 0) continue;
        const auto cell = static_cast<std::size_t>(bin[left]) * (scales[right].cuts.size() + 1) +
                          static_cast<std::size_t>(bin[right]);
        pairs.add(static_cast<std::size_t>(pair.first) + cell, 1.0);
    }
}

bool Binning::note(const Row& raw) {
    constexpr double last = generations[2].at;
    if (rounds >= last) return false;
    rounds += 1.0;
    if (raw.seated.size() == raw.size)  // only rows that fit have views
        for (std::size_t k = 1; k < raw.seated.size(); ++k) samples[raw.seated[k].seat].push_back(raw.seated[k].value);
    return std::any_of(std::begin(generations), std::end(generations),
                       [&](const Generation& g) { return g.at == rounds; });
}

double Binning::claim(double count) {
    const double first = features;
    features += count;
    return first;
}

void Binning::cut(const std::vector<double>& worth) {
    std::size_t generation = 0;
    while (generations[generation].at != rounds) ++generation;
    const auto now = static_cast<double>(generation);
    std::vector<std::size_t> columns;
    for (std::size_t seat = 1; seat < seat_count; ++seat) {
        std::sort(samples[seat].begin(), samples[seat].end());
        if (distinct(samples[seat]) >= least_values) columns.push_back(seat);
    }
    std::stable_sort(columns.begin(), columns.end(), [&](std::size_t a, std::size_t b) { return worth[a] > worth[b]; });
    std::vector<bool> paired(seat_count);
    for (std::size_t k = 0; k < std::min(columns.size(), most_paired); ++k) paired[columns[k]] = true;
    std::sort(columns.begin(), columns.end());

    std::vector<double> moved(scales.size(), -1.0);  // where a scale stands once the oldest are gone
    std::vector<Scale> kept;
    for (std::size_t s = 0; s < scales.size(); ++s)
        if (scales[s].generation + 1.0 >= now) {
            moved[s] = static_cast<double>(kept.size());
            kept.push_back(std::move(scales[s]));
        }
    scales = std::move(kept);
    std::vector<Pairing> pairs;
    for (const Pairing& pair : pairings)
        if (const double left = moved[static_cast<std::size_t>(pair.left)]; left >= 0.0)
            pairs.push_back({left, moved[static_cast<std::size_t>(pair.right)], pair.first});
    pairings = std::move(pairs);
    for (const std::size_t seat : columns) add_scales(now, seat, samples[seat], paired[seat]);
    add_pairings(now);
    if (generation == 2)
        for (auto& sample : samples) sample = {};
}

void Binning::add_scales(double generation, std::size_t seat, const std::vector<double>& sorted, bool paired) {
    const Generation& how = generations[static_cast<std::size_t>(generation)];
    for (const std::size_t bins : how.bins) {
        if (bins == 0) continue;
        Scale scale{generation, static_cast<double>(seat), 0.0, cuts_of(sorted, bins)};
        scale.first = claim(scale.bins());
        scales.push_back(std::move(scale));
    }
    if (paired) scales.push_back({generation, static_cast<double>(seat), -1.0, cuts_of(sorted, how.cells)});
}

void Binning::add_pairings(double generation) {
    for (std::size_t a = 0; a < scales.size(); ++a) {
        if (scales[a].generation != generation || scales[a].first >= 0.0) continue;
        for (std::size_t b = a + 1; b < scales.size(); ++b)
            if (scales[b].first < 0.0)
                pairings.push_back(
                    {static_cast<double>(a), static_cast<double>(b), claim(scales[a].bins() * scales[b].bins())});
    }
}

}  // namespace littlestone::pool
