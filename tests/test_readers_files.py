"""Files, streams and compression; chunks and threads; what learners make of them."""

from __future__ import annotations

import gzip
import io
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Literal, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import laws
import littlestone as ls
from littlestone.streams.files import TextFormat
from littlestone.streams.formats import detected_format, named_format
from reading import data, examples, rows_of

TEXT = b"".join(b"%d %d:%d.5 %d:1\n" % (1 if k % 3 else -1, 1 + k % 50, k % 7, 60 + k) for k in range(2000))


def entries(reader: ls.Reader) -> list[tuple[float, dict[int, float]]]:
    return [(y, x) for X, ys in reader for y, x in zip(ys.tolist(), rows_of(X.chunk), strict=True)]


WHOLE = entries(ls.read(io.BytesIO(TEXT), format="svmlight", workers=1))


@pytest.mark.parametrize("size", [1, 7, 64, 1000, 1 << 20])
@pytest.mark.parametrize("workers", [1, 3])
def test_any_chunks_and_threads_give_the_same_rows_in_order(size: int, workers: int) -> None:
    text = TEXT if size > 1 else TEXT[: TEXT.index(b"\n", 500) + 1]
    assert entries(ls.read(io.BytesIO(text), chunk=size, workers=workers)) == WHOLE[: text.count(b"\n")]


def test_plain_gzip_several_members_and_zstd(tmp_path: Path) -> None:
    import zstandard

    halves = (TEXT[:20_000], TEXT[20_000:])
    packed = {
        "a.svm": TEXT,
        "a.svm.gz": gzip.compress(TEXT),
        "two.svm.gz": b"".join(map(gzip.compress, halves)),
        "padded.svm.gz": gzip.compress(TEXT) + bytes(100),
        "a.svm.zst": zstandard.compress(TEXT),
        "two.svm.zst": b"".join(map(zstandard.compress, halves)),
        "bom.svm": b"\xef\xbb\xbf" + TEXT,
        "crlf.svm": TEXT.replace(b"\n", b"\r\n"),
        "unended.svm": TEXT[:-1],
        "unnamed": gzip.compress(TEXT),
    }
    for name, content in packed.items():
        (tmp_path / name).write_bytes(content)
        assert entries(ls.read(tmp_path / name, chunk=4096)) == WHOLE, name


