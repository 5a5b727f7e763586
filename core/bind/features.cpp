#include <nanobind/stl/string.h>

#include <cmath>

#include "bind.h"

namespace littlestone::bind {
namespace {

std::string words(PyObject* object) { return nb::cast<std::string>(nb::repr(nb::handle(object))); }

// Names of features (str or int) and their numbers, in the order of first appearance. An open-addressing table whose
// slot holds hash, key and number together: one cache line a look-up, where a Python dict reads three.
class Features {
  public:
    Features() : slots_(16) {}

    std::size_t size() const { return names_.size(); }
    const std::vector<nb::object>& names() const { return names_; }

    std::int32_t find(PyObject* key, Py_hash_t hash) const {
        for (std::size_t at = home(hash);; at = next(at)) {
            const Slot& slot = slots_[at];
            if (slot.key == nullptr) return -1;
            if (slot.key == key || (slot.hash == hash && equal(slot.key, key))) return slot.number;
        }
    }

    std::int32_t insert(PyObject* key, Py_hash_t hash) {
        if (names_.size() >= std::numeric_limits<std::int32_t>::max())
            raise("InvalidData", "a learner can name at most 2^31 - 1 features");
        if ((names_.size() + 1) * 2 > slots_.size()) rebuild(slots_.size() * 2);
        names_.push_back(nb::borrow(key));
        place(key, hash, static_cast<std::int32_t>(names_.size()) - 1);
        return static_cast<std::int32_t>(names_.size()) - 1;
    }

    // Forgets the names from `size` on: a rejected call leaves no trace.
    void truncate(std::size_t size) {
        if (size == names_.size()) return;
        names_.resize(size);
        rebuild(slots_.size());
    }

  private:
    struct Slot {
        Py_hash_t hash = 0;
        PyObject* key = nullptr;
        std::int32_t number = 0;
    };

    std::size_t home(Py_hash_t hash) const {
        // Python hashes an int to itself; multiplying by an odd constant spreads runs of them.
        return (static_cast<std::size_t>(hash) * 0x9E3779B97F4A7C15ull >> 20) & (slots_.size() - 1);
    }
    std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }

    static bool equal(PyObject* a, PyObject* b) {
        const int answer = PyObject_RichCompareBool(a, b, Py_EQ);
        if (answer < 0) throw nb::python_error();
        return answer == 1;
    }
    void place(PyObject* key, Py_hash_t hash, std::int32_t number) {
        std::size_t at = home(hash);
        while (slots_[at].key != nullptr) at = next(at);
        slots_[at] = {hash, key, number};
    }
    void rebuild(std::size_t size) {
        slots_.assign(size, Slot{});
        for (std::size_t i = 0; i < names_.size(); ++i)
            place(names_[i].ptr(), PyObject_Hash(names_[i].ptr()), static_cast<std::int32_t>(i));
    }

