// What the binding files share. Nothing outside core/bind knows about Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "../checks.h"
#include "../loop.h"

namespace nb = nanobind;

namespace littlestone::bind {

template <class Value>
using Vector = nb::ndarray<Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Raises an exception of littlestone.errors.
[[noreturn]] void raise(const char* exception, const std::string& sentence);

// A new NumPy array that owns its values.
template <class Value>
nb::ndarray<nb::numpy, Value, nb::ndim<1>> owned_array(std::vector<Value>&& values) {
    auto* kept = new std::vector<Value>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
    return {kept->data(), {kept->size()}, owner};
}

// A checked batch, the caller's arrays that it reads, and the arrays it owns when it was made from dicts.
struct HeldBatch {
    Batch batch;
    std::vector<nb::ndarray<>> sources;
    std::vector<std::int32_t> start, index;
    std::vector<std::int32_t> named;  // SparseRow::named
    std::vector<double> value;
    std::vector<std::uint64_t> name_hashes;  // of the row at hand
    nb::object objects;                      // the list that the rows stand for, where they are not numbers
    std::unique_ptr<CheckedRows> ahead;      // while calls that go on where the last one ended are to share a thread

    void add_entry(std::int32_t feature, double amount) {
        index.push_back(feature);
        value.push_back(amount);
    }
    // Ends a row that names the features before this one, those with a zero too.
    void end_row(std::int32_t names_before) {
        start.push_back(static_cast<std::int32_t>(index.size()));
        named.push_back(names_before);
    }
    // Makes a batch of the entries it owns, packed and finite; `names` has the hash of each feature's name.
    void finish(std::size_t width, const std::uint64_t* names);
};

[[noreturn]] void raise_fault(const Fault& fault);

// Works through the rows without the GIL and looks for Ctrl-C every few milliseconds.
template <class Slice, class Work>
void in_slices(Slice rows, std::size_t begin, std::size_t end, Work work) {
    while (begin < end) {
        const std::size_t to = std::min(begin + rows(), end);
        std::optional<Fault> fault;
        {
            nb::gil_scoped_release release;
            fault = work(begin, to);
        }
        if (fault) raise_fault(*fault);
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        begin = to;
    }
}

// Each block is checked before it is used, and finished when it was begun.
template <class Slice, class Use>
void in_checked_slices_of(Slice rows, CheckedRows& checked, std::size_t end, Use use) {
    in_slices(rows, checked.at(), end, [&](std::size_t, std::size_t to) { return checked.use_until(to, use); });
}
template <class Slice, class Use>
void in_checked_slices_of(Slice rows, Batch& batch, std::size_t begin, std::size_t end, Use use) {
    CheckedRows checked(batch, begin, end);
    in_checked_slices_of(rows, checked, end, use);
}

template <class Use>
void in_checked_slices(Batch& batch, std::size_t begin, std::size_t end, Use use) {
    in_checked_slices_of([&] { return 32 * batch.block(); }, batch, begin, end, use);
}

// Checks the rows before `end` that were not checked yet.
inline void check_until(Batch& batch, std::size_t end) {
    if (batch.checked < end)
        in_checked_slices(batch, batch.checked, end, [](const Batch&, std::size_t, std::size_t) {});
}

struct HeldOutcomes {
    Outcomes outcomes;
    std::vector<nb::ndarray<>> sources;
    std::int8_t sign = 0;
    double target = 0.0;
    std::int32_t number = 0;
    double weight = 1.0;
};

void bind_batch(nb::module_& m);
void bind_calibration(nb::module_& m);
void bind_comparators(nb::module_& m);
void bind_dict_rounds(nb::module_& m);
void bind_experts(nb::module_& m);
void bind_features(nb::module_& m);
void bind_feature_rows(nb::module_& m);
void bind_kernel_rules(nb::module_& m);
void bind_games(nb::module_& m);
void bind_ledger(nb::module_& m);
void bind_linear(nb::module_& m);
void bind_multiclass(nb::module_& m);
void bind_pool(nb::module_& m);
void bind_readers(nb::module_& m);
void bind_views(nb::module_& m);
void bind_multiplicative(nb::module_& m);

}  // namespace littlestone::bind
