#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "dates.h"
#include "lines.h"
#include "number.h"
#include "readers.h"

namespace littlestone::readers {
namespace {

// Reads the fields of a text that ends with a newline. A quote opens a field only at its beginning; inside, two quotes
// stand for one, and newlines and separators for themselves.
class Fields {
  public:
    Fields(std::string_view text, const Table& table) : p_(text.data()), end_(p_ + text.size()), table_(table) {}

    const char* at() const { return p_; }
    bool at_end() const { return p_ == end_; }
    bool was_last() const { return last_; }
    std::size_t newlines() const { return newlines_; }
    std::string_view field() const { return field_; }

    // Moves on to the next field; false where a quoted one is malformed, or does not end.
    bool next() {
        if (p_ < end_ && *p_ == '"' && table_.quotes) return next_quoted();
        const char* from = p_;
        while (p_ < end_ && *p_ != table_.separator && *p_ != '\n') ++p_;
        if (p_ == end_) return false;
        field_ = between(from, *p_ == '\n' && p_ > from && p_[-1] == '\r' ? p_ - 1 : p_);
        finish();
        return true;
    }
    // Moves behind the end of the line, after a problem.
    void skip_line() {
        while (!last_ && p_ < end_) {
            if (*p_ == '\n') finish_line();
            ++p_;
        }
    }
    void begin_record() {
        last_ = false;
        newlines_ = 0;
    }

  private:
    bool next_quoted() {
        unquoted_.clear();
        for (++p_; p_ < end_; ++p_) {
            if (*p_ == '\n') ++newlines_;
            if (*p_ != '"') {
                unquoted_ += *p_;
            } else if (p_ + 1 < end_ && p_[1] == '"') {
                unquoted_ += *p_++;
            } else {
                break;
            }
        }
        if (p_ == end_) return false;
        ++p_;
        if (p_ + 1 < end_ && p_[0] == '\r' && p_[1] == '\n') ++p_;
        if (p_ == end_ || (*p_ != table_.separator && *p_ != '\n')) return false;
        field_ = unquoted_;
        finish();
        return true;
    }
    void finish() {
        if (*p_ == '\n') finish_line();
        ++p_;
    }
    void finish_line() {
        last_ = true;
        ++newlines_;
    }

    const char* p_;
    const char* end_;
    const Table& table_;
    std::string_view field_;
    std::string unquoted_;
    bool last_ = false;
    std::size_t newlines_ = 0;
};

std::string_view trimmed(std::string_view field) {
    while (!field.empty() && field.front() == ' ') field.remove_prefix(1);
    while (!field.empty() && field.back() == ' ') field.remove_suffix(1);
    return field;
}

bool is_number(std::string_view field, double& value) {
    field = trimmed(field);
    // Behind a field stands a space, a separator, the end of the line or the 0 of a string: no part of a number.
    const char* end = field.data() + field.size();
    return !field.empty() && read_number(field.data(), end, value) == end;
}

bool is_infinity(std::string_view bare) { return is_odd_number(bare) && (bare.back() | 0x20) != 'n'; }

bool is_finite_number(std::string_view field) {
    double value = 0.0;
    return is_number(field, value) && std::isfinite(value);
}

class RecordReader {
  public:
    RecordReader(const Table& table, const Hasher& hasher, Chunk& chunk)
        : table_(table),
          chunk_(chunk),
          features_(hasher, chunk),
          misses_numbers_(std::any_of(table.missing.begin(), table.missing.end(), is_finite_number)) {}

    Problem read(Fields& fields, std::size_t room) {
        chunk_.begin_row(room);
        label_ = std::numeric_limits<double>::quiet_NaN();
        weight_ = 1.0;
        for (std::size_t k = 0; !fields.was_last(); ++k) {
            if (!fields.next()) return {"a quote that ends its field", {}};
            if (k == 0 && fields.was_last() && fields.field().empty() && table_.columns.size() > 1) return blank_;
            if (k >= table_.columns.size()) return {"as many fields as there are columns", {}};
            if (const Problem problem = read_field(k, fields.field())) return problem;
            if (fields.was_last() && k + 1 < table_.columns.size()) return {"as many fields as there are columns", {}};
        }
        return features_.end_row(label_, weight_);
    }
    // What `read` answers for a line without text.
    static bool is_blank_line(const Problem& problem) { return problem.expected == blank_.expected; }

