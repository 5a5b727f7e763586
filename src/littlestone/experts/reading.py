"""Rules that read the advice and the outcome of a round themselves, rather than losses alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.experts.losses import Given
from littlestone.experts.rule import ExpertRule

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.experts.losses import Loss
    from littlestone.experts.state import ExpertState


@final
@dataclass(frozen=True, eq=False)
class AdviceRound:
    """What everybody said and lost (0 for whoever sleeps), and what happened."""

    advice: FloatArray
    losses: FloatArray
    awake: BoolArray
    outcome: float
    loss: Loss
    gradient: bool

    def losses_of(self, predictions: FloatArray) -> FloatArray:
        """The losses of several predictions; as the compiled loop counts them where it can, so that ties fall alike."""
        spec = self.loss.spec()
        if spec is None:
            return self.loss(predictions, np.full(predictions.shape, self.outcome))
        return np.array([spec.of(said, self.outcome) for said in predictions.ravel().tolist()]).reshape(predictions.shape)

    def slopes_of(self, predictions: FloatArray) -> FloatArray:
        """The slopes of the loss at several predictions."""
        spec = self.loss.spec()
        if spec is None:
            return self.loss.gradient(predictions, np.full(predictions.shape, self.outcome))
        return np.array([spec.gradient(said, self.outcome) for said in predictions.ravel().tolist()]).reshape(predictions.shape)


class AdviceRule(ExpertRule, ABC):
    """A rule whose update is made of the advice and the outcome; `learn` takes the place of `advance`."""

    @abstractmethod
    def learn(self, state: ExpertState, seen: AdviceRound) -> None:
        """Moves the state after a round."""

    @final
    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """A round of which the losses are all there is."""
        self.learn(state, AdviceRound(losses, losses, np.ones(len(losses), dtype=np.bool_), 0.0, Given(), gradient=False))
