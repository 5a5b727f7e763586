"""The pool for two labels on one view, formula by formula; `core/pool` repeats it with the numbers of a feature in float32.

Nothing here is fast, and nothing is left out but the views, which are pools like this one on more features. Tests hold the
compiled loop to the probabilities of this file, to the digits that float32 has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np

from littlestone.arrays import BoolArray, FloatArray

_LINEAR = ("AROW", "AdaGrad logistic", "AdaGrad hinge", "PA-I")
_REACHED = 1e-5
"""A margin this near to 1 is reached: whoever steps until it is there leaves the side to rounding, which must not decide."""
SEATS = 96
"""Features that the full covariance has room for, the constant among them."""


def sigma(z: float) -> float:
    """The logistic function."""
    return 1.0 / (1.0 + math.exp(-z)) if z >= 0.0 else math.exp(z) / (1.0 + math.exp(z))


def clip(value: float, bound: float) -> float:
    """The value, at most the bound in magnitude."""
    return max(-bound, min(bound, value))


@final
@dataclass
class Feature:
    """What is known of one feature: a line of the core."""

    w: FloatArray = field(default_factory=lambda: np.zeros(4))
    precision: FloatArray = field(default_factory=lambda: np.array([1.0, 1e-3, 1e-2, 1.0]))
    masses: FloatArray = field(default_factory=lambda: np.zeros(2))  # by label: negative, positive
    count: float = 0.0
    level: float = 0.0

    def gauged(self, x: float) -> tuple[float, float]:
        """f, the value in the scale of its feature, and the level of the gauge once x is learned."""
        log = math.log2(abs(x))
        level = self.level + (log - self.level) / (self.count + 1.0)
        u = 2.0 ** clip(log - level, 60.0)
        return math.copysign(u * math.sqrt(2.0 / (1.0 + u)), x), level

    def lean(self) -> float:
        """ln((pos + ½)/(neg + ½))."""
        return math.log((self.masses[1] + 0.5) / (self.masses[0] + 0.5))


@final
class Filter:
    """The extended Kalman filter of logistic regression, by default with a constant as its last input."""

    def __init__(self, mean: Sequence[float], variance: float, *, floor: float) -> None:
        self.w, self.prior = np.array(mean), variance * np.eye(len(mean))
        self.S, self.floor = self.prior.copy(), floor

    def logit(self, x: FloatArray) -> tuple[float, float]:
        """w·x, and the same moderated by the uncertainty of w."""
        z, v = float(self.w @ x), float(x @ self.S @ x)
        return z, z / math.sqrt(1.0 + math.pi * v / 8.0)

    def learn(self, x: FloatArray, truth: float, epsilon: float = 0.0, weight: float = 1.0) -> None:
        """One Newton step; a share of epsilon of the covariance goes back to its prior."""
        k, p = self.S @ x, sigma(float(self.w @ x))
        h = weight * max(p * (1.0 - p), self.floor)
        c = 1.0 / (1.0 + h * float(x @ k))
        self.w = self.w + k * weight * (truth - p) * c
        self.S = (1.0 - epsilon) * (self.S - np.outer(k, k) * h * c) + epsilon * self.prior


@final
class RawFilter:
    """The same on the raw values of the first features; the prior precision of a weight grows with its largest value."""

    def __init__(self) -> None:
        self.filter = Filter([], 0.0, floor=1e-4)
        self.seats: dict[int, int] = {}
        self.largest, self.shrinkage = list[float](), list[float]()
        self.fit = 1.0

    @property
    def retired(self) -> bool:
        """Once fewer than half of the features of a row have a seat."""
        return self.fit < 0.5

    def vector(self, x: Mapping[int, float]) -> FloatArray:
        """The seated part of a row; the constant has the first seat."""
        row = np.zeros(len(self.largest))
        row[:1] = 1.0
        for feature, value in x.items():
            if feature in self.seats:
                row[self.seats[feature]] = value
        return row

    def score(self, x: Mapping[int, float]) -> float:
        """The moderated logit; 0 before anything was learned."""
        return self.filter.logit(self.vector(x))[1] if self.largest else 0.0

    def learn(self, x: Mapping[int, float], truth: float) -> None:
        """Seats first, then the step."""
        if not self.largest:
            self._open(1.0, len(x))
        for feature, value in x.items():
            if feature not in self.seats and len(self.largest) < SEATS:
                self.seats[feature] = len(self.largest)
                self._open(value, len(x))
            elif feature in self.seats:
                self._shrink(self.seats[feature], abs(value))
        self.fit += 0.01 * (sum(feature in self.seats for feature in x) / len(x) - self.fit) if x else 0.0
        if not self.retired:
            self.filter.learn(self.vector(x), truth)

    def _open(self, value: float, nonzeros: int) -> None:
        self.largest.append(abs(value))
        self.shrinkage.append(max(len(self.largest), nonzeros + 1) / 100.0)
        size = len(self.largest)
        S = np.zeros((size, size))
        S[:-1, :-1], S[-1, -1] = self.filter.S, 1.0 / (self.shrinkage[-1] * value * value)
        self.filter.w, self.filter.S, self.filter.prior = np.append(self.filter.w, 0.0), S, np.zeros((size, size))

    def _shrink(self, seat: int, value: float) -> None:
        """A larger value: a pseudo-observation that the weight is 0."""
        if value <= self.largest[seat]:
            return
        more = self.shrinkage[seat] * (value**2 - self.largest[seat] ** 2)
        self.largest[seat], k = value, self.filter.S[:, seat].copy()
        c = 1.0 / (1.0 + more * k[seat])
        self.filter.w = self.filter.w - k * self.filter.w[seat] * more * c
        self.filter.S = self.filter.S - np.outer(k, k) * more * c


@final
class MemberSlope:
    """The slope of a member's score, learned on the way."""

    def __init__(self, slope: float, variance: float) -> None:
        self.slope, self.variance, self.prior = slope, variance, variance

    def log_odds(self, score: float) -> float:
        """The score times the slope."""
        return clip(self.slope * clip(score, 20.0), 12.0)

    def learn(self, score: float, truth: float, weight: float = 1.0) -> None:
        """A scalar filter, whose variance returns to its prior."""
        s, p = clip(score, 20.0), sigma(self.log_odds(score))
        c = 1.0 / (1.0 + weight * max(p * (1.0 - p), 1e-5) * s * s * self.variance)
        self.slope += self.variance * s * weight * (truth - p) * c
        self.variance = 0.999 * self.variance * c + 0.001 * self.prior


