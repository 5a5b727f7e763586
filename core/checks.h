// Rows are checked a block before they are used: by a thread of its own, as long as it is ahead of whoever uses them.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>

#include "batch.h"

namespace littlestone {

// Rows [begin, end) of a batch, block by block. Both threads take the next block that nobody has taken: whoever uses
// the rows never waits for a thread that does not run, checks a block behind while the other is at the next one, and
// nothing depends on there being a second one. What is refused, and what was used before it, is the same either way.
class CheckedRows {
  public:
    CheckedRows(Batch& batch, std::size_t begin, std::size_t end);
    CheckedRows(const CheckedRows&) = delete;
    CheckedRows& operator=(const CheckedRows&) = delete;
    ~CheckedRows();

    // The first row that was not used yet.
    std::size_t at() const { return at_; }

    // Uses the rows before `end`, at most a block at a time; stops at the first fault with the blocks before it used.
    template <class Use>
    std::optional<Fault> use_until(std::size_t end, Use use) {
        if (batch_.checked < begin_) {
            if (const auto fault = batch_.check(begin_)) return fault;
            view_ = batch_.view();
        }
        while (at_ < end) {
            const std::size_t block = (at_ - begin_) / rows_, to = first_row(block + 1);
            if (at_ == first_row(block)) {
                if (const auto fault = checked_or_sorted(block)) return fault;
                view_.read_from(at_, to, goes_ahead(), memory_of(block));
            }
            use(view_, at_, std::min(to, end));
            at_ = std::min(to, end);
            if (at_ == to) done_with(block);
        }
        return std::nullopt;
    }

  private:
    enum State : int { untouched, taken, sound, faulty };

    std::size_t first_row(std::size_t block) const { return std::min(begin_ + block * rows_, end_); }
    BlockMemory& memory_of(std::size_t block) { return memory_[block % memory_.size()]; }
    // Whether a thread gathers blocks; without one rows are read where they lie.
    bool goes_ahead() const { return memory_.size() > 1; }
    bool take(std::size_t block);
    std::optional<Fault> check(std::size_t block);
    bool check_apart(std::size_t block, std::optional<Fault>& fault);
    void check_behind(std::size_t block);
    std::optional<Fault> checked(std::size_t block);
    std::optional<Fault> checked_or_sorted(std::size_t block);
    void done_with(std::size_t block);
    void begin_ahead();
    void end_ahead();
    void run_ahead();

    Batch& batch_;
    const std::size_t begin_, end_, rows_, known_;
    std::size_t at_;
    Batch view_;                            // the rows as they are used
    std::vector<BlockMemory> memory_;       // of the block at hand and those ahead
    std::vector<std::atomic<int>> states_;  // of the blocks; numbers that the system can wait for
    std::optional<Fault> fault_;            // that the second thread has found
    std::optional<Fault> own_fault_;        // that was found behind the block at hand
    std::atomic<int> used_ = 0;             // blocks
    std::atomic<bool> over_ = false;
    std::thread ahead_;
};

}  // namespace littlestone
