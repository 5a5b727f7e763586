"""Mutants: known-bad rules, each of which a named law or lemma must catch, where the honest rule passes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np
import pytest

import laws
import littlestone as ls
from laws import Law
from littlestone import _core
from littlestone.arrays import FloatArray, SignArray
from littlestone.loop import Loop, PythonLoop
from littlestone.state import Average, ScaledWeights, State, Weights
from littlestone.theory.guarantee import within
from littlestone.theory.moments import moments
from strategies import Stream

# --- the laws of single rules, as functions that a mutant can break


def every_mistake_updates(rule: ls.LinearRule, stream: Stream) -> None:
    """A score of 0 is a mistake, and a Perceptron updates on every mistake."""
    ledger = laws.learned(rule, stream).ledger
    assert ledger.mistakes == ledger.updates


def projection_reaches_the_margin(rule: ls.LinearRule, stream: Stream) -> None:
    """Crammer et al. 2003: after an update of PA the loss on the row is 0."""
    learner = laws.fresh(rule)
    learner.learn_many(stream.X[:0], stream.y[:0])
    for x, y in stream.rounds():
        updates = learner.ledger.updates
        learner.learn_one(x, y)
        if learner.ledger.updates > updates and isinstance(y, int):
            assert y * learner.score_one(x) == pytest.approx(1.0, rel=1e-12)


def shrinks_as_defined(rule: ls.LinearRule, stream: Stream) -> None:
    """Mohri et al., exercise 8.5, without the lazy scale: w <- (1 - eta)w + eta C y x below margin 1, w <- (1 - eta)w above."""
    eta, w = 0.5, np.zeros(stream.width)
    for x, y in zip(stream.X, stream.signs, strict=True):
        margin = float(y * (w @ x))
        if margin != 1.0:
            w = (1.0 - eta) * w + (eta * y * x if margin < 1.0 else 0.0)
    assert np.abs(laws.learned(rule, stream).state.w - w).max() <= 1e-12


def lemma(name: str, index: int, u: FloatArray) -> Law:
    """The one-round inequality of a guarantee, as a law."""

    def holds(rule: ls.LinearRule, stream: Stream) -> None:
        inequality = ls.theory.linear[name].lemmas[index]
        for moment in moments(rule, _core.dense_batch(stream.X), stream.outcomes, u):
            assert within(*inequality.sides(moment)), inequality.words

    holds.__name__ = f"lemma {index} of {name}"
    return holds


# --- the mutants


class _Perceptron(ls.LinearRule):
    """A Perceptron that mutants spoil."""

    source: ClassVar[str] = "a mutant"

    def init(self, width: int) -> Weights:
        return Weights(w=np.zeros(width))

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        return _core.Interval.open_half_line(label)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        if trial.side == 0:
            return _core.Step.stay()
        row.add_to(state.w, float(trial.side))
        return _core.Step.by(float(trial.side))


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Honest(_Perceptron):
    """The control: no law may catch it."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class TieIgnored(_Perceptron):
    """sgn(0) = +1 in the test for an update."""

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        return _core.Interval.half_line(label, 0.0)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class WrongSignOnNegatives(_Perceptron):
    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        if trial.side == 0:
            return _core.Step.stay()
        row.add_to(state.w, 1.0)
        return _core.Step.by(float(trial.side))


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class HalfStepUnderAFullName(_Perceptron):
    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        if trial.side == 0:
            return _core.Step.stay()
        row.add_to(state.w, 0.5 * trial.side)
        return _core.Step.by(float(trial.side))


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class TouchesOnRest(_Perceptron):
    """Moves a weight by the smallest number in a round that it reports as no update."""

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        if trial.side == 0:
            state.w[0] = np.nextafter(state.w[0], np.inf)
            return _core.Step.stay()
        return super().update(state, row, trial)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class ImpureScore(_Perceptron):
    """Learns from being asked."""

    def score(self, state: State, row: _core.Row) -> float:
        state.w[0] += 1.0
        return row.dot(state.w)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class HiddenMemory(_Perceptron):
    """Keeps its step size outside the state, where no snapshot sees it."""

    memory: list[float] = field(default_factory=list)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        self.memory.append(1.0)
        if trial.side == 0:
            return _core.Step.stay()
        step = trial.side / len(self.memory)
        row.add_to(state.w, step)
        return _core.Step.by(step)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class TossesACoin(_Perceptron):
    """Shows another prediction each time it is asked."""

    memory: list[float] = field(default_factory=list)

    def decide(self, state: State, score: float, ahead: int = 0) -> _core.Decision:
        self.memory.append(score)
        return _core.Decision(1 if len(self.memory) % 2 else -1, 0.5, randomized=True)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class FavouriteFeature(_Perceptron):
    """Treats column 0 as no other."""

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        step = super().update(state, row, trial)
        state.w[0] = abs(state.w[0])
        return step


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class CountsStoredEntries(_Perceptron):
    """Divides by what happens to be stored, so an explicit zero changes the model."""

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        if trial.side == 0 or not row.batch.entries:
            return _core.Step.stay()
        step = trial.side / row.batch.entries
        row.add_to(state.w, step)
        return _core.Step.by(step)


