#pragma once

#include <cstddef>

namespace littlestone {

// The p with sum_j p_k rate[k][j] = sum_i p_i rate[i][k] for every k; the rates, n rows of n, are used up.
// The elimination of Grassmann, Taksar and Heyman 1985 subtracts nothing and so loses no digits.
inline void stationary(double* rate, std::size_t n, double* p) {
    for (std::size_t last = n - 1; last > 0; --last) {
        double out = 0.0;
        for (std::size_t j = 0; j < last; ++j) out += rate[last * n + j];
        for (std::size_t i = 0; i < last; ++i) {
            const double into = rate[i * n + last] /= out;
            for (std::size_t j = 0; j < last; ++j)
                if (j != i) rate[i * n + j] += into * rate[last * n + j];
        }
    }
    double sum = p[0] = 1.0;
    for (std::size_t k = 1; k < n; ++k) {
        p[k] = 0.0;
        for (std::size_t i = 0; i < k; ++i) p[k] += p[i] * rate[i * n + k];
        sum += p[k];
    }
    for (std::size_t k = 0; k < n; ++k) p[k] /= sum;
}

}  // namespace littlestone
