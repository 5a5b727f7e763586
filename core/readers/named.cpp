#include "readers.h"

namespace littlestone::readers {

void NamedFeatures::write(std::uint64_t hash, std::string_view name, double value) {
    const std::int32_t index = hasher_.bits ? hasher_.index(hash) : chunk_.names.number(name);
    if (hasher_.bits && hasher_.names) chunk_.note_name(index, name);
    chunk_.add(index, value);
}

void NamedFeatures::category(std::string_view name, std::string_view value) {
    if (hasher_.bits && !hasher_.names) return write(hashed(value, hash(name), hasher_.hashing), name, 1.0);
    joined_.assign(name);
    joined_ += '=';
    joined_ += value;
    write(hasher_.bits ? hashed(value, hash(name), hasher_.hashing) : 0, joined_, 1.0);
}

Problem NamedFeatures::end_row(double label, double weight) {
    if (hasher_.constant) write(constant_feature, "constant", 1.0);
    if (hasher_.bits) return chunk_.end_row(label, weight, true);
    chunk_.end_named_row(label, weight);
    return {};
}

}  // namespace littlestone::readers
