"""Instances on which the statements of `demonstrations` can be seen, each of any size."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.linear import OnlineSVM, Perceptron, RandomizedPerceptron
from littlestone.run import Run, run
from littlestone.streams.intervals import Intervals
from littlestone.streams.synthetic import staircase, unit_vectors
from littlestone.theory.comparators import Trials, max_margin, support
from littlestone.theory.dimension import mistake_chain, thresholds
from littlestone.theory.guarantee import within
from littlestone.theory.lower_bounds import coin_bound, coin_regret, deterministic_regret, minimax_regret, oppose
from littlestone.theory.moments import moments


@final
@dataclass(frozen=True)
class Relation:
    """One relation with its two sides."""

    words: str
    left: float
    relation: Literal["≤", "="]
    right: float

    @property
    def holds(self) -> bool:
        """Whether it is true, up to rounding."""
        return within(self.left, self.right) and (self.relation == "≤" or within(self.right, self.left))

    def __str__(self) -> str:
        relation = self.relation if self.holds else {"≤": "≰", "=": "≠"}[self.relation]
        return f"{self.words}: {self.left:.6g} {relation} {self.right:.6g}"


@final
class _Vote:
    """A weighted vote of experts, the deterministic learner that is opposed: a wrong expert counts half as much."""

    def __init__(self) -> None:
        self._mistakes: FloatArray | None = None

    def predict_one(self, advice: FloatArray, /) -> float:
        """1 if the experts that say so weigh at least as much as the others."""
        mistakes = np.zeros(len(advice)) if self._mistakes is None else self._mistakes
        weights = 0.5 ** (mistakes - mistakes.min())
        return 1.0 if weights[advice == 1].sum() >= weights[advice == 0].sum() else 0.0

    def learn_one(self, advice: FloatArray, outcome: float, /) -> object:
        """Counts the mistakes of every expert."""
        wrong = (advice != outcome).astype(np.float64)
        self._mistakes = wrong if self._mistakes is None else self._mistakes + wrong
        return None


def _stream(rows: int, features: int = 5, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """Random rows whose labels a vector explains up to some noise."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, features))
    return X, np.where(X @ random.normal(size=features) + 0.5 * random.normal(size=rows) > 0, 1.0, -1.0)


def _converged(X: FloatArray, y: FloatArray) -> Run:
    return run(Perceptron(), X, y, passes=10**6, labels=(-1.0, 1.0))


def anti_prediction(rounds: int) -> tuple[Relation, ...]:
    """Experts 0 and 1, and the label that a weighted vote did not say (mohri.det)."""
    game = oppose(_Vote(), rounds)
    return (
        Relation("rounds = mistakes of a deterministic learner", rounds, "=", game.mistakes),
        Relation("⌈T/2⌉ ≤ its regret", deterministic_regret(rounds), "≤", game.regret),
    )


def coin(rounds: int) -> tuple[Relation, ...]:
    """Two experts, one of which loses in each round by a fair coin (mohri.8.5)."""
    return (Relation("√(T/8) ≤ expected regret of every learner", coin_bound(rounds), "≤", coin_regret(rounds)),)


def minimax(rounds: int) -> tuple[Relation, ...]:
    """Two experts and the worst losses there are (mohri.ex8.4)."""
    return (Relation("regret of the best learner = that against a coin", minimax_regret(rounds), "=", coin_regret(rounds)),)


def exponentially_many(features: int) -> tuple[Relation, ...]:
    """The staircase, cycled until every row is right (mohri.ex8.1)."""
    X, y, _ = staircase(features)
    updates = _converged(X, np.asarray(y, dtype=np.float64)).ledger.updates
    return (Relation("updates until every row is right = (4^N − 1)/3", updates, "=", (4**features - 1) / 3),)


def tight_margin(features: int) -> tuple[Relation, ...]:
    """The unit vectors (mohri.ex8.3)."""
    X, y, u = unit_vectors(features)
    margin = float((y * (X @ u)).min() / np.linalg.norm(u))
    updates = run(Perceptron(), X, np.asarray(y), labels=(-1, 1)).ledger.updates
    return (Relation("updates = r²/ρ²", updates, "=", margin**-2),)


def shattering_margin(points: FloatArray) -> float:
    """The largest δ such that every labelling of the points has a separator of margin δ in the unit ball; 0 if one has none."""
    margins = []
    for signs in itertools.product((-1.0, 1.0), repeat=len(points)):
        if signs[0] > 0:  # a labelling and its mirror have the same margin
            trials = Trials.of_labels(np.asarray(signs)[:, np.newaxis] * points, np.ones(len(points)))
            u = max_margin(trials).u
            margins.append(trials.measure(u).smallest_margin / max(float(np.linalg.norm(u)), 1e-300))
    return max(0.0, min(margins))


def shattered(count: int) -> tuple[Relation, ...]:
    """Unit vectors, orthogonal and at random, with all labellings (lecture.1vc)."""
    points = np.random.default_rng(count).normal(size=(count, count))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return (
        Relation("orthogonal unit vectors ≤ 1/δ²", count, "≤", shattering_margin(np.eye(count)) ** -2),
        Relation("random unit vectors ≤ 1/δ²", count, "≤", shattering_margin(points) ** -2),
    )


def subgradient(rows: int) -> tuple[Relation, ...]:
    """A noisy stream, learned twice (mohri.8.23)."""
    X, y = _stream(rows)
    w: FloatArray = np.zeros(X.shape[1])
    apart = 0.0
    batch, outcomes = _core.dense_batch(X), _core.labels(y.astype(np.int8))
    for x, label, moment in zip(X, y, moments(Perceptron(), batch, outcomes, w.copy()), strict=True):
        apart = max(apart, float(np.abs(w - moment.w).max()))
        # −yx is a subgradient of [−y·w·x]₊ where it is positive, and at the kink.
        w = w + label * x if label * (w @ x) <= 0 else w
    return (Relation("Perceptron − subgradient descent on [−y·w·x]₊", apart, "=", 0.0),)