def advanced(weights: FloatArray, prior: FloatArray, t: int, of_truth: FloatArray, awake: BoolArray) -> FloatArray:
    """The weights after round t: Bayes' rule among those awake, whose total stays, and then a share of 1/(t+1) to the prior."""
    moved = np.where(awake, weights * of_truth, weights)
    moved[awake] *= weights[awake].sum() / moved[awake].sum()
    after: FloatArray = (1.0 - 1.0 / (t + 1)) * moved + prior / (t + 1)
    return after


@final
class Frequency:
    """How often the label came, from a sixteenth of a row of either, beside the pool by Bayes' rule without shares."""

    def __init__(self) -> None:
        self.counts, self.weight = [1.0 / 16.0, 1.0 / 16.0], 1.0 / 16.0

    def learn(self, pooled: float, positive: bool) -> float:
        """One round; returns what the pool and the frequency said together."""
        chance = self.counts[1] / sum(self.counts)
        p = self.weight * chance + (1.0 - self.weight) * pooled
        self.weight *= chance / p if positive else (1.0 - chance) / (1.0 - p)
        self.counts[int(positive)] += 1.0
        return p


@final
class DefinedPool:
    """Seven members, two stacks, the master over them, and the frequency of the label.

    Example:
        >>> pool = DefinedPool()
        >>> [round(pool.learn({0: 1.0}, True), 2) for _ in range(3)]
        [0.5, 0.78, 0.85]
    """

    FADING = (1e-5, 1e-3)
    SHARES = np.array([1.0, 1.0, 1.0, 0.05, 0.3, 0.5, 0.05, 1.0, 1.0])

    def __init__(self) -> None:
        self.features: dict[int, Feature] = {}
        self.constant, self.raw = Feature(), RawFilter()
        self.rows, self.masses = [0.0, 0.0], [0.0, 0.0]
        self.markov, self.context = [[0.5, 0.5] for _ in range(8)], 0
        slopes, variances = (2.0, 1.0, 2.0, 2.0, 0.1, 1.0, 1.0), (0.3, 0.1, 0.3, 0.3, 0.3, 0.1, 0.1)
        self.calibrations = [MemberSlope(a, v) for a, v in zip(slopes, variances, strict=True)]
        means = [share / 3.8 for share in (1.0, 1.0, 1.0, 0.0, 0.3, 0.5, 0.0)]
        self.stacks = [Filter([*means, 0.0], 0.1, floor=1e-5) for _ in self.FADING]
        self.prior = self.SHARES / self.SHARES.sum()
        self.weights, self.rounds = self.prior.copy(), 0
        self.frequency = Frequency()

    def learn(self, x: Mapping[int, float], positive: bool) -> float:
        """One round; returns the probability that the positive label had before it."""
        x = {feature: value for feature, value in x.items() if value != 0.0}
        truth, y = float(positive), 1.0 if positive else -1.0
        unit, f = self._row(x)
        scores = self._scores(x, unit, f)
        awake = np.array([True] * 5 + [not self.raw.retired] + [True] * 3)
        log_odds = [c.log_odds(s) if on else 0.0 for c, s, on in zip(self.calibrations, scores, awake, strict=False)]
        inputs = np.array([*log_odds, 1.0])
        log_odds += [clip(stack.logit(inputs)[1], 15.0) for stack in self.stacks]
        chances = np.array([sigma(z) for z in log_odds])
        p = float(self.weights[awake] @ chances[awake] / self.weights[awake].sum())
        self.rounds += 1
        self.weights = advanced(self.weights, self.prior, self.rounds, np.where(positive, chances, 1.0 - chances), awake)
        for stack, epsilon in zip(self.stacks, self.FADING, strict=True):
            stack.learn(inputs, truth, epsilon)
        for calibration, score, on in zip(self.calibrations, scores, awake, strict=False):
            if on:
                calibration.learn(score, truth)
        self._step(unit, scores, y)
        self._count(x, f, positive)
        if not self.raw.retired:
            self.raw.learn(x, truth)
        return self.frequency.learn(p, positive)

    def _row(self, x: Mapping[int, float]) -> tuple[dict[int | None, float], dict[int, float]]:
        """The row of norm 1 that the linear members see, the constant (None) with it; and the gauged values."""
        for feature in x:
            self.features.setdefault(feature, Feature())
        f = {feature: self.features[feature].gauged(value)[0] for feature, value in x.items()}
        g = {feature: value * (1.0 + abs(self._evidence(feature))) for feature, value in f.items()}
        rho = 1.0 / math.sqrt(1.0 + sum(value * value for value in g.values()))
        return {None: rho, **{feature: rho * value for feature, value in g.items()}}, f

    def _evidence(self, feature: int) -> float:
        half = 0.5 * max(len(self.features), 1)
        return self.features[feature].lean() - math.log((self.masses[1] + half) / (self.masses[0] + half))

    def _scores(self, x: Mapping[int, float], unit: Mapping[int | None, float], f: Mapping[int, float]) -> list[float]:
        linear = sum((self._line(feature).w * value for feature, value in unit.items()), start=np.zeros(4))
        bayes = math.log((self.rows[1] + 0.5) / (self.rows[0] + 0.5))
        bayes += sum(abs(value) * self._evidence(feature) for feature, value in f.items())
        negative, positive = self.markov[self.context]
        return [*linear.tolist(), bayes, 0.0 if self.raw.retired else self.raw.score(x), math.log(positive / negative)]

    def _line(self, feature: int | None) -> Feature:
        return self.constant if feature is None else self.features[feature]

    def _step(self, unit: Mapping[int | None, float], scores: Sequence[float], y: float) -> None:
        """AROW, AdaGrad logistic, AdaGrad hinge and PA-I on the row of norm 1."""
        loss = [1.0 - y * score if 1.0 - y * score > _REACHED else 0.0 for score in scores[: len(_LINEAR)]]
        c = y * sigma(-y * scores[1])
        lines = [(self._line(feature), value) for feature, value in unit.items()]
        for line, x in lines:
            line.precision[1] += c * c * x * x
            line.precision[2] += x * x if loss[2] > 0.0 else 0.0
        v = sum(x * x / line.precision[0] for line, x in lines)
        q = sum(x * x / math.sqrt(line.precision[2]) for line, x in lines)
        for line, x in lines:
            scale = np.array([1.0 / line.precision[0], 1.0 / math.sqrt(line.precision[1]), line.precision[2] ** -0.5, 1.0])
            steps = (y * loss[0] / (v + 0.3), c, y * min(0.5, loss[2] / q), y * min(1.0, loss[3]))
            taken = [step if k == 1 or loss[k] > 0.0 else 0.0 for k, step in enumerate(steps)]
            line.w = line.w + np.array(taken) * scale * x
            line.precision[0] += x * x / 0.3 if loss[0] > 0.0 else 0.0

    def _count(self, x: Mapping[int, float], f: Mapping[int, float], positive: bool) -> None:
        """Gauges, masses, rows and the chain of labels."""
        for feature, value in x.items():
            line = self.features[feature]
            line.level, line.count = line.gauged(value)[1], line.count + 1.0
            line.masses[int(positive)] += abs(f[feature])
            self.masses[int(positive)] += abs(f[feature])
        self.rows[int(positive)] += 1.0
        here = self.markov[self.context]
        here[:] = [max(0.998 * count, 0.02) for count in here]
        here[int(positive)] += 1.0
        self.context = (2 * self.context + int(positive)) % 8
