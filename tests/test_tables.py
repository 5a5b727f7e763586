"""From a table to rows: what a column is, what is missing, what each mistake is told."""

from __future__ import annotations

import datetime as dt
import io
import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.cli.main import main
from littlestone.streams.formats import MISSING_VALUES


def rows(
    csv: str, *, text: Iterable[str] = (), date: Iterable[str] = (), missing_values: Iterable[str] = MISSING_VALUES
) -> tuple[list[dict[str, float]], list[int]]:
    """The rows of a CSV text by the names of their features, and how many values of each are missing."""
    source = io.BytesIO(csv.encode())
    ((X, _),) = ls.read(source, format="csv", text=text, date=date, missing_values=missing_values)
    found = [dict(zip(X.names, row.tolist(), strict=True)) for row in X.tocsr().toarray()]
    counts = X.chunk.missing.tolist() or [0] * len(found)
    return [{name: value for name, value in row.items() if value} for row in found], counts


def cli(*words: object) -> str:
    return CliRunner().invoke(main, [str(word) for word in words]).output


# --- what a column is


def test_a_column_of_numbers_and_one_of_words() -> None:
    found, _ = rows("n,c,y\n1,u,a\n2,3,b\n")
    assert found == [{"n": 1.0, "c=u": 1.0}, {"n": 2.0, "c=3": 1.0}]


def test_a_word_in_a_column_of_numbers_is_refused_by_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("n,y\n" + "1,a\n2,b\n" * 600 + "x,a\n")
    with pytest.raises(ls.InvalidData, match="line 1202: got 'n=x'; expected a number, as in the first rows of the column"):
        list(ls.read(tmp_path / "a.csv"))


def test_texts_give_their_words_and_dates_their_parts() -> None:
    found, gone = rows("t,d,y\nGood good Day,2026-11-16 09:30,a\nÄpfel,2024-02-29,b\n,,a\n", text=("t",), date=("d",))
    assert found[0].pop("d.years") == pytest.approx((dt.date(2026, 11, 16) - dt.date(2000, 1, 1)).days / 365.25)
    assert found[0] == {"t=good": 2.0, "t=day": 1.0, "d.month=11": 1.0, "d.weekday=0": 1.0, "d.hour=9": 1.0}
    assert {"t=äpfel", "d.month=2", "d.weekday=3"} < set(found[1])
    assert gone == [0, 0, 2]


@given(st.dates(min_value=dt.date(1, 1, 1)))
def test_parts_of_dates_are_those_of_the_datetime_module(day: dt.date) -> None:
    ((found,), _) = rows(f"d,y\n{day.isoformat()},a\n", date=("d",))
    assert f"d.weekday={day.weekday()}" in found
    assert f"d.month={day.month}" in found
    assert found.get("d.years", 0.0) == pytest.approx((day - dt.date(2000, 1, 1)).days / 365.25, abs=1e-12)


@pytest.mark.parametrize("text", ["2026-13-01", "2026-00-10", "16.11.2026", "2026-11-16x", "2026-11-16 25:00", "20261116"])
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(ls.InvalidData, match="expected a date such as 2026-11-16"):
        rows(f"d,y\n{text},a\n", date=("d",))


# --- what is missing


@pytest.mark.parametrize("word", ["", " ", *MISSING_VALUES])
def test_every_word_for_nothing_is_missing_in_a_column_of_numbers(word: str) -> None:
    assert rows(f"n,m,y\n1,5,a\n{word},5,b\n") == ([{"n": 1.0, "m": 5.0}, {"m": 5.0}], [0, 1])


@pytest.mark.parametrize("word", MISSING_VALUES)
def test_in_a_column_of_words_only_an_empty_field_is(word: str) -> None:
    assert rows(f"c,y\nu,a\n{word},b\n,a\n") == ([{"c=u": 1.0}, {f"c={word}": 1.0}, {}], [0, 0, 1])


@pytest.mark.parametrize("word", ["inf", "-inf", "Infinity", "1e999"])
def test_infinity_is_an_error(word: str) -> None:
    with pytest.raises(ls.InvalidData, match=r"line 3: got .* expected a finite value"):
        rows(f"n,y\n1,a\n{word},b\n")


def test_the_list_can_be_another() -> None:
    assert rows("n,m,y\n1,5,a\n -999,5,b\n-998,5,b\n", missing_values=("-999",)) == (
        [{"n": 1.0, "m": 5.0}, {"m": 5.0}, {"n": -998.0, "m": 5.0}],
        [0, 1, 0],
    )
    assert rows("n,y\n1,a\nnone,b\n", missing_values=("none",)) == ([{"n": 1.0}, {}], [0, 1])


