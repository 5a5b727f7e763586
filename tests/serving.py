"""Servers for tests: processes of their own on free ports of this machine, and the HTTP to talk to them."""

from __future__ import annotations

import contextlib
import http.client
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias, final

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

COMMAND = (sys.executable, "-m", "littlestone", "serve")


@final
class Server:
    """A server that is running."""

    def __init__(self, data: Path, *flags: str, code: str | None = None) -> None:
        command = [
            *(COMMAND if code is None else (sys.executable, "-c", code, "serve")),
            "--data",
            str(data),
            "--port",
            "0",
            *flags,
        ]
        self.errors = data.with_name(data.name + ".stderr")
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Serving on "), self.errors.read_text()
        self.url = line.split()[-1]
        self.port = int(self.url.rsplit(":", 1)[1])

    def request(
        self, method: str, path: str, body: bytes | Json = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        """Status and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=150.0)
        with contextlib.closing(connection):
            content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
            connection.request(method, path, content, dict(headers or {}))
            response = connection.getresponse()
            return response.status, response.read()

    def ask(self, verb: str, body: Json = None, **headers: str) -> tuple[int, dict[str, Json]]:
        """A verb of the default model."""
        method = "GET" if body is None else "POST"
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        status, content = self.request(method, f"/v2/models/default/{verb}", body, given)
        answer: dict[str, Json] = json.loads(content)
        return status, answer

    def kill(self) -> None:
        """As a power cut would, as far as the process goes."""
        self.process.send_signal(signal.SIGKILL)
        self._wait()

    def stop(self) -> None:
        """As whoever runs it would."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self._wait()

    def _wait(self) -> None:
        self.process.wait(timeout=150.0)
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextlib.contextmanager
def served(data: Path, *flags: str, code: str | None = None) -> Iterator[Server]:
    """A server for as long as the block takes."""
    server = Server(data, *flags, code=code)
    try:
        yield server
    finally:
        server.stop()


# Servers that are killed again and again: forked from a process that has loaded everything, so that a start takes no time.


@final
class Killable:
    """A server in a process that is there at once and may be killed at any moment; small segments, snapshots all the time."""

    def __init__(self, data: Path) -> None:
        context = get_context("forkserver")
        context.set_forkserver_preload(["serving", "littlestone.serve.server", "littlestone.theory"])
        mine, its = context.Pipe()
        self.process = context.Process(target=_serve, args=(data, its), daemon=True)
        self.process.start()
        its.close()
        self.port = int(str(mine.recv()).rsplit(":", 1)[1])
        mine.close()

    def kill(self) -> None:
        """Ends it without warning."""
        self.process.kill()
        self.process.join()
        self.process.close()


def _serve(data: Path, started: Connection) -> None:
    from littlestone.learner import Learner
    from littlestone.linear import Perceptron
    from littlestone.serve.models import ServedLearner
    from littlestone.serve.requests import Caps
    from littlestone.serve.server import Settings, restored, serve

    settings = Settings(
        data=data,
        models={"default": lambda: ServedLearner(Learner(Perceptron()))},
        port=0,
        caps=Caps(body=1 << 14),
        segment=1 << 15,
        snapshot_seconds=0.02,
        keep_journal=True,
    )
    serve(settings, restored(settings), started.send)


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
