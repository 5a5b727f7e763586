// The multiplicative geometry: weights U * exp(theta_i) / sum_j exp(theta_j), of which only theta is ever stored as the
// truth. A weight that has fallen to e^-2000 of the others comes back.
#pragma once

#include <cstddef>

#include "interval.h"
#include "sums.h"
#include "weights.h"

namespace littlestone {

// What a log-weight stands for at a shift c: `lean` is what a score is taken with, `weigh` what the normaliser sums.
struct Power {
    double lean, weigh;
};

// A point of the simplex: both are exp(theta - c).
struct Positive {
    static double height(double theta) { return theta; }
    static Power at(double theta, double shift, double) {
        const double power = std::exp(theta - shift);
        return {power, power};
    }
};

// Every feature and its negative from the same start: theta and -theta, so sinh and cosh, each * exp(-c).
struct Signed {
    static double height(double theta) { return std::fabs(theta); }
    static Power at(double theta, double shift, double floor) {
        const double size = std::fabs(theta);
        if (size > 20.0) {  // exp(-2 size) is below half a rounding
            const double half = 0.5 * std::exp(size - shift);
            return {std::copysign(half, theta), half};
        }
        const double rise = std::expm1(size), up = rise + 1.0, down = 1.0 / up;
        return {std::copysign(0.5 * (rise + rise * down) * floor, theta), 0.5 * (up + down) * floor};
    }
};

// The sum of all `weigh`, in twice the precision, and how wrong it can be by now.
//
// An update of m features makes 2m additions to the correction, each with a rounding error of at most 2^-53 of a
// correction below 2m * 2^-53 * S: together below m^2 * 2^-104 * S, S the largest sum on the way. That is added to
// `slack`, and once the slack passes 2^-46 of the sum, the sum is taken anew. It cannot drift, and at a steady sum the
// new sum is due after more than 2^40 updates of 64 features.
struct Normaliser {
    double *shift, *total, *correction, *slack;
    double* anchor;    // the total when the shift was chosen
    double* members;   // features before this one are in the sum; behind them is room for new ones
    double* log_size;  // log N, and what late features added to log(total)

    static constexpr double tolerance = 0x1.0p-46;

    bool stale() const { return !(*slack <= tolerance * *total); }
};

// Adds to a sum exactly: total + correction gains the term up to 2^-106 of it.
inline void add_exactly(double term, double& total, double& correction) {
    const double next = total + term, back = next - total;
    correction += (total - (next - back)) + (term - back);
    total = next;
}

template <class Form>
struct LogWeights {
    double* theta;
    double* lean;
    double* weigh;  // the same array as lean where the two are equal
    std::size_t width;
    double U;
    Normaliser sum;
    Average average;

    // A step that moves a log-weight further than this could overflow it in the lifetime of a machine.
    static constexpr double longest_move = 1e290;
    // Scores below this may have lost features to underflow.
    static constexpr double faint = 1e-250;

    static bool can_move(double step, double largest_entry) { return std::fabs(step) * largest_entry <= longest_move; }

    // A feature joins the sum in the round in which it is first learned, before the score.
    template <class Row>
    void welcome(const Row& x) const {
        if (members() < width && x.extent() > members()) admit(x.extent());
    }
    template <class Row>
    void begin_round(const Row&) const {
        if (average && members() > 0) *average.mass += U / *sum.total;
    }

    template <class Row>
    double score(const Row& x) const {
        const double dot = x.dot(lean);
        return std::fabs(dot) < faint ? faint_score(x, dot) : U * (dot / *sum.total);
    }

    // The sum of |w_i x_i|: the scale on which a score is a tie.
    template <class Row>
    double absolute_score(const Row& x) const {
        double total = 0.0;
        x.each([&](std::size_t i, double v) { total += std::fabs(lean[i] * v); });
        return total == 0.0 ? 0.0 : U * (total / *sum.total);
    }

    // theta += step * x, and with it the powers of the features that moved.
    template <class Row>
    void move(const Row& x, double step) const {
        double highest = -infinity;
        x.each([&](std::size_t i, double v) {
            theta[i] += step * v;
            __builtin_prefetch(weigh + i);
            highest = std::max(highest, Form::height(theta[i]));
        });
        if (highest - *sum.shift > ceiling()) return rebase();
        exchange(x);
        if (sum.stale()) count();
        if (!in_band()) rebase();
    }

