// Chunks as they are in memory, for texts that are read more than once: records of a length, a checksum and a payload.
#pragma once

#include <string>
#include <string_view>

#include "chunk.h"

namespace littlestone::readers {

std::string cache_record(const Chunk& chunk);

// What stands behind the last record: one without a payload. A cache that was cut off does not have it.
std::string cache_end();

// Where the last whole record ends; all of the text where a length makes no sense, for parse_cache to say so.
std::size_t whole_cache_records(std::string_view text);

// Reads records. That indices are in order is checked, for a file can be forged, and no loop may read outside its
// weights; all else is as good as the checksum says. A record that is not sound ends the work.
void parse_cache(std::string_view text, bool named, Chunk& chunk);

}  // namespace littlestone::readers
