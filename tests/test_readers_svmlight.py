"""svmlight: against a parser of ten lines, and what is malformed."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from reading import Row, as_bytes, check_sound, data, examples, hasher, rows_of


def reference(text: str) -> tuple[list[float], list[Row]]:
    """The format in ten lines."""
    labels, rows = list[float](), list[Row]()
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        labels.append(float(words[0]))
        entries = [word.split(":") for word in words[1:] if not word.startswith("qid:")]
        rows.append({int(index): float(value) for index, value in entries})
    return labels, rows


def parse(text: str, bits: int | None = None, *, skips: bool = False, constant: bool = False) -> _core.Chunk:
    chunk = _core.svmlight_parser(hasher(bits, constant=constant), skips).parse(as_bytes(text))
    check_sound(chunk)
    return chunk


numbers = st.floats(-1e100, 1e100).map(repr) | st.integers(-1000, 1000).map(str)
entries = st.dictionaries(st.integers(0, 100_000), numbers, max_size=60)
lines = st.tuples(numbers, entries, st.sampled_from(["", " # note 3:4", " qid:7", "\t", "\r"]))


@examples(60)
@given(st.lists(lines, max_size=6), st.booleans())
def test_it_reads_what_the_reference_reads(listed: list[tuple[str, dict[int, str], str]], ended: bool) -> None:
    text = "\n".join(f"{y} {' '.join(f'{k}:{v}' for k, v in x.items())}{tail}" for y, x, tail in listed)
    labels, rows = reference(text)
    chunk = parse(text + "\n" if ended else text)
    assert chunk.label.tolist() == labels
    assert rows_of(chunk) == rows
    assert not chunk.malformed


def test_indices_are_sorted_whatever_their_order() -> None:
    assert parse("1 5:1 2:3 9:4").index.tolist() == [2, 5, 9]


def test_bits_cut_indices_and_add_up_what_meets() -> None:
    assert rows_of(parse("1 1:1 17:2 5:3", bits=4)) == [{1: 3.0, 5: 3.0}]


def test_the_constant_is_feature_zero() -> None:
    assert rows_of(parse("1 3:2", constant=True)) == [{0: 1.0, 3: 2.0}]
    assert parse("1 0:2", constant=True).malformed[0][1] == "no feature twice in a row"


@pytest.mark.parametrize(
    ("line", "text", "expected"),
    [
        ("x 1:1", "x", "a number as the label"),
        ("nan 1:1", "nan", "a number as the label"),
        ("1e999 1:1", "1e999", "a number as the label"),
        ("1,2 1:1", "1,2", "a number as the label"),
        ("1 a:1", "a:1", "index:value"),
        ("1 -3:1", "-3:1", "index:value"),
        ("1 3", "3", "index:value"),
        ("1 3:", "3:", "index:value"),
        ("1 3:x 4:1", "3:x", "index:value"),
        ("1 3:1x", "3:1x", "index:value"),
        ("1 3 :1", "3", "index:value"),
        ("1 3:nan", "3:nan", "a finite value; one that is missing is left out of the line"),
        ("1 3:1e999", "3:1e999", "a finite value; one that is missing is left out of the line"),
        ("1 2147483647:1", "2147483647:1", "an index below 2^31 - 1"),
        ("1 99999999999999999999999:1", "99999999999999999999999:1", "index:value"),
        ("1 3:1 3:2", "1 3:1 3:2", "no feature twice in a row"),
        ("1 3:1e200", "1 3:1e200", "values below 1e150 in magnitude"),
    ],
)
def test_a_malformed_line_is_told(line: str, text: str, expected: str) -> None:
    chunk = parse(f"1 1:1\n\n{line}\n-1 2:2\n", skips=True)
    assert chunk.malformed == [(2, expected, text)]
    assert rows_of(chunk) == [{1: 1.0}, {2: 2.0}]
    assert len(parse(f"1 1:1\n\n{line}\n-1 2:2\n")) == 1


def test_the_sentence_of_an_error() -> None:
    import io

    with pytest.raises(ls.InvalidData, match=r"^the stream, line 2: got '3:x'; expected index:value$"):
        list(ls.read(io.BytesIO(b"1 1:1\n1 3:x\n"), format="svmlight"))


@pytest.mark.parametrize("name", ["a1a", "mushrooms", "svmguide3.shuf", "news20.t", "letter.scale"])
def test_real_files_are_read_as_the_reference_reads_them(name: str) -> None:
    path = data(f"libsvm/{name}.svm.gz")
    labels, rows = reference(gzip.decompress(path.read_bytes()).decode())
    chunks = list(ls.read(path, chunk=100_000))
    assert np.concatenate([y for _, y in chunks]).tolist() == labels
    assert [row for X, _ in chunks for row in rows_of(X.chunk)] == rows
