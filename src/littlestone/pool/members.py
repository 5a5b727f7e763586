"""Members of a pool: those of the core by name, and guests: rules and models of the user's own."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias, final, runtime_checkable

from littlestone.domain import Domain
from littlestone.errors import InvalidData
from littlestone.lazy import np
from littlestone.rule import LinearRule

MEMBERS = ("arow", "adagrad-logistic", "adagrad-hinge", "passive-aggressive", "naive-bayes", "newton", "markov")
"""Those of the core, in its order."""


@runtime_checkable
class RiverModel(Protocol):
    """A classifier of River, or what is made like one."""

    def predict_one(self, x: dict[int, float]) -> object:
        """The label for a row."""
        ...

    def learn_one(self, x: dict[int, float], y: int) -> object:
        """One round."""
        ...


@runtime_checkable
class SklearnModel(Protocol):
    """A classifier of scikit-learn that learns on the way."""

    def predict(self, X: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> Sequence[int]:
        """The labels of rows."""
        ...

    def partial_fit(self, X: object, y: object, classes: object = None) -> object:
        """Learns rows."""
        ...


Row: TypeAlias = "dict[int, float]"


def _is_guest(value: object) -> bool:
    return not isinstance(value, type) and isinstance(value, LinearRule | RiverModel | SklearnModel)


def _is_members(value: object) -> bool:
    if not isinstance(value, tuple) or len(value) == 0:
        return False
    return all(member in MEMBERS if isinstance(member, str) else _is_guest(member) for member in value)


def _read(text: str) -> tuple[str, ...]:
    """Names as they are written on the command line."""
    return tuple(text.replace(",", " ").split())


MEMBER_DOMAIN = Domain(
    f"a list of names ({', '.join(MEMBERS)}), of rules, and of models with learn_one or partial_fit",
    _is_members,
    "some of " + ",".join(MEMBERS),
    _read,
    tuples=True,
)


class Guest(Protocol):
    """What the pool asks of a guest: a score, and one round."""

    def score(self, row: Row) -> float:
        """Above 0 for the positive label, the larger the surer."""
        ...

    def learn(self, row: Row, sign: int, weight: float) -> None:
        """One round."""
        ...


@final
class RuleGuest:
    """A rule of the house, or one written in Python, with a learner of its own."""

    def __init__(self, rule: LinearRule) -> None:
        from littlestone.learner import Learner

        self.learner = Learner(rule, labels=(-1, 1))

    def score(self, row: Row) -> float:
        """That of the learner."""
        return self.learner.score_one(row)

    def learn(self, row: Row, sign: int, weight: float) -> None:
        """A round; a rule that gives no meaning to weights learns every round alike."""
        self.learner.learn_one(row, sign, weight if self.learner.rule.abilities.takes_weights else 1.0)


@final
class RiverGuest:
    """A model with `learn_one`: its log-odds if it has probabilities, else ±1 as it predicts."""

    def __init__(self, model: RiverModel) -> None:
        self.model = copy.deepcopy(model)

    def score(self, row: Row) -> float:
        """The log-odds of the positive label."""
        chances = getattr(self.model, "predict_proba_one", None)
        if chances is None:
            return _vote(self.model.predict_one(row))
        found: Mapping[object, float] = chances(row)
        return _log_odds(found.get(1, 0.0), found.get(-1, 0.0))

    def learn(self, row: Row, sign: int, weight: float) -> None:
        """A round, whatever its weight."""
        self.model.learn_one(row, sign)


@final
class SklearnGuest:
    """A model with `partial_fit`; it has as many columns as its first row."""

    def __init__(self, model: SklearnModel) -> None:
        self.model = copy.deepcopy(model)
        self.width = 0

    def score(self, row: Row) -> float:
        """Its decision function, or the log-odds of its probabilities, or ±1 as it predicts; 0 before it has learned."""
        if self.width == 0:
            return 0.0
        X = self._dense(row, learning=False)
        for verb in ("decision_function", "predict_proba"):
            said = getattr(self.model, verb, None)
            if said is not None:
                found = np.asarray(said(X), dtype=np.float64).ravel()
                return float(found[0]) if len(found) == 1 else _log_odds(float(found[1]), float(found[0]))
        return _vote(self.model.predict(X)[0])

    def learn(self, row: Row, sign: int, weight: float) -> None:
        """A round, whatever its weight."""
        self.model.partial_fit(self._dense(row, learning=True), np.array([sign]), classes=np.array([-1, 1]))

    def _dense(self, row: Row, *, learning: bool) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        extent = max(row, default=-1) + 1
        if learning and self.width == 0:
            self.width = max(extent, 1)
        if learning and extent > self.width:
            raise InvalidData(
                f"a row has feature {extent - 1}, and {type(self.model).__name__} has learned rows of {self.width} features; a "
                "member of scikit-learn needs every column in the first row that is learned"
            )
        X = np.zeros((1, self.width))
        for feature, value in row.items():
            if feature < self.width:
                X[0, feature] = value
        return X


def guest_of(member: object) -> Guest:
    """A member that is no name, fresh: what was given is not touched."""
    if isinstance(member, LinearRule):
        return RuleGuest(member)
    if isinstance(member, SklearnModel):
        return SklearnGuest(member)
    assert isinstance(member, RiverModel)
    return RiverGuest(member)


def _vote(label: object) -> float:
    return 0.0 if label is None else 1.0 if label == 1 else -1.0


def _log_odds(positive: float, negative: float) -> float:
    if positive <= 0.0 and negative <= 0.0:
        return 0.0
    return math.log(max(positive, 1e-9) / max(negative, 1e-9))
