"""What is proved of the pool: its log loss beside that of every member, whatever the rows and labels are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, final

from littlestone.errors import NotApplicable
from littlestone.lazy import np
from littlestone.pool.pool import Pool
from littlestone.pool.state import PoolState
from littlestone.theory.guarantee import Assumption, Guarantee, Lemma
from littlestone.theory.proofs import Proofs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.learner import Learner
    from littlestone.ledger import Ledger
    from littlestone.run import Run
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.lemmas import Checked
    from littlestone.theory.proofs import Against, Beside

MEMBERS = ("AROW", "AdaGrad logistic", "AdaGrad hinge", "PA-I", "naive Bayes", "filter", "Markov", "stack", "fading stack")
VIEWS = ("raw", "bins", "pairs", "stack of views", "fading stack of views")
_SHARES = (1.0, 1.0, 1.0, 0.05, 0.3, 0.5, 0.05, 1.0, 1.0)
PRIOR = tuple(share / math.fsum(_SHARES) for share in _SHARES)
"""The prior of the master over the members and stacks of a view, as in core/pool/binary.cpp."""
FREQUENCY = 1.0 / 16.0
"""The prior of the frequency of the label beside all of them, as in core/pool/master.h."""


@final
class PoolEvidence(NamedTuple):
    """The ledger of a pool, and the log losses of its experts, a row per class; of two labels there is one."""

    ledger: Ledger
    declared: float
    """The largest weight of a round that the rule was told to expect."""
    members: list[list[float]]
    views: list[list[float]]
    frequency: list[float]
    """The log loss of how often the label came, class by class."""
    viewed: bool
    """Whether there are views beside the raw one."""
    guests: list[float] | None = None
    """Log losses of the pool of the core, of members of the user's own and of the stacks over them, where there are any."""

    @property
    def bound(self) -> float:
        """ĉ·Σ over the classes of min over the experts of L/ĉ + ln(1/π) + ln T; to a member of a view through both masters.

        With the frequency of the label beside them: ln(16/15) more, or, of two labels, its own loss and ln 16.
        """
        if self.guests is None:
            return self._of_core
        # A third master: over the pool of the core, the guests and two stacks, all with the same prior.
        further = self.declared * (math.log(len(self.guests)) + self._once)
        return min(*self.guests, self._of_core) + further

    @property
    def best(self) -> float:
        """The log loss of the best expert; of many classes added up over the class pools."""
        core = math.fsum(
            min([*members, *(views if self.viewed else ()), *([frequency] if self.classes == 2 else ())])
            for members, views, frequency in zip(self.members, self.views, self.frequency, strict=True)
        )
        return core if self.guests is None else min(core, *self.guests)

    @property
    def _once(self) -> float:
        return math.log(max(self.ledger.rounds, 1))

    @property
    def _of_core(self) -> float:
        of_classes = zip(self.members, self.views, self.frequency, strict=True)
        return math.fsum(self._of_class(members, views, frequency) for members, views, frequency in of_classes)

    def _of_class(self, members: list[float], views: list[float], frequency: float) -> float:
        once, c = self._once, self.declared
        pooled = min(loss + c * (once - math.log(prior)) for loss, prior in zip(members, PRIOR, strict=True))
        if self.viewed:
            pooled = min(min(views), pooled) + c * (math.log(len(VIEWS)) + once)
        pooled -= c * math.log(1.0 - FREQUENCY)
        return min(pooled, frequency - c * math.log(FREQUENCY)) if self.classes == 2 else pooled

    @property
    def constant(self) -> float:
        """The mistakes that are known without learning: of two labels those of the one met more often, else every round."""
        rounds, positives = self.ledger.rounds, self.ledger.positives
        return float(min(positives, rounds - positives) if self.classes == 2 else rounds)

    @property
    def constant_log_loss(self) -> float:
        """The log loss that is known without learning: of two labels that of their shares, else of equal chances."""
        rounds, positives = self.ledger.rounds, self.ledger.positives
        if self.classes > 2 or not self.ledger.unit_weights:
            return self.ledger.weight * math.log(self.classes)
        counts = [count for count in (positives, rounds - positives) if count]
        return sum(count * math.log(rounds / count) for count in counts)

    @property
    def classes(self) -> int:
        """Two labels have one pool between them."""
        return max(2, len(self.members))


@final
class PoolMoment(NamedTuple):
    """One round of the master: the weights before and after, and the probability that each expert gave to what came."""

    before: FloatArray
    after: FloatArray
    of_truth: FloatArray
    awake: BoolArray
    round: int
    """Counted from 1."""
    mistaken: bool = False
    """Whether the label that was shown was wrong."""

    @property
    def lost(self) -> float:
        """The log loss of the mixture of those awake."""
        awake = self.awake
        return -math.log(float(self.before[awake] @ self.of_truth[awake]) / float(self.before[awake].sum()))

    @property
    def least(self) -> float:
        """Over the experts, the loss of each and what its weight gained; a sleeper is charged what the mixture lost."""
        own = np.where(self.awake, -np.log(self.of_truth), self.lost)
        kept = self.before * (1.0 - 1.0 / (self.round + 1))
        return float((own + np.log(self.after / kept)).min())


