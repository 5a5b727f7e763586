#include "views.h"

#include <algorithm>

#include "../clones.h"
#include "past.h"

namespace littlestone::pool {
namespace {

constexpr std::size_t most_bins = 64;

}  // namespace

std::size_t Binning::generations_by(double rounds) {
    return std::size_t{rounds >= renewals[0]} + (rounds >= generations[1].at) + (rounds >= generations[2].at);
}

LITTLESTONE_CLONES void Binning::cut_into_bins(const std::vector<Seated>& raw, Row& bins) const {
    double value[seat_count];
    bool there[seat_count] = {};
    bins.clear();
    for (std::size_t k = 1; k < raw.size(); ++k) {
        const std::uint32_t seat = raw[k].seat;
        const double x = raw[k].value;
        value[seat] = x;
        there[seat] = true;
        bins.add(seat - 1, x);
    }
    bins.bin.assign(scales.size(), -1);
    for (std::size_t s = 0; s < scales.size(); ++s)
        if (const Scale& scale = scales[s]; there[scale.seat])
            bins.bin[s] = not_above(scale.cuts.data(), scale.cuts.size(), value[scale.seat]);
    add_bins(bins);
}

void Binning::add_bins(Row& bins) const {
    bins.measured = bins.size;
    for (std::size_t s = 0; s < scales.size(); ++s)
        if (bins.bin[s] >= 0 && !scales[s].in_pairs())
            bins.add(static_cast<std::size_t>(scales[s].first + bins.bin[s]), 1.0);
}

void Binning::pair_up(const Row& bins, Row& pairs) const {
    const auto& bin = bins.bin;
    pairs.clear();
    pairs.make_room(bins.size + pairings.size());
    std::copy_n(bins.line.begin(), bins.size, pairs.line.begin());
    std::copy_n(bins.x.begin(), bins.size, pairs.x.begin());
    pairs.measured = bins.measured;
    std::size_t size = bins.size;
    for (const Pairing& pair : pairings) {  // a cell that is not there is written over by the next
        const std::ptrdiff_t left = bin[pair.left], right = bin[pair.right];
        const auto width = static_cast<std::ptrdiff_t>(scales[pair.right].bins());
        pairs.line[size] =
            static_cast<std::uint32_t>(static_cast<std::ptrdiff_t>(pair.first) + left * width + right + 1);
        pairs.x[size] = 1.0;
        size += (left | right) >= 0;
    }
    pairs.size = size;
}

bool Binning::complete() const { return rounds >= generations[2].at; }

void Binning::make_room(const Row& raw) {
    if (complete()) return;
    for (const Seated& at : raw.seated) pool::make_room(samples[at.seat], samples[at.seat].size() + 1);
    if (raw.seated.size() < raw.size)  // some may be given a seat yet, which has no samples
        for (auto& sample : samples) sample.reserve(1);
    if (rounds + 1.0 == generations[2].at) make_rooms();
}

void Binning::make_rooms() {
    pool::make_room(scales, scales.size() + scales_per_column * most_columns);
    pool::make_room(pairings, pairings.size() + 2 * most_pairings);
    rooms_.resize(scales_per_column * most_columns);
    for (auto& room : rooms_) room.reserve(most_bins);
}

bool Binning::note(const Row& raw) {
    if (complete()) return false;
    rounds += 1.0;
    if (raw.seated.size() == raw.size)  // only rows that fit have views
        for (std::size_t k = 1; k < raw.seated.size(); ++k) samples[raw.seated[k].seat].push_back(raw.seated[k].value);
    return complete();
}

std::size_t Binning::claim(std::size_t count) {
    const std::size_t first = features;
    features += count;
    return first;
}

// Scales that are gone, and the pairs that they are part of.
template <class Gone>
void Binning::drop_scales(Gone gone) {
    constexpr auto nowhere = std::numeric_limits<std::size_t>::max();
    std::array<std::size_t, most_scales> number;
    std::size_t kept = 0;
    for (std::size_t s = 0; s < scales.size(); ++s) {
        number[s] = gone(s) ? nowhere : kept++;
        if (number[s] < s) scales[number[s]] = std::move(scales[s]);
    }
    scales.erase(scales.begin() + static_cast<std::ptrdiff_t>(kept), scales.end());
    std::erase_if(pairings, [&](const Pairing& p) { return number[p.left] == nowhere || number[p.right] == nowhere; });
    for (Pairing& pair : pairings) pair.left = number[pair.left], pair.right = number[pair.right];
}

// Pairs that were refused, and the scales that only they had need of.
void Binning::drop(const Pairs& refused) {
    std::erase_if(pairings, [&](const Pairing& pair) {
        const auto [low, high] = seats_of(pair);
        return refused[low][high];
    });
    std::bitset<most_scales> used;
    for (const Pairing& pair : pairings) used[pair.left] = used[pair.right] = true;
    drop_scales([&](std::size_t s) { return scales[s].in_pairs() && !used[s]; });
}

bool Binning::varies(std::size_t seat) const {
    return distinct(samples[seat].data(), samples[seat].size()) >= least_values;
}

void Binning::cut_anew() {
    scales.clear();
    pairings.clear();
    features = seat_count;
    make_rooms();
    cut_into(generation_of(rounds + 1.0));
}

// Those of bins stand before those of pairs.
bool Binning::same_scales(const Binning& other, bool in_pairs) const {
    const auto first = [&](const Binning& of) {
        return std::find_if(of.scales.begin(), of.scales.end(), [&](const Scale& s) { return s.in_pairs(); });
    };
    const auto alike = [](const Scale& a, const Scale& b) { return a.cuts_like(b); };
    if (in_pairs) return std::equal(first(*this), scales.end(), first(other), other.scales.end(), alike);
    return std::equal(scales.begin(), first(*this), other.scales.begin(), first(other), alike);
}

void Binning::cut_last(const Worth& worth, const Pairs& refused) {
    drop_scales([&](std::size_t s) { return scales[s].generation == 0; });
    const Pairs told = paired([](const Pairing&) { return true; });
    cut_into(2);
    pair(2, worth, told, refused, 2 * most_pairings);
    rooms_ = {};
    for (auto& sample : samples) sample = {};
}

void Binning::cut_into(std::size_t generation) {
    for (auto& sample : samples) std::sort(sample.begin(), sample.end());
    for (std::size_t seat = 1; seat < seat_count; ++seat)
        for (const std::size_t bins : generations[generation].bins)
            if (bins > 0 && varies(seat)) add_scale(generation, seat, bins, false);
}

// To the pairs that are wanted come those of the worthiest columns that were not refused, the worthier first, as many
// as there is room for.
void Binning::pair(std::size_t generation, const Worth& worth, Pairs wanted, const Pairs& refused, std::size_t room) {
    std::array<std::size_t, seat_count> columns;
    std::size_t count = 0, pairs = 0;
    for (std::size_t seat = 1; seat < seat_count; ++seat) {
        if (varies(seat)) columns[count++] = seat;
        pairs += wanted[seat].count();
    }
    std::stable_sort(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](std::size_t a, std::size_t b) { return worth[a] > worth[b]; });
    for (std::size_t b = 0; b < std::min(count, most_paired); ++b)
        for (std::size_t a = 0; a < b && pairs < room; ++a) {
            const auto [low, high] = std::minmax(columns[a], columns[b]);
            if (wanted[low][high] || refused[low][high]) continue;
            wanted[low][high] = true;
            ++pairs;
        }
    std::bitset<seat_count> paired;
    for (std::size_t low = 1; low < seat_count; ++low) {
        paired |= wanted[low];
        if (wanted[low].any()) paired[low] = true;
    }
    for (std::size_t seat = 1; seat < seat_count; ++seat)
        if (paired[seat]) add_scale(generation, seat, generations[generation].cells, true);
    add_pairings(generation, wanted);
}

