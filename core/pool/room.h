// Room before it is needed: a round that has begun takes no memory, so that a lack of it cannot cut one in two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace littlestone::pool {

// Between what two threads write: a cache line that both had a part of would go to and fro.
struct Apart {
    unsigned char nothing[128] = {};
};

// Room for so many; what is there stays as it is, or, without memory, all stays as it was.
template <class Of>
void make_room(std::vector<Of>& of, std::size_t size) {
    if (size > of.capacity()) of.reserve(std::max(size, 2 * of.capacity()));
}

}  // namespace littlestone::pool
