// Memory that is refused at a chosen moment: preloaded, it refuses the allocation of C++ that is `count` from now.
#include <cstdlib>
#include <new>

namespace {
long left = -1;  // -1: nothing is refused

void* taken(void* found) {
    if (!found) throw std::bad_alloc();
    return found;
}

bool refused() { return left >= 0 && left-- == 0; }
}  // namespace

extern "C" void refuse_after(long count) { left = count; }

void* operator new(std::size_t size) { return taken(refused() ? nullptr : std::malloc(size ? size : 1)); }
void* operator new(std::size_t size, std::align_val_t by) {
    const auto align = static_cast<std::size_t>(by);
    return taken(refused() ? nullptr : std::aligned_alloc(align, (size + align - 1) / align * align));
}
void operator delete(void* of) noexcept { std::free(of); }
void operator delete(void* of, std::size_t) noexcept { std::free(of); }
void operator delete(void* of, std::align_val_t) noexcept { std::free(of); }
void operator delete(void* of, std::size_t, std::align_val_t) noexcept { std::free(of); }
