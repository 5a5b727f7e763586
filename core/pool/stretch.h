// Rows taken together: where all have views, these learn them one beside another; of others see ahead.h.
#pragma once

#include <atomic>
#include <exception>
#include <thread>

#include "../cores.h"
#include "views.h"

namespace littlestone::pool {

// Copied out of a batch before anything is learned from them: threads that go through them at different speeds must see
// the same, whatever becomes of the caller's arrays, and need no memory for it.
class Stretch {
  public:
    static constexpr std::size_t least = 128, most = 4096;  // rows that are worth a thread, and that are kept at once

    std::size_t size() const { return rounds_.size(); }
    void clear();
    // Takes a row in; false where it has no views, since some feature of it has no seat.
    bool add(const Row& raw, const Lines& lines, double outcome, double weight);
    // Takes nothing but the seated entries of a row in; false where it has a feature that would be given one of the
    // seats that are `left`.
    bool add_seated(const Row& raw, const Lines& lines, double outcome, double weight, bool left);
    // The number of a class, or a target.
    double outcome(std::size_t t) const { return rounds_[t].outcome; }
    double weight(std::size_t t) const { return rounds_[t].weight; }
    void fill(std::size_t t, Row& raw) const;
    void seated(std::size_t t, std::vector<Seated>& of) const;
    // The entries of a row, seated or not, without the constant.
    std::size_t features(std::size_t t) const { return rounds_[t].features; }
    // Entries of the longest row, with the constant.
    std::size_t longest() const { return longest_; }
    // The largest number of a line.
    std::size_t last_line() const { return last_line_; }

  private:
    struct Round {
        std::size_t end;  // of its entries
        double outcome, weight;
        std::size_t features;
    };
    std::vector<Round> rounds_;
    std::vector<Seated> entries_;      // without the constant, which is the same in all
    std::vector<std::uint32_t> line_;  // of each entry
    std::size_t longest_ = 1, last_line_ = 0;

    void close(const Row& raw, double outcome, double weight);
    std::size_t first(std::size_t t) const { return t == 0 ? 0 : rounds_[t - 1].end; }
};

// All cuts of a column as one scale: a value is looked for once, and its bins in all scales of the column stand there.
class Rulers {
  public:
    explicit Rulers(const Binning& of);
    // As Binning::cut_into_bins, and the same.
    void cut_into_bins(const std::vector<Seated>& raw, Row& bins) const;

  private:
    struct Column {
        std::size_t first_cut = 0, cuts = 0, first_scale = 0, scales = 0, first_bin = 0;
    };
    const Binning& of_;
    std::array<Column, seat_count> columns_;
    std::vector<double> cuts_;
    std::vector<std::uint32_t> scales_;  // numbers of scales, by column
    std::vector<std::uint16_t> bins_;    // of each scale of a column, for every number of its cuts that are reached

    void add(std::size_t seat);
};

// The rows of a view of a stretch, one ahead of the other: the lines of the next are asked for while one is learned.
class alignas(64) ViewRows {
  public:
    ViewRows(const Stretch& stretch, const Binning& binning, const Rulers& rulers, View view)
        : stretch_(stretch), of_(binning), rulers_(rulers), view_(view) {}
    // Room for all of them.
    void make_room();
    std::size_t most_entries() const { return stretch_.longest() + of_.scales.size() + of_.pairings.size(); }
    // Row t, with row t + 1 behind it; `ask` is told that one.
    template <class Ask>
    Row& at(std::size_t t, Ask ask) {
        if (t == 0) fill(0);
        if (t + 1 < stretch_.size()) {
            fill(t + 1);
            ask(rows_[(t + 1) % 2]);
        }
        return rows_[t % 2];
    }

  private:
    const Stretch& stretch_;
    const Binning& of_;
    const Rulers& rulers_;
    View view_;
    Row rows_[2], bins_;
    std::vector<Seated> seated_;

    void fill(std::size_t t);
};

// Does each of these parts of a work once, which do not look at one another and cannot fail; a second thread helps
// where there is a core for it.
template <class Work>
void side_by_side(std::size_t parts, Work work) {
    std::atomic<std::size_t> next = 0;
    const auto take = [&] {
        for (std::size_t part = next.fetch_add(1); part < parts; part = next.fetch_add(1)) work(part);
    };
    std::thread second;
    try {
        if (may_have_help()) second = std::thread(take);
    } catch (const std::exception&) {
        // There is no thread to be had: this one does it all.
    }
    take();
    if (second.joinable()) second.join();
}

// The views learn the rows of a stretch, one view beside another: `learn(view, row, t)` does one row. All room is made
// before anything moves, so that no thread can fail: that of a desk by `make_room(view, entries)`, for its longest row.
template <class Of, class MakeRoom, class Learn>
void learn_side_by_side(const Stretch& stretch, const Binning& binning, Of (&views)[view_count], MakeRoom make_room,
                        Learn learn) {
    const Rulers rulers(binning);
    ViewRows rows[] = {{stretch, binning, rulers, raw_view},
                       {stretch, binning, rulers, bins_view},
                       {stretch, binning, rulers, pairs_view}};
    for (const View view : {raw_view, bins_view, pairs_view}) {
        if (binning.rests(view)) continue;
        rows[view].make_room();
        views[view].make_room(view == raw_view ? 0 : binning.most_lines());
        make_room(view, rows[view].most_entries());
    }
    constexpr View longest_first[] = {pairs_view, bins_view, raw_view};
    side_by_side(view_count, [&](std::size_t part) {
        const View view = longest_first[part];
        if (binning.rests(view)) return;
        const auto ask = [&](const Row& next) { views[view].ask_for(next); };
        for (std::size_t t = 0; t < stretch.size(); ++t) learn(view, rows[view].at(t, ask), t);
    });
}

}  // namespace littlestone::pool
