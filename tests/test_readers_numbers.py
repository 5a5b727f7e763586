"""Numbers to the last bit, and the hash of names."""

from __future__ import annotations

import math
import re
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone import _core
from reading import examples, murmur3, vw_hash

GRAMMAR = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def same(text: str) -> bool:
    """Whether the text gives the bits that Python gives, or none where the grammar has none."""
    value = _core.read_number(text)
    if GRAMMAR.fullmatch(text) is None:
        return value is None
    return value is not None and struct.pack("<d", value) == struct.pack("<d", float(text))


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "-0",
        "+1",
        "1.",
        ".5",
        "-.5e1",
        "1e22",
        "1e23",
        "9007199254740993",
        "123456789012345678901234567890",
        "0.1",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-400",
        "-1e-400",
        "1.7976931348623157e308",
        "8.5e-5",
        "00000000000000000000000000001.5",
        "0.000000000000000000000000000000123456789",
        "1e-99999999999999999999",
        "12345678",
        "123456789",
        "1.2345678901234567",
        "0." + "0" * 400 + "1e400",
        "1" + "0" * 400 + "e-400",
    ],
)
def test_a_number_has_the_bits_of_python(text: str) -> None:
    assert same(text)


@pytest.mark.parametrize("text", ["", "+", "-", ".", "e5", "1e", "1e+", "nan", "inf", "infinity", "0x10", "1_000", " 1", "1 "])
def test_what_is_no_number_is_none(text: str) -> None:
    assert _core.read_number(text) is None


@pytest.mark.parametrize(("text", "sign"), [("1e999", 1), ("-1e999", -1), ("1" + "0" * 400, 1), ("1e99999999999999999999", 1)])
def test_what_overflows_is_infinite(text: str, sign: int) -> None:
    assert _core.read_number(text) == sign * math.inf


@examples(200)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_double_survives(value: float) -> None:
    assert same(repr(value))
    assert same(f"{value:.17e}")


@examples(200)
@given(st.from_regex(r"[+-]?[0-9]{0,25}\.?[0-9]{0,25}([eE][+-]?[0-9]{1,4})?", fullmatch=True))
def test_decimals_of_any_length(text: str) -> None:
    if GRAMMAR.fullmatch(text) is not None and math.isinf(float(text)):
        assert _core.read_number(text) == float(text)
    else:
        assert same(text)


@examples(100)
@given(st.text(alphabet="0123456789.eE+-n ", max_size=12))
def test_the_grammar(text: str) -> None:
    assert same(text)


# Vectors published with implementations of MurmurHash3 x86 32.
@pytest.mark.parametrize(
    ("name", "seed", "value"),
    [
        (b"", 0, 0),
        (b"", 1, 0x514E28B7),
        (b"", 0xFFFFFFFF, 0x81F16F39),
        (b"\xff\xff\xff\xff", 0, 0x76293B50),
        (b"\x21\x43\x65\x87", 0, 0xF55B516B),
        (b"\x21\x43\x65\x87", 0x5082EDEE, 0x2362F9DE),
        (b"\x21\x43\x65", 0, 0x7E4A8634),
        (b"\x21\x43", 0, 0xA0F7B07A),
        (b"\x21", 0, 0x72661CF4),
        (b"Hello, world!", 0x9747B28C, 0x24884CBA),
        (b"The quick brown fox jumps over the lazy dog", 0x9747B28C, 0x2FA826CD),
    ],
)
def test_murmur_vectors(name: bytes, seed: int, value: int) -> None:
    assert murmur3(name, seed) == value
    assert _core.feature_hash(name, seed, True) == value


def test_the_published_example_of_vowpal_wabbit() -> None:
    """`1 | 123456789 has_car` at 18 bits: has_car hashes to 2086702313, a number to itself, the constant to 116060."""
    mask = (1 << 18) - 1
    assert _core.feature_hash(b"has_car", 0) == 2086702313
    assert _core.feature_hash(b"123456789", 0) & mask == 249109 == 123456789 & mask
    assert 11650396 & mask == 116060


@examples(100)
@given(st.binary(max_size=20), st.integers(0, 2**32 - 1))
def test_hash_all_is_murmur(name: bytes, seed: int) -> None:
    assert _core.feature_hash(name, seed, True) == murmur3(name, seed)


