"""What a learner goes back to when a call is refused or interrupted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

if TYPE_CHECKING:
    from littlestone import _core
    from littlestone.body import Bound, Copied
    from littlestone.loop import Loop
    from littlestone.outcomes import Known
    from littlestone.streams.space import Mark


@final
class Begun(NamedTuple):
    """A round that is ready to be learned, and can no longer be refused."""

    loop: Loop
    batch: _core.Batch
    outcome: _core.Outcomes


@final
class Before(NamedTuple):
    """How far a learner had come."""

    space: Mark
    table: _core.Features | None
    outcomes: Known
    bound: Bound
    totals: _core.Totals
    rounds: int
    copies: Copied | None = None
    """The numbers of the state that is about to move, where learning may fail half-way."""
    begun: Begun | None = None
    """The round that somebody who leads several learners will have learned, or take back."""
