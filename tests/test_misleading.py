"""Answers that were wrong or misled: what stands beside an error, what is missing, rows that a model knows nothing of."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli.main import main


def told(*words: str) -> str:
    """What a command prints, the sentences on stderr behind the answer."""
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return done.stdout + done.stderr


def refused(*words: str) -> str:
    done = CliRunner().invoke(main, words)
    assert done.exit_code in (1, 2)
    assert done.stdout == ""
    assert done.stderr.count("Error: ") == 1
    return done.stderr


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# --- beside whoever learns nothing


def wrong_by_majority(labels: list[str]) -> int:
    """Of whoever shows the label met most often, of several that which was so first: counted anew in every round."""
    wrong = 1
    for t in range(1, len(labels)):
        met = labels[:t]
        most = max(set(met), key=lambda label: (met.count(label), met[::-1].index(label)))  # its last row is the earliest
        wrong += labels[t] != most
    return wrong


@pytest.mark.parametrize("rule", ["", "--rule multiclass-perceptron", "--rule pa --one-versus-rest", "--rule pa --passes 2"])
def test_the_majority_of_many_classes_is_shown(rule: str) -> None:
    source = np.random.default_rng(0)
    many = "passes" not in rule
    labels = source.choice(["a", "b", "c", "d"] if many else ["a", "b"], p=[0.1, 0.5, 0.2, 0.2] if many else None, size=300)
    rows = [f"{source.normal():.3f},{label}" for label in labels]
    Path("t.csv").write_text("\n".join(["x,label", *rows]))
    found = json.loads(CliRunner().invoke(main, ["learn", "t.csv", *rule.split(), "--json"]).stdout)
    last = sum(now != before for now, before in zip(labels[1:], labels, strict=False)) + 1
    assert found["measures"]["baselines"]["last label"] == last / 300
    majority = found["measures"]["baselines"]["majority label"]
    # Two labels go by the ledger, which shows the positive one of two that are even.
    assert majority == wrong_by_majority(labels.tolist()) / 300 if many else 0.3 < majority < 0.6
    assert f"majority label {majority:.2%}, last label" in told("learn", "t.csv", *rule.split(), "--report", "r.html")
    assert f"majority label {majority:.2%}" in Path("r.html").read_text() or not many


def test_whoever_has_no_weights_of_a_class_says_why() -> None:
    """The label is there; what is not is a vector of weights for it."""
    X = [[1.0], [2.0], [3.0]]
    for rule, y, told in (
        (ls.Perceptron(), ["a", "b", "a"], "has weights for both of two labels together; see weights"),
        (ls.Pool(), ["a", "b", "c"], "Pool has no one vector of weights for a class; see explain_one"),
    ):
        with pytest.raises(ls.NotApplicable, match=told):
            ls.run(rule, X, y).learner.weights_of("a")


def test_a_run_that_goes_on_has_no_majority_of_classes_it_did_not_count() -> None:
    Path("t.csv").write_text("x,label\n1,a\n2,b\n3,c\n")
    told("learn", "t.csv", "--model", "m.lst")
    assert "majority" not in told("learn", "t.csv", "--from", "m.lst")


def test_one_class_has_rows_outside_and_no_labels() -> None:
    Path("t.svm").write_text("1:1 2:3\n2:1\n2:1\n")
    said = told("learn", "t.svm", "--rule", "uniclass", "--epsilon", "1")
    assert "1 of 3 rows were outside when they came (33.33%)" in said
    assert "label" not in said
    found = json.loads(CliRunner().invoke(main, ["learn", "t.svm", "--rule", "uniclass", "--epsilon", "1", "--json"]).stdout)
    assert found["measures"] == {"outside": 1 / 3}
    run = ls.run(ls.Uniclass(epsilon=1.0), [[1.0, 3.0], [0.0, 1.0]])
    assert run.ledger.baselines == {}


def test_a_pool_that_met_two_labels_first_counts_no_majority_of_many() -> None:
    learner = ls.Learner()
    learner.learn_many([[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "c"])
    assert set(learner.ledger.baselines) == {"last label"}


# --- the mean of the weights


def test_whoever_keeps_the_mean_predicts_with_it() -> None:
    source = np.random.default_rng(1)
    many = [f"{x:.3f},{y:.3f},{'abc'[int(x > 0) + int(y > 1)]}" for x, y in source.normal(size=(200, 2))]
    Path("many.csv").write_text("\n".join(["u,v,label", *many]))
    two = [row.replace(",c", ",b") for row in many]
    Path("two.csv").write_text("\n".join(["u,v,label", *two, ",1,a"]))  # with a gap
    for file, rule in (("two.csv", "pa"), ("many.csv", "multiclass-perceptron"), ("many.csv", "pa --one-versus-rest")):
        told("learn", file, "--rule", *rule.split(), "--average", "--scale", "rms", "--model", "m.lst")
        learner = ls.load("m.lst")
        assert learner.averaged().missing == "skip"
        [(X, _)] = ls.read(file, recipe=learner.recipe)
        shown = [line.split("\t")[0] for line in told("predict", "m.lst", file, "--average").splitlines()]
        assert shown == learner.averaged().predict_many(X).tolist()
        assert shown != [line.split("\t")[0] for line in told("predict", "m.lst", file).splitlines()]
        Path("m.lst").unlink()


def test_who_keeps_no_mean_says_so() -> None:
    Path("t.csv").write_text("a,label\n1,x\n2,y\n")
    assert "pool keeps no mean of its weights; leave out --average" in refused("learn", "t.csv", "--average")
    assert "naive-bayes keeps no mean" in refused("learn", "t.csv", "--rule", "naive-bayes", "--average")
    told("learn", "t.csv", "--rule", "pa", "--model", "m.lst")
    assert "m.lst has no mean of its weights; learn it with --average" in refused("predict", "m.lst", "t.csv", "--average")
    told("learn", "t.csv", "--model", "pool.lst")
    assert "Pool keeps no average" in refused("predict", "pool.lst", "t.csv", "--average")


# --- missing


def test_a_number_may_stand_for_none_in_files_frames_dicts_and_json() -> None:
    Path("t.csv").write_text("a,b,label\n1,2,x\n-99,3,y\n4,-99,x\n-99.5,1,y\n")
    said = told("learn", "t.csv", "--rule", "perceptron", "--missing-values", "-99", "--model", "m.lst")
    assert "2 missing values were left out" in said
    learner = ls.load("m.lst")
    empty = learner.score_one({"b": 3.0})
    assert learner.score_one({"a": -99, "b": 3.0}) == learner.score_one({"a": -99.0, "b": 3.0}) == empty
    assert learner.score_many(pd.DataFrame({"a": [-99.0, 1.0], "b": [3.0, 3.0]}))[0] == empty
    assert learner.score_many(pd.DataFrame({"a": [-99, 1], "b": [3, 3]}))[0] == empty
    Path("t.jsonl").write_text('{"a":-99,"b":3}\n{"b":3}\n{"a":"-99","b":3}\n')
    lines = CliRunner().invoke(main, ["predict", "m.lst", "t.jsonl"]).stdout.splitlines()
    assert lines[0] == lines[1] == lines[2]
    assert learner.score_one({"a": -98.0, "b": 3.0}) != empty


def test_words_for_nothing_are_nothing_in_json_that_a_table_was_learned_of() -> None:
    Path("t.csv").write_text("a,when,label\n1,2024-01-01,x\nNA,2024-02-01,y\n3,?,x\n")
    told("learn", "t.csv", "--model", "m.lst")
    Path("t.jsonl").write_text('{"a":"NA","when":"?"}\n{}\n{"a":null}\n')
    lines = CliRunner().invoke(main, ["predict", "m.lst", "t.jsonl"]).stdout.splitlines()
    assert lines[0] == lines[1] == lines[2]
    learner = ls.load("m.lst")
    assert learner.score_one({"a": "NA", "when": "?"}) == learner.score_one({"a": None, "when": None})


def test_indicators_of_json_and_arrow_are_those_of_a_table() -> None:
    Path("t.csv").write_text("a,b,label\n1,2,x\n,3,y\n4,,x\n")
    Path("t.jsonl").write_text('{"a":1,"b":2,"label":"x"}\n{"a":null,"b":3,"label":"y"}\n{"a":4,"b":null,"label":"x"}\n')
    frame = pd.DataFrame({"a": [1.0, None, 4.0], "b": [2.0, 3.0, None], "label": ["x", "y", "x"]})
    frame.to_feather("t.arrow")
    models = []
    for file_name in ("t.csv", "t.jsonl", "t.arrow"):
        said = told("learn", file_name, "--rule", "perceptron", "--missing", "indicator", "--model", f"{file_name}.lst")
        assert "2 missing values were left out" in said
        models.append(ls.load(f"{file_name}.lst"))
    assert models[0].weights == models[1].weights == models[2].weights
    assert {"a=?", "b=?"} & set(models[0].weights)
    assert {model.ledger.missing for model in models} == {2}


# --- rows that a model knows nothing of


def test_json_of_other_columns_is_not_answered() -> None:
    Path("t.csv").write_text("price,city,day,label\n1,Rome,2024-01-01,x\n2,Oslo,2024-02-01,y\n")
    told("learn", "t.csv", "--model", "m.lst")
    Path("other.jsonl").write_text('{"colour":"red"}\n{"size":3}\n')
    assert "none of the columns 'colour', 'size' is known to this learner, which has learned 'price', 'city', 'day'" in refused(
        "predict", "m.lst", "other.jsonl"
    )
    Path("some.jsonl").write_text('{"city":"Rome","colour":"red"}\n{"day":"2024-03-01"}\n')
    assert "some.jsonl lacks 'price' and has the unknown 'colour'" in told("predict", "m.lst", "some.jsonl")
    assert "lacks 'price'" in refused("predict", "m.lst", "some.jsonl", "--strict")
    Path("all.jsonl").write_text('{"price":1}\n{"city":"Lima","day":"2024-03-01"}\n')
    assert told("predict", "m.lst", "all.jsonl", "--strict").count("\n") == 2


def test_features_that_nobody_has_met_are_not_answered() -> None:
    Path("t.jsonl").write_text('{"a":1,"label":0}\n{"b":1,"label":1}\n')
    told("learn", "t.jsonl", "--rule", "perceptron", "--model", "m.lst")
    Path("other.jsonl").write_text('{"c":1}\n{"d":1}\n')
    sentence = "none of the features 'c', 'd' of other.jsonl is known to this learner, which has learned 'a', 'b'"
    assert sentence in refused("predict", "m.lst", "other.jsonl")
    Path("some.jsonl").write_text('{"c":1}\n{"a":1}\n')
    assert told("predict", "m.lst", "some.jsonl").count("\n") == 2
    piped = CliRunner().invoke(main, ["predict", "m.lst", "-", "--format", "jsonl"], input='{"c":1}\n')
    assert (piped.exit_code, piped.stdout.count("\n")) == (0, 1)  # of a pipe nobody knows what is to come


@pytest.mark.parametrize("flag", ["--output", "-o", "--predictions", "-p"])
def test_whoever_wants_predictions_in_a_file_is_told_how(flag: str) -> None:
    ls.Learner(ls.Perceptron()).save("m.lst")
    said = refused("predict", "m.lst", "t.csv", flag, "out.txt")
    assert f"there is no {flag}; what is predicted is printed; > FILE keeps it" in said
