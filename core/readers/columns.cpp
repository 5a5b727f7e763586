#include <cmath>
#include <limits>

#include "lines.h"
#include "readers.h"

namespace littlestone::readers {
namespace {

Problem weight_of(const double* weights, std::size_t t, double& weight) {
    weight = weights == nullptr ? 1.0 : weights[t];
    return std::isfinite(weight) && weight >= 0 ? Problem{} : Problem{"a weight of at least 0", {}};
}

template <class ReadRow>
void each_row(std::size_t rows, const double* labels, const double* weights, bool skips, Chunk& chunk, ReadRow read) {
    for (std::size_t t = 0; t < rows; ++t, ++chunk.lines) {
        double weight;
        Problem problem = weight_of(weights, t, weight);
        if (!problem && std::isinf(labels[t])) problem = {"a finite label", {}};
        if (!problem) problem = read(t, labels[t], weight);
        if (problem && !record(chunk, problem, {}, skips)) return;
    }
}

}  // namespace

void parse_columns(std::size_t rows, const std::vector<NumberColumn>& numbers,
                   const std::vector<CategoryColumn>& categories, const double* labels, const double* weights,
                   const Hasher& hasher, bool skips, Chunk& chunk) {
    NamedFeatures features(hasher, chunk);
    each_row(rows, labels, weights, skips, chunk, [&](std::size_t t, double label, double weight) -> Problem {
        chunk.begin_row(2 * (numbers.size() + categories.size()));
        for (const NumberColumn& column : numbers) {
            if (std::isinf(column.values[t])) return {"a finite value", column.name};
            if (std::isnan(column.values[t]))
                features.missing(column.name);
            else
                features.number(column.name, column.values[t]);
        }
        for (const CategoryColumn& column : categories) {
            const auto code = static_cast<std::size_t>(column.codes[t]);
            if (column.codes[t] >= 0 && code < column.categories.size())
                features.category(column.name, column.categories[code]);
            else
                features.missing(column.name);
        }
        return features.end_row(label, weight);
    });
}

void parse_lists(std::size_t rows, const std::int32_t* start, const std::int64_t* index, const double* value,
                 const double* labels, const double* weights, const Hasher& hasher, bool skips, Chunk& chunk) {
    constexpr std::int64_t largest_index = std::numeric_limits<std::int32_t>::max() - 1;
    each_row(rows, labels, weights, skips, chunk, [&](std::size_t t, double label, double weight) -> Problem {
        chunk.begin_row(2 * static_cast<std::size_t>(start[t + 1] - start[t]));
        if (hasher.constant) chunk.add(0, 1.0);
        for (std::int32_t k = start[t]; k < start[t + 1]; ++k) {
            if (index[k] < 0 || (!hasher.bits && index[k] > largest_index)) return {"an index below 2^31 - 1", {}};
            if (!std::isfinite(value[k])) return {"a finite value", {}};
            chunk.add(hasher.index(static_cast<std::uint64_t>(index[k])), value[k]);
        }
        return chunk.end_row(label, weight, hasher.bits.has_value());
    });
}

}  // namespace littlestone::readers
