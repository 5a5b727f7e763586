"""The process: models restored, a socket opened, and everything on the disk when it ends."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType
from typing import final

import uvicorn
import uvloop

from littlestone.errors import InvalidParameter
from littlestone.serve.access import AccessLog
from littlestone.serve.app import App
from littlestone.serve.desk import Desk
from littlestone.serve.entries import Limits
from littlestone.serve.errors import RefusalError
from littlestone.serve.folder import Folder
from littlestone.serve.host import Host
from littlestone.serve.journal import SEGMENT
from littlestone.serve.models import Served
from littlestone.serve.protocol import Protocol
from littlestone.serve.requests import Caps
from littlestone.serve.tokens import Tokens

_GRACE = 1
"""Seconds that requests on their way have when the process is asked to end."""


@final
@dataclass(frozen=True)
class Settings:
    """How to serve.

    Attributes:
        data: the folder; each model has one of its own in it.
        models: by name, what makes the model to begin with, called only where the folder has none.
        snapshot_seconds: how often a snapshot is taken, if anything was learned since.
    """

    data: Path
    models: dict[str, Callable[[], Served]]
    host: str = "127.0.0.1"
    port: int = 8000
    tokens: Tokens = field(default_factory=lambda: Tokens([]))
    caps: Caps = field(default_factory=Caps)
    limits: Limits = field(default_factory=Limits)
    snapshot_seconds: float = 300.0
    segment: int = SEGMENT
    keep_journal: bool = False
    access_log: Path | None = None
    certificate: str | None = None
    key: str | None = None
    iid: bool = False

    def check(self) -> None:
        """Refuses to be reached by others without a token.

        Raises:
            InvalidParameter: saying what to give.
        """
        if not self.tokens and not is_loopback(self.host):
            raise InvalidParameter(f"--host {self.host} can be reached by others; give --token-file, or leave it at 127.0.0.1")
        if (self.certificate is None) != (self.key is None):
            raise InvalidParameter("TLS needs both --tls-certificate and --tls-key")
        if self.segment < self.caps.body:
            raise InvalidParameter("a segment of the journal must have room for a body")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@final
@dataclass(frozen=True)
class Restored:
    """A model as it was found."""

    name: str
    folder: Folder
    host: Host
    passed_over: list[str]
    records: int
    seconds: float


def restored(settings: Settings) -> list[Restored]:
    """Every model from its folder, or as it begins.

    Raises:
        LittlestoneError: if a folder is in use or damaged.
    """
    return [_restored(settings.data / name, name, make) for name, make in settings.models.items()]


def _restored(path: Path, name: str, make: Callable[[], Served]) -> Restored:
    begun = time.perf_counter()
    folder = Folder(path)
    if not folder.snapshots():
        folder.begin(make())
    last = folder.snapshots()[-1]
    host, passed_over = folder.restore()
    return Restored(name, folder, host, passed_over, host.sequence - last, time.perf_counter() - begun)


@final
class _Server(uvicorn.Server):
    """Cuts off the slow, takes snapshots, and closes the desks before the process ends."""

    def __init__(self, config: uvicorn.Config, app: App, desks: dict[str, Desk], snapshot_seconds: float) -> None:
        super().__init__(config)
        self._app, self._desks, self._snapshot_seconds = app, desks, snapshot_seconds
        self._snapshots: set[asyncio.Task[None]] = set()
        self.on_start: Callable[[], None] = lambda: None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Says so when requests are answered."""
        await super().startup(sockets)
        self.on_start()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Pages that listen are let go first."""
        for live in self._app.live.values():
            live.stopping.set()
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second."""
        now = time.monotonic()
        for connection in list(self.server_state.connections):
            if isinstance(connection, Protocol):
                connection.cut_if_due(now)
        if counter % 10 == 0:
            for live in self._app.live.values():
                live.tick()
            self._app.flush()
            self._take_snapshots()
        return await super().on_tick(counter)

    def _take_snapshots(self) -> None:
        for desk in self._desks.values():
            old = time.time() - desk.snapshot_time >= self._snapshot_seconds
            if old and desk.host.sequence > desk.snapshot_at and not self._snapshots:
                task = asyncio.create_task(_snapshot(desk))
                self._snapshots.add(task)
                task.add_done_callback(self._snapshots.discard)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answers what is on its way, then closes the desks."""
        await super().shutdown(sockets)
        await asyncio.gather(*(desk.close() for desk in self._desks.values()))
        self._app.flush()


async def _snapshot(desk: Desk) -> None:
    try:
        await desk.snapshot()
    except RefusalError:  # there is no room, say; the journal goes on, and it is tried again
        desk.snapshot_time = time.time()


def serve(settings: Settings, models: Sequence[Restored], started: Callable[[str], None]) -> None:
    """Serves until the process is asked to end; `started` is told the address.

    Raises:
        OSError: if the address cannot be had.
    """
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serving(settings, models, started))


async def _serving(settings: Settings, models: Sequence[Restored], started: Callable[[str], None]) -> None:
    bound = _bound(settings.host, settings.port)
    desks = {
        each.name: Desk(
            each.folder, each.host, limits=settings.limits, segment=settings.segment, keep_journal=settings.keep_journal
        )
        for each in models
    }
    access = None if settings.access_log is None else AccessLog(settings.access_log)
    app = App(desks, settings.tokens, settings.caps, access, iid=settings.iid)
    for live in app.live.values():
        live.certificates()  # which loads the theorems, while nobody waits
    gc.collect()
    gc.freeze()  # what is there stays; the collector need not look at it again
    config = uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        interface="asgi3",
        proxy_headers=False,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_GRACE,
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.key,
    )
    address = bound.getsockname()
    shown = f"[{address[0]}]" if bound.family == socket.AF_INET6 else address[0]
    server = _Server(config, app, desks, settings.snapshot_seconds)
    server.on_start = partial(started, f"{'https' if settings.certificate else 'http'}://{shown}:{address[1]}")
    await server.serve(sockets=[bound])


def _bound(host: str, port: int) -> socket.socket:
    """A socket that has the address, and refuses to share it."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    bound = socket.socket(family, kind, protocol)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(address)
    except OSError as error:
        bound.close()
        raise OSError(error.errno, error.strerror, f"{host}:{port}") from None
    return bound
