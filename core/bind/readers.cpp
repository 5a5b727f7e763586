#include "../readers/readers.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "../checksum.h"
#include "../readers/cache.h"
#include "../readers/labels.h"
#include "../readers/pipeline.h"
#include "bind.h"

namespace littlestone::bind {
namespace {

using readers::Chunk;
using readers::Hasher;
using readers::Parser;
using readers::Pipeline;

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::string_view view(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.shape(0)}; }

// Any bytes as text: what is not UTF-8 is shown by its number.
nb::object text(const std::string& bytes) {
    return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "backslashreplace"));
}

// A view of a chunk's buffer that keeps the chunk alive.
template <class Value>
nb::object array(nb::handle_t<Chunk> self, const Buffer<Value>& buffer) {
    return nb::cast(nb::ndarray<nb::numpy, const Value, nb::ndim<1>>(buffer.data(), {buffer.size()}, self));
}

nb::list listed(const std::vector<readers::Word>& words) {
    nb::list out;
    for (const readers::Word& word : words) out.append(nb::make_tuple(word.row, text(word.text)));
    return out;
}

nb::list names(const Chunk& chunk) {
    nb::list out;
    for (const std::string* name : chunk.names.listed()) out.append(text(*name));
    return out;
}

nb::list malformed(const Chunk& chunk) {
    nb::list out;
    for (const readers::Malformed& line : chunk.malformed)
        out.append(nb::make_tuple(line.line, line.expected, text(line.text)));
    return out;
}

// The rows as a batch over the chunk's own arrays; the parser has checked and measured them.
HeldBatch* batch(nb::handle_t<Chunk> self, std::size_t width) {
    const Chunk& chunk = nb::cast<Chunk&>(self);
    if (width < chunk.width) raise("InvalidData", "the rows are wider than the batch");
    auto held = std::make_unique<HeldBatch>();
    Batch& made = held->batch;
    made.rows = SparseRows<double, std::int32_t>{
        chunk.start.data(), chunk.index.data(), chunk.value.data(), chunk.rows(), width, !chunk.stores_zero};
    made.count = made.checked = chunk.rows();
    made.width = width;
    made.norm_squared.append(chunk.norm_squared.data(), chunk.norm_squared.size());
    made.largest_entry.append(chunk.largest_entry.data(), chunk.largest_entry.size());
    made.missing.assign(chunk.missing.data(), chunk.missing.data() + chunk.missing.size());
    made.row_hash.append(chunk.row_hash.data(), chunk.row_hash.size());
    held->sources = {nb::ndarray<>(
        nb::ndarray<nb::numpy, const double, nb::ndim<1>>(chunk.value.data(), {chunk.value.size()}, self))};
    if (made.norm_squared.size() != made.count) raise("InvalidData", "the rows know their features by name");
    return held.release();
}

// The labels as outcomes of a rule of two.
HeldOutcomes* signs(const Chunk& chunk, double negative, double positive) {
    auto made = std::make_unique<std::vector<std::int8_t>>(
        readers::signs_of(chunk.label.data(), chunk.rows(), negative, positive));
    if (made->size() != chunk.rows()) raise("InvalidData", "a label is neither of the two");
    auto held = std::make_unique<HeldOutcomes>();
    held->outcomes = {Labels{made->data()}, made->size()};
    const nb::ndarray<const std::int8_t, nb::ndim<1>> kept(
        made->data(), {made->size()},
        nb::capsule(made.get(), [](void* p) noexcept { delete static_cast<std::vector<std::int8_t>*>(p); }));
    static_cast<void>(made.release());
    held->sources = {nb::ndarray<>(kept)};
    return held.release();
}

