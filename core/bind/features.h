// Names of features and their numbers; rows given as dicts.
#pragma once

#include <limits>
#include <utility>

#include "bind.h"

namespace littlestone::bind {

bool same_name(PyObject* a, PyObject* b);
std::uint64_t lasting_hash(PyObject* name, Py_hash_t hash);

struct Entry {
    PyObject* key;
    PyObject* value;
    Py_hash_t hash;
    bool small;
};

// Names of features (str or int) and their numbers, in the order of first appearance. An open-addressing table whose
// slot holds hash, key and number together: one cache line a look-up, where a Python dict reads three.
class Features {
  public:
    explicit Features(bool skips_missing = false) : slots_(16), skips_missing_(skips_missing) {}
    Features(const Features&) = delete;
    Features& operator=(const Features&) = delete;
    ~Features() { forget(); }

    std::size_t size() const { return names_.size(); }
    // Whether None and nan stand for a feature that is not there.
    bool skips_missing() const { return skips_missing_; }
    const std::vector<nb::object>& names() const { return names_; }
    // A hash of each name that is the same in every process; of an int the int, as it is of a column.
    const std::vector<std::uint64_t>& hashes() const { return hashes_; }

    void prefetch_slot(Py_hash_t hash) const { __builtin_prefetch(&slots_[home(hash)]); }
    void prefetch_name(Py_hash_t hash) const { __builtin_prefetch(slots_[home(hash)].key); }

    // Small ints are their own hashes: two of them are equal when their hashes are, and their keys need not be read.
    std::int32_t find(PyObject* key, Py_hash_t hash, bool small) const {
        for (std::size_t at = home(hash);; at = next(at)) {
            const Slot& slot = slots_[at];
            if (slot.key == nullptr) return -1;
            if (slot.hash == hash && ((small && slot.small) || same_name(slot.key, key))) return slot.number;
        }
    }

    std::int32_t insert(PyObject* key, Py_hash_t hash, bool small) {
        if (names_.size() >= std::numeric_limits<std::int32_t>::max())
            raise("InvalidData", "a learner can name at most 2^31 - 1 features");
        if ((names_.size() + 1) * 2 > slots_.size()) rebuild(slots_.size() * 2);
        hashes_.reserve(names_.size() + 1);
        hashes_.push_back(lasting_hash(key, hash));
        names_.push_back(nb::borrow(key));
        place({hash, key, static_cast<std::int32_t>(names_.size()) - 1, small});
        return static_cast<std::int32_t>(names_.size()) - 1;
    }

    // Forgets the names from `size` on: a rejected call leaves no trace.
    void truncate(std::size_t size) {
        if (size >= names_.size()) return;
        std::vector<nb::object> forgotten(names_.begin() + static_cast<std::ptrdiff_t>(size), names_.end());
        names_.resize(size);
        hashes_.resize(size);
        rebuild(slots_.size());
        forget();
    }

    // Whether x is the row that was encoded last, into the same batch: predicting and then learning a row is the
    // protocol of online learning, and the second time nothing needs to be looked up. The references keep an entry's
    // address its own.
    bool is_last(PyObject* x, const HeldBatch& into) const;
    void remember(const std::vector<Entry>& entries, const HeldBatch& into);
    void forget();

  private:
    struct Slot {
        Py_hash_t hash = 0;
        PyObject* key = nullptr;
        std::int32_t number = 0;
        bool small = false;
    };

    std::size_t home(Py_hash_t hash) const {
        // Python hashes an int to itself; multiplying by an odd constant spreads runs of them.
        return (static_cast<std::size_t>(hash) * 0x9E3779B97F4A7C15ull >> 20) & (slots_.size() - 1);
    }
    std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }

    void place(const Slot& slot) {
        std::size_t at = home(slot.hash);
        while (slots_[at].key != nullptr) at = next(at);
        slots_[at] = slot;
    }
    // Takes the names that are still known to a table of another size.
    void rebuild(std::size_t size) {
        std::vector<Slot> old(size);
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.key != nullptr && static_cast<std::size_t>(slot.number) < names_.size()) place(slot);
    }

    std::vector<Slot> slots_;
    bool skips_missing_;
    std::vector<nb::object> names_;
    std::vector<std::uint64_t> hashes_;
    std::vector<Entry> last_;  // with a reference to each key and value
    const HeldBatch* last_into_ = nullptr;
};

// Makes `into` the batch of one row. With grow, names not seen before are added; without, they are left out, for their
// weight is the start value 0. A dict that is refused leaves no names behind.
void encode_row(Features& features, nb::handle x, bool grow, HeldBatch& into);

}  // namespace littlestone::bind
