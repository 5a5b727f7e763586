// Views that make further features: numeric columns cut into bins, and pairs of them into cells.
#pragma once

#include <array>

#include "pool/cuts.h"
#include "views.h"

namespace littlestone {

// One way to cut a column: five of them make bins, and one per generation makes cells.
struct CutScale {
    std::size_t generation, bins;
    std::size_t first_cut, first_place;  // places of bins; of cells, among those with one other column
};
constexpr std::array<CutScale, 8> cut_scales() {
    std::array<CutScale, 8> found{};
    std::size_t k = 0, cut = 0, place = 1, cell = 0;
    for (std::size_t g = 0; g < 3; ++g)
        for (const std::size_t bins : pool::generations[g].bins)
            if (bins > 0) {
                found[k++] = {g, bins, cut, place};
                cut += bins - 1;
                place += bins;
            }
    for (std::size_t g = 0; g < 3; ++g) {
        const std::size_t bins = pool::generations[g].cells;
        found[k++] = {g, bins, cut, cell};
        cut += bins - 1;
        cell += bins * bins;
    }
    return found;
}

// What stands in the places of one feature: the value, the bins of every generation, and, where columns are paired, the
// cells with each of eleven columns before it. A place never changes its meaning.
struct CutLayout {
    static constexpr std::array<CutScale, 8> of = cut_scales();
    static constexpr std::size_t scales = of.size();
    static constexpr std::size_t kinds = 5;  // scales of bins
    static constexpr std::size_t cuts = of[scales - 1].first_cut + of[scales - 1].bins - 1;
    static constexpr std::size_t places = of[kinds - 1].first_place + of[kinds - 1].bins;
    static constexpr std::size_t cells = of[scales - 1].first_place + of[scales - 1].bins * of[scales - 1].bins;
    static constexpr std::size_t all = places + (pool::most_paired - 1) * cells;
    static constexpr std::size_t samples = static_cast<std::size_t>(pool::generations[2].at);
};

// The cuts are those of the pool: made at rounds 48, 400 and 4000 of the values so far, and never moved; the last two
// generations are in use. A zero has neither bin nor cell.
struct CutColumns {
    using Layout = CutLayout;

    double *samples, *noted;  // of each feature the values until the last generation, and how many
    double *cuts, *bins;      // of each feature and scale; 0 bins where it has none
    double* same;             // of each feature and scale: from 1, the first scale with these cuts, whose places it has
    double* place;            // of each feature and generation: from 1, among the columns that are paired
    double* rounds;
    std::size_t features;
    bool paired;

    std::size_t width() const { return features; }
    std::size_t spread() const { return paired ? Layout::all : Layout::places; }
    std::size_t most(std::size_t stored) const { return stored * (5 + (paired ? 2 * (pool::most_paired - 1) : 0)); }

    template <bool, class Row>
    void show(const Row& x, Shown& out) const {
        const std::size_t cut = pool::generations_by(*rounds), first = cut < 2 ? 0 : cut - 2;
        Paired there[3][pool::most_paired];  // by generation
        if (paired) x.each([&](std::size_t i, double v) { note_pairs(i, v, first, cut, there); });
        each_place(x, [&](std::size_t i, double v) {
            const std::size_t at = i * spread();
            out.add(at, v);
            if (v == 0.0) return;
            std::array<bool, Layout::kinds> shown{};
            for (std::size_t s = 0; s < Layout::kinds; ++s)
                if (in_use(i, s, first, cut)) shown[kept(i, s)] = true;
            for (std::size_t s = 0; s < Layout::kinds; ++s)
                if (shown[s]) out.add(at + Layout::of[s].first_place + bin(i, s, v), 1.0);
            if (paired) add_cells(i, at, v, first, cut, there, out);
        });
    }

    // The row was learned; where a generation is due, all columns are cut.
    template <class Row>
    void learn(const Row& x, int, double) const {
        if (*rounds >= pool::generations[2].at) return;
        *rounds += 1.0;
        x.each([&](std::size_t i, double v) {
            if (v == 0.0) return;
            samples[i * Layout::samples + static_cast<std::size_t>(noted[i])] = v;
            noted[i] += 1.0;
        });
        if (pool::is_due(*rounds)) cut_all(pool::generations_by(*rounds) - 1);
    }

  private:
    // A paired column that the row has: its number among features, and its bin.
    struct Paired {
        std::size_t column = 0;
        std::ptrdiff_t bin = -1;
    };

