"""Whatever forecasts, by two verbs: what it says of a row, and one round of learning."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, cast, final

import numpy as np

from littlestone.conformal.rule import ConformalRule
from littlestone.errors import InvalidData, LittlestoneError, NotApplicable
from littlestone.experts.mixture import Mixture
from littlestone.learner import Learner
from littlestone.master import Master
from littlestone.streams.batches import numbers
from littlestone.streams.singles import rows_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.streams.space import Table, Vector

Said = TypeVar("Said")

Column: TypeAlias = "npt.NDArray[np.generic]"


class Forecaster(ABC):
    """A model of any kind."""

    @abstractmethod
    def forecast(self, x: object) -> object:
        """What is said of a row: a number, or the probability of every label. Nothing changes."""

    @abstractmethod
    def learn(self, x: object, y: object) -> None:
        """One round."""

    def check(self, X: object, y: Column) -> None:
        """Refuses rows that could not be learned, where the model can tell before it begins."""
        return

    def column(self, X: object, y: Column) -> FloatArray | None:
        """Learns all rows and returns what was said of each before it was learned; None where that goes row by row."""
        return None

    def rows(self, X: object) -> Sequence[object]:
        """The rows of a table one by one."""
        return rows_of(cast("Table", X))


@final
class OwnForecast(Forecaster):
    """A row is a forecast itself: a number, or a mapping of labels to probabilities."""

    def forecast(self, x: object) -> object:
        """The row."""
        return x

    def learn(self, x: object, y: object) -> None:
        """There is nobody to learn."""

    def column(self, X: object, y: Column) -> FloatArray | None:
        """The forecasts, unless they are probabilities."""
        rows = X if hasattr(X, "dtype") else self.rows(X)
        if isinstance(rows, list) and any(isinstance(x, Mapping) for x in rows):
            return None
        return np.asarray(numbers(cast("npt.ArrayLike", rows), "the forecasts"), dtype=np.float64)

    def rows(self, X: object) -> Sequence[object]:
        """The forecasts one by one."""
        return list(cast("Iterable[object]", X))


@final
class OfTargets(Forecaster):
    """A learner of this library whose scores are forecasts."""

    def __init__(self, model: Learner) -> None:
        self._model = model

    def forecast(self, x: object) -> object:
        """The score."""
        return self._model.score_one(cast("Vector", x))

    def learn(self, x: object, y: object) -> None:
        """One round."""
        self._model.learn_one(cast("Vector", x), y)

    def column(self, X: object, y: Column) -> FloatArray:
        """The scores, by the one loop."""
        return np.asarray(self._model.learn_many(cast("Table", X), y, keep=("score",))["score"], dtype=np.float64)


@final
class OfLabels(Forecaster):
    """A learner of this library that has probabilities."""

    def __init__(self, model: Learner) -> None:
        self._model = model

    def forecast(self, x: object) -> object:
        """The probability of every label that was met."""
        return self._model.probability_one(cast("Vector", x))

    def learn(self, x: object, y: object) -> None:
        """One round."""
        self._model.learn_one(cast("Vector", x), y)

    def check(self, X: object, y: Column) -> None:
        """As the learner does."""
        self._model.check_many(cast("Table", X), y)


@final
class OfMixture(Forecaster):
    """A mixture of experts; a row is their advice."""

    def __init__(self, model: Mixture) -> None:
        self._model = model

    def forecast(self, x: object) -> object:
        """What the mixture says."""
        return self._model.predict_one(cast("Sequence[float]", x))

    def learn(self, x: object, y: object) -> None:
        """One round."""
        self._model.learn_one(cast("Sequence[float]", x), cast("float", y))

    def column(self, X: object, y: Column) -> FloatArray:
        """The predictions, by the loop of experts."""
        return np.asarray(self._model.learn_many(cast("npt.ArrayLike", X), y).predictions, dtype=np.float64)


class _Incremental(Protocol):
    """A model of River, or anything with its verbs."""

    def learn_one(self, x: object, y: object, /) -> object:
        """One round."""
        ...


@final
class OfRiver(Forecaster):
    """A model with `predict_one` and `learn_one`, or `predict_proba_one`, which is preferred."""

    def __init__(self, model: object) -> None:
        self._model = cast("_Incremental", model)
        verb = "predict_proba_one" if _classifies(model) else "predict_one"
        self._say = cast("Callable[[object], object]", getattr(model, verb))

    def forecast(self, x: object) -> object:
        """Its prediction."""
        return _asked(self._say, x)

    def learn(self, x: object, y: object) -> None:
        """One round."""
        self._model.learn_one(x, y)


def _asked(verb: Callable[[object], Said], x: object) -> Said:
    """What a model of another library says.

    Raises:
        InvalidData: if it refuses, with its reason.
    """
    try:
        return verb(x)
    except LittlestoneError:
        raise
    except Exception as error:
        raise InvalidData(f"the model refuses the row: {error}") from error


def _classifies(model: object) -> bool:
    """Whether a model has probabilities; a pipeline of River has the verb whatever its last step is."""
    last: object = getattr(model, "_last_step", None)
    return hasattr(model, "predict_proba_one") if last is None else _classifies(last)


class _Fitted(Protocol):
    """An estimator of scikit-learn."""

    def predict(self, X: object, /) -> npt.ArrayLike:
        """A number per row."""
        ...


class _Sliced(Protocol):
    """An array, a sparse matrix by rows, or what a frame has for places."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""
        ...

    def __getitem__(self, rows: slice) -> object:
        """Some of the rows."""
        ...


