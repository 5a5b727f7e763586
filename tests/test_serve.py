"""The server as its users see it: over HTTP, in a process of its own that is asked to end, killed, and sent bad input."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest

import littlestone as ls
from littlestone.cli.serve import pool_to_begin_with
from littlestone.client import Client
from littlestone.serve.entries import Learn, decoded
from littlestone.serve.folder import Folder
from littlestone.serve.journal import JournalReader
from littlestone.serve.models import ServedLearner
from serving import Json, Killable, Server, served
from test_serve_host import same


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests that leave it as it was, or do not mind."""
    with served(tmp_path_factory.mktemp("served") / "data", "--rule", "perceptron", "--vocabulary", "50") as running:
        yield running


# Killing it.


def row_of(number: int) -> dict[str, Json]:
    chance = random.Random(number)
    return {f"f{chance.randrange(20)}": chance.uniform(-1.0, 1.0) for _ in range(4)}


class Load:
    """Threads that learn one row after another, each with an id, again until it is acknowledged."""

    def __init__(self, threads: int = 4) -> None:
        self.port = 0
        self.versions: dict[str, int] = {}
        self._count = threads
        self._next = 0
        self._lock = threading.Lock()
        self._open: dict[int, str] = {}
        self._stop = threading.Event()

    def run(self, port: int, learns: int, seconds: float, server: Killable) -> None:
        """Until the server is killed: so long after so many learns were acknowledged."""
        self.port, wanted = port, len(self.versions) + learns
        self._stop.clear()
        threads = [threading.Thread(target=self._learn, args=(k,)) for k in range(self._count)]
        for thread in threads:
            thread.start()
        while len(self.versions) < wanted and any(thread.is_alive() for thread in threads):
            time.sleep(0.001)
        time.sleep(seconds)
        server.kill()
        self._stop.set()
        for thread in threads:
            thread.join()

    def finish(self, port: int) -> None:
        """What was not acknowledged is sent once more."""
        for thread in list(self._open):
            with_connection = HTTPConnection("127.0.0.1", port, timeout=150.0)
            self._send(with_connection, self._open[thread])
            with_connection.close()

    def _learn(self, thread: int) -> None:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=150.0)
        try:
            while not self._stop.is_set():
                if thread not in self._open:
                    with self._lock:
                        self._open[thread], self._next = str(self._next), self._next + 1
                self._send(connection, self._open[thread])
                del self._open[thread]
        except (OSError, HTTPException):
            return
        finally:
            connection.close()

    def _send(self, connection: HTTPConnection, key: str) -> None:
        body = json.dumps({"row": row_of(int(key)), "label": int(key) % 2, "id": key})
        connection.request("POST", "/v2/models/default/learn", body)
        response = connection.getresponse()
        answer = json.loads(response.read())
        assert response.status == 200, answer
        self.versions[key] = answer["model_version"]


def killed(data: Path, kills: int, seed: int = 0) -> None:
    """Kills a server under load so many times, and holds what is left to what was acknowledged and to an oracle."""
    load, chance = Load(), random.Random(seed)
    for _ in range(kills):
        server = Killable(data)
        load.run(server.port, chance.randrange(1, 60), chance.uniform(0.0, 0.005), server)
    server = Killable(data)
    load.finish(server.port)
    server.kill()
    folder = Folder(data / "default")
    host, _ = folder.restore()
    oracle, numbers = ServedLearner(ls.Learner(ls.Perceptron())), dict[str, int]()
    for record in JournalReader(folder.disk, 0):
        entry = decoded(record.body)
        if isinstance(entry, Learn) and entry.key is not None and entry.key not in numbers:
            numbers[entry.key] = record.sequence
            oracle.learn(entry.row, entry.label, entry.weight)
    folder.close()
    assert len(load.versions) > kills
    # Nothing acknowledged is lost, nothing is there twice, and each is where its answer said it was.
    assert load.versions == numbers
    assert host.live.counts()[0] == len(numbers)
    assert same(host.live, oracle)


def test_twenty_kills_lose_nothing_and_repeat_nothing(tmp_path: Path) -> None:
    killed(tmp_path / "data", 20)


@pytest.mark.stress
@pytest.mark.parametrize("seed", range(10))
def test_a_thousand_kills_lose_nothing_and_repeat_nothing(tmp_path: Path, seed: int) -> None:
    killed(tmp_path / "data", 100, seed)


