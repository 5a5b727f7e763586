#include "scoring.h"

#include <atomic>
#include <exception>
#include <limits>
#include <system_error>
#include <thread>

#include "cores.h"
#include "row_checks.h"
#include "wide.h"

namespace littlestone {
namespace {

// A thread costs as much as this many blocks.
constexpr std::size_t worth_a_thread = 4;

// Where the scores of rows go, of which row t has the place t; and verdicts on them, where these are all that is asked
// for.
struct Target {
    double* score;
    std::int32_t* verdict = nullptr;
};

// Rows that are read in place.
template <class RowsOf>
class Block {
  public:
    explicit Block(bool) {}
    std::optional<Fault> score(const Loop& loop, const Batch& batch, const RowsOf& rows, std::size_t begin,
                               std::size_t end, double* out) {
        auto cursor = rows.unbounded();
        for (std::size_t t = std::max(begin, batch.checked); t < end && !batch.knows(end); ++t)
            if (const auto fault = check_values(cursor[t], t)) return fault;
        loop.score(batch, begin, end, out);
        return std::nullopt;
    }
};

// The caller's indices are copied first: what was checked is then what is followed, whatever another thread of theirs
// writes. Values are copied where rows are not in increasing order or not one behind the other.
template <class Value, class Index>
class Block<SparseRows<Value, Index>> {
    using RowsOf = SparseRows<Value, Index>;

  public:
    explicit Block(bool roughly) : roughly_(roughly) {}
    std::optional<Fault> score(const Loop& loop, const Batch& batch, const RowsOf& rows, std::size_t begin,
                               std::size_t end, double* out) {
        if (!rows.foreign && batch.knows(end)) {
            loop.score(batch, begin, end, out);
            return std::nullopt;
        }
        if (loop.plain_weights() == nullptr || rows.packed) return score_copy(loop, rows, begin, end, out);
        if (roughly_ && rows.layout.order == nullptr) return score_roughly(loop, rows, begin, end, out);
        if (nonzeros::wide::possible) return score_plainly(loop, rows, begin, end, out);
        return score_copy(loop, rows, begin, end, out);
    }

  private:
    static constexpr std::size_t together = 64;  // rows that are copied where one has to be

    // Most rows can be looked at and scored in one pass; some others are copied together.
    std::optional<Fault> score_plainly(const Loop& loop, const RowsOf& rows, std::size_t begin, std::size_t end,
                                       double* out) {
        const double* w = loop.plain_weights();
        const auto cursor = rows.unbounded();
        for (std::size_t t = begin; t < end;) {
            const auto x = cursor[t];
            const double last = x.ends_in_one() ? w[x.constant] : 0.0;
            if (nonzeros::wide::checked_dot(x.index, x.value, x.count, w, rows.width, surely_small, last, out[t])) {
                check_score(t, out[t]);
                ++t;
                continue;
            }
            const std::size_t to = std::min(t + together, end);
            if (const auto fault = score_copy(loop, rows, t, to, out)) return fault;
            t = to;
        }
        return std::nullopt;
    }
    // Rows that lie behind one another, in whatever order their entries are.
    std::optional<Fault> score_roughly(const Loop& loop, const RowsOf& rows, std::size_t begin, std::size_t end,
                                       double* out) {
        const auto first = static_cast<std::size_t>(rows.start[begin]);
        const std::size_t entries = static_cast<std::size_t>(rows.start[end]) - first;
        places_.assign(rows.index + first, rows.index + first + entries);
        if (!nonzeros::inside(places_.data(), entries, rows.width) ||
            !(dense::largest_entry(rows.value + first, entries) < surely_small))
            return score_copy(loop, rows, begin, end, out);
        const double* w = loop.plain_weights();
        const double last = rows.layout.constant ? w[rows.width] : 0.0;
        for (std::size_t t = begin; t < end;) {
            t = begin + nonzeros::rough_dots(rows.start + begin, places_.data(), rows.value + first, t - begin,
                                             end - begin, w, last, out + begin);
            const std::size_t to = std::min(t + together, end);
            if (t < end)
                if (const auto fault = score_copy(loop, rows, t, to, out)) return fault;
            t = to;
        }
        return std::nullopt;
    }
    std::optional<Fault> score_copy(const Loop& loop, const RowsOf& rows, std::size_t begin, std::size_t end,
                                    double* out) {
        if (const auto fault = copy(rows, begin, end)) return fault;
        const Batch here = apart(rows, begin, end);
        try {
            loop.score(here, 0, here.count, out + begin * loop.scores());
        } catch (Unscorable& refused) {
            refused.row += begin;
            throw;
        }
        return std::nullopt;
    }
    std::optional<Fault> copy(const RowsOf& rows, std::size_t begin, std::size_t end) {
        gather(rows, begin, end);
        in_order_ = rows.layout.order == nullptr && increasing(rows.width);
        const Value* value = in_order_ ? rows.value + rows.start[begin] : nullptr;
        packed_ = rows.packed || (in_order_ && !nonzeros::has_zero(value, index_.size()));
        if (in_order_ && dense::largest_entry(value, index_.size()) < surely_small) return std::nullopt;
        auto cursor = rows.unbounded();
        for (std::size_t t = begin; t < end; ++t) {
            const auto x = of(cursor[t], t - begin);
            if (const auto fault = outside(x, t, rows.width)) return fault;
            if (const auto fault = check_values(x, t)) return fault;
        }
        if (!in_order_) sort(rows, begin);
        return std::nullopt;
    }
    void gather(const RowsOf& rows, std::size_t begin, std::size_t end) {
        start_.assign(1, 0);
        index_.clear();
        if (rows.layout.order == nullptr) {
            const Index from = rows.start[begin];
            for (std::size_t t = begin; t < end; ++t) start_.push_back(rows.start[t + 1] - from);
            index_.assign(rows.index + from, rows.index + rows.start[end]);
            return;
        }
        auto cursor = rows.unbounded();
        for (std::size_t t = begin; t < end; ++t) {
            const auto x = cursor[t];
            index_.insert(index_.end(), x.index, x.index + x.count);
            start_.push_back(static_cast<Index>(index_.size()));
        }
    }
    // Of all rows at once, which takes a fraction of the time that one takes after the other: an index that is not
    // above the one before begins a row.
    bool increasing(std::size_t width) const {
        std::size_t begins = 0;
        for (std::size_t k = 0; k + 1 < start_.size(); ++k) {
            if (start_[k] == start_[k + 1]) continue;
            const Index* first = index_.data() + start_[k];
            if (*first < 0 || static_cast<std::size_t>(index_[start_[k + 1] - 1]) >= width) return false;
            begins += start_[k] > 0 && *(first - 1) >= *first;
        }
        return nonzeros::descents(index_.data(), index_.size()) == begins;
    }
    // A row, with the copy of its indices.
    SparseRow<Value, Index> of(SparseRow<Value, Index> x, std::size_t k) const {
        x.index = index_.data() + start_[k];
        return x;
    }
    static std::optional<Fault> outside(const SparseRow<Value, Index>& x, std::size_t row, std::size_t width) {
        for (std::size_t k = 0; k < x.count; ++k)
            if (x.index[k] < 0 || static_cast<std::size_t>(x.index[k]) >= width)
                return Fault{Defect::index_out_of_range, row, static_cast<std::int64_t>(x.index[k]), 0.0};
        return std::nullopt;
    }
    void sort(const RowsOf& rows, std::size_t begin) {
        sorted_.clear(index_.size());
        auto cursor = rows.unbounded();
        for (std::size_t k = 0; k + 1 < start_.size(); ++k) sorted_.add_row(of(cursor[begin + k], k));
    }
    Batch apart(const RowsOf& rows, std::size_t begin, std::size_t end) const {
        RowsOf made = rows;
        made.rows = end - begin;
        made.layout.order = nullptr;
        made.foreign = false;
        made.packed = packed_;
        made.start = in_order_ ? start_.data() : sorted_.start.data();
        made.index = in_order_ ? index_.data() : sorted_.index.data();
        made.value = in_order_ ? rows.value + rows.start[begin] : sorted_.value.data();
        Batch batch;
        batch.rows = made;
        batch.count = batch.checked = end - begin;
        batch.width = rows.width + rows.layout.constant;
        return batch;
    }

