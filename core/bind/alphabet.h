// What Python knows of characters; asking it needs no lock.
#pragma once

#include "../features/text.h"

namespace littlestone::bind {

extern const features::Alphabet alphabet;

}  // namespace littlestone::bind