def test_it_ends_when_asked_with_everything_on_the_disk(tmp_path: Path) -> None:
    with served(tmp_path / "data") as server:
        for number in range(20):
            assert server.ask("learn", {"row": row_of(number), "label": number % 2})[0] == 200
        listener = socket.create_connection(("127.0.0.1", server.port))
        listener.sendall(b"GET /v2/models/default/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"event: status" in listener.recv(1 << 16) + listener.recv(1 << 16)
        server.stop()
        listener.close()
    assert "Traceback" not in server.errors.read_text()
    with served(tmp_path / "data") as again:
        assert again.ask("ledger")[1]["rounds"] == 20
        assert "records replayed" not in again.errors.read_text()


# Bad input.

BAD: list[tuple[str, str, bytes, int, str]] = [
    ("POST", "learn", b"", 400, "the body is not as expected"),
    ("POST", "learn", b"{", 400, "the body is not as expected"),
    ("POST", "learn", b"[1, 2]", 400, "Expected `object`"),
    ("POST", "learn", b'{"row": {"a": NaN}, "label": 1}', 400, "malformed"),
    ("POST", "learn", b'{"row": {"a": 1e999}, "label": 1}', 400, "out of range"),
    ("POST", "learn", b'{"row": {"a": Infinity}, "label": 1}', 400, "malformed"),
    ("POST", "learn", b'{"row": {"a": 1}, "label": 1, "weigth": 2}', 400, "unknown field `weigth`"),
    ("POST", "learn", b'{"row": {"a": 1}}', 422, "no outcome"),
    ("POST", "learn", b'{"row": {"a": 1}, "label": null}', 422, "no outcome"),
    ("POST", "learn", b'{"row": {"a": 1}, "label": [1]}', 400, "label"),
    ("POST", "learn", b'{"row": {"a": 1}, "label": {"x": 1}}', 400, "label"),
    ("POST", "learn", b'{"row": {"a": 1}, "label": 123456789012345678901234567890}', 400, "label"),
    ("POST", "learn", b'{"row": {"a": [1]}, "label": 1}', 400, "row"),
    ("POST", "learn", b'{"row": {"a": {"b": 1}}, "label": 1}', 400, "row"),
    ("POST", "learn", b'{"row": {"a": "text"}, "label": 1}', 422, "values must be numbers"),
    ("POST", "learn", b'{"row": {"a": null}, "label": 1}', 422, "'a'"),
    ("POST", "learn", b'{"row": 5, "label": 1}', 400, "row"),
    ("POST", "learn", b'{"row": {"a": 1}, "label": 1, "weight": "heavy"}', 400, "weight"),
    ("POST", "learn", b'{"row": {"a": 1}, "label": 1, "weight": -1}', 422, "weight"),
    ("POST", "learn", b'{"row": {"a": 1}, "label": 1, "id": ""}', 400, "length"),
    ("POST", "learn", b'{"row": {"a": 1}, "label": 1, "id": "' + b"x" * 300 + b'"}', 400, "length"),
    ("POST", "learn", b'{"rows": [], "labels": []}', 400, "0 rows"),
    ("POST", "learn", b'{"rows": [{"a": 1}], "labels": [1, 0]}', 400, "give as many of each"),
    ("POST", "learn", b'{"rows": [{"a": 1}], "label": 1}', 400, "labels"),
    ("POST", "learn", b'{"row": {"a": 1}, "labels": [1]}', 400, "row"),
    ("POST", "learn", b'{"row": {"\xff": 1}, "label": 1}', 400, "not as expected"),
    ("POST", "learn", b"[" * 100_000, 400, "not as expected"),
    ("POST", "learn", b'{"row": ' + b'{"a":' * 50_000, 400, "not as expected"),
    ("POST", "learn", b'{"row": {' + b",".join(b'"n%d": 1' % k for k in range(60)) + b'}, "label": 1}', 422, "60 new features"),
    ("POST", "learn", b" " * (1 << 20) + b"{}", 413, "larger than 1048576 bytes"),
    ("POST", "predict", b'{"row": {"a": 1}, "label": 1}', 400, "unknown field"),
    ("POST", "predict", b'{"rows": [{"a": 1}], "id": "x"}', 400, "alone"),
    ("POST", "predict", b"{}", 400, 'no "row"'),
    ("POST", "predict", b'{"row": {"a": "text"}}', 422, "values must be numbers"),
    ("POST", "feedback", b'{"label": 1}', 400, "id"),
    ("POST", "feedback", b'{"id": "nobody", "label": 1}', 404, "no prediction with the id"),
    ("POST", "infer", b'{"inputs": []}', 400, "length"),
    ("POST", "infer", b'{"inputs": [{"name": "a", "shape": [1], "datatype": "FP80", "data": [1]}]}', 400, "datatype 'FP80'"),
    ("POST", "infer", b'{"inputs": [{"name": "a", "shape": [2], "datatype": "FP64", "data": [1]}]}', 400, "has 1 values"),
    ("POST", "infer", b'{"inputs": [{"name": "a", "shape": [2, 2, 2], "datatype": "FP64", "data": [1]}]}', 400, "shape"),
    ("POST", "infer", b'{"inputs": [{"name": "a", "shape": [99999999], "datatype": "FP64"}]}', 400, "at most"),
    ("POST", "infer", b'{"inputs": [{"name": "a", "shape": [1], "datatype": "BYTES", "data": ["x"]}]}', 400, "data"),
    (
        "POST",
        "infer",
        b'{"inputs": [' + b",".join([b'{"name": "a", "shape": [1], "datatype": "FP64", "data": [1]}'] * 2) + b"]}",
        400,
        "twice",
    ),
    ("POST", "infer", b'{"inputs": [{"name": "' + b"n" * 50_000 + b'", "shape": [1], "datatype": "X"}]}', 400, "datatype 'X'"),
    ("POST", "shadow", b'{"rule": "' + b"x" * 100_000 + b'"}', 422, "there is no rule"),
    ("POST", "shadow", b'{"rule": "pool", "one_versus_rest": true}', 422, "a rule of two labels"),
    ("POST", "shadow", b"{}", 400, "rule"),
    ("POST", "shadow", b'{"rule": "no-such-rule"}', 422, "there is no rule 'no-such-rule'"),
    ("POST", "shadow", b'{"rule": "perceptron", "parameters": {"eta": -1}}', 422, "eta"),
    ("POST", "shadow", b'{"snapshot": 12345}', 404, "there is no snapshot 12345"),
    ("POST", "promote", b"", 409, "there is no shadow"),
    ("DELETE", "shadow", b"", 409, "there is no shadow"),
    ("POST", "rollback", b'{"snapshot": 12345}', 404, "there is no snapshot 12345"),
    ("POST", "rollback", b'{"snapshot": "../../etc"}', 400, "snapshot"),
    ("GET", "learn", b"", 405, "is not offered; POST is"),
    ("PUT", "ledger", b"", 405, "is not offered; GET is"),
    ("GET", "nothing", b"", 404, "a model has no 'nothing'"),
    ("GET", "../../../../etc/passwd", b"", 404, "a model has no"),
    ("GET", "%2e%2e/%2e%2e/etc/passwd", b"", 404, "a model has no"),
]


@pytest.mark.parametrize(("method", "verb", "body", "status", "words"), BAD, ids=range(len(BAD)))
def test_bad_input_is_one_sentence_and_changes_nothing(
    server: Server, method: str, verb: str, body: bytes, status: int, words: str
) -> None:
    before = server.ask("ledger"), server.ask("snapshots")
    found, content = server.request(method, f"/v2/models/default/{verb}", body)
    sentence = json.loads(content)["error"]
    assert (found, words in sentence) == (status, True), sentence
    assert "\n" not in sentence
    assert len(sentence) < 800
    assert (server.ask("ledger"), server.ask("snapshots")) == before


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("POST", "/", 405),
        ("GET", "/v2/models/nobody", 404),
        ("GET", "/v2/models/..", 404),
        ("POST", "/v2/models/nobody/learn", 404),
        ("GET", "/v2/models/nobody/events", 404),
        ("GET", "/vendor/uplot/LICENSE", 404),
    ],
)
def test_what_is_not_there(server: Server, method: str, path: str, status: int) -> None:
    found, content = server.request(method, path)
    assert (found, list(json.loads(content))) == (status, ["error"])


