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

    // Without branches: which label comes next, and so which end is meant, is anybody's guess.
    Violation violation(double score) const {
        const bool below = (score < low) | (low_open & (score == low));
        const bool above = (score > high) | (high_open & (score == high));
        return {below - (above & !below), distance(score)};
    }
    // How far the score is outside; what is no number is taken for inside.
    double distance(double score) const {
        const double under = low - score, over = score - high, farther = under > over ? under : over;
        return farther > 0.0 ? farther : 0.0;
    }

    bool empty() const { return !(low < high || (low == high && !low_open && !high_open && std::isfinite(low))); }

    Interval widened(double tolerance) const { return {low - tolerance, high + tolerance, low_open, high_open}; }

    // (0, inf) or its mirror: a zero score is a mistake for either label.
    static Interval open_half_line(int label) {
        static constexpr double low[] = {-infinity, 0.0}, high[] = {0.0, infinity};
        const bool positive = label > 0;
        return {low[positive], high[positive], true, true};
    }
    // [margin, inf) or its mirror.
    static Interval half_line(int label, double margin) {
        const double low[] = {-infinity, margin}, high[] = {-margin, infinity};
        const bool positive = label > 0;
        return {low[positive], high[positive], !positive, positive};
    }
    static Interval around(double target, double epsilon) { return {target - epsilon, target + epsilon, false, false}; }
};

}  // namespace littlestone
