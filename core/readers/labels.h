// What is asked of the labels of a chunk before they are learned, where they are numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace littlestone::readers {

// The numbers that are not known, in the order in which they come first, at most so many; nan is none.
inline std::vector<double> unlike(const double* values, std::size_t count, std::vector<double> known,
                                  std::size_t most) {
    const std::size_t from = known.size();
    for (std::size_t t = 0; t < count && known.size() < from + most; ++t)
        if (!std::isnan(values[t]) && std::find(known.begin(), known.end(), values[t]) == known.end())
            known.push_back(values[t]);
    return {known.begin() + static_cast<std::ptrdiff_t>(from), known.end()};
}

// -1 and +1 for two numbers; empty where there is another.
inline std::vector<std::int8_t> signs_of(const double* values, std::size_t count, double negative, double positive) {
    std::vector<std::int8_t> signs(count);
    int others = 0;
    for (std::size_t t = 0; t < count; ++t) {
        signs[t] =
            static_cast<std::int8_t>(static_cast<int>(values[t] == positive) - static_cast<int>(values[t] == negative));
        others |= static_cast<int>(signs[t] == 0);
    }
    if (others != 0) signs.clear();
    return signs;
}

}  // namespace littlestone::readers
