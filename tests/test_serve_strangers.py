"""Heads from strangers, and folders that strangers made: answered or refused in one sentence, and never with a traceback."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, cast, final

import msgspec
import numpy as np
import pytest

import littlestone as ls
from littlestone.arrays import ByteArray, FloatArray
from littlestone.serve.entries import (
    Entry,
    Feedback,
    Learn,
    LearnMany,
    Limits,
    Predict,
    Promote,
    Rollback,
    StartShadow,
    encoded,
)
from littlestone.serve.folder import Folder, moment
from littlestone.serve.journal import Tail
from littlestone.serve.models import ServedLearner
from littlestone.serve.records import Scan, packed, title
from littlestone.serve.tensors import metadata
from littlestone.store.container import Container, content, write
from serving import Json, Server, served
from test_serve import said


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("served") / "data", "--rule", "perceptron") as running:
        yield running


# Heads.


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n", 405),
        (b"M-SEARCH * HTTP/1.1\r\nHost: localhost\r\n", 405),
        (b"GET * HTTP/1.1\r\nHost: localhost\r\n", 404),
        (b"GET /v2/models/%ff%00%0a HTTP/1.1\r\nHost: localhost\r\n", 404),
        (b"GET /v2/models/\xff HTTP/1.1\r\nHost: localhost\r\n", 400),
        (b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n", 400),
        (b"GET /v2 HTTP/1.1\r\nHost: \xff\r\n", 403),
        (b"GET /v2 HTTP/1.1\r\nHost: localhost\r\nX: \0\r\n", 400),
        (b"POST /v2/models/default/learn HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n", 400),
        (b"POST /v2/models/default/learn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n", 400),
        (b"POST /v2/models/default/learn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999999\r\n", 413),
        (b"POST /v2/models/default/learn HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n", 400),
    ],
)
def test_odd_heads_are_answered_in_one_sentence(server: Server, request_: bytes, status: int) -> None:
    found = said(server.port, request_ + b"Connection: close\r\n\r\n")
    assert found.startswith(b"HTTP/1.1 %d " % status), found
    assert list(json.loads(found.partition(b"\r\n\r\n")[2])) == ["error"]
    assert "Traceback" not in server.errors.read_text()


def test_the_body_of_a_request_for_another_protocol_is_no_request(server: Server) -> None:
    """The parser has done with the request when its head ends; what comes then would be the next one."""
    inner = b"GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    head = b"POST /v2/models/default/learn HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=150.0) as connection:
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % len(inner))
        answer = connection.recv(1 << 16)
        with contextlib.suppress(OSError):  # the server has done with us
            connection.sendall(inner)
            while piece := connection.recv(1 << 16):
                answer += piece
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"leave out Upgrade" in answer


# Folders.

PINNED = f"model-{0:020d}.lst"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A snapshot with a shadow, bets on drift and rows that wait, and a journal behind it."""
    path = tmp_path_factory.mktemp("folders") / "sound"
    place = Folder(path)
    place.begin(ServedLearner(ls.Learner(ls.Perceptron())))
    place.pin(ServedLearner(ls.Learner(ls.PassiveAggressive())), 0)
    host, _ = place.restore()
    tail = Tail(place.disk, 1, 1 << 16)
    rows = [Learn({"a": k % 7 - 3.0, "b": k % 3 - 1.0}, "xy"[k % 2]) for k in range(1300)]
    waits: list[Entry] = [Learn({"a": 0.5}, "x", 1.0, "key"), Predict({"a": 0.5}, "one"), Predict({"b": 0.5}, "two")]
    before: list[Entry] = [StartShadow(PINNED), *rows, *waits, Feedback("one", "y")]
    after: list[Entry] = [
        Feedback("two", "y"),
        LearnMany([{"a": 1.0}, {"b": 1.0}], ["x", "y"], None, "many"),
        Limits(5, 9.0, 5, 9.0),
    ]
    after += [Promote(), Rollback(PINNED)]
    number = 0
    for entries in (before, after):
        bodies = [(1_000_000 * (number + k + 1), encoded(entry)) for k, entry in enumerate(entries)]
        tail.append(number + 1, bodies)
        for entry, (time, body) in zip(entries, bodies, strict=True):
            number += 1
            host.replay_one(number, time, body, entry)
        if entries is before:
            place.write(moment(host))
    tail.close()
    place.close()
    (path / f"snapshot-{0:020d}.lst").unlink()
    assert used(path)
    return path


def used(path: Path) -> bool:
    """Restores a folder and does with it what a server does; whether it was taken."""
    place = Folder(path)
    try:
        host, _ = place.restore()
        for k in range(140):
            host.replay_one(host.sequence + 1, host.time + 1, b"body", Learn({"a": 0.1 * k, "b": 1.0}, "x"))
        for told in (Feedback("one", "x"), Feedback("two", "x"), Learn({"a": 0.5}, "x", 1.0, "key")):
            host.replay_one(host.sequence + 1, host.time + 1, encoded(told), told)
        about = metadata("model", [1], host.live.features(), named=True)
        watched = (host.drift, host.paired, host.paired.between(), host.paired.evidence, host.shadow_failed)
        for shown in (host.live.predict({"a": 1.0}), host.live.ledger(), about, *watched):
            msgspec.json.encode(shown)
        place.write(moment(host)).unlink()
    except ls.LittlestoneError:
        return False
    finally:
        place.close()
    return True