@pytest.mark.parametrize("name", ["a.svm.gz", "a.svm.zst"])
def test_damaged_compression_is_told(name: str, tmp_path: Path) -> None:
    import zstandard

    whole = gzip.compress(TEXT) if name.endswith("gz") else zstandard.compress(TEXT)
    path = tmp_path / name
    path.write_bytes(whole[: len(whole) // 2])
    if name.endswith("gz"):
        with pytest.raises(ls.InvalidData, match="ends in the middle of its gzip data"):
            list(ls.read(path))
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 0xFF
    path.write_bytes(damaged)
    with pytest.raises(ls.InvalidData):
        list(ls.read(path))


def test_a_path_can_be_read_again_and_a_stream_once(tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_bytes(TEXT)
    reader = ls.read(tmp_path / "a.svm")
    assert entries(reader) == entries(reader) == WHOLE
    stream = ls.read(io.BytesIO(TEXT))
    assert entries(stream) == WHOLE
    with pytest.raises(ls.InvalidData, match="a stream can be read once"):
        list(stream)


def test_standard_input() -> None:
    code = "import littlestone as ls; print(sum(len(y) for _, y in ls.read('-', format='svmlight')))"
    done = subprocess.run([sys.executable, "-c", code], input=TEXT, capture_output=True, check=True)
    assert done.stdout.strip() == b"2000"


def test_a_reader_that_waits_does_not_keep_the_program_from_ending() -> None:
    code = "import littlestone as ls, sys; it = iter(ls.read('-', chunk=100)); print('up', flush=True); next(it)"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=pipe) as child:
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(0.2)
        child.send_signal(2)
        assert child.wait(20) != 0


def test_a_reader_that_is_dropped_leaves_no_thread(tmp_path: Path) -> None:
    (tmp_path / "a.svm.gz").write_bytes(gzip.compress(TEXT * 20))
    before = threading.active_count()
    for _ in range(5):
        chunks = iter(ls.read(tmp_path / "a.svm.gz", chunk=1000))
        next(chunks)
        del chunks
    deadline = time.monotonic() + 20
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.02)
    assert threading.active_count() <= before


def test_missing_files_and_wrong_arguments(tmp_path: Path) -> None:
    with pytest.raises(ls.InvalidData, match="cannot be read: No such file"):
        list(ls.read(tmp_path / "none.svm"))
    with pytest.raises(ls.InvalidParameter, match="expected a path, '-' or a file opened in binary mode"):
        ls.read(cast("io.BytesIO", io.StringIO("1 1:1")))
    with pytest.raises(ls.InvalidParameter, match="chunk must be a whole number"):
        ls.read("x", chunk=0)
    with pytest.raises(ls.InvalidParameter, match="bits must be a whole number"):
        list(ls.read(io.BytesIO(TEXT), bits=31))
    with pytest.raises(ls.InvalidData, match="cannot be told; say format="):
        list(ls.read(io.BytesIO(b"hello world\n")))
    assert list(ls.read(io.BytesIO(b""))) == []


def test_skipped_lines_are_counted_and_remembered() -> None:
    text = b"1 1:1\nbad\n" * 300
    reader = ls.read(io.BytesIO(text), format="svmlight", on_error="skip", chunk=100)
    assert sum(len(y) for _, y in reader) == 300
    assert reader.skipped == 300
    assert [bad.line for bad in reader.bad_lines] == list(range(2, 202, 2))
    assert str(reader.bad_lines[0]) == "the stream, line 2: got 'bad'; expected a number as the label"


def test_line_numbers_count_across_chunks() -> None:
    text = b"1 1:1\n" * 5000 + b"1 x:1\n"
    with pytest.raises(ls.InvalidData, match=r"line 5001: got 'x:1'"):
        list(ls.read(io.BytesIO(text), format="svmlight", chunk=1000))


def test_formats_by_name_and_content() -> None:
    names = {
        "a.svm": "svmlight",
        "A.LIBSVM.GZ": "svmlight",
        "b.vw.zst": "vw",
        "c.csv": "csv",
        "d.tsv.gz": "tsv",
        "e.ndjson": "jsonl",
    }
    assert {name: named_format(name) for name in names} == names
    assert named_format("rcv1.dat.gz") is None
    contents = {
        b"# note\n+1 3:0.5 9:1\n": "svmlight",
        b"1 qid:3 1:0.5\n": "svmlight",
        b"1 2 'tag|f a:1, b\n": "vw",
        b"| a b\n": "vw",
        b'{"a": 1}\n': "jsonl",
        b"a,b,c\n1,2,3\n": "csv",
        b"a\tb\n": "tsv",
        b"PAR1....": "arrow",
        b"word\n": None,
    }
    assert {content: detected_format(content) for content in contents} == contents


RULES = [
    ls.Perceptron(),
    ls.Perceptron(start=np.full(40, 0.5)),
    ls.PassiveAggressive(variant="PA-I", C=0.1),
    ls.OnlineSVM(eta=0.1, C=0.5),
    ls.MarginPerceptron(rho=0.1),
    ls.RandomizedPerceptron(seed=3),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
@pytest.mark.parametrize("average", [False, True])
def test_chunks_learn_the_bits_of_the_whole(rule: ls.LinearRule, average: bool) -> None:
    """The width grows from chunk to chunk, and ends where that of the whole file is from the beginning."""
    whole = ls.read(io.BytesIO(TEXT)).load()
    loaded, fed = ls.Learner(rule, average=average), ls.Learner(rule, average=average)
    loaded.learn_many(whole.X, whole.y)
    for X, y in ls.read(io.BytesIO(TEXT), chunk=700):
        fed.learn_many(X, y)
    assert fed.ledger == loaded.ledger
    assert all(np.array_equal(fed.state.arrays[name], array) for name, array in loaded.state.arrays.items())
    if average:
        assert np.array_equal(fed.averaged().state.w, loaded.averaged().state.w)


def test_a_file_to_be_predicted_may_have_features_never_learned() -> None:
    learner = ls.Learner(ls.Perceptron())
    for X, y in ls.read(io.BytesIO(b"1 1:1\n-1 2:1\n")):
        learner.learn_many(X, y)
    ((X, _),) = ls.read(io.BytesIO(b"1 1:1 9:5\n1 2:1 7:5\n"))
    before = learner.state.w.copy()
    assert learner.score_many(X).tolist() == [1.0, -1.0]
    assert learner.predict_many(X).tolist() == [1.0, -1.0]
    assert np.array_equal(learner.state.w, before)


def test_spaces_do_not_mix() -> None:
    def fed(text: bytes, bits: int | None = None) -> ls.Learner:
        learner = ls.Learner(ls.Perceptron())
        for X, y in ls.read(io.BytesIO(text), bits=bits):
            learner.learn_many(X, y)
        return learner

    ((hashed, y),) = ls.read(io.BytesIO(b"1 | a\n"))
    ((positions, _),) = ls.read(io.BytesIO(b"1 3:1\n"))
    ((named, _),) = ls.read(io.BytesIO(b"a,y\n1,1\n"))
    svm, vw, csv = fed(b"1 1:1\n"), fed(b"1 | a\n"), fed(b"a,y\n1,1\n")
    assert len(vw.state.w) == 1 << 18
    with pytest.raises(ls.InvalidData, match="hashed to 18 bits; those of this learner are known by their positions"):
        svm.learn_many(hashed, y)
    with pytest.raises(ls.InvalidData, match="known by their positions; those of this learner are hashed to 18 bits"):
        vw.learn_many(positions, y)
    with pytest.raises(ls.InvalidData, match="hashed to 18 bits; those of this learner are hashed to 4 bits"):
        fed(b"1 | a\n", 4).learn_many(hashed, y)
    with pytest.raises(ls.InvalidData, match="known by their positions; those of this learner are known by their names"):
        csv.learn_many(positions, y)
    with pytest.raises(ls.InvalidData, match="this learner knows its features by position"):
        svm.learn_many(named, y)
    assert svm.ledger.rounds == vw.ledger.rounds == csv.ledger.rounds == 1


def test_columns_of_arrays_take_narrower_files_and_refuse_wider() -> None:
    learner = ls.Learner(ls.Perceptron())
    learner.learn_many(np.eye(4), [1, -1, 1, -1])
    ((narrow, y),) = ls.read(io.BytesIO(b"1 2:1\n"))
    ((wide, _),) = ls.read(io.BytesIO(b"1 4:1\n"))
    learner.learn_many(narrow, y)
    with pytest.raises(ls.InvalidData, match="those of this learner are columns"):
        learner.learn_many(wide, y)


def test_a_refused_chunk_changes_nothing() -> None:
    learner = ls.Learner(ls.Perceptron())
    ((X, _),) = ls.read(io.BytesIO(b"1 1:1\n-1 9:1\n"))
    with pytest.raises(ls.InvalidData):
        learner.learn_many(X, [1.0])
    assert (learner.state.size, learner.ledger.rounds) == (0, 0)


@examples(20)
@given(st.binary(max_size=300), st.integers(1, 50))
def test_whatever_the_bytes_it_reads_or_says_why(content: bytes, size: int) -> None:
    modes: tuple[Literal["raise", "skip"], ...] = ("raise", "skip")
    for on_error in modes:
        try:
            for X, y in ls.read(io.BytesIO(content), on_error=on_error, chunk=size, label=0):
                assert len(X) == len(y)
        except ls.LittlestoneError:
            continue


def test_a_line_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("littlestone.streams.parsing.LONGEST_LINE", 10_000)
    with pytest.raises(ls.InvalidData, match="has a line longer than"):
        list(ls.read(io.BytesIO(b"1 1:1 " * 10_000), format="svmlight", chunk=1000))


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Peak memory over one megabyte and over thirty, in processes of their own."""
    (tmp_path / "small.svm").write_bytes(TEXT * 25)
    (tmp_path / "large.svm").write_bytes(TEXT * 750)
    code = (
        "import resource, sys, littlestone as ls\n"
        "learner = ls.Learner(ls.Perceptron())\n"
        "for X, y in ls.read(sys.argv[1], workers=2, chunk=1 << 18): learner.learn_many(X, y)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peaks = [
        int(subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, check=True).stdout)
        for path in (tmp_path / "small.svm", tmp_path / "large.svm")
    ]
    assert peaks[1] < peaks[0] + 16_000


def test_real_streams_learn() -> None:
    learner = ls.Learner(ls.Perceptron(), labels=(1.0, 2.0))
    for _ in range(20):
        for X, y in ls.read(data("libsvm/mushrooms.svm.gz"), chunk=1 << 16):
            learner.learn_many(X, y)
    assert learner.ledger.rounds == 20 * 8124
    score = [learner.predict_many(X).tolist() == y.tolist() for X, y in ls.read(data("libsvm/mushrooms.svm.gz"))]
    assert all(score)
    first = ls.Learner(ls.PassiveAggressive(variant="PA-I", C=0.1))
    for X, y in ls.read(data("libsvm/a9a.svm.gz")):
        first.learn_many(X, y)
    assert first.ledger.rounds == 32_561
    assert first.ledger.mistake_rate < 0.2


# --- texts in memory


@pytest.mark.parametrize("format", ["svmlight", "vw", "csv", "tsv", "jsonl"])
def test_a_text_in_memory_is_read_as_a_file_is(format: TextFormat) -> None:
    text = {
        "svmlight": b"+1 1:2 3:0.5\n-1 2:1\n",
        "vw": b"1 2.0 |a x:2 y\n-1 | z\n",
        "csv": b"x,colour,label\n1,red,a\n2,blue,b\n",
        "tsv": b"x\tcolour\tlabel\n1\tred\ta\n2\tblue\tb\n",
        "jsonl": b'{"label": 1, "x": 2}\n{"label": -1, "y": {"z": "w"}}\n',
    }[format]
    ((X, y),) = ls.read(io.BytesIO(text), format=format)
    parsed = ls.parse(bytearray(text), format)
    assert parsed.y.tolist() == y.tolist()
    by_file, in_memory = ls.Learner(ls.Perceptron()), ls.Learner(ls.Perceptron())
    by_file.learn_many(X, y)
    in_memory.learn_many(*parsed)
    laws.same(by_file, in_memory)


def test_texts_in_memory_that_are_refused() -> None:
    for text, format, sentence in (
        (b"+1 1:2\n-1 2:x\n", "svmlight", "the text, line 2: got '2:x'; expected index:value"),
        (b"a,y\n1,2\n1,2,3\n", "csv", "the text, line 3: got '1,2,3'"),
        ("a,y", "csv", "the text is a str; expected bytes"),
        (b"", "cache", "format is 'cache'; format must be one of"),
    ):
        with pytest.raises(ls.LittlestoneError, match=re.escape(sentence)):
            laws.call(ls.parse, text, format)
