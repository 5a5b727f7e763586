"""What the pools for labels and for targets share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, final

from littlestone import _core
from littlestone.abilities import Abilities
from littlestone.domain import POSITIVE, WHOLE, Domain, optional
from littlestone.errors import InvalidParameter, NotApplicable
from littlestone.pool.state import PoolState
from littlestone.rule import LinearRule

if TYPE_CHECKING:
    from littlestone.loop import Loop
    from littlestone.state import Average, State
    from littlestone.theory.proofs import Proofs

VIEWS = ("raw", "bins", "pairs")


def _views(text: str) -> tuple[str, ...]:
    """Views as they are written on the command line."""
    return tuple(text.replace(",", " ").split())


def _is_views(value: object) -> bool:
    return isinstance(value, tuple) and value in (VIEWS, VIEWS[:1])


def _truth(text: str) -> bool:
    """Yes or no as it is written on the command line."""
    if text.lower() not in ("true", "false"):
        raise InvalidParameter(f"{text!r} is neither true nor false")
    return text.lower() == "true"


VIEW_DOMAIN = Domain('("raw", "bins", "pairs") or ("raw",)', _is_views, "raw,bins,pairs or raw", _views, tuples=True)
WHY_VIEWS = "bins and pairs of columns show linear members what is not linear; rows of text have the raw view only"
FLAG = Domain("True or False", lambda value: isinstance(value, bool), "true or false", _truth)


def _is_costs(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(POSITIVE.contains(cost) for cost in value)


def _costs(text: str) -> tuple[float, ...]:
    """Costs as they are written on the command line."""
    try:
        return tuple(float(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise InvalidParameter(f"{text!r} are no two numbers") from None


COSTS = Domain("a pair (miss, alarm) of finite numbers above 0", _is_costs, "MISS,ALARM, such as 5,1", _costs, tuples=True)


MOST_FEATURES = optional(WHOLE)
WHY_ALL = "all names are kept; a number keeps so many, and those that were met least give up their places"

POOLED = Abilities(
    takes_weights=True,
    takes_view=False,
    takes_calibration=False,
    has_weights=False,
    averages=False,
    minds_unknown=True,
    compares=False,
)


class PoolRule(LinearRule, ABC):
    """A rule whose state the core holds and makes room in.

    There is no one vector of weights. A feature that was never met takes part in the scale of its row, and the experts are in
    the pool's own account, so that no stream is read again.
    """

    most_features: int | None

    @property
    @abstractmethod
    def abilities(self) -> Abilities:
        """What it learns, and `POOLED`."""

    @final
    def vocabulary(self) -> int | None:
        """`most_features`."""
        return self.most_features

    @final
    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """A pool learns in its compiled loop alone.

        Raises:
            NotApplicable: always.
        """
        raise NotApplicable("a pool learns in its compiled loop; there is no update of one vector of weights")

    def proofs(self) -> Proofs:
        """From its own account."""
        from littlestone.theory.pool import POOLS

        return POOLS

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop."""
        assert isinstance(state, PoolState)
        return state.core.loop()