void Binning::add_scale(std::size_t generation, std::size_t seat, std::size_t bins, bool paired) {
    std::vector<double> cuts = std::move(rooms_.back());
    rooms_.pop_back();
    each_cut(samples[seat].data(), samples[seat].size(), bins, [&](double cut) { cuts.push_back(cut); });
    const auto same = std::find_if(scales.begin(), scales.end(), [&](const Scale& scale) {
        return scale.seat == seat && scale.in_pairs() == paired && scale.cuts == cuts;
    });
    if (same != scales.end()) {
        same->generation = generation;
        return;
    }
    scales.push_back({generation, seat, -1, std::move(cuts)});
    Scale& scale = scales.back();
    if (!paired) scale.first = static_cast<std::ptrdiff_t>(claim(scale.bins()));
}

void Binning::add_pairings(std::size_t generation, const Pairs& wanted) {
    const auto takes_part = [&](std::size_t s) { return scales[s].generation == generation && scales[s].in_pairs(); };
    const auto known = [&](std::size_t a, std::size_t b) {
        return std::any_of(pairings.begin(), pairings.end(), [&](const Pairing& pair) {
            return std::min(pair.left, pair.right) == a && std::max(pair.left, pair.right) == b;
        });
    };
    for (std::size_t a = 0; a < scales.size(); ++a)
        for (std::size_t b = a + 1; takes_part(a) && b < scales.size(); ++b)
            if (const auto [low, high] = std::minmax(scales[a].seat, scales[b].seat);
                takes_part(b) && wanted[low][high] && !known(a, b))
                pairings.push_back({a, b, claim(scales[a].bins() * scales[b].bins())});
}

}  // namespace littlestone::pool
