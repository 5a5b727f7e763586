#include "views.h"

namespace littlestone {
namespace {

// Works through rows [begin, end) a block at a time; a row that cannot be scored goes by its number among all.
template <class Use>
void in_blocks(const Batch& batch, std::size_t begin, std::size_t end, Use use) {
    const std::size_t block = batch.block();
    for (std::size_t from = begin; from < end; from += block) {
        try {
            use(from, std::min(from + block, end));
        } catch (Unscorable& at) {
            at.row += from;
            throw;
        }
    }
}

}  // namespace

void Shown::clear(std::size_t width) {
    start_.assign(1, 0);
    index_.clear();
    named_.clear();
    value_.clear();
    batch_.width = width;
}

void Shown::make_room(std::size_t rows, std::size_t entries) {
    start_.reserve(rows + 1);
    named_.reserve(rows);
    index_.reserve(entries);
    value_.reserve(entries);
    batch_.missing.reserve(rows);
    batch_.count = rows;
    batch_.make_room();
}

Batch& Shown::rows() {
    const std::size_t count = named_.size();
    SparseRows<double, std::int64_t> rows{start_.data(), index_.data(), value_.data(), count, batch_.width};
    rows.packed = true;
    rows.named = named_.data();
    batch_.rows = rows;
    batch_.count = batch_.checked = count;
    batch_.missing.clear();
    return batch_;
}

Batch& Shown::measured(const Batch& of, std::size_t begin) {
    rows().make_room();
    const auto& rows = std::get<SparseRows<double, std::int64_t>>(batch_.rows);
    batch_.missing.resize(of.missing.empty() ? 0 : batch_.count);
    auto cursor = rows.cursor();
    for (std::size_t t = 0; t < batch_.count; ++t) {
        batch_.note(t, cursor[t].measured());
        batch_.row_hash[t] = of.row_hash[begin + t];
        if (!of.missing.empty()) batch_.missing[t] = of.missing[begin + t];
    }
    return batch_;
}

void ChainedView::learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end, Shown& out) {
    const std::size_t last = views_.size() - 1;
    if (last == 0) return views_[0]->learn(batch, outcomes, begin, end, out);
    views_[0]->learn(batch, outcomes, begin, end, between_[0]);
    const Batch* seen = &between_[0].measured(batch, begin);
    const Outcomes known = outcomes.from(begin);
    for (std::size_t k = 1; k < last; ++k) {
        views_[k]->learn(*seen, known, 0, end - begin, between_[k]);
        seen = &between_[k].measured(*seen, 0);
    }
    views_[last]->learn(*seen, known, 0, end - begin, out);
}

void ChainedView::show(const Batch& batch, std::size_t begin, std::size_t end, Shown& out) const {
    std::vector<Shown> between(views_.size());  // of its own: scoring writes nothing that is kept
    const Batch* seen = &batch;
    for (std::size_t k = 0; k + 1 < views_.size(); ++k) {
        views_[k]->show(*seen, k == 0 ? begin : 0, k == 0 ? end : end - begin, between[k]);
        seen = &between[k].rows();
    }
    const bool alone = views_.size() == 1;
    views_.back()->show(*seen, alone ? begin : 0, alone ? end : end - begin, out);
}

Round ViewedLoop::learn(const Batch& batch, const Outcomes& outcomes, std::size_t begin, std::size_t end,
                        Ledger* ledger, const Columns& columns) {
    Round last;
    in_blocks(batch, begin, end, [&](std::size_t from, std::size_t to) {
        Columns kept = columns;
        kept.origin -= from;
        view_.learn(batch, outcomes, from, to, shown_);
        last = loop_.learn(shown_.measured(batch, from), outcomes.from(from), 0, to - from, ledger, kept);
    });
    return last;
}

void ViewedLoop::score(const Batch& batch, std::size_t begin, std::size_t end, double* out) const {
    in_blocks(batch, begin, end, [&](std::size_t from, std::size_t to) {
        view_.show(batch, from, to, shown_);
        loop_.score(shown_.rows(), 0, to - from, out + from * scores());
    });
}

}  // namespace littlestone
