#include "view_pool.h"

namespace littlestone::pool {

template <class AskFilter>
void ViewPool::read_with(Row& row, std::vector<Reading>& readings, const EachMember& taking_part,
                         AskFilter ask_filter) const {
    row.fill_up();
    readings.resize(classes.size());
    for (std::size_t c = 0; c < classes.size(); ++c) {
        if (c + 1 < classes.size())
            for (std::size_t k = 0; k < row.size; ++k) pool::ask_for(classes[c + 1].lines, row.line[k]);
        read_lines(row, classes[c].lines, readings[c].weighed);
        if (c == 0) gauge_row(row, readings[c].weighed);  // the gauges stand in the lines of the first class
        ask_filter(c);
        classes[c].read(row, features + static_cast<double>(row.fresh), taking_part, readings[c]);
    }
}

void ViewPool::read(Row& row, std::vector<Reading>& readings, const EachMember& taking_part) const {
    read_with(row, readings, taking_part, [&](std::size_t c) {
        if (c == 0) seats.find(row, classes[c].lines);  // and so do the seats
        classes[c].ask_filter(row.seated, seats, taking_part[newton_filter], readings[c]);
    });
}

void ViewPool::read_behind(Row& row, std::vector<Reading>& readings, const EachMember& taking_part, const Ahead& ahead,
                           std::size_t t) const {
    read_with(row, readings, taking_part, [&](std::size_t c) { ahead.tell(t, c, readings[c]); });
}

void ViewPool::make_room(std::size_t lines) {
    for (Binary& of : classes) {
        pool::make_room(of.lines, lines);
        if (!seats.retired()) of.newton.make_room();
    }
}

void ViewPool::make_lines(const Row& row) {
    if (const std::size_t lines = row.lines(); lines > classes[0].lines.size())
        for (Binary& of : classes) of.lines.resize(lines);
}

void ViewPool::learn(Row& row, std::vector<Reading>& readings, std::size_t truth, double weight, double power) {
    make_lines(row);
    const bool reseated = !seats.retired() && seats.take(row, classes[0].lines, classes);
    for (std::size_t c = 0; c < classes.size(); ++c)
        if (readings[c].awake[newton_filter] != 0.0)
            classes[c].newton.learn_label(row.seated, readings[c].newton, seats, reseated,
                                          is_positive(c, truth) ? 1.0 : 0.0, weight);
    learn_behind(row, readings, truth, weight, power);
}

void ViewPool::learn_behind(Row& row, std::vector<Reading>& readings, std::size_t truth, double weight, double power) {
    make_lines(row);
    for (std::size_t c = 0; c < classes.size(); ++c)
        classes[c].learn(row, readings[c], is_positive(c, truth), weight, power);
    features += static_cast<double>(row.fresh);
}

void ViewPool::forget() {
    for (Binary& of : classes) {
        of.lines.resize(1);
        of.lines.shrink_to_fit();
        of.newton = {};
    }
    seats = {};
    features = 0.0;
}

void ViewPool::keep(const std::vector<std::size_t>& kept) {
    const auto met = [&] {
        const auto counts = counts_of(classes[0].lines);
        return static_cast<double>(std::count_if(counts.begin(), counts.end(), [](double n) { return n > 0.0; }));
    };
    const double before = met();
    for (Binary& of : classes) of.keep(kept);
    features -= before - met();
}

std::vector<Binary> ViewPool::newcomers(std::size_t count) {
    std::vector<Binary> found;
    if (count <= 2 || count <= classes.size()) return found;
    classes.reserve(count);
    const auto add = [&](Binary of) -> Binary& {
        pool::make_room(of.lines, classes[0].lines.capacity());
        if (!classes[0].newton.weights.empty()) of.newton.make_room();
        return found.emplace_back(std::move(of));
    };
    // The gauges and seats stand in the lines of the first class, which the mirror copies.
    if (classes.size() == 1) add(classes[0].mirrored());
    while (found.size() + classes.size() < count) {
        Binary& fresh = add({});
        fresh.lines.resize(classes[0].lines.size());
        for (std::size_t i = 0; i < seats.size(); ++i) fresh.newton.open(i, seats.precision(i), seats.size());
    }
    return found;
}

void ViewPool::take_in(std::vector<Binary> newcomers) {
    const bool mirrored = classes.size() == 1 && !newcomers.empty();
    for (Binary& of : newcomers) classes.push_back(std::move(of));
    if (mirrored) std::swap(classes[0], classes[1]);
}

}  // namespace littlestone::pool
