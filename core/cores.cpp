#include "cores.h"

#include <thread>
#include <utility>
#if defined(__linux__)
#include <sched.h>
#endif

namespace littlestone {
namespace {

thread_local bool beside_others = false;

// A process may be held to fewer cores than the machine has.
unsigned cores() {
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return static_cast<unsigned>(CPU_COUNT(&allowed));
#endif
    return std::thread::hardware_concurrency();
}

}  // namespace

bool may_have_help() { return !beside_others && cores() > 1; }

bool works_beside_others(bool beside) { return std::exchange(beside_others, beside); }

}  // namespace littlestone
