#include "telling_pairs.h"

#include "interaction.h"

namespace littlestone::pool {
namespace {

constexpr std::size_t quarters = 4;
// The best of n pairs that tell nothing has about sqrt(2 ln n) by chance. A little less is asked for: a pair that tells
// nothing costs less than one that is not there.
constexpr double asked = 1.4;

// Where the value of every column stands in every row: 0 where there is none, and else its quarter, from 1.
class Table {
  public:
    explicit Table(const Past& past) : rows_(past.size()), bin_(rows_ * seat_count), label_(rows_), term_(rows_ + 1) {
        for (std::size_t n = 1; n <= rows_; ++n)
            term_[n] = 2.0 * static_cast<double>(n) * log_of(static_cast<double>(n));
        for (std::size_t t = 0; t < rows_; ++t) label_[t] = past.rounds[t].outcome == 1.0;
        cut(past);
        for (const std::size_t column : columns) alone_[column] = ratio(Counts(*this, column, 0));
    }

    std::vector<std::size_t> columns;  // that are not the same in all rows

    // What two columns tell together, where it may be so much; else nothing.
    double evidence(std::size_t left, std::size_t right, double least) const {
        const Counts counts(*this, left, right);
        // Together they tell no more than what the cells tell without either alone.
        const Interaction most{ratio(counts) - std::max(alone_[left], alone_[right]), counts.freedom()};
        if (most.evidence() < least) return -std::numeric_limits<double>::infinity();
        CellCounts seen(bins_[left], bins_[right]);
        for (std::size_t c = 0; c < bins_[left] * bins_[right]; ++c)
            for (std::size_t y = 0; y < 2; ++y) seen.at(0, c)[y] = counts.of[c][y];
        return interaction(seen).evidence();
    }

  private:
    // Rows of either label in the cells of two columns.
    struct Counts {
        std::uint32_t of[(quarters + 1) * (quarters + 1)][2] = {};
        std::size_t left, right;

        Counts(const Table& table, std::size_t a, std::size_t b) : left(table.bins_[a]), right(table.bins_[b]) {
            const std::uint8_t *i = &table.bin_[a * table.rows_], *j = &table.bin_[b * table.rows_];
            for (std::size_t t = 0; t < table.rows_; ++t) ++of[i[t] * right + j[t]][table.label_[t]];
        }
        double freedom() const {
            bool row[quarters + 1] = {}, column[quarters + 1] = {};
            double found = 1.0;
            for (std::size_t c = 0; c < left * right; ++c)
                if (of[c][0] + of[c][1] > 0) found += 1.0, row[c / right] = column[c % right] = true;
            for (std::size_t k = 0; k <= quarters; ++k) found -= row[k] + column[k];
            return found;
        }
    };

    std::size_t rows_;
    std::vector<std::uint8_t> bin_, label_;
    std::vector<double> term_;  // 2n ln n
    std::array<std::size_t, seat_count> bins_{1};
    std::array<double, seat_count> alone_{};

    // What the cells tell of the label, but for the same number in every table.
    double ratio(const Counts& counts) const {
        double sum = 0.0;
        for (std::size_t c = 0; c < counts.left * counts.right; ++c)
            sum += term_[counts.of[c][0]] + term_[counts.of[c][1]] - term_[counts.of[c][0] + counts.of[c][1]];
        return sum;
    }
    void cut(const Past& past) {
        std::vector<std::vector<double>> values(seat_count), cuts(seat_count);
        each_entry(past, [&](std::size_t, const Seated& at) { values[at.seat].push_back(at.value); });
        for (std::size_t seat = 1; seat < seat_count; ++seat) {
            std::sort(values[seat].begin(), values[seat].end());
            each_cut(values[seat].data(), values[seat].size(), quarters,
                     [&](double cut) { cuts[seat].push_back(cut); });
            bins_[seat] = cuts[seat].size() + 2;
            if (!values[seat].empty() && (values[seat].size() < rows_ || !cuts[seat].empty())) columns.push_back(seat);
        }
        each_entry(past, [&](std::size_t t, const Seated& at) {
            const auto& of = cuts[at.seat];
            bin_[at.seat * rows_ + t] = static_cast<std::uint8_t>(1 + not_above(of.data(), of.size(), at.value));
        });
    }
    template <class Visit>
    static void each_entry(const Past& past, Visit visit) {
        std::vector<Seated> row;
        for (std::size_t t = 0; t < past.size(); ++t) {
            past.seated(t, row);
            for (const Seated& at : row)
                if (at.seat > 0) visit(t, at);
        }
    }
};

struct Found {
    double evidence;
    std::size_t low, high;
};

}  // namespace

Pairs telling_pairs(const Past& past) {
    const Table table(past);
    const auto count = static_cast<double>(table.columns.size());
    const double least = std::sqrt(asked * log_of(std::max(1.0, 0.5 * count * (count - 1.0))));
    std::vector<Found> found;
    for (std::size_t b = 0; b < table.columns.size(); ++b)
        for (std::size_t a = 0; a < b; ++a)
            if (const double evidence = table.evidence(table.columns[a], table.columns[b], least); evidence >= least)
                found.push_back({evidence, table.columns[a], table.columns[b]});
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.evidence > b.evidence; });
    found.resize(std::min(found.size(), most_pairings));
    Pairs pairs{};
    for (const Found& one : found) pairs[one.low][one.high] = true;
    return pairs;
}

}  // namespace littlestone::pool
