// A trial's outcome is an interval of acceptable scores, each end open or closed (Bylander 1998, section 3.1).
#pragma once

#include <cmath>
#include <limits>

namespace littlestone {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// Where a score stands to an interval: side +1 below (the score must rise), -1 above, 0 inside.
// At an open end the score is outside although the distance is 0.
struct Violation {
    int side;
    double distance;
};

struct Interval {
    double low, high;
    bool low_open, high_open;

    Violation violation(double score) const {
        if (score < low || (low_open && score == low)) return {+1, low - score};
        if (score > high || (high_open && score == high)) return {-1, score - high};
        return {0, 0.0};
    }

    bool empty() const { return !(low < high || (low == high && !low_open && !high_open && std::isfinite(low))); }

    Interval widened(double tolerance) const { return {low - tolerance, high + tolerance, low_open, high_open}; }

    // (0, inf) or its mirror: a zero score is a mistake for either label (spec.md D1).
    static Interval open_half_line(int label) {
        return label > 0 ? Interval{0.0, infinity, true, true} : Interval{-infinity, 0.0, true, true};
    }
    // [margin, inf) or its mirror.
    static Interval half_line(int label, double margin) {
        return label > 0 ? Interval{margin, infinity, false, true} : Interval{-infinity, -margin, true, false};
    }
    static Interval around(double target, double epsilon) { return {target - epsilon, target + epsilon, false, false}; }
};

}  // namespace littlestone
