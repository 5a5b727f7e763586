// The pool for labels: a pool per view of the rows, stacks of their log-odds, and the master over all of them.
#pragma once

#include "interaction.h"
#include "past.h"
#include "stretch.h"
#include "view_pool.h"

namespace littlestone::pool {

inline constexpr std::size_t blend_experts = view_count + stack_count;
using ViewStack = Stack<view_count + 1>;
using ViewMaster = Master<blend_experts>;

// What the views say of one class, together.
struct Blend {
    static const ViewMaster::Each prior;
    static const ViewStack::Inputs means;
    ViewStack stacks[stack_count];
    ViewMaster master;
    Losses<blend_experts> losses;  // a sleeper is charged what the master lost
    Frequency frequency;

    Blend();
    Blend mirrored() const;
};

struct BlendReading {
    std::array<double, blend_experts> chance;  // what each gives to the positive label
    std::array<double, blend_experts> awake;   // 1, or 0 of a sleeper
    std::array<ViewStack::Reading, stack_count> stacks;
    double pooled;       // what the master says
    double probability;  // and what is shown, the frequency of the label with it
    double log_odds_shown() const { return log_of(probability / (1.0 - probability)); }
    double lost(bool positive) const { return -log_of(positive ? probability : 1.0 - probability); }
};

// The room that reading a row and learning it take; not part of the state.
struct Desk {
    Row rows[view_count];
    std::vector<Reading> readings[view_count];
    std::vector<BlendReading> blends;  // per class; of two labels one
    bool viewed = false;
    View resting = raw_view;
    std::vector<double> staged[view_count];  // of the rows of a stretch: what the views gave to each class

    // Whether the row is seen in a view.
    bool has(std::size_t view) const { return view == raw_view || (viewed && view != resting); }
    void make_room(std::size_t classes);
};

// What a user chooses.
struct Options {
    bool narrow_views = true;
    EachMember members = {1, 1, 1, 1, 1, 1, 1};
    double threshold = 0.0;       // of two labels: the log-odds from which the positive one is shown
    double largest_weight = 1.0;  // of a round; weights above it take the proof away, not the sense
};

class Pool {
  public:
    Options options;
    ViewPool views[view_count];
    Binning binning;
    Past past;
    std::vector<Blend> blends = std::vector<Blend>(1);
    bool given_up = false;  // a copy that was gone back to

    std::size_t met() const { return views[raw_view].met(); }
    // The raw row stands in desk.rows[0].
    void read(Desk& desk) const;
    // Room for all that is to be learned from the row; from here on it takes no memory.
    void make_room(const Desk& desk);
    void learn(Desk& desk, std::size_t truth, double weight);
    // Whether rows with views can be learned a stretch at a time: no cut is left to be made.
    bool takes_stretches() const { return cuts() && binning.born() && binning.complete(); }
    // The rows of a stretch, at most: with the last of them pairs are judged.
    std::size_t most_rows() const;
    // The views learn these rows, of classes that were met; what stands over the views, afterwards row by row.
    void learn_views(const Stretch& stretch, Desk& desk);
    void read_over_views(Desk& desk, std::size_t t) const;
    void learn_over_views(const Desk& desk, std::size_t truth, double weight);
    // Whether the full covariance can learn a stretch of rows ahead of the other members: rows with one view.
    bool goes_ahead() const {
        return (!options.narrow_views || (binning.complete() && !binning.born())) &&
               options.members[newton_filter] != 0.0 && views[raw_view].seats.size() > 0 &&
               !views[raw_view].seats.retired();
    }
    // It begins with the rows of ahead.stretch, and all room is made that they need; each is then read and learned, and
    // with the last one read all members are again where rounds of their own would have them.
    void send(Ahead& ahead, Desk& desk);
    void read_behind(Ahead& ahead, Desk& desk, std::size_t t);
    void learn_behind(Desk& desk, std::size_t truth, double weight);
    // Classes up to this many, and room on the desk for what they say of the row on it.
    void join(Desk& desk, std::size_t count);
    // A feature of the next row: its line is asked for.
    void ask_for(std::size_t feature) const { pool::ask_for(views[raw_view].classes[0].lines, feature + 1); }

  private:
    // Whether columns are cut, or will be.
    bool cuts() const { return options.narrow_views && !views[raw_view].seats.retired(); }
    void read_over(Desk& desk) const;
    double power(double weight) const { return std::min(weight / options.largest_weight, 1.0); }
    void blend(Desk& desk, std::size_t c) const;
    void blend_views(Desk& desk, std::size_t c) const;
    void learn_blend(const BlendReading& reading, Blend& blend, bool positive, double weight, double power);
    bool knows_past() const;
    void renew(Desk& desk);
    void learn_blends(const Desk& desk, std::size_t truth, double weight);
    // A round more of rows with views; what is due after it is done.
    void count_viewed();
    // One of which the cells alone say nothing, since a column of it is there with one value or not there, stays.
    Pairs judge(double least);
    Interaction interaction_of(const Pairing& pair) const;
    void rest();
    static Worth worth(const Binning& binning, const ViewPool& bins);
};

}  // namespace littlestone::pool