@examples(100)
@given(st.text(alphabet="0123456789ab_", max_size=10), st.integers(0, 2**32 - 1))
def test_hash_strings_counts_digits_from_the_namespace(name: str, seed: int) -> None:
    assert _core.feature_hash(name.encode(), seed) == vw_hash(name, seed)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"", 0xEF46DB3751D8E999),
        (b"a", 0xD24EC4F1A98C6E5B),
        (b"abc", 0x44BC2CF5AD770999),
        (b"xxhash", 0x32DD38952C4BC720),
        (b"Nobody inspects the spammish repetition", 0xFBCEA83C8A378BF1),
    ],
)
def test_checksum_vectors(data: bytes, value: int) -> None:
    """Vectors of XXH64 with seed 0."""
    from reading import as_bytes

    assert _core.checksum(as_bytes(data)) == value


digits = st.text("0123456789", min_size=1, max_size=9)
usual_value = st.builds("{}.{}".format, digits, st.text("0123456789", min_size=1, max_size=10))
other_value = st.sampled_from(["1", "-0.5", ".5", "3.", "0.0", "1.5e-05", "-2", "+1.25", "123456789.123456789"])
gap = st.sampled_from([" "] * 12 + ["  ", "\t", " \t"])


def second_row(chunk: _core.Chunk) -> dict[int, float]:
    assert not chunk.malformed
    assert len(chunk) == 3
    begin, end = int(chunk.start[1]), int(chunk.start[2])
    return dict(zip(chunk.index[begin:end].tolist(), chunk.value[begin:end].tolist(), strict=True))


def svmlight_entries(text: str) -> dict[int, float]:
    parser = _core.svmlight_parser(_core.Hasher(bits=None, hash_all=False, constant=False), False)
    return second_row(parser.parse(f"-1 1:0.5\n+1 {text}\n-1 7:0.25 8:0.5\n".encode()))


def vowpal_entries(text: str) -> dict[int, float]:
    parser = _core.vowpal_parser(_core.Hasher(bits=30, hash_all=False, constant=False), False)
    return second_row(parser.parse(f"-1 | 1:0.5\n1 | {text}\n-1 | 7:0.25 8:0.5\n".encode()))


@examples(400)
@given(st.dictionaries(digits.map(int), st.one_of(usual_value, usual_value, usual_value, other_value), max_size=40), st.data())
def test_however_many_entries_a_line_has_each_is_the_number_that_python_reads(
    named: dict[int, str], data: st.DataObject
) -> None:
    """Entries of the usual kind are read eight at a time where the processor can, up to the first of another kind."""
    text = "".join(f"{index}:{value}{data.draw(gap)}" for index, value in sorted(named.items()))
    text = data.draw(st.sampled_from([text, text.rstrip(), text.rstrip() + "\r"]))
    wanted = {index: float(value) for index, value in named.items()}
    assert svmlight_entries(text) == wanted
    assert vowpal_entries(text) == {index: value for index, value in wanted.items() if value != 0.0}


@pytest.mark.parametrize("count", range(1, 30))
def test_rows_of_any_length_end_where_they_end(count: int) -> None:
    """A line that ends behind an eighth entry, or before it, takes nothing from the next."""
    named = {7 * k + 1: f"{k}.{k * k + 1:03}" for k in range(count)}
    text = " ".join(f"{index}:{value}" for index, value in named.items())
    wanted = {index: float(value) for index, value in named.items()}
    assert svmlight_entries(text) == vowpal_entries(text) == wanted


def test_parts_of_eight_digits_and_of_nine() -> None:
    for index in ("1", "12345678", "99999999", "123456789"):
        for value in ("1234567.12345678", "12345678.12345678", "9999999.99999999", "0.123456789", "0.00000001"):
            rows = [f"{index}:{value}", f"{index}:{value} 1000000000:0.5 1000000001:0.25 1000000002:0.125"]
            assert {svmlight_entries(text)[int(index)] for text in rows} == {float(value)}
            padded = f"0:0.5 {index}:{value} 1000000000:0.5 1000000001:0.25"
            assert svmlight_entries(padded)[int(index)] == float(value)


@pytest.mark.parametrize("count", range(1, 30))
def test_a_line_without_a_label_does_not_go_on_with_the_line_before(count: int) -> None:
    entries = " ".join(f"{k + 1}:0.5" for k in range(count))
    parser = _core.svmlight_parser(_core.Hasher(bits=None, hash_all=False, constant=False), True)
    chunk = parser.parse(f"+1 1:0.5\n+1 {entries}\n90:0.5 91:0.5 92:0.5 93:0.5\n-1 {entries}\n".encode())
    assert chunk.malformed == []
    assert chunk.start.tolist() == [0, 1, 1 + count, 5 + count, 5 + 2 * count]
    assert np.isnan(chunk.label).tolist() == [False, False, True, False]
