// Where a text has anything but a digit, found sixteen characters at a time. With the ends of numbers known beforehand,
// a parser need not wait for one number to end before it begins the next.
#pragma once

#include <cstdint>
#include <string_view>

#include "../buffer.h"
#include "eights.h"
#include "number.h"

namespace littlestone::readers {

class Marks {
  public:
    explicit Marks(std::string_view text) : text_(text.data()) {
        constexpr std::size_t ahead = 8;  // a parser looks at a few at once; those behind the last are at the end
        marks_.reserve(text.size() + slack + ahead);
        if (eights::possible()) kinds_.reserve(text.size() + slack + ahead);
        std::uint32_t* to = find(text, marks_.data(), kinds_.data());
        for (std::size_t k = 0; k < ahead; ++k) *to++ = static_cast<std::uint32_t>(text.size());
        marks_.written_to(to);
    }

    const std::uint32_t* begin() const { return marks_.data(); }
    // The first mark at or behind p, which is not before the mark given.
    const std::uint32_t* from(const char* p, const std::uint32_t* mark) const {
        while (text_ + *mark < p) ++mark;
        return mark;
    }
    // Reads digits:[-]digits[.digits] at p, with at most 8 digits a part, as read_number would; `mark` is the first at
    // or behind p, and then the one behind the entry. Returns where the entry stops, or nullptr where it is of another
    // kind; what stands there is for the caller to see. Its kind is guessed from the last by the processor, not
    // computed: so many entries are under way at once.
    [[gnu::always_inline]] const char* usual_entry(const char* p, const std::uint32_t*& mark, std::uint64_t& index,
                                                   double& value) const {
        const char* colon = text_ + mark[0];
        const auto places = static_cast<std::size_t>(colon - p);
        if (*colon != ':' || places - 1 >= 8 || p - text_ < 8) return nullptr;
        index = Digits::before(colon, places);
        if (colon[1] == '-') {
            const char* stop = magnitude(colon + 2, mark + 2, mark, value);
            if (stop != nullptr) value = -value;
            return stop;
        }
        return magnitude(colon + 1, mark + 1, mark, value);
    }
    // Reads digits:digits.digits at p, with at most 8 digits a part and one blank between entries, as many as come up
    // to the end of the line, as usual_entry would: eight at a time, where the processor can. Returns how many, and
    // moves p and `mark` behind the last; `shift` is added to an index before it is masked.
    [[gnu::always_inline]] std::size_t usual_entries(const char*& p, const std::uint32_t*& mark, std::uint64_t shift,
                                                     std::uint64_t mask, std::int32_t* index, double* value) const {
        if (kinds_.data() == nullptr) return 0;
        const char* kind = kinds_.data() + (mark - marks_.data());
        std::uint64_t coming;
        std::memcpy(&coming, kind, sizeof coming);
        if (coming != three_entries || p - text_ < 8) return 0;
        const std::size_t count = eights::read(text_, mark, kind, shift, mask, index, value);
        if (count == 0) return 0;
        mark += 3 * count - 1;
        p = text_ + *mark;
        return count;
    }

  private:
    static constexpr std::uint64_t three_entries = 0x2E3A202E3A202E3Aull;  // :. :. :. (on a little-endian machine)
    [[gnu::always_inline]] const char* magnitude(const char* first, const std::uint32_t* next,
                                                 const std::uint32_t*& mark, double& value) const {
        static constexpr double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
        const char* point = text_ + next[0];
        const auto places = static_cast<std::size_t>(point - first);
        if (places > 7) return nullptr;
        std::uint64_t mantissa = places == 1 ? static_cast<std::uint64_t>(*first - '0') : Digits::before(point, places);
        if (*point != '.') {
            if (places == 0) return nullptr;
            value = static_cast<double>(static_cast<std::int64_t>(mantissa));
            mark = next;
            return point;
        }
        const char* stop = text_ + next[1];
        const auto decimals = static_cast<std::size_t>(stop - point) - 1;
        if (decimals > 8 || places + decimals == 0) return nullptr;
        mantissa = mantissa * Digits::powers[decimals] + Digits::before(stop, decimals);
        value = static_cast<double>(static_cast<std::int64_t>(mantissa)) / powers[decimals];
        mark = next + 1;
        return stop;
    }
    // Writes the places, and the characters there where they are wanted, and returns where the places end; may write
    // `slack` more.
    static std::uint32_t* find(std::string_view text, std::uint32_t* to, char* kinds);
    static constexpr std::size_t slack = 64;

    const char* text_;
    Buffer<std::uint32_t> marks_;
    Buffer<char> kinds_;  // the character at each mark, where eight entries can be read at a time
};

}  // namespace littlestone::readers
