"""The journal on a disk that loses its power at every operation: nothing acknowledged is lost, nothing comes twice."""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.serve.disk import Directory
from littlestone.serve.journal import JournalReader, NoRoom, Tail, drop_before, segments
from littlestone.serve.records import BEGIN, Origin, Record, Scan, origin, packed, size, title
from power import PowerCut, SimulatedDisk

KINDS = ("nothing", "everything", "some", "torn")


def commits(seed: int, count: int = 8) -> list[list[tuple[int, bytes]]]:
    """Of one to four records, some longer than a sector."""
    chance = random.Random(seed)
    sizes = [chance.choice((1, 7, 8, 40, 700)) for _ in range(4 * count)]
    bodies = [bytes(chance.randrange(256) for _ in range(length)) for length in sizes]
    made, start = [], 0
    for number in range(count):
        end = start + chance.randrange(1, 5)
        made.append([(1_000_000 + number, body) for body in bodies[start:end]])
        start = end
    return made


def written(disk: SimulatedDisk, groups: Sequence[Sequence[tuple[int, bytes]]], first: int = 1) -> int:
    """How many records were acknowledged before the power went."""
    tail = Tail(disk, first, segment=2048)
    done = 0
    try:
        for group in groups:
            tail.append(first + done, group)
            done += len(group)
        tail.close()
    except (PowerCut, NoRoom):
        tail._wait()
    return done


def flat(groups: Sequence[Sequence[tuple[int, bytes]]]) -> list[tuple[int, bytes]]:
    return [entry for group in groups for entry in group]


def found(disk: SimulatedDisk | Directory, after: int = 0) -> list[tuple[int, bytes]]:
    records = list(JournalReader(disk, after))
    assert [record.sequence for record in records] == list(range(after + 1, after + 1 + len(records)))
    return [(record.time, record.body) for record in records]


def test_every_operation_may_be_the_last() -> None:
    groups = commits(0, 12)
    whole = SimulatedDisk()
    assert written(whole, groups) == len(flat(groups))
    assert found(whole) == flat(groups)
    assert len(segments(whole)) >= 3
    for cut_at in range(1, whole.operations + 2):
        for seed, kind in enumerate((*KINDS, "some", "torn", "torn")):
            disk = SimulatedDisk(cut_at)
            acknowledged = written(disk, groups)
            left = found(disk.after_the_cut(kind, seed=1000 * cut_at + seed))
            assert left == flat(groups)[: len(left)], (cut_at, kind)
            assert len(left) >= acknowledged, (cut_at, kind)


@given(first=st.integers(1, 90), second=st.integers(1, 90), seed=st.integers(0, 10**6), kind=st.sampled_from(KINDS))
def test_power_goes_twice(first: int, second: int, seed: int, kind: str) -> None:
    """What the first crash left torn is never taken for something the second life wrote."""
    groups, more = commits(seed), commits(seed + 1)
    disk = SimulatedDisk(first)
    acknowledged = written(disk, groups)
    again = disk.after_the_cut(kind, seed, cut_at=second)
    left = found(again)
    assert flat(groups)[: len(left)] == left
    assert len(left) >= acknowledged
    later = written(again, more, first=len(left) + 1)
    everything = found(again.after_the_cut(kind, seed + 2))
    assert everything[: len(left)] == left
    assert everything[len(left) :] == flat(more)[: len(everything) - len(left)]
    assert len(everything) >= len(left) + later


def test_what_was_acknowledged_is_seen_as_lost_when_a_bit_of_it_flips() -> None:
    """A flip anywhere before the last commit is an error that names the record; none is passed over in silence."""
    groups = [[(5, b"first")], [(6, b"second"), (6, b"third")], [(7, b"fourth")]]
    whole = SimulatedDisk()
    written(whole, groups)
    (name,) = segments(whole)
    last = BEGIN + sum(size(body) for _, body in flat(groups)[:3])
    filling = set[int]()
    for bit in range(8 * last):
        disk = whole.after_the_cut("everything")
        disk.flip(name, bit)
        with contextlib.suppress(ls.InvalidData):
            assert found(disk) == flat(groups)
            filling.add(bit)
    # Only bytes that fill a record up to a multiple of eight mean nothing.
    ends = [BEGIN + sum(size(body) for _, body in flat(groups)[: k + 1]) for k in range(3)]
    unused = [range(end - -len(body) % 8, end) for end, (_, body) in zip(ends, flat(groups), strict=False)]
    assert filling == {8 * byte + bit for gap in unused for byte in gap for bit in range(8)}


