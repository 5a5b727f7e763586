#pragma once

#include "../loop.h"
#include "../weights.h"

namespace littlestone {

// Every weight has a step of its own, eta / sqrt(sum of its squared gradients) (Duchi, Hazan and Singer 2011). `low`
// and `high` are the ends of what each weight has been, and `slack` the part of the bound that is paid round by round.
struct AdaGrad : LinearRule {
    Weights weights;
    double* squares;
    double* low;
    double* high;
    double* slack;
    double eta;

    // Adds the squares of pull * x, and returns q = sum x^2 / sqrt(squares).
    template <class Row>
    double gather(const Row& x, double pull) const {
        double q = 0.0;
        x.each([&](std::size_t i, double value) {
            const double gradient = pull * value;
            squares[i] += gradient * gradient;
            q += value * value / std::sqrt(squares[i]);
        });
        return q;
    }
    template <class Row>
    Step move(const Row& x, double step) const {
        x.each([&](std::size_t i, double value) {
            weights.move(i, step * value / std::sqrt(squares[i]));
            low[i] = std::min(low[i], weights.w[i]);
            high[i] = std::max(high[i], weights.w[i]);
        });
        return Step::otherwise(step);
    }
};

struct LogisticAdaGrad : AdaGrad {
    Interval accepts_label(int label) const { return Interval::open_half_line(label); }
    bool has_log_odds() const { return true; }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        const double pull = trial.weight * trial.label / (1.0 + std::exp(trial.label * trial.score));
        const double q = gather(x, pull);
        *slack += 0.5 * eta * pull * pull * q;
        return move(x, eta * pull);
    }
};

// The step ends where the loss does, so that none goes too far.
struct HingeAdaGrad : AdaGrad {
    Interval accepts_label(int label) const { return Interval::half_line(label, 1.0); }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        const double loss = trial.violation.distance;
        if (loss == 0.0) return Step::stay();
        const double q = gather(x, trial.weight);
        if (q == 0.0 || !std::isfinite(q)) return Step::cannot();
        const double step = std::min(trial.weight * eta, loss / q);
        *slack += step * q - step * step * q / (2.0 * eta);
        return move(x, trial.violation.side * step);
    }
};

struct SquareAdaGrad : AdaGrad {
    Interval accepts_label(int label) const { return Interval::around(label, 0.0); }

    template <class Row>
    Step update(const Row& x, const Trial& trial) const {
        const double error = trial.violation.distance;
        if (error == 0.0) return Step::stay();
        const double q = gather(x, trial.weight * error);
        if (q == 0.0 || !std::isfinite(q)) return Step::cannot();
        const double step = std::min(trial.weight * eta * error, error / q), short_of = error - step / eta;
        *slack += 0.5 * short_of * short_of + step * step * q / (2.0 * eta);
        return move(x, trial.violation.side * step);
    }
};

}  // namespace littlestone
