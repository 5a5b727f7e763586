"""Bounds on risks once more; and against exact risks, which a learner on eight points has in every round."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from again import Sides, again, beside
from littlestone.arrays import FloatArray
from littlestone.theory.generalization import GUARANTEES
from littlestone.theory.risk import Compared, Progressive, controlled_tests, penalty

BY_ID = {risk.id: risk for risk in GUARANTEES}
DELTA = 0.1
POINTS = np.array([[x, 1.0, x * x] for x in np.linspace(-1.0, 1.0, 8)])
CHANCES = np.array([0.02, 0.1, 0.9, 0.3, 0.7, 0.95, 0.2, 0.85])
"""The chance of the label +1 at each point; all are drawn equally often."""


@again(*(name for name in BY_ID if name not in ("risk.anytime", "risk.average", "paired.majority")))
def closed_forms(seed: int) -> Iterator[Sides]:
    source = np.random.default_rng(seed)
    T, delta = int(source.integers(2_000, 90_000)), float(source.uniform(0.01, 0.2))
    loss, M = float(source.integers(0, T // 20)), 0.07 * T
    known = Progressive(
        rounds=T, loss=loss, delta=delta, convex=True, regret=40.0, experts=7, mistake_bound=M, epsilon=0.1, signs=True,
        survived=900, number=5, comparison=Compared(loss=30.0, norm=2.0, lengths_squared=400.0),
    )  # fmt: skip
    one = math.sqrt(-math.log(delta) / (2.0 * T))
    two = 2.0 * math.sqrt(math.log(2.0 / delta) / (2.0 * T))
    # Every penalty stands for √(1/j) in the sum, which is below 2√T − 1.
    choice = math.sqrt(-math.log(delta * (1.0 - 2.0 / (T + 1))) / (2.0 * T))
    choice += 2.0 / T * math.sqrt(math.log(T * (T + 1) / delta) / 2.0) * (2.0 * math.sqrt(T) - 1.0)
    printed = 6.0 * math.sqrt(math.log(2.0 * (T + 1) / delta) / T)
    bounds = {
        "mohri.8.14": loss / T + one,
        "mohri.8.15a": loss / T + one,
        "mohri.8.15b": 40.0 / T + two,
        "mohri.8.15ewa": math.sqrt(math.log(7) / (2.0 * T)) + two,
        "mohri.ex8.10": loss / T + min(choice, printed),
        "mohri.ex8.11b": (30.0 + 2.0 * 20.0) / T + printed,
        "blum.5.12": M / T,
        "blum.5.13": delta * (sum(1.0 / (i + 2) ** 2 for i in range(1, 20_000)) + 1.0 / 20_001.5),
        "risk.survivor": math.log(30.0 / delta) / 900,
        "risk.vote": 2.0 * (loss / T + one),
    }
    for name, bound in bounds.items():
        yield BY_ID[name].certify(known), math.nan, bound


@again("risk.anytime", "risk.average", "paired.majority")
def bets(seed: int) -> Iterator[Sides]:
    """The mean over the bets as it stands in the docstrings, with a search for where it reaches 1/δ."""
    source = np.random.default_rng(seed)
    T, delta = int(source.integers(200, 3_000)), 0.05
    loss = int(source.integers(1, T // 4))
    rates = [8.0 * 2.0 ** (-0.5 * k) for k in range(51)]

    def wealth(p: float) -> float:
        """Of mistakes: β^S/(1 − (1 − β)p)^T, as logarithms; the bet of everything is lost with the first mistake."""
        logs = [-eta * loss - T * math.log(1.0 + math.expm1(-eta) * p) for eta in rates]
        top = max(logs)
        return float(top + math.log(sum(math.exp(one - top) for one in logs) / 52.0))

    sides = {"risk.anytime": (math.nan, searched(wealth, loss / T, 1.0, -math.log(delta)))}
    sides["risk.average"] = sides["risk.anytime"]
    known = Progressive(rounds=T, loss=float(loss), delta=delta, convex=True)
    yield from beside((BY_ID[name].certify(known) for name in ("risk.anytime", "risk.average")), sides)
    rival = min(T, 2 * loss)
    total, spread = loss - rival, float(min(T, loss + rival))

    def against(mean: float) -> float:
        """Bets on a difference below this mean: exp(λ(T·mean − S) − ψV) with a width of 2."""
        stakes = [0.75 * 2.0 ** (-0.5 * k) for k in range(40)]
        logs = [0.5 * s * (T * mean - total) - 0.25 * (-math.log(1.0 - s) - s) * spread for s in stakes]
        top = max(logs)
        return float(top + math.log(sum(math.exp(one - top) for one in logs) / 40.0))

    paired = Progressive(rounds=T, loss=float(loss), delta=delta, rival=rival)
    bound = searched(against, total / T, 1.0, math.log(2.0 / delta))
    yield from beside([BY_ID["paired.majority"].certify(paired)], {"paired.majority": (math.nan, bound)})


def searched(rises: Callable[[float], float], low: float, high: float, level: float) -> float:
    """Where a function that rises reaches a level; the upper end where it does not."""
    if rises(high - 1e-15) < level:
        return high
    for _ in range(100):
        middle = (low + high) / 2.0
        low, high = (low, middle) if rises(middle) >= level else (middle, high)
    return high


# --- exact risks


@dataclass(frozen=True, eq=False)
class Known:
    """A Perceptron on the eight points: its weights before each round, their exact error rates, and what came."""

    weights: FloatArray
    risks: FloatArray
    wrong: FloatArray
    drawn: npt.NDArray[np.int64]
    labels: FloatArray


def risk(w: FloatArray) -> float:
    """A score of 0 is wrong for either label."""
    scores = POINTS @ w
    return float(np.mean(np.where(scores == 0.0, 1.0, np.where(scores > 0.0, 1.0 - CHANCES, CHANCES))))


@cache
def perceptron(seed: int, rounds: int) -> Known:
    source = np.random.default_rng(seed)
    drawn = source.integers(8, size=rounds)
    labels = np.where(source.random(rounds) < CHANCES[drawn], 1.0, -1.0)
    w, weights = np.zeros(3), list[FloatArray]()
    for k, y in zip(drawn, labels, strict=True):
        weights.append(w)
        w = w + (y * POINTS[k] if y * float(POINTS[k] @ w) <= 0.0 else 0.0)
    table = np.array(weights)
    wrong = labels * np.sum(table * POINTS[drawn], axis=1) <= 0.0
    return Known(table, np.array([risk(one) for one in weights]), wrong.astype(float), drawn, labels)


def chosen(run: Known) -> float:
    """The risk of the hypothesis of least penalised mistakes from its round on."""
    scores = run.labels * (run.weights @ POINTS[run.drawn].T)  # a row per hypothesis, a column per row of the stream
    T = len(run.wrong)
    tails = [float(np.mean(scores[i, i:] <= 0.0)) + penalty(T - i, T, DELTA) for i in range(T)]
    return float(run.risks[int(np.argmin(tails))])


Fails: TypeAlias = "Callable[[int], bool]"
COVERED: dict[str, Fails] = {}


def covers(name: str) -> Callable[[Fails], Fails]:
    """Registers a simulation of one run, which says whether the bound failed in it, at any moment where it is for all times."""

    def register(fails: Fails) -> Fails:
        COVERED[name] = fails
        return fails

    return register


@covers("risk.anytime")
def anytime_fails(seed: int) -> bool:
    run = perceptron(seed, 250)
    means, sums = np.cumsum(run.risks) / np.arange(1, 251), np.cumsum(run.wrong)
    return any(
        BY_ID["risk.anytime"].bound(Progressive(rounds=t + 1, loss=float(sums[t]), delta=DELTA)) < means[t] for t in range(250)
    )


@covers("paired.majority")
def majority_fails(seed: int) -> bool:
    """Beside the label met most often so far, the positive one at first and where both were met as often."""
    run, rounds = perceptron(seed, 120), 120
    before = np.concatenate([[0.0], np.cumsum(run.labels)[:-1]])
    said = np.where(before >= 0.0, 1.0, -1.0)
    theirs = np.where(said > 0.0, float(np.mean(1.0 - CHANCES)), float(np.mean(CHANCES)))
    expected = np.cumsum(run.risks - theirs) / np.arange(1, rounds + 1)
    mine, rival = np.cumsum(run.wrong), np.cumsum(said != run.labels)
    return any(
        BY_ID["paired.majority"].bound(Progressive(rounds=t + 1, loss=float(mine[t]), rival=int(rival[t]), delta=DELTA))
        < expected[t]
        for t in range(rounds)
    )


@covers("risk.survivor")
def survivor_fails(seed: int) -> bool:
    """Every hypothesis there was, after every row that it got right."""
    run, number, survived = perceptron(seed, 300), 1, 0
    for t in range(300):
        if run.wrong[t]:
            number, survived = number + 1, 0
            continue
        survived += 1
        known = Progressive(rounds=t + 1, delta=DELTA, survived=survived, number=number)
        if BY_ID["risk.survivor"].bound(known) < run.risks[t]:
            return True
    return False


def at_the_end(run: Known) -> Progressive:
    return Progressive(rounds=len(run.wrong), loss=float(run.wrong.sum()), delta=DELTA, signs=True)


@covers("mohri.8.14")
def mean_fails(seed: int) -> bool:
    run = perceptron(seed, 150)
    return BY_ID["mohri.8.14"].bound(at_the_end(run)) < float(run.risks.mean())


@covers("risk.vote")
def vote_fails(seed: int) -> bool:
    """The vote of the signs of all hypotheses; a tie is wrong for either label."""
    run = perceptron(seed, 150)
    tally = np.sign(POINTS @ run.weights.T).sum(axis=1)
    exact = float(np.mean(np.where(tally == 0.0, 1.0, np.where(tally > 0.0, 1.0 - CHANCES, CHANCES))))
    return BY_ID["risk.vote"].bound(at_the_end(run)) < exact


@covers("mohri.ex8.10")
def choice_fails(seed: int) -> bool:
    run = perceptron(seed, 150)
    return BY_ID["mohri.ex8.10"].bound(at_the_end(run)) < chosen(run)


@covers("mohri.ex8.11b")
def kernel_choice_fails(seed: int) -> bool:
    """For every u at once: some of all lengths and directions."""
    run = perceptron(seed, 150)
    exact, X = chosen(run), POINTS[run.drawn]
    lengths = float(np.sum(run.wrong * (X * X).sum(axis=1)))
    for u in np.random.default_rng(seed).normal(size=(20, 3)) * np.geomspace(0.01, 10.0, 20)[:, None]:
        lost = float(np.maximum(0.0, 1.0 - run.labels * (X @ u)).sum())
        known = Progressive(
            rounds=150, delta=DELTA, comparison=Compared(loss=lost, norm=float(np.linalg.norm(u)), lengths_squared=lengths)
        )
        if BY_ID["mohri.ex8.11b"].bound(known) < exact:
            return True
    return False


@dataclass(frozen=True, eq=False)
class Averaged:
    """Exponential weights over three constants, under absolute loss: what they said, and what it cost."""

    said: FloatArray
    losses: FloatArray
    regret: float


EXPERTS, RAIN = np.array([0.1, 0.5, 0.9]), 0.3


def of_number(said: float) -> float:
    """The exact expected loss of a number."""
    return RAIN * (1.0 - said) + (1.0 - RAIN) * said


@cache
def averaged(seed: int, rounds: int) -> Averaged:
    outcomes = (np.random.default_rng(seed).random(rounds) < RAIN).astype(float)
    eta, past, said = math.sqrt(8.0 * math.log(3) / rounds), np.zeros(3), list[float]()
    for outcome in outcomes:
        w = np.exp(-eta * (past - past.min()))
        said.append(float(w @ EXPERTS / w.sum()))
        past = past + np.abs(outcome - EXPERTS)
    losses = np.abs(outcomes - said)
    return Averaged(np.array(said), losses, float(losses.sum() - past.min()))


@covers("risk.average")
def average_fails(seed: int) -> bool:
    run, rounds = averaged(seed, 200), 200
    sums, squares = np.cumsum(run.losses), np.cumsum(run.losses**2)
    means = np.cumsum(run.said) / np.arange(1, rounds + 1)
    return any(
        BY_ID["risk.average"].bound(
            Progressive(rounds=t + 1, loss=float(sums[t]), delta=DELTA, convex=True, squares=float(squares[t]))
        )
        < of_number(float(means[t]))
        for t in range(rounds)
    )


def converted(name: str, excess: bool) -> Fails:
    def fails(seed: int) -> bool:
        run = averaged(seed, 200)
        known = Progressive(rounds=200, loss=float(run.losses.sum()), delta=DELTA, convex=True, regret=run.regret, experts=3)
        exact = of_number(float(run.said.mean()))
        return BY_ID[name].bound(known) < exact - (min(map(of_number, EXPERTS.tolist())) if excess else 0.0)

    return fails


for _name, _excess in (("mohri.8.15a", False), ("mohri.8.15b", True), ("mohri.8.15ewa", True)):
    COVERED[_name] = converted(_name, _excess)

OFTEN = np.array([0.4, 0.3, 0.2, 0.06, 0.04])
"""How often each of five unit vectors is drawn; all have the label +1, so that a Perceptron errs once on each."""


@covers("blum.5.13")
def testing_fails(seed: int) -> bool:
    """A hypothesis is kept that errs on more than ε of the rows: the chance of that is what is bounded, below δ."""
    source, met, epsilon = np.random.default_rng(seed), np.zeros(5, dtype=bool), 0.05
    for rows in controlled_tests(5, epsilon, DELTA):
        drawn = source.choice(5, size=rows, p=OFTEN)
        unknown = drawn[~met[drawn]]
        if not len(unknown):
            return float(OFTEN[~met].sum()) > epsilon
        met[unknown[0]] = True
    return False


def stopped(seed: int) -> float:
    """The error rate of a Perceptron that is stopped before a row drawn at random among 20; it errs at most 5 times."""
    source = np.random.default_rng(seed)
    met = source.choice(5, size=int(source.integers(20)), p=OFTEN)
    return float(OFTEN[~np.isin(np.arange(5), met)].sum())
