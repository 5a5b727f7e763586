#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "../features/table.h"
#include "bind.h"

namespace littlestone::bind {

namespace {

using features::Cell;
using readers::Chunk;
using readers::Hasher;

// A table of features and the Python objects it reads.
struct HeldTable {
    features::Table table;
    std::size_t rows;
    std::vector<nb::object> kept;
};

bool is_missing(PyObject* value) {
    return value == Py_None || (PyFloat_Check(value) && PyFloat_AsDouble(value) != PyFloat_AsDouble(value));
}

[[noreturn]] void refuse(std::size_t row, const std::string& column, const std::string& got, const char* expected) {
    const std::string where = column.empty() ? "" : "column '" + column + "': ";
    raise("InvalidData", "row " + std::to_string(row) + ": " + where + got + "; expected " + expected);
}

std::string_view utf8(PyObject* text, std::size_t row, const std::string& column, const char* expected) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text, &size);
    if (data == nullptr) {
        PyErr_Clear();
        refuse(row, column, "the text holds half of a surrogate pair", expected);
    }
    return {data, static_cast<std::size_t>(size)};
}

// A number that is a category, as text. 3.0 is written as 3, which it is equal to: a column of whole numbers becomes
// one of floats when one of them is missing.
nb::object written(PyObject* number) {
    const bool whole = PyFloat_Check(number) && std::trunc(PyFloat_AsDouble(number)) == PyFloat_AsDouble(number);
    nb::object exact = nb::steal(whole && std::isfinite(PyFloat_AsDouble(number)) ? PyNumber_Long(number) : nullptr);
    nb::object text = nb::steal(PyObject_Str(exact ? exact.ptr() : number));
    if (!text) throw nb::python_error();
    return text;
}

std::vector<Cell> cells(HeldTable& held, const std::string& column, const nb::list& values, bool categories) {
    const char* expected = categories ? "a string, a whole number or a boolean" : "a string";
    // A tuple of the same objects: nobody can take one out while its text is read.
    const nb::tuple fixed = nb::steal<nb::tuple>(PyList_AsTuple(values.ptr()));
    if (!fixed.is_valid()) throw nb::python_error();
    if (nb::len(fixed) != held.rows) raise("InvalidData", "columns differ in length");
    held.kept.push_back(fixed);
    std::vector<Cell> out(held.rows);
    for (std::size_t t = 0; t < held.rows; ++t) {
        PyObject* value = PyTuple_GetItem(fixed.ptr(), static_cast<Py_ssize_t>(t));
        if (is_missing(value)) continue;
        if (categories && (PyLong_Check(value) || PyFloat_Check(value))) {
            held.kept.push_back(written(value));
            value = held.kept.back().ptr();
        }
        if (!PyUnicode_Check(value)) refuse(t, column, std::string("got a ") + nb::inst_name(value).c_str(), expected);
        out[t] = utf8(value, t, column, expected);
    }
    return out;
}

void add_text(HeldTable& held, const std::string& name, nb::list values, std::size_t words_least,
              std::size_t words_most, std::size_t characters_least, std::size_t characters_most, bool lowercase) {
    const features::Cut cut{{words_least, words_most}, {characters_least, characters_most}, lowercase};
    held.table.columns.push_back(features::Texts{name, cells(held, name, values, false), cut});
}

void add_numbers(HeldTable& held, const std::string& name, Vector<const double> values) {
    if (values.shape(0) != held.rows) raise("InvalidData", "columns differ in length");
    held.kept.push_back(nb::cast(values));
    held.table.columns.push_back(features::Numbers{name, values.data()});
}

void add_cross(HeldTable& held, std::vector<std::size_t> columns) {
    for (const std::size_t c : columns)
        if (c >= held.table.columns.size()) raise("InvalidParameter", "a product names a column that is not there");
    if (columns.size() < 2) raise("InvalidParameter", "a product needs two columns");
    held.table.crosses.push_back(std::move(columns));
}

