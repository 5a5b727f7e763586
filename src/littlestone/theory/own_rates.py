"""Theorems on expert rules with a rate of its own for every expert: MLpol, MLprod, MLewa and BOA, as they are implemented here.

Their bounds are of second order: they read the squared regrets r² of the rounds, and so the rounds themselves, of a run that
has them. The rates are those of the R package opera, which are not those of the papers; so the proofs are written out here.

Exponential weights (MLprod, BOA, MLewa). Let w = e^λ be the weight of an expert before the factor q that p ∝ q·w has (its rate
η, and 1 for MLewa), y = η′r with the rate η′ after the round, and a = η′/η. The new weight is w^a·F with F = 1 + y (MLprod),
e^{y−y²} ≤ 1 + y (BOA: 2.2r² ≤ 1/η′², so y ≥ −0.675) or e^y (MLewa), and w^a ≤ aw + 1 − a. As p·r ≤ 0, for every c ≥ 0
Σw′ ≤ Σ w(a(1 + ψ) + (aη′ − cq)r) + Σ(1 − a)F, where ψ = e^y − 1 − y for MLewa and 0 else. With c = 1 (MLewa: the middle of
the aη′) the first sum is at most Σw times its largest factor, so U ← max(1, factor)·U + Σ(1 − a)F bounds Σw: λ_k ≤ log U.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from littlestone.experts import BOA, MLewa, MLpol, MLprod
from littlestone.theory.expert_bounds import totals
from littlestone.theory.expert_evidence import CONVEX, SEVERAL, ExpertAssumption, ExpertEvidence, ExpertGuarantee, ExpertMoment
from littlestone.theory.guarantee import Lemma

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.rule import ExpertRule

_BOA = 2.2


def _at_hand(evidence: ExpertEvidence) -> bool | None:
    """Whether the regrets of the rounds lead to the state: other advice than what was learned does not."""
    r = evidence.regrets
    if r is None:
        return None
    squares = np.sum(r * r, axis=0)
    sums: dict[type[ExpertRule], FloatArray] = {MLprod: 1.0 + squares, BOA: _BOA * squares, MLewa: squares}
    kept = sums.get(type(evidence.rule))
    found = evidence.state.inverse_rates if kept is None else evidence.state.squares
    wanted = squares + float(np.max(r * r, initial=0.0)) if kept is None else kept
    return bool(np.allclose(found, wanted, rtol=1e-9, atol=1e-12))


def _moved_at_once(evidence: ExpertEvidence) -> bool | None:
    """Until an expert has moved it has an even share, which is not the weight that the proof has for it."""
    r = evidence.regrets
    return None if r is None else bool((r[:1] != 0.0).all())


def _best(evidence: ExpertEvidence) -> int:
    return int(np.argmax(evidence.ledger.regrets))


def _regret(evidence: ExpertEvidence) -> float:
    return evidence.ledger.regret


def _uniform(evidence: ExpertEvidence) -> float:
    """Whoever weighs all experts alike for ever has this regret at most, where nobody sleeps."""
    losses = evidence.ledger.losses
    return float(np.mean(losses) - np.min(losses)) if evidence.ledger.everybody_awake else math.inf


# MLpol.


def _paid(r: FloatArray) -> float:
    """Σ min(N, Σr²/A): what the rounds may add to Σ R₊²/A, A being 1/η before the round; the first adds Σr²/A′."""
    squares = r * r
    after = np.cumsum(squares, axis=0) + np.maximum.accumulate(squares.max(axis=1))[:, None]
    before = np.vstack([after[:1], after[:-1]])
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(squares > 0.0, squares / before, 0.0)
    return float(np.sum(np.minimum(shares.sum(axis=1), r.shape[1])))


def _polynomial_bound(evidence: ExpertEvidence) -> float:
    assert evidence.regrets is not None
    return math.sqrt(_paid(evidence.regrets) * float(evidence.state.inverse_rates[_best(evidence)]))


def _polynomial_round(moment: ExpertMoment) -> tuple[float, float]:
    """Σ R′₊²/A′ ≤ Σ R₊²/A + min(N, Σr²/A): by p·r ≤ 0, or by Cauchy's inequality, whichever is less."""
    before, after = moment.before.inverse_rates, moment.after.inverse_rates
    r = moment.own - moment.losses
    if not before.any():
        return _potential(moment.after.regrets, after), float(np.sum(r * r / np.where(after > 0.0, after, 1.0)))
    rates = 1.0 / np.where(before > 0.0, before, math.inf)
    added = min(float(len(r)), float(np.sum(r * r * rates)))
    # p·r is 0 but for a rounding of the losses, which counts where the regrets themselves are no more than that.
    rounding = 1e-15 * (abs(moment.own) + float(np.max(np.abs(moment.losses))))
    added += 2.0 * float(np.sum(np.maximum(moment.before.regrets, 0.0) * rates)) * rounding
    return _potential(moment.after.regrets, after), _potential(moment.before.regrets, before) + added


