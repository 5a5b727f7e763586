"""From the stream itself to the risk: what the losses of a learner on fresh rows say of rows to come.

A loss is charged before the row is learned, so on independent rows it is an honest trial of the hypothesis at that moment.
Nothing has to be held out, and everything here is computed from a total and a count.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import final

import numpy as np

from littlestone.errors import InvalidParameter
from littlestone.theory.certificate import Certificate, Verdict
from littlestone.theory.guarantee import Assumption, described


@final
@dataclass(frozen=True, kw_only=True)
class Compared:
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
_BETS = 8.0 * 2.0 ** (-0.5 * np.arange(51))
_STAKES = -np.expm1(-_BETS)


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
    logs = -_STAKES * loss - (_BETS - _STAKES) * squares - rounds * np.log1p(-_STAKES * p)
    all_in = -math.inf if loss > 0.0 else -rounds * math.log1p(-p)
    top = max(float(logs.max()), all_in)
    shares, last = np.exp(logs - top), math.exp(all_in - top)
    mass = float(shares.sum()) + last
    rising = float(shares @ (_STAKES / (1.0 - _STAKES * p))) + (last / (1.0 - p) if last > 0.0 else 0.0)
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


def _known(value: object) -> bool | None:
    return None if value is None else True


def _positive(value: float | None) -> bool | None:
    return None if value is None else value > 0


def _penalised(evidence: Progressive) -> float:
    """Mean loss + √(log(1/δ′)/(2T)) + (2/T)Σⱼc(j), δ′ = δ − 2δ/(T+1), with Σⱼ j^{−½} ≤ 2√T − 1."""
    T, delta = evidence.rounds, evidence.delta
    if T < 2:
        return math.inf
    penalties = penalty(1, T, delta) * (2.0 * math.sqrt(T) - 1.0)
    spread = deviation(T, delta * (1.0 - 2.0 / (T + 1))) + 2.0 / T * penalties
    return evidence.mean + min(spread, 6.0 * math.sqrt(math.log(2.0 * (T + 1) / delta) / T)) * evidence.largest


def _kernel_perceptron(evidence: Progressive) -> float:
    T, against = evidence.rounds, evidence.comparison
    assert against is not None
    mean = (against.loss + against.norm * math.sqrt(against.lengths_squared)) / T
    return mean + 6.0 * math.sqrt(math.log(2.0 * (T + 1) / evidence.delta) / T)


def _per_round(evidence: Progressive) -> float:
    assert evidence.mistake_bound is not None
    return evidence.mistake_bound / evidence.rounds


def _excess(evidence: Progressive) -> float:
    assert evidence.regret is not None
    return evidence.regret / evidence.rounds + 2.0 * deviation(evidence.rounds, evidence.delta / 2.0, evidence.largest)


def _excess_of_experts(evidence: Progressive) -> float:
    assert evidence.experts is not None
    mixing = math.sqrt(math.log(evidence.experts) / (2.0 * evidence.rounds))
    return mixing + 2.0 * deviation(evidence.rounds, evidence.delta / 2.0)


def _survivor(evidence: Progressive) -> float:
    """log(k(k+1)/δ)/n.

    Let h be the k-th distinct hypothesis, which the rows from its first round on had no part in, and r its error rate. The
    statement fails for some n only if h gets the first ⌈n*⌉ rows right, n* = log(k(k+1)/δ)/r: whoever gets more rows right
    gets these right. That has a probability of at most (1−r)^{n*} ≤ δ/(k(k+1)), and these add up to δ over all k. So it is
    true of every hypothesis, every n and at all times at once, and so of those that the data chose.
    """
    assert evidence.survived is not None
    return math.log(evidence.number * (evidence.number + 1) / evidence.delta) / evidence.survived


def _vote(evidence: Progressive) -> float:
    """2(mean mistakes + √(log(1/δ)/(2T))).

    Let a, b and c be the rounds whose hypothesis has a row right, wrong, and at a score of 0. The vote is wrong, or tied,
    only if a ≤ b; then b + c ≥ T/2, as a + b + c = T. A score of 0 is a mistake, so on every row the vote loses at most
    twice what the hypotheses lose in the mean, and its error rate is at most twice their mean error rate, which mohri.8.14
    bounds. Half of the hypotheses wrong on the same rows and the others right, ties lost: the factor 2 is attained.
    """
    return 2.0 * (evidence.mean + deviation(evidence.rounds, evidence.delta))


def _anytime(evidence: Progressive) -> float:
    return anytime_bound(evidence.loss, evidence.rounds, evidence.delta, evidence.largest, evidence.squares)


def _beyond_rival(evidence: Progressive) -> float:
    """The upper end of the confidence sequence for the difference, with 0 for its guess of every difference.

    Rounds in which one of the two was wrong, and not both, are at most as many as the mistakes of both together.
    """
    from littlestone.theory.paired import PairedComparison

    assert evidence.rival is not None
    both = min(float(evidence.rounds), evidence.loss + evidence.rival)
    total = evidence.loss - evidence.rival
    return PairedComparison(delta=evidence.delta, rounds=evidence.rounds, total=total, spread=both).high


def _largest(evidence: Progressive) -> float:
    return evidence.largest


def _new(evidence: Progressive) -> bool:
    return evidence.passes == 1 and not evidence.repeated


def _within_bound(evidence: Progressive) -> bool | None:
    """A theorem that the run itself contradicts was not a theorem."""
    return None if evidence.mistake_bound is None else evidence.loss <= evidence.mistake_bound


TWO = RiskAssumption("the labels are two", lambda evidence: _known(evidence.rival))
IID = RiskAssumption("the rows are i.i.d.", lambda evidence: evidence.iid, lambda _: True)
NEW = RiskAssumption("each row was new when it was learned: one pass", _new)
UNSEEN = RiskAssumption(
    "the first hypothesis had not seen these rows",
    lambda evidence: True if evidence.blank else evidence.unseen,
    lambda evidence: not evidence.blank and evidence.unseen is not None,
)
FIXED = RiskAssumption("T was fixed in advance", lambda evidence: evidence.iid, lambda _: True)
LARGEST = RiskAssumption(
    "losses are in [0, M]",
    lambda evidence: evidence.worst is None or evidence.worst <= evidence.largest * (1.0 + 1e-12),
    lambda evidence: evidence.worst is not None,
)
SOME = RiskAssumption("there was a round", lambda evidence: evidence.rounds > 0)
CONVEX = RiskAssumption("the loss is convex", lambda evidence: evidence.convex, lambda evidence: bool(evidence.convex))
REGRET = RiskAssumption("the regret is known", lambda evidence: _known(evidence.regret))
EXPERTS = RiskAssumption("exponential weights over N fixed experts", lambda evidence: _known(evidence.experts))
UNIT = RiskAssumption("losses are in [0, 1]", lambda evidence: evidence.largest <= 1.0)
BOUNDED = RiskAssumption(
    "the mistakes are bounded by a theorem", _within_bound, lambda evidence: evidence.mistake_bound is not None
)
UNWEIGHED = RiskAssumption("every round has weight 1", lambda evidence: not evidence.weighed)
EPSILON = RiskAssumption("the error to reach is given", lambda evidence: _known(evidence.epsilon))
COMPARED = RiskAssumption("the hinge loss and norm of a comparator are known", lambda evidence: _known(evidence.comparison))
SURVIVED = RiskAssumption("it got a row right", lambda evidence: _positive(evidence.survived))
SIGNS = RiskAssumption("a mistake is a wrong sign of the score, or a score of 0", lambda evidence: evidence.signs)

ANYTIME = RiskGuarantee(
    id="risk.anytime",
    source="a mixture of supermartingales (Ville 1939; Darling and Robbins 1967; Howard, Ramdas, McAuliffe and Sekhon 2021), "
    "read as bets (Waudby-Smith and Ramdas 2024)",
    statement="With probability 1 − δ, at every moment of the stream, the mean true risk of the hypotheses used so far (that "
    "is, of drawing one of them at random) is at most this: one may look at it after each round and stop when one likes.",
    latex=r"\Pr\Bigl[\forall T:\ \tfrac1T\sum_t R(h_t) \le p_T\Bigr] \ge 1-\delta,\quad "
    r"\tfrac1K\sum_k \beta_k^{S_T}\bigl(1-(1-\beta_k)p_T\bigr)^{-T}=\tfrac1\delta",
    quantity="mean true risk",
    formula="p where the bets reach 1/δ",
    assumptions=(IID, UNSEEN, NEW, SOME, LARGEST),
    bound=_anytime,
    trivial=_largest,
)

AVERAGE = RiskGuarantee(
    id="risk.average",
    source="risk.anytime, and Jensen's inequality",
    statement="With probability 1 − δ, at every moment of the stream, the average of the hypotheses used so far has a risk, in "
    "a convex loss, of at most this: it is no worse than their mean risk.",
    latex=r"\Pr\Bigl[\forall T:\ R\bigl(\tfrac1T\sum_t h_t\bigr) \le p_T\Bigr] \ge 1-\delta",
    quantity="true risk of the average",
    formula="p where the bets reach 1/δ",
    assumptions=(IID, UNSEEN, NEW, SOME, LARGEST, CONVEX),
    bound=_anytime,
    trivial=_largest,
)

MAJORITY = RiskGuarantee(
    id="paired.majority",
    source="Howard, Ramdas, McAuliffe and Sekhon 2021, theorem 4, for pairs as Choe and Ramdas 2024",
    statement="With probability 1 − δ, at every moment of the stream, the labels shown were expected to be wrong more often "
    "than the label met most often so far by at most this share of the rounds; below 0 they are better. Nothing is assumed of "
    "the rows but that none was learned before: of such a row it would say what is remembered.",
    latex=r"\Pr\Bigl[\forall T:\ \tfrac1T\sum_t \mathbb{E}_{t-1}[d_t] \le u_T\Bigr] \ge 1-\delta",
    quantity="error rate beyond that of the commonest label",
    formula="upper end of the confidence sequence",
    assumptions=(TWO, SOME, NEW),
    bound=_beyond_rival,
    trivial=lambda _: 0.0,
)

GUARANTEES: tuple[RiskGuarantee, ...] = (
    MAJORITY,
    RiskGuarantee(
        id="mohri.8.14",
        source="Mohri et al., lemma 8.14, with the sharper constant",
        statement="With probability 1 − δ the mean risk of h₁..h_T is at most their mean loss + M√(log(1/δ)/(2T)). The printed "
        "term is twice as large: given the past a loss lies in an interval of length M, not 2M.",
        latex=r"\tfrac1T\sum_t R(h_t) \le \tfrac1T\sum_t L_t+M\sqrt{\tfrac{\log(1/\delta)}{2T}}",
        quantity="mean true risk",
        formula="mean loss + M√(log(1/δ)/(2T))",
        assumptions=(IID, UNSEEN, NEW, SOME, FIXED, LARGEST),
        bound=lambda evidence: evidence.mean + deviation(evidence.rounds, evidence.delta, evidence.largest),
        trivial=_largest,
    ),
    RiskGuarantee(
        id="mohri.8.15a",
        source="Mohri et al., theorem 8.15, first part, with the sharper constant",
        statement="With probability 1 − δ and a convex loss, the averaged hypothesis has a risk of at most the mean loss + "
        "M√(log(1/δ)/(2T)).",
        latex=r"R\bigl(\tfrac1T\sum_t h_t\bigr) \le \tfrac1T\sum_t L_t+M\sqrt{\tfrac{\log(1/\delta)}{2T}}",
        quantity="true risk of the average",
        formula="mean loss + M√(log(1/δ)/(2T))",
        assumptions=(IID, UNSEEN, NEW, SOME, FIXED, LARGEST, CONVEX),
        bound=lambda evidence: evidence.mean + deviation(evidence.rounds, evidence.delta, evidence.largest),
        trivial=_largest,
    ),
    RiskGuarantee(
        id="mohri.8.15b",
        source="Mohri et al., theorem 8.15, second part, with the sharper constants",
        statement="With probability 1 − δ and a convex loss, the averaged hypothesis is worse than the best one by at most "
        "R_T/T + 2M√(log(2/δ)/(2T)).",
        latex=r"R\bigl(\tfrac1T\sum_t h_t\bigr)-\inf_h R(h) \le \tfrac{R_T}{T}+2M\sqrt{\tfrac{\log(2/\delta)}{2T}}",
        quantity="true excess risk of the average",
        formula="R_T/T + 2M√(log(2/δ)/(2T))",
        assumptions=(IID, UNSEEN, NEW, SOME, FIXED, LARGEST, CONVEX, REGRET),
        bound=_excess,
        trivial=_largest,
    ),
    RiskGuarantee(
        id="mohri.8.15ewa",
        source="Mohri et al., after theorem 8.15, with the sharper constants",
        statement="With probability 1 − δ, exponential weights tuned to T over N fixed experts give an average that is worse "
        "than the best expert by at most √(log N/(2T)) + 2√(log(2/δ)/(2T)).",
        latex=r"R\bigl(\tfrac1T\sum_t h_t\bigr)-\min_i R(i) \le \sqrt{\tfrac{\log N}{2T}}+2\sqrt{\tfrac{\log(2/\delta)}{2T}}",
        quantity="true excess risk of the average",
        formula="√(log N/(2T)) + 2√(log(2/δ)/(2T))",
        assumptions=(IID, UNSEEN, NEW, SOME, FIXED, LARGEST, CONVEX, UNIT, EXPERTS),
        bound=_excess_of_experts,
        trivial=_largest,
    ),
    RiskGuarantee(
        id="mohri.ex8.10",
        source="Mohri et al., exercise 8.10, with the sharper constants",
        statement="With probability 1 − δ the hypothesis of least penalised tail risk has a risk of at most the mean loss + "
        "√(log(1/δ′)/(2T)) + (4/√T)√(log(T(T+1)/δ)/2), δ′ = δ(1 − 2/(T+1)); the printed 6√(log(2(T+1)/δ)/T) where it is less.",
        latex=r"R(\hat h) \le \tfrac1T\sum_t L_t+\min\Bigl\{\sqrt{\tfrac{\log(1/\delta')}{2T}}+\tfrac2T\sum_{j\le T}"
        r"c_\delta(j),\ 6\sqrt{\tfrac{\log(2(T+1)/\delta)}{T}}\Bigr\}",
        quantity="true risk of the choice",
        formula="mean loss + √(log(1/δ′)/(2T)) + (2/T)Σc(j)",
        assumptions=(IID, UNSEEN, NEW, SOME, FIXED, LARGEST),
        bound=_penalised,
        trivial=_largest,
    ),
    RiskGuarantee(
        id="mohri.ex8.11b",
        source="Mohri et al., exercise 8.11 (b)",
        statement="With probability 1 − δ, for every u at once, the Perceptron's hypothesis of least penalised tail risk errs "
        "with probability at most (L(u) + ‖u‖√(Σ‖x‖² of its updates))/T + 6√(log(2(T+1)/δ)/T).",
        latex=r"R(\hat h) \le \frac{L(u)+\|u\|\sqrt{\sum_{t\in J}\|x_t\|^2}}{T}+6\sqrt{\tfrac{\log(2(T+1)/\delta)}{T}}",
        quantity="true error rate of the choice",
        formula="(L + ‖u‖√(Σ‖x‖²))/T + 6√(log(2(T+1)/δ)/T)",
        assumptions=(IID, UNSEEN, NEW, SOME, FIXED, UNWEIGHED, COMPARED),
        bound=_kernel_perceptron,
        trivial=_largest,
    ),
    RiskGuarantee(
        id="blum.5.12",
        source="Blum et al., theorem 5.12",
        statement="A learner that makes at most M mistakes on any stream, stopped before a row drawn at random among T, has "
        "an expected error rate of at most M/T.",
        latex=r"\mathbb{E}[R(h_\tau)] \le M/T",
        quantity="expected true error rate at a random stop",
        formula="M/T",
        assumptions=(IID, UNSEEN, NEW, SOME, FIXED, BOUNDED),
        bound=_per_round,
        trivial=lambda _: 1.0,
        sure=True,
    ),
    RiskGuarantee(
        id="blum.5.13",
        source="after Blum et al., theorem 5.13, whose proof is cut off in our copy",
        statement="Controlled testing: hypothesis i is tried on ⌈log((i+2)²/δ)/ε⌉ fresh rows and kept if it errs on none; it "
        "ends within M + 1 tests, and keeps one whose error exceeds ε with probability at most (π²/6 − 5/4)δ.",
        latex=r"\Pr[R(\hat h)>\varepsilon] \le \sum_{i\ge1}\frac{\delta}{(i+2)^2}=\bigl(\tfrac{\pi^2}{6}-\tfrac54\bigr)\delta",
        quantity="probability that the true error rate exceeds ε",
        formula="(π²/6 − 5/4)δ",
        assumptions=(IID, UNSEEN, NEW, BOUNDED, EPSILON),
        bound=lambda evidence: (math.pi**2 / 6.0 - 1.25) * evidence.delta,
        trivial=lambda _: 1.0,
    ),
    ANYTIME,
    AVERAGE,
    RiskGuarantee(
        id="risk.survivor",
        source="a union bound over hypotheses, for the pocket of Gallant 1990",
        statement="With probability 1 − δ, at all times, the k-th distinct hypothesis, if it got n new rows in a row right "
        "from its first round on, has an error rate of at most log(k(k+1)/δ)/n.",
        latex=r"R(h_k) \le \tfrac1n\log\tfrac{k(k+1)}{\delta}",
        quantity="true error rate of the survivor",
        formula="log(k(k+1)/δ)/n",
        assumptions=(IID, UNSEEN, NEW, SURVIVED),
        bound=_survivor,
        trivial=lambda _: 1.0,
    ),
    RiskGuarantee(
        id="risk.vote",
        source="after Mohri et al., lemma 8.14: a wrong vote needs half of the votes",
        statement="With probability 1 − δ the vote of the hypotheses, each with a voice a round it was used in, errs with "
        "probability at most 2(mean mistakes + √(log(1/δ)/(2T))).",
        latex=r"R\bigl(\operatorname{sgn}\textstyle\sum_t\operatorname{sgn}h_t\bigr) \le "
        r"2\Bigl(\tfrac MT+\sqrt{\tfrac{\log(1/\delta)}{2T}}\Bigr)",
        quantity="true error rate of the vote",
        formula="2(mean mistakes + √(log(1/δ)/(2T)))",
        assumptions=(IID, UNSEEN, NEW, SOME, FIXED, SIGNS),
        bound=_vote,
        trivial=lambda _: 1.0,
    ),
)
