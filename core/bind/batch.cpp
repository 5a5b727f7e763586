#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cmath>

#include "../random.h"
#include "bind.h"

namespace littlestone::bind {
namespace {

using Matrix = nb::ndarray<nb::ndim<2>, nb::device::cpu, nb::ro>;
using AnyVector = nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu, nb::ro>;

std::string sentence(const Fault& fault) {
    const std::string where = "row " + std::to_string(fault.row) + ": ";
    const std::string feature = std::to_string(fault.feature);
    switch (fault.defect) {
        case Defect::not_finite: {
            const std::string got = std::isnan(fault.value) ? "nan" : (fault.value > 0 ? "inf" : "-inf");
            const char* hint = std::isnan(fault.value) ? " (missing=\"skip\" leaves out nan)" : "";
            return where + "value of feature " + feature + " is " + got + "; values must be finite" + hint;
        }
        case Defect::too_large:
            return where + "the sum of squares overflows; values must be below 1e150 in magnitude";
        case Defect::index_out_of_range:
            return where + "feature index " + feature +
                   " is outside the matrix; indices must be at least 0 and below its width";
        default:
            return where + "the row offsets are not increasing or point behind the data; expected a CSR indptr";
    }
}

template <class Value, class Index>
Rows sparse_rows(const AnyVector& start, const AnyVector& index, const AnyVector& value, std::size_t width) {
    SparseRows<Value, Index> rows{static_cast<const Index*>(start.data()), static_cast<const Index*>(index.data()),
                                  static_cast<const Value*>(value.data()), start.shape(0) - 1, width};
    rows.foreign = true;
    return rows;
}

template <class Index>
Rows sparse_rows_of(const AnyVector& start, const AnyVector& index, const AnyVector& value, std::size_t width) {
    if (value.dtype() == nb::dtype<float>()) return sparse_rows<float, Index>(start, index, value, width);
    if (value.dtype() == nb::dtype<double>()) return sparse_rows<double, Index>(start, index, value, width);
    raise("InvalidData", "sparse values have a wrong dtype; expected float32 or float64");
}

// A constant feature behind the others, 1 in every row.
void add_constant(Batch& batch) {
    std::visit([](auto& rows) { rows.layout.constant = true; }, batch.rows);
    batch.width += 1;
}

HeldBatch* sparse_batch(AnyVector start, AnyVector index, AnyVector value, std::size_t width, bool constant) {
    if (start.shape(0) == 0) raise("InvalidData", "a CSR indptr is empty; expected one offset more than rows");
    if (index.shape(0) != value.shape(0)) raise("InvalidData", "CSR indices and values differ in length");
    auto held = std::make_unique<HeldBatch>();
    if (start.dtype() != index.dtype()) raise("InvalidData", "CSR indptr and indices differ in dtype");
    if (index.dtype() == nb::dtype<std::int32_t>())
        held->batch.rows = sparse_rows_of<std::int32_t>(start, index, value, width);
    else if (index.dtype() == nb::dtype<std::int64_t>())
        held->batch.rows = sparse_rows_of<std::int64_t>(start, index, value, width);
    else
        raise("InvalidData", "CSR indices have a wrong dtype; expected int32 or int64");
    held->batch.count = start.shape(0) - 1;
    held->batch.width = width;
    held->sources = {nb::ndarray<>(start), nb::ndarray<>(index), nb::ndarray<>(value)};
    if (const auto fault = check_offsets(held->batch.rows, value.shape(0))) raise_fault(*fault);
    if (constant) add_constant(held->batch);
    return held.release();
}

template <class Value>
Rows dense_rows(const Matrix& matrix, const std::uint64_t* names) {
    const auto* data = static_cast<const Value*>(matrix.data());
    const std::size_t rows = matrix.shape(0), width = matrix.shape(1);
    if (matrix.stride(1) == 1 || width <= 1) return DenseRows<Value>{data, rows, width, matrix.stride(0), names};
    return StridedRows<Value>{data, rows, width, matrix.stride(0), matrix.stride(1), names};
}

HeldBatch* dense_batch(Matrix matrix, std::optional<Vector<const std::uint64_t>> names, bool constant) {
    auto held = std::make_unique<HeldBatch>();
    if (names && names->shape(0) != matrix.shape(1)) raise("InvalidData", "there must be one name per column");
    const std::uint64_t* hashes = names ? names->data() : nullptr;
    if (matrix.dtype() == nb::dtype<float>())
        held->batch.rows = dense_rows<float>(matrix, hashes);
    else if (matrix.dtype() == nb::dtype<double>())
        held->batch.rows = dense_rows<double>(matrix, hashes);
    else
        raise("InvalidData", "dense values have a wrong dtype; expected float32 or float64");
    held->batch.count = matrix.shape(0);
    held->batch.width = matrix.shape(1);
    held->sources = {nb::ndarray<>(matrix)};
    if (names) held->sources.push_back(nb::ndarray<>(*names));
    if (constant) add_constant(held->batch);
    return held.release();
}

// Rows that stand for objects: row t holds the number t alone, and only a kernel of the caller's can read it.
HeldBatch* object_batch(nb::list objects) {
    auto held = std::make_unique<HeldBatch>();
    for (std::size_t t = 0; t < nb::len(objects); ++t) held->value.push_back(static_cast<double>(t));
    held->batch.rows = DenseRows<double>{held->value.data(), held->value.size(), 1, 1};
    held->batch.count = held->value.size();
    held->batch.width = 1;
    held->objects = objects;
    held->batch.check(held->batch.count);
    // An object has no hash that outlives the process; its outcome and weight have.
    std::fill_n(held->batch.row_hash.data(), held->batch.count, 0);
    return held.release();
}

template <class Value>
auto copied(const Buffer<Value>& values) {
    return owned_array(std::vector<Value>(values.data(), values.data() + values.size()));
}

void check_all(HeldBatch& held) { check_until(held.batch, held.batch.count); }

void check_order(const Vector<const std::int64_t>& order, std::size_t count) {
    for (std::size_t t = 0; t < order.shape(0); ++t)
        if (order(t) < 0 || static_cast<std::size_t>(order(t)) >= count)
            raise("InvalidData", "row " + std::to_string(order(t)) + " is not in the batch");
}

// Where the rows of an order stand among those of which the batch itself is an order.
nb::ndarray<> in_origin(const Batch& batch, const Vector<const std::int64_t>& order) {
    std::vector<std::int64_t> places(order.shape(0));
    std::visit(
        [&](const auto& rows) {
            for (std::size_t t = 0; t < places.size(); ++t)
                places[t] = static_cast<std::int64_t>(rows.layout(static_cast<std::size_t>(order(t))));
        },
        batch.rows);
    return nb::ndarray<>(owned_array(std::move(places)));
}

HeldBatch* in_order(HeldBatch& held, Vector<const std::int64_t> order) {
    check_order(order, held.batch.count);
    check_all(held);
    const bool again = held.batch.origin != nullptr;
    if (!again) held.batch.own_indices();
    const nb::ndarray<> places = again ? in_origin(held.batch, order) : nb::ndarray<>(order);
    const Batch& from = again ? *held.batch.origin : held.batch;
    auto made = std::make_unique<HeldBatch>();
    made->batch = from.in_order(static_cast<const std::int64_t*>(places.data()), order.shape(0));
    made->sources = held.sources;
    made->sources.push_back(places);
    return made.release();
}

// One row of a batch, for rules written in Python.
struct HeldRow {
    nb::object owner;
    const Batch* batch;
    std::size_t t;

