#include "stretch.h"

#include <algorithm>

#include "cuts.h"

namespace littlestone::pool {

void Stretch::clear() {
    rounds_.clear();
    entries_.clear();
    line_.clear();
    longest_ = 1;
    last_line_ = 0;
}

bool Stretch::add(const Row& raw, const Lines& lines, double outcome, double weight) {
    const std::size_t before = entries_.size();
    for (std::size_t k = 1; k < raw.size; ++k) {
        const auto seat = static_cast<std::uint32_t>(line_of(lines, raw.line[k]).seat);
        if (seat == 0 || !seatable(raw.x[k])) {
            entries_.resize(before);
            line_.resize(before);
            return false;
        }
        entries_.push_back({seat, static_cast<std::uint32_t>(k), raw.x[k]});
        line_.push_back(raw.line[k]);
    }
    close(raw, outcome, weight);
    return true;
}

bool Stretch::add_seated(const Row& raw, const Lines& lines, double outcome, double weight, bool left) {
    const std::size_t before = entries_.size();
    for (std::size_t k = 1; k < raw.size; ++k) {
        const auto seat = static_cast<std::uint32_t>(line_of(lines, raw.line[k]).seat);
        if (!seatable(raw.x[k])) continue;
        if (seat == 0 && left) {
            entries_.resize(before);
            return false;
        }
        if (seat > 0) entries_.push_back({seat, static_cast<std::uint32_t>(k), raw.x[k]});
    }
    for (std::size_t k = 1; k < raw.size; ++k) last_line_ = std::max<std::size_t>(last_line_, raw.line[k]);
    close(raw, outcome, weight);
    return true;
}

void Stretch::close(const Row& raw, double outcome, double weight) {
    rounds_.push_back({entries_.size(), outcome, weight, raw.size - 1});
    longest_ = std::max(longest_, raw.size);
}

void Stretch::fill(std::size_t t, Row& raw) const {
    raw.clear();
    for (std::size_t k = first(t); k < rounds_[t].end; ++k) raw.add(line_[k] - 1, entries_[k].value);
}

void Stretch::seated(std::size_t t, std::vector<Seated>& of) const {
    of.assign({{0, 0, 1.0}});
    of.insert(of.end(), entries_.begin() + static_cast<std::ptrdiff_t>(first(t)),
              entries_.begin() + static_cast<std::ptrdiff_t>(rounds_[t].end));
}

Rulers::Rulers(const Binning& of) : of_(of) {
    for (std::size_t seat = 1; seat < seat_count; ++seat) add(seat);
}

void Rulers::add(std::size_t seat) {
    Column& column = columns_[seat];
    column = {cuts_.size(), 0, scales_.size(), 0, bins_.size()};
    for (std::size_t s = 0; s < of_.scales.size(); ++s) {
        const Scale& scale = of_.scales[s];
        if (scale.seat != seat) continue;
        scales_.push_back(static_cast<std::uint32_t>(s));
        cuts_.insert(cuts_.end(), scale.cuts.begin(), scale.cuts.end());
    }
    const auto first = cuts_.begin() + static_cast<std::ptrdiff_t>(column.first_cut);
    std::sort(first, cuts_.end());
    cuts_.erase(std::unique(first, cuts_.end()), cuts_.end());
    column.cuts = cuts_.size() - column.first_cut;
    column.scales = scales_.size() - column.first_scale;
    for (std::size_t reached = 0; reached <= column.cuts; ++reached)
        for (std::size_t k = column.first_scale; k < scales_.size(); ++k) {
            const auto& cuts = of_.scales[scales_[k]].cuts;
            const auto end = reached == 0
                                 ? cuts.begin()
                                 : std::upper_bound(cuts.begin(), cuts.end(), cuts_[column.first_cut + reached - 1]);
            bins_.push_back(static_cast<std::uint16_t>(end - cuts.begin()));
        }
}

void Rulers::cut_into_bins(const std::vector<Seated>& raw, Row& bins) const {
    bins.clear();
    bins.bin.assign(of_.scales.size(), -1);
    for (std::size_t k = 1; k < raw.size(); ++k) {
        const Column& column = columns_[raw[k].seat];
        bins.add(raw[k].seat - 1, raw[k].value);
        if (column.scales == 0) continue;
        const auto reached =
            static_cast<std::size_t>(not_above(cuts_.data() + column.first_cut, column.cuts, raw[k].value));
        const std::uint16_t* bin = bins_.data() + column.first_bin + reached * column.scales;
        for (std::size_t s = 0; s < column.scales; ++s) bins.bin[scales_[column.first_scale + s]] = bin[s];
    }
    of_.add_bins(bins);
}

void ViewRows::make_room() {
    const std::size_t entries = most_entries();
    for (Row* row : {&rows_[0], &rows_[1], &bins_}) {
        row->clear();
        row->make_room(entries);
        row->seated.reserve(entries);
        row->bin.reserve(of_.scales.size());
    }
    seated_.reserve(stretch_.longest());
}

void ViewRows::fill(std::size_t t) {
    Row& row = rows_[t % 2];
    if (view_ == raw_view) return stretch_.fill(t, row);
    stretch_.seated(t, seated_);
    rulers_.cut_into_bins(seated_, view_ == bins_view ? row : bins_);
    if (view_ == pairs_view) of_.pair_up(bins_, row);
}

}  // namespace littlestone::pool
