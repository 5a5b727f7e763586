"""Regret to the best of all paths: theorems on exponentially many experts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, final

from littlestone.paths.path_weights import PathWeights
from littlestone.paths.perturbed_path import PerturbedPath
from littlestone.theory.certificate import Certificates
from littlestone.theory.guarantee import Assumption, Guarantee, Lemma

if TYPE_CHECKING:
    from littlestone.paths.ledger import PathLedger
    from littlestone.paths.network import Network
    from littlestone.paths.rule import PathRule, Scale
    from littlestone.theory.certificate import Certificate

_LOG_DELTA = -math.log(1e-9)


class Travelled(Protocol):
    """A `ShortestPaths`, or the run of one."""

    @property
    def rule(self) -> PathRule:
        """How paths are chosen."""
        ...

    @property
    def network(self) -> Network:
        """Where they go."""
        ...

    @property
    def scale(self) -> Scale:
        """How large costs can be."""
        ...

    @property
    def ledger(self) -> PathLedger:
        """What was counted."""
        ...


@final
@dataclass(frozen=True, kw_only=True)
class PathEvidence:
    """What the theorems read."""

    rounds: int
    loss: float
    best_loss: float
    log_paths: float
    span: float
    """B: how much two paths can differ in a round."""
    mass: float
    """A: the absolute costs of all arcs together."""
    longest: int
    """K: how many arcs the longest path has."""
    rates: tuple[float, float]
    """The sum of the rates of all rounds, and the last."""
    fixed: bool
    """Whether all rounds had one rate."""
    tabled: bool

    @property
    def regret(self) -> float:
        """The loss beyond that of the best path."""
        return self.loss - self.best_loss


@final
@dataclass(frozen=True, kw_only=True)
class PathMoment:
    """One round of one rate seen from the proof."""

    mean: float
    """What the round cost in expectation."""
    eta: float
    span: float
    before: float
    """log Σ exp(−η·costs) over all paths before the round."""
    after: float
    chosen: float
    """What the path taken had cost so far, after noise."""
    other: float
    """What any other had."""


PathGuarantee: TypeAlias = Guarantee[PathEvidence, PathMoment]
PathAssumption: TypeAlias = Assumption[PathEvidence]

_PLAYED = PathAssumption("at least one round was played", lambda evidence: evidence.rounds > 0)


def _weights_bound(evidence: PathEvidence) -> float:
    """At one rate log N/η + ηB²T/8; at √(8 log N/t)/B what mohri.8.7t proves, times B."""
    if evidence.log_paths == 0.0 or evidence.span == 0.0:
        return 0.0
    if evidence.fixed:
        eta = evidence.rates[1]
        return evidence.log_paths / eta + eta * evidence.span**2 * evidence.rounds / 8.0
    root = math.sqrt(evidence.rounds / 2.0 * evidence.log_paths)
    return evidence.span * (1.5 * root - math.sqrt(evidence.log_paths / 8.0))


def _perturbed_bound(evidence: PathEvidence) -> float:
    """K/(2ε_T) + BA Σ ε_t, and what a draw can differ from its mean (Azuma)."""
    total, last = evidence.rates
    luck = evidence.span * math.sqrt(evidence.rounds * _LOG_DELTA / 2.0)
    return evidence.longest / (2.0 * last) + evidence.span * evidence.mass * total + luck


WEIGHTS = PathGuarantee(
    id="paths.weights",
    source="Takimoto and Warmuth 2003, section 3 (mohri.8.6 and mohri.8.7t over all paths)",
    statement="Exponential Weights over all N paths of a graph, whose costs in a round differ by at most B, have an expected "
    "regret of at most log N/η + ηB²T/8 to the best path, and at the rate √(8 log N/t)/B of round t of at most "
    "B((3/2)√((T/2) log N) − √(log N/8)).",
    latex=r"R_T \le \tfrac1\eta\log N + \tfrac{\eta B^2T}{8}",
    rules=(PathWeights,),
    quantity="regret",
    formula="log N/η + ηB²T/8",
    compared="the best path in hindsight",
    assumptions=(_PLAYED,),
    measured=lambda evidence: evidence.regret,
    bound=_weights_bound,
    trivial=lambda evidence: evidence.span * evidence.rounds,
    subtracted=lambda evidence: abs(evidence.loss) + abs(evidence.best_loss),
    lemmas=(
        Lemma(
            "p·l + (1/η) log(W′/W) ≤ ηB²/8, W = Σexp(−ηL) over all paths",
            lambda moment: (
                moment.mean + (moment.after - moment.before) / moment.eta,
                moment.eta * moment.span**2 / 8.0,
            ),
        ),
    ),
)
PERTURBED = PathGuarantee(
    id="paths.perturbed",
    source="Kalai and Vempala 2005, theorem 1.1 (a), with the mean of the noise, noise drawn anew and Azuma's inequality",
    statement="Following the shortest path after uniform noise on [0, 1/ε] for every arc has a regret of at most "
    "K/(2ε) + εBAT + B√(T log(1/δ)/2) with probability 1 − δ, δ = 1e-9, if costs do not look at the draw of their round: K is "
    "how many arcs the longest path has, B by how much two paths can differ in a round, A the absolute costs of all arcs. The "
    "leader after noise pays for the noise of the best path, whose mean is at most K/(2ε), where D/ε in the paper pays for the "
    "largest there can be. A rate that falls with the rounds has its last value in the first term and its sum in the second.",
    latex=r"R_T \le \tfrac K{2\epsilon} + \epsilon BAT + B\sqrt{\tfrac T2\log\tfrac1\delta}",
    rules=(PerturbedPath,),
    quantity="regret",
    formula="K/(2ε) + εBAT + B√(T log(1/δ)/2)",
    compared="the best path in hindsight",
    assumptions=(
        _PLAYED,
        PathAssumption("the costs did not look at the draw of their round", lambda evidence: evidence.tabled or None),
    ),
    measured=lambda evidence: evidence.regret,
    bound=_perturbed_bound,
    trivial=lambda evidence: evidence.span * evidence.rounds,
    subtracted=lambda evidence: abs(evidence.loss) + abs(evidence.best_loss),
    lemmas=(Lemma("the path taken is a shortest one after noise", lambda moment: (moment.chosen, moment.other)),),
)

GUARANTEES: tuple[PathGuarantee, ...] = (WEIGHTS, PERTURBED)


def certify_paths(of: Travelled) -> list[Certificate]:
    """What is proved of a `ShortestPaths`, or of a run of one, on all that it has learned."""
    ledger, network, scale = of.ledger, of.network, of.scale
    rates = [of.rule.rate(network, scale, t) for t in range(ledger.rounds)] or [1.0]
    evidence = PathEvidence(
        rounds=ledger.rounds,
        loss=ledger.loss,
        best_loss=ledger.best_loss,
        log_paths=network.log_count,
        span=scale.span,
        mass=scale.mass,
        longest=network.longest,
        rates=(math.fsum(rates), rates[-1]),
        fixed=rates[0] == rates[-1],
        tabled=ledger.tabled,
    )
    return Certificates(guarantee.certify(evidence) for guarantee in GUARANTEES if guarantee.speaks_of(of.rule))
