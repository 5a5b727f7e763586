// The names of features as numbers, by the scheme of Vowpal Wabbit, so that a feature keeps its identity.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "number.h"

namespace littlestone::readers {

inline std::uint32_t murmur_mixed(std::uint32_t block) { return std::rotl(block * 0xCC9E2D51u, 15) * 0x1B873593u; }

inline std::uint32_t murmur_with(std::uint32_t h, std::uint32_t block) {
    return std::rotl(h ^ murmur_mixed(block), 13) * 5 + 0xE6546B64u;
}
inline std::uint32_t murmur_end(std::uint32_t h, std::size_t size) {
    h ^= static_cast<std::uint32_t>(size);
    h = (h ^ h >> 16) * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    return h ^ h >> 16;
}

// MurmurHash3, x86, 32 bits (Appleby, public domain). Blocks are read as little-endian numbers.
inline std::uint32_t murmur3(std::string_view text, std::uint32_t seed) {
    std::uint32_t h = seed;
    const char* p = text.data();
    std::size_t left = text.size();
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(p[i])); };
    for (; left >= 4; left -= 4, p += 4) {
        h = murmur_with(h, byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24);
    }
    if (left > 0) {
        std::uint32_t block = byte(0);
        if (left > 1) block |= byte(1) << 8;
        if (left > 2) block |= byte(2) << 16;
        h ^= murmur_mixed(block);
    }
    return murmur_end(h, text.size());
}

// The same of fewer than sixteen characters, where sixteen can be read: without a branch by their number, which is
// anybody's guess.
inline std::uint32_t murmur3_of_few(const char* p, std::size_t size, std::uint32_t seed) {
    if constexpr (std::endian::native != std::endian::little) return murmur3({p, size}, seed);
    std::uint32_t block[4], h = seed, rest;
    std::memcpy(block, p, sizeof block);
    for (std::uint32_t k = 0; k < 3; ++k) {
        const std::uint32_t there = -static_cast<std::uint32_t>(size >= 4 * (k + 1));  // all bits, or none
        h ^= (h ^ murmur_with(h, block[k])) & there;
    }
    std::memcpy(&rest, p + size / 4 * 4, sizeof rest);
    return murmur_end(h ^ murmur_mixed(rest & ((1u << 8 * (size % 4)) - 1)), size);
}

// --hash strings (the default) takes a name of digits as the number it is, counted from the namespace's hash;
// --hash all hashes every name.
enum class Hashing { strings, all };

inline std::uint64_t hashed(std::string_view name, std::uint64_t seed, Hashing hashing) {
    if (hashing == Hashing::strings) {
        while (!name.empty() && static_cast<unsigned char>(name.front()) <= 0x20) name.remove_prefix(1);
        while (!name.empty() && static_cast<unsigned char>(name.back()) <= 0x20) name.remove_suffix(1);
        std::uint64_t number = 0;
        std::size_t digits = 0;
        while (digits < name.size() && is_digit(name[digits]))
            number = 10 * number + static_cast<std::uint64_t>(name[digits++] - '0');
        if (digits == name.size()) return number + seed;
    }
    return murmur3(name, static_cast<std::uint32_t>(seed));
}

constexpr std::uint64_t constant_feature = 11650396;

}  // namespace littlestone::readers
