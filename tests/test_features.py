"""Features of texts and tables beside a few lines of Python that define them."""

from __future__ import annotations

import dataclasses
import importlib
import json
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from littlestone.features import Columns, Text
from littlestone.features.maker import Norm
from littlestone.features.tables import Source
from littlestone.streams.rows import Rows
from reading import examples

pa = importlib.import_module("pyarrow")  # by name: it comes without types
MASK = 2**64 - 1
texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("aA bB_9 \n\tİßΣé"), max_size=40)


def lower(word: str) -> str:
    """Character by character, as Unicode's simple mapping has it."""
    return "".join(c.lower()[0] for c in word)


def runs_of_words(text: str, least: int, most: int) -> list[tuple[str, ...]]:
    words = [lower(word) for word in re.findall(r"\w+", text)]
    return [tuple(words[i : i + n]) for i in range(len(words)) for n in range(least, most + 1) if i + n <= len(words)]


def runs_of_characters(text: str, least: int, most: int) -> list[str]:
    flat = lower(re.sub(r"\s+", " ", text))
    return [flat[i : i + n] for i in range(len(flat)) for n in range(least, most + 1) if i + n <= len(flat)]


@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the tables of the core are those of Unicode 14")
def test_every_character_is_what_unicode_says() -> None:
    """Words of one character each, so that a feature says what the core made of it; the tables are tools/alphabet.py's."""
    characters = [chr(c) for c in range(0x80, 0x110000) if not 0xD800 <= c < 0xE000]
    made = Text(bits=None)([" ".join(f"0{c}0" for c in characters)]).names
    expected = {lower(word) for c in characters for word in re.findall(r"\w+", f"0{c}0")}
    assert set(made) == expected


def word_hash(run: tuple[str, ...], seed: int = 0) -> int:
    value = 0
    for word in run:
        value = (value * 27942141 + _core.feature_hash(word.encode(), seed)) & MASK
    return value


def named(rows: Rows) -> list[dict[str, float]]:
    """Each row by the names of its features."""
    chunk = rows.chunk
    return [
        {rows.names[k]: v for k, v in zip(chunk.index[a:b].tolist(), chunk.value[a:b].tolist(), strict=True)}
        for a, b in pairwise(chunk.start.tolist())
    ]


def numbered(rows: Rows) -> list[dict[int, float]]:
    chunk = rows.chunk
    return [
        dict(zip(chunk.index[a:b].tolist(), chunk.value[a:b].tolist(), strict=True)) for a, b in pairwise(chunk.start.tolist())
    ]


