"""Theorems on iterative parameter mixing: a potential that is convex in what is mixed telescopes with weighted terms."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from littlestone.linear.passive_aggressive import PassiveAggressive, PassiveAggressiveRegression
from littlestone.linear.perceptron import Perceptron
from littlestone.multiclass.passive_aggressive import MulticlassPassiveAggressive
from littlestone.multiclass.perceptron import MulticlassPerceptron
from littlestone.theory.certificate import Certificates
from littlestone.theory.linear_proofs import weights_of
from littlestone.theory.mixed_evidence import (
    BEYOND,
    CONVEX,
    NO_LOSS,
    POSSIBLE,
    ROWS,
    SEPARATES,
    SHARES,
    UNWEIGHTED,
    WITHIN,
    ZERO,
    MixedAssumption,
    MixedEvidence,
    MixedGuarantee,
    MixedMoment,
    ball_losses,
    constant_mistakes,
    mistakes,
    zero_loss_squared,
)
from littlestone.theory.mixing_entropy import ENTROPY_GUARANTEES
from littlestone.uniclass.uniclass import Uniclass

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.epochs import Epochs
    from littlestone.learner import Learner
    from littlestone.ledger import Ledger
    from littlestone.shards import Judged, Shard
    from littlestone.theory.certificate import Certificate

_AGGRESSIVE = (PassiveAggressive, PassiveAggressiveRegression)
_ADDITIVE = (SHARES, WITHIN, UNWEIGHTED, ROWS)
_EUCLIDEAN = (CONVEX, BEYOND)


def _separable(evidence: MixedEvidence) -> float:
    return evidence.radius_squared * evidence.norm_squared / evidence.rival.smallest_margin**2


def _inseparable(evidence: MixedEvidence) -> float:
    updates = evidence.weighted(lambda ledger: ledger.update_norm_squared)
    return evidence.weighted_rival(lambda rival: rival.loss) + math.sqrt(evidence.norm_squared * updates)


def _many_inseparable(evidence: MixedEvidence) -> float:
    """As for two classes, with ‖W′‖² − ‖W‖² ≤ 2η²‖x‖²."""
    updates = evidence.weighted(lambda ledger: ledger.update_norm_squared)
    return evidence.weighted_rival(lambda rival: rival.loss) + math.sqrt(2.0 * evidence.norm_squared * updates)


def _rule(evidence: MixedEvidence) -> PassiveAggressive | PassiveAggressiveRegression | MulticlassPassiveAggressive:
    assert isinstance(evidence.rule, (*_AGGRESSIVE, MulticlassPassiveAggressive))
    return evidence.rule


def _pa_one(evidence: MixedEvidence) -> float:
    rule = _rule(evidence)
    widest = max(evidence.radius_squared, 1.0 / rule.cap)
    return widest * (evidence.norm_squared + 2.0 * rule.cap * evidence.weighted_rival(lambda rival: rival.loss))


def _relaxed(evidence: MixedEvidence, widest: float) -> float:
    gamma = _rule(evidence).relaxation
    rival = evidence.weighted_rival(lambda ledger: ledger.loss_squared)
    return (gamma + widest) * evidence.norm_squared + (1.0 + widest / gamma) * rival


def _squared_loss(evidence: MixedEvidence) -> float:
    return evidence.weighted(lambda ledger: ledger.loss_squared)


def _updates(evidence: MixedEvidence) -> float:
    return evidence.weighted(lambda ledger: ledger.updates)


def _is_pa_one(evidence: MixedEvidence) -> bool:
    return _rule(evidence).variant == "PA-I" and evidence.rule.ends()[0] == 1.0


def _ball_losses(evidence: MixedEvidence) -> float:
    """Σμ(Σℓ² + 2(ε − ε*)Σℓ)."""
    assert isinstance(evidence.rule, Uniclass)
    spare = max(evidence.rule.epsilon - evidence.farthest, 0.0)
    return evidence.weighted(lambda ledger: ledger.loss_squared + 2.0 * spare * ledger.loss)


def _resting(evidence: MixedEvidence) -> float:
    """What is known without learning: a centre that stays at a first row is no farther than 2ε* from any row."""
    assert isinstance(evidence.rule, Uniclass)
    return ball_losses(evidence, evidence.rule.epsilon, 2.0 * evidence.farthest)


def _in_ball(evidence: MixedEvidence) -> bool:
    assert isinstance(evidence.rule, Uniclass)
    return evidence.farthest <= evidence.rule.epsilon * (1.0 + 1e-12)


_IS_PA = MixedAssumption('the variant is "PA"', lambda e: _rule(e).variant == "PA")
_IS_RELAXED = MixedAssumption('the variant is "relaxed" or "PA-II"', lambda e: _rule(e).relaxation > 0.0)
_IS_PA_ONE = MixedAssumption("the variant is PA-I with margin 1", _is_pa_one)
_IN_BALL = MixedAssumption("every row is within ε of the centre", _in_ball)

_on_mistakes = partial(
    MixedGuarantee,
    quantity="weighted mistakes",
    measured=mistakes,
    trivial=constant_mistakes,
    lemmas=_EUCLIDEAN,
)

_on_squares = partial(
    MixedGuarantee,
    quantity="weighted squared loss",
    measured=_squared_loss,
    trivial=zero_loss_squared,
    lemmas=_EUCLIDEAN,
)

GUARANTEES: tuple[MixedGuarantee, ...] = (
    _on_mistakes(
        id="mcdonald.3",
        source="McDonald, Hall and Mann 2010, theorem 3",
        statement="The mistakes of all partitions and epochs, each times its partition's share and the reach of its epoch, are "
        "at most R²‖u‖²/γ² where u separates every row with margin γ. Without shares they are not: one row copied to S "
        "partitions makes S mistakes.",
        latex=r"\sum_n \sum_i \mu_{i,n} k_{i,n} \le \frac{R^2 \lVert u \rVert^2}{\gamma^2}",
        rules=(Perceptron,),
        formula="R²‖u‖²/γ²",
        assumptions=(ZERO, *_ADDITIVE, SEPARATES),
        bound=_separable,
        compared="weights that separate the rows",
    ),
    _on_mistakes(
        id="mixing.perceptron",
        source="as McDonald, Hall and Mann 2010, with the terms of Mohri and Rostamizadeh 2013",
        statement="The weighted mistakes are at most the weighted hinge loss of any u plus ‖u‖ times the root of the weighted "
        "sum of ‖x‖² over the mistakes.",
        latex=r"K \le D + \lVert u \rVert \sqrt{Q}",
        rules=(Perceptron,),
        formula="D + ‖u‖√Q",
        assumptions=(ZERO, *_ADDITIVE),
        bound=_inseparable,
        hindsight=True,
        compared="any weights, at margin 1",
    ),
    _on_mistakes(
        id="mixing.pa",
        source="Crammer et al. 2006, theorem 4, weighted by the shares",
        statement="The weighted mistakes of PA-I are at most max(R², 1/C)·(‖u‖² + 2C·(weighted hinge loss of u)).",
        latex=r"K \le \max\{R^2, 1/C\} (\lVert u \rVert^2 + 2 C D)",
        rules=(PassiveAggressive,),
        formula="max(R², 1/C)(‖u‖² + 2CD)",
        assumptions=(_IS_PA_ONE, ZERO, *_ADDITIVE, POSSIBLE),
        bound=_pa_one,
        compared="any weights, at margin 1",
    ),
    _on_squares(
        id="mixing.pa.1",
        source="Crammer et al. 2003, theorem 1, weighted by the shares",
        statement="If u has no loss on any row, the weighted squared losses of PA, of labels or of targets, are at "
        "most R²‖u‖².",
        latex=r"\sum_n \sum_i \mu_{i,n} \sum_t \ell_t^2 \le R^2 \lVert u \rVert^2",
        rules=_AGGRESSIVE,
        formula="R²‖u‖²",
        assumptions=(_IS_PA, ZERO, *_ADDITIVE, POSSIBLE, NO_LOSS),
        bound=lambda e: e.radius_squared * e.norm_squared,
        compared="weights without a loss",
    ),
    _on_squares(
        id="mixing.pa.3",
        source="Crammer et al. 2003, theorem 3, weighted by the shares",
        statement="For every u the weighted squared losses of relaxed PA and PA-II, of labels or of targets, are at most "
        "(γ+R²)‖u‖² + (1+R²/γ)·(weighted squared losses of u).",
        latex=r"\sum_n \sum_i \mu_{i,n} \sum_t \ell_t^2 \le (\gamma+R^2)\lVert u \rVert^2 + (1+R^2/\gamma) D_2",
        rules=_AGGRESSIVE,
        formula="(γ+R²)‖u‖² + (1+R²/γ)D₂",
        assumptions=(_IS_RELAXED, ZERO, *_ADDITIVE, POSSIBLE),
        bound=lambda e: _relaxed(e, e.radius_squared),
        compared="any weights",
    ),
    MixedGuarantee(
        id="mixing.mp",
        source="Crammer and Singer 2003, section 4, weighted by the shares",
        statement="The weighted updates of the multiclass Perceptron are at most the weighted hinge loss of any U "
        "plus ‖U‖ times the root of twice the weighted sum of ‖x‖² over the updates.",
        latex=r"K \le D + \lVert U \rVert \sqrt{2Q}",
        rules=(MulticlassPerceptron,),
        quantity="weighted updates",
        formula="D + ‖U‖√(2Q)",
        assumptions=_ADDITIVE,
        measured=_updates,
        bound=_many_inseparable,
        hindsight=True,
        trivial=lambda e: e.weighted(lambda ledger: ledger.rounds),
        lemmas=_EUCLIDEAN,
        compared="prototypes, a row per class",
    ),
    _on_squares(
        id="mixing.mpa",
        source="Crammer et al. 2006, section 7, weighted by the shares",
        statement="If U has no loss on any row, the weighted squared losses of multiclass PA are at most 2R²‖U‖².",
        latex=r"\sum_n \sum_i \mu_{i,n} \sum_t \ell_t^2 \le 2R^2 \lVert U \rVert^2",
        rules=(MulticlassPassiveAggressive,),
        formula="2R²‖U‖²",
        assumptions=(_IS_PA, *_ADDITIVE, POSSIBLE, NO_LOSS),
        bound=lambda e: 2.0 * e.radius_squared * e.norm_squared,
        compared="prototypes without a loss",
    ),
    _on_squares(
        id="mixing.mpa2",
        source="Crammer et al. 2006, section 7, weighted by the shares",
        statement="For every U the weighted squared losses of multiclass PA-II are at most (γ+2R²)‖U‖² + (1+2R²/γ)·(weighted "
        "squared losses of U).",
        latex=r"\sum_n \sum_i \mu_{i,n} \sum_t \ell_t^2 \le (\gamma+2R^2)\lVert U \rVert^2 + (1+2R^2/\gamma) D_2",
        rules=(MulticlassPassiveAggressive,),
        formula="(γ+2R²)‖U‖² + (1+2R²/γ)D₂",
        assumptions=(_IS_RELAXED, *_ADDITIVE, POSSIBLE),
        bound=lambda e: _relaxed(e, 2.0 * e.radius_squared),
        compared="prototypes, a row per class",
    ),
    MixedGuarantee(
        id="mixing.pa.1u",
        source="Crammer et al. 2003, theorem 1 for uniclass, weighted by the shares",
        statement="If every row is within ε* ≤ ε of u, the weighted Σℓ² + 2(ε − ε*)Σℓ is at most ε*²: each partition "
        "begins with its first row, which is no farther than that from u.",
        latex=r"\sum_n \sum_i \mu_{i,n} \sum_t \ell_t^2 + 2(\varepsilon-\varepsilon^*)\ell_t \le {\varepsilon^*}^2",
        rules=(Uniclass,),
        quantity="weighted squared loss + 2(ε−ε*)·loss",
        formula="ε*²",
        assumptions=(SHARES, UNWEIGHTED, _IN_BALL),
        measured=_ball_losses,
        bound=lambda e: e.farthest**2,
        trivial=_resting,
        lemmas=(CONVEX,),
        compared="a centre whose ball holds every row",
    ),
    *ENTROPY_GUARANTEES,
)


def certify_epochs(run: Epochs, against: npt.ArrayLike) -> list[Certificate]:
    """Runs weights over the partitions and reads every theorem that speaks of mixtures of the rule.

    Where there is none, those that speak of the rule itself say *unproved*: the mixture did not make these rounds alone.
    """
    speaking = [guarantee for guarantee in GUARANTEES if guarantee.speaks_of(run.rule)]
    if not speaking:
        return run.learner.certify()
    evidence = evidence_of(run, weights_of(against, *run.learner.state.w.shape))
    return Certificates(guarantee.certify(evidence) for guarantee in speaking)


def evidence_of(run: Epochs, u: FloatArray) -> MixedEvidence:
    """What the theorems read of epochs beside fixed weights u, which are run by whoever ran the epochs."""
    from littlestone.shards import learned_by

    learner = run.learner
    scheme = learner.snapshot(copy=False).space
    alike = scheme.names is None and (scheme.scheme is None or scheme.scheme.kind == "hash")
    rivals: tuple[Ledger, ...] = ()
    farthest = math.nan
    if learner.rule.abilities.alone:
        farthest = max((judged.wrong for judged in run.work(distances, _centred(learner, u))), default=0.0)
    else:
        rivals = tuple(rival.ledger for rival in run.work(learned_by, learner.with_weights(u)))
    return MixedEvidence(
        rule=run.rule,
        ledgers=run.ledgers,
        shares=run.shares,
        u=u,
        rivals=rivals,
        state=learner.state,
        alike=alike,
        farthest=farthest,
        reaches=run.reaches,
    )


def _centred(learner: Learner, u: FloatArray) -> Learner:
    """A learner whose score is the distance from u."""
    ball = Uniclass(epsilon=0.0)
    state = ball.init(len(u))
    state.v[:], state.norm_squared[0], state.rounds[0] = u, float(u @ u), 1.0
    return learner.with_state(ball, state)


def distances(shard: Shard) -> Judged:
    """How many rows a partition has, and how far the farthest is from the centre."""
    from littlestone.shards import Judged

    rows, farthest = 0, 0.0
    for X, _ in shard.partition:
        found = shard.learner.score_many(X)
        rows, farthest = rows + len(found), max(farthest, float(np.max(found, initial=0.0)))
    return Judged(rows, farthest)


__all__ = ["GUARANTEES", "MixedEvidence", "MixedGuarantee", "MixedMoment", "certify_epochs", "evidence_of"]
