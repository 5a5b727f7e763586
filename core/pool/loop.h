// The pools as rules of the one loop.
#pragma once

#include "../loop.h"
#include "explanation.h"
#include "pool.h"
#include "target_pool.h"

namespace littlestone::pool {

std::unique_ptr<Loop> loop_on(Pool& pool);
std::unique_ptr<Loop> loop_on(TargetPool& pool);

// What each feature of a row of a batch adds to the log-odds of every class, or to the one prediction; the entries of
// the row are the constant and the features named.
struct ExplainedRow {
    std::vector<std::size_t> features;
    std::vector<Explanation> scores;
};
ExplainedRow explained(const Pool& pool, const Batch& batch, std::size_t t);
ExplainedRow explained(const TargetPool& pool, const Batch& batch, std::size_t t);

}  // namespace littlestone::pool
