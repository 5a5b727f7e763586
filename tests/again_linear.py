"""Linear rules once more, in plain NumPy."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

import littlestone as ls
from again import Both, Sides, again, beside
from littlestone.arrays import FloatArray

ROWS, WIDTH = 150, 4


def separable(seed: int, *, least: float = 0.2) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Rows on either side of u, no nearer than so much, labels and u."""
    source = np.random.default_rng(seed)
    u = np.abs(source.normal(size=WIDTH)) + 0.1
    u /= np.linalg.norm(u)
    X = source.normal(size=(4 * ROWS, WIDTH))
    X = X[np.abs(X @ u) > least][:ROWS]
    return X, np.sign(X @ u), u


def noisy(seed: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The same with labels of which some are wrong."""
    X, y, u = separable(seed, least=0.0)
    return X, np.where(np.random.default_rng(seed + 1).random(len(y)) < 0.15, -y, y), u


def hinge(X: FloatArray, y: FloatArray, u: FloatArray, margin: float = 1.0) -> FloatArray:
    losses: FloatArray = np.maximum(0.0, margin - y * (X @ u))
    return losses


def run(rule: ls.LinearRule, X: FloatArray, y: FloatArray | ls.Intervals, passes: int = 1) -> ls.Run:
    return ls.run(rule, X, y, labels=None if isinstance(y, ls.Intervals) else (-1.0, 1.0), passes=passes)


@again("mohri.8.8", "mohri.8.8w0", "bylander.5", "mohri.8.11", "mohri.8.12", "blum.5.11", "mohri.ex8.11")
def perceptrons(seed: int) -> Iterator[Sides]:
    """From 0 on rows that somebody separates and on others, and from elsewhere."""
    for X, y, u in (separable(seed), noisy(seed)):
        w, moved = np.zeros(WIDTH), list[int]()
        for t in range(len(X)):
            if y[t] * (w @ X[t]) <= 0.0:
                w, moved = w + y[t] * X[t], [*moved, t]
        M, norm, losses = len(moved), float(np.linalg.norm(u)), hinge(X, y, u)
        r = max(float(np.linalg.norm(X[t])) for t in moved)
        L, L2, a, rho = float(losses.sum()), float(losses @ losses), r * norm, float((y * (X @ u)).min())
        sides: Both = {
            "mohri.8.11": (M, (0.5 * a + math.sqrt(0.25 * a * a + L)) ** 2),
            "mohri.8.12": (M, (a + math.sqrt(L2)) ** 2),
            "blum.5.11": (M, a * a + 2.0 * L),
            "mohri.ex8.11": (M, L + norm * math.sqrt(sum(float(X[t] @ X[t]) for t in moved))),
        }
        if rho > 0.0:
            sides |= {"mohri.8.8": (M, (a / rho) ** 2), "bylander.5": (M, math.floor((a / rho) ** 2 + 1e-9))}
        yield from beside(run(ls.Perceptron(), X, y).certify(against=u), sides)
    X, y, u = separable(seed)
    start, eta, rho = np.random.default_rng(seed).normal(size=WIDTH), 0.5, float((y * (X @ u)).min())
    w, lengths = start.copy(), list[float]()
    for x, label in zip(X, y, strict=True):
        if label * (w @ x) <= 0.0:
            w, lengths = w + eta * label * x, [*lengths, float(np.linalg.norm(x))]
    along, r = float(start @ u), max(lengths, default=0.0)
    quadratic = [(eta * rho) ** 2, -((eta * r) ** 2 - 2.0 * along * eta * rho), -(float(start @ start) - along**2)]
    sides = {"mohri.8.8w0": (float(len(lengths)), float(np.roots(quadratic).real.max()))}
    yield from beside(run(ls.Perceptron(eta=eta, start=start), X, y).certify(against=u), sides)


@again("mohri.ex8.6", "mohri.ex8.6x")
def margin_perceptron(seed: int) -> Iterator[Sides]:
    X, y, u = separable(seed)
    rho = float((y * (X @ u)).min())
    w, R = np.zeros(WIDTH), 0.0
    updates = 0
    for x, label in zip(X, y, strict=True):
        if not w.any() or label * float(w @ x) < 0.5 * rho * float(np.linalg.norm(w)):
            w, updates, R = w + label * x, updates + 1, max(R, float(np.linalg.norm(x)))
    n, a = 0, R
    while n < len(X) and (n + 1) * rho <= a:
        n, a = n + 1, math.sqrt(a * a + rho * a + R * R)
    sides = {"mohri.ex8.6": (float(updates), 16.0 * (R / rho) ** 2), "mohri.ex8.6x": (float(updates), float(n))}
    yield from beside(run(ls.MarginPerceptron(rho=rho), X, y).certify(against=u), sides)


def outside(score: float, low: float, high: float) -> tuple[float, int]:
    """How far a score is from an interval, and on which side of it."""
    return (low - score, 1) if score < low else (score - high, -1) if score > high else (0.0, 0)


@again("bylander.2", "bylander.8", "bylander.11")
def intervals_by_perceptrons(seed: int) -> Iterator[Sides]:
    source = np.random.default_rng(seed)
    X, u = source.normal(size=(ROWS, WIDTH)), source.normal(size=WIDTH)
    middle, wide = X @ u + 0.3 * source.normal(size=ROWS), source.uniform(0.0, 0.5, size=ROWS)
    low, high = middle - wide, middle + wide
    L = sum(outside(float(x @ u), a, b)[0] for x, a, b in zip(X, low, high, strict=True))
    largest = float((X * X).sum(axis=1).max())
    for tau, eta in ((0.0, 0.2), (0.25, 0.5 / largest)):
        w, lost, widened, longest, moved = np.zeros(WIDTH), 0.0, 0.0, 0.0, 0
        for x, a, b in zip(X, low, high, strict=True):
            score = float(w @ x)
            beyond, side = outside(score, a - tau, b + tau)
            lost, widened = lost + outside(score, a, b)[0], widened + beyond
            if side:
                w, longest, moved = w + eta * side * x, max(longest, float(x @ x)), moved + 1
        far = float(u @ u) / (2.0 * eta)
        sides = {"bylander.8": (widened, L + far)} if tau else {"bylander.2": (lost, L + far + eta * moved * longest / 2.0)}
        yield from beside(run(ls.Perceptron(eta=eta, tolerance=tau), X, ls.Intervals(low, high)).certify(against=u), sides)
    X, y, v = noisy(seed)
    eta, w, expected = 1.0 / float((X * X).sum(axis=1).max()), np.zeros(WIDTH), 0.0
    for x, label in zip(X, y, strict=True):
        margin = label * float(w @ x)
        expected += min(max(0.5 - margin, 0.0), 1.0)
        if margin < 0.5:
            w = w + eta * label * x
    sides = {"bylander.11": (expected, float(hinge(X, y, v).sum()) + float(v @ v) / (2.0 * eta))}
    yield from beside(run(ls.RandomizedPerceptron(eta=eta), X, y).certify(against=v), sides)


@again("pa.1", "pa.1r", "pa.1x", "pa.1c", "pa.1m", "pa.1h", "pa.2", "pa.3", "pa.3m", "pa.capped")
def passive_aggressive(seed: int) -> Iterator[Sides]:
    for variant, C in (("PA", None), ("PA-I", 0.3), ("PA-II", 0.3)):
        X, y, u = separable(seed) if variant == "PA" else noisy(seed)
        v = 1.5 * u / float((y * (X @ u)).min()) if variant == "PA" else u  # half as much margin again as is asked for
        w, lost, rows, mistakes, per_length = np.zeros(WIDTH), list[float](), list[float](), 0, 0.0
        for x, label in zip(X, y, strict=True):
            loss, length = max(0.0, 1.0 - label * float(w @ x)), float(x @ x)
            lost, mistakes = [*lost, loss], mistakes + (loss >= 1.0)
            if loss > 0.0:
                tau = {"PA": loss / length, "PA-I": min(C or 0.0, loss / length), "PA-II": loss / (length + 0.5 / (C or 1.0))}
                w, rows, per_length = w + tau[variant] * label * x, [*rows, length], per_length + tau[variant] * loss
        B, squares, total = max(rows), float(np.square(lost).sum()), float(np.sum(lost))
        losses, far = hinge(X, y, v), float(v @ v)
        L, L2 = float(losses.sum()), float(losses @ losses)
        if variant == "PA":
            near = far / 1.5**2  # stretched to the margin itself
            sides: Both = {
                "pa.1": (squares, B * near), "pa.1r": (per_length, near), "pa.1c": (squares, B * near),
                "pa.1m": (mistakes, B * near), "pa.1h": (total, 2.0 * B * near),
                "pa.1x": (squares + 2.0 * 0.5 * total, B * far), "pa.2": (float(np.linalg.norm(w)), 2.0 * math.sqrt(near)),
            }  # fmt: skip
        elif variant == "PA-I":
            sides = {"pa.capped": (mistakes, max(B, 1.0 / (C or 1.0)) * (far + 2.0 * (C or 0.0) * L))}
        else:
            gamma = 0.5 / (C or 1.0)
            bound = (gamma + B) * far + (1.0 + B / gamma) * L2
            sides = {"pa.3": (squares, bound), "pa.3m": (mistakes, bound)}
        rules = {
            "PA": ls.PassiveAggressive(),
            "PA-I": ls.PassiveAggressive(variant="PA-I", C=0.3),
            "PA-II": ls.PassiveAggressive(variant="PA-II", C=0.3),
        }
        yield from beside(run(rules[variant], X, y).certify(against=v), sides)


@again("pa.batch")
def batch(seed: int) -> Iterator[Sides]:
    X, y, u = separable(seed)
    v, beta = u / float((y * (X @ u)).min()), 0.05
    w, updates, B = np.zeros(WIDTH), 0, 0.0
    for x, label in [*zip(X, y, strict=True)] * 3:
        loss = max(0.0, 1.0 - label * float(w @ x))
        if loss * loss > beta:
            w, updates, B = w + loss * label * x / float(x @ x), updates + 1, max(B, float(x @ x))
    sides = {"pa.batch": (updates, max(0, math.ceil(B * float(v @ v) / beta - 1e-9) - 1))}
    yield from beside(run(ls.BatchPassiveAggressive(beta=beta), X, y, passes=3).certify(against=v), sides)


@again("arow")
def arow(seed: int) -> Iterator[Sides]:
    X, y, u = noisy(seed)
    r, w, S, outer, mistakes, others = 0.7, np.zeros(WIDTH), np.eye(WIDTH), np.zeros((WIDTH, WIDTH)), 0, 0
    for x, label in zip(X, y, strict=True):
        margin = label * float(w @ x)
        mistakes += margin <= 0.0
        if margin < 1.0:
            others += margin > 0.0
            pulled, outer = S @ x, outer + np.outer(x, x)
            beta = 1.0 / (float(x @ pulled) + r)
            w, S = w + (1.0 - margin) * beta * label * pulled, S - beta * np.outer(pulled, pulled)
    grown = math.log(float(np.linalg.det(np.eye(WIDTH) + outer / r))) + others
    bound = math.sqrt((r * float(u @ u) + float(u @ outer @ u)) * grown) + float(hinge(X, y, u).sum()) - others
    rule = ls.AROW(r=r, covariance="full")
    yield from beside(run(rule, X, y).certify(against=u), {"arow": (mistakes, bound)})


@again("adagrad.log", "adagrad.hinge", "adagrad.square")
def adagrad(seed: int) -> Iterator[Sides]:
    X, y, u = noisy(seed)
    numbers, eta = X @ u + 0.2 * np.random.default_rng(seed).normal(size=len(X)), 0.5
    for kind in ("log", "hinge", "square"):
        w, G, low, high, slack, own, theirs = (
            np.zeros(WIDTH),
            np.full(WIDTH, 1e-3),
            np.zeros(WIDTH),
            np.zeros(WIDTH),
            0.0,
            0.0,
            0.0,
        )
        for t, x in enumerate(X):
            score, rival, sign = float(w @ x), float(u @ x), float(y[t])
            if kind == "log":
                own, theirs = own + math.log1p(math.exp(-sign * score)), theirs + math.log1p(math.exp(-sign * rival))
                pull = 1.0 / (1.0 + math.exp(sign * score))
                G = G + (pull * x) ** 2
                q, tau = float(np.sum(x * x / np.sqrt(G))), eta * pull
                slack += 0.5 * eta * pull * pull * q
            else:
                error = max(0.0, 1.0 - sign * score) if kind == "hinge" else abs(float(numbers[t]) - score)
                off = max(0.0, 1.0 - sign * rival) if kind == "hinge" else 0.5 * (float(numbers[t]) - rival) ** 2
                own, theirs = own + (error if kind == "hinge" else 0.5 * error * error), theirs + off
                if error == 0.0:
                    continue
                pull = 1.0 if kind == "hinge" else error
                sign = sign if kind == "hinge" else math.copysign(1.0, float(numbers[t]) - score)
                G = G + (pull * x) ** 2
                q = float(np.sum(x * x / np.sqrt(G)))
                tau = min(eta * pull, error / q)
                slack += (
                    tau * q - tau * tau * q / (2.0 * eta)
                    if kind == "hinge"
                    else (0.5 * (error - tau / eta) ** 2 + tau * tau * q / (2.0 * eta))
                )
            w = w + sign * tau * x / np.sqrt(G)
            low, high = np.minimum(low, w), np.maximum(high, w)
        far = np.maximum(np.abs(low - u), np.abs(high - u))
        bound = float(np.sum(far * far * np.sqrt(G))) / (2.0 * eta) + slack
        made = (
            ls.run(ls.AdaGradRegression(eta=eta), X, numbers)
            if kind == "square"
            else run(ls.AdaGrad(eta=eta, loss="log" if kind == "log" else "hinge"), X, y)
        )
        yield from beside(made.certify(against=u), {f"adagrad.{kind}": (own - theirs, bound)})


@again("vaw", "ridge")
def ridge(seed: int) -> Iterator[Sides]:
    X, _, u = noisy(seed)
    y, a = X @ u + 0.3 * np.random.default_rng(seed).normal(size=len(X)), 1.0
    A, b, ahead, scaled = a * np.eye(WIDTH), np.zeros(WIDTH), 0.0, 0.0
    for x, target in zip(X, y, strict=True):
        spread, plain = float(x @ np.linalg.solve(A, x)), float(b @ np.linalg.solve(A, x))
        A = A + np.outer(x, x)
        ahead += (target - float(b @ np.linalg.solve(A, x))) ** 2
        scaled += (target - plain) ** 2 / (1.0 + spread)
        b = b + target * x
    best = np.linalg.lstsq(np.vstack([X, math.sqrt(a) * np.eye(WIDTH)]), np.concatenate([y, np.zeros(WIDTH)]), rcond=None)[0]
    least = float(np.sum((y - X @ best) ** 2)) + a * float(best @ best)
    log_det = float(np.linalg.slogdet(A / a)[1])
    sides = {"vaw": (ahead, least + float(np.abs(y).max()) ** 2 * log_det), "ridge": (scaled, least)}
    for rule in (ls.OnlineRidge(a=a), ls.OnlineRidge(a=a, forecast="ridge")):
        yield from beside((one for one in ls.run(rule, X, y).certify() if one.proved), sides)


@again("svm.regret")
def online_svm(seed: int) -> Iterator[Sides]:
    X, y, u = noisy(seed)
    C, w, lost = 0.8, np.zeros(WIDTH), 0.0
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        eta, loss = 1.0 / (t + 2.0), max(0.0, 1.0 - label * float(w @ x))
        lost, w = lost + loss, (1.0 - eta) * w + (eta * C * label * x if loss > 0.0 else 0.0)
    T, longest = len(X), float((X * X).sum(axis=1).max())
    bound = float(hinge(X, y, u).sum()) + (T + 1) * float(u @ u) / (2.0 * C) + 2.0 * C * longest * math.log(T + 1)
    yield from beside(run(ls.OnlineSVM(C=C), X, y).certify(against=u), {"svm.regret": (lost, bound)})


def entropy(p: FloatArray, start: FloatArray | None = None) -> float:
    """D(p‖start), from equal weights where none are given."""
    first = np.full(len(p), 1.0 / len(p)) if start is None else start
    return float(sum(q * math.log(q / s) for q, s in zip(p, first, strict=True) if q > 0.0))


def softmax(theta: FloatArray) -> FloatArray:
    w: FloatArray = np.exp(theta - theta.max())
    w /= w.sum()
    return w


def signs_of(seed: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Rows of signs whose labels are those of the vote of three features, one of which counts twice."""
    X = np.random.default_rng(seed).choice([-1.0, 1.0], size=(ROWS, 8))
    p = np.array([2.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]) / 4.0
    X = X[(X @ p) != 0.0]
    return X, np.sign(X @ p), p


@again("mohri.8.13", "mohri.8.13x", "lecture.2", "bylander.6", "bylander.7")
def winnow(seed: int) -> Iterator[Sides]:
    X, y, p = signs_of(seed)
    rho, n = float((y * (X @ p)).min()), X.shape[1]
    for eta, U in ((0.2, None), (0.1, 1.0 / rho)):
        theta, updates = np.zeros(n), 0
        for x, label in zip(X, y, strict=True):
            if label * float(softmax(theta) @ x) <= 1e-12:
                theta, updates = theta + eta * label * x, updates + 1
        if U is None:
            progress = eta * (rho - 1e-12) - eta**2 / 2.0
            sides = {
                "mohri.8.13": (updates, math.log(n) / progress),
                "mohri.8.13x": (updates, entropy(p) / progress),
                "lecture.2": (updates, math.log(n) / (eta * (rho - 1e-12) - math.log(math.cosh(eta)))),
            }
            yield from beside(run(ls.Winnow(eta=eta, tie_tol=1e-12), X, y).certify(against=p), sides)
            continue
        left = 1.0 - eta * U / 2.0 - 1e-12 * U
        L = float(np.maximum(0.0, 1.0 - y * (X @ (U * p))).sum())
        price = U * entropy(p) / eta
        sides = {"bylander.6": (updates, math.floor(price / left + 1e-9)), "bylander.7": (updates, (L + price) / left)}
        yield from beside(run(ls.ExponentiatedUpdate(eta=eta, U=U, tie_tol=1e-12), X, y).certify(against=U * p), sides)


@again("bylander.3", "bylander.9", "bylander.12")
def exponentiated(seed: int) -> Iterator[Sides]:
    source = np.random.default_rng(seed)
    X, p, U = source.uniform(-1.0, 1.0, size=(ROWS, 5)), source.dirichlet(np.ones(5)), 2.0
    middle, wide = X @ (U * p) + 0.1 * source.normal(size=ROWS), source.uniform(0.0, 0.2, size=ROWS)
    low, high, biggest = middle - wide, middle + wide, float(np.abs(X).max())
    L, price = sum(outside(float(x @ (U * p)), a, b)[0] for x, a, b in zip(X, low, high, strict=True)), U * entropy(p)
    for tau, eta in ((0.0, 0.05), (0.1, 0.2 / (U * biggest**2))):
        theta, lost, widened, moved = np.zeros(5), 0.0, 0.0, 0
        for x, a, b in zip(X, low, high, strict=True):
            score = float(U * softmax(theta) @ x)
            beyond, side = outside(score, a - tau, b + tau)
            lost, widened, moved = lost + outside(score, a, b)[0], widened + beyond, moved + (side != 0)
            theta = theta + eta * side * x
        ties = moved * 1e-12 * U * biggest
        whole = L + price / eta + ties
        sides = {"bylander.9": (widened, whole)} if tau else {"bylander.3": (lost, whole + eta * moved * U * biggest**2 / 2.0)}
        rule = ls.ExponentiatedUpdate(eta=eta, U=U, tolerance=tau, tie_tol=1e-12)
        yield from beside(run(rule, X, ls.Intervals(low, high)).certify(against=U * p), sides)
    y = np.where(source.random(ROWS) < 0.1, -1.0, 1.0) * np.sign(X @ p)
    eta, theta, expected = 1.0 / (U * biggest**2), np.zeros(5), 0.0
    for x, label in zip(X, y, strict=True):
        margin = label * float(U * softmax(theta) @ x)
        expected += min(max(0.5 - margin, 0.0), 1.0)
        theta = theta + (eta * label * x if margin < 0.5 else 0.0)
    bound = float(np.maximum(0.0, 1.0 - y * (X @ (U * p))).sum()) + price / eta
    rule_ = ls.RandomizedExponentiatedUpdate(eta=eta, U=U)
    yield from beside(run(rule_, X, y).certify(against=U * p), {"bylander.12": (expected, bound)})


@again("pa.4")
def multiplicative(seed: int) -> Iterator[Sides]:
    X, y, p = signs_of(seed)
    X = X * np.random.default_rng(seed).uniform(0.5, 1.5, size=(len(X), 1))
    rho = float((y * (X @ p)).min())
    margin, theta, squares, total, spread = 0.5 * rho, np.zeros(X.shape[1]), 0.0, 0.0, 0.0
    for x, label in zip(X, y, strict=True):
        loss = max(0.0, margin - label * float(softmax(theta) @ x))
        squares, total, wide = squares + loss * loss, total + loss, max(x.max(), 0.0) - min(x.min(), 0.0)
        if loss > 0.0:
            theta, spread = theta + 4.0 * loss / wide**2 * label * x, max(spread, wide)
    sides = {"pa.4": (squares + 2.0 * (rho - margin) * total, 0.5 * spread**2 * entropy(p))}
    yield from beside(run(ls.MultiplicativePassiveAggressive(margin=margin), X, y).certify(against=p), sides)
