"""Theorems on uniclass learning."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

from littlestone.theory.guarantee import Assumption, Guarantee, Lemma
from littlestone.uniclass import BatchUniclass, KernelUniclass, MultiplicativeUniclass, RadiusUniclass, Uniclass

if TYPE_CHECKING:
    from littlestone.ledger import Ledger
    from littlestone.rule import LinearRule


@final
@dataclass(frozen=True)
class Around:
    """A centre u: how far the farthest row is from it, and how far it is from the first centre w₁."""

    radius: float
    """ε*: the largest ‖x − u‖ over the stream."""
    distance: float
    """‖u − w₁‖² for the additive rules, Σ u·log(u/w₁) for the multiplicative one."""
    in_simplex: bool
    resting: float = math.inf
    """What the losses of a centre that stays at w₁ would add up to, as the theorem counts them."""


@final
@dataclass(frozen=True)
class UniclassEvidence:
    """A rule, its ledger, what its budget did, and the centre it is compared with."""

    rule: LinearRule
    epsilon: float
    ledger: Ledger
    around: Around | None
    changed: bool
    """Whether a budget changed an update."""
    whole: bool = True
    """Whether every step brings its row into the ball."""

    @property
    def against(self) -> Around:
        """The centre; only bounds whose assumptions asked for one get here."""
        assert self.around is not None
        return self.around


@final
@dataclass(frozen=True)
class UniclassMoment:
    """One round seen from the proof: the loss, the radii of rule and comparator, and the progress towards u."""

    loss: float
    epsilon: float
    radius: float
    gain: float
    """By how much the distance of `Around` from w to u fell."""
    scale: float = 1.0
    """The size of the numbers that the gain is a difference of."""
    moved: bool = True


UniclassAssumption: TypeAlias = Assumption[UniclassEvidence]
UniclassGuarantee: TypeAlias = Guarantee[UniclassEvidence, UniclassMoment]


def _losses(evidence: UniclassEvidence) -> float:
    """Σℓ² + 2(ε − ε*)Σℓ; without a comparator the first part."""
    spare = 0.0 if evidence.around is None else max(evidence.epsilon - evidence.around.radius, 0.0)
    return evidence.ledger.loss_squared + 2.0 * spare * evidence.ledger.loss


def _holds_the_stream(evidence: UniclassEvidence) -> bool | None:
    return None if evidence.around is None else evidence.around.radius <= evidence.epsilon * (1.0 + 1e-12)


def _round(moment: UniclassMoment) -> tuple[float, float]:
    """ℓ² + 2(ε − ε*)ℓ ≤ how much nearer the round brought the centre to u."""
    return moment.loss**2 + 2.0 * (moment.epsilon - moment.radius) * moment.loss, moment.gain


def _move(moment: UniclassMoment) -> tuple[float, float]:
    """The same in a round that moved the centre; a batch rule lets small losses be."""
    return _round(moment) if moment.moved else (0.0, 0.0)


def _batch_bound(evidence: UniclassEvidence) -> float:
    """The largest whole number below ‖u − w₁‖²/β; a rounding counts for the learner."""
    rule = evidence.rule
    assert isinstance(rule, BatchUniclass)
    return max(0, math.ceil(evidence.against.distance / rule.beta * (1.0 + 1e-12)) - 1)


HOLDS_THE_STREAM = UniclassAssumption("the ball of radius ε around u holds every row", _holds_the_stream)
WHOLE_STEPS = UniclassAssumption("every step brings its row into the ball", lambda evidence: evidence.whole)
UNCHANGED = UniclassAssumption("no budget changed an update", lambda evidence: not evidence.changed)
IN_SIMPLEX = UniclassAssumption(
    "u is a distribution over the features",
    lambda evidence: None if evidence.around is None else evidence.around.in_simplex,
)

GUARANTEES: tuple[UniclassGuarantee, ...] = (
    UniclassGuarantee(
        id="pa.1u",
        source="Crammer et al. 2003, theorem 1, for uniclass",
        statement="If every row is within ε* ≤ ε of u, then Σℓ² + 2(ε − ε*)Σℓ ≤ ‖u − w₁‖², w₁ being the first row.",
        latex=r"\sum_t \ell_t^2+2(\varepsilon-\varepsilon^*)\sum_t \ell_t \le \|u-w_1\|^2",
        rules=(Uniclass, KernelUniclass, RadiusUniclass),
        quantity="squared loss + 2(ε−ε*)·loss",
        formula="‖u − w₁‖²",
        compared="a centre whose ball holds every row",
        assumptions=(UNCHANGED, HOLDS_THE_STREAM, WHOLE_STEPS),
        measured=_losses,
        bound=lambda evidence: evidence.against.distance,
        trivial=lambda evidence: evidence.against.resting,
        lemmas=(Lemma("ℓ² + 2(ε−ε*)ℓ ≤ ‖w−u‖² − ‖w′−u‖²", _round),),
    ),
    UniclassGuarantee(
        id="pa.4u",
        source="Crammer et al. 2003, theorem 4, for uniclass, corrected",
        statement="With the step 2ℓ, from uniform weights w₁ over the features: if every row is within ε* ≤ ε of a "
        "distribution u, then Σℓ² + 2(ε − ε*)Σℓ ≤ D(u‖w₁). Errata: the printed step ℓ/(8‖v‖²) with the bound 8D is false.",
        latex=r"\sum_t \ell_t^2+2(\varepsilon-\varepsilon^*)\sum_t \ell_t \le D_{RE}(u\|w_1)",
        rules=(MultiplicativeUniclass,),
        quantity="squared loss + 2(ε−ε*)·loss",
        formula="Σ u·log(u/w₁)",
        compared="a distribution whose ball holds every row",
        assumptions=(IN_SIMPLEX, HOLDS_THE_STREAM),
        measured=_losses,
        bound=lambda evidence: evidence.against.distance,
        trivial=lambda evidence: evidence.against.resting,
        lemmas=(Lemma("ℓ² + 2(ε−ε*)ℓ ≤ D(u‖w) − D(u‖w′)", _round),),
    ),
    UniclassGuarantee(
        id="pa.batchu",
        source="Crammer et al. 2003, section 4, for uniclass",
        statement="If every row of the sample is within ε of u, batch uniclass comes to rest after fewer than ‖u − w₁‖²/β "
        "moves of its first centre w₁, the first row.",
        latex=r"K < \|u-w_1\|^2/\beta",
        rules=(BatchUniclass,),
        quantity="moves of the centre",
        formula="⌈‖u − w₁‖²/β⌉ − 1",
        compared="a centre whose ball holds every row",
        assumptions=(HOLDS_THE_STREAM,),
        measured=lambda evidence: max(evidence.ledger.updates - 1, 0),
        bound=_batch_bound,
        trivial=lambda evidence: evidence.ledger.rounds,
        lemmas=(Lemma("ℓ² + 2(ε−ε*)ℓ ≤ ‖w−u‖² − ‖w′−u‖² on a move", _move),),
    ),
)