@final
class OfEstimator(Forecaster):
    """An estimator of scikit-learn: learned by `partial_fit` where it has that, and otherwise as it was fitted."""

    def __init__(self, model: object) -> None:
        self._model = cast("_Fitted", model)
        self._chances = cast("Callable[[object], npt.NDArray[np.float64]] | None", getattr(model, "predict_proba", None))
        self._fit = cast("Callable[[object, object], object] | None", getattr(model, "partial_fit", None))

    def forecast(self, x: object) -> object:
        """Its prediction for one row."""
        row = x if getattr(x, "ndim", 1) == 2 else [x]
        if self._chances is None:
            said = np.asarray(_asked(self._model.predict, row)).ravel()[0]
            if isinstance(said, str):
                raise NotApplicable("the estimator says labels and has no probabilities; sets of labels need predict_proba")
            return said
        classes = cast("npt.NDArray[np.generic]", getattr(self._model, "classes_", np.zeros(0)))
        return dict(zip(classes.tolist(), np.asarray(_asked(self._chances, row))[0].tolist(), strict=True))

    def learn(self, x: object, y: object) -> None:
        """One row, where it learns rows."""
        if self._fit is not None:
            self._fit(x if getattr(x, "ndim", 1) == 2 else [x], [y])

    def column(self, X: object, y: Column) -> FloatArray | None:
        """All rows at once, where nothing is learned between them."""
        if self._fit is not None or self._chances is not None:
            return None
        return np.asarray(_asked(self._model.predict, X), dtype=np.float64)

    def rows(self, X: object) -> Sequence[object]:
        """Tables of one row: names of columns stay."""
        table = cast("_Sliced", X if hasattr(X, "shape") else np.asarray(X))
        by_place = cast("_Sliced", getattr(table, "iloc", table))
        return [by_place[t : t + 1] for t in range(table.shape[0])]


@final
class OfFunction(Forecaster):
    """A function of the row that learns nothing."""

    def __init__(self, function: Callable[[object], object]) -> None:
        self._function = function

    def forecast(self, x: object) -> object:
        """Its value."""
        return _asked(self._function, x)

    def learn(self, x: object, y: object) -> None:
        """Nothing is learned."""

    def rows(self, X: object) -> Sequence[object]:
        """Whatever there are."""
        return list(cast("Iterable[object]", X))


def _check_is_model(model: object) -> None:
    if isinstance(model, Master):
        raise NotApplicable("a master votes and has no probabilities; sets of labels need a learner of ls.Pool()")
    if isinstance(model, ConformalRule):
        raise NotApplicable(f"{model!r} is a rule, not a model; give it by its name: ls.Conformal(model, rule={model!r})")


def forecaster_of(model: object) -> Forecaster:
    """The two verbs of a model.

    Raises:
        NotApplicable: if it has none that are known.
    """
    if model is None:
        return OwnForecast()
    if isinstance(model, Learner):
        return _of_learner(model)
    if isinstance(model, Mixture):
        return OfMixture(model)
    _check_is_model(model)
    if hasattr(model, "learn_one") and (hasattr(model, "predict_one") or hasattr(model, "predict_proba_one")):
        return OfRiver(model)
    if hasattr(model, "predict"):
        return OfEstimator(model)
    if callable(model):
        return OfFunction(model)
    raise NotApplicable(
        f"the model is {model!r}; expected a learner, a mixture, a model of River or scikit-learn, a function, "
        "or nothing where rows are forecasts themselves"
    )


def _of_learner(model: Learner) -> Forecaster:
    can = model.rule.abilities
    if can.targets and not can.named:
        return OfTargets(model)
    if can.named and model.has_probabilities:
        return OfLabels(model)
    name = type(model.rule).__name__
    raise NotApplicable(
        f"{name} has no probabilities; sets of labels need ls.Pool(), or a learner with calibrate=True, and intervals a rule "
        "of targets"
    )
