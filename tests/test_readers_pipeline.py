"""Files on disk are read and parsed by threads of the core: the same rows, in order, whatever the chunks and the threads."""

import io
import os
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from reading import examples, hasher

LINES = b"".join(b"%d %d:%d.5 900:-1e-3\n" % (1 - 2 * (k % 2), k % 37 + 1, k) for k in range(3000))
QUOTED = b"a,b,y\n" + b"".join(b'%d,"one\ntwo ""%d"",",1\n' % (k, k) for k in range(500))


def rows_of(source: Path | io.BytesIO, chunk: int, workers: int) -> list[tuple[float, list[tuple[int, float]]]]:
    reader = ls.read(source, format="svmlight", chunk=chunk, workers=workers)
    return [
        (float(label), list(zip(row.indices.tolist(), row.data.tolist(), strict=True)))
        for X, y in reader
        for label, row in zip(y, (X.tocsr()[k : k + 1] for k in range(len(X))), strict=True)
    ]


def threads() -> int:
    """Those of the core included, where the system tells."""
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.exists() else threading.active_count()


@pytest.mark.parametrize("chunk", [1, 17, 1000, 1 << 20])
@pytest.mark.parametrize("workers", [1, 2, 5])
def test_chunks_and_threads_make_no_difference(tmp_path: Path, chunk: int, workers: int) -> None:
    path = tmp_path / "lines.svm"
    path.write_bytes(LINES)
    learners = [ls.Learner(ls.Perceptron()) for _ in range(2)]
    sources: tuple[Path, io.BytesIO] = (path, io.BytesIO(LINES))
    for k, learner in enumerate(learners):
        for X, y in ls.read(sources[k], format="svmlight", chunk=chunk, workers=workers):
            learner.learn_many(X, y)
    assert learners[0].ledger.rounds == 3000
    assert learners[0].ledger == learners[1].ledger
    assert np.array_equal(learners[0].state.w, learners[1].state.w)


@examples(30)
@given(st.lists(st.sampled_from([b"1 1:2", b"-1 2:0.5 7:1e3", b"", b"# none", b"1 3:-4.25\r"]), max_size=12), st.booleans())
def test_any_lines_with_or_without_a_last_end(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], ended: bool
) -> None:
    text = b"\n".join(lines) + (b"\n" if ended else b"")
    path = tmp_path_factory.mktemp("any") / "lines.svm"
    path.write_bytes(text)
    assert rows_of(path, 3, 2) == rows_of(io.BytesIO(text), 1 << 18, 1)


def test_a_record_may_have_lines_within_quotes(tmp_path: Path) -> None:
    path = tmp_path / "quoted.csv"
    path.write_bytes(QUOTED)
    for chunk in (1, 50, 1 << 20):
        assert sum(len(X) for X, _ in ls.read(path, chunk=chunk)) == 500


def test_a_mark_of_the_byte_order_and_a_header_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "marked.csv"
    path.write_bytes(b"\xef\xbb\xbfa,y\n2,1\n3,-1\n")
    ((X, y),) = ls.read(path)
    assert (X.names, y.tolist()) == (["a"], [1.0, -1.0])


def test_the_line_of_a_problem_counts_from_the_top(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(b"a,y\n" + b"1,1\n" * 700 + b"1,1,1\n" + b"1,1\n" * 50)
    with pytest.raises(ls.InvalidData, match=r"bad\.csv, line 702: "):
        list(ls.read(path, chunk=64))


def test_whoever_stops_early_leaves_no_thread_behind(tmp_path: Path) -> None:
    path = tmp_path / "lines.svm"
    path.write_bytes(LINES * 20)
    before = threads()
    for _ in range(5):
        assert any(len(X) for X, _ in ls.read(path, chunk=1000, workers=3))
    assert threads() <= before


def test_reading_may_begin_before_the_first_chunk_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "lines.svm"
    path.write_bytes(LINES)
    reader = ls.read(path, chunk=500)
    reader.begin()
    reader.begin()
    path.unlink()  # what has begun goes on
    assert sum(len(X) for X, _ in reader) == 3000
    with pytest.raises(ls.InvalidData, match="cannot be read: No such file"):
        reader.begin()


@pytest.mark.parametrize("workers", [1, 2, 3, 64])
def test_whoever_begins_and_never_asks_leaves_no_thread_behind(tmp_path: Path, workers: int) -> None:
    """Threads that leave a core to whoever has begun wait for the first question, or for the end."""
    path = tmp_path / "lines.svm"
    path.write_bytes(LINES * 20)
    before = threads()
    for _ in range(5):
        reader = ls.read(path, chunk=1000, workers=workers)
        reader.begin()
        del reader
    assert threads() <= before
    asked = ls.read(path, chunk=1000, workers=workers)
    asked.begin()
    assert sum(len(X) for X, _ in asked) == 60_000


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:
        parser = _core.svmlight_parser(hasher(), False)
        pipeline = _core.Pipeline(descriptor, parser, chunk=100, ahead=100, record=100, workers=2)
        with pytest.raises(ls.InvalidData, match=r"^it cannot be read: Is a directory$"):
            pipeline.next("it")
    finally:
        os.close(descriptor)


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("littlestone.streams.parsing.LONGEST_LINE", 1 << 20)
    path = tmp_path / "long.svm"
    path.write_bytes(b"1 1:1\n" + b"1 1:1 " * 400_000)
    with pytest.raises(ls.InvalidData, match="has a line longer than 1 MB; is it a text file"):
        list(ls.read(path, chunk=1000))


def test_no_chunk_is_longer_than_asked(tmp_path: Path) -> None:
    path = tmp_path / "lines.svm"
    path.write_bytes(LINES)
    longest = max(map(len, LINES.splitlines()))
    shortest = min(map(len, LINES.splitlines()))
    sizes = [len(X) for X, _ in ls.read(path, format="svmlight", chunk=500)]
    assert max(sizes) <= (500 + longest) // shortest
