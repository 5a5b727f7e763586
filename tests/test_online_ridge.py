"""Ridge regression on-line: rounds by hand, the batch solution, its two theorems, and what their lemmas catch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.linear.square_root import MOST
from littlestone.loop import Loop, PythonLoop
from littlestone.state import Average, State
from littlestone.theory.certificate import Verdict
from littlestone.theory.guarantee import within
from littlestone.theory.moments import moments
from reading import data
from shown import shows

BOTH = ("vaw", "ridge")
RULES: dict[str, ls.OnlineRidge] = {"vaw": ls.OnlineRidge(), "ridge": ls.OnlineRidge(forecast="ridge")}


def sample(seed: int = 0, count: int = 200, width: int = 4) -> tuple[FloatArray, FloatArray]:
    source = np.random.default_rng(seed)
    X = source.normal(size=(count, width))
    return X, X @ source.normal(size=width) + 0.3 * source.normal(size=count)


def certificate(run: ls.Run, name: str) -> ls.Certificate:
    return next(found for found in run.certify() if found.id == name)


@shows("example", *BOTH)
def test_by_hand() -> None:
    """a = 1 and three rows (1, 3): P = 1, ½, ⅓ before them, w = 0, 3/2, 2; at the end w = 9/4 and det = 4."""
    forward = ls.run(RULES["vaw"], [[1.0]] * 3, [3.0] * 3, keep=("score", "step"))
    assert forward.columns["score"].tolist() == pytest.approx([0.0, 1.0, 1.5])
    plain = ls.run(RULES["ridge"], [[1.0]] * 3, [3.0] * 3, keep=("score", "step"))
    assert plain.columns["score"].tolist() == pytest.approx([0.0, 1.5, 2.0])
    assert plain.state.w[0] == pytest.approx(2.25)
    # min over u of u² + 3(3 − u)² is 27/4; Σ(y − w·x)²/(1 + v) is 9/2 + (9/4)/(3/2) + 1/(4/3).
    assert certificate(plain, "ridge").bound == pytest.approx(27 / 4)
    assert certificate(plain, "ridge").measured == pytest.approx(9 / 2 + 3 / 2 + 3 / 4)
    assert certificate(forward, "vaw").measured == pytest.approx(9 + 4 + 2.25)
    assert certificate(forward, "vaw").bound == pytest.approx(27 / 4 + 9 * np.log(4.0))


@given(seed=st.integers(0, 2**32 - 1), a=st.sampled_from([0.01, 1.0, 30.0]), width=st.integers(1, 6))
def test_the_weights_are_those_of_all_rows_at_once(seed: int, a: float, width: int) -> None:
    X, y = sample(seed, 30, width)
    weights = np.random.default_rng(seed).integers(0, 4, size=30).astype(np.float64)
    state = ls.run(ls.OnlineRidge(a=a), X, y, weights=weights).state
    A = a * np.eye(width) + X.T @ (weights[:, None] * X)
    assert np.allclose(state.w, np.linalg.solve(A, X.T @ (weights * y)), rtol=1e-9, atol=1e-12)
    assert np.allclose(state.root.T @ state.root @ A, np.eye(width), atol=1e-9)
    assert state.log_det[0] == pytest.approx(np.linalg.slogdet(A / a)[1])


@shows("never", *BOTH)
@pytest.mark.parametrize("name", BOTH)
@given(
    seed=st.integers(0, 2**32 - 1),
    scale=st.sampled_from([1e-4, 1.0, 1e5]),
    shift=st.sampled_from([0.0, 50.0]),
    a=st.floats(0.01, 100),
)
def test_never_violated(name: str, seed: int, scale: float, shift: float, a: float) -> None:
    """Adversarial targets, wide scales, repeated passes; the ridge identity holds both ways."""
    source = np.random.default_rng(seed)
    X = source.standard_cauchy(size=(40, 3)).clip(-1e3, 1e3) * [1.0, scale, 1.0]
    y = source.choice([-1.0, 1.0], size=40) * source.integers(0, 9, size=40) + shift
    found = certificate(ls.run(ls.OnlineRidge(a=a, forecast=RULES[name].forecast), X, y, passes=2), name)
    assert found.verdict in (Verdict.HOLDS, Verdict.VACUOUS)
    if name == "ridge":
        assert found.measured == pytest.approx(found.bound, rel=1e-6, abs=1e-9 * float(y @ y))


@shows("holds", *BOTH)
@pytest.mark.parametrize("name", BOTH)
def test_holds(name: str) -> None:
    found = certificate(ls.run(RULES[name], *sample()), name)
    assert found.holds
    assert 0.0 < found.measured <= found.bound * (1.0 + 1e-12)


@shows("vacuous", *BOTH)
@pytest.mark.parametrize("name", BOTH)
def test_vacuous_where_there_is_nothing_to_learn(name: str) -> None:
    X, y = np.zeros((3, 2)), np.array([1.0, -1.0, 2.0])
    assert certificate(ls.run(RULES[name], X, y), name).verdict is Verdict.VACUOUS


@shows("unproved", *BOTH)
@pytest.mark.parametrize("name", BOTH)
def test_unproved_for_the_other_forecast_and_for_weights(name: str) -> None:
    other = RULES["ridge" if name == "vaw" else "vaw"]
    assert certificate(ls.run(other, *sample()), name).verdict is Verdict.UNPROVED
    weighed = ls.run(RULES[name], *sample(), weights=np.full(200, 2.0))
    assert certificate(weighed, name).verdict is Verdict.UNPROVED


honest: Callable[[ls.OnlineRidge, State, _core.Row, _core.Trial], _core.Step] = ls.OnlineRidge.update


def moves_twice(rule: ls.OnlineRidge, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """Keeps its books as if the weights had moved once."""
    before = state.w.copy()
    step = honest(rule, state, row, trial)
    state.w[:] += state.w - before
    return step


def as_defined(rule: ls.LinearRule, state: State, average: Average | None) -> Loop:
    return PythonLoop(rule, state, average)


def broken(name: str) -> bool:
    X, y = sample(1, 40)
    batch, outcomes = ls.Learner(RULES[name]).encode(X, y)
    rounds = moments(RULES[name], batch, outcomes, np.array([1.0, -1.0, 0.5, 0.0]))
    lemma = ls.theory.linear[name].lemmas[0]
    return not all(within(*lemma.sides(moment), subtracted=1e3) for moment in rounds)


@shows("mutant", *BOTH)
@pytest.mark.parametrize("name", BOTH)
def test_the_lemma_catches_who_moves_twice(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert not broken(name)
    monkeypatch.setattr(ls.OnlineRidge, "update", moves_twice)
    assert broken(name)


def test_the_lemma_of_ridge_is_an_equality() -> None:
    X, y = sample(2, 40)
    batch, outcomes = ls.Learner(RULES["ridge"]).encode(X, y)
    for moment in moments(RULES["ridge"], batch, outcomes, np.array([0.3, -1.0, 0.5, 2.0])):
        left, right = ls.theory.linear["ridge"].lemmas[0].sides(moment)
        assert left == pytest.approx(right, rel=1e-9, abs=1e-9)


@shows("violated", *BOTH)
@pytest.mark.parametrize("name", BOTH)
def test_violated_by_who_moves_far(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def moves_far(rule: ls.OnlineRidge, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        before = state.w.copy()
        step = honest(rule, state, row, trial)
        state.w[:] += 20.0 * (state.w - before)
        return step

    monkeypatch.setattr(ls.OnlineRidge, "update", moves_far)
    monkeypatch.setattr(ls.OnlineRidge, "loop", as_defined)
    X, y = sample(3, 60)
    assert certificate(ls.run(RULES[name], X, y), name).verdict is Verdict.VIOLATED


def test_the_numbers_on_real_data() -> None:
    """The bound says something: the best constant has .73."""
    learner, rows = ls.Learner(ls.OnlineRidge()), 0
    for X, y in ls.read(data("libsvm/a9a.svm.gz")):
        learner.learn_many(X, np.asarray(y, dtype=np.float64))
        rows += len(y)
    found = learner.certify()[0]
    assert (found.id, found.verdict) == ("vaw", Verdict.HOLDS)
    assert found.measured / rows == pytest.approx(0.456, abs=1e-3)
    assert found.bound / rows == pytest.approx(0.468, abs=1e-3)


def test_features_come_late_go_to_a_file_and_are_cut(tmp_path: Path) -> None:
    rows = [{"a": 1.0}, {"b": 2.0, "a": -1.0}, {"c": 1.0}, {"a": 0.5, "c": 2.0}] * 5
    y = np.arange(20.0)
    late = ls.Learner(ls.OnlineRidge())
    for row, target in zip(rows[:9], y[:9], strict=True):
        late.learn_one(row, target)
    late.save(tmp_path / "m.lst")
    twin = ls.load(tmp_path / "m.lst")
    for learner in (late, twin):
        learner.learn_many(rows[9:], y[9:])
    assert late.state.root.tobytes() == twin.state.root.tobytes()
    assert late.state.root.shape == (3, 3)
    at_once = ls.Learner(ls.OnlineRidge())
    at_once.learn_many(rows, y)
    assert np.allclose(at_once.state.w, late.state.w, rtol=1e-12)


def test_too_many_features_are_refused_and_nothing_changes() -> None:
    learner = ls.Learner(ls.OnlineRidge())
    learner.learn_one({"a": 1.0}, 1.0)
    before = learner.state.w.copy()
    with pytest.raises(ls.NotApplicable, match=r"OnlineRidge keeps a number per pair of features and takes 4096 .* got 4097"):
        learner.learn_one({f"f{j}": 1.0 for j in range(MOST)}, 1.0)
    assert learner.state.w.tolist() == before.tolist()
    assert learner.ledger.rounds == 1


def test_the_core_checks_the_matrix() -> None:
    one = np.zeros(1)
    with pytest.raises(ls.InvalidData, match="the matrix of OnlineRidge is not one of its features"):
        _core.online_ridge(
            w=np.zeros(3), root=np.zeros(6), sums=np.zeros(3), residual=one, log_det=one, largest_target=one, forward=True
        )
