"""A mixture of experts behind a server: advice in, forecast out; and its parts of a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, cast, final

import numpy as np

from littlestone import _core, experts
from littlestone.domain import parameters
from littlestone.errors import InvalidData, LittlestoneError, NotApplicable
from littlestone.experts.losses import LOSSES, Loss
from littlestone.experts.mixture import Mixture, MixtureSnapshot
from littlestone.rule import rule_name
from littlestone.serve.entries import Outcome, Prediction, Row
from littlestone.serve.models import Parts, Served

if TYPE_CHECKING:
    from littlestone.arrays import ByteArray, FloatArray
    from littlestone.experts.mixture import AdviceRow
    from littlestone.experts.rule import ExpertRule
    from littlestone.store.container import Container, Json
    from littlestone.theory.certificate import Certificate

KIND = "mixture"


@final
class ServedMixture(Served):
    """A `ls.Mixture` behind a server; a row is the advice of a round, by expert or in their order, null for who sleeps."""

    columns = False

    def __init__(self, mixture: Mixture) -> None:
        self.mixture = mixture
        self.targets = mixture.loss.name != "zero_one"

    @property
    def rule(self) -> str:
        """The rule with its parameters, and the loss."""
        return f"{self.mixture.rule!r}, {self.mixture.loss.name} loss"

    @property
    def width(self) -> int:
        """How many experts there are."""
        return len(self.mixture.experts)

    def features(self) -> list[str]:
        """The experts."""
        return list(self.mixture.experts)

    def check(self, rows: Sequence[Row], labels: Sequence[Outcome] | None, weights: Sequence[float] | None) -> None:
        """Refuses advice that cannot be mixed; whether a loss lies in its range is seen when it is charged."""
        if weights is not None and any(weight != 1.0 for weight in weights):
            raise NotApplicable("a weight is not 1; a mixture gives weights no meaning")
        for row, label in zip(rows, labels or [None] * len(rows), strict=True):
            _number(label)
            self.predict(row)

    def learn(self, row: Row, label: Outcome, weight: float = 1.0) -> Prediction:
        """One round."""
        if weight != 1.0:
            raise NotApplicable("a weight is not 1; a mixture gives weights no meaning")
        return self.mixture.learn_one(_advice(row), _number(label))

    def predict(self, row: Row) -> Prediction:
        """The forecast for the advice of a round."""
        return self.mixture.predict_one(_advice(row))

    def counts(self) -> tuple[int, int]:
        """Rounds, and mistakes where the outcomes are labels."""
        ledger = self.mixture.ledger
        return ledger.rounds, ledger.mistakes

    def ledger(self) -> Mapping[str, object]:
        """Every total by its name; those of experts are lists."""
        told = asdict(self.mixture.ledger)
        return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in told.items()}

    def certificates(self, *, iid: bool) -> list[Certificate]:
        """Every guarantee that speaks of the rule; none of them is about rows to come."""
        return self.mixture.certify()

    def frozen(self) -> Callable[[], Parts]:
        """A copy of everything the mixture knows."""
        snapshot = self.mixture.snapshot()
        return lambda: described(snapshot)


def described(snapshot: MixtureSnapshot) -> Parts:
    """The header and the arrays of a file.

    Raises:
        NotApplicable: if the loss is a function of the user's, or a parameter is of a kind that a file cannot hold.
    """
    if LOSSES.get(snapshot.loss.name) is not type(snapshot.loss):
        raise NotApplicable(f"the loss is {snapshot.loss.name}, which cannot be saved; a file holds no code")
    header: dict[str, Json] = {
        "library": _core.version(),
        "kind": KIND,
        "rule": {"name": type(snapshot.rule).name(), "parameters": _plain(snapshot.rule.parameters())},
        "loss": {"name": snapshot.loss.name, "parameters": _plain(_fields(snapshot.loss))},
        "experts": list(snapshot.experts),
        "gradient": snapshot.gradient,
    }
    arrays: dict[str, FloatArray | ByteArray] = {f"state.{name}": value for name, value in snapshot.state.arrays.items()}
    arrays |= {f"totals.{name}": np.array(values, dtype=np.float64) for name, values in snapshot.totals.items()}
    return header, arrays


def mixture_of(file: Container) -> Mixture:
    """The mixture of a file.

    Raises:
        InvalidData: if its parts do not fit one another.
    """
    rule, loss = file.mapping(file.header, "rule"), file.mapping(file.header, "loss")
    names = [name for name in file.listing(file.header, "experts") if isinstance(name, str)]
    kind = LOSSES.get(file.text(loss, "name"))
    if kind is None:
        raise file.damaged(f"there is no loss {loss.get('name')!r}")
    try:
        made = _rule_class(file, file.text(rule, "name"))(**_values(file.mapping(rule, "parameters")))
        judge = kind(**_values(file.mapping(loss, "parameters")))
        mixture = Mixture(made, experts=names, loss=judge, gradient=file.flag("gradient"))
        return _refilled(file, mixture)
    except (LittlestoneError, TypeError, ValueError) as error:
        raise file.damaged(f"its parts are refused: {error}") from None


def _refilled(file: Container, mixture: Mixture) -> Mixture:
    fresh = mixture.snapshot()
    for name, array in fresh.state.arrays.items():
        stored = file.numbers(f"state.{name}")
        if stored.size != array.size:
            raise file.damaged(f"its {name} is of another length")
        array[...] = stored.reshape(array.shape)
    totals = {name: file.numbers(f"totals.{name}").tolist() for name in fresh.totals}
    if any(len(totals[name]) != len(values) for name, values in fresh.totals.items()):
        raise file.damaged("its ledger is of another length")
    return Mixture.restored(MixtureSnapshot(fresh.rule, fresh.experts, fresh.loss, fresh.gradient, fresh.state, totals))


def _rule_class(file: Container, name: str) -> type[ExpertRule]:
    known = {rule_name(of_class): of_class for of_class in experts.HOMES}
    if name not in known:
        raise file.damaged(f"there is no rule {name!r} of experts")
    rule: type[ExpertRule] = getattr(experts, known[name])
    return rule


def _fields(loss: Loss) -> dict[str, object]:
    return {name: getattr(loss, name) for name in parameters(loss)}


def _plain(values: Mapping[str, object]) -> dict[str, Json]:
    """Parameters as JSON has them; an array is a list."""
    plain: dict[str, Json] = {}
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            plain[name] = value.tolist()
        elif value is None or isinstance(value, bool | int | float | str):
            plain[name] = value
        else:
            raise NotApplicable(f"{name} is {value!r}, which cannot be saved; a file holds numbers, strings and arrays")
    return plain


def _values(plain: Mapping[str, Json]) -> dict[str, object]:
    return {name: np.array(value, dtype=np.float64) if isinstance(value, list) else value for name, value in plain.items()}


def _advice(row: Row) -> AdviceRow:
    return cast("AdviceRow", row)  # what is no number is refused by the mixture


def _number(label: Outcome) -> float:
    if isinstance(label, bool) or not isinstance(label, int | float):
        raise InvalidData(f"the outcome is {label!r}; a mixture of experts learns from numbers")
    return float(label)
