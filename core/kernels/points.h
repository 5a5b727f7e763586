// Points that a kernel is evaluated against: dense ones in blocks, sparse ones as lists of entries. Sums over the
// features of a point are taken in the order of the features, so that both kinds give the same bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "blocks.h"

namespace littlestone {

struct Entry {
    std::size_t feature;
    double value;

    bool operator==(const Entry&) const = default;
};

using Entries = std::vector<Entry>;

inline double norm_squared_in_order(const Entries& entries) {
    double sum = 0.0;
    for (const Entry& e : entries) sum += e.value * e.value;
    return sum;
}

// The row in question: its nonzeros, and the same spread out over all features.
class Query {
  public:
    template <class Row>
    void load(const Row& x, std::size_t width) {
        for (const Entry& e : entries_) dense_[e.feature] = 0.0;
        entries_.clear();
        x.each([&](std::size_t i, double v) {
            if (v != 0.0) entries_.push_back({i, v});
        });
        // A dict may name its features in any order.
        const auto before = [](const Entry& a, const Entry& b) { return a.feature < b.feature; };
        if (!std::is_sorted(entries_.begin(), entries_.end(), before))
            std::sort(entries_.begin(), entries_.end(), before);
        if (!entries_.empty()) width = std::max(width, entries_.back().feature + 1);
        if (dense_.size() < width) {
            Entries waiting;  // so that no entry is left without a place where there is no memory for one
            waiting.swap(entries_);
            dense_.resize(width, 0.0);
            waiting.swap(entries_);
        }
        for (const Entry& e : entries_) dense_[e.feature] = e.value;
        norm_squared_ = norm_squared_in_order(entries_);
    }
    const Entries& entries() const { return entries_; }
    const double* dense() const { return dense_.data(); }
    double norm_squared() const { return norm_squared_; }

  private:
    Entries entries_;
    std::vector<double> dense_;
    double norm_squared_ = 0.0;
};

// Adds term(a_i, b_i) for every feature that one of the two has, in their order.
template <class Term>
double sum_over_union(const Entries& a, const Entries& b, Term term) {
    double sum = 0.0;
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        if (j == b.size() || (i < a.size() && a[i].feature < b[j].feature)) {
            sum += term(a[i++].value, 0.0);
        } else if (i == a.size() || b[j].feature < a[i].feature) {
            sum += term(0.0, b[j++].value);
        } else {
            sum += term(a[i++].value, b[j++].value);
        }
    }
    return sum;
}

inline double distance_squared(const Entries& a, const Entries& b) {
    return sum_over_union(a, b, [](double x, double y) { return (x - y) * (x - y); });
}

class SparsePoints {
  public:
    std::size_t width() const { return 0; }
    void put(std::size_t slot, const Entries& entries) {
        Entries kept = entries;
        if (slot >= points_.size()) points_.resize(slot + 1);
        points_[slot] = std::move(kept);
    }
    Entries entries(std::size_t slot) const { return points_[slot]; }
    void dots(const Query& x, double* out) const {
        for (std::size_t p = 0; p < points_.size(); ++p) {
            double sum = 0.0;
            for (const Entry& e : points_[p]) sum += (e.feature < x_width(x) ? x.dense()[e.feature] : 0.0) * e.value;
            out[p] = sum;
        }
    }
    void distances(const Query& x, double* out) const {
        for (std::size_t p = 0; p < points_.size(); ++p)
            out[p] = sum_over_union(x.entries(), points_[p], [](double a, double b) { return std::fabs(a - b); });
    }

  private:
    static std::size_t x_width(const Query& x) { return x.entries().empty() ? 0 : x.entries().back().feature + 1; }
    std::vector<Entries> points_;
};

class DensePoints {
  public:
    std::size_t width() const { return width_; }
    void put(std::size_t slot, const Entries& entries) {
        if (!entries.empty() && entries.back().feature >= width_) widen(entries.back().feature + 1);
        const std::size_t count = std::max(count_, slot + 1);
        values_.resize((count + blocks::size - 1) / blocks::size * blocks::size * width_, 0.0);
        count_ = count;
        for (std::size_t i = 0; i < width_; ++i) at(slot, i) = 0.0;
        for (const Entry& e : entries) at(slot, e.feature) = e.value;
    }
    Entries entries(std::size_t slot) const {
        Entries found;
        for (std::size_t i = 0; i < width_; ++i)
            if (const double v = values_[place(slot, i, width_)]; v != 0.0) found.push_back({i, v});
        return found;
    }
    void dots(const Query& x, double* out) const {
        blocks::dots(values_.data(), block_count(), width_, x.dense(), out);
    }
    void distances(const Query& x, double* out) const {
        blocks::distances(values_.data(), block_count(), width_, x.dense(), out);
        for (const Entry& e : x.entries())
            if (e.feature >= width_)
                for (std::size_t p = 0; p < count_; ++p) out[p] += std::fabs(e.value);
    }

  private:
    static std::size_t place(std::size_t slot, std::size_t feature, std::size_t width) {
        return (slot / blocks::size * width + feature) * blocks::size + slot % blocks::size;
    }
    double& at(std::size_t slot, std::size_t feature) { return values_[place(slot, feature, width_)]; }
    std::size_t block_count() const { return (count_ + blocks::size - 1) / blocks::size; }
    void widen(std::size_t width) {
        std::vector<double> wider(block_count() * blocks::size * width, 0.0);
        for (std::size_t p = 0; p < count_; ++p)
            for (std::size_t i = 0; i < width_; ++i) wider[place(p, i, width)] = values_[place(p, i, width_)];
        values_ = std::move(wider);
        width_ = width;
    }

    std::vector<double> values_;
    std::size_t width_ = 0, count_ = 0;
};

inline std::uint64_t fingerprint(const Entries& entries) {
    std::uint64_t mixed = 0x9e3779b97f4a7c15u;
    for (const Entry& e : entries)
        for (const std::uint64_t part : {static_cast<std::uint64_t>(e.feature), std::bit_cast<std::uint64_t>(e.value)})
            mixed = (std::rotl(mixed, 23) ^ part) * 0xd6e8feb86659fd93u;
    return mixed;
}

}  // namespace littlestone
