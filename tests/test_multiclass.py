"""Rules of many classes: numbers worked by hand, laws, mutants, theorems."""

from __future__ import annotations

import math
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import ClassVar, final

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import laws
import littlestone as ls
from inventory import GAUSSIAN, LAPLACE, OWN, QUADRATIC, asked, gaussian, short
from inventory import MULTICLASS as RULES
from littlestone import _core, kernels, linear
from littlestone.arrays import FloatArray
from littlestone.kernels import KernelRule, Support
from littlestone.kernels.functions import Points, self_value
from littlestone.loop import Loop, PythonLoop
from littlestone.multiclass.class_states import ClassStates
from littlestone.multiclass.prototypes import Prototypes
from littlestone.multiclass.rule import MulticlassRule
from littlestone.multiclass.support_sets import SupportSets
from littlestone.state import Average, State, Weights
from littlestone.theory.audit import audit
from littlestone.theory.guarantee import within
from littlestone.theory.multiclass import GUARANTEES, moments
from strategies import POSITIVE, Stream, dense, integer, matrices, sparse

NATIVE = tuple(rule for rule in RULES if not isinstance(rule, ls.OneVersusRest))
REST = tuple(rule for rule in RULES if isinstance(rule, ls.OneVersusRest))
EXPONENTIAL = tuple(rule for rule in REST if "theta" in rule.init(2).arrays)
BITWISE = tuple(rule for rule in RULES if rule not in EXPONENTIAL)
"""Rules made of + − × ÷ √, whose compiled loop and definition agree to the last bit."""

KERNEL = tuple(rule for rule in REST if isinstance(rule.rule, KernelRule))
DEFINED = tuple(rule for rule in KERNEL if rule.compiled_loop(rule.init(1), None) is None)
"""Rules of a kernel in Python, which run by their definition alone."""


every_rule = pytest.mark.parametrize("rule", RULES, ids=short)
every_compiled_rule = pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in DEFINED], ids=short)
native_rule = pytest.mark.parametrize("rule", NATIVE, ids=repr)


@st.composite
def streams(draw: st.DrawFn, rows: st.SearchStrategy[FloatArray] = matrices, classes: int = 4) -> Stream:
    """Rows of up to so many classes."""
    X = draw(rows)
    return Stream(X, draw(hnp.arrays(np.int64, len(X), elements=st.integers(0, classes - 1))))


def codes(stream: Stream) -> npt.NDArray[np.int32]:
    """The classes by the order in which they come."""
    table: dict[int, int] = {}
    return np.array([table.setdefault(int(y), len(table)) for y in stream.signs], dtype=np.int32)


# --- numbers worked by hand


def test_the_three_shares_of_the_perceptron() -> None:
    """Scores (3, 1, 2, 0) with the true class 1: in error are 0 and 2, which lead by 2 and 1."""
    start = np.array([[3.0], [1.0], [2.0], [0.0]])
    expected = {"uniform": [2.5, 2.0, 1.5, 0.0], "max": [2.0, 2.0, 2.0, 0.0], "proportional": [7 / 3, 2.0, 5 / 3, 0.0]}
    for share, weights in expected.items():
        rule = laws.call(ls.MulticlassPerceptron, share=share)
        state = rule.init(1).with_classes(4)
        state.arrays["w"][:], state.met[0] = start.ravel(), 4.0
        batch, outcome = _core.dense_batch(np.ones((1, 1))), _core.one_class(1)
        assert rule.loop(state, None).learn_row(batch, outcome, _core.Totals()) == (-2.0, 0)
        assert state.w.ravel().tolist() == pytest.approx(weights, abs=1e-15)


def test_a_tie_is_an_error_and_shared_equally() -> None:
    run = ls.run(ls.MulticlassPerceptron(share="proportional"), [[2.0]], ["b"], labels=("a", "b", "c"))
    assert run.state.w.ravel().tolist() == [-1.0, 2.0, -1.0]
    assert (run.ledger.mistakes, run.ledger.updates, run.ledger.smallest_margin) == (1, 1, 0.0)


def test_pa_leads_by_the_margin_after_an_update() -> None:
    """‖x‖² = 25, ℓ = 1, τ = 1/50: scores ½ and −½."""
    run = ls.run(ls.MulticlassPassiveAggressive(), [[3.0, 4.0]], [1], labels=(0, 1))
    assert run.state.w.tolist() == [[-0.06, -0.08], [0.06, 0.08]]
    assert run.ledger.loss == 1.0


def test_pa_one_and_two() -> None:
    one = ls.run(ls.MulticlassPassiveAggressive(variant="PA-I", C=0.01), [[3.0, 4.0]], [1], labels=(0, 1), keep=("step",))
    assert one.columns["step"].tolist() == [0.01]
    two = ls.run(ls.MulticlassPassiveAggressive(variant="PA-II", C=0.01), [[3.0, 4.0]], [1], labels=(0, 1), keep=("step",))
    assert two.columns["step"].tolist() == [1.0 / (50.0 + 50.0)]


def test_an_empty_row_cannot_be_helped() -> None:
    run = ls.run(ls.MulticlassPassiveAggressive(), [[0.0]], ["a"], labels=("a", "b"))
    assert (run.ledger.impossible, run.ledger.updates, run.ledger.mistakes) == (1, 0, 1)


def test_before_any_class_there_is_nothing_to_predict() -> None:
    learner = ls.Learner(ls.MulticlassPerceptron())
    assert learner.predict_one([1.0]) is None
    assert learner.predict_many([[1.0], [2.0]]).tolist() == [None, None]
    assert learner.score_many([[1.0]]).shape == (1, 0)
    assert learner.scores_one([1.0]) == {}
    assert learner.learn_one([1.0], "a") is None
    assert learner.learn_one([1.0], "b") == "a"
    assert learner.ledger.mistakes == 2


def test_given_labels_are_there_before_they_are_met() -> None:
    learner = ls.Learner(ls.MulticlassPerceptron(), labels=("x", "y", "z"))
    assert learner.predict_one([1.0]) == "x"
    assert learner.learn_one([1.0], "z") == "x"
    assert learner.scores_one([1.0]) == {"x": -0.5, "y": -0.5, "z": 1.0}
    learner.learn_one([1.0], "later")
    assert learner.labels == ("x", "y", "z", "later")


def test_labels_of_any_kind() -> None:
    learner = ls.Learner(ls.MulticlassPerceptron(), labels=("a", 1, 2.5))  # a fraction has to be announced
    odd: list[object] = ["a", 1, 2.5, (3, 4), True]
    learner.learn_many(np.eye(5), laws.call(list, odd))
    assert learner.labels == ("a", 1, 2.5, (3, 4))  # True is 1
    assert learner.predict_one(np.eye(5)[3]) == (3, 4)