    // Chooses the shift anew and fills every power from its log-weight.
    void rebase() const {
        if (average) settle();
        double highest = -infinity;
        for (std::size_t i = 0; i < members(); ++i) highest = std::max(highest, Form::height(theta[i]));
        *sum.shift = members() == 0 ? 0.0 : highest;
        const double floor = std::exp(-*sum.shift);
        for (std::size_t i = 0; i < members(); ++i) {
            const Power power = Form::at(theta[i], *sum.shift, floor);
            weigh[i] = power.weigh;
            lean[i] = power.lean;
        }
        count();
        *sum.anchor = *sum.total;
    }

  private:
    std::size_t members() const { return static_cast<std::size_t>(*sum.members); }

    void admit(std::size_t end) const {
        const double before = *sum.total, floor = std::exp(-*sum.shift);
        const std::size_t old = members();
        double total = before, correction = *sum.correction;
        for (std::size_t i = old; i < end; ++i) {
            const Power power = Form::at(theta[i], *sum.shift, floor);
            if (average) average.drift[i] += *average.mass * power.lean;
            add_exactly(power.weigh, total, correction);
            weigh[i] = power.weigh;
            lean[i] = power.lean;
        }
        *sum.members = static_cast<double>(end);
        settle_sum(total, correction, static_cast<double>(end - old), before);
        *sum.log_size += std::log(*sum.total / (old == 0 ? 1.0 : before));
        if (old == 0 || sum.stale() || !in_band()) rebase();
    }

    void settle_sum(double total, double correction, double terms, double before) const {
        *sum.total = total + correction;
        *sum.correction = correction - (*sum.total - total);
        *sum.slack += terms * terms * 0x1.0p-104 * (before + *sum.total);
    }

    bool in_band() const {
        return *sum.total >= *sum.anchor * lowest_fall() && *sum.total <= *sum.anchor / lowest_fall();
    }

    // With an average the common factor U / total must stay within a few bits, or early rounds drown late ones.
    double lowest_fall() const { return average ? 0x1.0p-8 : 0x1.0p-400; }
    double ceiling() const { return average ? std::log(*sum.anchor) + 5.5 : 270.0; }

    template <class Row>
    void exchange(const Row& x) const {
        const double shift = *sum.shift, floor = std::exp(-shift), before = *sum.total;
        const double mass = average ? *average.mass : 0.0;
        double total = before, correction = *sum.correction, terms = 0.0;
        x.each([&](std::size_t i, double v) {
            if (v == 0.0) return;  // stored zeros must not count as terms: a dense row has none
            const Power next = Form::at(theta[i], shift, floor);
            if (average) average.drift[i] += mass * (next.lean - lean[i]);
            add_exactly(next.weigh, total, correction);
            add_exactly(-weigh[i], total, correction);
            weigh[i] = next.weigh;
            lean[i] = next.lean;
            terms += 1.0;
        });
        settle_sum(total, correction, terms, before);
    }

    void count() const {
        double total = 0.0, correction = 0.0;
        for (std::size_t i = 0; i < members(); ++i) {
            add_exactly(weigh[i], total, correction);
            const double rounded = total + correction;
            correction -= rounded - total;
            total = rounded;
        }
        *sum.total = total;
        *sum.correction = correction;
        *sum.slack = *sum.members * 0x1.0p-104 * total;
    }

    // Every weight in the row may have underflowed; a shift of the row's own tells the sign of its score.
    template <class Row>
    double faint_score(const Row& x, double dot) const {
        double highest = -infinity;
        x.each([&](std::size_t i, double v) {
            if (v != 0.0) highest = std::max(highest, Form::height(theta[i]));
        });
        if (highest == -infinity) return 0.0;  // an empty row; there may be no feature yet to divide by
        if (highest - *sum.shift > -500.0) return U * (dot / *sum.total);
        const double floor = std::exp(-highest);
        double near = 0.0;
        x.each([&](std::size_t i, double v) {
            if (v != 0.0) near += Form::at(theta[i], highest, floor).lean * v;
        });
        const double score = U * (near * std::exp(highest - *sum.shift) / *sum.total);
        constexpr double least = std::numeric_limits<double>::denorm_min();
        return score == 0.0 && near != 0.0 ? std::copysign(least, near) : score;
    }

    void settle() const {
        for (std::size_t i = 0; i < width; ++i) {
            average.settled[i] += *average.mass * lean[i] - average.drift[i];
            average.drift[i] = 0.0;
        }
        *average.mass = 0.0;
    }
};

}  // namespace littlestone
