#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "../pool/loop.h"
#include "../pool/parts.h"
#include "../weights.h"
#include "loops.h"

namespace littlestone::bind {
namespace {

using pool::Pool;
using pool::TargetPool;

template <class Of>
nb::dict exported(const Of& of) {
    nb::dict arrays;
    for (auto& [name, values] : pool::parts_of(of)) arrays[name.c_str()] = owned_array(std::vector<double>(values));
    return arrays;
}

pool::Parts imported(const nb::dict& arrays) {
    pool::Parts parts;
    for (auto [name, value] : arrays) {
        const auto numbers = nb::cast<Vector<const double>>(value);
        parts[nb::cast<std::string>(name)].assign(numbers.data(), numbers.data() + numbers.shape(0));
    }
    return parts;
}

// Weights and log losses of every expert, class by class; of the views together, and of the members of the raw view.
nb::dict accounts(const Pool& of) {
    std::vector<double> member_weights, member_losses, view_weights, view_losses, frequency_losses;
    bool viewed = false;  // whether the master of the views was ever awake: what sleeps costs nothing
    const auto append = [](std::vector<double>& to, const double* from, std::size_t count) {
        to.insert(to.end(), from, from + count);
    };
    for (const auto& one : of.views[pool::raw_view].classes) {
        append(member_weights, one.master.weights, pool::expert_count);
        for (std::size_t k = 0; k < pool::expert_count; ++k) member_losses.push_back(one.losses.of(k));
    }
    for (const auto& blend : of.blends) {
        append(view_weights, blend.master.weights, pool::blend_experts);
        for (std::size_t k = 0; k < pool::blend_experts; ++k) view_losses.push_back(blend.losses.of(k));
        frequency_losses.push_back(blend.frequency.losses.of(0));
        viewed = viewed || blend.master.rounds > 0.0;
    }
    nb::dict found;
    found["member_weights"] = nb::cast(member_weights);
    found["member_losses"] = nb::cast(member_losses);
    found["view_weights"] = nb::cast(view_weights);
    found["view_losses"] = nb::cast(view_losses);
    found["frequency_losses"] = nb::cast(frequency_losses);
    found["viewed"] = nb::cast(std::vector<double>{viewed ? 1.0 : 0.0});
    return found;
}

// Weights and sums of squared errors, of the members of the raw view and of the views together.
nb::dict accounts(const TargetPool& of) {
    nb::dict found;
    const auto add = [&](const std::string& whose, const auto& mixture) {
        const auto weights = mixture.weights();
        found[(whose + "_weights").c_str()] = nb::cast(std::vector<double>(weights.begin(), weights.end()));
        found[(whose + "_losses").c_str()] =
            nb::cast(std::vector<double>(std::begin(mixture.losses), std::end(mixture.losses)));
    };
    add("member", of.views[pool::raw_view].mixture);
    add("view", of.mixture);
    return found;
}

// The lines that all classes and members know features by.
const pool::Lines& raw_lines(const Pool& of) { return of.views[pool::raw_view].classes[0].lines; }
const pool::Lines& raw_lines(const TargetPool& of) { return of.views[pool::raw_view].lines; }

template <class Of>
auto counts(const Of& of) {
    return owned_array(pool::counts_of(raw_lines(of)));
}

std::vector<std::size_t> features_of(Vector<const std::int64_t> places) {
    std::vector<std::size_t> features;
    for (std::size_t k = 0; k < places.shape(0); ++k) {
        if (places(k) < 0) raise("InvalidData", "a feature has no place");
        features.push_back(static_cast<std::size_t>(places(k)));
    }
    return features;
}

constexpr const char* counts_signature = "def counts(self) -> NDArray[numpy.float64]";
constexpr const char* accounts_signature = "def accounts(self) -> dict[str, list[float]]";

// Of the first row: its features, and of every score the parts.
template <class Of>
nb::tuple explained(const Of& of, HeldBatch& batch) {
    if (const auto fault = batch.batch.check(1)) raise_fault(*fault);
    const auto found = pool::explained(of, batch.batch, 0);
    nb::list scores;
    for (const auto& one : found.scores)
        scores.append(nb::make_tuple(one.score, owned_array(std::vector<double>(one.parts)), one.rest));
    return nb::make_tuple(found.features, scores);
}

constexpr const char* explain_signature =
    "def explain(self, batch: Batch) -> tuple[list[int], list[tuple[float, NDArray[numpy.float64], float]]]";
constexpr const char* explain_words =
    "Of the first row: its features, counted from 1; and of every score what it is, what each member says of the "
    "constant "
    "and the features, and the rest.";
constexpr const char* keep_signature = "def keep(self, places: NDArray[numpy.int64]) -> None";
constexpr const char* keep_words =
    "Forgets all features but those at these places, which they have in this order from now on.";

void choose(Pool& of, const nb::list& members) {
    if (members.size() != pool::member_count) raise("InvalidData", "there is a number for each of the members");
    for (std::size_t k = 0; k < pool::member_count; ++k) of.options.members[k] = nb::cast<double>(members[k]);
}

template <class Make>
auto refilled(Make make, const nb::dict& arrays) {
    try {
        return make(imported(arrays));
    } catch (const pool::Unfit& unfit) {
        raise("InvalidData", unfit.what());
    }
}

// Back to a copy without any memory: the two change places, once.
template <class Of>
void restore(Of& self, Of& saved) {
    if (saved.given_up) return;
    std::swap(self, saved);
    saved.given_up = true;
}

template <class Of>
HeldLoop* loop_on(nb::object self) {
    auto* held = new HeldLoop{pool::loop_on(nb::cast<Of&>(self)), {}};
    held->parts.push_back(self);
    return held;
}

}  // namespace

void bind_pool(nb::module_& m) {
    nb::class_<Pool>(m, "Pool", "What a pool for labels has learned.")
        .def(
            "__init__",
            [](Pool* self, bool narrow_views, const nb::list& members, double threshold, double largest_weight) {
                Pool made;
                made.options.narrow_views = narrow_views;
                choose(made, members);
                made.options.threshold = threshold;
                made.options.largest_weight = largest_weight;
                new (self) Pool(std::move(made));
            },
            nb::kw_only(), nb::arg("narrow_views"), nb::arg("members"), nb::arg("threshold"), nb::arg("largest_weight"),
            nb::sig("def __init__(self, *, narrow_views: bool, members: list[float], threshold: float, "
                    "largest_weight: float) -> None"))
        .def_prop_ro("narrow_views", [](const Pool& of) { return of.options.narrow_views; })
        .def_prop_rw(
            "members",
            [](const Pool& of) { return std::vector<double>(of.options.members.begin(), of.options.members.end()); },
            &choose, nb::for_setter(nb::sig("def members(self, arg: list[float], /) -> None")),
            "1 of every member that takes part, 0 of the others.")
        .def_prop_ro("threshold", [](const Pool& of) { return of.options.threshold; })
        .def_prop_ro("largest_weight", [](const Pool& of) { return of.options.largest_weight; })
        .def_prop_ro(
            "classes", [](const Pool& of) { return of.blends.size(); }, "How many scores a row has.")
        .def("parts", &exported<Pool>, nb::sig("def parts(self) -> dict[str, NDArray[numpy.float64]]"),
             "Everything, as arrays.")
        .def(
            "refill",
            [](Pool& self, const nb::dict& arrays) {
                auto options = self.options;
                self = refilled(pool::pool_of, arrays);
                options.members = self.options.members;
                self.options = options;
            },
            nb::arg("arrays"), nb::sig("def refill(self, arrays: dict[str, NDArray[numpy.float64]]) -> None"),
            "Takes over what another one had.")
        .def(
            "copy", [](const Pool& self) { return Pool(self); }, "One of its own that knows the same.")
        .def("restore", &restore<Pool>, nb::arg("saved"), "Back to a copy made earlier, which is given up by it.")
        .def("counts", &counts<Pool>, nb::sig(counts_signature), "In how many rows each feature was met.")
        .def(
            "keep",
            [](Pool& of, Vector<const std::int64_t> places) { of.views[pool::raw_view].keep(features_of(places)); },
            nb::arg("places").noconvert(), nb::sig(keep_signature), keep_words)
        .def("accounts", nb::overload_cast<const Pool&>(&accounts), nb::sig(accounts_signature),
             "Weights and log losses of the experts, class by class: of members and of views.")
        .def("explain", &explained<Pool>, nb::arg("batch"), nb::sig(explain_signature), explain_words)
        .def(
            "heaviness",
            [](const Pool& of, std::size_t number) {
                if (number >= of.blends.size()) raise("InvalidData", "there is no such class");
                return owned_array(pool::heaviness(of, number));
            },
            nb::arg("number"), nb::sig("def heaviness(self, number: int) -> NDArray[numpy.float64]"),
            "Of every feature, what a value as large as usual adds to the log-odds of a class.")
        .def("loop", &loop_on<Pool>, nb::sig("def loop(self) -> Loop"), "The loop that learns by it.");

    nb::class_<TargetPool>(m, "TargetPool", "What a pool for targets has learned.")
        .def(
            "__init__",
            [](TargetPool* self, bool narrow_views) {
                new (self) TargetPool();
                self->narrow_views = narrow_views;
            },
            nb::kw_only(), nb::arg("narrow_views"))
        .def_prop_ro("narrow_views", [](const TargetPool& of) { return of.narrow_views; })
        .def("parts", &exported<TargetPool>, nb::sig("def parts(self) -> dict[str, NDArray[numpy.float64]]"),
             "Everything, as arrays.")
        .def(
            "refill",
            [](TargetPool& self, const nb::dict& arrays) {
                const bool narrow_views = self.narrow_views;
                self = refilled(pool::target_pool_of, arrays);
                self.narrow_views = narrow_views;
            },
            nb::arg("arrays"), nb::sig("def refill(self, arrays: dict[str, NDArray[numpy.float64]]) -> None"),
            "Takes over what another one had.")
        .def(
            "copy", [](const TargetPool& self) { return TargetPool(self); }, "One of its own that knows the same.")
        .def("counts", &counts<TargetPool>, nb::sig(counts_signature), "In how many rows each feature was met.")
        .def(
            "keep",
            [](TargetPool& of, Vector<const std::int64_t> places) {
                auto& lines = of.views[pool::raw_view].lines;
                lines = pool::kept(lines, features_of(places));
            },
            nb::arg("places").noconvert(), nb::sig(keep_signature), keep_words)
        .def("accounts", nb::overload_cast<const TargetPool&>(&accounts), nb::sig(accounts_signature),
             "Weights and sums of squared errors of the experts: of members and of views.")
        .def("explain", &explained<TargetPool>, nb::arg("batch"), nb::sig(explain_signature), explain_words)
        .def(
            "heaviness", [](const TargetPool& of) { return owned_array(pool::heaviness(of)); },
            nb::sig("def heaviness(self) -> NDArray[numpy.float64]"),
            "Of every feature, what a value as large as usual adds to the prediction.")
        .def("restore", &restore<TargetPool>, nb::arg("saved"), "Back to a copy made earlier, which is given up by it.")
        .def("loop", &loop_on<TargetPool>, nb::sig("def loop(self) -> Loop"), "The loop that learns by it.");
}

}  // namespace littlestone::bind