@pytest.mark.parametrize("bad", [None, float("nan"), [1], np.array([1, 2])])
def test_what_is_no_label_is_refused(bad: object) -> None:
    learner = ls.Learner(ls.MulticlassPerceptron())
    learner.learn_many([[1.0], [2.0]], ["a", "b"])
    before = laws.fingerprint(learner)
    with pytest.raises(ls.InvalidData, match="row 0: the label is"):
        laws.call(learner.learn_one, [1.0], bad)
    with pytest.raises(ls.InvalidData, match="row 1: the label is"):
        laws.call(learner.learn_many, [[1.0], [1.0]], ["c", bad])
    assert laws.fingerprint(learner) == before


def test_a_label_twice_is_refused() -> None:
    with pytest.raises(ls.InvalidParameter, match="each label must be there once"):
        ls.Learner(ls.MulticlassPerceptron(), labels=("a", "b", "a"))


def test_every_binary_rule_is_tried_against_the_rest() -> None:
    binary = {rule for rule in (*linear.RULES, *kernels.RULES) if not rule.__name__.endswith("Regression")}
    assert {type(rule.rule) for rule in REST} == binary - {ls.OnlineRidge, ls.RunningMean, ls.LastValue}


def test_one_versus_rest_wants_a_binary_linear_rule() -> None:
    for bad in (
        ls.PassiveAggressiveRegression(),
        ls.MulticlassPerceptron(),
        ls.Pool(),
        ls.Pool(costs=(2.0, 1.0)),
        ls.Uniclass(epsilon=1.0),
        3.0,
    ):
        with pytest.raises(ls.InvalidParameter, match="rule must be a rule of two labels, such as"):
            laws.call(ls.OneVersusRest, rule=bad)


def test_fixed_prototypes_have_names() -> None:
    rule = ls.MulticlassFixed(weights=[[1.0, 0.0], [0.0, 1.0]])
    with pytest.raises(ls.InvalidParameter, match="has weights for 2 classes and there are 1 labels; name them by labels="):
        ls.Learner(rule, labels=("a",))
    learner = ls.Learner(rule, labels=("a", "b"))
    assert learner.learn_one([1.0, 2.0], "a") == "b"
    assert (learner.ledger.loss, learner.ledger.mistakes) == (2.0, 1)
    stream = Stream(np.array([[1.0, 2.0], [3.0, 1.0]]), np.array([0, 1]))
    kernel_equals_definition(rule, stream)


def test_targets_are_no_classes() -> None:
    with pytest.raises(ls.NotApplicable, match="the outcomes are intervals; MulticlassPerceptron learns classes"):
        ls.Learner(ls.MulticlassPerceptron()).learn_one([1.0], ls.Intervals(0.0, 1.0))


def test_weights_by_class_and_feature() -> None:
    learner = ls.Learner(ls.MulticlassPerceptron(share="max"))
    learner.learn_many([{"u": 1.0}, {"v": 2.0}], ["a", "b"])
    assert learner.weights_of("b") == {"v": 2.0}
    assert learner.weights_of("a") == {"v": -2.0}
    with pytest.raises(ls.NotApplicable, match="there is no class 'c'"):
        learner.weights_of("c")
    with pytest.raises(ls.NotApplicable, match="see weights_of"):
        _ = learner.weights


# --- the same loop, however it is called


@every_rule
@pytest.mark.parametrize("law", asked("many classes"), ids=lambda law: law.__name__)
@given(data=st.data())
def test_law(law: laws.Law, rule: MulticlassRule, data: st.DataObject) -> None:
    law(rule, data.draw(streams()))


@pytest.mark.parametrize("rule", [rule for rule in BITWISE if not rule.init(2).arrays.get("w", np.zeros(1)).any()], ids=short)
@given(data=st.data())
def test_dicts_equal_arrays(rule: MulticlassRule, data: st.DataObject) -> None:
    laws.dicts_equal_arrays(rule, data.draw(streams()))


def no_update_moves_no_byte(rule: MulticlassRule, stream: Stream) -> None:
    learner = ls.Learner(rule, labels=(0, 1, 2, 3))
    for x, y in stream.rounds():
        before, updates = learner.state.copy(), learner.ledger.updates
        learner.learn_one(x, y)
        if learner.ledger.updates == updates and learner.ledger.rounds > 1:
            for name, array in learner.state.arrays.items():
                assert name in laws.COUNTERS or array.tobytes() == before.arrays[name].tobytes(), name


@every_rule
@given(data=st.data())
def test_no_update_moves_no_byte(rule: MulticlassRule, data: st.DataObject) -> None:
    no_update_moves_no_byte(rule, data.draw(streams()))


def scoring_is_pure(rule: ls.LinearRule, stream: Stream) -> None:
    learner = laws.learned(rule, stream)
    before = laws.fingerprint(learner)
    scores = learner.score_many(stream.X)
    for x, row, label in zip(stream.X, scores, learner.predict_many(stream.X).tolist(), strict=True):
        assert list(learner.scores_one(x).values()) == row.tolist()
        assert learner.score_one(x) == row.max()
        assert learner.predict_one(x) == label == learner.labels[int(np.argmax(row))]
    assert laws.fingerprint(learner) == before


@every_rule
@given(data=st.data())
def test_scoring_is_pure(rule: MulticlassRule, data: st.DataObject) -> None:
    scoring_is_pure(rule, data.draw(streams()))


@final
@dataclass(frozen=True, eq=False)
class Seen:
    """What a loop leaves behind on a stream."""

    state: ClassStates
    totals: _core.Totals
    numbers: tuple[FloatArray, ...]
    shown: list[int]
    average: Average | None
    heaviest: float


def observed(make: Callable[[ClassStates, Average | None], Loop | None], rule: MulticlassRule, stream: Stream) -> Seen:
    numbers, count = codes(stream), len(stream)
    state = rule.init(stream.width).with_classes(max(int(numbers.max()) + 1, rule.init(stream.width).count))
    score, loss, step, shown = np.zeros(count), np.zeros(count), np.zeros(count), np.zeros(count, dtype=np.int32)
    columns = _core.RoundColumns(count, score=score, loss=loss, step=step, shown=shown)
    average = Average.of(state.width, state.rows) if rule.abilities.averages else None
    totals, loop = _core.Totals(), make(state, average)
    assert loop is not None
    batch, outcomes, heaviest = _core.dense_batch(stream.X), _core.classes(numbers), 0.0
    for t in range(count):
        loop.learn(batch, outcomes, totals, columns, t, t + 1)
        rows = [] if average is None else [np.abs(state.row(k).w).max(initial=0.0) for k in state.in_use]
        heaviest = max(heaviest, *(float(weight) for weight in rows), 0.0)
    return Seen(state, totals, (score, loss, step), shown.tolist(), average, heaviest)


def same_sums(left: Seen, right: Seen) -> None:
    """The sums of the weights over the rounds, of all rows; a sum is as exact as what was added up is large."""
    if left.average is None or right.average is None:
        return
    lazy, outright = left.average.total(left.state), right.average.total(right.state)
    assert np.abs(lazy - outright).max(initial=0.0) <= 1e-9 * (1.0 + len(left.shown) * right.heaviest)


