"""The command line: what every command prints, its exit codes, and its errors in one sentence."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from click import Context
from click.testing import CliRunner, Result

import littlestone as ls
from littlestone.cli import demo
from littlestone.cli.machine import finite
from littlestone.cli.main import main
from littlestone.cli.stories import HAM, SPAM, blotto, messages, weather
from littlestone.store import stamp

COMMANDS = sorted(main.list_commands(Context(main)))


def call(*args: str | Path, text: bytes | None = None) -> Result:
    result = CliRunner().invoke(main, list(map(str, args)), input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def refused(*args: str | Path, code: int = 1) -> str:
    """The last line of a refusal, which is one sentence and no traceback."""
    result = call(*args)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    line = result.stderr.strip().splitlines()[-1]
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with messages in three formats, forecasts, a game and a bad file."""
    folder = tmp_path_factory.mktemp("data")
    rows, labels = messages(0, 400)
    known = sorted({word for row in rows for word in row})
    place = {word: k + 1 for k, word in enumerate(known)}
    signs = ["+1" if label == "spam" else "-1" for label in labels]
    lines = [f"{s} " + " ".join(f"{k}:1" for k in sorted(place[w] for w in row)) for s, row in zip(signs, rows, strict=True)]
    (folder / "m.svm").write_text("\n".join(lines) + "\n")
    (folder / "m.vw").write_text("".join(f"{s} | {' '.join(row)}\n" for s, row in zip(signs, rows, strict=True)))
    records = [json.dumps({**row, "label": label}) for row, label in zip(rows, labels, strict=True)]
    (folder / "m.jsonl").write_text("\n".join(records) + "\n")
    names, advice, highs = weather(0)
    table = [",".join([*names, "high"])] + [
        ",".join(f"{v:.3f}" for v in (*row, y)) for row, y in zip(advice, highs, strict=True)
    ]
    (folder / "w.csv").write_text("\n".join(table[:300]) + "\n")
    np.savetxt(folder / "g.csv", blotto(4, 5).payoffs, delimiter=",", fmt="%g")
    (folder / "bad.svm").write_text("+1 1:1\n-1 2:x\n+1 3:1\n")
    return folder


@pytest.fixture(scope="module")
def model(data: Path) -> Path:
    path = data / "p.lst"
    assert call("learn", data / "m.svm", "--rule", "perceptron", "--certify", "--model", path, "--quiet").exit_code == 0
    return path


# Help.


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str) -> None:
    text = call(command, "--help").stdout
    assert f"littlestone {command} " in text.split("Example", 1)[1].split("Options:")[0]


def test_the_commands_are_those_of_the_house() -> None:
    assert COMMANDS == [
        "certify",
        "compare",
        "demo",
        "experts",
        "export",
        "follow",
        "inspect",
        "journal",
        "learn",
        "predict",
        "race",
        "rules",
        "serve",
        "solve",
    ]
    text = call("--help").stdout
    assert all(command in text for command in COMMANDS)


# Learning.


def test_learn_prints_a_table_at_doubling_intervals_and_a_summary(data: Path) -> None:
    result = call("learn", data / "m.svm", "--rule", "perceptron", "--report", data / "r.html")
    counts = [int(line.split()[2].replace(",", "")) for line in result.stderr.splitlines()[1:-1]]
    assert counts[-1] == 400
    assert all(later >= 2 * sooner for sooner, later in zip(counts[:-2], counts[1:-1], strict=True))
    assert result.stdout.startswith("400 rounds, ")
    assert ": holds: " in result.stdout
    first = result.stderr.splitlines()[1].split()
    assert first[0] == first[1]  # of the first line, so far and since last are the same


def test_the_table_is_that_of_the_ledger(data: Path) -> None:
    shown = call("learn", data / "m.svm", "--rule", "perceptron").stderr.splitlines()[-1].split()
    summary = json.loads(call("learn", data / "m.svm", "--rule", "perceptron", "--json", "--quiet").stdout)
    assert float(shown[0]) == pytest.approx(summary["ledger"]["shown_errors"] / 400, abs=1e-6)
    assert int(shown[3]) == summary["ledger"]["updates"]


def test_learn_as_json_is_json_and_nothing_else(data: Path) -> None:
    result = call("learn", data / "m.svm", "--rule", "perceptron", "--json", "--certify", "--quiet")
    summary = json.loads(result.stdout)
    assert result.stderr == ""
    assert summary["ledger"]["rounds"] == 400
    assert {"id", "verdict", "bound"} <= set(summary["certificates"][0])
    assert "NaN" not in result.stdout
    assert "Infinity" not in result.stdout


