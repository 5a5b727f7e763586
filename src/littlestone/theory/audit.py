"""Audit: the lemmas of every applicable theorem, checked round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlestone import _core
from littlestone.errors import InvalidData, LemmaViolated, NotApplicable
from littlestone.loop import PythonLoop
from littlestone.recount import is_exact, unlike, unlike_ledgers
from littlestone.theory.spot import first_state, used

if TYPE_CHECKING:
    from littlestone.run import Run
    from littlestone.theory.proofs import Beside


def audit(run: Run, against: Beside = None) -> int:
    """Repeats a run by the definition of its rule and checks each lemma at every round; returns how many checks it made.

    Where no theorem on the rule has a lemma, the checks are the rounds that the definition made again.

    The weights (of a kernel rule the coefficients) and the ledger are compared with those that the definition leaves, so that a
    compiled loop that does something else is seen.

    A lemma counts where no assumption of its theorem about rule and stream fails. It is a statement about every comparator,
    so without one it is checked with the weights the rule began with.

    Args:
        run: the run.
        against: the comparator: a vector, or a run of `ls.Fixed`; for a ball its centre; for a kernel rule coefficients,
            one per row; for a rule of many classes prototypes, a row per class, or a run of `ls.MulticlassFixed`.

    Raises:
        LemmaViolated: at the first round that breaks a lemma.
        InvalidData: if the comparator is not what the rule is compared with.
        NotApplicable: if the comparator is a run of another rule than `ls.Fixed`, a round had another weight than 1, or there
            is nothing to check.

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
    for t, round_ in enumerate(run.rule.proofs().rounds(run, against)):
        for one in round_:
            if not one.kept:
                raise LemmaViolated(t, one.guarantee, one.words, one.left, one.right)
            checks += 1
    held = _compare_with_definition(run)
    if not checks and not held and run.ledger.rounds:
        raise NotApplicable("no lemma speaks of this run, and it did not begin where its rule begins; nothing can be checked")
    return checks or held


def _compare_with_definition(run: Run) -> int:
    """Compares the state and the ledger of a run with those that the definition of its rule leaves; says of how many rounds.

    Raises:
        LemmaViolated: if a number differs by more than roundings.
    """
    if not run.ledger.own_rounds or not run.rule.abilities.compares:
        return 0
    batch, outcomes = run.learner.encode(run.X, run.y)
    state, totals = first_state(run, batch), _core.Totals()
    loop = PythonLoop(run.rule, state, None)
    for _ in range(run.passes):
        loop.learn(batch, outcomes, totals, _core.RoundColumns(len(batch)), 0, len(batch))
    counts = unlike_ledgers(run.ledger, totals, exact=is_exact(state))
    differs = "the weights" if unlike(used(run.state), used(state)) else counts
    if differs is not None:
        raise LemmaViolated(run.ledger.rounds, "definition", f"{differs} of the run are those of its definition", 1.0, 0.0)
    return run.ledger.rounds
