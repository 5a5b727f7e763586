"""A watch over a mixture: now and then rounds are learned twice, on copies, by the loop and by the definition of the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.experts.ledger import ExpertLedger
from littlestone.experts.loop import PythonExpertLoop

if TYPE_CHECKING:
    from collections.abc import Callable

    from littlestone import _core
    from littlestone.arrays import FloatArray
    from littlestone.experts.loop import ExpertLoop, Matrix
    from littlestone.experts.losses import Loss
    from littlestone.experts.rule import ExpertRule
    from littlestone.experts.state import ExpertState

SAME, ROUNDED = 1e-9, 1e-12
NUMBERS = ("rounds", "mistakes", "loss", "losses", "squares", "asleep", "asleep_loss", "variance", "largest_range")
# Rounds that are looked at together, at the first end of a call after so many, and then whenever there are so many times more.
_TOGETHER, _FIRST, _FACTOR = 2, 64, 8


def near(one: FloatArray | float, other: FloatArray | float, rounded: float = 0.0) -> bool:
    """Whether numbers are the same but for roundings."""
    return bool(np.allclose(one, other, rtol=SAME, atol=SAME + rounded, equal_nan=True))


def largest(state: ExpertState) -> FloatArray:
    """The largest finite number of each array."""
    return np.array([np.max(np.abs(array[np.isfinite(array)]), initial=0.0) for array in state.arrays.values()])


def unlike_ledgers(one: ExpertLedger, other: ExpertLedger) -> str | None:
    """The first total in which two ledgers differ."""
    # A variance is what squares leave when their mean is taken away.
    rounded = {"variance": ROUNDED * float(np.max(one.squares, initial=0.0))}
    names = (name for name in NUMBERS if not near(getattr(one, name), getattr(other, name), rounded.get(name, 0.0)))
    return next((f"the {name.replace('_', ' ')}" for name in names), None)


def unlike_states(one: ExpertState, other: ExpertState, sizes: FloatArray) -> str | None:
    """Whether two states differ by more than roundings of numbers of these sizes."""
    pairs = zip(one.arrays.values(), other.arrays.values(), sizes, strict=True)
    return None if all(near(a, b, ROUNDED * size) for a, b, size in pairs) else "the weights"


@final
class ExpertWatch:
    """Whether a compiled loop and its ledger do what the definition says, from where the mixture is.

    The mixture itself is not touched. What was found is there when it is asked for a certificate, and not part of a model file.
    Cost: copies of the state and two rounds in Python after 64 rounds, 512, 4096, …: O(1) per round, and ever less.
    """

    __slots__ = ("finding", "looked", "next")

    def __init__(self, rounds: int = 0) -> None:
        self.next = rounds + _FIRST
        """The rounds after which to look again."""
        self.looked = 0
        """Rounds that were learned twice."""
        self.finding: str | None = None
        """What differed first; None where nothing did."""

    def look(
        self,
        rule: ExpertRule,
        loss: Loss,
        state: ExpertState,
        totals: _core.ExpertTotals,
        rounds: tuple[Matrix, FloatArray | None],
        *,
        gradient: bool,
        bind: Callable[[ExpertState], ExpertLoop],
    ) -> None:
        """Looks at some of the rounds that were just learned; the state is where all rounds so far have led."""
        advice, outcomes = rounds
        chosen = np.unique(np.linspace(0, len(advice) - 1, _TOGETHER).round().astype(int))
        said = None if outcomes is None else np.ascontiguousarray(outcomes[chosen])
        ours, theirs, experts = state.copy(), state.copy(), advice.shape[1]
        counted, counting = totals.copy(), totals.copy()
        table = np.ascontiguousarray(advice[chosen])
        definition = PythonExpertLoop(rule, ours, loss, experts, gradient=gradient)
        definition.heard = np.zeros(len(table))
        bind(theirs).learn(table, said, counting, prediction=definition.heard)
        definition.learn(table, said, counted)
        names = tuple(str(k) for k in range(experts))
        differs = unlike_states(theirs, ours, np.maximum(largest(state), largest(ours)))
        differs = differs or unlike_ledgers(ExpertLedger.of(counting, names), ExpertLedger.of(counted, names))
        if differs is not None and self.finding is None:
            self.finding = f"{differs} after round {totals.rounds} are those of the definition"
        self.looked += len(chosen)
        self.next = _FACTOR * max(totals.rounds, 1)
