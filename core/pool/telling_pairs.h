// Pairs of columns that are worth cells of their own, among all there are, as the kept rows show.
#pragma once

#include "past.h"

namespace littlestone::pool {

// Those that tell more of two labels together than each by itself, and about as much as the best of so many pairs may
// by chance; of more than there is room for the most telling. A column may be one that is there or not, with one value.
Pairs telling_pairs(const Past& past);

}  // namespace littlestone::pool