def mistakes_alone(rows: int) -> tuple[Relation, ...]:
    """A noisy stream, and its mistaken trials by themselves (bylander.4)."""
    X, y = _stream(rows)
    all_rows = run(Perceptron(), X, y, keep=("mistake",), labels=(-1.0, 1.0))
    wrong = all_rows.columns["mistake"].astype(bool)
    alone = run(Perceptron(), X[wrong], Intervals.of_labels(y[wrong]))
    return (
        Relation("mistakes ≤ absolute loss on the mistaken trials alone", all_rows.ledger.mistakes, "≤", alone.ledger.loss),
        Relation("weights − weights", float(np.abs(all_rows.state.w - alone.state.w).max()), "=", 0.0),
    )


def random_labels(rows: int) -> tuple[Relation, ...]:
    """A noisy stream for the randomised Perceptron (bylander.10)."""
    X, y = _stream(rows)
    ledger = run(RandomizedPerceptron(eta=1.0 / float((X**2).sum(axis=1).max())), X, y, labels=(-1.0, 1.0)).ledger
    return (Relation("expected mistakes ≤ loss beyond a tolerance of ½", ledger.expected_mistakes, "≤", ledger.tolerated_loss),)


def linear_regret(rows: int) -> tuple[Relation, ...]:
    """A noisy stream of half-lines and an arbitrary u (bylander.L1)."""
    X, y = _stream(rows)
    u = np.random.default_rng(1).normal(size=(X.shape[1],))
    ends = Intervals.of_labels(y)
    worst = -math.inf
    for moment in moments(Perceptron(eta=0.1), _core.dense_batch(X), ends.outcomes, u):
        if moment.side != 0:
            worst = max(worst, moment.loss - moment.u_loss - moment.side * (moment.u_score - moment.score))
    return (Relation("the most of loss(w) − loss(u) − side·(u·x − w·x) on an update", worst, "≤", 0.0),)


def exponential_sum(draws: int) -> tuple[Relation, ...]:
    """Weights, rows and step sizes drawn at random (bylander.A1)."""
    random, worst = np.random.default_rng(0), -math.inf
    for _ in range(draws):
        n, eta, U = int(random.integers(1, 8)), float(random.exponential()), float(random.exponential()) + 0.1
        w, x = U * random.dirichlet(np.ones(n)), random.normal(size=n)
        left = math.log(float(w / U @ np.exp(eta * x)))
        worst = max(worst, left - (eta * float(w @ x) / U + 0.5 * eta**2 * float(np.abs(x).max()) ** 2))
    return (Relation("the most of log Σ(w/U)e^{ηx} − ηw·x/U − η²X²/2", worst, "≤", 0.0),)


def chain(points: int) -> tuple[Relation, ...]:
    """Thresholds on some points (mohri.8.2)."""
    numbers = mistake_chain(thresholds(points))
    return (
        Relation("VC dimension ≤ mistakes of the best learner", numbers.vc, "≤", numbers.littlestone),
        Relation("mistakes of the best learner ≤ of Halving", numbers.littlestone, "≤", numbers.halving),
        Relation("mistakes of Halving ≤ log2|H|", numbers.halving, "≤", math.log2(points + 1)),
    )


def leave_one_out(size: int) -> tuple[Relation, ...]:
    """Rows e₁, e₂, e₃ with equal chances, all labelled +1, and every sample there is (mohri.8.9)."""
    risk = _mean(
        size, lambda X: float((run(Perceptron(), X, np.ones(len(X)), passes=99, labels=(-1.0, 1.0)).state.w <= 0).mean())
    )
    return (Relation("expected risk ≤ E[min(M, r²/ρ²)]/(m + 1)", risk, "≤", _mean(size + 1, _updates_or_margin) / (size + 1)),)


def support_vectors(size: int) -> tuple[Relation, ...]:
    """Rows e₁, e₂, e₃ with equal chances, all labelled +1, and every sample there is (mohri.8.10)."""
    risk = _mean(size, lambda X: float((max_margin(Trials.of_labels(X, np.ones(len(X)))).u < 1e-6).mean()))
    held = _mean(size + 1, lambda X: float(len(support(Trials.of_labels(X, np.ones(len(X)))))))
    return (Relation("expected risk of the hard-margin SVM ≤ E[N_SV]/(m + 1)", risk, "≤", held / (size + 1)),)


def _updates_or_margin(X: FloatArray) -> float:
    trials = Trials.of_labels(X, np.ones(len(X)))
    u = max_margin(trials).u
    return min(
        _converged(X, np.ones(len(X))).ledger.updates, (float(np.linalg.norm(u)) / trials.measure(u).smallest_margin) ** 2
    )


def _mean(size: int, of: Callable[[FloatArray], float]) -> float:
    """The mean over all samples of the three rows, each as likely as any other."""
    values = [of(np.eye(3)[list(sample)]) for sample in itertools.product(range(3), repeat=size)]
    return sum(values) / len(values)


def resting_point(rounds: int) -> tuple[Relation, ...]:
    """The same row again and again (mohri.ex8.5)."""
    scores = run(OnlineSVM(eta=0.5, C=2.0), np.ones((rounds, 1)), np.ones(rounds), keep=("score",), labels=(-1.0, 1.0)).columns
    return (Relation("score after the first round: the margin 1, where the rule rests", float(scores["score"][-1]), "=", 1.0),)