def kernel_equals_definition(rule: MulticlassRule, stream: Stream) -> None:
    """The compiled loop and the Python under the docstring leave the same bits (the averages: the same sums)."""
    compiled, defined = observed(rule.compiled_loop, rule, stream), observed(partial(PythonLoop, rule), rule, stream)
    same_sums(compiled, defined)
    for left, right in zip(compiled.numbers, defined.numbers, strict=True):
        assert left.tobytes() == right.tobytes()
    assert compiled.shown == defined.shown
    for name, array in compiled.state.arrays.items():
        assert array.tobytes() == defined.state.arrays[name].tobytes(), name
    assert repr(compiled.totals.parts()) == repr(defined.totals.parts())


@pytest.mark.parametrize("rule", [rule for rule in BITWISE if rule not in DEFINED], ids=short)
@given(data=st.data())
def test_kernel_equals_definition(rule: MulticlassRule, data: st.DataObject) -> None:
    kernel_equals_definition(rule, data.draw(streams()))


@pytest.mark.parametrize("rule", EXPONENTIAL, ids=repr)
def test_kernel_is_near_the_definition_where_powers_are_taken(rule: MulticlassRule) -> None:
    source = np.random.default_rng(5)
    stream = Stream(source.normal(size=(60, 7)), source.integers(0, 4, size=60))
    compiled, defined = observed(rule.compiled_loop, rule, stream), observed(partial(PythonLoop, rule), rule, stream)
    same_sums(compiled, defined)
    np.testing.assert_allclose(compiled.state.w, defined.state.w, rtol=1e-10, atol=1e-12)
    assert compiled.shown == defined.shown


def test_a_rule_in_python_alone_has_a_learner_a_class() -> None:
    """No kernel, the same bits: the compiled learners side by side are the definition."""
    stream = Stream(np.random.default_rng(1).normal(size=(50, 4)), np.random.default_rng(2).integers(0, 3, size=50))
    mine, theirs = (laws.learned(ls.OneVersusRest(rule=rule), stream) for rule in (PlainPerceptron(), ls.Perceptron()))
    same_but_lazily(mine, theirs)


def same_but_lazily(mine: ls.Learner, theirs: ls.Learner) -> None:
    """The same bits, and the same mean, which one of them sums up outright."""
    laws.same(mine, theirs, but={"average"})
    np.testing.assert_allclose(mine.averaged().state.w, theirs.averaged().state.w, rtol=1e-12, atol=1e-12)


# --- two classes are the binary rule


def signs_of(stream: Stream) -> Stream:
    return Stream(stream.X, np.where(stream.signs > 0, 1, -1))


def of_class(learner: ls.Learner, k: int) -> State:
    state = learner.state
    assert isinstance(state, ClassStates)
    return state.of_class(k)


def same_arrays(left: State, right: State) -> None:
    assert left.arrays.keys() == right.arrays.keys()
    for name, array in left.arrays.items():
        assert array.tobytes() == right.arrays[name].tobytes(), name


def two_classes_are_binary(rule: MulticlassRule, binary: ls.LinearRule, stream: Stream) -> None:
    """The learner of the second class is the binary rule; of a native rule the first class has its negatives."""
    two = Stream(stream.X, stream.signs % 2)
    many = ls.Learner(rule, labels=(0, 1))
    kept = many.learn_many(two.X, two.y, keep=laws.KEPT)
    plain = ls.Learner(binary, labels=(0, 1))
    expected = plain.learn_many(two.X, two.y, keep=laws.KEPT)
    if isinstance(rule, ls.OneVersusRest):
        same_arrays(of_class(many, 1), plain.state)
    else:
        assert many.state.w[1].tobytes() == plain.state.w.tobytes()
        assert (many.state.w[0] == -plain.state.w).all()
        assert kept["update"].tolist() == expected["update"].tolist()
        assert kept["mistake"].tolist() == expected["mistake"].tolist()
        assert many.predict_many(two.X).tolist() == [plain.labels[int(s > 0)] for s in plain.score_many(two.X)]


NATIVE_AND_BINARY: tuple[tuple[MulticlassRule, ls.LinearRule], ...] = (
    (ls.MulticlassPerceptron(), ls.Perceptron()),
    (ls.MulticlassPerceptron(share="max", eta=0.3), ls.Perceptron(eta=0.3)),
    (ls.MulticlassPerceptron(share="proportional"), ls.Perceptron()),
    (ls.MulticlassPassiveAggressive(), ls.PassiveAggressive(margin=0.5)),
    (ls.MulticlassPassiveAggressive(margin=0.7), ls.PassiveAggressive(margin=0.35)),
    (ls.MulticlassPassiveAggressive(variant="PA-I", C=0.1), ls.PassiveAggressive(variant="PA-I", C=0.1, margin=0.5)),
    (ls.MulticlassPassiveAggressive(variant="PA-II", C=0.1), ls.PassiveAggressive(variant="PA-II", C=0.2, margin=0.5)),
)


@pytest.mark.parametrize(("rule", "binary"), NATIVE_AND_BINARY, ids=repr)
@given(data=st.data())
def test_two_classes_are_the_binary_rule(rule: MulticlassRule, binary: ls.LinearRule, data: st.DataObject) -> None:
    two_classes_are_binary(rule, binary, data.draw(streams(st.one_of(integer, sparse, dense))))


@pytest.mark.parametrize("rule", REST, ids=short)
@given(data=st.data())
def test_of_two_classes_the_second_is_the_binary_rule(rule: ls.OneVersusRest, data: st.DataObject) -> None:
    two_classes_are_binary(rule, rule.rule, data.draw(streams()))


MIRRORED: tuple[ls.LinearRule, ...] = (
    ls.Perceptron(),
    ls.MarginPerceptron(rho=0.5),
    ls.OnlineSVM(),
    ls.PassiveAggressive(variant="PA-I", C=0.1),
    ls.KernelPerceptron(kernel=GAUSSIAN, budget=3, when_full="drop-oldest"),
    ls.KernelPerceptron(kernel=LAPLACE, budget=3),
    ls.KernelPassiveAggressive(kernel=QUADRATIC),
)


@pytest.mark.parametrize("binary", MIRRORED, ids=repr)
@given(data=st.data())
def test_one_versus_rest_predicts_as_a_rule_that_treats_signs_alike(binary: ls.LinearRule, data: st.DataObject) -> None:
    stream = data.draw(streams(st.one_of(integer, sparse, dense)))
    many = ls.run(ls.OneVersusRest(rule=binary), stream.X, stream.signs % 2, labels=(0, 1), keep=("prediction", "mistake"))
    plain = ls.run(binary, stream.X, stream.signs % 2, labels=(0, 1), keep=("score", "mistake"))
    assert many.columns["mistake"].tolist() == plain.columns["mistake"].tolist()
    decided = plain.columns["score"] != 0.0
    assert ((many.columns["prediction"] > 0) == (plain.columns["score"] > 0))[decided].all()


