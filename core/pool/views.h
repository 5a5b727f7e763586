// How linear members see shapes: numeric columns cut into bins, and pairs of them into cells, as further features.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <vector>

#include "cuts.h"
#include "row.h"

namespace littlestone::pool {

enum View : std::size_t { raw_view, bins_view, pairs_view };
inline constexpr std::size_t view_count = 3;

// Cut points of one column, made once: the quantiles of the values so far, or the values where they are few. A value is
// in bin #{cuts <= value}.
struct Scale {
    std::size_t generation, seat;
    std::ptrdiff_t first;  // the feature of bin 0; of a scale for pairs only: none, and negative
    std::vector<double> cuts;

    std::size_t bins() const { return cuts.size() + 1; }
    bool in_pairs() const { return first < 0; }
    bool cuts_like(const Scale& other) const {
        return seat == other.seat && first == other.first && cuts == other.cuts;
    }
};

// A cell for every pair of bins of two scales.
struct Pairing {
    std::size_t left, right;  // numbers of scales
    std::size_t first;        // the feature of cell (0, 0)

    bool operator==(const Pairing&) const = default;
};

using Worth = std::array<double, seat_count>;                   // by seat: how much the bins of a column told so far
using Pairs = std::array<std::bitset<seat_count>, seat_count>;  // of seats, the smaller first

// Where all columns with two values or more are cut. While the first rows are kept the views are made anew (past.h),
// and so are the cuts; those of row 400 stay beside those of row 4000. A bin of a later generation is a feature of its
// own: a weight never changes its meaning. A column of few values, which would be cut as before, keeps its bins, its
// cells, and what was learned of them. A value of 0 that is not stored has no bin. From row 4000 on pairs go which tell
// nothing (cuts.h).
class Binning {
  public:
    static constexpr std::size_t most_columns = seat_count - 1, scales_per_column = 3;  // in one generation
    static constexpr std::size_t most_scales = 2 * scales_per_column * most_columns;    // in use
    double rounds = 0.0;
    std::size_t features = seat_count;  // numbers given out; those below are the seats of the raw columns
    std::vector<std::vector<double>> samples = std::vector<std::vector<double>>(seat_count);  // by seat, until the last
    std::vector<Scale> scales;
    std::vector<Pairing> pairings;
    View resting = raw_view;  // the narrow view that is no longer learned; the raw one where both are

    bool rests(View view) const { return view != raw_view && view == resting; }
    // How many generations were cut by a round.
    static std::size_t generations_by(double rounds);
    bool born() const { return !scales.empty(); }
    // Only rows whose features all have seats have views.
    bool shows(const Row& raw) const { return born() && raw.seated.size() == raw.size; }
    void expand(const Row& raw, Row& bins, Row& pairs) const {
        cut_into_bins(raw.seated, bins);
        pair_up(bins, pairs);
    }
    void cut_into_bins(const std::vector<Seated>& raw, Row& bins) const;
    // Behind the columns, the bins that stand in bins.bin.
    void add_bins(Row& bins) const;
    void pair_up(const Row& bins, Row& pairs) const;
    // The lines that bins and cells can have.
    std::size_t most_lines() const { return std::max(features, seat_count) + 1; }
    // Whether all cuts are made.
    bool complete() const;
    // Room for taking note of a row, and for the cuts when a generation is due; neither takes memory then.
    void make_room(const Row& raw);
    // Takes note of a learned row; true when the last generation is due.
    bool note(const Row& raw);
    // All columns anew, as if nothing had been cut before, ahead of the row that comes next; the pairs follow: those
    // that tell, and as far as there is room those of the columns that are worth most.
    void cut_anew();
    void pair(const Worth& worth, const Pairs& telling) {
        pair(generation_of(rounds + 1.0), worth, telling, {}, most_pairings);
    }
    // The pairs of columns whose pairings all fall short; they go. `tells(pairing)` says whether one does not.
    template <class Tells>
    Pairs judge(Tells tells) {
        Pairs judged = paired([](const Pairing&) { return true; });
        const Pairs told = paired(tells);
        for (std::size_t seat = 0; seat < seat_count; ++seat) judged[seat] &= ~told[seat];
        drop(judged);
        return judged;
    }
    // Whether bins, or pairs of them, are the same features of the same values.
    bool has_bins_of(const Binning& other) const { return same_scales(other, false); }
    bool has_pairs_of(const Binning& other) const { return same_scales(other, true) && pairings == other.pairings; }
    // The last generation beside the one before, without the pairs that were refused.
    void cut_last(const Worth& worth, const Pairs& refused);

  private:
    std::vector<std::vector<double>> rooms_;  // for the cuts of the next generation

    static std::size_t generation_of(double round) { return generations_by(round) - 1; }
    bool same_scales(const Binning& other, bool in_pairs) const;
    void make_rooms();
    std::pair<std::size_t, std::size_t> seats_of(const Pairing& pair) const {
        return std::minmax(scales[pair.left].seat, scales[pair.right].seat);
    }
    // The pairs of columns of some of the pairings.
    template <class Chosen>
    Pairs paired(Chosen chosen) const {
        Pairs found{};
        for (const Pairing& pair : pairings) {
            const auto [low, high] = seats_of(pair);
            found[low][high] = found[low][high] || chosen(pair);
        }
        return found;
    }
    template <class Gone>
    void drop_scales(Gone gone);
    void drop(const Pairs& refused);
    bool varies(std::size_t seat) const;
    void add_scale(std::size_t generation, std::size_t seat, std::size_t bins, bool paired);
    void cut_into(std::size_t generation);
    void pair(std::size_t generation, const Worth& worth, Pairs wanted, const Pairs& refused, std::size_t room);
    void add_pairings(std::size_t generation, const Pairs& wanted);
    std::size_t claim(std::size_t count);
};

}  // namespace littlestone::pool
