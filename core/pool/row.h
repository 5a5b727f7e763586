// A row as the members read it, and the room for what is computed on the way.
#pragma once

#include <vector>

#include "newton.h"

namespace littlestone::pool {

// Nonzeros in the order of the row; entry 0 is the constant, so that feature k of the row stands at k + 1.
struct Row {
    std::vector<std::uint32_t> line;
    std::vector<double> x;
    std::vector<float> f, count, level;  // gauged values, and what the gauges are when the row is learned
    std::vector<float> g, lambda, mass;  // of the class at hand
    std::vector<Four> direction;
    std::vector<Seated> seated;
    std::size_t size = 0;   // with the constant
    std::size_t fresh = 0;  // features never learned so far

    void clear() {
        size = 1;
        line.assign(1, 0);
        x.assign(1, 1.0);
    }
    void add(std::size_t feature, double value) {
        line.push_back(static_cast<std::uint32_t>(feature + 1));
        x.push_back(value);
        ++size;
    }
    void make_room() {
        if (f.size() >= size) return;
        const std::size_t room = 2 * size;
        for (auto* of : {&f, &count, &level, &g, &lambda, &mass}) of->resize(room);
        direction.resize(room);
    }
};

}  // namespace littlestone::pool
