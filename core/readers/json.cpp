#include <algorithm>
#include <cmath>
#include <limits>

#include "dates.h"
#include "lines.h"
#include "number.h"
#include "readers.h"

namespace littlestone::readers {
namespace {

// Objects and arrays inside one another deeper than this are refused, so that no line can exhaust the stack.
constexpr int deepest = 32;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// One object on one line, by recursive descent. A method that meets something unexpected answers false after noting it.
class Object {
  public:
    Object(std::string_view line, const Keys& keys, NamedFeatures& features, Chunk& chunk)
        : p_(line.data()), end_(p_ + line.size()), keys_(keys), features_(features), chunk_(chunk) {}

    Problem read() {
        skip_spaces();
        if (p_ < end_ && *p_ == '[')
            return failed("an object {...} a line, not an array of them: jq -c '.[]' writes it so"), problem_;
        if (!opens('{')) return failed("an object {...} a line"), problem_;
        skip_spaces();
        if (p_ >= end_) return failed("the whole object on one line: jq -c . writes it so"), problem_;
        if (!members(0)) return problem_;
        skip_spaces();
        if (p_ < end_) return failed("the end of the line behind the object"), problem_;
        return features_.end_row(label_, weight_);
    }

  private:
    bool failed(const char* expected) {
        if (!problem_) problem_ = {expected, between(p_, std::min(end_, p_ + 40))};
        return false;
    }
    void skip_spaces() {
        while (p_ < end_ && is_space(*p_)) ++p_;
    }
    bool opens(char c) {
        skip_spaces();
        if (p_ >= end_ || *p_ != c) return false;
        ++p_;
        return true;
    }

    // The members of an object whose brace was read; path_ is the name of the object.
    bool members(int depth) {
        if (opens('}')) return true;
        do {
            if (!opens('"')) return failed("a name in quotes");
            const std::size_t length = path_.size();
            if (length > 0) path_ += '.';
            if (!text(path_)) return false;
            if (!opens(':')) return failed("a colon behind a name");
            if (!(depth == 0 ? member() : element(depth))) return false;
            path_.resize(length);
        } while (opens(','));
        return opens('}') || failed("a comma or a closing brace");
    }
    bool elements(int depth) {
        if (opens(']')) return true;
        std::size_t k = 0;
        do {
            const std::size_t length = path_.size();
            path_ += '.' + std::to_string(k++);
            if (!element(depth)) return false;
            path_.resize(length);
        } while (opens(','));
        return opens(']') || failed("a comma or a closing bracket");
    }

    bool member() {
        if (path_ == keys_.label) return label();
        if (path_ == keys_.weight) return weight();
        const bool ignored = std::find(keys_.ignored.begin(), keys_.ignored.end(), path_) != keys_.ignored.end();
        silent_ = ignored;
        const bool good = element(0);
        silent_ = false;
        return good;
    }
    bool label() {
        skip_spaces();
        if (opens('"')) {
            std::string word;
            if (!text(word)) return false;
            chunk_.words.push_back({chunk_.rows(), std::move(word)});
            return true;
        }
        if (literal("true")) return label_ = 1.0, true;
        if (literal("false")) return label_ = 0.0, true;
        if (literal("null")) return true;
        return number(label_);
    }
    bool weight() { return number(weight_) && (weight_ >= 0 || failed("a weight of at least 0")); }

    bool element(int depth) {
        if (depth >= deepest) return failed("objects and arrays at most 32 deep");
        skip_spaces();
        if (opens('{')) return members(depth + 1);
        if (opens('[')) return elements(depth + 1);
        if (opens('"')) return category();
        if (literal("null")) return absent();
        const char* from = p_;
        double value = 1.0;
        if (literal("false"))
            value = 0.0;
        else if (!literal("true") && !number(value))
            return false;
        if (silent_) return true;
        const Column held = held_by_name();
        if (held == Column::text || held == Column::date) return failed("a text, as this column has held them");
        if (held == Column::number && stands_for_none(between(from, p_))) return absent();
        if (held == Column::category)
            features_.category(path_, between(from, p_));
        else
            features_.number(path_, value);
        return true;
    }
    bool category() {
        word_.clear();
        if (!text(word_)) return false;
        if (word_.empty()) return absent();
        if (silent_) return true;
        switch (held_by_name()) {
            case Column::text:
                return features_.words(path_, word_, scanner_) || failed("a text in UTF-8");
            case Column::date:
                return stands_for_none(word_) ? absent() : features_.date(path_, word_) || failed(a_date);
            case Column::number:
                return stands_for_none(word_) ? absent() : failed("a number, as this column has held them");
            default:
                features_.category(path_, word_);
                return true;
        }
    }
    Column held_by_name() const {
        const auto known = keys_.held.find(path_);
        return known == keys_.held.end() ? Column::feature : known->second;
    }
    bool stands_for_none(std::string_view word) const {
        return std::find(keys_.missing.begin(), keys_.missing.end(), word) != keys_.missing.end();
    }
    bool absent() {
        if (!silent_) features_.missing(path_);
        return true;
    }

