"""What newcomers get wrong, and the sentence that each mistake gets: one, which says what to type instead."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner
from scipy.sparse import csr_array

import littlestone as ls
from littlestone.cli.main import main

X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
Y = [1, -1, 1]

# File, its content, the flags, and the sentence.
AT_THE_TERMINAL = {
    "array": ("t.jsonl", '[{"a":1,"label":1}]\n', "", "not an array of them: jq -c '.[]' writes it so"),
    "array in lines": ("t.json", '[\n{"a":1,"label":1}\n]\n', "", "line 1: got '['; expected an object {...} a line, not an"),
    "object in lines": ("t.json", '{\n"a":1}\n', "", "expected the whole object on one line: jq -c . writes it so"),
    "no key": ("t.jsonl", '{"a":1,"bought":1}\n', "", "no row has the key 'label'; say which is the label by --label"),
    "empty": ("t.csv", "", "", "there is no row to learn from in t.csv; expected one example per line"),
    "blank": ("t.csv", "\n\n", "", "there is no row to learn from in t.csv"),
    "header alone": ("t.csv", "a,label\n", "", "there is no row to learn from in t.csv"),
    "two of a name": ("t.csv", "a,a,label\n1,2,x\n", "", "t.csv, line 1: the column 'a' is there twice"),
    "no label column": (
        "t.csv",
        "a,bought\n1,x\n",
        "",
        "has no column label, target, class or y; say which is the label by --label",
    ),
    "label misnamed": (
        "t.csv",
        "a,label\n1,x\n",
        "--label lable",
        "t.csv has no column 'lable', which --label names; its columns are 'a', 'label'",
    ),
    "column misnamed": ("t.csv", "a,label\n1,x\n", "--ignore b", "t.csv has no column 'b', which --ignore names; its columns"),
    "weight misnamed": (
        "t.csv",
        "a,label\n1,x\n",
        "--weight-column b",
        "no column 'b', which --weight-column names",
    ),
    "text misnamed": ("t.csv", "a,label\n1,x\n", "--text b", "t.csv has no column 'b', which --text names; its columns"),
    "targets for classes": (
        "t.csv",
        "a,label\n1,0.5\n2,0.25\n",
        "--rule perceptron --one-versus-rest",
        "row 0: the label is 0.5, and classes are words or whole numbers; if they are targets, learn by a rule of regression",
    ),
    "no number for a flag": (
        "t.csv",
        "a,label\n1,x\n2,y\n",
        "--rule pa --C x",
        "passive-aggressive: --C is 'x'; --C must be a finite number above 0",
    ),
    "scale and no rule": (
        "t.csv",
        "a,label\n1,x\n2,y\n",
        "--scale max",
        "--scale is for a --rule; without one the pool",
    ),
    "comma decimals": (
        "t.csv",
        "a;label\n1,5;x\n-2,25;y\n",
        "",
        "the column 'a' has numbers with a comma; write them with a point",
    ),
    "comma labels": ("t.csv", "a;y\n1;1,5\n2;2,5\n", "", "the column 'y' has numbers with a comma"),
    "header again": (
        "t.csv",
        "a,label\n1,x\na,label\n2,y\n",
        "",
        "line 3: got 'a,label'; expected a row; this is the header again",
    ),
    "infinite": ("t.csv", "a,label\n1,x\ninf,y\n", "", "line 3: got 'a=inf'; expected a finite value"),
    "nan in svmlight": (
        "t.svm",
        "1 1:nan\n",
        "",
        "got '1:nan'; expected a finite value; one that is missing is left out of the line",
    ),
    "inf in vw": (
        "t.vw",
        "1 | a:inf\n",
        "",
        "got 'a:inf'; expected a finite value; one that is missing is left out of the line",
    ),
    "missing refused": (
        "t.csv",
        "a,label\n1,x\n?,y\n",
        "--missing error",
        "'a' has no value; values must be there, or --missing skip",
    ),
    "unlabelled vw": (
        "t.vw",
        "1 | a\n| b\n",
        "",
        "t.vw, row 2 has no label; what is learned needs one: rows without go to predict",
    ),
    "shared": (
        "t.vw",
        "shared | a\n0:1:0.5 | b\n",
        "",
        "examples of several lines (shared), labels of actions and of costs (1:0.5) are not",
    ),
    "action": ("t.vw", "0:1:0.5 | b\n", "", "got '0:1:0.5'; expected one label per line"),
    "words as targets": (
        "t.csv",
        "a,label\n1,x\n2,y\n",
        "--rule par",
        "words are learned by a rule of labels, such as ls.Pool (--task labels)",
    ),
    "reals as labels": (
        "t.csv",
        "a,y\n1,.5\n2,.7\n3,.9\n",
        "--rule perceptron",
        "learn by a rule of regression, such as ls.PoolRegression (--task targets)",
    ),
    "a third label": (
        "t.csv",
        "a,y\n1,p\n2,q\n3,r\n",
        "--rule perceptron",
        "learn by a rule of many classes, such as ls.Pool() or ls.OneVersusRest (--one-versus-rest)",
    ),
    "utf-16": ("t.csv", "\ufeffa,label\n1,x\n2,y\n", "", "t.csv is written in UTF-16; expected UTF-8: iconv -f UTF-16"),
    "a directory": (".", "", "", ". cannot be read: Is a directory"),
    "ragged": ("t.csv", "a,b,label\n1,2,x\n1,y\n", "", "line 3: got '1,y'; expected as many fields as there are columns"),
    "a label that is not there": (
        "t.csv",
        "a,label\n1,x\n2,\n",
        "--rule perceptron",
        "t.csv, row 2 has no label; what is learned needs one: rows without go to predict",
    ),
    "probabilities of what is learned": (
        "t.csv",
        "a,label\n1,x\n",
        "--probabilities",
        "there is no --probabilities; `littlestone predict --probabilities` prints them",
    ),
    "prose": ("t.txt", "hello world\n", "", "the format of t.txt cannot be told; say --format, one of"),
    "separator": ("t.csv", "a,label\n1,x\n", "--separator #", "--separator is '#'; --separator must be one of"),
    "rule misspelled": ("t.csv", "a,label\n1,x\n", "--rule percptron", "did you mean perceptron"),
    "flag misspelled": ("t.csv", "a,label\n1,x\n", "--lable x", "No such option '--lable'. (Did you mean"),
    "a flag of pandas": (
        "t.csv",
        "a,label\n1,x\n",
        "--sep ;",
        "there is no --sep; --separator says what stands between fields",
    ),
    "a flag of vw": ("t.csv", "a,label\n1,x\n", "-f m.vw", "there is no -f; --model names the file that the model goes to"),
    "a flag of no rule": ("t.csv", "a,label\n1,x\n", "--C 1", "--C is a flag of online-svm, passive-aggressive"),
}


@pytest.mark.parametrize("name", AT_THE_TERMINAL)
def test_at_the_terminal(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, text, flags, sentence = AT_THE_TERMINAL[name]
    monkeypatch.chdir(tmp_path)
    if file != ".":
        Path(file).write_text(text, encoding="utf-16-le" if text.startswith("\ufeff") else "utf-8")
    result = CliRunner().invoke(main, ["learn", file, "--model", "m.lst", *flags.split()])
    assert result.exit_code in (1, 2)
    assert sentence in result.stderr
    assert result.stderr.count("Error: ") == 1
    assert not Path("m.lst").exists()


# A table that was learned, another that is to be predicted, the flags, and the sentence.
TO_PREDICT = {
    "nothing shared": (
        "t.csv",
        "x,z\n1,2\n",
        "",
        "none of the columns 'x', 'z' is known to this learner, which has learned 'a', 'c'",
    ),
    "nothing shared in json": ("t.jsonl", '{"x":1}\n', "", "none of the columns 'x' is known to this learner"),
    "absent and new": ("t.csv", "a,z\n1,2\n", "--strict", "t.csv lacks 'c' and has the unknown 'z'; without --strict they are"),
    "words for numbers": ("t.csv", "a,c\nred,u\n", "", "t.csv, line 2: got 'a=red'; expected a number, as in the first rows"),
    "words for numbers in json": ("t.jsonl", '{"a":"red"}\n', "", "expected a number, as this column has held them"),
    "by position": ("t.svm", "1 1:1\n", "", "known by their positions; those of this learner are known by their names"),
    "no file": ("t.csv", "a,c\n1,u\n", "missing.csv", "missing.csv cannot be read: No such file or directory"),
}


@pytest.mark.parametrize("name", TO_PREDICT)
def test_to_predict(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, text, flags, sentence = TO_PREDICT[name]
    monkeypatch.chdir(tmp_path)
    Path("train.csv").write_text("a,c,label\n1,u,x\n2,v,y\n")
    assert CliRunner().invoke(main, ["learn", "train.csv", "--model", "m.lst"]).exit_code == 0
    Path(file).write_text(text)
    result = CliRunner().invoke(main, ["predict", "m.lst", *flags.split(), file])
    assert result.exit_code in (1, 2)
    assert (sentence in result.stderr, result.stdout) == (True, ""), result.stderr
    assert result.stderr.count("Error: ") == 1


def test_a_command_may_be_misspelled() -> None:
    for words, meant in (("lern", "learn"), ("pred", "predict"), ("races", "race")):
        result = CliRunner().invoke(main, [words, "t.csv"])
        assert result.exit_code == 2
        assert f"there is no command '{words}'; did you mean {meant}?" in result.stderr


# What looks like a mistake and is none.
WELCOME = {
    "windows": b"a,b,label\r\n1,2,x\r\n3,4,y\r\n",
    "byte-order mark": b"\xef\xbb\xbfa,b,label\n1,2,x\n3,4,y\n",
    "no newline at the end": b"a,b,label\n1,2,x\n3,4,y",
    "blank lines": b"a,b,label\n1,2,x\n\n3,4,y\n\n",
    "header again, skipped": b"a,b,label\n1,2,x\na,b,label\n3,4,y\n",
}


@pytest.mark.parametrize("name", WELCOME)
def test_these_are_the_same_two_rows(name: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(WELCOME[name])
    [(rows, y)] = ls.read(tmp_path / "t.csv", on_error="skip")
    assert (rows.names, rows.tocsr().toarray().tolist(), y.tolist()) == (["a", "b"], [[1, 2], [3, 4]], ["x", "y"])


def test_a_column_of_dates_is_one_without_being_told(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("when,a,label\n2024-01-01,1,x\n,1,x\n2024-05-02 10:00,2,y\n")
    [(rows, _)] = ls.read(tmp_path / "t.csv")
    assert rows.recipe is not None
    assert rows.recipe.columns == {"when": "date", "a": "number"}
    assert "when.weekday=0" in rows.names
    model = str(tmp_path / "m.lst")
    told = CliRunner().invoke(main, ["learn", str(tmp_path / "t.csv"), "--model", model])
    assert "'when' taken as dates; --categorical or --ignore takes them otherwise" in told.stderr
    again = CliRunner().invoke(main, ["learn", str(tmp_path / "t.csv"), "--from", model])
    assert again.exit_code == 0
    assert "taken as dates" not in again.stderr  # it was said when the model began
    [(rows, _)] = ls.read(tmp_path / "t.csv", categorical=["when"])
    assert rows.names[0] == "when=2024-01-01"


def test_nested_json_has_names_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"a":{"b":1,"c":[2,3]},"label":1}\n')
    [(rows, _)] = ls.read(tmp_path / "t.jsonl")
    assert rows.names == ["a.b", "a.c.0", "a.c.1"]


made: Callable[..., object] = ls.Learner
ran: Callable[..., object] = ls.run


def perceptron() -> ls.Learner:
    return ls.Learner(ls.Perceptron())


def regression() -> ls.Learner:
    return ls.Learner(ls.PassiveAggressiveRegression())


COLUMNS = "ls.features.Columns makes features of words and categories"
SKIP = r'missing="skip" leaves out'
IN_PYTHON: dict[str, tuple[Callable[[], object], str]] = {
    "a class": (lambda: made(ls.Perceptron), r"the rule is the class Perceptron; make a rule of it: ls.Perceptron\(\)"),
    "a class to run": (lambda: ran(ls.Perceptron, X, Y), r"make a rule of it: ls.Perceptron\(\)"),
    "a word for a rule": (
        lambda: made("perceptron"),
        r"the rule is 'perceptron'; expected a rule, such as ls.Perceptron\(\)",
    ),
    "nan": (lambda: perceptron().learn_many([[1.0, np.nan]], [1]), f"value of feature 1 is nan; .*{SKIP} nan"),
    "nan in a dict": (lambda: perceptron().learn_one({"a": float("nan")}, 1), f"'a' has the value nan; .*{SKIP} nan"),
    "None in a dict": (lambda: perceptron().learn_one({"a": None}, 1), f"'a' has the value None; .*{SKIP} None"),
    "nan in a frame": (lambda: perceptron().learn_many(pd.DataFrame({"a": [1, None]}), [1, -1]), f"row 1: .*{SKIP} nan"),
    "nan in a sparse row": (lambda: perceptron().learn_many(csr_array([[1, np.nan]]), [1]), f"row 0: .*{SKIP} nan"),
    "infinite": (lambda: perceptron().learn_many([[np.inf]], [1]), "is inf; values must be finite$"),
    "a word in a dict": (lambda: perceptron().learn_one({"a": "red"}, 1), rf"'a' has the value 'red'; .*\({COLUMNS}\)"),
    "a date in a dict": (lambda: perceptron().learn_one({"a": dt.date(2024, 1, 1)}, 1), COLUMNS),
    "words in pandas": (
        lambda: perceptron().learn_many(pd.DataFrame({"a": ["x"]}), [1]),
        f"column 'a' does not hold numbers; {COLUMNS}",
    ),
    "words in polars": (
        lambda: perceptron().learn_many(pl.DataFrame({"a": ["x"], "b": [1]}), [1]),
        f"column 'a' does not hold numbers; {COLUMNS}",
    ),
    "times": (
        lambda: perceptron().learn_many(pd.DataFrame({"a": pd.to_datetime(["2024-01-01"]), "b": [1]}), [1]),
        f"column 'a' .*; {COLUMNS}",
    ),
    "times alone": (
        lambda: perceptron().learn_many(pd.DataFrame({"a": pd.to_datetime(["2024-01-01"])}), [1]),
        f"column 'a' does not hold numbers; {COLUMNS}",
    ),
    "an array of words": (
        lambda: perceptron().learn_many(np.array([["a"]]), [1]),
        f"dtype <U1; expected numbers .*; {COLUMNS}",
    ),
    "a nested dict": (
        lambda: perceptron().learn_one({"a": {"b": 1}}, 1),
        "give each that is nested a name of its own, such as 'a.b': 1",
    ),
    "a column of labels": (
        lambda: perceptron().learn_many(X, np.array([Y]).T),
        r"labels have 2 dimensions; expected one label per row, as y.ravel\(\)",
    ),
    "a column of targets": (lambda: regression().learn_many(X, np.array([Y]).T), r"targets have 2 dimensions; .*y.ravel\(\)"),
    "lengths": (lambda: perceptron().learn_many(X, Y[:2]), "there are 3 rows and 2 outcomes"),
    "no labels": (lambda: perceptron().learn_many(X), "there are no outcomes; Perceptron learns intervals and labels"),
    "a label that is none": (lambda: perceptron().learn_many(X, [1, None, -1]), "row 1: the label is None; labels must be"),
    "a label that is nan": (
        lambda: perceptron().learn_many(X, [1, np.nan, -1]),
        "row 1: the label is nan; .*label= says where",
    ),
    "reals as labels": (
        lambda: perceptron().learn_many(X, [0.5, 0.7, 0.9]),
        "learn by a rule of regression, such as ls.PoolRegression",
    ),
    "reals for the pool": (lambda: ls.Learner().learn_many(X, [0.5, 0.7, 0.9]), r"give ls.Learner\(ls.PoolRegression\(\)\)"),
    "words as targets": (
        lambda: regression().learn_many(X, ["a", "b", "c"]),
        "words are learned by a rule of labels, such as ls.Pool",
    ),
    "one word as a target": (lambda: regression().learn_one([1.0], "a"), "words are learned by a rule of labels"),
    "two columns of a name": (
        lambda: perceptron().learn_many(pd.DataFrame([[1, 2]], columns=["a", "a"]), [1]),
        "same name; names must be unique",
    ),
    "one row for many": (lambda: perceptron().learn_many(np.array([1.0]), [1]), "expected a two-dimensional array"),
    "printed constants": (
        lambda: ls.run(ls.MultiplicativePassiveAggressive(margin=1.0, constants="printed"), [[1.0, -2.0]], [1]),
        'is -2; with constants="printed" values must be at least 0; "corrected" takes any',
    ),
}


@pytest.mark.parametrize("name", IN_PYTHON)
def test_in_python(name: str) -> None:
    mistake, sentence = IN_PYTHON[name]
    with pytest.raises(ls.LittlestoneError, match=sentence) as refused:
        mistake()
    assert "\n" not in str(refused.value)


def test_true_and_false_are_labels() -> None:
    learner = perceptron()
    learner.learn_many(X, [True, False, True])
    assert learner.labels == (False, True)


def test_winnow_learns_negative_values() -> None:
    """Its weights are positive and its threshold is 0: without negative values every row would be of one label."""
    run = ls.run(ls.Winnow(), [[1.0, -2.0], [-1.0, 1.0]], [1, -1])
    assert run.ledger.rounds == 2


def test_a_frame_without_a_known_column_is_not_answered() -> None:
    learner = perceptron()
    learner.learn_many(pd.DataFrame({"a": [1.0, 2.0]}), [1, -1])
    with pytest.raises(ls.InvalidData, match="none of the columns 'z' is known to this learner, which has learned 'a'"):
        learner.predict_many(pd.DataFrame({"z": [1.0]}))
    assert len(learner.predict_many(pd.DataFrame({"z": [1.0], "a": [1.0]}))) == 1