@final
class _MiniBatchLoop:
    """Scores a whole batch with the weights of its beginning: the difference between learn_many and learn_one."""

    torn = False

    def __init__(self, rule: ls.LinearRule, state: State, average: Average | None) -> None:
        self._rule, self._state = rule, state
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
        frozen = self._state.copy()
        for t in range(begin, end):
            row = batch[t]
            accepts = outcomes.interval(t, lambda label: _core.Interval.open_half_line(label), _no_target)
            trial = _core.Trial(self._rule.score(frozen, row), accepts, 0.0, row, outcomes.label(t))
            step = self._rule.update(self._state, row, trial)
            totals.record(trial, self._rule.decide(self._state, trial.score), step)
            columns.write(t, trial, self._rule.decide(self._state, trial.score), step)

    def learn_row(self, batch: _core.Batch, outcomes: _core.Outcomes, totals: _core.Totals) -> tuple[float, int]:
        return self._inner.learn_row(batch, outcomes, totals)

    def score(self, batch: _core.Batch, out: FloatArray) -> None:
        self._inner.score(batch, out)

    def score_row(self, batch: _core.Batch) -> tuple[float, int]:
        return self._inner.score_row(batch)

    def signs(self, scores: FloatArray, out: SignArray) -> None:
        self._inner.signs(scores, out)


def _no_target(target: float) -> _core.Interval:
    return _core.Interval.around(target, 0.0)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class LearnsInMiniBatches(_Perceptron):
    def loop(self, state: State, average: Average | None) -> Loop:
        return _MiniBatchLoop(self, state, average)


@final
class _StaleAverageLoop:
    """Adds the weights to the average only in rounds that move them: survival counts are lost."""

    torn = False

    def __init__(self, rule: ls.LinearRule, state: State, average: Average | None) -> None:
        self._state, self._average = state, average
        self._inner = PythonLoop(rule, state, None)

    def learn(
        self,
        batch: _core.Batch,
        outcomes: _core.Outcomes,
        totals: _core.Totals,
        columns: _core.RoundColumns,
        begin: int,
        end: int,
    ) -> None:
        for t in range(begin, end):
            before, updates = self._state.w.copy(), totals.updates
            self._inner.learn(batch, outcomes, totals, columns, t, t + 1)
            if self._average is not None and totals.updates > updates:
                self._average.settled[:] += before

    def learn_row(self, batch: _core.Batch, outcomes: _core.Outcomes, totals: _core.Totals) -> tuple[float, int]:
        before, updates = self._state.w.copy(), totals.updates
        answer = self._inner.learn_row(batch, outcomes, totals)
        if self._average is not None and totals.updates > updates:
            self._average.settled[:] += before
        return answer

    def score(self, batch: _core.Batch, out: FloatArray) -> None:
        self._inner.score(batch, out)

    def score_row(self, batch: _core.Batch) -> tuple[float, int]:
        return self._inner.score_row(batch)

    def signs(self, scores: FloatArray, out: SignArray) -> None:
        self._inner.signs(scores, out)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class StaleAverage(_Perceptron):
    def loop(self, state: State, average: Average | None) -> Loop:
        return _StaleAverageLoop(self, state, average)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class KernelOfAnotherRule(_Perceptron):
    """A kernel that is not the definition above it."""

    def loop(self, state: State, average: Average | None) -> Loop:
        return _core.perceptron(w=state.w, eta=1.0 + 1e-15, tolerance=0.0, average=average and average.bound())


