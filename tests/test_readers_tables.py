"""CSV, TSV, JSON lines, Parquet and Arrow."""

from __future__ import annotations

import csv
import io
import json
import os
from importlib import import_module
from pathlib import Path
from threading import get_ident

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from reading import as_bytes, check_sound, data, examples, hasher, rows_of, vw_hash


def named(chunk: _core.Chunk) -> list[dict[str, float]]:
    check_sound(chunk)
    return [{chunk.names[k]: v for k, v in row.items()} for row in rows_of(chunk)]


def taken(reader: ls.Reader) -> tuple[list[dict[str, float]], list[object]]:
    """Rows by name, and labels."""
    rows, labels = list[dict[str, float]](), list[object]()
    for X, y in reader:
        rows += named(X.chunk)
        labels += y.tolist()
    return rows, labels


def source(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


def test_numbers_are_values_and_other_texts_categories() -> None:
    text = "size,colour,label\n1.5,red,yes\n,blue,no\n2,,yes\n"
    rows, labels = taken(ls.read(source(text), format="csv"))
    assert rows == [{"size": 1.5, "colour=red": 1.0}, {"colour=blue": 1.0}, {"size": 2.0}]
    assert labels == ["yes", "no", "yes"]


def test_by_hash_a_table_has_the_features_of_vowpal_wabbit() -> None:
    text = b"size,colour,label\n1.5,red,1\n"
    ((X, _),) = ls.read(io.BytesIO(text), format="csv", bits=18)
    (row,) = rows_of(X.chunk)
    mask = (1 << 18) - 1
    assert row == {vw_hash("size") & mask: 1.5, vw_hash("red", vw_hash("colour")) & mask: 1.0}
    ((again, _),) = ls.read(io.BytesIO(b"1 | size:1.5 colour:red\n"), format="vw")
    assert rows_of(again.chunk) == [row]


def test_columns_by_option() -> None:
    text = "7;3;x;2\n8;4;y;0.5\n"
    rows, labels = taken(ls.read(source(text), format="csv", header=False, label=0, weight=-1, categorical=["1"], ignore=["2"]))
    assert rows == [{"1=3": 1.0}, {"1=4": 1.0}]
    assert labels == [7.0, 8.0]
    ((X, _),) = ls.read(io.BytesIO(text.encode()), format="csv", header=False, label=0, weight=-1)
    assert X.weights is not None
    assert X.weights.tolist() == [2.0, 0.5]


def test_quotes_newlines_and_line_numbers() -> None:
    text = 'a,"the ""b""",y\r\n1,"two\nlines",p\r\n"2","x,y",q\n3,"bad"x,q\n4,z\n'
    reader = ls.read(io.BytesIO(text.encode()), format="csv", on_error="skip")
    ((X, y),) = reader
    assert named(X.chunk) == [{"a": 1.0, 'the "b"=two\nlines': 1.0}, {"a": 2.0, 'the "b"=x,y': 1.0}]
    assert y.tolist() == ["p", "q"]
    assert [(bad.line, bad.text) for bad in reader.bad_lines] == [(5, '3,"bad"x,q'), (6, "4,z")]
    assert reader.skipped == 2


def test_blank_lines_are_passed_over() -> None:
    assert taken(ls.read(source("a,y\n\n1,2\n\r\n3,4\n"), format="csv"))[1] == [2.0, 4.0]


@pytest.mark.parametrize(
    ("reader", "words"),
    [
        (ls.read(source("a,a,y\n1,2,3\n"), format="csv"), "the column 'a' is there twice"),
        (ls.read(source("a,y\n1,2\n"), format="csv", ignore=["z"]), "no column 'z', which ignore= names"),
        (ls.read(source("a,y\n1,2\n"), format="csv", label=5), "no column 5, which label= names"),
        (ls.read(source("a,y\n1,2\n"), format="csv", separator="x"), "separator is 'x'"),
        (ls.read(source("a,y\n1e999,2\n"), format="csv"), "line 2: got 'a=1e999'; expected a finite value"),
        (ls.read(source("a,y\n1,2,3\n"), format="csv"), "line 2: got '1,2,3'; expected as many fields as there are columns"),
        (ls.read(source('a,y\n"1,2\n'), format="csv"), "line 2: got '\"1,2'; expected a quote that ends its field"),
        (ls.read(source("a,y,w\n1,2,-3\n"), format="csv", weight="w"), "got '-3'; expected a weight of at least 0"),
    ],
)
def test_errors_of_tables(reader: ls.Reader, words: str) -> None:
    with pytest.raises(ls.LittlestoneError) as caught:
        list(reader)
    assert words in str(caught.value)


fields = st.text(alphabet='ab1.,"\n\r;é ', max_size=6)


@examples(80)
@given(st.lists(st.lists(fields, min_size=3, max_size=3), min_size=1, max_size=6), st.integers(1, 40))
def test_csv_agrees_with_the_csv_module_in_any_chunks(records: list[list[str]], size: int) -> None:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([["a", "b", "label"], *records])
    rows, labels = taken(ls.read(source(out.getvalue()), format="csv", categorical=["a", "b"], chunk=size, header=True))
    assert rows == [{f"{n}={v}": 1.0 for n, v in zip("ab", record, strict=False) if v} for record in records]
    words = [record[2] for record in records]
    assert [str(label) for label in labels] == [
        str(_core.read_number(word.strip(" "))) if _core.read_number(word.strip(" ")) is not None else word or "nan"
        for word in words
    ]


def test_tabs_know_no_quotes() -> None:
    rows, labels = taken(ls.read(source('ham\t"Go on\nspam\tfree\n'), format="tsv", header=False, label=0))
    assert labels == ["ham", "spam"]
    assert rows == [{'1="Go on': 1.0}, {"1=free": 1.0}]


def test_real_tables() -> None:
    learner = ls.Learner(ls.PassiveAggressive(variant="PA-I", C=0.1))
    for X, y in ls.read(data("drift/elec2.csv.gz"), chunk=50_000):
        learner.learn_many(X, y)
    assert learner.ledger.rounds == 45_312
    assert set(learner.labels) == {"UP", "DOWN"}
    assert learner.features == ["date", "day", "period", "nswprice", "nswdemand", "vicprice", "vicdemand", "transfer"]
    labels = [label for _, y in ls.read(data("text/sms_spam.tsv.gz"), header=False, label=0) for label in y]
    assert (len(labels), set(labels)) == (5574, {"ham", "spam"})


def test_json_lines() -> None:
    text = "\n".join(
        json.dumps(record)
        for record in [
            {"a": 1.5, "b": {"c": True, "d": [1, {"e": "x"}]}, "t": "caf\u00e9 \U0001f600", "label": "yes"},
            {"a": None, "z": False, "label": 1, "weight": 2, "skip": {"deep": [1]}},
            {},
        ]
    )
    reader = ls.read(io.BytesIO(text.encode()), ignore=["skip"])
    ((X, y),) = reader
    assert named(X.chunk) == [
        {"a": 1.5, "b.c": 1.0, "b.d.0": 1.0, "b.d.1.e=x": 1.0, "t=caf\u00e9 \U0001f600": 1.0},
        {"z": 0.0},
        {},
    ]
    assert y.tolist()[:2] == ["yes", 1.0]
    assert X.weights is not None
    assert X.weights.tolist() == [1.0, 2.0, 1.0]


@pytest.mark.parametrize(
    "line",
    [
        "[1]",
        "{",
        '{"a"}',
        '{"a":}',
        '{"a":1',
        '{"a":1,}',
        '{"a":01x}',
        '{"a":+1}',
        '{"a":nan}',
        '{"a":"x}',
        '{"a":1} x',
        "{'a':1}",
        '{"a":"\\q"}',
        '{"a":"\\u12"}',
        '{"a":"\\ud800"}',
        '{"a":"\\udc00"}',
        '{"a":1e999}',
        '{"a":"\t"}',
        '{"weight":-1}',
        '{"a":' + "[" * 100 + "]" * 100 + "}",
        '{"a":tru}',
        '{"label":[1]}',
        "nonsense",
    ],
)
def test_malformed_objects(line: str) -> None:
    chunk = _core.json_parser("label", "weight", [], hasher(), True).parse(as_bytes('{"a":1}\n' + line + '\n{"a":2}\n'))
    assert [bad[0] for bad in chunk.malformed] == [1]
    assert named(chunk) == [{"a": 1.0}, {"a": 2.0}]


values = st.recursive(
    st.none() | st.booleans() | st.floats(-1e9, 1e9) | st.integers(-99, 99) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(alphabet="abc", min_size=1, max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


def flat(name: str, value: object, out: dict[str, float]) -> None:
    """The definition of the names."""
    match value:
        case None | "":
            pass
        case bool() | int() | float():
            out[name] = out.get(name, 0.0) + float(value)
        case str():
            out[f"{name}={value}"] = out.get(f"{name}={value}", 0.0) + 1.0
        case list():
            for k, part in enumerate(value):
                flat(f"{name}.{k}", part, out)
        case dict():
            for key, part in value.items():
                flat(f"{name}.{key}", part, out)


@examples(80)
@given(st.dictionaries(st.text(alphabet="xyz", min_size=1, max_size=2), values, max_size=4), st.booleans())
def test_json_agrees_with_the_json_module(record: dict[str, object], escaped: bool) -> None:
    line = json.dumps(record, ensure_ascii=escaped)
    expected: dict[str, float] = {}
    for key, value in record.items():
        flat(key, value, expected)
    chunk = _core.json_parser("label", "weight", [], hasher(), False).parse(as_bytes(line))
    assert not chunk.malformed
    assert named(chunk) == [expected]


def test_rows_by_name_learn_as_dicts_do() -> None:
    text = "a,b,c,y\n1,u,2,p\n0.5,v,,q\n3,u,1,p\n-1,w,0.25,q\n"
    fed, told = (ls.Learner(ls.PassiveAggressive(), missing="skip") for _ in range(2))
    for X, y in ls.read(io.BytesIO(text.encode()), format="csv", chunk=10):
        fed.learn_many(X, y)
    for record in csv.DictReader(io.StringIO(text)):
        x = {k: float(v or "nan") for k, v in record.items() if k in "ac"}
        order = [(k, v) for k, v in record.items() if k != "y"]
        told.learn_one({(k if k in x else f"{k}={v}"): x.get(k, 1.0) for k, v in order}, record["y"])
    assert fed.weights == told.weights
    assert fed.ledger == told.ledger
    assert fed.ledger.missing == 1
    assert fed.features == ["a", "b=u", "c", "b=v", "b=w"]


def test_parquet_and_arrow(tmp_path: Path) -> None:
    pa, ipc, parquet = (import_module(name) for name in ("pyarrow", "pyarrow.ipc", "pyarrow.parquet"))
    table = pa.table(
        {
            "n": pa.array([1, None, 3], pa.int32()),
            "x": pa.array([0.5, 1.5, None]),
            "flag": [True, False, None],
            "c": pa.array(["u", None, "v"]).dictionary_encode(),
            "s": ["p", "q", "p"],
            "label": ["yes", "no", "yes"],
        }
    )
    parquet.write_table(table, tmp_path / "t.parquet")
    with ipc.new_file(tmp_path / "t.arrow", table.schema) as file:
        file.write_table(table)
    expected = [
        {"n": 1.0, "x": 0.5, "flag": 1.0, "c=u": 1.0, "s=p": 1.0},
        {"x": 1.5, "flag": 0.0, "s=q": 1.0},
        {"n": 3.0, "c=v": 1.0, "s=p": 1.0},
    ]
    for path in (tmp_path / "t.parquet", tmp_path / "t.arrow"):
        ((X, y),) = ls.read(path)
        assert named(X.chunk) == expected
        assert y.tolist() == ["yes", "no", "yes"]
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 nothing here PAR1")
    with pytest.raises(ls.InvalidData, match="not a sound Arrow or Parquet file"):
        list(ls.read(tmp_path / "bad.parquet"))


def test_parquet_of_sparse_rows(tmp_path: Path) -> None:
    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    table = pa.table({"indices": [[5, 1], [], [7]], "values": [[0.5, 1.0], [], [2.0]], "label": [1, -1, 1]})
    parquet.write_table(table, tmp_path / "s.parquet")
    ((X, y),) = ls.read(tmp_path / "s.parquet")
    assert rows_of(X.chunk) == [{1: 1.0, 5: 0.5}, {}, {7: 2.0}]
    assert y.tolist() == [1.0, -1.0, 1.0]
    assert np.array_equal(X.tocsr().toarray()[0], [0, 1, 0, 0, 0, 0.5, 0, 0])


class Watched(io.FileIO):
    """A file on disk that notes which threads ask it for something."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.asked = set[int]()

    def read(self, size: int | None = -1) -> bytes:
        self.asked.add(get_ident())
        return super().read(-1 if size is None else size)

    def seek(self, position: int, whence: int = 0) -> int:
        self.asked.add(get_ident())
        return super().seek(position, whence)

    def close(self) -> None:
        self.asked.add(get_ident())
        super().close()


@pytest.mark.parametrize("on_disk", [True, False])
def test_no_thread_of_arrow_asks_a_file_of_python(tmp_path: Path, on_disk: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that did so while the interpreter ends would abort the process."""
    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    path = tmp_path / "t.parquet"
    table = pa.table({name: np.arange(9_000.0) for name in "abcdy"})
    parquet.write_table(table, path, row_group_size=1_000, use_dictionary=False)
    watched = Watched(path)
    if on_disk:
        monkeypatch.setattr(Path, "open", lambda *_, **__: watched)
    source = ls.read(path if on_disk else watched, format="arrow", label="y")
    assert [len(y) for _, y in source] == [9_000]
    watched.close()
    assert watched.asked == {get_ident()}


def test_a_parquet_file_may_have_any_name(tmp_path: Path) -> None:
    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff n\xc3\xa9.parquet"))
    with path.open("wb") as file:
        parquet.write_table(pa.table({"a": [0.5], "label": [1]}), file)
    ((X, _),) = ls.read(path)
    assert named(X.chunk) == [{"a": 0.5}]
