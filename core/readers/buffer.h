// A growable array that leaves new room unset: parsers write each value once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace littlestone::readers {

template <class Value>
class Buffer {
    static_assert(std::is_trivially_copyable_v<Value>);

  public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Buffer() { std::free(data_); }

    Value* data() { return data_; }
    const Value* data() const { return data_; }
    std::size_t size() const { return size_; }
    Value& operator[](std::size_t i) { return data_[i]; }
    const Value& operator[](std::size_t i) const { return data_[i]; }

    // Room for `more` values behind those there are.
    void reserve(std::size_t more) {
        if (capacity_ - size_ < more) grow(std::max(size_ + more, 2 * capacity_));
    }
    void push(Value value) {
        if (size_ == capacity_) grow(std::max<std::size_t>(64, 2 * capacity_));
        data_[size_++] = value;
    }
    // Only after reserve.
    void push_reserved(Value value) { data_[size_++] = value; }
    void truncate(std::size_t size) { size_ = std::min(size, size_); }

  private:
    void grow(std::size_t capacity) {
        auto* data = static_cast<Value*>(std::realloc(data_, capacity * sizeof(Value)));
        if (data == nullptr) throw std::bad_alloc();
        data_ = data;
        capacity_ = capacity;
    }
    void swap(Buffer& other) {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

    Value* data_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace littlestone::readers
