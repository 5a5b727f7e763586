"""Nash equilibria of games with two payoff matrices."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.display import Displayed
from littlestone.domain import choice
from littlestone.errors import InvalidParameter
from littlestone.games.bimatrix import Bimatrix, external_gaps
from littlestone.games.lemke_howson import lemke_howson
from littlestone.games.supports import TOLERANCE, by_supports
from littlestone.theory.equilibria import NASH, DeviationEvidence

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.games.payoffs import Game
    from littlestone.theory.certificate import Certificate

METHOD = choice("support", "lemke-howson")
# So many pairs of supports take about a minute.
_PAIRS = 3_000_000


@final
@dataclass(frozen=True, eq=False)
class NashEquilibrium(Displayed):
    """Two strategies, each a best response to the other up to rounding."""

    row: FloatArray
    column: FloatArray
    row_payoff: float
    column_payoff: float
    row_gap: float
    """What the row player would gain by its best response, in payoffs."""
    column_gap: float
    certificate: Certificate = field(repr=False)
    """equilibrium.nash: what the best deviation gains, in ranges of the payoffs."""

    def __str__(self) -> str:
        row, column = (np.array2string(p, precision=4, suppress_small=True, threshold=8) for p in (self.row, self.column))
        paid = f"payoffs {self.row_payoff:.6g} and {self.column_payoff:.6g}"
        return f"row {row}, column {column}: {paid}; deviating gains at most {max(self.row_gap, self.column_gap):.2g}"


@final
@dataclass(frozen=True, eq=False)
class Equilibria(Displayed):
    """The equilibria that were found; a sequence of them."""

    found: tuple[NashEquilibrium, ...]
    complete: bool
    """Whether these are all there are."""
    degenerate: bool
    """Whether a strategy was met that has more best responses than actions in use."""
    method: str

    @property
    def note(self) -> str:
        """What the list does not say."""
        if self.degenerate:
            return "the game is degenerate: there may be infinitely many equilibria, and some of them are listed"
        return "" if self.complete else "there may be more equilibria"

    def __str__(self) -> str:
        many = "1 equilibrium" if len(self) == 1 else f"{len(self)} equilibria"
        lines = [f"{many} by {self.method}{', all there are' if self.complete else ''}", *(f"  {one}" for one in self.found)]
        return "\n".join([*lines, self.note] if self.note else lines)

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[NashEquilibrium]:
        return iter(self.found)

    def __getitem__(self, number: int) -> NashEquilibrium:
        return self.found[number]


def equilibria(A: Game, B: Game, *, method: str = "support") -> Equilibria:
    """Nash equilibria of a game of two players who need not be opponents.

    "support" solves for indifference on every pair of supports of one size and keeps what is an equilibrium of the whole
    game; these are all where no strategy has more best responses than actions in use. Where one has, the game is
    degenerate: pairs of different sizes are tried too, and a note says that there may be infinitely many. Cost:
    C(m + n, n) small linear systems. "lemke-howson" follows one path of complementary pivots to one equilibrium.

    Args:
        A: payoffs of the row player, who maximises them.
        B: payoffs of the column player, who maximises them, in the same shape.
        method: "support" for all equilibria of a small game, "lemke-howson" for one of a larger game.

    Raises:
        InvalidData: if the payoffs are no two matrices of one shape and of finite numbers.
        InvalidParameter: if the method is unknown, or the game too large for it.

    Example:
        >>> import littlestone as ls
        >>> battle = ls.equilibria([[3, 0], [0, 2]], [[2, 0], [0, 3]])
        >>> [(e.row.round(6).tolist(), e.column.round(6).tolist()) for e in battle]
        [([1.0, 0.0], [1.0, 0.0]), ([0.0, 1.0], [0.0, 1.0]), ([0.6, 0.4], [0.4, 0.6])]
        >>> battle[2].certificate.holds, battle.note
        (True, '')
        >>> print(ls.equilibria([[3, 0], [5, 1]], [[3, 5], [0, 1]]))   # the prisoner's dilemma
        1 equilibrium by support, all there are
          row [0. 1.], column [0. 1.]: payoffs 1 and 1; deviating gains at most 0
    """
    if not METHOD.contains(method):
        raise InvalidParameter(f"method is {method!r}; method must be {METHOD.words}")
    game = Bimatrix.of(A, B)
    if method == "lemke-howson":
        found, complete, degenerate = [lemke_howson(game)], False, False
    else:
        pairs = math.comb(sum(game.shape), game.shape[0]) - 1
        if pairs > _PAIRS:
            raise InvalidParameter(
                f"the game has {pairs:,} pairs of supports of one size; expected at most {_PAIRS:,}; "
                'method="lemke-howson" finds one equilibrium'
            )
        found, degenerate = by_supports(game)
        complete = not degenerate
    return Equilibria(tuple(_equilibrium(game, p, q) for p, q in found), complete, degenerate, method)


def _equilibrium(game: Bimatrix, p: FloatArray, q: FloatArray) -> NashEquilibrium:
    """The strategies with what they pay, and the certificate."""
    joint = np.outer(p, q)
    gaps, ranges = external_gaps(joint, game.A, game.B), game.ranges
    gain = max(gap / (spread or 1.0) for gap, spread in zip(gaps, ranges, strict=True))
    certificate = NASH.certify(DeviationEvidence(joint=joint, gain=gain, allowed=TOLERANCE))
    return NashEquilibrium(p, q, float(p @ game.A @ q), float(p @ game.B @ q), *gaps, certificate)
