"""The command line without a rule: the pool, and what it takes a file for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.tally import Tally
from test_cli import call, refused


def written(path: Path, outcomes: list[object]) -> Path:
    source = np.random.default_rng(0)
    rows = [f"{outcome},{source.normal():.3f},{source.normal():.3f}" for outcome in outcomes]
    path.write_text("\n".join(["y,a,b", *rows]) + "\n")
    return path


def learned(path: Path, *flags: str) -> Result:
    result = call("learn", path, "--label", "y", *flags)
    assert result.exit_code == 0, result.stderr
    return result


CASES: list[tuple[list[object], str]] = [
    (["spam", "ham", "ham"] * 9, "labels are learned: words"),
    ([0, 1] * 9, "labels are learned: 2 whole numbers in the first 18 rows; --task targets"),
    (list(range(20)), "labels are learned: 20 whole numbers"),
    (list(range(21)), "targets are learned: numbers"),
    ([0.5, 1, 2], "targets are learned: numbers in the first 3 rows; --task labels"),
]


@pytest.mark.parametrize(("outcomes", "reason"), CASES, ids=lambda case: str(case)[:30])
def test_the_first_rows_tell_the_task(tmp_path: Path, outcomes: list[object], reason: str) -> None:
    path = written(tmp_path / "d.csv", outcomes)
    assert reason in learned(path).stderr
    learned(path, "--model", str(tmp_path / "m.lst"), "--quiet")
    model = ls.load(tmp_path / "m.lst")
    assert isinstance(model, ls.Learner)
    assert isinstance(model.rule, ls.Pool if reason.startswith("labels") else ls.PoolRegression)


def test_a_task_that_was_said_is_kept(tmp_path: Path) -> None:
    path = written(tmp_path / "d.csv", [0, 1] * 9)
    assert "are learned" not in learned(path, "--task", "targets").stderr
    learned(path, "--task", "targets", "--model", str(tmp_path / "m.lst"), "--quiet")
    assert isinstance(ls.load(tmp_path / "m.lst").rule, ls.PoolRegression)
    learned(written(tmp_path / "e.csv", list(range(30))), "--task", "labels")


def test_texts_are_not_taken_for_labels(tmp_path: Path) -> None:
    texts = written(tmp_path / "t.csv", [f"message {k % 60}" for k in range(100)])
    assert "60 different words among the labels of the first 100 rows; name another" in refused("learn", texts, "--label", "y")
    learned(texts, "--task", "labels")
    learned(written(tmp_path / "few.csv", [f"message {k % 50}" for k in range(100)]))


def test_a_model_has_its_task(tmp_path: Path) -> None:
    """What was said beside --from would change nothing, and is refused."""
    path, model = written(tmp_path / "t.csv", ["a", "b"] * 9), tmp_path / "m.lst"
    learned(path, "--model", str(model), "--task", "labels")
    told = refused("learn", path, "--label", "y", "--from", str(model), "--task", "targets", code=2)
    assert told == "the model of --from has its own rule and parameters; leave out --task"
    learned(path, "--model", str(model), "--resume", "--task", "labels", "--force")


def test_what_contradicts_later_is_refused(tmp_path: Path) -> None:
    first, later = written(tmp_path / "a.csv", [0, 1] * 9), written(tmp_path / "b.csv", [0.5, 1.0])
    assert "--task targets" in refused("learn", first, later, "--label", "y")
    assert "--task labels" in refused("learn", later, written(tmp_path / "c.csv", ["x", "y"]), "--label", "y")


def test_the_run_shows_its_proof_without_being_asked(tmp_path: Path) -> None:
    result = learned(written(tmp_path / "d.csv", ["no", "yes"] * 60))
    assert "pool.master: holds" in result.stdout or "pool.master: vacuous" in result.stdout


def test_predictions_with_probabilities(tmp_path: Path) -> None:
    path = written(tmp_path / "d.csv", ["no", "yes", "perhaps"] * 30)
    learned(path, "--model", str(tmp_path / "m.lst"), "--quiet")
    lines = call("predict", tmp_path / "m.lst", path, "--probabilities").stdout.splitlines()
    model = ls.load(tmp_path / "m.lst")
    assert len(lines) == 90
    label, *chances = lines[0].split("\t")
    assert label == model.labels[int(np.argmax(np.array(chances, dtype=float)))]
    assert sum(map(float, chances)) == pytest.approx(1.0)


def errors_of_the_commonest(labels: list[str]) -> int:
    """Of whoever shows the label met most often; of several, the one that was so first."""
    shown: str | None = None
    errors = 0
    for t, label in enumerate(labels):
        errors += label != shown
        counts = {name: labels[: t + 1].count(name) for name in labels[: t + 1]}
        if shown is None or counts[label] > counts[shown]:
            shown = label
    return errors


@given(
    chunks=st.lists(st.lists(st.sampled_from("ab"), max_size=6), max_size=4), late=st.lists(st.sampled_from("abc"), max_size=6)
)
def test_labels_that_wait_are_counted_as_if_one_by_one(chunks: list[list[str]], late: list[str]) -> None:
    tally = Tally()
    for chunk in chunks:
        tally.note(np.array(chunk, dtype=object))
    met = [label for chunk in chunks for label in chunk]
    assert tally.errors == errors_of_the_commonest(met)
    tally.note(np.array(late, dtype=object))
    assert (tally.errors, tally.rounds) == (errors_of_the_commonest(met + late), len(met + late))


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("--views", "bins"), "pool: --views is bins; --views must be raw,bins,pairs or raw"),
        (("--costs", "5"), "pool: --costs is 5; --costs must be MISS,ALARM, such as 5,1"),
        (("--costs", "5,-1"), "pool: --costs is 5,-1; --costs must be MISS,ALARM, such as 5,1"),
        (("--members", "arow,foo"), "pool: --members is arow,foo; --members must be some of arow,adagrad-logistic,"),
    ],
)
def test_flags_are_told_as_they_are_typed(tmp_path: Path, typed: tuple[str, str], told: str) -> None:
    path = written(tmp_path / "d.csv", [0, 1] * 9)
    assert refused("learn", path, "--label", "y", "--rule", "pool", *typed, code=2).startswith(told)


def test_a_flag_of_one_rule_names_it(tmp_path: Path) -> None:
    path = written(tmp_path / "d.csv", [0, 1] * 9)
    assert refused("learn", path, "--label", "y", "--costs", "5,1", code=2) == (
        "--costs is a flag of pool; say --rule pool with it"
    )


def test_a_model_is_shown_by_what_it_has(tmp_path: Path) -> None:
    """A pool has no one vector of weights, and one for targets has no labels."""
    for outcomes, some in ((["a", "b"] * 9, True), ([0.5, 1.5] * 9, False)):
        model = tmp_path / f"{some}.lst"
        learned(written(tmp_path / "t.csv", list(outcomes)), "--model", str(model))
        told = call("inspect", str(model)).stdout
        assert "nonzero weights" not in told
        assert ("\nlabels " in told) == some
