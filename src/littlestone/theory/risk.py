"""What is known of the losses of a stream, and the numbers that bound a risk by them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, final

from littlestone.errors import InvalidParameter
from littlestone.theory.certificate import Certificate, Verdict
from littlestone.theory.guarantee import Assumption, described


@final
class Compared(NamedTuple):
    """The hinge loss of some u over the rounds and ‖u‖, beside the summed ‖x‖² (or K(x, x)) of the learner's updates."""

    loss: float
    norm: float
    lengths_squared: float


@final
@dataclass(frozen=True, kw_only=True)
class Progressive:
    """What is known of the losses of one pass, and what the caller declares of the rows.

    Args:
        rounds: T.
        loss: the sum of the losses.
        largest: M, which no loss can exceed; 1 for mistakes.
        delta: the probability with which a statement may fail.
        iid: the rows are independent and from one distribution. No data can show this: it is declared.
        passes: how many times the rows were gone over; after the first the losses are no trials on new rows.
        convex: the loss is convex in the prediction.
        regret: R_T, or a bound on it.
        experts: N, where the hypotheses are mixtures of N fixed ones by exponential weights tuned to T.
        mistake_bound: the most mistakes the learner can make, by a theorem.
        epsilon: the error that controlled testing is to reach.
        comparison: how some u did on the same rounds.
        survived: how many new rows in a row the hypothesis got right.
        number: which of the distinct hypotheses it is, counted from 1.
        signs: a mistake is a score whose sign is wrong, or 0; not so where labels are drawn at random, or there are none.
        weighed: rounds had weights other than 1.
        worst: the largest loss that was seen, where losses are not mistakes.
        blank: the first hypothesis came from the rule alone; False where weights were given to begin with.
        unseen: the caller declares that whoever made the weights to begin with had not seen these rows.
        repeated: rows that were learned were learned again, as far as that was noticed.
        squares: the sum of the squared losses, where it is known.
        rival: the mistakes of whoever always shows the label met most often so far, where the losses are mistakes.
    """

    rounds: int
    loss: float = 0.0
    largest: float = 1.0
    delta: float = 0.05
    iid: bool = True
    passes: int = 1
    convex: bool | None = None
    regret: float | None = None
    experts: int | None = None
    mistake_bound: float | None = None
    epsilon: float | None = None
    comparison: Compared | None = None
    survived: int | None = None
    number: int = 1
    signs: bool | None = None
    weighed: bool = False
    worst: float | None = None
    blank: bool = True
    unseen: bool | None = None
    repeated: bool = False
    squares: float | None = None
    rival: int | None = None

    def __post_init__(self) -> None:
        """Checks the numbers.

        Raises:
            InvalidParameter: if delta is not strictly between 0 and 1, or the losses cannot be what they are said to be.
        """
        if not isinstance(self.delta, float) or not 0.0 < self.delta < 1.0:
            raise InvalidParameter(f"delta is {self.delta!r}; delta must be a number strictly between 0 and 1")
        if self.rounds < 0 or self.largest <= 0.0 or not -1e-9 <= self.loss <= self.rounds * self.largest * (1.0 + 1e-9):
            total = f"{self.rounds} rounds with losses up to {self.largest} cannot add up to {self.loss}"
            raise InvalidParameter(f"{total}; give the largest loss that is possible")

    @property
    def mean(self) -> float:
        """The mean loss."""
        return self.loss / self.rounds


RiskAssumption = Assumption[Progressive]


@final
@dataclass(frozen=True, kw_only=True)
class RiskGuarantee:
    """A theorem that bounds a risk, which is not measured: its certificate has a right-hand side only."""

    id: str
    source: str
    statement: str
    latex: str
    quantity: str
    formula: str
    assumptions: tuple[RiskAssumption, ...]
    bound: Callable[[Progressive], float]
    trivial: Callable[[Progressive], float]
    sure: bool = False
    """Whether the statement holds for certain, not with probability 1 − δ."""

    def __str__(self) -> str:
        head, says = f"{self.id}: {self.quantity} ≤ {self.formula}", f"{self.source}: {self.statement}"
        return described(head, says, assumes=(assumption.words for assumption in self.assumptions))

    def certify(self, evidence: Progressive) -> Certificate:
        """Checks the assumptions, computes the bound and says what follows."""
        checks = tuple(assumption.checked(evidence) for assumption in self.assumptions)
        proved = all(check.met for check in checks)
        bound = self.bound(evidence) if proved else math.nan
        verdict = Verdict.VACUOUS if proved and bound >= self.trivial(evidence) else Verdict.HOLDS
        return Certificate(
            id=self.id,
            source=self.source,
            statement=self.statement,
            verdict=verdict if proved else Verdict.UNPROVED,
            quantity=self.quantity if self.sure else f"{self.quantity} (δ = {evidence.delta:g})",
            measured=math.nan,
            bound=bound,
            formula=self.formula,
            assumptions=checks,
        )


