"""Mixtures in model files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from littlestone import _core, experts
from littlestone.domain import parameters as parameters_of
from littlestone.errors import InvalidData, LittlestoneError, NotApplicable
from littlestone.experts.losses import LOSSES, Given, Loss
from littlestone.experts.mixture import MixtureSnapshot
from littlestone.experts.rule import ExpertRule
from littlestone.rule import rule_name
from littlestone.store.reading import ModelContents
from littlestone.store.writing import described_rule, plain

if TYPE_CHECKING:
    from littlestone.arrays import ByteArray, FloatArray
    from littlestone.rule import Rule
    from littlestone.store.container import Container, Json
    from littlestone.store.writing import Described

_LOSSES: dict[str, type[Loss]] = {**LOSSES, Given.name: Given}


def described_mixture(snapshot: MixtureSnapshot) -> Described:
    """The header and the arrays of a mixture.

    Raises:
        NotApplicable: if its loss or a parameter is of a kind that a file cannot hold.
    """
    loss = snapshot.loss
    if type(loss) is not _LOSSES.get(loss.name):
        raise NotApplicable(f"the loss is {type(loss).__name__}, a function that cannot be saved; a file holds no code")
    arrays: dict[str, FloatArray | ByteArray] = {}
    rule = described_rule(snapshot.rule, "rule", arrays)
    arrays |= {f"state.{name}": array.ravel() for name, array in snapshot.state.arrays.items()}
    arrays |= {f"ledger.{name}": np.array(values, dtype=np.float64) for name, values in snapshot.totals.items()}
    parameters: dict[str, Json] = {name: plain(getattr(loss, name), name) for name in parameters_of(loss)}
    header: dict[str, Json] = {
        "library": _core.version(),
        "kind": "mixture",
        "rule": rule,
        "experts": list(snapshot.experts),
        "loss": {"name": loss.name, "parameters": parameters},
        "gradient": snapshot.gradient,
    }
    return header, arrays


def mixture_of(file: Container, rules: Iterable[type[Rule]]) -> MixtureSnapshot:
    """The mixture that a file holds.

    Raises:
        InvalidData: if its parts do not fit one another.
    """
    model = ModelContents(file, ())
    names = file.listing(file.header, "experts")
    experts = tuple(name for name in names if isinstance(name, str))
    if len(experts) != len(names) or len(set(experts)) != len(experts) or not experts:
        raise file.damaged("its experts are not distinct names")
    described = file.mapping(file.header, "rule")
    kind = expert_class(file, file.text(described, "name"), rules)
    loss = file.mapping(file.header, "loss")
    loss_kind = _LOSSES.get(file.text(loss, "name"))
    if loss_kind is None:
        raise file.damaged(f"there is no loss {loss.get('name')!r}")
    try:
        rule = kind(**model.parameters(described))
        state = rule.init(len(experts))
        stored = [name.removeprefix("state.") for name in file.arrays if name.startswith("state.")]
        state = state.refilled({name: file.values(f"state.{name}") for name in stored}, len(experts))
        if not state.sound():
            raise file.damaged("a number of its state is none")
        return MixtureSnapshot(
            rule, experts, loss_kind(**model.parameters(loss)), file.flag("gradient"), state.copy(), _totals(file, len(experts))
        )
    except (LittlestoneError, TypeError, ValueError) as error:
        raise error if isinstance(error, InvalidData) else file.damaged(f"its parameters are refused: {error}") from None


def expert_class(file: Container, name: str, rules: Iterable[type[Rule]]) -> type[ExpertRule]:
    """The rule of experts of a name.

    Raises:
        InvalidData: if there is none.
    """
    given = {rule.name(): rule for rule in rules if issubclass(rule, ExpertRule)}
    library = {rule_name(rule): rule for rule in experts.HOMES}
    if name not in given and name not in library:
        raise InvalidData(f"{file.name} holds the rule {name!r}; known are {', '.join(sorted({*library, *given}))}")
    kind: type[ExpertRule] = given[name] if name in given else getattr(experts, library[name])
    if not issubclass(kind, ExpertRule):
        raise file.damaged(f"{name!r} is no rule of experts")
    return kind


def _totals(file: Container, experts: int) -> dict[str, list[float]]:
    """The totals, each as long as that of a fresh ledger."""
    totals: dict[str, list[float]] = {}
    for name, fresh in _core.ExpertTotals(experts).parts().items():
        values: list[float] = file.numbers(f"ledger.{name}").tolist()
        if len(values) != len(fresh) or any(value != value for value in values):
            raise file.damaged(f"its ledger has no sound {name!r}")
        totals[name] = values
    if not all(0.0 <= value < 2.0**53 and value == int(value) for value in totals["counts"]):
        raise file.damaged("its ledger has no sound 'counts'")
    return totals
