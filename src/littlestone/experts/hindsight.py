"""The best fixed weights in hindsight for a convex loss, with a proof of how good they are.

Two methods, each for what it is exact on. Newton's method replaces the loss of every round by a parabola and solves the
least-squares problem that results over the whole set of weights: one step for the square loss, a few for log and Brier.
Cutting planes replace it by the largest of its tangents and solve a linear program: exact for losses with a kink
(absolute, percentage, pinball). Both know the loss by its values and slopes alone, so that they serve any convex loss.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, final, runtime_checkable

import numpy as np

from littlestone.arrays import BoolArray, FloatArray
from littlestone.errors import InvalidData

# When to stop: at a gap of one part in 1e10 of the loss, or of one in 1e13 of the loss at the start, where the best loss is 0.
_OF_LOSS, _OF_START = 1e-10, 1e-13
_NEWTON_STEPS = 100
_CUTTING_ROUNDS = 60
# Slopes by differences: the cube root of the rounding error balances it against the error of the difference.
_DIFFERENCE = 6e-6


class Loss(Protocol):
    """The losses of predictions, element by element; convex in the prediction."""

    def __call__(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """The loss of each prediction on its outcome."""
        ...


@runtime_checkable
class Sloped(Protocol):
    """A loss that knows its slope; of a loss that does not, the slope is taken by differences."""

    def gradient(self, prediction: FloatArray, outcome: FloatArray, /) -> FloatArray:
        """The derivative in the prediction, or any slope between those on either side of a kink."""
        ...


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
    def bounds(self, experts: int) -> tuple[float | None, FloatArray | None]:
        """The least value of a weight, and the row of ones if the weights are to add up to 1."""


@final
@dataclass(frozen=True)
class Simplex(Region):
    """Weights that are at least 0 and add up to 1."""

    def nearest(self, design: FloatArray, aim: FloatArray) -> FloatArray:
        """The point of the hull of the columns design_i − aim nearest to 0, an NNLS problem (active sets, exact).

        For w = s·v with v in the simplex, ‖Bw‖² + (Σw − 1)² = s²‖Bv‖² + (s − 1)² is smallest where ‖Bv‖ is.
        """
        from scipy.optimize import nnls

        columns = np.linalg.qr(design - aim[:, np.newaxis], mode="r")
        scale = float(np.max(np.abs(columns))) or 1.0
        stacked = np.vstack([columns / scale, np.ones(columns.shape[1])])
        return self.clean(nnls(stacked, np.append(np.zeros(len(columns)), 1.0))[0])

    def clean(self, weights: FloatArray) -> FloatArray:
        """Weights below 0 are 0 and the rest is scaled."""
        clipped = np.maximum(weights, 0.0)
        return clipped / np.sum(clipped)

    def fall(self, forces: FloatArray, weights: FloatArray) -> float:
        """The linear function is smallest at a corner."""
        return float(forces @ weights - np.min(forces))

    def bounds(self, experts: int) -> tuple[float | None, FloatArray | None]:
        """At least 0, adding up to 1."""
        return 0.0, np.ones(experts)


@final
@dataclass(frozen=True)
class Space(Region):
    """All weights; the gap is taken over those with ‖v‖₁ ≤ 2‖w‖₁.

    A convex function that fell farther away would fall there already, in proportion.
    """

    def nearest(self, design: FloatArray, aim: FloatArray) -> FloatArray:
        """Ordinary least squares; of several solutions the shortest."""
        solution: FloatArray = np.linalg.lstsq(design, aim, rcond=None)[0]
        return solution

    def clean(self, weights: FloatArray) -> FloatArray:
        """Nothing to do."""
        return weights

    def fall(self, forces: FloatArray, weights: FloatArray) -> float:
        """The linear function is smallest at a corner of the ball."""
        return float(forces @ weights + 2.0 * np.sum(np.abs(weights)) * np.max(np.abs(forces)))

    def bounds(self, experts: int) -> tuple[float | None, FloatArray | None]:
        """None."""
        return None, None


@final
@dataclass(frozen=True, eq=False)
class Problem:
    """Advice of experts that are all awake, the outcomes, and the loss; wherever the loss is refused it is infinite."""

    advice: FloatArray
    outcomes: FloatArray
    loss: Loss

    def losses(self, predictions: FloatArray) -> FloatArray:
        """The loss of every round, infinite where it is not defined."""
        values = _where_defined(self.loss, predictions, self.outcomes)
        return np.where(np.isnan(values), np.inf, values)

    def total(self, weights: FloatArray) -> float:
        """The loss of weights over all rounds."""
        return float(np.sum(self.losses(self.advice @ weights)))

    def slopes(self, predictions: FloatArray) -> FloatArray:
        """The slope of the loss at each prediction; nan where it is not defined."""
        if isinstance(self.loss, Sloped):
            return _where_defined(self.loss.gradient, predictions, self.outcomes)
        return self._differences(self.losses, predictions, _DIFFERENCE)

    def curvatures(self, predictions: FloatArray) -> FloatArray:
        """The second derivatives, by differences of slopes; 0 where they are not defined."""
        curvatures = self._differences(self.slopes, predictions, _DIFFERENCE)
        return np.where(np.isfinite(curvatures), np.maximum(curvatures, 0.0), 0.0)

    def _differences(self, f: Callable[[FloatArray], FloatArray], at: FloatArray, step: float) -> FloatArray:
        """Central differences, with smaller steps where the loss is not defined around a prediction."""
        h = np.full(len(at), step * max(float(np.max(np.abs(self.advice))), float(np.max(np.abs(self.outcomes))), 1e-300))
        for _ in range(8):
            with np.errstate(invalid="ignore"):
                slopes = (f(at + h) - f(at - h)) / ((at + h) - (at - h))
            undefined = ~np.isfinite(slopes)
            if not undefined.any():
                break
            h[undefined] *= 0.03
        return slopes


@final
@dataclass(frozen=True, eq=False)
class Optimum:
    """Weights, and by how much no others of the region beat their total loss (nan where that is not proved).

    Slopes by differences are wrong next to a kink, so that they prove nothing: without `gradient` there is no gap.
    """

    weights: FloatArray
    gap: float


def minimise(problem: Problem, region: Region) -> Optimum:
    """The weights of a region with the smallest total loss.

    Raises:
        InvalidData: if equal weights have an infinite loss, so that there is nowhere to start.
    """
    uniform = np.full(problem.advice.shape[1], 1.0 / problem.advice.shape[1])
    refused = ~np.isfinite(problem.losses(problem.advice @ uniform))
    if refused.any():
        t = int(np.argmax(refused))
        raise InvalidData(f"round {t}: the mean of the experts has no finite loss, so that no combination can be judged by it")
    slack = _OF_START * abs(problem.total(uniform))
    found = _newton(problem, region, uniform)
    if not _close(found, problem, slack):
        found = _cutting_planes(problem, region, found, slack)
    return found if isinstance(problem.loss, Sloped) else Optimum(found.weights, math.nan)


def _close(found: Optimum, problem: Problem, slack: float) -> bool:
    return found.gap <= max(_OF_LOSS * abs(problem.total(found.weights)), slack)


def _newton(problem: Problem, region: Region, weights: FloatArray) -> Optimum:
    """Minimises the parabolas that touch the losses, again and again, until the loss falls no more."""
    for _ in range(_NEWTON_STEPS):
        target = _parabolic_step(problem, region, weights)
        better = _searched(problem, weights, target)
        if better is None:
            break
        weights = region.clean(better)
    return Optimum(weights, _tangent_gap(problem, region, weights))


def _parabolic_step(problem: Problem, region: Region, weights: FloatArray) -> FloatArray:
    """Where Σ g(p − p₀) + ½c(p − p₀)² is smallest: least squares with weights c towards p₀ − g/c."""
    predictions = problem.advice @ weights
    slopes, curvatures = problem.slopes(predictions), problem.curvatures(predictions)
    top = float(np.max(curvatures))
    if top <= 0.0 or not np.isfinite(slopes).all():
        return weights
    roots = np.sqrt(np.maximum(curvatures, 1e-12 * top))
    return region.nearest(roots[:, np.newaxis] * problem.advice, roots * predictions - slopes / roots)


def _searched(problem: Problem, weights: FloatArray, target: FloatArray) -> FloatArray | None:
    """The first of the points at 1, 1/2, 1/4, … of the way whose loss is smaller; None if there is none."""
    now = problem.total(weights)
    share = 1.0
    for _ in range(40):
        candidate = weights + share * (target - weights)
        if problem.total(candidate) < now - 1e-15 * abs(now):
            return candidate
        share *= 0.5
    return None


def _tangent_gap(problem: Problem, region: Region, weights: FloatArray) -> float:
    """Convexity: the loss of v is at least that of w plus g·X(v − w), so it is at most the fall of that below."""
    slopes = problem.slopes(problem.advice @ weights)
    if not np.isfinite(slopes).all():
        return math.nan
    return max(region.fall(problem.advice.T @ slopes, weights), 0.0)


@final
class _Cuts:
    """Tangents to the losses: in round t, loss ≥ height + slope·(prediction)."""

    def __init__(self) -> None:
        self.rounds: list[FloatArray] = []
        self.slopes: list[FloatArray] = []
        self.heights: list[FloatArray] = []

    def touch(self, problem: Problem, predictions: FloatArray, which: BoolArray | None = None) -> None:
        """Adds the tangents at these predictions, in the rounds where they are defined."""
        values, slopes = problem.losses(predictions), problem.slopes(predictions)
        usable = np.isfinite(values) & np.isfinite(slopes)
        kept = np.flatnonzero(usable if which is None else usable & which)
        self.rounds.append(kept)
        self.slopes.append(slopes[kept])
        self.heights.append(values[kept] - slopes[kept] * predictions[kept])

    def arrays(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Round, slope and height of every tangent."""
        return np.concatenate(self.rounds), np.concatenate(self.slopes), np.concatenate(self.heights)


