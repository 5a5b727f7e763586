#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>

#include <optional>

#include "../rules/ada_grad.h"
#include "../rules/arow.h"
#include "../rules/baselines.h"
#include "../rules/batch_passive_aggressive.h"
#include "../rules/fixed.h"
#include "../rules/logistic_filter.h"
#include "../rules/margin_perceptron.h"
#include "../rules/naive_bayes.h"
#include "../rules/online_ridge.h"
#include "../rules/online_svm.h"
#include "../rules/passive_aggressive.h"
#include "../rules/perceptron.h"
#include "../rules/randomized.h"
#include "../scoring.h"
#include "loops.h"

namespace littlestone::bind {
namespace {

Weights weights_of(const State& w, const HeldAverage* average) { return {w.data(), w.shape(0), pointers(average, w)}; }

HeldLoop* perceptron(State w, double eta, double tolerance, const HeldAverage* average) {
    return held(Perceptron{{}, weights_of(w, average), eta, tolerance}, average, {w});
}

HeldLoop* randomized_perceptron(State w, State draws, double eta, std::uint64_t seed, const HeldAverage* average) {
    return held(Randomized<Perceptron>{{{}, weights_of(w, average), eta, 0.0}, seed, number(draws)}, average,
                {w, draws});
}

HeldLoop* margin_perceptron(State w, State norm_squared, State since_refresh, double rho, const HeldAverage* average) {
    return held(MarginPerceptron{{}, weights_of(w, average), rho, number(norm_squared), number(since_refresh)}, average,
                {w, norm_squared, since_refresh});
}

HeldLoop* online_svm(State v, State scale, State rounds, double eta, double C, bool shrink_at_kink,
                     const HeldAverage* average) {
    const ScaledWeights weights{v.data(), number(scale), v.shape(0), pointers(average, v)};
    return held(OnlineSvm{{}, weights, eta, C, shrink_at_kink, number(rounds)}, average, {v, scale, rounds});
}

template <class StepSize>
HeldLoop* passive_aggressive(StepSize step_size, State w, double margin, double epsilon, const HeldAverage* average) {
    return held(PassiveAggressive<StepSize>{{}, weights_of(w, average), margin, epsilon, step_size}, average, {w});
}

HeldLoop* batch_passive_aggressive(State w, double margin, double epsilon, double beta, const HeldAverage* average) {
    return held(BatchPassiveAggressive{{}, weights_of(w, average), margin, epsilon, beta}, average, {w});
}

HeldLoop* arow(State w, State precision, double r, const HeldAverage* average) {
    check_lengths("AROW", w, {precision});
    return held(Arow{{}, weights_of(w, average), precision.data(), r}, average, {w, precision});
}

SquareRoot root_of(const char* whose, const State& w, const State& root) {
    if (root.shape(0) != w.shape(0) * w.shape(0))
        raise("InvalidData", std::string("the matrix of ") + whose + " is not one of its features");
    return {root.data(), w.shape(0)};
}

HeldLoop* online_ridge(State w, State root, State sums, State residual, State log_det, State largest_target,
                       bool forward) {
    check_lengths("OnlineRidge", w, {sums});
    const RidgeWeights weights{w.data(), root_of("OnlineRidge", w, root), w.shape(0), forward};
    return held(OnlineRidge{{}, weights, sums.data(), number(residual), number(log_det), number(largest_target)},
                nullptr, {w, root, sums, residual, log_det, largest_target});
}

HeldLoop* ada_grad(State w, State squares, State low, State high, State slack, double eta, bool logistic,
                   const HeldAverage* average) {
    check_lengths("AdaGrad", w, {squares, low, high});
    const AdaGrad steps{{}, weights_of(w, average), squares.data(), low.data(), high.data(), number(slack), eta};
    const std::vector<State> state{w, squares, low, high, slack};
    return logistic ? held(LogisticAdaGrad{steps}, average, state) : held(HingeAdaGrad{steps}, average, state);
}

HeldLoop* square_ada_grad(State w, State squares, State low, State high, State slack, double eta,
                          const HeldAverage* average) {
    check_lengths("AdaGrad", w, {squares, low, high});
    const AdaGrad steps{{}, weights_of(w, average), squares.data(), low.data(), high.data(), number(slack), eta};
    return held(SquareAdaGrad{steps}, average, {w, squares, low, high, slack});
}

HeldLoop* full_arow(State w, State root, State log_det, double r, const HeldAverage* average) {
    const FullArow rule{{}, weights_of(w, average), root_of("AROW", w, root), number(log_det), r};
    return held(rule, average, {w, root, log_det});
}

HeldLoop* logistic_filter(State w, State root) {
    return held(LogisticFilter{{}, {w.data(), root_of("LogisticFilter", w, root), w.shape(0)}}, nullptr, {w, root});
}

HeldLoop* naive_bayes(State w, State positive, State negative, State totals) {
    check_lengths("NaiveBayes", w, {positive, negative});
    if (totals.shape(0) != Masses::numbers) raise("InvalidData", "the totals of NaiveBayes are five numbers");
    return held(NaiveBayes{{}, {w.data(), positive.data(), negative.data(), totals.data(), w.shape(0)}}, nullptr,
                {w, positive, negative, totals});
}

template <class Rule>
HeldLoop* baseline(State w, State known, std::size_t least) {
    if (known.shape(0) < least) raise("InvalidData", "a baseline has lost what it knows");
    return held(Rule{{}, {known.data(), w.shape(0)}}, nullptr, {w, known});
}

HeldLoop* markov(State w, State known, unsigned order, double decay) {
    if (known.shape(0) != Markov::numbers(order)) raise("InvalidData", "the counts of Markov do not fit its order");
    return held(Markov{{}, {{known.data(), w.shape(0)}, order}, decay}, nullptr, {w, known});
}

HeldLoop* fixed(State w, double margin, double epsilon, bool logistic, const HeldAverage* average) {
    return held(Fixed{{}, weights_of(w, average), margin, epsilon, logistic}, average, {w});
}

// The columns a caller wants to keep, and the arrays they are written to.
struct HeldColumns {
    Columns columns;
    std::size_t count;
    std::vector<nb::ndarray<>> arrays;

