// What each feature of a row adds to the log-odds shown, member by member.
#pragma once

#include "pool.h"

namespace littlestone::pool {

// Of one class. The stacks and masters are taken for sums with the weights that they have at this row; what is not a
// sum in them (probabilities are mixed, scores are clipped) is the rest, so that all parts add up to the log-odds.
struct Explanation {
    std::vector<double> parts;  // members x entries of the row, entry 0 for what goes by no feature
    double log_odds, rest;
};

// Of a row that was read; bins belong to their column, and cells half to either of theirs.
std::vector<Explanation> explained(const Pool& pool, const Desk& desk);

// Of each line of a class in the raw view: what a value as large as usual adds to the log-odds of a row that has
// nothing else.
std::vector<double> heaviness(const Pool& pool, std::size_t number);

}  // namespace littlestone::pool
