#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "lines.h"
#include "marks.h"
#include "number.h"
#include "products.h"
#include "readers.h"

namespace littlestone::readers {
namespace {

// Lines of contextual bandits and of costs of classes: several of them are one example, or a label has several numbers.
constexpr const char* one_outcome =
    "one label per line; examples of several lines (shared), labels of actions and of costs (1:0.5) are not learned "
    "here";

// How many characters of a word stand at p, of the sixteen that can be read there: all but blanks and what else would
// be cut off a name, the colon and the bar.
inline std::size_t letters_of_sixteen(const char* p) {
#ifdef __SSE2__
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i blank = _mm_cmpeq_epi8(_mm_min_epu8(text, _mm_set1_epi8(0x20)), text);
    const __m128i sign =
        _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8(':')), _mm_cmpeq_epi8(text, _mm_set1_epi8('|')));
    return static_cast<std::size_t>(
        std::countr_zero(1u << 16 | static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(blank, sign)))));
#else
    const auto in_word = [](char letter) {
        return static_cast<unsigned char>(letter) > 0x20 && letter != ':' && letter != '|';
    };
    return static_cast<std::size_t>(std::find_if_not(p, p + 16, in_word) - p);
#endif
}

// The places of what is no digit pay where features are numbers; words have few digits.
bool is_of_numbers(std::string_view text) {
    constexpr std::size_t looked_at = 4096;
    text = text.substr(0, looked_at);
    return 4 * static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_digit)) >= text.size();
}

// One line. A bar opens a namespace, whose hash is the seed of the hashes of its features.
class Line {
  public:
    Line(std::string_view line, const char* text_end, const Hasher& hasher, Products& products, const Marks* marks,
         const std::uint32_t*& mark, Chunk& chunk)
        : p_(line.data()),
          end_(p_ + line.size()),
          text_end_(text_end),
          hasher_(hasher),
          products_(products),
          marks_(marks),
          mark_(mark),
          chunk_(chunk) {}

    Problem read() {
        const char* from = p_;
        while (from < end_ && is_blank(*from)) ++from;
        if (from == end_) return {};
        const auto* bar = static_cast<const char*>(std::memchr(p_, '|', static_cast<std::size_t>(end_ - p_)));
        if (bar == nullptr) return {"a bar | before the features", {}};
        if (const Problem problem = read_head(p_, bar)) return problem;
        chunk_.begin_row(static_cast<std::size_t>(end_ - p_));
        p_ = bar;
        products_.begin_row();
        while (p_ < end_) {
            ++p_;
            if (const Problem problem = read_namespace()) return problem;
        }
        if (products_.wanted())
            if (const Problem problem = products_.write(chunk_)) return problem;
        if (hasher_.constant) chunk_.add(hasher_.index(constant_feature), 1.0);
        if (hasher_.constant && hasher_.names) chunk_.note_name(hasher_.index(constant_feature), "constant");
        return chunk_.end_row(label_, weight_, true);
    }

  private:
    // Everything before the first bar: label, weight, initial prediction, tag. The last word is a tag if it touches
    // the bar or begins with an apostrophe; what stands before a tab is passed over.
    Problem read_head(const char* p, const char* bar) {
        if (const auto* tab = static_cast<const char*>(std::memchr(p, '\t', static_cast<std::size_t>(bar - p))))
            p = tab + 1;
        std::string_view words[5];
        std::size_t count = 0;
        while (true) {
            while (p < bar && *p == ' ') ++p;
            if (p == bar) break;
            const char* from = p;
            while (p < bar && *p != ' ') ++p;
            if (count == 5) return {"label, weight, initial prediction and tag before the bar", between(from, p)};
            words[count++] = between(from, p);
        }
        if (count > 0 && (words[count - 1].data() + words[count - 1].size() == bar || words[count - 1][0] == '\''))
            read_tag(words[--count]);
        if (count > 3) return {"label, weight, initial prediction and tag before the bar", words[3]};
        if (count > 0)
            if (const Problem problem = read_label(words[0])) return problem;
        if (count > 1 && (!is_number(words[1], weight_) || weight_ < 0)) return {"a weight of at least 0", words[1]};
        double initial = 0.0;
        if (count > 2 && (!is_number(words[2], initial) || initial != 0))
            return {"no initial prediction but 0", words[2]};
        return {};
    }
    void read_tag(std::string_view word) {
        if (word[0] == '\'') word.remove_prefix(1);
        if (!word.empty()) chunk_.tags.push_back({chunk_.rows(), std::string(word)});
    }
    Problem read_label(std::string_view word) {
        if (is_number(word, label_)) return {};
        label_ = std::numeric_limits<double>::quiet_NaN();
        double number;
        const bool infinite = read_number(word.data(), word.data() + word.size(), number) == word.data() + word.size();
        if (word == "shared" || word.find(':') != word.npos) return {one_outcome, word};
        if (infinite) return {"a number or a word as the label", word};
        chunk_.words.push_back({chunk_.rows(), std::string(word)});
        return {};
    }
    static bool is_number(std::string_view word, double& number) {
        const char* stop = word.data() + word.size();
        return read_number(word.data(), stop, number) == stop && std::isfinite(number);
    }

