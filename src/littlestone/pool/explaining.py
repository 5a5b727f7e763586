"""Why a pool says what it says of a row: the contribution of every feature, member by member."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.errors import NotApplicable
from littlestone.pool.members import MEMBERS, TARGET_MEMBERS
from littlestone.pool.state import PoolState

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.state import State
    from littlestone.streams.batches import Feature

Parts: TypeAlias = "np.ndarray[tuple[int, int], np.dtype[np.float64]]"
"""Members × (the constant and the features of the row)."""


@final
@dataclass(frozen=True, kw_only=True)
class Explanation:
    """What adds up to the score: contributions of features, what goes by no feature, and the rest.

    The master mixes probabilities and stacks moderate their scores; each is taken for the sum that it is nearest to at this
    row, with the weights that its members have, and what is no sum is the rest. So is what keeps a predicted number near the
    targets seen. The bins and cells of a view are counted with their columns.
    """

    label: Hashable | None
    """Whose log-odds they are; None where a number is predicted."""
    score: float
    """The log-odds of the label, or the prediction."""
    features: dict[Feature, float]
    """What each feature of the row adds, the largest first."""
    members: dict[str, float]
    """What each member adds, over all features and without one."""
    parts: dict[str, dict[Feature, float]]
    """What each member says of each feature."""
    constant: float
    """What goes by no feature: constants, how often the labels came, the last labels or targets."""
    rest: float

    def __str__(self) -> str:
        whose = "prediction" if self.label is None else f"log-odds of {self.label}"
        lines = [f"{whose}: {self.score:+.4g}"]
        lines += [f"  {value:+.4g}  {feature}" for feature, value in self.features.items()]
        return "\n".join([*lines, f"  {self.constant:+.4g}  without a feature", f"  {self.rest:+.4g}  no sum"])


def explained(
    state: State, batch: _core.Batch, features: Sequence[Feature], labels: Sequence[Hashable | None]
) -> tuple[Explanation, ...]:
    """The explanations of the first row: of the likeliest class first, of two labels of the positive one; of a target one.

    None stands for a label that was not met.

    Raises:
        NotApplicable: if it is no pool, or has guests, whose reasons nobody knows.
    """
    if not isinstance(state, PoolState):
        raise NotApplicable("only a pool explains itself; of a linear rule a weight times its value is the reason")
    if state.guests is not None:
        raise NotApplicable("the pool has members of your own, whose reasons are not known; ask a pool of named members")
    numbers, scores = state.core.explain(batch)
    names = [features[number - 1] if number <= len(features) else number - 1 for number in numbers]
    if isinstance(state.core, _core.TargetPool):
        return tuple(_explanation(None, names, TARGET_MEMBERS, *one) for one in scores)
    if len(scores) == 1:  # one pool, and its mirror
        ((score, parts, rest),) = scores
        scores, labels = [*scores, (-score, 0.0 - parts, -rest)], labels[::-1]
    found = [_explanation(label, names, MEMBERS, *one) for label, one in zip(labels, scores, strict=False) if label is not None]
    return tuple(found if len(labels) == 2 else sorted(found, key=lambda one: -one.score))


def chosen(found: Sequence[Explanation], label: Hashable | None) -> Explanation:
    """That of a label, or the first.

    Raises:
        NotApplicable: if there is none of the label.
    """
    if label is None:
        return found[0]
    for one in found:
        if not getattr(label, "ndim", 0) and one.label == label:
            return one
    if found[0].label is None:
        raise NotApplicable("a prediction of a number has one explanation; leave the label out")
    shown = f"a {type(label).__name__}" if getattr(label, "ndim", 0) else repr(label)
    raise NotApplicable(f"there is no explanation of {shown}; there are those of {[one.label for one in found]!r}")


def _explanation(
    label: Hashable | None, names: list[Feature], members: Sequence[str], score: float, sums: FloatArray, rest: float
) -> Explanation:
    parts: Parts = sums.reshape(len(members), -1)
    of_features = parts.sum(axis=0)[1:]
    order = sorted(range(len(names)), key=lambda k: -abs(float(of_features[k])))
    return Explanation(
        label=label,
        score=score,
        features={names[k]: float(of_features[k]) for k in order},
        members={name: float(row.sum()) for name, row in zip(members, parts, strict=True)},
        parts={name: {names[k]: float(row[k + 1]) for k in order} for name, row in zip(members, parts, strict=True)},
        constant=float(parts[:, 0].sum()),
        rest=rest,
    )
