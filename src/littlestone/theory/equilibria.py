"""Equilibria of general games as values: how much a player could gain by not doing as recommended, and why no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone.theory.games import WEAK_DUALITY, GameMoment
from littlestone.theory.guarantee import Assumption, Guarantee

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray


@final
@dataclass(frozen=True, kw_only=True)
class DeviationEvidence:
    """What the theorems read: a distribution over pairs of actions, what deviating gains, and what was allowed.

    Gains are in ranges of the payoffs of the player who gains, and the larger of both players' counts.
    """

    joint: FloatArray
    """Row i, column j: the chance that i and j are recommended."""
    gain: float
    """Of the best deviation, measured on `joint`."""
    allowed: float
    """The average regret of the rounds that `joint` is the average of, or ε where it was not found by play."""


DeviationAssumption: TypeAlias = Assumption[DeviationEvidence]
DeviationGuarantee: TypeAlias = Guarantee[DeviationEvidence, GameMoment]


def _is_distribution(evidence: DeviationEvidence) -> bool:
    return bool((evidence.joint >= 0.0).all()) and abs(float(np.sum(evidence.joint)) - 1.0) <= 1e-9


def _independent(evidence: DeviationEvidence) -> bool:
    joint = evidence.joint
    return bool(np.allclose(joint, np.outer(joint.sum(axis=1), joint.sum(axis=0)), rtol=0.0, atol=1e-12))


_DISTRIBUTION = DeviationAssumption("the recommendations are a distribution", _is_distribution)
_INDEPENDENT = DeviationAssumption("both players draw on their own", _independent)


def _guarantee(
    name: str, source: str, statement: str, latex: str, formula: str, *assumptions: DeviationAssumption
) -> DeviationGuarantee:
    return DeviationGuarantee(
        id=name,
        source=source,
        statement=statement,
        latex=latex,
        rules=(),
        quantity="gain by deviating, in payoff ranges",
        formula=formula,
        compared="the best deviation in hindsight",
        assumptions=(_DISTRIBUTION, *assumptions),
        measured=lambda evidence: evidence.gain,
        bound=lambda evidence: evidence.allowed,
        trivial=lambda _: 1.0,
        lemmas=WEAK_DUALITY[:1],
    )


NASH = _guarantee(
    "equilibrium.nash",
    "Nash 1951",
    "Two strategies are an ε-equilibrium: neither player gains more than ε by any other strategy, since a strategy earns "
    "no more than its best action.",
    r"\max_i (Aq)_i - p^\top A q \le \varepsilon, \quad \max_j (p^\top B)_j - p^\top B q \le \varepsilon",
    "ε",
    _INDEPENDENT,
)
CORRELATED = _guarantee(
    "equilibrium.correlated",
    "Foster and Vohra 1997; Hart and Mas-Colell 2000; Blum and Mansour 2007",
    "The average of what the players played is a correlated equilibrium up to their average swap regret: nobody gains "
    "more by answering each recommendation in another way.",
    r"\sum_i \max_k \sum_j \bar P_{ij} (A_{kj} - A_{ij}) \le R^{swap}/T",
    "the average swap regret, or ε",
)
COARSE = _guarantee(
    "equilibrium.coarse",
    "Hannan 1957; Moulin and Vial 1978",
    "The average of what the players played is a coarse correlated equilibrium up to their average regret: nobody gains "
    "more by one action instead of all recommendations.",
    r"\max_k \sum_{ij} \bar P_{ij} (A_{kj} - A_{ij}) \le R/T",
    "the average regret, or ε",
)

GUARANTEES: tuple[DeviationGuarantee, ...] = (NASH, CORRELATED, COARSE)