def damaged(chance: random.Random, body: bytes) -> bytes:
    """A body with a few bytes changed, left out, doubled or put in."""
    content = bytearray(body)
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(content) or 1)
        kind = chance.randrange(4)
        if kind == 0 and content:
            content[place % len(content)] = chance.randrange(256)
        elif kind == 1:
            del content[place : place + chance.randrange(1, 5)]
        elif kind == 2:
            content[place:place] = content[place : place + chance.randrange(1, 9)]
        else:
            content[place:place] = chance.choice(
                [b"[", b"{", b'"', b"null", b"1e400", b"-", b"\\ud800", b"\x00", b"NaN", b"\xf0"]
            )
    return bytes(content)


SEEDS: list[tuple[str, bytes]] = [
    ("learn", b'{"row": {"a": 1.5, "b": -2}, "label": "x", "weight": 1.0}'),
    ("learn", b'{"rows": [{"a": 1}, {"b": 2}], "labels": ["x", "y"]}'),
    ("predict", b'{"row": {"a": 1.5}}'),
    ("predict", b'{"row": {"a": 1.5}, "id": "p"}'),
    ("feedback", b'{"id": "p", "label": "x"}'),
    ("infer", b'{"id": "q", "inputs": [{"name": "a", "shape": [2], "datatype": "FP64", "data": [1.0, 2.0]}]}'),
    ("shadow", b'{"rule": "perceptrom", "parameters": {"eta": 1}}'),
    ("rollback", b'{"snapshot": 999}'),
]


