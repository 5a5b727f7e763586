// Rows that are only to be scored: they are checked and not measured, and two threads may share them.
#pragma once

#include <optional>

#include "loop.h"

namespace littlestone {

// Fills out[t * loop.scores()] and behind for the rows t in [begin, end), block by block, each checked just before it
// is scored. Stops at the first fault; a score beyond all numbers is thrown as `Unscorable`. What is refused is the
// same with one thread and with two.
std::optional<Fault> score_checked(const Loop& loop, const Batch& batch, std::size_t begin, std::size_t end,
                                   double* out);
// The same for who asks for verdicts alone: out[t] is the sign of the score of row t, 0 for 0, and of several scores
// the number of the first of the largest. Rows that are not in the order of the features need not be put into it where
// that cannot turn a sign.
std::optional<Fault> judge_checked(const Loop& loop, const Batch& batch, std::size_t begin, std::size_t end,
                                   std::int32_t* out);

}  // namespace littlestone