    std::size_t kept(std::size_t i, std::size_t s) const {
        return static_cast<std::size_t>(same[i * Layout::scales + s]) - 1;
    }
    bool in_use(std::size_t i, std::size_t s, std::size_t first, std::size_t cut) const {
        const std::size_t generation = Layout::of[s].generation;
        return generation >= first && generation < cut && bins[i * Layout::scales + s] > 0.0;
    }
    // How many of the cuts a value reaches.
    std::size_t bin(std::size_t i, std::size_t s, double v) const {
        const double* from = cuts + i * Layout::cuts + Layout::of[s].first_cut;
        const auto count = static_cast<std::size_t>(bins[i * Layout::scales + s]) - 1;
        return static_cast<std::size_t>(std::upper_bound(from, from + count, v) - from);
    }
    double partner(std::size_t i, std::size_t generation) const { return place[i * 3 + generation]; }
    void note_pairs(std::size_t i, double v, std::size_t first, std::size_t cut,
                    Paired (&there)[3][pool::most_paired]) const {
        for (std::size_t g = first; v != 0.0 && g < cut; ++g)
            if (const double own = partner(i, g); own > 0.0)
                there[g][static_cast<std::size_t>(own) - 1] = {
                    i, static_cast<std::ptrdiff_t>(bin(i, Layout::kinds + g, v))};
    }
    // The generation whose cells two columns have: an earlier one, where both are cut as they were then.
    std::size_t cells_of(std::size_t i, std::size_t other, std::size_t g, double number) const {
        const std::size_t own = kept(i, Layout::kinds + g) - Layout::kinds;
        const bool as_then = own == kept(other, Layout::kinds + g) - Layout::kinds && partner(other, own) == number &&
                             partner(i, own) > number;
        return as_then ? own : g;
    }
    void add_cells(std::size_t i, std::size_t at, double v, std::size_t first, std::size_t cut,
                   const Paired (&there)[3][pool::most_paired], Shown& out) const {
        for (std::size_t other = 0; other + 1 < pool::most_paired; ++other) {
            std::size_t last = Layout::scales;
            for (std::size_t g = first; g < cut; ++g) {
                const double number = static_cast<double>(other) + 1.0;
                if (number >= partner(i, g) || there[g][other].bin < 0) continue;
                const std::size_t cells = cells_of(i, there[g][other].column, g, number);
                if (cells == last) continue;
                last = cells;
                const auto& scale = Layout::of[Layout::kinds + cells];
                const std::size_t cell =
                    static_cast<std::size_t>(there[g][other].bin) * scale.bins + bin(i, Layout::kinds + g, v);
                out.add(at + Layout::places + other * Layout::cells + scale.first_place + cell, 1.0);
            }
        }
    }
    void cut_all(std::size_t generation) const {
        double next = 1.0;
        for (std::size_t i = 0; i < features; ++i) {
            double* const of = samples + i * Layout::samples;
            const auto size = static_cast<std::size_t>(noted[i]);
            std::sort(of, of + size);
            if (pool::distinct(of, size) < pool::least_values) continue;
            for (std::size_t s = 0; s < Layout::scales; ++s)
                if (Layout::of[s].generation == generation) cut_one(i, s, of, size);
            if (next <= static_cast<double>(pool::most_paired)) {
                place[i * 3 + generation] = next;
                next += 1.0;
            }
        }
        if (generation == 2) std::fill_n(samples, features * Layout::samples, 0.0);
    }
    void cut_one(std::size_t i, std::size_t s, const double* sorted, std::size_t size) const {
        double* to = cuts + i * Layout::cuts + Layout::of[s].first_cut;
        double& count = bins[i * Layout::scales + s];
        count = 1.0;
        pool::each_cut(sorted, size, Layout::of[s].bins, [&](double cut) {
            *to++ = cut;
            count += 1.0;
        });
        same[i * Layout::scales + s] = 1.0 + static_cast<double>(first_alike(i, s));
    }
    // The first scale of the last two generations that has these cuts, or had them before: what was learned of its
    // places goes on.
    std::size_t first_alike(std::size_t i, std::size_t s) const {
        const auto from = [&](std::size_t of) { return cuts + i * Layout::cuts + Layout::of[of].first_cut; };
        const double count = bins[i * Layout::scales + s];
        for (std::size_t other = s < Layout::kinds ? 0 : Layout::kinds; other < s; ++other)
            if (Layout::of[other].generation + 1 >= Layout::of[s].generation &&
                bins[i * Layout::scales + other] == count &&
                std::equal(from(s), from(s) + static_cast<std::ptrdiff_t>(count) - 1, from(other)))
                return kept(i, other);
        return s;
    }
};

}  // namespace littlestone
