// The words and the runs of characters of a text, as features.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../readers/murmur.h"

namespace littlestone::features {

// Runs of `least` to `most` words or characters; none where most is 0.
struct Grams {
    std::size_t least = 1, most = 0;
};

struct Cut {
    Grams words, characters;
    bool lowercase = true;
};

// Vowpal Wabbit's number of a run of words: each hash times this, plus the next (--ngram).
constexpr std::uint64_t gram_factor = 27942141;

// Takes a text apart. A word is a longest run of letters, digits and underscores; for the runs of characters every
// stretch of white space counts as one space. The buffers stay, so that text after text needs no new memory.
class Scanner {
  public:
    void read(std::string_view text, const Cut& cut);
    std::size_t words() const { return word_ends_.size() - 1; }
    std::size_t characters() const { return places_.size() - 1; }
    std::string_view word(std::size_t i) const { return part(letters_, word_ends_[i], word_ends_[i + 1]); }
    // The characters from i to before j.
    std::string_view run(std::size_t i, std::size_t j) const { return part(flat_, places_[i], places_[j]); }

  private:
    static std::string_view part(const std::string& text, std::size_t from, std::size_t to) {
        return {text.data() + from, to - from};
    }
    void scan(std::string_view text, bool lowercase, bool flat);
    void end_word() {
        if (letters_.size() > word_ends_.back()) word_ends_.push_back(letters_.size());
    }
    void place(char32_t c, bool is_space);

    std::string letters_, flat_;
    std::vector<std::size_t> word_ends_, places_;
    bool after_space_ = false;
};

}  // namespace littlestone::features
