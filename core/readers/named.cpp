#include "readers.h"

namespace littlestone::readers {

void NamedFeatures::write(std::uint64_t hash, std::string_view name, double value) {
    chunk_.add(hasher_.bits ? hasher_.index(hash) : chunk_.names.number(name), value);
}

void NamedFeatures::category(std::string_view name, std::string_view value) {
    if (hasher_.bits) return write(hashed(value, hash(name), hasher_.hashing), name, 1.0);
    joined_.assign(name);
    joined_ += '=';
    joined_ += value;
    write(0, joined_, 1.0);
}

Problem NamedFeatures::end_row(double label, double weight) {
    if (hasher_.constant) write(constant_feature, "constant", 1.0);
    if (hasher_.bits) return chunk_.end_row(label, weight, true);
    chunk_.end_named_row(label, weight);
    return {};
}

}  // namespace littlestone::readers
