#include "table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace littlestone::features {
namespace {

using readers::Chunk;
using readers::Hasher;
using readers::Hashing;
using readers::Problem;

constexpr std::uint64_t fnv_prime = 16777619;  // Vowpal Wabbit's hash of a product
constexpr std::size_t most_entries = std::numeric_limits<std::int32_t>::max() / 2;

const std::string& name_of(const Column& column) {
    return std::visit([](const auto& of) -> const std::string& { return of.name; }, column);
}

}  // namespace

RowMaker::RowMaker(const Table& table, const Hasher& hasher, Chunk& chunk)
    : table_(table), hasher_(hasher), chunk_(chunk) {
    for (const Column& column : table.columns) {
        const std::string& name = name_of(column);
        const std::uint64_t words = name.empty() ? 0 : readers::hashed(name, 0, hasher.hashing);
        seeds_.push_back({words, readers::hashed(name + '~', 0, Hashing::all)});
    }
}

Problem RowMaker::add_row(std::size_t t) {
    row_.clear();
    column_ends_.assign(1, 0);
    for (std::size_t c = 0; c < table_.columns.size(); ++c)
        if (const Problem problem = add_column(c, t)) return problem;
    for (const std::vector<std::size_t>& columns : table_.crosses)
        if (!add_cross(columns)) return {"fewer than 2^30 features in all", "the products are too many"};
    if (chunk_.index.size() + row_.size() > most_entries)
        return {"fewer than 2^30 features in all", "the features are too many"};
    chunk_.begin_row(2 * row_.size());
    named() ? write_named_row() : write_row();
    if (!named()) return chunk_.end_row(std::numeric_limits<double>::quiet_NaN(), 1.0, true);
    chunk_.end_named_row(std::numeric_limits<double>::quiet_NaN(), 1.0);
    return {};
}

Problem RowMaker::add_column(std::size_t c, std::size_t t) {
    const Problem problem =
        std::visit([&](const auto& column) { return add_cell(column, seeds_[c], t); }, table_.columns[c]);
    column_ends_.push_back(row_.size());
    return problem;
}

Problem RowMaker::wrong(const std::string& column, const char* got, const char* expected) {
    joined_ = column.empty() ? "the text" : "column '" + column + "'";
    joined_.append(got);
    return {expected, joined_};
}

Problem RowMaker::missing(const std::string& column, const Seeds& seeds) {
    if (!table_.skips_missing) return wrong(column, " is missing", "a value, or missing=\"skip\"");
    chunk_.note_missing(column);
    if (!hasher_.indicates) return {};
    if (named()) joined_.assign(column).append("=?");
    add(readers::hashed("?", seeds.words, hasher_.hashing), joined_, 1.0);
    return {};
}

Problem RowMaker::add_cell(const Numbers& column, const Seeds& seeds, std::size_t t) {
    const double value = column.values[t];
    if (std::isnan(value)) return missing(column.name, seeds);
    if (std::isinf(value)) return wrong(column.name, " is infinite", "a finite value");
    add(seeds.words, column.name, value);
    return {};
}

Problem RowMaker::add_cell(const Categories& column, const Seeds& seeds, std::size_t t) {
    const Cell& cell = column.values[t];
    if (!cell) return missing(column.name, seeds);
    if (named()) joined_.assign(column.name).append("=").append(*cell);
    add(readers::hashed(*cell, seeds.words, hasher_.hashing), joined_, 1.0);
    return {};
}

Problem RowMaker::add_cell(const Texts& column, const Seeds& seeds, std::size_t t) {
    const Cell& cell = column.values[t];
    if (!cell) return missing(column.name, seeds);
    scanner_.read(*cell, column.cut);
    add_words(column, seeds.words);
    add_characters(column, seeds.characters);
    return {};
}

void RowMaker::add(std::uint64_t hash, std::string_view name, double value) {
    std::int32_t number = -1;
    if (named()) {
        number = chunk_.names.number(name);
        if (static_cast<std::size_t>(number) == hashes_.size()) hashes_.push_back(hash);
    }
    row_.push_back({hash, number, value});
}

void RowMaker::add_words(const Texts& column, std::uint64_t seed) {
    const auto [least, most] = column.cut.words;
    const std::size_t count = most > 0 ? scanner_.words() : 0;
    word_hashes_.resize(count);
    for (std::size_t i = 0; i < count; ++i) word_hashes_[i] = readers::hashed(scanner_.word(i), seed, hasher_.hashing);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t hash = 0;
        if (named()) joined_.assign(column.name).append(column.name.empty() ? "" : "=");
        for (std::size_t n = 1; n <= most && i + n <= count; ++n) {
            hash = hash * gram_factor + word_hashes_[i + n - 1];
            if (named()) joined_.append(n > 1 ? " " : "").append(scanner_.word(i + n - 1));
            if (n >= least) add(hash, joined_, 1.0);
        }
    }
}

