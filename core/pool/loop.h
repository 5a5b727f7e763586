// The pool in the loop of the house.
#pragma once

#include "../loop.h"
#include "explanation.h"
#include "pool.h"
#include "target_pool.h"

namespace littlestone::pool {

class PoolLoop final : public Loop {
  public:
    explicit PoolLoop(Pool& pool) : pool_(pool) {}

    std::size_t width() const override { return std::size_t{1} << 40; }
    std::size_t scores() const override { return pool_.blends.size(); }
    bool reads(const Outcomes& outcomes) const override {
        return std::holds_alternative<Labels>(outcomes.of) || std::holds_alternative<Classes>(outcomes.of);
    }

    Round learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Ledger* ledger,
                const Columns& columns) override;
    void score(const Batch& batch, std::size_t begin, std::size_t end, double* out) const override;
    int sign(double score, std::size_t) const override { return score < pool_.options.threshold ? -1 : +1; }
    Round verdict(const double* scores) const override;

  private:
    Pool& pool_;
    Desk desk_;
};

// What each feature of a row of a batch adds to the log-odds of every class; the entries of the row are the constant
// and the features named.
struct ExplainedRow {
    std::vector<std::size_t> features;
    std::vector<Explanation> classes;
};
ExplainedRow explained(const Pool& pool, const Batch& batch, std::size_t t);

class TargetPoolLoop final : public Loop {
  public:
    explicit TargetPoolLoop(TargetPool& pool) : pool_(pool) {}

    std::size_t width() const override { return std::size_t{1} << 40; }
    bool reads(const Outcomes& outcomes) const override { return std::holds_alternative<Targets>(outcomes.of); }
    Round learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Ledger* ledger,
                const Columns& columns) override;
    void score(const Batch& batch, std::size_t begin, std::size_t end, double* out) const override;
    int sign(double score, std::size_t) const override { return score < 0.0 ? -1 : +1; }

  private:
    TargetPool& pool_;
    TargetDesk desk_;
};

}  // namespace littlestone::pool