def fuzzed(server: Server, count: int, seed: int) -> None:
    """Damaged bodies are refused in a sentence and change nothing, or are sound by accident; the server goes on either way."""
    chance = random.Random(seed)
    connection = HTTPConnection("127.0.0.1", server.port, timeout=150.0)
    refusals = version = rounds = 0
    for _ in range(count):
        verb, body = chance.choice(SEEDS)
        rows = chance.random() < 0.1
        headers = {"Content-Type": "application/x-ndjson"} if rows else {}
        connection.request("POST", f"/v2/models/default/{verb}", damaged(chance, body), headers)
        response = connection.getresponse()
        answer = json.loads(response.read())
        assert response.status in (200, 400, 404, 409, 410, 422), (body, answer)
        if response.status != 200:
            refusals += 1
            assert list(answer) == ["error"]
            assert "\n" not in answer["error"]
            assert 10 < len(answer["error"]) < 600
        elif verb != "infer" and answer["model_version"] > version:
            assert answer["model_version"] == version + 1
            version = answer["model_version"]
            rounds += len(answer.get("predictions", [0])) if verb in ("learn", "feedback") else 0
            rounds = 0 if verb == "rollback" else rounds
    connection.close()
    assert refusals > count // 3
    _, ledger = server.ask("ledger")
    assert (ledger["rounds"], ledger["model_version"]) == (rounds, version), "what was refused changed something"
    assert "Traceback" not in server.errors.read_text()


def test_damaged_bodies(tmp_path: Path) -> None:
    with served(tmp_path / "data") as server:
        fuzzed(server, 1500, 0)
        rounds = server.ask("ledger")[1]["rounds"]
        server.kill()
    with served(tmp_path / "data") as again:
        assert again.ask("ledger")[1]["rounds"] == rounds


@pytest.mark.stress
@pytest.mark.parametrize("seed", range(1, 11))
def test_a_hundred_thousand_damaged_bodies(tmp_path: Path, seed: int) -> None:
    with served(tmp_path / "data") as server:
        fuzzed(server, 10_000, seed)


# Memory.


@pytest.mark.stress
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc on this machine")
def test_ten_million_learns_take_no_more_memory_than_one(tmp_path: Path) -> None:
    chance = random.Random(0)
    rows = [{f"f{k}": chance.gauss(0.0, 1.0) for k in range(8)} for _ in range(1000)]
    lines = "\n".join(json.dumps({"row": row, "label": row["f0"] + row["f1"] > 0.0}) for row in rows)
    used: dict[int, int] = {}
    with served(tmp_path / "data", "--rule", "passive-aggressive", "--snapshot-seconds", "2") as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=150.0)
        for number in range(1, 10_001):
            connection.request("POST", "/v2/models/default/learn", lines, {"Content-Type": "application/x-ndjson"})
            response = connection.getresponse()
            assert (response.status, len(json.loads(response.read())["predictions"])) == (200, 1000)
            if number in (1000, 5000, 10_000):
                status = Path(f"/proc/{server.process.pid}/status").read_text()
                used[number * 1000] = int(status.split("VmRSS:")[1].split()[0])
        connection.close()
        assert server.ask("ledger")[1]["rounds"] == 10_000_000
    print("kB after so many learns:", used)
    assert used[10_000_000] - used[1_000_000] < 16 * 1024, used


# Slow and strange connections.