class TestWords:
    @examples(150)
    @given(st.lists(texts, max_size=4), st.integers(1, 3), st.integers(0, 2))
    def test_runs_of_words_by_name(self, given_texts: list[str], least: int, more: int) -> None:
        rows = Text(words=(least, least + more), bits=None)(given_texts)
        expected = [Counter(" ".join(run) for run in runs_of_words(text, least, least + more)) for text in given_texts]
        assert named(rows) == [dict(count) for count in expected]

    @examples(150)
    @given(st.lists(texts, max_size=4), st.integers(1, 3), st.integers(0, 2))
    def test_runs_of_characters_by_name(self, given_texts: list[str], least: int, more: int) -> None:
        rows = Text(words=None, characters=(least, least + more), bits=None)(given_texts)
        expected = [Counter("~" + run for run in runs_of_characters(text, least, least + more)) for text in given_texts]
        assert named(rows) == [dict(count) for count in expected]

    @examples(100)
    @given(st.lists(texts, max_size=4), st.integers(1, 20))
    def test_runs_of_words_by_hash(self, given_texts: list[str], bits: int) -> None:
        rows = Text(words=(1, 2), bits=bits)(given_texts)
        expected = [Counter(word_hash(run) % 2**bits for run in runs_of_words(text, 1, 2)) for text in given_texts]
        assert numbered(rows) == [dict(count) for count in expected]
        assert rows.shape == (len(given_texts), 2**bits)

    def test_the_columns_of_vowpal_wabbit(self) -> None:
        """`vw --audit -b 18 --ngram 2` on "| to be 42" and on "|title to be"."""
        assert Text(words=(1, 2)).names(["to be 42"]) == {
            174171: ["to"],
            27249: ["to be"],
            87170: ["be"],
            212132: ["be 42"],
            42: ["42"],
        }
        columns = Columns(text=["title"], words=(1, 2), bits=18)
        found = {name: column for column, names in columns.names([{"title": "to be"}]).items() for name in names}
        assert found == {"title=to": 28054, "title=be": 30394, "title=to be": 175096}

    def test_case_is_kept_on_request(self) -> None:
        assert Text(lowercase=False, bits=None)(["Aa AA"]).names == ["Aa", "AA"]

    def test_the_numbers_of_words_of_digits(self) -> None:
        assert Text(bits=18)(["42"]).chunk.index.tolist() == [42]
        assert Text(bits=18, hashing="all")(["42"]).chunk.index.tolist() == [_core.feature_hash(b"42", 0, True) % 2**18]

    def test_nothing_to_find(self) -> None:
        rows = Text(words=(1, 2), characters=(2, 3))(["", "?", "!"])
        assert np.diff(rows.chunk.start).tolist() == [0, 0, 0]
        assert len(Text()([])) == 0

    def test_a_huge_text(self) -> None:
        rows = Text(words=(1, 2), bits=22)(["one two three " * 300_000])
        assert rows.chunk.value.sum() == 900_000 + 899_999

    @pytest.mark.parametrize(
        "given_texts",
        [
            ("a b", "c"),
            np.array(["a b", "c"]),
            np.array(["a b", "c"], dtype=object),
            pd.Series(["a b", "c"]),
            pd.Series(["a b", "c"], dtype="category"),
            pl.Series(["a b", "c"]),
            pa.array(["a b", "c"]),
            pa.chunked_array([["a b"], ["c"]]),
            (text for text in ("a b", "c")),
        ],
        ids=lambda value: type(value).__name__,
    )
    def test_every_kind_of_column(self, given_texts: pd.Series[str]) -> None:
        assert named(Text(bits=None)(given_texts)) == [{"a": 1.0, "b": 1.0}, {"c": 1.0}]


FRAME = {
    "age": [31.0, 8.0, 55.0],
    "job": ["clerk", "none", "clerk"],
    "zone": [3, 1, 3],
    "member": [True, False, True],
    "note": ["Pays late", "", "pays, PAYS"],
}
RECORDS: list[dict[str, object]] = [dict(zip(FRAME, values, strict=True)) for values in zip(*FRAME.values(), strict=True)]
SOURCES: dict[str, Source] = {
    "pandas": pd.DataFrame(FRAME),
    "pandas, arrow": pd.DataFrame(FRAME).convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.DataFrame(FRAME),
    "arrow": pa.table(FRAME),
    "arrow batch": pa.RecordBatch.from_pydict(FRAME),
    "records": RECORDS,
}
MIXED = Columns(
    numeric=["age", "member"],
    categorical=["job", "zone"],
    text=["note"],
    interactions=[("job", "note"), ("job", "zone", "age")],
    bias=True,
)


