"""What users of Vowpal Wabbit bring: products of namespaces, names of hashed features, tags; and small models."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.cli.main import main
from littlestone.store import container
from littlestone.store.container import _folded
from reading import Row, data, examples, rows_of

LETTERS = "abc"
PRIME = 16777619


def cli(*args: object) -> str:
    result = CliRunner().invoke(main, list(map(str, args)))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.output


def read(text: str, interactions: Sequence[str] = ()) -> list[Row]:
    reader = ls.read(io.BytesIO(text.encode()), format="vw", bits=18, interactions=interactions)
    return [row for X, _ in reader for row in rows_of(X.chunk)]


# Products.


@st.composite
def lines(draw: st.DrawFn) -> dict[str, dict[int, float]]:
    """Features of namespaces by their numbers."""
    values = st.sampled_from([1.0, 2.0, -0.5])
    return {letter: draw(st.dictionaries(st.integers(0, 40), values, max_size=4)) for letter in LETTERS}


def text_of(spaces: dict[str, dict[int, float]]) -> str:
    return "1 " + " ".join(f"|{letter} " + " ".join(f"{k}:{v}" for k, v in held.items()) for letter, held in spaces.items())


def expected(spaces: dict[str, dict[int, float]], terms: tuple[str, ...]) -> Row:
    """Every product once: of a letter that is there twice, combinations with repetition; the hash goes from left to right."""
    plain = {letter: [(index, value) for row in read(text_of({letter: held})) for index, value in row.items()]
             for letter, held in spaces.items()}  # fmt: skip
    order = {letter: [(_place(letter, k), v) for k, v in held.items()] for letter, held in spaces.items()}
    found: Row = {}
    for letter in LETTERS:
        for index, value in plain[letter]:
            found[index] = found.get(index, 0.0) + value
    seen = set[str]()
    for term in terms:
        for letters in product(*(LETTERS if letter == ":" else letter for letter in term)):
            key = "".join(sorted(letters))
            if key in seen:
                continue
            seen.add(key)
            told = key if len(set(key)) < len(key) else "".join(letters)
            for parts in _combined(told, order):
                index, value = parts[0]
                for other, factor in parts[1:]:
                    index, value = (index * PRIME ^ other) & (1 << 64) - 1, value * factor
                place = index & (1 << 18) - 1
                found[place] = found.get(place, 0.0) + value
    return found


def _place(letter: str, number: int) -> int:
    [row] = read(f"1 |{letter} {number}:1")
    [index] = row
    return index


def _combined(letters: str, order: dict[str, list[tuple[int, float]]]) -> list[tuple[tuple[int, float], ...]]:
    runs = [(letter, letters.count(letter)) for letter in dict.fromkeys(letters)]
    parts = [list(combinations_with_replacement(order[letter], count)) for letter, count in runs]
    return [tuple(one for some in choice for one in some) for choice in product(*parts)]


@examples(40)
@given(spaces=lines(), terms=st.lists(st.sampled_from(["ab", "ba", "aa", "::", "abc", "aab", "a:"]), min_size=1, max_size=3))
def test_products_are_those_of_the_definition(spaces: dict[str, dict[int, float]], terms: list[str]) -> None:
    [row] = read(text_of(spaces), interactions=terms)
    wanted = expected(spaces, tuple(terms))
    assert row.keys() == wanted.keys()
    for index, value in row.items():
        assert value == pytest.approx(wanted[index], rel=1e-12)


@pytest.mark.parametrize(
    ("terms", "constant", "count"),
    [(("Tf", "ff"), True, 118_940), (("::",), False, 118_940), (("ab",), True, 14_996), (("aa",), True, 14_996)],
)
def test_as_many_features_as_vowpal_wabbit_counts(terms: tuple[str, ...], constant: bool, count: int) -> None:
    """Its own tests 5, 576, 567 and 577 say so."""
    reader = ls.read(data("vw/0002.dat.gz"), format="vw", bits=30, interactions=terms, constant=constant)
    assert sum(int(X.chunk.start[-1]) for X, _ in reader) == count


def test_a_model_knows_its_products(tmp_path: Path) -> None:
    (tmp_path / "t.vw").write_text("1 |a x |b y\n-1 |a x |b z\n1 |a w |b y\n")
    cli(
        "learn", tmp_path / "t.vw", "-q", "::", "--bits", "20", "--rule", "perceptron", "--model", tmp_path / "m.lst", "--quiet"
    )
    learner = ls.load(tmp_path / "m.lst")
    scheme = learner.snapshot().space.scheme
    assert scheme is not None
    assert scheme.interactions == ("::",)
    [(X, _)] = ls.read(tmp_path / "t.vw", interactions=["::"], bits=20)
    scores = learner.score_many(X).tolist()
    assert [float(line.split("\t")[1]) for line in cli("predict", tmp_path / "m.lst", tmp_path / "t.vw").splitlines()] == scores
    with pytest.raises(ls.InvalidData, match=r"hashed to 20 bits; those of this learner are .* products of namespaces ::"):
        learner.learn_many(*next(iter(ls.read(tmp_path / "t.vw", bits=20))))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"interactions": "ab"}, r"interactions is 'ab'; expected a list of them, such as \['ab'\]"),
        ({"interactions": ["a"]}, "interactions has 'a'; each must be the first letters of two or more namespaces"),
        ({"interactions": ["ab"], "format": "csv"}, "only Vowpal Wabbit's format has namespaces"),
        ({"interactions": ["ab"], "cache": True}, "a copy holds neither interactions nor names"),
    ],
)
def test_products_that_cannot_be_are_refused(tmp_path: Path, options: dict[str, object], words: str) -> None:
    (tmp_path / "t.vw").write_text("1 |a x\n")
    refused: Callable[..., ls.Reader] = ls.read
    with pytest.raises(ls.InvalidParameter, match=words):
        list(refused(tmp_path / "t.vw", **options))


def test_a_line_of_too_many_products_is_refused() -> None:
    text = "1 |a " + " ".join(map(str, range(300))) + "\n"
    with pytest.raises(ls.InvalidData, match=r"expected at most 2\^24 products in a line"):
        read(text, interactions=["aaaa"])


# Names.


def test_names_of_hashed_features_go_with_the_model(tmp_path: Path) -> None:
    (tmp_path / "t.vw").write_text("1 |user bob age:3 |item x\n-1 |user ann |item x colour:red\n")
    flags = ("-q", "ui", "--names", "--rule", "perceptron", "--quiet")
    cli("learn", tmp_path / "t.vw", *flags, "--model", tmp_path / "m.lst")
    learner = ls.load(tmp_path / "m.lst")
    assert {"user^bob", "user^age", "item^x", "user^bob*item^x", "item^colour^red"} <= set(map(str, learner.features))
    shown = cli("inspect", tmp_path / "m.lst")
    assert "user^age*item^x" in shown
    learner.save(tmp_path / "again.lst")
    assert (tmp_path / "again.lst").read_bytes() == (tmp_path / "m.lst").read_bytes()


def test_names_of_a_hashed_table(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("age,city,y\n31,Rome,a\n8,Oslo,b\n")
    cli(
        "learn", tmp_path / "t.csv", "--bits", "12", "--names", "--rule", "perceptron", "--quiet", "--model", tmp_path / "m.lst"
    )
    assert {"age", "city=Rome", "city=Oslo"} <= set(map(str, ls.load(tmp_path / "m.lst").features))


def test_without_the_flag_a_column_is_a_number(tmp_path: Path) -> None:
    (tmp_path / "t.vw").write_text("1 |a x\n-1 |a y\n")
    cli("learn", tmp_path / "t.vw", "--rule", "perceptron", "--quiet", "--model", tmp_path / "m.lst")
    assert all(isinstance(feature, int) for feature in ls.load(tmp_path / "m.lst").features)


# Tags.


def test_tags_come_back(tmp_path: Path) -> None:
    (tmp_path / "t.vw").write_text("1 'first| x\n-1 'second| y\n1 | x\n")
    cli("learn", tmp_path / "t.vw", "--rule", "perceptron", "--quiet", "--model", tmp_path / "m.lst")
    assert cli("predict", tmp_path / "m.lst", tmp_path / "t.vw") == "1\t1\tfirst\n-1\t-1\tsecond\n1\t1\n"
    cli("learn", tmp_path / "t.vw", "--rule", "perceptron", "--quiet", "--predictions", tmp_path / "p.tsv")
    assert [line.split("\t")[2:] for line in (tmp_path / "p.tsv").read_text().splitlines()] == [["first"], ["second"], []]


# Models as small as what they hold.


def test_a_model_of_four_weights_is_small_and_goes_on_with_the_same_bits(tmp_path: Path) -> None:
    learner = ls.Learner(ls.PassiveAggressive())
    for X, y in ls.read(io.BytesIO(b"1 | a b\n-1 | c d\n"), format="vw", bits=18):
        learner.learn_many(X, y)
    learner.save(tmp_path / "m.lst")
    assert (tmp_path / "m.lst").stat().st_size < 10_000
    loaded = ls.load(tmp_path / "m.lst")
    assert loaded.state.w.tobytes() == learner.state.w.tobytes()
    assert loaded.width == 1 << 18


def test_zeros_with_a_sign_are_kept() -> None:
    dense = np.zeros(4096)
    dense[7] = -0.0
    folded = _folded(dense)
    assert folded is not None
    assert folded.view(np.int64)[0] == 7
    assert _folded(np.ones(4096)) is None


def test_positions_that_cannot_be_are_refused(tmp_path: Path) -> None:
    learner = ls.Learner(ls.Perceptron())
    learner.learn_many(*next(iter(ls.read(io.BytesIO(b"1 | a b\n-1 | c d\n"), format="vw"))))
    learner.save(tmp_path / "m.lst")
    sound = (tmp_path / "m.lst").read_bytes()
    places = np.flatnonzero(learner.state.w).astype(np.int64)
    forged = sound.replace(places.tobytes(), places[::-1].tobytes())
    assert forged != sound
    (tmp_path / "f.lst").write_bytes(forged)
    with pytest.raises(ls.InvalidData, match="has changed since it was written"):
        ls.load(tmp_path / "f.lst")


def wide(path: Path) -> None:
    """A model of four weights among 2^18."""
    learner = ls.Learner(ls.Perceptron())
    learner.learn_many(*next(iter(ls.read(io.BytesIO(b"1 | a b\n-1 | c d\n"), format="vw"))))
    learner.save(path)


def test_positions_out_of_order_are_refused_whatever_their_checksum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def reversed_places(flat: npt.NDArray[np.generic]) -> npt.NDArray[np.uint8] | None:
        folded = _folded(flat)
        if folded is None:
            return None
        count = len(folded) // 16
        return np.concatenate([folded[: 8 * count].view(np.int64)[::-1].copy().view(np.uint8), folded[8 * count :]])

    monkeypatch.setattr(container, "_folded", reversed_places)
    wide(tmp_path / "m.lst")
    with pytest.raises(ls.InvalidData, match="the positions of an array are not in order"):
        ls.load(tmp_path / "m.lst")


def test_a_file_that_would_fill_the_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wide(tmp_path / "m.lst")
    monkeypatch.setattr(container, "_UNFOLDED", 1 << 20)
    with pytest.raises(ls.InvalidData, match="its arrays would take 2097152 bytes"):
        ls.load(tmp_path / "m.lst")
    wide(tmp_path / "whole.lst")  # whoever writes knows the bound too
    assert (tmp_path / "whole.lst").stat().st_size > 1 << 21
    assert ls.load(tmp_path / "whole.lst").width == 1 << 18
