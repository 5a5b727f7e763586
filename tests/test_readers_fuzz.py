"""Never a crash, whatever the bytes: random ones, and sound files with some of their bytes changed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading import PARSERS, STRESS, check_sound, examples

SEEDS: dict[str, bytes] = {
    "svmlight": b"+1 1:0.5 3:-2e-3 # note\n-1 qid:4 2:1 70000:1e5\n\n0.25\n1 9:1 5:2\n",
    "vw": b"1 2.5 'tag |a:0.5 b:3 c d:-1e2 |e f:word 17:2 | :1 :2\n-1 | x\n\n|f g h\nspam 1|z y\n",
    "csv": b'1,"a ""b""",2,yes\n,x,,no\r\n-3.5e2,"two\nlines",1,1\n5,6,7,8\n',
    "json": b'{"a":1,"b":{"c":[1,true,"x"]},"y":"p","w":2}\n{"t":"\\u00e9\\ud83d\\ude00\\n","y":-1}\n{}\n',
}
PIECES = [b"\n", b"\r\n", b" ", b":", b"|", b"'", b'"', b"\\u", b"{", b"}", b"[", b",", b"\t", b"\0", b"\xff", b"e", b"-", b"."]
PIECES += [b"999999999999999999999", b"1e308", b"1e-400", b"nan", b"#", b"0" * 40, b"[" * 60, b"\xef\xbb\xbf", b"qid:"]


def mutated(text: bytes, random: random.Random) -> bytes:
    """The text with a few bytes changed, taken out, doubled or put in."""
    out = bytearray(text)
    for _ in range(random.randint(1, 8)):
        at = random.randrange(len(out) + 1)
        match random.randrange(5):
            case 0:
                out[at : at + 1] = bytes([random.randrange(256)])
            case 1:
                del out[at : at + random.randint(1, 9)]
            case 2:
                out[at:at] = random.choice(PIECES)
            case 3:
                out[at:at] = out[at : at + random.randint(1, 30)]
            case _:
                out = out[:at]
    return bytes(out)


def check(name: str, text: bytes) -> None:
    """Sound either way; skipping reads every line, and reads the same rows as stopping up to where that stopped."""
    skipping, stopping = PARSERS[name](text, True), PARSERS[name](text, False)
    check_sound(skipping)
    check_sound(stopping)
    assert len(stopping.malformed) == min(1, len(skipping.malformed))
    assert len(stopping) <= len(skipping)
    assert stopping.start.tolist() == skipping.start[: len(stopping) + 1].tolist()
    assert skipping.lines == text.count(b"\n") + (not text.endswith(b"\n") and len(text) > 0)


@pytest.mark.parametrize("name", PARSERS)
@examples(40)
@given(text=st.binary(max_size=200))
def test_random_bytes(name: str, text: bytes) -> None:
    check(name, text)


@pytest.mark.parametrize("name", PARSERS)
@examples(40)
@given(text=st.text(alphabet="01289:|'\"\\{}[],.eE+-#\n\r\t auqidtrefalsn", max_size=80))
def test_random_texts_of_the_formats_own_letters(name: str, text: str) -> None:
    check(name, text.encode())


@pytest.mark.parametrize("name", PARSERS)
def test_mutated_files(name: str) -> None:
    chance = random.Random(20)
    for _ in range(20_000 if STRESS else 400):
        check(name, mutated(SEEDS[name.split()[0]] * chance.randint(1, 3), chance))


@pytest.mark.parametrize("name", PARSERS)
def test_every_prefix_of_a_sound_file(name: str) -> None:
    text = SEEDS[name.split()[0]]
    for length in range(len(text) + 1):
        check(name, text[:length])
