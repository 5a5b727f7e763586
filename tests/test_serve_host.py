"""Models behind a journal: the same bits as without one, whatever is replayed from wherever; ids, late labels, limits."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from http import HTTPStatus
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.serve.entries import (
    Entry,
    Feedback,
    Learn,
    LearnMany,
    Limits,
    Predict,
    Promote,
    Row,
    StartShadow,
    StopShadow,
    decoded,
    encoded,
)
from littlestone.serve.errors import RefusalError
from littlestone.serve.folder import Folder, moment
from littlestone.serve.history import JournalHistory
from littlestone.serve.host import Host, Reply
from littlestone.serve.journal import Tail
from littlestone.serve.models import Served, ServedLearner
from littlestone.serve.records import Record

SECOND = 1_000_000

RULES: dict[str, Callable[[], ls.LinearRule]] = {
    "perceptron": ls.Perceptron,
    "passive-aggressive": lambda: ls.PassiveAggressive(variant="PA-I", C=0.1),
    "winnow": lambda: ls.SignedWinnow(eta=0.5),
    "many classes": lambda: ls.OneVersusRest(rule=ls.Perceptron()),
    "kernel": lambda: ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.5)),
    "targets": lambda: ls.PassiveAggressiveRegression(epsilon=0.1),
    "one class": lambda: ls.Uniclass(epsilon=1.0),
}


def no_files(name: str) -> Served:
    raise AssertionError(name)


def host_of(rule: ls.LinearRule | None = None, limits: Limits | None = None) -> Host:
    return Host(ServedLearner(ls.Learner(rule or ls.Perceptron())), no_files, limits)


def stream(rule: ls.LinearRule, count: int = 60, seed: int = 0) -> list[tuple[dict[str, float], bool | float | str | None]]:
    """Rows with names that come and go, and outcomes that the rule learns."""
    rng = np.random.default_rng(seed)
    rows = [{f"f{k}": float(v) for k, v in zip(rng.permutation(6)[:4], rng.normal(size=4), strict=True)} for _ in range(count)]
    if rule.abilities.alone:
        return [(row, None) for row in rows]
    if rule.abilities.classes:
        return [(row, "abc"[int(3 * rng.random())]) for row in rows]
    if rule.abilities.labels:
        return [(row, "yes" if row.get("f0", 0.0) > 0.0 else "no") for row in rows]
    return [(row, sum(row.values())) for row in rows]


def same(a: Served, b: Served) -> bool:
    """Whether two models would be written to the same bytes."""
    (header, arrays), (other, others) = a.frozen()(), b.frozen()()
    for told in (header, other):
        told.pop("batches")  # what was learned at once is known again; rows that come one by one are not
    equal = arrays.keys() == others.keys() and all(np.array_equal(arrays[k], others[k], equal_nan=True) for k in arrays)
    return equal and header == other


def played(host: Host, entries: Sequence[Entry], *, first: int = 1, time: int = SECOND) -> list[Reply | str]:
    replies: list[Reply | str] = []
    for number, entry in enumerate(entries, first):
        try:
            replies.append(host.apply(number, time + number, entry, encoded(entry)))
        except ls.LittlestoneError as error:
            replies.append(str(error))
    return replies


@pytest.mark.parametrize("name", RULES)
def test_a_host_has_the_bits_of_learn_many(name: str) -> None:
    rule = RULES[name]()
    rows = stream(rule)
    host, alone = host_of(rule), ls.Learner(rule)
    replies = played(host, [Learn(dict(row), label) for row, label in rows])
    predictions = [alone.learn_one(row) if label is None else alone.learn_one(row, label) for row, label in rows]
    assert [getattr(reply, "prediction", reply) for reply in replies] == predictions
    assert [getattr(reply, "model_version", 0) for reply in replies] == list(range(1, len(rows) + 1))
    many = ls.Learner(rule)
    if not rule.abilities.alone:
        many.learn_many([row for row, _ in rows], [label for _, label in rows])
    else:
        many.learn_many([row for row, _ in rows])
    assert same(host.live, ServedLearner(many))


def test_the_command_line_has_the_same_bits(tmp_path: Path) -> None:
    rule = ls.PassiveAggressive(variant="PA-I", C=0.1)
    rows = stream(rule, 200)
    host = host_of(rule)
    played(host, [Learn(dict(row), label) for row, label in rows])
    file, model = tmp_path / "rows.jsonl", tmp_path / "model.lst"
    file.write_text("".join(json.dumps({**row, "label": label}) + "\n" for row, label in rows), encoding="utf-8")
    command = [sys.executable, "-m", "littlestone", "learn", str(file), "--label", "label", "--rule", "passive-aggressive"]
    subprocess.run([*command, "--C", "0.1", "--model", str(model), "--quiet"], check=True)
    learned = ls.load(model)
    assert isinstance(host.live, ServedLearner)
    assert learned.weights == host.live.learner.weights
    assert learned.ledger == host.live.learner.ledger


def test_a_model_of_hashed_columns_learns_what_its_file_would_have(tmp_path: Path) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text("label,colour,size\nx,red,1\ny,blue,2\nx,red,3\n")
    second.write_text("label,colour,size\ny,red,2\nx,green,1\n")
    from_file = ls.Learner(ls.Perceptron())
    for X, y in ls.read(first, label="label", bits=10):
        from_file.learn_many(X, y)
    served = ServedLearner(ls.Learner.restored(from_file.snapshot()))
    for X, y in ls.read(second, label="label", bits=10, recipe=from_file.recipe):
        from_file.learn_many(X, y)
    rows: list[Row] = [{"colour": "red", "size": 2.0}, {"colour": "green", "size": 1.0}]
    served.check(rows, ["y", "x"], None)
    for row, label in zip(rows, ("y", "x"), strict=True):
        served.learn(row, label)
    assert same(served, ServedLearner(from_file))


def test_a_batch_is_its_rows_one_by_one() -> None:
    rule = ls.PassiveAggressive()
    rows = stream(rule)
    one, many = host_of(rule), host_of(rule)
    alone = played(one, [Learn(dict(row), label) for row, label in rows])
    (together,) = played(many, [LearnMany([dict(row) for row, _ in rows], [label for _, label in rows])])
    assert not isinstance(together, str)
    assert same(one.live, many.live)
    assert getattr(together, "predictions", None) == [getattr(reply, "prediction", None) for reply in alone]


def test_a_batch_with_a_bad_row_changes_nothing() -> None:
    host, fresh = host_of(), host_of()
    rows: list[Row] = [{"a": 1.0}, {"a": "text"}]
    (reply,) = played(host, [LearnMany(rows, ["x", "y"])])
    assert isinstance(reply, str)
    assert same(host.live, fresh.live)


# Snapshots and journals.

ACTIONS = st.lists(
    st.one_of(
        st.builds(
            Learn,
            st.dictionaries(st.sampled_from("abcd"), st.floats(-2, 2), max_size=3),
            st.sampled_from(["x", "y", "z"]),
            st.just(1.0),
            st.none() | st.sampled_from(["k1", "k2"]),
        ),
        st.builds(
            Predict, st.dictionaries(st.sampled_from("abcd"), st.floats(-2, 2), max_size=3), st.sampled_from(["k1", "i1"])
        ),
        st.builds(Feedback, st.sampled_from(["k1", "i1", "i2"]), st.sampled_from(["x", "y"])),
        st.just(Limits(waiting=1, remembered=2)),
        st.just(StartShadow("model-shadow.lst")),
        st.just(Promote()),
        st.just(StopShadow()),
    ),
    min_size=1,
    max_size=25,
)


@given(entries=ACTIONS, cut=st.integers(0, 25))
def test_a_snapshot_and_the_rest_of_the_journal_are_as_if_nothing_had_happened(
    entries: list[Entry], cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("folder") / "m"
    folder = Folder(path)
    ls.Learner(ls.PassiveAggressive()).save(path / "model-shadow.lst")
    whole = Host(ServedLearner(ls.Learner(ls.Perceptron())), folder.open_file)
    folder.begin(whole.live)
    tail = Tail(folder.disk, 1, segment=1 << 12)
    for number, entry in enumerate(entries, 1):
        time = SECOND * number
        tail.append(number, [(time, encoded(entry))])
        with contextlib.suppress(ls.LittlestoneError):
            whole.apply(number, time, entry, encoded(entry))
        if number == cut:
            folder.write(moment(whole))
    tail.close()
    again, passed_over = folder.restore()
    assert passed_over == []
    assert (again.sequence, again.time) == (whole.sequence, whole.time)
    assert same(again.live, whole.live)
    assert (again.shadow is None) == (whole.shadow is None)
    if again.shadow is not None and whole.shadow is not None:
        assert same(again.shadow, whole.shadow)
    assert again.book.written() == whole.book.written()
    assert (again.paired, again.drift, again.shadow_failed) == (whole.paired, whole.drift, whole.shadow_failed)
    folder.close()


def begun(path: Path, count: int = 10, snapshot_after: Sequence[int] = ()) -> Folder:
    """A folder with a journal of so many learns."""
    folder = Folder(path)
    host = Host(ServedLearner(ls.Learner(ls.Perceptron())), folder.open_file)
    folder.begin(host.live)
    tail = Tail(folder.disk, 1, segment=1 << 12)
    for number in range(1, count + 1):
        entry = Learn({"a": float(number % 3 - 1), "b": 1.0}, number % 2)
        tail.append(number, [(SECOND * number, encoded(entry))])
        host.apply(number, SECOND * number, entry, encoded(entry))
        if number in snapshot_after:
            folder.write(moment(host))
    tail.close()
    return folder


def test_a_damaged_snapshot_is_passed_over_and_none_is_refused(tmp_path: Path) -> None:
    folder = begun(tmp_path / "m", 10, snapshot_after=[4, 8])
    whole, _ = folder.restore()
    last = tmp_path / "m" / "snapshot-00000000000000000008.lst"
    sound = last.read_bytes()
    for place in range(0, len(sound), 97):
        damaged = bytearray(sound)
        damaged[place] ^= 0x10
        last.write_bytes(damaged)
        again, passed_over = folder.restore()
        assert "snapshot-00000000000000000008.lst" in passed_over[0]
        assert same(again.live, whole.live)
    for number in (0, 4):
        (tmp_path / "m" / f"snapshot-{number:020d}.lst").write_bytes(b"nothing")
    with pytest.raises(ls.InvalidData, match="has no sound snapshot"):
        folder.restore()


def test_old_snapshots_and_segments_go_and_what_is_left_is_enough(tmp_path: Path) -> None:
    folder = begun(tmp_path / "m", 300, snapshot_after=[100, 200, 299])
    before, _ = folder.restore()
    count = len(folder.disk.names())
    folder.tidy()
    assert folder.snapshots() == [200, 299]
    assert len(folder.disk.names()) < count
    again, _ = folder.restore()
    assert same(again.live, before.live)
    (tmp_path / "m" / "snapshot-00000000000000000299.lst").unlink()
    once_more, _ = folder.restore()
    assert same(once_more.live, before.live)


def test_a_journal_that_is_kept_can_be_gone_through_from_the_first_record(tmp_path: Path) -> None:
    folder = begun(tmp_path / "m", 300, snapshot_after=[100, 200, 250, 299])
    named = folder.pin(ServedLearner(ls.Learner(ls.Perceptron())), 150)
    folder.tidy(journal=False)
    assert folder.snapshots() == [0, 250, 299]
    assert (tmp_path / "m" / named).exists()
    history = JournalHistory.of(tmp_path / "m")
    assert [record[0] for record in history.entries()] == list(range(1, 301))
    folder.tidy()
    assert folder.snapshots() == [250, 299]
    assert not (tmp_path / "m" / named).exists()


def test_a_folder_has_one_server(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "m")
    with pytest.raises(ls.NotApplicable, match="in use by another server"):
        Folder(tmp_path / "m")
    folder.close()
    Folder(tmp_path / "m").close()


@pytest.mark.parametrize("name", ["../outside.lst", "/etc/passwd", "a/b.lst", ".."])
def test_no_entry_reads_outside_the_folder(tmp_path: Path, name: str) -> None:
    folder = Folder(tmp_path / "m")
    with pytest.raises(ls.InvalidData, match=r"not the name of a file|cannot be read"):
        folder.open_file(name)


def test_a_record_that_is_no_entry_is_an_error_and_not_passed_over() -> None:
    with pytest.raises(ls.InvalidData, match="a record holds no entry"):
        host_of().replay([Record(1, 1, 1, b"\x91\xcc\xff")])
    assert decoded(encoded(Learn({"a": 1.0}, "x"))) == Learn({"a": 1.0}, "x")


# Ids and late labels.


def refused(host: Host, entry: Entry, status: HTTPStatus, words: str) -> None:
    before = host.book.written()
    with pytest.raises(RefusalError, match=words) as caught:
        host.admit(entry, encoded(entry))
    assert caught.value.status == status
    assert host.book.written() == before


def test_feedback_in_every_case_of_the_contract() -> None:
    host = host_of(limits=Limits(waiting=10, waiting_seconds=100.0, remembered=10, remembered_seconds=1000.0))
    refused(host, Feedback("a", "x"), HTTPStatus.NOT_FOUND, "no prediction with the id 'a'")
    asked, told = Predict({"f": 1.0}, "a"), Feedback("a", "x")
    (first,) = played(host, [asked])
    assert host.admit(asked, encoded(asked)) == first
    refused(host, Predict({"f": 2.0}, "a"), HTTPStatus.UNPROCESSABLE_ENTITY, "came with another request")
    assert host.admit(told, encoded(told)) is None
    (answer,) = played(host, [told], first=2)
    assert host.live.counts()[0] == 1
    assert host.admit(told, encoded(told)) == answer
    assert played(host, [told], first=3) == [answer]
    refused(host, Feedback("a", "y"), HTTPStatus.CONFLICT, "has another label already")
    assert host.live.counts()[0] == 1
    assert host.admit(asked, encoded(asked)) == first
    played(host, [Predict({"f": 1.0}, "late")], first=4)
    played(host, [Learn({"f": 1.0}, "x")], first=5, time=200 * SECOND)
    refused(host, Feedback("late", "x"), HTTPStatus.GONE, "has expired")
    assert host.book.expired == 1
    played(host, [Learn({"f": 1.0}, "x")], first=6, time=2000 * SECOND)
    refused(host, Feedback("late", "x"), HTTPStatus.NOT_FOUND, "no prediction")


def test_labels_come_out_of_order_and_the_oldest_row_makes_room() -> None:
    host = host_of(limits=Limits(waiting=2))
    played(host, [Predict({"f": float(k)}, f"i{k}") for k in range(3)])
    played(host, [Learn({"f": 1.0}, "x")], first=4)
    assert host.book.waiting == 2
    refused(host, Feedback("i0", "x"), HTTPStatus.GONE, "expired")
    replies = played(host, [Feedback("i2", "x"), Feedback("i1", "y")], first=5)
    assert [getattr(reply, "model_version", None) for reply in replies] == [5, 6]
    assert host.book.waiting == 0


def test_a_learn_with_a_key_is_learned_once() -> None:
    host = host_of()
    entry = Learn({"f": 1.0}, "x", key="k")
    (first,) = played(host, [entry])
    assert host.admit(entry, encoded(entry)) == first
    assert played(host, [entry, entry], first=2) == [first, first]
    assert host.live.counts()[0] == 1
    refused(host, Learn({"f": 2.0}, "x", key="k"), HTTPStatus.UNPROCESSABLE_ENTITY, "came with another request")
    refused(host, Feedback("k", "x"), HTTPStatus.NOT_FOUND, "is the id of a learn")


def test_remembered_ids_have_a_limit_that_counts_predictions() -> None:
    host = host_of(limits=Limits(remembered=3))
    rows: list[Row] = [{"f": 1.0}, {"f": 2.0}]
    played(host, [LearnMany(rows, ["x", "y"], key="first"), LearnMany(rows, ["x", "y"], key="second")])
    played(host, [Learn({"f": 1.0}, "x")], first=3)
    assert (host.book.find("first"), host.book.remembered) == (None, 2)
    assert host.book.find("second") is not None


def test_a_clock_that_goes_backwards_makes_nothing_younger() -> None:
    host = host_of(limits=Limits(waiting_seconds=10.0))
    played(host, [Predict({"f": 1.0}, "a")], time=100 * SECOND)
    played(host, [Learn({"f": 1.0}, "x")], first=2, time=50 * SECOND)
    assert host.time == 100 * SECOND + 1
    played(host, [Learn({"f": 1.0}, "x")], first=3, time=111 * SECOND)
    refused(host, Feedback("a", "x"), HTTPStatus.GONE, "expired")


# The shadow.


def test_a_shadow_learns_the_same_stream_and_takes_the_place() -> None:
    rows = stream(ls.Perceptron(), 100)
    entries: list[Entry] = [Learn(dict(row), label) for row, label in rows]
    rival = ServedLearner(ls.Learner(ls.PassiveAggressive()))
    host = Host(ServedLearner(ls.Learner(ls.Perceptron())), lambda _: rival)
    played(host, [StartShadow("f")])
    replies = played(host, entries, first=2)
    alone = ls.Learner(ls.PassiveAggressive())
    wrong = [alone.learn_one(row, label) != label for row, label in rows if label is not None]
    live_wrong = [getattr(reply, "prediction", None) != label for reply, (_, label) in zip(replies, rows, strict=True)]
    assert (host.paired.rounds, host.paired.live_loss, host.paired.shadow_loss) == (100, sum(live_wrong), sum(wrong))
    assert host.paired.shadow_better == sum(a and not b for a, b in zip(live_wrong, wrong, strict=True))
    pair = ls.PairedComparison()
    pair.note_many(np.array(live_wrong, dtype=float), np.array(wrong, dtype=float))
    assert host.paired.between() == (pair.low, pair.high)
    played(host, [Promote()], first=200)
    assert host.live is rival
    assert same(host.live, ServedLearner(alone))
    assert isinstance(played(host, [Promote()], first=201)[0], str)


def test_a_shadow_that_refuses_a_row_is_let_go_and_the_live_model_goes_on() -> None:
    host = Host(
        ServedLearner(ls.Learner(ls.OneVersusRest(rule=ls.Perceptron()))), lambda _: ServedLearner(ls.Learner(ls.Perceptron()))
    )
    labels = ["a", "b", "c", "a"]
    played(host, [StartShadow("f"), *(Learn({"f": 1.0}, label) for label in labels)])
    assert host.shadow is None
    assert "third" in (host.shadow_failed or "")
    assert host.live.counts()[0] == 4
