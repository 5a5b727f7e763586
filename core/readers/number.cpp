#include "number.h"

#include <charconv>
#include <limits>

namespace littlestone::readers {

long read_exponent(const char*& p) {
    const char* at = p + 1;
    const bool negative = *at == '-';
    if (*at == '-' || *at == '+') ++at;
    if (!is_digit(*at)) return 0;
    long exponent = 0;
    for (; is_digit(*at); ++at)
        if (exponent < 100000000) exponent = exponent * 10 + (*at - '0');
    p = at;
    return negative ? -exponent : exponent;
}

double exactly(const Decimal& decimal, const char* stop) {
    double out = 0.0;
    if (std::from_chars(decimal.first, stop, out).ec != std::errc::result_out_of_range) return out;
    // Too large or too small: the place of the first digit that counts tells.
    const char* p = decimal.first;
    while (p < decimal.behind && (*p == '0' || *p == '.')) ++p;
    return decimal.exponent + (decimal.point - p) > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

}  // namespace littlestone::readers
