"""The hypotheses of a run, recorded as its sequence of updates: v_k = w_1 + the first k steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
import numpy.typing as npt

from littlestone.errors import NotApplicable
from littlestone.state import Weights

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.run import Run


@final
@dataclass(frozen=True)
class Hypotheses:
    """The start, and for each update its round, its row and its step: no copies of the weights."""

    start: FloatArray
    rounds: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    steps: FloatArray
    total_rounds: int

    @property
    def survival(self) -> npt.NDArray[np.int64]:
        """c_k: in how many rounds the vector after k updates was used, k = 0..M."""
        ends = np.append(self.rounds + 1, self.total_rounds)
        return np.diff(ends, prepend=0)


def hypotheses(of: Run) -> Hypotheses:
    """The hypotheses of a run that kept its "step" and "update" columns.

    Raises:
        NotApplicable: if the columns were not kept, or the rule does more than add steps.
    """
    if not {"step", "update"} <= of.columns.keys():
        raise NotApplicable('the run kept no updates; make it with keep=("step", "update")')
    if not isinstance(of.state, Weights):
        raise NotApplicable(f"{type(of.rule).__name__} shrinks its weights; its hypotheses are not sums of steps")
    rounds = np.flatnonzero(of.columns["update"])
    per_pass = of.ledger.rounds // of.passes
    start = of.rule.init(len(of.state.w)).w
    steps = of.columns["step"][rounds].astype(np.float64)
    return Hypotheses(start, rounds, rounds % max(per_pass, 1), steps, of.ledger.rounds)
