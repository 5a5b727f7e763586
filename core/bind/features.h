// Names of features and their numbers; rows given as dicts.
#pragma once

#include <bit>
#include <limits>
#include <utility>

#include "bind.h"

namespace littlestone::bind {

// A name (str or int, exactly: no code of a subclass) and the number beside it. Small ints are their own hashes.
struct Entry {
    PyObject* key;
    PyObject* value;
    Py_hash_t hash;
    bool small;
    double number;  // nan where the value is missing and skipped
};

// The entries of a row, read. Reading may run code of the caller's, which may change the row, or come back to the
// learner; placing what was read runs none.
struct ReadRow {
    std::vector<Entry> entries;
    std::vector<nb::object> held;  // names and values, where code was run
    bool plain = true;             // nothing but numbers, so that equal addresses mean equal entries

    void clear();
};

bool same_name(PyObject* a, PyObject* b);
std::uint64_t lasting_hash(PyObject* name, Py_hash_t hash, bool small);

// Names of features (str or int) and their numbers, in the order of first appearance. An open-addressing table whose
// slot holds hash, key and number together: one cache line a look-up, where a Python dict reads three.
class Features {
  public:
    explicit Features(bool skips_missing = false);
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
        const std::uint64_t lasting = lasting_hash(key, hash, small);
        if (names_.size() == names_.capacity()) make_room(2 * names_.size() + 16);
        names_.push_back(nb::borrow(key));
        hashes_.push_back(lasting);
        homes_.push_back(hash);
        place({hash, key, static_cast<std::int32_t>(names_.size()) - 1, small});
        return static_cast<std::int32_t>(names_.size()) - 1;
    }

    // How many slots the longest look-up of a name visits.
    std::size_t longest_search() const {
        std::size_t longest = 0;
        for (std::size_t at = 0; at < slots_.size(); ++at)
            if (slots_[at].key != nullptr)
                longest = std::max(longest, ((at - home(slots_[at].hash)) & (slots_.size() - 1)) + 1);
        return longest;
    }

    // Forgets the names from `size` on: a rejected call leaves no trace. It takes no memory, so that it cannot fail.
    void truncate(std::size_t size) {
        if (size >= names_.size()) return;
        forget();
        while (names_.size() > size) {
            erase(slot_of(names_.size() - 1));
            names_.pop_back();
            hashes_.pop_back();
            homes_.pop_back();
        }
    }

    // Whether x is the row that was encoded last, into the same batch: predicting and then learning a row is the
    // protocol of online learning, and the second time nothing needs to be looked up. The references keep an entry's
    // address its own.
    bool is_last(PyObject* x, const HeldBatch& into) const;
    void remember(const ReadRow& row, const HeldBatch& into);
    void forget();

    // Room for the entries of a row, to be given back: whoever comes in between makes room of their own.
    ReadRow lend() {
        ReadRow row;
        std::swap(row, spare_);
        return row;
    }
    void give_back(ReadRow&& row) {
        row.clear();
        spare_ = std::move(row);
    }

  private:
    struct Slot {
        Py_hash_t hash = 0;
        PyObject* key = nullptr;
        std::int32_t number = 0;
        bool small = false;
    };

    // Python hashes an int to itself. The high bits of a product with an odd number that only this process knows spread
    // ints that were chosen to collide. One product leaves equal steps equal, and with one such number in a thousand a
    // run of ints was searched for in thousands of slots: both halves are folded and multiplied twice.
    std::size_t home(Py_hash_t hash) const { return folded(folded(static_cast<std::size_t>(hash))) >> shift_; }
    std::size_t folded(std::size_t bits) const { return (bits ^ bits >> 32) * multiplier_; }
    std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }

    void place(const Slot& slot) {
        std::size_t at = home(slot.hash);
        while (slots_[at].key != nullptr) at = next(at);
        slots_[at] = slot;
    }
    // All or none of it, so that the three grow together.
    void make_room(std::size_t size) {
        homes_.reserve(size);
        hashes_.reserve(size);
        names_.reserve(size);
    }
    // Takes the names to a table of another size.
    void rebuild(std::size_t size) {
        std::vector<Slot> old(size);
        old.swap(slots_);
        shift_ = shift_of(size);
        for (const Slot& slot : old)
            if (slot.key != nullptr) place(slot);
    }
    std::size_t slot_of(std::size_t number) const {
        std::size_t at = home(homes_[number]);
        while (static_cast<std::size_t>(slots_[at].number) != number || slots_[at].key == nullptr) at = next(at);
        return at;
    }
    // Empties a slot; those behind it that its name had pushed on move up.
    void erase(std::size_t at) {
        for (std::size_t hole = at, seen = next(at);; seen = next(seen)) {
            const Slot& slot = slots_[seen];
            if (slot.key == nullptr) {
                slots_[hole] = Slot{};
                return;
            }
            const std::size_t mask = slots_.size() - 1, from = home(slot.hash);
            if (((seen - from) & mask) >= ((seen - hole) & mask)) {
                slots_[hole] = slot;
                hole = seen;
            }
        }
    }
    static int shift_of(std::size_t size) { return 64 - std::countr_zero(size); }

    std::vector<Slot> slots_;
    int shift_;
    std::size_t multiplier_;
    bool skips_missing_;
    std::vector<nb::object> names_;
    std::vector<std::uint64_t> hashes_;
    std::vector<Py_hash_t> homes_;  // the hashes of this process
    std::vector<Entry> last_;       // with a reference to each key and value
    const HeldBatch* last_into_ = nullptr;
    ReadRow spare_;
};

// Reads a dict. Code of the caller's may run.
void read_row(const Features& features, nb::handle x, std::size_t row, ReadRow& into);

// Makes `into` the batch of one row that was read. No code of the caller's runs.
void place_row(Features& features, const ReadRow& row, bool grow, HeldBatch& into);

// Reads a dict and places it. With grow, names not seen before are added; without, they are left out, for their
// weight is the start value 0. A dict that is refused leaves no names behind.
void encode_row(Features& features, nb::handle x, bool grow, HeldBatch& into);

}  // namespace littlestone::bind
