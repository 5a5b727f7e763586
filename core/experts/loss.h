// The losses of advice on an outcome, and their gradients in the advice.
#pragma once

#include <cmath>
#include <cstddef>

#include "../interval.h"

namespace littlestone {

enum class LossKind { given, zero_one, absolute, square, percentage, pinball, log, brier };

struct Loss {
    LossKind kind;
    double quantile;   // of the pinball loss
    double low, high;  // the declared range; nan where there is none

    bool declared() const { return low <= high; }
    bool labels() const { return kind == LossKind::zero_one; }
    bool probabilities() const { return kind == LossKind::log || kind == LossKind::brier; }

    bool takes_outcome(double y) const {
        if (labels() || probabilities()) return y == 0.0 || y == 1.0;
        return std::isfinite(y) && !(kind == LossKind::percentage && y == 0.0);
    }
    bool takes_advice(double x) const {
        if (labels()) return x == 0.0 || x == 1.0;
        return probabilities() ? x >= 0.0 && x <= 1.0 : std::isfinite(x);
    }

    // Calls use(f), where f(x) is the loss of advice x on the outcome y: the kind is looked at once for a whole row.
    template <class Use>
    auto with(double y, Use use) const {
        const double q = quantile, scale = std::fabs(y);
        switch (kind) {
            case LossKind::zero_one:
                return use([y](double x) { return x == y ? 0.0 : 1.0; });
            case LossKind::absolute:
                return use([y](double x) { return std::fabs(x - y); });
            case LossKind::square:
                return use([y](double x) { return (x - y) * (x - y); });
            case LossKind::percentage:
                return use([y, scale](double x) { return std::fabs(x - y) / scale; });
            case LossKind::pinball:
                return use([y, q](double x) { return ((y < x ? 1.0 : 0.0) - q) * (x - y); });
            case LossKind::log:
                return use([y](double x) { return y == 1.0 ? -std::log(x) : -std::log1p(-x); });
            case LossKind::brier:
                return use([y](double x) { return (x - y) * (x - y); });
            case LossKind::given:
                break;
        }
        return use([](double x) { return x; });
    }

    double of(double x, double y) const {
        return with(y, [x](auto loss) { return loss(x); });
    }

    double gradient(double x, double y) const {
        const double sign = x > y ? 1.0 : x < y ? -1.0 : 0.0;
        switch (kind) {
            case LossKind::absolute:
                return sign;
            case LossKind::square:
                return 2.0 * (x - y);
            case LossKind::percentage:
                return sign / std::fabs(y);
            case LossKind::pinball:
                return (y < x ? 1.0 : 0.0) - quantile;
            case LossKind::log:
                return y == 1.0 ? -1.0 / x : 1.0 / (1.0 - x);
            case LossKind::brier:
                return 2.0 * (x - y);
            case LossKind::zero_one:
            case LossKind::given:
                break;
        }
        return 1.0;
    }
};

}  // namespace littlestone