    template <class Value>
    Value* attach(const std::optional<Vector<Value>>& array) {
        if (!array) return nullptr;
        if (array->shape(0) != count) raise("InvalidData", "a column is not as long as the batch");
        arrays.push_back(nb::ndarray<>(*array));
        return array->data();
    }
    HeldColumns(std::size_t count, std::optional<Vector<double>> score, std::optional<Vector<double>> loss,
                std::optional<Vector<double>> step, std::optional<Vector<std::uint8_t>> mistake,
                std::optional<Vector<std::uint8_t>> update, std::optional<Vector<std::int32_t>> shown)
        : count(count) {
        columns = {attach(score), attach(loss), attach(step), attach(mistake), attach(update), attach(shown)};
    }
    void write(std::size_t t, const Trial& trial, const Decision& decision, const Step& step,
               std::optional<int> shows) const {
        if (t < count) columns.write(t, trial, decision, step, shows.value_or(decision.sign));
    }
};

void check_width(const HeldLoop& held, const HeldBatch& batch) {
    if (batch.batch.width > held.loop->width())
        raise("InvalidData", "the batch has " + std::to_string(batch.batch.width) + " features and the state " +
                                 std::to_string(held.loop->width()));
}

void check_kind(const HeldLoop& held, const HeldOutcomes& outcomes) {
    if (!held.loop->reads(outcomes.outcomes))
        raise("InvalidData", "the outcomes are of a kind, or a class, that the loop does not know");
}

void learn(HeldLoop& held, HeldBatch& batch, const HeldOutcomes& outcomes, Ledger& ledger, const HeldColumns& columns,
           std::size_t begin, std::size_t end) {
    const std::size_t count = batch.batch.count;
    check_width(held, batch);
    if (outcomes.outcomes.count != count || columns.count != count || begin > end || end > count)
        raise("InvalidData", "rows, outcomes and columns differ in length");
    check_kind(held, outcomes);
    const auto slice = [&] { return held.loop->rows_between_signals(batch.batch); };
    const auto use = [&](const Batch& rows, std::size_t from, std::size_t to) {
        const Count before = ledger.rounds;
        try {
            held.loop->learn(rows, outcomes.outcomes, from, to, &ledger, columns.columns);
        } catch (...) {  // of one round; those before it are learned
            witness(rows, outcomes.outcomes, from, from + (ledger.rounds - before), ledger);
            throw;
        }
        witness(rows, outcomes.outcomes, from, to, ledger);
    };
    if (batch.ahead && batch.ahead->at() == begin)
        in_checked_slices_of(slice, *batch.ahead, end, use);
    else
        in_checked_slices_of(slice, batch.batch, begin, end, use);
}

// One round without the columns and the slices: the path of learn_one.
std::pair<double, int> learn_row(HeldLoop& held, HeldBatch& batch, const HeldOutcomes& outcomes, Ledger& ledger) {
    check_width(held, batch);
    if (batch.batch.count != 1 || outcomes.outcomes.count != 1)
        raise("InvalidData", "expected one row and one outcome");
    check_kind(held, outcomes);
    if (const auto fault = batch.batch.check(1)) raise_fault(*fault);
    const Round round = held.loop->learn(batch.batch, outcomes.outcomes, 0, 1, &ledger, Columns{});
    witness(batch.batch, outcomes.outcomes, 0, 1, ledger);
    return {round.score, round.sign};
}

// Score and sign of the only row of a batch.
std::pair<double, int> score_row(const HeldLoop& held, HeldBatch& batch) {
    check_width(held, batch);
    if (batch.batch.count != 1) raise("InvalidData", "expected one row");
    if (const auto fault = batch.batch.check(1)) raise_fault(*fault);
    std::vector<double> out(held.loop->scores());
    held.loop->score(batch.batch, 0, 1, out.data());
    const Round round = held.loop->verdict(out.data());
    return {round.score, round.sign};
}

bool wild(HeldBatch& batch, const HeldOutcomes& outcomes, const Ledger& ledger) {
    if (outcomes.outcomes.count != batch.batch.count) raise("InvalidData", "rows and outcomes differ in length");
    if (const auto fault = batch.batch.check(batch.batch.count)) raise_fault(*fault);
    return is_wild(batch.batch, outcomes.outcomes, ledger);
}

// Fills an array that has so many places for each row.
template <class Value, class Fill>
void fill(const HeldLoop& held, HeldBatch& batch, const Vector<Value>& out, std::size_t places, Fill fill) {
    check_width(held, batch);
    if (out.shape(0) != batch.batch.count * places)
        raise("InvalidData", "the array for the scores does not have the length of the batch times the scores per row");
    // To score takes less time than to learn: where threads may share the rows, there are enough of them to share.
    const std::size_t least = held.loop->scores_apart() ? 8 * batch.batch.block() : 1;
    in_slices(
        [&] { return std::max(least, held.loop->rows_between_signals(batch.batch)); }, 0, batch.batch.count,
        [&](std::size_t begin, std::size_t end) { return fill(*held.loop, batch.batch, begin, end, out.data()); });
}

void score(const HeldLoop& held, HeldBatch& batch, Vector<double> out) {
    fill(held, batch, out, held.loop->scores(), score_checked);
}

void judge(const HeldLoop& held, HeldBatch& batch, Vector<std::int32_t> out) {
    fill(held, batch, out, 1, judge_checked);
}

void signs(const HeldLoop& held, Vector<const double> scores, Vector<std::int8_t> out) {
    if (out.shape(0) != scores.shape(0)) raise("InvalidData", "scores and signs differ in length");
    for (std::size_t t = 0; t < scores.shape(0); ++t) out(t) = static_cast<std::int8_t>(held.loop->sign(scores(t), t));
}

}  // namespace

void bind_linear(nb::module_& m) {
    nb::class_<HeldAverage>(m, "Average", "The arrays that keep the sum of the weights over the rounds.")
        .def(nb::init<State, State, State>(), nb::arg("drift").noconvert(), nb::arg("settled").noconvert(),
             nb::arg("mass").noconvert());

    nb::class_<HeldColumns>(m, "RoundColumns", "Arrays to be filled, one value per round; None for what is not kept.")
        .def(nb::init<std::size_t, std::optional<Vector<double>>, std::optional<Vector<double>>,
                      std::optional<Vector<double>>, std::optional<Vector<std::uint8_t>>,
                      std::optional<Vector<std::uint8_t>>, std::optional<Vector<std::int32_t>>>(),
             nb::arg("count"), nb::kw_only(), nb::arg("score").noconvert().none() = nb::none(),
             nb::arg("loss").noconvert().none() = nb::none(), nb::arg("step").noconvert().none() = nb::none(),
             nb::arg("mistake").noconvert().none() = nb::none(), nb::arg("update").noconvert().none() = nb::none(),
             nb::arg("shown").noconvert().none() = nb::none())
        .def("write", &HeldColumns::write, nb::arg("t"), nb::arg("trial"), nb::arg("decision"), nb::arg("step"),
             nb::arg("shows") = nb::none());

    m.def("is_wild", &wild, nb::arg("batch"), nb::arg("outcomes"), nb::arg("totals"),
          "Whether a value, target or weight among these rows, or those before, is so large that a sum of them may be "
          "none.");

    nb::class_<HeldLoop>(m, "Loop", "A rule bound to the arrays of a state.")
        .def("learn", &learn, nb::arg("batch"), nb::arg("outcomes"), nb::arg("totals"), nb::arg("columns"),
             nb::arg("begin"), nb::arg("end"), "Learns the rows from begin to end in order.")
        .def("learn_row", &learn_row, nb::arg("batch"), nb::arg("outcomes"), nb::arg("totals"),
             "Learns the only row of a batch; returns its score and the sign that was predicted.")
        .def("score", &score, nb::arg("batch"), nb::arg("out").noconvert(), "Fills out with the scores of the rows.")
        .def("judge", &judge, nb::arg("batch"), nb::arg("out").noconvert(),
             "Fills out with the sign of each row's score, 0 for 0; of many classes the first with the largest.")
        .def("score_row", &score_row, nb::arg("batch"), "Score and predicted sign of the only row of a batch.")
        .def_prop_ro(
            "scores", [](const HeldLoop& held) { return held.loop->scores(); }, "How many scores a row has.")
        .def_prop_ro(
            "torn", [](const HeldLoop&) { return false; }, "Whether a round was begun and not ended: never.")
        .def("signs", &signs, nb::arg("scores").noconvert(), nb::arg("out").noconvert(),
             "Fills out with what would be predicted for the scores, were they those of the next rounds.");

    const auto average = nb::arg("average").none() = nb::none();
    m.def("perceptron", &perceptron, nb::kw_only(), nb::arg("w").noconvert(), nb::arg("eta"), nb::arg("tolerance"),
          average);
    m.def("randomized_perceptron", &randomized_perceptron, nb::kw_only(), nb::arg("w").noconvert(),
          nb::arg("draws").noconvert(), nb::arg("eta"), nb::arg("seed"), average);
    m.def("margin_perceptron", &margin_perceptron, nb::kw_only(), nb::arg("w").noconvert(),
          nb::arg("norm_squared").noconvert(), nb::arg("since_refresh").noconvert(), nb::arg("rho"), average);
    m.def("online_svm", &online_svm, nb::kw_only(), nb::arg("v").noconvert(), nb::arg("scale").noconvert(),
          nb::arg("rounds").noconvert(), nb::arg("eta"), nb::arg("C"), nb::arg("shrink_at_kink"), average);
    m.def(
        "passive_aggressive",
        [](State w, double margin, double epsilon, const HeldAverage* average) {
            return passive_aggressive(Projection{}, w, margin, epsilon, average);
        },
        nb::kw_only(), nb::arg("w").noconvert(), nb::arg("margin"), nb::arg("epsilon"), average);
    m.def(
        "passive_aggressive_capped",
        [](State w, double margin, double epsilon, double C, const HeldAverage* average) {
            return passive_aggressive(Capped{C}, w, margin, epsilon, average);
        },
        nb::kw_only(), nb::arg("w").noconvert(), nb::arg("margin"), nb::arg("epsilon"), nb::arg("C"), average);
    m.def(
        "passive_aggressive_relaxed",
        [](State w, double margin, double epsilon, double gamma, const HeldAverage* average) {
            return passive_aggressive(Relaxed{gamma}, w, margin, epsilon, average);
        },
        nb::kw_only(), nb::arg("w").noconvert(), nb::arg("margin"), nb::arg("epsilon"), nb::arg("gamma"), average);
    m.def("batch_passive_aggressive", &batch_passive_aggressive, nb::kw_only(), nb::arg("w").noconvert(),
          nb::arg("margin"), nb::arg("epsilon"), nb::arg("beta"), average);
    m.def("arow", &arow, nb::kw_only(), nb::arg("w").noconvert(), nb::arg("precision").noconvert(), nb::arg("r"),
          average);
    m.def("online_ridge", &online_ridge, nb::kw_only(), nb::arg("w").noconvert(), nb::arg("root").noconvert(),
          nb::arg("sums").noconvert(), nb::arg("residual").noconvert(), nb::arg("log_det").noconvert(),
          nb::arg("largest_target").noconvert(), nb::arg("forward"));
    const auto squares = nb::arg("squares").noconvert(), low = nb::arg("low").noconvert(),
               high = nb::arg("high").noconvert(), slack = nb::arg("slack").noconvert();
    m.def("ada_grad", &ada_grad, nb::kw_only(), nb::arg("w").noconvert(), squares, low, high, slack, nb::arg("eta"),
          nb::arg("logistic"), average);
    m.def("square_ada_grad", &square_ada_grad, nb::kw_only(), nb::arg("w").noconvert(), squares, low, high, slack,
          nb::arg("eta"), average);
    m.def("full_arow", &full_arow, nb::kw_only(), nb::arg("w").noconvert(), nb::arg("root").noconvert(),
          nb::arg("log_det").noconvert(), nb::arg("r"), average);
    m.def("logistic_filter", &logistic_filter, nb::kw_only(), nb::arg("w").noconvert(), nb::arg("root").noconvert());
    m.def("naive_bayes", &naive_bayes, nb::kw_only(), nb::arg("w").noconvert(), nb::arg("positive").noconvert(),
          nb::arg("negative").noconvert(), nb::arg("totals").noconvert());
    const auto w = nb::arg("w").noconvert(), known = nb::arg("known").noconvert();
    m.def(
        "majority", [](State w, State known) { return baseline<MajorityLabel>(w, known, 2); }, nb::kw_only(), w, known);
    m.def("last_label", [](State w, State known) { return baseline<LastLabel>(w, known, 1); }, nb::kw_only(), w, known);
    m.def(
        "running_mean", [](State w, State known) { return baseline<RunningMean>(w, known, 2); }, nb::kw_only(), w,
        known);
    m.def("last_value", [](State w, State known) { return baseline<LastValue>(w, known, 1); }, nb::kw_only(), w, known);
    m.def("markov", &markov, nb::kw_only(), w, known, nb::arg("order"), nb::arg("decay"));
    m.def("fixed", &fixed, nb::kw_only(), nb::arg("w").noconvert(), nb::arg("margin"), nb::arg("epsilon"),
          nb::arg("logistic"), average);
}

}  // namespace littlestone::bind
