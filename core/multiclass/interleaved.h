// The weights of many classes feature by feature, so that one pass over a row gives the scores of all.
#pragma once

#include <vector>

#include "../batch.h"

namespace littlestone {

class Interleaved {
  public:
    // Whether these rows are enough to pay for the weights being put down anew.
    static bool pays(const Batch& batch, std::size_t begin, std::size_t end) {
        const std::size_t entries = batch.entries() / (batch.count + 1) * (end - begin);
        return nonzeros::has_dots() && entries >= 2 * batch.width && batch.width < (std::size_t{1} << 24);
    }

    // The weights of each class, a vector of this width.
    Interleaved(const std::vector<const double*>& weights, std::size_t width)
        : classes_(weights.size()), groups_((weights.size() + 7) / 8), w_(8 * groups_ * width) {
        for (std::size_t c = 0; c < classes_; ++c)
            for (std::size_t i = 0; i < width; ++i) w_[8 * groups_ * i + c] = weights[c][i];
    }

    // The scores of row t go to out[t * classes] and behind.
    void score(const Batch& batch, std::size_t begin, std::size_t end, double* out) {
        std::visit(
            [&](const auto& rows) {
                auto cursor = rows.cursor();
                for (std::size_t t = begin; t < end; ++t) {
                    list(batch.row(cursor, t));
                    nonzeros::dots(feature_.data(), value_.data(), count_, w_.data(), classes_, out + t * classes_);
                }
            },
            batch.rows);
    }

  private:
    // What has a place in the sums of a row.
    template <class Row>
    void list(const Row& x) {
        if (feature_.size() < x.count + 1) feature_.resize(x.count + 1), value_.resize(x.count + 1);
        count_ = 0;
        bool all = false;
        if constexpr (requires { x.packed; }) all = x.packed;
        for (std::size_t k = 0; k < x.count; ++k) {
            if constexpr (requires { x.index; })
                feature_[count_] = static_cast<std::uint32_t>(x.index[k]);
            else
                feature_[count_] = static_cast<std::uint32_t>(k);
            value_[count_] = static_cast<double>(x.value[k]);
            count_ += all | (x.value[k] != 0);
        }
        if constexpr (requires { x.ends_in_one(); }) {
            if (x.ends_in_one()) add(x.constant, 1.0);
        } else if (x.constant) {
            add(x.count, 1.0);
        }
    }
    void add(std::size_t feature, double value) {
        feature_[count_] = static_cast<std::uint32_t>(feature);
        value_[count_++] = value;
    }

    std::size_t classes_, groups_, count_ = 0;
    std::vector<double> w_, value_;
    std::vector<std::uint32_t> feature_;
};

}  // namespace littlestone
