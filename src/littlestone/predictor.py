"""What can be asked of a learner: what it knows, scores and predictions. Nothing of it changes what was learned."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from littlestone import _core
from littlestone.arguments import flag, is_one_of
from littlestone.before import Before
from littlestone.body import Body, checked_calibrate
from littlestone.errors import InvalidData, InvalidParameter, NotApplicable
from littlestone.guarded import Guarded
from littlestone.labels import Label
from littlestone.lazy import np
from littlestone.ledger import BatchMemory, Ledger
from littlestone.multiclass.class_states import ClassStates
from littlestone.norms import Norms
from littlestone.outcomes import OutcomeSpace
from littlestone.rule import checked
from littlestone.streams.batches import numbers
from littlestone.streams.space import Space
from littlestone.watch import Watch

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.outcomes import OutcomesLike
    from littlestone.pool.explaining import Explanation
    from littlestone.rule import LinearRule
    from littlestone.snapshots import Missing
    from littlestone.state import State
    from littlestone.streams.batches import Feature
    from littlestone.streams.recipe import Recipe
    from littlestone.streams.space import Table, Vector
    from littlestone.views import View

Result = TypeVar("Result")

_NEVER = 2**63


class Predictor(Guarded[Before], ABC):
    """A rule, its state and its ledger, and the names of features and labels."""

    def __init__(
        self,
        rule: LinearRule | None = None,
        *,
        labels: tuple[Label, ...] | None = None,
        average: bool = False,
        missing: Missing | None = None,
        view: View | None = None,
        calibrate: bool = False,
    ) -> None:
        missing = missing if missing is not None else "skip" if rule is None else "error"
        if not is_one_of(missing, ("error", "skip", "indicator")):
            raise InvalidParameter(f'missing is {missing!r}; missing must be one of "error", "skip", "indicator"')
        average = flag("average", average)
        super().__init__()
        plain, rule = rule is None, _pool() if rule is None else checked(rule)
        if average and not rule.keeps_mean():
            raise NotApplicable(f"average is True, and {type(rule).__name__} keeps no mean of its weights; leave average out")
        self.rule = rule
        self.view = None if view is None else _checked_view(view, rule)
        """What the rule is shown of rows; None shows them as they are."""
        self._begun: LinearRule | None = rule
        self._memory = BatchMemory()
        self._norms = Norms()
        self.watch = Watch()
        """The rounds that were held to the definition of the rule, and what was found."""
        self._outcomes = OutcomeSpace(rule, labels, plain=plain)
        self._missing: Missing = missing
        objects, most = rule.abilities.takes_objects, rule.vocabulary()
        self._space = Space(self._least_width(), objects=objects, missing=missing, most=most)
        self._totals = _core.Totals()
        self._passes = 1
        calibrate = checked_calibrate(calibrate, rule)
        self._body = Body(rule, self._space, self._outcomes, average=average, view=self.view, calibrate=calibrate)
        self._quick: _core.DictRounds | None = None

    @property
    def state(self) -> State:
        """The state, to be read; before the first row, one of no features."""
        with self._alone:
            self._heal()
            return self._body.state.locked()

    @property
    def ledger(self) -> Ledger:
        """The ledger at this moment."""
        own = self._begun is self.rule or self._begun == self.rule
        with self._alone:
            totals, passes = self._totals.copy(), self._passes
        blank = own and self.rule.least_width() == 0
        return Ledger.of(totals, passes, own_rounds=own, blank_start=blank, repeats=self._memory.repeats)

    @property
    def totals(self) -> _core.Totals:
        """A copy of the running totals, of which the ledger is made: for whoever looks after every pass."""
        with self._alone:
            return self._totals.copy()

    @property
    def counts(self) -> tuple[int, int]:
        """Rounds and mistakes, as the ledger has them: for whoever looks after every few rounds."""
        return (totals := self.totals).rounds, totals.mistakes

    @property
    def calibrates(self) -> bool:
        """Whether the scores are calibrated on the way, so that there are probabilities whatever the rule."""
        return self._body.bound.calibration is not None

    @property
    def has_probabilities(self) -> bool:
        """Whether there are probabilities of labels: the rule's own, or calibrated ones."""
        return self.rule.abilities.has_log_odds or self.calibrates

    @property
    def missing(self) -> Missing:
        """What nan and None among the values mean."""
        return self._missing

    @property
    def advice(self) -> str | None:
        """What should be known of the rows that were learned: that their columns are in very different units; mostly None."""
        return self._norms.advice

    @property
    def features(self) -> list[Feature]:
        """The features in the order of the weights: names, or columns."""
        return self._space.names

    @property
    def shown_features(self) -> list[Feature]:
        """The features as the rule is shown them, in the order of the weights: behind `ls.views.Bins()`, bins among them."""
        return self.features if self.view is None else self.view.names(self.features)

    @property
    def width(self) -> int:
        """How many features there are; of a wide learner by position, no list of them is made to know."""
        return self._space.width

    @property
    def recipe(self) -> Recipe | None:
        """What the columns of the table hold that was learned, where it was one; `ls.read(..., recipe=)` reads others so."""
        return self._space.recipe

    @property
    def weights(self) -> dict[Feature, float]:
        """The weights that are not 0, by feature as the rule is shown it; of a rule of two labels."""
        w = self.state.w
        if self._outcomes.classes is not None:
            raise NotApplicable("there is a weight per feature and class; see weights_of(label)")
        return {name: float(value) for name, value in zip(self.shown_features, w, strict=False) if value != 0.0}

    def weights_of(self, label: Label) -> dict[Feature, float]:
        """The weights that are not 0 in the score of a class, by feature.

        Raises:
            NotApplicable: if the rule does not learn classes, or has no weights, or the label was not met.
        """
        classes, state = self._outcomes.classes, self.state
        if classes is None:
            raise NotApplicable(f"{self._outcomes.words}, and has weights for both of two labels together; see weights")
        if not isinstance(state, ClassStates):
            raise NotApplicable(f"{type(self.rule).__name__} has no one vector of weights for a class; see explain_one")
        number = classes.number(label)
        if not 0 <= number < state.count:
            raise NotApplicable(f"there is no class {label!r}; the labels are {self.labels!r}")
        w = state.of_class(number).w
        return {name: float(value) for name, value in zip(self.shown_features, w, strict=False) if value != 0.0}

    @property
    def labels(self) -> tuple[Label, ...]:
        """The pair (negative, positive) as far as it is known; or the classes in the order of their numbers."""
        return self._outcomes.names

    def score_one(self, x: Vector) -> float:
        """The real-valued score of a row; of many classes the largest (see `scores_one`). Nothing changes."""
        with self._alone:
            self._heal()
            batch = self._row_to_score(x)
            return self._body.scorer(batch.width).score_row(batch)[0]

    def scores_one(self, x: Vector) -> dict[Label, float]:
        """The score of every class that was met, by label. Nothing changes.

        Raises:
            NotApplicable: if the rule does not learn classes.
        """
        if self._outcomes.classes is None:
            raise NotApplicable(f"{self._outcomes.words}, not classes; see score_one")
        with self._alone:
            self._heal()
            scores = self._body.scores(self._row_to_score(x))[0]
            return dict(zip(self.labels, scores.tolist(), strict=False))

    def probability_one(self, x: Vector) -> dict[Label, float]:
        """The probability of every label met, by label. Nothing changes.

        Raises:
            NotApplicable: if the rule has no probabilities, and the learner was made without calibrate=True.
        """
        with self._alone:
            self._heal()
            found = dict.fromkeys(self.labels, 0.0)
            for label, chance in zip(self.labels, self._body.chances(self._row_to_score(x))[0].tolist(), strict=False):
                found[label] += chance  # a lone label stands in both places
            return found

    def probability_many(self, X: Table) -> FloatArray:
        """The probabilities of the labels, a row each, in the order of `labels`. Nothing changes.

        Example:
            >>> import littlestone as ls
            >>> learner = ls.Learner(labels=("ham", "spam"))
            >>> learner.probability_many([[1.0]])
            array([[0.5, 0.5]])

        Raises:
            NotApplicable: if the rule has no probabilities, and the learner was made without calibrate=True.
        """
        with self._alone:
            self._heal()
            return self._body.chances(self._rows_to_score(X))

    def explain_one(self, x: Vector, label: Label | None = None) -> Explanation:
        """Why a pool gives a label its log-odds, or predicts a number: what every feature adds, member by member.

        Nothing changes.

        Args:
            x: the row.
            label: whose log-odds are explained; None is the positive one of two labels, as far as it was met, and of many
                classes the one that is predicted. A prediction of a number has no label.

        Example:
            >>> import littlestone as ls
            >>> learner = ls.Learner(labels=("ham", "spam"))
            >>> for words, label in [("win cash now", "spam"), ("see you now", "ham"), ("cash prize", "spam")] * 3:
            ...     _ = learner.learn_one(dict.fromkeys(words.split(), 1), label)
            >>> why = learner.explain_one({"cash": 1, "now": 1})
            >>> why.label, list(why.features), why.features["cash"] > 0.0
            ('spam', ['cash', 'now'], True)

        Raises:
            NotApplicable: if the rule is no pool, or the label was not met.
        """
        from littlestone.pool.explaining import chosen, explained

        def work() -> tuple[Explanation, ...]:
            batch = self._space.row(x, grow=True)
            features = self._space.names if self._space.named else range(self._space.width)
            return explained(self._body.state, batch, features, self._outcomes.met or self.labels)

        with self._alone:
            self._heal()
            return chosen(self._tried(work), label)

    def predict_one(self, x: Vector) -> Label:
        """The label for a row, or the score where the learner learns targets or intervals. Nothing changes.

        Of many classes the one with the largest score; None before any was met.
        """
        quick = self._quick
        if quick is not None:
            said = quick.predict(x)
            if said is not None:
                return said
        with self._alone:
            self._heal()
            batch = self._row_to_score(x)
            score, sign = self._body.scorer(batch.width).score_row(batch)
            if self._quick is None and not self._busy:
                self._quick = self._short_way()
            return self._outcomes.shown(sign) if self._outcomes.predicts_labels() else score

    def score_many(self, X: Table) -> FloatArray:
        """The scores of the rows; of many classes a row of scores each, in the order of `labels`. Nothing changes."""
        with self._alone:
            self._heal()
            return self._body.scores(self._rows_to_score(X))

    def verdicts_many(self, X: Table) -> npt.NDArray[np.int32]:
        """The signs of `score_many`, 0 for 0; of many classes, for each row, the place of the first of its largest scores.

        Rows whose entries are not in the order of the features are put into it only where roundings could turn the sign.
        """
        with self._alone:
            self._heal()
            return self._body.verdicts(self._rows_to_score(X))

    def predict_many(self, X: Table) -> npt.NDArray[np.generic]:
        """The labels of the rows, or their scores where the learner learns targets or intervals. Nothing changes."""
        with self._alone:
            scores = self.score_many(X)
            shown = self.labels_of(scores)
            return scores if shown is None else shown

    def labels_of(self, scores: FloatArray) -> npt.NDArray[np.generic] | None:
        """The labels that scores of `score_many` stand for; None where the learner learns targets or intervals."""
        scores = np.ascontiguousarray(numbers(scores, "the scores"), dtype=np.float64)
        if scores.ndim not in (1, 2):
            raise InvalidData(f"the scores have {scores.ndim} dimensions; expected one per row, or one per row and class")
        with self._alone:
            if scores.ndim == 2:
                return self._outcomes.values(np.argmax(scores, axis=1) if scores.shape[1] else np.full(len(scores), -1))
            if not self._outcomes.predicts_labels():
                return None
            signs = np.zeros(len(scores), dtype=np.int8)
            self._body.scorer(self._space.width).signs(scores, signs)
            return self._outcomes.values(signs)

    def encode(self, X: Table, y: OutcomesLike) -> tuple[_core.Batch, _core.Outcomes]:
        """Rows and outcomes as the rule would see them, were they the first, for whoever studies a stream. Nothing changes."""
        return self._tried(lambda: self._encoded(X, y))

    def first_state(self, width: int) -> State:
        """A state as it is before the first round of rows of this width, for whoever runs a stream again."""
        return self._body.first(width)

    def batch(self, X: Table) -> _core.Batch:
        """The rows as this learner reads them, without learning them."""
        with self._alone:
            self._heal()
            return self._rows_to_score(X)

    def label_values(self, predictions: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
        """The labels that signs, or the numbers of classes, stand for: those of the column "prediction"."""
        return self._outcomes.values(predictions)

    def __repr__(self) -> str:
        seen = "" if self.view is None else f" behind {self.view!r}"
        return f"Learner({self.rule!r}{seen}: {self.ledger})"

    def _take(self, space: Space) -> None:
        average, slope = self._body.bound.average is not None, self.calibrates
        self._space = space
        self._body = Body(self.rule, space, self._outcomes, average=average, view=self.view, calibrate=slope)

    def _least_width(self) -> int:
        """How many features there are at least: those whose weights are among the parameters of the rule."""
        spread = 1 if self.view is None else self.view.shown_width(1)
        return -(-self.rule.least_width() // spread)

    def _close_short_way(self) -> None:
        """Sends every other thread the long way, where it waits for the lock."""
        quick, self._quick = self._quick, None
        if quick is not None:
            quick.close()

    def _short_way(self) -> _core.DictRounds | None:
        """For dicts and known labels (none of them None, which the short way answers with) on a compiled loop."""
        names, loop = self._space.table, self._body.bound.loop
        if names is None or not isinstance(loop, _core.Loop) or not self._outcomes.settled or self._space.spreads:
            return None
        if self.rule.abilities.inspects or self.rule.abilities.minds_unknown:
            return None
        return _core.DictRounds(loop, names, self._totals, self._outcomes.numbers, list(self.labels), self._looks_at())

    def short_way(self) -> _core.DictRounds | None:
        """The short way for dicts, for a master who goes it with several learners at once.

        None where there is none, and where a round may take memory: one learner could have learned a row then and not another.
        """
        with self._alone:
            state, _, _, statistics, slope = self._body.bound
            if self._busy or self._before is not None or state is None or not state.learns_in_place():
                return None
            if self._quick is None and statistics is None and slope is None:
                self._quick = self._short_way()
            return self._quick if statistics is None and slope is None else None

    def compiled_rounds(self) -> tuple[_core.Loop, _core.Totals, int] | None:
        """The loop, the totals and the first round that is looked at, for a ballot that learns votes by them."""
        loop = self._body.bound.loop
        return (loop, self._totals, self._looks_at()) if isinstance(loop, _core.Loop) else None

    def _looks_at(self) -> int:
        """The first round that is held to the definition of the rule."""
        return self.watch.next if self._watched() else _NEVER

    def _watched(self) -> bool:
        """Whether some rounds are held to the definition of the rule: where it is another thing than the loop."""
        if not self._body.compiled or not self.rule.abilities.compares:
            return False
        from littlestone.linear.fixed import Fixed

        if isinstance(self.rule, Fixed):
            return False
        return self._body.bound.state is not None

    def _minds_units(self) -> bool:
        """Whether one step size is for all columns: no view, and weights that are not scaled by a matrix."""
        able = self.rule.abilities
        return self.view is None and able.takes_view and able.has_weights and able.takes_spare_room

    def _row_to_score(self, x: Vector) -> _core.Batch:
        """One row, its unknown features with it if the rule minds them. Nothing is learned of them."""
        if not self.rule.abilities.minds_unknown:
            return self._space.row(x, grow=False)
        return self._tried(lambda: self._space.row(x, grow=True))

    def _rows_to_score(self, X: Table) -> _core.Batch:
        if not self.rule.abilities.minds_unknown:
            return self._space.batch(X, grow=False)
        return self._tried(lambda: self._space.batch(X, grow=True))

    def _encoded(self, X: Table, y: OutcomesLike) -> tuple[_core.Batch, _core.Outcomes]:
        outcomes = self._outcomes.many(y)
        batch = self._space.batch(X, grow=True)
        if len(batch) != len(outcomes):
            raise InvalidData(f"there are {len(batch)} rows and {len(outcomes)} outcomes")
        return self._body.shown_afresh(batch, outcomes), outcomes

    def _tried(self, work: Callable[[], Result]) -> Result:
        """Does some of what learning does, and goes back."""

        def done() -> Result:
            result = work()
            self._settle()
            return result

        return self._whole(done)


def _checked_view(view: View, rule: LinearRule) -> View | None:
    from littlestone.views import checked as checked_view

    return checked_view(view, rule)


def _pool() -> LinearRule:
    from littlestone.pool.pool import Pool

    return Pool()