def test_files_frames_and_dicts_count_the_same() -> None:
    text = "n,m,y\n1,2,a\nNA,3,b\n4,,a\n"
    file, told, framed = (ls.Learner(ls.Perceptron(), missing="skip") for _ in range(3))
    ((X, y),) = ls.read(io.BytesIO(text.encode()), format="csv")
    file.learn_many(X, y)
    nan = float("nan")
    for x, label in zip([{"n": 1.0, "m": 2.0}, {"n": nan, "m": 3.0}, {"n": 4.0, "m": nan}], "aba", strict=True):
        told.learn_one(x, label)
    pandas = pytest.importorskip("pandas")
    framed.learn_many(pandas.DataFrame({"n": [1, None, 4], "m": [2, 3, None]}), list("aba"))
    assert file.ledger.missing == told.ledger.missing == framed.ledger.missing == 2
    assert file.ledger == told.ledger == framed.ledger
    assert file.weights == told.weights == framed.weights


def test_a_learner_that_skips_nothing_names_what_is_missing() -> None:
    ((X, y),) = ls.read(io.BytesIO(b"n,y\n1,a\n?,b\n"), format="csv")
    learner = ls.Learner(ls.Perceptron())
    with pytest.raises(ls.InvalidData, match=r"row 1: 'n' has no value; .* missing=.skip. leaves them out"):
        learner.learn_many(X, y)
    assert learner.ledger.rounds == 0


