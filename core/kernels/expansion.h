// The state of a kernel rule: w = scale * sum_p alpha_p phi(x_p) over a set of support points.
#pragma once

#include <unordered_map>

#include "functions.h"

namespace littlestone {

// What happens to an update when the support set has as many points as it may have.
enum class Overflow { drop_oldest, project };

// The lower triangle of a Cholesky factor of the kernel matrix of the support points, a row at a time.
class Triangle {
  public:
    // l with L l = values; the squared distance of the new point from the span of the others is self - l.l.
    std::vector<double> solve(const double* values) const {
        std::vector<double> l(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            double rest = values[i];
            for (std::size_t j = 0; j < i; ++j) rest -= rows_[i][j] * l[j];
            l[i] = rest / rows_[i][i];
        }
        return l;
    }
    // beta with L' beta = l: the coordinates of the projection.
    std::vector<double> solve_transposed(std::vector<double> l) const {
        for (std::size_t i = rows_.size(); i-- > 0;) {
            l[i] /= rows_[i][i];
            for (std::size_t j = 0; j < i; ++j) l[j] -= rows_[i][j] * l[i];
        }
        return l;
    }
    // A row and its corner; after make_room it takes no memory.
    void make_room() {
        if (rows_.size() == rows_.capacity()) rows_.reserve(2 * rows_.size() + 8);
    }
    void append(std::vector<double> row) { rows_.push_back(std::move(row)); }

  private:
    std::vector<std::vector<double>> rows_;
};

class Expansion {
  public:
    KernelFunction kernel;
    std::variant<SparsePoints, DensePoints> points;
    std::size_t budget = 0;  // 0: as many points as there are updates
    Overflow overflow = Overflow::drop_oldest;

    std::vector<double> alpha;  // padded with zeros to whole blocks
    std::vector<double> drift;  // sum over the changes of alpha_p of the round they came in, for the average
    double scale = 1.0;
    double norm_squared = 0.0;  // of w, kept incrementally
    double self_sum = 0.0;      // of K(x, x) over the updates
    double distortion = 0.0;    // sum over the updates of the length that projecting took away
    double rounds = 0.0;
    std::uint64_t dropped = 0;

    std::size_t count() const { return count_; }
    std::size_t oldest() const { return oldest_; }
    Entries entries(std::size_t slot) const {
        return std::visit([&](const auto& of) { return of.entries(slot); }, points);
    }

    // Evaluates the kernel between a row and every support point; score, self and add speak of this row.
    template <class Row>
    void look(const Row& x) {
        if (count_ == 0) choose<Row>();
        query_.load(x, std::visit([](const auto& of) { return of.width(); }, points));
        evaluate();
    }
    // A row becomes a point of its own, with coefficient 0: for tables of kernel values.
    template <class Row>
    void hold(const Row& x) {
        if (count_ == 0) choose<Row>();
        query_.load(x, 0);
        put(count_, query_.entries());
    }
    double score() const { return scale * blocks::weighted_sum(alpha.data(), values_.data(), alpha.size()); }
    double self() const { return self_; }
    const std::vector<double>& values() const { return values_; }

    // Puts points back in their order, with coefficients of 0; false if no run could have kept them. What is dense is
    // kept dense, which takes at most four times the room of the entries.
    bool refill(const std::vector<Entries>& kept, std::size_t oldest) {
        std::size_t width = 0, stored = 0;
        for (const Entries& point : kept) {
            if (!point.empty()) width = std::max(width, point.back().feature + 1);
            stored += point.size();
        }
        if (4 * stored >= kept.size() * width)
            points = DensePoints{};
        else
            points = SparsePoints{};
        for (const Entries& point : kept)
            if (find(point) < count_ || !keep(point)) return false;
        oldest_ = oldest;
        return true;
    }

    // w += step * phi(x), or what the budget leaves of it.
    void add(double step) {
        const double before = score(), change = step / scale, self = self_;
        if (const std::size_t known = find(query_.entries()); known < count_) {
            grow_norm(step, before, self_);
            move(known, change);
        } else if (overflow == Overflow::project && budget > 0) {
            add_projected(step, before);
        } else if (budget == 0 || count_ < budget) {
            append(change);
            grow_norm(step, before, self_);
        } else {
            replace_oldest(step);
        }
        self_sum += self;
    }

    void shrink(double factor) {
        scale *= factor;
        norm_squared *= factor * factor;
        if (scale < fold_below) fold();
    }

    // Becomes what a copy made earlier is, and the copy is of no more use: this takes no memory, and twice is once.
    void take(Expansion& saved) {
        if (saved.taken_) return;
        std::swap(*this, saved);
        saved.taken_ = true;
    }

    // w = factor * w + step * phi(x), or, without memory, nothing.
    void shift(double factor, double step) {
        const double scale_before = scale, norm_before = norm_squared;
        std::vector<double> folded;
        if (scale * factor < fold_below) folded = alpha;
        shrink(factor);
        try {
            add(step);
        } catch (...) {
            scale = scale_before;
            norm_squared = norm_before;
            if (!folded.empty()) alpha.swap(folded);
            throw;
        }
    }

