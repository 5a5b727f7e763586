// What the files that measure rows with registers of their own share.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "nonzeros.h"

namespace littlestone::nonzeros {

// The largest magnitude of a row, of which registers have found one: their maximum forgets nan.
template <class Value>
double largest_of(double largest, double norm, const Value* x, std::size_t count) {
    if (std::isnan(norm) && std::any_of(x, x + count, [](Value value) { return std::isnan(value); }))
        return std::numeric_limits<double>::quiet_NaN();
    return largest;
}

}  // namespace littlestone::nonzeros

// Their functions for every kind of row; one of 64-bit names, or of none, is dense.
#define LITTLESTONE_MEASURED(Index, Value) \
    template Measures measured(const Index*, const Value*, std::size_t, bool, double);
#define LITTLESTONE_LISTED(Index, Value) \
    LITTLESTONE_MEASURED(Index, Value)   \
    template bool sound(const Index*, const Value*, std::size_t, bool, double, std::size_t, Measures&);
#define LITTLESTONE_MEASURES(Value)            \
    LITTLESTONE_MEASURED(std::uint64_t, Value) \
    LITTLESTONE_LISTED(std::int32_t, Value)    \
    LITTLESTONE_LISTED(std::int64_t, Value)
