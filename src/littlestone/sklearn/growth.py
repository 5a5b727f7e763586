"""From two labels to many classes, when a third one comes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from littlestone.kernels import Support
from littlestone.labels import Classes, Labels
from littlestone.learner import Learner
from littlestone.multiclass import OneVersusRest
from littlestone.state import ScaledWeights, SignedLogWeights, Weights

if TYPE_CHECKING:
    from littlestone.labels import Label
    from littlestone.multiclass.class_states import ClassStates
    from littlestone.state import State

_SIGNED = {"w", "v", "theta", "lean"}


def with_more_classes(learner: Learner) -> Learner:
    """A learner of many classes in which what was learned of two goes on.

    What tells the second label from the first tells, with its sign changed, the first from the second. Weights that are
    all positive cannot change their sign: then the second class goes on where it is, and the first starts from nothing.
    So does a class that comes now: what it would have learned from the rows so far is not known any more.
    """
    snapshot = learner.snapshot()
    rule, known = OneVersusRest(rule=snapshot.rule), snapshot.labels.known()
    many = replace(
        snapshot,
        rule=rule,
        state=None if snapshot.state is None else _of_classes(rule, snapshot.state, known),
        average=None,
        labels=Labels(),
        kind="classes",
        classes=Classes.of(label for label in known if label is not None),
    )
    return Learner.restored(many)


def _of_classes(rule: OneVersusRest, state: State, known: tuple[Label | None, Label | None]) -> ClassStates:
    """The state with a learner for each label that is known: a sample may have had one label alone."""
    learners = [own for own, label in zip((_mirrored(state), state), known, strict=True) if label is not None]
    classes = rule.init(state.width).with_classes(len(learners))
    for k, own in enumerate(learners):
        if own is not None:
            classes.of_class(k).restore(own)
    classes.met[0] = float(len(learners))
    return classes


def _mirrored(state: State) -> State | None:
    """A state whose scores have the other sign, where there is one."""
    if isinstance(state, Support):
        return state.mirrored()
    if not isinstance(state, Weights | ScaledWeights | SignedLogWeights):
        return None
    if "known" in state.arrays or "totals" in state.arrays:  # counts by label
        return None
    mirrored = {name: -array if name in _SIGNED else array for name, array in state.arrays.items()}
    if "low" in mirrored:
        mirrored |= {"low": -state.arrays["high"], "high": -state.arrays["low"]}
    return state.holding(mirrored)
