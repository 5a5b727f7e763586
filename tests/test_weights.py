"""Importance weights: what they mean to each rule, what the ledger keeps of them, who refuses them."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, final

import numpy as np
import numpy.typing as npt
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import laws
import littlestone as ls
from littlestone import _core
from littlestone.abilities import Abilities
from littlestone.arrays import FloatArray, SignArray
from littlestone.cli.main import main
from littlestone.loop import Loop, PythonLoop
from littlestone.state import Average, State, Weights
from strategies import Stream, streams_for

WEIGHED: tuple[ls.LinearRule, ...] = (
    ls.Perceptron(eta=0.5),
    ls.Perceptron(tolerance=0.5),
    ls.RandomizedPerceptron(seed=5),
    ls.MarginPerceptron(rho=0.5),
    ls.OnlineSVM(),
    ls.OnlineSVM(eta=0.25, C=2.0, kink="shrink"),
    ls.AROW(r=0.5),
    ls.PassiveAggressive(variant="PA-I", C=0.25),
    ls.PassiveAggressive(variant="PA-II", C=0.5),
    ls.PassiveAggressive(variant="relaxed", gamma=0.7),
    ls.PassiveAggressiveRegression(variant="PA-I", C=0.25),
    ls.PassiveAggressiveRegression(variant="PA-II", C=0.25, epsilon=0.0),
    ls.Fixed(weights=np.array([1.0, -1.0])),
)
MANY: tuple[ls.LinearRule, ...] = (
    ls.MulticlassPerceptron(share="proportional"),
    ls.MulticlassPassiveAggressive(variant="PA-I", C=0.25),
    ls.MulticlassPassiveAggressive(variant="PA-II", C=0.25),
    ls.OneVersusRest(rule=ls.OnlineSVM()),
    ls.OneVersusRest(rule=ls.PassiveAggressive(variant="PA-I", C=0.25)),
)
KERNELS: tuple[ls.LinearRule, ...] = (
    ls.KernelPerceptron(kernel=ls.kernels.Polynomial(degree=2), eta=0.5),
    ls.KernelPerceptron(kernel=ls.kernels.Gaussian(), budget=3),
    ls.KernelPassiveAggressive(kernel=ls.kernels.Gaussian(), variant="PA-I", C=0.25),
    ls.KernelPassiveAggressiveRegression(kernel=ls.kernels.Laplace(), variant="PA-II", C=0.5),
)
REFUSING: tuple[ls.LinearRule, ...] = (
    ls.PassiveAggressive(),
    ls.PassiveAggressiveRegression(),
    ls.BatchPassiveAggressive(beta=0.5),
    ls.Winnow(),
    ls.SignedWinnow(),
    ls.ExponentiatedUpdate(),
    ls.MultiplicativePassiveAggressive(margin=0.2),
    ls.KernelPassiveAggressive(kernel=ls.kernels.Linear()),
    ls.MulticlassPassiveAggressive(),
    ls.OneVersusRest(rule=ls.Winnow()),
)

WEIGHT = st.one_of(st.sampled_from([0.0, 1.0, 2.0, 0.5]), st.floats(0.0, 4.0, width=16))
weighed_rule = pytest.mark.parametrize("rule", WEIGHED, ids=repr)


def classes(stream: Stream) -> Stream:
    return Stream(stream.X, np.arange(len(stream)) % 3)


@st.composite
def weighted(draw: st.DrawFn, rule: ls.LinearRule) -> tuple[Stream, FloatArray]:
    many = rule.abilities.classes
    stream = classes(draw(streams_for(ls.Perceptron()))) if many else draw(streams_for(rule))
    return stream, draw(hnp.arrays(np.float64, len(stream), elements=WEIGHT))


def learned(rule: ls.LinearRule, stream: Stream, weights: FloatArray | None) -> ls.Learner:
    learner = laws.fresh(rule)
    learner.learn_many(stream.X, stream.y, weights)
    return learner


def rows(stream: Stream, kept: npt.NDArray[np.bool_]) -> Stream:
    if isinstance(stream.y, ls.Intervals):
        y = stream.y
        ends = {"lo_open": y.lo_open[kept], "hi_open": y.hi_open[kept]}
        return Stream(stream.X[kept], ls.Intervals(y.lo[kept], y.hi[kept], **ends))
    return Stream(stream.X[kept], stream.y[kept])


# --- numbers worked by hand


def test_the_perceptron_steps_as_far_as_the_weight_says() -> None:
    run = ls.run(ls.Perceptron(eta=0.5), [[2.0]], [1], weights=[3.0], labels=(-1, 1))
    assert run.state.w.tolist() == [3.0]


def test_pa_one_may_step_further_by_the_weight() -> None:
    """ℓ/‖x‖² = 1/4 and C = 1/10: capped at C, at 2C, and not at all."""
    for weight, step in ((1.0, 0.1), (2.0, 0.2), (3.0, 0.25)):
        rule = ls.PassiveAggressive(variant="PA-I", C=0.1)
        run = ls.run(rule, [[2.0]], [1], weights=[weight], labels=(-1, 1), keep=("step",))
        assert run.columns["step"].tolist() == [step]


def test_pa_two_is_relaxed_less_by_the_weight() -> None:
    """γ = 1/(2C) = 4: ℓ/(‖x‖² + γ/w) = 1/(4 + 4/2)."""
    rule = ls.PassiveAggressive(variant="PA-II", C=0.125)
    run = ls.run(rule, [[2.0]], [1], weights=[2.0], labels=(-1, 1), keep=("step",))
    assert run.columns["step"].tolist() == [1.0 / 6.0]


def test_the_svm_multiplies_c() -> None:
    """η = ½, C = 2: η·C·3."""
    run = ls.run(ls.OnlineSVM(eta=0.5, C=2.0), [[1.0]], [1], weights=[3.0], labels=(-1, 1))
    assert run.state.w.tolist() == [3.0]


def test_the_ledger_by_hand() -> None:
    """Scores 1, −1 against targets 0 and 0: losses 1 and 1, weights 3 and ½."""
    rule = ls.Fixed(weights=[1.0], task="targets")
    ledger = ls.run(rule, [[1.0], [-1.0]], [0.0, 0.0], weights=[3.0, 0.5]).ledger
    assert (ledger.loss, ledger.weight, ledger.weighted_loss, ledger.weighted_mistakes) == (2.0, 3.5, 3.5, 3.5)
    assert (ledger.smallest_weight, ledger.largest_weight, ledger.unit_weights) == (0.5, 3.0, False)
    assert (ledger.mean_loss, ledger.weighted_mean_loss, ledger.weighted_mistake_rate) == (1.0, 1.0, 1.0)


# --- laws


def weight_zero_is_recorded_and_not_learned(rule: ls.LinearRule, stream: Stream, weights: FloatArray) -> None:
    """The state is that of the stream without the rows of weight 0; the ledger has all rounds."""
    whole, without = learned(rule, stream, weights), laws.fresh(rule)
    kept = rows(stream, weights > 0.0)
    without.learn_many(stream.X[:0], stream.y[:0])
    if len(kept):
        without.learn_many(kept.X, kept.y, weights[weights > 0.0])
    assert whole.ledger.rounds == len(stream)
    assert whole.ledger.updates == without.ledger.updates
    for name, array in whole.state.arrays.items():
        fresh = whole.rule.init(stream.width).arrays[name]
        expected = without.state.arrays[name] if len(kept) else fresh
        assert array.tobytes() == expected.tobytes(), name


@weighed_rule
@given(data=st.data())
def test_weight_zero_is_recorded_and_not_learned(rule: ls.LinearRule, data: st.DataObject) -> None:
    stream, weights = data.draw(weighted(rule))
    weight_zero_is_recorded_and_not_learned(rule, stream, weights)


def heavier(rule: ls.LinearRule, factor: float) -> ls.LinearRule:
    """The rule whose own parameter does what a weight of `factor` in every round does."""
    known = rule.parameters()
    if isinstance(known.get("rule"), ls.LinearRule):
        inner = known["rule"]
        assert isinstance(inner, ls.LinearRule)
        return ls.OneVersusRest(rule=heavier(inner, factor))
    name = next(name for name in ("C", "gamma", "eta", "r") if known.get(name) is not None)
    value = known[name]
    assert isinstance(value, float)
    return laws.call(type(rule), **{**known, name: value / factor if name in ("gamma", "r") else value * factor})


def one_weight_is_a_parameter(rule: ls.LinearRule, stream: Stream) -> None:
    """The same weight in every round is another C, γ or η, bit for bit (for powers of two)."""
    for factor in (0.25, 2.0, 8.0):
        weighed = learned(rule, stream, np.full(len(stream), factor))
        plain = learned(heavier(rule, factor), stream, None)
        for name, array in weighed.state.arrays.items():
            assert array.tobytes() == plain.state.arrays[name].tobytes(), name
        assert weighed.ledger.weighted_loss == pytest.approx(factor * weighed.ledger.loss, rel=1e-12)


PARAMETRIC = tuple(rule for rule in (*WEIGHED, *MANY) if not isinstance(rule, ls.MarginPerceptron | ls.Fixed))


@pytest.mark.parametrize("rule", PARAMETRIC, ids=repr)
@given(data=st.data())
def test_one_weight_is_a_parameter(rule: ls.LinearRule, data: st.DataObject) -> None:
    one_weight_is_a_parameter(rule, data.draw(weighted(rule))[0])


@pytest.mark.parametrize("rule", [*WEIGHED, *MANY], ids=repr)
@given(data=st.data())
def test_one_by_one_in_parts_and_whole(rule: ls.LinearRule, data: st.DataObject) -> None:
    stream, weights = data.draw(weighted(rule))
    whole, single, parts = learned(rule, stream, weights), laws.fresh(rule), laws.fresh(rule)
    for (x, y), weight in zip(stream.rounds(), weights.tolist(), strict=True):
        single.learn_one(x, y, weight)
    cut = data.draw(st.integers(0, len(stream)))
    for part, own in ((stream.part(0, cut), weights[:cut]), (stream.part(cut, len(stream)), weights[cut:])):
        parts.learn_many(part.X, part.y, own)
    laws.same(whole, single)
    laws.same(whole, parts)
    run = ls.run(rule, stream.X, stream.y, weights=weights, labels=laws.pair_of(rule), average=True)
    laws.same(whole, run.learner)


@weighed_rule
@given(data=st.data())
def test_kernel_equals_definition(rule: ls.LinearRule, data: st.DataObject) -> None:
    stream, weights = data.draw(weighted(rule))
    made: list[tuple[State, _core.Totals]] = []
    for loop_of in (rule.loop, lambda state, sums: PythonLoop(rule, state, sums)):
        state, totals = rule.init(stream.width), _core.Totals()
        outcomes = stream.outcomes.weighted(weights)
        loop_of(state, Average.of(stream.width)).learn(
            _core.dense_batch(stream.X), outcomes, totals, _core.RoundColumns(len(stream)), 0, len(stream)
        )
        made.append((state, totals))
    (compiled, totals), (defined, expected) = made
    assert repr(totals.parts()) == repr(expected.parts())
    for name, array in compiled.arrays.items():
        assert array.tobytes() == defined.arrays[name].tobytes(), name


@pytest.mark.parametrize("rule", [*WEIGHED, *MANY, *REFUSING], ids=repr)
def test_weights_of_one_change_nothing(rule: ls.LinearRule) -> None:
    source = np.random.default_rng(8)
    stream = Stream(source.uniform(0.1, 1.0, size=(40, 4)), np.where(source.normal(size=40) > 0, 1, -1))
    if rule.abilities.classes:
        stream = classes(stream)
    elif not rule.abilities.labels:
        stream = Stream(stream.X, stream.signs.astype(float))
    laws.same(learned(rule, stream, None), learned(rule, stream, np.ones(40)))


@pytest.mark.parametrize("rule", KERNELS, ids=repr)
@settings(max_examples=20)
@given(data=st.data())
def test_a_weight_means_the_same_in_the_space_of_a_kernel(rule: ls.LinearRule, data: st.DataObject) -> None:
    """The compiled loop and the definition agree on weighted streams, to the rounding of the kernel."""
    stream, weights = data.draw(weighted(rule))
    made = []
    for compiled_too in (True, False):
        state, totals = rule.init(stream.width), _core.Totals()
        columns, outcomes = _core.RoundColumns(len(stream)), stream.outcomes.weighted(weights)
        loop = rule.loop(state, None) if compiled_too else PythonLoop(rule, state, None)
        loop.learn(_core.dense_batch(stream.X), outcomes, totals, columns, 0, len(stream))
        made.append((state.arrays, totals))
    (compiled, totals), (defined, expected) = made
    assert (totals.updates, totals.mistakes, totals.extra_weight) == (
        expected.updates,
        expected.mistakes,
        expected.extra_weight,
    )
    for name, array in compiled.items():
        np.testing.assert_allclose(array, defined[name], rtol=1e-12, err_msg=name)


def test_the_linear_kernel_weighs_as_the_linear_rule() -> None:
    X, y, weights = np.eye(3)[[0, 1, 0, 2]], [1, -1, -1, 1], np.array([2.0, 0.5, 3.0, 0.0])
    kernel = ls.run(ls.KernelPerceptron(kernel=ls.kernels.Linear()), X, y, weights=weights)
    linear = ls.run(ls.Perceptron(), X, y, weights=weights)
    assert kernel.learner.score_many(np.eye(3)).tolist() == linear.state.w.tolist() == [-1.0, -0.5, 0.0]
    assert kernel.ledger.weighted_mistakes == linear.ledger.weighted_mistakes


@pytest.mark.parametrize("rule", [*WEIGHED, *MANY, *KERNELS], ids=repr)
@given(data=st.data())
def test_the_ledger_is_the_weighted_sum(rule: ls.LinearRule, data: st.DataObject) -> None:
    stream, weights = data.draw(weighted(rule))
    learner = laws.fresh(rule)
    kept = learner.learn_many(stream.X, stream.y, weights, keep=("loss", "mistake"))
    loss, mistake, ledger = kept["loss"].astype(float), kept["mistake"].astype(bool), learner.ledger
    for total, terms in (
        (ledger.weight, weights),
        (ledger.weighted_loss, weights * loss),
        (ledger.weighted_mistakes, weights[mistake]),
    ):
        assert total == pytest.approx(math.fsum(terms.tolist()), rel=1e-15, abs=1e-30 * float(np.sum(loss) + len(stream)))
    assert ledger.largest_weight == max(1.0, float(weights.max()))
    assert ledger.smallest_weight == min(1.0, float(weights.min()))


def test_a_small_weight_counts_beside_a_large_loss_and_beside_many_rounds() -> None:
    """A round that counts for nothing once took the loss of the others along, and small weights were lost in their sum."""
    rule = ls.KernelPerceptron(kernel=ls.kernels.Polynomial(degree=2))
    X, y = np.array([[1e8], [1.0], [1e8]]), ls.Intervals([1.0] * 3, [1.0] * 3)
    kept = (learner := ls.Learner(rule)).learn_many(X, y, np.array([1.0, 0.0, 0.0]), keep=("loss",))
    assert kept["loss"].max() > 1e15
    assert learner.ledger.weighted_loss == kept["loss"][0] == 1.0
    few = ls.run(ls.Perceptron(), np.eye(3)[[0, 1, 0, 2]], [1, -1, -1, 1], weights=np.full(4, 1e-20)).ledger
    assert few.weight == pytest.approx(4e-20)
    assert few.weighted_mistakes == pytest.approx(4e-20)


# --- mutants


class _Perceptron(ls.LinearRule):
    source: ClassVar[str] = "a mutant"
    abilities = Abilities(takes_weights=True)
    eta: ClassVar[float] = 1.0

    def init(self, width: int) -> Weights:
        return Weights(w=np.zeros(width))

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        return _core.Interval.open_half_line(label)

    def factor(self, trial: _core.Trial) -> float:
        return trial.weight

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        if trial.side == 0:
            return _core.Step.stay()
        row.add_to(state.w, trial.side * self.factor(trial))
        return _core.Step.by(trial.side * self.factor(trial))


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Honest(_Perceptron):
    """The control."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class DeafToWeights(_Perceptron):
    def factor(self, trial: _core.Trial) -> float:
        return 1.0


