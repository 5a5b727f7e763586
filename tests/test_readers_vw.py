"""Vowpal Wabbit's format: labels, weights, tags, namespaces, hashes."""

from __future__ import annotations

import gzip
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from reading import Row, as_bytes, check_sound, data, examples, hasher, rows_of, vw_hash


def parse(text: str, bits: int = 18, *, skips: bool = False, hash_all: bool = False, constant: bool = False) -> _core.Chunk:
    chunk = _core.vowpal_parser(hasher(bits, hash_all=hash_all, constant=constant), skips).parse(as_bytes(text))
    check_sound(chunk)
    return chunk


def row(line: str, bits: int = 18) -> Row:
    (only,) = rows_of(parse(line, bits))
    return only


def reference(line: str, bits: int = 18) -> Row:
    """The features of a line without oddities."""
    out: Row = {}
    for part in line.split("|")[1:]:
        words = part.split()
        seed, scale = 0, 1.0
        if part[:1] not in ("", " ", "\t"):
            name, _, weight = words.pop(0).partition(":")
            seed, scale = vw_hash(name), float(weight or 1)
        for word in words:
            name, _, value = word.partition(":")
            index = vw_hash(name, seed) % (1 << bits)
            amount = scale * float(value or 1)
            if amount != 0:
                out[index] = out.get(index, 0.0) + amount
    return out


def test_names_and_values() -> None:
    mask = (1 << 18) - 1
    assert row("1 | a:2 b 7:0.5") == {vw_hash("a") & mask: 2.0, vw_hash("b") & mask: 1.0, 7: 0.5}


def test_a_namespace_seeds_and_scales_its_features() -> None:
    ns, mask = vw_hash("pets"), (1 << 18) - 1
    assert row("1 |pets:0.5 cat:4 dog 12") == {
        vw_hash("cat", ns) & mask: 2.0,
        vw_hash("dog", ns) & mask: 0.5,
        (12 + ns) & mask: 0.5,
    }


def test_the_published_example() -> None:
    """`1 | 123456789 has_car |gender 男 |interest 篮球 |age 42` at 18 bits, with the constant."""
    line = "1 | 123456789 has_car |gender 男 |interest 篮球 |age 42"
    (only,) = rows_of(parse(line, constant=True))
    mask = (1 << 18) - 1
    ours = {249109, 2086702313 & mask, 116060, vw_hash("男", vw_hash("gender")) & mask}
    assert ours | {vw_hash("篮球", vw_hash("interest")) & mask, (42 + vw_hash("age")) & mask} == set(only)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1 | a:2 b 7:0.5", {7: 0.5, 92594: 2.0, 163331: 1.0}),
        ("1 |pets:0.5 cat:4 dog 12", {35558: 2.0, 41973: 0.5, 214502: 0.5}),
        ("1 |n colour:red x:1.5", {93578: 1.5, 172493: 1.0}),
        ("-1 2 'tag |a:2 b:3 c d:-1e2 |e f:word 17:2", {2364: -200.0, 17272: 2.0, 32359: 1.0, 120964: 2.0, 144016: 6.0}),
        ("1 | :3 :4 |z :5", {0: 3.0, 1: 4.0, 170519: 5.0}),
        ("1 |2 3 x4:2 |x 10a a10", {5: 1.0, 122286: 1.0, 174244: 1.0, 192957: 2.0}),
        ("0.5|t u v", {7941: 1.0, 197189: 1.0}),
        ("1 |été naïve 漢字:3", {33417: 1.0, 116674: 3.0}),
    ],
)
def test_the_indices_that_vowpal_wabbit_prints(line: str, expected: Row) -> None:
    """As `vowpalwabbit --audit`, version 9.11.9, shows them; it adds the constant as feature 116060."""
    assert rows_of(parse(line, constant=True)) == [expected | {116060: 1.0}]


def test_a_word_as_value_is_hashed_on_top_of_its_name() -> None:
    assert row("1 |n colour:red") == {vw_hash("red", vw_hash("colour", vw_hash("n"))) & ((1 << 18) - 1): 1.0}


def test_values_without_names_are_counted() -> None:
    assert row("1 | :3 :4") == {0: 3.0, 1: 4.0}


def test_zeros_are_left_out_and_what_meets_is_added_up() -> None:
    assert row("1 | a:0 b:1 b:2") == {vw_hash("b") & ((1 << 18) - 1): 3.0}
    assert row("1 | 1 9:2", bits=3) == {1: 3.0}


