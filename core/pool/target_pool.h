// The pool for targets: the members on every view of the rows, and a mixture of what the views say.
#pragma once

#include "target_view.h"
#include "views.h"

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
};

class TargetPool {
  public:
    TargetView views[view_count];
    Binning binning;
    ViewMixture mixture;
    bool narrow_views = true;
    bool given_up = false;  // a copy that was gone back to

    // The raw row stands in desk.rows[0].
    void read(TargetDesk& desk) const;
    void learn(TargetDesk& desk, double target, double weight);

  private:
    Worth worth() const;
};

}  // namespace littlestone::pool
