// The pool for targets: the members on every view of the rows, and a mixture of what the views say.
#pragma once

#include "past.h"
#include "stretch.h"
#include "target_view.h"

namespace littlestone::pool {

using ViewMixture = SquareMixture<view_count>;
template <>
const std::array<double, view_count> ViewMixture::prior;
template <>
const ViewMixture::Advice ViewMixture::trust;
template <>
const double ViewMixture::constant_variance;

struct TargetDesk {
    Row rows[view_count];
    TargetReading readings[view_count];
    ViewMixture::Reading mixture;
    double prediction;
    bool viewed = false;
    std::vector<double> staged[view_count];  // of the rows of a stretch: what the views say
    Range range;                             // of the targets before the row of a stretch that is read

    // The views that the row has.
    std::size_t views() const { return viewed ? view_count : 1; }
};

class TargetPool {
  public:
    TargetView views[view_count];
    Binning binning;
    Past past;
    ViewMixture mixture;
    bool narrow_views = true;
    bool given_up = false;  // a copy that was gone back to

    // The raw row stands in desk.rows[0].
    void read(TargetDesk& desk) const;
    void learn(TargetDesk& desk, double target, double weight);

    // As those of a pool for labels.
    bool takes_stretches() const { return cuts() && binning.born() && binning.complete(); }
    static std::size_t most_rows() { return Stretch::most; }
    void learn_views(const Stretch& stretch, TargetDesk& desk);
    void read_over_views(TargetDesk& desk, std::size_t t) const;
    void learn_over_views(TargetDesk& desk, double target, double weight);

  private:
    void mix(TargetDesk& desk, const Range& range) const;
    bool cuts() const { return narrow_views && !views[raw_view].seats.retired(); }
    void make_room(const TargetDesk& desk);
    void renew(TargetDesk& desk);
    static Worth worth(const Binning& binning, const TargetView& bins);
};

}  // namespace littlestone::pool