class TestColumns:
    def test_by_name(self) -> None:
        first, second, third = named(MIXED(RECORDS))
        assert first == {
            "age": 31.0,
            "member": 1.0,
            "job=clerk": 1.0,
            "zone=3": 1.0,
            "note=pays": 1.0,
            "note=late": 1.0,
            "job=clerk*note=pays": 1.0,
            "job=clerk*note=late": 1.0,
            "job=clerk*zone=3*age": 31.0,
            "constant": 1.0,
        }
        assert second["member"] == 0.0
        assert not any("note" in name for name in second)
        assert third["note=pays"] == 2.0
        assert third["job=clerk*note=pays"] == 2.0

    @pytest.mark.parametrize("kind", SOURCES)
    @pytest.mark.parametrize("bits", [None, 3, 20])
    def test_every_kind_of_table(self, kind: str, bits: int | None) -> None:
        features = dataclasses.replace(MIXED, bits=bits, normalize="l2")
        expected, found = features(RECORDS), features(SOURCES[kind])
        assert found.names == expected.names
        for name in ("start", "index", "value"):
            assert np.array_equal(getattr(found.chunk, name), getattr(expected.chunk, name))

    def test_arrays_go_by_position(self) -> None:
        features = Columns(numeric=[2], categorical=[0])
        assert named(features(np.array([[3.0, 1.0, 0.5]]))) == [{"2": 0.5, "0=3": 1.0}]

    @pytest.mark.parametrize("bits", [None, 12])
    def test_a_file_has_the_same_features(self, tmp_path: Path, bits: int | None) -> None:
        path = tmp_path / "some.csv"
        pd.DataFrame({"y": [1, 0, 1], "age": FRAME["age"], "job": FRAME["job"]}).to_csv(path, index=False)
        rows = Columns(numeric=["age"], categorical=["job"], bits=bits)(RECORDS)
        read = ls.read(path, label="y", bits=bits).load()
        assert np.array_equal(rows.tocsr().toarray(), read.X.toarray())
        assert (read.names or []) == rows.names

    def test_products_by_hash_are_those_of_vowpal_wabbit(self) -> None:
        """`vw --audit -b 18 --interactions abc --interactions ab` on "|a x |b y |c z", and the formula of -q."""
        cubic = Columns(categorical=["a", "b", "c"], interactions=[("a", "b", "c")], bits=18)
        assert cubic.names([{"a": "x", "b": "y", "c": "z"}])[6598] == ["a=x*b=y*c=z"]
        features = Columns(categorical=["a", "b"], interactions=[("a", "b")], bits=18)
        left, right = (_core.feature_hash(v, _core.feature_hash(n)) for n, v in ((b"a", b"x"), (b"b", b"y")))
        assert features.names([{"a": "x", "b": "y"}]) == {
            left % 2**18: ["a=x"],
            right % 2**18: ["b=y"],
            ((left * 16777619 & MASK) ^ right) % 2**18: ["a=x*b=y"],
        }

    @examples(60)
    @given(st.lists(st.tuples(texts, texts), min_size=1, max_size=3))
    def test_products_are_all_pairs(self, pairs: list[tuple[str, str]]) -> None:
        features = Columns(text=["a", "b"], interactions=[("a", "b")])
        for row, (left, right) in zip(named(features([{"a": a, "b": b} for a, b in pairs])), pairs, strict=True):
            counts = [Counter(" ".join(run) for run in runs_of_words(text, 1, 1)) for text in (left, right)]
            expected = {f"a={x}*b={y}": float(counts[0][x] * counts[1][y]) for x, y in product(*counts)}
            assert {name: value for name, value in row.items() if "*b=" in name} == expected

    def test_whole_numbers_are_categories_whatever_their_type(self) -> None:
        features = Columns(categorical=["k"], missing="skip")
        for values in ([3, None], [3.0, float("nan")], [np.int64(3), None]):
            assert named(features([{"k": value} for value in values])) == [{"k=3": 1.0}, {}]
        assert named(features(pd.DataFrame({"k": [3, None]}))) == [{"k=3": 1.0}, {}]
        assert named(features([{"k": True}, {"k": 2.5}])) == [{"k=True": 1.0}, {"k=2.5": 1.0}]

    @pytest.mark.parametrize(
        "table",
        [
            [{"a": None, "b": None, "c": None}],
            [{}],
            pd.DataFrame({"a": [np.nan], "b": [None], "c": [None]}),
            pd.DataFrame({"a": pd.array([None], dtype="Int64"), "b": pd.array([None], dtype="string"), "c": [pd.NaT]}),
            pl.DataFrame({"a": [None], "b": [None], "c": [None]}, schema={"a": pl.Int64, "b": pl.String, "c": pl.String}),
            pa.table({"a": pa.array([None], pa.int64()), "b": pa.array([None], pa.string()), "c": pa.nulls(1)}),
        ],
        ids=["none", "absent", "pandas", "pandas NA", "polars", "arrow"],
    )
    def test_what_is_missing(self, table: Source) -> None:
        features = Columns(numeric=["a"], categorical=["b"], text=["c"], missing="skip", bias=True)
        assert named(features(table)) == [{"constant": 1.0}]
        for kind, name in (("numeric", "a"), ("categorical", "b"), ("text", "c")):
            strict = {"numeric": Columns(numeric=[name]), "categorical": Columns(categorical=[name])}
            with pytest.raises(ls.InvalidData, match=rf"^row 0: column '{name}' is missing; expected a value, or missing"):
                strict.get(kind, Columns(text=[name]))(table)


