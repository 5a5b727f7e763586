#include "features.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

namespace littlestone::bind {
namespace {

std::string words(PyObject* object) { return nb::cast<std::string>(nb::repr(nb::handle(object))); }

struct Hash {
    Py_hash_t value;
    bool small;  // of an int that is its own hash
};

// The hash of a str that was hashed before, and of a small int; asking for it through the type costs more than the
// look-up itself.
std::optional<Hash> ready_hash(PyObject* name) {
    if (PyUnicode_CheckExact(name)) {
#ifdef Py_LIMITED_API
        const Py_hash_t kept = PyObject_Hash(name);
#else
        const Py_hash_t kept = reinterpret_cast<PyASCIIObject*>(name)->hash;
#endif
        return kept == -1 ? std::nullopt : std::optional<Hash>({kept, false});
    }
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(name, &overflow);
    if (overflow != 0) return std::nullopt;
    return Hash{static_cast<Py_hash_t>(value), true};
}

// Of a name that is exactly a str or an int. Python hashes long ints by their remainder, so that whoever likes can give
// many of them one hash; their digits are hashed instead.
Hash hash_of(PyObject* name) {
    if (const auto ready = ready_hash(name)) return *ready;
    const nb::object digits = PyLong_CheckExact(name) ? nb::steal(PyNumber_ToBase(name, 16)) : nb::object();
    if (PyLong_CheckExact(name) && !digits) throw nb::python_error();
    const Py_hash_t hash = PyObject_Hash(digits ? digits.ptr() : name);
    if (hash == -1) throw nb::python_error();
    return {hash, false};
}

bool same_text(PyObject* a, PyObject* b) {
#ifdef Py_LIMITED_API
    return PyUnicode_Compare(a, b) == 0;
#else
    return PyUnicode_GET_LENGTH(a) == PyUnicode_GET_LENGTH(b) && PyUnicode_KIND(a) == PyUnicode_KIND(b) &&
           std::memcmp(PyUnicode_DATA(a), PyUnicode_DATA(b),
                       static_cast<std::size_t>(PyUnicode_GET_LENGTH(a)) * PyUnicode_KIND(a)) == 0;
#endif
}

}  // namespace

// Neither a str nor an int of exactly that type runs code of the caller's to be compared.
bool same_name(PyObject* a, PyObject* b) {
    if (a == b) return true;
    if (PyUnicode_CheckExact(a) != PyUnicode_CheckExact(b)) return false;
    if (PyUnicode_CheckExact(a)) return same_text(a, b);
    const int answer = PyObject_RichCompareBool(a, b, Py_EQ);
    if (answer < 0) throw nb::python_error();
    return answer == 1;
}

// Python's own hash of a str is another in every process, and so is that of the digits of a long int.
std::uint64_t lasting_hash(PyObject* name, Py_hash_t hash, bool small) {
    if (small) return static_cast<std::uint64_t>(hash);
    const nb::object digits = PyLong_CheckExact(name) ? nb::steal(PyNumber_ToBase(name, 16)) : nb::object();
    if (PyLong_CheckExact(name) && !digits) throw nb::python_error();
    PyObject* text = digits ? digits.ptr() : name;
    Py_ssize_t size = 0;
    if (const char* written = PyUnicode_AsUTF8AndSize(text, &size))
        return nonzeros::name_hash({written, static_cast<std::size_t>(size)});
    PyErr_Clear();  // half of a surrogate pair
    const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass"));
    if (!bytes) throw nb::python_error();
    return nonzeros::name_hash({PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))});
}

Features::Features(bool skips_missing) : slots_(16), shift_(shift_of(16)), skips_missing_(skips_missing) {
    static const std::size_t secret = [] {
        std::random_device draw;
        return static_cast<std::size_t>(draw()) << 32 | draw() | 1;
    }();
    multiplier_ = secret;
}

void ReadRow::clear() {
    entries.clear();
    held.clear();
    plain = true;
}

