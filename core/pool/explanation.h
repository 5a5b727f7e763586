// What each feature of a row adds to what a pool shows, member by member.
#pragma once

#include "pool.h"
#include "target_pool.h"

namespace littlestone::pool {

// Of the log-odds of one class, or of a prediction. The stacks and masters are taken for sums with the weights that
// they have at this row; what is not a sum in them (probabilities are mixed, scores are clipped) is the rest, so that
// all parts add up to the score.
struct Explanation {
    std::vector<double> parts;  // members x entries of the row, entry 0 for what goes by no feature
    double score, rest;
};

// Of a row that was read; bins belong to their column, and cells half to either of theirs.
std::vector<Explanation> explained(const Pool& pool, const Desk& desk);
Explanation explained(const TargetPool& pool, const TargetDesk& desk);

// Of each line in the raw view: what a value as large as usual adds to the log-odds of a class, or to the prediction,
// of a row that has nothing else.
std::vector<double> heaviness(const Pool& pool, std::size_t number);
std::vector<double> heaviness(const TargetPool& pool);

}  // namespace littlestone::pool