    bool at_end() const { return p_ >= end_ || *p_ == '|'; }
    bool at_stop() const { return at_end() || is_blank(*p_); }

    std::string_view name() {
        const char* from = p_;
        while (!at_stop() && *p_ != ':') ++p_;
        return between(from, p_);
    }

    Problem read_namespace() {
        scale_ = 1.0;
        seed_ = 0;
        anonymous_ = 0;
        space_ = {};
        const std::size_t begin = chunk_.index.size();
        if (!at_stop()) {
            const char* from = p_;
            space_ = name();
            if (space_.empty()) return {"the name of a namespace behind the bar", word_at(from, end_)};
            seed_ = hashed(space_, 0, hasher_.hashing);
            if (!at_stop()) {
                p_ = read_number(p_ + 1, end_, scale_);
                if (p_ == nullptr || !at_stop() || !std::isfinite(scale_))
                    return {"namespace:weight", word_at(from, end_)};
            }
        }
        while (!at_end()) {
            while (!at_end() && is_blank(*p_)) ++p_;
            if (at_end()) break;
            if (read_usual_features() || read_usual_words()) continue;
            if (const Problem problem = read_feature()) return problem;
        }
        if (products_.wanted()) products_.note(space_.empty() ? ' ' : space_[0], begin, chunk_);
        return {};
    }

