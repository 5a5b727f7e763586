"""An expert run: what a rule said, and what it left behind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.display import Plotted
from littlestone.errors import NotApplicable

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.experts.frames import Column, Grid, Shape
    from littlestone.experts.ledger import ExpertLedger
    from littlestone.experts.losses import Loss
    from littlestone.experts.rule import ExpertRule
    from littlestone.experts.state import ExpertState
    from littlestone.experts.summary import Standing
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.expert_evidence import Sequence


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class ExpertRun(Plotted):
    """A rule, the state it ended in, its ledger, and its predictions and losses round by round.

    The advice is held by reference, so that curves can be drawn from it later. What came as a frame comes back as one.
    """

    rule: ExpertRule
    loss: Loss
    gradient: bool
    state: ExpertState = field(repr=False)
    ledger: ExpertLedger
    advice: npt.NDArray[np.float64] | npt.NDArray[np.float32] = field(repr=False)
    outcomes: FloatArray | None = field(repr=False)
    shape: Shape = field(repr=False)
    predictions: Column = field(repr=False)
    """What was said in each round; from losses alone, the mean loss."""
    losses: Column = field(repr=False)
    """The learner's loss in each round."""
    kept_weights: Grid | None = field(repr=False)
    assumed: bool = False
    """Whether no loss was given, and the square loss taken."""
    delay: int = 0
    """By how many rounds outcomes came late."""
    prompt: ExpertLedger | None = field(default=None, repr=False)
    """The ledger of the same rounds had every outcome come at once; None where they did."""

    @property
    def weights(self) -> Grid:
        """The weights of every round.

        Raises:
            NotApplicable: if they were not kept.
        """
        if self.kept_weights is None:
            raise NotApplicable('the weights were not kept; run with keep=("weights",)')
        return self.kept_weights

    @property
    def regret(self) -> float:
        """The learner's loss minus that of the best expert."""
        return self.ledger.regret

    @property
    def price(self) -> float:
        """What the delay of the outcomes cost: the loss as it was minus that of the same rule without it."""
        return 0.0 if self.prompt is None else self.ledger.loss - self.prompt.loss

    def regrets(self) -> Grid:
        """The regret to every expert after each round: the curves whose last points are `ledger.regrets`."""
        advice = np.asarray(self.advice, dtype=np.float64)
        awake = ~np.isnan(advice)
        outcomes = np.zeros(len(advice)) if self.outcomes is None else self.outcomes
        theirs = self.loss(np.where(awake, advice, 0.5), outcomes[:, None])
        own = np.asarray(self.losses, dtype=np.float64)
        return self.shape.grid(np.cumsum(np.where(awake, own[:, None] - theirs, 0.0), axis=0), self.ledger.experts)

    def standings(self) -> list[Standing]:
        """How the mixture, the mean of the advice and every expert did, best first."""
        from littlestone.experts.summary import standings

        return standings(self)

    def __str__(self) -> str:
        """The run in a few lines."""
        from littlestone.experts.summary import described

        return described(self)

    def certify(self, against: Sequence | None = None) -> list[Certificate]:
        """Every guarantee that speaks of the rule, best first; `against` a sequence of experts for the one on tracking."""
        from littlestone.theory.expert_certification import certify_experts

        return certify_experts(self, against=against)
