"""What theorems on mixtures read: the ledger of every partition and epoch, its share, and those of a comparator."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone.mixing import merge
from littlestone.theory.evidence import Comparison, LinearEvidence
from littlestone.theory.guarantee import Assumption, Guarantee, Lemma

if TYPE_CHECKING:
    from collections.abc import Callable

    from littlestone.arrays import FloatArray
    from littlestone.ledger import Ledger
    from littlestone.rule import LinearRule
    from littlestone.state import State


@final
@dataclass(frozen=True, kw_only=True)
class MixedEvidence:
    """The epochs, and fixed weights u (of many classes a row each; of one class a centre)."""

    rule: LinearRule
    ledgers: tuple[tuple[Ledger, ...], ...]
    shares: tuple[FloatArray, ...]
    u: FloatArray
    rivals: tuple[Ledger, ...]
    """Of u, run over each partition once; none for a rule of one class."""
    state: State
    """Of the mixture."""
    alike: bool = True
    """Whether all partitions had the same features from the first row on: columns, or features by hash."""
    reaches: tuple[float, ...] = ()
    """How many times as far as the mixture of each epoch the next one began; none says 1 of all."""
    farthest: float = math.nan
    """Of one class: the largest distance of a row from u."""

    def weighted(self, total: Callable[[Ledger], float]) -> float:
        """A total of every partition and epoch, each times its share and the reach of its epoch."""
        epochs = zip(self._counts(), self.ledgers, strict=True)
        return sum(
            float(count) * total(ledger) for counts, epoch in epochs for count, ledger in zip(counts, epoch, strict=True)
        )

    def weighted_rival(self, total: Callable[[Ledger], float]) -> float:
        """A total of u over each partition, times its share in every epoch and the reach of the epoch."""
        return sum(
            float(count) * total(rival) for counts in self._counts() for count, rival in zip(counts, self.rivals, strict=True)
        )

    def _counts(self) -> list[FloatArray]:
        reaches = self.reaches or (1.0,) * len(self.shares)
        return [reach * shares for reach, shares in zip(reaches, self.shares, strict=True)]

    @property
    def rival(self) -> Ledger:
        """Of u over all partitions."""
        return merge(self.rivals)

    @property
    def ledger(self) -> Ledger:
        """Of all partitions and epochs."""
        return merge([ledger for epoch in self.ledgers for ledger in epoch])

    @property
    def norm_squared(self) -> float:
        """‖u‖²."""
        return float(np.sum(self.u**2))

    @property
    def radius_squared(self) -> float:
        """R²: of the longest row."""
        return self.rival.largest_norm_squared

    @property
    def linear(self) -> LinearEvidence:
        """The same as that of one run, for what does not depend on who learned what."""
        return LinearEvidence(self.rule, self.ledger, Comparison(np.ravel(self.u), self.rival), None, self.state)


@final
@dataclass(frozen=True)
class MixedMoment:
    """One mixing seen from the proof: the weights (or log-weights) of each partition, their shares, and u."""

    parts: tuple[FloatArray, ...]
    shares: FloatArray
    u: FloatArray
    start: FloatArray | None = None
    """Where all of them began; None is 0."""
    reach: float | None = None
    """How many times as far as the mixture the next epoch begins; None is as far as the proof carries."""

    @property
    def mixture(self) -> FloatArray:
        """What was made of them."""
        return np.asarray(sum(share * part for share, part in zip(self.shares, self.parts, strict=True)))

    @property
    def origin(self) -> FloatArray:
        """w₀."""
        return np.zeros_like(self.u) if self.start is None else self.start

    @property
    def farthest(self) -> float:
        """Σμ‖w − w₀‖² / ‖Σμw − w₀‖², the largest λ."""
        moved = float(np.sum((self.mixture - self.origin) ** 2))
        return self.mean(lambda w: float(np.sum((w - self.origin) ** 2))) / moved if moved else 1.0

    def mean(self, of: Callable[[FloatArray], float]) -> float:
        """The mean of a function of the parts."""
        return float(sum(share * of(part) for share, part in zip(self.shares, self.parts, strict=True)))


MixedAssumption: TypeAlias = Assumption[MixedEvidence]
MixedGuarantee: TypeAlias = Guarantee[MixedEvidence, MixedMoment]


def _same_rows(evidence: MixedEvidence) -> bool | None:
    """Partition by partition, in every epoch; None where a ledger does not know its rows."""
    pairs = [zip(evidence.rivals, epoch, strict=True) for epoch in evidence.ledgers]
    known = [rival.is_of(ledger) for pair in pairs for rival, ledger in pair]
    return False if False in known else None if None in known else True


def _no_loss(evidence: MixedEvidence) -> bool:
    return evidence.rival.loss <= 1e-12 * max(evidence.ledger.loss, 1.0)


def _beyond(moment: MixedMoment) -> tuple[float, float]:
    origin, reach = moment.origin, moment.farthest if moment.reach is None else moment.reach
    before = float(np.sum((origin - moment.u) ** 2))
    after = float(np.sum((origin + reach * (moment.mixture - origin) - moment.u) ** 2))
    return after - before, reach * (moment.mean(lambda w: float(np.sum((w - moment.u) ** 2))) - before)


SHARES = MixedAssumption(
    "no share is negative and those of an epoch add up to 1",
    lambda e: all(bool((s >= 0.0).all()) and abs(float(s.sum()) - 1.0) < 1e-9 for s in e.shares),
)
WITHIN = MixedAssumption(
    "no epoch began nearer than the mixture, or beyond the sum of what all partitions had moved",
    lambda e: all(1.0 <= reach <= len(epoch) for reach, epoch in zip(e.reaches, e.ledgers, strict=False)),
)
ZERO = MixedAssumption("the start is 0", lambda e: getattr(e.rule, "start", None) is None)
UNIFORM = MixedAssumption("the start is uniform", lambda e: getattr(e.rule, "start", None) is None)
ROWS = MixedAssumption("the comparator ran over the same rows", _same_rows)
SEPARATES = MixedAssumption("the comparator separates the rows", lambda e: e.rival.smallest_margin > 0.0)
NO_LOSS = MixedAssumption("the comparator has no loss on any row", _no_loss)
POSSIBLE = MixedAssumption("no row was empty that had a loss", lambda e: e.ledger.impossible == 0)
UNWEIGHTED = MixedAssumption("every round has weight 1", lambda e: all(x.unit_weights for epoch in e.ledgers for x in epoch))
ALIKE = MixedAssumption("all partitions had the same features from the first row on", lambda e: e.alike)

CONVEX = Lemma[MixedMoment](
    "‖Σμw − u‖² ≤ Σμ‖w − u‖²",
    lambda m: (float(np.sum((m.mixture - m.u) ** 2)), m.mean(lambda w: float(np.sum((w - m.u) ** 2)))),
)
BEYOND = Lemma[MixedMoment]("‖w₀ + λd − u‖² − ‖w₀ − u‖² ≤ λΣμ(‖w − u‖² − ‖w₀ − u‖²), d = Σμw − w₀", _beyond)
CONVEX_ENTROPY = Lemma[MixedMoment]("log Σexp(Σμθ) ≤ Σμ log Σexp θ", lambda m: (_log_sum(m.mixture), m.mean(_log_sum)))


def _log_sum(theta: FloatArray) -> float:
    top = float(np.max(theta))
    return top + math.log(float(np.sum(np.exp(theta - top))))


def mistakes(evidence: MixedEvidence) -> float:
    """The weighted mistakes."""
    return evidence.weighted(lambda ledger: ledger.mistakes)


def constant_mistakes(evidence: MixedEvidence) -> float:
    """What is known without learning: every row a mistake, or no more than the label met less often."""
    return evidence.weighted(lambda ledger: min(ledger.positives, ledger.rounds - ledger.positives))


def ball_losses(evidence: MixedEvidence, epsilon: float, farthest: float) -> float:
    """The weighted Σℓ² + 2(ε − ε*)Σℓ of a centre that is never farther than this from a row."""
    loss, spare = max(farthest - epsilon, 0.0), max(epsilon - evidence.farthest, 0.0)
    return evidence.weighted(lambda ledger: ledger.rounds * (loss**2 + 2.0 * spare * loss))


def zero_loss_squared(evidence: MixedEvidence) -> float:
    """What is known without learning: the squared losses of a score of 0."""
    return evidence.weighted(lambda ledger: ledger.zero_loss_squared)
