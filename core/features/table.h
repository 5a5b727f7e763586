// Columns of numbers, categories and texts as rows of features.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "../readers/readers.h"
#include "text.h"

namespace littlestone::features {

// A value of a column that may not be there.
using Cell = std::optional<std::string_view>;

struct Numbers {
    std::string name;
    const double* values;  // nan where there is none
};
struct Categories {
    std::string name;
    std::vector<Cell> values;
};
struct Texts {
    std::string name;  // "" for texts that are no column of a table
    std::vector<Cell> values;
    Cut cut;
};
using Column = std::variant<Numbers, Categories, Texts>;

enum class Norm { none, l1, l2, largest };

struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<std::size_t>> crosses;  // columns whose features are multiplied with each other
    Norm norm = Norm::none;
    bool skips_missing = false;
};

// Makes the rows of a table. By hash a feature has the number it has in Vowpal Wabbit: words, runs of words (--ngram)
// and products (-q, --cubic) likewise.
class RowMaker {
  public:
    RowMaker(const Table& table, const readers::Hasher& hasher, readers::Chunk& chunk);

    // Appends row t to the chunk, or says what is wrong with it.
    readers::Problem add_row(std::size_t t);
    // The hash of each name of the chunk, where features are known by name.
    const std::vector<std::uint64_t>& hashes() const { return hashes_; }

  private:
    struct Feature {
        std::uint64_t hash;
        std::int32_t number;  // of its name
        double value;
    };
    struct Seeds {
        std::uint64_t words, characters;
    };

    bool named() const { return !hasher_.bits; }
    void add(std::uint64_t hash, std::string_view name, double value);
    readers::Problem add_column(std::size_t c, std::size_t t);
    readers::Problem add_cell(const Numbers& column, const Seeds& seeds, std::size_t t);
    readers::Problem add_cell(const Categories& column, const Seeds& seeds, std::size_t t);
    readers::Problem add_cell(const Texts& column, const Seeds& seeds, std::size_t t);
    void add_words(const Texts& column, std::uint64_t seed);
    void add_characters(const Texts& column, std::uint64_t seed);
    bool add_cross(const std::vector<std::size_t>& columns);
    void multiply(const std::vector<std::size_t>& columns, std::size_t depth, const Feature& left);
    readers::Problem wrong(const std::string& column, const char* got, const char* expected);
    readers::Problem missing(const std::string& column, const Seeds& seeds);
    void write_row();
    void write_named_row();
    void normalize();
    void add_constant();

    const Table& table_;
    const readers::Hasher& hasher_;
    readers::Chunk& chunk_;
    Scanner scanner_;
    std::vector<Seeds> seeds_;
    std::vector<Feature> row_;
    std::vector<std::size_t> column_ends_;
    std::vector<std::uint64_t> word_hashes_, hashes_;
    std::vector<std::int32_t> place_;
    std::string joined_;
};

}  // namespace littlestone::features
