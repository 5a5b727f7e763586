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
constexpr std::size_t most_paired = 12, most_pairings = most_paired * (most_paired - 1) / 2, least_values = 2;
constexpr std::size_t most_scales = 3, most_bins = 64;  // of a column in one generation, and of a scale

bool is_due(double rounds) {
    return std::any_of(std::begin(generations), std::end(generations),
                       [&](const Generation& g) { return g.at == rounds; });
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

// A bin for every value where there are few, and else one for every quantile; below `bins` cuts, for which there is
// room.
void add_cuts(const std::vector<double>& sorted, std::size_t bins, std::vector<double>& cuts) {
    if (distinct(sorted) <= bins) {
        for (std::size_t i = 1; i < sorted.size(); ++i)
            if (sorted[i] != sorted[i - 1]) cuts.push_back(sorted[i]);
        return;
    }
    for (std::size_t i = 1; i < bins; ++i) {
        const double cut = sorted[i * sorted.size() / bins];
        if (cut > sorted.front() && (cuts.empty() || cut > cuts.back())) cuts.push_back(cut);
    }
}

}  // namespace

double Binning::generations_by(double rounds) {
    return static_cast<double>(std::count_if(std::begin(generations), std::end(generations),
                                             [&](const Generation& g) { return g.at <= rounds; }));
}

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

void Binning::make_room(const Row& raw) {
    if (rounds >= generations[2].at) return;
    for (const Seated& at : raw.seated) pool::make_room(samples[at.seat], samples[at.seat].size() + 1);
    if (raw.seated.size() < raw.size)  // some may be given a seat yet, which has no samples
        for (auto& sample : samples) sample.reserve(1);
    if (!is_due(rounds + 1.0)) return;
    const std::size_t columns = seat_count - 1;
    pool::make_room(scales, scales.size() + most_scales * columns);
    pool::make_room(pairings, pairings.size() + most_pairings);
    rooms_.resize(most_scales * columns);
    for (auto& room : rooms_) room.reserve(most_bins);
}

bool Binning::note(const Row& raw) {
    constexpr double last = generations[2].at;
    if (rounds >= last) return false;
    rounds += 1.0;
    if (raw.seated.size() == raw.size)  // only rows that fit have views
        for (std::size_t k = 1; k < raw.seated.size(); ++k) samples[raw.seated[k].seat].push_back(raw.seated[k].value);
    return is_due(rounds);
}

double Binning::claim(double count) {
    const double first = features;
    features += count;
    return first;
}

// Scales stand in the order of their generations, and pairs are of one.
void Binning::drop_before(double generation) {
    const auto kept =
        std::find_if(scales.begin(), scales.end(), [&](const Scale& scale) { return scale.generation >= generation; });
    const auto gone = static_cast<double>(kept - scales.begin());
    scales.erase(scales.begin(), kept);
    std::erase_if(pairings, [&](const Pairing& pair) { return pair.left < gone; });
    for (Pairing& pair : pairings) pair.left -= gone, pair.right -= gone;
}

void Binning::cut(const Worth& worth) {
    std::size_t generation = 0;
    while (generations[generation].at != rounds) ++generation;
    const auto now = static_cast<double>(generation);
    std::array<std::size_t, seat_count> columns;
    std::size_t count = 0;
    for (std::size_t seat = 1; seat < seat_count; ++seat) {
        std::sort(samples[seat].begin(), samples[seat].end());
        if (distinct(samples[seat]) >= least_values) columns[count++] = seat;
    }
    const auto first = columns.begin(), last = first + static_cast<std::ptrdiff_t>(count);
    std::stable_sort(first, last, [&](std::size_t a, std::size_t b) { return worth[a] > worth[b]; });
    std::array<bool, seat_count> paired{};
    for (std::size_t k = 0; k < std::min(count, most_paired); ++k) paired[columns[k]] = true;
    std::sort(first, last);

    drop_before(now - 1.0);
    for (std::size_t k = 0; k < count; ++k) add_scales(now, columns[k], paired[columns[k]]);
    add_pairings(now);
    rooms_ = {};
    if (generation == 2)
        for (auto& sample : samples) sample = {};
}

void Binning::add_scale(double generation, std::size_t seat, std::size_t bins, bool paired) {
    scales.push_back({generation, static_cast<double>(seat), -1.0, std::move(rooms_.back())});
    rooms_.pop_back();
    Scale& scale = scales.back();
    add_cuts(samples[seat], bins, scale.cuts);
    if (!paired) scale.first = claim(scale.bins());
}

void Binning::add_scales(double generation, std::size_t seat, bool paired) {
    const Generation& how = generations[static_cast<std::size_t>(generation)];
    for (const std::size_t bins : how.bins)
        if (bins > 0) add_scale(generation, seat, bins, false);
    if (paired) add_scale(generation, seat, how.cells, true);
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
