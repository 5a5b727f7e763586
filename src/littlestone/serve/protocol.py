"""HTTP/1.1 by uvicorn and httptools, with deadlines, and a short way for the verbs of rows.

Whoever trickles a head or a body is cut off. A request for one of the quick verbs whose length is known is answered here,
without a task, a scope and coroutines, which take longer than the prediction itself; everything else goes the way of ASGI.
A client says the same head again and again: one that was parsed is known by its bytes, and is not parsed again.
"""

from __future__ import annotations

import math
import time
from asyncio import BaseTransport, Transport
from http import HTTPStatus
from typing import TYPE_CHECKING, cast, final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from littlestone.serve.http import FAILED, Head, Request, Response, keep, wired

if TYPE_CHECKING:
    from littlestone.serve.app import App

HEAD_SECONDS = 10.0
"""For a connection to send the head of a request, from when it is made or the head begins."""

BODY_SECONDS = 30.0
"""For the rest of the request."""

IDLE_SECONDS = 30.0
"""For a connection between two requests."""

LARGEST_HEAD = 1 << 16

_SLOW = Response(HTTPStatus.REQUEST_TIMEOUT, b'{"error":"the request took too long to arrive"}')
_NO_HTTP = Response(HTTPStatus.BAD_REQUEST, b'{"error":"what came is not a request of HTTP/1.1"}')
_UPGRADE = Response(
    HTTPStatus.BAD_REQUEST, b'{"error":"a request with a body cannot ask for another protocol; leave out Upgrade"}'
)
_BODIES = (b"content-length", b"transfer-encoding")
_LARGE = Response(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, b'{"error":"the head of the request is larger than 65536 bytes"}')