def test_reports_name_the_command_the_file_and_every_figure(data: Path, tmp_path: Path) -> None:
    report = tmp_path / "a b.html"
    args = ["learn", str(data / "m.svm"), "--rule", "passive-aggressive", "--against", "best", "--report", str(report), "--iid",
            "--figures", str(tmp_path / "f")]  # fmt: skip
    result = call(*args, "--quiet")
    assert (result.exit_code, result.stdout) == (0, "")
    text = report.read_text(encoding="utf-8")
    assert shlex.join(["littlestone", *args, "--quiet"]).replace("&", "&amp;") in text
    assert "risk.anytime" in text
    assert "rows declared i.i.d." in text
    names = sorted(path.name for path in (tmp_path / "f").iterdir())
    assert {"learning-curve.png", "learning-curve.svg"} <= set(names)
    assert text.count("<figure>") == len(names) // 2 >= 2


def test_a_report_of_standard_input_has_its_curve(data: Path, tmp_path: Path) -> None:
    result = call(
        "learn", "-", "--report", tmp_path / "r.html", "--format", "svmlight", text=(data / "m.svm").read_bytes() * 200
    )
    assert result.exit_code == 0
    assert "Learning curve" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_report_changes_nothing_that_is_learned(data: Path, tmp_path: Path) -> None:
    call("learn", data / "m.jsonl", "--rule", "perceptron", "--model", tmp_path / "a.lst", "--quiet")
    call(
        "learn",
        data / "m.jsonl",
        "--rule",
        "perceptron",
        "--model",
        tmp_path / "b.lst",
        "--report",
        tmp_path / "r.html",
        "--against",
        "best",
        "--quiet",
    )
    a, b = ls.load(tmp_path / "a.lst"), ls.load(tmp_path / "b.lst")
    assert a.ledger == b.ledger
    assert a.weights == b.weights


def test_going_on_from_a_model_is_one_run(data: Path, model: Path, tmp_path: Path) -> None:
    call("learn", data / "m.svm", "--from", model, "--model", tmp_path / "on.lst", "--quiet")
    call("learn", data / "m.svm", "--rule", "perceptron", data / "m.svm", "--model", tmp_path / "one.lst", "--quiet")
    assert ls.load(tmp_path / "on.lst").ledger == ls.load(tmp_path / "one.lst").ledger
    assert "leave out --rule" in refused("learn", data / "m.svm", "--from", model, "--rule", "winnow", code=2)
    assert "leave out --eta" in refused("learn", data / "m.svm", "--from", model, "--eta", "2", code=2)


def test_what_would_fail_after_a_run_fails_before_it(data: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.lst"
    for wrong in ("--report", "--predictions"):
        assert "no such directory" in refused(
            "learn", data / "m.svm", "--rule", "perceptron", "--model", model, wrong, tmp_path / "no" / "x"
        )
    assert "Is a directory" in refused("learn", data / "m.svm", "--rule", "perceptron", "--model", tmp_path)
    assert "Not a directory" in refused(
        "learn", data / "m.svm", "--rule", "perceptron", "--model", model, "--figures", data / "m.svm"
    )
    assert "there is no such file" in refused(
        "learn", data / "m.svm", "--rule", "perceptron", data / "no.svm", "--model", model
    )
    assert not model.exists()


def test_wrong_usage_is_exit_code_2(data: Path) -> None:
    svm = data / "m.svm"
    assert "there is no rule 'x'" in refused("learn", svm, "--rule", "x", code=2)
    assert "perceptron has no --C; its flags are --eta" in refused("learn", svm, "--rule", "perceptron", "--C", "1", code=2)
    words = refused("learn", svm, "--C", "1", code=2)
    assert words.startswith("--C is a flag of online-svm, passive-aggressive,")
    assert words.endswith("name one of them by --rule")
    assert "--one-versus-rest needs a --rule" in refused("learn", svm, "--one-versus-rest", code=2)
    assert "--task is for the pool" in refused("learn", svm, "--rule", "perceptron", "--task", "labels", code=2)
    assert "C is -1" in refused("learn", svm, "--rule", "passive-aggressive", "--C", "-1", code=2)
    assert "standard input can be read once" in refused("learn", "-", "--certify", code=2)
    assert "standard input can be read once" in refused("learn", "-", "--against", "best", code=2)
    assert "it has no flags of its own" in refused("experts", data / "w.csv", "--truth", "high", "--eta", "1", code=2)


def test_malformed_lines(data: Path) -> None:
    assert (
        refused("learn", data / "bad.svm", "--rule", "perceptron")
        == f"{data / 'bad.svm'}, line 2: got '2:x'; expected index:value"
    )
    result = call("learn", data / "bad.svm", "--rule", "perceptron", "--on-error", "skip")
    assert result.exit_code == 0
    assert "1 malformed line skipped" in result.stderr


def test_standard_input_without_rows_is_said_to_be_so() -> None:
    assert "there is no row to learn from in standard input" in call("learn", "-", text=b"").stderr
    assert "there is no row to learn from in standard input" in call("race", "-", text=b"").stderr


def test_a_file_without_rows_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "empty.svm").write_text("")
    result = call("learn", tmp_path / "empty.svm", "--rule", "perceptron", "--report", tmp_path / "r.html")
    assert result.exit_code == 1
    assert "there is no row to learn from in" in result.stderr
    assert not (tmp_path / "r.html").exists()


