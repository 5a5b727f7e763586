"""Expert runs held to the definition of their rule, to its lemmas and to a count: every round, or some spread over the run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, final
from weakref import WeakKeyDictionary

import numpy as np

from littlestone import _core
from littlestone.errors import LemmaViolated
from littlestone.experts.ledger import ExpertLedger
from littlestone.experts.loop import PythonExpertLoop
from littlestone.experts.mixture import Mixture
from littlestone.experts.watching import ROUNDED, SAME, largest, near, unlike_ledgers, unlike_states
from littlestone.theory.expert_evidence import ExpertEvidence, ExpertMoment
from littlestone.theory.experts import GUARANTEES
from littlestone.theory.guarantee import Lemma

if TYPE_CHECKING:
    from littlestone.experts.run import ExpertRun
    from littlestone.experts.state import ExpertState

_LOOKS = 8
_FOUND: WeakKeyDictionary[ExpertRun, str | None] = WeakKeyDictionary()


def audit_experts(run: ExpertRun) -> int:
    """Repeats a run by the definition of its rule and checks each lemma in every round; returns how many checks it made.

    State, ledger and the losses of the rounds are compared with those that the definition leaves.

    Raises:
        LemmaViolated: at the first round that breaks a lemma, or where the run is not that of its definition.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> from littlestone.theory.expert_audit import audit_experts
        >>> audit_experts(ls.hedge(ls.ExponentialWeights(eta=0.5), np.eye(3)))     # two lemmas, three rounds
        6
    """
    twin, lemmas, checks = _Definition(run), _lemmas(run), 0
    for t in range(len(run.advice)):
        moment, own = twin.round(t, np.asarray(run.predictions)[t])
        if not near(np.asarray(run.losses)[t], own):
            raise LemmaViolated(t, "definition", "the loss of the round is that of the definition", 1.0, 0.0)
        for lemma, name in lemmas.items():
            left, right = (0.0, 0.0) if moment is None else lemma.sides(moment)
            if not _kept(left, right, moment):
                raise LemmaViolated(t, name, lemma.words, left, right)
            checks += moment is not None
    differs = unlike_ledgers(run.ledger, twin.ledger) or twin.unlike(run.state)
    if differs is not None:
        raise LemmaViolated(run.ledger.rounds, "definition", f"{differs} of the run are those of its definition", 1.0, 0.0)
    return checks


def expert_finding(run: ExpertRun) -> str | None:
    """What a spot check of a run finds first, in words that say what should be; None where everything is as it should be."""
    if run not in _FOUND:
        _FOUND[run] = _found(run)
    return _FOUND[run]


def _found(run: ExpertRun) -> str | None:
    if len(run.advice) != run.ledger.rounds or not len(run.advice):
        return None  # the mixture had learned before: where the run began is not known
    again = _mixture(run)
    made = again.learn_many(run.advice, run.outcomes)
    if not near(np.asarray(made.losses), np.asarray(run.losses)):
        return None  # the advice is not what it was: nothing can be said of it
    differs = unlike_ledgers(run.ledger, made.ledger) or unlike_states(run.state, made.state, np.zeros(len(made.state.arrays)))
    if differs is not None:
        return f"{differs} of the run are those of the run made again"
    looks = np.unique(np.linspace(0, len(run.advice) - 1, _LOOKS).round().astype(int))
    return next(_differences(run, looks.tolist()), None)


def _differences(run: ExpertRun, looks: list[int]) -> Iterator[str]:
    """Makes the run again up to each of the rounds, and this one by the definition beside it."""
    loop, lemmas, done = _mixture(run), _lemmas(run), 0
    for t in looks:
        if done < t:
            loop.learn_many(run.advice[done:t], None if run.outcomes is None else run.outcomes[done:t])
        before = loop.ledger
        twin = _Definition(run, loop)
        made = loop.learn_many(run.advice[t : t + 1], None if run.outcomes is None else run.outcomes[t : t + 1])
        moment, own = twin.round(t, np.asarray(made.predictions)[0])
        done = t + 1
        if not near(np.asarray(made.losses)[0], own):
            yield f"the loss of round {t} is that of the definition"
        for lemma, name in lemmas.items():
            if moment is not None and not _kept(*lemma.sides(moment), moment):
                yield f"the lemma {lemma.words} of {name} is kept in round {t}"
        differs = twin.unlike(loop.state) or _miscounted(run, before, loop.ledger, t)
        if differs is not None:
            yield f"{differs} after round {t} are those of the definition"


@final
class _Definition:
    """The definition of a rule on a state of its own, from the beginning or from where a mixture is."""

    def __init__(self, run: ExpertRun, at: Mixture | None = None) -> None:
        count = len(run.ledger.experts)
        known = None if at is None else at.snapshot()
        self._run = run
        self.state: ExpertState = run.rule.init(count) if known is None else known.state
        low = run.loss.range[0] if run.loss.range else 0.0
        fresh = _core.ExpertTotals(count, low)
        self._totals = fresh if known is None else _core.ExpertTotals.from_parts(dict(known.totals))
        self._loop = PythonExpertLoop(run.rule, self.state, run.loss, count, gradient=run.gradient)
        self._largest = largest(self.state)

    @property
    def ledger(self) -> ExpertLedger:
        """What the rounds so far leave."""
        return ExpertLedger.of(self._totals, self._run.ledger.experts)

    def round(self, t: int, said: float) -> tuple[ExpertMoment | None, float]:
        """Learns a round in which this was said; returns it as its proof sees it, and its loss.

        There is no proof to see it where somebody sleeps, or the unit was found too small.
        """
        run, before, scale, own = self._run, self.state.copy(), self._totals.scale, np.zeros(1)
        outcomes = None if run.outcomes is None else run.outcomes[t : t + 1]
        self._loop.heard = np.array([said])
        self._loop.learn(run.advice[t : t + 1], outcomes, self._totals, loss=own)
        self._largest = np.maximum(self._largest, largest(self.state))
        latest = self._loop.latest
        if latest is None or not latest.awake.all() or self._totals.scale != scale:
            return None, float(own[0])
        return ExpertMoment(run.rule, before, self.state, latest.weights, latest.charges, latest.own), float(own[0])

    def unlike(self, state: ExpertState) -> str | None:
        """What of a state is not as here; losses less their mean are known to roundings of the largest there was."""
        return unlike_states(state, self.state, self._largest)


def _mixture(run: ExpertRun) -> Mixture:
    return Mixture(run.rule, experts=run.ledger.experts, loss=run.loss, gradient=run.gradient)


def _lemmas(run: ExpertRun) -> dict[Lemma[ExpertMoment], str]:
    """Each lemma once, with the first theorem it serves whose assumptions about rule and stream do not fail."""
    evidence = ExpertEvidence(run.rule, run.ledger, run.state, run.loss, run.gradient)
    found: dict[Lemma[ExpertMoment], str] = {}
    for guarantee in GUARANTEES:
        if guarantee.speaks_of(run.rule) and all(a.check(evidence) is not False for a in guarantee.assumptions):
            for lemma in guarantee.lemmas:
                found.setdefault(lemma, guarantee.id)
    return found


def _miscounted(run: ExpertRun, before: ExpertLedger, after: ExpertLedger, t: int) -> str | None:
    """The losses of a round, taken by hand, beside what the ledger grew by."""
    advice = np.asarray(run.advice[t], dtype=np.float64)
    awake, outcome = ~np.isnan(advice), 0.0 if run.outcomes is None else float(run.outcomes[t])
    theirs = np.where(awake, run.loss(np.where(awake, advice, 0.5), np.full(len(advice), outcome)), 0.0)
    own = float(np.asarray(run.losses)[t])
    size = 1.0 + float(np.max(np.abs(after.losses))) + abs(after.loss)
    if not abs(after.loss - before.loss - own) <= SAME * size:
        return "the loss"
    return None if bool(np.all(np.abs(after.losses - before.losses - theirs) <= SAME * size)) else "the losses"


def _kept(left: float, right: float, moment: ExpertMoment | None) -> bool:
    """Sides are differences of sums and of logarithms of sums, so they are known to roundings of these and of the losses."""
    arrays = () if moment is None else (*moment.after.arrays.values(), moment.losses)
    size = max((float(np.max(np.abs(array), initial=0.0)) for array in arrays), default=0.0)
    return left <= right + SAME * (1.0 + abs(left) + abs(right)) + ROUNDED * size
