// The lines of a text, one after another.
#pragma once

#include <cstring>

#include "chunk.h"

namespace littlestone::readers {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

inline std::string_view between(const char* from, const char* to) {
    return {from, static_cast<std::size_t>(to - from)};
}

// The word that starts at p, as it is shown when it is not what was expected.
inline std::string_view word_at(const char* p, const char* end) {
    const char* stop = p;
    while (stop < end && !is_blank(*stop)) ++stop;
    return between(p, stop);
}

inline std::string shortened(std::string_view text) {
    constexpr std::size_t longest = 80;
    return text.size() <= longest ? std::string(text) : std::string(text.substr(0, longest)) + "...";
}

// Records a problem of the current line; whether to go on with the next.
inline bool record(Chunk& chunk, const Problem& problem, std::string_view line, bool skips) {
    chunk.drop_row();
    chunk.malformed.push_back({chunk.lines, problem.expected, shortened(problem.text.data() ? problem.text : line)});
    return skips;
}

// A text whose last line has an end, if need be in a copy.
class Lines {
  public:
    explicit Lines(std::string_view text) : text_(text) {
        if (!text.empty() && text.back() != '\n') text_ = copy_ = std::string(text) + '\n';
    }
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;
    std::string_view text() const { return text_; }

  private:
    std::string_view text_;
    std::string copy_;
};

// Calls parse(line) for every line, without its end; the character behind a line can be read and is no digit. Lines
// that give a problem leave no row; the first one ends the work unless the reader skips them.
template <class Parse>
void each_line(const Lines& lines, bool skips, Chunk& chunk, Parse parse) {
    const std::string_view text = lines.text();
    const char *p = text.data(), *end = p + text.size();
    while (p < end) {
        const auto* stop = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
        const std::string_view line = between(p, stop > p && stop[-1] == '\r' ? stop - 1 : stop);
        const Problem problem = parse(line);
        if (problem && !record(chunk, problem, line, skips)) return;
        ++chunk.lines;
        p = stop + 1;
    }
}

}  // namespace littlestone::readers
