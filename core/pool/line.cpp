#include "line.h"

namespace littlestone::pool {

std::vector<double> counts_of(const Lines& lines) {
    std::vector<double> counts;
    for (std::size_t j = 1; j < lines.size(); ++j) counts.push_back(static_cast<double>(lines[j].count()));
    return counts;
}

Lines kept(const Lines& lines, const std::vector<std::size_t>& features) {
    Lines found;
    found.reserve(features.size() + 1);
    found.push_back(lines[0]);
    for (const std::size_t feature : features) found.push_back(line_of(lines, feature + 1));
    return found;
}

}  // namespace littlestone::pool
