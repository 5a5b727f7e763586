// Decimal numbers, correctly rounded, and fast where they are short.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace littlestone::readers {

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// nan, inf and infinity, in any case and with or without a sign: words for what no value may be.
inline bool is_odd_number(std::string_view word) {
    if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.remove_prefix(1);
    const auto same = [&](std::string_view other) {
        if (word.size() != other.size()) return false;
        for (std::size_t k = 0; k < word.size(); ++k)
            if ((word[k] | 0x20) != other[k]) return false;
        return true;
    };
    return same("nan") || same("inf") || same("infinity");
}

// What is expected in its place where a feature that is missing is one that is not written.
constexpr const char* finite_or_left_out = "a finite value; one that is missing is left out of the line";

// The digits among the next eight characters, without a branch, for how many there are is anybody's guess.
struct Digits {
    std::uint64_t value;
    std::uint64_t scale;  // ten to the power of their count
    std::size_t count;

    static constexpr std::uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

    static Digits at(const char* p) {
        std::uint64_t block;
        std::memcpy(&block, p, sizeof block);
        if constexpr (std::endian::native == std::endian::big) block = __builtin_bswap64(block);
        const std::uint64_t digits = block ^ 0x3030303030303030ull;
        const std::uint64_t others = ((digits + 0x7676767676767676ull) | digits) & 0x8080808080808080ull;
        const auto count = static_cast<std::size_t>(std::countr_zero(others)) / 8;
        // What is no digit is shifted out, in two steps because a shift by 64 has no meaning; zeros come in front.
        const std::size_t shift = 32 - 4 * count;
        return {eight(digits << shift << shift), powers[count], count};
    }

    // The number that the last `count` of the eight characters before `end` make, which are digits.
    static std::uint64_t before(const char* end, std::size_t count) {
        static constexpr std::uint64_t masks[] = {0ull,
                                                  0x0F00000000000000ull,
                                                  0x0F0F000000000000ull,
                                                  0x0F0F0F0000000000ull,
                                                  0x0F0F0F0F00000000ull,
                                                  0x0F0F0F0F0F000000ull,
                                                  0x0F0F0F0F0F0F0000ull,
                                                  0x0F0F0F0F0F0F0F00ull,
                                                  0x0F0F0F0F0F0F0F0Full};
        std::uint64_t block;
        std::memcpy(&block, end - sizeof block, sizeof block);
        if constexpr (std::endian::native == std::endian::big) block = __builtin_bswap64(block);
        return eight(block & masks[count]);
    }

  private:
    // The number that eight digits make, the first of them in the lowest byte: pairs, then fours, then the eight.
    static std::uint64_t eight(std::uint64_t digits) {
        const std::uint64_t pairs = digits * 10 + (digits >> 8);
        return static_cast<std::uint32_t>(((pairs & 0x000000FF000000FFull) * 0x000F424000000064ull +
                                           ((pairs >> 16) & 0x000000FF000000FFull) * 0x0000271000000001ull) >>
                                          32);
    }
};

// Appends the digits at p to a whole number (which wraps around) and returns where they stop; *end is no digit.
inline const char* read_digits(const char* p, const char* end, std::uint64_t& value) {
    while (end - p >= 8) {
        const Digits digits = Digits::at(p);
        value = value * digits.scale + digits.value;
        p += digits.count;
        if (digits.count < 8) return p;
    }
    while (is_digit(*p)) value = value * 10 + static_cast<std::uint64_t>(*p++ - '0');
    return p;
}

// The same for the digits behind a point, of which there are usually some but fewer than 16.
inline const char* read_decimals(const char* p, const char* end, std::uint64_t& value) {
    if (end - p < 16) return read_digits(p, end, value);
    const Digits first = Digits::at(p);
    Digits second = Digits::at(p + 8);
    if (first.count < 8) second = {0, 1, 0};
    value = (value * first.scale + first.value) * second.scale + second.value;
    p += first.count + second.count;
    return second.count < 8 ? p : read_digits(p, end, value);
}

// A number taken apart: digits without their point, times a power of ten.
struct Decimal {
    const char* first;  // digit
    const char* point;  // or where it would be
    const char* behind;
    std::uint64_t mantissa;  // wraps around where there are more than 19 digits
    std::ptrdiff_t digits;
    long exponent;  // as written
};

// The double nearest to a decimal that ends at `stop`, whatever its length.
double exactly(const Decimal& decimal, const char* stop);

// The exponent behind an e, or 0 where none is well formed; p moves behind it.
long read_exponent(const char*& p);

// Reads [+-] digits [. digits] [e [+-] digits] with at least one digit from the text between p and end, where *end can
// be read and is no digit. Returns where the number stops, or nullptr where there is none. Whatever overflows becomes
// infinite and whatever underflows zero; "inf" and "nan" are no numbers.
[[gnu::always_inline]] inline const char* read_number(const char* p, const char* end, double& out) {
    static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const bool negative = *p == '-';
    if (*p == '-' || *p == '+') ++p;
    Decimal decimal{p, p, p, 0, 0, 0};
    // Most numbers have one digit before the point, and no more are worth a detour.
    while (is_digit(*p)) decimal.mantissa = decimal.mantissa * 10 + static_cast<std::uint64_t>(*p++ - '0');
    decimal.point = p;
    decimal.digits = p - decimal.first;
    std::ptrdiff_t decimals = 0;
    if (*p == '.' && p < end) {
        p = read_decimals(p + 1, end, decimal.mantissa);
        decimals = p - decimal.point - 1;
        decimal.digits += decimals;
    }
    if (decimal.digits == 0) return nullptr;
    decimal.behind = p;
    if ((*p == 'e' || *p == 'E') && p < end) decimal.exponent = read_exponent(p);
    const long power = decimal.exponent - static_cast<long>(decimals);
    // Clinger's case: both the digits and the power of ten are doubles, so one operation rounds once.
    double magnitude;
    if (decimal.digits <= 19 && decimal.mantissa <= (1ull << 53) && power >= -22 && power <= 22) {
        const auto whole = static_cast<double>(static_cast<std::int64_t>(decimal.mantissa));
        magnitude = power <= 0 ? whole / powers[-power] : whole * powers[power];
    } else {
        magnitude = exactly(decimal, p);
    }
    out = negative ? -magnitude : magnitude;
    return p;
}

}  // namespace littlestone::readers
