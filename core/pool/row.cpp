#include "row.h"

#include "../clones.h"

namespace littlestone::pool {
namespace {

LITTLESTONE_CLONES std::uint32_t largest(const std::uint32_t* of, std::size_t size) {
    std::uint32_t most = 0;
    for (std::size_t k = 0; k < size; ++k) most = most < of[k] ? of[k] : most;
    return most;
}

}  // namespace

void Row::fill_up() {
    last = largest(line.data(), size);
    for (std::size_t k = size; k < filled(size); ++k) line[k] = nowhere, x[k] = 1.0;
}

void Row::grow(std::size_t room) {
    x.resize(room);
    for (auto* of : {&f, &count, &level}) of->resize(room);
    line.resize(room);  // last: it tells how much room there is, and memory may be lacking for the others
}

}  // namespace littlestone::pool
