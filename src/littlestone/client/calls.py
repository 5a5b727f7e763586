"""What both clients send and read: the calls, and what is made of the answers."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias, final
from urllib.parse import quote, urlsplit

from littlestone.errors import InvalidData, InvalidParameter, LittlestoneError

Row: TypeAlias = "Mapping[str, float | str | bool | None] | Sequence[float | None]"
Label: TypeAlias = bool | int | float | str | None
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

LARGEST = 1 << 26
"""Bytes of an answer; whoever sends more is no server of ours."""

_HOST = re.compile(r"[\w.-]+|[0-9A-Fa-f:.]+(%\w+)?")
_TOKEN = re.compile(r"[!-~]{1,512}")
_KEY = re.compile(r"[!-~]([ -~]{0,198}[!-~])?")
_LONGEST = 500
"""Letters of what somebody else says that are repeated."""


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
            InvalidParameter: if it is none, or the model has no name.
        """
        if not isinstance(model, str) or not model.isprintable():
            raise InvalidParameter(f"model is {_shown(model)}; model must be the name of a model of the server")
        try:
            parts = urlsplit(url) if isinstance(url, str) else urlsplit("")
            host = (parts.hostname or "").encode("idna").decode("ascii")
            port = parts.port
        except ValueError:  # which errors of letters are, too
            raise _no_url(url) from None
        surplus = parts.path not in ("", "/") or parts.query or parts.fragment or parts.username is not None
        if parts.scheme not in ("http", "https") or not _HOST.fullmatch(host) or surplus:
            raise _no_url(url)
        secure = parts.scheme == "https"
        return Address(host, port or (443 if secure else 80), secure, model)

    def call(self, method: str, verb: str, body: Mapping[str, object] | None = None, key: str | None = None) -> Call:
        """A call of a verb of the model.

        Raises:
            InvalidData: if a value cannot be sent.
        """
        if not isinstance(verb, str) or not verb.isprintable():
            raise InvalidParameter(f'what is {_shown(verb)}; what must be a word such as "ledger" or "status"')
        return Call(
            method, f"/v2/models/{quote(self.model, safe='')}/{quote(verb)}", None if body is None else _written(body), key
        )

    def learn(self, row: Row, label: Label, weight: float, key: str | None) -> Call:
        """One round."""
        return self.call("POST", "learn", {"row": row, "label": label, "weight": weight}, _key(key))

    def learn_many(
        self, rows: Sequence[Row], labels: Sequence[Label] | None, weights: Sequence[float] | None, key: str | None
    ) -> Call:
        """Some rounds, all or none."""
        return self.call("POST", "learn", {"rows": rows, "labels": labels, "weights": weights}, _key(key))

    def predict(self, row: Row, key: str | None) -> Call:
        """A prediction, with an id if its label is to come."""
        return self.call("POST", "predict", {"row": row} if key is None else {"row": row, "id": key})


@final
class Manners(NamedTuple):
    """How a client calls."""

    token: str | None
    timeout: float
    retries: int

    def checked(self) -> Manners:
        """These, if they are what they should be.

        Raises:
            InvalidParameter: naming the one that is not.
        """
        token, timeout, retries = self
        if token is not None and not (isinstance(token, str) and _TOKEN.fullmatch(token)):
            raise InvalidParameter("token must be 1 to 512 letters of ASCII without spaces, or None")
        if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0.0 < timeout <= 1e6:
            raise InvalidParameter(f"timeout is {_shown(timeout)}; timeout must be a number of seconds above 0 and at most 1e6")
        check_whole("retries", retries, 0)
        return self


def check_whole(name: str, number: int, least: int) -> None:
    """Refuses what is no whole number, or too small.

    Raises:
        InvalidParameter: naming it.
    """
    if isinstance(number, bool) or not isinstance(number, int) or number < least:
        raise InvalidParameter(f"{name} is {_shown(number)}; {name} must be a whole number, at least {least}")


def _no_url(url: object) -> InvalidParameter:
    return InvalidParameter(f"url is {_shown(url)}; expected one like http://127.0.0.1:8000")


def _written(body: Mapping[str, object]) -> bytes:
    try:
        return json.dumps(body, allow_nan=False, default=_plain).encode()
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        expected = "expected texts, truth values, None and finite numbers in rows, labels and weights"
        raise InvalidData(f"the call cannot be written as JSON: {_line(error)}; {expected}") from None


def _plain(value: object) -> object:
    """Numbers and arrays of NumPy as Python has them."""
    listed = getattr(value, "tolist", None)
    if not callable(listed):
        raise TypeError(f"it holds a {type(value).__name__}")
    return listed()


def _shown(value: object) -> str:
    """A value in a sentence: as it is written where that is short, else by its kind."""
    if isinstance(value, str):
        return repr(value[:60])
    short = value is None or isinstance(value, float) or (isinstance(value, int) and value.bit_length() < 64)
    return repr(value) if short else f"a {type(value).__name__}"


def count_of(rows: Sequence[Row]) -> int:
    """How many rows there are.

    Raises:
        InvalidData: if they cannot be counted.
    """
    try:
        return len(rows)
    except TypeError:
        raise InvalidData(f"rows is {_shown(rows)}; expected a list of rows") from None


def _line(said: object) -> str:
    """What somebody else says, as one line of letters that can be shown."""
    words = " ".join(str(said)[: 2 * _LONGEST].split())[:_LONGEST]
    return words if words.isprintable() else words.encode("unicode_escape").decode("ascii")


def _key(given: str | None) -> str:
    """The id of a call that changes the model: yours, or one that nobody had before."""
    if given is None:
        return str(uuid.uuid4())
    if not isinstance(given, str) or not _KEY.fullmatch(given):
        raise InvalidParameter(f"id is {_shown(given)}; id must be 1 to 200 letters of ASCII, or None")
    return given


def unanswered(address: Address, error: Exception) -> ServerError:
    """Nobody knows whether the call arrived."""
    return ServerError(0, f"{address.host}:{address.port} did not answer: {_line(error) or type(error).__name__}")


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
    if len(content) > LARGEST:
        raise ServerError(status, f"the server answered {status} with more than {LARGEST} bytes; no answer has so many")
    try:
        value: Json = json.loads(content)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ServerError(status, f"the server answered {status} and no JSON object")
    if not 200 <= status < 300:
        said = value.get("error")
        raise ServerError(status, _line(said) if isinstance(said, str) and said else f"the server answered {status}")
    return value


def answer(value: dict[str, Json]) -> Answer:
    """To one row.

    Raises:
        ServerError: if the answer is not one to a row.
    """
    return Answer(_label(value, value.get("prediction", _NOTHING)), _version(value))


def answers(value: dict[str, Json], count: int) -> Answers:
    """To so many rows.

    Raises:
        ServerError: if the answer is not one to them.
    """
    listed = value.get("predictions")
    if not isinstance(listed, list) or len(listed) != count:
        raise _no_answer(f"expected as many predictions as rows, {count}", value)
    return Answers([_label(value, each) for each in listed], _version(value))


_NOTHING: list[Json] = []


def _label(value: dict[str, Json], found: Json) -> Label:
    if isinstance(found, list | dict):
        raise _no_answer("expected a label or a number as prediction", value)
    return found


def _version(value: dict[str, Json]) -> int:
    version = value.get("model_version")
    if isinstance(version, bool) or not isinstance(version, int):
        raise _no_answer("expected the number of the version of the model", value)
    return version


def _no_answer(expected: str, value: dict[str, Json]) -> ServerError:
    return ServerError(200, f"the server answered {_line(json.dumps(value)[:_LONGEST])}; {expected}")