class TestNorms:
    NORMS: Mapping[Norm, Callable[[np.ndarray[tuple[int], np.dtype[np.float64]]], float]] = {
        "l1": lambda x: float(np.abs(x).sum()),
        "l2": lambda x: float(np.sqrt((x * x).sum())),
        "max": lambda x: float(np.abs(x).max()),
    }

    @pytest.mark.parametrize("norm", ["l1", "l2", "max"])
    @pytest.mark.parametrize("bits", [None, 2, 16])
    def test_rows_have_norm_one_and_the_bias_stays(self, norm: Norm, bits: int | None) -> None:
        plain = Text(words=(1, 2), normalize=norm, bits=bits)(["to be or not to be", ""])
        x = plain.tocsr().toarray()[0]
        assert self.NORMS[norm](x) == pytest.approx(1.0, abs=1e-15)
        counts = Text(words=(1, 2), bits=bits)(["to be or not to be", ""]).tocsr().toarray()[0]
        assert x == pytest.approx(counts / self.NORMS[norm](counts), abs=1e-15)
        assert plain.chunk.start[2] == plain.chunk.start[1]
        biased = Text(words=(1, 2), normalize=norm, bits=bits, bias=True)(["to be or not to be", ""])
        constant = len(biased.names) - 1 if bits is None else 11650396 % 2**bits
        difference = biased.tocsr().toarray()
        difference[0, : len(x)] -= x
        assert np.flatnonzero(np.abs(difference) > 1e-15).tolist() == [constant, difference.shape[1] + constant]

    @pytest.mark.parametrize("size", [1e-300, 1e-160, 1e140, 1e300])
    def test_neither_large_nor_small_numbers_are_lost(self, size: float) -> None:
        rows = Columns(numeric=["a", "b"], normalize="l2")([{"a": 3 * size, "b": -4 * size}])
        assert rows.chunk.value == pytest.approx([0.6, -0.8], rel=1e-12)


@pytest.mark.parametrize("bits", [None, 5, 18])
@examples(40)
@given(st.lists(texts, min_size=1, max_size=6), st.sampled_from([None, "l1", "l2", "max"]))
def test_one_text_has_the_features_it_has_among_many(bits: int | None, many: list[str], norm: Norm | None) -> None:
    features = Text(words=(1, 2), characters=(2, 2), bits=bits, normalize=norm, bias=True)
    together = features(many)
    alone = [features.one(text) for text in many]
    show = named if bits is None else numbered
    assert show(together) == [show(rows)[0] for rows in alone]


