"""A parsed copy beside a text file: the same rows, fresh or not used, and never a reason to crash."""

from __future__ import annotations

import gzip
import os
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from reading import examples, hasher

TEXTS = {
    "a.svm": b"1 1:0.5 3:2\n-1\n1 7:1e-3 # none\n" * 300,
    "a.vw": b"1 2.5 'first|user:2 x:1 y |z 7:3\nspam |a word:other\n-1 |a x\n" * 300,
    "a.csv": b'y,"a b",c\n1,2.5,red\n-1,,blue\n1,7,red\n' * 1 + b"1,3,green\n" * 300,
    "a.jsonl": b'{"label": 1, "a": {"b": 2}, "c": "d"}\n{"label": -1, "weight": 3, "e": 1}\n' * 300,
}


def seen(reader: ls.Reader) -> list[object]:
    """All that a reader gives: labels, rows by name or position, weights and tags."""
    rows: list[object] = []
    for X, y in reader:
        matrix = X.tocsr()
        names = X.names
        for t in range(len(X)):
            row = matrix[t : t + 1]
            entries = [(names[k] if names else int(k), float(v)) for k, v in zip(row.indices, row.data, strict=True)]
            weight = 1.0 if X.weights is None else float(X.weights[t])
            rows.append((str(y[t]), entries, weight, "" if X.tags is None else X.tags[t]))
    return rows


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("bits", [None, 10])
def test_the_copy_gives_what_the_text_gives(tmp_path: Path, name: str, bits: int | None) -> None:
    path = tmp_path / name
    path.write_bytes(TEXTS[name])
    plain = seen(ls.read(path, bits=bits))
    made, copy = (seen(ls.read(path, bits=bits, cache=True)) for _ in range(2))
    assert made == plain
    assert copy == plain
    assert len(plain) > 300
    # The copy is read, not the text: without a change of size or time nobody looks into the file.
    before = path.stat()
    path.write_bytes(b"?" * len(TEXTS[name]))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert seen(ls.read(path, bits=bits, cache=True)) == plain
    assert seen(ls.read(tmp_path / f"{name}.lsc")) == plain


