// Where a text has anything but a digit, found sixteen characters at a time. With the ends of numbers known beforehand,
// a parser need not wait for one number to end before it begins the next.
#pragma once

#include <cstdint>
#include <string_view>

#include "buffer.h"
#include "number.h"

namespace littlestone::readers {

class Marks {
  public:
    explicit Marks(std::string_view text) : text_(text.data()) {
        constexpr std::size_t ahead = 8;  // a parser looks at a few at once; those behind the last are at the end
        marks_.reserve(text.size() + slack + ahead);
        std::uint32_t* to = find(text, marks_.data());
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

  private:
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
    // Writes the places and returns where they end; may write `slack` more.
    static std::uint32_t* find(std::string_view text, std::uint32_t* to);
    static constexpr std::size_t slack = 64;

    const char* text_;
    Buffer<std::uint32_t> marks_;
};

}  // namespace littlestone::readers
