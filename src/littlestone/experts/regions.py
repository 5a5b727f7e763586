"""The weights that hindsight chooses from: the simplex, or all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, final

import numpy as np

from littlestone.arrays import FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_HIGHS = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


@final
@dataclass(frozen=True, eq=False)
class Blend:
    """The parts of the tangents, and the weights that answer them best."""

    parts: FloatArray
    weights: FloatArray


class _Marginals(Protocol):
    """By how much the optimum moves with the right-hand side of each row."""

    marginals: FloatArray


class _Solved(Protocol):
    """What is read of the answer of a linear program."""

    status: int
    x: FloatArray
    ineqlin: _Marginals
    eqlin: _Marginals


class _LinearProgram(Protocol):
    """The part of `scipy.optimize.linprog` that is used, with the sparse matrices that its stubs do not know of."""

    def __call__(
        self,
        c: FloatArray,
        *,
        A_ub: csr_array[np.float64] | None = None,
        b_ub: FloatArray | None = None,
        A_eq: csr_array[np.float64],
        b_eq: FloatArray,
        bounds: list[tuple[float | None, float | None]],
        options: dict[str, float],
    ) -> _Solved:
        """Minimises c·x (HiGHS)."""
        ...


def _linear_program() -> _LinearProgram:
    linprog: _LinearProgram = import_module("scipy.optimize").linprog
    return linprog


class Region(ABC):
    """A set of weights to choose from."""

    @abstractmethod
    def nearest(self, design: FloatArray, aim: FloatArray) -> FloatArray:
        """The weights for which ‖design·w − aim‖ is smallest."""

    @abstractmethod
    def clean(self, weights: FloatArray) -> FloatArray:
        """The weights put back into the set, after roundings."""

    @abstractmethod
    def fall(self, forces: FloatArray, weights: FloatArray) -> float:
        """By how much forces·v can be below forces·weights for other weights v."""

    @abstractmethod
    def mixture(self, forces: csr_array[np.float64], members: csr_array[np.float64], heights: FloatArray) -> Blend | None:
        """The mixture of tangents whose bound on the loss of all weights is largest; None where there is no bound.

        Args:
            forces: what each tangent (column) adds to the force on each weight (row).
            members: 1 where a tangent (column) belongs to a round (row); the parts of a round add up to 1.
            heights: of the tangents at 0.
        """


@final
@dataclass(frozen=True)
class Simplex(Region):
    """Weights that are at least 0 and add up to 1."""

    def nearest(self, design: FloatArray, aim: FloatArray) -> FloatArray:
        """The point of the hull of the columns design_i − aim nearest to 0, an NNLS problem (active sets, exact).

        For w = s·v with v in the simplex, ‖Bw‖² + (Σw − 1)² = s²‖Bv‖² + (s − 1)² is smallest where ‖Bv‖ is.
        """
        from scipy.optimize import nnls

        columns: FloatArray = np.linalg.qr(design - aim[:, np.newaxis]).R
        scale = float(np.max(np.abs(columns))) or 1.0
        stacked = np.vstack([columns / scale, np.ones(columns.shape[1])])
        return self.clean(nnls(stacked, np.append(np.zeros(len(columns)), 1.0))[0])

    def clean(self, weights: FloatArray) -> FloatArray:
        """Weights below 0 are 0 and the rest is scaled."""
        clipped: FloatArray = np.maximum(weights, 0.0)
        clipped /= np.sum(clipped)
        return clipped

    def fall(self, forces: FloatArray, weights: FloatArray) -> float:
        """The linear function is smallest at a corner."""
        return float(forces @ weights - np.min(forces))

    def mixture(self, forces: csr_array[np.float64], members: csr_array[np.float64], heights: FloatArray) -> Blend | None:
        """The largest Σ heights + v with no force below v; the weights are the multipliers of these rows."""
        from scipy.sparse import csr_array, hstack

        solved = _linear_program()(
            np.append(-heights, -1.0),
            A_ub=hstack([-forces, csr_array(np.ones((forces.shape[0], 1)))], format="csr"),
            b_ub=np.zeros(forces.shape[0]),
            A_eq=hstack([members, csr_array((members.shape[0], 1))], format="csr"),
            b_eq=np.ones(members.shape[0]),
            bounds=[(0.0, None)] * len(heights) + [(None, None)],
            options=_HIGHS,
        )
        return None if solved.status else Blend(solved.x[:-1], self.clean(-solved.ineqlin.marginals))


@final
@dataclass(frozen=True)
class WeightSpace(Region):
    """All weights; the gap is taken over those with ‖v‖₁ ≤ 2‖w‖₁.

    A convex function that fell farther away would fall there already, in proportion.
    """

    def nearest(self, design: FloatArray, aim: FloatArray) -> FloatArray:
        """Ordinary least squares; of several solutions the shortest."""
        return np.linalg.lstsq(design, aim, rcond=None)[0].astype(np.float64)

    def clean(self, weights: FloatArray) -> FloatArray:
        """Nothing to do."""
        return weights

    def fall(self, forces: FloatArray, weights: FloatArray) -> float:
        """The linear function is smallest at a corner of the ball."""
        return float(forces @ weights + 2.0 * np.sum(np.abs(weights)) * np.max(np.abs(forces)))

    def mixture(self, forces: csr_array[np.float64], members: csr_array[np.float64], heights: FloatArray) -> Blend | None:
        """The largest Σ heights without any force; the weights are the multipliers of that."""
        from scipy.sparse import vstack

        solved = _linear_program()(
            -heights,
            A_eq=vstack([members, forces], format="csr"),
            b_eq=np.append(np.ones(members.shape[0]), np.zeros(forces.shape[0])),
            bounds=[(0.0, None)] * len(heights),
            options=_HIGHS,
        )
        return None if solved.status else Blend(solved.x, solved.eqlin.marginals[members.shape[0] :])