@final
class Protocol(HttpToolsProtocol):
    """A connection."""

    due = math.inf
    """When it is to be cut off."""
    _head = 0
    """Bytes of the head so far; -1 when it is complete."""
    _mixed = False
    """Whether the bytes at hand have the end of a request in them, too."""
    _whole: bytes | None = None
    """The bytes at hand, where they may be one request that goes the short way and nothing else."""
    _quick: Head | None = None
    """The request, where it goes the short way."""
    _body: bytes = b""
    _owed = False
    """Whether an answer of the short way is still to come."""
    _behind: bytes = b""
    """What was sent behind a request whose answer is still to come."""
    _idle = False
    """Between two requests, the last of which went the short way."""
    _ends = False

    def connection_made(self, transport: BaseTransport) -> None:
        """A connection that never says anything has a deadline too."""
        super().connection_made(cast("Transport", transport))
        self._served = cast("App", self.app)
        self._heads = self._served.heads
        self.due = time.monotonic() + HEAD_SECONDS

    def data_received(self, data: bytes) -> None:
        """Heads have no end of their own: the parser would read them for ever."""
        if self._owed or self._behind:
            self._behind += data
            self.flow.pause_reading()
            return
        if self._idle:
            end = data.find(b"\r\n\r\n") + 4
            known = self._heads.get(data[:end])
            if known is not None and end + known.length <= len(data):
                self._behind = data[end + known.length :]
                self._take(known, data[end : end + known.length])
                return
        # Only bytes that begin a request can be known by what they begin with.
        self._mixed, self._whole = False, data if self._idle else None
        super().data_received(data)
        if self._head >= 0 and not self._mixed:
            self._head += len(data)
        if self._head > LARGEST_HEAD:
            self._refuse(_LARGE)

    def on_message_begin(self) -> None:
        """A head begins."""
        if self._owed:  # in one piece with a request that is not answered yet: it is to be sent again, on another connection
            self._ends = True
            return
        self.due, self._head, self._idle = time.monotonic() + HEAD_SECONDS, 0, False
        self.url, self.headers, self.expect_100_continue = b"", [], False

    def on_url(self, url: bytes) -> None:
        """The path and the query."""
        if not self._owed:
            self.url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """A field of the head."""
        if self._owed:
            return
        name = name.lower()
        self.headers.append((name, value))
        if name == b"expect" and value.lower() == b"100-continue":
            self.expect_100_continue = True

    def on_headers_complete(self) -> None:
        """The body begins."""
        if self._owed:
            return
        if self.parser.should_upgrade() and any(name in _BODIES for name, _ in self.headers):
            self._refuse(_UPGRADE)  # the parser would take the body for the next request
            return
        self.due, self._head = time.monotonic() + BODY_SECONDS, -1
        self._quick, self._body = self._short_way(), b""
        if self._quick is None:
            url, headers, expects = self.url, self.headers, self.expect_100_continue
            super().on_message_begin()
            self.url, self.expect_100_continue = url, expects
            self.headers.extend(headers)
            super().on_headers_complete()

    def _short_way(self) -> Head | None:
        """The request, if it is one that can be answered here."""
        app = self._served
        quickly = app.quick.get(self.url)
        if quickly is None or (self.cycle is not None and not self.cycle.response_complete):
            return None
        if self.parser.get_method() != b"POST" or self.expect_100_continue or self.parser.get_http_version() != "1.1":
            return None
        request = Request("POST", self.url.decode("ascii"), self.headers)
        length = request.headers.get(b"content-length", b"")
        if not length.isdigit() or len(length) > 9 or int(length) > app.largest_body:
            return None
        return Head(request, quickly, int(length), ends=not self.parser.should_keep_alive())

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        if self._owed:
            return
        if self._quick is None:
            super().on_body(body)
        else:
            self._body = self._body + body if self._body else body

    def on_message_complete(self) -> None:
        """Everything is here; how long the answer takes is not the client's fault."""
        if self._owed:
            return
        self._mixed = True
        if self._quick is None:
            self.due = math.inf
            super().on_message_complete()
            return
        quick, whole, body = self._quick, self._whole, self._body
        self._quick, self._whole, self._body = None, None, b""
        if whole is not None and whole.find(b"\r\n\r\n") + 4 + quick.length == len(whole):
            keep(self._heads, whole[: len(whole) - quick.length], quick)
        self._take(quick, body)

    def _take(self, quick: Head, body: bytes) -> None:
        """A request that has come whole."""
        self.due, self._idle, self._owed, self._ends = math.inf, False, True, quick.ends
        try:
            self._served.answer_quickly(quick, body, self._answer)
        except Exception:  # a bug: the parser would take it for a bad request
            self.logger.exception("a request failed")
            self._answer(FAILED)

    def _answer(self, response: Response) -> None:
        self._owed = False
        if self.transport.is_closing():
            return
        self.server_state.total_requests += 1
        self.transport.write(wired(response, self.server_state.default_headers, close=self._ends))
        self.due, self._idle = time.monotonic() + IDLE_SECONDS, True
        if self._ends:
            self.transport.close()
        elif self._behind and not self.flow.write_paused:
            self.loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        """What was sent without waiting for the answer is looked at when the answer is given; no more is read until then."""
        behind, self._behind = self._behind, b""
        if behind and not self.transport.is_closing():
            self.data_received(behind)
            if not self._behind:
                self.flow.resume_reading()

    def pause_writing(self) -> None:
        """Who does not read the answers is not heard either."""
        super().pause_writing()
        self.flow.pause_reading()

    def resume_writing(self) -> None:
        """The answers are read again."""
        super().resume_writing()
        if self._behind:
            self.loop.call_soon(self._go_on)
        else:
            self.flow.resume_reading()

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP is answered as everything else is, and nothing more is heard."""
        self.transport.write(wired(_NO_HTTP, [], close=True))
        self.transport.close()

    def shutdown(self) -> None:
        """The server ends: what is owed is still answered."""
        if self._owed:
            self._ends = True
        else:
            super().shutdown()

    def cut_if_due(self, now: float) -> None:
        """Says why, and closes; between two requests there is nothing to say."""
        if now >= self.due:
            if self._idle:
                self.transport.close()
            else:
                self._refuse(_SLOW)

    def _refuse(self, response: Response) -> None:
        """Says so, unless the request was answered before all of it had come."""
        answered = self._head < 0 and self._quick is None and self.cycle is not None and self.cycle.response_started
        self.due, self._head = math.inf, -1
        if self.transport.is_closing():
            return
        if not answered:
            self.transport.write(wired(response, [], close=True))
        self.transport.close()
