"""Following a log: every message counts once, whatever is killed, and the bits are those of a run that nobody disturbed."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Never, cast, final

import numpy as np
import pytest

import littlestone as ls
import littlestone.kafka
import littlestone.redis
from broker import QUIET, MockKafka, RealRedis
from littlestone.delayed import Counts, Remembered
from littlestone.follow import Followed, Habits, MessageLog, Place, Read, Reading, Topics
from littlestone.follow.note import Note, Waiting
from littlestone.store import load_noted, save_noted

if TYPE_CHECKING:
    from littlestone.store.container import Json

ROWS = 400
LATER = 50
"""A label comes so many rows after its row."""
needs_redis = pytest.mark.skipif(shutil.which("redis-server") is None, reason="there is no redis-server here")


TO_THE_END = Habits(until_end=True)


class Bench(ABC):
    """A log as the tests use it, with topics of this test's own."""

    scheme = ""

    def __init__(self, address: str, test: str) -> None:
        self.address, self.test = address, test

    @abstractmethod
    def write(self, topic: str, messages: Sequence[tuple[str | bytes | None, str | bytes, int]]) -> None:
        """Key, value and time of each."""

    @abstractmethod
    def log(self) -> MessageLog: ...

    @abstractmethod
    def following(self) -> Callable[..., Followed]:
        """The `follow` of this kind of log, which knows where the log is."""

    def follow(
        self,
        model: Path,
        rule: ls.LinearRule,
        *,
        labels: str | None = None,
        predictions: str | None = None,
        habits: Habits = TO_THE_END,
    ) -> Followed:
        learner, topic = ls.Learner(rule, labels=("n", "p")), self.topic("rows")
        return self.following()(topic, learner, model=model, labels=labels, predictions=predictions, habits=habits)

    def topic(self, name: str) -> str:
        return f"{self.test}-{name}"

    def published(self, topic: str) -> list[dict[str, object]]:
        log = self.log()
        found = [json.loads(text) for text in log.since(topic, {})]
        log.close()
        return found


@final
class OnKafka(Bench):
    scheme = "kafka"

    def write(self, topic: str, messages: Sequence[tuple[str | bytes | None, str | bytes, int]]) -> None:
        from confluent_kafka import Producer

        producer = Producer({"bootstrap.servers": self.address, **QUIET})
        producer.list_topics(topic, timeout=10.0)  # which makes it
        for key, value, at in messages:
            producer.produce(topic, key=key, value=value, timestamp=at)
        producer.flush(10.0)

    def log(self) -> MessageLog:
        return littlestone.kafka.KafkaLog({"bootstrap.servers": self.address, **QUIET}, writer=f"test-{self.test}")

    def following(self) -> Callable[..., Followed]:
        return partial(littlestone.kafka.follow, servers=self.address, config=QUIET)


@final
class OnRedis(Bench):
    scheme = "redis"

    def write(self, topic: str, messages: Sequence[tuple[str | bytes | None, str | bytes, int]]) -> None:
        from redis import Redis

        with Redis.from_url(self.address) as client:
            pipe = client.pipeline(transaction=False)
            for key, value, at in messages:
                pipe.xadd(topic, {"value": value} if key is None else {"key": key, "value": value}, id=f"{at}-*")
            pipe.execute()

    def log(self) -> MessageLog:
        return littlestone.redis.RedisLog(self.address)

    def following(self) -> Callable[..., Followed]:
        return partial(littlestone.redis.follow, server=self.address)


@pytest.fixture(scope="module")
def kafka() -> Iterator[MockKafka]:
    with MockKafka() as broker:
        yield broker


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealRedis]:
    with RealRedis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(params=["kafka", pytest.param("redis", marks=needs_redis)])
def bench(request: pytest.FixtureRequest) -> Bench:
    test = request.node.name.translate(str.maketrans("[]", "--"))
    if request.param == "kafka":
        broker = request.getfixturevalue("kafka")
        assert isinstance(broker, MockKafka)
        return OnKafka(broker.address, test)
    server = request.getfixturevalue("server")
    assert isinstance(server, RealRedis)
    return OnRedis(server.address, test)


