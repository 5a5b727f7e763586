"""The best fixed weights in hindsight for a convex loss, with a proof of how good they are.

Two methods, each for what it is exact on. Newton's method replaces the loss of every round by a parabola and solves the
least-squares problem that results over the whole set of weights: one step for the square loss, a few for log and Brier.
Cutting planes replace it by the largest of its tangents and solve a linear program: exact for losses with a kink
(absolute, percentage, pinball). Both know the loss by its values and slopes alone, so that they serve any convex loss.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, final, runtime_checkable

import numpy as np

from littlestone.arrays import FloatArray
from littlestone.errors import InvalidData, NotApplicable
from littlestone.experts.regions import Blend, Region

if TYPE_CHECKING:
    import numpy.typing as npt

# When to stop: at a gap of one part in 1e10 of the loss, or of one in 1e13 of the loss at the start, where the best loss is 0.
_OF_LOSS, _OF_START = 1e-10, 1e-13
_NEWTON_STEPS = 100
_CUTTING_ROUNDS = 60
# Slopes by differences: the cube root of the rounding error balances it against the error of the difference.
_DIFFERENCE = 6e-6


class ConvexLoss(Protocol):
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


@final
@dataclass(frozen=True, eq=False)
class Problem:
    """Advice of experts that are all awake, the outcomes, and the loss; wherever the loss is refused it is infinite."""

    advice: FloatArray
    outcomes: FloatArray
    loss: ConvexLoss

    @cached_property
    def gradient(self) -> Callable[[FloatArray, FloatArray], FloatArray] | None:
        """The slope of the loss, if it has one: a loss of the user may offer the method and refuse to answer."""
        if not isinstance(self.loss, Sloped):
            return None
        try:
            _where_defined(self.loss.gradient, self.advice[:1, 0], self.outcomes[:1])
        except NotApplicable:
            return None
        return self.loss.gradient

    def losses(self, predictions: FloatArray) -> FloatArray:
        """The loss of every round, infinite where it is not defined."""
        values = _where_defined(self.loss, predictions, self.outcomes)
        values[np.isnan(values)] = np.inf
        return values

    def total(self, weights: FloatArray) -> float:
        """The loss of weights over all rounds."""
        return float(np.sum(self.losses(self.advice @ weights)))

    def slopes(self, predictions: FloatArray) -> FloatArray:
        """The slope of the loss at each prediction; nan where it is not defined."""
        if self.gradient is not None:
            return _where_defined(self.gradient, predictions, self.outcomes)
        return self._differences(self.losses, predictions, _DIFFERENCE)

    def curvatures(self, predictions: FloatArray) -> FloatArray:
        """The second derivatives, by differences of slopes; 0 where they are not defined."""
        curvatures = self._differences(self.slopes, predictions, _DIFFERENCE)
        return np.nan_to_num(np.maximum(curvatures, 0.0), nan=0.0, posinf=0.0)

    def _differences(self, f: Callable[[FloatArray], FloatArray], at: FloatArray, step: float) -> FloatArray:
        """Central differences, with smaller steps where the loss is not defined around a prediction."""
        h = np.full(len(at), step * max(float(np.max(np.abs(self.advice))), float(np.max(np.abs(self.outcomes))), 1e-300))
        for _ in range(8):
            with np.errstate(invalid="ignore"):
                slopes: FloatArray = (f(at + h) - f(at - h)) / ((at + h) - (at - h))
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
    return found if problem.gradient is not None else Optimum(found.weights, math.nan)


def _close(found: Optimum, problem: Problem, slack: float) -> bool:
    return found.gap <= max(_OF_LOSS * abs(problem.total(found.weights)), slack)


def _newton(problem: Problem, region: Region, weights: FloatArray) -> Optimum:
    """Minimises the parabolas that touch the losses, again and again, until neither loss nor gap fall any more."""
    found = Optimum(weights, _tangent_gap(problem, region, weights))
    for _ in range(_NEWTON_STEPS):
        target = _parabolic_step(problem, region, found.weights)
        better = _searched(problem, found.weights, target)
        after = region.clean(target if better is None else better)
        following = Optimum(after, _tangent_gap(problem, region, after))
        if better is None and not _polished(problem, found, following):
            break
        found = following
    return found


def _polished(problem: Problem, found: Optimum, following: Optimum) -> bool:
    """Whether a full step makes the gap smaller: near the optimum the loss no longer shows what is better."""
    before, after = problem.total(found.weights), problem.total(following.weights)
    return following.gap < 0.5 * found.gap and after <= before + 1e-13 * abs(before)


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
class _Tangents:
    """Tangents to the losses: in round t, loss ≥ height + slope·prediction."""

    def __init__(self) -> None:
        self.rounds: npt.NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.slopes: FloatArray = np.empty(0)
        self.heights: FloatArray = np.empty(0)

    def touch(self, problem: Problem, predictions: FloatArray) -> None:
        """Adds the tangents at these predictions where they are defined; of equal slopes the highest is kept."""
        values, slopes = problem.losses(predictions), problem.slopes(predictions)
        usable = np.flatnonzero(np.isfinite(values) & np.isfinite(slopes))
        rounds = np.append(self.rounds, usable)
        slope = np.append(self.slopes, slopes[usable])
        height = np.append(self.heights, values[usable] - slopes[usable] * predictions[usable])
        order = np.lexsort((-height, slope, rounds))
        rounds, slope, height = rounds[order], slope[order], height[order]
        first = np.append(True, (np.diff(rounds) != 0) | (np.diff(slope) != 0.0))
        self.rounds, self.slopes, self.heights = rounds[first], slope[first], height[first]

    def mixture(self, problem: Problem, region: Region) -> Blend | None:
        """The mixture of the tangents of every round that proves most."""
        from scipy.sparse import csr_array

        count = len(self.rounds)
        members = csr_array((np.ones(count), (self.rounds, np.arange(count))), shape=(len(problem.outcomes), count))
        return region.mixture(csr_array((self.slopes[:, np.newaxis] * problem.advice[self.rounds]).T), members, self.heights)

    def proved(self, problem: Problem, region: Region, mixture: Blend) -> float:
        """What the parts prove, whoever found them: scaled to add up to 1, a mixture of tangents is below the loss."""
        parts = np.maximum(mixture.parts, 0.0)
        mass = np.bincount(self.rounds, weights=parts, minlength=len(problem.outcomes))
        if (mass <= 0.0).any():
            return -math.inf
        parts /= mass[self.rounds]
        forces = problem.advice.T @ np.bincount(self.rounds, weights=parts * self.slopes, minlength=len(problem.outcomes))
        at = float(np.sum(parts * self.heights) + forces @ mixture.weights)
        return at - region.fall(forces, mixture.weights)


def _cutting_planes(problem: Problem, region: Region, best: Optimum, slack: float) -> Optimum:
    """Solves the linear program of the tangents and adds those at its solution, until upper and lower bound meet.

    The dual program is the one solved (HiGHS): its answer is the proof, and it is much the faster.
    """
    tangents = _seeds(problem, best.weights)
    for _ in range(_CUTTING_ROUNDS):
        mixture = tangents.mixture(problem, region)
        if mixture is None:
            break
        best = _better(problem, best, mixture.weights, tangents.proved(problem, region, mixture))
        if _close(best, problem, slack):
            break
        tangents.touch(problem, problem.advice @ mixture.weights)
    return best


def _better(problem: Problem, best: Optimum, weights: FloatArray, lower: float) -> Optimum:
    """The better of two sets of weights by their recomputed losses, with the smaller gap that is proved."""
    before, after = problem.total(best.weights), problem.total(weights)
    floor = before - best.gap if math.isfinite(best.gap) else -math.inf
    floor = max(floor, lower)
    kept = weights if after < before else best.weights
    upper = min(before, after)
    return Optimum(kept, max(upper - floor, 0.0) if math.isfinite(floor) else math.nan)


def _seeds(problem: Problem, weights: FloatArray) -> _Tangents:
    """Tangents on either side of what was forecast and of the outcomes: a loss with one kink is then known."""
    tangents = _Tangents()
    spread = float(np.max(np.abs(problem.advice - problem.outcomes[:, np.newaxis]))) or 1.0
    for predictions in (
        np.min(problem.advice, axis=1),
        np.max(problem.advice, axis=1),
        problem.advice @ weights,
        problem.outcomes - spread,
        problem.outcomes + spread,
    ):
        tangents.touch(problem, predictions)
    return tangents


def _where_defined(
    f: Callable[[FloatArray, FloatArray], FloatArray], predictions: FloatArray, outcomes: FloatArray
) -> FloatArray:
    """The values of f in every round; nan in the rounds it refuses (a loss may be defined on probabilities only)."""
    try:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.array(f(predictions, outcomes), dtype=np.float64)
    except InvalidData:
        return np.array([_one(f, predictions[t : t + 1], outcomes[t : t + 1]) for t in range(len(predictions))])


def _one(f: Callable[[FloatArray, FloatArray], FloatArray], prediction: FloatArray, outcome: FloatArray) -> float:
    try:
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.asarray(f(prediction, outcome), dtype=np.float64)[0])
    except InvalidData:
        return math.nan
