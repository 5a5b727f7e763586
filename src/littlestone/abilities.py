"""What a rule can do, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

LABELS, TARGETS, INTERVALS, CLASSES = (frozenset({kind}) for kind in ("labels", "targets", "intervals", "classes"))


@final
@dataclass(frozen=True, kw_only=True)
class Abilities:
    """What a rule learns, takes and keeps. A rule declares one where it differs from these defaults.

    Example:
        >>> import littlestone as ls
        >>> sorted(ls.NaiveBayes.abilities.learns), ls.NaiveBayes.abilities.takes_weights
        (['labels'], True)
    """

    learns: frozenset[str] = LABELS | INTERVALS
    """Which outcomes have a meaning for the rule: "labels", "targets", "intervals", "classes"."""
    signs: tuple[str, str] | None = None
    """The names of −1 and +1 for a rule that learns rows without outcomes; None for all others."""
    takes_weights: bool = False
    """Whether a round may count more or less than others: only where the rule says what that means."""
    takes_objects: bool = False
    """Whether rows are objects that only the rule can read."""
    takes_view: bool = True
    """Whether a view may stand in front: not where the rule looks at rows in scales of its own."""
    takes_calibration: bool = True
    """Whether its scores may be calibrated on the way: not where it does that itself."""
    takes_spare_room: bool = True
    """Whether a state may be wider than the features known: so, if a feature that never occurs changes nothing."""
    has_weights: bool = True
    """Whether a score is the dot product of the row with `state.w`, so that the weights can be looked at."""
    has_log_odds: bool = False
    """Whether a score is the log-odds of the positive label, or of its class against the rest."""
    averages: bool = True
    """Whether the mean of the weights can be kept beside the state."""
    minds_unknown: bool = False
    """Whether a feature that was never learned changes a score; a linear rule gives it the weight 0."""
    inspects: bool = False
    """Whether the rule refuses rows although they are sound; most rules learn all."""
    compares: bool = True
    """Whether its theorems compare a run with weights, so that a stream is read again for a certificate."""

    @property
    def labels(self) -> bool:
        """Whether two labels are learned."""
        return "labels" in self.learns

    @property
    def targets(self) -> bool:
        """Whether targets are learned."""
        return "targets" in self.learns

    @property
    def classes(self) -> bool:
        """Whether more labels than two are learned."""
        return "classes" in self.learns

    @property
    def named(self) -> bool:
        """Whether an outcome is a name: one of two labels, or of many."""
        return self.labels or self.classes

    @property
    def alone(self) -> bool:
        """Whether rows are learned without outcomes."""
        return self.signs is not None
