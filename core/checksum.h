// A checksum for stored arrays: fast enough that a model is verified whole whenever it is loaded.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace littlestone {

// XXH64 (Collet, the published specification), seed 0. Each step is one-to-one in the word it takes in, so that a
// change confined to eight bytes is always seen; words are read as little-endian numbers.
class Checksum {
  public:
    static std::uint64_t of(std::string_view bytes) {
        const char* p = bytes.data();
        std::size_t left = bytes.size();
        std::uint64_t h = five;
        if (left >= 32) {
            std::uint64_t lane[4] = {one + two, two, 0, 0 - one};
            for (; left >= 32; left -= 32, p += 32)
                for (int k = 0; k < 4; ++k) lane[k] = taken(lane[k], word<std::uint64_t>(p + 8 * k));
            h = std::rotl(lane[0], 1) + std::rotl(lane[1], 7) + std::rotl(lane[2], 12) + std::rotl(lane[3], 18);
            for (const std::uint64_t of_lane : lane) h = (h ^ taken(0, of_lane)) * one + four;
        }
        h += bytes.size();
        for (; left >= 8; left -= 8, p += 8) h = std::rotl(h ^ taken(0, word<std::uint64_t>(p)), 27) * one + four;
        if (left >= 4) {
            h = std::rotl(h ^ word<std::uint32_t>(p) * one, 23) * two + three;
            left -= 4;
            p += 4;
        }
        for (; left > 0; --left, ++p) h = std::rotl(h ^ static_cast<unsigned char>(*p) * five, 11) * one;
        h = (h ^ h >> 33) * two;
        h = (h ^ h >> 29) * three;
        return h ^ h >> 32;
    }

  private:
    static constexpr std::uint64_t one = 0x9E3779B185EBCA87ull, two = 0xC2B2AE3D27D4EB4Full,
                                   three = 0x165667B19E3779F9ull, four = 0x85EBCA77C2B2AE63ull,
                                   five = 0x27D4EB2F165667C5ull;

    static std::uint64_t taken(std::uint64_t lane, std::uint64_t word) {
        return std::rotl(lane + word * two, 31) * one;
    }
    template <class Word>
    static std::uint64_t word(const char* p) {
        Word value;
        std::memcpy(&value, p, sizeof value);
        return value;
    }
};

}  // namespace littlestone