@pytest.mark.parametrize(
    ("head", "label", "weight", "tag"),
    [
        ("1 ", 1.0, 1.0, ""),
        ("-1 2.5 ", -1.0, 2.5, ""),
        ("1 2 0 ", 1.0, 2.0, ""),
        ("1 'tag ", 1.0, 1.0, "tag"),
        ("1 2 'tag", 1.0, 2.0, "tag"),
        ("0.521144 1 PFF/20091028", 0.521144, 1.0, "PFF/20091028"),
        ("1", math.nan, 1.0, "1"),
        ("", math.nan, 1.0, ""),
        (" ", math.nan, 1.0, ""),
        ("'only", math.nan, 1.0, "only"),
    ],
)
def test_before_the_bar(head: str, label: float, weight: float, tag: str) -> None:
    chunk = parse(f"{head}| a")
    assert not chunk.malformed
    assert chunk.label[0] == label or (math.isnan(label) and math.isnan(chunk.label[0]))
    assert (chunk.weight.tolist() or [1.0]) == [weight]
    assert [word for _, word in chunk.tags] == ([tag] if tag else [])


def test_a_label_may_be_a_word() -> None:
    chunk = parse("spam | a\n1 | b\n")
    assert chunk.words == [(0, "spam")]
    assert chunk.label[1] == 1.0


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("1 2 3 4 5 6 | a", "6"),
        ("1 2 3 4 | a", "4"),
        ("1 x | a", "x"),
        ("1 -2 | a", "-2"),
        ("1 1 0.5 | a", "0.5"),
        ("1:2:0.4 | a", "1:2:0.4"),
        ("1e999 | a", "1e999"),
        ("1 2", "1 2"),
        ("1 |n:x a", "n:x"),
        ("1 |n: a", "n:"),
        ("1 |:3 a", ":3"),
        ("1 | a:", "a:"),
        ("1 | a:nan", "a:nan"),
        ("1 | a:-INF", "a:-INF"),
        ("1 | a:1e999", "a:1e999"),
        ("1 | a:3abc", "a:3abc"),
        ("1 |n:1e300 a:1e300", "a:1e300"),
    ],
)
def test_malformed_lines(line: str, text: str) -> None:
    chunk = parse(f"1 | a\n{line}\n-1 'kept | b\n", skips=True)
    assert [(bad[0], bad[2]) for bad in chunk.malformed] == [(1, text)]
    assert len(chunk) == 2
    assert chunk.tags == [(1, "kept")]


names = st.text(alphabet="abcXYZ_0123456789é", min_size=1, max_size=8)
features = st.lists(st.tuples(names, st.none() | st.integers(-5, 5)), max_size=60)
spaces = st.lists(st.tuples(st.none() | names, features), min_size=1, max_size=4)


@examples(60)
@given(spaces, st.sampled_from([3, 18, 24]))
def test_it_reads_what_the_reference_reads(listed: list[tuple[str | None, list[tuple[str, int | None]]]], bits: int) -> None:
    parts = [(ns or "") + " " + " ".join(n if v is None else f"{n}:{v}" for n, v in fs) for ns, fs in listed]
    line = "1 |" + " |".join(parts)
    assert row(line, bits) == pytest.approx(reference(line, bits))


@pytest.mark.parametrize("name", ["0001", "0002", "rcv1_small"])
def test_real_files(name: str) -> None:
    path = data(f"vw/{name}.dat.gz")
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    chunks = list(ls.read(path, format="vw", chunk=65536))
    ours = [x for X, _ in chunks for x in rows_of(X.chunk)]
    assert len(ours) == len(lines)
    assert all(x == pytest.approx(reference(line)) for x, line in zip(ours, lines, strict=True))


def test_imdb_has_its_seven_million_tokens() -> None:
    entries = rows = 0
    for X, _ in ls.read(data("vw/imdb.vw.gz"), bits=24):
        entries += len(X.chunk.index)
        rows += len(X)
    assert rows == 50_000
    assert 6_900_000 < entries <= 7_050_000


WORDS = st.text(st.characters(exclude_characters=" \t\n|:", exclude_categories=["Cs"]), min_size=1, max_size=9)


@given(
    words=st.lists(st.tuples(WORDS, st.sampled_from(["", ":1", ":7", ":0", ":10", ":2.5"])), max_size=60),
    end=st.sampled_from(["", "\r"]),
)
def test_words_are_read_as_those_with_all_their_digits(words: list[tuple[str, str]], end: str) -> None:
    """What is read many at a time, and what is read one by one: a value with a point is of the second kind."""
    short = " ".join(name + value for name, value in words)
    long = " ".join(f"{name}:{float(value[1:] or 1):.3f}" for name, value in words)
    assert rows_of(parse(f"1 |s {short}{end}\n")) == rows_of(parse(f"1 |s {long}{end}\n"))
