"""What both clients send and read: the calls, and what is made of the answers."""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias, final
from urllib.parse import quote, urlsplit

from littlestone.errors import InvalidParameter, LittlestoneError

Row: TypeAlias = "Mapping[str, float | str | bool | None] | Sequence[float | None]"
Label: TypeAlias = bool | int | float | str | None
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


class ServerError(LittlestoneError):
    """The server refused a call, or did not answer."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        """Of HTTP; 0 where there was no answer."""


@final
class Answer(NamedTuple):
    """To one row."""

    prediction: Label
    model_version: int


@final
class Answers(NamedTuple):
    """To many rows."""

    predictions: list[Label]
    model_version: int


@final
class Call(NamedTuple):
    """A request."""

    method: str
    path: str
    body: bytes | None = None
    key: str | None = None
    """Of what changes the model: with it, a call that is sent twice is learned once."""

    def headers(self, token: str | None) -> dict[str, str]:
        """The headers that go with it."""
        headers = {} if self.body is None else {"Content-Type": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if self.key is not None:
            headers["Idempotency-Key"] = self.key
        return headers


@final
class Address(NamedTuple):
    """Where the server is, and which of its models is meant."""

    host: str
    port: int
    secure: bool
    model: str

    @staticmethod
    def of(url: str, model: str) -> Address:
        """The parts of a URL.

        Raises:
            InvalidParameter: if it is none.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or parts.hostname is None or parts.path not in ("", "/"):
            raise InvalidParameter(f"url is {url!r}; expected one like http://127.0.0.1:8000")
        secure = parts.scheme == "https"
        return Address(parts.hostname, parts.port or (443 if secure else 80), secure, model)

    def call(self, method: str, verb: str, body: Mapping[str, object] | None = None, key: str | None = None) -> Call:
        """A call of a verb of the model."""
        content = None if body is None else json.dumps(body, allow_nan=False).encode()
        return Call(method, f"/v2/models/{quote(self.model, safe='')}/{verb}", content, key)

    def learn(self, row: Row, label: Label, weight: float, key: str | None) -> Call:
        """One round."""
        return self.call("POST", "learn", {"row": row, "label": label, "weight": weight}, key or new_key())

    def learn_many(
        self, rows: Sequence[Row], labels: Sequence[Label] | None, weights: Sequence[float] | None, key: str | None
    ) -> Call:
        """Some rounds, all or none."""
        return self.call("POST", "learn", {"rows": rows, "labels": labels, "weights": weights}, key or new_key())

    def predict(self, row: Row, key: str | None) -> Call:
        """A prediction, with an id if its label is to come."""
        return self.call("POST", "predict", {"row": row} if key is None else {"row": row, "id": key})


def new_key() -> str:
    """An id that nobody had before."""
    return str(uuid.uuid4())


def again(status: int) -> bool:
    """Whether a call may go well if it is sent again: the server cannot now, or nobody knows whether it did."""
    return status in (0, 503)


def pause(attempt: int) -> float:
    """Seconds before the call is sent again."""
    return min(0.1 * 2.0**attempt, 2.0)


def read(status: int, content: bytes) -> dict[str, Json]:
    """The answer, if it is one.

    Raises:
        ServerError: with the sentence of the server.
    """
    try:
        value: Json = json.loads(content)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise ServerError(status, f"the server answered {status} and no JSON object")
    if status >= 400:
        raise ServerError(status, str(value.get("error", f"the server answered {status}")))
    return value


def answer(value: dict[str, Json]) -> Answer:
    """To one row."""
    return Answer(_label(value.get("prediction")), _version(value))


def answers(value: dict[str, Json]) -> Answers:
    """To many rows."""
    listed = value.get("predictions")
    return Answers([_label(each) for each in listed] if isinstance(listed, list) else [], _version(value))


def _label(value: Json) -> Label:
    return math.nan if isinstance(value, list | dict) else value


def _version(value: dict[str, Json]) -> int:
    version = value.get("model_version")
    return version if isinstance(version, int) else 0
