"""Whether experts, a rule and a loss go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlestone.domain import several
from littlestone.errors import InvalidParameter, NotApplicable
from littlestone.experts.losses import Given

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.experts.losses import Loss
    from littlestone.experts.rule import ExpertRule

_MOST = 10_000_000


def expert_names(experts: Sequence[str] | int) -> tuple[str, ...]:
    """The names of experts, or numbers for so many of them.

    Raises:
        InvalidParameter: if there are none or too many, or two have one name.
    """
    if isinstance(experts, bool | str):
        raise InvalidParameter(f"experts is {experts!r}; expected their names in a list, or how many there are")
    if isinstance(experts, int):
        if experts > _MOST:
            raise InvalidParameter(f"experts is {experts}; there can be {_MOST:,} at most")
        names: tuple[str, ...] = tuple(str(i) for i in range(experts))
    else:
        names = tuple(str(name) for name in several(experts, "experts", "their names, or how many there are"))
    if not names:
        raise InvalidParameter("experts is empty; there must be at least one")
    if len(set(names)) < len(names):
        raise InvalidParameter("experts names somebody twice; the names must differ")
    return names


def learns_from_gradients(rule: ExpertRule | None, loss: Loss) -> bool:
    """Whether a rule is given gradients where nothing is said of it."""
    return (rule is None or rule.gradient) and loss.convex and not isinstance(loss, Given)


def check_fit(rule: ExpertRule, loss: Loss, *, gradient: bool) -> None:
    """Refuses a rule with a loss that it has no meaning for.

    Raises:
        NotApplicable: if the rule is made for other losses.
    """
    name = type(rule).__name__
    if rule.losses and loss.name not in rule.losses:
        raise NotApplicable(f"{name} is made for the loss {' or '.join(rule.losses)}; got {loss.name}")
    if gradient and (not loss.convex or isinstance(loss, Given)):
        raise NotApplicable(f"the gradient trick needs a convex loss of predictions; got {loss.name}")
    if rule.unit and not rule.tracks and (gradient or loss.range is None):
        raise NotApplicable(f"{name} needs losses of a declared range, as in losses.Square(low=0.0, high=1.0), and no gradient")
