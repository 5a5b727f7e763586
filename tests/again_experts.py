"""Rules of experts once more, in plain NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import numpy as np
import numpy.typing as npt

import littlestone as ls
from again import Sides, again, beside
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.theory.expert_evidence import ExpertEvidence, ExpertGuarantee

T, N = 90, 4


def losses_of(seed: int) -> FloatArray:
    """Losses in [0, 1], of which those of the first expert are smaller."""
    losses = np.random.default_rng(seed).random((T, N))
    losses[:, 0] *= 0.4
    return losses


def played(losses: FloatArray, weights: Callable[[FloatArray, int], FloatArray]) -> tuple[float, FloatArray]:
    """What weights that are a function of the totals and the round lose, and the totals at the end."""
    totals, own = np.zeros(losses.shape[1]), 0.0
    for t, row in enumerate(losses):
        own, totals = own + float(weights(totals, t) @ row), totals + row
    return own, totals


def soft(scores: FloatArray) -> FloatArray:
    w: FloatArray = np.exp(scores - scores.max())
    w /= w.sum()
    return w


def doubling(losses: FloatArray, weights: Callable[[FloatArray, int], FloatArray]) -> float:
    """The same in periods of 1, 2, 4, … rounds, each of which forgets those before."""
    own, begin, length = 0.0, 0, 1
    while begin < len(losses):
        part = losses[begin : begin + length]
        own += played(part, partial(_in_period, weights, length))[0]
        begin, length = begin + length, 2 * length
    return own


def _in_period(weights: Callable[[FloatArray, int], FloatArray], length: int, totals: FloatArray, _: int) -> FloatArray:
    return weights(totals, length)


def tempered(eta: float) -> Callable[[FloatArray, int], FloatArray]:
    """Exponential weights at one rate."""
    return lambda totals, _: soft(-eta * totals)


@again("mohri.8.1", "mohri.8.3", "mohri.det")
def votes(seed: int) -> Iterator[Sides]:
    source = np.random.default_rng(seed)
    said, beta = np.round(source.random((T, 8))), 0.5  # sums of its powers have no roundings, so that ties are ties
    truth = said[:, 3]
    counts, mistakes = np.zeros(8), 0
    for row, label in zip(said, truth, strict=True):
        alive = counts == 0.0
        if (2.0 * row[alive].sum() >= alive.sum()) != bool(label):
            mistakes, counts = mistakes + 1, counts + (row != label)
    made = ls.aggregate(ls.Halving(), said, truth, loss="zero_one")
    yield from beside(made.certify(), {"mohri.8.1": (mistakes, 3)})
    truth = np.round(source.random(T))
    counts, mistakes = np.zeros(8), 0
    for row, label in zip(said, truth, strict=True):
        w = beta**counts
        if (float(w @ row) >= float(w @ (1.0 - row))) != bool(label):
            mistakes, counts = mistakes + 1, counts + (row != label)
    best = float((said != truth[:, None]).sum(axis=0).min())
    bound = (math.log(8) + best * math.log(1.0 / beta)) / math.log(2.0 / (1.0 + beta))
    made = ls.aggregate(ls.WeightedMajority(beta=beta), said, truth, loss="zero_one")
    yield from beside(made.certify(), {"mohri.8.3": (mistakes, bound)})
    counts, against = np.zeros(2), list[float]()
    for _ in range(21):  # two experts that always differ, and the label that the vote does not say
        against = [*against, float(not beta ** counts[1] >= beta ** counts[0])]
        counts = counts + (np.array([0.0, 1.0]) != against[-1])
    made = ls.aggregate(ls.WeightedMajority(beta=beta), np.array([[0.0, 1.0]] * 21), against, loss="zero_one")
    yield from beside(made.certify(), {"mohri.det": (11, 21 - float(counts.min()))})


@again("mohri.8.4x", "mohri.8.4a", "mohri.8.4b", "mohri.8.4d")
def randomized(seed: int) -> Iterator[Sides]:
    losses, log = losses_of(seed), math.log(N)
    tuned = max(0.5, 1.0 - math.sqrt(log / T))
    for rule, beta in ((ls.RandomizedWeightedMajority(beta=0.6), 0.6), (ls.RandomizedWeightedMajority(horizon=T), tuned)):
        own, totals = played(losses, tempered(-math.log(beta)))
        best = float(totals.min())
        sides = {
            "mohri.8.4x": (own, (log + best * math.log(1.0 / beta)) / (1.0 - beta)),
            "mohri.8.4a": (own, log / (1.0 - beta) + (2.0 - beta) * best),
            "mohri.8.4b": (own - best, 2.0 * math.sqrt(T * log)),
        }
        yield from beside((one for one in ls.hedge(rule, losses).certify() if one.proved), sides)
    own = doubling(losses, lambda L, length: soft(L * math.log(max(0.5, 1.0 - math.sqrt(log / length)))))
    trick = math.sqrt(2.0) / (math.sqrt(2.0) - 1.0)
    sides = {"mohri.8.4d": (own - float(losses.sum(axis=0).min()), 2.0 * (trick * math.sqrt(T * log) + math.sqrt(log)))}
    yield from beside(ls.hedge(ls.RandomizedWeightedMajority(), losses).certify(), sides)


@again("mohri.8.6a", "mohri.8.6b", "mohri.8.7", "mohri.8.7t", "delay.exponential")
def exponential(seed: int) -> Iterator[Sides]:
    losses, log, late = losses_of(seed), math.log(N), 3
    best, root = float(losses.sum(axis=0).min()), math.sqrt(T / 2.0 * math.log(N))
    eta = math.sqrt(8.0 * log / T)
    own, _ = played(losses, lambda L, _: soft(-eta * L))
    sides = {"mohri.8.6a": (own - best, log / eta + eta * T / 8.0), "mohri.8.6b": (own - best, root)}
    yield from beside(ls.hedge(ls.ExponentialWeights(horizon=T), losses).certify(), sides)
    own = doubling(losses, lambda L, length: soft(-math.sqrt(8.0 * log / length) * L))
    trick = math.sqrt(2.0) / (math.sqrt(2.0) - 1.0)
    sides = {"mohri.8.7": (own - best, trick * root + math.sqrt(log / 2.0))}
    yield from beside(ls.hedge(ls.ExponentialWeights(schedule="doubling"), losses).certify(), sides)
    own, _ = played(losses, lambda L, t: soft(-math.sqrt(8.0 * log / (t + 1)) * L))
    sides = {"mohri.8.7t": (own - best, 1.5 * root - math.sqrt(log / 8.0))}
    yield from beside(ls.hedge(ls.ExponentialWeights(), losses).certify(), sides)
    own, said = 0.0, 0.4
    for t, row in enumerate(losses):
        known = np.abs(losses[: max(t - late, 0)] - said).sum(axis=0)
        own += abs(float(soft(-eta * known) @ row) - said)
    best = float(np.abs(losses - said).sum(axis=0).min())
    made = ls.aggregate(
        ls.ExponentialWeights(eta=eta),
        losses,
        np.full(T, said),
        loss=ls.losses.Absolute(low=0.0, high=1.0),
        gradient=False,
        delay=late,
    )
    sides = {"delay.exponential": (own - best, log / eta + (1.0 + 2.0 * late) * eta * T / 8.0)}
    yield from beside(made.certify(), sides)


@again("mohri.ex8.7", "mohri.ex8.9", "mohri.ex8.9t", "mohri.ex8.9x")
def factors(seed: int) -> Iterator[Sides]:
    losses, log = losses_of(seed), math.log(N)
    k = math.sqrt(log / T)
    best_alpha = (math.sqrt(k * k + 2.0) - k) ** 2
    for rule, alpha, beta in (
        (ls.MultiplicativeWeights(horizon=T, alpha=1.0), 1.0, max(0.5, 1.0 - k)),
        (ls.MultiplicativeWeights(horizon=T), best_alpha, best_alpha / 2.0),
    ):
        w, own = np.ones(N), 0.0
        for row in losses:
            own, w = own + float(w @ row) / float(w.sum()), w * (1.0 - (1.0 - beta) * row)
        totals, squares, step = losses.sum(axis=0), (losses**2).sum(axis=0), 1.0 - beta
        regret = own - float(totals.min())
        sides = {
            "mohri.ex8.7": (own, float((totals + step * squares).min()) + log / step),
            "mohri.ex8.9": (own, float((totals + step / alpha * squares).min()) + log / step),
            "mohri.ex8.9t": (regret, 2.0 * math.sqrt(T * log / alpha)),
            "mohri.ex8.9x": (regret, math.sqrt(2.0 * T * log + log * log) + log),
        }
        yield from beside((one for one in ls.hedge(rule, losses).certify() if one.proved), sides)


@again("mohri.ex8.8", "second.adahedge", "second.best")
def regrets(seed: int) -> Iterator[Sides]:
    losses, alpha, log = losses_of(seed), 3.0, math.log(N)
    R, own = np.zeros(N), 0.0
    for row in losses:
        powers = np.maximum(R, 0.0) ** (alpha - 1.0)
        p = powers / powers.sum() if powers.any() else np.full(N, 1.0 / N)
        own, R = own + float(p @ row), R + float(p @ row) - row
    sides = {"mohri.ex8.8": (float(R.max()), math.sqrt((alpha - 1.0) * T) * N ** (1.0 / alpha))}
    yield from beside(ls.hedge(ls.PolynomialWeights(alpha=alpha), losses).certify(), sides)
    L, gap, own, variance, widest = np.zeros(N), 0.0, 0.0, 0.0, 0.0
    for row in losses:
        leaders = np.isclose(L, L.min(), rtol=0.0, atol=0.0)
        p = soft(-log / gap * L) if gap > 0.0 else leaders / leaders.sum()
        mean = float(p @ row)
        mixed = -gap / log * math.log(float(p @ np.exp(-log / gap * row))) if gap > 0.0 else float((L + row).min() - L.min())
        own, variance, widest = own + mean, variance + float(p @ (row - mean) ** 2), max(widest, float(np.ptp(row)))
        gap, L = gap + max(mean - mixed, 0.0), L + row
    best = float(L.min())
    sides = {
        "second.adahedge": (own - best, 2.0 * math.sqrt(variance * log) + widest * (4.0 / 3.0 * log + 2.0)),
        "second.best": (own - best, 2.0 * math.sqrt(best * (1.0 - best / T) * log) + 16.0 / 3.0 * log + 2.0),
    }
    yield from beside(ls.hedge(ls.AdaHedge(), losses).certify(), sides)


@dataclass(frozen=True)
class Followed:
    """A sequence of experts."""

    experts: tuple[str, ...]
    choices: npt.NDArray[np.int64]


@again("tracking.fixed_share")
def shares(seed: int) -> Iterator[Sides]:
    losses, eta, alpha = losses_of(seed), 0.7, 0.05
    w, own = np.full(N, 1.0 / N), 0.0
    for row in losses:
        own, v = own + float(w @ row), w * np.exp(-eta * row)
        v = v / v.sum()
        w = (1.0 - alpha) * v + alpha * (1.0 - v) / (N - 1)
    path = Followed(tuple(map(str, range(N))), np.repeat([0, 2, 0], T // 3))
    total = float(losses[np.arange(T), path.choices].sum())
    cost = math.log(N) + 2.0 * math.log((N - 1) / alpha) + (T - 3) * math.log(1.0 / (1.0 - alpha))
    sides = {"tracking.fixed_share": (own - total, cost / eta + eta * T / 8.0)}
    yield from beside(ls.hedge(ls.FixedShare(eta=eta, alpha=alpha), losses).certify(against=path), sides)


def balanced(pairs: FloatArray) -> FloatArray:
    """The p with p_k·Σ_j Δ_kj = Σ_i p_i·Δ_ik, from its linear equations."""
    n = len(pairs)
    flow = pairs.T - np.diag(pairs.sum(axis=1))
    solved: FloatArray = np.linalg.lstsq(np.vstack([flow, np.ones(n)]), np.append(np.zeros(n), 1.0), rcond=None)[0]
    return solved


@again("regret.internal", "regret.swap")
def swaps(seed: int) -> Iterator[Sides]:
    losses = losses_of(seed)
    eta, saved = math.sqrt(8.0 * math.log(N * (N - 1)) / T), np.zeros((N, N))
    for row in losses:
        pairs = np.exp(eta * saved) * (1.0 - np.eye(N))
        p = balanced(pairs)
        saved = saved + p[:, None] * (row[:, None] - row[None, :])
    sides = {"regret.internal": (float(saved.max()), math.sqrt(T / 2.0 * math.log(N * (N - 1))))}
    yield from beside(ls.hedge(ls.InternalRegret(horizon=T), losses).certify(), sides)
    step, copies, saved = min(0.5, math.sqrt(N * math.log(N) / T)), np.ones((N, N)), np.zeros((N, N))
    for row in losses:
        p = balanced(copies / copies.sum(axis=1, keepdims=True))
        copies, saved = copies * (1.0 - step * p[:, None] * row[None, :]), saved + p[:, None] * (row[:, None] - row[None, :])
    sides = {"regret.swap": (float(saved.max(axis=1).sum()), 2.0 * math.sqrt(T * N * math.log(N)))}
    yield from beside(ls.hedge(ls.SwapRegret(horizon=T), losses).certify(), sides)


@again("fpl.gumbel")
def perturbed(seed: int) -> Iterator[Sides]:
    """No data show that losses did not look at the draws; here they did not, and that one assumption is left out."""
    losses, eta, L, own = losses_of(seed), 0.5, np.zeros(N), 0.0
    for t, row in enumerate(losses):
        noise = [-math.log(-math.log(_core.uniform(0, t * N + i))) for i in range(N)]
        own, L = own + float(row[int(np.argmax(np.array(noise) - eta * L))]), L + row
    bound = math.log(N) / eta + eta * T / 8.0 + math.sqrt(T * math.log(1e9) / 2.0)
    made = ls.hedge(ls.FollowThePerturbedLeader(eta=eta), losses)
    known = cast("ExpertGuarantee", ls.theory["fpl.gumbel"])
    blind = replace(known, assumptions=known.assumptions[:-1])
    found = blind.certify(ExpertEvidence(made.rule, made.ledger, made.state, made.loss, made.gradient))
    yield found, own - float(L.min()), bound


@again("vovk.brier", "bayes.mixture")
def probabilities(seed: int) -> Iterator[Sides]:
    source = np.random.default_rng(seed)
    said, rain = source.uniform(0.1, 0.9, size=(T, N)), np.round(source.random(T))
    L, own, eta = np.zeros(N), 0.0, 2.0
    for x, y in zip(said, rain, strict=True):
        p = soft(-eta * L)
        G = [-math.log(float(p @ np.exp(-eta * (x - outcome) ** 2))) / eta for outcome in (0.0, 1.0)]
        own, L = own + (0.5 + (G[0] - G[1]) / 2.0 - y) ** 2, L + (x - y) ** 2
    made = ls.aggregate(ls.AggregatingAlgorithm(), said, rain, loss="brier")
    yield from beside(made.certify(), {"vovk.brier": (own - float(L.min()), math.log(N) / eta)})
    L, own = np.zeros(N), 0.0
    for x, y in zip(said, rain, strict=True):
        mixed, each = float(soft(-L) @ x), -np.log(np.where(y == 1.0, x, 1.0 - x))
        own, L = own - math.log(mixed if y == 1.0 else 1.0 - mixed), L + each
    made = ls.aggregate(ls.BayesMixture(), said, rain, loss="log")
    yield from beside(made.certify(), {"bayes.mixture": (own - float(L.min()), math.log(N))})


def nearest(point: FloatArray) -> FloatArray:
    """The distribution nearest to a point: what is left of it above a level, which is searched for."""
    low, high = float(point.min()) - 1.0, float(point.max())
    for _ in range(200):
        middle = (low + high) / 2.0
        low, high = (middle, high) if float(np.maximum(point - middle, 0.0).sum()) > 1.0 else (low, middle)
    found: FloatArray = np.maximum(point - high, 0.0)
    found /= found.sum()
    return found


@again("descent.simplex", "leader.regularized", "gradient.exponentiated")
def gradients(seed: int) -> Iterator[Sides]:
    losses = losses_of(seed)
    w, own, B, paid = np.full(N, 1.0 / N), 0.0, 0.0, 0.0
    for t, row in enumerate(losses):
        own += float(w @ row)
        g = row - row.mean()
        B = max(B, float(np.linalg.norm(g)))
        eta = 1.0 / (math.sqrt(t + 1.0) * B)
        paid, w = paid + 0.5 * eta * float(g @ g), nearest(w - eta * g)
    best = float(losses.sum(axis=0).min())
    rule = ls.OnlineGradientDescent(gradients="centred", power=0.5)
    yield from beside(ls.hedge(rule, losses).certify(), {"descent.simplex": (own - best, math.sqrt(T) * B + paid)})
    L, S, own, paid = np.zeros(N), 0.0, 0.0, 0.0
    for row in losses:
        w = nearest(1.0 / N - L / math.sqrt(S)) if S > 0.0 else np.full(N, 1.0 / N)
        g = row - row.mean()
        square = float(g @ g)
        own += float(w @ row)
        paid += min(math.sqrt(2.0 * square), square / (2.0 * math.sqrt(S))) if S > 0.0 else math.sqrt(2.0 * square)
        L, S = L + g, S + square
    sides = {"leader.regularized": (own - best, 0.5 * (1.0 - 1.0 / N) * math.sqrt(S) + paid)}
    yield from beside(ls.hedge(ls.FollowTheRegularizedLeader(), losses).certify(), sides)
    eta = 0.3
    own, totals = played(losses, lambda L, _: soft(-eta * L))
    G = float(np.ptp(losses, axis=1).max())
    sides = {"gradient.exponentiated": (own - float(totals.min()), math.log(N) / eta + eta * T * G * G / 8.0)}
    yield from beside(ls.hedge(ls.ExponentiatedGradient(eta=eta), losses).certify(), sides)


@again("ridge.vaw")
def regression(seed: int) -> Iterator[Sides]:
    source = np.random.default_rng(seed)
    y = 10.0 + source.normal(size=T)
    X = y[:, None] * np.array([1.1, 0.9, 1.3]) + source.normal(size=(T, 3))
    lam = float(np.var(X[0]))
    A, b, own, paid, largest = lam * np.eye(3), np.zeros(3), 0.0, 0.0, 0.0
    for x, target in zip(X, y, strict=True):
        e, spread = target - float(x.mean()), float(x @ np.linalg.solve(A, x))
        own += (e - float(x @ np.linalg.solve(A, b)) / (1.0 + spread)) ** 2
        A, b = A + np.outer(x, x), b + e * x
        paid, largest = paid + float(x @ np.linalg.solve(A, x)), max(largest, abs(e))
    errors = y - X.mean(axis=1)
    v = np.linalg.solve(A, b)
    least = float(np.sum((errors - X @ v) ** 2)) + lam * float(v @ v)
    sides = {"ridge.vaw": (own, least + largest**2 * paid)}
    yield from beside(ls.aggregate(ls.RidgeWeights(ridge=1.0), X, y, loss="square").certify(), sides)


@dataclass
class Rates:
    """What the four rules with a rate per expert keep; each reads its own part of it."""

    rule: ls.ExpertRule

    def __post_init__(self) -> None:
        self.R, self.V, self.largest, self.inverse = np.zeros(N), np.zeros(N), np.zeros(N), np.zeros(N)
        self.logs, self.eta, self.tilted = np.zeros(N), np.ones(N), np.zeros(N)

    def weights(self) -> FloatArray:
        """Before normalising; even ones where there are none yet."""
        if isinstance(self.rule, ls.MLpol):
            w = np.where(self.R > 0.0, self.R / np.where(self.inverse > 0.0, self.inverse, 1.0), 0.0)
        elif isinstance(self.rule, ls.MLprod):
            w = self.eta * np.exp(self.logs)
        elif not self.V.all():
            w = np.ones(N)
        else:
            w = self.eta * np.exp(self.eta * self.tilted) if isinstance(self.rule, ls.BOA) else np.exp(self.eta * self.R)
        return w / w.sum() if w.any() else np.full(N, 1.0 / N)

    def learn(self, r: FloatArray) -> None:
        """One round of regrets."""
        before, self.R = float(self.largest.max()), self.R + r
        self.largest = np.maximum(self.largest, np.abs(r))
        self.inverse = self.inverse + r * r + (float(self.largest.max()) ** 2 - before**2)
        self.V = self.V + (2.2 if isinstance(self.rule, ls.BOA) else 1.0) * r * r
        if isinstance(self.rule, ls.MLprod):
            fresh = np.minimum(0.5 / self.largest, np.sqrt(math.log(N) / (1.0 + self.V)))
            self.logs, self.eta = fresh / self.eta * self.logs + np.log(1.0 + fresh * r), fresh
        elif isinstance(self.rule, ls.BOA):
            self.eta, self.tilted = 1.0 / np.sqrt(self.V), self.tilted + r - r * r / np.sqrt(self.V)
        else:
            self.eta = np.sqrt(math.log(N) / self.V)


@again("rates.mlpol", "rates.mlprod", "rates.boa", "rates.mlewa")
def own_rates(seed: int) -> Iterator[Sides]:
    losses = losses_of(seed)
    for rule in (ls.MLpol(), ls.MLprod(), ls.BOA(), ls.MLewa()):
        kept, rounds, used = Rates(rule), list[FloatArray](), list[FloatArray]()
        for row in losses:
            r = float(kept.weights() @ row) - row
            kept.learn(r)
            rounds, used = [*rounds, r], [*used, kept.eta]
        best = int(np.argmax(kept.R))
        if isinstance(rule, ls.MLpol):
            bound = math.sqrt(paid(rounds) * float(kept.inverse[best]))
        else:
            bound = weighed(rule, rounds, used, math.log(N)) / float(used[-1][best])
            squares = (float(q[best] * r[best] ** 2) for q, r in zip(used, rounds, strict=True))
            bound += 0.0 if isinstance(rule, ls.MLewa) else sum(squares)
        yield from beside(
            ls.hedge(rule, losses).certify(), {f"rates.{type(rule).__name__.lower()}": (float(kept.R[best]), bound)}
        )


def paid(rounds: list[FloatArray]) -> float:
    """What the rounds may add to the potential of MLpol: no more than N each, or the squares over what was known before."""
    total, seen, most = 0.0, np.zeros(N), 0.0
    for k, r in enumerate(rounds):
        before = seen + most
        seen, most = seen + r * r, max(most, float((r * r).max()))
        total += min(float(N), float(np.sum(r * r / (before if k else seen + most))))
    return total


def weighed(rule: ls.ExpertRule, rounds: list[FloatArray], used: list[FloatArray], log: float) -> float:
    """Log U, round by round: what falling rates can add to the sum of the weights."""
    product, tilts = isinstance(rule, ls.MLprod), isinstance(rule, ls.MLewa)
    first = used[0] * rounds[0]
    U = math.exp(log) if product else float(np.exp(first if tilts else first - first**2).sum())
    old = np.ones(len(first)) if product else used[0]
    for r, eta in zip(rounds if product else rounds[1:], used if product else used[1:], strict=True):
        a, y = eta / old, eta * r
        grown = np.exp(y) if tilts else 1.0 + y
        slopes = a * eta
        middle = 0.5 * float(slopes.max() + slopes.min())
        factors = a * (grown - y) + (slopes - middle) * r if tilts else a + (slopes - old) * r
        U = max(1.0, float(factors.max())) * U + float(np.sum((1.0 - a) * grown))
        old = eta
    return math.log(U)


@again("delay.interleaved")
def turns(seed: int) -> Iterator[Sides]:
    losses, eta, late = losses_of(seed), 0.5, 2
    own, bound = 0.0, 0.0
    for k in range(late + 1):
        part = losses[k :: late + 1]
        own += played(part, lambda L, _: soft(-eta * L))[0]
        bound += math.log(N) / eta + eta * len(part) / 8.0
    made = ls.interleave(
        ls.ExponentialWeights(eta=eta), losses, np.zeros(T), delay=late, loss=ls.losses.Absolute(low=0.0, high=1.0)
    )
    yield from beside(made.certify(), {"delay.interleaved": (own - float(losses.sum(axis=0).min()), bound)})
