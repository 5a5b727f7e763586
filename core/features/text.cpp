#include "text.h"

#include <array>

#include "alphabet.h"

namespace littlestone::features {
namespace {

enum Kind : std::uint8_t { other, letter, space };

struct Ascii {
    std::array<Kind, 128> kind{};
    std::array<char, 128> lower{};
};

constexpr Ascii make_ascii() {
    Ascii table;
    for (int c = 0; c < 128; ++c) {
        const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
        const auto k = static_cast<std::size_t>(c);
        if (upper || lower || digit || c == '_') table.kind[k] = letter;
        if (c == ' ' || (c >= 9 && c <= 13) || (c >= 28 && c <= 31)) table.kind[k] = space;  // as Python's isspace
        table.lower[k] = static_cast<char>(upper ? c + 32 : c);
    }
    return table;
}

constexpr Ascii ascii = make_ascii();

// The character at p, which is moved behind it. The text is sound UTF-8.
char32_t decoded(const char*& p) {
    const auto lead = static_cast<unsigned char>(*p++);
    if (lead < 0x80) return lead;
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    char32_t c = lead & (0x3Fu >> more);
    for (int k = 0; k < more; ++k) c = c << 6 | (static_cast<unsigned char>(*p++) & 0x3Fu);
    return c;
}

void append(std::string& text, char32_t c) {
    if (c < 0x80) return text.push_back(static_cast<char>(c));
    const int more = c >= 0x10000 ? 3 : c >= 0x800 ? 2 : 1;
    text.push_back(static_cast<char>((0xFFu << (7 - more) & 0xFFu) | c >> 6 * more));
    for (int k = more - 1; k >= 0; --k) text.push_back(static_cast<char>(0x80u | (c >> 6 * k & 0x3Fu)));
}

}  // namespace

void Scanner::read(std::string_view text, const Cut& cut) {
    letters_.clear();
    flat_.clear();
    word_ends_.assign(1, 0);
    places_.assign(1, 0);
    after_space_ = false;
    scan(text, cut.lowercase, cut.characters.most > 0);
    end_word();
}

void Scanner::scan(std::string_view text, bool lowercase, bool flat) {
    const char *p = text.data(), *end = p + text.size();
    while (p < end) {
        const auto byte = static_cast<unsigned char>(*p);
        char32_t c = byte;
        Kind kind;
        if (byte < 0x80) {
            ++p;
            kind = ascii.kind[byte];
            if (lowercase) c = static_cast<unsigned char>(ascii.lower[byte]);
        } else {
            c = decoded(p);
            kind = in_word(c) ? letter : is_space(c) ? space : other;
            if (lowercase) c = lower(c);
        }
        if (kind == letter)
            append(letters_, c);
        else
            end_word();
        if (flat) place(c, kind == space);
    }
}

void Scanner::place(char32_t c, bool is_space) {
    if (is_space && after_space_) return;
    append(flat_, is_space ? U' ' : c);
    places_.push_back(flat_.size());
    after_space_ = is_space;
}

}  // namespace littlestone::features