# Models.


def test_inspect_tells_everything(data: Path, model: Path) -> None:
    known = json.loads(call("inspect", model, "--json", "--top", "3").stdout)
    assert known["rule"] == "perceptron"
    assert known["parameters"]["eta"] == 1.0
    assert known["ledger"]["rounds"] == 400
    assert known["library version"] == ls.__version__
    assert known["format version"] == 1
    assert len(known["checksum"]) == 16
    assert known["bytes"] == model.stat().st_size
    assert len(known["top"]) == 3
    text = call("inspect", model).stdout
    assert known["checksum"] in text
    assert "largest norm squared" in text
    call("learn", data / "m.jsonl", "--rule", "perceptron", "--model", data / "j.lst", "--quiet")
    top = json.loads(call("inspect", data / "j.lst", "--json", "--top", "8").stdout)["top"]
    assert set(top) <= {*SPAM, *HAM}
    weights = list(map(abs, top.values()))
    assert weights == sorted(weights, reverse=True)


def test_the_checksum_is_of_the_content(data: Path, model: Path, tmp_path: Path) -> None:
    call("learn", data / "m.svm", "--rule", "perceptron", "--certify", "--model", tmp_path / "same.lst", "--quiet")
    call(
        "learn", data / "m.svm", "--rule", "perceptron", "--eta", "2", "--certify", "--model", tmp_path / "other.lst", "--quiet"
    )
    assert stamp(model).checksum == stamp(tmp_path / "same.lst").checksum != stamp(tmp_path / "other.lst").checksum


def test_what_is_no_model_is_refused(data: Path, model: Path, tmp_path: Path) -> None:
    for command in ("inspect", "certify"):
        assert "is not a model file" in refused(command, data / "m.svm")
        assert "cannot be read" in refused(command, tmp_path / "no.lst")
    (tmp_path / "cut.lst").write_bytes(model.read_bytes()[:-70])
    assert "not a sound model file" in refused("inspect", tmp_path / "cut.lst")
    with pytest.raises(ls.InvalidData, match="not a model file"):
        stamp(data / "m.svm")


def test_certify_alone_says_what_it_lacks(model: Path) -> None:
    text = call("certify", model).stdout
    assert "unproved" in text
    assert "give the files it was learned from" in text
    assert "mohri.8.8: unproved" in call("certify", model, "--all").stdout
    assert "risk.anytime: holds" in call("certify", model, "--iid").stdout


@pytest.mark.parametrize("name", ["m.svm", "m.vw", "m.jsonl"])
def test_certify_against_the_best_is_the_library_against_the_best(data: Path, tmp_path: Path, name: str) -> None:
    call("learn", data / name, "--rule", "perceptron", "--model", tmp_path / "m.lst", "--quiet")
    found = json.loads(call("certify", tmp_path / "m.lst", data / name, "--against", "best", "--json").stdout)["certificates"]
    bounds = {certificate["id"]: certificate["bound"] for certificate in found}
    rows, labels = messages(0, 400)
    expected = {c.id: c.bound for c in ls.certify(ls.run(ls.Perceptron(), rows, labels), against="best")}
    for key in ("mohri.8.8", "mohri.8.11", "blum.5.11"):
        assert bounds[key] == pytest.approx(expected[key], rel=0.01)


def test_certify_counts_the_passes(data: Path, tmp_path: Path) -> None:
    call(
        "learn",
        data / "m.svm",
        "--rule",
        "perceptron",
        "--passes",
        "2",
        "--certify",
        "--model",
        tmp_path / "two.lst",
        "--quiet",
    )
    for against in ("best", "average"):
        found = json.loads(call("certify", tmp_path / "two.lst", data / "m.svm", "--against", against, "--json").stdout)
        assert found["ledger"]["rounds"] == 800
        by_id = {c["id"]: c for c in found["certificates"]}
        assert by_id["mohri.8.11"]["assumptions"]["the comparator ran over the same rounds"] is True


def test_certify_against_the_average_is_learn_certify(data: Path, model: Path) -> None:
    learned = json.loads(call("learn", data / "m.svm", "--rule", "perceptron", "--certify", "--json", "--quiet").stdout)[
        "certificates"
    ]
    certified = json.loads(call("certify", model, data / "m.svm", "--against", "average", "--json").stdout)["certificates"]
    assert learned == certified


