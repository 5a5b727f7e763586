"""Oracles: what could have been had with the advice by one who knew the outcomes.

Every value is recomputed from the weights or the sequence that is returned, never taken from a solver.

An expert whose advice is nan sleeps. Weights are then shared out among those awake, and equally where these have none: the
weight of one expert alone stands for that expert while it is awake and for the mean of the others while it sleeps, as in
R's opera. A sequence of experts follows only experts that are awake; a linear combination of sleepers has no meaning.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.arrays import FloatArray, frozen_vector
from littlestone.errors import InvalidData, InvalidParameter, NotApplicable
from littlestone.experts.advice_table import AdviceTable, Combination, Comparator, OfProbabilities, names_of, read_advice
from littlestone.experts.hindsight import ConvexLoss, Optimum, Problem, minimise
from littlestone.experts.regions import Region, Simplex, WeightSpace
from littlestone.streams.batches import Frame, numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from littlestone.arrays import BoolArray

__all__ = [
    "Combination",
    "ExpertSequence",
    "best_convex",
    "best_expert",
    "best_linear",
    "best_sequence",
    "best_sequence_of_losses",
    "uniform",
]


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class ExpertSequence(Comparator):
    """The expert followed in each round, and the loss.

    `by_switches[k]` is the mean loss of the best sequence with at most k switches, for k up to the number allowed.
    """

    choices: npt.NDArray[np.int64]
    by_switches: FloatArray

    @property
    def switches(self) -> int:
        """How often the expert changes; fewer than allowed where more do not help."""
        return int(np.count_nonzero(np.diff(self.choices)))

    @property
    def segments(self) -> list[tuple[int, int, str]]:
        """First round, round after the last, and expert of every stretch of rounds."""
        starts = [0, *(int(t) for t in np.flatnonzero(np.diff(self.choices)) + 1), len(self.choices)]
        return [(a, b, self.experts[self.choices[a]]) for a, b in pairwise(starts)]

    def __str__(self) -> str:
        times = "1 switch" if self.switches == 1 else f"{self.switches} switches"
        return f"best sequence of experts: mean loss {self.mean:.8g} with {times}"


def best_expert(
    advice: npt.ArrayLike | Frame, outcomes: npt.ArrayLike, loss: ConvexLoss | str, *, experts: Sequence[str] | None = None
) -> Combination:
    """The expert with the smallest loss, the first of several.

    Args:
        advice: the forecasts, a round per row and an expert per column; a frame brings the names. nan: the expert sleeps.
        outcomes: what happened.
        loss: a loss, called with arrays of predictions and outcomes, or its name.
        experts: the names of the experts; by default those of the frame, else "0", "1", ….

    Cost: O(T·N).

    Raises:
        InvalidData: if numbers, shapes or names are wrong, or everybody sleeps in a round.

    Example:
        >>> square = lambda prediction, outcome: (prediction - outcome) ** 2
        >>> best = best_expert([[0.0, 1.0], [0.0, 1.0], [0.0, 1.0]], [1, 1, 0], square)
        >>> best.weights, best.total
        (array([0., 1.]), 1.0)
    """
    table = read_advice(advice, outcomes, loss, experts)
    corners = np.eye(table.advice.shape[1])
    totals = [float(np.sum(table.losses(table.mixed(corner)))) for corner in corners]
    return table.combination("best expert", corners[int(np.argmin(totals))], gap=0.0)


def uniform(
    advice: npt.ArrayLike | Frame, outcomes: npt.ArrayLike, loss: ConvexLoss | str, *, experts: Sequence[str] | None = None
) -> Combination:
    """The mean of the experts, what every combination should beat; arguments and errors as for `best_expert`.

    Example:
        >>> square = lambda prediction, outcome: (prediction - outcome) ** 2
        >>> uniform([[0.0, 1.0], [0.0, 1.0]], [1, 0], square).mean
        0.25
    """
    table = read_advice(advice, outcomes, loss, experts)
    count = table.advice.shape[1]
    return table.combination("uniform combination", np.full(count, 1.0 / count), gap=0.0)


def best_convex(
    advice: npt.ArrayLike | Frame, outcomes: npt.ArrayLike, loss: ConvexLoss | str, *, experts: Sequence[str] | None = None
) -> Combination:
    """The weights, at least 0 and adding up to 1, with the smallest loss; arguments as for `best_expert`.

    The loss must be convex. With a method `gradient` it is solved to full precision and the gap is a proof; without one,
    slopes are taken by differences, about five digits of the loss are right, and the gap is nan. Exact (least squares over
    the simplex by active sets) for the square and the Brier loss, a linear program for absolute, percentage and pinball,
    Newton's method for others. With sleeping experts the problem is not convex: then this is the best of local searches
    from N + 1 starts, and its gap is nan.

    Cost: O(T·N²) a Newton step; a linear program of T + N variables for losses with a kink.

    Raises:
        InvalidData: if numbers, shapes or names are wrong, or everybody sleeps in a round.
        NotApplicable: if the loss is not convex.

    Example:
        >>> square = lambda prediction, outcome: (prediction - outcome) ** 2
        >>> best = best_convex([[0.0, 1.0], [0.0, 1.0], [0.0, 1.0]], [1, 1, 0], square)
        >>> best.weights.round(6), round(best.total, 6)                # the mean outcome is 2/3
        (array([0.333333, 0.666667]), 0.666667)
    """
    table = read_advice(advice, outcomes, loss, experts)
    table.check_convex("best_convex")
    if not table.awake.all():
        return table.combination("best convex combination", _searched(table), gap=math.nan)
    return _solved(table, "best convex combination", Simplex())


def best_linear(
    advice: npt.ArrayLike | Frame, outcomes: npt.ArrayLike, loss: ConvexLoss | str, *, experts: Sequence[str] | None = None
) -> Combination:
    """The weights, of any sign and sum, with the smallest loss; arguments as for `best_expert`, methods as `best_convex`.

    Its gap is taken over the weights with at most twice the sum of absolute values: what falls farther away would fall
    there already, in proportion.

    Raises:
        InvalidData: if numbers, shapes or names are wrong.
        NotApplicable: if the loss is not convex, an expert sleeps, or the loss is one of probabilities and the best
            linear combination is none.

    Example:
        >>> square = lambda prediction, outcome: (prediction - outcome) ** 2
        >>> best_linear([[1.0], [2.0]], [2, 4], square).weights.round(6)
        array([2.])
    """
    table = read_advice(advice, outcomes, loss, experts)
    table.check_convex("best_linear")
    if not table.awake.all():
        t, i = (int(k) for k in np.argwhere(~table.awake)[0])
        raise NotApplicable(f"round {t}: expert {table.names[i]} sleeps; a linear combination needs every expert awake")
    return _solved(table, "best linear combination", WeightSpace())


def best_sequence(
    advice: npt.ArrayLike | Frame,
    outcomes: npt.ArrayLike,
    loss: ConvexLoss | str,
    *,
    switches: int,
    experts: Sequence[str] | None = None,
) -> ExpertSequence:
    """The sequence of experts with at most so many switches that has the smallest loss.

    Dynamic programming: with L_k(i) the smallest loss so far of a sequence with at most k switches that ends in expert i,
    L_k(i) ← loss_i + min(L_k(i), min_j L_{k−1}(j)). Any loss will do, convex or not. Tie: stay rather than switch, and
    the first expert of several.

    Args:
        advice: the forecasts, a round per row and an expert per column; a frame brings the names. nan: not to be followed.
        outcomes: what happened.
        loss: a loss, called with arrays of predictions and outcomes, or its name.
        switches: how many switches are allowed, at least 0.
        experts: the names of the experts; by default those of the frame, else "0", "1", ….

    Cost: O(T·N·m) time and one byte each of memory.

    Raises:
        InvalidData: if numbers, shapes or names are wrong, or no sequence with so few switches is awake throughout.
        InvalidParameter: if fewer than 0 switches are allowed.

    Example:
        >>> absolute = lambda prediction, outcome: abs(prediction - outcome)
        >>> best = best_sequence([[0.0, 1.0]] * 5, [0, 0, 1, 1, 0], absolute, switches=1)
        >>> best.choices, best.total, best.by_switches
        (array([0, 0, 1, 1, 1]), 1.0, array([0.4, 0.2]))
    """
    table = read_advice(advice, outcomes, loss, experts)
    losses = np.full_like(table.advice, np.inf)
    for i in range(len(table.names)):
        there = table.awake[:, i]
        losses[there, i] = table.losses(table.advice[there, i], there)
    return _tracked(losses, switches, table.names)


def best_sequence_of_losses(losses: npt.ArrayLike, *, switches: int, experts: Sequence[str] | None = None) -> ExpertSequence:
    """As `best_sequence`, from the losses of the experts themselves; an infinite loss is never chosen.

    Raises:
        InvalidData: if the losses are not numbers, rounds by experts, or every sequence has an infinite loss.
        InvalidParameter: if fewer than 0 switches are allowed.

    Example:
        >>> best_sequence_of_losses([[0, 1], [0, 1], [1, 0]], switches=1).choices
        array([0, 0, 1])
    """
    values = np.asarray(numbers(losses, "losses"), dtype=np.float64)
    if values.ndim != 2 or 0 in values.shape:
        raise InvalidData(f"the losses have shape {values.shape}; expected rounds by experts, at least one of each")
    bad = np.isnan(values) | np.isneginf(values)
    if bad.any():
        t, i = (int(k) for k in np.argwhere(bad)[0])
        raise InvalidData(f"round {t}: the loss of expert {i} is {values[t, i]}; losses must be numbers above -inf")
    return _tracked(values, switches, names_of(experts, None, values.shape[1]))


def _solved(table: AdviceTable, kind: str, region: Region) -> Combination:
    found: Optimum = minimise(Problem(table.advice, table.outcomes, table.loss), region)
    _check_probabilities(table, kind, table.mixed(found.weights))
    return table.combination(kind, found.weights, gap=found.gap / len(table.outcomes))


def _check_probabilities(table: AdviceTable, kind: str, predictions: FloatArray) -> None:
    """A linear combination of probabilities need not be one, and then its log or Brier loss has no meaning."""
    if not isinstance(table.loss, OfProbabilities) or not table.loss.probabilities:
        return
    outside = (predictions < -1e-9) | (predictions > 1.0 + 1e-9)
    if outside.any():
        t = int(np.argmax(outside))
        raise NotApplicable(f"round {t}: the {kind} predicts {predictions[t]:.6g}, which is no probability; use best_convex")


def _searched(table: AdviceTable) -> FloatArray:
    """The best of local searches from equal weights and from near each expert, all of them candidates themselves."""
    count = table.advice.shape[1]
    equal = np.full(count, 1.0 / count)
    starts = [equal, *(0.9 * corner + 0.1 * equal for corner in np.eye(count))]
    found = [equal, *np.eye(count), *(_local(table, start) for start in starts)]
    return min(found, key=lambda weights: float(np.sum(table.losses(table.mixed(weights)))))


def _local(table: AdviceTable, start: FloatArray) -> FloatArray:
    from scipy.optimize import LinearConstraint, minimize

    problem = Problem(table.advice, table.outcomes, table.loss)
    unit = float(np.mean(np.abs(table.losses(table.mixed(start))))) * len(start) or 1.0
    least = 1e-9  # above 0, so that a round always has weight to share out

    def mean_loss(weights: FloatArray) -> float:
        return float(np.mean(problem.losses(table.mixed(weights)))) / unit

    def slope(weights: FloatArray) -> FloatArray:
        """∂p_t/∂w_i = (x_ti − p_t)/Σ_awake w for an expert awake, 0 for one asleep."""
        predictions = table.mixed(weights)
        pulls = np.where(table.awake, table.advice - predictions[:, np.newaxis], 0.0)
        pulls /= np.sum(np.where(table.awake, weights, 0.0), axis=1, keepdims=True)
        return pulls.T @ problem.slopes(predictions) / (len(predictions) * unit)

    solved = minimize(
        mean_loss,
        np.clip(start, least, 1.0),
        jac=slope,
        method="SLSQP",
        bounds=[(least, 1.0)] * len(start),
        constraints=LinearConstraint(np.ones((1, len(start))), 1.0, 1.0),
        options={"maxiter": 500, "ftol": 1e-14},
    )
    found = np.array(solved.x, dtype=np.float64)
    return Simplex().clean(np.where(found <= 2.0 * least, 0.0, found))


def _tracked(losses: FloatArray, switches: int, names: tuple[str, ...]) -> ExpertSequence:
    if switches < 0:
        raise InvalidParameter(f"switches is {switches}; switches must be at least 0")
    most = min(switches, len(losses) - 1)
    best, jumped, leaders = _forward(losses, most)
    if not math.isfinite(float(best[most])):
        raise InvalidData(f"no sequence with at most {switches} switches is awake throughout; allow more of them")
    choices = _back(int(leaders[-1, most]), jumped, leaders)
    return ExpertSequence(
        experts=names,
        choices=choices,
        losses=frozen_vector(losses[np.arange(len(losses)), choices]),
        by_switches=frozen_vector(best / len(losses)),
    )


def _forward(losses: FloatArray, most: int) -> tuple[FloatArray, BoolArray, npt.NDArray[np.int64]]:
    """The smallest losses for each number of switches; who was jumped to; and who led after each round."""
    rounds, experts = losses.shape
    jumped = np.zeros((rounds, most + 1, experts), dtype=bool)
    leaders = np.empty((rounds, most + 1), dtype=np.int64)
    ledger = np.tile(losses[0], (most + 1, 1))
    leaders[0] = np.argmin(ledger, axis=1)
    for t in range(1, rounds):
        leading = np.min(ledger, axis=1)[:-1, np.newaxis]
        jumped[t, 1:] = leading < ledger[1:]
        ledger[1:] = np.minimum(ledger[1:], leading)
        ledger += losses[t]
        leaders[t] = np.argmin(ledger, axis=1)
    return np.min(ledger, axis=1), jumped, leaders


def _back(last: int, jumped: BoolArray, leaders: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Follows the sequence from its last expert to its first."""
    choices = np.empty(len(leaders), dtype=np.int64)
    expert, k = last, leaders.shape[1] - 1
    for t in range(len(leaders) - 1, -1, -1):
        choices[t] = expert
        if jumped[t, k, expert]:
            k -= 1
            expert = int(leaders[t - 1, k])
    return choices
