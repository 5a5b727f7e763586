#include "pipeline.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <utility>

namespace littlestone::readers {

Pipeline::Pipeline(int descriptor, Parser parser, Limits limits)
    : descriptor_(descriptor), parser_(std::move(parser)), limits_(limits) {
    size_ = std::min(size_, limits_.chunk);
    threads_.reserve(limits_.workers);
    try {
        for (unsigned k = 0; k < limits_.workers; ++k) threads_.emplace_back([this, k] { work(k); });
    } catch (const std::exception&) {
        // The system gives no further thread: those there are do the work, and without any whoever asks does it.
    }
}

Pipeline::~Pipeline() { close(); }

void Pipeline::close() {
    {
        const std::lock_guard hold(lock_);
        closing_ = true;
    }
    taken_.notify_all();
    for (std::thread& thread : threads_)
        if (thread.joinable()) thread.join();
}

Pipeline::Answer Pipeline::next() {
    using namespace std::chrono_literals;
    if (threads_.empty()) make_one();
    std::unique_lock hold(lock_);
    if (!std::exchange(asked_, true)) taken_.notify_all();
    const auto there = [&] { return wanted_ >= known_pieces_ || ready_.contains(wanted_); };
    if (!made_.wait_for(hold, 50ms, there)) return {State::pending, nullptr};
    if (wanted_ >= known_pieces_) return {state_, nullptr, error_};
    const auto found = ready_.find(wanted_);
    std::unique_ptr<Chunk> chunk = std::move(found->second.chunk);
    ahead_ -= found->second.size;
    ready_.erase(found);
    ++wanted_;
    taken_.notify_all();
    return {State::ready, std::move(chunk)};
}

// Until the first chunk is asked for, whoever will ask is busy with something else, and a core is left to that.
void Pipeline::wait_for_demand() {
    std::unique_lock hold(lock_);
    taken_.wait(hold, [&] { return closing_ || asked_; });
}

void Pipeline::work(unsigned number) {
    if (number > 0 && number + 1 >= std::thread::hardware_concurrency()) wait_for_demand();
    while (make_one()) {
    }
}

// Reads and parses a piece; whether there was one.
bool Pipeline::make_one() {
    try {
        const std::unique_ptr<Piece> piece = next_piece();
        if (piece == nullptr) return false;
        auto chunk = std::make_unique<Chunk>();
        parser_.parse({piece->text.data(), piece->size}, *chunk);
        const std::lock_guard hold(lock_);
        ready_[piece->number] = {std::move(chunk), piece->size};
        made_.notify_all();
        return true;
    } catch (const std::exception&) {
        const std::lock_guard hold(lock_);
        stop(State::failed, wanted_, ENOMEM);
        return false;
    }
}

// No piece from this one on will come. The caller holds the lock.
void Pipeline::stop(State state, std::size_t pieces, int error) {
    if (state_ == State::pending || pieces < known_pieces_) {
        known_pieces_ = pieces;
        state_ = state;
        error_ = error;
    }
    made_.notify_all();
}

// The text of the next chunk: whole records, and at the end whatever is left.
std::unique_ptr<Pipeline::Piece> Pipeline::next_piece() {
    const std::lock_guard turn(reading_);
    {
        std::unique_lock hold(lock_);
        taken_.wait(hold, [&] { return closing_ || state_ != State::pending || ahead_ < allowed(); });
        if (closing_ || state_ != State::pending) return nullptr;
    }
    auto piece = std::make_unique<Piece>();
    piece->text.reserve(rest_.size() + size_ + 1);
    piece->text.append(rest_.data(), rest_.size());
    rest_.truncate(0);
    std::size_t whole = 0;
    State state = State::pending;
    while (state == State::pending && !at_end_ && whole == 0) {
        if (!fill(*piece, size_)) state = State::failed;
        whole = parser_.cut({piece->text.data(), piece->text.size()});
        if (whole == 0 && piece->text.size() > limits_.record) state = State::too_long;
    }
    const int error = errno;
    if (at_end_) whole = piece->text.size();
    rest_.append(piece->text.data() + whole, piece->text.size() - whole);
    size_ = std::min(2 * size_, limits_.chunk);
    piece->size = whole;
    const std::lock_guard hold(lock_);
    if (state == State::pending && whole > 0) {
        piece->number = pieces_++;
        ahead_ += piece->size;
        return piece;
    }
    stop(state == State::pending ? State::ended : state, pieces_, error);
    return nullptr;
}

// Reads so many bytes, or all there are; whether that went well.
bool Pipeline::fill(Piece& piece, std::size_t more) {
    piece.text.reserve(more);
    while (more > 0) {
        const ssize_t got = ::read(descriptor_, piece.text.end(), more);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        if (got == 0) {
            at_end_ = true;
            return true;
        }
        piece.text.written_to(piece.text.end() + got);
        more -= static_cast<std::size_t>(got);
    }
    return true;
}

}  // namespace littlestone::readers
