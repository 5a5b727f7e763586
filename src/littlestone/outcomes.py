"""What outcomes mean to a learner: labels, classes, targets or intervals, as the core takes them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias, final

from littlestone import _core
from littlestone.errors import InvalidData, InvalidParameter, NotApplicable
from littlestone.labels import Classes, Label, Labels, ThirdLabel
from littlestone.lazy import np
from littlestone.streams.intervals import Intervals, NoOutcome
from littlestone.streams.rows import FileLabels

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.calibration import Calibration
    from littlestone.rule import LinearRule
    from littlestone.streams.space import Table

OutcomesLike: TypeAlias = "Sequence[Label] | npt.NDArray[np.generic] | Intervals | NoOutcome | FileLabels | _core.Outcomes"
Known: TypeAlias = "tuple[Labels, Classes | None, str | None]"
"""The pair of labels, the classes of a rule of many, and the kind of outcomes so far."""

_WEIGHED = (
    'the Perceptrons, AROW, OnlineSVM, the variants "PA-I", "PA-II" and "relaxed", and rules of many classes or of kernels '
    "made of them"
)
_ONE_LABEL = {-1: _core.one_label(-1), +1: _core.one_label(+1)}


def chances_of(scores: FloatArray) -> FloatArray:
    """The probabilities that log-odds stand for, a row each: of two labels, or of each class against the rest, with sum 1."""
    each = 1.0 / (1.0 + np.exp(-np.clip(scores, -700.0, 700.0)))
    if scores.ndim == 1:
        return np.stack([1.0 - each, each], axis=1)
    together: FloatArray = each / each.sum(axis=1, keepdims=True)
    return together


@final
class OutcomeSpace:
    """Reads outcomes, and remembers the labels that were met and the kind of outcomes that a learner keeps to."""

    __slots__ = ("_abilities", "_plain", "_rule", "classes", "kind", "labels")

    def __init__(self, rule: LinearRule, labels: tuple[Label, ...] | None, *, plain: bool = False) -> None:
        self._rule = rule
        self._plain = plain  # nobody named the rule, so nobody said that numbers are labels
        self._abilities = rule.abilities
        # A rule that learns both begins with a pair; a third label turns it into classes.
        self.classes = Classes.of(labels) if rule.abilities.classes and not rule.abilities.labels else None
        self.labels = Labels.given(labels if labels is not None else rule.abilities.signs) if self.classes is None else Labels()
        self.kind: str | None = None
        if self.classes is not None and rule.classes() > len(self.classes):
            name, rows, given = type(rule).__name__, rule.classes(), len(self.classes)
            raise InvalidParameter(f"{name} has weights for {rows} classes and there are {given} labels; name them by labels=")

    def copy(self) -> OutcomeSpace:
        """A space of its own that knows the same."""
        twin = OutcomeSpace.__new__(OutcomeSpace)
        twin._rule, twin._abilities, twin._plain = self._rule, self._abilities, self._plain
        twin.retreat(self.mark())
        return twin

    def mark(self) -> Known:
        """What is known by now, to be able to go back."""
        return self.labels, self.classes, self.kind

    def retreat(self, known: Known) -> None:
        """Goes back to what was known."""
        self.labels, self.classes, self.kind = known

    @property
    def words(self) -> str:
        """What the rule learns, in a sentence."""
        return f"{type(self._rule).__name__} learns {' and '.join(sorted(self._abilities.learns))}"

    @property
    def names(self) -> tuple[Label, ...]:
        """The pair (negative, positive) as far as it is known; or the classes in the order of their numbers."""
        return (self.labels.value(-1), self.labels.value(+1)) if self.classes is None else self.classes.known()

    @property
    def met(self) -> tuple[Label | None, ...]:
        """The labels in their places, None in that of one that was not met; empty before the first."""
        known = self.labels.known() if self.classes is None else self.classes.known()
        return () if known == (None, None) else known

    @property
    def settled(self) -> bool:
        """Whether there are labels and the next one may be a known one."""
        settled = self.labels.settled if self.classes is None else len(self.classes) > 0
        return settled and self.kind in ("labels", "classes") and None not in self.names

    @property
    def numbers(self) -> dict[Label, int]:
        """The number of each class; none where there are two labels."""
        return {} if self.classes is None else dict(self.classes.numbers)

    def predicts_labels(self) -> bool:
        """Whether a prediction is a label, and not a score."""
        if self._abilities.alone or self.classes is not None:
            return True
        return self.kind == "labels" or (self.kind is None and self._abilities.labels)

    def shown(self, code: int) -> Label:
        """The label that a sign, or the number of a class, stands for."""
        return self.labels.value(code) if self.classes is None else self.classes.value(code)

    def values(self, codes: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
        """The labels that signs, or the numbers of classes, stand for."""
        if self.classes is not None:
            return self.classes.values(codes.astype(np.int32))
        return self.labels.values(codes.astype(np.int8))

    def one(self, y: Label | Intervals | NoOutcome) -> _core.Outcomes:
        """The outcome of one row.

        Raises:
            InvalidData: if it is malformed.
            NotApplicable: if it is of a kind that the rule does not learn, or not the kind so far.
        """
        self._check_alone(y, "there is no outcome")
        y = Intervals.inside(1) if isinstance(y, NoOutcome) else y
        if isinstance(y, Intervals):
            if len(y) != 1:
                raise InvalidData(f"there are {len(y)} intervals for one row")
            self._accept("intervals")
            return y.outcomes
        if self.classes is not None:
            self._accept("classes")
            self.classes = self.classes.placed(y)
            return _core.one_class(self.classes.number(y))
        if not self._abilities.labels:
            self._accept("targets")
            return _core.one_target(_target(y))
        if self.kind != "labels":
            self._check_plain([y])
            self._accept("labels")
        return _ONE_LABEL[self.labels.sign(y)] if self.labels.sign(y) else self._new_label(y)

    def weighed_one(self, y: Label | Intervals, weight: float) -> _core.Outcomes:
        """The outcome of one row with its weight.

        Raises:
            InvalidData: if one of them is malformed.
            NotApplicable: as `one` and `weighed`.
        """
        outcome = self.one(y)
        # An array of weights has no truth.
        return outcome if type(weight) is float and weight == 1.0 else self.weighed(outcome, weight)

    def many(self, y: OutcomesLike) -> _core.Outcomes:
        """The outcomes of many rows.

        Raises:
            InvalidData: if one is malformed.
            NotApplicable: if they are of a kind that the rule does not learn, or not the kind so far.
        """
        if isinstance(y, _core.Outcomes | FileLabels):
            return self._read(y)
        self._check_alone(y, "there are no outcomes")
        y = Intervals.inside(1) if isinstance(y, NoOutcome) else y
        if isinstance(y, Intervals):
            self._accept("intervals")
            return y.outcomes
        values = _listed(y)
        if self.classes is not None:
            self._accept("classes")
            codes, self.classes = self.classes.codes(values)
            return _core.classes(codes)
        if not self._abilities.labels:
            self._accept("targets")
            return _core.targets(_targets(values))
        self._check_plain(values)
        self._accept("labels")
        try:
            signs, self.labels = self.labels.signs(values)
        except ThirdLabel:
            if not self._abilities.classes:
                raise
            return self._third(values)
        return _core.labels(signs)

    def _read(self, y: _core.Outcomes | FileLabels) -> _core.Outcomes:
        """Outcomes as `Learner.encode` reads them, or those of a file, which are read here."""
        if isinstance(y, _core.Outcomes):
            return y
        found = self._of_numbers(y)
        return self.many(y.array) if found is None else found

    def _of_numbers(self, y: FileLabels) -> _core.Outcomes | None:
        """Numbers of a file that are two labels, as the core compares them; None where the long way has more to say."""
        able = self._abilities.labels and not self._abilities.alone and self.classes is None and not self._plain
        if not able or not y.are_known_numbers:
            return None
        pair = self.labels
        for number in y.unlike((), 3):
            if pair.settled and not pair.sign(number):
                return None
            pair = pair.placed(number)
        negative, positive = (math.nan if label is None else label for label in pair.known())
        if not isinstance(negative, float) or not isinstance(positive, float):
            return None
        self._accept("labels")
        self.labels = pair
        return y.signs(negative, positive)

    def _check_plain(self, values: Sequence[Label] | npt.NDArray[np.generic]) -> None:
        """Refuses a first outcome that looks like a target where nobody named a rule."""
        if not self._plain or self.kind is not None:
            return
        if not hasattr(values, "__len__") or getattr(values, "ndim", 1) == 0 or len(values) == 0:
            return
        first: object = values[0]
        fraction = isinstance(first, float | np.floating) and not float(first).is_integer()
        label = isinstance(first, str | bool | int | float | np.bool_ | np.integer | np.floating)
        if first is None or (label and not fraction):
            return
        raise NotApplicable(
            f"the first outcome is {f'{first:g}' if fraction else repr(first)}; ls.Learner() learns labels: words, truth "
            "values or whole numbers; for targets give ls.Learner(ls.PoolRegression()) (--rule pool-regression)"
        )

    def chances(self, scores: FloatArray, calibration: Calibration | None) -> FloatArray:
        """The probabilities that scores stand for, a row each, in the order of the labels.

        Raises:
            NotApplicable: if the scores of the rule are no log-odds, and were not calibrated.
        """
        if calibration is not None and self.predicts_labels():
            return calibration.chances(scores)
        if self._abilities.has_log_odds:
            return chances_of(scores)
        name = type(self._rule).__name__
        cure = "make the learner with calibrate=True for probabilities, or learn by ls.Pool()"
        raise NotApplicable(f"a score of {name} is no log-odds; {cure if self._abilities.named else 'it has no probabilities'}")

    def _new_label(self, y: Label) -> _core.Outcomes:
        """The outcome for a label that has no place yet."""
        try:
            self.labels = self.labels.placed(y)
        except ThirdLabel:
            if not self._abilities.classes:
                raise
            return self._third([y])
        return _ONE_LABEL[self.labels.sign(y)]

    def _third(self, values: Sequence[Label] | npt.NDArray[np.generic]) -> _core.Outcomes:
        """Labels among which is a third one: classes from now on."""
        self.kind = "classes"
        codes, self.classes = Classes.after(self.labels, values).codes(values)
        self.labels = Labels()
        return _core.classes(codes)

    def weighed(self, outcomes: _core.Outcomes, weights: npt.ArrayLike) -> _core.Outcomes:
        """The outcomes with their weights; as they are where every weight is 1.

        Raises:
            InvalidData: if the weights are malformed.
            NotApplicable: if the rule gives no meaning to them.
        """
        try:
            given = np.atleast_1d(np.require(weights, np.float64, ("C", "A", "E")))
        except (TypeError, ValueError, OverflowError):
            raise InvalidData("the weights are not numbers; expected one finite number a row") from None
        if given.ndim != 1:
            raise InvalidData(f"the weights have {given.ndim} dimensions; expected one number per row")
        weighed, unit = outcomes.weighted(given), given == 1.0
        if unit.all():
            return outcomes
        if not self._abilities.takes_weights:
            row = int(np.argmin(unit))
            raise NotApplicable(
                f"row {row}: the weight is {given[row]:g}; {_described(self._rule)} gives weights no meaning: "
                f"learn by {_WEIGHED}, or ignore them (weights=np.ones(rows), --ignore-weights)"
            )
        return weighed

    def _accept(self, kind: str) -> None:
        if kind not in self._abilities.learns:
            raise NotApplicable(f"the outcomes are {kind}; {self.words}")
        if self.kind not in (None, kind):
            raise NotApplicable(f"the outcomes are {kind}; this learner has learned {self.kind} so far")
        self.kind = kind

    def _check_alone(self, y: object, missing: str) -> None:
        """Refuses outcomes for a rule that learns rows alone, and none for any other."""
        given = not isinstance(y, NoOutcome)
        if not self._abilities.alone and not given:
            raise NotApplicable(f"{missing}; {self.words}")
        if self._abilities.alone and given and not (isinstance(y, Intervals) and y.is_inside()):
            raise NotApplicable(f"there are outcomes; {type(self._rule).__name__} learns rows alone")


def _listed(y: Sequence[Label] | npt.NDArray[np.generic]) -> Sequence[Label] | npt.NDArray[np.generic]:
    """Outcomes that can be looked at more than once: an array of what is one elsewhere, a list of what comes one by one."""
    if hasattr(y, "to_numpy"):
        return np.asarray(y)
    return list(y) if isinstance(y, Iterable) and not hasattr(y, "__getitem__") else y


def with_outcomes(X: Table, y: OutcomesLike) -> tuple[Table, OutcomesLike]:
    """The rows, and the outcomes for a rule that learns rows alone where none were given."""
    if not isinstance(y, NoOutcome):
        return X, y
    rows: Table = X if hasattr(X, "shape") or not isinstance(X, Iterable) else list(X)
    shape: object = getattr(rows, "shape", None)
    count = shape[0] if isinstance(shape, tuple) else len(rows) if isinstance(rows, list | _core.Batch) else 0
    return rows, Intervals.inside(count)


def _described(rule: LinearRule) -> str:
    """The rule, with its variant where it has several."""
    variant: object = getattr(rule, "variant", None)
    return type(rule).__name__ + (f'(variant="{variant}")' if isinstance(variant, str) else "")


def _target(y: object) -> float:
    if isinstance(y, bool) or not isinstance(y, int | float | np.number):
        words = "; words are learned by a rule of labels, such as ls.Pool (--task labels)" if isinstance(y, str) else ""
        raise InvalidData(f"row 0: the target is {y!r}; targets must be numbers{words}")
    return float(y)


def _targets(y: Sequence[Label] | npt.NDArray[np.generic]) -> FloatArray:
    try:
        values = np.asarray(y)
    except ValueError:
        raise InvalidData("targets are lists of different lengths; expected one number per row") from None
    if values.ndim != 1:
        raise InvalidData(f"targets have {values.ndim} dimensions; expected one number per row, as y.ravel() has them")
    if values.dtype.kind not in "iuf":
        words = (
            "; words are learned by a rule of labels, such as ls.Pool (--task labels)" if values.dtype.kind in "OUST" else ""
        )
        raise InvalidData(f"targets have dtype {values.dtype}; expected one number per row{words}")
    return np.require(values, np.float64, ("C", "A", "E"))