def each_learner_is_a_binary_one(rule: ls.OneVersusRest, stream: Stream) -> None:
    """The learner of a class is a learner of its own, which is told "this class" or "another"; to the bit, however late."""
    many = ls.Learner(rule)
    many.learn_many(stream.X, stream.y)
    scores = many.score_many(stream.X)
    for k, label in enumerate(many.labels):
        alone = ls.Learner(rule.rule, labels=(False, True))
        alone.learn_many(stream.X, stream.signs == label)
        same_arrays(of_class(many, k), alone.state)
        assert scores[:, k].tobytes() == alone.score_many(stream.X).tobytes()
    nobody = ls.Learner(rule.rule, labels=(False, True))
    nobody.learn_many(stream.X, [False] * len(stream))
    state = many.state
    assert isinstance(state, ClassStates)
    same_arrays(state.row(0), nobody.state)


_RANDOM = np.random.default_rng(11)
FOUR = Stream(_RANDOM.normal(size=(200, 3)), _RANDOM.permutation(np.arange(200) % 4))


@pytest.mark.parametrize("rule", REST, ids=short)
def test_each_learner_is_a_binary_one(rule: ls.OneVersusRest) -> None:
    each_learner_is_a_binary_one(rule, FOUR)
    late = Stream(FOUR.X, np.where((np.arange(200) < 150) & (FOUR.signs == 3), 0, FOUR.signs))
    each_learner_is_a_binary_one(rule, late)


def test_support_sets_by_hand() -> None:
    """Linear kernel: a at 1, then b at 2. Of no class: −1 at 1, score −2 at 2 is right. b takes a copy of it, and errs."""
    learner = ls.Learner(ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=ls.kernels.Linear())))
    assert learner.learn_one([1.0], "a") is None
    assert learner.learn_one([2.0], "b") == "a"
    state = learner.state
    assert isinstance(state, SupportSets)
    assert [state.row(k).alpha.tolist() for k in range(3)] == [[-1.0], [1.0, -1.0], [-1.0, 1.0]]
    assert [np.asarray(state.row(k).points).ravel().tolist() for k in range(3)] == [[1.0], [1.0, 2.0], [1.0, 2.0]]
    assert learner.scores_one([3.0]) == {"a": -3.0, "b": 3.0}
    assert (learner.ledger.largest_norm_squared, learner.ledger.largest_update_norm_squared) == (4.0, 4.0)
    assert repr(state) == "SupportSets(2, 2 points)"


def test_a_kernel_in_python_is_near_the_compiled_one() -> None:
    for budget in (None, 5):
        for when_full in ("drop-oldest", "project"):
            mine, theirs = (
                laws.learned(
                    ls.OneVersusRest(rule=laws.call(ls.KernelPerceptron, kernel=k, budget=budget, when_full=when_full)), FOUR
                )
                for k in (OWN, GAUSSIAN)
            )
            np.testing.assert_allclose(mine.score_many(FOUR.X), theirs.score_many(FOUR.X), rtol=1e-9, atol=1e-9)
            assert mine.ledger.mistakes == theirs.ledger.mistakes


def shared_letters(points: Points, x: object) -> list[float]:
    return [float(len(set(str(point)) & set(str(x)))) for point in points]


LETTERS = ls.KernelPerceptron(kernel=ls.kernels.Custom(function=shared_letters, of="objects"))


def test_strings_of_many_classes() -> None:
    words = np.array(["abba", "xyzzy", "mnemonic", "cab", "zyx", "minim"] * 5, dtype=object)
    kinds = np.array([0, 1, 2, 0, 1, 2] * 5)
    learner, single = ls.Learner(ls.OneVersusRest(rule=LETTERS)), ls.Learner(ls.OneVersusRest(rule=LETTERS))
    learner.learn_many(words, kinds)
    for word, kind in zip(words, kinds, strict=True):
        single.learn_one(word, int(kind))
    laws.same(learner, single)
    assert learner.predict_many(words).tolist() == kinds.tolist()
    for k in range(3):
        alone = ls.Learner(LETTERS, labels=(False, True))
        alone.learn_many(words, kinds == k)
        same_arrays(of_class(learner, k), alone.state)
        mine, theirs = of_class(learner, k), alone.state
        assert isinstance(mine, Support)
        assert isinstance(theirs, Support)
        assert list(mine.points) == list(theirs.points)
    assert learner.ledger.largest_norm_squared == 6.0  # m, n, e, o, i, c
    assert learner.ledger.largest_entry == 0.0  # an object has none


def test_a_kernel_that_fails_at_any_call_leaves_no_trace() -> None:
    """Whichever call of a round fails, of whichever class, one that is new among them. Then learning goes on as if never."""

    def failing(fault: int) -> tuple[ls.Learner, list[int]]:
        calls = [0]

        def sometimes(points: Points, x: object) -> FloatArray:
            calls[0] += 1
            if calls[0] == fault:
                raise ZeroDivisionError
            return gaussian(points, x)

        binary = ls.KernelPerceptron(kernel=ls.kernels.Custom(function=sometimes), budget=2, when_full="drop-oldest")
        learner = ls.Learner(ls.OneVersusRest(rule=binary))
        for t in range(4):
            learner.learn_one([float(t)], t % 3)
        return learner, calls

    for label in (0, "new"):
        steady, calls = failing(0)
        before = calls[0]
        steady.learn_one([9.0], label)
        assert calls[0] - before >= 8
        for fault in range(before + 1, calls[0] + 1):
            learner, _ = failing(fault)
            print_ = laws.fingerprint(learner)
            with pytest.raises(ZeroDivisionError):
                learner.learn_one([9.0], label)
            assert laws.fingerprint(learner) == print_
            learner.learn_one([9.0], label)
            laws.same(learner, steady)


def test_there_are_points_and_no_weights() -> None:
    learner = laws.learned(ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=GAUSSIAN)), FOUR)
    for ask in (lambda: learner.weights, lambda: learner.weights_of(0), lambda: learner.state.w):
        with pytest.raises(ls.NotApplicable, match=r"^a kernel rule has no weights; .* points and alpha"):
            ask()
    with pytest.raises(ls.NotApplicable, match="there is no class 9"):
        learner.weights_of(9)
    assert isinstance(learner.averaged().rule, ls.OneVersusRest)


def test_without_weights_for_each_class_nothing_is_proved_of_learners_side_by_side() -> None:
    for binary in (ls.Perceptron(), ls.KernelPerceptron(kernel=GAUSSIAN)):
        run = ls.run(ls.OneVersusRest(rule=binary), FOUR.X, FOUR.y, audit=True)
        assert run.certify() == run.learner.certify()
        assert [(found.id, found.verdict) for found in run.certify()] == [
            ("rest.perceptron", ls.Verdict.UNPROVED),
            ("rest.capped", ls.Verdict.UNPROVED),
        ]
        lemmas = 1 if isinstance(binary, ls.KernelPerceptron) else 1 + 3 * len(run.learner.labels)
        assert audit(run) == lemmas * run.ledger.rounds  # the union, and those of the Perceptron for every class