@final
class _UnitLoop:
    """Forgets the weights before the round begins, so that a weight of 0 is learned from."""

    torn = False

    def __init__(self, rule: ls.LinearRule, state: State, average: Average | None) -> None:
        self._inner = PythonLoop(rule, state, average)

    def learn(
        self,
        batch: _core.Batch,
        outcomes: _core.Outcomes,
        totals: _core.Totals,
        columns: _core.RoundColumns,
        begin: int,
        end: int,
    ) -> None:
        self._inner.learn(batch, outcomes.weighted(np.ones(len(outcomes))), totals, columns, begin, end)

    def learn_row(self, batch: _core.Batch, outcomes: _core.Outcomes, totals: _core.Totals) -> tuple[float, int]:
        return self._inner.learn_row(batch, outcomes, totals)

    def score(self, batch: _core.Batch, out: FloatArray) -> None:
        self._inner.score(batch, out)

    def score_row(self, batch: _core.Batch) -> tuple[float, int]:
        return self._inner.score_row(batch)

    def signs(self, scores: FloatArray, out: SignArray) -> None:
        self._inner.signs(scores, out)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class LearnsFromNothing(_Perceptron):
    def loop(self, state: State, average: Average | None) -> Loop:
        return _UnitLoop(self, state, average)


_SOURCE = np.random.default_rng(2)
STREAM = Stream(_SOURCE.normal(size=(40, 4)), np.where(_SOURCE.normal(size=40) > 0, 1, -1))
SOME = _SOURCE.choice([0.0, 1.0, 2.0], size=40)


