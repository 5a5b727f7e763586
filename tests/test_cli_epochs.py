"""`littlestone learn --workers`: files cut into pieces, learned at once, mixed and reported."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import littlestone as ls
from littlestone.cli.main import main
from littlestone.report.drawing import drawn_together
from littlestone.report.shards import by_partition
from littlestone.streams.synthetic import linear_labels


def call(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    X, y, _ = linear_labels(rows=400, features=4, margin=0.1, seed=2)
    path = tmp_path / "rows.svm"
    lines = [f"{label} " + " ".join(f"{k + 1}:{v:.4f}" for k, v in enumerate(x)) for x, label in zip(X, y, strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_file_is_cut_into_pieces_that_are_learned_at_once(rows: Path, tmp_path: Path) -> None:
    result = call(
        "learn", rows, "--rule", "perceptron", "--workers", 3, "--epochs", 4, "--model", tmp_path / "m.lst", "--certify"
    )
    assert result.exit_code == 0
    pieces = ls.read(rows).pieces(3)
    run = ls.epochs(pieces, ls.Perceptron(), epochs=4, missing="skip")
    assert sum(len(X) for piece in pieces for X, _ in piece) == 400
    assert ls.load(tmp_path / "m.lst").state.w.tobytes() == run.learner.state.w.tobytes()
    assert "3 partitions, 4 epochs" in result.stdout
    assert "mixing.perceptron" in result.stdout or "mcdonald.3" in result.stdout
    assert "epoch 4 of 4, 3 partitions: 400 rounds" in result.stderr
    assert "mixed error" in result.stderr


def test_json_and_a_report_have_the_shards_side_by_side(rows: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    report = tmp_path / "run.html"
    words = ("--rule", "perceptron", "--workers", 2, "--epochs", 3, "--report", report, "--json", "--quiet", "--iid")
    found = json.loads(call("learn", rows, *words).stdout)
    assert (found["partitions"], len(found["epochs"]), len(found["shards"][0])) == (2, 3, 2)
    assert {"mcdonald.3", "mixing.perceptron"} <= {certificate["id"] for certificate in found["certificates"]}
    page = report.read_text()
    for words_on_page in ("The partitions side by side", "rows.svm, piece 1", "rows.svm, piece 2", "Share in the mixture"):
        assert words_on_page in page


def test_quiet_prints_no_proof_that_was_not_asked_for(rows: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    words = ("learn", rows, "--rule", "perceptron", "--workers", 2, "--quiet", "--report")
    assert call(*words, tmp_path / "a.html").stdout == ""
    assert "mixing.perceptron" in call(*words, tmp_path / "b.html", "--certify").stdout


def test_the_chart_of_epochs_speaks_of_what_it_draws() -> None:
    X, y, _ = linear_labels(rows=60, features=3, margin=0.1)
    parts = [(X[:30], y[:30]), (X[30:], y[30:])]
    for test, drawn in ((None, False), ((X, y), True)):
        chart = by_partition(ls.epochs(parts, ls.Perceptron(), epochs=2, test=test), ["a", "b"])
        assert ("the mixture" in [line.name for line in chart.lines]) == drawn
        assert ("the mixture" in chart.words) == drawn
        axes = drawn_together([chart]).axes[0]
        assert all(float(tick).is_integer() for tick in axes.get_xticks())


def test_files_are_partitions_where_there_are_enough(rows: Path, tmp_path: Path) -> None:
    lines = rows.read_text().splitlines(keepends=True)
    for k in range(3):
        (tmp_path / f"part-{k}.svm").write_text("".join(lines[k::3]))
    places = [tmp_path / f"part-{k}.svm" for k in range(3)]
    call("learn", *places, "--rule", "perceptron", "--workers", 2, "--model", tmp_path / "m.lst", "--quiet")
    run = ls.epochs(places, ls.Perceptron(), missing="skip")
    assert ls.load(tmp_path / "m.lst").state.w.tobytes() == run.learner.state.w.tobytes()


def test_a_file_without_rows_is_refused_and_one_among_others_is_not(rows: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.svm"
    empty.touch()
    words = ("--rule", "perceptron", "--workers", 2, "--model", tmp_path / "m.lst")
    refused = call("learn", empty, *words)
    assert refused.exit_code == 1
    assert "there is no row to learn from in" in refused.stderr
    assert not (tmp_path / "m.lst").exists()
    assert "2 partitions, 1 epoch, " in call("learn", empty, rows, *words).stdout


@pytest.mark.parametrize("count", [1, 2, 3, 7, 50])
def test_pieces_of_a_table_are_its_records_in_order(tmp_path: Path, count: int) -> None:
    """Fields in quotes may hold the end of a line, which is no end of a record."""
    path = tmp_path / "rows.csv"
    words = ['"two\nlines"', "plain", '"a ""quote"""', '"x\n\ny"']
    path.write_text("\ufeffname,v,y\n" + "".join(f"{words[t % 4]},{t},{t % 2}\n" for t in range(40)))
    whole = ls.read(path).load()
    pieces = ls.read(path).pieces(count)
    assert len(pieces) == count
    found = [y for piece in pieces for _, y in piece]
    np.testing.assert_array_equal(np.concatenate(found), whole.y)
    assert ls.epochs(pieces, ls.Perceptron()).learner.ledger.rounds == 40


def test_a_bad_line_of_a_piece_has_its_number_in_the_file(rows: Path) -> None:
    lines = rows.read_text().splitlines(keepends=True)
    lines[333] = "1 x:y\n"
    rows.write_text("".join(lines))
    with pytest.raises(ls.InvalidPartition, match=r"partition 3 \(.*rows.svm\): .*rows.svm, line 334: got"):
        ls.epochs(ls.read(rows).pieces(4), ls.Perceptron())


def test_what_cannot_be_cut_is_refused(rows: Path, tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "rows.svm.gz"
    path.write_bytes(gzip.compress(rows.read_bytes()))
    result = call("learn", path, "--rule", "perceptron", "--workers", 2)
    assert result.exit_code == 1
    assert "cannot be cut into pieces; give a plain text file, or as many files as workers" in result.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--epochs", 2), "--epochs and --unproved are for --workers"),
        (("--workers", 2), "--workers mixes learners of a rule; name one by --rule"),
        (("--workers", 2, "--rule", "perceptron", "--passes", 2), "--passes is for one learner of all rows"),
        (("--workers", 2, "--rule", "perceptron", "--from", "m.lst"), "--from is for one learner of all rows"),
    ],
)
def test_what_has_no_meaning_for_workers_is_refused(rows: Path, words: tuple[object, ...], sentence: str) -> None:
    result = call("learn", rows, *words)
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_a_rule_that_no_theorem_carries_is_refused_or_mixed_unproved(rows: Path) -> None:
    words = ("--rule", "margin-perceptron", "--rho", 0.1, "--workers", 2)
    assert "MarginPerceptron cannot be mixed: it divides by a norm" in call("learn", rows, *words).stderr
    assert call("learn", rows, *words, "--unproved").exit_code == 0
