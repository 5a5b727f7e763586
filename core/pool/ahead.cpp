#include "ahead.h"

namespace littlestone::pool {

void Ahead::begin(Seats& seats, std::vector<Binary>& classes) {
    join();
    filters_.resize(classes.size());
    seated_.reserve(stretch.longest());
    said_.resize(stretch.size() * classes.size());
    reached_ = 0;
    done_ = 0;
    seats_ = seats;
    for (std::size_t c = 0; c < classes.size(); ++c) filters_[c].newton = std::move(classes[c].newton);
    try {
        if (may_have_help()) second_ = std::thread([this] { help(); });
    } catch (const std::exception&) {
        // There is no thread to be had: the one that asks does it all.
    }
}

void Ahead::end(Seats& seats, std::vector<Binary>& classes) {
    join();
    seats = seats_;
    for (std::size_t c = 0; c < classes.size(); ++c) classes[c].newton = std::move(filters_[c].newton);
}

void Ahead::reach(std::size_t t) {
    if (t < reached_) return;
    while ((reached_ = done_.load(std::memory_order_acquire)) <= t)
        if (!advance()) std::this_thread::yield();
}

void Ahead::tell(std::size_t t, std::size_t c, Reading& reading) const {
    const Said& said = said_[t * filters_.size() + c];
    reading.score[newton_filter] = said.score;
    reading.awake[newton_filter] = said.awake;
}

void Ahead::help() {
    while (done_.load(std::memory_order_acquire) < stretch.size())
        if (!advance()) std::this_thread::yield();
}

void Ahead::join() {
    if (second_.joinable()) second_.join();
}

// The next rows, unless the other thread is at them.
bool Ahead::advance() {
    if (busy_.exchange(true, std::memory_order_acquire)) return false;
    const std::size_t begin = done_.load(std::memory_order_relaxed), end = std::min(begin + at_once, stretch.size());
    for (std::size_t t = begin; t < end; ++t) learn(t);
    done_.store(end, std::memory_order_release);
    busy_.store(false, std::memory_order_release);
    return true;
}

void Ahead::learn(std::size_t t) {
    stretch.seated(t, seated_);
    const bool awake = !seats_.retired();
    for (std::size_t c = 0; c < filters_.size(); ++c) {
        Filter& of = filters_[c];
        if (awake) of.newton.read(seated_, seats_.size(), of.reading);
        said_[t * filters_.size() + c] = {awake ? Newton::score(of.reading) : 0.0, awake ? 1.0 : 0.0};
    }
    const double weight = stretch.weight(t);
    if (!awake || weight == 0.0) return;
    const bool reseated = seats_.take(seated_, stretch.features(t), filters_);
    const auto truth = static_cast<std::size_t>(stretch.outcome(t));
    for (std::size_t c = 0; c < filters_.size(); ++c) {
        const bool positive = filters_.size() == 1 ? truth == 1 : truth == c;
        filters_[c].newton.learn_label(seated_, filters_[c].reading, seats_, reseated, positive ? 1.0 : 0.0, weight);
    }
}

}  // namespace littlestone::pool
