#include "view_pool.h"

namespace littlestone::pool {

void ViewPool::read(Row& row, std::vector<Reading>& readings, bool labels_in_time) const {
    const Lines& gauges = classes[0].lines;
    gauge_row(row, gauges);
    seats.find(row, gauges);
    readings.resize(classes.size());
    for (std::size_t c = 0; c < classes.size(); ++c)
        classes[c].read(row, features + static_cast<double>(row.fresh), seats, labels_in_time, readings[c]);
}

void ViewPool::widen(const Row& row) {
    const std::size_t lines =
        1 + *std::max_element(row.line.begin(), row.line.begin() + static_cast<std::ptrdiff_t>(row.size));
    if (lines <= classes[0].lines.size()) return;
    for (Binary& of : classes) of.lines.resize(lines);
}

void ViewPool::learn(Row& row, std::vector<Reading>& readings, std::size_t truth, double weight, double power,
                     bool labels_in_time) {
    const bool reseated = !seats.retired() && seats.take(row, classes[0].lines, classes);
    for (std::size_t c = 0; c < classes.size(); ++c) {
        const bool positive = classes.size() == 1 ? truth == 1 : truth == c;
        // The weights g of the row are those of the class that was read last.
        if (classes.size() > 1) {
            const double V = std::max(features + static_cast<double>(row.fresh), 1.0);
            const Binary& of = classes[c];
            const double offset = log_of((of.masses[1] + 0.5 * V) / (of.masses[0] + 0.5 * V));
            weigh_row(row, of.lines, static_cast<float>(offset), true);
        }
        classes[c].learn(row, readings[c], seats, reseated, positive, weight, power, labels_in_time);
    }
    for (std::size_t k = 1; k < row.size; ++k) {
        Line& line = classes[0].lines[row.line[k]];
        line.count = row.count[k];
        line.level = row.level[k];
    }
    features += static_cast<double>(row.fresh);
}

void ViewPool::join(std::size_t count) {
    if (count <= 2 || count <= classes.size()) return;
    if (classes.size() == 1) {
        classes.insert(classes.begin(), classes[0].mirrored());
        // The gauges and seats stand in the lines of the first class, which the mirror has copied.
    }
    while (classes.size() < count) {
        Binary& fresh = classes.emplace_back();
        const Binary& first = classes[0];
        fresh.lines.resize(first.lines.size());
        for (std::size_t j = 1; j < first.lines.size(); ++j)
            fresh.lines[j].negative = first.lines[j].positive + first.lines[j].negative;
        fresh.masses[0] = first.masses[0] + first.masses[1];
        fresh.rows[0] = first.rows[0] + first.rows[1];
        for (std::size_t i = 0; i < seats.size(); ++i) fresh.newton.open(i, seats.precision(i));
    }
}

}  // namespace littlestone::pool
