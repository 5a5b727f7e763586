#include "newton.h"

#include "../clones.h"

namespace littlestone::pool {
namespace {

LITTLESTONE_CLONES void add_row(const double* from, double factor, double* to, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) to[i] += factor * from[i];
}

LITTLESTONE_CLONES void subtract_square(const double* gain, double factor, double* rows, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        const double scaled = gain[i] * factor;
        double* row = rows + i * seat_count;
        for (std::size_t j = 0; j < size; ++j) row[j] -= scaled * gain[j];
    }
}

}  // namespace

void Newton::read(const std::vector<Seated>& x, std::size_t size, Reading& reading) const {
    std::fill_n(reading.gain.begin(), size, 0.0);
    reading.spread = reading.logit = 0.0;
    for (const Seated& entry : x) {
        add_row(row(entry.seat), entry.value, reading.gain.data(), size);
        reading.logit += weights[entry.seat] * entry.value;
    }
    for (const Seated& entry : x) reading.spread += reading.gain[entry.seat] * entry.value;
}

void Newton::shrink(std::size_t seat, double more, std::size_t size) {
    Reading unit;
    std::copy_n(row(seat), size, unit.gain.begin());
    const double c = 1.0 / (1.0 + more * unit.gain[seat]);
    move(unit, -weights[seat] * more * c, more * c, size);
}

void Newton::move(const Reading& reading, double error, double information, std::size_t size) {
    add_row(reading.gain.data(), error, weights.data(), size);
    subtract_square(reading.gain.data(), information, covariance.data(), size);
}

void Newton::fade(const Seats& seats, double epsilon) {
    for (std::size_t i = 0; i < seats.size(); ++i) {
        for (std::size_t j = 0; j < seats.size(); ++j) row(i)[j] *= 1.0 - epsilon;
        row(i)[i] += epsilon / seats.precision(i);
    }
}

void Newton::reset(const Seats& seats) {
    for (std::size_t i = 0; i < seats.size(); ++i) {
        const double kept = finite_or_zero(weights[i]);
        open(i, seats.precision(i));
        weights[i] = kept;
    }
}

}  // namespace littlestone::pool
