#include "eights.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(LITTLESTONE_PLAIN)
#include <immintrin.h>

#include <algorithm>
#include <bit>

#define LITTLESTONE_EIGHTS __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,popcnt")))

namespace littlestone::readers::eights {
namespace {

// Sixteen marks of a block that begins at `base`.
LITTLESTONE_EIGHTS inline void write(std::uint32_t* to, __m512i base, __m128i places) {
    _mm512_storeu_si512(to, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(places)));
}

// How many entries come in a row, at most eight; the last of a line is the last of them.
LITTLESTONE_EIGHTS inline unsigned entries_ahead(const char* kinds) {
    constexpr std::uint32_t eight = 0x00FFFFFF, stops = 0x00924924;  // bits of eight entries, and those of their ends
    const __m256i usual = _mm256_setr_epi8(':', '.', ' ', ':', '.', ' ', ':', '.', ' ', ':', '.', ' ', ':', '.', ' ',
                                           ':', '.', ' ', ':', '.', ' ', ':', '.', ' ', 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kinds));
    const std::uint32_t line_ends = _mm256_cmpeq_epi8_mask(block, _mm256_set1_epi8('\n')) & stops;
    const std::uint32_t alike = (_mm256_cmpeq_epi8_mask(block, usual) & eight) | line_ends;
    return static_cast<unsigned>(std::min(std::countr_one(alike), std::countr_zero(line_ends) + 1)) / 3;
}

// Every third of 32 marks.
LITTLESTONE_EIGHTS inline __m256i every_third(__m512i low, __m512i high, int first) {
    const __m512i places = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m512i chosen = _mm512_add_epi32(places, _mm512_set1_epi32(first));
    return _mm512_castsi512_si256(_mm512_permutex2var_epi32(low, chosen, high));
}

// One less than the characters between two marks.
LITTLESTONE_EIGHTS inline __m256i between(__m256i from, __m256i to) {
    return _mm256_sub_epi32(_mm256_sub_epi32(to, from), _mm256_set1_epi32(2));
}

// The numbers that `more` digits and one before each end make: pairs, then fours, then eights, as in Digits.
LITTLESTONE_EIGHTS inline __m512i digits(const char* text, __m256i ends, __m256i more, __mmask8 there) {
    const __m512i blocks = _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), there, ends, text - 8, 1);
    const __m256i others = _mm256_sub_epi32(_mm256_set1_epi32(56), _mm256_slli_epi32(more, 3));
    const __m512i kept = _mm512_sllv_epi64(_mm512_set1_epi8(0x0F), _mm512_cvtepi32_epi64(others));
    const __m512i pairs = _mm512_maddubs_epi16(_mm512_and_si512(blocks, kept), _mm512_set1_epi16(0x010A));
    const __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00010064));
    return _mm512_add_epi64(_mm512_mul_epu32(fours, _mm512_set1_epi64(10000)), _mm512_srli_epi64(fours, 32));
}

}  // namespace

bool possible() {
    static const bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                            __builtin_cpu_supports("avx512vbmi2");
    return can;
}

LITTLESTONE_EIGHTS std::uint32_t* find(const char* text, std::size_t size, std::uint32_t* to, char* kinds) {
    alignas(64) char counted[64];
    for (int k = 0; k < 64; ++k) counted[k] = static_cast<char>(k);
    const __m512i places = _mm512_load_si512(counted), zero = _mm512_set1_epi8('0'), nine = _mm512_set1_epi8(9);
    for (std::size_t at = 0; at < size; at += 64) {
        const __m512i block = _mm512_loadu_si512(text + at), base = _mm512_set1_epi32(static_cast<int>(at));
        const __mmask64 marked = _mm512_cmpgt_epu8_mask(_mm512_sub_epi8(block, zero), nine);
        const __m512i squeezed = _mm512_maskz_compress_epi8(marked, places);
        const int count = std::popcount(marked);
        write(to, base, _mm512_castsi512_si128(squeezed));
        if (count > 16) write(to + 16, base, _mm512_extracti32x4_epi32(squeezed, 1));
        if (count > 32) write(to + 32, base, _mm512_extracti32x4_epi32(squeezed, 2));
        if (count > 48) write(to + 48, base, _mm512_extracti32x4_epi32(squeezed, 3));
        _mm512_storeu_si512(kinds, _mm512_maskz_compress_epi8(marked, block));
        to += count;
        kinds += count;
    }
    return to;
}

LITTLESTONE_EIGHTS std::size_t read(const char* text, const std::uint32_t* mark, const char* kinds, std::uint64_t shift,
                                    std::uint64_t mask, std::int32_t* index, double* value) {
    const __m256i seven = _mm256_set1_epi32(7), eight = _mm256_set1_epi32(8);
    const __m512d powers = _mm512_setr_pd(1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8);
    const __m512i shifts = _mm512_set1_epi64(static_cast<long long>(shift));
    const __m512i masks = _mm512_set1_epi64(static_cast<long long>(mask));
    std::size_t done = 0;
    while (true) {
        const unsigned coming = entries_ahead(kinds + 3 * done);
        const __m512i low = _mm512_loadu_si512(mark + 3 * done - 1), high = _mm512_loadu_si512(mark + 3 * done + 15);
        const __m256i colon = every_third(low, high, 1), point = every_third(low, high, 2);
        const __m256i stop = every_third(low, high, 3);
        const __m256i in_name = between(every_third(low, high, 0), colon), in_whole = between(colon, point);
        const __m256i decimals = between(point, stop);
        const auto there =
            static_cast<__mmask8>(((1u << coming) - 1) & _mm256_cmplt_epu32_mask(in_name, eight) &
                                  _mm256_cmplt_epu32_mask(in_whole, seven) & _mm256_cmplt_epu32_mask(decimals, eight));
        if ((there & 1) == 0) return done;
        const __m512i names = _mm512_add_epi64(digits(text, colon, in_name, there), shifts);
        const __m512d whole = _mm512_cvtepu64_pd(digits(text, point, in_whole, there));
        const __m512d rest = _mm512_cvtepu64_pd(digits(text, stop, decimals, there));
        // Below 2^53, so that but the division rounds.
        const __m512d power = _mm512_permutexvar_pd(_mm512_cvtepi32_epi64(decimals), powers);
        const __m512d mantissa = _mm512_add_pd(_mm512_mul_pd(whole, power), rest);
        const __mmask8 usual = _mm512_mask_cmp_pd_mask(there, mantissa, _mm512_setzero_pd(), _CMP_NEQ_OQ);
        const int count = std::countr_one(usual);
        _mm256_mask_storeu_epi32(index + done, usual, _mm512_cvtepi64_epi32(_mm512_and_si512(names, masks)));
        _mm512_mask_storeu_pd(value + done, usual, _mm512_div_pd(mantissa, power));
        done += static_cast<std::size_t>(count);
        if (count < 8 || kinds[3 * done - 1] == '\n') return done;
    }
}

}  // namespace littlestone::readers::eights

#else

namespace littlestone::readers::eights {

bool possible() { return false; }
std::uint32_t* find(const char*, std::size_t, std::uint32_t* to, char*) { return to; }
std::size_t read(const char*, const std::uint32_t*, const char*, std::uint64_t, std::uint64_t, std::int32_t*, double*) {
    return 0;
}

}  // namespace littlestone::readers::eights

#endif
