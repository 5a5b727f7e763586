#include <cmath>
#include <limits>

#include "lines.h"
#include "marks.h"
#include "number.h"
#include "readers.h"

namespace littlestone::readers {
namespace {

constexpr std::uint64_t largest_index = std::numeric_limits<std::int32_t>::max() - 1;

bool ends_entry(const char* p, const char* end) { return p >= end || is_blank(*p) || *p == '#'; }

bool is_query(const char* p, const char* end) { return end - p > 4 && std::memcmp(p, "qid:", 4) == 0; }

// The entries of a row: p is behind the label. They are written through pointers of their own, which the compiler can
// keep in registers.
Problem entries(const char* p, const char* end, const Hasher& hasher, const Marks& marks, const std::uint32_t*& mark,
                Chunk& chunk) {
    std::int32_t* to_index = chunk.index.end();
    double* to_value = chunk.value.end();
    const std::uint64_t mask = hasher.mask(), largest = hasher.bits ? ~0ull : largest_index;
    mark = marks.from(p, mark);
    while (true) {
        while (is_blank(*p)) ++p, ++mark;
        if (p >= end || *p == '#') break;
        if (const std::size_t many = marks.usual_entries(p, mark, 0, mask, to_index, to_value)) {
            to_index += many;
            to_value += many;
            continue;
        }
        std::uint64_t index;
        double value;
        if (const char* stop = marks.usual_entry(p, mark, index, value); stop != nullptr && ends_entry(stop, end)) {
            *to_index++ = static_cast<std::int32_t>(index & mask);
            *to_value++ = value;
            p = stop;
            continue;
        }
        const char* first = p;
        index = 0;
        p = read_digits(p, end, index);
        if (p == first && is_query(p, end)) {
            while (!ends_entry(p, end)) ++p;
            mark = marks.from(p, mark);
            continue;
        }
        if (p == first || p - first > 19 || *p != ':') return {"index:value", word_at(first, end)};
        if (index > largest) return {"an index below 2^31 - 1", word_at(first, end)};
        const char* behind = p + 1;
        p = read_number(behind, end, value);
        if (p == nullptr && is_odd_number(word_at(behind, end))) return {finite_or_left_out, word_at(first, end)};
        if (p == nullptr || !ends_entry(p, end)) return {"index:value", word_at(first, end)};
        if (!std::isfinite(value)) return {finite_or_left_out, word_at(first, end)};
        *to_index++ = static_cast<std::int32_t>(index & mask);
        *to_value++ = value;
        mark = marks.from(p, mark);
    }
    chunk.index.written_to(to_index);
    chunk.value.written_to(to_value);
    return {};
}

Problem line_of(std::string_view line, const Hasher& hasher, const Marks& marks, const std::uint32_t*& mark,
                Chunk& chunk) {
    const char *p = line.data(), *end = p + line.size();
    while (is_blank(*p)) ++p;
    if (p >= end || *p == '#') return {};
    const char* first = p;
    double label;
    p = read_number(p, end, label);
    if (p != nullptr && *p == ':') {  // an entry: the row has no label
        p = first;
        label = std::numeric_limits<double>::quiet_NaN();
    } else if (p == nullptr || !ends_entry(p, end) || !std::isfinite(label)) {
        return {"a number as the label", word_at(first, end)};
    }
    chunk.begin_row(line.size());
    if (hasher.constant) chunk.add(0, 1.0);
    if (const Problem problem = entries(p, end, hasher, marks, mark, chunk)) return problem;
    return chunk.end_row(label, 1.0, hasher.bits.has_value());
}

}  // namespace

void parse_svmlight(std::string_view text, const Hasher& hasher, bool skips, Chunk& chunk) {
    chunk.expect(text.size());
    const Lines lines(text);
    const Marks marks(lines.text());
    const std::uint32_t* mark = marks.begin();
    each_line(lines, skips, chunk, [&](std::string_view line) { return line_of(line, hasher, marks, mark, chunk); });
}

}  // namespace littlestone::readers