def _cutting_planes(problem: Problem, region: Region, best: Optimum, slack: float) -> Optimum:
    """Solves the linear program of the tangents and adds those at its solution, until upper and lower bound meet."""
    cuts = _seeds(problem, best.weights)
    for _ in range(_CUTTING_ROUNDS):
        solved = _linear_program(problem, region, cuts)
        if solved is None:
            break
        weights, lower, floors = solved
        best = _better(problem, best, weights, lower)
        if _close(best, problem, slack):
            break
        predictions = problem.advice @ weights
        cuts.touch(problem, predictions, problem.losses(predictions) > floors + 1e-13 * (1.0 + np.abs(floors)))
    return best


def _better(problem: Problem, best: Optimum, weights: FloatArray, lower: float) -> Optimum:
    """The better of two sets of weights by their recomputed losses, with the smaller gap that is proved."""
    before, after = problem.total(best.weights), problem.total(weights)
    floor = before - best.gap if math.isfinite(best.gap) else -math.inf
    floor = max(floor, lower)
    kept = weights if after < before else best.weights
    upper = min(before, after)
    return Optimum(kept, max(upper - floor, 0.0) if math.isfinite(floor) else math.nan)


def _seeds(problem: Problem, weights: FloatArray) -> _Cuts:
    """Tangents on either side of what was forecast and of the outcomes: a loss with one kink is then known."""
    cuts = _Cuts()
    spread = float(np.max(np.abs(problem.advice - problem.outcomes[:, np.newaxis]))) or 1.0
    for predictions in (
        np.min(problem.advice, axis=1),
        np.max(problem.advice, axis=1),
        problem.advice @ weights,
        problem.outcomes - spread,
        problem.outcomes + spread,
    ):
        cuts.touch(problem, predictions)
    return cuts


