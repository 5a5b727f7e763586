#include "checks.h"

#include <limits>
#include <new>
#include <system_error>

#include "cores.h"

namespace littlestone {
namespace {

// A thread costs as much as a few blocks.
constexpr std::size_t worth_a_thread = 6;
// How many blocks the second thread may be ahead: they stay near enough to be read from there.
constexpr std::size_t window = 4;

// Waits until the number is another. To be woken takes longer than to check a block, so the system is asked late.
void wait_for_change(const std::atomic<int>& number, int old) {
    constexpr int tries = 16384;
    for (int k = 0; k < tries; ++k) {
        if (number.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    number.wait(old, std::memory_order_acquire);
}

}  // namespace

CheckedRows::CheckedRows(Batch& batch, std::size_t begin, std::size_t end)
    : batch_(batch),
      begin_(begin),
      end_(end),
      rows_(batch.block()),
      known_(batch.checked),
      at_(begin),
      memory_(1),
      states_((end - begin + rows_ - 1) / rows_) {
    batch_.make_room();
    view_ = batch_.view();
    begin_ahead();
}

CheckedRows::~CheckedRows() { end_ahead(); }

void CheckedRows::begin_ahead() {
    if (states_.size() < worth_a_thread || (known_ >= end_ && !batch_.gathers_blocks())) return;
    if (!may_have_help()) return;
    memory_.resize(window + 1);
    try {
        ahead_ = std::thread([this] { run_ahead(); });
    } catch (const std::system_error&) {
        // There is no thread to be had: blocks are checked as they are used.
    }
}

void CheckedRows::end_ahead() {
    if (!ahead_.joinable()) return;
    const int used = used_.load(std::memory_order_relaxed);
    over_.store(true, std::memory_order_release);
    used_.store(std::numeric_limits<int>::max() / 2, std::memory_order_release);
    used_.notify_one();
    ahead_.join();
    over_.store(false, std::memory_order_relaxed);
    used_.store(used, std::memory_order_relaxed);
}

bool CheckedRows::take(std::size_t block) {
    int free = untouched;
    return states_[block].compare_exchange_strong(free, taken, std::memory_order_acq_rel);
}

std::optional<Fault> CheckedRows::check(std::size_t block) {
    return batch_.check_block(first_row(block), first_row(block + 1), known_, goes_ahead(), memory_of(block));
}

// Checks a block that this thread has taken, for whoever uses it later. Where there is no memory to gather it, that one
// may say so. Returns whether it is sound.
bool CheckedRows::check_apart(std::size_t block, std::optional<Fault>& fault) {
    int state = untouched;
    try {
        fault = check(block);
        state = fault ? faulty : sound;
    } catch (const std::bad_alloc&) {
    }
    states_[block].store(state, std::memory_order_release);
    states_[block].notify_one();
    return state == sound;
}

// One of those behind a block that the other thread is at, where nobody has it.
void CheckedRows::check_behind(std::size_t block) {
    const std::size_t end = std::min(block + 1 + window, states_.size());
    for (std::size_t later = block + 1; later < end && !own_fault_; ++later)
        if (take(later)) {
            check_apart(later, own_fault_);
            return;
        }
}

std::optional<Fault> CheckedRows::checked(std::size_t block) {
    while (!take(block)) {
        if (states_[block].load(std::memory_order_acquire) == taken) check_behind(block);
        wait_for_change(states_[block], taken);
        const int state = states_[block].load(std::memory_order_acquire);
        if (state == faulty) return own_fault_ && own_fault_->row < first_row(block + 1) ? own_fault_ : fault_;
        if (state == sound) return std::nullopt;
    }
    return check(block);
}

// Rows out of order are put into order once, all of them, and the block is checked again.
std::optional<Fault> CheckedRows::checked_or_sorted(std::size_t block) {
    const auto fault = checked(block);
    if (!fault || fault->defect != Defect::indices_not_increasing) return fault;
    end_ahead();
    batch_.sort_rows();
    view_ = batch_.view();
    own_fault_.reset();
    for (std::size_t later = block + 1; later < states_.size(); ++later) states_[later].store(untouched);
    begin_ahead();
    return check(block);
}

void CheckedRows::done_with(std::size_t block) {
    batch_.checked = std::max(batch_.checked, first_row(block + 1));
    if (!ahead_.joinable()) return;
    used_.store(static_cast<int>(block) + 1, std::memory_order_release);
    used_.notify_one();
}

void CheckedRows::run_ahead() {
    for (std::size_t block = 1; block < states_.size(); ++block) {
        for (int used = used_.load(std::memory_order_acquire); static_cast<std::size_t>(used) + window < block;
             used = used_.load(std::memory_order_acquire))
            wait_for_change(used_, used);
        if (over_.load(std::memory_order_acquire)) return;
        if (take(block) && !check_apart(block, fault_)) return;
    }
}

}  // namespace littlestone
