"""A client for programs that do other things while they wait."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Sequence
from types import TracebackType
from typing import final

from littlestone.client.calls import (
    LARGEST,
    Address,
    Answer,
    Answers,
    Call,
    Json,
    Label,
    Manners,
    Row,
    ServerError,
    again,
    answer,
    answers,
    check_whole,
    count_of,
    pause,
    read,
    unanswered,
)

_LARGEST_HEAD = 1 << 16
_STATUS = re.compile(r"http/1\.[01] ([1-9]\d\d)( .*)?")


@final
class AsyncClient:
    """A few connections to a server, opened when they are needed; for one event loop.

    Args:
        url: where it is, such as http://127.0.0.1:8000.
        model: which of its models.
        token: what it was told to ask for.
        timeout: seconds to wait for an answer.
        retries: how often a call is sent again that got none, or a 503.
        connections: so many calls are on their way at a time; others wait.
        context: of TLS, where the certificate is not one that this machine trusts.
    """

    def __init__(
        self,
        url: str,
        *,
        model: str = "default",
        token: str | None = None,
        timeout: float = 10.0,
        retries: int = 5,
        connections: int = 16,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._address = Address.of(url, model)
        self._token, self._timeout, self._retries = Manners(token, timeout, retries).checked()
        check_whole("connections", connections, 1)
        self._context = (context or ssl.create_default_context()) if self._address.secure else None
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        self._places = asyncio.Semaphore(connections)

    async def learn(self, row: Row, label: Label = None, *, weight: float = 1.0, id: str | None = None) -> Answer:
        """One round; the prediction made before it. With an id of your own a retry of yours is learned once, too."""
        return answer(await self._sent(self._address.learn(row, label, weight, id)))

    async def learn_many(
        self,
        rows: Sequence[Row],
        labels: Sequence[Label] | None = None,
        *,
        weights: Sequence[float] | None = None,
        id: str | None = None,
    ) -> Answers:
        """Some rounds, all of them or none."""
        count = count_of(rows)
        return answers(await self._sent(self._address.learn_many(rows, labels, weights, id)), count)

    async def predict(self, row: Row, *, id: str | None = None) -> Answer:
        """A prediction; with an id its label may come later, by `feedback`."""
        return answer(await self._sent(self._address.predict(row, id)))

    async def predict_many(self, rows: Sequence[Row]) -> Answers:
        """Predictions."""
        count = count_of(rows)
        return answers(await self._sent(self._address.call("POST", "predict", {"rows": rows})), count)

    async def feedback(self, id: str, label: Label, *, weight: float = 1.0) -> Answer:
        """The label of a prediction."""
        body = {"id": id, "label": label, "weight": weight}
        return answer(await self._sent(self._address.call("POST", "feedback", body)))

    async def get(self, what: str) -> dict[str, Json]:
        """What the model says of itself: "ledger", "certificates", "status", "snapshots"."""
        return await self._sent(self._address.call("GET", what))

    async def snapshot(self) -> dict[str, Json]:
        """Has a snapshot taken."""
        return await self._sent(self._address.call("POST", "snapshot", {}))

    async def close(self) -> None:
        """Closes the connections."""
        free, self._free = self._free, []
        for _, writer in free:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for _, writer in free), return_exceptions=True)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _sent(self, call: Call) -> dict[str, Json]:
        """Sends a call until it is answered.

        Raises:
            ServerError: if it is refused, or was sent often enough.
        """
        for attempt in range(self._retries + 1):
            try:
                async with self._places:
                    return await self._once(call)
            except ServerError as error:
                if not again(error.status) or attempt == self._retries:
                    raise
            await asyncio.sleep(pause(attempt))
        raise AssertionError

    async def _once(self, call: Call) -> dict[str, Json]:
        try:
            async with asyncio.timeout(self._timeout):
                reader, writer = self._free.pop() if self._free else await self._opened()
                try:
                    status, content, stays = await _exchanged(reader, writer, self._request(call))
                except BaseException:  # were it that nobody waits any more: what comes now is no answer to another call
                    writer.close()
                    raise
        except (OSError, EOFError, ValueError, asyncio.LimitOverrunError) as error:
            raise unanswered(self._address, error) from None
        if stays:
            self._free.append((reader, writer))
        else:
            writer.close()
        return read(status, content)

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        address = self._address
        return await asyncio.open_connection(address.host, address.port, ssl=self._context, limit=_LARGEST_HEAD)

    def _request(self, call: Call) -> bytes:
        host = f"[{self._address.host}]" if ":" in self._address.host else self._address.host
        headers = {"Host": f"{host}:{self._address.port}", "Content-Length": str(len(call.body or b""))}
        lines = [f"{call.method} {call.path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in (headers | call.headers(self._token)).items()]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + (call.body or b"")


async def _exchanged(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> tuple[int, bytes, bool]:
    """The status, the body, and whether the connection stays open."""
    writer.write(request)
    await writer.drain()
    status, fields = await _head(reader)
    while status < 200:  # the server is still at it
        status, fields = await _head(reader)
    stays = fields.get("connection") != "close"
    if fields.get("transfer-encoding") == "chunked":
        return status, await _chunks(reader), stays
    if "content-length" not in fields:  # it ends with the connection
        return status, await _up_to(reader, LARGEST + 1), False
    length = int(fields["content-length"])
    if length > LARGEST:
        return status, await _up_to(reader, LARGEST + 1), False
    return status, await reader.readexactly(length), stays


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
    found = _STATUS.fullmatch(lines[0])
    if found is None:
        raise ValueError(f"what came is no HTTP: {lines[0][:40]!r}")
    fields = (line.partition(":") for line in lines[1:])
    return int(found[1]), {name: value.strip() for name, _, value in fields}


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    """A body that comes in pieces, each with its length, as proxies send it; more than an answer can have is not read."""
    body = b""
    while length := int((await reader.readuntil(b"\r\n")).partition(b";")[0], 16):
        if length < 0 or len(body) + length > LARGEST:
            raise ValueError("a piece of the answer has no sound length")
        body += (await reader.readexactly(length + 2))[:-2]
    while await reader.readuntil(b"\r\n") != b"\r\n":  # fields behind the body
        continue
    return body


async def _up_to(reader: asyncio.StreamReader, most: int) -> bytes:
    pieces, left = list[bytes](), most
    while left and (piece := await reader.read(left)):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
