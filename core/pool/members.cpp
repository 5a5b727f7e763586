#include "members.h"

#include "../clones.h"

namespace littlestone::pool {
namespace {

constexpr float arow_r = 0.3f;
constexpr float most_mass = 4194304.0f;  // 2^22, where a float still counts by halves

// Halves on halves: the same sums whatever the width of a register.
LITTLESTONE_INLINE float total(const float* strand) {
    float eight[8], four[4];
    for (std::size_t k = 0; k < 8; ++k) eight[k] = strand[k] + strand[k + 8];
    for (std::size_t k = 0; k < 4; ++k) four[k] = eight[k] + eight[k + 4];
    return (four[0] + four[2]) + (four[1] + four[3]);
}

LITTLESTONE_CLONES void gauge_all(std::size_t size, const double* __restrict x, const float* __restrict count,
                                  const float* __restrict level, float* __restrict f, float* __restrict new_count,
                                  float* __restrict new_level) {
    for (std::size_t k = 0; k < size; ++k) {
        const Gauged now = gauged(x[k], count[k], level[k]);
        f[k] = now.f;
        new_count[k] = now.count;
        new_level[k] = now.level;
    }
}

// Features that the gauge has not met.
LITTLESTONE_CLONES std::size_t fresh_among(std::size_t size, const float* __restrict count) {
    std::uint32_t fresh = 0;
    for (std::size_t k = 1; k < size; ++k) fresh += count[k] == 0.0f;
    return fresh;
}

// lambda = ln((pos + 1/2)/(neg + 1/2)) - offset, and g = f (1 + |lambda|).
LITTLESTONE_CLONES void weigh_all(std::size_t size, const float* __restrict f, const float* __restrict positive,
                                  const float* __restrict negative, float offset, float* __restrict lambda,
                                  float* __restrict g) {
    for (std::size_t k = 0; k < size; ++k) {
        lambda[k] = log2_of((positive[k] + 0.5f) / (negative[k] + 0.5f)) * 0.693147181f - offset;
        g[k] = f[k] * (1.0f + std::fabs(lambda[k]));
    }
}

struct Totals {
    float norm, evidence, dots[4];
};

LITTLESTONE_CLONES Totals sum_all(std::size_t size, const float* __restrict f, const float* __restrict g,
                                  const float* __restrict lambda, const float* __restrict w, std::size_t stride) {
    float norm[strands] = {}, evidence[strands] = {}, dots[4][strands] = {};
    for (std::size_t k = 0; k < size; k += strands)
        for (std::size_t i = 0; i < strands; ++i) {
            norm[i] += g[k + i] * g[k + i];
            evidence[i] += std::fabs(f[k + i]) * lambda[k + i];
            dots[0][i] += g[k + i] * w[k + i];
            dots[1][i] += g[k + i] * w[stride + k + i];
            dots[2][i] += g[k + i] * w[2 * stride + k + i];
            dots[3][i] += g[k + i] * w[3 * stride + k + i];
        }
    return {total(norm), total(evidence), {total(dots[0]), total(dots[1]), total(dots[2]), total(dots[3])}};
}

Sums summed(const Row& row, const Weighed& weighed) {
    const Totals of = sum_all(filled(row.size), row.f.data(), weighed[Weighed::g], weighed[Weighed::lambda],
                              weighed[Weighed::weights], weighed.stride());
    Sums sums;
    sums.scale = 1.0 / std::sqrt(static_cast<double>(of.norm));
    sums.evidence = of.evidence;
    for (std::size_t m = 0; m < 4; ++m) sums.scores[m] = finite_or_zero(sums.scale * static_cast<double>(of.dots[m]));
    return sums;
}

// Four numbers of four lines each, from row to column and back.
LITTLESTONE_INLINE void put(Four a, Four b, Four c, Four d, float* to, std::size_t stride) {
    transpose(a, b, c, d);
    __builtin_memcpy(to, &a, sizeof a);
    __builtin_memcpy(to + stride, &b, sizeof b);
    __builtin_memcpy(to + 2 * stride, &c, sizeof c);
    __builtin_memcpy(to + 3 * stride, &d, sizeof d);
}

LITTLESTONE_INLINE void take(const float* a, const float* b, const float* c, const float* d, Four out[4]) {
    __builtin_memcpy(&out[0], a, sizeof out[0]);
    __builtin_memcpy(&out[1], b, sizeof out[1]);
    __builtin_memcpy(&out[2], c, sizeof out[2]);
    __builtin_memcpy(&out[3], d, sizeof out[3]);
    transpose(out[0], out[1], out[2], out[3]);
}

struct Factors {
    float rho, arow, logistic, hinge;  // what x^2 adds to each of the precisions is in units of these
};

// The directions x/A, x/sqrt(G) and x/sqrt(G); the G of this round are in them, the A is that of the rounds before.
LITTLESTONE_CLONES void direct_all(std::size_t size, Factors by, const float* __restrict g, float* __restrict A,
                                   float* __restrict G1, float* __restrict G2, float* __restrict d0,
                                   float* __restrict d1, float* __restrict d2, float* __restrict d3,
                                   float* __restrict spread0, float* __restrict spread2) {
    float sum0[strands] = {}, sum2[strands] = {};
    for (std::size_t k = 0; k < size; k += strands)
        for (std::size_t i = 0; i < strands; ++i) {
            const float x = by.rho * g[k + i], square = x * x;
            const float logistic = G1[k + i] + by.logistic * square, hinge = G2[k + i] + by.hinge * square;
            d0[k + i] = x / A[k + i];
            d1[k + i] = x / __builtin_sqrtf(logistic);
            d2[k + i] = x / __builtin_sqrtf(hinge);
            d3[k + i] = x;
            sum0[i] += x * d0[k + i];
            sum2[i] += x * d2[k + i];
            A[k + i] += by.arow * square;
            G1[k + i] = logistic;
            G2[k + i] = hinge;
        }
    for (std::size_t i = 0; i < strands; ++i) spread0[i] = sum0[i], spread2[i] = sum2[i];
}

LITTLESTONE_CLONES void add_all(std::size_t size, const float* step, std::size_t stride, const float* __restrict from,
                                float* __restrict to) {
    const float arow = step[0], logistic = step[1], hinge = step[2], aggressive = step[3];
    for (std::size_t k = 0; k < size; ++k) {
        to[k] += arow * from[k];
        to[stride + k] += logistic * from[stride + k];
        to[2 * stride + k] += hinge * from[2 * stride + k];
        to[3 * stride + k] += aggressive * from[3 * stride + k];
    }
}

// A register of AVX2; never passed by value, for vectors have no common ABI.
typedef float EightFloats __attribute__((vector_size(32)));
LITTLESTONE_INLINE void take(const float* from, EightFloats& of) { __builtin_memcpy(&of, from, sizeof of); }
LITTLESTONE_INLINE void put(const EightFloats& of, float* to) { __builtin_memcpy(to, &of, sizeof of); }

struct Added {
    float sum, largest;
};

LITTLESTONE_CLONES Added add_magnitudes(std::size_t size, float factor, const float* __restrict f,
                                        float* __restrict to) {
    EightFloats sums[2] = {}, most[2] = {}, value, now;
    for (std::size_t k = 0; k < size; k += strands)
#pragma GCC unroll 2
        for (std::size_t half = 0; half < 2; ++half) {
            take(f + k + 8 * half, value);
            take(to + k + 8 * half, now);
            const EightFloats mass = (value < 0.0f ? -value : value) * factor;
            now += mass;
            sums[half] += mass;
            most[half] = most[half] < now ? now : most[half];
            put(now, to + k + 8 * half);
        }
    float sum[strands], largest[8];
    const EightFloats larger = most[0] < most[1] ? most[1] : most[0];
    for (std::size_t half = 0; half < 2; ++half) put(sums[half], sum + 8 * half);
    put(larger, largest);
    return {total(sum), *std::max_element(largest, largest + 8)};
}

}  // namespace

LITTLESTONE_CLONES void read_lines(const Row& row, const Lines& lines, Weighed& weighed) {
    weighed.make_room(row.size);
    const std::size_t stride = weighed.stride(), size = filled(row.size);
    const std::uint32_t* const line = row.line.data();
    float* const to = weighed[Weighed::weights];
    for (std::size_t k = 0; k < size; k += 4) {
        const Line& a = line_of(lines, line[k]);
        const Line& b = line_of(lines, line[k + 1]);
        const Line& c = line_of(lines, line[k + 2]);
        const Line& d = line_of(lines, line[k + 3]);
        put(a.weights, b.weights, c.weights, d.weights, to + k, stride);
        put(a.precisions, b.precisions, c.precisions, d.precisions, to + Weighed::precisions * stride + k, stride);
        put(a.rest, b.rest, c.rest, d.rest, to + Weighed::positive * stride + k, stride);
    }
}

void gauge_row(Row& row, const Weighed& of_first) {
    const float* const count = of_first[Weighed::count];
    const float* const level = of_first[Weighed::level];
    const std::size_t size = filled(row.size), measured = std::min(row.measured, size);
    row.fresh = fresh_among(row.size, count);
    // Of entries behind those measured the value is 1: a few more of them at once cost less than a rest of less than
    // eight.
    gauge_all(filled(measured), row.x.data(), count, level, row.f.data(), row.count.data(), row.level.data());
    for (std::size_t k = measured; k < row.size; ++k) row.f[k] = row.count[k] = 1.0f, row.level[k] = level[k];
    for (std::size_t k = row.size; k < size; ++k) row.f[k] = 0.0f;
    row.f[0] = row.count[0] = row.level[0] = 0.0f;  // the constant has no mass and no gauge
}

Sums weigh_row(const Row& row, float offset, Weighed& weighed) {
    weigh_all(filled(row.size), row.f.data(), weighed[Weighed::positive], weighed[Weighed::negative], offset,
              weighed[Weighed::lambda], weighed[Weighed::g]);
    weighed[Weighed::lambda][0] = 0.0f;
    weighed[Weighed::g][0] = 1.0f;
    return summed(row, weighed);
}

Sums weigh_row(const Row& row, Weighed& weighed) {
    std::fill_n(weighed[Weighed::lambda], filled(row.size), 0.0f);
    std::copy_n(row.f.data(), filled(row.size), weighed[Weighed::g]);
    weighed[Weighed::g][0] = 1.0f;
    return summed(row, weighed);
}

void step_linear(const Row& row, double scale, const Steps& steps, Weighed& weighed) {
    const std::size_t size = filled(row.size);
    const auto weight = static_cast<float>(steps.weight), c = static_cast<float>(steps.logistic_error);
    const Factors by{static_cast<float>(scale), steps.loss[0] > 0.0 ? weight / arow_r : 0.0f, c * c,
                     steps.loss[2] > 0.0 ? 1.0f : 0.0f};
    float spread0[strands], spread2[strands];
    float* const A = weighed[Weighed::precisions];
    float* const d = weighed[Weighed::directions];
    const std::size_t stride = weighed.stride();
    direct_all(size, by, weighed[Weighed::g], A, A + stride, A + 2 * stride, d, d + stride, d + 2 * stride,
               d + 3 * stride, spread0, spread2);
    const double v = total(spread0), q = total(spread2), sign = steps.sign;
    const double arow =
        steps.loss[0] > 0.0 ? sign * steps.loss[0] / (v + static_cast<double>(arow_r) / steps.weight) : 0.0;
    const double hinge = steps.loss[2] > 0.0 ? sign * std::min(0.5 * steps.weight, steps.loss[2] / q) : 0.0;
    const double aggressive = steps.loss[3] > 0.0 ? sign * std::min(steps.weight, steps.loss[3]) : 0.0;
    const float step[4] = {static_cast<float>(arow), c, static_cast<float>(hinge), static_cast<float>(aggressive)};
    add_all(size, step, stride, d, weighed[Weighed::weights]);
}

Masses add_masses(const Row& row, bool positive, double weight, Weighed& weighed) {
    float* const of[2] = {weighed[Weighed::negative], weighed[Weighed::positive]};
    const Added added = add_magnitudes(filled(row.size), static_cast<float>(weight), row.f.data(), of[positive]);
    const double mass = added.sum;
    Masses change{positive ? mass : 0.0, positive ? 0.0 : mass};
    if (added.largest <= most_mass) return change;
    // What is infinite stays so, and is refused by who learned it.
    const auto heavy = [](float mass) { return mass > most_mass && mass < std::numeric_limits<float>::infinity(); };
    for (std::size_t k = 1; k < row.size; ++k)
        while (heavy(of[0][k]) || heavy(of[1][k])) {
            for (float* masses : of) masses[k] *= 0.5f;
            change.negative -= static_cast<double>(of[0][k]);
            change.positive -= static_cast<double>(of[1][k]);
        }
    return change;
}

LITTLESTONE_CLONES void write_lines(const Row& row, const Weighed& weighed, Lines& lines) {
    for (std::size_t k = 0; k < row.size; k += 4) {
        Four weights[4], precisions[4], rest[4];
        const auto at = [&](std::size_t number) { return weighed[number] + k; };
        take(at(0), at(1), at(2), at(3), weights);
        take(at(4), at(5), at(6), at(7), precisions);
        take(at(Weighed::positive), at(Weighed::negative), row.count.data() + k, row.level.data() + k, rest);
        for (std::size_t i = 0; i < std::min<std::size_t>(4, row.size - k); ++i) {
            Line& line = lines[row.line[k + i]];
            line.weights = weights[i];
            line.precisions = precisions[i];
            line.rest = rest[i];
        }
    }
}

}  // namespace littlestone::pool
