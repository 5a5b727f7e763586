"""How the learning rate goes with the rounds: the schedules that several rules share."""

from __future__ import annotations

import math
from abc import ABC
from dataclasses import dataclass
from typing import final

from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.domain import POSITIVE, WHOLE, choice, optional, parameter
from littlestone.errors import InvalidParameter
from littlestone.experts.rule import ExpertRule
from littlestone.experts.state import ExpertState


def pace_of(rule: str, eta: float | None, schedule: str | None, horizon: int | None) -> str:
    """The schedule that is followed: the one that was asked for, or else what was given decides.

    Raises:
        InvalidParameter: if the schedule lacks what it needs, or is given what it has no use for.
    """
    given = (eta is not None) + (horizon is not None)
    pace = schedule if schedule is not None else ("fixed" if given else "anytime")
    if pace == "fixed" and given != 1:
        raise InvalidParameter(f"{rule}: the fixed schedule takes one of eta and horizon")
    if pace != "fixed" and given:
        raise InvalidParameter(f"{rule}: the {pace} schedule takes neither eta nor horizon")
    return pace


def fixed_rate(eta: float | None, horizon: int | None, choices: int) -> float:
    """η, or √(8 log N/T) for a horizon T."""
    return eta if eta is not None else math.sqrt(8.0 * math.log(choices) / (horizon or 1))


def pace_for(pace: str, eta: float | None, horizon: int | None, choices: int) -> _core.Pace:
    """The schedule as the compiled loop takes it."""
    if pace == "fixed":
        return _core.Pace.fixed(fixed_rate(eta, horizon, choices))
    return (_core.Pace.doubling if pace == "doubling" else _core.Pace.anytime)(math.log(choices))


def rate(pace: str, eta: float | None, horizon: int | None, choices: int, rounds: int) -> float:
    """η in the round after so many rounds: the period is the horizon, that of the doubling, or the round's number."""
    if pace == "fixed":
        return fixed_rate(eta, horizon, choices)
    period = period_of(rounds) if pace == "doubling" else rounds + 1
    return math.sqrt(8.0 * math.log(choices) / period)


def period_of(rounds: int) -> int:
    """The length 2^k of the doubling period of the round after so many rounds: rounds 2^k to 2^(k+1)−1."""
    return 1 << (rounds + 1).bit_length() - 1


def starts_period(rounds: int) -> bool:
    """Whether a doubling period starts after so many rounds."""
    return (rounds + 1) & rounds == 0


@dataclass(frozen=True, kw_only=True, eq=False)
class ScheduledRule(ExpertRule, ABC):
    """A rule on the losses so far, whose rate follows a schedule. Its state has the arrays losses and rounds."""

    eta: float | None = parameter(None, domain=optional(POSITIVE), why="None follows the schedule, as the theorems set it")
    schedule: str | None = parameter(
        None,
        domain=optional(choice("fixed", "doubling", "anytime")),
        why="None is fixed where eta or a horizon is given and anytime, which needs neither, where they are not",
    )
    horizon: int | None = parameter(None, domain=optional(WHOLE), why="None: the number of rounds is not known")

    def __post_init__(self) -> None:
        """Checks that the schedule has what it needs and nothing else."""
        super().__post_init__()
        pace_of(type(self).__name__, self.eta, self.schedule, self.horizon)

    @property
    def pace(self) -> str:
        """The schedule that is followed."""
        return pace_of(type(self).__name__, self.eta, self.schedule, self.horizon)

    def rate(self, experts: int, rounds: int) -> float:
        """η in the round after so many rounds."""
        return rate(self.pace, self.eta, self.horizon, experts, rounds)

    @final
    def compiled_pace(self, experts: int) -> _core.Pace:
        """The schedule as the compiled loop takes it."""
        return pace_for(self.pace, self.eta, self.horizon, experts)

    @final
    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        """Adds the losses; at the start of a period of the doubling schedule they are forgotten."""
        state.losses[:] += losses
        state.rounds[0] += 1.0
        if self.pace == "doubling" and starts_period(int(state.rounds[0])):
            state.losses[:] = 0.0

    @final
    def rescale(self, state: ExpertState, factor: float) -> None:
        """In the new unit the losses so far are smaller."""
        state.losses[:] *= factor
