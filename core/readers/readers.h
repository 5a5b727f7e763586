// The parsers: a piece of text in, a chunk out. None throws (but for memory) and none reads outside its text.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../features/text.h"
#include "chunk.h"
#include "murmur.h"

namespace littlestone::readers {

// How features become indices. Without bits: by their position (svmlight) or their name (CSV, JSON lines).
struct Hasher {
    std::optional<int> bits;
    Hashing hashing = Hashing::strings;
    bool constant = false;                  // a feature that is 1 in every row
    std::vector<std::string> interactions;  // products of namespaces, of Vowpal Wabbit's format
    bool names = false;                     // whether the names of hashed features are kept beside them
    bool indicates = false;                 // whether a value that is missing is a category of its own

    std::uint64_t mask() const { return bits ? (1ull << *bits) - 1 : ~0ull; }
    std::int32_t index(std::uint64_t hash) const { return static_cast<std::int32_t>(hash & mask()); }
};

// svmlight and libsvm: label index:value ... # comment. An index is a feature's number, which is its column; with bits
// it is cut off to so many. The constant is feature 0.
void parse_svmlight(std::string_view text, const Hasher& hasher, bool skips, Chunk& chunk);

// Vowpal Wabbit: label weight 'tag |namespace:weight name:value name ... |namespace ...
void parse_vowpal(std::string_view text, const Hasher& hasher, bool skips, Chunk& chunk);

// A column of features is one of numbers or of categories; until that is known, each field goes by what it looks like.
// A text gives its words, a date its parts.
enum class Column { feature, category, label, weight, ignored, number, text, date };

struct Table {
    char separator = ',';
    bool quotes = true;
    std::vector<std::string> names;
    std::vector<Column> columns;
    std::vector<std::string> missing;      // what stands for a number that is not there, beside nothing
    std::string header;                    // as it was written; the same line once more is no row
    std::vector<std::size_t> with_commas;  // columns of numbers such as 1,5

    bool is_missing(std::string_view field) const {
        return std::find(missing.begin(), missing.end(), field) != missing.end();
    }
};

// Lets the first records of a text decide the kinds of the columns: numbers, dates where every field is one, or
// categories as soon as one field is none of that nor missing.
void settle_columns(std::string_view text, Table& table);

// CSV: a number is the value of the feature its column names, any other text a category. What is missing is counted.
void parse_csv(std::string_view text, const Table& table, const Hasher& hasher, bool skips, Chunk& chunk);

// Where the last record of a text that begins with a record ends; 0 if none does.
std::size_t whole_records(std::string_view text, const Table& table);

// The fields of the first record, and where it ends.
std::pair<std::vector<std::string>, std::size_t> first_record(std::string_view text, const Table& table);

// JSON lines: an object per line; a number is a value, a string a category, nested names are joined by a point. What is
// held by a name that is known from a table goes before that.
struct Keys {
    std::string label, weight;
    std::vector<std::string> ignored;
    std::unordered_map<std::string, Column> held;
    std::vector<std::string> missing;  // in what a table had for numbers and dates, beside nothing
};
void parse_json(std::string_view text, const Keys& keys, const Hasher& hasher, bool skips, Chunk& chunk);

// A column of a table in memory: a number per row (nan for none), or the number of a category (-1 for none).
struct NumberColumn {
    std::string name;
    const double* values;
};
struct CategoryColumn {
    std::string name;
    const std::int32_t* codes;
    std::vector<std::string> categories;
};

// Rows of columns. The labels and weights are the caller's business; weights are 1 where there is no pointer.
void parse_columns(std::size_t rows, const std::vector<NumberColumn>& numbers,
                   const std::vector<CategoryColumn>& categories, const double* labels, const double* weights,
                   const Hasher& hasher, bool skips, Chunk& chunk);

// Rows in CSR form with offsets, features and values of any order; features are positions, or are cut to the bits.
void parse_lists(std::size_t rows, const std::int32_t* start, const std::int64_t* index, const double* value,
                 const double* labels, const double* weights, const Hasher& hasher, bool skips, Chunk& chunk);

// Writes the features of a row that have names, and the constant.
class NamedFeatures {
  public:
    NamedFeatures(const Hasher& hasher, Chunk& chunk) : hasher_(hasher), chunk_(chunk) {}

    void number(std::string_view name, double value) { write(hash(name), name, value); }
    // The category is the feature name=value by name; by hash its value is hashed on top of its name.
    void category(std::string_view name, std::string_view value);
    // A value that is not there: counted, and where that is wanted the category name=?.
    void missing(std::string_view name) {
        chunk_.note_missing(name);
        if (hasher_.indicates) category(name, "?");
    }
    // The words of a text, each a category; false where it is not UTF-8.
    bool words(std::string_view name, std::string_view text, features::Scanner& scanner);
    // The parts of a date; false where it is none.
    bool date(std::string_view name, std::string_view text);
    Problem end_row(double label, double weight);

  private:
    std::uint64_t hash(std::string_view name) const { return hasher_.bits ? hashed(name, 0, hasher_.hashing) : 0; }
    void write(std::uint64_t hash, std::string_view name, double value);

    const Hasher& hasher_;
    Chunk& chunk_;
    std::string joined_;
};

}  // namespace littlestone::readers
