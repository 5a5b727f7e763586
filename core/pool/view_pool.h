// The pool of one view of the rows: one binary pool for two of them, one per class against the rest from the third on.
#pragma once

#include "ahead.h"

namespace littlestone::pool {

class ViewPool {
  public:
    Seats seats;
    double features = 0.0;  // features learned so far
    std::vector<Binary> classes = std::vector<Binary>(1);
    Apart apart;

    // Log-odds of every class; of two labels the one of the positive. readings[c] are what learning goes on from.
    void read(Row& row, std::vector<Reading>& readings, const EachMember& taking_part) const;
    // The same of a row that the full covariance has learned already.
    void read_behind(Row& row, std::vector<Reading>& readings, const EachMember& taking_part, const Ahead& ahead,
                     std::size_t t) const;
    // Class `truth`, of two labels 0 the negative and 1 the positive one.
    // `power` is the exponent of the probabilities in the master: the weight over the largest weight declared.
    void learn(Row& row, std::vector<Reading>& readings, std::size_t truth, double weight, double power);
    void learn_behind(Row& row, std::vector<Reading>& readings, std::size_t truth, double weight, double power);
    // Labels beyond those met: the pool of two becomes one per class. What they begin with takes memory, and to take
    // them in takes none, nor to learn what there is room for.
    std::vector<Binary> newcomers(std::size_t count);
    void take_in(std::vector<Binary> newcomers);
    std::size_t met() const { return classes.size() == 1 ? 2 : classes.size(); }
    // Forgets all features, and gives their memory back.
    void forget();
    // Forgets all features but these, in this order; one that comes again is new.
    void keep(const std::vector<std::size_t>& kept);
    // Asks for the lines of a row that is read soon.
    void ask_for(const Row& row) const {
        for (std::size_t k = row.measured; k < row.size; ++k) pool::ask_for(classes[0].lines, row.line[k]);
    }
    // Room for rows that are to be learned, with so many lines; from here on it takes no memory.
    void make_room(std::size_t lines);

  private:
    template <class AskFilter>
    void read_with(Row& row, std::vector<Reading>& readings, const EachMember& taking_part, AskFilter ask_filter) const;
    void make_lines(const Row& row);
    bool is_positive(std::size_t c, std::size_t truth) const { return classes.size() == 1 ? truth == 1 : truth == c; }
};

}  // namespace littlestone::pool