def _linear_program(problem: Problem, region: Region, cuts: _Cuts) -> tuple[FloatArray, float, FloatArray] | None:
    """Weights, a proved lower bound on the total loss, and the largest tangent of each round at these weights.

    Minimises Σξ_t with ξ_t ≥ height + slope·(x_t·w) for every tangent (HiGHS).
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, csr_array, hstack

    rounds, experts = problem.advice.shape
    owner, slopes, heights = cuts.arrays()
    which = np.arange(len(owner))
    falls = coo_array((-np.ones(len(owner)), (which, owner)), shape=(len(owner), rounds))
    least, ones = region.bounds(experts)
    solved = linprog(
        np.append(np.zeros(experts), np.ones(rounds)),
        A_ub=hstack([csr_array(slopes[:, np.newaxis] * problem.advice[owner]), falls], format="csr"),
        b_ub=-heights,
        A_eq=None if ones is None else np.append(ones, np.zeros(rounds))[np.newaxis, :],
        b_eq=None if ones is None else np.ones(1),
        bounds=[(least, None)] * experts + [(None, None)] * rounds,
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if solved.status != 0:
        return None
    weights = region.clean(solved.x[:experts])
    lower = _dual_bound(problem, region, weights, (owner, slopes, heights), -solved.ineqlin.marginals)
    floors = np.full(rounds, -np.inf)
    np.maximum.at(floors, owner, heights + slopes * (problem.advice @ weights)[owner])
    return weights, lower, floors


def _dual_bound(
    problem: Problem,
    region: Region,
    weights: FloatArray,
    cuts: tuple[FloatArray, FloatArray, FloatArray],
    multipliers: FloatArray,
) -> float:
    """Any mixture of the tangents of a round is below its loss: what the multipliers prove, whoever found them."""
    owner, slopes, heights = cuts
    parts = np.maximum(multipliers, 0.0)
    mass = np.bincount(owner, weights=parts, minlength=len(problem.outcomes))
    if (mass <= 0.0).any():
        return -math.inf
    parts /= mass[owner]
    forces = problem.advice.T @ np.bincount(owner, weights=parts * slopes, minlength=len(problem.outcomes))
    at = float(np.sum(parts * heights) + forces @ weights)
    return at - region.fall(forces, weights)


def _where_defined(
    f: Callable[[FloatArray, FloatArray], FloatArray], predictions: FloatArray, outcomes: FloatArray
) -> FloatArray:
    """F of every round; nan in the rounds it refuses (a loss may be defined on probabilities only)."""
    try:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(f(predictions, outcomes), dtype=np.float64)
    except InvalidData:
        return np.array([_one(f, predictions[t : t + 1], outcomes[t : t + 1]) for t in range(len(predictions))])


def _one(f: Callable[[FloatArray, FloatArray], FloatArray], prediction: FloatArray, outcome: FloatArray) -> float:
    try:
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.asarray(f(prediction, outcome), dtype=np.float64)[0])
    except InvalidData:
        return math.nan