def snapshot(path: Path) -> Path:
    [found] = path.glob("snapshot-*[0-9].lst")
    return found


def places(value: Json, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value within a value, of lists only to the first two."""
    if way:
        yield way
    inner = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for name, each in inner:
        yield from places(each, (*way, name))


def changed(value: Json, way: tuple[str | int, ...], odd: Json) -> Json:
    twin: Json = json.loads(json.dumps(value))
    within = twin
    for name in way[:-1]:
        within = cast("dict[str | int, Json]", within)[name]
    cast("dict[str | int, Json]", within)[way[-1]] = odd
    return twin


NUMBERS: tuple[Json, ...] = (True, -1, 0, 1, 2**63, 10**30, -0.5, 1e308, 1e-320)
TEXTS: tuple[Json, ...] = ("", "x", "../../etc/passwd", "\ud800", "a\0")
EMPTY: list[Json] = [[], {}, [None]]
ODD: tuple[Json, ...] = (None, *NUMBERS, *TEXTS, *EMPTY)


@pytest.fixture
def forged(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "forged"))


@final
class Parts(NamedTuple):
    """Of a snapshot."""

    header: dict[str, Json]
    book: Json
    arrays: dict[str, FloatArray | ByteArray]

    @staticmethod
    def of(path: Path) -> Parts:
        file, number = Container("sound", content(path)), int(path.stem.removeprefix("snapshot-"))
        book = file.arrays["book"]
        _, arrays = Folder.looked_at(path.parent).opened(number).live.frozen()()
        return Parts(file.header, json.loads(file.raw[book.offset : book.offset + book.length].tobytes()), arrays)

    def write(self, path: Path, *, serving: Json = None, book: bytes | None = None) -> None:
        """With something else in its place."""
        header = self.header if serving is None else self.header | {"serving": serving}
        raw = json.dumps(self.book).encode() if book is None else book
        write(path, header, {**self.arrays, "book": np.frombuffer(raw, np.uint8)})


def test_whatever_a_snapshot_says_of_its_serving_is_taken_or_refused(forged: Path) -> None:
    path = snapshot(forged)
    parts = Parts.of(path)
    sound = parts.header["serving"]
    taken = Counter[bool]()
    for way in places(sound):
        for odd in ODD:
            parts.write(path, serving=changed(sound, way, odd))
            taken[used(forged)] += 1
    assert min(taken.values()) > 20


def test_whatever_a_book_holds_is_taken_or_refused(forged: Path) -> None:
    path = snapshot(forged)
    parts = Parts.of(path)
    taken = Counter[bool]()
    odd_books = [json.dumps(changed(parts.book, way, odd)).encode() for way in places(parts.book) for odd in ODD[::2]]
    for odd in (b"\xff", b"[" * 100_000, b'[[5,1,2.0,3,4.0],{"\xff":1}]', *odd_books):
        parts.write(path, book=odd)
        taken[used(forged)] += 1
    assert min(taken.values()) > 5


def test_whatever_a_record_holds_is_applied_or_refused(forged: Path) -> None:
    """Each of the last records in turn, with the right checksum, as one who forges it would give it."""
    segment = max(forged.glob("journal-*.lsj"))
    scan = Scan(segment.name, memoryview(segment.read_bytes()))
    records = list(scan)
    taken = Counter[bool]()
    for place in range(len(records) - 6, len(records)):
        sound = cast("Json", msgspec.msgpack.decode(records[place].body))
        ways = [(way, odd) for way in places(sound) for odd in ODD if odd not in ("\ud800", 10**30)]
        bodies = [msgspec.msgpack.encode(changed(sound, way, odd)) for way, odd in ways]
        for body in (b"\xa1\xff", b"\x92\x06\xa2a\0", b"\x91" * 5000, *bodies):
            odd_one = records[place]._replace(body=body)
            held = [*records[:place], odd_one, *records[place + 1 :]]
            segment.write_bytes(title(scan.origin) + b"".join(packed(scan.origin.salt, record) for record in held) + bytes(64))
            taken[used(forged)] += 1
    assert min(taken.values()) > 20


def test_a_model_whose_label_no_answer_can_hold_is_not_served(tmp_path: Path) -> None:
    learner = ls.Learner(ls.Perceptron())
    learner.learn_many([{"a": 1.0}, {"\ud800": 1.0}], ["x\udcff", "y"])
    with pytest.raises(ls.InvalidData, match="cannot be sent as JSON"):
        ServedLearner(learner)
    learner = ls.Learner(ls.Perceptron())
    learner.learn_many([{"a": 1.0}, {"\ud800": 1.0}], ["x", "y"])
    learner.save(tmp_path / "m.lst")
    with served(tmp_path / "data", str(tmp_path / "m.lst")) as server:
        status, about = server.request("GET", "/v2/models/default")
        assert (status, json.loads(about)["inputs"][1]["name"]) == (200, "\\ud800")
        assert server.ask("predict", {"row": {"a": 1.0}})[0] == 200
