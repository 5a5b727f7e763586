"""Losses of advice on an outcome: what a mixture is judged by."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import OPEN_UNIT, check, interval, optional, parameter
from littlestone.errors import InvalidParameter, NotApplicable, UnknownName

NUMBER = interval(-math.inf, math.inf, low_open=True, high_open=True, words="a finite number")


class Loss(ABC):
    """A loss: its name, whether it is convex in the advice, and its range where one is declared."""

    name: ClassVar[str]
    labels: ClassVar[bool] = False
    """Whether advice and outcomes are labels 0 and 1."""
    probabilities: ClassVar[bool] = False
    """Whether advice is a probability of the outcome 1."""
    convex: bool
    low: float | None
    high: float | None

    def __post_init__(self) -> None:
        """Checks the parameters; a range has two ends or none."""
        check(self)
        if (self.low is None) != (self.high is None) or (
            self.low is not None and self.high is not None and self.low >= self.high
        ):
            raise InvalidParameter(f"{type(self).__name__}: the range is {self.low} to {self.high}; give low below high")

    @property
    def range(self) -> tuple[float, float] | None:
        """The declared range."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @abstractmethod
    def __call__(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """The loss of each prediction on its outcome, element by element."""

    @abstractmethod
    def gradient(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """A subgradient at each prediction: at a kink, any slope between those on either side."""

    def spec(self) -> _core.LossSpec | None:
        """The loss as the compiled loop takes it; None where it has to be called."""
        return None


class _Compiled(Loss, ABC):
    """A loss that the core knows."""

    kind: ClassVar[_core.LossKind]
    quantile: float = 0.5

    @final
    def spec(self) -> _core.LossSpec:
        """The loss as the compiled loop takes it."""
        low, high = self.range or (math.nan, math.nan)
        return _core.LossSpec(self.kind, quantile=self.quantile, low=low, high=high)


@dataclass(frozen=True, kw_only=True)
class _Tracked(Loss, ABC):
    """A loss whose range need not be known."""

    low: float | None = parameter(None, domain=optional(NUMBER), why="None: the range is tracked")
    high: float | None = parameter(None, domain=optional(NUMBER), why="None: the range is tracked")


class _Squared(_Compiled, ABC):
    """(x − y)²."""

    @final
    def __call__(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """(x − y)²."""
        return (prediction - outcome) * (prediction - outcome)

    @final
    def gradient(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """2(x − y)."""
        return 2.0 * (prediction - outcome)


@final
@dataclass(frozen=True, kw_only=True)
class ZeroOne(_Compiled):
    """1 where the label 0 or 1 is wrong. Not convex: a rule that does not vote is charged its chance of being wrong."""

    name: ClassVar[str] = "zero_one"
    kind: ClassVar[_core.LossKind] = _core.LossKind.zero_one
    labels: ClassVar[bool] = True
    convex = False
    low: float | None = parameter(0.0, domain=NUMBER, why="a mistake costs 1")
    high: float | None = parameter(1.0, domain=NUMBER, why="a mistake costs 1")

    def __call__(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """[x ≠ y]."""
        wrong: FloatArray = (prediction != outcome).astype(np.float64)
        return wrong

    def gradient(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """There is none."""
        raise NotApplicable("the zero-one loss has no gradient; leave gradient off")


@final
@dataclass(frozen=True, kw_only=True)
class Absolute(_Compiled, _Tracked):
    """|x − y|."""

    name: ClassVar[str] = "absolute"
    kind: ClassVar[_core.LossKind] = _core.LossKind.absolute
    convex = True

    def __call__(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """|x − y|."""
        return np.abs(prediction - outcome)

    def gradient(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """The sign of x − y."""
        return np.sign(prediction - outcome)


@final
@dataclass(frozen=True, kw_only=True)
class Square(_Squared, _Tracked):
    """(x − y)²."""

    name: ClassVar[str] = "square"
    kind: ClassVar[_core.LossKind] = _core.LossKind.square
    convex = True


@final
@dataclass(frozen=True, kw_only=True)
class Percentage(_Compiled, _Tracked):
    """|x − y|/|y|; an outcome of 0 is refused."""

    name: ClassVar[str] = "percentage"
    kind: ClassVar[_core.LossKind] = _core.LossKind.percentage
    convex = True

    def __call__(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """|x − y|/|y|."""
        return np.abs(prediction - outcome) / np.abs(outcome)

    def gradient(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """The sign of x − y, over |y|."""
        return np.sign(prediction - outcome) / np.abs(outcome)


@final
@dataclass(frozen=True, kw_only=True)
class Pinball(_Compiled):
    """([y < x] − q)·(x − y): its mean is least at the q-quantile."""

    name: ClassVar[str] = "pinball"
    kind: ClassVar[_core.LossKind] = _core.LossKind.pinball
    convex = True
    quantile: float = parameter(0.5, domain=OPEN_UNIT, why="the median, where nothing else is said")
    low: float | None = parameter(None, domain=optional(NUMBER), why="None: the range is tracked")
    high: float | None = parameter(None, domain=optional(NUMBER), why="None: the range is tracked")

    def __call__(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """([y < x] − q)·(x − y)."""
        return ((outcome < prediction).astype(np.float64) - self.quantile) * (prediction - outcome)

    def gradient(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """[y < x] − q."""
        return (outcome < prediction).astype(np.float64) - self.quantile


@final
@dataclass(frozen=True, kw_only=True)
class Log(_Compiled, _Tracked):
    """−log of the probability that was given to what happened; the advice is the probability of the outcome 1."""

    name: ClassVar[str] = "log"
    kind: ClassVar[_core.LossKind] = _core.LossKind.log
    probabilities: ClassVar[bool] = True
    convex = True

    def __call__(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """−log x or −log(1 − x)."""
        with np.errstate(divide="ignore"):
            return np.where(np.asarray(outcome) == 1.0, -np.log(prediction), -np.log1p(-prediction))

    def gradient(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """−1/x or 1/(1 − x)."""
        with np.errstate(divide="ignore"):
            return np.where(np.asarray(outcome) == 1.0, -1.0 / prediction, 1.0 / (1.0 - prediction))


@final
@dataclass(frozen=True, kw_only=True)
class Brier(_Squared):
    """(x − y)² for a probability x of the outcome 1; over both outcomes, as some count it, the loss is twice that."""

    name: ClassVar[str] = "brier"
    kind: ClassVar[_core.LossKind] = _core.LossKind.brier
    probabilities: ClassVar[bool] = True
    convex = True
    low: float | None = parameter(0.0, domain=NUMBER, why="a certain forecast that comes true costs 0")
    high: float | None = parameter(1.0, domain=NUMBER, why="a certain forecast that does not costs 1")


@final
@dataclass(frozen=True, kw_only=True)
class Returns(_Tracked):
    """−log of a price relative, which the advice is: what an asset, or a mixture of them, grew by. Outcomes play no part."""

    name: ClassVar[str] = "returns"
    convex = True

    def __call__(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """−log x."""
        with np.errstate(divide="ignore"):
            grown: FloatArray = -np.log(prediction)
        return grown

    def gradient(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """−1/x."""
        with np.errstate(divide="ignore"):
            return -1.0 / prediction


@final
@dataclass(frozen=True, kw_only=True)
class Given(_Compiled):
    """The advice is the loss: what `ls.hedge` learns from."""

    name: ClassVar[str] = "given"
    kind: ClassVar[_core.LossKind] = _core.LossKind.given
    convex = True
    low: float | None = parameter(0.0, domain=optional(NUMBER), why="the theorems are about losses in [0, 1]")
    high: float | None = parameter(1.0, domain=optional(NUMBER), why="the theorems are about losses in [0, 1]")

    def __call__(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """The advice."""
        return prediction

    def gradient(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """One."""
        return np.ones_like(prediction)


@final
@dataclass(frozen=True, kw_only=True)
class Custom(Loss):
    """A loss of your own: `function(prediction, outcome)` gives the losses of arrays, element by element.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> clipped = ls.losses.Custom(function=lambda x, y: np.minimum((x - y) ** 2, 1.0), convex=False, low=0.0, high=1.0)
        >>> clipped(np.array([1.0, 3.0]), np.array([0.5, 0.5]))
        array([0.25, 1.  ])
    """

    name: ClassVar[str] = "custom"
    function: Callable[[FloatArray, FloatArray], FloatArray]
    convex: bool
    derivative: Callable[[FloatArray, FloatArray], FloatArray] | None = None
    low: float | None = parameter(None, domain=optional(NUMBER), why="None: the range is tracked")
    high: float | None = parameter(None, domain=optional(NUMBER), why="None: the range is tracked")

    def __call__(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """What the function says."""
        return np.asarray(self.function(prediction, outcome), dtype=np.float64)

    def gradient(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """What the derivative says."""
        if self.derivative is None:
            raise NotApplicable("the loss has no derivative; give one, or leave gradient off")
        return np.asarray(self.derivative(prediction, outcome), dtype=np.float64)


LOSSES: dict[str, type[_Compiled]] = {loss.name: loss for loss in (ZeroOne, Absolute, Square, Percentage, Pinball, Log, Brier)}
"""The losses that can be named."""


def loss_of(loss: str | Loss) -> Loss:
    """A loss, or the loss of a name ("zero_one" or "zero-one") with nothing else said.

    Raises:
        UnknownName: if there is no loss of this name.
    """
    if isinstance(loss, Loss):
        return loss
    if not isinstance(loss, str):
        raise UnknownName(f"the loss is a {type(loss).__name__}; expected a name: {', '.join(LOSSES)}, or losses.Custom")
    name = loss.replace("-", "_")
    if name == Returns.name:
        return Returns()
    if name not in LOSSES:
        raise UnknownName(f"there is no loss {loss!r}; there are {', '.join(LOSSES)}, and losses.Custom")
    return LOSSES[name]()
