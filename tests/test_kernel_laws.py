"""Every law of the foundation over kernel rules and balls; norms, orders of features and refusals besides."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import laws
import littlestone as ls
from inventory import BALLS, GAUSSIAN, KERNEL_RULES, LAPLACE, OWN, asked, gaussian, short
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.kernels import Kernel, Support
from littlestone.kernels.functions import Points, gram
from littlestone.kernels.rule import WhenFull
from littlestone.loop import PythonLoop
from littlestone.uniclass import ShareFlagging
from strategies import Stream, integer, matrices, streams_for, tame

WAYS: list[WhenFull] = ["drop-oldest", "project"]

every_rule = pytest.mark.parametrize("rule", [*KERNEL_RULES, *BALLS], ids=short)
every_law = pytest.mark.parametrize("law", asked("kernels"), ids=lambda law: law.__name__)


def drawn(data: st.DataObject, rule: ls.LinearRule, rows: st.SearchStrategy[FloatArray] = matrices) -> Stream:
    """A stream for the rule; one of a ball has no outcomes."""
    if not rule.abilities.alone:
        return data.draw(streams_for(rule, rows))
    X = data.draw(rows)
    return Stream(X, ls.Intervals.inside(len(X)))


@every_rule
@every_law
@settings(max_examples=8)
@given(data=st.data())
def test_law(law: laws.Law, rule: ls.LinearRule, data: st.DataObject) -> None:
    law(rule, drawn(data, rule))


@every_rule
@settings(max_examples=8)
@given(data=st.data())
def test_whole_equals_split_in_any_chunking(rule: ls.LinearRule, data: st.DataObject) -> None:
    stream = drawn(data, rule)
    laws.whole_equals_split(rule, stream, tuple(data.draw(st.lists(st.integers(0, len(stream)), max_size=5))))


@pytest.mark.parametrize(
    "rule",
    [rule for rule in (*KERNEL_RULES, *BALLS) if not isinstance(rule, ls.MultiplicativeUniclass | ShareFlagging)],
    ids=short,
)
@settings(max_examples=8)
@given(data=st.data())
def test_dicts_equal_arrays(rule: ls.LinearRule, data: st.DataObject) -> None:
    stream = drawn(data, rule, tame)
    laws.dicts_equal_arrays(rule, stream)


@pytest.mark.parametrize("rule", [rule for rule in KERNEL_RULES if rule.abilities.labels], ids=short)
@settings(max_examples=8)
@given(data=st.data())
def test_labels_are_names(rule: ls.LinearRule, data: st.DataObject) -> None:
    stream = data.draw(streams_for(ls.Fixed(weights=[0.0]), integer).filter(lambda stream: stream.labelled))
    laws.labels_are_names(rule, stream)


@every_rule
def test_the_order_of_a_dict_means_nothing(rule: ls.LinearRule) -> None:
    """Features that a dict names in another order are the same row: the same point, the same distance."""
    rng, chance = np.random.default_rng(0), random.Random(0)
    X = rng.normal(size=(30, 6)).round(2)
    X[5:] = X[rng.integers(0, 5, size=25)]  # rows come again
    y = np.where(X[:, 0] > 0, 1, -1)
    records = [{f"f{k}": float(v) for k, v in enumerate(x)} for x in X]
    mixed = [dict(chance.sample(sorted(record.items()), len(record))) for record in records]
    mixed[0] = records[0]
    plain, other = laws.fresh(rule), laws.fresh(rule)
    if rule.abilities.alone:
        plain.learn_many(records)
        other.learn_many(mixed)
    else:
        outcomes = y.tolist() if rule.abilities.labels else X[:, 1].tolist()
        plain.learn_many(records, outcomes)
        other.learn_many(mixed, outcomes)
    assert other.score_many(mixed) == pytest.approx(plain.score_many(records), rel=1e-9, abs=1e-9)
    assert other.ledger.updates == plain.ledger.updates
    if isinstance(plain.state, Support) and isinstance(other.state, Support):
        assert len(plain.state) == len(other.state)


@pytest.mark.parametrize("full", WAYS)
def test_a_kernel_of_yours_sees_features_that_come_late(full: WhenFull) -> None:
    """Each dict brings a feature of its own: older points get a 0 there, those that a budget looks back at too."""
    own = ls.Learner(ls.KernelPerceptron(kernel=OWN, budget=2, when_full=full), labels=(-1, 1))
    known = ls.Learner(ls.KernelPerceptron(kernel=GAUSSIAN, budget=2, when_full=full), labels=(-1, 1))
    for t in range(12):
        record = {f"f{t % 5}": float(t), f"g{t}": 0.5}
        assert own.learn_one(record, 2 * (t % 2) - 1) == known.learn_one(record, 2 * (t % 2) - 1)
    assert isinstance(own.state, Support)
    assert isinstance(known.state, Support)
    assert own.state.alpha == pytest.approx(known.state.alpha, rel=1e-9)
    assert np.asarray(own.state.points).shape == (2, len(own.features))


def test_a_kernel_cannot_write_to_the_points() -> None:
    def greedy(points: Points, x: object) -> FloatArray:
        values = gaussian(points, x)
        if len(points) > 1 and isinstance(points, np.ndarray):
            points[:] = 0.0
        return values

    learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Custom(function=greedy)), labels=(-1, 1))
    learner.learn_many([[1.0], [2.0]], [1, -1])
    with pytest.raises(ValueError, match="read-only"):
        learner.score_one([3.0])


def test_objects_that_cannot_be_hashed_have_one_place_too() -> None:
    def shared(points: Points, x: object) -> list[float]:
        assert isinstance(x, list)
        return [float(len(set(x) & set(p))) for p in points if isinstance(p, list)]

    rule = ls.KernelPerceptron(kernel=ls.kernels.Custom(function=shared, of="objects"))
    rows = np.empty(4, dtype=object)
    rows[:] = [["a", "b"], ["a", "c"], ["a", "b"], ["a", "c"]]
    run = ls.run(rule, rows, [1, -1, 1, -1], labels=(-1, 1), passes=9)
    assert run.converged
    assert len(run.state.arrays["alpha"]) == 2


@pytest.mark.parametrize("epsilon", [0.0, 0.2, 0.5])
@settings(max_examples=25)
@given(data=st.data())
def test_multiplicative_uniclass_equals_its_definition(epsilon: float, data: st.DataObject) -> None:
    rule = ls.MultiplicativeUniclass(epsilon=epsilon)
    X = data.draw(tame)
    y = ls.Intervals.inside(len(X))
    found = laws.observed(rule.loop, rule, Stream(X, y))
    defined = laws.observed(lambda state, _: PythonLoop(rule, state, None), rule, Stream(X, y))
    for name in ("score", "loss", "step", "update"):
        assert found[3][name] == pytest.approx(defined[3][name], rel=1e-12, abs=1e-12), name
    assert found[0].w == pytest.approx(defined[0].w, rel=1e-12, abs=1e-12)
    assert found[0].order.tolist() == defined[0].order.tolist()


def test_multiplicative_uniclass_costs_what_was_seen() -> None:
    """A million features of which 30 occur: each update would take milliseconds if it touched them all."""
    import scipy.sparse as sp

    rng = np.random.default_rng(1)
    index = np.sort(rng.integers(0, 15, size=(5000, 2)) + [0, 15], axis=1)
    X = sp.csr_matrix((np.full(10_000, 0.5), index.ravel(), np.arange(5001) * 2), shape=(5000, 1_000_000))
    run = ls.run(ls.MultiplicativeUniclass(epsilon=0.3), X)
    assert run.ledger.updates > 1000
    assert run.state.count[0] == 30
    assert float(run.state.w.sum()) == pytest.approx(1.0, rel=1e-12)
    touched = X[:, :30].toarray()
    narrow = ls.Learner(ls.MultiplicativeUniclass(epsilon=0.3))
    narrow.learn_many(np.column_stack([touched, np.zeros((5000, 1))]))
    assert run.state.w[0] < narrow.state.w[0], "each of the others has its share"


# --- norms


def norm_error(state: Support, kernel: Kernel) -> float:
    exact = float(state.alpha @ gram(kernel, state.points) @ state.alpha)
    return abs(state.expansion.norm_squared - exact) / abs(exact)


@pytest.mark.parametrize(
    "rule",
    [
        ls.KernelPerceptron(kernel=GAUSSIAN),
        ls.KernelPerceptron(kernel=GAUSSIAN, budget=10, when_full="drop-oldest"),
        ls.KernelPerceptron(kernel=GAUSSIAN, budget=10, when_full="project"),
        ls.KernelPassiveAggressive(kernel=LAPLACE, variant="PA-I", C=0.1),
        ls.KernelUniclass(kernel=GAUSSIAN, epsilon=0.1),
        ls.KernelUniclass(kernel=GAUSSIAN, epsilon=0.1, budget=10, when_full="drop-oldest"),
    ],
    ids=short,
)
def test_tracked_norm_after_a_million_updates(rule: ls.LinearRule) -> None:
    """Safety test 6 for kernel rules: labels that are noise over 20 rows, 10⁶ updates, ‖w‖² to 1e-8."""
    rng = np.random.default_rng(0)
    pool = rng.normal(size=(20, 3))
    learner = laws.fresh(rule)
    while learner.ledger.updates < 1_000_000:
        X = pool[rng.integers(0, 20, size=400_000)]
        if not rule.abilities.alone:
            learner.learn_many(X, np.where(rng.random(len(X)) < 0.5, 1, -1))
        else:
            learner.learn_many(X)
    state = learner.state
    assert isinstance(state, Support)
    assert norm_error(state, state.kernel) <= 1e-8


# --- refusals


def failing(after: int) -> tuple[ls.kernels.Custom, list[int]]:
    """A kernel that fails at one call, and the counter of its calls."""
    calls = [0]

    def kernel(points: Points, x: object) -> FloatArray:
        calls[0] += 1
        if calls[0] == after:
            raise ZeroDivisionError("the kernel's own trouble")
        return gaussian(points, x)

    return ls.kernels.Custom(function=kernel), calls


def budgeted(kernel: Kernel) -> Sequence[ls.LinearRule]:
    return (
        ls.KernelPerceptron(kernel=kernel, budget=2, when_full="drop-oldest"),
        ls.KernelPerceptron(kernel=kernel, budget=2, when_full="project"),
        ls.KernelUniclass(kernel=kernel, epsilon=0.1, budget=2, when_full="drop-oldest"),
        ls.KernelUniclass(kernel=kernel, epsilon=0.1, budget=2, when_full="project"),
    )


@pytest.mark.parametrize("which", range(4))
def test_a_kernel_that_fails_at_any_call_of_learn_one_leaves_no_trace(which: int) -> None:
    """Whichever call of the round fails: scoring, dropping a point, or projecting. Then learning goes on as if never."""
    rows = np.array([[0.0], [1.0], [2.0], [3.0]])

    def learn(learner: ls.Learner, t: int) -> None:
        learner.learn_one(rows[t]) if learner.rule.abilities.alone else learner.learn_one(rows[t], 1 - 2 * (t % 2))

    kernel, calls = failing(0)
    steady = laws.fresh(budgeted(kernel)[which])
    for t in range(3):
        learn(steady, t)
    before = calls[0]
    learn(steady, 3)
    expected = laws.fingerprint(steady)
    assert calls[0] - before >= 2
    for fault in range(before + 1, calls[0] + 1):
        kernel, _ = failing(fault)
        learner = laws.fresh(budgeted(kernel)[which])
        for t in range(3):
            learn(learner, t)
        print_ = laws.fingerprint(learner)
        with pytest.raises(ZeroDivisionError):
            learn(learner, 3)
        assert laws.fingerprint(learner) == print_
        learn(learner, 3)
        assert laws.fingerprint(learner) == expected


def test_a_rule_in_python_that_fails_in_learn_one_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = laws.fresh(ls.KernelPerceptron(kernel=OWN))
    learner.learn_many([[1.0], [2.0]], [1, -1])
    before = laws.fingerprint(learner)

    def half(_: ls.KernelPerceptron, state: ls.State, *__: object) -> ls.Step:
        assert isinstance(state, Support)
        state.expansion.add(1.0)
        raise RuntimeError("half-way")

    monkeypatch.setattr(ls.KernelPerceptron, "update", half)
    with pytest.raises(RuntimeError):
        learner.learn_one([3.0], 1)
    assert laws.fingerprint(learner) == before


def indefinite(points: Points, x: object) -> FloatArray:
    """K(x, x) = 1 and K(x, z) = -3 for others: no space has such vectors."""
    given = np.asarray(points, dtype=np.float64)
    return np.where((given == np.asarray(x)).all(axis=1), 1.0, -3.0)


def test_a_function_that_is_no_kernel_is_told_when_it_shows() -> None:
    learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Custom(function=indefinite)), labels=(-1, 1))
    learner.learn_one([0.0], 1)
    before = laws.fingerprint(learner)
    with pytest.raises(ls.InvalidData, match=r"squared length of w came out as -4; the kernel must be positive definite"):
        learner.learn_one([1.0], 1)
    assert laws.fingerprint(learner) == before
    ball = ls.Learner(
        ls.KernelUniclass(
            kernel=ls.kernels.Custom(function=lambda p, x: -indefinite(p, x) + 2.0 * (indefinite(p, x) > 0)), epsilon=0.1
        )
    )
    ball.learn_one([0.0])
    with pytest.raises(ls.InvalidData, match="the kernel must be positive definite"):
        ball.learn_one([1.0])


def test_singular_values_on_the_points_are_told() -> None:
    calls = [0]

    def turns_singular(points: Points, x: object) -> FloatArray:
        calls[0] += 1
        return gaussian(points, x) if calls[0] < 8 else np.ones(len(points))

    rule = ls.KernelPerceptron(kernel=ls.kernels.Custom(function=turns_singular), budget=2)
    with pytest.raises(ls.InvalidData, match="positive definite"):
        ls.run(rule, [[0.0], [1.0], [2.0], [3.0], [4.0]], [1, -1, 1, -1, 1], labels=(-1, 1))


def test_powers_that_overflow_are_refused() -> None:
    learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Polynomial(degree=8)), labels=(-1, 1))
    learner.learn_one([1.0], 1)
    before = laws.fingerprint(learner)
    with pytest.raises(ls.InvalidData, match="row 1: the kernel of the row with itself is beyond 1e150; scale the rows"):
        learner.learn_many([[2.0], [1e30]], [1, -1])
    assert laws.fingerprint(learner) == before


@every_rule
def test_sensible_words_for_senseless_input(rule: ls.LinearRule) -> None:
    learner = laws.fresh(rule)
    y = () if rule.abilities.alone else ([1],) if rule.abilities.labels else ([1.0],)
    with pytest.raises(ls.InvalidData, match="row 0: value of feature 1 is nan; values must be finite"):
        laws.call(learner.learn_many, [[1.0, math.nan]], *y)
    assert learner.ledger.rounds == 0
    assert laws.call(learner.learn_many, np.zeros((0, 2)), *(part[:0] for part in y)) == {}
    laws.call(learner.learn_many, [[0.5, 0.5]], *y)
    with pytest.raises(ls.InvalidData, match="rows have 3 features; this learner has learned rows of 2"):
        laws.call(learner.learn_many, [[1.0, 2.0, 3.0]], *y)
    with pytest.raises(ls.InvalidData, match="3 features"):
        learner.score_many([[1.0, 2.0, 3.0]])
    assert learner.ledger.rounds == 1
    assert len(learner.predict_many(np.zeros((0, 2)))) == 0


def test_a_ball_has_no_average() -> None:
    for rule in (ls.KernelUniclass(kernel=GAUSSIAN, epsilon=0.1), ls.Uniclass(epsilon=0.1)):
        with pytest.raises(ls.NotApplicable):
            ls.run(rule, [[1.0], [2.0]]).learner.averaged()
        with pytest.raises(ls.NotApplicable, match="keeps no mean of its weights; leave average out"):
            ls.run(rule, [[1.0], [2.0]], average=True)


def test_unknown_kernels_are_refused() -> None:
    with pytest.raises(
        ls.InvalidParameter, match=r"kernel is 'gaussian'; kernel must be a kernel, such as ls.kernels.Gaussian"
    ):
        laws.call(ls.KernelPerceptron, kernel="gaussian")
    for budget in (0, -1, 1.5, True):
        with pytest.raises(ls.InvalidParameter, match="budget is"):
            laws.call(ls.KernelUniclass, kernel=GAUSSIAN, epsilon=1.0, budget=budget)


def test_strings_are_rows_of_a_kernel_that_reads_objects() -> None:
    def shared(points: Points, x: object) -> list[float]:
        return [float(len(set(str(p)) & set(str(x)))) for p in points]

    rule = ls.KernelPerceptron(kernel=ls.kernels.Custom(function=shared, of="objects"))
    learner = ls.Learner(rule, labels=("tail", "latin"))
    words: list[str] = ["abc", "xyz", "abd"]
    learner.learn_many(words, ["latin", "tail", "latin"])
    assert learner.predict_one("abe") == "latin"
    with pytest.raises(ls.NotApplicable, match="rows are a str; expected a list of objects"):
        laws.call(learner.predict_many, "abc")
    single = ls.Learner(rule, labels=("tail", "latin"))
    for word, label in zip(words, ["latin", "tail", "latin"], strict=True):
        single.learn_one(word, label)
    laws.same(learner, single)


def test_learning_is_the_same_in_a_fresh_interpreter_of_rows_that_are_one() -> None:
    """One row, no row: nothing to divide by."""
    for rule in (*KERNEL_RULES, *BALLS):
        learner = laws.fresh(rule)
        assert math.isfinite(learner.score_one([0.0, 0.0]))
        laws.call(learner.learn_one, [0.0, 0.0], *(() if rule.abilities.alone else (1,)))
        assert learner.ledger.rounds == 1
        assert math.isfinite(learner.score_one([0.0, 0.0]))
        assert _core.Totals().rounds == 0