def with_zeros(rule: ls.LinearRule, stream: Stream) -> None:
    weight_zero_is_recorded_and_not_learned(rule, stream, SOME)


def twice_as_far(rule: ls.LinearRule, stream: Stream) -> None:
    """A Perceptron with weight 2 in every round has twice the weights."""
    double, single = learned(rule, stream, np.full(len(stream), 2.0)), learned(rule, stream, None)
    assert (double.state.w == 2.0 * single.state.w).all()


@pytest.mark.parametrize(
    ("law", "mutant"), [(with_zeros, LearnsFromNothing()), (twice_as_far, DeafToWeights())], ids=["zeros", "twice"]
)
def test_law_catches_mutant(law: Callable[[ls.LinearRule, Stream], None], mutant: ls.LinearRule) -> None:
    law(Honest(), STREAM)
    law(ls.Perceptron(), STREAM)
    with pytest.raises(AssertionError):
        law(mutant, STREAM)


# --- who refuses


@pytest.mark.parametrize("rule", REFUSING, ids=repr)
def test_a_rule_that_gives_weights_no_meaning_says_so(rule: ls.LinearRule) -> None:
    X = np.random.default_rng(0).uniform(0.1, 1.0, size=(5, 3))
    y = np.array([0.0, 1.0, 0.0, 1.0, 1.0])
    learner = laws.fresh(rule) if not rule.abilities.labels else ls.Learner(rule, labels=(0, 1), average=True)
    learner.learn_many(X, y)
    before = laws.fingerprint(learner)
    words = (
        r"row 2: the weight is 2; .* gives weights no meaning: learn by the Perceptrons, AROW, OnlineSVM, .*, or ignore them"
    )
    with pytest.raises(ls.NotApplicable, match=words):
        learner.learn_many(X, y, [1.0, 1.0, 2.0, 1.0, 1.0])
    with pytest.raises(ls.NotApplicable, match=r"row 0: the weight is 0\.5"):
        learner.learn_one(X[0], y[0].item(), weight=0.5)
    assert laws.fingerprint(learner) == before
    learner.learn_one(X[0], y[0].item(), weight=1.0)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1.0, float("nan")], "row 1: the weight is nan; weights must be finite, at least 0 and at most 1e50"),
        ([1.0, -0.5], "row 1: the weight is -0.5; weights must be"),
        ([float("inf"), 1.0], "row 0: the weight is inf; weights must be"),
        ([1e200, 1.0], r"row 0: the weight is 1e\+200; weights must be"),
        ([1.0], "there are 1 weights and 2 outcomes"),
        ([[1.0, 1.0]], "the weights have 2 dimensions"),
        (["a", "b"], "the weights are not numbers"),
        ([None, object()], "the weights are not numbers"),
    ],
)
def test_malformed_weights_are_refused(weights: object, words: str) -> None:
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    learner.learn_many([[1.0], [2.0]], [1, -1])
    before = laws.fingerprint(learner)
    with pytest.raises(ls.InvalidData, match=words):
        laws.call(learner.learn_many, [[1.0], [2.0]], [1, -1], weights)
    assert laws.fingerprint(learner) == before


