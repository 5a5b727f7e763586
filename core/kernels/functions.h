// Kernels: a value for each point from its dot product with the row, or from its distance.
#pragma once

#include <variant>

#include "points.h"

namespace littlestone {

struct LinearKernel {
    double self(const Query& x) const { return x.norm_squared(); }

    template <class Points>
    void values(const Query& x, const Points& points, const double*, std::size_t, double* out) const {
        points.dots(x, out);
    }
};

// (gamma x.z + constant)^degree.
struct PolynomialKernel {
    double gamma, constant;
    std::uint64_t degree;

    double of_dot(double dot) const {
        double base = gamma * dot + constant, power = 1.0;
        for (std::uint64_t rest = degree; rest > 0; rest >>= 1, base *= base)
            if (rest & 1) power *= base;
        return power;
    }
    double self(const Query& x) const { return of_dot(x.norm_squared()); }

    template <class Points>
    void values(const Query& x, const Points& points, const double*, std::size_t count, double* out) const {
        points.dots(x, out);
        for (std::size_t p = 0; p < count; ++p) out[p] = of_dot(out[p]);
    }
};

// exp(-gamma |x - z|^2). Distances come from dot products; where that loses digits they are summed from differences.
struct GaussianKernel {
    double gamma;

    double self(const Query&) const { return 1.0; }

    template <class Points>
    void values(const Query& x, const Points& points, const double* norms, std::size_t count, double* out) const {
        points.dots(x, out);
        if (blocks::squared_distances(out, norms, x.norm_squared(), count))
            for (std::size_t p = 0; p < count; ++p)
                if (!(out[p] >= blocks::cancelled * (norms[p] + x.norm_squared())))
                    out[p] = distance_squared(x.entries(), points.entries(p));
        blocks::exponentials(out, gamma, count);
    }
};

// exp(-gamma |x - z|_1).
struct LaplaceKernel {
    double gamma;

    double self(const Query&) const { return 1.0; }

    template <class Points>
    void values(const Query& x, const Points& points, const double*, std::size_t count, double* out) const {
        points.distances(x, out);
        blocks::exponentials(out, gamma, count);
    }
};

using KernelFunction = std::variant<LinearKernel, PolynomialKernel, GaussianKernel, LaplaceKernel>;

}  // namespace littlestone