def test_a_flip_in_the_last_commit_cuts_it_and_no_more() -> None:
    groups = [[(5, b"first")], [(6, b"second")]]
    whole = SimulatedDisk()
    written(whole, groups)
    (name,) = segments(whole)
    begin = BEGIN + size(b"first")
    for bit in range(8 * begin, 8 * (begin + 32 + len(b"second"))):
        disk = whole.after_the_cut("everything")
        disk.flip(name, bit)
        assert found(disk) == flat(groups[:1])


def test_a_hole_between_segments_is_named() -> None:
    groups = commits(3, 30)
    disk = SimulatedDisk()
    written(disk, groups)
    names = segments(disk)
    disk.remove(names[1])
    with pytest.raises(ls.InvalidData, match=f"{names[0]} is damaged: .* is the first bad one"):
        found(disk)


def test_a_beginning_that_is_gone_is_named() -> None:
    groups = commits(3, 30)
    disk = SimulatedDisk()
    written(disk, groups)
    second = Scan("s", disk.read(segments(disk)[1])).origin.first
    assert drop_before(disk, second) == ["journal-00000000000000000001.lsj"]
    with pytest.raises(ls.InvalidData, match=f"records 1 to {second - 1} are gone"):
        found(disk)
    assert found(disk, after=second - 1) == flat(groups)[second - 1 :]


def test_a_journal_shorter_than_its_snapshot_is_refused() -> None:
    disk = SimulatedDisk()
    written(disk, [[(1, b"a")]])
    with pytest.raises(ls.InvalidData, match="ends with record 1; a snapshot was taken after record 2"):
        found(disk, after=2)


def test_a_full_disk_is_met_before_anything_is_at_risk() -> None:
    disk = SimulatedDisk(room=4096)
    groups = commits(1, 30)
    done = written(disk, groups)
    assert 0 < done < len(flat(groups))
    assert found(disk) == flat(groups)[:done]
    disk.room = None
    assert written(disk, [[(9, b"more")]], first=done + 1) == 1
    assert found(disk)[done:] == [(9, b"more")]


def test_a_sync_that_fails_is_told() -> None:
    disk = SimulatedDisk()
    tail = Tail(disk, 1, segment=2048)
    tail.append(1, [(1, b"a")])
    tail._wait()
    disk.broken_syncs = True
    with pytest.raises(OSError, match="Input/output error"):
        tail.append(2, [(2, b"b")])


def test_a_record_of_another_segment_is_no_record_here() -> None:
    """The salt: even a body that is itself a record of this very number is data."""
    salt = 77
    inner = packed(3, Record(2, 5, 2, b"forged"))
    content = title(Origin(salt, 1)) + packed(salt, Record(1, 5, 1, inner)) + inner + bytes(256)
    scan = Scan("s", memoryview(content))
    assert [record.sequence for record in scan] == [1]
    assert scan.lost() is None
    assert scan.torn()


@given(body=st.binary(min_size=1, max_size=100), time=st.integers(0, 2**63), sequence=st.integers(1, 2**62))
def test_a_record_is_read_as_it_was_written(body: bytes, time: int, sequence: int) -> None:
    content = title(Origin(9, sequence)) + packed(9, Record(sequence, time, sequence, body)) + bytes(64)
    assert list(Scan("s", memoryview(content))) == [Record(sequence, time, sequence, body)]
    assert len(packed(9, Record(sequence, time, sequence, body))) == size(body)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "not a segment"), (bytes(64), "not a segment"), (title(Origin(1, 2))[:-1] + b"\xff", "first bytes have changed")],
)
def test_what_is_no_segment_is_refused(content: bytes, words: str) -> None:
    with pytest.raises(ls.InvalidData, match=words):
        origin("file", memoryview(content))


def test_a_real_directory_does_the_same(tmp_path: Path) -> None:
    disk = Directory(tmp_path)
    groups = commits(5, 20)
    tail = Tail(disk, 1, segment=2048)
    done = 0
    for group in groups:
        tail.append(1 + done, group)
        done += len(group)
    tail.close()
    assert found(disk) == flat(groups)
    assert all(re.fullmatch(r"journal-\d{20}\.lsj", name) for name in disk.names())
