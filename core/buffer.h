// A growable array that leaves new room unset: parsers and checks write each value once.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

namespace littlestone {

struct MemoryBlock {
    void* data = nullptr;
    std::size_t size = 0;
};

// The memory of a few arrays that are gone, for those to come: chunk after chunk has the same size, and to get fresh
// pages from the system takes a fifth of the time it takes to parse into them.
class SpareMemory {
  public:
    using Block = MemoryBlock;

    // A block of at least this size, uninitialised.
    static Block take(std::size_t size) {
        {
            const std::lock_guard hold(lock_);
            for (Block& block : spare_)
                if (block.size >= size && block.size <= 4 * size) {
                    held_ -= block.size;
                    return std::exchange(block, Block{});
                }
        }
        void* data = std::malloc(size);
        if (data == nullptr) throw std::bad_alloc();
        return {data, size};
    }
    static void give(Block block) {
        constexpr std::size_t smallest = 1u << 16, most = 1u << 25;
        if (block.size >= smallest) {
            const std::lock_guard hold(lock_);
            for (Block& place : spare_)
                if (place.data == nullptr && held_ + block.size <= most) {
                    held_ += block.size;
                    place = block;
                    return;
                }
        }
        std::free(block.data);
    }

  private:
    static inline std::mutex lock_;
    static inline std::array<Block, 64> spare_;
    static inline std::size_t held_ = 0;
};

template <class Value>
class Buffer {
    static_assert(std::is_trivially_copyable_v<Value>);

  public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept : memory_(std::exchange(other.memory_, {})), size_(std::exchange(other.size_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Buffer() { forget(memory_); }

    // The same values, read where they are: whoever has them outlives the view.
    Buffer view() const {
        Buffer made;
        made.memory_.data = memory_.data;
        made.size_ = size_;
        return made;
    }

    Value* data() { return static_cast<Value*>(memory_.data); }
    const Value* data() const { return static_cast<const Value*>(memory_.data); }
    Value* end() { return data() + size_; }
    std::size_t size() const { return size_; }
    Value& operator[](std::size_t i) { return data()[i]; }
    const Value& operator[](std::size_t i) const { return data()[i]; }

    // Room for `more` values behind those there are.
    void reserve(std::size_t more) {
        if (capacity() - size_ < more) grow(std::max(size_ + more, 2 * capacity()));
    }
    void push(Value value) {
        if (size_ == capacity()) grow(std::max<std::size_t>(64, 2 * capacity()));
        data()[size_++] = value;
    }
    // Only after reserve: one value, or those that were written up to `end`.
    void push_reserved(Value value) { data()[size_++] = value; }
    void written_to(const Value* end) { size_ = static_cast<std::size_t>(end - data()); }
    void append(const Value* values, std::size_t count) {
        reserve(count);
        std::copy_n(values, count, end());
        size_ += count;
    }
    // So many values, of which those that are new are yet to be written.
    void resize(std::size_t size) {
        if (size > capacity()) grow(size);
        size_ = size;
    }
    void truncate(std::size_t size) { size_ = std::min(size, size_); }

  private:
    std::size_t capacity() const { return memory_.size / sizeof(Value); }
    void grow(std::size_t count) {
        const SpareMemory::Block larger = SpareMemory::take(count * sizeof(Value));
        std::copy_n(data(), size_, static_cast<Value*>(larger.data));
        forget(std::exchange(memory_, larger));
    }
    // A view has memory without a size.
    static void forget(SpareMemory::Block memory) {
        if (memory.size > 0) SpareMemory::give(memory);
    }

    SpareMemory::Block memory_;
    std::size_t size_ = 0;
};

}  // namespace littlestone
