// A format bound to one file: where the last whole record of a text ends, and what a piece of whole records holds.
#pragma once

#include <functional>
#include <string_view>

#include "chunk.h"

namespace littlestone::readers {

struct Parser {
    std::function<void(std::string_view, Chunk&)> parse;
    std::function<std::size_t(std::string_view)> cut;  // 0 if no record ends
};

}  // namespace littlestone::readers