// Makes the rows, some at a time without the GIL, and looks for Ctrl-C in between.
void make_rows(const HeldTable& held, features::RowMaker& maker, Chunk& chunk) {
    constexpr std::size_t slice = 1024;
    for (std::size_t from = 0; from < held.rows && chunk.malformed.empty(); from += slice) {
        {
            nb::gil_scoped_release release;
            for (std::size_t t = from; t < std::min(from + slice, held.rows) && chunk.malformed.empty(); ++t)
                if (const readers::Problem problem = maker.add_row(t)) {
                    chunk.drop_row();
                    chunk.malformed.push_back({t, problem.expected, std::string(problem.text)});
                }
        }
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
}

Chunk* chunk_of(const HeldTable& held, const Hasher& hasher) {
    auto chunk = std::make_unique<Chunk>();
    features::RowMaker maker(held.table, hasher, *chunk);
    make_rows(held, maker, *chunk);
    return chunk.release();
}

// The names of the features and their columns by hash.
nb::object columns_of(const HeldTable& held, const Hasher& hasher) {
    Chunk chunk;
    Hasher by_name = hasher;
    by_name.bits = std::nullopt;
    features::RowMaker maker(held.table, by_name, chunk);
    make_rows(held, maker, chunk);
    nb::list out;
    for (std::size_t k = 0; k < chunk.names.listed().size(); ++k)
        out.append(nb::make_tuple(nb::str(chunk.names.listed()[k]->c_str(), chunk.names.listed()[k]->size()),
                                  hasher.index(maker.hashes()[k])));
    return out;
}

}  // namespace

void bind_feature_rows(nb::module_& m) {
    nb::class_<HeldTable>(m, "FeatureTable", "Columns of numbers, categories and texts that become rows of features.")
        .def(
            "__init__",
            [](HeldTable* self, std::size_t rows, int norm, bool skips_missing) {
                if (norm < 0 || norm > 3) raise("InvalidParameter", "a norm must be between 0 and 3");
                new (self) HeldTable{{{}, {}, static_cast<features::Norm>(norm), skips_missing}, rows, {}};
            },
            nb::arg("rows"), nb::kw_only(), nb::arg("norm"), nb::arg("skips_missing"))
        .def("add_numbers", &add_numbers, nb::arg("name"), nb::arg("values").noconvert(),
             nb::sig("def add_numbers(self, name: str, values: NDArray[numpy.float64]) -> None"),
             "A column of numbers, nan where there is none.")
        .def(
            "add_categories",
            [](HeldTable& held, const std::string& name, nb::list values) {
                held.table.columns.push_back(features::Categories{name, cells(held, name, values, true)});
            },
            nb::arg("name"), nb::arg("values"),
            nb::sig("def add_categories(self, name: str, values: list[object]) -> None"),
            "A column of categories, None or nan where there is none.")
        .def("add_text", &add_text, nb::arg("name"), nb::arg("values"), nb::kw_only(), nb::arg("words_least"),
             nb::arg("words_most"), nb::arg("characters_least"), nb::arg("characters_most"), nb::arg("lowercase"),
             nb::sig("def add_text(self, name: str, values: list[object], *, words_least: int, words_most: int, "
                     "characters_least: int, characters_most: int, lowercase: bool) -> None"),
             "A column of texts: runs of so many words and characters; none where the most is 0.")
        .def("add_cross", &add_cross, nb::arg("columns"),
             nb::sig("def add_cross(self, columns: collections.abc.Sequence[int]) -> None"),
             "The products of the features of these columns.")
        .def("chunk", &chunk_of, nb::arg("hasher"), "The rows; at most one is malformed, and it is the last.")
        .def("columns", &columns_of, nb::arg("hasher"),
             nb::sig("def columns(self, hasher: Hasher) -> list[tuple[str, int]]"),
             "The name of every feature and its column by hash.");
}

}  // namespace littlestone::bind
