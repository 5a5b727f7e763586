"""Snapshots: everything a learner knows, as values that copies, pickles and files are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, final

from littlestone.labels import Classes, Labels

if TYPE_CHECKING:
    from littlestone.calibration import Calibration
    from littlestone.rule import LinearRule
    from littlestone.state import Average, State
    from littlestone.streams.batches import Feature
    from littlestone.streams.space import Mark
    from littlestone.views import Statistics, View

Missing: TypeAlias = Literal["error", "skip", "indicator"]
MISSING: tuple[Missing, ...] = ("error", "skip", "indicator")


@final
@dataclass(frozen=True)
class Snapshot:
    """Everything a learner knows: enough to go on as if nothing had happened."""

    rule: LinearRule
    state: State | None
    average: Average | None
    totals: Mapping[str, float | tuple[float, ...]]
    space: Mark
    names: list[Feature] | None
    labels: Labels
    kind: str | None
    passes: int = 1
    classes: Classes | None = None
    missing: Missing = "error"
    begun: LinearRule | None = None
    """The rule that learned every round, from its own start; None where a state was handed over."""
    batches: tuple[int, ...] = ()
    """Fingerprints of the latest batches, to see when rows come again."""
    repeats: int = 0
    view: View | None = None
    """What the rule is shown of rows; None shows them as they are."""
    statistics: Statistics | None = None
    calibration: Calibration | None = None
    """The slope of the scores; None where they are not calibrated."""