@pytest.mark.parametrize("weight", [float("nan"), -1.0, float("inf"), "many"])
def test_a_malformed_weight_is_refused(weight: object) -> None:
    learner = ls.Learner(ls.Perceptron(), labels=("a", "b"))
    learner.learn_one({"x": 1.0}, "a")
    before = laws.fingerprint(learner)
    with pytest.raises(ls.InvalidData, match="the weight"):
        laws.call(learner.learn_one, {"y": 1.0}, "b", weight)
    assert laws.fingerprint(learner) == before


def test_dicts_take_weights_in_between() -> None:
    """The short way of dicts and the long way of weights are one loop."""
    records: list[dict[str | int, float]] = [{"a": 1.0}, {"b": 2.0}, {"a": 1.0, "b": -1.0}] * 5
    labels, weights = ["x", "y", "x"] * 5, [1.0, 2.0, 1.0, 0.0, 1.0] * 3
    whole, single = (ls.Learner(ls.Perceptron(), labels=("x", "y"), average=True) for _ in range(2))
    whole.learn_many(records, labels, weights)
    for record, label, weight in zip(records, labels, weights, strict=True):
        single.predict_one(record)
        single.learn_one(record, label, weight)
    laws.same(whole, single)


# --- theorems


def test_theorems_are_unproved_where_a_weight_is_not_one() -> None:
    weights = np.ones(len(STREAM))
    proved = ls.run(ls.Perceptron(), STREAM.X, STREAM.y, weights=weights, labels=(-1, 1)).certify(against=np.ones(4))
    assert any(certificate.verdict is not ls.Verdict.UNPROVED for certificate in proved)
    weights[7] = 2.0
    run = ls.run(ls.Perceptron(), STREAM.X, STREAM.y, weights=weights, labels=(-1, 1))
    for against in (None, np.ones(4), "best"):
        for certificate in run.certify(against=against):
            assert certificate.verdict is ls.Verdict.UNPROVED
            assert [check.words for check in certificate.assumptions if check.met is False][-1] == "every round has weight 1"
    with pytest.raises(ls.NotApplicable, match="weights other than 1"):
        ls.run(ls.Perceptron(), STREAM.X, STREAM.y, weights=weights, labels=(-1, 1), audit=True)
    assert not ls.run(ls.Perceptron(), STREAM.X, STREAM.y, weights=np.zeros(40), labels=(-1, 1)).ledger.unit_weights


