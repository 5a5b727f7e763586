"""Advice, outcomes and a loss, read and checked for the oracles, and what weights make of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, final, runtime_checkable

import numpy as np

from littlestone.arrays import FloatArray, frozen_vector
from littlestone.errors import InvalidData, NotApplicable
from littlestone.experts.losses import loss_of
from littlestone.streams.batches import Frame, frame_values, is_frame, numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from littlestone.arrays import BoolArray
    from littlestone.experts.hindsight import ConvexLoss


@runtime_checkable
class _Declared(Protocol):
    """A loss that says whether it is convex."""

    @property
    def convex(self) -> bool:
        """Whether it is convex in the prediction."""
        ...


@runtime_checkable
class OfProbabilities(Protocol):
    """A loss that says whether predictions are probabilities."""

    @property
    def probabilities(self) -> bool:
        """Whether a prediction is the probability of the outcome 1."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparator(ABC):
    """What was chosen in hindsight, and what it lost in every round."""

    experts: tuple[str, ...]
    losses: FloatArray

    @property
    def total(self) -> float:
        """The loss over all rounds."""
        return float(np.sum(self.losses))

    @property
    def mean(self) -> float:
        """The loss per round."""
        return self.total / len(self.losses)

    @abstractmethod
    def __str__(self) -> str:
        """What it is, and its mean loss."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Combination(Comparator):
    """Fixed weights, their predictions and their loss.

    `gap` is by how much no other weights of the kind have a smaller mean loss: a proof that does not rest on the solver;
    nan where there is none.
    """

    kind: str
    weights: FloatArray
    predictions: FloatArray
    gap: float

    def __str__(self) -> str:
        parts = [f"{w:.4g} {name}" for name, w in zip(self.experts, self.weights, strict=True) if w != 0.0]
        return f"{self.kind}: mean loss {self.mean:.8g} with {' + '.join(parts)}"


@final
@dataclass(frozen=True, eq=False)
class AdviceTable:
    """Advice with 0 where an expert sleeps, who is awake, the outcomes, the loss, and the names."""

    advice: FloatArray
    awake: BoolArray
    outcomes: FloatArray
    loss: ConvexLoss
    names: tuple[str, ...]

    def shares(self, weights: FloatArray) -> FloatArray:
        """The weights of each round: shared out among those awake, equally where these have none."""
        held: FloatArray = np.where(self.awake, weights, 0.0)
        none = np.sum(held, axis=1) <= 0.0
        held[none] = self.awake[none]
        held /= np.sum(held, axis=1, keepdims=True)
        return held

    def mixed(self, weights: FloatArray) -> FloatArray:
        """The predictions of these weights."""
        if self.awake.all():
            return self.advice @ weights
        predictions: FloatArray = np.sum(self.shares(weights) * self.advice, axis=1)
        return predictions

    def losses(self, predictions: FloatArray, rounds: BoolArray | None = None) -> FloatArray:
        """The loss of predictions, checked, for all rounds or some of them."""
        outcomes = self.outcomes if rounds is None else self.outcomes[rounds]
        with np.errstate(divide="ignore"):  # an infinite loss is a loss
            losses = np.asarray(self.loss(predictions, outcomes), dtype=np.float64)
        if losses.shape != predictions.shape:
            raise InvalidData(f"the loss of {predictions.shape} predictions has shape {losses.shape}; expected one each")
        if np.isnan(losses).any():
            t = int(np.argmax(np.isnan(losses)))
            raise InvalidData(f"the loss of prediction {predictions[t]} on outcome {outcomes[t]} is nan; it must be a number")
        return losses

    def combination(self, kind: str, weights: FloatArray, *, gap: float) -> Combination:
        """The weights with their predictions and losses, computed anew."""
        predictions = self.mixed(weights)
        return Combination(
            kind=kind,
            experts=self.names,
            weights=frozen_vector(weights),
            predictions=frozen_vector(predictions),
            losses=frozen_vector(self.losses(predictions)),
            gap=gap,
        )

    def check_convex(self, caller: str) -> None:
        """Refuses a loss that says it is not convex, or shows it between two experts of a round."""
        declared = not isinstance(self.loss, _Declared) or self.loss.convex
        if not declared or self._bulges():
            raise NotApplicable(
                f"{caller}: the loss is not convex, so that the best combination cannot be computed; "
                "the best expert and the best sequence of experts can"
            )

    def _bulges(self) -> bool:
        """Whether the loss half-way between the extreme forecasts of a round is above its mean at these."""
        low = np.min(np.where(self.awake, self.advice, np.inf), axis=1)
        high = np.max(np.where(self.awake, self.advice, -np.inf), axis=1)
        ends = (self.losses(low) + self.losses(high)) / 2.0
        return bool((self.losses((low + high) / 2.0) > ends + 1e-9 * np.abs(ends) + 1e-12).any())


def read_advice(
    advice: npt.ArrayLike | Frame, outcomes: npt.ArrayLike, loss: ConvexLoss | str, experts: Sequence[str] | None
) -> AdviceTable:
    """Advice and outcomes as they were given, checked."""
    given, values = frame_values(advice) if is_frame(advice) else (None, numbers(advice, "the advice"))
    table = np.array(values, dtype=np.float64)
    happened = np.array(numbers(outcomes, "the outcomes"), dtype=np.float64)
    if table.ndim != 2 or 0 in table.shape:
        raise InvalidData(f"the advice has shape {table.shape}; expected rounds by experts, at least one of each")
    if happened.shape != (len(table),):
        raise InvalidData(f"the outcomes have shape {happened.shape}; expected one for each of {len(table)} rounds")
    names = names_of(experts, given, table.shape[1])
    awake = ~np.isnan(table)
    check_numbers(table, awake, happened, names)
    known: ConvexLoss = loss_of(loss) if isinstance(loss, str) else loss
    return AdviceTable(np.where(awake, table, 0.0), awake, happened, known, names)


def check_numbers(
    table: npt.NDArray[np.float64] | npt.NDArray[np.float32], awake: BoolArray, outcomes: FloatArray, names: tuple[str, ...]
) -> None:
    """Refuses advice or outcomes that are not finite, and rounds in which everybody sleeps.

    Raises:
        InvalidData: naming the first such round.
    """
    if np.isinf(table).any():
        t, i = (int(k) for k in np.argwhere(np.isinf(table))[0])
        raise InvalidData(f"round {t}: the advice of expert {names[i]} is {table[t, i]}; advice must be finite, or nan")
    if not np.isfinite(outcomes).all():
        t = int(np.argmin(np.isfinite(outcomes)))
        raise InvalidData(f"round {t}: the outcome is {outcomes[t]}; outcomes must be finite")
    if not awake.any(axis=1).all():
        t = int(np.argmin(awake.any(axis=1)))
        raise InvalidData(f"round {t}: every expert sleeps; a round needs at least one that is awake")


def names_of(experts: Sequence[str] | None, given: list[str] | None, count: int) -> tuple[str, ...]:
    """The names that were said, or those of a frame, or numbers."""
    names = tuple(experts if experts is not None else given or [str(i) for i in range(count)])
    if len(names) != count:
        raise InvalidData(f"there are {len(names)} names and {count} experts; expected a name each")
    return names
