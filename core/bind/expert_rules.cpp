// The expert rules, each bound to the arrays of its state.
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "../experts/adahedge.h"
#include "../experts/balanced.h"
#include "../experts/boa.h"
#include "../experts/calibrated.h"
#include "../experts/fixed_share.h"
#include "../experts/gradient_descent.h"
#include "../experts/hedge.h"
#include "../experts/majority.h"
#include "../experts/ml_ewa.h"
#include "../experts/ml_pol.h"
#include "../experts/ml_prod.h"
#include "../experts/multiplicative.h"
#include "../experts/perturbed_leader.h"
#include "../experts/polynomial.h"
#include "../experts/regularized_leader.h"
#include "../experts/ridge.h"
#include "experts.h"

namespace littlestone::bind {
namespace {

std::size_t width(const State& first, const std::vector<State>& others) {
    for (const State& state : others)
        if (state.shape(0) != first.shape(0)) raise("InvalidData", "the arrays of the state differ in length");
    return first.shape(0);
}

double* number(const State& state) {
    if (state.shape(0) != 1) raise("InvalidData", "a number of the state must be an array of length 1");
    return state.data();
}

HeldExperts* held(std::unique_ptr<CompiledExperts> compiled, std::vector<State> state) {
    return new HeldExperts{std::move(compiled), std::move(state)};
}

HeldExperts* hedge(State losses, State log_prior, State rounds, const Pace& pace) {
    const std::size_t n = width(losses, {log_prior});
    return held(std::make_unique<Hedge>(n, losses.data(), log_prior.data(), number(rounds), pace),
                {losses, log_prior, rounds});
}

HeldExperts* randomized_hedge(State losses, State log_prior, State rounds, const Pace& pace, std::uint64_t seed) {
    const std::size_t n = width(losses, {log_prior});
    return held(std::make_unique<RandomizedHedge>(n, losses.data(), log_prior.data(), number(rounds), pace, seed),
                {losses, log_prior, rounds});
}

HeldExperts* brier_aggregation(State losses, State log_prior, State rounds, double eta) {
    const std::size_t n = width(losses, {log_prior});
    const Pace pace{Pace::Kind::fixed, eta, 0.0};
    return held(std::make_unique<BrierAggregation>(n, losses.data(), log_prior.data(), number(rounds), pace),
                {losses, log_prior, rounds});
}

HeldExperts* majority(State mistakes, double beta, bool always) {
    return held(std::make_unique<Majority>(mistakes.shape(0), mistakes.data(), beta, always), {mistakes});
}

HeldExperts* multiplicative(State log_weights, double beta) {
    return held(std::make_unique<Multiplicative>(log_weights.shape(0), log_weights.data(), beta), {log_weights});
}

HeldExperts* polynomial(State regrets, double alpha) {
    return held(std::make_unique<Polynomial>(regrets.shape(0), regrets.data(), alpha), {regrets});
}

HeldExperts* fixed_share(State shares, double eta, double alpha) {
    return held(std::make_unique<FixedShare>(shares.shape(0), shares.data(), eta, alpha), {shares});
}

HeldExperts* adahedge(State losses, State gap) {
    return held(std::make_unique<AdaHedge>(losses.shape(0), losses.data(), number(gap)), {losses, gap});
}

HeldExperts* ml_pol(State regrets, State inverse_rates, State largest) {
    const std::size_t n = width(regrets, {inverse_rates});
    return held(std::make_unique<MLpol>(n, regrets.data(), inverse_rates.data(), number(largest)),
                {regrets, inverse_rates, largest});
}

HeldExperts* ml_prod(State log_weights, State rates, State squares, State largest) {
    const std::size_t n = width(log_weights, {rates, squares, largest});
    return held(std::make_unique<MLprod>(n, log_weights.data(), rates.data(), squares.data(), largest.data()),
                {log_weights, rates, squares, largest});
}

HeldExperts* ml_ewa(State regrets, State squares) {
    const std::size_t n = width(regrets, {squares});
    return held(std::make_unique<MLewa>(n, regrets.data(), squares.data()), {regrets, squares});
}

HeldExperts* boa(State regrets, State squares) {
    const std::size_t n = width(regrets, {squares});
    return held(std::make_unique<BOA>(n, regrets.data(), squares.data()), {regrets, squares});
}

HeldExperts* perturbed_leader(State losses, State rounds, const Pace& pace, std::uint64_t seed) {
    return held(std::make_unique<PerturbedLeader>(losses.shape(0), losses.data(), number(rounds), pace, seed),
                {losses, rounds});
}

std::size_t side(const State& table, const State& size) {
    const auto n = static_cast<std::size_t>(*number(size));
    if (n == 0 || n * n != table.shape(0)) raise("InvalidData", "the table of the state is not square");
    return n;
}

HeldExperts* internal_regret(State swaps, State size, State rounds, const Pace& pace) {
    return held(std::make_unique<InternalRegret>(side(swaps, size), swaps.data(), number(rounds), pace),
                {swaps, size, rounds});
}

HeldExperts* swap_regret(State swaps, State size, State log_weights, double step) {
    width(swaps, {log_weights});
    return held(std::make_unique<SwapRegret>(side(swaps, size), swaps.data(), log_weights.data(), step),
                {swaps, size, log_weights});
}

// The rules that follow the best of many: as many rates and shares as the table of losses has.
Calibrated::Chains chains_of(std::size_t shares, const State& table, const State& losses, const State& grid,
                             const State& best, const State& start) {
    const std::size_t rates = losses.shape(0) / shares;
    const bool fits = rates * shares == losses.shape(0) && rates % 2 == 1 && grid.shape(0) == 2 &&
                      table.shape(0) % losses.shape(0) == 0;
    if (!fits) raise("InvalidData", "the arrays of the state do not fit together");
    const bool inside = grid(0) >= 0.0 && grid(1) < static_cast<double>(rates) && grid(0) <= grid(1) &&
                        *number(best) >= 0.0 && *number(best) < static_cast<double>(losses.shape(0));
    if (!inside) raise("InvalidData", "the grid of the state is not within its table");
    return {table.data(), losses.data(), grid.data(), grid.data() + 1, number(best), number(start), rates, shares};
}

HeldExperts* calibrated_exponential_weights(State regrets, State losses, State grid, State best, State start) {
    const Calibrated::Chains chains = chains_of(1, regrets, losses, grid, best, start);
    const std::size_t n = regrets.shape(0) / losses.shape(0);
    return held(std::make_unique<CalibratedExponentialWeights>(n, chains), {regrets, losses, grid, best, start});
}

HeldExperts* calibrated_fixed_share(State shares, State losses, State grid, State best, State start,
                                    std::vector<double> alphas) {
    if (alphas.empty()) raise("InvalidData", "there are no shares to choose from");
    const Calibrated::Chains chains = chains_of(alphas.size(), shares, losses, grid, best, start);
    const std::size_t n = shares.shape(0) / losses.shape(0);
    return held(std::make_unique<CalibratedFixedShare>(n, chains, std::move(alphas)),
                {shares, losses, grid, best, start});
}

HeldExperts* gradient_descent(State point, State largest, State rounds, State paid, double power, bool centred) {
    return held(std::make_unique<GradientDescent>(point.shape(0), point.data(), number(largest), number(rounds),
                                                  number(paid), power, centred),
                {point, largest, rounds, paid});
}

HeldExperts* regularized_leader(State losses, State squares, State paid) {
    return held(std::make_unique<RegularizedLeader>(losses.shape(0), losses.data(), number(squares), number(paid)),
                {losses, squares, paid});
}

HeldExperts* ridge(State inverse, State moments, State scale, State squares, State paid, State largest, double ridge) {
    const std::size_t n = moments.shape(0);
    if (inverse.shape(0) != n * n) raise("InvalidData", "the table of the state is not square");
    return held(std::make_unique<Ridge>(n, inverse.data(), moments.data(), number(scale), number(squares), number(paid),
                                        number(largest), ridge),
                {inverse, moments, scale, squares, paid, largest});
}

}  // namespace

void bind_expert_rules(nb::module_& m) {
    nb::class_<Pace>(m, "Pace", "How the learning rate goes with the rounds.")
        .def_static(
            "fixed", [](double eta) { return Pace{Pace::Kind::fixed, eta, 0.0}; }, nb::arg("eta"))
        .def_static(
            "doubling", [](double n) { return Pace{Pace::Kind::doubling, 0.0, n}; }, nb::arg("log_experts"))
        .def_static(
            "doubling_beta", [](double n) { return Pace{Pace::Kind::doubling_beta, 0.0, n}; }, nb::arg("log_experts"))
        .def_static(
            "anytime", [](double n) { return Pace{Pace::Kind::anytime, 0.0, n}; }, nb::arg("log_experts"))
        .def("rate", &Pace::rate, nb::arg("rounds"), "The rate after so many rounds.");
    nb::class_<HeldExperts>(m, "CompiledExperts", "An expert rule bound to the arrays of a state.");
    m.def("hedge", &hedge, nb::kw_only(), nb::arg("losses").noconvert(), nb::arg("log_prior").noconvert(),
          nb::arg("rounds").noconvert(), nb::arg("pace"));
    m.def("randomized_hedge", &randomized_hedge, nb::kw_only(), nb::arg("losses").noconvert(),
          nb::arg("log_prior").noconvert(), nb::arg("rounds").noconvert(), nb::arg("pace"), nb::arg("seed"));
    m.def("brier_aggregation", &brier_aggregation, nb::kw_only(), nb::arg("losses").noconvert(),
          nb::arg("log_prior").noconvert(), nb::arg("rounds").noconvert(), nb::arg("eta"));
    m.def("majority", &majority, nb::kw_only(), nb::arg("mistakes").noconvert(), nb::arg("beta"), nb::arg("always"));
    m.def("multiplicative", &multiplicative, nb::kw_only(), nb::arg("log_weights").noconvert(), nb::arg("beta"));
    m.def("polynomial", &polynomial, nb::kw_only(), nb::arg("regrets").noconvert(), nb::arg("alpha"));
    m.def("fixed_share", &fixed_share, nb::kw_only(), nb::arg("shares").noconvert(), nb::arg("eta"), nb::arg("alpha"));
    m.def("adahedge", &adahedge, nb::kw_only(), nb::arg("losses").noconvert(), nb::arg("gap").noconvert());
    m.def("ml_pol", &ml_pol, nb::kw_only(), nb::arg("regrets").noconvert(), nb::arg("inverse_rates").noconvert(),
          nb::arg("largest").noconvert());
    m.def("ml_prod", &ml_prod, nb::kw_only(), nb::arg("log_weights").noconvert(), nb::arg("rates").noconvert(),
          nb::arg("squares").noconvert(), nb::arg("largest").noconvert());
    m.def("ml_ewa", &ml_ewa, nb::kw_only(), nb::arg("regrets").noconvert(), nb::arg("squares").noconvert());
    m.def("boa", &boa, nb::kw_only(), nb::arg("regrets").noconvert(), nb::arg("squares").noconvert());
    m.def("internal_regret", &internal_regret, nb::kw_only(), nb::arg("swaps").noconvert(), nb::arg("size").noconvert(),
          nb::arg("rounds").noconvert(), nb::arg("pace"));
    m.def("swap_regret", &swap_regret, nb::kw_only(), nb::arg("swaps").noconvert(), nb::arg("size").noconvert(),
          nb::arg("log_weights").noconvert(), nb::arg("step"));
    m.def("perturbed_leader", &perturbed_leader, nb::kw_only(), nb::arg("losses").noconvert(),
          nb::arg("rounds").noconvert(), nb::arg("pace"), nb::arg("seed"));
    m.def("calibrated_exponential_weights", &calibrated_exponential_weights, nb::kw_only(),
          nb::arg("regrets").noconvert(), nb::arg("losses").noconvert(), nb::arg("grid").noconvert(),
          nb::arg("best").noconvert(), nb::arg("start").noconvert());
    m.def("calibrated_fixed_share", &calibrated_fixed_share, nb::kw_only(), nb::arg("shares").noconvert(),
          nb::arg("losses").noconvert(), nb::arg("grid").noconvert(), nb::arg("best").noconvert(),
          nb::arg("start").noconvert(), nb::arg("alphas"));
    m.def("gradient_descent", &gradient_descent, nb::kw_only(), nb::arg("point").noconvert(),
          nb::arg("largest").noconvert(), nb::arg("rounds").noconvert(), nb::arg("paid").noconvert(), nb::arg("power"),
          nb::arg("centred"));
    m.def("regularized_leader", &regularized_leader, nb::kw_only(), nb::arg("losses").noconvert(),
          nb::arg("squares").noconvert(), nb::arg("paid").noconvert());
    m.def("ridge_weights", &ridge, nb::kw_only(), nb::arg("inverse").noconvert(), nb::arg("moments").noconvert(),
          nb::arg("scale").noconvert(), nb::arg("squares").noconvert(), nb::arg("paid").noconvert(),
          nb::arg("largest").noconvert(), nb::arg("ridge"));
}

}  // namespace littlestone::bind
