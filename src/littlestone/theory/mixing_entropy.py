"""Theorems on mixtures of log-weights: relative entropies are convex in them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from littlestone.linear.exponentiated_update import ExponentiatedUpdate, SignedExponentiatedUpdate
from littlestone.linear.multiplicative_passive_aggressive import (
    MultiplicativePassiveAggressive,
    MultiplicativePassiveAggressiveRegression,
)
from littlestone.linear.winnow import Winnow
from littlestone.theory.mixed_evidence import (
    ALIKE,
    CONVEX_ENTROPY,
    POSSIBLE,
    ROWS,
    SHARES,
    UNIFORM,
    UNWEIGHTED,
    MixedAssumption,
    MixedEvidence,
    MixedGuarantee,
    ball_losses,
    constant_mistakes,
    mistakes,
)
from littlestone.theory.simplex import budget, competes, margin_of, negative_entropy, relative_entropy, step_size, tie_share
from littlestone.uniclass.multiplicative_uniclass import MultiplicativeUniclass

if TYPE_CHECKING:
    from littlestone.ledger import Ledger

_COMMON = (SHARES, UNWEIGHTED, ALIKE, UNIFORM)


def _simplex(evidence: MixedEvidence) -> bool:
    return bool((evidence.u >= 0.0).all()) and abs(float(evidence.u.sum()) - 1.0) < 1e-9


def _winnow(evidence: MixedEvidence) -> float:
    rival = evidence.rival
    return math.log(len(evidence.u)) / _gain(evidence, rival.smallest_margin, rival.largest_entry)


def _gain(evidence: MixedEvidence, margin: float, radius: float) -> float:
    eta = step_size(evidence.rule)
    return eta * margin - eta * eta * radius * radius / 2.0


def _gains(evidence: MixedEvidence) -> bool:
    rival = evidence.rival
    return _gain(evidence, rival.smallest_margin, rival.largest_entry) > 0.0


def _regret(evidence: MixedEvidence) -> float:
    """L(u) + U·D(u‖s)/η + K(ηUX²/2 + t·UX), t what a tie may cost."""
    rule, linear = evidence.rule, evidence.linear
    eta, U, X = step_size(rule), budget(rule), evidence.ledger.largest_entry
    updates = evidence.weighted(lambda ledger: ledger.updates)
    price = U * relative_entropy(linear, scaled=False, by_width=True) / eta
    return (
        evidence.weighted_rival(lambda rival: rival.loss) + price + updates * (eta * U * X * X / 2.0 + tie_share(rule) * U * X)
    )


def _labelled(evidence: MixedEvidence) -> bool:
    return math.isfinite(evidence.ledger.smallest_margin)


def _slack(evidence: MixedEvidence) -> float:
    """By how much u exceeds the margin asked for; 0 for targets."""
    return max(margin_of(evidence.linear) - evidence.rule.ends()[0], 0.0) if _labelled(evidence) else 0.0


def _with_slack(evidence: MixedEvidence, losses: tuple[str, str]) -> float:
    slack, (plain, squared) = _slack(evidence), losses

    def total(ledger: Ledger) -> float:
        return float(getattr(ledger, squared)) + 2.0 * slack * float(getattr(ledger, plain))

    return evidence.weighted(total)


def _aggressive(evidence: MixedEvidence) -> float:
    spread = float(evidence.state.largest_spread[0])
    return 0.5 * spread**2 * relative_entropy(evidence.linear, scaled=_labelled(evidence), by_width=True)


def _realizes(evidence: MixedEvidence) -> bool:
    if not competes(evidence.linear, scaled=_labelled(evidence)):
        return False
    if _labelled(evidence):
        return margin_of(evidence.linear) >= evidence.rule.ends()[0] * (1.0 - 1e-12)
    return evidence.rival.loss <= 1e-12 * max(evidence.ledger.loss, 1.0)


def _ball_losses(evidence: MixedEvidence) -> float:
    assert isinstance(evidence.rule, MultiplicativeUniclass)
    spare = max(evidence.rule.epsilon - evidence.farthest, 0.0)
    return evidence.weighted(lambda ledger: ledger.loss_squared + 2.0 * spare * ledger.loss)


def _resting(evidence: MixedEvidence) -> float:
    """What is known without learning: a row is no farther from the even mixture than from u, and u from it."""
    assert isinstance(evidence.rule, MultiplicativeUniclass)
    apart = float(np.linalg.norm(evidence.u - 1.0 / len(evidence.u)))
    return ball_losses(evidence, evidence.rule.epsilon, evidence.farthest + apart)


def _in_ball(evidence: MixedEvidence) -> bool:
    assert isinstance(evidence.rule, MultiplicativeUniclass)
    return evidence.farthest <= evidence.rule.epsilon * (1.0 + 1e-12)


_SIMPLEX = MixedAssumption("the comparator is a distribution", _simplex)
_OF_SUM = MixedAssumption(
    "the comparator has no negative weight and sum U (with signs: absolute sum at most U)",
    lambda e: competes(e.linear, scaled=False),
)
_REALIZES = MixedAssumption("the comparator, on the simplex, has no loss on any row", _realizes)

ENTROPY_GUARANTEES: tuple[MixedGuarantee, ...] = (
    MixedGuarantee(
        id="mixing.winnow",
        source="Littlestone 1988, by the relative entropy, which is convex in the log-weights",
        statement="The weighted mistakes are at most log N/(ηρ − η²r²/2) where the distribution u has margin ρ on every row "
        "and no feature exceeds r.",
        latex=r"K \le \frac{\log N}{\eta \rho - \eta^2 r^2 / 2}",
        rules=(Winnow,),
        quantity="weighted mistakes",
        formula="log N/(ηρ − η²r²/2)",
        assumptions=(*_COMMON, ROWS, _SIMPLEX, MixedAssumption("ηρ > η²r²/2", _gains)),
        measured=mistakes,
        bound=_winnow,
        trivial=constant_mistakes,
        lemmas=(CONVEX_ENTROPY,),
        compared="a distribution that separates the rows",
    ),
    MixedGuarantee(
        id="mixing.bylander.3",
        source="Bylander 1998, theorem 3, weighted by the shares",
        statement="The weighted absolute loss exceeds that of any u ≥ 0 with sum U by at most U·D(u‖s)/η + ηKUX²/2, K "
        "the weighted updates.",
        latex=r"L \le L(u)+\frac{U\,D(u\|s)}{\eta}+\frac{\eta K U X^2}{2}",
        rules=(ExponentiatedUpdate, SignedExponentiatedUpdate),
        quantity="weighted loss",
        formula="L(u) + U·D(u‖s)/η + ηKUX²/2",
        assumptions=(
            MixedAssumption("the rule has no tolerance", lambda e: e.rule.widening() == 0.0),
            *_COMMON,
            POSSIBLE,
            ROWS,
            _OF_SUM,
        ),
        measured=lambda e: e.weighted(lambda ledger: ledger.loss),
        bound=_regret,
        trivial=lambda e: e.weighted(lambda ledger: ledger.zero_loss),
        lemmas=(CONVEX_ENTROPY,),
        compared="weights of sum U",
        hindsight=True,
    ),
    MixedGuarantee(
        id="mixing.pa.4",
        source="Crammer et al. 2003, theorem 4, constants corrected, weighted by the shares",
        statement="If u on the simplex has no loss on any row, even with ε* in place of ε, the weighted Σℓ² + "
        "2(ε−ε*)Σℓ is at most ½ρ²·D(u‖w₁), ρ the largest max(x, 0) − min(x, 0).",
        latex=r"\sum_n\sum_i\mu_{i,n}\sum_t\ell_t^2+2(\varepsilon-\varepsilon^*)\ell_t \le \tfrac12\max_t\rho_t^2\,D(u\|w_1)",
        rules=(MultiplicativePassiveAggressive, MultiplicativePassiveAggressiveRegression),
        quantity="weighted squared loss and slack",
        formula="½ρ²·D(u‖w₁)",
        assumptions=(*_COMMON, POSSIBLE, ROWS, _REALIZES),
        measured=lambda e: _with_slack(e, ("loss", "loss_squared")),
        bound=_aggressive,
        trivial=lambda e: _with_slack(e, ("zero_loss", "zero_loss_squared")),
        lemmas=(CONVEX_ENTROPY,),
        compared="a distribution without a loss",
    ),
    MixedGuarantee(
        id="mixing.pa.4u",
        source="Crammer et al. 2003, theorem 4 for uniclass, corrected, weighted by the shares",
        statement="If every row is within ε* ≤ ε of a distribution u, the weighted Σℓ² + 2(ε − ε*)Σℓ is at most "
        "D(u‖w₁), w₁ uniform over the features.",
        latex=r"\sum_n\sum_i\mu_{i,n}\sum_t\ell_t^2+2(\varepsilon-\varepsilon^*)\ell_t \le D_{RE}(u\|w_1)",
        rules=(MultiplicativeUniclass,),
        quantity="weighted squared loss + 2(ε−ε*)·loss",
        formula="log N + Σ u·log u",
        assumptions=(*_COMMON, _SIMPLEX, MixedAssumption("every row is within ε of the distribution", _in_ball)),
        measured=_ball_losses,
        bound=lambda e: math.log(len(e.u)) + negative_entropy(e.u),
        trivial=_resting,
        lemmas=(CONVEX_ENTROPY,),
        compared="a distribution whose ball holds every row",
    ),
)
