// On-line Newton steps of logistic or linear regression on raw values: the extended Kalman filter, full covariance.
#pragma once

#include <vector>

#include "room.h"
#include "seats.h"
#include "stack.h"

namespace littlestone::pool {

// w and S = (prior + sum of h x x')^-1 over the seats. Of S - k k' c the second term may wait: eight of them are
// subtracted in one pass over S.
class Newton {
  public:
    static constexpr std::size_t most_waiting = 8;
    std::vector<double> weights, covariance;  // seats; seats x seats
    std::vector<double> waiting;              // gains k, one after another, each with its c behind it

    struct Reading {
        std::array<double, seat_count> gain;  // S x
        double spread = 0.0, logit = 0.0;
        bool sound() const { return spread >= 0.0 && std::isfinite(spread) && std::isfinite(logit); }
        double moderated() const { return finite_or_zero(logit / std::sqrt(1.0 + pi_over_8 * spread)); }
    };

    double* row(std::size_t i) { return covariance.data() + i * seat_count; }
    const double* row(std::size_t i) const { return covariance.data() + i * seat_count; }

    void read(const std::vector<Seated>& x, std::size_t size, Reading& reading) const;
    // All the room there will ever be need of.
    void make_room();
    // A new seat, the last of `size`: independent of the others.
    void open(std::size_t seat, double precision, std::size_t size);
    // The prior precision of one weight grows: as if its weight had been observed to be 0.
    void shrink(std::size_t seat, double more, std::size_t size);
    // The score that a row gets: 0 where the numbers are beyond all bounds.
    static double score(const Reading& reading) { return reading.sound() ? reading.moderated() : 0.0; }
    // The step of logistic regression; `reseated` says that the filter has moved since the reading.
    void learn_label(const std::vector<Seated>& x, Reading& reading, const Seats& seats, bool reseated, double truth,
                     double weight);
    // w += k error, S -= k k' information.
    void move(const Reading& reading, double error, double information, std::size_t size);
    // (1 - e) S + e S0: what is known fades.
    void fade(const Seats& seats, double epsilon);
    void reset(const Seats& seats);

    static constexpr std::size_t entry = seat_count + 1;  // numbers of one that waits
    std::size_t waits() const { return waiting.size() / entry; }

  private:
    void settle(std::size_t size);
};

}  // namespace littlestone::pool
