"""A client for programs that do other things while they wait."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence
from types import TracebackType
from typing import final

from littlestone.client.calls import (
    Address,
    Answer,
    Answers,
    Call,
    Json,
    Label,
    Row,
    ServerError,
    again,
    answer,
    answers,
    pause,
    read,
)

_LARGEST_HEAD = 1 << 16


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
        self._token, self._timeout, self._retries = token, timeout, retries
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
        return answers(await self._sent(self._address.learn_many(rows, labels, weights, id)))

    async def predict(self, row: Row, *, id: str | None = None) -> Answer:
        """A prediction; with an id its label may come later, by `feedback`."""
        return answer(await self._sent(self._address.predict(row, id)))

    async def predict_many(self, rows: Sequence[Row]) -> Answers:
        """Predictions."""
        return answers(await self._sent(self._address.call("POST", "predict", {"rows": rows})))

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
        writer: asyncio.StreamWriter | None = None
        try:
            async with asyncio.timeout(self._timeout):
                reader, writer = self._free.pop() if self._free else await self._opened()
                status, content, stays = await _exchanged(reader, writer, self._request(call))
        except (OSError, EOFError, ValueError, asyncio.LimitOverrunError) as error:
            if writer is not None:
                writer.close()
            raise ServerError(0, f"{self._address.host}:{self._address.port} did not answer: {error}") from None
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
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
    fields = dict(line.split(": ", 1) for line in head[1:] if ": " in line)
    content = await reader.readexactly(int(fields["content-length"]) if "content-length" in fields else 0)
    return int(head[0].split(" ")[1]), content, fields.get("connection") != "close"
