"""Rules that read the advice and the outcome of a round themselves, rather than losses alone."""

from __future__ import annotations

from abc import abstractmethod
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

    def loss_of(self, prediction: float) -> float:
        """The loss of a prediction; as the compiled loop counts it where it can, so that ties fall alike."""
        spec = self.loss.spec()
        if spec is not None:
            return spec.of(prediction, self.outcome)
        return float(self.loss(np.array([prediction]), np.array([self.outcome]))[0])

    def slope_of(self, prediction: float) -> float:
        """The slope of the loss at a prediction."""
        spec = self.loss.spec()
        if spec is not None:
            return spec.gradient(prediction, self.outcome)
        return float(self.loss.gradient(np.array([prediction]), np.array([self.outcome]))[0])


class AdviceRule(ExpertRule):
    """A rule whose update is made of the advice and the outcome; `learn` takes the place of `advance`."""

    @abstractmethod
    def learn(self, state: ExpertState, seen: AdviceRound) -> None:
        """Moves the state after a round."""

    @final
    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """A round of which the losses are all there is."""
        self.learn(state, AdviceRound(losses, losses, np.ones(len(losses), dtype=np.bool_), 0.0, Given(), gradient=False))
