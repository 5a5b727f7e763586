"""The largest weights of a learner, by feature."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from littlestone import _core
from littlestone.errors import NotApplicable
from littlestone.pool.state import PoolState
from littlestone.report.sections import Bars

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.learner import Learner

_TOP = 20


def weight_bars(learner: Learner) -> Bars | None:
    """The largest weights by name; none for rules whose weights are not over features."""
    rows = top_weights(learner, _TOP)
    if not rows:
        return None
    note = _of_how_many(learner, len(rows))
    scheme = learner.snapshot(copy=False).space.scheme
    if scheme is not None and scheme.kind == "hash":
        note += f"; features {scheme.words}, which keeps no names"
    labels, classes = learner.labels, learner.snapshot(copy=False).classes
    if learner.rule.abilities.labels and classes is None and None not in labels:
        note += f"; positive weights speak for {_plain(labels[1])}, negative ones for {_plain(labels[0])}"
    return Bars("Largest weights", ("feature", "weight"), tuple(rows), note)


def _of_how_many(learner: Learner, shown: int) -> str:
    if isinstance(learner.state, PoolState):
        known = learner.snapshot(copy=False).classes
        beside = "" if known is None else f" and {len(known)} classes, each against the rest"
        what = "log-odds" if learner.rule.abilities.labels else "prediction"
        adds = f"what a value as large as usual adds to the {what}, by all members"
        return f"{shown} of {learner.width:,} features{beside}: {adds}"
    return f"{shown} of {int(np.count_nonzero(learner.state.w)):,} weights that are not 0"


def _heaviness(state: PoolState) -> FloatArray:
    """Of every feature, a row per class where there are many."""
    if isinstance(state.core, _core.TargetPool):
        return state.core.heaviness()
    rows = [state.core.heaviness(number) for number in range(state.core.classes)]
    return rows[0] if len(rows) == 1 else np.stack(rows)


def top_weights(learner: Learner, most: int) -> list[tuple[str, float]]:
    """The largest weights by magnitude with their features, and with a row of weights per class, the class before them."""
    if learner.rule.abilities.alone:
        return []
    state = learner.state
    try:
        w = _heaviness(state) if isinstance(state, PoolState) else state.w
    except NotApplicable:
        return []
    if w.size == 0:
        return []
    names, labels, width = learner.shown_features, learner.labels, w.shape[-1]
    top = [(k // width, k % width, float(w.ravel()[k])) for k in largest(w.ravel(), most)]
    if w.ndim == 1:
        return [(str(names[feature]), weight) for _, feature, weight in top]
    return [(f"{_plain(labels[row])}: {names[feature]}", weight) for row, feature, weight in top]


def _plain(label: object) -> str:
    return f"{label:g}" if isinstance(label, float) else str(label)


def largest(w: FloatArray, most: int) -> list[int]:
    """The places of the largest weights by magnitude, the first of equals first; none that is 0."""
    count = min(most, len(w))
    if count == 0:
        return []
    magnitude = np.abs(w)
    some = np.flatnonzero(magnitude >= np.partition(magnitude, len(w) - count)[len(w) - count])
    order = some[np.argsort(-magnitude[some], kind="stable")][:count]
    return [int(k) for k in order if w[k] != 0.0]
