"""Learners that learned apart and were mixed, once more, in plain NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

import littlestone as ls
from again import Sides, again, beside
from littlestone.arrays import FloatArray

EPOCHS = 2
Labels = npt.NDArray[np.int64]
Part = tuple[FloatArray, FloatArray]


@dataclass
class Count:
    """What a partition left behind in an epoch."""

    mistakes: int = 0
    updates: int = 0
    lengths: float = 0.0
    """Of the rows that were learned from, squared."""
    loss: float = 0.0
    squares: float = 0.0
    spread: float = field(default=0.0)
    reach: float = 1.0


Step = Callable[[FloatArray, FloatArray, float, Count], FloatArray]


def mixed(parts: list[Part], start: FloatArray, step: Step, *, stretch: bool = False) -> list[Count]:
    """Every partition begins an epoch where the mean of all ended the last one, or beyond it; counts of all of them."""
    counts, w = list[Count](), start
    for epoch in range(EPOCHS):
        ends = list[FloatArray]()
        for X, y in parts:
            own, count = w.copy(), Count()
            for x, label in zip(X, y, strict=True):
                own = step(own, x, float(label), count)
            counts, ends = [*counts, count], [*ends, own]
        moved = sum(ends, start=np.zeros_like(start)) / len(parts) - w
        if stretch and epoch < EPOCHS - 1:
            reach = sum(float(np.sum((end - w) ** 2)) for end in ends) / len(parts) / float(np.sum(moved**2))
            for count in counts[-len(parts) :]:
                count.reach = reach
            moved *= reach
        w = w + moved
    return counts


def mean(counts: list[Count], parts: list[Part], of: Callable[[Count], float]) -> float:
    """A total of all partitions and epochs, each by its share and by how far its epoch reached."""
    return sum(count.reach * of(count) for count in counts) / len(parts)


def reached(counts: list[Count], parts: list[Part]) -> float:
    """What every epoch of weights that never move counts, all together."""
    return sum(count.reach for count in counts) / len(parts)


def perceptron(w: FloatArray, x: FloatArray, y: float, count: Count) -> FloatArray:
    if y * float(w @ x) > 0.0:
        return w
    count.mistakes, count.updates, count.lengths = count.mistakes + 1, count.updates + 1, count.lengths + float(x @ x)
    return w + y * x


def aggressive(variant: str, C: float) -> Step:
    def step(w: FloatArray, x: FloatArray, y: float, count: Count) -> FloatArray:
        margin, length = y * float(w @ x), float(x @ x)
        loss = max(0.0, 1.0 - margin)
        count.mistakes, count.squares = count.mistakes + (margin <= 0.0), count.squares + loss * loss
        taus = {"PA": loss / length, "PA-I": min(C, loss / length), "PA-II": loss / (length + 0.5 / C)}
        return w + taus[variant] * y * x

    return step


@again("mcdonald.3", "mixing.perceptron", "mixing.pa", "mixing.pa.1", "mixing.pa.3")
def additive(seed: int) -> Iterator[Sides]:
    source = np.random.default_rng(seed)
    u = source.normal(size=4)
    u /= np.linalg.norm(u)
    X = source.normal(size=(400, 4))
    X = X[np.abs(X @ u) > 0.2][:180]
    y = np.sign(X @ u)
    parts: list[Part] = [(X[k::3], y[k::3]) for k in range(3)]
    longest = float((X * X).sum(axis=1).max())
    for rule, step, v in (
        (ls.Perceptron(), perceptron, 2.0 * u),
        (ls.PassiveAggressive(variant="PA-I", C=0.5), aggressive("PA-I", 0.5), 2.0 * u),
        (ls.PassiveAggressive(), aggressive("PA", 1.0), 5.0 * u),
        (ls.PassiveAggressive(variant="PA-II", C=0.5), aggressive("PA-II", 0.5), 2.0 * u),
    ):
        counts, far = mixed(parts, np.zeros(4), step, stretch=True), float(v @ v)
        rival, margin = np.maximum(0.0, 1.0 - y * (X @ v)), float((y * (X @ v)).min())
        D, D2 = (reached(counts, parts) * float(lost) / 3.0 for lost in (rival.sum(), rival @ rival))
        mistakes, squares = (mean(counts, parts, of) for of in (lambda c: c.mistakes, lambda c: c.squares))
        Q = mean(counts, parts, lambda c: c.lengths)
        sides = {
            "mcdonald.3": (mistakes, longest * far / margin**2),
            "mixing.perceptron": (mistakes, D + math.sqrt(far * Q)),
            "mixing.pa": (mistakes, max(longest, 2.0) * (far + D)),
            "mixing.pa.1": (squares, longest * far),
            "mixing.pa.3": (squares, (1.0 + longest) * far + (1.0 + longest) * D2),
        }
        found = ls.epochs([(a, b) for a, b in parts], rule, epochs=EPOCHS, labels=(-1.0, 1.0)).certify(against=v)
        yield from beside((one for one in found if one.proved), sides)


def prototypes(kind: str, C: float) -> Step:
    def step(W: FloatArray, x: FloatArray, y: float, count: Count) -> FloatArray:
        scores, k, W = W @ x, int(y), W.copy()
        others = np.where(np.arange(3) == k, -np.inf, scores)
        if kind == "perceptron":
            errors = np.flatnonzero(others >= scores[k])
            if len(errors):
                W[k] += x
                W[errors] -= x / len(errors)
                count.updates, count.lengths = count.updates + 1, count.lengths + float(x @ x)
            return W
        loss = max(0.0, 1.0 - float(scores[k] - others.max()))
        count.squares += loss * loss
        tau = loss / (2.0 * float(x @ x) + (0.5 / C if kind == "PA-II" else 0.0))
        W[k] += tau * x
        W[int(np.argmax(others))] -= tau * x
        return W

    return step


@again("mixing.mp", "mixing.mpa", "mixing.mpa2")
def classes(seed: int) -> Iterator[Sides]:
    source = np.random.default_rng(seed)
    y = source.integers(3, size=180)
    X = np.eye(3)[y] + source.uniform(-0.2, 0.2, size=(180, 3))
    parts: list[Part] = [(X[k::3], y[k::3].astype(float)) for k in range(3)]
    longest = float((X * X).sum(axis=1).max())
    for rule, kind, scale in (
        (ls.MulticlassPerceptron(), "perceptron", 1.0),
        (ls.MulticlassPassiveAggressive(), "PA", 2.0),
        (ls.MulticlassPassiveAggressive(variant="PA-II", C=0.5), "PA-II", 1.0),
    ):
        U = scale * np.eye(3)
        scores = X @ U.T
        own = scores[np.arange(180), y]
        scores[np.arange(180), y] = -np.inf
        lost = np.maximum(0.0, 1.0 - (own - scores.max(axis=1)))
        counts, far = mixed(parts, np.zeros((3, 3)), prototypes(kind, 0.5), stretch=True), float((U * U).sum())
        D, D2 = (reached(counts, parts) * float(total) / 3.0 for total in (lost.sum(), lost @ lost))
        squares = mean(counts, parts, lambda c: c.squares)
        sides = {
            "mixing.mp": (
                mean(counts, parts, lambda c: c.updates),
                D + math.sqrt(2.0 * far * mean(counts, parts, lambda c: c.lengths)),
            ),
            "mixing.mpa": (squares, 2.0 * longest * far),
            "mixing.mpa2": (squares, (1.0 + 2.0 * longest) * far + (1.0 + 2.0 * longest) * D2),
        }
        made = ls.epochs([(a, b.astype(np.int64)) for a, b in parts], rule, epochs=EPOCHS, labels=(0, 1, 2))
        yield from beside((one for one in made.certify(against=U) if one.proved), sides)


def soft(theta: FloatArray) -> FloatArray:
    w: FloatArray = np.exp(theta - theta.max())
    w /= w.sum()
    return w


def multiplies(kind: str, eta: float, margin: float) -> Step:
    def step(theta: FloatArray, x: FloatArray, y: float, count: Count) -> FloatArray:
        score = float(soft(theta) @ x)
        if kind == "winnow":
            wrong = y * score <= 0.0
            count.mistakes += wrong
            return theta + (eta * y * x if wrong else 0.0)
        if kind == "update":  # the interval is the number y itself
            apart = y - score
            count.loss, count.updates = count.loss + abs(apart), count.updates + (apart != 0.0)
            return theta + eta * math.copysign(1.0, apart) * x
        loss, wide = max(0.0, margin - y * score), max(float(x.max()), 0.0) - min(float(x.min()), 0.0)
        count.loss, count.squares = count.loss + loss, count.squares + loss * loss
        count.spread = max(count.spread, wide if loss > 0.0 else 0.0)
        return theta + 4.0 * loss / wide**2 * y * x

    return step


@again("mixing.winnow", "mixing.bylander.3", "mixing.pa.4")
def entropies(seed: int) -> Iterator[Sides]:
    source, p = np.random.default_rng(seed), np.array([0.5, 0.25, 0.25, 0.0, 0.0, 0.0])
    X = source.choice([-1.0, 1.0], size=(400, 6)) * source.uniform(0.5, 1.0, size=(400, 6))
    X = X[np.abs(X @ p) > 0.15][:180]
    y, entropy = np.sign(X @ p), math.log(6) + float(np.sum(p[:3] * np.log(p[:3])))
    rho, r = float((y * (X @ p)).min()), float(np.abs(X).max())
    parts: list[Part] = [(X[k::3], y[k::3]) for k in range(3)]
    eta, margin = 0.1, 0.5 * rho
    counts = mixed(parts, np.zeros(6), multiplies("winnow", eta, 0.0))
    sides = {"mixing.winnow": (mean(counts, parts, lambda c: c.mistakes), math.log(6) / (eta * rho - eta**2 * r**2 / 2.0))}
    given = [(a, b) for a, b in parts]
    yield from beside(ls.epochs(given, ls.Winnow(eta=eta), epochs=EPOCHS, labels=(-1.0, 1.0)).certify(against=p), sides)
    counts = mixed(parts, np.zeros(6), multiplies("aggressive", 0.0, margin))
    spread = max(count.spread for count in counts)
    measured = mean(counts, parts, lambda c: c.squares + 2.0 * (rho - margin) * c.loss)
    sides = {"mixing.pa.4": (measured, 0.5 * spread**2 * entropy)}
    rule = ls.MultiplicativePassiveAggressive(margin=margin)
    yield from beside(ls.epochs(given, rule, epochs=EPOCHS, labels=(-1.0, 1.0)).certify(against=p), sides)
    numbers = X @ p + 0.05 * source.normal(size=len(X))
    parts = [(X[k::3], numbers[k::3]) for k in range(3)]
    counts = mixed(parts, np.zeros(6), multiplies("update", eta, 0.0))
    L = EPOCHS * float(np.abs(numbers - X @ p).sum()) / 3.0
    updates = mean(counts, parts, lambda c: c.updates)
    bound = L + entropy / eta + updates * (eta * r * r / 2.0 + 1e-12 * r)
    wanted = [(a, ls.Intervals(b, b)) for a, b in parts]
    made = ls.epochs(wanted, ls.ExponentiatedUpdate(eta=eta, tie_tol=1e-12), epochs=EPOCHS)
    sides = {"mixing.bylander.3": (mean(counts, parts, lambda c: c.loss), bound)}
    yield from beside(made.certify(against=p), sides)


@again("mixing.pa.1u", "mixing.pa.4u")
def balls(seed: int) -> Iterator[Sides]:
    source = np.random.default_rng(seed)
    u, epsilon = source.normal(size=3), 1.0
    apart = source.normal(size=(150, 3))
    X = u + 0.9 * apart / np.maximum(np.linalg.norm(apart, axis=1, keepdims=True), 1.0)
    far = float(np.linalg.norm(X - u, axis=1).max())
    starts, total = [X[k] for k in range(3)], 0.0
    for epoch in range(EPOCHS):
        ends = list[FloatArray]()
        for k in range(3):
            w = starts[k]
            for x in X[k::3][0 if epoch else 1 :]:
                d = float(np.linalg.norm(x - w))
                loss = max(0.0, d - epsilon)
                total, w = total + loss * loss + 2.0 * (epsilon - far) * loss, w + (loss / d if d else 0.0) * (x - w)
            ends = [*ends, w]
        starts = [sum(ends, start=np.zeros(3)) / 3.0] * 3
    made = ls.epochs([X[k::3] for k in range(3)], ls.Uniclass(epsilon=epsilon), epochs=EPOCHS)
    yield from beside(made.certify(against=u), {"mixing.pa.1u": (total / 3.0, far**2)})
    p, epsilon = source.dirichlet(np.full(5, 0.3)), 0.2
    X = p + source.uniform(-0.05, 0.05, size=(150, 5))
    far, theta, total = float(np.linalg.norm(X - p, axis=1).max()), np.zeros(5), 0.0
    for _ in range(EPOCHS):
        ends = []
        for k in range(3):
            own = theta
            for x in X[k::3]:
                v = x - soft(own)
                d = float(np.linalg.norm(v))
                loss = max(0.0, d - epsilon)
                total, own = total + loss * loss + 2.0 * (epsilon - far) * loss, own + (2.0 * loss / d if d else 0.0) * v
            ends = [*ends, own]
        theta = sum(ends, start=np.zeros(5)) / 3.0
    entropy = math.log(5) + float(np.sum(p[p > 0.0] * np.log(p[p > 0.0])))
    made = ls.epochs([X[k::3] for k in range(3)], ls.MultiplicativeUniclass(epsilon=epsilon), epochs=EPOCHS)
    yield from beside(made.certify(against=p), {"mixing.pa.4u": (total / 3.0, entropy)})