// Writes the entries of a row under their numbers; where two names have one number their values are added up. A zero is
// left out, and one in the place of a feature that has no number is counted like the feature (SparseRow::packed).
void place_row(const Chunk& chunk, std::size_t t, const std::int64_t* numbers, HeldBatch& held,
               std::vector<std::int32_t>& place) {
    const auto from = static_cast<std::int32_t>(held.index.size());
    std::int64_t end = 0;
    for (auto k = static_cast<std::size_t>(chunk.start[t]); k < static_cast<std::size_t>(chunk.start[t + 1]); ++k) {
        const std::int64_t number = numbers[chunk.index[k]];
        end = std::max(end, number + 1);
        if (chunk.value[k] == 0.0) continue;
        if (number < 0) {
            if (!place.empty()) held.add_entry(0, 0.0);
            continue;
        }
        std::int32_t& at = place[static_cast<std::size_t>(number)];
        if (at >= from) {
            held.value[static_cast<std::size_t>(at)] += chunk.value[k];
        } else {
            at = static_cast<std::int32_t>(held.index.size());
            held.add_entry(static_cast<std::int32_t>(number), chunk.value[k]);
        }
    }
    held.end_row(static_cast<std::int32_t>(end));
}

// The rows with the features that the chunk knows by name under the numbers of a learner, -1 for those it leaves out.
HeldBatch* renumbered(const Chunk& chunk, Vector<const std::int64_t> numbers, std::size_t width) {
    if (numbers.shape(0) != chunk.names.listed().size() || chunk.norm_squared.size() > 0)
        raise("InvalidData", "there must be one number for each name of the chunk");
    for (std::size_t k = 0; k < numbers.shape(0); ++k)
        if (numbers(k) >= static_cast<std::int64_t>(width)) raise("InvalidData", "a number is outside the batch");
    auto held = std::make_unique<HeldBatch>();
    held->start.push_back(0);
    std::vector<std::int32_t> place(width, -1);
    for (std::size_t t = 0; t < chunk.rows(); ++t) place_row(chunk, t, numbers.data(), *held, place);
    std::vector<std::uint64_t> names(width);
    for (std::size_t k = 0; k < numbers.shape(0); ++k)
        if (numbers(k) >= 0)
            names[static_cast<std::size_t>(numbers(k))] = nonzeros::name_hash(*chunk.names.listed()[k]);
    held->batch.missing.assign(chunk.missing.data(), chunk.missing.data() + chunk.missing.size());
    held->finish(width, names.data());
    return held.release();
}

void copy_row(const Chunk& chunk, std::size_t t, Chunk& to) {
    if (t >= chunk.rows()) raise("InvalidData", "there is no row " + std::to_string(t));
    const auto from = static_cast<std::size_t>(chunk.start[t]), end = static_cast<std::size_t>(chunk.start[t + 1]);
    const double weight = chunk.weight.size() > 0 ? chunk.weight[t] : 1.0;
    const bool named = chunk.norm_squared.size() != chunk.rows();
    to.begin_row(2 * (end - from));
    for (std::size_t k = from; k < end; ++k) {
        const auto index = static_cast<std::size_t>(chunk.index[k]);
        to.add(named ? to.names.number(*chunk.names.listed()[index]) : chunk.index[k], chunk.value[k]);
    }
    if (chunk.missing.size() > 0) to.note_missing(chunk.first_missing, chunk.missing[t]);
    if (named)
        to.end_named_row(chunk.label[t], weight);
    else
        to.end_row(chunk.label[t], weight, false);
}

// Some of the rows as a chunk of their own, in this order.
Chunk* chosen(const Chunk& chunk, const std::vector<std::size_t>& rows) {
    auto some = std::make_unique<Chunk>();
    for (const std::size_t t : rows) copy_row(chunk, t, *some);
    return some.release();
}

Hasher hasher(std::optional<int> bits, bool hash_all, bool constant, std::vector<std::string> interactions, bool names,
              bool indicates) {
    if (bits && (*bits < 1 || *bits > 30)) raise("InvalidParameter", "bits must be at least 1 and at most 30");
    return {bits,     hash_all ? readers::Hashing::all : readers::Hashing::strings,
            constant, std::move(interactions),
            names,    indicates};
}

const double* numbers_of(const std::optional<Vector<const double>>& values, std::size_t rows) {
    if (values && values->shape(0) != rows) raise("InvalidData", "columns differ in length");
    return values ? values->data() : nullptr;
}

