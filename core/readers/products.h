// Products of features of several namespaces, as Vowpal Wabbit's -q and --interactions make them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "readers.h"

namespace littlestone::readers {

// A namespace goes by its first letter. A colon stands for every one; where a letter is there twice, each pair of its
// features, and each feature with itself, gives one product. What comes to the same namespaces is made once.
class Products {
  public:
    explicit Products(const Hasher& hasher) : hasher_(hasher) {}

    bool wanted() const { return !hasher_.interactions.empty(); }
    void begin_row() { groups_.clear(); }
    // The entries of the row from `begin` on are of a namespace.
    void note(char letter, std::size_t begin, const Chunk& chunk);
    // Writes the products of the row behind its features.
    Problem write(Chunk& chunk);

  private:
    struct Part {
        std::int32_t index;
        double value;
    };
    using Term = std::string;  // letters

    const std::vector<Term>& terms();
    void expand(const Term& pattern, Term& so_far, std::vector<Term>& found) const;
    void multiply(const Term& term, std::size_t depth, std::size_t from, std::uint64_t hash, double value,
                  Chunk& chunk);

    const Hasher& hasher_;
    std::map<char, std::vector<Part>> groups_;
    std::map<std::string, std::vector<Term>> known_;  // the terms of rows with these letters
    std::string joined_;
};

}  // namespace littlestone::readers