def said(port: int, *pieces: bytes, pause: float = 0.0) -> bytes:
    """What the server says to bytes that come in pieces, until it closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=150.0) as connection:
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)
        heard = b""
        while piece := connection.recv(1 << 16):
            heard += piece
        return heard


def test_slow_heads_and_bodies_and_silence_are_cut(tmp_path: Path) -> None:
    """With deadlines of fractions of a second in place of ten and thirty."""
    code = (
        "import littlestone.serve.protocol as protocol; protocol.HEAD_SECONDS = 0.5; protocol.BODY_SECONDS = 0.5\n"
        "from littlestone.cli.main import main; import sys; main(sys.argv[1:])"
    )
    with served(tmp_path / "data", code=code) as server:
        assert said(server.port).startswith(b"HTTP/1.1 408 ")
        assert said(server.port, b"POST /v2/models/default/learn HTTP/1.1\r\nHost: loc").startswith(b"HTTP/1.1 408 ")
        head = b"POST /v2/models/default/learn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40\r\n\r\n"
        assert said(server.port, head, b'{"row"').startswith(b"HTTP/1.1 408 ")
        status, _ = server.ask("learn", {"row": {"a": 1.0}, "label": 1})
        assert status == 200
        assert server.ask("ledger")[1]["rounds"] == 1
        assert "Traceback" not in server.errors.read_text()


def test_a_head_without_an_end_and_what_is_no_http(server: Server) -> None:
    endless = b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: %s\r\n" % (k, b"x" * 1000) for k in range(80))
    assert said(server.port, endless).startswith(b"HTTP/1.1 431 ")
    assert said(server.port, b"\x16\x03\x01\x02\x00 hello\r\n\r\n").startswith(b"HTTP/1.1 400 ")


def test_a_body_that_grows_beyond_its_cap_is_cut(server: Server) -> None:
    head = b"POST /v2/models/default/learn HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"%x\r\n%s\r\n" % (1 << 16, b" " * (1 << 16))
    with socket.create_connection(("127.0.0.1", server.port), timeout=150.0) as connection:
        connection.sendall(head + 40 * chunk)
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 413 ")


# Who may do what.

EVERYWHERE = ".".join("0000")
TOKENS = "# two of them\nreader:read:abcdefghijklmnop\nwriter:learn:qrstuvwxyzabcdef\n"


def test_tokens(tmp_path: Path) -> None:
    tokens, log = tmp_path / "tokens", tmp_path / "access.log"
    tokens.write_text(TOKENS)
    with served(tmp_path / "data", "--token-file", str(tokens), "--access-log", str(log), "--host", EVERYWHERE) as server:
        row: Json = {"row": {"secret": 1.0}, "label": 1}

        def status(verb: str, body: Json, token: str | None) -> int:
            return server.ask(verb, body, **({} if token is None else {"Authorization": f"Bearer {token}"}))[0]

        reader, writer = "abcdefghijklmnop", "qrstuvwxyzabcdef"
        assert [status("learn", row, token) for token in (None, "wrong", reader[:-1], reader, writer)] == [
            401,
            401,
            401,
            403,
            200,
        ]
        assert [status("predict", {"row": {"a": 1.0}}, token) for token in (None, reader, writer)] == [401, 200, 200]
        assert [status("predict", {"row": {"a": 1.0}, "id": "i"}, token) for token in (reader, writer)] == [403, 200]
        assert [status("ledger", None, token) for token in (None, reader)] == [401, 200]
        assert server.request("GET", "/metrics")[0] == 401
        assert server.request("GET", "/v2/health/live")[0] == 200
        assert server.request("GET", "/")[0] == 200
        with Client(server.url.replace(EVERYWHERE, "127.0.0.1"), token=writer) as client:
            assert client.learn({"secret": 2.0}, 0).model_version == 3
    noted = log.read_text().splitlines()
    assert [line.split()[1:] for line in noted[:5]] == [
        ["POST", "/v2/models/default/learn", code, who]
        for code, who in [("401", "-"), ("401", "-"), ("401", "-"), ("403", "-"), ("200", "writer")]
    ]
    assert "secret" not in log.read_text()


@pytest.mark.parametrize(("task", "taken"), [(None, False), ("labels", True), ("targets", True)])
def test_a_pool_whose_task_nobody_named_refuses_targets(task: str | None, taken: bool) -> None:
    served = pool_to_begin_with([], task)()
    assert isinstance(served, ServedLearner)
    if taken:
        served.learner.learn_one({"a": 1.0}, 0.5)
    else:
        with pytest.raises(ls.NotApplicable, match=r"the first outcome is 0\.5; .*--rule pool-regression"):
            served.learner.learn_one({"a": 1.0}, 0.5)
