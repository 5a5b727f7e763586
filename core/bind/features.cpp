#include "features.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace littlestone::bind {
namespace {

std::string words(PyObject* object) { return nb::cast<std::string>(nb::repr(nb::handle(object))); }

// The value of an int that is its own hash; -1 (which no int hashes to) for every other object.
long long small_int(PyObject* key) {
    if (!PyLong_CheckExact(key)) return -1;
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(key, &overflow);
    return overflow == 0 && value >= 0 && value < (1ll << 60) ? value : -1;
}

struct Hash {
    Py_hash_t value;
    bool small;  // of an int that is its own hash
};

// A str keeps its hash and a small int is its own; asking for it through the type costs more than the look-up itself.
Hash hash_of(PyObject* key) {
    if (PyUnicode_CheckExact(key)) {
        const Py_hash_t kept = reinterpret_cast<PyASCIIObject*>(key)->hash;
        if (kept != -1) return {kept, false};
    } else if (const long long value = small_int(key); value >= 0) {
        return {static_cast<Py_hash_t>(value), true};
    }
    const Py_hash_t hash = PyObject_Hash(key);
    if (hash == -1) throw nb::python_error();
    return {hash, false};
}

bool same_text(PyObject* a, PyObject* b) {
    return PyUnicode_GET_LENGTH(a) == PyUnicode_GET_LENGTH(b) && PyUnicode_KIND(a) == PyUnicode_KIND(b) &&
           std::memcmp(PyUnicode_DATA(a), PyUnicode_DATA(b),
                       static_cast<std::size_t>(PyUnicode_GET_LENGTH(a)) * PyUnicode_KIND(a)) == 0;
}

}  // namespace

bool same_name(PyObject* a, PyObject* b) {
    if (a == b) return true;
    if (PyUnicode_CheckExact(a) && PyUnicode_CheckExact(b)) return same_text(a, b);
    const int answer = PyObject_RichCompareBool(a, b, Py_EQ);
    if (answer < 0) throw nb::python_error();
    return answer == 1;
}

// Python's own hash of a str is another in every process; that of an int is not.
std::uint64_t lasting_hash(PyObject* name, Py_hash_t hash) {
    if (!PyUnicode_Check(name)) return static_cast<std::uint64_t>(hash);
    Py_ssize_t size = 0;
    if (const char* text = PyUnicode_AsUTF8AndSize(name, &size))
        return nonzeros::name_hash({text, static_cast<std::size_t>(size)});
    PyErr_Clear();  // half of a surrogate pair: the text as it is in memory
    return nonzeros::name_hash({static_cast<const char*>(PyUnicode_DATA(name)),
                                static_cast<std::size_t>(PyUnicode_GET_LENGTH(name)) * PyUnicode_KIND(name)});
}

bool Features::is_last(PyObject* x, const HeldBatch& into) const {
    if (&into != last_into_ || last_.empty() || !PyDict_CheckExact(x) ||
        static_cast<std::size_t>(PyDict_GET_SIZE(x)) != last_.size())
        return false;
    PyObject *key, *value;
    std::size_t k = 0;
    for (Py_ssize_t position = 0; PyDict_Next(x, &position, &key, &value); ++k)
        if (key != last_[k].key || value != last_[k].value) return false;
    return true;
}

void Features::remember(const std::vector<Entry>& entries, const HeldBatch& into) {
    last_into_ = &into;
    last_ = entries;
    for (const Entry& entry : last_) {
        Py_INCREF(entry.key);
        Py_INCREF(entry.value);
    }
}

void Features::forget() {
    // Taken out first: letting go of an object can run code that comes back here.
    std::vector<Entry> gone;
    gone.swap(last_);
    for (const Entry& entry : gone) {
        Py_DECREF(entry.key);
        Py_DECREF(entry.value);
    }
    gone.clear();
    if (last_.empty()) last_.swap(gone);  // keeps the room
}

