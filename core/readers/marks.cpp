#include "marks.h"

#include <bit>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "../clones.h"

namespace littlestone::readers {
namespace {

// Of the 64 characters at p, a bit for each that is no digit.
inline __attribute__((always_inline)) std::uint64_t no_digits(const char* p) {
    std::uint64_t marked = 0;
#ifdef __SSE2__
    for (int k = 0; k < 4; ++k) {
        const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * k));
        const __m128i from_zero = _mm_sub_epi8(block, _mm_set1_epi8('0'));
        const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(from_zero, _mm_set1_epi8(9)), from_zero);
        marked |= static_cast<std::uint64_t>(_mm_movemask_epi8(digits)) << 16 * k;
    }
    return ~marked;
#else
    for (int k = 0; k < 64; ++k) marked |= static_cast<std::uint64_t>(!is_digit(p[k])) << k;
    return marked;
#endif
}

// The places of a block's characters that are marked, behind those of the blocks before.
LITTLESTONE_CLONES std::uint32_t* find_anywhere(const char* text, std::size_t size, std::uint32_t* to) {
    for (std::size_t at = 0; at < size; at += 64) {
        std::uint64_t marked = no_digits(text + at);
        std::uint32_t* const end = to + std::popcount(marked);
        // Eight at a time, whether there are so many or not: how many there are is anybody's guess.
        for (; marked != 0; to += 8)
            for (int k = 0; k < 8; ++k) {
                to[k] = static_cast<std::uint32_t>(at) + static_cast<std::uint32_t>(std::countr_zero(marked));
                marked &= marked - 1;
            }
        to = end;
    }
    return to;
}

}  // namespace

std::uint32_t* Marks::find(std::string_view text, std::uint32_t* to, char* kinds) {
    std::size_t at = text.size() / 64 * 64;
    std::uint32_t* const first = to;
    to = kinds == nullptr ? find_anywhere(text.data(), at, to) : eights::find(text.data(), at, to, kinds);
    for (; at < text.size(); ++at) {
        if (is_digit(text[at])) continue;
        if (kinds != nullptr) kinds[to - first] = text[at];
        *to++ = static_cast<std::uint32_t>(at);
    }
    return to;
}

}  // namespace littlestone::readers