def test_the_average_is_compared_at_the_scale_at_which_a_theorem_says_most(data: Path, model: Path) -> None:
    found = json.loads(call("certify", model, data / "m.svm", "--against", "average", "--json").stdout)["certificates"]
    bounds = {certificate["id"]: certificate["bound"] for certificate in found}
    loaded = ls.read(data / "m.svm").load()
    run = ls.run(ls.Perceptron(), loaded.X, loaded.y, average=True)
    mean = run.learner.averaged().state.w
    by_scale = [{c.id: c.bound for c in ls.certify(run, against=scale * mean)} for scale in (4, 2, 1, 0.5, 0.25, 0.125, 0.0625)]
    for key in ("mohri.8.11", "mohri.8.12", "blum.5.11", "bylander.2"):
        assert bounds[key] == pytest.approx(min(known[key] for known in by_scale), rel=1e-9)


def test_certify_against_another_model(data: Path, model: Path, tmp_path: Path) -> None:
    rival = tmp_path / "rival.lst"
    call("learn", data / "m.svm", "--rule", "passive-aggressive", "--model", rival, "--quiet")
    found = json.loads(call("certify", model, data / "m.svm", "--against", rival, "--json").stdout)["certificates"]
    u = ls.load(rival).state.w
    loaded = ls.read(data / "m.svm").load()
    expected = {c.id: c.bound for c in ls.certify(ls.run(ls.Perceptron(), loaded.X, loaded.y), against=u)}
    for certificate in (one for one in found if one["id"] != "paired.majority"):
        assert certificate["bound"] == pytest.approx(expected[certificate["id"]], nan_ok=True) or (
            certificate["bound"] is None and np.isnan(expected[certificate["id"]])
        )
    call("learn", data / "m.jsonl", "--rule", "perceptron", "--model", tmp_path / "named.lst", "--quiet")
    assert "known in another way" in refused("certify", model, data / "m.svm", "--against", tmp_path / "named.lst")


def test_certify_refuses_other_rows(data: Path, model: Path, tmp_path: Path) -> None:
    lines = (data / "m.svm").read_text().splitlines(keepends=True)
    (tmp_path / "part.svm").write_text("".join(lines[:300]))
    assert "400 rounds and the files have 300 rows" in refused("certify", model, tmp_path / "part.svm")
    (tmp_path / "double.svm").write_text("".join(lines).replace(":1", ":2"))
    assert "other rows or labels" in refused("certify", model, tmp_path / "double.svm", "--against", "average")
    assert "give the files" in refused("certify", model, "--against", "best", code=2)


