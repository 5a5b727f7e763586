#include "cache.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "../checksum.h"
#include "../nonzeros.h"

namespace littlestone::readers {
namespace {

static_assert(std::endian::native == std::endian::little, "a cache holds little-endian numbers");

constexpr std::size_t head = 2 * sizeof(std::uint64_t), longest = std::size_t{1} << 30;

struct Counts {
    // measured: rows with known norms
    std::uint64_t lines, rows, entries, measured, weights, missing, words, tags, names;
};

class Writer {
  public:
    explicit Writer(std::string& out) : out_(out) {}
    template <class Value>
    void values(const Value* values, std::size_t count) {
        if (count > 0) out_.append(reinterpret_cast<const char*>(values), count * sizeof(Value));
    }
    void text(std::string_view text) {
        const auto size = static_cast<std::uint32_t>(text.size());
        values(&size, 1);
        out_.append(text);
    }
    void words(const std::vector<Word>& words) {
        for (const Word& word : words) {
            const std::uint64_t row = word.row;
            values(&row, 1);
            text(word.text);
        }
    }

  private:
    std::string& out_;
};

// Whoever asks for more than there is gets nothing, and from then on nothing more.
class Payload {
  public:
    explicit Payload(std::string_view rest) : rest_(rest) {}
    bool sound() const { return sound_; }
    bool spent() const { return sound_ && rest_.empty(); }

    const char* bytes(std::size_t count, std::size_t size) {
        if (!sound_ || count > rest_.size() / size) {
            sound_ = false;
            return nullptr;
        }
        const char* at = rest_.data();
        rest_.remove_prefix(count * size);
        return at;
    }
    template <class Value>
    Value value() {
        Value value{};
        if (const char* at = bytes(1, sizeof value)) std::memcpy(&value, at, sizeof value);
        return value;
    }
    std::string_view text() {
        const auto size = value<std::uint32_t>();
        const char* at = bytes(size, 1);
        return at == nullptr ? std::string_view{} : std::string_view{at, size};
    }

  private:
    std::string_view rest_;
    bool sound_ = true;
};

template <class Value>
Value value_at(const char* values, std::size_t k) {
    Value value;
    std::memcpy(&value, values + k * sizeof value, sizeof value);
    return value;
}

class Record {
  public:
    Record(std::string_view payload, bool named, Chunk& chunk) : payload_(payload), named_(named), chunk_(chunk) {}

    bool read() {
        counts_ = payload_.value<Counts>();
        start_ = payload_.bytes(counts_.rows + 1, sizeof(std::int32_t));
        index_ = payload_.bytes(counts_.entries, sizeof(std::int32_t));
        value_ = payload_.bytes(counts_.entries, sizeof(double));
        label_ = payload_.bytes(counts_.rows, sizeof(double));
        norm_ = payload_.bytes(counts_.measured, sizeof(double));
        largest_ = payload_.bytes(counts_.measured, sizeof(double));
        hash_ = payload_.bytes(counts_.measured, sizeof(std::uint64_t));
        weight_ = payload_.bytes(counts_.weights, sizeof(double));
        missing_ = payload_.bytes(counts_.missing, sizeof(std::uint32_t));
        first_missing_ = payload_.text();
        if (!payload_.sound() || (counts_.weights != 0 && counts_.weights != counts_.rows)) return false;
        if (counts_.missing != 0 && counts_.missing != counts_.rows) return false;
        if (counts_.measured != (named_ ? 0 : counts_.rows)) return false;
        if (!finite(value_, counts_.entries) || !finite(weight_, counts_.weights)) return false;
        const std::size_t before = chunk_.rows();
        if (!read_words(chunk_.words, counts_.words, before) || !read_words(chunk_.tags, counts_.tags, before))
            return false;
        for (std::uint64_t k = 0; k < counts_.names && payload_.sound(); ++k)
            numbers_.push_back(chunk_.names.number(payload_.text()));
        if (!payload_.spent() || (!named_ && counts_.names > 0)) return false;
        return read_rows();
    }
    std::size_t lines() const { return counts_.lines; }

