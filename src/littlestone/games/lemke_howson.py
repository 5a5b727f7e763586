"""The Lemke-Howson algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.errors import NotApplicable
from littlestone.games.bimatrix import Bimatrix, external_gaps

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray

# Payoffs are scaled to [1, 2]; entries below it are rounding.
_ROUNDING = 1e-11
_ENOUGH = 1e-9


def lemke_howson(game: Bimatrix) -> tuple[FloatArray, FloatArray]:
    """One equilibrium, at the end of a path of complementary pivots (Lemke and Howson 1964).

    Row actions have the labels 0 … m−1 and column actions m … m+n−1; a strategy has the labels of the actions it does not
    use and of the best responses to it. The path starts where every label is there twice over, at no strategy at all,
    drops one label and pivots until it is back. Ties are broken lexicographically, so no path runs in a circle; where
    rounding leads one astray, the next label is dropped.

    Raises:
        NotApplicable: if rounding led every path astray.
    """
    A, B = ((M - np.min(M)) / (np.ptp(M) or 1.0) + 1.0 for M in (game.A, game.B))
    rows, columns = game.shape
    for dropped in range(rows + columns):
        # Bᵀx + s = 1 has x under the labels of rows and s under those of columns; A y + r = 1 the other way round.
        of_rows, of_columns = range(rows), range(rows, rows + columns)
        first, second = _Tableau(B.T, of_rows, of_columns), _Tableau(A, of_columns, of_rows)
        label, active = dropped, first if dropped < rows else second
        for _ in range(100 * (rows + columns)):
            label = active.enter(label)
            if label in (dropped, -1):
                break
            active = second if active is first else first
        p, q = first.strategy(), second.strategy()
        if label == dropped and max(external_gaps(np.outer(p, q), A, B)) <= _ENOUGH:
            return p, q
    raise NotApplicable("rounding led every path of the Lemke-Howson algorithm astray; equilibria of small games can be listed")


@final
class _Tableau:
    """M z + slacks = 1: one polytope, its basis, and the label of every variable."""

    def __init__(self, M: FloatArray, actions: range, slacks: range) -> None:
        self._entry = np.hstack([M, np.eye(len(M)), np.ones((len(M), 1))])
        self._actions = actions
        self._column = {label: k for k, label in enumerate([*actions, *slacks])}
        self._basis = list(slacks)

    def enter(self, label: int) -> int:
        """Brings the variable of a label into the basis; the label that leaves, -1 where none can."""
        j = self._column[label]
        column = self._entry[:, j]
        able = np.flatnonzero(column > _ROUNDING)
        if len(able) == 0:
            return -1
        ordered = np.roll(self._entry[able, len(self._actions) :], 1, axis=1)  # the value first, then the slacks
        ratios = ordered / column[able, None]
        i = int(able[np.lexsort(ratios.T[::-1])[0]])
        self._entry[i] /= self._entry[i, j]
        others = np.arange(len(self._entry)) != i
        self._entry[others] -= np.outer(self._entry[others, j], self._entry[i])
        left, self._basis[i] = self._basis[i], label
        return left

    def strategy(self) -> FloatArray:
        """The actions of the basis, as a distribution."""
        weights = np.zeros(len(self._actions))
        for i, label in enumerate(self._basis):
            if label in self._actions:
                weights[label - self._actions.start] = max(float(self._entry[i, -1]), 0.0)
        total = float(np.sum(weights))
        return weights / total if total > 0.0 else np.full(len(weights), 1.0 / len(weights))
