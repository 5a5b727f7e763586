#include "newton.h"

#include "../clones.h"

namespace littlestone::pool {
namespace {

LITTLESTONE_CLONES void add_row(const double* __restrict from, double factor, double* __restrict to, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) to[i] += factor * from[i];
}

// Four rows of four columns, from row to column.
LITTLESTONE_INLINE void transpose(FourDoubles (&of)[4]) {
    const FourDoubles a = __builtin_shufflevector(of[0], of[1], 0, 4, 2, 6);
    const FourDoubles b = __builtin_shufflevector(of[0], of[1], 1, 5, 3, 7);
    const FourDoubles c = __builtin_shufflevector(of[2], of[3], 0, 4, 2, 6);
    const FourDoubles d = __builtin_shufflevector(of[2], of[3], 1, 5, 3, 7);
    of[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    of[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    of[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    of[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// Row i of S less k[i] c k of eight gains, in the order in which they came. S is symmetric: of two blocks of four by
// four that face each other across the diagonal one is computed, and copied to the other.
LITTLESTONE_CLONES void subtract_eight(const double* __restrict gains, double* __restrict rows, std::size_t size) {
    constexpr std::size_t terms = Newton::most_waiting, stride = Newton::entry, width = 4;
    static_assert(terms == 8 && seat_count % width == 0);
    double by[seat_count][terms];
    const std::size_t filled = (size + width - 1) / width * width;  // gains beyond `size` are 0
    for (std::size_t i = 0; i < filled; ++i)
        for (std::size_t m = 0; m < terms; ++m) by[i][m] = gains[m * stride + i] * gains[m * stride + seat_count];
    // Four columns at a time: what is subtracted from them stays in registers.
    for (std::size_t j = 0; j < filled; j += width) {
        FourDoubles gain[terms];
#pragma GCC unroll 8
        for (std::size_t m = 0; m < terms; ++m) take(gains + m * stride + j, gain[m]);
        for (std::size_t i = 0; i <= j; i += width) {
            FourDoubles value[width];
#pragma GCC unroll 4
            for (std::size_t k = 0; k < width; ++k) {
                take(rows + (i + k) * seat_count + j, value[k]);
#pragma GCC unroll 8
                for (std::size_t m = 0; m < terms; ++m) value[k] -= by[i + k][m] * gain[m];
                put(value[k], rows + (i + k) * seat_count + j);
            }
            if (i == j) continue;
            transpose(value);
#pragma GCC unroll 4
            for (std::size_t k = 0; k < width; ++k) put(value[k], rows + (j + k) * seat_count + i);
        }
    }
}

// Row i of S less k[i] c k, times `kept`.
LITTLESTONE_CLONES void subtract_one(const double* __restrict gain, double kept, double* __restrict rows,
                                     std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        const double by = gain[i] * gain[seat_count];
        double* __restrict row = rows + i * seat_count;
        for (std::size_t j = 0; j < size; ++j) row[j] = (row[j] - by * gain[j]) * kept;
    }
}

LITTLESTONE_CLONES void multiply(double* __restrict rows, double kept, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j) rows[i * seat_count + j] *= kept;
}

// The rows of S that an x has, each times its value, and the gains that wait, each times what it changes: their sum,
// sixteen columns at a time, which stay in registers. There are columns up to seat_count.
LITTLESTONE_CLONES void add_up(const double* rows, const Seated* x, std::size_t count, const double* gains,
                               const double* by, std::size_t waits, double* __restrict to, std::size_t size) {
    constexpr std::size_t width = 16, fours = width / 4;
    static_assert(seat_count % width == 0);
    for (std::size_t j = 0; j < size; j += width) {
        FourDoubles sum[fours] = {}, part;
        const auto add = [&](const double* row, double factor) __attribute__((always_inline)) {
#pragma GCC unroll 4
            for (std::size_t b = 0; b < fours; ++b) {
                take(row + j + 4 * b, part);
                sum[b] += factor * part;
            }
        };
        for (std::size_t k = 0; k < count; ++k) add(rows + x[k].seat * seat_count, x[k].value);
        for (std::size_t m = 0; m < waits; ++m) add(gains + m * Newton::entry, by[m]);
#pragma GCC unroll 4
        for (std::size_t b = 0; b < fours; ++b) put(sum[b], to + j + 4 * b);
    }
}

}  // namespace

void Newton::read(const std::vector<Seated>& x, std::size_t size, Reading& reading) const {
    reading.spread = reading.logit = 0.0;
    for (const Seated& at : x) reading.logit += weights[at.seat] * at.value;
    double by[most_waiting];
    for (std::size_t m = 0; m < waits(); ++m) {
        const double* gain = waiting.data() + m * entry;
        double dot = 0.0;
        for (const Seated& at : x) dot += gain[at.seat] * at.value;
        by[m] = -dot * gain[seat_count];
    }
    add_up(covariance.data(), x.data(), x.size(), waiting.data(), by, waits(), reading.gain.data(), size);
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

void Newton::learn_label(const std::vector<Seated>& x, Reading& reading, const Seats& seats, bool reseated,
                         double truth, double weight) {
    if (reseated) read(x, seats.size(), reading);
    if (!reading.sound()) {
        reset(seats);
        return;
    }
    const double p = sigma(reading.logit);
    const double h = weight * std::max(p * (1.0 - p), 1e-4);
    const double c = 1.0 / (1.0 + h * reading.spread);
    move(reading, weight * (truth - p) * c, h * c, seats.size());
}

void Newton::settle(std::size_t size) {
    if (waits() == most_waiting)
        subtract_eight(waiting.data(), covariance.data(), size);
    else
        for (std::size_t m = 0; m < waits(); ++m)
            subtract_one(waiting.data() + m * entry, 1.0, covariance.data(), size);
    waiting.clear();
}

void Newton::fade(const Seats& seats, double epsilon) {
    const std::size_t size = seats.size();
    if (waits() == 1) {  // the one step of the round: in one pass with it
        subtract_one(waiting.data(), 1.0 - epsilon, covariance.data(), size);
        waiting.clear();
    } else {
        settle(size);
        multiply(covariance.data(), 1.0 - epsilon, size);
    }
    for (std::size_t i = 0; i < size; ++i) row(i)[i] += epsilon / seats.precision(i);
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