def _potential(regrets: FloatArray, inverse_rates: FloatArray) -> float:
    positive = np.maximum(regrets, 0.0)
    return float(np.sum(np.where(positive > 0.0, positive**2 / np.where(inverse_rates > 0.0, inverse_rates, 1.0), 0.0)))


# MLprod, BOA and MLewa.


def _rates(evidence: ExpertEvidence, r: FloatArray) -> FloatArray:
    """The rate of every expert after each round."""
    rule, squares = evidence.rule, np.cumsum(r * r, axis=0)
    with np.errstate(divide="ignore"):
        if isinstance(rule, BOA):
            return 1.0 / np.sqrt(_BOA * squares)
        if isinstance(rule, MLewa):
            return np.sqrt(evidence.log_experts / squares)
        caps = 0.5 / np.maximum.accumulate(np.abs(r), axis=0)
        return np.minimum(caps, np.sqrt(evidence.log_experts / (1.0 + squares)))


def _log_weight(evidence: ExpertEvidence, r: FloatArray, rates: FloatArray) -> float:
    """Log U after the last round, kept as a logarithm, for jumps of the rates can make U large."""
    rule, y = evidence.rule, rates * r
    grown = np.exp(y) if isinstance(rule, MLewa) else 1.0 + y
    if isinstance(rule, MLprod):
        log, begin, old = evidence.log_experts, 0, np.ones(r.shape[1])
    else:  # in the first round all weights are even and all rates infinite: what they become is known
        first = y[0] if isinstance(rule, MLewa) else y[0] - y[0] ** 2
        log, begin, old = math.log(float(np.sum(np.exp(first)))), 1, rates[0]
    for t in range(begin, len(r)):
        a = rates[t] / old
        factors = a + (a * rates[t] - old) * r[t]
        if isinstance(rule, MLewa):
            slopes = a * rates[t]
            middle = 0.5 * float(slopes.max() + slopes.min())
            factors = a * (grown[t] - y[t]) + (slopes - middle) * r[t]
        added = float(np.sum((1.0 - a) * grown[t]))
        log += math.log(max(1.0, float(np.max(factors))) + added * math.exp(-log))
        old = rates[t]
    return log


def _exponential_bound(evidence: ExpertEvidence) -> float:
    r, best = evidence.regrets, _best(evidence)
    assert r is not None
    rates = _rates(evidence, r)
    corrected = 0.0 if isinstance(evidence.rule, MLewa) else float(np.sum(rates[:, best] * r[:, best] ** 2))
    return _log_weight(evidence, r, rates) / float(rates[-1, best]) + corrected


def _product_round(moment: ExpertMoment) -> tuple[float, float]:
    """λ′ ≥ aλ + y − y², for every expert."""
    r, state, after = moment.own - moment.losses, moment.before, moment.after
    y = after.rates * r
    return float(np.max(after.rates / state.rates * state.log_weights + y - y * y - after.log_weights)), 0.0


def _aggregation_round(moment: ExpertMoment) -> tuple[float, float]:
    """R̃′ ≥ R̃ + r − η′r², for every expert."""
    r, after = moment.own - moment.losses, moment.after
    rates = 1.0 / np.sqrt(np.where(after.squares > 0.0, after.squares, 1.0))
    return float(np.max(moment.before.regrets + r - rates * r * r - after.regrets)), 0.0


def _regrets_round(moment: ExpertMoment) -> tuple[float, float]:
    return float(np.max(np.abs(moment.after.regrets - moment.before.regrets - (moment.own - moment.losses)))), 0.0


