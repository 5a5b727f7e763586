"""HTTP/1.1 by uvicorn and httptools, with deadlines: whoever trickles a head or a body is cut off."""

from __future__ import annotations

import math
import time
from asyncio import BaseTransport, Transport
from typing import cast, final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 10.0
"""For a connection to send the head of a request, from when it is made or the head begins."""

BODY_SECONDS = 30.0
"""For the rest of the request."""

LARGEST_HEAD = 1 << 16

_SLOW = b'{"error":"the request took too long to arrive"}'
_LARGE = b'{"error":"the head of the request is larger than 65536 bytes"}'


@final
class Protocol(HttpToolsProtocol):
    """A connection."""

    due = math.inf
    """When it is to be cut off."""
    _head = 0
    """Bytes of the head so far; -1 when it is complete."""
    _mixed = False
    """Whether the bytes at hand have the end of a request in them, too."""

    def connection_made(self, transport: BaseTransport) -> None:
        """A connection that never says anything has a deadline too."""
        super().connection_made(cast("Transport", transport))
        self.due = time.monotonic() + HEAD_SECONDS

    def data_received(self, data: bytes) -> None:
        """Heads have no end of their own: the parser would read them for ever."""
        self._mixed = False
        super().data_received(data)
        if self._head >= 0 and not self._mixed:
            self._head += len(data)
        if self._head > LARGEST_HEAD:
            self._refuse(b"431 Request Header Fields Too Large", _LARGE)

    def on_message_begin(self) -> None:
        """A head begins."""
        self.due, self._head = time.monotonic() + HEAD_SECONDS, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The body begins."""
        self.due, self._head = time.monotonic() + BODY_SECONDS, -1
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Everything is here; how long the answer takes is not the client's fault."""
        self.due, self._mixed = math.inf, True
        super().on_message_complete()

    def cut_if_due(self, now: float) -> None:
        """Says why, and closes."""
        if now >= self.due:
            self._refuse(b"408 Request Timeout", _SLOW)

    def _refuse(self, status: bytes, body: bytes) -> None:
        """Says so, unless the request was answered before all of it had come."""
        answered = self._head < 0 and self.cycle is not None and self.cycle.response_started
        self.due, self._head = math.inf, -1
        if self.transport.is_closing():
            return
        head = b"HTTP/1.1 %s\r\ncontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
        if not answered:
            self.transport.write(head % (status, len(body)) + body)
        self.transport.close()
