"""Many classes, one class, kernels, masters and the pool once more, in plain NumPy."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

import littlestone as ls
from again import Both, Sides, again, beside
from littlestone.arrays import BoolArray, FloatArray
from littlestone.pool import definition

ROWS, K = 150, 3
Parts = tuple[FloatArray, np.ndarray[tuple[int], np.dtype[np.int64]], FloatArray]


def three(seed: int) -> Parts:
    """Rows around three axes, their classes, and prototypes that lead by 1 at least."""
    source = np.random.default_rng(seed)
    y = np.concatenate([np.arange(K), source.integers(K, size=ROWS - K)])
    X = np.eye(K)[y] + source.uniform(-0.2, 0.2, size=(ROWS, K))
    return X, y, np.eye(K) / 0.5


def lead(scores: FloatArray, truth: int) -> tuple[float, int]:
    """By how much the true class leads its best rival, and which that is."""
    others = np.where(np.arange(len(scores)) == truth, -np.inf, scores)
    return float(scores[truth] - others.max()), int(np.argmax(others))


@again("crammer.mp", "crammer.mph", "crammer.mpa", "crammer.mpa2")
def prototypes(seed: int) -> Iterator[Sides]:
    X, y, U = three(seed)
    W, updates, r = np.zeros((K, K)), 0, 0.0
    for x, k in zip(X, y, strict=True):
        scores = W @ x
        errors = np.flatnonzero((scores >= scores[k]) & (np.arange(K) != k))
        if len(errors):
            W[k] += x
            W[errors] -= x / len(errors)
            updates, r = updates + 1, max(r, float(np.linalg.norm(x)))
    leads, norm = np.array([lead(U @ x, int(k))[0] for x, k in zip(X, y, strict=True)]), float(np.linalg.norm(U))
    a, L = math.sqrt(2.0) * r * norm, float(np.maximum(0.0, 1.0 - leads).sum())
    sides: Both = {
        "crammer.mp": (updates, 2.0 * (r * norm / float(leads.min())) ** 2),
        "crammer.mph": (updates, (0.5 * a + math.sqrt(0.25 * a * a + L)) ** 2),
    }
    labels = tuple(range(K))
    yield from beside(ls.run(ls.MulticlassPerceptron(), X, y, labels=labels).certify(against=U), sides)
    for C in (None, 0.4):
        W, squares, r = np.zeros((K, K)), 0.0, 0.0
        for x, k in zip(X, y, strict=True):
            ahead, rival = lead(W @ x, int(k))
            loss, length = max(0.0, 1.0 - ahead), float(x @ x)
            squares += loss * loss
            if loss > 0.0:
                tau = loss / (2.0 * length + (0.0 if C is None else 0.5 / C))
                W[k], W[rival], r = W[k] + tau * x, W[rival] - tau * x, max(r, math.sqrt(length))
        gamma, lost = 0.5 / (C or 1.0), np.maximum(0.0, 1.0 - leads)
        sides = {
            "crammer.mpa": (squares, 2.0 * (r * norm / float(leads.min())) ** 2),
            "crammer.mpa2": (squares, (gamma + 2.0 * r * r) * norm**2 + (1.0 + 2.0 * r * r / gamma) * float(lost @ lost)),
        }
        rule = ls.MulticlassPassiveAggressive() if C is None else ls.MulticlassPassiveAggressive(variant="PA-II", C=C)
        found = ls.run(rule, X, y, labels=labels).certify(against=U)
        yield from beside((one for one in found if one.proved), sides)


@again("rest.perceptron", "rest.capped")
def rest(seed: int) -> Iterator[Sides]:
    X, y, _ = three(seed)
    U = 2.0 * np.eye(K) - 0.5
    signs = np.where(y[:, None] == np.arange(K), 1.0, -1.0)
    longest = float((X * X).sum(axis=1).max())
    losses = np.maximum(0.0, 1.0 - signs * (X @ U.T)).sum(axis=0)
    norms = (U * U).sum(axis=1)
    for rule, C in ((ls.Perceptron(), None), (ls.PassiveAggressive(variant="PA-I", C=0.5), 0.5)):
        W, mistakes = np.zeros((K, K)), 0
        for x, k, sign in zip(X, y, signs, strict=True):
            scores = W @ x
            mistakes += lead(scores, int(k))[0] <= 0.0
            margins = sign * scores
            steps = np.where(margins <= 0.0, 1.0, 0.0) if C is None else np.minimum(C, np.maximum(0.0, 1.0 - margins) / (x @ x))
            W += (steps * sign)[:, None] * x
        a = np.sqrt(longest * norms)
        sides = {
            "rest.perceptron": (mistakes, float(np.sum((0.5 * a + np.sqrt(0.25 * a * a + losses)) ** 2))),
            "rest.capped": (mistakes, max(longest, 1.0 / (C or 1.0)) * float(np.sum(norms + 2.0 * (C or 0.0) * losses))),
        }
        found = ls.run(ls.OneVersusRest(rule=rule), X, y, labels=tuple(range(K))).certify(against=U)
        yield from beside((one for one in found if one.proved), sides)


@again("pa.1u", "pa.4u", "pa.batchu")
def balls(seed: int) -> Iterator[Sides]:
    source = np.random.default_rng(seed)
    u = source.normal(size=3)
    apart = source.normal(size=(ROWS, 3))
    X = u + 0.79 * apart / np.maximum(np.linalg.norm(apart, axis=1, keepdims=True), 1.0)
    far, epsilon, beta = float(np.linalg.norm(X - u, axis=1).max()), 0.9, 0.01
    w, squares, total = X[0].copy(), 0.0, 0.0
    for x in X[1:]:
        d = float(np.linalg.norm(x - w))
        loss = max(0.0, d - epsilon)
        squares, total, w = squares + loss * loss, total + loss, w + (loss / d if d else 0.0) * (x - w)
    start = float(np.sum((u - X[0]) ** 2))
    sides = {"pa.1u": (squares + 2.0 * (epsilon - far) * total, start)}
    yield from beside(ls.run(ls.Uniclass(epsilon=epsilon), X).certify(against=u), sides)
    w, moves = X[0].copy(), 0
    for x in [*X[1:], *X, *X]:
        d = float(np.linalg.norm(x - w))
        if max(0.0, d - epsilon) ** 2 > beta:
            w, moves = w + (1.0 - epsilon / d) * (x - w), moves + 1
    sides = {"pa.batchu": (moves, max(0, math.ceil(start / beta - 1e-9) - 1))}
    yield from beside(ls.run(ls.BatchUniclass(epsilon=epsilon, beta=beta), X, passes=3).certify(against=u), sides)
    p = source.dirichlet(np.full(5, 0.3))
    X, epsilon = p + source.uniform(-0.05, 0.05, size=(ROWS, 5)), 0.2
    far, theta, squares, total = float(np.linalg.norm(X - p, axis=1).max()), np.zeros(5), 0.0, 0.0
    for x in X:
        v = x - np.exp(theta) / np.exp(theta).sum()
        loss = max(0.0, float(np.linalg.norm(v)) - epsilon)
        squares, total = squares + loss * loss, total + loss
        theta = theta + 2.0 * loss * v / max(float(np.linalg.norm(v)), 1e-300)
    entropy = math.log(5) + float(np.sum(p[p > 0.0] * np.log(p[p > 0.0])))
    sides = {"pa.4u": (squares + 2.0 * (epsilon - far) * total, entropy)}
    yield from beside(ls.run(ls.MultiplicativeUniclass(epsilon=epsilon), X).certify(against=p), sides)


@again("flag.share")
def flags(seed: int) -> Iterator[Sides]:
    X, flag, eta = np.random.default_rng(seed).normal(size=(600, 3)), 0.1, 0.05
    w, variance, level, most, flagged = np.zeros(3), np.zeros(3), 0.0, 0.0, 0
    for n, x in enumerate(X):
        e = x - w
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where(e * e >= n * variance, np.where(e != 0.0, float(n), 0.0), e * e / variance)
        d = math.sqrt(float(z.mean()))
        most, flagged, level = max(most, d), flagged + (d > level), level + eta * ((d > level) - flag)
        if n >= 2:
            e = np.where(variance > 0.0, np.clip(e, -5.0 * np.sqrt(variance), 5.0 * np.sqrt(variance)), e)
        w, variance = w + e / (n + 1), variance + ((1.0 - 1.0 / (n + 1)) * e * e - variance) / (n + 1)
    sides = {"flag.share": (abs(flagged / 600 - flag), (most + eta) / (eta * 600))}
    yield from beside(ls.run(ls.AdaptiveUniclass(flag=flag, eta=eta), X).certify(), sides)


@again("kernel.projected")
def projected(seed: int) -> Iterator[Sides]:
    source = np.random.default_rng(seed)
    X = source.normal(size=(80, 2))
    y = np.where((X**2).sum(axis=1) > 1.4, 1.0, -1.0)
    gram = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    kept, alpha, updates, taken = list[int](), np.zeros(0), 0, 0.0
    for t in range(80):
        k = gram[np.ix_(kept, [t])][:, 0]
        if y[t] * float(alpha @ k) > 0.0:
            continue
        updates += 1
        if len(kept) < 10:
            kept, alpha = [*kept, t], np.append(alpha, y[t])
            continue
        shares = np.linalg.solve(gram[np.ix_(kept, kept)], k)
        alpha = alpha + y[t] * shares
        taken += math.sqrt(max(1.0 - float(k @ shares), 0.0))
    c = 0.03 * y
    norm = math.sqrt(float(c @ gram @ c))
    L = float(np.maximum(0.0, 1.0 - y * (gram @ c)).sum())
    bound = (0.5 * norm + math.sqrt(0.25 * norm**2 + L + norm * taken)) ** 2
    rule = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.5), budget=10)
    found = ls.run(rule, X, y, labels=(-1.0, 1.0)).certify(against=c)
    yield from beside(found, {"kernel.projected": (updates, bound)})


@again("bylander.master", "master.hedge", "master.vote")
def masters(seed: int) -> Iterator[Sides]:
    source, n = np.random.default_rng(seed), 4
    signs = np.where(source.random(ROWS) < 0.5, 1.0, -1.0)
    votes = np.where(source.random((ROWS, n)) < np.linspace(0.1, 0.4, n), -signs[:, None], signs[:, None])
    log, wrong = math.log(n), (votes != signs[:, None]).sum(axis=0)
    best, theta, mistakes = float(wrong.min()), np.zeros(n), 0
    for row, sign in zip(votes, signs, strict=True):
        w = np.exp(theta - theta.max())
        if sign * float(w @ row) / float(w.sum()) <= 1e-12:
            theta, mistakes = theta + 0.5 * sign * row, mistakes + 1
    L, gap, expected, shown = np.zeros(n), 0.0, 0.0, 0
    for row, sign in zip(votes, signs, strict=True):
        lost = (row != sign).astype(float)
        p = np.exp(-log / gap * (L - L.min())) if gap > 0.0 else np.isclose(L, L.min(), rtol=0.0, atol=0.0).astype(float)
        p = p / p.sum()
        mean = float(p @ lost)
        mixed = -gap / log * math.log(float(p @ np.exp(-log / gap * lost))) if gap > 0.0 else float((L + lost).min() - L.min())
        expected, shown, gap, L = (
            expected + mean,
            shown + (sign * float(p @ row) <= 0.0),
            gap + max(mean - mixed, 0.0),
            L + lost,
        )
    drawn = best + 2.0 * math.sqrt(best * (1.0 - best / ROWS) * log) + 16.0 / 3.0 * log + 2.0
    sides = {
        "bylander.master": (mistakes, 8.0 / 3.0 * (best + log)),
        "master.hedge": (expected, drawn),
        "master.vote": (shown, 2.0 * drawn),
    }
    for vote in (None, ls.AdaHedge()):
        made = ls.Master([ls.Learner(ls.Fixed(weights=row)) for row in np.eye(n)], labels=(-1.0, 1.0), vote=vote)
        made.learn_many(votes, signs)
        yield from beside(made.certify(), sides)


class Overheard(list[tuple[FloatArray, BoolArray, float]]):
    """What the members of the defined pool said of what came, who was awake, and what the master made of it."""

    def note(self, weights: FloatArray, prior: FloatArray, t: int, of_truth: FloatArray, awake: BoolArray) -> FloatArray:
        said = float(weights[awake] @ of_truth[awake] / weights[awake].sum())
        self.append((of_truth.copy(), awake.copy(), said))
        return advanced(weights, prior, t, of_truth, awake)


advanced = definition.advanced


@again("pool.master", "pool.mistakes")
def pool(seed: int) -> Iterator[Sides]:
    """By the definition in double; the core keeps the numbers of a feature in single precision."""
    source = np.random.default_rng(seed)
    X = source.normal(size=(200, 4))
    y = np.where(X[:, 0] + 0.5 * source.normal(size=200) > 0.0, 1, -1)
    heard, defined = Overheard(), definition.DefinedPool()
    definition.advanced = heard.note
    try:
        chances = np.array([defined.learn(dict(enumerate(x.tolist())), bool(k > 0)) for x, k in zip(X, y, strict=True)])
    finally:
        definition.advanced = advanced
    own = -float(np.log(np.where(y > 0, chances, 1.0 - chances)).sum())
    theirs = sum(-np.log(np.where(awake, of_truth, said)) for of_truth, awake, said in heard)
    beside_frequency = math.log(16.0 / 15.0)  # which has a sixteenth of the weight, and is no better here
    bound = float(np.min(theirs - np.log(defined.prior))) + math.log(200) + beside_frequency
    wrong = float(np.sum(np.where(y > 0, chances, 1.0 - chances) <= 0.5 + 1e-9))
    sides = {"pool.master": (own, bound), "pool.mistakes": (wrong, own / math.log(2.0))}
    yield from beside(ls.run(ls.Pool(views=("raw",)), X, y, labels=(-1, 1)).certify(), sides)