    std::vector<Index> start_, index_, places_;
    SortedRows<Value, Index> sorted_{0};
    bool in_order_ = true, packed_ = false;
    const bool roughly_;
};

// What a thread was stopped by.
struct Stop {
    std::size_t block = std::numeric_limits<std::size_t>::max();
    std::optional<Fault> fault;
    std::exception_ptr thrown;
};

void judge(const double* score, std::size_t scores, std::size_t begin, std::size_t end, std::int32_t* out) {
    for (std::size_t t = begin; t < end; ++t) {
        const double* of = score + t * scores;
        out[t] =
            scores == 1 ? (*of > 0.0) - (*of < 0.0) : static_cast<std::int32_t>(std::max_element(of, of + scores) - of);
    }
}

// Whatever goes wrong is told, for the other thread must be waited for.
template <class RowsOf>
Stop score_blocks(const Loop& loop, const Batch& batch, const RowsOf& rows, std::size_t begin, std::size_t end,
                  const Target& to, std::atomic<std::size_t>& next) {
    const std::size_t size = batch.block();
    std::size_t block = 0;
    try {
        Block<RowsOf> here(to.verdict != nullptr);
        for (block = next++; begin + block * size < end; block = next++) {
            const std::size_t from = begin + block * size, until = std::min(from + size, end);
            if (const auto fault = here.score(loop, batch, rows, from, until, to.score)) return {block, fault, nullptr};
            if (to.verdict != nullptr) judge(to.score, loop.scores(), from, until, to.verdict);
        }
    } catch (...) {
        return {block, std::nullopt, std::current_exception()};
    }
    return {};
}

std::optional<Fault> score_rows(const Loop& loop, const Batch& batch, std::size_t begin, std::size_t end,
                                const Target& to) {
    std::atomic<std::size_t> next = 0;  // blocks are taken in order, so that all before a fault are looked at
    const auto work = [&] {
        return std::visit([&](const auto& rows) { return score_blocks(loop, batch, rows, begin, end, to, next); },
                          batch.rows);
    };
    Stop theirs;
    std::thread second;
    if (loop.scores_apart() && end - begin > worth_a_thread * batch.block() && may_have_help()) {
        try {
            second = std::thread([&] { theirs = work(); });
        } catch (const std::system_error&) {
            // There is no thread to be had: one does it all.
        }
    }
    const Stop ours = work();
    if (second.joinable()) second.join();
    const Stop& first = ours.block <= theirs.block ? ours : theirs;
    if (first.thrown) std::rethrow_exception(first.thrown);
    return first.fault;
}

}  // namespace

std::optional<Fault> score_checked(const Loop& loop, const Batch& batch, std::size_t begin, std::size_t end,
                                   double* out) {
    return score_rows(loop, batch, begin, end, {out});
}

std::optional<Fault> judge_checked(const Loop& loop, const Batch& batch, std::size_t begin, std::size_t end,
                                   std::int32_t* out) {
    Buffer<double> scores;
    scores.resize(end * loop.scores());
    return score_rows(loop, batch, begin, end, {scores.data(), out});
}

}  // namespace littlestone