  private:
    Problem read_field(std::size_t column, std::string_view field) {
        double value = 0.0;
        switch (table_.columns[column]) {
            case Column::feature:
            case Column::number:
                return read_feature(column, field);
            case Column::category:
                if (field.empty())
                    features_.missing(table_.names[column]);
                else
                    features_.category(table_.names[column], field);
                return {};
            case Column::text:
                return read_text(table_.names[column], field);
            case Column::date:
                return read_date_parts(table_.names[column], trimmed(field));
            case Column::label:
                if (field.empty()) return {};
                if (!is_number(field, label_)) return read_word(field);
                return std::isfinite(label_) ? Problem{} : Problem{"a finite label", field};
            case Column::weight:
                if (field.empty()) return {};
                if (!is_number(field, value) || !std::isfinite(value) || value < 0)
                    return {"a weight of at least 0", field};
                weight_ = value;
                return {};
            case Column::ignored:
                return {};
        }
        return {};
    }
    Problem read_feature(std::size_t column, std::string_view field) {
        const std::string& name = table_.names[column];
        double value = 0.0;
        if (is_number(field, value) && std::isfinite(value) && !is_missing_number(field)) {
            features_.number(name, value);
        } else if (const std::string_view bare = trimmed(field); bare.empty() || table_.is_missing(bare)) {
            features_.missing(name);
        } else if (std::isinf(value) || is_infinity(bare)) {
            return of_column(name, field, "a finite value");
        } else if (table_.columns[column] == Column::number) {
            return of_column(name, field, "a number, as in the first rows of the column");
        } else {
            features_.category(name, field);
        }
        return {};
    }
    bool is_missing_number(std::string_view field) const {
        return misses_numbers_ && table_.is_missing(trimmed(field));
    }
    // A problem with a field, which is shown behind the name of its column.
    Problem of_column(const std::string& name, std::string_view field, const char* expected) {
        told_.assign(name).append("=").append(field);
        return {expected, told_};
    }
    Problem read_text(const std::string& name, std::string_view field) {
        if (field.empty()) features_.missing(name);
        return features_.words(name, field, scanner_) ? Problem{} : Problem{"a text in UTF-8", field};
    }
    Problem read_date_parts(const std::string& name, std::string_view field) {
        if (field.empty() || table_.is_missing(field)) return features_.missing(name), Problem{};
        return features_.date(name, field) ? Problem{} : Problem{a_date, field};
    }
    Problem read_word(std::string_view field) {
        label_ = std::numeric_limits<double>::quiet_NaN();
        chunk_.words.push_back({chunk_.rows(), std::string(field)});
        return {};
    }

    static constexpr Problem blank_{"", {}};

    const Table& table_;
    Chunk& chunk_;
    NamedFeatures features_;
    bool misses_numbers_;  // a number, such as -999, is among what stands for none
    features::Scanner scanner_;
    double label_ = 0.0, weight_ = 1.0;
    std::string told_;
};

// Whether the header stands here again, as where files were put together.
bool is_header(const char* from, const char* end, const Table& table) {
    const std::size_t length = table.header.size();
    if (length == 0 || static_cast<std::size_t>(end - from) < length) return false;
    if (std::memcmp(from, table.header.data(), length) != 0) return false;
    return from + length == end || from[length] == '\n' || from[length] == '\r';
}

std::string_view line_at(const char* from, const char* end) {
    const auto* stop = static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(end - from)));
    return between(from, stop == nullptr ? end : stop);
}