Chunk* columns_chunk(
    std::vector<std::pair<std::string, Vector<const double>>> numbers,
    std::vector<std::tuple<std::string, Vector<const std::int32_t>, std::vector<std::string>>> categories,
    Vector<const double> labels, std::optional<Vector<const double>> weights, const Hasher& hasher, bool skips) {
    const std::size_t rows = labels.shape(0);
    std::vector<readers::NumberColumn> number_columns;
    for (const auto& [name, values] : numbers) number_columns.push_back({name, numbers_of(values, rows)});
    std::vector<readers::CategoryColumn> category_columns;
    for (auto& [name, codes, words] : categories) {
        if (codes.shape(0) != rows) raise("InvalidData", "columns differ in length");
        category_columns.push_back({name, codes.data(), std::move(words)});
    }
    const double* weight = numbers_of(weights, rows);
    auto chunk = std::make_unique<Chunk>();
    nb::gil_scoped_release release;
    parse_columns(rows, number_columns, category_columns, labels.data(), weight, hasher, skips, *chunk);
    return chunk.release();
}

Chunk* lists_chunk(Vector<const std::int32_t> start, Vector<const std::int64_t> index, Vector<const double> value,
                   Vector<const double> labels, std::optional<Vector<const double>> weights, const Hasher& hasher,
                   bool skips) {
    const std::size_t rows = labels.shape(0), entries = index.shape(0);
    if (start.shape(0) != rows + 1 || value.shape(0) != entries || start(0) < 0)
        raise("InvalidData", "offsets, features and values differ in length");
    for (std::size_t t = 0; t < rows; ++t)
        if (start(t + 1) < start(t) || static_cast<std::size_t>(start(t + 1)) > entries)
            raise("InvalidData", "the offsets of lists do not increase or point behind the data");
    const double* weight = numbers_of(weights, rows);
    auto chunk = std::make_unique<Chunk>();
    nb::gil_scoped_release release;
    parse_lists(rows, start.data(), index.data(), value.data(), labels.data(), weight, hasher, skips, *chunk);
    return chunk.release();
}

Chunk* parsed(const Bytes& bytes, const Parser& parser) {
    if (bytes.shape(0) > std::size_t{1} << 30) raise("InvalidData", "a piece of text is longer than 2^30 bytes");
    auto chunk = std::make_unique<Chunk>();
    {
        nb::gil_scoped_release release;
        parser.parse(view(bytes), *chunk);
    }
    return chunk.release();
}

Parser by_lines(std::function<void(std::string_view, Chunk&)> parse) {
    return {std::move(parse), [](std::string_view text) { return text.rfind('\n') + 1; }};
}

// A pipeline, and the process whose threads it has. A child of that process has a copy without the threads, which can
// be neither waited for nor destroyed: locks may be held by nobody.
struct HeldPipeline {
    std::unique_ptr<Pipeline> pipeline;
    const pid_t process = getpid();

    explicit HeldPipeline(std::unique_ptr<Pipeline> made) : pipeline(std::move(made)) {}
    ~HeldPipeline() {
        if (getpid() != process) static_cast<void>(pipeline.release());
    }
    void close() {
        if (getpid() == process) pipeline->close();
    }
};

// Waits without the interpreter, but looks now and then whether somebody has pressed Ctrl-C.
Chunk* next_chunk(HeldPipeline& held, const std::string& name) {
    Pipeline& pipeline = *held.pipeline;
    while (true) {
        Pipeline::Answer answer;
        {
            nb::gil_scoped_release release;
            answer = pipeline.next();
        }
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        switch (answer.state) {
            case Pipeline::State::ready:
                return answer.chunk.release();
            case Pipeline::State::ended:
                return nullptr;
            case Pipeline::State::failed:
                raise("InvalidData", (name + " cannot be read: " + std::strerror(answer.error)).c_str());
            case Pipeline::State::too_long:
                raise("InvalidData", (name + " has a line longer than " + std::to_string(pipeline.longest() >> 20) +
                                      " MB; is it a text file?")
                                         .c_str());
            case Pipeline::State::pending:
                break;
        }
    }
}

}  // namespace

