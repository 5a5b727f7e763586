"""Members of a pool: those of the core by name, and guests: rules and models of the user's own."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Protocol, TypeAlias, final, runtime_checkable

from littlestone.arguments import short
from littlestone.domain import Domain
from littlestone.errors import InvalidData
from littlestone.lazy import np
from littlestone.rule import LinearRule

MEMBERS = ("arow", "adagrad-logistic", "adagrad-hinge", "passive-aggressive", "naive-bayes", "newton", "markov")
"""Those of the core, in its order."""
TARGET_MEMBERS = (
    "adagrad",
    "passive-aggressive",
    "capped-passive-aggressive",
    "ridge",
    "forgetting-ridge",
    "last-value",
    "recent-mean",
)
"""Those that predict numbers, in the order of the core."""


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

    def partial_fit(self, X: object, y: object, **classes: object) -> object:
        """Learns rows; a classifier is told its `classes`."""
        ...


Row: TypeAlias = "dict[int, float]"


def _is_guest(value: object) -> bool:
    if isinstance(value, LinearRule):
        return value.abilities.named or value.abilities.targets
    return not isinstance(value, type) and isinstance(value, RiverModel | SklearnModel)


def _is_members(value: object) -> bool:
    if not isinstance(value, tuple) or len(value) == 0:
        return False
    return all(member in MEMBERS if isinstance(member, str) else _is_guest(member) for member in value)


def _read(text: str) -> tuple[str, ...]:
    """Names as they are written on the command line."""
    return tuple(text.replace(",", " ").split())


MEMBER_DOMAIN = Domain(
    f"a list of names ({', '.join(MEMBERS)}), of rules of labels or targets, and of models with learn_one or partial_fit",
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
    """A model with `learn_one`: its log-odds if it has probabilities, else what it predicts of −1 and +1."""

    def __init__(self, model: RiverModel) -> None:
        self.model = copy.deepcopy(model)

    def score(self, row: Row) -> float:
        """The log-odds of the positive label."""
        chances = getattr(self.model, "predict_proba_one", None)
        found: object = self.model.predict_one(row) if chances is None else chances(row)
        if not isinstance(found, Mapping):
            return _number(found, self.model)
        return _log_odds(_number(found.get(1), self.model), _number(found.get(-1), self.model))

    def learn(self, row: Row, sign: int, weight: float) -> None:
        """A round, whatever its weight."""
        self.model.learn_one(row, sign)


@final
class SklearnGuest:
    """A model with `partial_fit`; it has as many columns as its first row."""

    def __init__(self, model: SklearnModel) -> None:
        self.model = copy.deepcopy(model)
        self.classes = {"classes": np.array([-1, 1])} if "classes" in signature(model.partial_fit).parameters else {}
        self.width = 0

    def score(self, row: Row) -> float:
        """Its decision function, or the log-odds of its probabilities, or what it predicts; 0 before it has learned."""
        if self.width == 0:
            return 0.0
        X = self._dense(row, learning=False)
        for verb in ("decision_function", "predict_proba"):
            said = getattr(self.model, verb, None)
            if said is not None:
                found = [_number(value, self.model) for value in np.ravel(said(X))]
                if len(found) not in (1, 2):
                    raise _odd(found, self.model)
                return found[0] if len(found) == 1 else _log_odds(found[1], found[0])
        return _number(self.model.predict(X)[0], self.model)

    def learn(self, row: Row, sign: int, weight: float) -> None:
        """A round, whatever its weight."""
        self.model.partial_fit(self._dense(row, learning=True), np.array([sign]), **self.classes)

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


def _number(said: object, model: object) -> float:
    """What a model says, 0 where it says nothing yet.

    Raises:
        InvalidData: if it is no number.
    """
    if said is None:
        return 0.0
    if not isinstance(said, int | float | np.number | np.bool_):
        raise _odd(said, model)
    return float(said)


def _odd(said: object, model: object) -> InvalidData:
    words = "a member says a number for a row, or one for each of the labels -1 and 1"
    return InvalidData(f"the member {type(model).__name__} says {short(said)}; {words}")


def _log_odds(positive: float, negative: float) -> float:
    if positive <= 0.0 and negative <= 0.0:
        return 0.0
    return math.log(max(positive, 1e-9) / max(negative, 1e-9))