def test_learning_loads_nothing_that_it_does_not_use(data: Path) -> None:
    script = (
        "import sys; from littlestone.cli.main import main\n"
        f"try: main(['learn', {str(data / 'm.svm')!r}, '--rule', 'perceptron'])\n"
        "except SystemExit as end: assert end.code == 0\n"
        "heavy = ('rich', 'scipy', 'matplotlib', 'littlestone.theory', 'littlestone.experts', 'littlestone.games')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert found.stdout.splitlines()[-1] == "[]"


# Experts and games.


def test_experts(data: Path, tmp_path: Path) -> None:
    report = tmp_path / "e.html"
    args = ("experts", data / "w.csv", "--truth", "high", "--loss", "absolute", "--rule", "ada-hedge")
    result = call(*args, "--report", report, "--figures", tmp_path / "f")
    assert result.exit_code == 0
    assert "second.adahedge: holds" in result.stdout
    assert "Regret over time" in report.read_text(encoding="utf-8")
    assert len(list((tmp_path / "f").iterdir())) == 4
    summary = json.loads(call(*args, "--json").stdout)
    assert summary["rounds"] == 299
    assert min(summary["mean loss"], key=summary["mean loss"].get) in ("AdaHedge", "uniform mean")
    assert "has no column 'x'" in refused("experts", data / "w.csv", "--truth", "x")
    assert "there is no loss 'x'" in refused("experts", data / "w.csv", "--truth", "high", "--loss", "x")


def test_an_expert_that_sleeps_is_judged_while_awake(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("a,b,y\n1,3,1\n,3,1\n")
    found = json.loads(call("experts", tmp_path / "s.csv", "--truth", "y", "--loss", "absolute", "--json").stdout)["mean loss"]
    assert (found["expert a"], found["expert b"]) == (0.0, 2.0)


def test_solve(data: Path, tmp_path: Path) -> None:
    result = call("solve", data / "g.csv", "--report", tmp_path / "g.html", "--figures", tmp_path / "f")
    assert result.exit_code == 0
    assert "mohri.8.16: holds" in result.stdout
    text = (tmp_path / "g.html").read_text(encoding="utf-8")
    assert "The bracket of the value" in text
    found = json.loads(call("solve", data / "g.csv", "--json").stdout)
    assert found["lower"] <= found["value"] <= found["upper"]
    late = call("solve", data / "g.csv", "--tol", "1e-9", "--method", "self-play", "--max-rounds", "5")
    assert late.exit_code == 1
    assert "Not converged" in late.stderr
    assert "tol is 0.0" in refused("solve", data / "g.csv", "--tol", "0")
    assert "No such file" in refused("solve", data / "no.csv")


# The demonstration.


def test_demo_tells_three_stories_and_writes_one_report(tmp_path: Path) -> None:
    result = call("demo", "--report", tmp_path / "d.html")
    assert result.exit_code == 0
    assert result.stdout.count(": holds: ") == 3
    assert "\x1b" not in result.stdout  # plain when piped
    assert f"Report: {tmp_path / 'd.html'}" in result.stderr
    assert len(result.stdout.splitlines()) < 40
    text = (tmp_path / "d.html").read_text(encoding="utf-8")
    assert text.count("<figure>") >= 6


def test_demo_writes_nothing_that_was_not_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = call("demo", "--json")
    assert [story["certificate"]["verdict"] for story in json.loads(told.stdout)["stories"]] == ["holds"] * 3
    monkeypatch.setattr(demo, "_tell", lambda *_: None)
    assert "No report was written; --report littlestone-demo.html writes one." in call("demo").stderr
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(demo, "sys", SimpleNamespace(stdin=Terminal(), stdout=Terminal()))
    assert "Write a report to littlestone-demo.html? [y/N]" in CliRunner().invoke(main, ["demo"], input="n\n").output
    assert list(tmp_path.iterdir()) == []


class Terminal:
    def isatty(self) -> bool:
        return True


def test_demo_without_the_packages_for_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("littlestone.report.drawing.find_spec", lambda _: None)
    result = call("demo", "--report", tmp_path / "d.html")
    assert result.exit_code == 0
    assert "No report: figures need matplotlib; install littlestone[report]." in result.stderr
    assert not (tmp_path / "d.html").exists()


def test_the_stories_hold_for_other_seeds() -> None:
    for seed in range(1, 4):
        rows, labels = messages(seed, 2000)
        run = ls.run(ls.Perceptron(), rows, labels)
        u = np.array([float(name in SPAM) - float(name in HAM) for name in run.learner.features])
        sign = 1.0 if run.learner.labels[1] == "spam" else -1.0
        assert ls.certify(run, against=sign * u)[0].holds
        names, advice, highs = weather(seed)
        assert ls.aggregate(ls.AdaHedge(), advice, highs, loss="absolute", experts=names).certify()[0].holds


def test_blotto_is_worked_by_hand() -> None:
    """Two battalions against one on two fields: 1-1 takes a field and ties at worst, as 2-0 does against 0-1."""
    payoffs, attacks, defences = blotto(2, 1, 2)
    assert attacks == ("0-2", "1-1", "2-0")
    assert defences == ("0-1", "1-0")
    assert payoffs.tolist() == [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]


def test_json_has_no_words_for_numbers_that_are_not_finite() -> None:
    assert finite({"a": [1.0, float("nan"), {"b": float("-inf")}], "c": "nan"}) == {"a": [1.0, None, {"b": None}], "c": "nan"}


def test_rules_are_listed_by_the_names_that_rule_takes() -> None:
    text = call("rules").stdout
    assert "perceptron: Adds a row" in text
    assert "ada-hedge: " in text
    assert max(map(len, text.splitlines())) < 400
    assert "| `Perceptron` |" in call("rules", "--markdown").stdout


def test_a_model_of_a_family_that_was_not_loaded_yet(tmp_path: Path) -> None:
    learner = ls.Learner(ls.Uniclass(epsilon=0.5))
    learner.learn_many(np.eye(3))
    learner.save(tmp_path / "u.lst")
    command = [sys.executable, "-m", "littlestone", "inspect", str(tmp_path / "u.lst"), "--json"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert (found["rule"], found["ledger"]["rounds"]) == ("uniclass", 3)


def test_predict_names_the_class(tmp_path: Path) -> None:
    learner = ls.Learner(ls.MulticlassPerceptron())
    rows = tmp_path / "x.csv"
    rows.write_text("a,b,c,label\n" + "1,0,0,red\n0,1,0,green\n0,0,1,blue\n" * 3)
    for X, y in ls.read(rows):
        learner.learn_many(X, y)
    learner.save(tmp_path / "m.lst")
    shown = call("predict", tmp_path / "m.lst", rows).stdout.splitlines()
    assert [line.split("\t")[0] for line in shown[:3]] == ["red", "green", "blue"]
    assert float(shown[0].split("\t")[1]) == learner.score_one({"a": 1.0})


def test_weights_in_a_file_count_unless_they_are_ignored(data: Path, tmp_path: Path) -> None:
    weighted = tmp_path / "w.vw"
    weighted.write_text((data / "m.vw").read_text().replace("1 |", "1 2.5 |"))
    for flags, verdict in (((), "unproved"), (("--ignore-weights",), "holds")):
        call("learn", weighted, "--rule", "perceptron", *flags, "--certify", "--model", tmp_path / "m.lst", "--quiet")
        for against in ("best", "average"):
            found = json.loads(call("certify", tmp_path / "m.lst", weighted, "--against", against, "--json").stdout)
            assert {c["id"]: c["verdict"] for c in found["certificates"]}["mohri.ex8.11"] == verdict


@pytest.mark.parametrize(
    ("flags", "rule"),
    [
        (("--C", "0.1"), ls.PassiveAggressive(variant="PA-I", C=0.1)),
        (("--gamma", "2"), ls.PassiveAggressive(variant="relaxed", gamma=2)),
        (("--variant", "PA-II", "--C", "0.1"), ls.PassiveAggressive(variant="PA-II", C=0.1)),
        ((), ls.PassiveAggressive()),
    ],
)
def test_a_parameter_asks_for_the_variant_that_has_it(
    data: Path, tmp_path: Path, flags: tuple[str, ...], rule: ls.LinearRule
) -> None:
    model = tmp_path / "m.lst"
    assert call("learn", data / "m.svm", "--rule", "passive-aggressive", *flags, "--model", model).exit_code == 0
    assert ls.load(model).rule == rule
    words = refused("learn", data / "m.svm", "--rule", "passive-aggressive", "--variant", "PA", "--C", "1", code=2)
    assert words == 'passive-aggressive: --C is 1; --C has no meaning for "PA"'


# Many classes.


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows of three classes around three corners."""
    chance = np.random.default_rng(5)
    labels = chance.integers(0, 3, size=300)
    X = chance.normal(0.0, 0.5, size=(300, 3)) + 1.5 * np.eye(3)[labels]
    lines = [f"{y} " + " ".join(f"{i + 1}:{v:.4f}" for i, v in enumerate(x)) for x, y in zip(X, labels, strict=True)]
    path = tmp_path_factory.mktemp("three") / "three.svm"
    path.write_text("\n".join(lines) + "\n")
    return path


def multiclass(path: Path, rule: ls.LinearRule) -> ls.Run:
    loaded = ls.read(path).load()
    return ls.run(rule, loaded.X, loaded.y)


def test_a_run_of_many_classes_is_compared_with_its_last_weights(three: Path, tmp_path: Path) -> None:
    """At several scales, each theorem at the best: no worse than the library against the weights themselves."""
    report, figures, model = tmp_path / "r.html", tmp_path / "figures", tmp_path / "m.lst"
    rule = ("--rule", "multiclass-perceptron")
    told = json.loads(call("learn", three, *rule, "--certify", "--json", "--model", model).stdout)
    run = multiclass(three, ls.MulticlassPerceptron())
    known = {certificate.id: certificate for certificate in run.certify(against=run.state.w)}
    shown = {certificate["id"]: certificate for certificate in told["certificates"]}
    assert set(shown) == set(known) == {"crammer.mp", "crammer.mph"}
    assert shown["crammer.mph"]["verdict"] == "holds"
    assert run.ledger.updates <= shown["crammer.mph"]["bound"] <= known["crammer.mph"].bound
    again = json.loads(call("certify", model, three, "--json").stdout)
    assert {one["id"]: one["bound"] for one in again["certificates"]} == {key: one["bound"] for key, one in shown.items()}
    assert call("learn", three, *rule, "--report", report, "--figures", figures).exit_code == 0
    assert "crammer.mph" in report.read_text("utf-8")
    assert "weights at the end of the run" in report.read_text("utf-8")
    assert (figures / "bounds-updates.svg").exists()


def test_many_classes_against_another_model(three: Path, tmp_path: Path) -> None:
    mine, rival = tmp_path / "mine.lst", tmp_path / "rival.lst"
    call("learn", three, "--rule", "multiclass-perceptron", "--model", mine, "--quiet")
    call("learn", three, "--rule", "passive-aggressive", "--one-versus-rest", "--model", rival, "--quiet")
    told = json.loads(call("certify", mine, three, "--against", rival, "--json").stdout)
    run = multiclass(three, ls.MulticlassPerceptron())
    U = multiclass(three, ls.OneVersusRest(rule=ls.PassiveAggressive())).state.w
    wanted = {certificate.id: certificate for certificate in run.certify(against=U)}
    for shown in told["certificates"]:
        assert shown["verdict"] == wanted[shown["id"]].verdict.value
        assert shown["bound"] == pytest.approx(wanted[shown["id"]].bound) or shown["bound"] is None


def test_a_third_label_says_which_flag_helps(three: Path) -> None:
    assert refused("learn", three, "--rule", "perceptron").endswith(
        "learn by a rule of many classes, such as ls.Pool() or ls.OneVersusRest (--one-versus-rest)"
    )
    assert call("learn", three, "--rule", "perceptron", "--one-versus-rest").exit_code == 0


def test_the_best_of_many_classes_is_refused_before_anything_is_learned(three: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.lst"
    rule = ("--rule", "multiclass-perceptron", "--model", model)
    words = "no best weights of many classes are solved for; leave out --against best"
    assert refused("learn", three, *rule, "--against", "best") == words
    assert not model.exists()
    call("learn", three, *rule, "--quiet")
    assert refused("certify", model, three, "--against", "best") == words


@pytest.mark.parametrize(
    "rule",
    [ls.OneVersusRest(rule=ls.Perceptron()), ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=ls.kernels.Gaussian()))],
    ids=["linear", "kernel"],
)
def test_a_model_whose_theorems_want_weights_for_each_class(rule: ls.LinearRule, three: Path, tmp_path: Path) -> None:
    model, report = tmp_path / "m.lst", tmp_path / "r.html"
    multiclass(three, rule).learner.save(model)
    for files in ((), (three,)):
        said = call("certify", model, *files)
        assert said.exit_code == 0
        proved = bool(files) and not isinstance(rule.parameters()["rule"], ls.KernelPerceptron)
        assert ("rest.perceptron" in said.stdout) == proved
        assert f"{2 - proved} unproved, where an assumption fails or cannot be checked" in said.stdout
    words = "OneVersusRest is compared with the best alone; leave out --against average"
    assert refused("certify", model, three, "--against", "average") == words
    assert call("learn", three, "--from", model, "--report", report).exit_code == 0
    assert "Learning curve" in report.read_text("utf-8")


# Kernels, and one class.


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two classes that no line divides: inside and outside a circle."""
    chance = np.random.default_rng(6)
    X = chance.normal(size=(150, 2))
    lines = [f"{1 if x @ x > 1.4 else -1} 1:{x[0]:.4f} 2:{x[1]:.4f}" for x in X]
    path = tmp_path_factory.mktemp("ring") / "ring.svm"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_kernel_is_spelled_with_its_parameters(ring: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.lst"
    flags = ("--rule", "kernel-perceptron", "--kernel", "polynomial:degree=2,gamma=0.5", "--budget", "40", "--model", model)
    assert call("learn", ring, *flags).exit_code == 0
    learner, loaded = ls.load(model), ls.read(ring).load()
    assert learner.rule == ls.KernelPerceptron(kernel=ls.kernels.Polynomial(degree=2, gamma=0.5), budget=40)
    assert learner.ledger == ls.run(learner.rule, loaded.X, loaded.y).ledger
    assert learner.ledger.mistake_rate < 0.25  # a line would be wrong on a third


@pytest.mark.parametrize(
    ("spelled", "words"),
    [
        ("gauss", "there is no kernel 'gauss'; there are linear, polynomial, gaussian, laplace"),
        ("gaussian:sigma=2", "the kernel gaussian has no parameter 'sigma'; its parameters: gamma"),
        ("linear:gamma=1", "the kernel linear has no parameter 'gamma'; its parameters: none"),
        ("gaussian:gamma=wide", "gamma is 'wide'; gamma must be a number"),
        ("gaussian:gamma", "gamma is ''; gamma must be a number"),
        ("gaussian:gamma=-1", "Gaussian: gamma is -1; gamma must be a finite number above 0"),
        ("polynomial:degree=1.5", "Polynomial: degree is 1.5; degree must be a whole number, at least 1"),
    ],
)
def test_a_kernel_that_is_none(ring: Path, spelled: str, words: str) -> None:
    assert refused("learn", ring, "--rule", "kernel-perceptron", "--kernel", spelled, code=2) == words


def test_a_kernel_rule_needs_a_kernel(ring: Path) -> None:
    words = refused("learn", ring, "--rule", "kernel-passive-aggressive", code=2)
    assert words.startswith("kernel-passive-aggressive needs --kernel: linear, polynomial, gaussian or laplace")
    words = refused("learn", ring, "--rule", "perceptron", "--kernel", "linear", code=2)
    assert words.startswith("perceptron has no --kernel; its flags are")


@pytest.mark.parametrize(
    "flags",
    [("--rule", "kernel-perceptron", "--kernel", "gaussian"), ("--rule", "uniclass", "--epsilon", "4")],
    ids=["kernel", "ball"],
)
def test_what_has_no_weights_is_compared_with_the_best_of_its_space(ring: Path, tmp_path: Path, flags: tuple[str, ...]) -> None:
    model, report = tmp_path / "m.lst", tmp_path / "r.html"
    assert call("learn", ring, *flags, "--model", model, "--report", report).exit_code == 0
    assert "Learning curve" in report.read_text("utf-8")
    learner, loaded = ls.load(model), ls.read(ring).load()
    run = ls.run(learner.rule, loaded.X, loaded.y) if not learner.rule.abilities.alone else ls.run(learner.rule, loaded.X)
    told = json.loads(call("certify", model, ring, "--json").stdout)["certificates"]
    wanted = {certificate.id: certificate for certificate in run.certify(against="best")}
    beyond = [found for found in [learner.ledger.beats_majority()] if found.holds]  # of all comparators, before the others
    assert [one["id"] for one in told] == [found.id for found in (*beyond, *wanted.values())]
    assert len(beyond) == (not learner.rule.abilities.alone)
    wanted |= {found.id: found for found in beyond}
    assert "holds" in {one["verdict"] for one in told}
    for one in told:
        assert one["verdict"] == wanted[one["id"]].verdict.value
        assert one["bound"] is None or one["bound"] == pytest.approx(wanted[one["id"]].bound)
    name = type(learner.rule).__name__
    for against in ("average", str(model)):
        words = refused("certify", model, ring, "--against", against)
        assert words == f"{name} is compared with the best alone; leave out --against {against}"


def test_a_ball_says_what_lies_outside(ring: Path, tmp_path: Path) -> None:
    """A rule of one class learns rows, whatever labels they have; progressive and later predictions are its words."""
    model, predictions = tmp_path / "m.lst", tmp_path / "p.tsv"
    call("learn", ring, "--rule", "uniclass", "--epsilon", "1.5", "--model", model, "--predictions", predictions, "--quiet")
    X = ls.read(ring).load().X
    run = ls.run(ls.Uniclass(epsilon=1.5), X, keep=("score", "prediction"))
    words = run.learner.label_values(run.columns["prediction"])
    assert [line.split("\t")[0] for line in predictions.read_text().splitlines()] == words.tolist()
    later = [line.split("\t")[0] for line in call("predict", model, ring).stdout.splitlines()]
    assert later == run.learner.predict_many(X).tolist()
    assert {"inside", "outside"} == set(later)


def test_predictions_of_many_classes_are_labels(three: Path, tmp_path: Path) -> None:
    """Before the first class there is none; the margin is not shown, for it knows the truth."""
    predictions = tmp_path / "p.tsv"
    call("learn", three, "--rule", "multiclass-perceptron", "--predictions", predictions, "--quiet")
    loaded = ls.read(three).load()
    run = ls.run(ls.MulticlassPerceptron(), loaded.X, loaded.y, keep=("prediction",))
    shown = run.learner.label_values(run.columns["prediction"]).tolist()
    assert shown[0] is None
    assert predictions.read_text().splitlines() == ["", *(f"{label:g}" for label in shown[1:])]


# What the pages promise.

ROOT = Path(__file__).parent.parent


def promised() -> list[str]:
    """Every command line that a page shows within its sentences."""
    others = {ROOT / "docs" / "serving.md"}  # which has a test of its own, with a server
    pages = [ROOT / "README.md", *sorted({*(ROOT / "docs").glob("*.md")} - others)]
    texts = [re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL) for page in pages]
    commands = {" ".join(found.split()) for text in texts for found in re.findall(r"`(littlestone [^`]+)`", text)}
    return sorted(command for command in commands if command != "littlestone learn")


def test_the_commands_of_the_pages_run(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("train.svm", "train.vw", "test.vw", "mail.vw"):
        (tmp_path / name).write_bytes((data / f"m.{name.split('.')[1]}").read_bytes())
    (tmp_path / "game.csv").write_text("0,-1,1\n1,0,-1\n-1,1,0\n")
    (tmp_path / "new.svm").write_text("1 1:0.25\n-1 1:-0.75 2:0.5\n")
    (tmp_path / "forecasts.csv").write_text("\n".join(["low,high,load", *["1.0,3.0,2.0"] * 30]) + "\n")
    for name in ("today", "lastweek"):
        assert call("learn", "train.svm", "--rule", "perceptron", "--model", f"{name}.lst").exit_code == 0
    commands = promised()
    assert any("--C 0.1" in command for command in commands)
    for command in commands:  # `learn` stands before `predict`, which reads its model
        result = call(*shlex.split(command)[1:])
        assert result.exit_code == 0, (command, result.output)
