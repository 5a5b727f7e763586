"""From play to what the minimax theorem reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlestone.theory.games import GameEvidence

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.games.payoffs import Bracket, Payoffs


def evidence_of(
    payoffs: Payoffs,
    p: FloatArray,
    q: FloatArray,
    proved: Bracket,
    played: Bracket,
    *,
    rounds: int,
    etas: tuple[float, ...] = (),
) -> GameEvidence:
    """The evidence of a game.

    Args:
        payoffs: the game.
        p: the row player's average strategy.
        q: the column player's.
        proved: the bracket of the strategies themselves.
        played: the same bracket as the sum of what was seen in the rounds, with the mean payoff of the rounds.
        rounds: how many.
        etas: rates of Exponential Weights.
    """
    of_maximiser, of_minimiser = played.upper - played.payoff, played.payoff - played.lower
    row, column = (of_maximiser, of_minimiser) if payoffs.sign > 0.0 else (of_minimiser, of_maximiser)
    return GameEvidence(
        p=p,
        q=q,
        range=payoffs.range,
        rounds=rounds,
        lower=proved.lower,
        upper=proved.upper,
        row_regret=row,
        column_regret=column,
        etas=etas,
    )