    template <class Use>
    auto with(Use use) const {
        return std::visit(
            [&](const auto& rows) {
                auto cursor = rows.cursor();
                return use(cursor[t]);
            },
            batch->rows);
    }
    void check_width(const Vector<double>& w) const {
        if (w.shape(0) < batch->width)
            raise("InvalidData", "the weights have length " + std::to_string(w.shape(0)) + "; the row needs at least " +
                                     std::to_string(batch->width));
    }
    double dot(Vector<double> w) const {
        check_width(w);
        return with([&](const auto& x) { return x.dot(w.data()); });
    }
    void add_to(Vector<double> w, double step) const {
        check_width(w);
        with([&](const auto& x) { x.add_to(w.data(), step); });
    }
    std::size_t extent() const {
        return with([](const auto& x) { return x.extent(); });
    }
    template <class Value, class Pick>
    nb::ndarray<nb::numpy, Value, nb::ndim<1>> list(Pick pick) const {
        std::vector<Value> values;
        with([&](const auto& x) { x.each([&](std::size_t i, double v) { values.push_back(pick(i, v)); }); });
        return owned_array(std::move(values));
    }
};

HeldRow row_of(nb::object owner, std::ptrdiff_t t) {
    Batch& batch = nb::cast<HeldBatch&>(owner).batch;
    if (t < 0 || static_cast<std::size_t>(t) >= batch.count)
        throw nb::index_error(("the batch has " + std::to_string(batch.count) + " rows").c_str());
    if (const auto fault = batch.check(static_cast<std::size_t>(t) + 1)) raise_fault(*fault);
    return {owner, &batch, static_cast<std::size_t>(t)};
}

// Some rows of a batch as the arrays (start, index, value) of a CSR matrix.
nb::tuple csr(HeldBatch& held, Vector<const std::int64_t> which) {
    std::vector<std::int64_t> start{0}, index;
    std::vector<double> value;
    check_all(held);
    for (std::size_t k = 0; k < which.shape(0); ++k) {
        if (which(k) < 0 || static_cast<std::size_t>(which(k)) >= held.batch.count)
            raise("InvalidData", "row " + std::to_string(which(k)) + " is not in the batch");
        const HeldRow row{nb::object(), &held.batch, static_cast<std::size_t>(which(k))};
        row.with([&](const auto& x) {
            x.each([&](std::size_t i, double v) {
                index.push_back(static_cast<std::int64_t>(i));
                value.push_back(v);
            });
        });
        start.push_back(static_cast<std::int64_t>(index.size()));
    }
    return nb::make_tuple(owned_array(std::move(start)), owned_array(std::move(index)), owned_array(std::move(value)));
}

HeldOutcomes* labels(Vector<const std::int8_t> sign) {
    for (std::size_t t = 0; t < sign.shape(0); ++t)
        if (sign(t) != 1 && sign(t) != -1)
            raise("InvalidData", "row " + std::to_string(t) + ": a sign must be -1 or +1");
    return new HeldOutcomes{{Labels{sign.data()}, sign.shape(0)}, {nb::ndarray<>(sign)}};
}

HeldOutcomes* targets(Vector<const double> value) {
    for (std::size_t t = 0; t < value.shape(0); ++t)
        if (!std::isfinite(value(t)))
            raise("InvalidData",
                  "row " + std::to_string(t) + ": the target is not finite; targets must be finite numbers");
    return new HeldOutcomes{{Targets{value.data()}, value.shape(0)}, {nb::ndarray<>(value)}};
}

HeldOutcomes* intervals(Vector<const double> low, Vector<const double> high, Vector<const std::uint8_t> low_open,
                        Vector<const std::uint8_t> high_open) {
    const IntervalEnds ends{low.data(), high.data(), low_open.data(), high_open.data()};
    const std::size_t count = low.shape(0);
    if (high.shape(0) != count || low_open.shape(0) != count || high_open.shape(0) != count)
        raise("InvalidData", "the ends of intervals differ in length");
    for (std::size_t t = 0; t < count; ++t)
        if (ends[t].empty())
            raise("InvalidData",
                  "row " + std::to_string(t) +
                      ": the interval is empty; expected low < high, or low = high with both ends closed");
    return new HeldOutcomes{
        {ends, count}, {nb::ndarray<>(low), nb::ndarray<>(high), nb::ndarray<>(low_open), nb::ndarray<>(high_open)}};
}

HeldOutcomes* one_label(int sign) {
    auto held = std::make_unique<HeldOutcomes>();
    held->sign = sign > 0 ? 1 : -1;
    held->outcomes = {Labels{&held->sign}, 1};
    return held.release();
}

HeldOutcomes* one_target(double target) {
    if (!std::isfinite(target)) raise("InvalidData", "row 0: the target is not finite; targets must be finite numbers");
    auto held = std::make_unique<HeldOutcomes>();
    held->target = target;
    held->outcomes = {Targets{&held->target}, 1};
    return held.release();
}

HeldOutcomes* classes(Vector<const std::int32_t> number) {
    return new HeldOutcomes{{Classes{number.data()}, number.shape(0)}, {nb::ndarray<>(number)}};
}

HeldOutcomes* one_class(std::int32_t number) {
    auto held = std::make_unique<HeldOutcomes>();
    held->number = number;
    held->outcomes = {Classes{&held->number}, 1};
    return held.release();
}

// The same outcomes, whose rounds count as much as their weights say. They stand on the arrays of the original.
HeldOutcomes* weighted(nb::handle_t<HeldOutcomes> original, Vector<const double> weight) {
    constexpr double largest = 1e50;
    const HeldOutcomes& held = nb::cast<HeldOutcomes&>(original);
    if (weight.shape(0) != held.outcomes.count)
        raise("InvalidData", "there are " + std::to_string(weight.shape(0)) + " weights and " +
                                 std::to_string(held.outcomes.count) + " outcomes");
    for (std::size_t t = 0; t < weight.shape(0); ++t)
        if (!(weight(t) >= 0.0 && weight(t) <= largest))
            raise("InvalidData", "row " + std::to_string(t) + ": the weight is " +
                                     nb::cast<std::string>(nb::repr(nb::float_(weight(t)))) +
                                     "; weights must be finite, at least 0 and at most 1e50");
    auto made = std::make_unique<HeldOutcomes>();
    made->outcomes = {held.outcomes.of, held.outcomes.count, weight.data()};
    made->sources = held.sources;
    made->sources.push_back(nb::ndarray<>(weight));
    return made.release();
}

// The same outcomes in another order, in arrays of their own.
HeldOutcomes* outcomes_in_order(const HeldOutcomes& held, Vector<const std::int64_t> order) {
    check_order(order, held.outcomes.count);
    auto made = std::make_unique<HeldOutcomes>();
    const auto gathered = [&](const auto* from) {
        using Value = std::remove_cvref_t<decltype(*from)>;
        std::vector<Value> values(order.shape(0));
        for (std::size_t t = 0; t < values.size(); ++t) values[t] = from[order(t)];
        const auto array = owned_array(std::move(values));
        made->sources.push_back(nb::ndarray<>(array));
        return static_cast<const Value*>(array.data());
    };
    std::visit(
        [&](auto of) {
            if constexpr (requires { of.sign; }) of.sign = gathered(of.sign);
            if constexpr (requires { of.value; }) of.value = gathered(of.value);
            if constexpr (requires { of.number; }) of.number = gathered(of.number);
            if constexpr (requires { of.low_open; })
                of = {gathered(of.low), gathered(of.high), gathered(of.low_open), gathered(of.high_open)};
            made->outcomes.of = of;
        },
        held.outcomes.of);
    made->outcomes.count = order.shape(0);
    if (held.outcomes.importance) made->outcomes.importance = gathered(held.outcomes.importance);
    return made.release();
}

int class_of(const HeldOutcomes& held, std::size_t t) {
    const auto* classes = std::get_if<Classes>(&held.outcomes.of);
    return classes == nullptr ? -1 : classes->number[t];
}

void note_missing(HeldBatch& held, Vector<const std::uint32_t> counts) {
    if (counts.shape(0) != held.batch.count) raise("InvalidData", "there must be one count of missing values per row");
    held.batch.missing.assign(counts.data(), counts.data() + counts.shape(0));
}

int label_of(const HeldOutcomes& held, std::size_t t) { return held.outcomes.label(t); }

// For rules written in Python: the two functions stand for the rule's accepts_label and accepts_target.
struct PythonRule {
    nb::callable label, target;

