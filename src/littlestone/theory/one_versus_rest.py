"""Theorems on one versus the rest: a wrong class needs a wrong binary learner, so their bounds add up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData, NotApplicable
from littlestone.linear import Fixed, PassiveAggressive, Perceptron
from littlestone.multiclass import OneVersusRest
from littlestone.run import Run
from littlestone.theory.class_proofs import PROTOTYPES
from littlestone.theory.evidence import Comparison, square
from littlestone.theory.guarantee import Assumption, Guarantee, Lemma
from littlestone.theory.proofs import Proofs

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.learner import Learner
    from littlestone.ledger import Ledger
    from littlestone.rule import LinearRule
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.lemmas import Checked
    from littlestone.theory.proofs import Against, Beside


@final
@dataclass(frozen=True)
class BinaryComparator:
    """Weights for one class against the rest: their length, and their hinge loss over the rounds."""

    norm: float
    loss: float


@final
@dataclass(frozen=True)
class RestEvidence:
    """The binary rule, the ledger of the whole, and a comparator per class, where some were given."""

    rule: LinearRule
    ledger: Ledger
    binaries: tuple[BinaryComparator, ...] | None
    constant: int
    """The mistakes of whoever always shows the class met most often."""

    @property
    def against(self) -> tuple[BinaryComparator, ...]:
        """The comparators; only bounds whose assumptions asked for them get here."""
        assert self.binaries is not None
        return self.binaries


@final
@dataclass(frozen=True)
class RestMoment:
    """One round: whether the class was wrong, and how many of the binary learners were."""

    wrong: bool
    wrong_binaries: int


RestGuarantee: TypeAlias = Guarantee[RestEvidence, RestMoment]


def _perceptrons(evidence: RestEvidence) -> float:
    radius = evidence.ledger.largest_norm
    roots = (radius * one.norm + np.sqrt(square(radius * one.norm) + 4.0 * one.loss) for one in evidence.against)
    return float(sum(square(root / 2.0) for root in roots))


def _capped(evidence: RestEvidence) -> float:
    rule = evidence.rule
    assert isinstance(rule, PassiveAggressive)
    worth = max(square(evidence.ledger.largest_norm / rule.margin), 1.0 / (rule.cap * rule.margin))
    return worth * sum(square(one.norm) + 2.0 * rule.cap * one.loss for one in evidence.against)


_OF_PERCEPTRONS = Assumption[RestEvidence](
    "the binary rule is the Perceptron from a zero start, without a tolerance",
    lambda evidence: isinstance(evidence.rule, Perceptron) and evidence.rule.start is None and not evidence.rule.tolerance,
)
_OF_CAPPED = Assumption[RestEvidence](
    "the binary rule is PA-I from a zero start",
    lambda evidence: (
        isinstance(evidence.rule, PassiveAggressive) and evidence.rule.variant == "PA-I" and evidence.rule.start is None
    ),
)
_POSSIBLE = Assumption[RestEvidence]("no empty row has a loss", lambda evidence: evidence.ledger.impossible == 0)
_COMPARED = Assumption[RestEvidence](
    "weights for every class against the rest ran over the same rounds",
    lambda evidence: None if evidence.binaries is None else True,
)
UNION: Lemma[RestMoment] = Lemma(
    "a wrong class needs a wrong binary learner", lambda moment: (float(moment.wrong), float(moment.wrong_binaries))
)

GUARANTEES: tuple[RestGuarantee, ...] = (
    RestGuarantee(
        id="rest.perceptron",
        source="Mohri et al., theorem 8.11, for every class against the rest (Rifkin and Klautau 2004)",
        statement="The mistakes of one versus the rest by Perceptrons are at most the sum over the classes of "
        "((a + √(a² + 4L))/2)², a = r‖u‖ and L the hinge loss of any u for that class against the rest.",
        latex=r"M \le \sum_k\Bigl(\tfrac{a_k+\sqrt{a_k^2+4L_k}}{2}\Bigr)^2",
        rules=(OneVersusRest,),
        quantity="mistakes",
        formula="Σ ((r‖u‖ + √(r²‖u‖² + 4L))/2)²",
        compared="weights for every class against the rest",
        assumptions=(_OF_PERCEPTRONS, _COMPARED),
        measured=lambda evidence: evidence.ledger.mistakes,
        bound=_perceptrons,
        trivial=lambda evidence: evidence.constant,
        lemmas=(UNION,),
    ),
    RestGuarantee(
        id="rest.capped",
        source="Crammer et al. 2006, theorem 4, for every class against the rest (Rifkin and Klautau 2004)",
        statement="The mistakes of one versus the rest by PA-I with margin m are at most the sum over the classes of "
        "max{R²/m², 1/(Cm)}(‖u‖² + 2CL), L the hinge loss of any u for that class against the rest.",
        latex=r"M \le \max\{R^2/m^2,1/(Cm)\}\sum_k\bigl(\|u_k\|^2+2CL_k\bigr)",
        rules=(OneVersusRest,),
        quantity="mistakes",
        formula="max{R²/m², 1/(Cm)}·Σ(‖u‖² + 2CL)",
        compared="weights for every class against the rest",
        assumptions=(_OF_CAPPED, _POSSIBLE, _COMPARED),
        measured=lambda evidence: evidence.ledger.mistakes,
        bound=_capped,
        trivial=lambda evidence: evidence.constant,
        lemmas=(UNION,),
    ),
)


@final
class RestProofs(Proofs):
    """The bounds of the binary learners, against weights for every class against the rest."""

    def certificates(self, of: Run | Learner, against: Against) -> list[Certificate]:
        """From the ledger of the run and the binary comparators."""
        assert isinstance(of.rule, OneVersusRest)
        given = None if isinstance(against, Run | Comparison) else against
        evidence = rest_evidence(of.rule, of.ledger, of if isinstance(of, Run) else None, given)
        return [guarantee.certify(evidence) for guarantee in GUARANTEES]

    def rounds(self, run: Run, beside: Beside) -> Iterator[list[Checked]]:
        """No lemma of theirs is about a round of all classes."""
        return PROTOTYPES.rounds(run, beside)


REST = RestProofs()


def rest_evidence(rule: OneVersusRest, ledger: Ledger, run: Run | None, against: npt.ArrayLike | None) -> RestEvidence:
    """What is known of a run; without its rows, or with other rows than those that were learned, no comparator."""
    if run is None:
        return RestEvidence(rule.rule, ledger, None, ledger.rounds)
    batch, outcomes = run.learner.encode(run.X, run.y)
    numbers = np.array([outcomes.number(t) for t in range(len(outcomes))], dtype=np.int64)
    learned = _core.Totals()
    learned.witness(batch, outcomes, 0, len(batch))
    known = (learned.fingerprint * run.passes - ledger.fingerprint) % 2**64 == 0 and ledger.witnessed == ledger.rounds
    constant = run.passes * (len(numbers) - int(np.bincount(numbers).max())) if len(numbers) else 0
    if against is None or not known:
        return RestEvidence(rule.rule, ledger, None, constant)
    U = _matrix(against, len(run.learner.labels))
    margin = rule.rule.ends()[0]
    return RestEvidence(
        rule.rule, ledger, tuple(_binary(u, k, batch, numbers, margin, run.passes) for k, u in enumerate(U)), constant
    )


def _binary(
    u: FloatArray, k: int, batch: _core.Batch, numbers: npt.NDArray[np.int64], margin: float, passes: int
) -> BinaryComparator:
    fixed, totals = Fixed(weights=u, margin=margin), _core.Totals()
    signs = _core.labels(np.where(numbers == k, 1, -1).astype(np.int8))
    loop = fixed.loop(fixed.init(max(batch.width, len(u))), None)
    loop.learn(batch, signs, totals, _core.Columns(len(batch)), 0, len(batch))
    return BinaryComparator(float(np.linalg.norm(u)), passes * totals.loss)


def _matrix(against: npt.ArrayLike, classes: int) -> FloatArray:
    if isinstance(against, str):
        raise NotApplicable("no best weights are solved for; give a matrix, a row per class, each against the rest")
    try:
        U = np.asarray(against, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidData(f"against is {against!r}; expected a matrix, a row per class") from None
    if U.ndim != 2 or len(U) != classes or not np.isfinite(U).all():
        raise InvalidData(f"against has the shape {U.shape}; expected {classes} rows of finite numbers, one per class")
    return U
