"""Proofs about linear rules: for every theorem a wrong rule that a lemma catches, and a case for each verdict."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np
import pytest

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.linear.multiplicative import MultiplicativeRule
from littlestone.loop import Loop, PythonLoop
from littlestone.state import Average, State
from littlestone.streams.synthetic import linear_labels
from littlestone.theory.certificate import Verdict
from littlestone.theory.guarantee import within
from littlestone.theory.moments import moments
from shown import shows

Update: TypeAlias = "Callable[[ls.LinearRule, State, _core.Row, _core.Trial], _core.Step]"


@final
@dataclass(frozen=True)
class Case:
    """A rule that a theorem speaks of, on rows that u separates: labels, or what has margin 1 for them."""

    rule: ls.LinearRule
    X: FloatArray
    signs: FloatArray
    u: FloatArray
    ends: bool = False

    def outcomes(self, rows: int) -> FloatArray | ls.Intervals:
        return ls.Intervals.of_labels(self.signs[:rows]) if self.ends else self.signs[:rows]

    def run(self, rows: int | None = None) -> ls.Run:
        count = len(self.X) if rows is None else rows
        return ls.run(self.rule, self.X[:count], self.outcomes(count), labels=None if self.ends else (-1.0, 1.0))

    def broken(self, name: str) -> bool:
        """Whether some round of the definition breaks a lemma of the theorem."""
        batch, outcomes = self.run(1).learner.encode(self.X[:60], self.outcomes(60))
        for moment in moments(self.rule, batch, outcomes, self.u, self.rule.ends()[0]):
            for lemma in ls.theory.linear[name].lemmas:
                left, right = lemma.sides(moment)
                lengths = float(moment.w @ moment.w + moment.w_next @ moment.w_next + moment.u @ moment.u)
                if not within(left, right + 1e-12 * lengths):
                    return True
        return False


ROWS, LABELS, _NORMAL = linear_labels(2000, 5, margin=0.5, seed=3)
WIDE: FloatArray = np.asarray(ROWS, dtype=np.float64)
SIGNS: FloatArray = np.asarray(LABELS, dtype=np.float64)
NORMAL: FloatArray = np.asarray(_NORMAL, dtype=np.float64) / 0.5
VOTES: FloatArray = np.random.default_rng(2).choice([-1.0, 1.0], size=(2000, 8))
FIRST: FloatArray = np.eye(8)[0]


def additive(rule: ls.LinearRule, *, ends: bool = False) -> Case:
    return Case(rule, WIDE, SIGNS, NORMAL, ends)


def simplex(rule: ls.LinearRule, *, ends: bool = False) -> Case:
    return Case(rule, VOTES, VOTES[:, 0], FIRST, ends)


CASES: dict[str, Case] = {
    "mohri.8.8": additive(ls.Perceptron()),
    "mohri.8.8w0": additive(ls.Perceptron(start=-0.5 * NORMAL)),
    "mohri.8.11": additive(ls.Perceptron()),
    "mohri.8.12": additive(ls.Perceptron()),
    "blum.5.11": additive(ls.Perceptron()),
    "mohri.ex8.11": additive(ls.Perceptron()),
    "bylander.2": additive(ls.Perceptron(eta=0.5), ends=True),
    "bylander.5": additive(ls.Perceptron()),
    "bylander.8": additive(ls.Perceptron(eta=0.9, tolerance=0.5), ends=True),
    "bylander.11": additive(ls.RandomizedPerceptron(eta=0.9)),
    "mohri.ex8.6": additive(ls.MarginPerceptron(rho=0.49)),
    "mohri.ex8.6x": additive(ls.MarginPerceptron(rho=0.49)),
    "pa.1": additive(ls.PassiveAggressive()),
    "pa.1r": additive(ls.PassiveAggressive()),
    "pa.1x": additive(ls.PassiveAggressive()),
    "pa.1c": additive(ls.PassiveAggressive()),
    "pa.1m": additive(ls.PassiveAggressive()),
    "pa.1h": additive(ls.PassiveAggressive()),
    "pa.3": additive(ls.PassiveAggressive(variant="relaxed", gamma=1.0)),
    "pa.3m": additive(ls.PassiveAggressive(variant="relaxed", gamma=1.0)),
    "pa.capped": additive(ls.PassiveAggressive(variant="PA-I", C=1.0)),
    "pa.2": additive(ls.PassiveAggressive()),
    "pa.batch": additive(ls.BatchPassiveAggressive(beta=0.25)),
    "mohri.8.13": simplex(ls.Winnow(eta=0.5)),
    "mohri.8.13x": simplex(ls.Winnow(eta=0.5)),
    "lecture.2": simplex(ls.Winnow(eta=0.5)),
    "bylander.3": simplex(ls.ExponentiatedUpdate(eta=0.5), ends=True),
    "bylander.6": simplex(ls.ExponentiatedUpdate(eta=0.5)),
    "bylander.7": simplex(ls.ExponentiatedUpdate(eta=0.5)),
    "bylander.master": simplex(ls.ExponentiatedUpdate(eta=0.5)),
    "bylander.9": simplex(ls.ExponentiatedUpdate(eta=0.9, tolerance=0.5), ends=True),
    "bylander.12": simplex(ls.RandomizedExponentiatedUpdate(eta=0.9)),
    "pa.4": simplex(ls.MultiplicativePassiveAggressive(margin=0.5)),
}


def certificate(run: ls.Run, name: str, against: FloatArray | None) -> ls.Certificate:
    return next(found for found in run.certify(against) if found.id == name)


def draws(state: State) -> None:
    """A randomised rule draws once per round, whatever it does."""
    if "draws" in state.arrays:
        state.draws[0] += 1.0


def backwards(rule: ls.LinearRule, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    """Moves the wrong way by 1 and says that it moved the right way by a half."""
    draws(state)
    if trial.side == 0:
        return _core.Step.stay()
    if isinstance(rule, MultiplicativeRule):
        rule.step(state, row, -1.0 * trial.side)
    else:
        row.add_to(state.w, -1.0 * trial.side)
    return _core.Step.by(0.5 * trial.side)


def frozen(_: ls.LinearRule, state: State, __: _core.Row, trial: _core.Trial) -> _core.Step:
    """Says that it moved."""
    draws(state)
    return _core.Step.by(float(trial.side)) if trial.side else _core.Step.stay()


def runs_away(_: ls.LinearRule, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
    row.add_to(state.w, 100.0)
    return _core.Step.by(float(trial.side))


def as_defined(rule: ls.LinearRule, state: State, average: Average | None) -> Loop:
    return PythonLoop(rule, state, average)


@shows("mutant", *CASES)
@pytest.mark.parametrize("name", CASES)
def test_a_lemma_catches_who_goes_backwards(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    case = CASES[name]
    assert not case.broken(name)
    monkeypatch.setattr(type(case.rule), "update", backwards)
    assert case.broken(name)


@shows("holds", *CASES)
@pytest.mark.parametrize("name", CASES)
def test_holds(name: str) -> None:
    found = certificate(CASES[name].run(), name, CASES[name].u)
    assert found.holds
    assert 0.0 < found.measured <= found.bound


@shows("violated", *CASES)
@pytest.mark.parametrize("name", CASES)
def test_violated_by_who_never_learns(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    case = CASES[name]
    monkeypatch.setattr(type(case.rule), "loop", as_defined)
    monkeypatch.setattr(type(case.rule), "update", runs_away if name == "pa.2" else frozen)
    found = certificate(case.run(), name, case.u)
    assert found.verdict is Verdict.VIOLATED
    assert "≰" in str(found)


@shows("unproved", *CASES)
@pytest.mark.parametrize("name", CASES)
def test_unproved_against_nothing(name: str) -> None:
    found = certificate(CASES[name].run(), name, None)
    assert found.verdict is Verdict.UNPROVED
    assert math.isnan(found.bound)
    assert None in [check.met for check in found.assumptions]
    opposite = certificate(CASES[name].run(), name, -CASES[name].u)
    assert opposite.verdict is not Verdict.VIOLATED


COUNTED = tuple(name for name in CASES if ls.theory.linear[name].quantity in ("updates", "mistakes", "expected mistakes"))


@shows("vacuous", *COUNTED)
@pytest.mark.parametrize("name", COUNTED)
def test_vacuous_after_one_round(name: str) -> None:
    assert certificate(CASES[name].run(1), name, CASES[name].u).verdict is Verdict.VACUOUS