    Interval accepts_label(int sign) const { return nb::cast<Interval>(label(sign)); }
    Interval accepts_target(double value) const { return nb::cast<Interval>(target(value)); }
};

Interval interval_of(const HeldOutcomes& held, std::size_t t, nb::callable label, nb::callable target) {
    return held.outcomes.interval(PythonRule{label, target}, t);
}

}  // namespace

void raise_fault(const Fault& fault) { raise("InvalidData", sentence(fault)); }

void HeldBatch::finish(std::size_t width, const std::uint64_t* names) {
    batch.count = start.size() - 1;
    batch.width = width;
    const SparseRows<double, std::int32_t> rows{start.data(), index.data(), value.data(), batch.count,
                                                width,        true,         {},           named.data()};
    batch.rows = rows;
    batch.make_room();
    const auto cursor = rows.unbounded();
    for (std::size_t& t = batch.checked = 0; t < batch.count; ++t) {
        const auto x = cursor[t];
        name_hashes.resize(x.count);
        for (std::size_t k = 0; k < x.count; ++k) name_hashes[k] = names[x.index[k]];
        batch.note(t, nonzeros::measured(name_hashes.data(), x.value, x.count, true, 0.0));
        if (!std::isfinite(batch.norm_squared[t])) raise_fault({Defect::too_large, t, 0, 0.0});
    }
}

void bind_batch(nb::module_& m) {
    // A property hands out a reference into its owner unless it says that the array is new.
    constexpr auto fresh = nb::rv_policy::automatic;
    nb::class_<HeldRow>(
        m, "Row", "One row of a batch, for rules written in Python; its sums have the order of the compiled loop.")
        .def("dot", &HeldRow::dot, nb::arg("w").noconvert(), "The dot product with w.")
        .def("add_to", &HeldRow::add_to, nb::arg("w").noconvert(), nb::arg("step"), "w += step * x, in place.")
        .def_prop_ro("norm_squared", [](const HeldRow& row) { return row.batch->norm_squared[row.t]; })
        .def_prop_ro("largest_entry", [](const HeldRow& row) { return row.batch->largest_entry[row.t]; })
        .def_prop_ro("width", [](const HeldRow& row) { return row.batch->width; })
        .def_prop_ro(
            "missing", [](const HeldRow& row) { return row.batch->missing_of(row.t); }, "Values left out of the row.")
        .def_prop_ro(
            "batch", [](const HeldRow& row) { return row.owner; }, nb::sig("def batch(self) -> Batch"),
            "The batch that the row is in.")
        .def_prop_ro(
            "number", [](const HeldRow& row) { return row.t; }, "Which row of the batch it is.")
        .def_prop_ro(
            "object", [](const HeldRow& row) { return nb::cast<HeldBatch&>(row.owner).objects[row.t]; },
            nb::sig("def object(self) -> object"), "What the row stands for, in a batch of objects.")
        .def_prop_ro(
            "indices",
            [](const HeldRow& row) { return row.list<std::int64_t>([](std::size_t i, double) { return i; }); }, fresh,
            nb::sig("def indices(self) -> NDArray[numpy.int64]"), "The features that are present, as integers.")
        .def_prop_ro(
            "values", [](const HeldRow& row) { return row.list<double>([](std::size_t, double v) { return v; }); },
            fresh, nb::sig("def values(self) -> NDArray[numpy.float64]"), "Their values.")
        .def_prop_ro("extent", &HeldRow::extent,
                     "One more than the largest feature that is present, or that a dict names with a zero.");

    nb::class_<HeldBatch>(
        m, "Batch", "Rows that have been checked once: sparse or dense, read from the caller's arrays without a copy.")
        .def("__len__", [](const HeldBatch& held) { return held.batch.count; })
        .def("__getitem__", [](nb::handle_t<HeldBatch> held, std::ptrdiff_t t) { return row_of(nb::borrow(held), t); })
        .def_prop_ro("width", [](const HeldBatch& held) { return held.batch.width; })
        .def_prop_ro(
            "entries", [](const HeldBatch& held) { return held.batch.entries(); }, "Stored values.")
        .def("csr", &csr, nb::arg("rows").noconvert(),
             nb::sig("def csr(self, rows: NDArray[numpy.int64]) -> "
                     "tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.float64]]"),
             "A copy of some rows as the arrays (start, index, value) of a CSR matrix.")
        .def("in_order", &in_order, nb::arg("order").noconvert(), nb::keep_alive<0, 1>(),
             nb::sig("def in_order(self, order: NDArray[numpy.int64]) -> Batch"),
             "These rows in another order, or some of them, read from the same arrays.")
        .def("note_missing", &note_missing, nb::arg("counts").noconvert(),
             "Says how many values were left out of each row.")
        .def(
            "begin_ahead",
            [](HeldBatch& held) { held.ahead = std::make_unique<CheckedRows>(held.batch, 0, held.batch.count); },
            "From now on one thread goes ahead of all calls that learn the rows one after another, until `end_ahead`.")
        .def(
            "end_ahead", [](HeldBatch& held) { held.ahead.reset(); }, "Ends what `begin_ahead` began.")
        .def("check", &check_all, "Checks every row now; without it a row is checked just before it is used.")
        .def_prop_ro(
            "norm_squared",
            [](HeldBatch& held) {
                check_all(held);
                return copied(held.batch.norm_squared);
            },
            fresh, nb::sig("def norm_squared(self) -> NDArray[numpy.float64]"),
            "The squared Euclidean norm of each row.")
        .def_prop_ro(
            "largest_entry",
            [](HeldBatch& held) {
                check_all(held);
                return copied(held.batch.largest_entry);
            },
            fresh, nb::sig("def largest_entry(self) -> NDArray[numpy.float64]"), "The largest magnitude in each row.")
        .def_prop_ro(
            "row_hash",
            [](HeldBatch& held) {
                check_all(held);
                return copied(held.batch.row_hash);
            },
            fresh, nb::sig("def row_hash(self) -> NDArray[numpy.uint64]"),
            "A hash of each row's nonzeros with their columns, or names: the same however the row is stored.");
    m.def("empty_batch", [] { return new HeldBatch(); }, "A batch of no rows, to be filled by Features.encode_row.");
    m.def("sparse_batch", &sparse_batch, nb::arg("start").noconvert(), nb::arg("index").noconvert(),
          nb::arg("value").noconvert(), nb::arg("width"), nb::kw_only(), nb::arg("constant") = false,
          nb::sig("def sparse_batch(start: NDArray[numpy.int32] | NDArray[numpy.int64], index: NDArray[numpy.int32] | "
                  "NDArray[numpy.int64], value: NDArray[numpy.float32] | NDArray[numpy.float64], width: int, *, "
                  "constant: bool = False) -> Batch"),
          "A batch over the arrays of a CSR matrix; with `constant`, every row has a 1 behind its columns.");
    m.def("object_batch", &object_batch, nb::arg("objects"),
          nb::sig("def object_batch(objects: list[object]) -> Batch"),
          "A batch of objects that only a kernel of the caller's can read.");
    m.def("dense_batch", &dense_batch, nb::arg("matrix").noconvert(), nb::arg("names").noconvert().none() = nb::none(),
          nb::kw_only(), nb::arg("constant") = false,
          nb::sig("def dense_batch(matrix: NDArray[numpy.float32] | NDArray[numpy.float64], "
                  "names: NDArray[numpy.uint64] | None = None, *, constant: bool = False) -> Batch"),
          "A batch over a two-dimensional array; `names` has the hash of each column's name (Features.hashes).");

    nb::class_<HeldOutcomes>(m, "Outcomes", "The outcomes of a batch: labels, targets or intervals.")
        .def("__len__", [](const HeldOutcomes& held) { return held.outcomes.count; })
        .def("label", &label_of, nb::arg("t"), "-1 or +1, and 0 where the outcome is not a label.")
        .def("number", &class_of, nb::arg("t"), "The number of the class, and -1 where the outcome is none.")
        .def(
            "weight", [](const HeldOutcomes& held, std::size_t t) { return held.outcomes.weight(t); }, nb::arg("t"),
            "How much the round counts: 1 unless it was said.")
        .def("weighted", &weighted, nb::arg("weights").noconvert(), nb::keep_alive<0, 1>(),
             nb::sig("def weighted(self, weights: NDArray[numpy.float64]) -> Outcomes"),
             "The same outcomes with an importance weight a round.")
        .def("in_order", &outcomes_in_order, nb::arg("order").noconvert(),
             nb::sig("def in_order(self, order: NDArray[numpy.int64]) -> Outcomes"),
             "The outcomes in another order, or some of them.")
        .def("interval", &interval_of, nb::arg("t"), nb::arg("label"), nb::arg("target"),
             nb::sig("def interval(self, t: int, label: collections.abc.Callable[[int], Interval], "
                     "target: collections.abc.Callable[[float], Interval]) -> "
                     "Interval"),
             "The interval of a round; the two functions give it for a label and for a target.");
    m.def("labels", &labels, nb::arg("sign").noconvert());
    m.def("targets", &targets, nb::arg("value").noconvert());
    m.def("intervals", &intervals, nb::arg("low").noconvert(), nb::arg("high").noconvert(),
          nb::arg("low_open").noconvert(), nb::arg("high_open").noconvert());
    m.def("one_label", &one_label, nb::arg("sign"));
    m.def("classes", &classes, nb::arg("number").noconvert());
    m.def("one_class", &one_class, nb::arg("number"));
    m.def("one_target", &one_target, nb::arg("target"));

    m.def(
        "permutation", [](std::uint64_t seed, std::size_t count) { return owned_array(permutation(seed, count)); },
        nb::arg("seed"), nb::arg("count"), nb::sig("def permutation(seed: int, count: int) -> NDArray[numpy.int64]"),
        "The numbers below `count` in an order drawn from a seed.");
    m.def("uniform", &uniform, nb::arg("seed"), nb::arg("draw"), "Draw number `draw` of a seed, in [0, 1).");
    m.def(
        "norm_squared", [](Vector<const double> w) { return dense::norm_squared(w.data(), w.shape(0)); },
        nb::arg("w").noconvert(), "The squared Euclidean norm, in the order of the compiled loop.");
}

}  // namespace littlestone::bind