bool Features::is_last(PyObject* x, const HeldBatch& into) const {
    if (&into != last_into_ || last_.empty() || !PyDict_CheckExact(x) ||
        static_cast<std::size_t>(PyDict_Size(x)) != last_.size())
        return false;
    PyObject *key, *value;
    std::size_t k = 0;
    for (Py_ssize_t position = 0; PyDict_Next(x, &position, &key, &value); ++k)
        if (key != last_[k].key || value != last_[k].value) return false;
    return true;
}

void Features::remember(const ReadRow& row, const HeldBatch& into) {
    last_into_ = &into;
    last_ = row.entries;
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

[[noreturn]] void refuse(const char* wrong, PyObject* value, std::size_t row, PyObject* key) {
    raise("InvalidData", where(row, key) + " has the value " + words(value) + "; " + wrong);
}

// The name as exactly a str or an int.
nb::object exact_name(PyObject* key, std::size_t row) {
    check_name(key, row);
    // That of int itself, which runs no code of the caller's.
    static const auto positive = reinterpret_cast<unaryfunc>(PyType_GetSlot(&PyLong_Type, Py_nb_positive));
    const nb::object name = nb::steal(PyUnicode_Check(key) ? PyUnicode_FromObject(key) : positive(key));
    if (!name) throw nb::python_error();
    return name;
}

// What is expected in the place of a value that is no number.
const char* unfit(PyObject* value) {
    if (value == Py_None) return "values must be numbers (missing=\"skip\" leaves out None)";
    if (PyDict_Check(value) || PyList_Check(value))
        return "values must be numbers (give each that is nested a name of its own, such as 'a.b': 1)";
    return "values must be numbers (ls.features.Columns makes features of words and categories)";
}

double number_of(PyObject* value, std::size_t row, PyObject* key, bool skips_missing) {
    if (skips_missing && value == Py_None) return std::numeric_limits<double>::quiet_NaN();
    const double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) {
        // Ctrl-C and a lack of memory are not about the value.
        if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError))
            throw nb::python_error();
        PyErr_Clear();
        refuse(unfit(value), value, row, key);
    }
    if (std::isnan(number) && !skips_missing)
        refuse("values must be finite (missing=\"skip\" leaves out nan)", value, row, key);
    if (std::isinf(number)) refuse("values must be finite", value, row, key);
    return number;
}

// Whether reading a number, or letting it go, runs no code of the caller's: a type of their own may have any.
bool is_plain(PyObject* value) {
    return PyFloat_CheckExact(value) || PyLong_CheckExact(value) || PyBool_Check(value) ||
           (PyFloat_Check(value) && !PyType_HasFeature(Py_TYPE(value), Py_TPFLAGS_HEAPTYPE));
}

// Fills in hash and number of an exact str or int beside a plain number; false for anything else, and for what is to be
// refused.
bool fill_plain(Entry& entry, bool skips_missing) {
    if (!PyUnicode_CheckExact(entry.key) && !PyLong_CheckExact(entry.key)) return false;
    const auto hash = ready_hash(entry.key);
    if (!hash && PyLong_CheckExact(entry.key)) return false;
    const Hash found = hash ? *hash : hash_of(entry.key);
    entry.hash = found.value;
    entry.small = found.small;
    if (entry.value == Py_None && skips_missing) {
        entry.number = std::numeric_limits<double>::quiet_NaN();
        return true;
    }
    if (!is_plain(entry.value)) return false;
    entry.number = PyFloat_Check(entry.value) ? PyFloat_AsDouble(entry.value) : PyLong_AsDouble(entry.value);
    if (entry.number == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        return false;
    }
    return std::isfinite(entry.number) || (skips_missing && std::isnan(entry.number));
}

