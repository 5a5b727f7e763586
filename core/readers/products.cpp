#include "products.h"

#include <algorithm>
#include <set>

namespace littlestone::readers {
namespace {

constexpr std::uint64_t fnv_prime = 16777619;  // Vowpal Wabbit's hash of a product
constexpr double most = 1 << 24;

}  // namespace

void Products::note(char letter, std::size_t begin, const Chunk& chunk) {
    std::vector<Part>& parts = groups_[letter];
    for (std::size_t k = begin; k < chunk.index.size(); ++k) parts.push_back({chunk.index[k], chunk.value[k]});
}

Problem Products::write(Chunk& chunk) {
    for (const Term& term : terms()) {
        double count = 1.0;
        for (const char letter : term) count *= static_cast<double>(groups_[letter].size());
        if (count > most) return {"at most 2^24 products in a line", {}};
        chunk.index.reserve(static_cast<std::size_t>(count) + 2);
        chunk.value.reserve(static_cast<std::size_t>(count) + 2);
        if (count > 0) multiply(term, 0, 0, 0, 1.0, chunk);
    }
    return {};
}

const std::vector<Products::Term>& Products::terms() {
    std::string letters;
    for (const auto& [letter, parts] : groups_) letters += letter;
    const auto known = known_.find(letters);
    if (known != known_.end()) return known->second;
    std::vector<Term> found, kept;
    for (const std::string& pattern : hasher_.interactions) {
        Term so_far;
        expand(pattern, so_far, found);
    }
    std::set<Term> seen;
    for (const Term& term : found) {
        Term sorted = term;
        std::sort(sorted.begin(), sorted.end());
        if (!seen.insert(sorted).second) continue;
        // Equal letters must be neighbours; otherwise the order is the one that was given, for the hash goes by it.
        const bool repeats = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
        kept.push_back(repeats ? sorted : term);
    }
    return known_[letters] = std::move(kept);
}

void Products::expand(const Term& pattern, Term& so_far, std::vector<Term>& found) const {
    if (so_far.size() == pattern.size()) return found.push_back(so_far);
    const char wanted = pattern[so_far.size()];
    for (const auto& [letter, parts] : groups_)
        if (wanted == ':' || wanted == letter) {
            so_far += letter;
            expand(pattern, so_far, found);
            so_far.pop_back();
        }
}

void Products::multiply(const Term& term, std::size_t depth, std::size_t from, std::uint64_t hash, double value,
                        Chunk& chunk) {
    const std::vector<Part>& parts = groups_[term[depth]];
    const bool last = depth + 1 == term.size(), again = !last && term[depth + 1] == term[depth];
    for (std::size_t k = from; k < parts.size(); ++k) {
        const auto index = static_cast<std::uint64_t>(parts[k].index);
        const std::uint64_t both = depth == 0 ? index : hash * fnv_prime ^ index;
        const double product = value * parts[k].value;
        const std::size_t length = joined_.size();
        if (hasher_.names) (joined_ += depth == 0 ? "" : "*") += chunk.hashed_names[parts[k].index];
        if (!last) {
            multiply(term, depth + 1, again ? k : 0, both, product, chunk);
        } else if (product != 0.0) {
            chunk.add(hasher_.index(both), product);
            if (hasher_.names) chunk.note_name(hasher_.index(both), joined_);
        }
        joined_.resize(length);
    }
}

}  // namespace littlestone::readers
