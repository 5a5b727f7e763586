"""From two labels to many classes, when a third one comes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from littlestone.errors import NotApplicable
from littlestone.labels import Classes, Labels
from littlestone.learner import Learner
from littlestone.multiclass import OneVersusRest
from littlestone.multiclass.prototypes import Prototypes
from littlestone.state import ScaledWeights, SignedLogWeights, Weights

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.state import State

_SIGNED = {"w", "v", "theta", "lean"}


def with_more_classes(learner: Learner) -> Learner:
    """A learner of many classes in which the two known so far go on where they are.

    What tells the second label from the first tells, with its sign changed, the first from the second. A class that comes
    now starts from nothing: what it would have learned from the rows so far is not known any more.

    Raises:
        NotApplicable: if the weights cannot change their sign.
    """
    snapshot = learner.snapshot()
    state = snapshot.state
    if not isinstance(state, Weights | ScaledWeights | SignedLogWeights):
        raise NotApplicable(
            f"a third label came; {type(snapshot.rule).__name__} began with two and its weights have no mirror image: "
            "begin with partial_fit without classes, which leaves room for more"
        )
    rule = OneVersusRest(rule=snapshot.rule)
    many = replace(
        snapshot,
        rule=rule,
        state=_two_classes(rule, state),
        average=None,
        labels=Labels(),
        kind="classes",
        classes=Classes.of(learner.labels),
    )
    return Learner.restored(many)


def _two_classes(rule: OneVersusRest, state: State) -> Prototypes:
    classes = rule.init(len(state.unscaled)).with_classes(2)
    for k, sign in enumerate((-1.0, +1.0)):
        for name, array in classes.of_class(k).arrays.items():
            array[:] = _signed(name, state.arrays[name], sign)
    classes.met[0] = 2.0
    return classes


def _signed(name: str, array: FloatArray, sign: float) -> FloatArray:
    return sign * array if name in _SIGNED else array