namespace {

std::string where(std::size_t row, PyObject* key) { return "row " + std::to_string(row) + ": feature " + words(key); }

void check_name(PyObject* key, std::size_t row) {
    if (!PyUnicode_Check(key) && (!PyLong_Check(key) || PyBool_Check(key)))
        raise("InvalidData", where(row, key) + " is neither str nor int; names of features must be one of them");
}

double number_of(PyObject* value, std::size_t row, PyObject* key) {
    const double number = PyFloat_CheckExact(value) ? PyFloat_AS_DOUBLE(value) : PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        raise("InvalidData",
              where(row, key) + " has the value " + words(value) +
                  "; values must be numbers (for a category use one feature a value, such as 'colour=red': 1)");
    }
    if (!std::isfinite(number))
        raise("InvalidData", where(row, key) + " has the value " + words(value) + "; values must be finite");
    return number;
}

// None and nan of whatever type of float.
bool is_missing(PyObject* value) {
    if (value == Py_None) return true;
    if (PyLong_Check(value)) return false;
    const double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) PyErr_Clear();
    return std::isnan(number);
}

// Fills in the hash of an exact str or int beside a plain number; false for anything else, whose hash, equality or
// value may run Python code and change the dict under our hands.
bool hash_plain(Entry& entry) {
    if (!PyUnicode_CheckExact(entry.key) && !PyLong_CheckExact(entry.key)) return false;
    const Hash hash = hash_of(entry.key);
    entry.hash = hash.value;
    entry.small = hash.small;
    return PyFloat_Check(entry.value) || PyLong_Check(entry.value);
}

void list_entries(PyObject* dict, std::vector<Entry>& entries) {
    entries.clear();
    entries.reserve(static_cast<std::size_t>(PyDict_GET_SIZE(dict)));
    Entry entry{};
    for (Py_ssize_t position = 0; PyDict_Next(dict, &position, &entry.key, &entry.value);) {
        __builtin_prefetch(entry.key);
        __builtin_prefetch(entry.value);
        entries.push_back(entry);
    }
}

// Appends a row; true when nothing but the entries decides what it was encoded to.
bool append(HeldBatch& held, Features& features, std::vector<Entry>& entries, PyObject* x, std::size_t row, bool grow) {
    if (!PyDict_Check(x))
        raise("InvalidData", "row " + std::to_string(row) + ": got " + words(x) + "; expected a dict");
    list_entries(x, entries);
    // A look-up waits for memory at the name, at the slot and at the name in the slot; going through the row once for
    // each lets the waits overlap.
    bool complete = true;
    for (Entry& e : entries) {
        if (!hash_plain(e)) {
            complete = false;
            break;
        }
        features.prefetch_slot(e.hash);
    }
    nb::object copy;
    if (!complete) {
        copy = nb::steal(PyDict_Copy(x));
        list_entries(copy.ptr(), entries);
        for (Entry& e : entries) {
            check_name(e.key, row);
            const Hash hash = hash_of(e.key);
            e.hash = hash.value;
            e.small = hash.small;
        }
    }
    for (const Entry& e : entries) features.prefetch_name(e.hash);
    std::uint32_t missing = 0;
    for (const Entry& e : entries) {
        if (features.skips_missing() && is_missing(e.value)) {
            ++missing;
            continue;
        }
        const double number = number_of(e.value, row, e.key);
        std::int32_t feature = features.find(e.key, e.hash, e.small);
        if (feature < 0 && grow) feature = features.insert(e.key, e.hash, e.small);
        if (feature < 0) complete = false;
        if (number == 0.0) continue;
        // A feature that is not known is counted, as it would be were it learned (SparseRow::packed).
        if (feature >= 0)
            held.add_entry(feature, number);
        else if (features.size() > 0)
            held.add_entry(0, 0.0);
    }
    if (held.index.size() > std::numeric_limits<std::int32_t>::max())
        raise("InvalidData", "the batch has more than 2^31 - 1 entries; give it in parts");
    held.start.push_back(static_cast<std::int32_t>(held.index.size()));
    if (features.skips_missing()) held.batch.missing.push_back(missing);
    return complete;
}

