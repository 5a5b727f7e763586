#include "newton.h"

#include "../clones.h"

namespace littlestone::pool {
namespace {

LITTLESTONE_CLONES void add_row(const double* __restrict from, double factor, double* __restrict to, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) to[i] += factor * from[i];
}

// Row i of S less k[i] c k of eight gains, in the order in which they came.
LITTLESTONE_CLONES void subtract_eight(const double* __restrict gains, std::size_t stride, double* __restrict rows,
                                       std::size_t size) {
    using Eight = Doubles<8>::Vector;
    constexpr std::size_t width = 8;
    static_assert(Newton::most_waiting == 8 && seat_count % width == 0);
    double by[seat_count][Newton::most_waiting];
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t m = 0; m < Newton::most_waiting; ++m)
            by[i][m] = gains[m * stride + i] * gains[m * stride + seat_count];
    // Eight columns of all rows at a time: what is subtracted from them stays in registers. Gains beyond `size` are 0.
    for (std::size_t j = 0; j < size; j += width) {
        Eight gain[Newton::most_waiting];
        for (std::size_t m = 0; m < Newton::most_waiting; ++m)
            __builtin_memcpy(&gain[m], gains + m * stride + j, sizeof gain[m]);
        for (std::size_t i = 0; i < size; ++i) {
            Eight value;
            __builtin_memcpy(&value, rows + i * seat_count + j, sizeof value);
            for (std::size_t m = 0; m < Newton::most_waiting; ++m) value -= by[i][m] * gain[m];
            __builtin_memcpy(rows + i * seat_count + j, &value, sizeof value);
        }
    }
}

LITTLESTONE_CLONES void subtract_one(const double* __restrict gain, double* __restrict rows, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        const double by = gain[i] * gain[seat_count];
        double* __restrict row = rows + i * seat_count;
        for (std::size_t j = 0; j < size; ++j) row[j] -= by * gain[j];
    }
}

}  // namespace

void Newton::read(const std::vector<Seated>& x, std::size_t size, Reading& reading) const {
    std::fill_n(reading.gain.begin(), size, 0.0);
    reading.spread = reading.logit = 0.0;
    for (const Seated& at : x) {
        add_row(row(at.seat), at.value, reading.gain.data(), size);
        reading.logit += weights[at.seat] * at.value;
    }
    for (std::size_t m = 0; m < waits(); ++m) {
        const double* gain = waiting.data() + m * entry;
        double dot = 0.0;
        for (const Seated& at : x) dot += gain[at.seat] * at.value;
        add_row(gain, -dot * gain[seat_count], reading.gain.data(), size);
    }
    for (const Seated& at : x) reading.spread += reading.gain[at.seat] * at.value;
}

void Newton::make_room() {
    weights.resize(seat_count);
    covariance.resize(seat_count * seat_count);
    waiting.reserve(most_waiting * entry);
}

void Newton::open(std::size_t seat, double precision, std::size_t size) {
    settle(size);
    for (std::size_t i = 0; i < seat_count; ++i) row(seat)[i] = row(i)[seat] = 0.0;
    row(seat)[seat] = 1.0 / precision;
    weights[seat] = 0.0;
}

void Newton::shrink(std::size_t seat, double more, std::size_t size) {
    settle(size);
    Reading unit;
    std::copy_n(row(seat), size, unit.gain.begin());
    const double c = 1.0 / (1.0 + more * unit.gain[seat]);
    move(unit, -weights[seat] * more * c, more * c, size);
}

void Newton::move(const Reading& reading, double error, double information, std::size_t size) {
    add_row(reading.gain.data(), error, weights.data(), size);
    waiting.resize(waiting.size() + entry);
    double* gain = waiting.data() + waiting.size() - entry;
    std::copy_n(reading.gain.begin(), size, gain);
    gain[seat_count] = information;
    if (waits() == most_waiting) settle(size);
}

void Newton::settle(std::size_t size) {
    if (waits() == most_waiting)
        subtract_eight(waiting.data(), entry, covariance.data(), size);
    else
        for (std::size_t m = 0; m < waits(); ++m) subtract_one(waiting.data() + m * entry, covariance.data(), size);
    waiting.clear();
}

void Newton::fade(const Seats& seats, double epsilon) {
    settle(seats.size());
    for (std::size_t i = 0; i < seats.size(); ++i) {
        for (std::size_t j = 0; j < seats.size(); ++j) row(i)[j] *= 1.0 - epsilon;
        row(i)[i] += epsilon / seats.precision(i);
    }
}

void Newton::reset(const Seats& seats) {
    waiting.clear();
    for (std::size_t i = 0; i < seats.size(); ++i) {
        const double kept = finite_or_zero(weights[i]);
        open(i, seats.precision(i), seats.size());
        weights[i] = kept;
    }
}

}  // namespace littlestone::pool
