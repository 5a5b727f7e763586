"""Audit: the lemmas of every applicable theorem, checked round by round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData, LemmaViolated, NotApplicable
from littlestone.kernels import KernelRule, Support
from littlestone.linear import Fixed
from littlestone.loop import PythonLoop
from littlestone.multiclass.rule import MulticlassRule
from littlestone.recount import is_exact, unlike, unlike_ledgers
from littlestone.run import Run
from littlestone.theory.certification import weights_of
from littlestone.theory.evidence import LinearEvidence
from littlestone.theory.flagging import SHARE
from littlestone.theory.guarantee import Lemma
from littlestone.theory.kernels import PROJECTED, KernelMoment
from littlestone.theory.lemmas import Checked, checked, lemmas_of, weighed
from littlestone.theory.moments import moments
from littlestone.theory.multiclass import GUARANTEES as MANY
from littlestone.theory.multiclass import moments as class_moments
from littlestone.theory.multiclass import prototypes
from littlestone.theory.space_moments import ball_moments, flag_moments, kernel_moments
from littlestone.theory.spot import first_state, used
from littlestone.theory.uniclass import GUARANTEES as UNICLASS
from littlestone.theory.uniclass import is_uniclass
from littlestone.uniclass import AdaptiveUniclass, RadiusUniclass

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray

# Weights in the space of a kernel are found from their scores on the rows, which costs digits.
_KERNEL_ROUNDING = 1e-8

Against: TypeAlias = "Run | npt.ArrayLike | None"


def audit(run: Run, against: Against = None) -> int:
    """Repeats a run by the definition of its rule and checks each lemma at every round; returns how many checks it made.

    The weights (of a kernel rule the coefficients) and the ledger are compared with those that the definition leaves, so that a
    compiled loop that does something else is seen.

    A lemma counts where no assumption of its theorem about rule and stream fails. It is a statement about every comparator,
    so without one it is checked with the weights the rule began with.

    Args:
        run: the run.
        against: the comparator: a vector, or a run of `ls.Fixed`; for a ball its centre; for a kernel rule coefficients,
            one a row; for a rule of many classes prototypes, a row a class, or a run of `ls.MulticlassFixed`.

    Raises:
        LemmaViolated: at the first round that breaks a lemma.
        InvalidData: if the comparator is not what the rule is compared with.
        NotApplicable: if the comparator is a run of another rule than `ls.Fixed`, or a round had another weight than 1.

    Example:
        >>> import littlestone as ls
        >>> from littlestone.theory.audit import audit
        >>> audit(ls.run(ls.PassiveAggressive(), [[3.0, 4.0], [1.0, 0.0]], [+1, -1]))  # three lemmas, two rounds
        6
    """
    if isinstance(against, str):
        raise InvalidData(f"against is {against!r}; an audit takes a vector or a run of Fixed")
    if not run.ledger.unit_weights:
        raise NotApplicable("rounds had weights other than 1; the lemmas assume that every round has weight 1")
    checks = 0
    for t, round_ in enumerate(_rounds(run, against)):
        for one in round_:
            if not one.kept:
                raise LemmaViolated(t, one.guarantee, one.words, one.left, one.right)
            checks += 1
    _compare_with_definition(run)
    return checks


def _compare_with_definition(run: Run) -> None:
    """Compares the state and the ledger of a run with those that the definition of its rule leaves.

    Raises:
        LemmaViolated: if a number differs by more than roundings.
    """
    if not run.ledger.own_rounds or not run.rule.abilities.compares:
        return
    batch, outcomes = run.learner.encode(run.X, run.y)
    state, totals = first_state(run, batch), _core.Totals()
    loop = PythonLoop(run.rule, state, None)
    for _ in range(run.passes):
        loop.learn(batch, outcomes, totals, _core.Columns(len(batch)), 0, len(batch))
    counts = unlike_ledgers(run.ledger, totals, exact=is_exact(state))
    differs = "the weights" if unlike(used(run.state), used(state)) else counts
    if differs is not None:
        raise LemmaViolated(run.ledger.rounds, "definition", f"{differs} of the run are those of its definition", 1.0, 0.0)


def _rounds(run: Run, against: Against) -> Iterator[list[Checked]]:
    if is_uniclass(run.rule):
        return _ball_rounds(run, against)
    if isinstance(run.rule, MulticlassRule):
        return _class_rounds(run, run.rule, against)
    return _kernel_rounds(run, run.rule, against) if isinstance(run.rule, KernelRule) else _linear_rounds(run, against)


# Linear rules.


def _linear_rounds(run: Run, against: Against) -> Iterator[list[Checked]]:
    batch, outcomes = run.learner.encode(run.X, run.y)
    lemmas, u = lemmas_of(run.rule, run), _comparator(run, against, batch.width)
    start = run.learner.first_state(batch.width)
    for moment in moments(run.rule, batch, outcomes, u, run.rule.ends()[0], passes=run.passes, start=start):
        yield [checked(guarantee.id, lemma, moment) for lemma, guarantee in lemmas.items()]


def _comparator(run: Run, against: Against, width: int) -> FloatArray:
    given: FloatArray = run.rule.init(width).w if against is None else np.zeros(0)
    if isinstance(against, Run):
        if not isinstance(against.rule, Fixed):
            raise NotApplicable(f"against is a run of {type(against.rule).__name__}; expected a run of Fixed or a vector")
        given = np.asarray(against.rule.weights)[:width]
    elif against is not None:
        given = weights_of(against, width)
    u = np.zeros(width)
    u[: len(given)] = given
    return u


# Many classes.


def _class_rounds(run: Run, rule: MulticlassRule, against: Against) -> Iterator[list[Checked]]:
    batch, outcomes = run.learner.encode(run.X, run.y)
    evidence = LinearEvidence(rule, run.ledger, None)
    serving = {
        lemma: guarantee
        for guarantee in reversed(MANY)
        if guarantee.speaks_of(rule) and all(a.check(evidence) is not False for a in guarantee.assumptions)
        for lemma in guarantee.lemmas
    }
    U = prototypes(run, against, batch.width)
    for moment in class_moments(rule, batch, outcomes, U, passes=run.passes) if serving else ():
        lengths = float(np.sum(moment.W**2) + np.sum(moment.W_next**2) + np.sum(moment.U**2))
        yield [
            weighed(guarantee.id, lemma.words, lemma.sides(moment), lengths, moment.norm_squared)
            for lemma, guarantee in serving.items()
        ]


# Balls.


def _ball_rounds(run: Run, against: Against) -> Iterator[list[Checked]]:
    if isinstance(against, Run):
        raise NotApplicable(f"{type(run.rule).__name__} is not compared with a run; give a centre or coefficients")
    if isinstance(run.rule, AdaptiveUniclass):
        yield from _flag_rounds(run)
        return
    guarantee = next(known for known in UNICLASS if known.speaks_of(run.rule))
    state, lemma = run.state, guarantee.lemmas[0]
    changed = isinstance(state, Support) and bool(state.expansion.dropped or state.expansion.distortion)
    changed |= isinstance(run.rule, RadiusUniclass) and run.rule.variant != "PA"
    for moment in () if changed else ball_moments(run, against):
        left, right = lemma.sides(moment)
        slack = _KERNEL_ROUNDING * (1.0 + abs(left) + abs(right) + moment.scale)
        yield [Checked(guarantee.id, lemma.words, left, right, slack)]


def _flag_rounds(run: Run) -> Iterator[list[Checked]]:
    lemma = SHARE.lemmas[0]
    for moment in flag_moments(run):
        slack = _KERNEL_ROUNDING * (1.0 + abs(moment.before) / moment.eta)
        yield [Checked(SHARE.id, lemma.words, *lemma.sides(moment), slack)]


# Kernel rules.


def _kernel_rounds(run: Run, rule: KernelRule, against: Against) -> Iterator[list[Checked]]:
    """In the space of the kernel, and only where no budget did what the theorems do not speak of."""
    if isinstance(against, Run):
        raise NotApplicable(f"{type(rule).__name__} is not compared with a run; give coefficients, one a row")
    state = run.state
    assert isinstance(state, Support)
    w, limited = state.expansion, rule.limit() is not None
    lemmas = {} if w.dropped or w.distortion else lemmas_of(rule.primal(), run)
    projected = PROJECTED.lemmas if PROJECTED.speaks_of(rule) and limited and not w.dropped else ()
    for linear, kernel in kernel_moments(run, rule, against) if lemmas or projected else ():
        found = [checked(guarantee.id, lemma, linear, _KERNEL_ROUNDING) for lemma, guarantee in lemmas.items()]
        yield found + [_projected(lemma, kernel) for lemma in projected]


def _projected(lemma: Lemma[KernelMoment], moment: KernelMoment) -> Checked:
    left, right = lemma.sides(moment)
    scale = 1.0 + abs(left) + abs(right) + moment.before + moment.after + moment.u_norm
    return Checked(PROJECTED.id, lemma.words, left, right, _KERNEL_ROUNDING * scale)
