"""The abstract rules and their verbs."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeGuard, final

from littlestone import _core, domain
from littlestone.abilities import Abilities
from littlestone.arrays import frozen_vector
from littlestone.errors import InvalidParameter, NotApplicable
from littlestone.lazy import np, numpy_is_loaded
from littlestone.loop import Faced, Loop, PythonLoop, check_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.state import Average, State
    from littlestone.theory.proofs import Proofs


class Rule(ABC):
    """A frozen, keyword-only dataclass of parameters; a rule is a value, and only a state moves."""

    source: ClassVar[str]
    """Where the rule comes from: author, year, figure."""

    def __post_init__(self) -> None:
        """Freezes arrays, makes NumPy's numbers Python's and checks every parameter against its domain."""
        for name, known in domain.parameters(self).items():
            value = getattr(self, name)
            if numpy_is_loaded() and isinstance(value, np.integer | np.floating):
                # Python computes with a float32 in float32; the core and the papers do not.
                object.__setattr__(self, name, value.item())
            if isinstance(value, list | tuple) and (known.domain.tuples or _is_names(value)):
                object.__setattr__(self, name, tuple(value))
            elif isinstance(value, list | tuple) or _is_array(value):
                try:
                    object.__setattr__(self, name, frozen_vector(value))
                except (TypeError, ValueError):
                    raise InvalidParameter(f"{type(self).__name__}: {name} is not a list of numbers") from None
        domain.check(self)

    @classmethod
    @final
    def name(cls) -> str:
        """The name on the command line."""
        return rule_name(cls.__name__)

    def parameters(self) -> dict[str, object]:
        """Every parameter by its name."""
        return {name: getattr(self, name) for name in domain.parameters(self)}

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, Rule):
            return NotImplemented
        mine, theirs = self.parameters(), other.parameters()
        return all(_same(mine[name], theirs[name]) for name in mine)

    def __hash__(self) -> int:
        values = self.parameters().values()
        return hash((type(self), *(tuple(v.ravel().tolist()) if _is_array(v) else v for v in values)))


def rule_name(of_class: str) -> str:
    """A class on the command line: PassiveAggressive becomes passive-aggressive, OnlineSVM online-svm, MLpol ml-pol."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=^ML)(?=[a-z])", "-", of_class).lower()


def _is_array(value: object) -> TypeGuard[npt.NDArray[np.generic]]:
    return numpy_is_loaded() and isinstance(value, np.ndarray)


def _is_names(value: object) -> bool:
    return isinstance(value, tuple) and len(value) > 0 and all(isinstance(name, str) for name in value)


def _same(a: object, b: object) -> bool:
    if _is_array(a) and _is_array(b):
        return bool(np.array_equal(a, b))
    return not _is_array(a) and not _is_array(b) and a == b


