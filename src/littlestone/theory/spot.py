"""Spot checks: a run is made once more, and rounds spread over it are held to the definition, to their lemmas and to a count.

They are part of every certificate of a run, so that a loop that is not its rule, or a ledger that counts too little, is seen by
whoever asks for one; `audit` does the same for every round.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from littlestone import _core
from littlestone.columns import Kept
from littlestone.multiclass.class_states import ClassStates
from littlestone.recount import is_exact, remade, unlike, unlike_ledgers
from littlestone.theory.lemmas import Lemmas, checked
from littlestone.theory.moments import moments

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.run import Run
    from littlestone.state import State

# So many rounds are looked at, half of them where the state moved.
_LOOKS = 8
_FOUND: WeakKeyDictionary[Run, str | None] = WeakKeyDictionary()


def finding(run: Run) -> str | None:
    """What a spot check of a run finds first, in words that say what should be; None where everything is as it should be."""
    if run not in _FOUND:
        _FOUND[run] = _found(run) if _can_be_made_again(run) else None
    return _FOUND[run]


def _can_be_made_again(run: Run) -> bool:
    ledger = run.ledger
    own = ledger.own_rounds and ledger.unit_weights and ledger.repeats == 0 and ledger.witnessed == ledger.rounds > 0
    same = run.passes == 1 or run.learner.view is None  # a view shows other rows in every pass
    return own and same and run.rule.abilities.compares and run.passes == ledger.passes


def _found(run: Run) -> str | None:
    batch, outcomes = run.learner.encode(run.X, run.y)
    learned = _core.Totals()
    learned.witness(batch, outcomes, 0, len(batch))
    if len(batch) * run.passes != run.ledger.rounds or (learned.fingerprint * run.passes - run.ledger.fingerprint) % 2**64:
        return None  # other rows than those that were learned: nothing can be said, and no comparison is proved either
    state, totals, moved = _made_again(run, batch, outcomes)
    differs = unlike_ledgers(run.ledger, totals)
    if differs is None and run.learner.ledger.rounds == run.ledger.rounds and unlike(used(run.state), used(state)):
        differs = "the weights"
    if differs is not None:
        return f"{differs} of the run are those of the run made again"
    return next(_differences(run, batch, outcomes, _looks(moved)), None)


def first_state(run: Run, batch: _core.Batch) -> State:
    """What a run began with, with room for its classes."""
    state = run.learner.first_state(batch.width)
    return state.with_room(len(run.learner.labels)) if isinstance(state, ClassStates) else state


def used(state: State) -> State:
    """A state without room for classes to come."""
    return state.with_classes(state.count) if isinstance(state, ClassStates) else state


def _made_again(run: Run, batch: _core.Batch, outcomes: _core.Outcomes) -> tuple[State, _core.Totals, FloatArray]:
    state, totals = first_state(run, batch), _core.Totals()
    loop, moved = run.rule.loop(state, None), []
    for _ in range(run.passes):
        kept = Kept(("update",), len(batch))
        loop.learn(batch, outcomes, totals, kept.core, 0, len(batch))
        moved.append(kept.columns()["update"])
    return state, totals, np.concatenate(moved)


def _looks(moved: FloatArray) -> list[int]:
    """Rounds spread evenly, and as many of those that moved the state."""
    updates = np.flatnonzero(moved)
    some = [np.unique(np.linspace(0, len(of) - 1, _LOOKS // 2).round().astype(int)) for of in (moved, updates) if len(of)]
    chosen = [some[0], updates[some[1]]] if len(some) > 1 else some
    return sorted({int(t) for of in chosen for t in of})


def _differences(run: Run, batch: _core.Batch, outcomes: _core.Outcomes, looks: list[int]) -> Iterator[str]:
    """Makes the run again up to each of the rounds, and this one by the definition beside it."""
    state, totals, done = first_state(run, batch), _core.Totals(), 0
    loop, columns, rows = run.rule.loop(state, None), _core.RoundColumns(len(batch)), len(batch)
    lemmas = run.rule.proofs().lemmas(run)
    for number in looks:
        while done < number:
            end = min(number, (done // rows + 1) * rows)
            loop.learn(batch, outcomes, totals, columns, done % rows, (end - 1) % rows + 1)
            done = end
        twin, before, t = state.copy(), totals.copy(), number % rows
        if lemmas:
            yield from (f"{words} in round {number}" for words in _broken(lemmas, run, batch, outcomes, twin, t))
        recount = remade(run.rule, twin, batch, outcomes, range(t, t + 1))
        loop.learn(batch, outcomes, totals, columns, t, t + 1)
        done += 1
        differs = "the weights" if unlike(state, twin) else recount.unlike(before, totals, exact=is_exact(state))
        if differs is not None:
            yield f"{differs} after round {number} are those of the definition"


def _broken(lemmas: Lemmas, run: Run, batch: _core.Batch, outcomes: _core.Outcomes, state: State, t: int) -> Iterator[str]:
    """The lemmas that the definition does not keep on a row."""
    for u in _comparators(run, batch, outcomes, state, t):
        row, wanted = range(t, t + 1), run.rule.ends()[0]
        for moment in moments(run.rule, batch, outcomes, u, wanted, start=state.copy(), rounds=row):
            sides = (checked(guarantee.id, lemma, moment) for lemma, guarantee in lemmas.items())
            yield from (f"the lemma {one.words} of {one.guarantee} is kept" for one in sides if not one.kept)


def _comparators(run: Run, batch: _core.Batch, outcomes: _core.Outcomes, state: State, t: int) -> Iterator[FloatArray]:
    """A lemma is about every u: where the run ended, and one that is right about the row."""
    width, given, row = batch.width, run.state.w, batch[t]
    u = np.zeros(width)
    u[: len(given)] = given[:width]
    yield u
    if row.norm_squared == 0.0:
        return
    trial = run.rule.face(state.copy(), row, outcomes, t).trial
    towards, right = trial.label or trial.side or 1, np.zeros(width)
    if "theta" in state.arrays:  # all weight on the feature that says most for the outcome
        right[int(row.indices[np.argmax(towards * row.values)])] = float(np.sum(np.abs(u))) or 1.0
    else:
        right[: len(state.w)] = state.w[:width]
        row.add_to(right, towards * (trial.loss + abs(trial.score) + 1.0) / row.norm_squared)
    yield right
