// How linear members see shapes: numeric columns cut into bins, and pairs of them into cells, as further features.
#pragma once

#include <array>
#include <vector>

#include "row.h"

namespace littlestone::pool {

enum View : std::size_t { raw_view, bins_view, pairs_view };
inline constexpr std::size_t view_count = 3;

// Cut points of one column, made once: the quantiles of the values so far, or the values where they are few. A value is
// in bin #{cuts <= value}.
struct Scale {
    double generation, seat;
    double first;  // the feature of bin 0; of a scale for pairs only: none, and negative
    std::vector<double> cuts;

    double bins() const { return static_cast<double>(cuts.size() + 1); }
};

// A cell for every pair of bins of two scales.
struct Pairing {
    double left, right;  // numbers of scales
    double first;        // the feature of cell (0, 0)
};

using Worth = std::array<double, seat_count>;  // by seat: how much the bins of a column told so far

// The generations of bins: at rounds 48, 400 and 4000 all columns with two values or more are cut anew. Cuts never
// move, the bins of a generation are features of their own, and the last two generations are in use: a weight never
// changes its meaning. A value of 0 that is not stored has no bin.
class Binning {
  public:
    double rounds = 0.0;
    double features = seat_count;  // numbers given out; those below are the seats of the raw columns
    std::vector<std::vector<double>> samples = std::vector<std::vector<double>>(seat_count);  // by seat, until the last
    std::vector<Scale> scales;
    std::vector<Pairing> pairings;

    // How many generations were cut by a round.
    static double generations_by(double rounds);
    bool born() const { return !scales.empty(); }
    // Only rows whose features all have seats have views.
    bool shows(const Row& raw) const { return born() && raw.seated.size() == raw.size; }
    void expand(const Row& raw, Row& bins, Row& pairs) const;
    // Room for taking note of a row, and for the cuts when a generation is due; neither takes memory then.
    void make_room(const Row& raw);
    // Takes note of a learned row; true when a generation is due.
    bool note(const Row& raw);
    void cut(const Worth& worth);

  private:
    std::vector<std::vector<double>> rooms_;  // for the cuts of the next generation

    void drop_before(double generation);
    void add_scale(double generation, std::size_t seat, std::size_t bins, bool paired);
    void add_scales(double generation, std::size_t seat, bool paired);
    void add_pairings(double generation);
    double claim(double count);
};

}  // namespace littlestone::pool
