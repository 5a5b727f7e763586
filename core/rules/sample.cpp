#include "sample.h"

#include "../clones.h"

namespace littlestone::sample {

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

LITTLESTONE_CLONES void likenesses(double* x, double by, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) x[k] = 1.0 / (1.0 + x[k] * by);
}

}  // namespace littlestone::sample