// 1,5: digits, a comma and digits.
bool has_decimal_comma(std::string_view bare) {
    if (!bare.empty() && (bare[0] == '+' || bare[0] == '-')) bare.remove_prefix(1);
    const std::size_t comma = bare.find(',');
    if (comma == bare.npos || comma == 0 || comma + 1 == bare.size()) return false;
    return std::all_of(bare.begin(), bare.end(), [&](const char& c) { return is_digit(c) || &c == &bare[comma]; });
}

// What has been seen of a column.
struct Tally {
    std::size_t numbers = 0, dates = 0, commas = 0, others = 0;

    void note(std::string_view field, const Table& table) {
        double value = 0.0;
        const std::string_view bare = trimmed(field);
        if (bare.empty() || table.is_missing(bare)) return;
        if (is_number(field, value) || is_infinity(bare))
            ++numbers;
        else
            ++(read_date(bare) ? dates : has_decimal_comma(bare) ? commas : others);
    }
    Column kind() const {
        if (others + commas > 0 || (dates > 0 && numbers > 0)) return Column::category;
        return dates > 0 ? Column::date : numbers > 0 ? Column::number : Column::feature;
    }
    bool has_commas() const { return commas > 0 && others + dates == 0; }
};

}  // namespace

void settle_columns(std::string_view text, Table& table) {
    constexpr std::size_t enough = 1000;
    std::vector<Tally> tallies(table.columns.size());
    Fields fields(text, table);
    for (std::size_t record = 0; record < enough && !fields.at_end(); ++record) {
        const bool header = is_header(fields.at(), text.data() + text.size(), table);
        fields.begin_record();
        for (std::size_t k = 0; !fields.was_last() && fields.next(); ++k)
            if (k < tallies.size() && !header) tallies[k].note(fields.field(), table);
        fields.skip_line();
    }
    for (std::size_t k = 0; k < tallies.size(); ++k) {
        Column& kind = table.columns[k];
        if ((kind == Column::feature || kind == Column::number || kind == Column::label) && tallies[k].has_commas())
            table.with_commas.push_back(k);
        if (kind == Column::feature) kind = tallies[k].kind();
    }
}

void parse_csv(std::string_view text, const Table& table, const Hasher& hasher, bool skips, Chunk& chunk) {
    std::string ended;
    if (!text.empty() && text.back() != '\n') text = ended = std::string(text) + '\n';
    const char* end = text.data() + text.size();
    Fields fields(text, table);
    RecordReader records(table, hasher, chunk);
    while (!fields.at_end()) {
        const char* from = fields.at();
        fields.begin_record();
        const bool header = is_header(from, end, table);
        if (header) chunk.begin_row(0);
        const Problem problem = header
                                    ? Problem{"a row; this is the header again, as where files were put together", {}}
                                    : records.read(fields, static_cast<std::size_t>(end - from));
        if (problem) {
            fields.skip_line();
            if (RecordReader::is_blank_line(problem))
                chunk.drop_row();
            else if (!record(chunk, problem, line_at(from, end), skips))
                return;
        }
        chunk.lines += fields.newlines();
    }
}

std::size_t whole_records(std::string_view text, const Table& table) {
    if (!table.quotes) {
        const std::size_t last = text.rfind('\n');
        return last == text.npos ? 0 : last + 1;
    }
    std::size_t whole = 0;
    Fields fields(text, table);
    while (!fields.at_end()) {
        fields.begin_record();
        while (!fields.was_last())
            if (!fields.next()) {
                fields.skip_line();
                break;
            }
        if (!fields.was_last()) break;
        whole = static_cast<std::size_t>(fields.at() - text.data());
    }
    return whole;
}

std::pair<std::vector<std::string>, std::size_t> first_record(std::string_view text, const Table& table) {
    std::vector<std::string> out;
    const std::string ended = std::string(text) + '\n';
    Fields fields(ended, table);
    fields.begin_record();
    while (!fields.was_last() && fields.next()) out.emplace_back(fields.field());
    fields.skip_line();
    return {std::move(out), std::min(text.size(), static_cast<std::size_t>(fields.at() - ended.data()))};
}

}  // namespace littlestone::readers
