// A pool as named arrays of numbers, and back: one description serves both ways.
#pragma once

#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "pool.h"
#include "target_pool.h"

namespace littlestone::pool {

using Parts = std::map<std::string, std::vector<double>>;

// What is wrong with arrays that are no pool's.
struct Unfit : std::runtime_error {
    using std::runtime_error::runtime_error;
};

Parts parts_of(const Pool& pool);
Parts parts_of(const TargetPool& pool);
// Throws Unfit; whatever comes out is safe to learn by.
Pool pool_of(const Parts& parts);
TargetPool target_pool_of(const Parts& parts);

}  // namespace littlestone::pool