class _PassiveAggressive(_Perceptron):
    def accepts_label(self, state: State, label: int) -> _core.Interval:
        return _core.Interval.half_line(label, 1.0)

    def tau(self, row: _core.Row, trial: _core.Trial) -> float:
        return trial.distance / row.norm_squared

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        if trial.distance == 0.0 or row.norm_squared == 0.0:
            return _core.Step.stay()
        step = trial.side * self.tau(row, trial)
        row.add_to(state.w, step)
        return _core.Step.by(step)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class HonestProjection(_PassiveAggressive):
    """The control."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class BiasOutsideTheNorm(_PassiveAggressive):
    """The last column is a bias that the norm leaves out: the step overshoots."""

    def tau(self, row: _core.Row, trial: _core.Trial) -> float:
        return trial.distance / (row.norm_squared - 1.0)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class HalfProjection(_PassiveAggressive):
    def tau(self, row: _core.Row, trial: _core.Trial) -> float:
        return 0.5 * trial.distance / row.norm_squared


class _OnlineSVM(ls.LinearRule):
    source: ClassVar[str] = "a mutant"
    whole: ClassVar[bool] = True

    def init(self, width: int) -> ScaledWeights:
        return ScaledWeights(v=np.zeros(width), scale=np.ones(1))

    def score(self, state: State, row: _core.Row) -> float:
        return float(state.scale[0] * row.dot(state.v))

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        return _core.Interval.half_line(label, 1.0)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        if trial.label * trial.score == 1.0:
            return _core.Step.stay()
        state.scale[0] *= 0.5
        if state.scale[0] < 1e-6:
            folded = state.v if self.whole else state.v[::2]
            folded *= state.scale[0]
            state.scale[0] = 1.0
        if trial.side:
            row.add_to(state.v, 0.5 * trial.side / state.scale[0])
        return _core.Step.by(0.5 * trial.side)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class HonestSVM(_OnlineSVM):
    """The control."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class PartialRescale(_OnlineSVM):
    """Folds the scale into every second weight only."""

    whole: ClassVar[bool] = False


# --- who must catch whom

_SOURCE = np.random.default_rng(11)
_X = _SOURCE.integers(-3, 4, size=(40, 5)).astype(float)
INTEGERS = Stream(_X, np.where(_X @ [1.0, -2.0, 1.0, 0.5, 0.0] > 0, 1, -1))
ZEROS_FIRST = Stream(np.eye(4), np.ones(4, dtype=np.int64))
BIASED = Stream(np.column_stack([_X[:, :2], np.ones(len(_X))]), INTEGERS.y)
TWO_POINTS = Stream(np.array([[3.0, 4.0], [1.0, 0.0]]), np.array([1, -1]))
U = np.array([1.0, -2.0, 1.0, 0.5, 0.0])