def test_learning_from_the_copy_gives_the_same_bits(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_bytes(TEXTS["a.svm"])
    states = []
    for cache in (False, True, True):
        learner = ls.Learner(ls.PassiveAggressive(variant="PA-I", C=0.1))
        for X, y in ls.read(path, cache=cache):
            learner.learn_many(X, y)
        states.append((learner.state.w.tobytes(), learner.ledger))
    assert states[0] == states[1] == states[2]


def test_a_change_of_the_file_or_the_options_makes_it_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_bytes(b"1 1:1\n")
    assert len(seen(ls.read(path, cache=True))) == 1
    path.write_bytes(b"1 1:1\n-1 2:1\n")
    assert len(seen(ls.read(path, cache=True))) == 2
    assert [X.width for X, _ in ls.read(path, cache=True, bits=4)] == [16]
    assert [X.width for X, _ in ls.read(path, cache=True)] == [3]


def test_a_reading_that_stops_early_leaves_no_copy(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_bytes(TEXTS["a.svm"] * 200)
    assert any(len(X) for X, _ in ls.read(path, cache=True, chunk=1000))
    assert [file.name for file in tmp_path.iterdir()] == ["a.svm"]


def test_malformed_lines_are_told_every_time(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_bytes(b"1 1:1\nno\n-1 2:1\n")
    for _ in range(2):
        reader = ls.read(path, cache=True, on_error="skip")
        assert (len(seen(reader)), reader.skipped) == (2, 1)
    assert [file.name for file in tmp_path.iterdir()] == ["a.svm"]


def test_compressed_text_is_worth_a_copy_too(tmp_path: Path) -> None:
    path = tmp_path / "a.svm.gz"
    path.write_bytes(gzip.compress(TEXTS["a.svm"]))
    assert seen(ls.read(path, cache=True)) == seen(ls.read(path, cache=True))
    assert (tmp_path / "a.svm.gz.lsc").exists()


def test_a_damaged_copy_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_bytes(TEXTS["a.svm"])
    seen(ls.read(path, cache=True))
    copy = tmp_path / "a.svm.lsc"
    sound = copy.read_bytes()
    for damaged in (sound[:-5], sound[:-9] + b"?" + sound[-8:], sound[:600] + sound[608:], sound + b"more"):
        copy.write_bytes(damaged)
        for reader in (ls.read(path, cache=True), ls.read(copy, on_error="skip")):
            with pytest.raises(ls.InvalidData, match=r"a\.svm\.lsc, line \d+: got 'damaged bytes'; expected a sound record"):
                seen(reader)


def test_a_head_that_is_not_one_is_made_anew_or_refused(tmp_path: Path) -> None:
    path, copy = tmp_path / "a.svm", tmp_path / "a.svm.lsc"
    path.write_bytes(b"1 1:1\n")
    for rest in (b"", b"{}\n", b"[1]\n", b'{"version": 9}\n'):
        head = b"littlestone-cache " + rest
        copy.write_bytes(head)
        with pytest.raises(ls.InvalidData, match=r"does not begin as a cache does|is a cache of version 9"):
            seen(ls.read(copy))
        assert len(seen(ls.read(path, cache=True))) == 1


def forged(start: list[int], index: list[int]) -> bytes:
    """A record with a right checksum, whatever its arrays."""
    rows, entries = len(start) - 1, len(index)
    payload = struct.pack("<9Q", rows, rows, entries, rows, 0, 0, 0, 0, 0)
    payload += struct.pack(f"<{rows + 1}i", *start) + struct.pack(f"<{entries}i", *index)
    payload += struct.pack(f"<{entries}d", *([1.0] * entries)) + struct.pack(f"<{4 * rows}d", *([1.0] * 4 * rows))
    payload += struct.pack("<I", 0)  # the name of the first value that is missing
    return struct.pack("<2Q", len(payload), _core.checksum(np.frombuffer(payload, np.uint8))) + payload


def test_a_forged_record_cannot_make_a_loop_read_outside() -> None:
    parser = _core.cache_parser(False)
    assert len(parser.parse(forged([0, 2, 3], [4, 9, 0]))) == 2
    out_of_order = [([0, 2], [9, 4]), ([0, 1], [-1]), ([1, 2], [5, -3])]
    for start, index in (*out_of_order, ([0, 9], [1]), ([0, 2, 1], [1, 2]), ([0, 1], [1, 2])):
        assert parser.parse(forged(start, index)).malformed, (start, index)


@examples(100)
@given(st.data())
def test_whatever_the_bytes_it_reads_or_says_so(data: st.DataObject) -> None:
    chunk = _core.vowpal_parser(hasher(8), False).parse(b"1 2 'tag| a:1 b\nword | c\n")
    record = bytearray(_core.cache_record(chunk))
    for _ in range(data.draw(st.integers(0, 3))):
        record[data.draw(st.integers(0, len(record) - 1))] = data.draw(st.integers(0, 255))
    text = bytes(record)[: data.draw(st.integers(0, len(record)))]
    for named in (False, True):
        parser = _core.cache_parser(named)
        assert 0 <= parser.cut(text) <= len(text)
        parsed = parser.parse(text)
        assert parsed.malformed or len(parsed) in (0, 2)


def test_what_cannot_have_a_copy_says_so(tmp_path: Path) -> None:
    with pytest.raises(ls.InvalidParameter, match="a copy is kept beside a text file on disk"):
        ls.read("-", cache=True)
    with pytest.raises(ls.InvalidData, match="cannot be read: No such file"):
        list(ls.read(tmp_path / "none.svm", cache=True))


# Copies that were cut, planted or forged.


def copied(tmp_path: Path, rows: int = 30_000) -> tuple[Path, Path]:
    path = tmp_path / "q.svm"
    path.write_bytes(b"1 1:0.5\n" * rows)
    assert len(seen(ls.read(path, cache=True))) == rows
    return path, tmp_path / "q.svm.lsc"


def record_ends(raw: bytes) -> list[int]:
    ends = [raw.index(b"\n") + 1]
    while ends[-1] < len(raw):
        ends.append(ends[-1] + 16 + struct.unpack_from("<Q", raw, ends[-1])[0])
    return ends


def test_a_copy_cut_between_two_records_is_refused(tmp_path: Path) -> None:
    path, copy = copied(tmp_path)
    whole = copy.read_bytes()
    ends = record_ends(whole)
    assert len(ends) > 4
    assert ends[-1] == len(whole)
    for end in ends[:-1]:
        copy.write_bytes(whole[:end])
        packed = tmp_path / "z.lsc.gz"
        packed.write_bytes(gzip.compress(whole[:end]))
        for reader in (ls.read(path, cache=True), ls.read(copy), ls.read(packed)):
            with pytest.raises(ls.InvalidData, match="does not end as a cache does; remove it and make it anew"):
                seen(reader)
    for more in (whole[ends[0] :], whole[ends[-2] :]):
        copy.write_bytes(whole + more)
        with pytest.raises(ls.InvalidData):
            seen(ls.read(copy))


def test_a_planted_link_or_a_file_of_another_kind_is_left_alone(tmp_path: Path) -> None:
    victim, path, copy = tmp_path / "victim", tmp_path / "d.svm", tmp_path / "d.svm.lsc"
    victim.write_text("precious")
    path.write_text("1 1:1\n")
    (tmp_path / f"d.svm.lsc.{os.getpid()}").symlink_to("victim")
    assert len(seen(ls.read(path, cache=True))) == 1
    copy.unlink()
    copy.symlink_to("victim")
    with pytest.raises(ls.InvalidData, match=r"d\.svm\.lsc is there and is not a cache"):
        seen(ls.read(path, cache=True))
    copy.unlink()
    os.mkfifo(copy)
    with pytest.raises(ls.InvalidData, match=r"d\.svm\.lsc is there and is not a cache"):
        seen(ls.read(path, cache=True))
    assert victim.read_text() == "precious"


def test_threads_that_make_one_copy_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "t.svm"
    path.write_bytes(b"1 1:0.5\n-1 2:1\n" * 5000)
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda _: sum(len(X) for X, _ in ls.read(path, cache=True)), range(16)))
    assert counts == [10_000] * 16
    assert sorted(file.name for file in tmp_path.iterdir()) == ["t.svm", "t.svm.lsc"]
    assert len(seen(ls.read(tmp_path / "t.svm.lsc"))) == 10_000


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_forged_values_that_are_not_finite_are_refused(value: float) -> None:
    record = forged([0, 2, 3], [4, 9, 0])
    payload = record[16:].replace(struct.pack("<d", 1.0), struct.pack("<d", value), 1)
    sealed = struct.pack("<2Q", len(payload), _core.checksum(np.frombuffer(payload, np.uint8))) + payload
    assert not _core.cache_parser(False).parse(record).malformed
    assert _core.cache_parser(False).parse(sealed).malformed


@pytest.mark.parametrize("head", [b"[" * 200_000, b'{"version": 2, "kind": "hash", "bits": ' + b"9" * 5000 + b"}"])
def test_forged_heads_are_refused(tmp_path: Path, head: bytes) -> None:
    path, copy = tmp_path / "a.svm", tmp_path / "a.svm.lsc"
    path.write_bytes(b"1 1:1\n")
    copy.write_bytes(b"littlestone-cache " + head + b"\n")
    with pytest.raises(ls.InvalidData, match="does not begin as a cache does"):
        seen(ls.read(copy))
    assert len(seen(ls.read(path, cache=True))) == 1
