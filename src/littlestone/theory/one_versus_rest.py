"""Theorems on one versus the rest: a wrong class needs a wrong binary learner, so their bounds add up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData
from littlestone.linear import PassiveAggressive, Perceptron
from littlestone.loop import advance
from littlestone.multiclass import OneVersusRest
from littlestone.run import Run
from littlestone.theory.catalogue import theory
from littlestone.theory.comparators import Trials
from littlestone.theory.comparators.trials import start_of
from littlestone.theory.evidence import Comparison, LinearEvidence, square
from littlestone.theory.guarantee import Assumption, Guarantee, Lemma
from littlestone.theory.lemmas import Checked, checked, lemmas_of
from littlestone.theory.moments import moments
from littlestone.theory.proofs import Proofs

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.learner import Learner
    from littlestone.ledger import Ledger
    from littlestone.rule import LinearRule
    from littlestone.theory.certificate import Certificate
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
@dataclass(frozen=True, eq=False)
class Binaries:
    """The rows of a run with a binary problem per class: that class against the rest."""

    rule: LinearRule
    batch: _core.Batch
    outcomes: _core.Outcomes
    numbers: npt.NDArray[np.int64]
    classes: int
    passes: int

    @staticmethod
    def of(rule: OneVersusRest, run: Run) -> Binaries:
        """With the features and classes as the run knew them."""
        batch, outcomes = run.learner.encode(run.X, run.y)
        batch.check()
        numbers = np.array([outcomes.number(t) for t in range(len(outcomes))], dtype=np.int64)
        return Binaries(rule.rule, batch, outcomes, numbers, len(run.learner.labels), run.passes)

    @property
    def constant(self) -> int:
        """The mistakes of whoever always shows the class met most often."""
        return self.passes * (len(self.numbers) - int(np.bincount(self.numbers).max())) if len(self.numbers) else 0

    def are_of(self, ledger: Ledger) -> bool:
        """Whether they are the rows that were learned."""
        learned = _core.Totals()
        learned.witness(self.batch, self.outcomes, 0, len(self.batch))
        known = (learned.fingerprint * self.passes - ledger.fingerprint) % 2**64 == 0
        return known and ledger.witnessed == ledger.rounds

    def signs(self, k: int) -> _core.Outcomes:
        """+1 for rows of a class and −1 for all others."""
        return _core.labels(np.where(self.numbers == k, 1, -1).astype(np.int8))

    def trials(self, k: int) -> Trials:
        """The problem of a class."""
        margin, epsilon = self.rule.ends()
        start = start_of(self.rule, self.batch.width)
        return Trials(self.batch, self.signs(k), start, margin, epsilon, self.passes)

    def compared(self, U: FloatArray) -> tuple[BinaryComparator, ...]:
        """What a row of weights per class loses, each on the problem of its class."""
        ledgers = (self.trials(k).measure(u) for k, u in enumerate(U))
        return tuple(BinaryComparator(float(np.linalg.norm(u)), ledger.loss) for u, ledger in zip(U, ledgers, strict=True))

    def best(self, ledger: Ledger) -> FloatArray | None:
        """The weights that the binary theorem asks for, class by class: the bounds add up, and so do their least values."""
        name = _BINARY.get(type(self.rule))
        if name is None:
            return None
        guarantee = theory.linear[name]
        assert guarantee.comparator is not None
        widest = replace(ledger, largest_update_norm_squared=ledger.largest_norm_squared)
        evidence, found = LinearEvidence(self.rule, widest, None), list["FloatArray"]()
        for k in range(self.classes):
            trials = self.trials(k)

            def bound(u: FloatArray, trials: Trials = trials) -> float:
                return guarantee.bound(replace(evidence, comparison=Comparison(u, trials.measure(u))))

            found.append(guarantee.comparator.solve(trials, evidence, bound).u)
        return np.array(found)


_BINARY: dict[type[LinearRule], str] = {Perceptron: "mohri.8.11", PassiveAggressive: "pa.capped"}


@final
class RestProofs(Proofs):
    """The bounds of the binary learners, against weights for every class against the rest, or the best."""

    def certificates(self, of: Run | Learner, against: Against) -> list[Certificate]:
        """From the ledger of the run and the binary comparators."""
        assert isinstance(of.rule, OneVersusRest)
        given = None if isinstance(against, Run | Comparison) else against
        evidence = rest_evidence(of.rule, of.ledger, of if isinstance(of, Run) else None, given)
        words = "the best weights for every class against the rest" if isinstance(given, str) else ""
        found = [guarantee.certify(evidence) for guarantee in GUARANTEES]
        return [replace(one, comparator=words) if one.proved else one for one in found]

    def rounds(self, run: Run, beside: Beside) -> Iterator[list[Checked]]:
        """The union in every round, and the lemmas of the binary theorems for every class; of a kernel rule the union alone."""
        assert isinstance(run.rule, OneVersusRest)
        binaries = Binaries.of(run.rule, run)
        given = None if isinstance(beside, Run) else beside
        U = np.zeros((binaries.classes, binaries.batch.width)) if given is None else _matrix(given, binaries.classes)
        rule = binaries.rule
        lemmas = lemmas_of(rule, run) if rule.abilities.has_weights else {}
        margin = rule.ends()[0]
        each = [
            moments(rule, binaries.batch, binaries.signs(k), u, margin, passes=binaries.passes)
            for k, u in enumerate(U)
            if lemmas
        ]
        for together in _unions(run.rule, binaries):
            union = Checked("rest", UNION.words, *UNION.sides(together), 0.0)
            seen = [next(one) for one in each]
            yield [union, *(checked(known.id, lemma, one) for one in seen for lemma, known in lemmas.items())]


REST = RestProofs()


def _unions(rule: OneVersusRest, binaries: Binaries) -> Iterator[RestMoment]:
    """The rounds by the definition: whether the class was wrong, and how many binary learners were."""
    state = rule.init(binaries.batch.width).with_classes(binaries.classes)
    for t in (t for _ in range(binaries.passes) for t in range(len(binaries.batch))):
        row, number = binaries.batch[t], int(binaries.numbers[t])
        trial = rule.face(state, row, binaries.outcomes, t).trial  # a class that is new joins
        scores = rule.scores(state, row)
        wrong = int(np.sum(np.where(np.arange(len(scores)) == number, scores, -scores) <= 0.0))
        advance(rule, state, row, trial)
        yield RestMoment(wrong=trial.score <= 0.0, wrong_binaries=wrong)


def rest_evidence(rule: OneVersusRest, ledger: Ledger, run: Run | None, against: npt.ArrayLike | None) -> RestEvidence:
    """What is known of a run; without its rows, or with other rows than those that were learned, no comparator."""
    if run is None:
        return RestEvidence(rule.rule, ledger, None, ledger.rounds)
    binaries = Binaries.of(rule, run)
    alone = RestEvidence(rule.rule, ledger, None, binaries.constant)
    if against is None or not binaries.are_of(ledger):
        return alone
    U = binaries.best(ledger) if isinstance(against, str) else _matrix(against, binaries.classes)
    return alone if U is None else replace(alone, binaries=binaries.compared(U))


def _matrix(against: npt.ArrayLike, classes: int) -> FloatArray:
    try:
        U = np.asarray(against, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidData(f"against is {against!r}; expected a matrix, a row per class") from None
    if U.ndim != 2 or len(U) != classes or not np.isfinite(U).all():
        raise InvalidData(f"against has the shape {U.shape}; expected {classes} rows of finite numbers, one per class")
    return U