void RowMaker::add_characters(const Texts& column, std::uint64_t seed) {
    const auto [least, most] = column.cut.characters;
    const std::size_t count = most > 0 ? scanner_.characters() : 0;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t n = least; n <= most && i + n <= count; ++n) {
            const std::string_view run = scanner_.run(i, i + n);
            if (named()) joined_.assign(column.name).append("~").append(run);
            add(readers::murmur3(run, static_cast<std::uint32_t>(seed)), joined_, 1.0);
        }
}

bool RowMaker::add_cross(const std::vector<std::size_t>& columns) {
    double products = 1.0;
    for (const std::size_t c : columns) products *= static_cast<double>(column_ends_[c + 1] - column_ends_[c]);
    if (products + static_cast<double>(row_.size()) > most_entries) return false;
    if (products > 0) multiply(columns, 0, {0, -1, 1.0});
    return true;
}

void RowMaker::multiply(const std::vector<std::size_t>& columns, std::size_t depth, const Feature& left) {
    const std::size_t c = columns[depth];
    for (std::size_t k = column_ends_[c]; k < column_ends_[c + 1]; ++k) {
        const Feature right = row_[k];
        Feature both{depth == 0 ? right.hash : left.hash * fnv_prime ^ right.hash, -1, left.value * right.value};
        const std::size_t length = joined_.size();
        if (named()) {
            if (depth == 0) joined_.clear();
            joined_.append(depth == 0 ? "" : "*")
                .append(*chunk_.names.listed()[static_cast<std::size_t>(right.number)]);
        }
        if (depth + 1 < columns.size())
            multiply(columns, depth + 1, both);
        else
            add(both.hash, joined_, both.value);
        if (named()) joined_.resize(depth == 0 ? 0 : length);
    }
}

void RowMaker::write_row() {
    for (const Feature& feature : row_) chunk_.add(hasher_.index(feature.hash), feature.value);
    if (table_.norm == Norm::none) {
        if (hasher_.constant) chunk_.add(hasher_.index(readers::constant_feature), 1.0);
        return;
    }
    chunk_.settle_row(true);  // features that collide count as one in the norm
    normalize();
    if (hasher_.constant) add_constant();
}

// A name that is there twice is one entry, where it first was; the entries keep their order.
void RowMaker::write_named_row() {
    const auto from = static_cast<std::int32_t>(chunk_.index.size());
    place_.resize(chunk_.names.listed().size(), -1);
    for (const Feature& feature : row_) {
        std::int32_t& at = place_[static_cast<std::size_t>(feature.number)];
        if (at >= from) {
            chunk_.value[static_cast<std::size_t>(at)] += feature.value;
        } else {
            at = static_cast<std::int32_t>(chunk_.index.size());
            chunk_.add(feature.number, feature.value);
        }
    }
    normalize();
    if (!hasher_.constant) return;
    const std::int32_t number = chunk_.names.number("constant");
    if (static_cast<std::size_t>(number) == hashes_.size()) hashes_.push_back(readers::constant_feature);
    chunk_.add(number, 1.0);
}

// In units of the largest value, so that neither large nor small ones leave the range of numbers.
void RowMaker::normalize() {
    const auto from = static_cast<std::size_t>(chunk_.start[chunk_.start.size() - 1]);
    double largest = 0.0, sum = 0.0;
    for (std::size_t k = from; k < chunk_.value.size(); ++k) largest = std::max(largest, std::abs(chunk_.value[k]));
    if (table_.norm == Norm::none || largest == 0.0 || std::isinf(largest))
        return;  // what is infinite is refused later
    for (std::size_t k = from; k < chunk_.value.size(); ++k) {
        const double size = std::abs(chunk_.value[k] /= largest);
        sum += table_.norm == Norm::l2 ? size * size : size;
    }
    const double length = table_.norm == Norm::largest ? 1.0 : table_.norm == Norm::l2 ? std::sqrt(sum) : sum;
    for (std::size_t k = from; k < chunk_.value.size(); ++k) chunk_.value[k] /= length;
}

// Puts the constant where it belongs in a row that is in order.
void RowMaker::add_constant() {
    const auto from = static_cast<std::size_t>(chunk_.start[chunk_.start.size() - 1]);
    const std::int32_t constant = hasher_.index(readers::constant_feature);
    chunk_.add(constant, 1.0);
    std::size_t at = chunk_.index.size() - 1;
    for (; at > from && chunk_.index[at - 1] > constant; --at) {
        std::swap(chunk_.index[at], chunk_.index[at - 1]);
        std::swap(chunk_.value[at], chunk_.value[at - 1]);
    }
}

}  // namespace littlestone::features