PoolGuarantee: TypeAlias = "Guarantee[PoolEvidence, PoolMoment]"

_DECLARED = Assumption[PoolEvidence](
    "no round weighs more than largest_weight", lambda evidence: evidence.ledger.largest_weight <= max(evidence.declared, 1.0)
)
_UNIT = Assumption[PoolEvidence]("every round has weight 1", lambda evidence: evidence.ledger.unit_weights)

MASTER: PoolGuarantee = Guarantee(
    id="pool.master",
    source="Vovk 1990; Herbster and Warmuth 1998; sleepers: Freund et al. 1997",
    statement=(
        "The log loss of Bayes' mixture with shares 1/(t+1) is at most that of any expert plus ln(1/π) + ln T, an expert that "
        "sleeps charged what the mixture lost; of two labels, beside their frequency without shares, it is ln(16/15) more, or "
        "the loss of the frequency plus ln 16. Of many classes the bounds of the class pools add up."
    ),
    latex=r"L_T \le L_{k,T} + \ln\frac{1}{\pi_k} + \ln T",
    rules=(Pool,),
    quantity="log loss",
    formula="min_k L_k + ln(1/π_k) + ln T",
    assumptions=(_DECLARED,),
    measured=lambda evidence: evidence.ledger.weighted_loss,
    bound=lambda evidence: evidence.bound,
    trivial=lambda evidence: evidence.constant_log_loss,
    lemmas=(Lemma("−ln p ≤ −ln pₖ + ln(w′ₖ/wₖ) + ln((t+1)/t) for every expert", lambda moment: (moment.lost, moment.least)),),
    compared="the best member, view or stack, or the frequency of the label",
)

MISTAKES: PoolGuarantee = Guarantee(
    id="pool.mistakes",
    source="a probability of at most 1/2 for what came costs at least ln 2",
    statement="The mistakes are at most the log loss over ln 2, and one for every class beyond the second.",
    latex=r"M \le L_T / \ln 2",
    rules=(Pool,),
    quantity="mistakes",
    formula="L/ln 2 + (classes − 2)",
    assumptions=(_UNIT,),
    measured=lambda evidence: float(evidence.ledger.mistakes),
    bound=lambda evidence: evidence.ledger.loss / math.log(2.0) + evidence.classes - 2,
    trivial=lambda evidence: evidence.constant,
    lemmas=(Lemma("1[mistake] ≤ −ln p / ln 2", lambda moment: (float(moment.mistaken), moment.lost / math.log(2.0))),),
    compared="nobody",
    hindsight=True,
)

GUARANTEES: tuple[PoolGuarantee, ...] = (MASTER, MISTAKES)


@final
class PoolProofs(Proofs):
    """Those of the master, from the pool's own account; the rounds of a pool are not made again in Python."""

    def certificates(self, of: Run | Learner, against: Against) -> list[Certificate]:
        """Against the best member, whatever else is given."""
        return pool_certificates(of)

    def rounds(self, run: Run, beside: Beside) -> Iterator[list[Checked]]:
        """None.

        Raises:
            NotApplicable: always.
        """
        raise NotApplicable("a pool has no one vector of weights to be audited; its certificates are from its own account")


POOLS = PoolProofs()


def pool_evidence(of: Run | Learner) -> PoolEvidence | None:
    """What is known of a pool for labels; None of one for targets."""
    state, rule = of.state, of.rule
    if not isinstance(state, PoolState) or not isinstance(rule, Pool):
        return None
    return evidence_of(rule, of.ledger, state.accounts())


def evidence_of(rule: Pool, ledger: Ledger, accounts: Mapping[str, list[float]]) -> PoolEvidence:
    """What a ledger and the accounts of the same moment say."""
    members, views = _by_class(accounts["member_losses"], len(MEMBERS)), _by_class(accounts["view_losses"], len(VIEWS))
    viewed, frequency = bool(accounts["viewed"][0]), accounts["frequency_losses"]
    return PoolEvidence(ledger, rule.largest_weight, members, views, frequency, viewed, accounts.get("guest_losses"))


def _by_class(values: list[float], count: int) -> list[list[float]]:
    return [values[k : k + count] for k in range(0, len(values), count)]


def pool_certificates(of: Run | Learner) -> list[Certificate]:
    """The certificates of a pool; a pool for targets has none."""
    evidence = pool_evidence(of)
    if evidence is None:
        return []
    paired = [of.ledger.beats_majority()] if evidence.classes == 2 else []
    return [*(guarantee.certify(evidence) for guarantee in GUARANTEES), *paired]