def rows(*, labelled: bool) -> list[tuple[str | None, str, int]]:
    """A row every 10 milliseconds."""
    X = np.random.default_rng(5).normal(size=(ROWS, 3)).round(3)
    return [
        (f"k{t}", json.dumps({"a": x[0], "b": x[1], "c": x[2]} | ({"label": label_of(x)} if labelled else {})), time_of(t))
        for t, x in enumerate(X)
    ]


def labels() -> list[tuple[str | None, str, int]]:
    X = np.random.default_rng(5).normal(size=(ROWS, 3)).round(3)
    return [(f"k{t}", json.dumps(label_of(x)), time_of(t + LATER) + 5) for t, x in enumerate(X)]


def label_of(x: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> str:
    return "p" if x[0] + x[1] > 0.0 else "n"


def time_of(t: int) -> int:
    return 1_700_000_000_000 + 10 * t


def parts(model: Path) -> tuple[bytes, ls.Ledger, object]:
    """All that a model file must have however it came about; marks tell how often it was written."""
    learner, note = load_noted(model)
    assert isinstance(note, dict)
    return learner.state.w.tobytes(), learner.ledger, {name: value for name, value in note.items() if name != "marks"}


# --- what is learned


def test_rows_with_labels_are_learned_in_the_order_of_their_times(bench: Bench, tmp_path: Path) -> None:
    bench.write(bench.topic("rows"), rows(labelled=True))
    followed = bench.follow(tmp_path / "m.lst", ls.Perceptron())
    alone = ls.Learner(ls.Perceptron(), labels=("n", "p"))
    for _, text, _ in rows(labelled=True):
        X, y = ls.parse(text.encode(), "jsonl")
        alone.learn_many(X, y)
    assert followed.learner.state.w.tobytes() == alone.state.w.tobytes()
    assert (followed.messages, followed.ledger.mistakes) == (ROWS, alone.ledger.mistakes)
    assert ls.load(tmp_path / "m.lst").predict_one({"a": 1.0, "b": 1.0}) == "p"


def test_stopped_and_resumed_is_the_same_file(bench: Bench, tmp_path: Path) -> None:
    bench.write(bench.topic("rows"), rows(labelled=True))
    bench.follow(tmp_path / "whole.lst", ls.Perceptron())
    for limit in (1, 37, 250, None):
        bench.follow(tmp_path / "pieces.lst", ls.Perceptron(), habits=replace(TO_THE_END, limit=limit, every=20))
    assert (tmp_path / "pieces.lst").read_bytes() == (tmp_path / "whole.lst").read_bytes()


def test_labels_that_come_later_find_their_rows(bench: Bench, tmp_path: Path) -> None:
    bench.write(bench.topic("rows"), rows(labelled=False))
    bench.write(bench.topic("labels"), labels())
    topic, out = bench.topic("labels"), bench.topic("out")
    bench.write(out, [])
    followed = bench.follow(tmp_path / "m.lst", ls.Perceptron(), labels=topic, predictions=out)
    desk = ls.Delayed(ls.Learner(ls.Perceptron(), labels=("n", "p")))
    events = sorted([(at, 0, key, text) for key, text, at in rows(labelled=False)] + [(at, 1, k, y) for k, y, at in labels()])
    shown = {}
    for at, is_label, key, text in events:
        if is_label:
            desk.label(key, json.loads(text), at)
        else:
            shown[key] = desk.predict(key, json.loads(text), at)
    assert followed.counts == desk.counts
    assert followed.ledger.mistakes == desk.model.ledger.mistakes
    found = {answer["position"]: answer["prediction"] for answer in bench.published(out)}
    assert len(found) == len(bench.published(out)) or bench.scheme == "kafka"  # positions of several partitions
    assert sorted(map(str, shown.values())) == sorted(str(answer["prediction"]) for answer in bench.published(out))


def test_what_waits_for_its_label_is_in_the_model_file(bench: Bench, tmp_path: Path) -> None:
    bench.write(bench.topic("rows"), rows(labelled=False))
    bench.write(bench.topic("labels"), labels())
    whole = bench.follow(tmp_path / "whole.lst", ls.Perceptron(), labels=bench.topic("labels"))
    for limit in (30, 200, 500, None):
        pieces = bench.follow(
            tmp_path / "pieces.lst", ls.Perceptron(), labels=bench.topic("labels"), habits=replace(TO_THE_END, limit=limit)
        )
    assert pieces.counts == whole.counts
    assert (tmp_path / "pieces.lst").read_bytes() == (tmp_path / "whole.lst").read_bytes()
    assert whole.counts.labelled == ROWS
    short = bench.follow(
        tmp_path / "short.lst", ls.Perceptron(), labels=bench.topic("labels"), habits=replace(TO_THE_END, expire=0.1)
    )
    assert short.counts.labelled == 0  # labels come half a second later
    assert short.counts.unknown == ROWS


# --- whatever is killed


def place_of(bench: Bench, topic: str) -> str:
    return f"{bench.scheme}://{bench.address.removeprefix('redis://').removesuffix('/0')}/{bench.topic(topic)}"


def command(bench: Bench, model: Path, *, published: bool = True, every: int = 7) -> list[str]:
    url = place_of(bench, "rows")
    out = ["--predictions", bench.topic("out")] if published else []
    words = ["--labels", bench.topic("labels"), *out, "--model", str(model)]
    slow = ["--rule", "perceptron", "--every", str(every), "--until-end", "--quiet"]
    quiet = ["--set", "log_level=0"] if bench.scheme == "kafka" else []
    return [sys.executable, "-m", "littlestone", "follow", url, *words, *slow, *quiet]


def killed_until_done(bench: Bench, model: Path, most: int) -> int:
    """Kills the follower at some moment after each of so many marks on its way, the last of them well before the end."""
    kills, rng = 0, np.random.default_rng(1)
    while True:
        process = subprocess.Popen(command(bench, model, every=1 if most > 2 else 7))
        begun, mark = time.monotonic(), 2 * ROWS * 0.7 * (kills + 1) / most
        while process.poll() is None:
            if kills < most and taken(model) >= mark:
                time.sleep(float(rng.uniform(0.0, 0.01)))
                process.kill()
                kills += 1
                process.wait()
            assert time.monotonic() - begun < 120.0
            time.sleep(0.002)
        if process.returncode >= 0:
            assert process.returncode == 0
            return kills


def taken(model: Path) -> float:
    """How many messages the model file knows of."""
    note = load_noted(model)[1] if model.exists() else None
    return float(str(note["messages"])) if isinstance(note, dict) else 0.0


@pytest.mark.parametrize("most", [2, pytest.param(12, marks=pytest.mark.stress)])
def test_a_follower_that_is_killed_again_and_again_loses_and_doubles_nothing(bench: Bench, tmp_path: Path, most: int) -> None:
    bench.write(bench.topic("rows"), rows(labelled=False))
    bench.write(bench.topic("labels"), labels())
    bench.write(bench.topic("out"), [])
    kills = killed_until_done(bench, tmp_path / "killed.lst", most)
    assert kills == most if most > 2 else kills > 0
    published = bench.published(bench.topic("out"))
    assert len({(answer["partition"], answer["position"]) for answer in published}) == len(published) == ROWS
    subprocess.run(command(bench, tmp_path / "whole.lst", published=False), check=True)
    assert parts(tmp_path / "killed.lst") == parts(tmp_path / "whole.lst")
    assert ls.load(tmp_path / "killed.lst").ledger.rounds == ROWS


@needs_redis
def test_a_server_that_is_killed_and_started_anew_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with RealRedis(tmp_path / "data") as server:
        bench = OnRedis(server.address, "test")
        bench.write(bench.topic("rows"), rows(labelled=False))
        bench.write(bench.topic("labels"), labels())
        follower = subprocess.Popen(command(bench, tmp_path / "m.lst"))
        while not (tmp_path / "m.lst").exists():
            time.sleep(0.005)
        for _ in range(3):
            server.restart()
        assert follower.wait(timeout=60.0) == 0
        published = bench.published(bench.topic("out"))
        assert len({answer["position"] for answer in published}) == len(published) == ROWS
        subprocess.run(command(bench, tmp_path / "whole.lst", published=False), check=True)
        assert parts(tmp_path / "m.lst") == parts(tmp_path / "whole.lst")


def test_a_server_that_cannot_be_reached_is_told_of_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(littlestone.redis, "_SILENCE", 0.0)
    monkeypatch.setattr(littlestone.redis, "_PATIENCE", 0.3)
    with socket.socket() as nobody:  # a port that nobody listens at
        nobody.bind(("127.0.0.1", 0))
        address = f"redis://127.0.0.1:{nobody.getsockname()[1]}/0"
        with pytest.raises(ls.InvalidData, match=f"the server {address} does not answer"):
            littlestone.redis.RedisLog(address).places("rows")
    assert capsys.readouterr().err.startswith(f"the server {address} does not answer; asking for 0.3 s: ")


@needs_redis
def test_a_server_that_is_slow_is_waited_for(server: RealRedis) -> None:
    """Redis is told to answer nobody for a while, which is longer than the socket waits."""
    from redis import Redis

    bench = OnRedis(server.address, "slow")
    bench.write(bench.topic("rows"), rows(labelled=True)[:1])
    log = littlestone.redis.RedisLog(f"{server.address}?socket_timeout=0.05")
    with Redis.from_url(server.address) as other:
        other.client_pause(400)
    assert log.places(bench.topic("rows")) == [Place(bench.topic("rows"), 0)]
    log.close()


def test_what_a_killed_follower_has_published_is_not_published_again(bench: Bench, tmp_path: Path) -> None:
    """The moment between the two: the answers are out, and the model file is the old one."""
    bench.write(bench.topic("rows"), rows(labelled=True))
    bench.write(bench.topic("out"), [])
    bench.follow(tmp_path / "m.lst", ls.Perceptron(), predictions=bench.topic("out"), habits=replace(TO_THE_END, limit=100))
    old = (tmp_path / "m.lst").read_bytes()
    bench.follow(tmp_path / "m.lst", ls.Perceptron(), predictions=bench.topic("out"), habits=replace(TO_THE_END, limit=180))
    (tmp_path / "m.lst").write_bytes(old)
    bench.follow(tmp_path / "m.lst", ls.Perceptron(), predictions=bench.topic("out"))
    published = bench.published(bench.topic("out"))
    assert len({(answer["partition"], answer["position"]) for answer in published}) == len(published) == ROWS


# --- what is refused


def test_a_malformed_message_is_named_or_counted(bench: Bench, tmp_path: Path) -> None:
    good = rows(labelled=True)
    bench.write(bench.topic("rows"), [*good[:20], ("k", "{no json", time_of(20) - 1), *good[20:]])
    with pytest.raises(ls.InvalidData, match=r"rows, partition \d, message \S+: .*expected"):
        bench.follow(tmp_path / "m.lst", ls.Perceptron())
    stopped, _ = load_noted(tmp_path / "m.lst")
    assert stopped.ledger.rounds == 20
    went_on = bench.follow(tmp_path / "m.lst", ls.Perceptron(), habits=replace(TO_THE_END, on_error="skip"))
    assert (went_on.skipped, went_on.ledger.rounds) == (1, ROWS)


def test_a_message_that_holds_nothing_is_told_so(bench: Bench, tmp_path: Path) -> None:
    bench.write(bench.topic("rows"), [("k", "", time_of(0))])
    with pytest.raises(ls.InvalidData, match=r"rows, partition \d, message \S+: it is empty; expected one row"):
        bench.follow(tmp_path / "m.lst", ls.Perceptron())


def test_without_a_rule_targets_are_not_taken_for_labels(bench: Bench, tmp_path: Path) -> None:
    bench.write(bench.topic("targets"), [(None, json.dumps({"a": 1.0, "label": 0.5}), time_of(0))])
    quiet = ["--set", "log_level=0"] if bench.scheme == "kafka" else []
    words = [place_of(bench, "targets"), "--model", str(tmp_path / "m.lst"), "--until-end", *quiet]
    found = subprocess.run([sys.executable, "-m", "littlestone", "follow", *words], capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert "the first outcome is 0.5" in found.stderr
    assert "--rule pool-regression" in found.stderr


def test_bytes_that_are_no_text_are_malformed_and_their_keys_come_back(bench: Bench, tmp_path: Path) -> None:
    out = bench.topic("out")
    good = rows(labelled=True)
    odd: list[tuple[bytes | str | None, bytes | str, int]] = [
        (b"\xff\xfe", b'{"a": \xff}', time_of(3) + 1),
        ("k", b"\xff\x00", time_of(4) + 1),
        ("k", "", time_of(5) + 1),
        (b"\xff", good[6][1], time_of(6) + 1),
    ]
    bench.write(bench.topic("rows"), [*good[:4], *odd, *good[10:20]])
    bench.write(out, [])
    habits = replace(TO_THE_END, on_error="skip")
    followed = bench.follow(tmp_path / "m.lst", ls.Perceptron(), predictions=out, habits=habits)
    assert (followed.skipped, followed.ledger.rounds) == (3, 15)
    assert len(bench.published(out)) == 15


def test_what_others_write_beside_the_predictions_is_passed_over(bench: Bench, tmp_path: Path) -> None:
    out = bench.topic("out")
    bench.write(bench.topic("rows"), rows(labelled=True)[:10])
    strangers = ["no json", "[" * 50_000, "5", '{"topic": 1}', '{"topic": "t", "partition": "x", "position": []}', "\ud800"]
    bench.write(out, [(None, text.encode("utf-8", "surrogatepass"), time_of(k)) for k, text in enumerate(strangers)])
    bench.follow(tmp_path / "m.lst", ls.Perceptron(), predictions=out)
    log = bench.log()
    assert sum(text.startswith(b'{"prediction"') for text in log.since(out, {})) == 10
    log.close()


def test_a_label_without_an_end_is_malformed(bench: Bench, tmp_path: Path) -> None:
    bench.write(bench.topic("rows"), [("k", '{"a": 1}', time_of(0))])
    odd: list[str | bytes] = ["[" * 50_000, b"\xff", "9" * 5000, "NaN", "null"]
    bench.write(bench.topic("labels"), [("k", text, time_of(k + 1)) for k, text in enumerate(odd)])
    habits = replace(TO_THE_END, on_error="skip")
    followed = bench.follow(tmp_path / "m.lst", ls.Perceptron(), labels=bench.topic("labels"), habits=habits)
    assert (followed.skipped, followed.counts.labelled) == (5, 0)


@pytest.mark.parametrize(
    ("name", "odd"),
    [
        ("positions", [["x"]]),
        ("positions", [[1, 0, "5", 1]]),
        ("positions", [["t", "x", "5", 1]]),
        ("positions", [["t", 0, 5, 1]]),
        ("positions", 5),
        ("positions", [5]),
        ("messages", "x"),
        ("messages", -1),
        ("messages", True),
        ("marks", ["x"]),
        ("marks", None),
        ("now", "x"),
        ("now", float("nan")),
        ("now", True),
        ("counts", {"labelled": 1}),
        ("counts", 5),
        ("remembered", [["k"]]),
        ("remembered", 5),
        ("remembered", [["k", "x", "{}", None, None, False]]),
        ("remembered", [["k", 1, None, None, None, False]]),
    ],
)
def test_a_forged_note_of_a_log_is_refused(name: str, odd: object) -> None:
    waiting = Waiting(1.0, Counts(), {"k": Remembered(1.0, 1.0, "{}", "n")})
    note = Note({Place("t", 0): Read("5", 1)}, 1, waiting=waiting)
    assert Note.of_json("m", note.to_json()) == note
    told = note.to_json()
    assert isinstance(told, dict)
    with pytest.raises(ls.InvalidData, match=r"m is damaged: what it says of the log is not sound"):
        Note.of_json("m", cast("Json", told | {name: odd}))


def test_a_position_that_is_none_is_refused(bench: Bench, tmp_path: Path) -> None:
    bench.write(bench.topic("rows"), rows(labelled=True)[:5])
    bench.follow(tmp_path / "m.lst", ls.Perceptron())
    learner, told = load_noted(tmp_path / "m.lst")
    note = Note.of_json("m", told)
    for odd in ("x", "", "-", "9" * 60, "1-x"):
        save_noted(learner, tmp_path / "m.lst", replace(note, positions=dict.fromkeys(note.positions, Read(odd, 1))).to_json())
        with pytest.raises(ls.InvalidData, match="the model says that it has read up to"):
            bench.follow(tmp_path / "m.lst", ls.Perceptron())


@pytest.mark.parametrize("server", ["", "x", "ftp://x", "redis://[", "redis://a:x", None, 5])
def test_an_address_that_is_none_is_refused(server: str, tmp_path: Path) -> None:
    with pytest.raises(ls.InvalidParameter, match="expected one like redis://"):
        littlestone.redis.follow("s", ls.Learner(ls.Perceptron()), server=server, model=tmp_path / "m.lst")


@pytest.mark.parametrize("config", [{"no.such.setting": "1"}, {"log_level": "x"}, {"log_level": None}, {5: "x"}])
def test_settings_that_are_none_are_refused(config: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(ls.InvalidParameter, match="the settings of Kafka are refused"):
        littlestone.kafka.follow("s", ls.Learner(ls.Perceptron()), servers="x:1", model=tmp_path / "m.lst", config=config)


@pytest.mark.parametrize("topic", ["", "a\0b", "\ud800", None, 5])
def test_a_name_that_no_topic_has_is_refused(topic: str) -> None:
    with pytest.raises(ls.InvalidParameter, match="the name of a topic must be a text"):
        Topics(rows="rows", labels=topic) if topic is not None else Topics(rows=topic)


def test_a_row_without_a_key_cannot_wait_for_its_label(bench: Bench, tmp_path: Path) -> None:
    bench.write(bench.topic("rows"), [(None, '{"a": 1}', time_of(0))])
    bench.write(bench.topic("labels"), [("k", '"p"', time_of(1)), ("k", "[1]", time_of(2))])
    with pytest.raises(ls.InvalidData, match="it has no key; rows and their labels find one another by their keys"):
        bench.follow(tmp_path / "m.lst", ls.Perceptron(), labels=bench.topic("labels"))
    followed = bench.follow(
        tmp_path / "m.lst", ls.Perceptron(), labels=bench.topic("labels"), habits=replace(TO_THE_END, on_error="skip")
    )
    assert (followed.skipped, followed.counts.unknown) == (2, 1)


def test_rows_without_a_label_are_predicted_only(bench: Bench, tmp_path: Path) -> None:
    bench.write(bench.topic("rows"), [*rows(labelled=True)[:10], *rows(labelled=False)[10:15]])
    followed = bench.follow(tmp_path / "m.lst", ls.Perceptron())
    assert (followed.unlabelled, followed.ledger.rounds, followed.messages) == (5, 10, 15)


def test_another_rule_or_another_topic_is_refused(bench: Bench, tmp_path: Path) -> None:
    bench.write(bench.topic("rows"), rows(labelled=True)[:10])
    bench.write(bench.topic("labels"), labels()[:10])
    bench.follow(tmp_path / "m.lst", ls.Perceptron())
    with pytest.raises(ls.InvalidData, match="go on with the rule it began with"):
        bench.follow(tmp_path / "m.lst", ls.PassiveAggressive())
    with pytest.raises(ls.InvalidData, match="began without a topic of labels"):
        bench.follow(tmp_path / "m.lst", ls.Perceptron(), labels=bench.topic("labels"))
    with pytest.raises(ls.InvalidParameter, match="must be three topics"):
        bench.follow(tmp_path / "n.lst", ls.Perceptron(), labels=bench.topic("rows"))
    ls.Learner(ls.Perceptron()).save(tmp_path / "plain.lst")
    with pytest.raises(ls.InvalidData, match="has followed no log"):
        bench.follow(tmp_path / "plain.lst", ls.Perceptron())


@needs_redis
def test_a_stream_that_is_trimmed_below_the_position_is_refused(server: RealRedis, tmp_path: Path) -> None:
    bench = OnRedis(server.address, "trimmed")
    bench.write(bench.topic("rows"), rows(labelled=True)[:300])
    server.client.xtrim(bench.topic("rows"), maxlen=290, approximate=False)  # before it is first read: nobody misses them
    assert bench.follow(tmp_path / "m.lst", ls.Perceptron(), habits=replace(TO_THE_END, limit=100)).messages == 100
    server.client.xtrim(bench.topic("rows"), maxlen=200, approximate=False)
    assert bench.follow(tmp_path / "m.lst", ls.Perceptron(), habits=replace(TO_THE_END, limit=110)).messages == 110
    server.client.xtrim(bench.topic("rows"), maxlen=150, approximate=False)
    with pytest.raises(ls.InvalidData, match=r"was trimmed, and the model has read up to .*: 30 entries are gone"):
        bench.follow(tmp_path / "m.lst", ls.Perceptron())
    server.client.delete(bench.topic("rows"))
    bench.write(bench.topic("rows"), [("k", '{"a": 1, "label": "p"}', 1_000)])
    with pytest.raises(ls.InvalidData, match="it is another stream; begin a new model"):
        bench.follow(tmp_path / "m.lst", ls.Perceptron())


def test_a_topic_that_is_truncated_below_the_stored_offset_is_refused(kafka: MockKafka, tmp_path: Path) -> None:
    """A mock cluster keeps a few megabytes per partition and drops the oldest messages, as a real one does by time."""
    bench = OnKafka(kafka.address, "truncated")
    bench.write(bench.topic("rows"), rows(labelled=True)[:40])
    bench.follow(tmp_path / "m.lst", ls.Perceptron())
    wide = json.dumps({"label": "p", "text": "x" * 50_000})
    bench.write(bench.topic("rows"), [(f"w{t}", wide, time_of(100 + t)) for t in range(600)])
    with pytest.raises(ls.InvalidData, match=r"begins at offset \d+, and the model has read up to \d+: [\d,]+ messages"):
        bench.follow(tmp_path / "m.lst", ls.Perceptron())
    learner, note = load_noted(tmp_path / "m.lst")
    assert learner.ledger.rounds == 40
    assert isinstance(note, dict)
    note["positions"] = [[bench.topic("rows"), number, "99999", 1] for number in range(4)]
    from littlestone.store import save_noted

    save_noted(learner, tmp_path / "ahead.lst", note)
    with pytest.raises(ls.InvalidData, match="it is another topic; begin a new model"):
        bench.follow(tmp_path / "ahead.lst", ls.Perceptron())


@pytest.mark.parametrize(
    ("name", "value"),
    [("every", 0), ("every", True), ("limit", 0), ("seconds", -1.0), ("expire", float("nan")), ("on_error", "ignore")],
)
def test_habits_that_are_none_are_refused(name: str, value: Never) -> None:
    with pytest.raises(ls.InvalidParameter, match=f"{name} is .*; {name} must be"):
        Habits(**{name: value})


def test_the_command_has_scales(bench: Bench, tmp_path: Path) -> None:
    records = [json.dumps({"a": 1e6 * (k % 7), "b": 1.0, "label": k % 2}) for k in range(40)]
    rows: list[tuple[str | None, str, int]] = [(None, record, time_of(k)) for k, record in enumerate(records)]
    bench.write(bench.topic("scaled"), rows)
    model = tmp_path / "m.lst"
    words = ["--model", str(model), "--rule", "perceptron", "--scale", "rms,max", "--until-end"]
    quiet = ["--set", "log_level=0"] if bench.scheme == "kafka" else []
    follow = [sys.executable, "-m", "littlestone", "follow", place_of(bench, "scaled"), *words, *quiet]
    subprocess.run(follow, check=True, capture_output=True)
    learner = ls.load(model)
    assert isinstance(learner, ls.Learner)
    assert learner.view == ls.features.RootMeanSquareScale() | ls.features.MaxScale()
    assert learner.ledger.rounds == 40
    assert learner.ledger.largest_entry == 1.0


def test_rows_are_read_as_they_are_said_to_be(bench: Bench, tmp_path: Path) -> None:
    bench.write(bench.topic("rows"), [(None, "p,1.5,2", time_of(0)), (None, "n,-1,0", time_of(1))])
    learner = ls.Learner(ls.Perceptron(), labels=("n", "p"))
    csv = Reading(format="csv", label=0)
    bench.following()(bench.topic("rows"), learner, model=tmp_path / "m.lst", reading=csv, habits=TO_THE_END)
    assert ls.load(tmp_path / "m.lst").ledger.rounds == 2


def test_a_broker_or_topic_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "littlestone", "follow", "ftp://here/x", "--model", str(tmp_path / "m.lst")]
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert "expected kafka://host:port/topic or redis://host:port/stream" in found.stderr
