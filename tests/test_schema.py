"""One declaration of the arrays of a state: everything that is done to states goes by it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from littlestone.convert.hypotheses import hypotheses
from littlestone.domain import POSITIVE, parameter
from littlestone.experts import ExpertState
from littlestone.multiclass.prototypes import Prototypes
from littlestone.schema import PER_FEATURE, Array, Axis, Mixing, Schema
from littlestone.state import State, Weights

LINE = Array(Axis.FEATURE, inner=16, kind=np.float32)
SCHEMA: Schema = {
    "squares": Array(Axis.FEATURE, fill=0.25),
    "line": LINE,
    "count": Array(Axis.FEATURE, kind=np.int64),
    "flag": Array(Axis.FEATURE, kind=np.uint8),
    "matrix": Array(inner=9),
}


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Diagonal(ls.LinearRule):
    """A step for each coordinate, and arrays of every kind that can be declared."""

    source: ClassVar[str] = "a test"

    eta: float = parameter(1.0, domain=POSITIVE, why="a test")

    def init(self, width: int) -> Weights:
        return Weights(
            SCHEMA,
            w=np.zeros(width),
            squares=np.full(width, 0.25),
            rounds=np.zeros(1),
            matrix=np.zeros(9),
            **{name: SCHEMA[name].zeros(width) for name in ("line", "count", "flag")},
        )

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        return _core.Interval.half_line(label, 1.0)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        state.rounds[0] += 1.0
        state.matrix[int(state.rounds[0]) % 9] += trial.score
        if trial.side == 0:
            return _core.Step.stay()
        i, x = row.indices, row.values
        state.squares[i] += x * x
        state.line[i, 3] += x.astype(np.float32)
        state.count[i] += 1
        state.flag[i] = 1
        state.w[i] += trial.side * self.eta * x / np.sqrt(state.squares[i])
        return _core.Step.by(trial.side * self.eta)


def stream(count: int = 30) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.float64]], list[int]]:
    rng = np.random.default_rng(4)
    X = np.where(rng.random((count, 9)) < 0.4, rng.normal(size=(count, 9)), 0.0)
    return X, [1 if x.sum() > 0.0 else -1 for x in X]


def dicts() -> list[dict[str, float]]:
    return [{f"f{i}": float(v) for i, v in enumerate(x) if v} for x in stream()[0]]


def bits(state: State) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in state.arrays.items()}


def test_one_row_at_a_time_with_late_features_and_all_at_once() -> None:
    """Every array grows along the features, with its own fill, and keeps its type and its inner width."""
    _, y = stream()
    one, many = ls.Learner(Diagonal()), ls.Learner(Diagonal())
    for x, label in zip(dicts(), y, strict=True):
        one.learn_one(x, label)
    many.learn_many(dicts(), y)
    assert bits(one.state) == bits(many.state)
    assert one.state.line.shape == (9, 16)
    assert {name: array.dtype.name for name, array in one.state.arrays.items()} == {
        "w": "float64",
        "squares": "float64",
        "rounds": "float64",
        "matrix": "float64",
        "line": "float32",
        "count": "int64",
        "flag": "uint8",
    }


def saved(learner: ls.Learner, folder: Path) -> ls.Learner:
    learner.save(folder / "m.lst")
    return ls.load(folder / "m.lst", rules=[Diagonal])


COPIES: dict[str, Callable[[ls.Learner, Path], ls.Learner]] = {
    "file": saved,
    "pickle": lambda learner, _: pickle.loads(pickle.dumps(learner)),
    "deepcopy": lambda learner, _: copy.deepcopy(learner),
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("rule", [Diagonal(), ls.OneVersusRest(rule=Diagonal())], ids=["binary", "classes"])
def test_a_copy_goes_on_with_the_same_bits(
    rule: ls.LinearRule, copied: Callable[[ls.Learner, Path], ls.Learner], tmp_path: Path
) -> None:
    X, y = dicts(), stream()[1]
    learner = ls.Learner(rule)
    learner.learn_many(X[:20], y[:20])
    twin = copied(learner, tmp_path)
    for each in (learner, twin):
        each.learn_many([*X[20:], {"new": 1.0}], [*y[20:], 1])
    assert bits(twin.state) == bits(learner.state)
    assert twin.ledger == learner.ledger


def test_classes_stack_every_array() -> None:
    """The second class of one versus the rest is the binary learner, array by array."""
    X, y = stream()
    many = ls.run(ls.OneVersusRest(rule=Diagonal()), X, y, labels=(-1, 1))
    alone = ls.run(Diagonal(), X, y, labels=(-1, 1))
    assert isinstance(many.state, Prototypes)
    assert bits(many.state.of_class(1)) == bits(alone.state)


def test_a_refused_batch_leaves_every_array() -> None:
    X, y = stream()
    learner = ls.Learner(Diagonal())
    learner.learn_many(X[:10], y[:10])
    before = bits(learner.state)
    X[29, 3] = np.nan
    with pytest.raises(ls.InvalidData):
        learner.learn_many(X[10:], y[10:])
    assert bits(learner.state) == before


def test_an_array_that_is_not_as_declared_is_refused() -> None:
    with pytest.raises(ls.InvalidData, match="'squares' of Weights has shape"):
        Weights(w=np.zeros(3), squares=np.zeros(3))
    with pytest.raises(ls.InvalidData, match="'squares'"):
        Weights({"squares": PER_FEATURE}, w=np.zeros(3), squares=np.zeros(2))
    with pytest.raises(ls.InvalidData, match="'line'"):
        Weights({"line": LINE}, w=np.zeros(3), line=np.zeros((3, 16)))


def test_rooms_begin_at_a_cache_line() -> None:
    grown = Diagonal().init(3).grown(Diagonal().init(50))
    assert LINE.zeros(7).ctypes.data % 64 == 0 == grown.line.ctypes.data % 64
    assert grown.squares.tolist() == [0.25] * 50


def test_an_array_of_another_type_is_refused() -> None:
    state = Diagonal().init(2)
    with pytest.raises(ls.InvalidData, match="'line' has 32 numbers of float64, not 32 of float32"):
        state.refilled({**state.arrays, "line": np.zeros(32)}, 2)


@given(st.lists(st.floats(0.05, 1.0), min_size=2, max_size=4))
def test_mixing_goes_array_by_array(given_shares: list[float]) -> None:
    shares = np.array(given_shares) / sum(given_shares)
    rng = np.random.default_rng(0)
    schema: Schema = {"seen": Array(mixing=Mixing.SUM), "radius": Array(Axis.FEATURE, mixing=Mixing.LARGEST)}
    states = [Weights(schema, w=rng.normal(size=3), seen=np.ones(1), radius=rng.random(3)) for _ in shares]
    mixed = states[0].mixed(states[1:], shares)
    np.testing.assert_allclose(mixed.w, sum(share * state.w for share, state in zip(shares, states, strict=True)), rtol=1e-12)
    assert mixed.seen[0] == len(shares)
    assert mixed.radius.tolist() == np.max([state.radius for state in states], axis=0).tolist()


def test_what_cannot_be_mixed_must_agree() -> None:
    states = [Weights(w=np.zeros(2), norm=np.array([value])) for value in (1.0, 1.0, 2.0)]
    assert states[0].mixed(states[1:2], np.array([0.5, 0.5])).norm[0] == 1.0
    with pytest.raises(ls.NotApplicable, match="'norm' of these states differs"):
        states[0].mixed(states[1:], np.full(3, 1.0 / 3.0))


def test_the_state_of_experts_is_the_same_thing() -> None:
    state = ExpertState(losses=np.array([1.0, 2.0]), rounds=np.ones(1))
    twin = state.copy()
    state.losses[0] = 5.0
    state.restore(twin)
    assert state.losses.tolist() == [1.0, 2.0]
    again = ExpertState(losses=np.zeros(2), rounds=np.zeros(1)).refilled(pickle.loads(pickle.dumps(state)).arrays, 2)
    assert again.losses.tolist() == [1.0, 2.0]


def test_the_core_refuses_arrays_of_different_lengths() -> None:
    with pytest.raises(ls.InvalidData, match="weights and average"):
        _core.perceptron(w=np.zeros(3), eta=1.0, tolerance=0.0, average=_core.Average(np.zeros(2), np.zeros(2), np.zeros(1)))
    with pytest.raises(ls.InvalidData, match="an average"):
        _core.Average(np.zeros(2), np.zeros(3), np.zeros(1))


def test_steps_of_each_coordinate_are_not_taken_for_multiples_of_the_row() -> None:
    """Voted and averaged predictors are sums of steps; this rule says so of updates that are none."""
    X, y = stream()
    run = ls.run(Diagonal(), X, y, keep=("step", "update"))
    with pytest.raises(ls.NotApplicable, match="are not the sum of its steps"):
        hypotheses(run)
    for rule in (ls.OnlineSVM(), ls.SignedWinnow(), ls.MulticlassPerceptron()):
        with pytest.raises(ls.NotApplicable, match="not sums of steps"):
            hypotheses(ls.run(rule, X, y, keep=("step", "update")))
