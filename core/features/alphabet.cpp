#include "alphabet.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace littlestone::features {

namespace {

struct Run {
    char32_t first, last;
};

// Characters at every `step`-th place, whose lower case is `distance` away.
struct Capitals {
    char32_t first, last;
    std::uint32_t step;
    std::int32_t distance;
};

#include "letters.inc"

// A bit for every character: words ask for each of theirs.
std::vector<bool> bits() {
    std::vector<bool> out(0x110000);
    for (const Run& run : letters) std::fill(out.begin() + run.first, out.begin() + run.last + 1, true);
    return out;
}

template <class Table>
auto found(const Table& table, char32_t c) {
    return std::lower_bound(std::begin(table), std::end(table), c,
                            [](const auto& run, char32_t sought) { return run.last < sought; });
}

}  // namespace

bool in_word(char32_t c) {
    static const std::vector<bool> known = bits();
    return c < known.size() && known[c];
}

bool is_space(char32_t c) {
    const auto run = found(spaces, c);
    return run != std::end(spaces) && run->first <= c;
}

char32_t lower(char32_t c) {
    const auto run = found(capitals, c);
    if (run == std::end(capitals) || c < run->first || (c - run->first) % run->step != 0) return c;
    return static_cast<char32_t>(static_cast<std::int64_t>(c) + run->distance);
}

}  // namespace littlestone::features