void list_entries(PyObject* dict, std::vector<Entry>& entries) {
    entries.resize(static_cast<std::size_t>(PyDict_Size(dict)));
    std::size_t k = 0;
    for (Py_ssize_t position = 0;
         k < entries.size() && PyDict_Next(dict, &position, &entries[k].key, &entries[k].value); ++k) {
        __builtin_prefetch(entries[k].key);
        __builtin_prefetch(entries[k].value);
    }
    entries.resize(k);
}

// Holds every name and value before the first of them is asked anything, whatever becomes of the dict.
void read_with_care(PyObject* dict, std::size_t row, bool skips_missing, ReadRow& into) {
    into.clear();
    into.plain = false;
    list_entries(dict, into.entries);
    into.held.reserve(2 * into.entries.size());
    for (const Entry& e : into.entries) {
        into.held.push_back(nb::borrow(e.key));
        into.held.push_back(nb::borrow(e.value));
    }
    for (std::size_t k = 0; k < into.entries.size(); ++k) {
        Entry& e = into.entries[k];
        into.held[2 * k] = exact_name(e.key, row);
        e.key = into.held[2 * k].ptr();
        const Hash hash = hash_of(e.key);
        e.hash = hash.value;
        e.small = hash.small;
        e.number = number_of(e.value, row, e.key, skips_missing);
    }
}

// Two names of a dict that were equal only to themselves can be one name.
void check_once(const HeldBatch& held, std::size_t row) {
    std::vector<std::int32_t> sorted;
    for (std::size_t k = static_cast<std::size_t>(held.start.back()); k < held.index.size(); ++k)
        if (held.value[k] != 0.0) sorted.push_back(held.index[k]);
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        raise("InvalidData", "row " + std::to_string(row) + ": a feature is there twice; names must differ");
}

// Appends a row that was read; true when nothing but the entries decides what it was encoded to.
bool append(HeldBatch& held, Features& features, const ReadRow& read, std::size_t row, bool grow) {
    for (const Entry& e : read.entries) features.prefetch_name(e.hash);
    std::uint32_t missing = 0;
    std::int32_t end = 0;
    bool complete = read.plain;
    for (const Entry& e : read.entries) {
        if (std::isnan(e.number)) {
            ++missing;
            continue;
        }
        std::int32_t feature = features.find(e.key, e.hash, e.small);
        if (feature < 0 && grow) feature = features.insert(e.key, e.hash, e.small);
        if (feature < 0) complete = false;
        end = std::max(end, feature + 1);
        if (e.number == 0.0) continue;
        // A feature that is not known is counted, as it would be were it learned (SparseRow::packed).
        if (feature >= 0)
            held.add_entry(feature, e.number);
        else if (features.size() > 0)
            held.add_entry(0, 0.0);
    }
    if (!read.plain) check_once(held, row);
    if (held.index.size() > std::numeric_limits<std::int32_t>::max())
        raise("InvalidData", "the batch has more than 2^31 - 1 entries; give it in parts");
    held.end_row(end);
    if (features.skips_missing()) held.batch.missing.push_back(missing);
    return complete;
}

// Runs `append_all` on an emptied batch; what is refused leaves no names behind.
template <class Append>
void fill(HeldBatch& held, Features& features, Append append_all) {
    const std::size_t before = features.size();
    held.start.assign(1, 0);
    held.index.clear();
    held.named.clear();
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
    ReadRow read;
    fill(*held, features, [&] {
        for (nb::handle x : dicts) {
            const std::size_t row = held->start.size() - 1;
            read_row(features, x, row, read);
            append(*held, features, read, row, grow);
        }
    });
    return held.release();
}

// What a row of columns has, its numbers for names: a 0 is not there, as in a sparse row.
template <class Row>
void read_columns(const Row& x, ReadRow& into) {
    into.clear();
    x.each([&](std::size_t column, double number) {
        into.held.push_back(nb::int_(column));
        PyObject* const name = into.held.back().ptr();
        into.entries.push_back({name, nullptr, static_cast<Py_hash_t>(column), true, number});
    });
}

