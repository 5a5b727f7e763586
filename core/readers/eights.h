// Entries digits:digits.digits, eight at a time, on processors with AVX-512; on others nobody calls this.
#pragma once

#include <cstddef>
#include <cstdint>

namespace littlestone::readers::eights {

// Whether this processor can.
bool possible();

// Writes the places of all that is no digit, in a text whose size is a multiple of 64, and the characters there;
// returns where the places end. Both may be written 64 further.
std::uint32_t* find(const char* text, std::size_t size, std::uint32_t* to, char* kinds);

// Reads as many entries as come in a row before the end of the line, none of them 0, each with a blank or the line's
// end behind it and 1 to 8 digits a part (at most 7 before the point); returns how many. `mark` and `kinds` are at the
// first colon, and the mark before it stands before the first entry, 8 characters or more into the text. Indices are
// added to `shift` and masked. Marks and kinds are looked at up to 32 further.
std::size_t read(const char* text, const std::uint32_t* mark, const char* kinds, std::uint64_t shift,
                 std::uint64_t mask, std::int32_t* index, double* value);

}  // namespace littlestone::readers::eights
