"""HTTP/1.1 by uvicorn and httptools, with deadlines, and a short way for the verbs of rows.

Whoever trickles a head or a body is cut off. A request for one of the quick verbs whose length is known is answered here,
without a task, a scope and coroutines, which take longer than the prediction itself; everything else goes the way of ASGI.
"""

from __future__ import annotations

import math
import time
from asyncio import BaseTransport, Future, Transport
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, cast, final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from littlestone.serve.http import Request, Response, head_of

if TYPE_CHECKING:
    from littlestone.serve.app import App, Owed
    from littlestone.serve.host import Reply

HEAD_SECONDS = 10.0
"""For a connection to send the head of a request, from when it is made or the head begins."""

BODY_SECONDS = 30.0
"""For the rest of the request."""

IDLE_SECONDS = 30.0
"""For a connection between two requests."""

LARGEST_HEAD = 1 << 16

_SLOW = Response(HTTPStatus.REQUEST_TIMEOUT, b'{"error":"the request took too long to arrive"}')
_FAILED = Response(HTTPStatus.INTERNAL_SERVER_ERROR, b'{"error":"the server failed; its log says how"}')
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
    _quick: Request | None = None
    """The request, where it goes the short way."""
    _body: bytes = b""
    _owed = False
    """Whether an answer of the short way is still to come; what is sent behind its request is not looked at."""
    _idle = False
    _ends = False

    def connection_made(self, transport: BaseTransport) -> None:
        """A connection that never says anything has a deadline too."""
        super().connection_made(cast("Transport", transport))
        self._served = cast("App", self.app)
        self.due = time.monotonic() + HEAD_SECONDS

    def data_received(self, data: bytes) -> None:
        """Heads have no end of their own: the parser would read them for ever."""
        self._mixed = False
        super().data_received(data)
        if self._head >= 0 and not self._mixed:
            self._head += len(data)
        if self._head > LARGEST_HEAD:
            self._refuse(_LARGE)

    def on_message_begin(self) -> None:
        """A head begins."""
        if self._owed:  # sent without waiting for the answer: it is to be sent again, on another connection
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
        self.due, self._head = time.monotonic() + BODY_SECONDS, -1
        self._quick, self._body = self._short_way(), b""
        if self._quick is None:
            url, headers, expects = self.url, self.headers, self.expect_100_continue
            super().on_message_begin()
            self.url, self.expect_100_continue = url, expects
            self.headers.extend(headers)
            super().on_headers_complete()

    def _short_way(self) -> Request | None:
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
        self._quickly = quickly
        return request

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
        self.due, self._mixed = math.inf, True
        if self._quick is None:
            super().on_message_complete()
            return
        try:
            answer = self._served.answer_quickly(self._quickly, self._quick, self._body)
        except Exception:  # a bug: the parser would take it for a bad request
            self.logger.exception("a request failed")
            answer = _FAILED
        self._ends = not self.parser.should_keep_alive()
        if isinstance(answer, Response):
            self._answer(answer)
            return
        self._owed = True
        self.flow.pause_reading()
        answer.reply.add_done_callback(partial(self._answer_later, answer))

    def _answer_later(self, owed: Owed, _: Future[Reply]) -> None:
        response = self._served.settled(owed)
        self._owed = False
        if not self.transport.is_closing():
            self._answer(response)
            self.flow.resume_reading()

    def _answer(self, response: Response) -> None:
        self.server_state.total_requests += 1
        self._quick, self._body = None, b""
        head = head_of(response, self.server_state.default_headers, close=self._ends)
        self.transport.write(head + response.body)
        self.due, self._idle = time.monotonic() + IDLE_SECONDS, True
        if self._ends:
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
            self.transport.write(head_of(response, (), close=True) + response.body)
        self.transport.close()
