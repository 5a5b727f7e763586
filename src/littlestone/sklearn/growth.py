"""From two labels to many classes, when a third one comes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, final

from littlestone.kernels import Support
from littlestone.labels import Classes, Labels
from littlestone.learner import Learner
from littlestone.log_weights import SignedLogWeights
from littlestone.multiclass import OneVersusRest
from littlestone.state import Average, ScaledWeights, State, Weights

if TYPE_CHECKING:
    from littlestone.calibration import Calibration
    from littlestone.labels import Label
    from littlestone.multiclass.class_states import ClassStates

_SIGNED = {"w", "v", "theta", "lean"}


def with_more_classes(learner: Learner) -> Learner:
    """A learner of many classes in which what was learned of two goes on.

    What tells the second label from the first tells, with its sign changed, the first from the second. Weights that are
    all positive cannot change their sign: then the second class goes on where it is, and the first starts from nothing.
    So does a class that comes now: what it would have learned from the rows so far is not known any more, and in the mean of
    the weights it counts as 0 in all rounds before.
    """
    snapshot = learner.snapshot()
    rule, known, state = OneVersusRest(rule=snapshot.rule), snapshot.labels.known(), snapshot.state
    learners = [] if state is None else _learners(state, known)
    many = replace(
        snapshot,
        rule=rule,
        state=None if state is None else _of_classes(rule, state, learners),
        average=snapshot.average if state is None else snapshot.average and _averages(snapshot.average, learners),
        labels=Labels(),
        kind="classes",
        classes=Classes.of(label for label in known if label is not None),
        calibration=_slope(snapshot.calibration, learners),
    )
    return Learner.restored(many)


def _slope(calibration: Calibration | None, learners: list[_Learner]) -> Calibration | None:
    """Of scores that are each other's mirror image, which lead twice as far as one of them leads 0."""
    mirrored = all(own.state is not None for own in learners)
    return calibration.doubled() if calibration is not None and mirrored else calibration


@final
class _Learner(NamedTuple):
    """What is known of a class: a state, where there is one, and with which sign it goes into that of the second label."""

    state: State | None
    sign: float


def _learners(state: State, known: tuple[Label | None, Label | None]) -> list[_Learner]:
    """One for each label that is known: a sample may have had one label alone."""
    pair = _Learner(_mirrored(state), -1.0), _Learner(state, +1.0)
    return [own for own, label in zip(pair, known, strict=True) if label is not None]


def _of_classes(rule: OneVersusRest, state: State, learners: list[_Learner]) -> ClassStates:
    """The states of the learners, behind that of no class."""
    classes = rule.init(state.width).with_classes(len(learners))
    nobody = classes.row(0)
    if isinstance(state, Support) and isinstance(nobody, Support):
        nobody.sit_out(state)
    for k, own in enumerate(learners):
        if own.state is not None:
            classes.of_class(k).restore(own.state)
    classes.met[0] = float(len(learners))
    return classes


def _averages(average: Average, learners: list[_Learner]) -> Average:
    """The sums of the learners, behind that of no class."""
    sums = Average.of(len(average.drift), 1 + len(learners))
    for k, own in enumerate(learners, start=1):
        if own.state is not None:
            row = sums.row(k)
            row.drift[:], row.settled[:], row.mass[:] = own.sign * average.drift, own.sign * average.settled, average.mass
    return sums


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
