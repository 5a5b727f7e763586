"""The multiclass Perceptron."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, final

import numpy as np

from littlestone import _core
from littlestone.domain import RATE, choice, parameter
from littlestone.multiclass.class_states import ClassStates
from littlestone.multiclass.prototypes import Prototypes
from littlestone.multiclass.rule import MulticlassRule
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.state import Average, State

Share = Literal["uniform", "max", "proportional"]


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class MulticlassPerceptron(MulticlassRule):
    """Adds a row to the weights of its class and takes it from the classes that scored at least as much.

    Update: with E the classes whose score is at least that of the true class y, w_y ← w_y + η·x and w_r ← w_r − η·τ_r·x
    for r in E, where the τ_r add up to 1; no other class moves. "uniform": τ_r = 1/|E|. "max": all of it is taken from the
    best of them (the first). "proportional": τ_r ∝ score_r − score_y, and equal shares where all are tied.
    Tie: a score equal to that of the true class is an error. On two classes the weights of the second are, bit for bit,
    those of `ls.Perceptron`, and the first has their negatives.
    Weights: an importance weight multiplies the step of its round.
    Cost: O(classes · nonzeros) per round.

    A class that comes later joins with zero weights in the round in which it is first seen; what was shown in that round is
    one of the classes known before, and counts as a mistake.
    Guarantee: crammer.mp, crammer.mph (updates, against prototypes that separate the rounds, and any).
    Source: Crammer and Singer 2003, "Ultraconservative online algorithms for multiclass problems".

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.MulticlassPerceptron(), [[1.0], [1.0]], ["a", "b"], labels=("a", "b", "c"))
        >>> run.state.w.ravel().tolist()          # (1, −½, −½); then c is tied with b, and a and c lose ½ each
        [0.5, 0.5, -1.0]
    """

    source: ClassVar[str] = "Crammer and Singer 2003"

    eta: float = parameter(1.0, domain=RATE, why="from a zero start every step size makes the same mistakes")
    share: Share = parameter(
        "uniform", domain=choice("uniform", "max", "proportional"), why="no class in error is let off, and ties are no choice"
    )

    def init(self, width: int) -> Prototypes:
        """No class yet; a class starts from zero."""
        return Prototypes.of(Weights(w=np.zeros(width)))

    def accepts(self) -> _core.Interval:
        """(0, ∞]."""
        return _core.Interval(0.0, math.inf, low_open=True)

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """A step of η for the true class, shared among the classes in error."""
        assert isinstance(state, Prototypes)
        if trial.side == 0:
            return _core.Step.stay()
        step = self.eta * trial.weight
        for k, part in self._shares(self.scores(state, row), trial.truth, step):
            row.add_to(state.of_class(k).w, -part)
        row.add_to(state.of_class(trial.truth).w, step)
        return _core.Step.otherwise(step)

    def _shares(self, scores: FloatArray, truth: int, step: float) -> list[tuple[int, float]]:
        """The classes in error and what each loses."""
        lead = [(k, float(score - scores[truth])) for k, score in enumerate(scores) if k != truth and score >= scores[truth]]
        if self.share == "max":
            return [(max(lead, key=lambda pair: pair[1])[0], step)]
        total = 0.0
        for _, ahead in lead:
            total += ahead
        if self.share == "uniform" or not total > 0.0 or math.isinf(total):
            return [(k, step / len(lead)) for k, _ in lead]
        return [(k, step * (ahead / total)) for k, ahead in lead]

    def compiled_loop(self, state: ClassStates, average: Average | None) -> _core.Loop:
        """The compiled loop."""
        w, met, sums = state.arrays["w"], state.met, average and average.bound()
        return _core.multiclass_perceptron(w=w, met=met, room=state.rows, eta=self.eta, share=self.share, average=sums)