// Rows of columns by number with names for them, so that some of the columns can go.
HeldBatch* encode_columns(Features& features, HeldBatch& columns, bool grow) {
    check_until(columns.batch, columns.batch.count);
    auto held = std::make_unique<HeldBatch>();
    ReadRow read;
    fill(*held, features, [&] {
        std::visit(
            [&](const auto& rows) {
                auto cursor = rows.cursor();
                for (std::size_t t = 0; t < columns.batch.count; ++t) {
                    read_columns(cursor[t], read);
                    append(*held, features, read, t, grow);
                }
            },
            columns.batch.rows);
    });
    if (!columns.batch.missing.empty()) held->batch.missing = columns.batch.missing;
    return held.release();
}

// The numbers of many names at once, -1 for those not seen before unless they are added.
nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> numbers(Features& features, nb::iterable names, bool grow) {
    std::vector<std::int64_t> out;
    const std::size_t before = features.size();
    try {
        for (nb::handle name : names) {
            const nb::object exact = exact_name(name.ptr(), 0);
            const Hash hash = hash_of(exact.ptr());
            std::int32_t feature = features.find(exact.ptr(), hash.value, hash.small);
            if (feature < 0 && grow) feature = features.insert(exact.ptr(), hash.value, hash.small);
            out.push_back(feature);
        }
    } catch (...) {
        features.truncate(before);
        throw;
    }
    return owned_array(std::move(out));
}

}  // namespace

void read_row(const Features& features, nb::handle x, std::size_t row, ReadRow& into) {
    if (!PyDict_Check(x.ptr()))
        raise("InvalidData", "row " + std::to_string(row) + ": got " + words(x.ptr()) + "; expected a dict");
    into.clear();
    list_entries(x.ptr(), into.entries);
    // A look-up waits for memory at the name, at the slot and at the name in the slot; going through the row once for
    // each lets the waits overlap.
    for (Entry& e : into.entries) {
        if (!fill_plain(e, features.skips_missing())) {
            read_with_care(x.ptr(), row, features.skips_missing(), into);
            return;
        }
        features.prefetch_slot(e.hash);
    }
}

void place_row(Features& features, const ReadRow& row, bool grow, HeldBatch& into) {
    features.forget();
    bool complete = false;
    fill(into, features, [&] { complete = append(into, features, row, 0, grow); });
    if (complete) features.remember(row, into);
}

void encode_row(Features& features, nb::handle x, bool grow, HeldBatch& into) {
    if (features.is_last(x.ptr(), into)) {
        into.batch.width = features.size();
        return;
    }
    ReadRow row = features.lend();
    read_row(features, x, 0, row);
    place_row(features, row, grow, into);
    features.give_back(std::move(row));
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
        .def_prop_ro(
            "numbered",
            [](const Features& features) {
                return features.size() == 0 || nb::isinstance<nb::int_>(features.names()[0]);
            },
            "Whether the first name is the number of a column, or there is none yet.")
        .def("truncate", &Features::truncate, nb::arg("size"), "Forgets the names from number `size` on.")
        .def_prop_ro("longest_search", &Features::longest_search,
                     "How many slots the longest look-up of a name visits.")
        .def("encode", &encode, nb::arg("dicts"), nb::arg("grow"),
             nb::sig("def encode(self, dicts: collections.abc.Iterable[dict[str | int, float]], grow: bool) -> Batch"),
             "A batch with a row a dict.")
        .def("encode_columns", &encode_columns, nb::arg("columns"), nb::arg("grow"),
             "The rows of a batch of columns by number, with the numbers for names; a 0 is not there.")
        .def("encode_row", &encode_row, nb::arg("x"), nb::arg("grow"), nb::arg("into"),
             nb::sig("def encode_row(self, x: dict[str | int, float], grow: bool, into: Batch) -> None"),
             "Makes `into`, a batch of no one else, the batch of one row.");
}

}  // namespace littlestone::bind