class TestOneAndMany:
    @pytest.mark.parametrize("bits", [None, 5, 18])
    @pytest.mark.parametrize("rule", [ls.PassiveAggressive(variant="PA-I", C=0.5), ls.SignedWinnow()])
    def test_learning_one_by_one_gives_the_same_bits(self, bits: int | None, rule: ls.LinearRule) -> None:
        features = Text(words=(1, 2), characters=(3, 3), bits=bits, normalize="l2", bias=True)
        many = ["to be or not", "not to be", "or", "", "be good or not good", "good"] * 3
        labels = ["x", "y", "x", "x", "y", "x"] * 3
        whole, single = ls.Learner(rule), ls.Learner(rule)
        whole.learn_many(features(many), labels)
        for text, label in zip(many, labels, strict=True):
            single.learn_one(features.one(text), label)
        assert whole.ledger == single.ledger
        assert whole.features == single.features
        assert np.array_equal(whole.state.w, single.state.w)
        assert whole.score_many(features(many)).tolist() == [single.score_one(features.one(text)) for text in many]

    def test_tables(self) -> None:
        for features in (MIXED, dataclasses.replace(MIXED, bits=6)):
            show = named if features.bits is None else numbered
            assert show(features(SOURCES["pandas"])) == [show(features.one(record))[0] for record in RECORDS]

    def test_learners_know_features_by_name(self) -> None:
        learner = ls.Learner(ls.Perceptron())
        learner.learn_many(MIXED(SOURCES["pandas"]), [1, -1, 1])
        assert learner.weights["job=clerk"] == 1.0
        assert learner.weights["age"] == 31.0 - 8.0
        assert learner.score_one(MIXED.one({**RECORDS[1], "age": 0.0})) == -2.0  # job=none and zone=1; the constant is 0

    @pytest.mark.parametrize("bits", [None, 10])
    def test_a_master_learns_them(self, bits: int | None) -> None:
        features = Text(words=(1, 2), bits=bits, normalize="l2")
        many, labels = ["to be", "or not", "to be or", "not", "be good"] * 4, [1, -1, 1, -1, 1] * 4
        whole, single = (ls.Master([ls.Learner(ls.Perceptron()), ls.Learner(ls.PassiveAggressive())]) for _ in range(2))
        whole.learn_many(features(many), labels)
        for text, label in zip(many, labels, strict=True):
            single.learn_one(features.one(text), label)
        assert whole.ledger == single.ledger
        assert whole.predict_many(features(many)) == [single.predict_one(features.one(text)) for text in many]

    @pytest.mark.parametrize("bits", [None, 4])
    def test_a_row_of_many_is_the_row_alone(self, bits: int | None) -> None:
        features = dataclasses.replace(MIXED, bits=bits)
        show = named if bits is None else numbered
        rows = features(RECORDS)
        for t, record in enumerate(RECORDS):
            assert show(rows.row(t)) == show(features.one(record)) == [show(rows)[t]]
        with pytest.raises(ls.InvalidData, match=r"^there is no row 3$"):
            rows.row(3)

    def test_names_are_in_the_file_and_in_what_inspect_prints(self, tmp_path: Path) -> None:
        learner = ls.Learner(ls.Perceptron())
        learner.learn_many(Columns(categorical=["job"])(RECORDS), [1, -1, 1])
        learner.save(tmp_path / "m.lst")
        command = [sys.executable, "-m", "littlestone", "inspect", str(tmp_path / "m.lst")]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert "job=clerk" in printed
        assert "job=none" in printed

    def test_a_hashed_model_goes_on_after_it_was_loaded(self, tmp_path: Path) -> None:
        features = Text(bits=10, bias=True)
        learner = ls.Learner(ls.Perceptron())
        learner.learn_many(features(["a b", "c"]), ["x", "y"])
        learner.save(tmp_path / "m.lst")
        loaded = ls.load(tmp_path / "m.lst")
        assert isinstance(loaded, ls.Learner)
        assert loaded.learn_one(features.one("a"), "x") == learner.learn_one(features.one("a"), "x") == "x"
        assert loaded.ledger == learner.ledger

    def test_a_refused_row_changes_nothing(self) -> None:
        learner = ls.Learner(ls.Perceptron())
        learner.learn_many(Text(bits=8)(["a", "b"]), [1, -1])
        before = learner.ledger
        with pytest.raises(ls.InvalidData, match=r"hashed to 9 bits; those of this learner are hashed to 8 bits$"):
            learner.learn_one(Text(bits=9).one("a"), 1)
        with pytest.raises(ls.InvalidData, match=r"^there are 2 rows; expected one row$"):
            learner.learn_one(Text(bits=8)(["a", "b"]), 1)
        assert learner.ledger == before