// Runs `append_all` on an emptied batch; what is refused leaves no names behind.
template <class Append>
void fill(HeldBatch& held, Features& features, Append append_all) {
    const std::size_t before = features.size();
    held.start.assign(1, 0);
    held.index.clear();
    held.value.clear();
    held.batch.missing.clear();
    try {
        append_all();
        held.finish(features.size(), features.hashes().data());
    } catch (...) {
        features.truncate(before);
        throw;
    }
}

HeldBatch* encode(Features& features, nb::iterable dicts, bool grow) {
    auto held = std::make_unique<HeldBatch>();
    std::vector<Entry> entries;
    fill(*held, features, [&] {
        for (nb::handle x : dicts) append(*held, features, entries, x.ptr(), held->start.size() - 1, grow);
    });
    return held.release();
}

// The numbers of many names at once, -1 for those not seen before unless they are added.
nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> numbers(Features& features, nb::iterable names, bool grow) {
    std::vector<std::int64_t> out;
    const std::size_t before = features.size();
    try {
        for (nb::handle name : names) {
            check_name(name.ptr(), 0);
            const Hash hash = hash_of(name.ptr());
            std::int32_t feature = features.find(name.ptr(), hash.value, hash.small);
            if (feature < 0 && grow) feature = features.insert(name.ptr(), hash.value, hash.small);
            out.push_back(feature);
        }
    } catch (...) {
        features.truncate(before);
        throw;
    }
    return owned_array(std::move(out));
}

}  // namespace

void encode_row(Features& features, nb::handle x, bool grow, HeldBatch& into) {
    if (features.is_last(x.ptr(), into)) {
        into.batch.width = features.size();
        return;
    }
    features.forget();
    static thread_local std::vector<Entry> entries;
    bool complete = false;
    fill(into, features, [&] { complete = append(into, features, entries, x.ptr(), 0, grow); });
    if (complete) features.remember(entries, into);
}

void bind_features(nb::module_& m) {
    nb::class_<Features>(m, "Features", "Names of features and their numbers, in the order of first appearance.")
        .def(nb::init<bool>(), nb::kw_only(), nb::arg("skips_missing") = false)
        .def("__len__", &Features::size)
        .def(
            "names",
            [](const Features& features) {
                nb::list out;
                for (const nb::object& name : features.names()) out.append(name);
                return out;
            },
            nb::sig("def names(self) -> list[str | int]"))
        .def(
            "hashes", [](const Features& features) { return owned_array(std::vector(features.hashes())); },
            nb::sig("def hashes(self) -> NDArray[numpy.uint64]"), "A hash of each name, the same in every process.")
        .def("numbers", &numbers, nb::arg("names"), nb::arg("grow"),
             nb::sig(
                 "def numbers(self, names: collections.abc.Iterable[str | int], grow: bool) -> NDArray[numpy.int64]"),
             "The numbers of many names, -1 for a name not seen before unless it is added.")
        .def("truncate", &Features::truncate, nb::arg("size"), "Forgets the names from number `size` on.")
        .def("encode", &encode, nb::arg("dicts"), nb::arg("grow"),
             nb::sig("def encode(self, dicts: collections.abc.Iterable[dict[str | int, float]], grow: bool) -> Batch"),
             "A batch with a row a dict.")
        .def("encode_row", &encode_row, nb::arg("x"), nb::arg("grow"), nb::arg("into"),
             nb::sig("def encode_row(self, x: dict[str | int, float], grow: bool, into: Batch) -> None"),
             "Makes `into`, a batch of no one else, the batch of one row.");
}

}  // namespace littlestone::bind