def test_a_cache_keeps_what_was_missing(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("n,m,y\n1,2,a\nNA,3,b\n4,,a\n")
    for _ in range(2):
        ((X, _),) = ls.read(tmp_path / "a.csv", cache=True)
        assert (X.chunk.missing.tolist(), X.chunk.first_missing) == ([0, 1, 1], "n")
    assert (tmp_path / "a.csv.lsc").exists()


def test_the_command_line_skips_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("n,y\n1,a\nNA,b\n?,b\n")
    assert "2 missing values were left out; --missing error refuses them" in cli("learn", tmp_path / "a.csv")
    assert "row 1: 'n' has no value" in cli("learn", tmp_path / "a.csv", "--missing", "error")


# --- rows without labels


@pytest.mark.parametrize(
    ("name", "labelled", "bare"),
    [
        ("csv", "a,b,y\n1,2,u\n3,-4,v\n", "a,b\n1,2\n3,-4\n"),
        ("svm", "1 1:1 2:2\n-1 1:3 2:-4\n", "1:1 2:2\n1:3 2:-4\n"),
        ("vw", "1 | a:1 b:2\n-1 | a:3 b:-4\n", "| a:1 b:2\n| a:3 b:-4\n"),
        ("jsonl", '{"a":1,"b":2,"label":"u"}\n{"a":3,"b":-4,"label":"v"}\n', '{"a":1,"b":2}\n{"a":3,"b":-4}\n'),
    ],
)
def test_rows_without_labels_are_predicted(tmp_path: Path, name: str, labelled: str, bare: str) -> None:
    train, test, model = tmp_path / f"train.{name}", tmp_path / f"test.{name}", tmp_path / "m.lst"
    train.write_text(labelled)
    test.write_text(bare)
    cli("learn", train, "--rule", "perceptron", "--model", model, "--quiet")
    assert cli("predict", model, test) == cli("predict", model, train) != ""
    assert "label" in cli("learn", test, "--rule", "perceptron")
    assert "2 rounds" in cli("learn", test, "--rule", "uniclass", "--epsilon", "1")


# --- the recipe goes with the model

TABLE = "age,city,when,note,y\n" + "".join(
    f"{20 + k},{('Paris', 'Rome', 'Oslo')[k % 3]},2026-01-{k + 1:02},note {k % 4} of mine,{'ab'[k % 2]}\n" for k in range(20)
)


@pytest.fixture(name="learned")
def of_table(tmp_path: Path) -> Path:
    (tmp_path / "train.csv").write_text(TABLE)
    command = ("learn", tmp_path / "train.csv", "--rule", "perceptron", "--date", "when", "--text", "note", "--quiet")
    assert cli(*command, "--model", tmp_path / "m.lst") == ""
    return tmp_path / "m.lst"


def test_file_frame_and_dicts_have_the_same_scores(learned: Path) -> None:
    pandas = pytest.importorskip("pandas")
    learner = ls.load(learned)
    frame = pandas.read_csv(io.StringIO(TABLE)).drop(columns="y")
    ((X, _),) = ls.read(learned.with_name("train.csv"), recipe=learner.recipe)
    scores = learner.score_many(X)
    assert learner.score_many(frame).tolist() == pytest.approx(scores.tolist())
    records = frame.to_dict("records")
    assert learner.score_many(records).tolist() == pytest.approx(scores.tolist())
    assert [learner.score_one(record) for record in records] == pytest.approx(scores.tolist())
    frame["when"] = pandas.to_datetime(frame["when"]).dt.date
    assert learner.score_many(frame).tolist() == pytest.approx(scores.tolist())


def test_lines_of_json_have_the_scores_of_the_file(learned: Path, tmp_path: Path) -> None:
    """Dates and texts are what the recipe says, whatever JSON makes of them."""
    names, *lines = (line.split(",") for line in TABLE.splitlines())
    rows: list[dict[str, object]] = [{**dict(zip(names, line, strict=True)), "age": int(line[0])} for line in lines]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert cli("predict", learned, tmp_path / "t.jsonl") == cli("predict", learned, learned.with_name("train.csv"))
    bad = {"age": ("old", "expected a number"), "when": ("soon", "a date such as"), "note": (3, "a text, as")}
    for key, (value, words) in bad.items():
        (tmp_path / "bad.jsonl").write_text(json.dumps(rows[0] | {key: value}) + "\n")
        assert words in cli("predict", learned, tmp_path / "bad.jsonl")


def test_learning_goes_on_from_dicts_as_from_the_file(learned: Path) -> None:
    by_file, by_dict = ls.load(learned), ls.load(learned)
    for X, y in ls.read(learned.with_name("train.csv"), recipe=by_file.recipe):
        by_file.learn_many(X, y)
    for line in TABLE.splitlines()[1:]:
        age, city, when, note, label = line.split(",")
        by_dict.learn_one({"age": int(age), "city": city, "when": when, "note": note}, label)
    assert by_dict.ledger.rounds == by_file.ledger.rounds == 40
    assert by_dict.weights == pytest.approx(by_file.weights)


def test_the_flags_need_not_be_repeated(learned: Path) -> None:
    again = cli("predict", learned, learned.with_name("train.csv"))
    assert again == cli("predict", learned, learned.with_name("train.csv"), "--date", "when", "--text", "note")
    assert len(again.splitlines()) == 20


def test_they_need_not_be_repeated_to_certify_or_to_go_on(learned: Path) -> None:
    table, said = learned.with_name("train.csv"), ("--date", "when", "--text", "note")
    assert "mohri.8.1" in cli("certify", learned, table)
    assert cli("certify", learned, table, "--json") == cli("certify", learned, table, "--json", *said)
    further, told = learned.with_name("further.lst"), learned.with_name("told.lst")
    assert "40 rounds" in cli("learn", table, "--from", learned, "--model", further)
    cli("learn", table, "--from", learned, "--model", told, *said)
    assert ls.load(further).weights == ls.load(told).weights


@pytest.mark.parametrize(("name", "line"), [("a.svm", "1 1:2"), ("a.vw", "1 | b")])
@pytest.mark.parametrize("flag", ["ignore", "categorical", "text", "date"])
def test_a_format_without_columns_takes_no_name_of_one(tmp_path: Path, name: str, line: str, flag: str) -> None:
    (tmp_path / name).write_text(f"{line}\n")
    said = cli("learn", tmp_path / name, f"--{flag}", "age", "--rule", "perceptron")
    assert f"--{flag} is ['age']; " in said
    assert f"which has no columns with names: leave out --{flag}" in said


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("weight,height\n1,2\n", "none of the columns 'weight', 'height' is known to this learner, which has learned 'age'"),
        ("age,city\nold,Rome\n", "line 2: got 'age=old'; expected a number, as in the first rows of the column"),
        ("age,when\n3,16.11.2026\n", "expected a date such as 2026-11-16"),
        ("age,city\n3,Rome\n", "lacks 'when', 'note'"),
        ("age,city,when,note,size\n3,Rome,2026-01-01,x,4\n", "has the unknown 'size'"),
    ],
)
def test_another_table_is_told_apart(learned: Path, tmp_path: Path, table: str, words: str) -> None:
    (tmp_path / "new.csv").write_text(table)
    assert words in cli("predict", learned, tmp_path / "new.csv")
    assert CliRunner().invoke(main, ["predict", str(learned), str(tmp_path / "new.csv"), "--strict"]).exit_code == 1


def test_a_frame_of_other_columns_or_kinds_is_refused(learned: Path) -> None:
    pandas = pytest.importorskip("pandas")
    learner = ls.load(learned)
    with pytest.raises(ls.InvalidData, match="none of the columns 'x' is known"):
        learner.predict_many(pandas.DataFrame({"x": [1.0]}))
    with pytest.raises(ls.InvalidData, match="column 'age': got 'old'"):
        learner.predict_many(pandas.DataFrame({"age": ["old"], "city": ["Rome"]}))
    with pytest.raises(ls.InvalidData, match="column 'age': got 'old'; this learner has learned numbers from it"):
        learner.predict_one({"age": "old"})


def test_a_model_file_with_a_forged_recipe_is_refused(learned: Path) -> None:
    raw = learned.read_bytes()
    assert b'"category"' in raw
    learned.write_bytes(raw.replace(b'"category"', b'"catagory"'))
    with pytest.raises(ls.InvalidData):
        ls.load(learned)