def test_a_rule_that_never_moves_has_the_same_learner_for_all() -> None:
    for binary in (ls.Fixed(weights=[1.0, 2.0, 3.0]), ls.KernelFixed(kernel=GAUSSIAN)):
        learner = laws.learned(ls.OneVersusRest(rule=binary), FOUR)
        assert learner.ledger.updates == 0
        assert set(learner.predict_many(FOUR.X).tolist()) == {learner.labels[0]}


# --- names of classes are names


def permuting_labels_commutes(rule: MulticlassRule, stream: Stream, order: list[int]) -> None:
    """The classes given in another order are the same classes in that order."""
    given_order = tuple(range(4))
    plain = ls.Learner(rule, labels=given_order)
    moved = ls.Learner(rule, labels=tuple(order))
    kept = plain.learn_many(stream.X, stream.y, keep=laws.KEPT)
    again = moved.learn_many(stream.X, stream.y, keep=laws.KEPT)
    for k, number in enumerate(order):
        mine, theirs = of_class(moved, k).arrays, of_class(plain, number).arrays
        assert all(np.array_equal(mine[name], theirs[name]) for name in mine)
    for name in laws.KEPT:
        assert (kept[name] == again[name]).all(), name
    assert laws.without_names(moved.ledger) == laws.without_names(plain.ledger)


PERMUTED = tuple(
    rule
    for rule in RULES
    if not isinstance(rule, ls.MulticlassPassiveAggressive)
    and not (isinstance(rule, ls.MulticlassPerceptron) and rule.share != "uniform")
)
"""Rules that need no choice among tied rivals."""


@pytest.mark.parametrize("rule", PERMUTED, ids=short)
@given(data=st.data())
def test_permuting_labels_commutes(rule: MulticlassRule, data: st.DataObject) -> None:
    permuting_labels_commutes(rule, data.draw(streams()), list(data.draw(st.permutations(range(4)))))


