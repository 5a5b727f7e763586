"""From the stream itself to the risk: what the losses of a learner on fresh rows say of rows to come.

A loss is charged before the row is learned, so on independent rows it is an honest trial of the hypothesis at that moment.
Nothing has to be held out, and everything here is computed from a total and a count.
"""

from __future__ import annotations

import math

from littlestone.theory.risk import Progressive, RiskAssumption, RiskGuarantee, anytime_bound, deviation, penalty


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
# Batches that come again are noticed; rows that come again one by one are not, for a stream may have equal rows.
NEW = RiskAssumption("each row was new when it was learned: one pass", _new, _new)
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
        statement="With probability 1 − δ the vote of the hypotheses, each with a voice per round it was used in, errs with "
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