def deviation(rounds: int, delta: float, largest: float = 1.0) -> float:
    """M√(log(1/δ)/(2T)): given the past, a loss lies in an interval of length M (Hoeffding and Azuma).

    Example:
        >>> round(deviation(100, 0.05), 4)
        0.1224
    """
    return largest * math.sqrt(math.log(1.0 / delta) / (2.0 * rounds))


# Bets against "the mean is p" that lose a factor β = e^{−η} with a loss of 1: η from ∞ (no loss at all) down to where a
# stream of 10^13 rounds wants it. Each is a supermartingale, and so is their mean.
_BETS: tuple[float, ...] = tuple(8.0 * 2.0 ** (-0.5 * k) for k in range(51))
_STAKES = tuple(-math.expm1(-bet) for bet in _BETS)


def anytime_bound(loss: float, rounds: int, delta: float = 0.05, largest: float = 1.0, squares: float | None = None) -> float:
    r"""A bound on the mean risk of the hypotheses used so far that holds at all times at once with probability 1 − δ.

    For a loss X in [0, 1] of conditional mean p and λ = 1−β in [0, 1], exp(−λX − ψX²) ≤ 1 − λX with ψ = −log(1−λ) − λ (Fan,
    Grama and Liu 2015), whose mean is 1 − λp. So exp(−λS − ψQ)/∏(1 − λpₜ), S the sum of the losses and Q that of their
    squares, is a supermartingale, and as log is concave it is no more with the mean p̄ in place of every pₜ. By Ville's
    inequality the mean of these over a few λ stays below 1/δ for ever with probability 1 − δ; the bound is the p̄ at which it
    reaches 1/δ. For mistakes Q = S and the terms are β^S/∏(1 − (1−β)pₜ).

    Args:
        loss: the sum of the losses.
        rounds: T.
        delta: the probability with which the statement may fail at any time.
        largest: what no loss can exceed.
        squares: the sum of the squared losses; None is the most it can be, loss·largest.

    Example:
        >>> round(anytime_bound(100, 1000), 4), round(0.1 + deviation(1000, 0.05), 4)
        (0.1361, 0.1387)
        >>> round(anytime_bound(100, 1000, squares=20), 4)
        0.1161
    """
    Progressive(rounds=rounds, loss=loss, largest=largest, delta=delta)  # which refuses what makes no sense
    if rounds == 0:
        return largest
    total = loss / largest
    spread = total if squares is None else min(squares / (largest * largest), total)
    wealth = partial(_log_wealth, total, spread, rounds, delta)
    # From above: where the bet of everything wins alone, without a loss; else where Bernstein's inequality would be, or 1.
    least, pay = total / rounds, math.log((len(_BETS) + 1) / delta) / rounds
    p = min(1.0, least + 2.0 * math.sqrt(2.0 * least * pay) + 4.0 * pay) if total > 0.0 else -math.expm1(-pay)
    won, slope = wealth(p)
    if won < 0.0 and total > 0.0:
        p = 1.0
        won, slope = wealth(p)
    if won < 0.0:
        return largest
    while won / slope > 1e-13:  # the wealth is convex in p: Newton's steps from above do not step over its root
        p -= won / slope
        won, slope = wealth(p)
    return max(p, least) * largest


def _log_wealth(loss: float, squares: float, rounds: int, delta: float, p: float) -> tuple[float, float]:
    """Log of δ times the mean over the bets of exp(−λS − ψQ)/(1 − λp)^T, and its slope; the first loss loses the bet λ = 1."""
    logs = [
        -stake * loss - (bet - stake) * squares - rounds * math.log1p(-stake * p)
        for bet, stake in zip(_BETS, _STAKES, strict=True)
    ]
    all_in = -math.inf if loss > 0.0 else -rounds * math.log1p(-p)
    top = max(*logs, all_in)
    shares, last = [math.exp(log - top) for log in logs], math.exp(all_in - top)
    mass = math.fsum(shares) + last
    rising = math.fsum(share * stake / (1.0 - stake * p) for share, stake in zip(shares, _STAKES, strict=True))
    rising += last / (1.0 - p) if last > 0.0 else 0.0
    return top + math.log(delta * mass / (len(_BETS) + 1)), rounds * rising / mass


def controlled_tests(mistake_bound: int, epsilon: float, delta: float) -> list[int]:
    """How many fresh rows each of the M + 1 tests of controlled testing draws: ⌈log((i+2)²/δ)/ε⌉ for i = 1, 2, and so on.

    Example:
        >>> controlled_tests(4, 0.1, 0.1)
        [45, 51, 56, 59, 62]
    """
    return [math.ceil(math.log((i + 2) ** 2 / delta) / epsilon) for i in range(1, mistake_bound + 2)]


def penalty(tail: int, rounds: int, delta: float) -> float:
    """√(log(T(T+1)/δ)/(2n)): what exercise 8.10 adds to a mean loss over the last n of T rounds before it chooses.

    Example:
        >>> [round(penalty(tail, 3, 0.5), 5) for tail in (3, 2, 1)]
        [0.72779, 0.89135, 1.26057]
    """
    return math.sqrt(math.log(rounds * (rounds + 1) / delta) / (2.0 * tail))