class TestRefusals:
    @pytest.mark.parametrize(
        ("make", "sentence"),
        [
            (
                lambda: Text(words=(0, 1)),
                "Text: words is (0, 1); words must be a pair (least, most) with 1 ≤ least ≤ most ≤ 16",
            ),
            (lambda: Text(words=None), "Text: words and characters are None; at least one of them must be a pair"),
            (lambda: Text(bits=31), "Text: bits is 31; bits must be a whole number, at least 1 and at most 30, or None"),
            (lambda: Columns(), "Columns: no column is named; name some in numeric, categorical or text"),
            (lambda: Columns(numeric=["a"], text=["a"]), "Columns: the column 'a' is named twice; a column is of one kind"),
            (lambda: Columns(numeric=["a"], interactions=[("a", "b")]), "Columns: interactions name 'b', which is not among"),
            (lambda: Columns(numeric=["a"], interactions=[("a", "a")]), "Columns: interactions is (('a', 'a'),); interactions"),
            (lambda: Columns(text=["a"], words=None), "Columns: words and characters are None; texts need at least one"),
        ],
    )
    def test_parameters(self, make: Callable[[], object], sentence: str) -> None:
        with pytest.raises(ls.InvalidParameter) as refused:
            make()
        assert str(refused.value).startswith(sentence)

    @pytest.mark.parametrize(
        ("make", "sentence"),
        [
            (lambda: Text()("a text"), "X is a str; expected a list, an array or a column of a frame"),
            (lambda: Text()(np.array(["a", 3], dtype=object)), "row 1: got a int; expected a string"),
            (lambda: Text()(["a", None]), 'row 1: the text is missing; expected a value, or missing="skip"'),
            (lambda: Text()(["\ud800"]), "row 0: the text holds half of a surrogate pair; expected a string"),
            (lambda: MIXED(json.loads('"age"')), "X is a str; expected a frame, an Arrow table, an array or a list of dicts"),
            (lambda: MIXED(json.loads("[3]")), "row 0: got a int; expected a dict, a value for each column"),
            (lambda: MIXED(np.zeros(3)), "X has 1 dimensions; expected a two-dimensional array"),
            (lambda: MIXED(pd.DataFrame({"a": [1]})), "no column has the name 'age'; the columns are 'a'"),
            (lambda: Columns(numeric=["a"])([{"a": 1.0}, {"a": "x"}]), "row 1: column 'a': got 'x'; expected a number"),
            (lambda: Columns(numeric=["a"])([{"a": np.inf}]), "row 0: column 'a' is infinite; expected a finite value"),
            (
                lambda: Columns(numeric=["a"], bits=3)([{"a": 1e200}]),
                "row 0: a value is too large; expected values below 1e150 in magnitude",
            ),
            (
                lambda: Columns(categorical=["a"])([{"a": [1]}]),
                "row 0: column 'a': got a list; expected a string, a whole number or a boolean",
            ),
            (
                lambda: Columns(numeric=["a"])(pd.DataFrame([[1, 2]], columns=["a", "a"])),
                "two columns have the name 'a'; the columns are 'a', 'a'",
            ),
        ],
    )
    def test_data(self, make: Callable[[], object], sentence: str) -> None:
        with pytest.raises(ls.InvalidData) as refused:
            make()
        assert str(refused.value) == sentence

    @pytest.mark.parametrize("bits", [None, 6])
    def test_a_product_that_is_infinite_is_not_learned(self, bits: int | None) -> None:
        features = Columns(numeric=["a", "b"], interactions=[("a", "b")], normalize="l2", bits=bits)
        with pytest.raises(ls.InvalidData, match=r"row 0: .* too large|row 0: .* magnitude"):
            ls.Learner(ls.Perceptron()).learn_many(features([{"a": 1e200, "b": 1e200}]), [1])

    def test_names_of_columns_without_a_hash(self) -> None:
        with pytest.raises(ls.NotApplicable):
            MIXED.names(RECORDS)

    def test_makers_are_frozen_and_keep_copies(self) -> None:
        names: list[str | int] = ["age"]
        features = Columns(numeric=names)
        names.append("other")
        assert features.numeric == ("age",)
        with pytest.raises(dataclasses.FrozenInstanceError):
            object.__getattribute__(features, "__setattr__")("bits", 3)
        assert features == Columns(numeric=["age"])