# --- files

VW = b"1 2.0 | a b:0.5\n-1 | b\n1 0.5 | a:2\n-1 0 | a b\n"


def test_learning_from_a_file_goes_by_its_weights() -> None:
    learner = ls.Learner(ls.Perceptron(), labels=(-1.0, 1.0))
    for X, y in ls.read(io.BytesIO(VW), format="vw", bits=8):
        assert X.weights is not None
        learner.learn_many(X, y)
    assert (learner.ledger.weight, learner.ledger.largest_weight, learner.ledger.smallest_weight) == (3.5, 2.0, 0.0)
    given_weights = ls.Learner(ls.Perceptron(), labels=(-1.0, 1.0))
    ignored = ls.Learner(ls.PassiveAggressive(), labels=(-1.0, 1.0))
    for X, y in ls.read(io.BytesIO(VW), format="vw", bits=8):
        given_weights.learn_many(X, y, [2.0, 1.0, 0.5, 0.0])
        with pytest.raises(
            ls.NotApplicable, match=r"row 0: the weight is 2; PassiveAggressive\(variant=\"PA\"\) gives weights"
        ):
            ignored.learn_many(X, y)
        ignored.learn_many(X, y, np.ones(len(y)))
    laws.same(learner, given_weights)
    assert ignored.ledger.unit_weights


def test_the_command_line_goes_by_weights_or_ignores_them(tmp_path: Path) -> None:
    (tmp_path / "t.vw").write_bytes(VW)
    call = ["learn", str(tmp_path / "t.vw"), "--json", "--quiet", "--rule"]
    weighed = CliRunner().invoke(main, [*call, "perceptron"])
    assert weighed.exit_code == 0
    assert '"largest_weight": 2.0' in weighed.stdout
    refused = CliRunner().invoke(main, [*call, "passive-aggressive"])
    assert refused.exit_code == 1
    assert "--ignore-weights" in refused.stderr
    ignored = CliRunner().invoke(main, [*call, "passive-aggressive", "--ignore-weights"])
    assert ignored.exit_code == 0
    assert '"largest_weight": 1.0' in ignored.stdout


def test_a_model_file_keeps_the_weighted_totals(tmp_path: Path) -> None:
    learner = learned(ls.Perceptron(), STREAM, SOME)
    learner.save(tmp_path / "m.lst")
    laws.same(learner, ls.load(tmp_path / "m.lst"))
    assert ls.load(tmp_path / "m.lst").ledger == learner.ledger
