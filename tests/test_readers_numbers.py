"""Numbers to the last bit, and the hash of names."""

from __future__ import annotations

import math
import re
import struct

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
