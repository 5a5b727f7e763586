"""What a host asks of whatever learns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast, final

import msgspec

from littlestone.errors import InvalidData
from littlestone.learner import Learner
from littlestone.serve.entries import Outcome, Prediction, Row
from littlestone.store.container import Container
from littlestone.store.reading import ModelContents as StoredLearner
from littlestone.store.writing import described
from littlestone.streams.files import parse
from littlestone.streams.intervals import NO_OUTCOME

if TYPE_CHECKING:
    from littlestone.arrays import ByteArray, FloatArray
    from littlestone.labels import Label
    from littlestone.store.container import Json
    from littlestone.streams.intervals import Intervals
    from littlestone.streams.rows import Rows
    from littlestone.streams.space import Table, Vector
    from littlestone.theory.certificate import Certificate

Parts: TypeAlias = "tuple[dict[str, Json], dict[str, FloatArray | ByteArray]]"
"""The header and the arrays of a model file."""


_NO_LABEL = "\0"
"""The label comes beside the row, not in it."""

_encode = msgspec.json.Encoder().encode
_PLAIN = frozenset((bool, int, float, str, type(None)))


class Served(ABC):
    """A model behind a server: rows and labels as they come from JSON."""

    targets: bool
    """Whether predictions are numbers near the outcome, rather than labels."""

    @property
    @abstractmethod
    def columns(self) -> bool:
        """Whether its features are numbered, not named."""

    @property
    @abstractmethod
    def rule(self) -> str:
        """The rule with its parameters, for people."""

    @property
    @abstractmethod
    def width(self) -> int:
        """How many features it knows."""

    @abstractmethod
    def features(self) -> list[str]:
        """Their names."""

    @abstractmethod
    def check(self, rows: Sequence[Row], labels: Sequence[Outcome] | None, weights: Sequence[float] | None) -> None:
        """Raises what learning these rows one after another would raise. Nothing changes."""

    @abstractmethod
    def learn(self, row: Row, label: Outcome, weight: float = 1.0) -> Prediction:
        """One round; returns the prediction made before the update."""

    @abstractmethod
    def predict(self, row: Row) -> Prediction:
        """The prediction for a row. Nothing changes."""

    @abstractmethod
    def counts(self) -> tuple[int, int]:
        """Rounds and mistakes."""

    @abstractmethod
    def ledger(self) -> Mapping[str, object]:
        """Every total by its name."""

    @abstractmethod
    def certificates(self, *, iid: bool) -> list[Certificate]:
        """What can be proved by now; of rows to come only where the rows are declared i.i.d."""

    @abstractmethod
    def frozen(self) -> Callable[[], Parts]:
        """Takes a copy; the function, which may run in another thread, makes the parts of a file of it."""


@final
class ServedLearner(Served):
    """A `ls.Learner` behind a server."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.targets = not learner.rule.abilities.named
        self._columns: bool | None = None
        for label in learner.labels if learner.rule.abilities.named else ():
            _check_label(label)
        scheme = learner.snapshot(copy=False).space.scheme
        self._hashed = scheme if scheme is not None and scheme.kind == "hash" else None
        if self._hashed is not None and learner.recipe is None:
            words = f"the features of the model are {self._hashed.words}, and no table says what its rows hold"
            raise InvalidData(f"{words}; learn it without --bits, or from a CSV file")

    @property
    def columns(self) -> bool:
        """Whether its features are numbered; the first rows learned decide."""
        if self._columns is None:
            if not self.width:
                return False
            self._columns = isinstance(self.learner.features[0], int)
        return self._columns

    @property
    def rule(self) -> str:
        """The rule with its parameters."""
        return repr(self.learner.rule)

    @property
    def width(self) -> int:
        """How many features it knows."""
        return self.learner.batch([]).width

    def features(self) -> list[str]:
        """Their names."""
        return [str(name) for name in self.learner.features]

    def check(self, rows: Sequence[Row], labels: Sequence[Outcome] | None, weights: Sequence[float] | None) -> None:
        """Raises what learning would raise."""
        if len(rows) == 1:
            label = None if labels is None else labels[0]
            self.learner.check_one(self._vector(rows[0]), _outcome(label), 1.0 if weights is None else weights[0])
            return
        table = self._parsed(rows) if self._hashed is not None else cast("Table", list(map(self._vector, rows)))
        self.learner.check_many(table, NO_OUTCOME if labels is None else labels, weights)

    def learn(self, row: Row, label: Outcome, weight: float = 1.0) -> Prediction:
        """One round."""
        x = cast("Vector", row) if self._columns is False else self._vector(row)
        return _plain(self.learner.learn_one(x, NO_OUTCOME if label is None else label, weight))

    def predict(self, row: Row) -> Prediction:
        """The prediction for a row."""
        return _plain(self.learner.predict_one(self._vector(row)))

    def counts(self) -> tuple[int, int]:
        """Rounds and mistakes."""
        return self.learner.counts

    def ledger(self) -> Mapping[str, object]:
        """Every total by its name."""
        return self.learner.ledger.to_dict()

    def certificates(self, *, iid: bool) -> list[Certificate]:
        """The risk, and every guarantee that speaks of the rule."""
        risk = [] if self.targets else [self.learner.ledger.risk_bound(iid=iid)]
        paired = [self.learner.ledger.beats_majority()] if self.learner.rule.abilities.compares and not self.targets else []
        return [*risk, *(found for found in paired if found.proved), *self.learner.certify()]

    def frozen(self) -> Callable[[], Parts]:
        """A copy of everything the learner knows."""
        snapshot = self.learner.snapshot()
        return lambda: described(snapshot)

    def _vector(self, row: Row) -> Vector:
        """The row as the learner takes it; JSON has no keys that are numbers, which is what columns are."""
        if self._hashed is not None:
            return self._parsed([row])
        if isinstance(row, list) or not self.columns:
            return cast("Vector", row)  # what is no number is refused by the learner, which names the feature
        return cast("Vector", {_column(name): value for name, value in row.items()})

    def _parsed(self, rows: Sequence[Row]) -> Rows:
        """Rows as the readers hash them, by the recipe of the table that was learned."""
        assert self._hashed is not None
        text = b"\n".join(map(_encode, rows))
        scheme = self._hashed
        return parse(text, "jsonl", bits=scheme.bits, hashing=scheme.hashing, label=_NO_LABEL, recipe=self.learner.recipe).X


def of_file(file: Container) -> Served:
    """The model of a file.

    Raises:
        InvalidData: if the file does not hold one that can be served.
    """
    if file.header.get("kind") == "mixture":
        from littlestone.experts.mixture import Mixture
        from littlestone.serve.mixtures import ServedMixture
        from littlestone.store.mixtures import mixture_of

        return ServedMixture(Mixture.restored(mixture_of(file, ())))
    return ServedLearner(Learner.restored(StoredLearner(file, ()).snapshot(), copy=False))


def _check_label(label: Label) -> None:
    """Refuses a label that no answer could hold: with half a letter, or beyond 64 bits."""
    try:
        _encode(label)
    except (UnicodeError, OverflowError, TypeError):
        shown = label if isinstance(label, str) else type(label).__name__
        raise InvalidData(f"the label {shown!r} cannot be sent as JSON; learn with texts and numbers of 64 bits") from None


def _outcome(label: Outcome) -> Label | Intervals:
    return NO_OUTCOME if label is None else label


def _column(name: str) -> int | str:
    return int(name) if name.isdecimal() else name


def _plain(value: object) -> Prediction:
    """A prediction as JSON has it."""
    assert type(value) in _PLAIN
    return cast("Prediction", value)
