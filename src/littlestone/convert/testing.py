"""Controlled testing: a learner is tried on fresh rows until it passes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from littlestone.convert.converted import Converted, risk
from littlestone.errors import InvalidParameter, NotApplicable
from littlestone.learner import Learner
from littlestone.theory.certificate import Certificate, Check, Verdict
from littlestone.theory.risk import Progressive

if TYPE_CHECKING:
    from littlestone.labels import Label
    from littlestone.rule import LinearRule
    from littlestone.streams.space import Vector


def controlled_testing(
    rule: LinearRule,
    stream: Iterable[tuple[Vector, Label]],
    *,
    labels: tuple[Label, Label],
    epsilon: float = 0.1,
    delta: float = 0.1,
    mistake_bound: float | None = None,
    iid: bool = False,
) -> Converted:
    """Tries hypothesis i on ⌈log((i+2)²/δ)/ε⌉ fresh rows; the first that errs on none is the answer.

    A row that a hypothesis gets wrong (a score of 0 is wrong) is learned, so every test that fails is a mistake of the
    learner, and after as many as it can make the next test succeeds.

    Args:
        rule: a rule that learns labels.
        stream: fresh rows with their labels; it is read as far as needed.
        labels: the pair (negative, positive).
        epsilon: the error rate to reach.
        delta: the probability with which a worse one may be returned.
        mistake_bound: the most mistakes the rule can make, by a theorem.
        iid: you declare that the rows are independent, from one distribution.

    Raises:
        InvalidParameter: if epsilon or delta is not strictly between 0 and 1.
        NotApplicable: if the rule does not learn labels.

    Example:
        >>> import littlestone as ls
        >>> rows = ([1.0, 0.0] if t % 2 else [0.0, 1.0] for t in range(1000))
        >>> labelled = ((x, 1) for x in rows)
        >>> result = ls.convert.controlled_testing(ls.Perceptron(), labelled, labels=(-1, 1), mistake_bound=2, iid=True)
        >>> round(result.certificate.bound, 6), result.round    # (π²/6 − 5/4)·0.1, after 2 mistakes and 56 rows
        (0.039493, 58)
    """
    for name, value in (("epsilon", epsilon), ("delta", delta)):
        if not 0.0 < value < 1.0:
            raise InvalidParameter(f"{name} is {value}; {name} must be a number strictly between 0 and 1")
    if not rule.abilities.labels:
        raise NotApplicable(f"{type(rule).__name__} does not learn labels; controlled testing counts mistakes on labels")
    if rule.decide(rule.init(1), 0.25).randomized:
        raise NotApplicable(f"{type(rule).__name__} draws its labels; controlled testing tries what a hypothesis always says")
    learner, source, drawn, test, passed = Learner(rule, labels=labels), iter(stream), 0, 1, None
    while passed is None:
        passed, used = _tested(learner, source, math.ceil(math.log((test + 2) ** 2 / delta) / epsilon))
        drawn += used
        test += 1
    evidence = replace(
        Progressive(rounds=drawn, delta=delta, iid=iid, mistake_bound=mistake_bound, epsilon=epsilon),
        loss=learner.ledger.mistakes,
        blank=learner.ledger.blank_start,
    )
    return Converted(learner, (_finished(risk("blum.5.13").certify(evidence), passed),), drawn)


def _tested(learner: Learner, source: Iterator[tuple[Vector, Label]], rows: int) -> tuple[bool | None, int]:
    """Whether the hypothesis passed (None: it erred, and learned the row; False: the rows ran out), and the rows drawn."""
    for drawn in range(rows):
        pair = next(source, None)
        if pair is None:
            return False, drawn
        before = learner.ledger.mistakes
        x, y = pair
        if learner.score_one(x) == 0.0 or learner.predict_one(x) != y:
            learner.learn_one(x, y)
            assert learner.ledger.mistakes == before + 1
            return None, drawn + 1
    return True, rows


def _finished(certificate: Certificate, passed: bool) -> Certificate:
    checks = (*certificate.assumptions, Check("the rows lasted until a hypothesis passed", passed))
    if passed:
        return replace(certificate, assumptions=checks)
    return replace(certificate, assumptions=checks, verdict=Verdict.UNPROVED, bound=math.nan)
