"""The server beside what users do today: River in FastAPI, with and without SQLite, and the daemon of Vowpal Wabbit.

Server and load are pinned to two cores; 32 connections, each with one request on its way; the median of alternating runs.

Usage: python bench/serve.py [--seconds S] [--repeats N] [--memory ROUNDS]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, final

CONNECTIONS = 32
FEATURES = 8
CORES = sorted(os.sched_getaffinity(0))

RIVER = """
import sqlite3, sys
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel
from river import linear_model

class Predict(BaseModel):
    row: dict[str, float]

class Learn(BaseModel):
    row: dict[str, float]
    label: bool

app, model = FastAPI(), linear_model.PAClassifier(C=0.1, mode=1)
database = None
if len(sys.argv) > 2:
    database = sqlite3.connect(sys.argv[2], isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE learned (row TEXT, label INTEGER)")

@app.post("/predict")
async def predict(asked: Predict):
    return {"prediction": model.predict_one(asked.row)}

@app.post("/learn")
async def learn(given: Learn):
    if database is not None:
        database.execute("INSERT INTO learned VALUES (?, ?)", (given.model_dump_json(), given.label))
    prediction = model.predict_one(given.row)
    model.learn_one(given.row, given.label)
    return {"prediction": prediction}

uvicorn.run(app, port=int(sys.argv[1]), loop="uvloop", http="httptools", log_level="warning", access_log=False)
"""

VOWPAL = """
import sys
from vowpalwabbit import Workspace
flags = ["--daemon", "--foreground", "--port", sys.argv[1], "--num_children", "32", "--quiet", "--loss_function", "hinge"]
Workspace(arg_list=flags).run_parser()
"""


@final
class Measured(NamedTuple):
    """Requests a second, and the time that all but one in a hundred stayed below."""

    rate: float
    p99: float


def rows(count: int, seed: int = 0) -> list[tuple[dict[str, float], bool]]:
    """Rows of eight features, and labels that a linear rule can learn."""
    chance = random.Random(seed)
    made = [{f"feature{k}": chance.gauss(0.0, 1.0) for k in range(FEATURES)} for _ in range(count)]
    return [(row, row["feature0"] + row["feature1"] > 0.0) for row in made]


def http(path: str, body: object) -> bytes:
    """A request as it goes over the wire."""
    content = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def http_complete(answer: bytes) -> bool:
    """Whether an answer has come whole."""
    end = answer.find(b"\r\n\r\n")
    if end < 0:
        return False
    if not answer.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(answer.decode(errors="replace"))
    at = answer.lower().find(b"content-length: ") + 16
    return len(answer) >= end + 4 + int(answer[at : answer.find(b"\r\n", at)])


def line_complete(answer: bytes) -> bool:
    """Whether a line has come whole."""
    return answer.endswith(b"\n")


def load(
    port: int,
    requests: Sequence[bytes],
    complete: Callable[[bytes], bool],
    seconds: float,
    beside: Sequence[bytes] = (),
) -> Measured:
    """Keeps every connection busy for so long; four more send `beside`, which is not counted."""
    selector, times = selectors.DefaultSelector(), list[float]()
    kinds = [requests] * CONNECTIONS + ([beside] * 4 if beside else [])
    connections = [Connection(port, kind, 7 * k) for k, kind in enumerate(kinds)]
    for connection in connections:
        selector.register(connection.socket, selectors.EVENT_READ, connection)
        connection.send()
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        for key, _ in selector.select(1.0):
            connection = key.data
            connection.answer += connection.socket.recv(1 << 16)
            if complete(connection.answer):
                if connection.requests is requests:
                    times.append(time.perf_counter() - connection.sent)
                connection.send()
    passed = time.perf_counter() - begun
    for connection in connections:
        connection.socket.close()
    times.sort()
    return Measured(len(times) / passed, times[int(0.99 * len(times))])


@final
class Connection:
    """A connection with one request on its way."""

    __slots__ = ("answer", "number", "requests", "sent", "socket")

    def __init__(self, port: int, requests: Sequence[bytes], number: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.requests, self.number = requests, number
        self.sent, self.answer = 0.0, b""

    def send(self) -> None:
        """The next request."""
        self.answer = b""
        self.number += 1
        self.sent = time.perf_counter()
        self.socket.sendall(self.requests[self.number % len(self.requests)])


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(command: Sequence[str], port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A server on the first core, once it answers."""
    pinned = ["taskset", "--cpu-list", str(CORES[0]), *command]
    process = subprocess.Popen(pinned, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=0.2):
                break
            time.sleep(0.1)
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@final
class Contender(NamedTuple):
    """A server and what is asked of it."""

    name: str
    command: Callable[[int, Path], list[str]]
    requests: list[bytes]
    before: list[bytes]
    """What it learns before it is measured."""
    complete: Callable[[bytes], bool] = http_complete


def ours(port: int, folder: Path) -> list[str]:
    """The server of this library; it is durable."""
    data = str(folder / f"data{port}")
    rule = ["--rule", "passive-aggressive", "--C", "0.1"]
    return [sys.executable, "-m", "littlestone", "serve", "--data", data, "--port", str(port), *rule]


def river(port: int, folder: Path, *, database: bool = False) -> list[str]:
    """What one writes in a few minutes."""
    return [sys.executable, "-c", RIVER, str(port), *([str(folder / f"{port}.db")] if database else [])]


def contenders() -> list[Contender]:
    """Everybody who is raced."""
    data = rows(2000)
    predict = [{"row": row} for row, _ in data]
    learn = [{"row": row, "label": label} for row, label in data]
    mine, theirs = ([http(path + "learn", body) for body in learn] for path in ("/v2/models/default/", "/"))
    found = [
        Contender("predict, littlestone", ours, [http("/v2/models/default/predict", body) for body in predict], mine),
        Contender("predict, River in FastAPI", river, [http("/predict", body) for body in predict], theirs),
        Contender("durable learn, littlestone", ours, mine, mine),
        Contender("learn, River in FastAPI, nothing durable", river, theirs, theirs),
        Contender("learn, River in FastAPI, SQLite", partial(river, database=True), theirs, theirs),
    ]
    if find_spec("vowpalwabbit") is not None:
        asked = [(" | " + " ".join(f"{k}:{v:.6f}" for k, v in row.items()) + "\n").encode() for row, _ in data]
        told = [(b"1" if label else b"-1") + line for line, (_, label) in zip(asked, data, strict=True)]
        command = [sys.executable, "-c", VOWPAL]
        found.append(Contender("predict, daemon of VW", lambda port, _: [*command, str(port)], asked, told, line_complete))
    return found


def race(seconds: float, repeats: int, folder: Path) -> None:
    """Alternating runs of everybody, and the ratios that were asked for."""
    measured: dict[str, list[Measured]] = {}
    for _ in range(repeats):
        for each in contenders():
            port = free_port()
            with running(each.command(port, folder), port):
                load(port, each.before, each.complete, 1.0)
                measured.setdefault(each.name, []).append(load(port, each.requests, each.complete, seconds))
    rate = {name: statistics.median(run.rate for run in runs) for name, runs in measured.items()}
    for name, runs in measured.items():
        print(f"{name}: {rate[name]:,.0f} a second, p99 {1e3 * statistics.median(run.p99 for run in runs):.2f} ms")
    mine, plain = rate["durable learn, littlestone"], rate["learn, River in FastAPI, nothing durable"]
    print(f"predict / River in FastAPI: {rate['predict, littlestone'] / rate['predict, River in FastAPI']:.1f} (goal 5)")
    print(f"durable learn / River in FastAPI without durability: {mine / plain:.1f} (goal 4)")
    print(f"durable learn / River in FastAPI with SQLite: {mine / rate['learn, River in FastAPI, SQLite']:.1f} (goal 8)")
    if "predict, daemon of VW" in rate:
        print(f"predict / daemon of VW: {rate['predict, littlestone'] / rate['predict, daemon of VW']:.2f} (goal 0.9)")


def p99_under_load(seconds: float, repeats: int, folder: Path) -> None:
    """Predictions alone, and while four more connections learn and snapshots are taken all the time."""
    path = "/v2/models/default/"
    predict = [http(path + "predict", {"row": row}) for row, _ in rows(2000)]
    learn = [http(path + "learn", {"row": row, "label": label}) for row, label in rows(2000)]
    alone, busy = list[float](), list[float]()
    for _ in range(repeats):
        port = free_port()
        with running([*ours(port, folder), "--snapshot-seconds", "0.5"], port):
            load(port, learn, http_complete, 1.0)
            alone.append(load(port, predict, http_complete, seconds).p99)
            busy.append(load(port, predict, http_complete, seconds, beside=learn).p99)
    once, loaded = statistics.median(alone), statistics.median(busy)
    print(
        f"p99 of predict: alone {1e3 * once:.2f} ms, while four connections learn and snapshots are taken {1e3 * loaded:.2f} ms"
    )
    print(f"ratio {loaded / once:.1f} (goal 3)")


def start(records: int, repeats: int, folder: Path) -> None:
    """How fast a server is back: records of one learn each, in commits of 32, after the first snapshot."""
    import littlestone as ls
    from littlestone.serve.entries import Learn, encoded
    from littlestone.serve.folder import Folder
    from littlestone.serve.journal import Tail
    from littlestone.serve.models import ServedLearner

    kept = Folder(folder / "start")
    kept.begin(ServedLearner(ls.Learner(ls.PassiveAggressive(variant="PA-I", C=0.1))))
    bodies = [encoded(Learn(dict(row), label)) for row, label in rows(20_000)]
    tail = Tail(kept.disk, 1)
    for first in range(1, records + 1, CONNECTIONS):
        tail.append(first, [(first, bodies[(first + k) % len(bodies)]) for k in range(CONNECTIONS)])
    tail.close()
    rates = []
    for _ in range(repeats):
        begun = time.perf_counter()
        host, _ = kept.restore()
        rates.append(host.sequence / (time.perf_counter() - begun))
    kept.close()
    print(f"start: {statistics.median(rates):,.0f} records of {FEATURES} features a second (goal 200,000)")


def memory(rounds: int, folder: Path) -> None:
    """The memory of a server over many learns with a bounded vocabulary."""
    data = rows(1000)
    lines = b"".join(json.dumps({"row": row, "label": label}).encode() + b"\n" for row, label in data)
    head = "POST /v2/models/default/learn HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
    request = head.encode() + b"Content-Length: %d\r\n\r\n" % len(lines) + lines
    port = free_port()
    with running([*ours(port, folder), "--snapshot-seconds", "2"], port) as process:
        connection = socket.create_connection(("127.0.0.1", port))
        begun = time.perf_counter()
        for number in range(rounds // len(data) + 1):
            if number % max(1, rounds // len(data) // 10) == 0:
                status = Path(f"/proc/{process.pid}/status").read_text().split("VmRSS:")[1]
                print(f"{number * len(data):,} learns: {int(status.split()[0]) / 1024:.0f} MB", flush=True)
            connection.sendall(request)
            answer = b""
            while not http_complete(answer):
                answer += connection.recv(1 << 20)
        connection.close()
        print(f"{rounds / (time.perf_counter() - begun):,.0f} rows a second, 1,000 a request, durable")


def main() -> None:
    """Runs what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--memory", type=int, metavar="ROUNDS", help="the memory over so many learns, and nothing else")
    given = parser.parse_args()
    if given.memory is None and (absent := [name for name in ("fastapi", "river") if find_spec(name) is None]):
        parser.error(f"{' and '.join(absent)} cannot be imported; `make races` has an environment with the peers")
    os.sched_setaffinity(0, CORES[-1:])
    with tempfile.TemporaryDirectory() as folder:
        if given.memory is not None:
            memory(given.memory, Path(folder))
            return
        race(given.seconds, given.repeats, Path(folder))
        p99_under_load(given.seconds, given.repeats, Path(folder))
        start(200_000, given.repeats, Path(folder))


if __name__ == "__main__":
    main()
