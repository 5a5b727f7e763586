"""The paired comparison: true at every moment at once, of drifting streams too, and soon of use."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.cli.main import main
from littlestone.streams.synthetic import linear_labels
from test_comparators import svmlight


def test_the_one_round_inequality_it_rests_on() -> None:
    """E exp(λ(d − Ed) − ψ(λ)(d − g)²) ≤ 1 for d in [−1, 1], two values at random, any guess g and λ < ½."""
    random = np.random.default_rng(0)
    low, high, guess = random.uniform(-1, 1, (3, 20_000))
    p, rate = random.random(20_000), random.uniform(0.0, 0.499, 20_000)
    psi = (-np.log1p(-2.0 * rate) - 2.0 * rate) / 4.0
    mean = p * low + (1.0 - p) * high

    def term(d: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        value: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = np.exp(rate * (d - mean) - psi * (d - guess) ** 2)
        return value

    assert (p * term(low) + (1.0 - p) * term(high) <= 1.0 + 1e-12).all()


@pytest.mark.parametrize("drift", [0.0, 0.8])
def test_it_rarely_ever_fails_however_often_one_looks(drift: float) -> None:
    """Differences −1, 0, 1 whose expectation moves with time and with the past: looked at in 300 rounds of 150 streams."""
    random, failed = np.random.default_rng(1), 0
    for _ in range(150):
        pair, expected, out = ls.PairedComparison(delta=0.2), 0.0, False
        for t in range(300):
            mean = drift * math.sin(t / 40.0) * (0.5 if pair.total > 0.0 else 1.0)
            d = int(random.choice([-1, 0, 1], p=[(1 - mean) / 3, 1 / 3, (1 + mean) / 3]))
            expected += 2.0 * mean / 3.0
            pair.note(float(d > 0), float(d < 0))
            if t % 20 == 0:
                out |= not pair.low <= expected / (t + 1) <= pair.high
        failed += out
    assert failed <= 0.2 * 150


def test_an_interval_for_one_moment_fails_when_looked_at_in_every_one() -> None:
    """The mutant: Hoeffding at each round, without a word about time."""
    random, failed = np.random.default_rng(1), 0
    for _ in range(100):
        sums = np.cumsum(random.choice([-1.0, 1.0], 3000))
        rounds = np.arange(1, 3001)
        failed += bool((np.abs(sums) / rounds > np.sqrt(2.0 * math.log(2 / 0.2) / rounds)).any())
    assert failed > 0.2 * 100


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_the_two_sides_mirror_each_other(rounds: list[tuple[bool, bool]]) -> None:
    one, other = ls.PairedComparison(), ls.PairedComparison()
    for a, b in rounds:
        one.note(a, b)
        other.note(b, a)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))
    assert -1.0 <= one.low <= one.difference <= one.high <= 1.0
    assert one.discordant == sum(a != b for a, b in rounds)


def test_by_hand() -> None:
    """Two rounds: d = 1, −1, guesses 0 and 1: S = 0, V = 1 + 4. After 1,000 rounds of d = −1 the first is better for sure."""
    pair = ls.PairedComparison()
    assert (pair.low, pair.high, pair.better) == (-1.0, 1.0, None)
    pair.note(1.0, 0.0)
    pair.note(0.0, 1.0)
    assert (pair.total, pair.spread, pair.rounds) == (0.0, 5.0, 2)
    assert str(pair).startswith("neither is proved better: mean difference 0 in [-1, 1] over 2 rounds")
    sure = ls.PairedComparison()
    sure.note_many([0.0] * 1000, [1.0] * 1000)
    assert sure.better == "first"
    assert sure.high < -0.95
    assert sure.evidence > 1e6
    assert "the first is better" in str(sure)


def test_runs_over_the_same_rows_are_compared_and_others_refused() -> None:
    X, y, _ = linear_labels(rows=1500, features=5, margin=0.05)
    keep = ("mistake", "loss")
    learned = ls.run(ls.Perceptron(), X, y, keep=keep)
    fixed = ls.run(ls.Fixed(weights=-np.ones(5)), X, y, keep=keep, labels=learned.learner.labels)
    assert ls.compare(learned, fixed).better == "first"
    assert ls.compare(fixed, learned).better == "second"
    assert ls.compare(learned).better == "first"
    assert ls.compare(learned, learned).better is None
    assert ls.compare(learned, fixed, loss="loss", largest=100.0).rounds == 1500
    shuffled = ls.run(ls.Perceptron(), X[::-1], y[::-1], keep=keep, labels=learned.learner.labels)
    with pytest.raises(ls.InvalidData, match="in another order"):
        ls.compare(learned, shuffled)
    with pytest.raises(ls.InvalidData, match="losses must be between 0 and"):
        ls.compare(learned, fixed, loss="loss", largest=1e-6)
    with pytest.raises(ls.NotApplicable, match="make it with keep="):
        ls.compare(ls.run(ls.Perceptron(), X, y), learned)
    with pytest.raises(ls.NotApplicable, match="2 passes"):
        ls.compare(ls.run(ls.MarginPerceptron(rho=9.0), X, y, passes=2, keep=keep), learned)
    targets = ls.run(ls.PassiveAggressiveRegression(), X, np.ones(1500), keep=keep)
    with pytest.raises(ls.NotApplicable, match="no majority"):
        ls.compare(targets)
    with pytest.raises(ls.NotApplicable, match="the majority has mistakes only"):
        ls.compare(learned, loss="loss")


@pytest.mark.parametrize(("delta", "largest"), [(0.0, 1.0), (1.0, 1.0), (0.05, 0.0), (0.05, math.inf)])
def test_bad_numbers_are_refused(delta: float, largest: float) -> None:
    with pytest.raises(ls.InvalidParameter):
        ls.PairedComparison(delta=delta, largest=largest)


@pytest.mark.parametrize(("name", "width"), [("a9a", 123), ("mushrooms", 112), ("splice", 60)])
def test_real_streams_are_proved_better_than_the_majority(name: str, width: int) -> None:
    X, y = svmlight(name, width)
    run = ls.run(ls.PassiveAggressive(variant="PA-I", C=0.01), X, y, keep=("mistake",))
    pair = ls.compare(run)
    assert pair.low <= pair.difference <= pair.high < 0.0
    assert pair.better == "first"


# --- rounds by the hundred, and models


@given(st.lists(st.tuples(st.floats(0.0, 2.0), st.floats(0.0, 2.0)), max_size=60), st.integers(0, 60))
def test_many_rounds_are_noted_with_the_bits_of_one_after_another(rounds: list[tuple[float, float]], cut: int) -> None:
    single, many = ls.PairedComparison(largest=2.0), ls.PairedComparison(largest=2.0)
    for first, second in rounds:
        single.note(first, second)
    for part in (rounds[:cut], rounds[cut:]):
        many.note_many([first for first, _ in part], [second for _, second in part])
    assert many == single
    with pytest.raises(ls.InvalidData, match=r"a loss is 2\.5"):
        many.note_many([0.0, 2.5], [0.0, 0.0])
    with pytest.raises(ls.InvalidData, match="expected one of either per round"):
        many.note_many([0.0, 1.0], [0.0])
    assert many == single


def models(tmp_path: Path) -> tuple[list[str], list[str]]:
    """A good and a bad model in files, and rows they have learned and rows they have not."""
    X, y, _ = linear_labels(1200, 4, margin=0.1)
    lines = [f"{int(label)} " + " ".join(f"{k + 1}:{v:.6f}" for k, v in enumerate(x)) for x, label in zip(X, y, strict=True)]
    files = [str(tmp_path / name) for name in ("old.svm", "new.svm", "good.lst", "bad.lst")]
    for file, part in zip(files, (lines[:600], lines[600:]), strict=False):
        Path(file).write_text("\n".join(part) + "\n")
    good, bad = ls.Learner(ls.PassiveAggressive()), ls.Learner(ls.PassiveAggressive(variant="PA-I", C=1e-6))
    for rows, labels in ls.read(files[0]):
        good.learn_many(rows, labels)
    for rows, labels in ls.read(files[0]):
        bad.learn_many(rows, [-label for label in labels.tolist()])
    good.save(files[2])
    bad.save(files[3])
    return files[:2], files[2:]


def told(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["compare", *arguments])


def test_two_saved_models_are_compared_on_rows_that_are_new_to_both(tmp_path: Path) -> None:
    (old, new), (good, bad) = models(tmp_path)
    result = told(good, bad, new)
    assert result.exit_code == 0, result.output
    assert "the first is better: mean difference" in result.output
    assert "(declared; that it was not these very rows was checked)" in result.output
    said = json.loads(told(bad, good, new, "--json").output)
    assert (said["better"], said["rounds"]) == ("second", 600)
    pair = ls.PairedComparison()
    rows, labels = next(iter(ls.read(new)))
    pair.note_many(*(np.asarray(ls.load(file).predict_many(rows) != labels, dtype=float) for file in (bad, good)))
    assert (said["low"], said["high"]) == (pair.low, pair.high)
    assert said["first"]["mean_loss"] == pytest.approx(pair.means[0])
    assert json.loads(told(good, good, new, "--json").output)["better"] is None
    for learn in ((), ("--learn",)):
        refused = told(good, bad, old, *learn)
        assert refused.exit_code == 1
        assert "the first model has learned these rows before; give rows that are new to both" in refused.output


def test_models_learn_on_the_way_where_they_are_told_to_and_their_files_stay(tmp_path: Path) -> None:
    (_, new), (good, bad) = models(tmp_path)
    before = Path(bad).read_bytes()
    said = json.loads(told(good, bad, new, "--learn", "--json", "--report", str(tmp_path / "r.html")).output.splitlines()[0])
    learner = ls.load(bad)
    for rows, labels in ls.read(new):
        learner.learn_many(rows, labels)
    assert said["second"]["mean_loss"] == pytest.approx((learner.ledger.shown_errors - ls.load(bad).ledger.shown_errors) / 600)
    assert Path(bad).read_bytes() == before
    page = (tmp_path / "r.html").read_text()
    assert "Who is better" in page
    assert "The first is proved better." in page


def test_what_cannot_be_compared_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (_, new), (good, bad) = models(tmp_path)
    numbers, ball = str(tmp_path / "numbers.lst"), str(tmp_path / "ball.lst")
    ls.Learner(ls.PassiveAggressiveRegression()).save(numbers)
    ls.Learner(ls.Uniclass(epsilon=1.0)).save(ball)
    assert "give files" in told(good, bad, "-").output
    assert "--largest says what no absolute error can exceed" in told(numbers, numbers, new).output
    assert "one model says labels and the other targets" in told(good, numbers, new).output
    assert "Uniclass learns neither labels nor targets" in told(good, ball, new).output
    assert (
        "a loss is 1.0; losses must be between 0 and 0.5, which is --largest"
        in told(numbers, numbers, new, "--largest", "0.5").output
    )
    assert "neither is proved better" in told(numbers, numbers, new, "--largest", "2").output
    empty = tmp_path / "empty.svm"
    empty.write_text("")
    assert "there is no row in" in told(good, bad, str(empty)).output
    assert "delta" in told(good, bad, new, "--delta", "0").output
