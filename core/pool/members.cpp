#include "members.h"

#include "../clones.h"

namespace littlestone::pool {
namespace {

constexpr float arow_r = 0.3f;
constexpr std::size_t strands = 16;

// Strand k mod 16 of a sum over the entries; added pairwise.
LITTLESTONE_INLINE float total(float* strand) {
    for (std::size_t width = strands / 2; width > 0; width /= 2)
        for (std::size_t k = 0; k < width; ++k) strand[k] += strand[k + width];
    return strand[0];
}

LITTLESTONE_CLONES void gauge_all(std::size_t size, const double* x, float* f, float* count, float* level) {
    for (std::size_t k = 0; k < size; ++k) {
        const Gauged now = gauged(x[k], count[k], level[k]);
        f[k] = now.f;
        count[k] = now.count;
        level[k] = now.level;
    }
}

// lambda = ln((pos + 1/2)/(neg + 1/2)) - offset; on entry lambda holds pos and g holds neg.
LITTLESTONE_CLONES void weigh_all(std::size_t size, const float* f, float offset, float* lambda, float* g) {
    for (std::size_t k = 0; k < size; ++k) {
        const float ratio = log2_of((lambda[k] + 0.5f) / (g[k] + 0.5f)) * 0.693147181f;
        lambda[k] = ratio - offset;
        g[k] = f[k] * (1.0f + std::fabs(lambda[k]));
    }
}

LITTLESTONE_CLONES void sum_all(std::size_t size, const float* f, const float* g, const float* lambda, float* norm,
                                float* evidence) {
    std::size_t k = 0;
    for (; k + strands <= size; k += strands)
        for (std::size_t i = 0; i < strands; ++i) {
            norm[i] += g[k + i] * g[k + i];
            evidence[i] += std::fabs(f[k + i]) * lambda[k + i];
        }
    for (std::size_t i = 0; k + i < size; ++i) {
        norm[i] += g[k + i] * g[k + i];
        evidence[i] += std::fabs(f[k + i]) * lambda[k + i];
    }
}

LITTLESTONE_INLINE Four dots(const Row& row, const Lines& lines) {
    Four sum[4] = {};
    for (std::size_t k = 0; k < row.size; ++k) sum[k % 4] += row.g[k] * line_of(lines, row.line[k]).weights;
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

LITTLESTONE_CLONES void gauge_row(Row& row, const Lines& lines) {
    row.make_room();
    row.fresh = 0;
    for (std::size_t k = 1; k < row.size; ++k) {
        const Line& line = line_of(lines, row.line[k]);
        row.count[k] = line.count;
        row.level[k] = line.level;
        row.fresh += row.count[k] == 0.0f;
    }
    row.f[0] = 1.0f;
    gauge_all(row.size - 1, row.x.data() + 1, row.f.data() + 1, row.count.data() + 1, row.level.data() + 1);
}

LITTLESTONE_CLONES Sums weigh_row(Row& row, const Lines& lines, float offset, bool evidence) {
    row.g[0] = 1.0f;
    row.lambda[0] = 0.0f;
    for (std::size_t k = 1; k < row.size; ++k) {
        const Line& line = line_of(lines, row.line[k]);
        row.lambda[k] = line.positive;
        row.g[k] = line.negative;
    }
    if (evidence)
        weigh_all(row.size - 1, row.f.data() + 1, offset, row.lambda.data() + 1, row.g.data() + 1);
    else
        for (std::size_t k = 1; k < row.size; ++k) row.g[k] = row.f[k];
    float norm[strands] = {}, seen[strands] = {};
    sum_all(row.size, row.f.data(), row.g.data(), row.lambda.data(), norm, seen);
    Sums sums;
    sums.scale = 1.0 / std::sqrt(static_cast<double>(total(norm)));
    sums.evidence = total(seen);
    const Four dot = dots(row, lines);
    for (int m = 0; m < 4; ++m) sums.scores[m] = finite_or_zero(sums.scale * static_cast<double>(dot[m]));
    return sums;
}

LITTLESTONE_CLONES void step_linear(Row& row, const Sums& sums, const Steps& steps, Lines& lines) {
    const auto rho = static_cast<float>(sums.scale);
    const float weight = static_cast<float>(steps.weight);
    const float arow = steps.loss[0] > 0.0 ? 1.0f : 0.0f, hinge = steps.loss[2] > 0.0 ? 1.0f : 0.0f;
    const auto c = static_cast<float>(steps.logistic_error);
    const Four before{0.0f, c * c, hinge, 0.0f}, after{arow * weight / arow_r, c * c, hinge, 0.0f};
    Four spread{};
    for (std::size_t k = 0; k < row.size; ++k) {
        Line& line = lines[row.line[k]];
        const float x = rho * row.g[k];
        const Four moved = line.precisions + before * (x * x);
        Four divisor = roots(moved);
        divisor[0] = moved[0];
        row.direction[k] = x / divisor;
        spread += x * row.direction[k];
        line.precisions += after * (x * x);
    }
    const double sign = steps.sign;
    const double v = spread[0], q = spread[2];
    const Four step{
        static_cast<float>(steps.loss[0] > 0.0 ? sign * steps.loss[0] / (v + static_cast<double>(arow_r) / steps.weight)
                                               : 0.0),
        c, static_cast<float>(steps.loss[2] > 0.0 ? sign * std::min(0.5 * steps.weight, steps.loss[2] / q) : 0.0),
        static_cast<float>(steps.loss[3] > 0.0 ? sign * std::min(steps.weight, steps.loss[3]) : 0.0)};
    for (std::size_t k = 0; k < row.size; ++k) lines[row.line[k]].weights += step * row.direction[k];
}

LITTLESTONE_CLONES Masses add_masses(const Row& row, Lines& lines, bool positive, double weight) {
    constexpr float most = 4194304.0f;  // 2^22, where a float still counts by halves
    Masses change;
    for (std::size_t k = 1; k < row.size; ++k) {
        Line& line = lines[row.line[k]];
        const float mass = std::fabs(row.f[k]) * static_cast<float>(weight);
        (positive ? line.positive : line.negative) += mass;
        (positive ? change.positive : change.negative) += static_cast<double>(mass);
        while (line.positive > most || line.negative > most) {
            line.positive *= 0.5f;
            line.negative *= 0.5f;
            change.positive -= static_cast<double>(line.positive);
            change.negative -= static_cast<double>(line.negative);
        }
    }
    return change;
}

}  // namespace littlestone::pool
