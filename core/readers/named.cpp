#include "dates.h"
#include "readers.h"

namespace littlestone::readers {
namespace {

// Whether bytes are sound UTF-8: no lone or missing continuation, nothing longer than it need be, no surrogate.
bool is_utf8(std::string_view text) {
    for (std::size_t k = 0; k < text.size();) {
        const auto lead = static_cast<unsigned char>(text[k]);
        const std::size_t more = lead < 0x80 ? 0 : lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
        if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || k + more >= text.size() + (more == 0)) return false;
        for (std::size_t i = 1; i <= more; ++i)
            if ((static_cast<unsigned char>(text[k + i]) & 0xC0) != 0x80) return false;
        const auto second = static_cast<unsigned char>(more > 0 ? text[k + 1] : 0);
        if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return false;
        if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return false;
        k += more + 1;
    }
    return true;
}

}  // namespace

void NamedFeatures::write(std::uint64_t hash, std::string_view name, double value) {
    const std::int32_t index = hasher_.bits ? hasher_.index(hash) : chunk_.names.number(name);
    if (hasher_.bits && hasher_.names) chunk_.note_name(index, name);
    chunk_.add(index, value);
}

void NamedFeatures::category(std::string_view name, std::string_view value) {
    if (hasher_.bits && !hasher_.names) return write(hashed(value, hash(name), hasher_.hashing), name, 1.0);
    joined_.assign(name);
    joined_ += '=';
    joined_ += value;
    write(hasher_.bits ? hashed(value, hash(name), hasher_.hashing) : 0, joined_, 1.0);
}

// A word is a category of its column; the second time it adds up.
bool NamedFeatures::words(std::string_view name, std::string_view text, features::Scanner& scanner) {
    if (!is_utf8(text)) return false;
    scanner.read(text, {{1, 1}, {}, true});
    for (std::size_t k = 0; k < scanner.words(); ++k) category(name, scanner.word(k));
    return true;
}

bool NamedFeatures::date(std::string_view name, std::string_view text) {
    const auto date = read_date(text);
    if (!date) return false;
    const std::string whole(name);
    number(whole + ".years", date->years());
    category(whole + ".month", std::to_string(date->month));
    category(whole + ".weekday", std::to_string(date->weekday()));
    if (date->hour >= 0) category(whole + ".hour", std::to_string(date->hour));
    return true;
}

Problem NamedFeatures::end_row(double label, double weight) {
    if (hasher_.constant) write(constant_feature, "constant", 1.0);
    if (hasher_.bits) return chunk_.end_row(label, weight, true);
    chunk_.end_named_row(label, weight);
    return {};
}

}  // namespace littlestone::readers