@native_rule
@given(seed=st.integers(0, 2**32 - 1), data=st.data())
def test_permuting_labels_commutes_where_nothing_ties(rule: MulticlassRule, seed: int, data: st.DataObject) -> None:
    """From different first rows: a rule that must choose among zero scores goes by the order of the labels."""
    source = np.random.default_rng(seed)
    start = Stream(np.eye(4), np.arange(4))
    X, y = np.vstack([start.X, source.normal(size=(30, 4))]), np.concatenate([start.y, source.integers(0, 4, size=30)])
    plain, order = ls.Learner(rule, labels=tuple(range(4))), list(data.draw(st.permutations(range(4))))
    plain.learn_many(X[:4], y[:4])
    moved = ls.Learner(rule, labels=tuple(order))
    moved.learn_many(X[:0], y[:0])
    rest = Stream(X[4:], y[4:])
    state = plain.state.w
    _set(moved, state[order])
    _set(plain, state)
    first, second = (learner.learn_many(rest.X, rest.y, keep=("score", "step")) for learner in (plain, moved))
    np.testing.assert_allclose(plain.state.w[order], moved.state.w, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(first["score"].astype(float), second["score"].astype(float), rtol=1e-9, atol=1e-12)


def _set(learner: ls.Learner, weights: FloatArray) -> None:
    """Puts prototypes into a native learner that has room for them."""
    if learner.ledger.rounds == 0:
        learner.learn_many(np.zeros((1, 4)), [learner.labels[0]])
    bound = learner.snapshot().state
    assert bound is not None
    bound.arrays["w"][:] = weights.ravel()
    twin = ls.Learner.restored(ls.Snapshot(**{**vars(learner.snapshot()), "state": bound}))
    learner.__dict__.update(twin.__dict__)


def strings_and_numbers_name_the_same(rule: MulticlassRule, stream: Stream) -> None:
    plain, named = ls.Learner(rule), ls.Learner(rule)
    plain.learn_many(stream.X, stream.y)
    named.learn_many(stream.X, [f"class {y}" for y in stream.signs.tolist()])
    laws.same(plain, named, but=("classes",))
    assert named.labels == tuple(f"class {label}" for label in plain.labels)


@every_rule
@given(data=st.data())
def test_strings_and_numbers_name_the_same(rule: MulticlassRule, data: st.DataObject) -> None:
    strings_and_numbers_name_the_same(rule, data.draw(streams()))


# --- a class that comes later


def late_is_as_early(rule: MulticlassRule, stream: Stream) -> None:
    """One versus rest: a class that comes later is where it would be had it been known from the beginning."""
    late = laws.learned(rule, stream)
    early = ls.Learner(rule, labels=late.labels, average=rule.keeps_mean())
    early.learn_many(stream.X, stream.y)
    same_arrays(early.state, late.state)
    if rule.abilities.averages:
        assert early.averaged().state.w.tobytes() == late.averaged().state.w.tobytes()


@pytest.mark.parametrize("rule", REST, ids=short)
@given(data=st.data())
def test_a_late_class_is_where_it_would_be(rule: MulticlassRule, data: st.DataObject) -> None:
    late_is_as_early(rule, data.draw(streams()))


@native_rule
@given(data=st.data())
def test_a_late_class_of_a_native_rule_joins_at_zero(rule: MulticlassRule, data: st.DataObject) -> None:
    """Before it is met nobody moves for it: the run so far is that of a learner that never hears of it."""
    stream = data.draw(streams())
    cut = int(np.argmax(codes(stream) == codes(stream).max()))
    whole, part = laws.learned(rule, stream.part(0, cut + 1)), laws.learned(rule, stream.part(0, cut))
    assert whole.ledger.mistakes - part.ledger.mistakes == 1 or cut == 0
    before = part.state.w if cut else np.zeros((0, stream.width))
    touched = whole.ledger.updates - part.ledger.updates
    if not touched:
        assert whole.state.w[: len(before)].tobytes() == before.tobytes()
        assert not whole.state.w[len(before) :].any()


def test_classes_come_while_features_come() -> None:
    records: list[dict[str | int, float]] = [{f"w{k}": 1.0, "bias": 1.0} for k in range(40)]
    for rule in RULES[:6] + REST[5:8] + KERNEL:
        whole, single = ls.Learner(rule, average=rule.keeps_mean()), ls.Learner(rule, average=rule.keeps_mean())
        labels = [f"c{k % 17}" for k in range(40)]
        whole.learn_many(records, labels)
        for record, label in zip(records, labels, strict=True):
            single.learn_one(record, label)
        laws.same(whole, single)


# --- what is recorded is what happened


def squared_length(rule: MulticlassRule, x: FloatArray) -> float:
    """‖x‖², in the space of the kernel where there is one."""
    binary = rule.rule if isinstance(rule, ls.OneVersusRest) else None
    return self_value(binary.kernel, x) if isinstance(binary, KernelRule) else float(x @ x)


def ledger_is_the_sum_of_its_rounds(rule: MulticlassRule, stream: Stream) -> None:
    learner = ls.Learner(rule, labels=(0, 1, 2, 3))
    kept = learner.learn_many(stream.X, stream.y, keep=(*laws.KEPT, "prediction"))
    ledger, loss = learner.ledger, [float(value) for value in kept["loss"] if value > 0.0]
    assert ledger.rounds == len(stream)
    assert ledger.mistakes == np.count_nonzero(kept["mistake"])
    assert ledger.updates == np.count_nonzero(kept["update"])
    assert ledger.loss == laws.compensated(loss)
    assert ledger.loss_squared == laws.compensated(value * value for value in loss)
    assert ledger.smallest_margin == kept["score"].min()
    lengths = np.array([squared_length(rule, x) for x in stream.X])
    assert ledger.largest_norm_squared == pytest.approx(lengths.max(), rel=1e-12)
    assert ledger.largest_update_norm_squared == pytest.approx(lengths[kept["update"].astype(bool)].max(initial=0.0), rel=1e-12)
    assert ledger.largest_entry == np.abs(stream.X).max()
    wrong = learner.label_values(kept["prediction"]) != stream.signs
    assert (kept["mistake"] >= wrong).all()  # a tie is a mistake although the right class may be shown
    assert (kept["mistake"] == (kept["score"] <= 0.0)).all()


@every_rule
@given(data=st.data())
def test_ledger_is_the_sum_of_its_rounds(rule: MulticlassRule, data: st.DataObject) -> None:
    ledger_is_the_sum_of_its_rounds(rule, data.draw(streams()))


@every_compiled_rule
def test_a_refused_call_changes_nothing(rule: MulticlassRule) -> None:
    X = np.tile(np.random.default_rng(0).normal(size=(40, 4)), (600, 1))
    y = np.arange(len(X)) % 3
    learner = ls.Learner(rule, average=rule.keeps_mean())
    learner.learn_many(X[:100], y[:100])
    before = laws.fingerprint(learner)
    spoiled = X.copy()
    spoiled[-1, 2] = np.nan
    with pytest.raises(ls.InvalidData, match="row 23999: value of feature 2 is nan"):
        learner.learn_many(spoiled, (y + 2) % 5)
    assert laws.fingerprint(learner) == before


@every_compiled_rule
def test_a_model_file_goes_on(rule: MulticlassRule, tmp_path: Path) -> None:
    source = np.random.default_rng(4)
    X, y = source.normal(size=(60, 5)), source.choice(["a", "b", "c"], size=60)
    learner = ls.Learner(rule, labels=("b",), missing="skip", average=rule.keeps_mean())
    learner.learn_many(X[:30], y[:30])
    learner.save(tmp_path / "m.lst")
    again = ls.load(tmp_path / "m.lst")
    laws.same(learner, again)
    assert again.rule == rule
    for one in (learner, again):
        one.learn_many(X[30:], np.where(y[30:] == "a", "new", y[30:]))
    laws.same(learner, again)


INTERRUPTED = textwrap.dedent("""
    import numpy as np
    import littlestone as ls
    import pressed

    count = 400_000
    X = {rows}
    y = np.arange(count) % 5
    learner = ls.Learner(ls.{rule})
    try:
        with pressed.ctrl_c(after=0.6):
            learner.learn_many(X, y)
    except KeyboardInterrupt:
        print("stopped", flush=True)
    rounds = learner.ledger.rounds
    assert 0 < rounds < count, rounds
    again = ls.Learner(learner.rule)
    again.learn_many(X[:rounds], y[:rounds])
    assert learner.ledger == again.ledger
    mine, theirs = learner.state.arrays, again.state.arrays
    assert mine.keys() == theirs.keys()
    assert all(mine[name].tobytes() == theirs[name].tobytes() for name in mine)
    print("consistent", flush=True)
""")


WIDE = "np.broadcast_to(np.random.default_rng(0).normal(size=20_000), (count, 20_000))"
MANY_POINTS = "np.random.default_rng(0).normal(size=(count, 20))"


@pytest.mark.parametrize(
    ("rule", "rows"),
    [
        ("MulticlassPerceptron()", WIDE),
        ("OneVersusRest(rule=ls.Perceptron())", WIDE),
        ("OneVersusRest(rule=ls.KernelPerceptron(kernel=ls.kernels.Gaussian()))", MANY_POINTS),
        ("OneVersusRest(rule=ls.KernelPerceptron(kernel=ls.kernels.Custom(function=lambda p, x: p @ x)))", MANY_POINTS),
    ],
)
def test_ctrl_c_leaves_every_class_at_the_same_round(rule: str, rows: str) -> None:
    script = INTERRUPTED.replace("{rule}", rule).replace("{rows}", rows)
    ended = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parent, capture_output=True, text=True)
    assert (ended.stdout, ended.stderr) == ("stopped\nconsistent\n", "")


# --- mutants


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class PlainPerceptron(ls.LinearRule):
    """A Perceptron in Python alone."""

    source: ClassVar[str] = "a control"

    def init(self, width: int) -> Weights:
        return Weights(w=np.zeros(width))

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        return _core.Interval.open_half_line(label)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        if trial.side == 0:
            return _core.Step.stay()
        row.add_to(state.w, float(trial.side))
        return _core.Step.by(float(trial.side))


