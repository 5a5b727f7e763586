"""Guarantees: theorems as values that read the evidence of a run and answer with a certificate."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar, final

from littlestone.rule import Rule
from littlestone.theory.certificate import Certificate, Check, Verdict

if TYPE_CHECKING:
    from littlestone.theory.comparators.program import HindsightComparator

Evidence = TypeVar("Evidence")
Moment = TypeVar("Moment")

# A floating-point sum may exceed an inequality that is tight by a few roundings (spec: section 0).
_RELATIVE = _ABSOLUTE = 1e-9
# What is left of two large numbers after a subtraction is known to a few roundings of these.
_CANCELLED = 1e-12


def within(measured: float, bound: float, subtracted: float = 0.0) -> bool:
    """Whether measured ≤ bound up to rounding; `subtracted` is how large the numbers were whose difference it is."""
    return measured <= bound + _RELATIVE * abs(bound) + _ABSOLUTE + _CANCELLED * subtracted


@final
@dataclass(frozen=True)
class Assumption(Generic[Evidence]):
    """A condition of a theorem; `check` answers None when the evidence does not tell."""

    words: str
    check: Callable[[Evidence], bool | None]
    declared: Callable[[Evidence], bool] = lambda _: False
    """Whether the answer is what the caller says, which no data can show."""

    def checked(self, evidence: Evidence) -> Check:
        """The condition and whether it is met; what was declared says so."""
        words = f"{self.words} (declared)" if self.declared(evidence) else self.words
        return Check(words, self.check(evidence))


@final
@dataclass(frozen=True)
class Lemma(Generic[Moment]):
    """The one-round inequality a proof rests on: `sides` gives (left, right) for one round, left ≤ right."""

    words: str
    sides: Callable[[Moment], tuple[float, float]]


def described(head: str, says: str, **lists: Iterable[str]) -> str:
    """A theorem in a few lines: the inequality, where it comes from and what it says, and lists of what belongs to it."""
    listed = ((word.replace("_", " "), "; ".join(entries)) for word, entries in lists.items())
    return "\n".join([head, f"  {says}", *(f"  {word}: {entries}" for word, entries in listed if entries)])


@final
@dataclass(frozen=True, kw_only=True)
class Guarantee(Generic[Evidence, Moment]):
    """A theorem: what it is about, what it assumes, and both sides of its inequality as functions of the evidence.

    A bound at or above `trivial` is true of every algorithm, so the certificate calls it vacuous.

    Example:
        >>> import littlestone as ls
        >>> print(ls.theory["mohri.8.6b"])
        mohri.8.6b: regret ≤ √((T/2) log N)
          Mohri et al., theorem 8.6, second part: With η = √(8 log N/T) the regret is at most √((T/2) log N), for convex \
losses in [0, 1].
          assumes: the range of the losses was declared; the loss is convex; the horizon was the number of rounds; the prior \
is uniform; there are at least two experts
          compared with: the best expert
          lemma: p·l + (1/η) log(W′/W) ≤ η/8, W = Σexp(−ηL)
    """

    id: str
    source: str
    statement: str
    latex: str
    rules: tuple[type[Rule], ...]
    quantity: str
    formula: str
    assumptions: tuple[Assumption[Evidence], ...]
    measured: Callable[[Evidence], float]
    bound: Callable[[Evidence], float]
    trivial: Callable[[Evidence], float] = lambda _: math.inf
    subtracted: Callable[[Evidence], float] = lambda _: 0.0
    """How large the numbers are whose difference is measured: a regret is known to roundings of the losses."""
    lemmas: tuple[Lemma[Moment], ...] = ()
    comparator: HindsightComparator | None = None
    """What `against="best"` solves for; None where there is nothing to solve for."""
    hindsight: bool = False
    """Whether the right-hand side reads what the run itself measured, so that it could not be known without the run."""
    compared: str = ""
    """What the run is compared with where that is not solved for by a program."""

    def speaks_of(self, rule: Rule) -> bool:
        """Whether the theorem is about this kind of rule."""
        return isinstance(rule, self.rules)

    def certify(self, evidence: Evidence) -> Certificate:
        """Checks the assumptions, computes both sides and says what follows."""
        checks = tuple(assumption.checked(evidence) for assumption in self.assumptions)
        measured, bound = self.measured(evidence), math.nan
        verdict = Verdict.UNPROVED
        if all(check.met for check in checks):
            bound = _in_range(self.bound, evidence)
            if math.isnan(bound) or not math.isfinite(measured):
                checks = (*checks, Check("both sides are within the range of numbers", False))
            else:
                verdict = _verdict(within(measured, bound, self.subtracted(evidence)), bound, self.trivial(evidence))
        return Certificate(
            id=self.id,
            source=self.source,
            statement=self.statement,
            verdict=verdict,
            quantity=self.quantity,
            measured=measured,
            bound=bound,
            formula=self.formula,
            assumptions=checks,
            hindsight=self.hindsight,
        )

    def __str__(self) -> str:
        return described(
            f"{self.id}: {self.quantity} ≤ {self.formula}",
            f"{self.source}: {self.statement}",
            assumes=(assumption.words for assumption in self.assumptions),
            compared_with=[self.comparator.words if self.comparator is not None else self.compared],
            lemma=(lemma.words for lemma in self.lemmas),
        )


def _in_range(bound: Callable[[Evidence], float], evidence: Evidence) -> float:
    """The bound; infinite where one of its terms is larger than any number."""
    try:
        return bound(evidence)
    except OverflowError:
        return math.inf


def _verdict(kept: bool, bound: float, trivial: float) -> Verdict:
    if not kept:
        return Verdict.VIOLATED
    return Verdict.VACUOUS if bound >= trivial else Verdict.HOLDS
