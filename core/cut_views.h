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
        double there[3][pool::most_paired];  // by generation, the bins of the paired columns; negative where absent
        if (paired) {
            for (auto& of : there) std::fill(std::begin(of), std::end(of), -1.0);
            x.each([&](std::size_t i, double v) { note_pairs(i, v, first, cut, there); });
        }
        each_place(x, [&](std::size_t i, double v) {
            const std::size_t at = i * spread();
            out.add(at, v);
            if (v == 0.0) return;
            for (std::size_t s = 0; s < Layout::kinds; ++s)
                if (in_use(i, s, first, cut)) out.add(at + Layout::of[s].first_place + bin(i, s, v), 1.0);
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
                    double (&there)[3][pool::most_paired]) const {
        for (std::size_t g = first; v != 0.0 && g < cut; ++g)
            if (const double own = partner(i, g); own > 0.0)
                there[g][static_cast<std::size_t>(own) - 1] = static_cast<double>(bin(i, Layout::kinds + g, v));
    }
    void add_cells(std::size_t i, std::size_t at, double v, std::size_t first, std::size_t cut,
                   const double (&there)[3][pool::most_paired], Shown& out) const {
        for (std::size_t other = 0; other + 1 < pool::most_paired; ++other)
            for (std::size_t g = first; g < cut; ++g) {
                if (static_cast<double>(other) + 1.0 >= partner(i, g) || there[g][other] < 0.0) continue;
                const auto& scale = Layout::of[Layout::kinds + g];
                const std::size_t cell =
                    static_cast<std::size_t>(there[g][other]) * scale.bins + bin(i, Layout::kinds + g, v);
                out.add(at + Layout::places + other * Layout::cells + scale.first_place + cell, 1.0);
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
    }
};

}  // namespace littlestone
