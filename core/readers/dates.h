// Dates as features: 2026-11-16, with or without a time of day behind it.
#pragma once

#include <optional>
#include <string_view>

namespace littlestone::readers {

struct Date {
    int year, month, day;
    int hour = -1;  // where there is a time of day

    // Days since the first of March of the year 0 (H. Hinnant, "chrono-compatible low-level date algorithms", 2013):
    // a year that begins in March ends with the day that leap years add.
    int days() const {
        const int shifted = month <= 2 ? year - 1 : year, since_march = (month + 9) % 12;
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (153 * since_march + 2) / 5 + day - 1;
    }
    // From 0 for Monday.
    int weekday() const { return (days() + 2) % 7; }
    // Since the beginning of 2000: a number near 1, whatever the dates of a table.
    double years() const { return (days() - Date{2000, 1, 1}.days()) / 365.25; }
};

// What is expected where one is wanted.
constexpr const char* a_date = "a date such as 2026-11-16 or 2026-11-16 09:30";

// YYYY-MM-DD, then nothing, or a T or a space and HH:MM with anything behind it; nothing for any other text.
inline std::optional<Date> read_date(std::string_view text) {
    const auto digits = [&](std::size_t at, std::size_t count) {
        int value = 0;
        for (std::size_t k = at; k < at + count; ++k) {
            if (text[k] < '0' || text[k] > '9') return -1;
            value = 10 * value + (text[k] - '0');
        }
        return value;
    };
    if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
    Date date{digits(0, 4), digits(5, 2), digits(8, 2)};
    constexpr int longest[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (date.year < 1 || date.month < 1 || date.month > 12 || date.day < 1 || date.day > longest[date.month - 1])
        return std::nullopt;
    if (text.size() == 10) return date;
    if (text.size() < 16 || (text[10] != 'T' && text[10] != ' ') || text[13] != ':') return std::nullopt;
    date.hour = digits(11, 2);
    if (date.hour < 0 || date.hour > 23 || digits(14, 2) < 0 || digits(14, 2) > 59) return std::nullopt;
    return date;
}

}  // namespace littlestone::readers
