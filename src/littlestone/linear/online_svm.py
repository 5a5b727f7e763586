"""The on-line support vector machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, final

import numpy as np

from littlestone import _core
from littlestone.abilities import LABELS, Abilities
from littlestone.domain import OPEN_UNIT, RATE, choice, optional, parameter
from littlestone.rule import LinearRule
from littlestone.schema import LARGEST
from littlestone.state import ScaledWeights

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class OnlineSVM(LinearRule):
    """Stochastic subgradient descent on ½‖w‖² + C·(mean hinge loss).

    Update: w ← (1−η)·w + η·C·y·x when y·score < 1, and w ← (1−η)·w when y·score > 1.
    Tie: at y·score = 1 exactly the figure leaves w alone, which is no subgradient step; kink="shrink" makes it one.
    Weights: an importance weight multiplies C in its round; a round of weight 0 does not shrink either.
    Cost: O(nonzeros) per round: the weights are kept as scale·v and folded together when the scale falls below 1e-6.

    C multiplies the hinge loss of one example, so it corresponds to C/m in the batch problem on m examples.
    Guarantee: svm.regret with the default η = 1/(t+1): its losses exceed those of any u by (T+1)‖u‖²/(2C) + 2CX² log(T+1).
    Source: Mohri et al., exercise 8.5 and figure 8.11.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.OnlineSVM(eta=0.5, C=2.0), [[1.0], [1.0], [1.0]], [+1, +1, +1], keep=("score",))
        >>> run.columns["score"]                  # 0, then margin 1, where it stays
        array([0., 1., 1.])
    """

    source: ClassVar[str] = "Mohri et al. ex. 8.5, fig. 8.11"
    abilities = Abilities(learns=LABELS, takes_weights=True)

    eta: float | None = parameter(None, domain=optional(OPEN_UNIT), why="None is 1/(t+1), which needs no tuning")
    C: float = parameter(1.0, domain=RATE, why="loss and norm weigh the same")
    kink: Literal["stay", "shrink"] = parameter("stay", domain=choice("stay", "shrink"), why="the figure as printed")

    def init(self, width: int) -> ScaledWeights:
        """Zero weights at scale 1."""
        return ScaledWeights({"rounds": LARGEST}, v=np.zeros(width), scale=np.ones(1), rounds=np.zeros(1))

    def score(self, state: State, row: _core.Row) -> float:
        """scale·(v·x)."""
        return float(state.scale[0] * row.dot(state.v))

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """[1, ∞) or (−∞, −1]."""
        return _core.Interval.half_line(label, 1.0)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """Shrinks, and steps towards the margin when it is missed."""
        assert isinstance(state, ScaledWeights)
        state.rounds[0] += 1.0
        rate = self.eta if self.eta is not None else 1.0 / (float(state.rounds[0]) + 1.0)
        if trial.label * trial.score == 1.0 and self.kink == "stay":
            return _core.Step.stay()
        state.shrink(1.0 - rate)
        if trial.side == 0:
            return _core.Step.otherwise(0.0)
        step = rate * self.C * trial.side * trial.weight
        state.add(row, step)
        return _core.Step.otherwise(step)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        return _core.online_svm(
            v=state.v,
            scale=state.scale,
            rounds=state.rounds,
            eta=self.eta or 0.0,
            C=self.C,
            shrink_at_kink=self.kink == "shrink",
            average=average and average.bound(),
        )