    std::vector<Slot> slots_;
    std::vector<nb::object> names_;
};

std::string where(std::size_t row, PyObject* key) { return "row " + std::to_string(row) + ": feature " + words(key); }

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

void append(HeldBatch& held, Features& features, PyObject* x, std::size_t row, bool grow) {
    if (!PyDict_Check(x))
        raise("InvalidData", "row " + std::to_string(row) + ": got " + words(x) + "; expected a dict");
    PyObject *key, *value;
    Py_ssize_t position = 0;
    while (PyDict_Next(x, &position, &key, &value)) {
        if (!PyUnicode_Check(key) && (!PyLong_Check(key) || PyBool_Check(key)))
            raise("InvalidData", where(row, key) + " is neither str nor int; names of features must be one of them");
        const double number = number_of(value, row, key);
        const Py_hash_t hash = PyObject_Hash(key);
        if (hash == -1) throw nb::python_error();
        std::int32_t feature = features.find(key, hash);
        if (feature < 0 && !grow) continue;
        if (feature < 0) feature = features.insert(key, hash);
        held.index.push_back(feature);
        held.value.push_back(number);
    }
    held.start.push_back(static_cast<std::int32_t>(held.index.size()));
}

void finish(HeldBatch& held, std::size_t width) {
    Batch& batch = held.batch;
    batch.count = held.start.size() - 1;
    batch.width = width;
    batch.rows =
        SparseRows<double, std::int32_t>{held.start.data(), held.index.data(), held.value.data(), batch.count, width};
    // Names are unique within a dict and values were checked; what is left is to measure the rows.
    batch.norm_squared.resize(batch.count);
    batch.largest_entry.resize(batch.count);
    const auto cursor = std::get<SparseRows<double, std::int32_t>>(batch.rows).cursor();
    for (std::size_t& t = batch.checked; t < batch.count; ++t) {
        batch.norm_squared[t] = cursor[t].norm_squared();
        batch.largest_entry[t] = cursor[t].largest_entry();
        if (!std::isfinite(batch.norm_squared[t])) raise_fault({Defect::too_large, t, 0, 0.0});
    }
}

// With grow, names not seen before are added; without, they are left out, for their weight is the start value 0.
HeldBatch* encode(Features& features, nb::iterable dicts, bool grow) {
    const std::size_t before = features.size();
    auto held = std::make_unique<HeldBatch>();
    held->start.push_back(0);
    try {
        for (nb::handle x : dicts) append(*held, features, x.ptr(), held->start.size() - 1, grow);
        finish(*held, features.size());
    } catch (...) {
        features.truncate(before);
        throw;
    }
    return held.release();
}

HeldBatch* encode_row(Features& features, nb::handle x, bool grow) {
    const std::size_t before = features.size();
    auto held = std::make_unique<HeldBatch>();
    held->start.reserve(2);
    held->start.push_back(0);
    try {
        if (PyDict_Check(x.ptr())) {
            held->index.reserve(static_cast<std::size_t>(PyDict_GET_SIZE(x.ptr())));
            held->value.reserve(static_cast<std::size_t>(PyDict_GET_SIZE(x.ptr())));
        }
        append(*held, features, x.ptr(), 0, grow);
        finish(*held, features.size());
    } catch (...) {
        features.truncate(before);
        throw;
    }
    return held.release();
}

// The numbers of many names at once, -1 for those not seen before unless they are added.
nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> numbers(Features& features, nb::iterable names, bool grow) {
    std::vector<std::int64_t> out;
    const std::size_t before = features.size();
    for (nb::handle name : names) {
        if (!PyUnicode_Check(name.ptr()) && (!PyLong_Check(name.ptr()) || PyBool_Check(name.ptr()))) {
            features.truncate(before);
            raise("InvalidData",
                  "feature " + words(name.ptr()) + " is neither str nor int; names of features must be one of them");
        }
        const Py_hash_t hash = PyObject_Hash(name.ptr());
        if (hash == -1) throw nb::python_error();
        std::int32_t feature = features.find(name.ptr(), hash);
        if (feature < 0 && grow) feature = features.insert(name.ptr(), hash);
        out.push_back(feature);
    }
    return owned_array(std::move(out));
}

}  // namespace

void bind_features(nb::module_& m) {
    nb::class_<Features>(m, "Features", "Names of features and their numbers, in the order of first appearance.")
        .def(nb::init<>())
        .def("__len__", &Features::size)
        .def(
            "names",
            [](const Features& features) {
                nb::list out;
                for (const nb::object& name : features.names()) out.append(name);
                return out;
            },
            nb::sig("def names(self) -> list[str | int]"))
        .def("numbers", &numbers, nb::arg("names"), nb::arg("grow"),
             nb::sig(
                 "def numbers(self, names: collections.abc.Iterable[str | int], grow: bool) -> NDArray[numpy.int64]"),
             "The numbers of many names, -1 for a name not seen before unless it is added.")
        .def("truncate", &Features::truncate, nb::arg("size"), "Forgets the names from number `size` on.")
        .def("encode", &encode, nb::arg("dicts"), nb::arg("grow"),
             nb::sig("def encode(self, dicts: collections.abc.Iterable[dict[str | int, float]], grow: bool) -> Batch"),
             "A batch with a row a dict.")
        .def("encode_row", &encode_row, nb::arg("x"), nb::arg("grow"),
             nb::sig("def encode_row(self, x: dict[str | int, float], grow: bool) -> Batch"), "A batch of one row.");
}

}  // namespace littlestone::bind
