// The first rows, kept so that a view which is cut anew has learned them too.
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "cuts.h"
#include "room.h"
#include "views.h"

namespace littlestone::pool {

// The rows that find the views cut anew: at first there are twice as many each time, then those of the next generation.
inline constexpr double renewals[] = {24.0, generations[0].at, 96.0, generations[1].at};
inline constexpr double last_renewal = renewals[std::size(renewals) - 1];

// Of those that have learned so many rows, the last one that did; 0 before the first.
inline double last_renewal_by(double rounds) {
    const double* next = std::upper_bound(std::begin(renewals), std::end(renewals), rounds);
    return next == std::begin(renewals) ? 0.0 : next[-1];
}

inline bool renews_at(double round) {
    return std::find(std::begin(renewals), std::end(renewals), round) != std::end(renewals);
}

class Past {
  public:
    struct Round {
        std::size_t end;  // of its entries
        double outcome, weight;
    };
    std::vector<Seated> entries;  // those of a row by their seats, the constant among them
    std::vector<Round> rounds;

    std::size_t size() const { return rounds.size(); }
    void seated(std::size_t t, std::vector<Seated>& of) const {
        const auto at = [&](std::size_t end) { return entries.begin() + static_cast<std::ptrdiff_t>(end); };
        of.assign(at(t == 0 ? 0 : rounds[t - 1].end), at(rounds[t].end));
    }
    // Room for one more.
    void make_room(const Row& raw) {
        pool::make_room(entries, entries.size() + raw.size);
        pool::make_room(rounds, rounds.size() + 1);
    }
    // Only rows whose features all have seats have views.
    void note(const Row& raw, double outcome, double weight) {
        if (raw.seated.size() != raw.size) return;
        entries.insert(entries.end(), raw.seated.begin(), raw.seated.end());
        rounds.push_back({entries.size(), outcome, weight});
    }
    void forget() { *this = {}; }
    // The largest outcome of the first rows, which are so many.
    double largest_outcome(std::size_t count) const {
        double largest = 0.0;
        for (std::size_t t = 0; t < count; ++t) largest = std::max(largest, rounds[t].outcome);
        return largest;
    }
};

// The narrow views, cut anew from the rows so far and taught all of them. They are made apart: nothing of a pool moves
// before they are ready, and from then on it takes no memory to learn one row more.
template <class Of>
struct Renewal {
    Binning binning;
    Of views[view_count];  // the raw one is not touched

    // `teach(views, view, row, t)` teaches row t of the past; `worth(binning, bins)` is that of the columns, and
    // `telling` are pairs that are to be there. Where `now`, the views so far, know the past, one that would be cut as
    // before is what it would be taught to be, and stays.
    template <class Teach, class WorthOf>
    void make(const Past& past, Row (&rows)[view_count], const Of (&now)[view_count], bool known, Teach teach,
              WorthOf worth, const Pairs& telling) {
        const Binning before = binning;
        binning.cut_anew();
        if (known && binning.has_bins_of(before))
            keep(bins_view, now);
        else
            learn(bins_view, past, rows, teach);
        binning.pair(worth(binning, views[bins_view]), telling);
        if (known && binning.has_bins_of(before) && binning.has_pairs_of(before))
            keep(pairs_view, now);
        else
            learn(pairs_view, past, rows, teach);
    }

  private:
    void keep(View view, const Of (&now)[view_count]) {
        views[view] = now[view];
        views[view].make_room(binning.most_lines());
    }
    template <class Teach>
    void learn(View view, const Past& past, Row (&rows)[view_count], Teach teach) {
        std::vector<Seated> seated;
        views[view].make_room(binning.most_lines());
        for (std::size_t t = 0; t < past.size(); ++t) {
            past.seated(t, seated);
            binning.cut_into_bins(seated, rows[bins_view]);
            if (view == pairs_view) binning.pair_up(rows[bins_view], rows[pairs_view]);
            teach(views[view], view, rows[view], t);
        }
    }
};

}  // namespace littlestone::pool