class LinearRule(Rule):
    """A rule that scores a row by a dot product and learns from an interval of acceptable scores.

    Three verbs define it: `init` makes a state, `score` reads it, `update` moves it. A rule that says no more runs
    everywhere in Python; a rule that the core knows overrides `loop`.
    """

    def __init_subclass__(cls) -> None:
        """A rule that says in the former way what it can do would not be heard."""
        former = sorted({field.name for field in fields(Abilities)} & cls.__dict__.keys())
        if former:
            raise TypeError(f"{cls.__name__} defines {former[0]}; say abilities = ls.Abilities({former[0]}=…) instead")

    @property
    def abilities(self) -> Abilities:
        """What the rule can do: one value, on the class, or made of the parameters."""
        return Abilities()

    @abstractmethod
    def init(self, width: int) -> State:
        """A complete state for rows of this width."""

    def score(self, state: State, row: _core.Row) -> float:
        """The real-valued prediction for a row."""
        return row.dot(state.w)

    @abstractmethod
    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """Moves the state after a round and says by how much."""

    def face(self, state: State, row: _core.Row, outcomes: _core.Outcomes, t: int) -> Faced:
        """A round before its update: the state meets the row, scores it and decides."""
        state.meet(row)
        interval = outcomes.interval(t, partial(self.accepts_label, state), partial(self.accepts_target, state))
        trial = self.trial(state, row, interval, outcomes.label(t), outcomes.weight(t))
        check_scores(t, np.array([trial.score]))
        decision = self.decide(state, trial.score)
        return Faced(trial, decision, decision.sign)

    @final
    def trial(self, state: State, row: _core.Row, interval: _core.Interval, label: int, weight: float) -> _core.Trial:
        """Where the score of a row stands to an interval."""
        score = self.settle(state, row, self.score(state, row), interval)
        lengths, odds = self.lengths(state, row), self.abilities.has_log_odds
        return _core.Trial(score, interval, self.widening(), lengths, label, weight=weight, missing=row.missing, log_odds=odds)

    def scores(self, state: State, row: _core.Row) -> FloatArray:
        """All scores of a row: the one, or one per class."""
        return np.array([self.settle(state, row, self.score(state, row), _core.Interval.open_half_line(+1))])

    def verdict(self, state: State, scores: FloatArray) -> tuple[float, int]:
        """The score that counts of all scores of a row, and what is predicted."""
        return float(scores[0]), self.decide(state, float(scores[0])).sign

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """The scores that are acceptable for a label of -1 or +1."""
        raise NotApplicable(f"{type(self).__name__} does not learn labels")

    def accepts_target(self, state: State, target: float) -> _core.Interval:
        """The scores that are acceptable for a target."""
        raise NotApplicable(f"{type(self).__name__} does not learn targets")

    def ends(self) -> tuple[float, float]:
        """The margin asked of a label and the half-width allowed around a target, for whoever is compared with."""
        return 1.0, 0.0

    def widening(self) -> float:
        """By how much every interval is widened before the rule goes by it."""
        return 0.0

    def threshold(self, state: State) -> float:
        """The distance beyond which a row is outside, for a rule that learns rows without outcomes."""
        raise NotApplicable(f"{type(self).__name__} learns outcomes; it knows no inside and outside")

    def averaged(self, state: State) -> tuple[LinearRule, State] | None:
        """A rule that predicts with the mean of the weights used so far and its state, where the state keeps that mean."""
        return None

    @final
    def keeps_mean(self) -> bool:
        """Whether the mean of the weights used can be had: kept beside the state, or in it."""
        try:
            return self.abilities.averages or self.averaged(self.init(self.least_width())) is not None
        except NotApplicable:  # a centre has none that means anything
            return False

    def lengths(self, state: State, row: _core.Row) -> object:
        """Where the ledger reads `norm_squared` and `largest_entry` of the row that was just scored."""
        return row

    def settle(self, state: State, row: _core.Row, score: float, interval: _core.Interval) -> float:
        """The score, or the end of the interval that it may be taken for where scores are known to be inexact."""
        return score

    def least_width(self) -> int:
        """The length of the longest vector among the parameters: no state is narrower than its start."""
        vectors = [value for value in self.parameters().values() if _is_array(value)]
        return max((vector.shape[-1] for vector in vectors), default=0)

    def vocabulary(self) -> int | None:
        """How many features known by name are kept at most; None keeps all. The state must then say what it can spare."""
        return None

    def classes(self) -> int:
        """How many classes the parameters speak of; most rules learn them all from the stream."""
        return 0

    def inspect(self, batch: _core.Batch) -> None:
        """Raises InvalidData for the first row that the rule refuses."""

    def decide(self, state: State, score: float, ahead: int = 0) -> _core.Decision:
        """What is shown for a score, `ahead` rounds from now (a randomised rule draws anew each round)."""
        return _core.Decision.by_sign(score)

    def mixed(self, states: Sequence[State], shares: FloatArray) -> State:
        """The weighted sum of the states of several learners, their mean if shares add up to 1: array by array, as declared.

        Raises:
            NotApplicable: if an array cannot be mixed and differs.
        """
        return states[0].mixed(states[1:], shares)

    def primal(self) -> LinearRule:
        """The linear rule that this one is, in the space of its kernel where it has one."""
        return self

    def has_say(self, state: State) -> bool:
        """Whether a state counts among several; one of a rule that begins with its first row does not before that."""
        return True

    def proofs(self) -> Proofs:
        """How theorems see a run of the rule: what they compare it with, and its rounds one by one."""
        from littlestone.theory.linear_proofs import LINEAR

        return LINEAR

    def loop(self, state: State, average: Average | None) -> Loop:
        """The loop that runs the rule on a state."""
        return PythonLoop(self, state, average)


def no_rule(rule: object, expected: str) -> InvalidParameter:
    """What to say of something that is not the rule it should be, such as the class of one."""
    if isinstance(rule, type) and issubclass(rule, Rule):
        return InvalidParameter(f"the rule is the class {rule.__name__}; make a rule of it: ls.{rule.__name__}()")
    return InvalidParameter(f"the rule is {rule!r}; expected {expected}")


def checked(rule: object) -> LinearRule:
    """A rule of a learner.

    Raises:
        InvalidParameter: for anything else.
    """
    if not isinstance(rule, LinearRule):
        raise no_rule(rule, "a rule, such as ls.Perceptron()")
    return rule
