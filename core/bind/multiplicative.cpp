#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "../rules/exponentiated_update.h"
#include "../rules/multiplicative_passive_aggressive.h"
#include "../rules/randomized.h"
#include "../rules/winnow.h"
#include "loops.h"

namespace littlestone::bind {
namespace {

// The arrays of log-weights; `weigh` is `lean` itself where every weight is positive.
struct HeldLogWeights {
    State theta, lean, weigh;
    State shift, total, correction, slack, anchor, members, log_size;
    double U;

    HeldLogWeights(State theta, State lean, State weigh, State shift, State total, State correction, State slack,
                   State anchor, State members, State log_size, double U)
        : theta(theta),
          lean(lean),
          weigh(weigh),
          shift(shift),
          total(total),
          correction(correction),
          slack(slack),
          anchor(anchor),
          members(members),
          log_size(log_size),
          U(U) {
        check_lengths("log-weights", theta, {lean, weigh});
        if (!(*number(members) >= 0.0 && *number(members) <= static_cast<double>(theta.shape(0))))
            raise("InvalidData", "there are more members than log-weights");
    }
    Normaliser sum() const {
        return {number(shift),  number(total),   number(correction), number(slack),
                number(anchor), number(members), number(log_size)};
    }
    std::vector<State> arrays() const {
        return {theta, lean, weigh, shift, total, correction, slack, anchor, members, log_size};
    }
};

template <class Form>
LogWeights<Form> weights_of(const HeldLogWeights& held, const HeldAverage* average) {
    return {held.theta.data(),
            held.lean.data(),
            held.weigh.data(),
            held.theta.shape(0),
            held.U,
            held.sum(),
            pointers(average, held.theta)};
}

template <class Form>
MultiplicativeRule<Form> rule_of(const HeldLogWeights& held, double tie_tol, const HeldAverage* average) {
    return {{}, weights_of<Form>(held, average), tie_tol};
}

template <class Form>
HeldLoop* winnow(const HeldLogWeights& weights, double eta, double tie_tol, const HeldAverage* average) {
    return held(Winnow<Form>{rule_of<Form>(weights, tie_tol, average), eta}, average, weights.arrays());
}

template <class Form>
HeldLoop* exponentiated_update(const HeldLogWeights& weights, double eta, double tolerance, double tie_tol,
                               const HeldAverage* average) {
    return held(ExponentiatedUpdate<Form>{rule_of<Form>(weights, tie_tol, average), eta, tolerance}, average,
                weights.arrays());
}

HeldLoop* randomized_exponentiated_update(const HeldLogWeights& weights, State draws, double eta, std::uint64_t seed,
                                          const HeldAverage* average) {
    auto arrays = weights.arrays();
    arrays.push_back(draws);
    return held(
        Randomized<ExponentiatedUpdate<Positive>>{
            {rule_of<Positive>(weights, 0.0, average), eta, 0.0}, seed, number(draws)},
        average, std::move(arrays));
}

HeldLoop* multiplicative_passive_aggressive(const HeldLogWeights& weights, State largest_spread, double margin,
                                            double epsilon, const HeldAverage* average) {
    auto arrays = weights.arrays();
    arrays.push_back(largest_spread);
    return held(MultiplicativePassiveAggressive{rule_of<Positive>(weights, 0.0, average), margin, epsilon,
                                                number(largest_spread)},
                average, std::move(arrays));
}

// The first value below 0, for rules that are right only without one.
std::optional<std::tuple<std::size_t, std::size_t, double>> first_negative(HeldBatch& held) {
    std::optional<std::tuple<std::size_t, std::size_t, double>> found;
    in_checked_slices(held.batch, 0, held.batch.count, [&](const Batch& batch, std::size_t begin, std::size_t end) {
        std::visit(
            [&](const auto& rows) {
                auto cursor = rows.cursor();
                for (std::size_t t = begin; t < end && !found; ++t)
                    cursor[t].each([&](std::size_t i, double v) {
                        if (v < 0.0 && !found) found = {t, i, v};
                    });
            },
            batch.rows);
    });
    return found;
}

}  // namespace

void bind_multiplicative(nb::module_& m) {
    nb::class_<HeldLogWeights>(m, "LogWeights", "The arrays of log-weights and of their normaliser.")
        .def(nb::init<State, State, State, State, State, State, State, State, State, State, double>(), nb::kw_only(),
             nb::arg("theta").noconvert(), nb::arg("lean").noconvert(), nb::arg("weigh").noconvert(),
             nb::arg("shift").noconvert(), nb::arg("total").noconvert(), nb::arg("correction").noconvert(),
             nb::arg("slack").noconvert(), nb::arg("anchor").noconvert(), nb::arg("members").noconvert(),
             nb::arg("log_size").noconvert(), nb::arg("U"));

    const auto average = nb::arg("average").none() = nb::none();
    m.def("winnow", &winnow<Positive>, nb::kw_only(), nb::arg("weights"), nb::arg("eta"), nb::arg("tie_tol"), average);
    m.def("signed_winnow", &winnow<Signed>, nb::kw_only(), nb::arg("weights"), nb::arg("eta"), nb::arg("tie_tol"),
          average);
    m.def("exponentiated_update", &exponentiated_update<Positive>, nb::kw_only(), nb::arg("weights"), nb::arg("eta"),
          nb::arg("tolerance"), nb::arg("tie_tol"), average);
    m.def("signed_exponentiated_update", &exponentiated_update<Signed>, nb::kw_only(), nb::arg("weights"),
          nb::arg("eta"), nb::arg("tolerance"), nb::arg("tie_tol"), average);
    m.def("randomized_exponentiated_update", &randomized_exponentiated_update, nb::kw_only(), nb::arg("weights"),
          nb::arg("draws").noconvert(), nb::arg("eta"), nb::arg("seed"), average);
    m.def("multiplicative_passive_aggressive", &multiplicative_passive_aggressive, nb::kw_only(), nb::arg("weights"),
          nb::arg("largest_spread").noconvert(), nb::arg("margin"), nb::arg("epsilon"), average);
    m.def("first_negative", &first_negative, nb::arg("batch"),
          "Row, feature and value of the first value below 0, or None.");
}

}  // namespace littlestone::bind
