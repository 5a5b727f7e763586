"""The bodies of requests: what may stand in them, and the sentence for what may not."""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias, TypeVar, final

import msgspec

from littlestone.serve.entries import Feedback, Learn, LearnMany, Outcome, Row, Whole
from littlestone.serve.errors import UNREADABLE, RefusalError, malformed

Id: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=200)] | Whole
Named = TypeVar("Named")

NDJSON = (b"application/x-ndjson", b"application/jsonl", b"application/x-jsonlines")


@final
class Caps(msgspec.Struct, frozen=True, kw_only=True):
    """What one request may bring; published by `GET /v2/models/NAME`."""

    body: int = 1 << 20
    """Bytes."""
    rows: int = 10_000
    features: int = 10_000
    """A row."""
    vocabulary: int = 1_000_000
    """Features that the model may know: names beyond them are refused."""


@final
class LearnBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """`{"row", "label", "weight"?, "id"?}`, or `{"rows", "labels", "weights"?, "id"?}`."""

    row: Row | None = None
    label: Outcome = None
    weight: float = 1.0
    id: Id | None = None
    rows: list[Row] | None = None
    labels: list[Outcome] | None = None
    weights: list[float] | None = None


@final
class PredictBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """`{"row", "id"?}`, or `{"rows"}`."""

    row: Row | None = None
    id: Id | None = None
    rows: list[Row] | None = None


@final
class FeedbackBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """`{"id", "label", "weight"?}`."""

    id: Id
    label: Outcome
    weight: float = 1.0


@final
class ShadowBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """`{"rule", "parameters"?}`: the name of a rule as `littlestone rules` has it, and its flags; or a snapshot's number."""

    rule: str | None = None
    parameters: dict[str, str | float | bool] = {}
    one_versus_rest: bool = False
    snapshot: int | None = None


@final
class RollbackBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """`{"snapshot"}`: its number, as `GET …/snapshots` lists it."""

    snapshot: int


@final
class RowsAsked(NamedTuple):
    """Rows to predict."""

    rows: list[Row]
    id: str | None
    many: bool
    """Whether they came as a list, and are answered by one."""


_learn = msgspec.json.Decoder(LearnBody)
_predict = msgspec.json.Decoder(PredictBody)
_feedback = msgspec.json.Decoder(FeedbackBody)


def learn_entry(body: bytes, content_type: bytes, key: str | None, caps: Caps) -> Learn | LearnMany:
    """What a body says is to be learned.

    Raises:
        RefusalError: if it cannot be read.
    """
    if content_type in NDJSON:
        return _learn_lines(body, key, caps)
    given = _read(_learn, body)
    key = _one_key(given.id, key)
    if given.rows is None:
        if given.labels is not None or given.weights is not None:
            raise _no_row()
        return Learn(_only(given.row, caps), given.label, given.weight, key)
    if given.row is not None or given.label is not None:
        raise malformed('there are "rows" and "row" or "label"; with "rows" give "labels"')
    _checked(given.rows, caps)
    for what, values in (("labels", given.labels), ("weights", given.weights)):
        if values is not None and len(values) != len(given.rows):
            raise malformed(f'there are {len(given.rows)} "rows" and {len(values)} "{what}"; give as many of each')
    return LearnMany(given.rows, given.labels, given.weights, key)


def _learn_lines(body: bytes, key: str | None, caps: Caps) -> LearnMany:
    lines = _read_lines(_learn, body)
    rows: list[Row] = []
    for number, line in enumerate(lines):
        if line.row is None or line.id is not None or line.rows is not None:
            raise malformed(f'line {number}: expected {{"row", "label", "weight"?}}; an id of all lines is the Idempotency-Key')
        rows.append(line.row)
    _checked(rows, caps)
    alone = all(line.label is None for line in lines)
    return LearnMany(rows, None if alone else [line.label for line in lines], [line.weight for line in lines], key)


def asked_rows(body: bytes, content_type: bytes, caps: Caps) -> RowsAsked:
    """What a body asks for.

    Raises:
        RefusalError: if it cannot be read.
    """
    if content_type in NDJSON:
        lines = _read_lines(_predict, body)
        rows = [line.row for line in lines if line.row is not None and line.id is None and line.rows is None]
        if len(rows) != len(lines):
            raise malformed('a line is not {"row"}; an id is for a row that comes alone')
        return RowsAsked(_checked(rows, caps), None, many=True)
    given = _read(_predict, body)
    if given.rows is None:
        return RowsAsked([_only(given.row, caps)], None if given.id is None else str(given.id), many=False)
    if given.row is not None or given.id is not None:
        raise malformed('there are "rows" and "row" or "id"; an id is for a row that comes alone')
    return RowsAsked(_checked(given.rows, caps), None, many=True)


def feedback_entry(body: bytes) -> Feedback:
    """The label that a body brings.

    Raises:
        RefusalError: if it cannot be read.
    """
    given = _read(_feedback, body)
    return Feedback(str(given.id), given.label, given.weight)


def read_as(kind: type[Named], body: bytes) -> Named:
    """A body as what is expected.

    Raises:
        RefusalError: if it cannot be read.
    """
    return _read(msgspec.json.Decoder(kind), body or b"{}")


def _read(decoder: msgspec.json.Decoder[Named], body: bytes) -> Named:
    try:
        return decoder.decode(body)
    except UNREADABLE as error:
        raise _unreadable(error) from None


def _read_lines(decoder: msgspec.json.Decoder[Named], body: bytes) -> list[Named]:
    try:
        return decoder.decode_lines(body)
    except UNREADABLE as error:
        raise _unreadable(error) from None


def _unreadable(error: Exception) -> RefusalError:
    return malformed(f"the body is not as expected: {' '.join(str(error).split())[:200]}")


def _no_row() -> RefusalError:
    return malformed('there is no "row"; expected an object of features and their values, or "rows"')


def _only(row: Row | None, caps: Caps) -> Row:
    if row is None:
        raise _no_row()
    if len(row) > caps.features:
        raise malformed(f"a row has {len(row)} features; a row has at most {caps.features}")
    return row


def _checked(rows: list[Row], caps: Caps) -> list[Row]:
    if not 0 < len(rows) <= caps.rows:
        raise malformed(f"there are {len(rows)} rows; a request brings 1 to {caps.rows}")
    _only(max(rows, key=len), caps)
    return rows


def _one_key(given: Id | None, header: str | None) -> str | None:
    if given is not None and header not in (None, str(given)):
        raise malformed("the id and the Idempotency-Key differ; give one of them")
    return header if given is None else str(given)