CATCHES: list[tuple[Law, ls.LinearRule, type[ls.LinearRule], Stream]] = [
    (every_mistake_updates, Honest(), TieIgnored, ZEROS_FIRST),
    (lemma("mohri.8.8", 1, U), Honest(), WrongSignOnNegatives, INTEGERS),
    (lemma("bylander.2", 0, U), Honest(), WrongSignOnNegatives, INTEGERS),
    (laws.steps_are_honest, Honest(), WrongSignOnNegatives, INTEGERS),
    (laws.steps_are_honest, Honest(), HalfStepUnderAFullName, INTEGERS),
    (lemma("mohri.8.8", 1, U), Honest(), HalfStepUnderAFullName, INTEGERS),
    (projection_reaches_the_margin, HonestProjection(), HalfProjection, INTEGERS),
    (projection_reaches_the_margin, HonestProjection(), BiasOutsideTheNorm, BIASED),
    (lemma("pa.1", 0, np.array([0.12, 0.16])), HonestProjection(), HalfProjection, TWO_POINTS),
    (lemma("pa.1", 0, np.array([0.0, 0.25])), HonestProjection(), BiasOutsideTheNorm, TWO_POINTS),
    (shrinks_as_defined, HonestSVM(), PartialRescale, INTEGERS),
    (laws.average_is_the_mean_of_the_weights_used, Honest(), StaleAverage, INTEGERS),
    (laws.no_update_moves_no_byte, Honest(), TouchesOnRest, INTEGERS),
    (laws.predicting_is_pure, Honest(), ImpureScore, INTEGERS),
    (laws.shows_what_it_predicts, Honest(), TossesACoin, ZEROS_FIRST),
    (laws.restoring_goes_on, Honest(), HiddenMemory, INTEGERS),
    (laws.renaming_commutes, Honest(), FavouriteFeature, INTEGERS),
    (laws.every_form_is_the_same, Honest(), CountsStoredEntries, INTEGERS),
    (laws.whole_equals_split, Honest(), LearnsInMiniBatches, INTEGERS),
    (laws.many_equals_one_by_one, Honest(), LearnsInMiniBatches, INTEGERS),
    (laws.kernel_equals_definition, Honest(), KernelOfAnotherRule, INTEGERS),
    (laws.kernel_equals_definition, Honest(), LearnsInMiniBatches, INTEGERS),
]


@pytest.mark.parametrize(("law", "honest", "mutant", "stream"), CATCHES, ids=lambda it: getattr(it, "__name__", ""))
def test_law_catches_mutant(law: Law, honest: ls.LinearRule, mutant: type[ls.LinearRule], stream: Stream) -> None:
    law(honest, stream)
    with pytest.raises(AssertionError):
        law(mutant(), stream)


def test_a_rule_in_python_alone_keeps_every_law() -> None:
    for honest in (Honest(), HonestProjection(), HonestSVM()):
        for law in (
            laws.whole_equals_split,
            laws.many_equals_one_by_one,
            laws.run_equals_learner,
            laws.shows_what_it_predicts,
            laws.every_form_is_the_same,
            laws.dicts_equal_arrays,
            laws.labels_are_names,
            laws.predicting_is_pure,
            laws.no_update_moves_no_byte,
            laws.restoring_goes_on,
            laws.ledger_is_the_sum_of_its_rounds,
            laws.average_is_the_mean_of_the_weights_used,
        ):
            law(honest, INTEGERS)


def test_a_python_perceptron_equals_the_compiled_one() -> None:
    assert Honest().init(3).w.tolist() == [0.0, 0.0, 0.0]
    mine, theirs = laws.learned(Honest(), INTEGERS), laws.learned(ls.Perceptron(), INTEGERS)
    laws.same(mine, theirs, but=("average",))


# --- the law of atomic refusal has teeth too


def refusal_is_atomic() -> None:
    learner = laws.learned(ls.Perceptron(), INTEGERS)
    before = laws.fingerprint(learner)
    # More entries than a block, so that rows are learned before the fault is met.
    spoiled = np.tile(INTEGERS.X, (600, 1))
    spoiled[-1, 2] = np.nan
    with pytest.raises(ls.InvalidData):
        learner.learn_many(spoiled, np.tile(-INTEGERS.signs, 600))
    assert laws.fingerprint(learner) == before


def test_refusal_that_is_not_undone_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    refusal_is_atomic()

    def stay(_learner: ls.Learner, _before: object) -> None:
        """Does not go back."""

    monkeypatch.setattr(ls.Learner, "_return_to", stay)
    with pytest.raises(AssertionError):
        refusal_is_atomic()
