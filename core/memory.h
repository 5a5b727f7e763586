// Asking for memory before it is read.
#pragma once

#include <cstddef>

#include "clones.h"

namespace littlestone {

// Asks for values in memory: who reads them first waits for it.
template <class Stored>
LITTLESTONE_INLINE void ask_for(const Stored* from, std::size_t count) {
    constexpr std::size_t line = 64;
    const char* at = reinterpret_cast<const char*>(from);
    for (const char* end = at + count * sizeof(Stored); at < end; at += line) __builtin_prefetch(at);
}

// The same for what stands four thousand bytes behind them: by itself it comes late, above all where another core has
// read it last.
template <class Stored>
LITTLESTONE_INLINE void ask_ahead(const Stored* from, std::size_t count) {
    ask_for(from + 4096 / sizeof(Stored), count);
}

}  // namespace littlestone
