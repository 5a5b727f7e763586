"""Requests and responses over plain ASGI."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple, final

import msgspec

from littlestone.errors import LittlestoneError
from littlestone.serve.errors import RefusalError, malformed, sentence_of

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveCallable, ASGISendCallable

    from littlestone.serve.app import Quickly

JSON = b"application/json"
SAFE = ((b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store"))

_encode = msgspec.json.Encoder().encode
_KEY = 200
_KEPT, _LONGEST_KEPT = 1024, 2048
"""Heads that are remembered, and bytes of one."""


class DisconnectedError(Exception):
    """Whoever asked is gone."""


@final
class Response(NamedTuple):
    """What is sent back."""

    status: int
    body: bytes
    content_type: bytes = JSON
    headers: tuple[tuple[bytes, bytes], ...] = ()


FAILED = Response(HTTPStatus.INTERNAL_SERVER_ERROR, b'{"error":"the server failed; its log says how"}')


def as_json(value: object, status: int = 200) -> Response:
    """A value as JSON."""
    return Response(status, _encode(value))


def refused(error: LittlestoneError) -> Response:
    """One sentence, and the status for it."""
    status = error.status if isinstance(error, RefusalError) else HTTPStatus.UNPROCESSABLE_ENTITY
    headers: tuple[tuple[bytes, bytes], ...] = ()
    if status == HTTPStatus.UNAUTHORIZED:
        headers = ((b"www-authenticate", b"Bearer"),)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers = ((b"retry-after", b"1"),)
    return Response(status, _encode({"error": sentence_of(error)}), headers=headers)


def wired(response: Response, more: list[tuple[bytes, bytes]], *, close: bool) -> bytes:
    """A response as it goes over the wire, with some more fields in its head."""
    if response.status == HTTPStatus.OK and not response.headers and response.content_type is JSON and not close:
        return _usual.of(more) % (len(response.body), response.body)
    status = HTTPStatus(response.status)
    fields = [(b"content-type", response.content_type), (b"content-length", b"%d" % len(response.body)), *SAFE]
    fields += [*response.headers, *([(b"connection", b"close")] if close else []), *more]
    lines = [b"%s: %s\r\n" % field for field in fields]
    return b"".join([b"HTTP/1.1 %d %s\r\n" % (status.value, status.phrase.encode()), *lines, b"\r\n", response.body])


@final
class _Usual:
    """The head of nearly every response, made once for every list of further fields, of which there is one a second."""

    def __init__(self) -> None:
        self._more: list[tuple[bytes, bytes]] | None = None
        self._pattern = b""

    def of(self, more: list[tuple[bytes, bytes]]) -> bytes:
        """A pattern for the length of the body and the body."""
        if more is not self._more:
            fields = b"".join(b"%s: %s\r\n" % field for field in ((b"content-type", JSON), *SAFE, *more))
            self._more = more
            self._pattern = b"HTTP/1.1 200 OK\r\n" + fields.replace(b"%", b"%%") + b"content-length: %d\r\n\r\n%b"
        return self._pattern


_usual = _Usual()


async def send_response(send: ASGISendCallable, response: Response) -> None:
    """Sends it whole."""
    status, body, content_type, more = response
    length = (b"content-length", b"%d" % len(body))
    headers = [(b"content-type", content_type), length, *SAFE, *more]
    await send({"type": "http.response.start", "status": status, "headers": headers, "trailers": False})
    await send({"type": "http.response.body", "body": body, "more_body": False})


@final
class Request:
    """A request as far as it has arrived."""

    __slots__ = ("content_type", "headers", "method", "path")

    def __init__(self, method: str, path: str, headers: Iterable[tuple[bytes, bytes]]) -> None:
        self.method = method
        self.path = path
        self.headers = dict(headers)
        self.content_type = self.headers.get(b"content-type", b"").split(b";")[0].strip().lower()

    @property
    def parts(self) -> list[str]:
        """What stands between the slashes of the path; a request may be for "*", which has none."""
        return self.path.removeprefix("/").split("/")

    @property
    def key(self) -> str | None:
        """The Idempotency-Key.

        Raises:
            RefusalError: if it cannot be one.
        """
        given = self.headers.get(b"idempotency-key")
        if given is None:
            return None
        if not 0 < len(given) <= _KEY or not given.isascii():
            raise malformed(f"the Idempotency-Key has {len(given)} bytes; expected 1 to {_KEY} letters of ASCII")
        return given.decode("ascii")

    def number(self, header: bytes) -> int | None:
        """A header that is a whole number.

        Raises:
            RefusalError: if it is something else.
        """
        given = self.headers.get(header)
        if given is None:
            return None
        if not given.isdigit() or len(given) > 18:
            raise malformed(f"{header.decode()} is {given[:20]!r}; expected a whole number")
        return int(given)


@final
class Head(NamedTuple):
    """The head of a request that is answered without a task."""

    request: Request
    quickly: Quickly
    length: int
    """Of the body."""
    ends: bool
    """Whether the connection ends with it."""


def keep(heads: dict[bytes, Head], said: bytes, head: Head) -> None:
    """Remembers a head that may be said again, word for word."""
    if len(said) > _LONGEST_KEPT or b"idempotency-key" in head.request.headers:
        return
    if len(heads) >= _KEPT:
        heads.clear()
    heads[said] = head


async def body_of(request: Request, receive: ASGIReceiveCallable, most: int) -> bytes:
    """The whole body of a request.

    Raises:
        RefusalError: if it is larger than it may be.
        DisconnectedError: if it does not arrive.
    """
    if (request.number(b"content-length") or 0) > most:
        raise _too_large(most)
    pieces = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise DisconnectedError
        piece = message.get("body", b"")
        pieces = pieces + piece if pieces else piece
        if len(pieces) > most:
            raise _too_large(most)
        if not message.get("more_body", False):
            return pieces


def _too_large(most: int) -> RefusalError:
    sentence = f"the body is larger than {most} bytes; send fewer rows at a time"
    return RefusalError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "large", sentence)