    // Numbers for names with short values behind them, as long as they come; whether there were any. They are written
    // through pointers of their own, which the compiler can keep in registers.
    bool read_usual_features() {
        if (marks_ == nullptr || hasher_.hashing != Hashing::strings || !is_digit(*p_) || hasher_.names) return false;
        std::int32_t* to_index = chunk_.index.end();
        double* to_value = chunk_.value.end();
        const std::uint64_t mask = hasher_.mask();
        const char* p = p_;
        const std::uint32_t* mark = marks_->from(p, mark_);
        while (is_digit(*p)) {
            if (scale_ == 1.0)
                if (const std::size_t many = marks_->usual_entries(p, mark, seed_, mask, to_index, to_value)) {
                    to_index += many;
                    to_value += many;
                    for (; p < end_ && is_blank(*p); ++p) ++mark;
                    continue;
                }
            const std::uint32_t* behind = mark;
            std::uint64_t number;
            double value;
            const char* stop = marks_->usual_entry(p, behind, number, value);
            if (stop == nullptr || (stop < end_ && *stop != '|' && !is_blank(*stop))) break;
            value *= scale_;
            if (!std::isfinite(value)) break;
            *to_index = static_cast<std::int32_t>((seed_ + number) & mask);
            *to_value = value;
            to_index += value != 0.0;
            to_value += value != 0.0;
            for (p = stop, mark = behind; p < end_ && is_blank(*p); ++p) ++mark;
        }
        chunk_.index.written_to(to_index);
        chunk_.value.written_to(to_value);
        mark_ = mark;
        return std::exchange(p_, p) != p;
    }
    // Words of fewer than sixteen letters, each alone or with a count of one digit behind it, as long as they come;
    // whether there were any.
    bool read_usual_words() {
        if (hasher_.hashing != Hashing::strings || scale_ != 1.0 || hasher_.names) return false;
        std::int32_t* to_index = chunk_.index.end();
        double* to_value = chunk_.value.end();
        const std::uint64_t mask = hasher_.mask();
        const auto seed = static_cast<std::uint32_t>(seed_);
        const char* p = p_;
        while (text_end_ - p > 17 && !is_digit(*p)) {
            const std::size_t letters = letters_of_sixteen(p);  // none at the end of a line
            if (letters == 0 || letters == 16) break;
            const char* stop = p + letters;
            const unsigned more = static_cast<unsigned>(stop[1]) - '1';
            const bool counted = (*stop == ':') & (more < 9);
            const char* behind = stop + 2 * counted;
            if (behind < end_ && !is_blank(*behind) && *behind != '|') break;
            *to_index++ = static_cast<std::int32_t>(murmur3_of_few(p, letters, seed) & mask);
            *to_value++ = 1.0 + static_cast<double>(static_cast<int>(more & -static_cast<unsigned>(counted)));
            for (p = behind; p < end_ && is_blank(*p); ++p) {
            }
        }
        chunk_.index.written_to(to_index);
        chunk_.value.written_to(to_value);
        return std::exchange(p_, p) != p;
    }
    Problem read_feature() {
        const char* from = p_;
        // The usual case of a number for a name, which is read at once.
        std::uint64_t number = 0;
        if (hasher_.hashing == Hashing::strings && is_digit(*p_)) p_ = read_digits(p_, end_, number);
        const bool numbered = p_ > from && (*p_ == ':' || at_stop());
        if (!numbered) p_ = from;
        const std::string_view named = numbered ? between(from, p_) : name();
        double value = 1.0;
        std::string_view word;
        if (!at_stop()) {
            const char* behind = ++p_;
            p_ = read_number(behind, end_, value);
            if (p_ == nullptr) {
                p_ = behind;
                while (!at_stop()) ++p_;
                word = between(behind, p_);
                value = 1.0;
                if (is_odd_number(word)) return {finite_or_left_out, word_at(from, end_)};
                if (word.empty()) return {"name:value", word_at(from, end_)};
            }
            if (!at_stop() || !std::isfinite(value)) return {"name:value", word_at(from, end_)};
            if (word.empty()) value *= scale_;
        } else {
            value = scale_;
        }
        if (!std::isfinite(value)) return {finite_or_left_out, word_at(from, end_)};
        const std::uint64_t hash = numbered && word.empty() ? seed_ + number : hash_of(named, word);
        if (value == 0.0) return {};
        chunk_.add(hasher_.index(hash), value);
        if (hasher_.names) note_name(hasher_.index(hash), named, word);
        return {};
    }
    // As Vowpal Wabbit's audit writes it: namespace^name, and behind a category its value.
    void note_name(std::int32_t index, std::string_view named, std::string_view word) {
        std::string whole(space_);
        if (!whole.empty()) whole += '^';
        whole += named.empty() ? std::to_string(anonymous_ - 1) : std::string(named);
        if (!word.empty()) (whole += '^') += word;
        chunk_.note_name(index, whole);
    }
    // A value that is no number is a category, hashed on top of its name; a value without a name is counted.
    std::uint64_t hash_of(std::string_view named, std::string_view word) {
        if (!word.empty()) return hashed(word, hashed(named, seed_, hasher_.hashing), hasher_.hashing);
        return named.empty() ? seed_ + anonymous_++ : hashed(named, seed_, hasher_.hashing);
    }
    const char* p_;
    const char* end_;
    const char* text_end_;
    const Hasher& hasher_;
    Products& products_;
    const Marks* marks_;  // null where features are words
    const std::uint32_t*& mark_;
    Chunk& chunk_;
    double label_ = std::numeric_limits<double>::quiet_NaN(), weight_ = 1.0, scale_ = 1.0;
    std::uint64_t seed_ = 0, anonymous_ = 0;
    std::string_view space_;  // the name of the namespace
};

}  // namespace

void parse_vowpal(std::string_view text, const Hasher& hasher, bool skips, Chunk& chunk) {
    chunk.expect(text.size());
    const Lines lines(text);
    const bool marked = is_of_numbers(lines.text());
    const Marks marks(marked ? lines.text() : std::string_view());
    const std::uint32_t* mark = marks.begin();
    const char* end = lines.text().data() + lines.text().size();
    Products products(hasher);
    each_line(lines, skips, chunk, [&](std::string_view line) {
        return Line(line, end, hasher, products, marked ? &marks : nullptr, mark, chunk).read();
    });
}

}  // namespace littlestone::readers
