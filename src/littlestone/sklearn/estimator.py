"""What all estimators share: a learner, its passes over a sample, its ledger and its certificates."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, Self, TypeVar, cast, final

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from littlestone.domain import NONNEGATIVE, WHOLE, Domain, optional, parameter
from littlestone.errors import InvalidData
from littlestone.learner import Learner
from littlestone.sklearn.sample import rows_of
from littlestone.views import NAMES, view_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import RandomState

    from littlestone import _core
    from littlestone.arrays import FloatArray
    from littlestone.labels import Label
    from littlestone.ledger import Ledger
    from littlestone.rule import LinearRule
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.proofs import Against

Scores = TypeVar("Scores")

FLOATS = (np.float64, np.float32)
FLAG = Domain("True or False", lambda value: isinstance(value, bool | np.bool_))
_LEVEL = Domain("a whole number, at least 0", lambda value: isinstance(value, int | np.integer) and int(value) >= 0)
_SCALE = Domain(
    f"one of {', '.join(NAMES)}, or several with commas",
    lambda value: isinstance(value, str) and all(name in NAMES for name in value.split(",")),
)
_SEED = Domain("a whole number, a numpy.random.RandomState, or None", lambda _: True)  # scikit-learn has a check of its own


class Fitted(BaseEstimator, ABC):
    """A rule as an estimator of scikit-learn, and the learner that it leaves behind."""

    learner_: Learner
    n_features_in_: int
    n_iter_: int

    _skips_missing: ClassVar[bool] = False
    """Whether nan among the values is a feature that is not there; other rules refuse it."""

    @abstractmethod
    def rule(self) -> LinearRule:
        """The rule with these parameters.

        Raises:
            InvalidParameter: if one is outside its domain.
        """

    @property
    def ledger_(self) -> Ledger:
        """The running totals of all that was learned."""
        return self.learner_.ledger

    @final
    def certify(self, against: Against = None) -> list[Certificate]:
        """Every guarantee that speaks of the rule, best first, on what was learned so far (see `ls.certify`)."""
        check_is_fitted(self)
        return self.learner_.certify(against)

    def __sklearn_tags__(self) -> Tags:
        """Sparse rows are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self._skips_missing
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there is a learner; a fit that failed may have left the number of features behind."""
        return hasattr(self, "learner_")

    def _constant(self) -> bool:
        """Whether rows get a constant feature."""
        return False

    @final
    def _finite(self) -> bool | Literal["allow-nan"]:
        """What scikit-learn's validation is told of values that are not finite."""
        return "allow-nan" if self._skips_missing else True

    @final
    def _rows(self, checked: object) -> _core.Batch:
        """The rows of what scikit-learn's validation returned."""
        return rows_of(checked, constant=self._constant(), skip=self._skips_missing)

    @final
    def _scored(self, X: object, score: Callable[[_core.Batch], Scores]) -> Scores:
        """What is found of rows as scikit-learn takes them; whether they are finite the core sees as it reads them."""
        check_is_fitted(self)
        checked = validate_data(self, X, reset=False, accept_sparse="csr", dtype=FLOATS, ensure_all_finite=False)
        try:
            return score(self._rows(checked))
        except InvalidData:  # refuses what is not, in its own words
            validate_data(self, X, reset=False, accept_sparse="csr", dtype=FLOATS, ensure_all_finite=self._finite())
            raise


class SparseWeights(Fitted, ABC):
    """Weights that are shown as an array, or as a sparse one where most are 0; scores do not depend on it."""

    _sparse = False

    @final
    def sparsify(self) -> Self:
        """Shows `coef_` as a sparse array from now on."""
        check_is_fitted(self)
        self._sparse = True
        return self

    @final
    def densify(self) -> Self:
        """Shows `coef_` as an array, as it is after a fit."""
        check_is_fitted(self)
        self._sparse = False
        return self

    @final
    def _shown_weights(self, weights: FloatArray) -> FloatArray:
        if not self._sparse:
            return weights
        from scipy.sparse import csr_array

        return cast("FloatArray", csr_array(weights))  # as scikit-learn: whoever asked for it knows


def check_weights_of_columns(learner: Learner) -> None:
    """Refuses to show the weights of columns where there are many for each.

    Raises:
        AttributeError: as scikit-learn has it of what is not there.
    """
    if learner.view is not None and learner.view.shown_width(1) > 1:
        raise AttributeError(f"behind {learner.view!r} a column has many weights, no coef_; see learner_.weights")


@dataclass(kw_only=True, eq=False, repr=False)
class RuleEstimator(Fitted, ABC):
    """What every estimator is told about its passes over a sample; the names are scikit-learn's."""

    max_iter: int = parameter(1000, domain=WHOLE, why="a limit; most samples come to rest long before")
    tol: float | None = parameter(1e-3, domain=optional(NONNEGATIVE), why="as scikit-learn; None makes every pass")
    n_iter_no_change: int = parameter(5, domain=WHOLE, why="as scikit-learn")
    shuffle: bool = parameter(True, domain=FLAG, why="a sample has no order; partial_fit keeps the one given")
    verbose: int = parameter(0, domain=_LEVEL, why="silence; 1 prints a line per pass")
    random_state: int | RandomState | None = parameter(None, domain=_SEED, why="as scikit-learn")
    warm_start: bool = parameter(False, domain=FLAG, why="fit begins anew")
    scale: str | None = parameter(
        None, domain=optional(_SCALE), why='rows are taken as they are; "standard" has every feature in a running scale'
    )

    @final
    def _new_learner(
        self, rule: LinearRule, *, labels: tuple[Label, ...] | None = None, average: bool = False, calibrate: bool = False
    ) -> Learner:
        """A learner of a rule, behind the scales that were asked for."""
        view = None if self.scale is None else view_named(self.scale)
        return Learner(rule, labels=labels, average=average, view=view, calibrate=calibrate)

    @final
    def _learner_to_fit(self, fresh: Learner) -> Learner:
        """A fresh one, or with `warm_start` a copy of the one there is, so that a fit that fails leaves it alone."""
        if self.warm_start and hasattr(self, "learner_"):
            learner = copy.copy(self.learner_)
            learner.next_pass()  # whether the rows to come are new is not known
            return learner
        return fresh
