// What a parser makes of a piece of text: rows in CSR form with their labels, and the lines it could not read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../buffer.h"

namespace littlestone::readers {

// A line that could not be read: where, what was expected, and the text that was found instead.
struct Malformed {
    std::size_t line;
    const char* expected;
    std::string text;
};

// What is wrong with a line; nothing, when nothing was expected.
struct Problem {
    const char* expected = nullptr;
    std::string_view text;

    explicit operator bool() const { return expected != nullptr; }
};

// A word that belongs to a row: a label that is no number, or a tag.
struct Word {
    std::size_t row;
    std::string text;
};

// Names in the order of their first appearance in a chunk.
class Names {
  public:
    std::int32_t number(std::string_view name);
    const std::vector<const std::string*>& listed() const { return listed_; }

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
    };
    std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> numbers_;
    std::vector<const std::string*> listed_;
};

class Chunk {
  public:
    Chunk();

    Buffer<std::int32_t> start, index;
    Buffer<double> value;
    Buffer<double> norm_squared, largest_entry;
    Buffer<std::uint64_t> row_hash;
    bool stores_zero = false;       // of some row: features of one hash have cancelled each other
    Buffer<double> label;           // nan where there is none or it is a word
    Buffer<double> weight;          // empty while every weight is 1
    Buffer<std::uint32_t> missing;  // values that are not there, of each row; empty while every one is
    std::string first_missing;      // the name of the first that is not
    std::vector<Word> words, tags;
    Names names;                                                 // of the indices, where features are known by name
    std::unordered_map<std::int32_t, std::string> hashed_names;  // of hashed ones, the first that was met, if wanted
    std::vector<Malformed> malformed;
    std::size_t width = 0;  // one more than the largest index
    std::size_t lines = 0;
    bool ended = false;  // whether the mark at the end of a cache was seen

    std::size_t rows() const { return label.size(); }

    // Room for what a text of this length usually holds, so that little is moved later.
    void expect(std::size_t length) {
        index.reserve(length / 8);
        value.reserve(length / 8);
    }
    // Room for a row of a line: an entry takes at least two characters, and there may be a constant.
    void begin_row(std::size_t length) {
        index.reserve(length / 2 + 2);
        value.reserve(length / 2 + 2);
    }
    void add(std::int32_t feature, double amount) {
        index.push_reserved(feature);
        value.push_reserved(amount);
    }
    void note_name(std::int32_t feature, std::string_view name) { hashed_names.try_emplace(feature, name); }
    // Values of the row that is being written are not there.
    void note_missing(std::string_view name, std::uint32_t times = 1) {
        if (times > 0 && missing.size() == 0 && gone_ == 0) first_missing = name;
        gone_ += times;
    }
    // Puts the entries of the row that is being written into order, and adds up those of one feature; false where that
    // may not be.
    bool settle_row(bool adds_up);
    // Puts the entries into order and ends the row. Features that are there twice are added up where they may collide
    // by their hash, and are a problem where they may not.
    Problem end_row(double label_of_row, double weight_of_row, bool adds_up);
    // Ends a row at this entry, whose measures are there already.
    void push_row(std::size_t end, double label_of_row, double weight_of_row);
    // Ends a row whose indices are names of this chunk; its entries stay in their order.
    void end_named_row(double label_of_row, double weight_of_row);
    // Forgets what was written since the last row ended.
    void drop_row();

  private:
    void sort_row(std::size_t from, std::size_t count);
    bool merge_row(std::size_t from, bool adds_up);

    struct Entry {
        std::uint32_t index;
        double value;
    };
    std::vector<Entry> entries_, scratch_;
    std::uint32_t gone_ = 0;
};

}  // namespace littlestone::readers