  private:
    // By the bits of the exponents, for whole numbers are compared many at a time.
    static bool finite(const char* values, std::size_t count) {
        constexpr std::uint64_t exponent = 0x7FF0000000000000;
        std::uint64_t odd = 0;
        for (std::size_t k = 0; k < count; ++k)
            odd |= static_cast<std::uint64_t>((value_at<std::uint64_t>(values, k) & exponent) == exponent);
        return odd == 0;
    }
    bool read_words(std::vector<Word>& words, std::uint64_t count, std::size_t before) {
        for (std::uint64_t k = 0; k < count && payload_.sound(); ++k) {
            const auto row = payload_.value<std::uint64_t>();
            if (row >= counts_.rows) return false;
            words.push_back({before + row, std::string(payload_.text())});
        }
        return payload_.sound();
    }
    bool read_rows() {
        const std::size_t before = chunk_.index.size();
        append(chunk_.index, index_, counts_.entries);
        append(chunk_.value, value_, counts_.entries);
        append(chunk_.norm_squared, norm_, counts_.measured);
        append(chunk_.largest_entry, largest_, counts_.measured);
        append(chunk_.row_hash, hash_, counts_.measured);
        chunk_.stores_zero |= nonzeros::has_zero(chunk_.value.data() + before, counts_.entries);
        std::int32_t* index = chunk_.index.data() + before;
        std::uint32_t from = 0;
        for (std::size_t t = 0; t < counts_.rows; ++t) {
            const auto to = static_cast<std::uint32_t>(value_at<std::int32_t>(start_, t + 1));
            if (to < from || to > counts_.entries ||
                !(named_ ? renumber(index + from, index + to) : measure(index + from, index + to)))
                return false;
            const double weight = counts_.weights > 0 ? value_at<double>(weight_, t) : 1.0;
            if (weight < 0.0) return false;
            if (counts_.missing > 0) chunk_.note_missing(first_missing_, value_at<std::uint32_t>(missing_, t));
            chunk_.push_row(before + to, value_at<double>(label_, t), weight);
            from = to;
        }
        return from == counts_.entries;
    }
    template <class Value>
    static void append(Buffer<Value>& buffer, const char* values, std::size_t count) {
        if (count == 0) return;
        buffer.reserve(count);
        std::memcpy(buffer.end(), values, count * sizeof(Value));
        buffer.written_to(buffer.end() + count);
    }
    bool renumber(std::int32_t* from, std::int32_t* to) {
        const auto outside = [&](std::int32_t k) { return static_cast<std::uint32_t>(k) >= numbers_.size(); };
        if (std::any_of(from, to, outside)) return false;
        for (; from < to; ++from) *from = numbers_[static_cast<std::size_t>(*from)];
        chunk_.width = chunk_.names.listed().size();
        return true;
    }
    // Whether the row is in order, so that its first index is the least and its last the largest.
    bool measure(const std::int32_t* from, const std::int32_t* to) {
        if (from == to) return true;
        chunk_.width = std::max(chunk_.width, static_cast<std::size_t>(to[-1]) + 1);
        return *from >= 0 && nonzeros::increasing(from, static_cast<std::size_t>(to - from));
    }

    Payload payload_;
    bool named_;
    Chunk& chunk_;
    Counts counts_{};
    const char *start_ = nullptr, *index_ = nullptr, *value_ = nullptr, *label_ = nullptr, *norm_ = nullptr,
               *largest_ = nullptr, *hash_ = nullptr, *weight_ = nullptr, *missing_ = nullptr;
    std::string_view first_missing_;
    std::vector<std::int32_t> numbers_;
};

}  // namespace

std::string cache_record(const Chunk& chunk) {
    std::string out(head, '\0');
    out.reserve(head + sizeof(Counts) + chunk.index.size() * 12 + chunk.rows() * 40);
    Writer writer(out);
    const Counts counts{
        chunk.lines,          chunk.rows(),       chunk.index.size(), chunk.norm_squared.size(),  chunk.weight.size(),
        chunk.missing.size(), chunk.words.size(), chunk.tags.size(),  chunk.names.listed().size()};
    writer.values(&counts, 1);
    writer.values(chunk.start.data(), chunk.start.size());
    writer.values(chunk.index.data(), chunk.index.size());
    writer.values(chunk.value.data(), chunk.value.size());
    writer.values(chunk.label.data(), chunk.label.size());
    writer.values(chunk.norm_squared.data(), chunk.norm_squared.size());
    writer.values(chunk.largest_entry.data(), chunk.largest_entry.size());
    writer.values(chunk.row_hash.data(), chunk.row_hash.size());
    writer.values(chunk.weight.data(), chunk.weight.size());
    writer.values(chunk.missing.data(), chunk.missing.size());
    writer.text(chunk.first_missing);
    writer.words(chunk.words);
    writer.words(chunk.tags);
    for (const std::string* name : chunk.names.listed()) writer.text(*name);
    const std::uint64_t front[] = {out.size() - head, Checksum::of(std::string_view(out).substr(head))};
    std::memcpy(out.data(), front, head);
    return out;
}

std::string cache_end() {
    const std::uint64_t front[] = {0, Checksum::of({})};
    return {reinterpret_cast<const char*>(front), head};
}

std::size_t whole_cache_records(std::string_view text) {
    std::size_t whole = 0;
    while (text.size() - whole >= head) {
        const auto size = value_at<std::uint64_t>(text.data() + whole, 0);
        if (size > longest) return text.size();
        if (text.size() - whole - head < size) break;
        whole += head + size;
    }
    return whole;
}

void parse_cache(std::string_view text, bool named, Chunk& chunk) {
    while (!text.empty()) {
        const std::size_t size = text.size() < head ? longest : value_at<std::uint64_t>(text.data(), 0);
        const bool whole = text.size() >= head && size <= text.size() - head;
        const std::string_view payload = whole ? text.substr(head, size) : std::string_view{};
        Record record(payload, named, chunk);
        const bool sound = whole && value_at<std::uint64_t>(text.data(), 1) == Checksum::of(payload);
        chunk.ended = sound && size == 0 && text.size() == head;
        if (chunk.ended) return;
        if (!sound || !record.read()) {
            chunk.malformed.push_back({chunk.lines, "a sound record of a cache", "damaged bytes"});
            return;
        }
        chunk.lines += record.lines();
        text.remove_prefix(head + size);
    }
}

}  // namespace littlestone::readers