    // The first label for the second: w *= -1, in the average too.
    void mirror() {
        for (auto* signed_ones : {&alpha, &drift})
            for (double& v : *signed_ones) v = 0.0 - v;  // a zero stays +0, as a run leaves it
    }

  private:
    static constexpr double fold_below = 1e-6;
    // A point whose squared distance from the span of the others is below this share of K(x, x) adds nothing new.
    static constexpr double dependent = 1e-10;

    struct Given {
        const Entries& entries;
        template <class Visit>
        void each(Visit visit) const {
            for (const Entry& e : entries) visit(e.feature, e.value);
        }
    };

    // The first row decides how points are kept; sums are the same either way.
    template <class Row>
    void choose() {
        if constexpr (requires(const Row& x) { x.index; })
            points = SparsePoints{};
        else
            points = DensePoints{};
    }
    void evaluate() {
        self_ = std::visit([&](const auto& k) { return k.self(query_); }, kernel);
        if (count_ == 0) return;
        std::visit([&](const auto& k, const auto& of) { k.values(query_, of, norms_.data(), count_, values_.data()); },
                   kernel, points);
    }
    void grow_norm(double step, double before, double self) {
        norm_squared += 2.0 * step * before + step * step * self;
    }
    void move(std::size_t slot, double change) {
        alpha[slot] += change;
        drift[slot] += rounds * change;
    }
    std::size_t find(const Entries& entries) const {
        const auto [from, to] = known_.equal_range(fingerprint(entries));
        for (auto it = from; it != to; ++it)
            if (this->entries(it->second) == entries) return it->second;
        return count_;
    }
    // Whatever takes memory comes first, so that a lack of it leaves no half of a point.
    void put(std::size_t slot, const Entries& entries) {
        const std::size_t count = std::max(count_, slot + 1);
        const std::size_t room = (count + blocks::size - 1) / blocks::size * blocks::size;
        for (auto* padded : {&alpha, &drift, &norms_, &values_})
            if (padded->capacity() < room) padded->reserve(2 * room);
        const auto known = known_.emplace(fingerprint(entries), slot);
        try {
            std::visit([&](auto& of) { of.put(slot, entries); }, points);
        } catch (...) {
            known_.erase(known);
            throw;
        }
        for (auto* padded : {&alpha, &drift, &norms_, &values_}) padded->resize(room, 0.0);
        norms_[slot] = norm_squared_in_order(entries);
        count_ = count;
    }
    void append(double change) {
        put(count_, query_.entries());
        values_[count_ - 1] = self_;
        move(count_ - 1, change);
    }
    bool keep(const Entries& point) {
        if (overflow == Overflow::project && budget > 0) {
            query_.load(Given{point}, std::visit([](const auto& of) { return of.width(); }, points));
            evaluate();
            std::vector<double> l = triangle_.solve(values_.data());
            const double outside = self_ - squares(l);
            if (!(outside > dependent * self_)) return false;
            l.push_back(std::sqrt(outside));
            triangle_.append(std::move(l));
        }
        put(count_, point);
        return true;
    }
    static double squares(const std::vector<double>& l) {
        double sum = 0.0;
        for (const double v : l) sum += v * v;
        return sum;
    }
    void forget(const Entries& entries, std::size_t slot) {
        const auto [from, to] = known_.equal_range(fingerprint(entries));
        for (auto it = from; it != to; ++it)
            if (it->second == slot) {
                known_.erase(it);
                return;
            }
    }
    // w loses the oldest point, and its slot goes to the new one, which is the last that takes memory: the row in
    // question, which was looked at before, has its room.
    void replace_oldest(double step) {
        const std::size_t slot = oldest_;
        const Entries fresh = query_.entries(), old = entries(slot);
        const double self = self_;
        std::vector<double> values = values_;
        look(Given{old});
        const double gone = scale * alpha[slot], with = score();
        put(slot, fresh);
        forget(old, slot);
        grow_norm(-gone, with, self_);
        alpha[slot] = drift[slot] = 0.0;
        query_.load(Given{fresh}, 0);
        values_.swap(values);
        values_[slot] = self_ = self;
        grow_norm(step, score(), self_);
        move(slot, step / scale);
        oldest_ = (slot + 1) % budget;
        ++dropped;
    }
    void add_projected(double step, double before) {
        std::vector<double> l = triangle_.solve(values_.data());
        const double inside = squares(l), outside = std::max(self_ - inside, 0.0);
        if (count_ < budget && outside > dependent * self_) {
            l.push_back(std::sqrt(outside));
            triangle_.make_room();
            append(step / scale);
            triangle_.append(std::move(l));
            return grow_norm(step, before, self_);
        }
        const std::vector<double> beta = triangle_.solve_transposed(std::move(l));
        grow_norm(step, before, inside);
        distortion += std::fabs(step) * std::sqrt(outside);
        for (std::size_t p = 0; p < beta.size(); ++p) move(p, step / scale * beta[p]);
    }
    void fold() {
        for (double& a : alpha) a *= scale;
        scale = 1.0;
    }

    Query query_;
    std::vector<double> values_, norms_;
    double self_ = 0.0;
    std::size_t count_ = 0, oldest_ = 0;
    std::unordered_multimap<std::uint64_t, std::size_t> known_;
    Triangle triangle_;
    bool taken_ = false;
};

}  // namespace littlestone
