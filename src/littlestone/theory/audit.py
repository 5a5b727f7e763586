"""Audit: the lemmas of every applicable theorem, checked round by round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData, LemmaViolated, NotApplicable
from littlestone.kernels import KernelRule, Support
from littlestone.linear import Fixed
from littlestone.loop import PythonLoop
from littlestone.multiclass.rule import MulticlassRule
from littlestone.run import Run
from littlestone.theory.catalogue import theory
from littlestone.theory.certification import weights_of
from littlestone.theory.evidence import LinearEvidence, LinearGuarantee, LinearMoment
from littlestone.theory.flagging import SHARE
from littlestone.theory.guarantee import Lemma
from littlestone.theory.kernels import PROJECTED, KernelMoment
from littlestone.theory.moments import moments
from littlestone.theory.multiclass import GUARANTEES as MANY
from littlestone.theory.multiclass import moments as class_moments
from littlestone.theory.multiclass import prototypes
from littlestone.theory.space_moments import ball_moments, flag_moments, kernel_moments
from littlestone.theory.uniclass import GUARANTEES as UNICLASS
from littlestone.theory.uniclass import is_uniclass
from littlestone.uniclass import AdaptiveUniclass, RadiusUniclass

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.rule import LinearRule

# The sides of a lemma are differences of squared lengths, so a rounding of those lengths is no violation.
_ROUNDING = 1e-12
# Weights in the space of a kernel are found from their scores on the rows, which costs digits.
_KERNEL_ROUNDING = 1e-8

# Compiled loops give the bits of the definition, or agree to 1e-12 where exp or log are involved.
_SAME = 1e-9
_COMPARED = ("rounds", "mistakes", "updates", "loss", "loss_squared", "tolerated_loss", "smallest_margin")

Against: TypeAlias = "Run | npt.ArrayLike | None"


@final
@dataclass(frozen=True)
class _Checked:
    """A lemma of a theorem in one round: both sides, and what rounding may make of them."""

    guarantee: str
    words: str
    left: float
    right: float
    slack: float


def audit(run: Run, against: Against = None) -> int:
    """Repeats a run by the definition of its rule and checks each lemma at every round; returns how many checks it made.

    The weights and the ledger of a linear run are compared with those that the definition leaves, so that a compiled loop that
    does something else is seen.

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
        >>> audit(ls.run(ls.PassiveAggressive(), [[3.0, 4.0], [1.0, 0.0]], [+1, -1]))  # two lemmas, two rounds
        4
    """
    if isinstance(against, str):
        raise InvalidData(f"against is {against!r}; an audit takes a vector or a run of Fixed")
    if not run.ledger.unit_weights:
        raise NotApplicable("rounds had weights other than 1; the lemmas assume that every round has weight 1")
    checks = 0
    for t, round_ in enumerate(_rounds(run, against)):
        for checked in round_:
            if not checked.left <= checked.right + checked.slack:
                raise LemmaViolated(t, checked.guarantee, checked.words, checked.left, checked.right)
            checks += 1
    _compare_with_definition(run)
    return checks


def _compare_with_definition(run: Run) -> None:
    """Compares the weights and the ledger of a linear run with those that the definition of its rule leaves.

    Raises:
        LemmaViolated: if a number differs by more than roundings.
    """
    if is_uniclass(run.rule) or isinstance(run.rule, MulticlassRule | KernelRule) or not run.ledger.own_rounds:
        return
    batch, outcomes = run.learner.encode(run.X, run.y)
    state, totals = run.learner.first_state(max(batch.width, len(run.state.w))), _core.Totals()
    loop = PythonLoop(run.rule, state, None)
    for _ in range(run.passes):
        loop.learn(batch, outcomes, totals, _core.Columns(len(batch)), 0, len(batch))
    size = 1.0 + float(np.max(np.abs(state.w), initial=0.0))
    apart = float(np.max(np.abs(state.w[: len(run.state.w)] - run.state.w), initial=0.0))
    pairs = [("the weights", apart / size, 0.0)]
    for name in _COMPARED:
        mine, defined = float(getattr(run.ledger, name)), float(getattr(totals, name))
        pairs.append((name.replace("_", " "), abs(mine - defined) / (1.0 + abs(defined)) if mine != defined else 0.0, 0.0))
    for words, left, right in pairs:
        if not left <= _SAME:
            raise LemmaViolated(run.ledger.rounds, "definition", f"{words} of the run are those of its definition", left, right)


def _rounds(run: Run, against: Against) -> Iterator[list[_Checked]]:
    if is_uniclass(run.rule):
        return _ball_rounds(run, against)
    if isinstance(run.rule, MulticlassRule):
        return _class_rounds(run, run.rule, against)
    return _kernel_rounds(run, run.rule, against) if isinstance(run.rule, KernelRule) else _linear_rounds(run, against)


# Linear rules.


def _linear_rounds(run: Run, against: Against) -> Iterator[list[_Checked]]:
    batch, outcomes = run.learner.encode(run.X, run.y)
    lemmas, u = _lemmas(run.rule, run), _comparator(run, against, batch.width)
    start = run.learner.first_state(batch.width)
    for moment in moments(run.rule, batch, outcomes, u, run.rule.ends()[0], passes=run.passes, start=start):
        yield [_checked(guarantee.id, lemma, moment, _ROUNDING) for lemma, guarantee in lemmas.items()]


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


def _lemmas(rule: LinearRule, run: Run) -> dict[Lemma[LinearMoment], LinearGuarantee]:
    """Each lemma once, with the first theorem it serves."""
    evidence = LinearEvidence(rule, run.ledger, None, None if isinstance(run.state, Support) else run.state.w)
    found: dict[Lemma[LinearMoment], LinearGuarantee] = {}
    for guarantee in theory.about(rule):
        if all(assumption.check(evidence) is not False for assumption in guarantee.assumptions):
            for lemma in guarantee.lemmas:
                found.setdefault(lemma, guarantee)
    return found


def _checked(guarantee: str, lemma: Lemma[LinearMoment], moment: LinearMoment, rounding: float) -> _Checked:
    lengths = float(moment.w @ moment.w + moment.w_next @ moment.w_next + moment.u @ moment.u)
    return _weighed(guarantee, lemma.words, lemma.sides(moment), lengths, moment.norm_squared, rounding)


def _weighed(
    guarantee: str, words: str, sides: tuple[float, float], lengths: float, norm_squared: float, rounding: float
) -> _Checked:
    left, right = sides
    slack = rounding * (1.0 + abs(left) + abs(right) + lengths) * (1.0 + norm_squared)
    return _Checked(guarantee, words, left, right, slack)


# Many classes.


def _class_rounds(run: Run, rule: MulticlassRule, against: Against) -> Iterator[list[_Checked]]:
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
            _weighed(guarantee.id, lemma.words, lemma.sides(moment), lengths, moment.norm_squared, _ROUNDING)
            for lemma, guarantee in serving.items()
        ]


# Balls.


def _ball_rounds(run: Run, against: Against) -> Iterator[list[_Checked]]:
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
        yield [_Checked(guarantee.id, lemma.words, left, right, slack)]


def _flag_rounds(run: Run) -> Iterator[list[_Checked]]:
    lemma = SHARE.lemmas[0]
    for moment in flag_moments(run):
        slack = _KERNEL_ROUNDING * (1.0 + abs(moment.before) / moment.eta)
        yield [_Checked(SHARE.id, lemma.words, *lemma.sides(moment), slack)]


# Kernel rules.


def _kernel_rounds(run: Run, rule: KernelRule, against: Against) -> Iterator[list[_Checked]]:
    """In the space of the kernel, and only where no budget did what the theorems do not speak of."""
    if isinstance(against, Run):
        raise NotApplicable(f"{type(rule).__name__} is not compared with a run; give coefficients, one a row")
    state = run.state
    assert isinstance(state, Support)
    w, limited = state.expansion, rule.limit() is not None
    lemmas = {} if w.dropped or w.distortion else _lemmas(rule.primal(), run)
    projected = PROJECTED.lemmas if PROJECTED.speaks_of(rule) and limited and not w.dropped else ()
    for linear, kernel in kernel_moments(run, rule, against) if lemmas or projected else ():
        found = [_checked(guarantee.id, lemma, linear, _KERNEL_ROUNDING) for lemma, guarantee in lemmas.items()]
        yield found + [_projected(lemma, kernel) for lemma in projected]


def _projected(lemma: Lemma[KernelMoment], moment: KernelMoment) -> _Checked:
    left, right = lemma.sides(moment)
    scale = 1.0 + abs(left) + abs(right) + moment.before + moment.after + moment.u_norm
    return _Checked(PROJECTED.id, lemma.words, left, right, _KERNEL_ROUNDING * scale)
