#include "sample.h"

#include <cstring>

#include "../clones.h"

namespace littlestone::sample {
namespace {

typedef double Pack __attribute__((vector_size(64)));
constexpr std::size_t lanes = 8;

}  // namespace

LITTLESTONE_CLONES void add_deviations(const double* point, double value, double variance, double most,
                                       double* __restrict sum, std::size_t count) {
    const double limit = most * variance, by = 1.0 / variance;
    for (std::size_t k = 0; k < count; ++k) {
        const double apart = value - point[k], squared = apart * apart;
        // Written without a product first, so that a spread of 0 needs no case of its own.
        const double capped = squared > 0.0 ? most : 0.0, scaled = squared * by;
        sum[k] += squared >= limit ? capped : scaled;
    }
}

LITTLESTONE_CLONES double likeness(const double* x, double by, std::size_t count) {
    Pack sum = {}, some;
    std::size_t k = 0;
    for (; k + lanes <= count; k += lanes) {
        std::memcpy(&some, x + k, sizeof(some));
        sum += 1.0 / (1.0 + some * by);
    }
    double lane[lanes];
    std::memcpy(lane, &sum, sizeof(lane));
    for (std::size_t j = 0; k < count; ++k, ++j) lane[j] += 1.0 / (1.0 + x[k] * by);
    for (std::size_t width = lanes / 2; width > 0; width /= 2)
        for (std::size_t j = 0; j < width; ++j) lane[j] += lane[j + width];
    return lane[0];
}

}  // namespace littlestone::sample