def _balanced(moment: ExpertMoment) -> tuple[float, float]:
    """The weights that the proof has are those that were used: p ∝ q·w has Σ q·w·r = (Σ q·w)·(p·r)."""
    state, rule, r = moment.before, moment.rule, moment.own - moment.losses
    if isinstance(rule, MLprod):
        logs = np.log(state.rates) + state.log_weights
    elif not state.squares.all():
        return 0.0, 0.0
    elif isinstance(rule, BOA):
        logs = state.regrets / np.sqrt(state.squares) - 0.5 * np.log(state.squares)
    else:
        logs = np.sqrt(math.log(len(r)) / state.squares) * state.regrets
    shares = np.exp(logs - float(np.max(logs)))
    return abs(float(shares @ r) / float(np.sum(shares)) - float(moment.p @ r)), 0.0


_AT_HAND = ExpertAssumption("the rounds are at hand, and are those that were learned", _at_hand)
_MOVED = ExpertAssumption("in the first round every expert was better or worse than the mean", _moved_at_once)
BALANCED: Lemma[ExpertMoment] = Lemma("p ∝ q·w", _balanced)

_to_the_best = partial(
    ExpertGuarantee,
    quantity="regret",
    compared="the best expert",
    hindsight=True,
    measured=_regret,
    subtracted=totals,
    trivial=_uniform,
)

OWN_RATES: tuple[ExpertGuarantee, ...] = (
    _to_the_best(
        id="rates.mlpol",
        source="Gaillard, Stoltz and van Erven 2014, section 4, for the rates of opera",
        statement="The regret of MLpol to an expert is at most √(P·(Σr² + B)), r its regrets round by round, B the largest r² "
        "of any expert, and P = Σ min(N, Σ r²η) over rounds and experts, which grows like N log T.",
        latex=r"R_k \le \sqrt{P\,\bigl(\textstyle\sum_t r_{k,t}^2+B\bigr)},\quad "
        r"P=\sum_t\min\{N,\textstyle\sum_i\eta_{i,t}r_{i,t}^2\}",
        rules=(MLpol,),
        formula="√(P·(Σr² + B))",
        assumptions=(CONVEX, SEVERAL, _AT_HAND),
        bound=_polynomial_bound,
        lemmas=(Lemma("ΣR′₊²η′ ≤ ΣR₊²η + min(N, Σr²η)", _polynomial_round), Lemma("R′ = R + r", _regrets_round)),
    ),
    _to_the_best(
        id="rates.mlprod",
        source="Gaillard, Stoltz and van Erven 2014, theorem 3, for the rates of opera",
        statement="The regret of MLprod to an expert is at most log U/η + Σηr², r its regrets and η its rates in each round; U "
        "is N and what falling rates add: U ← max(1, a + (1 − a²)[−ηr]₊)·U + Σ(1 − a)(1 + η′r), a = η′/η.",
        latex=r"R_k \le \frac{\log U_T}{\eta_{k,T}}+\sum_t\eta_{k,t}r_{k,t}^2",
        rules=(MLprod,),
        formula="log U/η + Σηr²",
        assumptions=(CONVEX, SEVERAL, _AT_HAND),
        bound=_exponential_bound,
        lemmas=(Lemma("λ′ ≥ aλ + y − y²", _product_round), BALANCED),
    ),
    _to_the_best(
        id="rates.boa",
        source="Wintenberger 2017, for the rates of opera",
        statement="The regret of BOA to an expert is at most log U/η + Σηr², r its regrets and η its rates in each round, U as "
        "for MLprod from the weights after the first round on.",
        latex=r"R_k \le \frac{\log U_T}{\eta_{k,T}}+\sum_t\eta_{k,t}r_{k,t}^2",
        rules=(BOA,),
        formula="log U/η + Σηr²",
        assumptions=(CONVEX, SEVERAL, _AT_HAND, _MOVED),
        bound=_exponential_bound,
        lemmas=(Lemma("R̃′ ≥ R̃ + r − η′r²", _aggregation_round), BALANCED),
    ),
    _to_the_best(
        id="rates.mlewa",
        source="after Gaillard, Stoltz and van Erven 2014; no paper has a bound for these rates",
        statement="The regret of MLewa to an expert is at most log U/η, U from the weights after the first round on: "
        "U ← max(1, a(e^y − y) + (aη′ − c)r)·U + Σ(1 − a)e^y. It says little where the rates of the experts differ much.",
        latex=r"R_k \le \frac{\log U_T}{\eta_{k,T}}",
        rules=(MLewa,),
        formula="log U/η",
        assumptions=(CONVEX, SEVERAL, _AT_HAND, _MOVED),
        bound=_exponential_bound,
        lemmas=(Lemma("R′ = R + r", _regrets_round), BALANCED),
    ),
)