void bind_readers(nb::module_& m) {
    nb::class_<Chunk>(m, "Chunk", "Rows read from a piece of text, their labels, and the lines that could not be read.")
        .def("__len__", &Chunk::rows)
        .def_ro("width", &Chunk::width, "One more than the largest index.")
        .def_ro("lines", &Chunk::lines, "How many lines were read.")
        .def_prop_ro(
            "start", [](nb::handle_t<Chunk> self) { return array(self, nb::cast<Chunk&>(self).start); },
            nb::for_getter(nb::sig("def start(self) -> NDArray[numpy.int32]")), "The offsets of the rows.")
        .def_prop_ro(
            "index", [](nb::handle_t<Chunk> self) { return array(self, nb::cast<Chunk&>(self).index); },
            nb::for_getter(nb::sig("def index(self) -> NDArray[numpy.int32]")), "The features of the rows.")
        .def_prop_ro(
            "value", [](nb::handle_t<Chunk> self) { return array(self, nb::cast<Chunk&>(self).value); },
            nb::for_getter(nb::sig("def value(self) -> NDArray[numpy.float64]")), "Their values.")
        .def_prop_ro(
            "label", [](nb::handle_t<Chunk> self) { return array(self, nb::cast<Chunk&>(self).label); },
            nb::for_getter(nb::sig("def label(self) -> NDArray[numpy.float64]")),
            "The labels that are numbers; nan where there is none or it is a word.")
        .def_prop_ro(
            "label_bytes",
            [](const Chunk& chunk) {
                return nb::bytes(chunk.label.data(), chunk.label.size() * sizeof(*chunk.label.data()));
            },
            nb::for_getter(nb::sig("def label_bytes(self) -> bytes")), "A copy of them, eight bytes each.")
        .def_prop_ro(
            "has_words", [](const Chunk& chunk) { return !chunk.words.empty(); },
            "Whether a label is a word, and no number.")
        .def_prop_ro(
            "unlabelled",
            [](const Chunk& chunk) {
                return std::any_of(chunk.label.data(), chunk.label.data() + chunk.label.size(),
                                   [](double label) { return std::isnan(label); });
            },
            "Whether a label is no number.")
        .def(
            "labels_unlike",
            [](const Chunk& chunk, std::vector<double> known, std::size_t most) {
                return readers::unlike(chunk.label.data(), chunk.rows(), std::move(known), most);
            },
            nb::arg("known"), nb::arg("most"),
            "The labels that are other numbers than these, in the order in which they come first, at most so many.")
        .def("signs", &signs, nb::arg("negative"), nb::arg("positive"),
             nb::sig("def signs(self, negative: float, positive: float) -> Outcomes"),
             "The labels as outcomes of a rule of two.")
        .def_prop_ro(
            "weighed", [](const Chunk& chunk) { return chunk.weight.size() > 0; },
            "Whether a row has another weight than 1.")
        .def_prop_ro(
            "weight", [](nb::handle_t<Chunk> self) { return array(self, nb::cast<Chunk&>(self).weight); },
            nb::for_getter(nb::sig("def weight(self) -> NDArray[numpy.float64]")),
            "The weights of the rows; empty if every one is 1.")
        .def_prop_ro(
            "missing", [](nb::handle_t<Chunk> self) { return array(self, nb::cast<Chunk&>(self).missing); },
            nb::for_getter(nb::sig("def missing(self) -> NDArray[numpy.uint32]")),
            "How many values of each row are not there; empty if every one is.")
        .def_prop_ro(
            "lacks", [](const Chunk& chunk) { return chunk.missing.size() > 0; }, "Whether a value is not there.")
        .def_prop_ro(
            "first_missing", [](const Chunk& chunk) { return text(chunk.first_missing); },
            nb::for_getter(nb::sig("def first_missing(self) -> str")), "What the first of them is called.")
        .def_prop_ro(
            "words", [](const Chunk& chunk) { return listed(chunk.words); },
            nb::for_getter(nb::sig("def words(self) -> list[tuple[int, str]]")),
            "Labels that are words, with their rows.")
        .def_prop_ro(
            "tags", [](const Chunk& chunk) { return listed(chunk.tags); },
            nb::for_getter(nb::sig("def tags(self) -> list[tuple[int, str]]")), "Tags, with their rows.")
        .def_prop_ro("names", &names, nb::for_getter(nb::sig("def names(self) -> list[str]")),
                     "The names of the features, where they are known by name.")
        .def_prop_ro(
            "hashed_names",
            [](const Chunk& chunk) {
                nb::dict out;
                for (const auto& [index, name] : chunk.hashed_names) out[nb::int_(index)] = text(name);
                return out;
            },
            nb::for_getter(nb::sig("def hashed_names(self) -> dict[int, str]")),
            "The names of hashed features by their column, where they were to be kept.")
        .def_prop_ro("malformed", &malformed,
                     nb::for_getter(nb::sig("def malformed(self) -> list[tuple[int, str, str]]")),
                     "The lines that could not be read: number from 0, what was expected, what was found.")
        .def_prop_ro(
            "named", [](const Chunk& chunk) { return chunk.norm_squared.size() != chunk.rows(); },
            "Whether the features are known by name.")
        .def_prop_ro(
            "ended", [](const Chunk& chunk) { return chunk.ended; }, "Whether the mark at the end of a cache was seen.")
        .def("batch", &batch, nb::arg("width"), nb::sig("def batch(self, width: int) -> Batch"),
             "The rows as a batch of this width, over the chunk's own arrays.")
        .def("chosen", &chosen, nb::arg("rows"), "Some of the rows as a chunk of their own, in this order.")
        .def("renumbered", &renumbered, nb::arg("numbers").noconvert(), nb::arg("width"),
             nb::sig("def renumbered(self, numbers: NDArray[numpy.int64], width: int) -> Batch"),
             "The rows as a batch with the named features under these numbers; -1 leaves one out.");

    m.def(
        "unlike",
        [](Vector<const double> values, std::vector<double> known, std::size_t most) {
            return readers::unlike(values.data(), values.shape(0), std::move(known), most);
        },
        nb::arg("values").noconvert(), nb::arg("known"), nb::arg("most"),
        nb::sig("def unlike(values: NDArray[numpy.float64], known: collections.abc.Sequence[float], most: int) -> "
                "list[float]"),
        "The values that are other numbers than these, in the order in which they come first, at most so many.");

    nb::class_<readers::Table>(m, "CsvTable", "The columns of a CSV file: what each is, and how fields are separated.")
        .def(
            "__init__",
            [](readers::Table* self, const std::string& separator, bool quotes, std::vector<std::string> names,
               const std::vector<int>& columns, std::vector<std::string> missing, nb::bytes header) {
                if (separator.size() != 1 || names.size() != columns.size())
                    raise("InvalidParameter", "a CSV table needs a separator of one character and a kind per column");
                new (self) readers::Table{separator[0],
                                          quotes,
                                          std::move(names),
                                          {},
                                          std::move(missing),
                                          std::string(header.c_str(), header.size()),
                                          {}};
                for (const int kind : columns) {
                    if (kind < 0 || kind > static_cast<int>(readers::Column::date))
                        raise("InvalidParameter", "a kind of column must be between 0 and 7");
                    self->columns.push_back(static_cast<readers::Column>(kind));
                }
            },
            nb::arg("separator"), nb::arg("quotes"), nb::arg("names"), nb::arg("columns"), nb::arg("missing"),
            nb::arg("header") = nb::bytes(""))
        .def(
            "settle", [](readers::Table& table, Bytes bytes) { settle_columns(view(bytes), table); }, nb::arg("text"),
            nb::sig("def settle(self, text: bytes | memoryview | NDArray[numpy.uint8]) -> None"),
            "Lets the first records of the text decide which columns hold numbers, dates and categories.")
        .def_ro("with_commas", &readers::Table::with_commas,
                "The columns of numbers that have a comma for their point.")
        .def_prop_ro(
            "kinds",
            [](const readers::Table& table) {
                std::vector<int> kinds;
                for (const readers::Column column : table.columns) kinds.push_back(static_cast<int>(column));
                return kinds;
            },
            "The kind of each column.")
        .def(
            "first_record",
            [](const readers::Table& table, Bytes bytes) {
                const auto [fields, end] = first_record(view(bytes), table);
                nb::list out;
                for (const std::string& field : fields) out.append(text(field));
                return nb::make_tuple(out, end);
            },
            nb::arg("text"),
            nb::sig("def first_record(self, text: bytes | memoryview | NDArray[numpy.uint8]) -> tuple[list[str], int]"),
            "The fields of the first record, and where it ends.");

    nb::class_<Hasher>(m, "Hasher", "How features become indices: by position or name, or hashed to so many bits.")
        .def(
            "__init__",
            [](Hasher* self, std::optional<int> bits, bool hash_all, bool constant,
               std::vector<std::string> interactions, bool names, bool indicates) {
                new (self) Hasher(hasher(bits, hash_all, constant, std::move(interactions), names, indicates));
            },
            nb::kw_only(), nb::arg("bits").none(), nb::arg("hash_all"), nb::arg("constant"),
            nb::arg("interactions") = std::vector<std::string>{}, nb::arg("names") = false,
            nb::arg("indicates") = false);

    nb::class_<Parser>(m, "Parser", "A format bound to one file.")
        .def(
            "parse", [](const Parser& parser, Bytes bytes) { return parsed(bytes, parser); }, nb::arg("text"),
            nb::sig("def parse(self, text: bytes | memoryview | NDArray[numpy.uint8]) -> Chunk"),
            "The rows of a piece of whole records.")
        .def(
            "cut", [](const Parser& parser, Bytes bytes) { return parser.cut(view(bytes)); }, nb::arg("text"),
            nb::sig("def cut(self, text: bytes | memoryview | NDArray[numpy.uint8]) -> int"),
            "Where the last whole record ends; 0 if none does.");
    m.def(
        "svmlight_parser",
        [](const Hasher& hasher, bool skips) {
            return by_lines([=](std::string_view t, Chunk& c) { parse_svmlight(t, hasher, skips, c); });
        },
        nb::arg("hasher"), nb::arg("skips"), "For lines `label index:value ...`.");
    m.def(
        "vowpal_parser",
        [](const Hasher& hasher, bool skips) {
            if (!hasher.bits) raise("InvalidParameter", "Vowpal Wabbit's format needs bits");
            return by_lines([=](std::string_view t, Chunk& c) { parse_vowpal(t, hasher, skips, c); });
        },
        nb::arg("hasher"), nb::arg("skips"), "For lines `label weight 'tag |namespace name:value ...`.");
    m.def(
        "csv_parser",
        [](const readers::Table& table, const Hasher& hasher, bool skips) {
            return Parser{[=](std::string_view t, Chunk& c) { parse_csv(t, table, hasher, skips, c); },
                          [=](std::string_view t) { return whole_records(t, table); }};
        },
        nb::arg("table"), nb::arg("hasher"), nb::arg("skips"), "For records of comma-separated values.");
    m.def(
        "json_parser",
        [](std::string label, std::string weight, std::vector<std::string> ignored, const Hasher& hasher, bool skips,
           const std::unordered_map<std::string, int>& held, std::vector<std::string> missing) {
            readers::Keys keys{std::move(label), std::move(weight), std::move(ignored), {}, std::move(missing)};
            for (const auto& [name, kind] : held) {
                if (kind < 0 || kind > static_cast<int>(readers::Column::date))
                    raise("InvalidParameter", "a kind of column must be between 0 and 7");
                keys.held[name] = static_cast<readers::Column>(kind);
            }
            return by_lines([=](std::string_view t, Chunk& c) { parse_json(t, keys, hasher, skips, c); });
        },
        nb::arg("label"), nb::arg("weight"), nb::arg("ignored"), nb::arg("hasher"), nb::arg("skips"),
        nb::arg("held") = std::unordered_map<std::string, int>{}, nb::arg("missing") = std::vector<std::string>{},
        "For an object per line.");
    m.def(
        "cache_parser",
        [](bool named) {
            return Parser{[=](std::string_view t, Chunk& c) { readers::parse_cache(t, named, c); },
                          readers::whole_cache_records};
        },
        nb::arg("named"), "For records of a cache.");
    m.def(
        "cache_record",
        [](const Chunk& chunk) {
            const std::string record = readers::cache_record(chunk);
            return nb::bytes(record.data(), record.size());
        },
        nb::arg("chunk"), "A chunk as it is kept in a cache.");
    m.def(
        "cache_end",
        [] {
            const std::string end = readers::cache_end();
            return nb::bytes(end.data(), end.size());
        },
        "What stands at the end of a cache.");
    nb::class_<HeldPipeline>(m, "Pipeline", "A file read and parsed by threads ahead of whoever asks for its chunks.")
        .def(
            "__init__",
            [](HeldPipeline* self, int descriptor, const Parser& parser, std::size_t chunk, std::size_t ahead,
               std::size_t record, unsigned workers) {
                new (self) HeldPipeline(
                    std::make_unique<Pipeline>(descriptor, parser, Pipeline::Limits{chunk, ahead, record, workers}));
            },
            nb::arg("descriptor"), nb::arg("parser"), nb::kw_only(), nb::arg("chunk"), nb::arg("ahead"),
            nb::arg("record"), nb::arg("workers"))
        .def("next", &next_chunk, nb::arg("name"), nb::rv_policy::take_ownership,
             nb::sig("def next(self, name: str) -> Chunk | None"),
             "The next chunk in the order of the file, or None at its end; the file is named where it cannot be read.")
        .def("close", &HeldPipeline::close, nb::call_guard<nb::gil_scoped_release>(), "Ends the threads.");
    m.def(
        "columns_chunk", &columns_chunk, nb::arg("numbers"), nb::arg("categories"), nb::arg("labels").noconvert(),
        nb::arg("weights").none(), nb::arg("hasher"), nb::arg("skips"),
        nb::sig("def columns_chunk(numbers: collections.abc.Sequence[tuple[str, NDArray[numpy.float64]]], categories: "
                "collections.abc.Sequence[tuple[str, NDArray[numpy.int32], list[str]]], labels: "
                "NDArray[numpy.float64], weights: NDArray[numpy.float64] | None, hasher: Hasher, skips: bool) -> "
                "Chunk"),
        "Rows of columns: numbers (nan for none) and categories by their numbers (-1 for none).");
    m.def("lists_chunk", &lists_chunk, nb::arg("start").noconvert(), nb::arg("index").noconvert(),
          nb::arg("value").noconvert(), nb::arg("labels").noconvert(), nb::arg("weights").none(), nb::arg("hasher"),
          nb::arg("skips"),
          nb::sig("def lists_chunk(start: NDArray[numpy.int32], index: NDArray[numpy.int64], value: "
                  "NDArray[numpy.float64], labels: NDArray[numpy.float64], weights: NDArray[numpy.float64] | None, "
                  "hasher: Hasher, skips: bool) -> Chunk"),
          "Rows in CSR form, of any order.");
    m.def(
        "feature_hash",
        [](nb::bytes name, std::uint64_t seed, bool hash_all) {
            const auto hashing = hash_all ? readers::Hashing::all : readers::Hashing::strings;
            return readers::hashed({name.c_str(), name.size()}, seed, hashing);
        },
        nb::arg("name"), nb::arg("seed") = 0, nb::arg("hash_all") = false,
        "The number of a name in Vowpal Wabbit's scheme, before it is cut to bits; the seed is the namespace's.");
    m.def(
        "checksum", [](Bytes bytes) { return Checksum::of(view(bytes)); }, nb::arg("data"),
        nb::sig("def checksum(data: NDArray[numpy.uint8]) -> int"), "XXH64 of the bytes.");
    m.def(
        "read_number",
        [](std::string text) -> std::optional<double> {
            double value = 0.0;
            const char* end = text.data() + text.size();
            if (readers::read_number(text.data(), end, value) != end) return std::nullopt;
            return value;
        },
        nb::arg("text"), "The number a text is, or None.");
}

}  // namespace littlestone::bind