class _Mutant(MulticlassRule):
    """A multiclass Perceptron that mutants spoil: all of the step from the best rival."""

    source: ClassVar[str] = "a mutant"

    def init(self, width: int) -> Prototypes:
        return Prototypes.of(Weights(w=np.zeros(width)))

    def accepts(self) -> _core.Interval:
        return _core.Interval(0.0, math.inf, low_open=True)

    def compiled_loop(self, state: ClassStates, average: Average | None) -> _core.Loop | None:
        return None

    def in_error(self, scores: FloatArray, truth: int) -> list[int]:
        return [k for k in range(len(scores)) if k != truth and scores[k] >= scores[truth]]

    def parts(self, scores: FloatArray, wrong: list[int]) -> list[float]:
        return [1.0 / len(wrong)] * len(wrong)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        assert isinstance(state, Prototypes)
        scores = self.scores(state, row)
        wrong = self.in_error(scores, trial.truth)
        if trial.side == 0:
            return _core.Step.stay()
        for k, part in zip(wrong, self.parts(scores, wrong), strict=True):
            row.add_to(state.of_class(k).w, -part)
        row.add_to(state.of_class(trial.truth).w, 1.0)
        return _core.Step.otherwise(1.0)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Honest(_Mutant):
    """The control."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class TakesTwice(_Mutant):
    """Takes the whole row from every class in error: the shares add up to more than 1."""

    def parts(self, scores: FloatArray, wrong: list[int]) -> list[float]:
        return [1.0] * len(wrong)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class PunishesTheInnocent(_Mutant):
    """Not ultraconservative: classes that scored less lose as well."""

    def in_error(self, scores: FloatArray, truth: int) -> list[int]:
        return [k for k in range(len(scores)) if k != truth]


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class FirstClassFirst(_Mutant):
    """Takes everything from the first class in error: the order of the labels counts."""

    def parts(self, scores: FloatArray, wrong: list[int]) -> list[float]:
        return [1.0] + [0.0] * (len(wrong) - 1)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class ForgetsItsScores(_Mutant):
    """Moves when it only looks."""

    def scores(self, state: State, row: _core.Row) -> FloatArray:
        scores = super().scores(state, row)
        state.arrays["w"][:1] += 1e-9
        return scores


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class EverybodyIsThere(_Mutant):
    """Lets a class have a say as soon as there is room for it, which is earlier when more rows are given at once."""

    def scores(self, state: State, row: _core.Row) -> FloatArray:
        assert isinstance(state, ClassStates)
        return np.array([row.dot(state.of_class(k).w) for k in range(state.rows)])


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class TouchesOnRest(_Mutant):
    """Moves a weight in a round that is no update."""

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        step = super().update(state, row, trial)
        state.arrays["w"][0] += 1e-9 if not step.moved else 0.0
        return step


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class StartsLateFromZero(_Mutant):
    """One versus rest whose new class starts from nothing, although it would have learned −1 all along."""

    def in_error(self, scores: FloatArray, truth: int) -> list[int]:
        return [k for k in range(len(scores)) if k != truth and scores[k] >= 0.0]

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        assert isinstance(state, Prototypes)
        scores = self.scores(state, row)
        for k in self.in_error(scores, trial.truth):
            row.add_to(state.of_class(k).w, -1.0)
        if scores[trial.truth] <= 0.0:
            row.add_to(state.of_class(trial.truth).w, 1.0)
        return _core.Step.otherwise(1.0)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class BinaryStep(_Mutant):
    """PA that divides by ‖x‖², as if one row moved: twice the projection."""

    def accepts(self) -> _core.Interval:
        return _core.Interval(1.0, math.inf)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        assert isinstance(state, Prototypes)
        if trial.distance == 0.0 or row.norm_squared == 0.0:
            return _core.Step.stay()
        others = self.scores(state, row)
        others[trial.truth] = -math.inf
        tau = trial.distance / row.norm_squared
        row.add_to(state.of_class(trial.truth).w, tau)
        row.add_to(state.of_class(int(np.argmax(others))).w, -tau)
        return _core.Step.by(tau)


_SOURCE = np.random.default_rng(3)
MIXED = Stream(_SOURCE.integers(-2, 3, size=(40, 5)).astype(float), _SOURCE.integers(0, 4, size=40))
U = _SOURCE.normal(size=(4, 5))
_X = _SOURCE.normal(size=(80, 5))
_LEADS = np.sort(_X @ U.T, axis=1)[:, -1] - np.sort(_X @ U.T, axis=1)[:, -2]
U /= 0.5
SEPARATED = Stream(_X[_LEADS > 0.5], np.argmax(_X[_LEADS > 0.5] @ U.T, axis=1))
"""U leads in it by at least 1."""


def lemma(index: int, number: int) -> Callable[[MulticlassRule, Stream], None]:
    def holds(rule: MulticlassRule, stream: Stream) -> None:
        inequality = GUARANTEES[index].lemmas[number]
        for moment in moments(rule, _core.dense_batch(stream.X), _core.classes(stream.signs.astype(np.int32)), U):
            assert within(*inequality.sides(moment)), inequality.words

    holds.__name__ = f"lemma {number} of {GUARANTEES[index].id}"
    return holds


def permuted(rule: MulticlassRule, stream: Stream) -> None:
    permuting_labels_commutes(rule, stream, [2, 0, 3, 1])


def binary_perceptron(rule: MulticlassRule, stream: Stream) -> None:
    two_classes_are_binary(rule, ls.Perceptron(), stream)


def binary_pa(rule: MulticlassRule, stream: Stream) -> None:
    two_classes_are_binary(rule, ls.PassiveAggressive(margin=0.5), stream)


def only_those_in_error_lose(rule: MulticlassRule, stream: Stream) -> None:
    """Ultraconservative: a class that scored less than the true one is left alone."""
    learner = ls.Learner(rule, labels=(0, 1, 2, 3))
    for x, y in stream.rounds():
        before, scores = learner.state.w.copy(), list(learner.scores_one(x).values())
        learner.learn_one(x, y)
        assert isinstance(y, int)
        still = [k for k in range(4) if scores[k] < scores[y]]
        assert learner.ledger.rounds == 1 or (learner.state.w[still] == before[still]).all()


CATCHES: list[tuple[Callable[[MulticlassRule, Stream], None], MulticlassRule, MulticlassRule]] = [
    (no_update_moves_no_byte, Honest(), TouchesOnRest()),
    (laws.whole_equals_split, Honest(), EverybodyIsThere()),
    (lemma(0, 0), Honest(), TakesTwice()),
    (binary_perceptron, Honest(), ForgetsItsScores()),
    (only_those_in_error_lose, Honest(), PunishesTheInnocent()),
    (permuted, Honest(), FirstClassFirst()),
    (scoring_is_pure, Honest(), ForgetsItsScores()),
    (late_is_as_early, ls.OneVersusRest(rule=ls.Perceptron()), StartsLateFromZero()),
    (binary_pa, ls.MulticlassPassiveAggressive(), BinaryStep()),
    (lemma(2, 0), ls.MulticlassPassiveAggressive(), BinaryStep()),
    (laws.many_equals_one_by_one, Honest(), EverybodyIsThere()),
]


@pytest.mark.parametrize(("law", "honest", "mutant"), CATCHES, ids=lambda it: getattr(it, "__name__", type(it).__name__))
def test_law_catches_mutant(
    law: Callable[[MulticlassRule, Stream], None], honest: MulticlassRule, mutant: MulticlassRule
) -> None:
    _on_both(law, honest)
    with pytest.raises(AssertionError):
        _on_both(law, mutant)


def _on_both(law: Callable[[MulticlassRule, Stream], None], rule: MulticlassRule) -> None:
    for stream in (MIXED, SEPARATED):
        law(rule, stream)


def test_a_python_rule_equals_the_compiled_one() -> None:
    same_but_lazily(laws.learned(Honest(), MIXED), laws.learned(ls.MulticlassPerceptron(), MIXED))


# --- mutants of support sets: what is patched is spoiled, and a law must say so


def empty_for_a_late_class(state: ClassStates, number: int) -> int:
    before = state.count
    state.met[0] = max(before, number + 1)
    return before


def shared_with_a_late_class(state: SupportSets, number: int) -> int:
    before = state.count
    for k in range(before, number + 1):
        state._sets[k + 1] = state.row(0)
    state.met[0] = max(before, number + 1)
    return before


def one_set_for_all(state: SupportSets, rows: int, met: FloatArray) -> SupportSets:
    return SupportSets(state._empty, state._sets[:rows] + [state._fresh()] * (rows - state.rows), met)


def plain_lengths(*given: object) -> object:
    return given[-1]  # the row


def rounds_counted_twice(state: Support, *_: object) -> bool:
    state.expansion.begin_round()
    state.expansion.begin_round()
    return False


OWN_QUADRATIC = ls.kernels.Custom(function=lambda points, x: QUADRATIC.values(points, x))
SPOILED: list[tuple[type, str, object, Callable[[ls.OneVersusRest, Stream], None]]] = [
    (ClassStates, "meet_class", empty_for_a_late_class, late_is_as_early),
    (ClassStates, "meet_class", empty_for_a_late_class, each_learner_is_a_binary_one),
    (ClassStates, "meet_class", shared_with_a_late_class, late_is_as_early),
    (ClassStates, "meet_class", shared_with_a_late_class, each_learner_is_a_binary_one),
    (SupportSets, "_with_rows", one_set_for_all, each_learner_is_a_binary_one),
    (ls.OneVersusRest, "lengths", plain_lengths, ledger_is_the_sum_of_its_rounds),
]


@pytest.mark.parametrize(("kind", "name", "spoiled", "law"), SPOILED)
def test_law_catches_a_spoiled_support_set(
    kind: type, name: str, spoiled: object, law: Callable[[ls.OneVersusRest, Stream], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=OWN_QUADRATIC))
    law(rule, MIXED)
    monkeypatch.setattr(kind, name, spoiled)
    with pytest.raises(AssertionError):
        law(rule, MIXED)


SPOILED_DEFINITIONS: list[tuple[type, str, object]] = [
    (ClassStates, "meet_class", empty_for_a_late_class),
    (ls.OneVersusRest, "lengths", plain_lengths),
    (Support, "meet", rounds_counted_twice),
]


@pytest.mark.parametrize(("kind", "name", "spoiled"), SPOILED_DEFINITIONS)
def test_the_compiled_sets_catch_a_spoiled_definition(
    kind: type, name: str, spoiled: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=QUADRATIC))
    kernel_equals_definition(rule, MIXED)
    monkeypatch.setattr(kind, name, spoiled)
    with pytest.raises(AssertionError):
        kernel_equals_definition(rule, MIXED)


# --- theorems


@st.composite
def separable(draw: st.DrawFn) -> tuple[Stream, FloatArray]:
    source = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    prototypes = source.normal(size=(draw(st.integers(2, 5)), draw(st.integers(1, 6))))
    X = source.normal(size=(draw(st.integers(1, 60)), prototypes.shape[1]))
    scores = np.sort(X @ prototypes.T, axis=1)
    kept = X[scores[:, -1] - scores[:, -2] > 0.1]
    X = kept if len(kept) else X[:1]
    return Stream(X, np.argmax(X @ prototypes.T, axis=1)), prototypes


@native_rule
@given(made=separable())
def test_theorems_hold_and_lemmas_with_them(rule: MulticlassRule, made: tuple[Stream, FloatArray]) -> None:
    stream, prototypes = made
    labels = tuple(range(len(prototypes)))
    run = ls.run(rule, stream.X, stream.y, labels=labels, passes=3, audit=True, against=prototypes)
    for certificate in run.certify(against=prototypes):
        assert certificate.verdict is not ls.Verdict.VIOLATED, certificate
        if all(check.met for check in certificate.assumptions):
            assert certificate.measured <= certificate.bound * (1.0 + 1e-9) + 1e-9


@native_rule
@given(seed=st.integers(0, 2**32 - 1))
def test_theorems_hold_against_any_prototypes(rule: MulticlassRule, seed: int) -> None:
    source = np.random.default_rng(seed)
    X, y, prototypes = source.normal(size=(80, 4)), source.integers(0, 3, size=80), source.normal(size=(3, 4))
    run = ls.run(rule, X, y, labels=(0, 1, 2), audit=True, against=prototypes)
    for certificate in run.certify(against=prototypes):
        assert certificate.verdict is not ls.Verdict.VIOLATED, certificate


def test_the_bound_of_the_perceptron_by_hand() -> None:
    """x = e_1, e_2, e_3 for classes a, b, c: U = I leads by 1, ‖U‖² = 3, so at most 2·3 = 6 updates."""
    run = ls.run(ls.MulticlassPerceptron(), np.eye(3), ["a", "b", "c"], labels=("a", "b", "c"), passes=9)
    certificate = next(c for c in run.certify(against=np.eye(3)) if c.id == "crammer.mp")
    assert certificate.bound == pytest.approx(6.0)
    assert certificate.measured == run.ledger.updates == 3
    assert ls.theory["crammer.mp"].id == "crammer.mp"


def test_a_wrong_rule_violates_the_theorem() -> None:
    """A rule that adds to the rival what it should take makes more updates than any bound allows."""
    X, y = np.tile(np.eye(3), (200, 1)), np.tile(np.arange(3), 200)
    run = ls.run(ls.MulticlassPerceptron(), X, y, labels=(0, 1, 2))
    wrong = replace(run.ledger, updates=7)
    comparison = ls.run(ls.MulticlassFixed(weights=np.eye(3)), X, y, labels=(0, 1, 2))
    from littlestone.theory.evidence import Comparison, LinearEvidence

    evidence = LinearEvidence(run.rule, wrong, Comparison(np.eye(3).ravel(), comparison.ledger))
    assert GUARANTEES[0].certify(evidence).verdict is ls.Verdict.VIOLATED


def test_against_what_there_is_no_comparison() -> None:
    run = ls.run(ls.MulticlassPerceptron(), np.eye(3), [0, 1, 2])
    with pytest.raises(ls.InvalidData, match=r"against has the shape \(2, 3\); expected 3 rows"):
        run.certify(against=np.ones((2, 3)))
    with pytest.raises(ls.NotApplicable, match="no best prototypes are solved for"):
        run.certify(against="best")
    with pytest.raises(ls.NotApplicable, match="expected MulticlassFixed"):
        run.certify(against=ls.run(ls.Fixed(weights=[1.0]), [[1.0]], [1]))
    rest = ls.run(ls.OneVersusRest(rule=ls.Perceptron()), np.eye(3), [0, 1, 2])
    assert [found.comparator for found in rest.certify(against="best") if found.proved] == [
        "the best weights for every class against the rest"
    ]


@given(C=POSITIVE, margin=POSITIVE, eta=POSITIVE, data=st.data())
def test_kernel_equals_definition_for_any_parameters(C: float, margin: float, eta: float, data: st.DataObject) -> None:
    stream = data.draw(streams())
    kernel_equals_definition(ls.MulticlassPassiveAggressive(variant="PA-I", C=C, margin=margin), stream)
    kernel_equals_definition(ls.MulticlassPassiveAggressive(variant="PA-II", C=C, margin=margin), stream)
    kernel_equals_definition(ls.MulticlassPerceptron(eta=eta, share="proportional"), stream)