    bool literal(std::string_view word) {
        if (between(p_, end_).substr(0, word.size()) != word) return false;
        p_ += word.size();
        return true;
    }
    bool number(double& value) {
        skip_spaces();
        if (p_ >= end_ || (*p_ != '-' && !is_digit(*p_))) return failed("a value");
        const char* stop = read_number(p_, end_, value);
        if (stop == nullptr) return failed("a number");
        if (!std::isfinite(value)) return failed("a finite number");
        p_ = stop;
        return true;
    }

    // A string whose opening quote was read.
    bool text(std::string& out) {
        while (p_ < end_ && *p_ != '"') {
            if (static_cast<unsigned char>(*p_) < 0x20) return failed("no control character in a string");
            if (*p_ != '\\')
                out += *p_++;
            else if (!escape(out))
                return false;
        }
        return opens('"') || failed("a closing quote");
    }
    bool escape(std::string& out) {
        constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        if (end_ - p_ < 2) return failed("a character behind a backslash");
        if (p_[1] == 'u') return code_point(out);
        const std::size_t which = letters.find(p_[1]);
        if (which == letters.npos) return failed("a known escape behind a backslash");
        out += meanings[which];
        p_ += 2;
        return true;
    }
    bool code_point(std::string& out) {
        std::uint32_t code = 0;
        if (!hex(code)) return failed("four hexadecimal digits behind \\u");
        if (code >= 0xD800 && code < 0xDC00) {
            std::uint32_t low = 0;
            if (end_ - p_ < 2 || p_[0] != '\\' || p_[1] != 'u' || !hex(low) || low < 0xDC00 || low > 0xDFFF)
                return failed("the second half of a surrogate pair");
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        } else if (code >= 0xDC00 && code < 0xE000) {
            return failed("the first half of a surrogate pair");
        }
        append(out, code);
        return true;
    }
    // \uXXXX, where the backslash and the u were seen.
    bool hex(std::uint32_t& code) {
        if (end_ - p_ < 6) return false;
        for (int k = 2; k < 6; ++k) {
            const char c = p_[k], lower = static_cast<char>(c | 0x20);
            if (!is_digit(c) && (lower < 'a' || lower > 'f')) return false;
            code = code * 16 + static_cast<std::uint32_t>(is_digit(c) ? c - '0' : lower - 'a' + 10);
        }
        p_ += 6;
        return true;
    }
    static void append(std::string& out, std::uint32_t code) {
        const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
        if (code < 0x80) {
            out += static_cast<char>(code);
        } else if (code < 0x800) {
            out += static_cast<char>(0xC0 | code >> 6);
            tail(0);
        } else if (code < 0x10000) {
            out += static_cast<char>(0xE0 | code >> 12);
            tail(6);
            tail(0);
        } else {
            out += static_cast<char>(0xF0 | code >> 18);
            tail(12);
            tail(6);
            tail(0);
        }
    }

    const char* p_;
    const char* end_;
    const Keys& keys_;
    NamedFeatures& features_;
    features::Scanner scanner_;
    Chunk& chunk_;
    Problem problem_;
    std::string path_, word_;
    bool silent_ = false;
    double label_ = std::numeric_limits<double>::quiet_NaN(), weight_ = 1.0;
};

}  // namespace

void parse_json(std::string_view text, const Keys& keys, const Hasher& hasher, bool skips, Chunk& chunk) {
    NamedFeatures features(hasher, chunk);
    each_line(Lines(text), skips, chunk, [&](std::string_view line) -> Problem {
        if (std::all_of(line.begin(), line.end(), is_space)) return {};
        chunk.begin_row(line.size());
        return Object(line, keys, features, chunk).read();
    });
}

}  // namespace littlestone::readers
