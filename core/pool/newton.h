// On-line Newton steps of logistic or linear regression on raw values: the extended Kalman filter, full covariance.
#pragma once

#include <vector>

#include "seats.h"
#include "stack.h"

namespace littlestone::pool {

// w and S = (prior + sum of h x x')^-1 over the seats. S moves only when a row is learned.
class Newton {
  public:
    std::vector<double> weights, covariance;  // seats; seats x seats

    double* row(std::size_t i) { return covariance.data() + i * seat_count; }
    const double* row(std::size_t i) const { return covariance.data() + i * seat_count; }

    struct Reading {
        std::array<double, seat_count> gain;  // S x
        double spread = 0.0, logit = 0.0;
        bool sound() const { return spread >= 0.0 && std::isfinite(spread) && std::isfinite(logit); }
        double moderated() const { return finite_or_zero(logit / std::sqrt(1.0 + pi_over_8 * spread)); }
    };

    void read(const std::vector<Seated>& x, std::size_t size, Reading& reading) const;

    // A new seat: independent of the others.
    void open(std::size_t seat, double precision) {
        weights.resize(seat_count);  // room is made with the first seat
        covariance.resize(seat_count * seat_count);
        for (std::size_t i = 0; i < seat_count; ++i) row(seat)[i] = row(i)[seat] = 0.0;
        row(seat)[seat] = 1.0 / precision;
        weights[seat] = 0.0;
    }
    // The prior precision of one weight grows: as if its weight had been observed to be 0.
    void shrink(std::size_t seat, double more, std::size_t size);
    // w += k error gain, S -= k k' information.
    void move(const Reading& reading, double error, double information, std::size_t size);
    // (1 - e) S + e S0: what is known fades.
    void fade(const Seats& seats, double epsilon);
    void reset(const Seats& seats);
};

}  // namespace littlestone::pool
