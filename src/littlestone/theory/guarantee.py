"""Guarantees: theorems as values that read the evidence of a run and answer with a certificate."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar, final

from littlestone.rule import Rule
from littlestone.theory.certificate import Certificate, Check, Verdict

if TYPE_CHECKING:
    from littlestone.theory.comparators.program import Comparator

Evidence = TypeVar("Evidence")
Moment = TypeVar("Moment")

# A floating-point sum may exceed an inequality that is tight by a few roundings (spec: section 0).
_RELATIVE = _ABSOLUTE = 1e-9


def within(measured: float, bound: float) -> bool:
    """Whether measured ≤ bound up to rounding."""
    return measured <= bound + _RELATIVE * abs(bound) + _ABSOLUTE


@final
@dataclass(frozen=True)
class Assumption(Generic[Evidence]):
    """A condition of a theorem; `check` answers None when the evidence does not tell."""

    words: str
    check: Callable[[Evidence], bool | None]


@final
@dataclass(frozen=True)
class Lemma(Generic[Moment]):
    """The one-round inequality a proof rests on: `sides` gives (left, right) for one round, left ≤ right."""

    words: str
    sides: Callable[[Moment], tuple[float, float]]


@final
@dataclass(frozen=True, kw_only=True)
class Guarantee(Generic[Evidence, Moment]):
    """A theorem: what it is about, what it assumes, and both sides of its inequality as functions of the evidence.

    A bound at or above `trivial` is true of every algorithm, so the certificate calls it vacuous.
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
    lemmas: tuple[Lemma[Moment], ...] = ()
    comparator: Comparator | None = None
    """What `against="best"` solves for; None where there is nothing to compare with."""

    def speaks_of(self, rule: Rule) -> bool:
        """Whether the theorem is about this kind of rule."""
        return isinstance(rule, self.rules)

    def certify(self, evidence: Evidence) -> Certificate:
        """Checks the assumptions, computes both sides and says what follows."""
        checks = tuple(Check(assumption.words, assumption.check(evidence)) for assumption in self.assumptions)
        measured, bound = self.measured(evidence), math.nan
        verdict = Verdict.UNPROVED
        if all(check.met for check in checks):
            bound = self.bound(evidence)
            verdict = self._verdict(measured, bound, self.trivial(evidence))
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
        )

    @staticmethod
    def _verdict(measured: float, bound: float, trivial: float) -> Verdict:
        if not within(measured, bound):
            return Verdict.VIOLATED
        return Verdict.VACUOUS if bound >= trivial else Verdict.HOLDS
