"""Comparators: each program against hand-worked numbers, its own optimality, and a brute-force rival."""

from __future__ import annotations

import gzip
import importlib
import math
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given, settings
from scipy.sparse import csr_array

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.loop import PythonLoop
from littlestone.progress import Patience
from littlestone.theory.comparators import (
    Descent,
    NearOptimum,
    Trials,
    balance,
    best_on_path,
    entropy_projection,
    game_value,
    least_loss_on_simplex,
    max_margin,
    max_margin_on_simplex,
    nearest,
    nearest_centre,
    relative_entropy,
    simplex,
    smallest_ball,
    support,
)
from littlestone.theory.evidence import Comparison, LinearEvidence
from shown import shows

DATA = Path(os.environ.get("LITTLESTONE_DATA", Path(__file__).parents[2] / "shared" / "data"))
SEEDS = st.integers(0, 2**32 - 1)

FOUR = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]])
FOUR_LABELS = [1, -1, 1, 1]


def vector(*values: float) -> FloatArray:
    return np.array(values)


def separable(seed: int, rows: int = 30, width: int = 4) -> tuple[FloatArray, FloatArray]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, width))
    u = random.normal(size=width)
    X += 0.3 * np.sign(X @ u)[:, np.newaxis] * u / np.linalg.norm(u)
    return X, np.where(X @ u > 0, 1.0, -1.0)


def noisy(seed: int, rows: int = 40, width: int = 3) -> tuple[FloatArray, FloatArray]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, width))
    return X, np.where(X[:, 0] + random.normal(size=rows) > 0, 1.0, -1.0)


def margin(trials: Trials, u: FloatArray) -> float:
    norm = float(np.linalg.norm(u))
    return trials.measure(u).smallest_margin / norm if norm > 0 else 0.0


# Maximum margin


def test_largest_margin_of_the_four_points() -> None:
    trials = Trials.of_labels(FOUR, FOUR_LABELS)
    u = max_margin(trials).u
    np.testing.assert_allclose(u, [2.0, -1.0], atol=1e-7)
    assert margin(trials, u) == pytest.approx(0.44721, abs=1e-5)


def test_unit_vectors_have_margin_one_over_root_n() -> None:
    for n in (1, 4, 9):
        trials = Trials.of_labels(np.eye(n), np.ones(n))
        assert margin(trials, max_margin(trials).u) == pytest.approx(n**-0.5)


@settings(deadline=None, max_examples=25)
@given(SEEDS)
def test_no_vector_has_a_larger_margin(seed: int) -> None:
    X, y = separable(seed)
    trials = Trials.of_labels(X, y)
    u = max_margin(trials).u
    best = margin(trials, u)
    assert best > 0
    random = np.random.default_rng(seed + 1)
    for spread in (1e-3, 0.1, 1.0):
        for _ in range(20):
            assert margin(trials, u + spread * np.linalg.norm(u) * random.normal(size=len(u))) <= best * (1 + 1e-7)


@settings(deadline=None, max_examples=10)
@given(SEEDS)
def test_descent_and_exact_solver_agree(seed: int) -> None:
    X, y = separable(seed, rows=60)
    trials = Trials.of_labels(X, y)
    exact, descent = max_margin(trials), Descent(trials).solve(math.inf)
    assert descent.gap <= 1e-4
    assert margin(trials, descent.u) == pytest.approx(margin(trials, exact.u), rel=1e-3)
    assert margin(trials, descent.u) <= margin(trials, exact.u) * (1 + 1e-7)


def test_many_rows_go_through_the_descent() -> None:
    X, y = separable(1, rows=2000, width=6)
    trials = Trials.of_labels(X, y)
    many = max_margin(trials)
    held = np.argsort(y * (X @ many.u))[:200]
    few = Trials.of_labels(X[held], y[held])
    assert 0 < many.gap <= 1e-4
    assert margin(trials, many.u) == pytest.approx(margin(few, max_margin(few).u), rel=1e-3)


@pytest.mark.parametrize("rows", [4, 1200])
def test_what_cannot_be_separated_is_not(rows: int) -> None:
    X = np.tile([[1.0], [1.0]], (rows // 2, 1))
    trials = Trials.of_labels(X, [1, -1] * (rows // 2))
    solution = max_margin(trials)
    assert math.isnan(solution.gap)
    assert margin(trials, solution.u) <= 0


def test_empty_rows_separate_nothing() -> None:
    trials = Trials.of_labels(np.zeros((1200, 2)), [1, -1] * 600)
    assert margin(trials, max_margin(trials).u) == 0.0


def test_support_holds_the_margin() -> None:
    X, y = separable(7)
    trials = Trials.of_labels(X, y)
    held = support(trials)
    alone = Trials.of_labels(X[held], y[held])
    np.testing.assert_allclose(max_margin(alone).u, max_margin(trials).u, rtol=1e-6)
    np.testing.assert_allclose(y[held] * (X[held] @ max_margin(trials).u), 1.0, atol=1e-6)
    assert 0 < len(held) <= X.shape[1] + 1


# The nearest vector without a loss


def test_nearest_regression_vector() -> None:
    trials = Trials.of(ls.PassiveAggressiveRegression(epsilon=0.1), [[3.0, 4.0]], [2.0])
    np.testing.assert_allclose(nearest(trials).u, [0.228, 0.304], atol=1e-8)


@settings(deadline=None, max_examples=20)
@given(SEEDS, st.sampled_from([20, 400]))
def test_nearest_has_no_loss_and_nothing_is_nearer(seed: int, rows: int) -> None:
    random = np.random.default_rng(seed)
    X, hidden, start = random.normal(size=(rows, 3)), random.normal(size=3), random.normal(size=3)
    rule = ls.PassiveAggressiveRegression(epsilon=0.2, start=start)
    trials = Trials.of(rule, X, X @ hidden + random.uniform(-0.1, 0.1, size=rows))
    u = nearest(trials).u
    assert trials.measure(u).loss == 0.0
    distance = float(np.linalg.norm(u - start))
    for share in np.linspace(0.0, 0.99, 12):
        assert trials.measure(start + share * (u - start)).loss > 0 or share * distance > 0.9 * distance
    assert distance <= np.linalg.norm(hidden - start) * (1 + 1e-6)


def test_nearest_of_a_start_that_has_no_loss_is_the_start() -> None:
    rule = ls.PassiveAggressiveRegression(epsilon=1.0, start=vector(0.5))
    np.testing.assert_array_equal(nearest(Trials.of(rule, [[1.0], [2.0]], [0.0, 1.0])).u, [0.5])


# Balance: hinge, squared hinge, absolute loss


@pytest.mark.parametrize("C", [0.01, 0.3, 1.0, 5.0])
def test_one_row_by_hand(C: float) -> None:
    trials = Trials.of_labels([[1.0]], [1])
    assert balance(trials, C, power=1).u[0] == pytest.approx(min(C, 1.0))
    assert balance(trials, C, power=2).u[0] == pytest.approx(2 * C / (1 + 2 * C))


def test_absolute_loss_of_a_point_interval_by_hand() -> None:
    trials = Trials.of(ls.Perceptron(eta=0.5), [[1.0]] * 3, ls.Intervals([1.0] * 3, [1.0] * 3))
    u = balance(trials, 0.5, power=1).u
    assert u[0] == pytest.approx(1.0)
    assert trials.measure(u).loss == pytest.approx(0.0, abs=1e-12)


def test_from_a_start_the_norm_is_measured_from_there() -> None:
    rule = ls.Perceptron(start=vector(3.0))
    trials = Trials.of(rule, [[1.0]], ls.Intervals([-math.inf], [1.0]))
    assert balance(trials, 0.5, power=1).u[0] == pytest.approx(2.5)
    assert balance(trials, 9.0, power=1).u[0] == pytest.approx(1.0)


@settings(deadline=None, max_examples=30)
@given(SEEDS, st.sampled_from([1, 2]), st.floats(-3, 2))
def test_no_vector_balances_better(seed: int, power: int, exponent: float) -> None:
    X, y = noisy(seed)
    C, trials = math.pow(10.0, exponent), Trials.of_labels(X, y)

    def objective(u: FloatArray) -> float:
        ledger = trials.measure(u)
        return 0.5 * float(u @ u) + C * (ledger.loss if power == 1 else ledger.loss_squared)

    solution = balance(trials, C, power=power)
    found = objective(solution.u)
    assert solution.gap <= 1e-3
    random = np.random.default_rng(seed)
    for spread in (1e-3, 0.1, 1.0):
        for _ in range(10):
            assert objective(solution.u + spread * random.normal(size=3)) >= found * (1 - solution.gap) - 1e-12


@settings(deadline=None, max_examples=20)
@given(SEEDS, st.sampled_from([1, 2]))
def test_squared_and_plain_insensitive_regression(seed: int, power: int) -> None:
    random = np.random.default_rng(seed)
    X = random.normal(size=(50, 3))
    trials = Trials.of(ls.PassiveAggressiveRegression(epsilon=0.3), X, X @ [1.0, -2.0, 0.5] + random.normal(size=50))

    def objective(u: FloatArray) -> float:
        ledger = trials.measure(u)
        return 0.5 * float(u @ u) + 0.7 * (ledger.loss if power == 1 else ledger.loss_squared)

    u = balance(trials, 0.7, power=power).u
    for _ in range(30):
        assert objective(u + 0.1 * random.normal(size=3)) >= objective(u) * (1 - 1e-3)


def test_the_first_sweep_is_a_pass_of_pa_1() -> None:
    X, y = noisy(3, rows=16)
    trials = Trials.of_labels(X, y)
    run = ls.run(ls.PassiveAggressive(variant="PA-I", C=0.2), X, y)
    one_pass = Descent(trials, effort=1).solve(0.2)
    np.testing.assert_allclose(one_pass.u, run.state.w, rtol=1e-12)
    assert one_pass.gap > 1e-3


def test_every_layout_gives_the_same_bits() -> None:
    X, y = noisy(5, rows=300, width=20)
    X[np.abs(X) < 0.7] = 0.0
    streams = [Trials.of_labels(layout, y) for layout in (X, np.asfortranarray(X), X[:, ::-1][:, ::-1])]
    first, *rest = [Descent(trials).solve(0.1).u for trials in (Trials.of_labels(csr_array(X), y), *streams)]
    for other in rest:
        np.testing.assert_array_equal(other, first)


def test_a_descent_refuses_what_does_not_fit() -> None:
    trials = Trials.of_labels(np.eye(3), [1, 1, -1])
    blocks = np.zeros(1, dtype=np.uint32)

    def descent(width: int, count: int) -> _core.IntervalDescent:
        return _core.IntervalDescent(w=np.zeros(width), dual=np.zeros(count), margin=1.0, epsilon=0.0, cap=1.0, ridge=0.0)

    descent(3, 3).sweep(trials.batch, trials.outcomes, blocks)
    for width, count in ((2, 3), (3, 2), (3, 4)):
        with pytest.raises(ls.InvalidData, match="differ in length"):
            descent(width, count).sweep(trials.batch, trials.outcomes, blocks)
    with pytest.raises(ls.InvalidData, match="a block is outside the batch"):
        descent(3, 3).sweep(trials.batch, trials.outcomes, blocks + 1)
    with pytest.raises(ls.InvalidData, match="differ in length"):
        descent(3, 2).gain(trials.outcomes)
    with pytest.raises(ls.InvalidData, match="value of feature 0 is nan"):
        descent(1, 1).sweep(_core.dense_batch(np.array([[np.nan]])), _core.one_label(1), blocks)


def seen(capsys: pytest.CaptureFixture[str], words: str) -> bool:
    """Whether the words, a pattern, are drawn on stderr within a few seconds, with nothing on stdout."""
    found = ""
    for _ in range(500):
        shown = capsys.readouterr()
        assert shown.out == ""
        found += shown.err
        if re.search(words, found):
            return True
        time.sleep(0.01)
    return False


def a_terminal(monkeypatch: pytest.MonkeyPatch, seconds: float = 0.0) -> None:
    """Makes rich take stderr for a terminal, and bars come at once."""
    monkeypatch.setattr(Patience, "SECONDS", seconds)
    monkeypatch.setenv("FORCE_COLOR", "1")


def test_a_quick_call_shows_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    a_terminal(monkeypatch, seconds=60.0)
    X, y = noisy(8)
    ls.certify(ls.run(ls.Perceptron(), X, y), against="best")
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "")


def test_a_bar_is_for_terminals_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(Patience, "SECONDS", 0.0)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    with Patience("unseen"):
        time.sleep(0.2)
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "")


def test_the_outermost_call_tells_for_all(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    a_terminal(monkeypatch)
    with Patience("outer", 2) as outer:
        outer.done(1, "second half")
        with Patience("inner", 5) as inner:
            inner.done(3)
            assert seen(capsys, "second half")
        assert "inner" not in capsys.readouterr().err
    with Patience("next"):
        assert seen(capsys, "next")
    with pytest.raises(KeyboardInterrupt), Patience("stopped"):
        raise KeyboardInterrupt
    with Patience("goes on"):
        assert seen(capsys, "goes on")


def test_the_time_that_went_by_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    a_terminal(monkeypatch, seconds=1.1)
    with Patience("silent solver"):
        assert seen(capsys, r"0:00:0[1-9]")


SILENT: list[tuple[str, str, Callable[[FloatArray, FloatArray], object]]] = [
    ("scipy.optimize.milp", "linear program of", lambda X, y: max_margin_on_simplex(Trials.of_labels(X, y))),
    ("scipy.optimize.milp", "linear program of", lambda X, y: least_loss_on_simplex(Trials.of_labels(X, y), 1.0)),
    ("scipy.optimize.milp", "linear program of", lambda X, _: game_value(X)),
    ("scipy.optimize.nnls", "nearest vector for", lambda X, y: max_margin(Trials.of_labels(X, y))),
    ("scipy.optimize.fmin_l_bfgs_b", "dual of", lambda X, _: nearest_centre(X, 3.0, X[0])),
]


@pytest.mark.parametrize(("solver", "words", "call"), SILENT, ids=[f"{solver} {k}" for k, (solver, _, _) in enumerate(SILENT)])
def test_a_solver_that_says_nothing_is_seen_at_work(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    solver: str,
    words: str,
    call: Callable[[FloatArray, FloatArray], object],
) -> None:
    """The solver waits until the bar is drawn: it would for ever if nothing drew it meanwhile."""
    a_terminal(monkeypatch)
    module, name = solver.rsplit(".", 1)
    honest = getattr(importlib.import_module(module), name)

    def slow(*given: object, **named: object) -> object:
        assert seen(capsys, words)
        return honest(*given, **named)

    monkeypatch.setattr(solver, slow)
    X, y = noisy(8)
    call(X, y)


def test_certifying_against_the_best_tells_which_theorem_it_is_at(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    a_terminal(monkeypatch)
    honest = Descent.solve

    def slow(descent: Descent, C: float, *, tolerance: float = 1e-4, give_up: float = math.inf) -> NearOptimum:
        assert seen(capsys, "comparator for mohri.8.11")
        monkeypatch.setattr(Descent, "solve", honest)
        return honest(descent, C, tolerance=tolerance, give_up=give_up)

    X, y = noisy(8)
    run = ls.run(ls.Perceptron(), X, y)
    monkeypatch.setattr(Descent, "solve", slow)
    assert ls.certify(run, against="best")


def test_a_path_goes_down_as_well_as_up() -> None:
    X, y = noisy(6)
    trials = Trials.of_labels(X, y)
    there_and_back = Descent(trials)
    there_and_back.solve(10.0)
    again, fresh = there_and_back.solve(0.01, tolerance=1e-9), Descent(trials).solve(0.01, tolerance=1e-9)
    np.testing.assert_allclose(again.u, fresh.u, rtol=1e-4)
    assert again.gap <= 1e-9


# The path that minimises a bound

PATHS = [("mohri.8.11", 1), ("mohri.8.12", 2), ("mohri.ex8.11", 1)]


@settings(deadline=None, max_examples=6)
@given(SEEDS, st.sampled_from(PATHS))
def test_no_vector_gives_a_smaller_bound_than_the_path(seed: int, path: tuple[str, int]) -> None:
    X, y = noisy(seed)
    run, trials = ls.run(ls.Perceptron(), X, y), Trials.of_labels(X, y)
    guarantee = ls.theory.linear[path[0]]

    def bound(u: FloatArray) -> float:
        return guarantee.bound(LinearEvidence(run.rule, run.ledger, Comparison(u, trials.measure(u))))

    u = best_on_path(trials, bound, power=path[1]).u
    found, random = bound(u), np.random.default_rng(seed)
    assert found <= bound(np.zeros(3)) * (1 + 1e-12)
    for spread in (0.01, 0.1, 1.0):
        for _ in range(60):
            assert bound(u + spread * random.normal(size=3)) >= found * (1 - 0.01)


# Measuring


@settings(deadline=None, max_examples=20)
@given(SEEDS, st.integers(1, 4))
def test_measure_is_a_run_of_fixed(seed: int, passes: int) -> None:
    X, y = noisy(seed)
    u = np.random.default_rng(seed).normal(size=3)
    run = ls.run(ls.MarginPerceptron(rho=5.0), X, y, passes=passes)
    once, fixed = ls.Learner(ls.Fixed(weights=u)), ls.Learner(ls.Fixed(weights=u))
    once.learn_many(X, y)
    for _ in range(run.passes):
        fixed.learn_many(X, y)
    expected = fixed.ledger.to_dict() | {"repeats": 0}  # of a learner that was not told of its passes: trials know theirs
    # These remember what came before, and each pass begins without that.
    for name in ("majority_errors", "last_label_errors", "pairs", "ordered"):
        expected[name] = run.passes * getattr(once.ledger, name)
    measured = Trials.of_run(run).measure(u).to_dict()
    assert measured.pop("tenths") == expected.pop("tenths") == []  # of forecasts, which a vector makes none of
    assert measured == pytest.approx(expected, rel=1e-12)


def test_labels_are_read_as_the_run_read_them() -> None:
    rows: list[dict[str | int, float]] = [{"a": 1.0}, {"b": 1.0}]
    run = ls.run(ls.Perceptron(), rows, ["yes", "no"], labels=("no", "yes"), passes=5)
    best = {certificate.id: certificate for certificate in run.certify(against="best")}
    assert best["mohri.8.8"].bound == pytest.approx(2.0)
    assert best["mohri.8.8"].measured == 2


def test_encoding_a_stream_changes_nothing() -> None:
    learner = ls.Learner(ls.Perceptron())
    rows: list[dict[str | int, float]] = [{"a": 1.0}, {"b": 2.0}]
    batch, outcomes = learner.encode(rows, ["x", "y"])
    assert (len(batch), batch.width, len(outcomes)) == (2, 2, 2)
    assert learner.features == []
    assert learner.labels == (-1, 1)
    with pytest.raises(ls.InvalidData, match="2 rows and 1 outcomes"):
        learner.encode(rows, ["x"])


# Simplex, games


@settings(deadline=None, max_examples=15)
@given(SEEDS)
def test_margin_on_the_simplex_is_the_value_of_the_game(seed: int) -> None:
    X, y = separable(seed)
    trials = Trials.of_labels(X, y)
    v = max_margin_on_simplex(trials).u
    assert (v >= 0).all()
    assert v.sum() == pytest.approx(1.0)
    game = game_value(-(y[:, np.newaxis] * X).T)
    assert trials.measure(v).smallest_margin == pytest.approx(-game.value, abs=1e-7)


@settings(deadline=None, max_examples=15)
@given(SEEDS)
def test_signed_mixtures_have_the_largest_margin_in_the_one_norm(seed: int) -> None:
    X, y = separable(seed)
    trials = Trials.of_labels(X, y)
    v, two = max_margin_on_simplex(trials, signed=True).u, max_margin(trials).u
    assert np.abs(v).sum() <= 1 + 1e-12
    assert trials.measure(v).smallest_margin >= trials.measure(two / np.abs(two).sum()).smallest_margin - 1e-9
    assert trials.measure(v).smallest_margin >= trials.measure(max_margin_on_simplex(trials).u).smallest_margin - 1e-9


def test_least_loss_on_the_simplex_against_a_grid() -> None:
    X, y = noisy(11, width=2)
    trials = Trials.of_labels(X, y)
    for total, signed in ((1.0, False), (2.5, False), (2.5, True)):
        u = least_loss_on_simplex(trials, total, signed=signed).u
        assert np.abs(u).sum() <= total * (1 + 1e-12)
        found = trials.measure(u).loss
        for a in np.linspace(-total if signed else 0.0, total, 101):
            for sign in (-1.0, 1.0) if signed else (1.0,):
                assert trials.measure(np.array([a, sign * (total - abs(a))])).loss >= found - 1e-9


@pytest.mark.parametrize("signed", [False, True])
def test_many_rows_have_nearly_the_least_loss(monkeypatch: pytest.MonkeyPatch, signed: bool) -> None:
    X, y = noisy(12, rows=400, width=5)
    trials = Trials.of_labels(X, y)
    exact = trials.measure(least_loss_on_simplex(trials, 2.0, signed=signed).u).loss
    monkeypatch.setattr(simplex, "_MANY_ROWS", 1)
    found = least_loss_on_simplex(trials, 2.0, signed=signed)
    loss = trials.measure(found.u).loss
    assert exact <= loss * (1 + 1e-9)
    assert loss * (1 - found.gap) <= exact * (1 + 1e-9)
    assert loss <= exact * 1.01
    assert np.abs(found.u).sum() <= 2.0 * (1 + 1e-12)


def test_games_by_hand() -> None:
    assert game_value(np.eye(2)).value == pytest.approx(0.5)
    assert game_value([[1.0, 2.0]]).value == 2.0
    assert game_value([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]).value == pytest.approx(0.0, abs=1e-12)


@settings(deadline=None, max_examples=20)
@given(SEEDS)
def test_the_value_lies_between_what_the_players_secure(seed: int) -> None:
    game = game_value(np.random.default_rng(seed).normal(size=(5, 7)))
    assert game.lower <= game.value + 1e-12
    assert game.upper - game.lower <= 1e-7


@pytest.mark.parametrize("game", [[], [[math.nan]], [1.0, 2.0]])
def test_what_is_no_game(game: list[float]) -> None:
    with pytest.raises(ls.InvalidData, match="matrix"):
        game_value(game)


# Balls and entropy


def test_the_ball_of_the_errata() -> None:
    ball = smallest_ball([[100.0, 1.0], [101.0, -1.0]])
    assert ball.radius**2 == pytest.approx(1.25)


@settings(deadline=None, max_examples=20)
@given(SEEDS)
def test_the_smallest_ball_holds_every_point_and_nothing_smaller_does(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = random.normal(size=(int(random.integers(1, 40)), 3))
    ball = smallest_ball(points)
    assert (np.linalg.norm(points - ball.centre, axis=1) <= ball.radius * (1 + 1e-12)).all()
    assert ball.lower <= ball.radius * (1 + 1e-12)
    assert ball.radius <= ball.lower * (1 + 1e-6)


def test_a_ball_around_one_point_and_around_a_triangle() -> None:
    assert smallest_ball([[1.0, 2.0]]).radius == 0.0
    corners = [[math.cos(a), math.sin(a)] for a in (0.0, 2.1, 4.2)]
    assert smallest_ball(corners).radius == pytest.approx(1.0)
    assert smallest_ball([[0.0], [4.0], [1.0]]).centre[0] == pytest.approx(2.0)


@settings(deadline=None, max_examples=15)
@given(SEEDS)
def test_nearest_centre_reaches_every_point(seed: int) -> None:
    random = np.random.default_rng(seed)
    points, start = random.normal(size=(12, 3)), 3.0 * random.normal(size=3)
    ball = smallest_ball(points)
    w = nearest_centre(points, 1.2 * ball.radius, start).u
    assert (np.linalg.norm(points - w, axis=1) <= 1.2 * ball.radius).all()
    assert np.linalg.norm(w - start) <= np.linalg.norm(ball.centre - start) + 1e-6


@settings(deadline=None, max_examples=15)
@given(SEEDS)
def test_the_entropy_projection_has_no_loss_and_is_nearest(seed: int) -> None:
    random = np.random.default_rng(seed)
    hidden = random.dirichlet(np.ones(4))
    X = random.normal(size=(10, 4))
    trials = Trials.of(ls.PassiveAggressiveRegression(epsilon=0.05), X, X @ hidden)
    uniform = np.full(4, 0.25)
    w = entropy_projection(trials).u
    assert w.sum() == pytest.approx(1.0)
    assert trials.measure(w).loss == 0.0
    assert relative_entropy(w, uniform) <= relative_entropy(hidden, uniform) + 1e-6


def test_relative_entropy_by_hand() -> None:
    assert relative_entropy(np.array([1.0, 0.0]), np.array([0.5, 0.5])) == pytest.approx(math.log(2))
    assert relative_entropy(np.array([0.5, 0.5]), np.array([0.5, 0.5])) == 0.0


# Certificates against the best comparator


def test_best_certificates_by_hand() -> None:
    run = ls.run(ls.Perceptron(), FOUR, FOUR_LABELS, passes=100)
    best = {certificate.id: certificate for certificate in run.certify(against="best")}
    assert best["mohri.8.8"].measured == 4
    # r² = 5 over all rows gives 25; the rows that cause the four updates have r² = 2, and the proof needs no others.
    assert best["mohri.8.8"].bound == pytest.approx(10.0, rel=1e-6)
    assert run.ledger.largest_norm_squared / 2.0 * best["mohri.8.8"].bound == pytest.approx(25.0, rel=1e-6)
    assert best["mohri.8.8"].comparator == "the vector of largest margin"


def test_the_four_roundings_of_one_feature() -> None:
    run = ls.run(ls.Perceptron(), [[1.0]] * 4, [1, 1, 1, -1])
    at_one = {certificate.id: certificate.bound for certificate in run.certify(against=[1.0])}
    assert at_one["mohri.8.11"] == pytest.approx(4.0)
    assert at_one["mohri.8.12"] == pytest.approx(9.0)
    assert at_one["blum.5.11"] == pytest.approx(5.0)
    best = {certificate.id: certificate.bound for certificate in run.certify(against="best")}
    assert all(best[name] <= bound * (1 + 1e-9) for name, bound in at_one.items() if name in best and not math.isnan(bound))


RULES = [
    ls.Perceptron(),
    ls.Perceptron(eta=0.3, start=vector(0.5, -1.0, 0.2)),
    ls.Perceptron(eta=0.01, tolerance=0.5),
    ls.RandomizedPerceptron(eta=0.02),
    ls.MarginPerceptron(rho=0.1),
    ls.PassiveAggressive(),
    ls.PassiveAggressive(margin=0.5, start=vector(1.0, 0.0, 0.0)),
    ls.PassiveAggressive(variant="PA-I", C=0.5),
    ls.PassiveAggressive(variant="PA-II", C=0.5),
    ls.PassiveAggressive(variant="relaxed", gamma=2.0),
    ls.BatchPassiveAggressive(beta=0.04),
]


@settings(deadline=None, max_examples=25)
@given(SEEDS, st.sampled_from(RULES), st.booleans(), st.integers(1, 3))
def test_nothing_is_violated_against_the_best(seed: int, rule: ls.LinearRule, easy: bool, passes: int) -> None:
    X, y = separable(seed, width=3) if easy else noisy(seed)
    certificates = ls.run(rule, X, y, passes=passes).certify(against="best")
    assert all(certificate.verdict is not ls.Verdict.VIOLATED for certificate in certificates), certificates
    for certificate in certificates:
        assert certificate.comparator or certificate.verdict is ls.Verdict.UNPROVED


@settings(deadline=None, max_examples=10)
@given(SEEDS)
@example(141_660)
def test_regression_against_the_best(seed: int) -> None:
    random = np.random.default_rng(seed)
    X = random.normal(size=(40, 3))
    y = X @ random.normal(size=3) + random.uniform(-0.05, 0.05, size=40)
    best = {c.id: c for c in ls.run(ls.PassiveAggressiveRegression(epsilon=0.1), X, y).certify(against="best")}
    assert best["pa.1"].verdict is ls.Verdict.HOLDS
    nearest = best["pa.2"]  # its bound may be more than all steps together, where few of them were made
    assert nearest.verdict in (ls.Verdict.HOLDS, ls.Verdict.VACUOUS)
    assert nearest.measured <= nearest.bound
    relaxed = ls.PassiveAggressiveRegression(variant="relaxed", gamma=1.0, epsilon=0.1)
    assert {c.id: c for c in ls.run(relaxed, X, y).certify(against="best")}["pa.3"].verdict is ls.Verdict.HOLDS


def test_a_solver_is_never_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    import scipy.optimize

    def lies(system: FloatArray, corner: FloatArray, maxiter: int) -> tuple[FloatArray, float]:
        assert len(corner) == len(system)
        assert maxiter > 0
        return np.linspace(1.0, 2.0, system.shape[1]) / system.shape[1] / 10.0, 0.0

    run = ls.run(ls.Perceptron(), FOUR, FOUR_LABELS, passes=100)
    honest = {c.id: c.bound for c in run.certify(against="best")}["mohri.8.8"]
    monkeypatch.setattr(scipy.optimize, "nnls", lies)
    fooled = {c.id: c for c in run.certify(against="best")}["mohri.8.8"]
    assert fooled.verdict is not ls.Verdict.VIOLATED
    assert math.isnan(fooled.bound) or fooled.bound >= honest


def test_what_best_cannot_do() -> None:
    learner = ls.Learner(ls.Perceptron())
    learner.learn_one([1.0], 1)
    with pytest.raises(ls.NotApplicable, match="keeps no rows"):
        ls.certify(learner, against="best")
    with pytest.raises(ls.InvalidData, match="'worst'"):
        ls.certify(ls.run(ls.Perceptron(), [[1.0]], [1]), against="worst")


def test_intervals_have_a_best_comparator_too() -> None:
    y = ls.Intervals([1.0] * 3, [1.0] * 3)
    best = {c.id: c for c in ls.run(ls.Perceptron(eta=0.5), [[1.0]] * 3, y).certify(against="best")}
    assert best["bylander.2"].measured == pytest.approx(1.5)
    assert best["bylander.2"].bound == pytest.approx(1.5)
    assert best["mohri.8.8"].verdict is ls.Verdict.UNPROVED


# pa.1c, pa.2 and pa.batch


@shows("example", "pa.1c")
def test_unit_vectors_attain_the_squared_hinge_bound() -> None:
    best = {c.id: c for c in ls.run(ls.PassiveAggressive(), np.eye(9), np.ones(9)).certify(against="best")}
    assert best["pa.1c"].measured == 9
    assert best["pa.1c"].bound == pytest.approx(9.0)
    assert best["pa.1c"].proved


@shows("example", "pa.2")
@shows("tight", "pa.2")
@pytest.mark.parametrize(("n", "ratio"), [(10, 1.617), (100, 1.952), (1000, 1.9951)])
def test_weights_turned_half_way_round(n: int, ratio: float) -> None:
    angles = math.pi * np.arange(1, n) / n
    X = np.stack([-np.sin(angles), np.cos(angles)], axis=1)
    run = ls.run(ls.PassiveAggressiveRegression(epsilon=0.0, start=vector(1.0, 0.0)), X, np.zeros(n - 1))
    certificate = {c.id: c for c in run.certify(against=[0.0, 0.0])}["pa.2"]
    assert certificate.verdict is ls.Verdict.HOLDS
    assert certificate.measured == pytest.approx(ratio, abs=1e-3)
    assert certificate.bound == 2.0


@shows("never", "pa.batch")
@settings(deadline=None, max_examples=25)
@given(SEEDS, st.sampled_from([0.01, 0.25, 0.9]))
def test_batch_pa_comes_to_rest_in_time(seed: int, beta: float) -> None:
    X, y = separable(seed)
    run = ls.run(ls.BatchPassiveAggressive(beta=beta), X, y, passes=10_000)
    certificate = {c.id: c for c in run.certify(against="best")}["pa.batch"]
    assert run.converged
    assert certificate.verdict in (ls.Verdict.HOLDS, ls.Verdict.VACUOUS)
    assert certificate.measured <= certificate.bound
    margins = y * (X @ run.state.w)
    assert (np.maximum(0.0, 1.0 - margins) ** 2 <= beta * (1 + 1e-12)).all()


@shows("example", "pa.batch")
def test_the_printed_batch_bound_is_one_off() -> None:
    run = ls.run(ls.BatchPassiveAggressive(start=vector(1.0)), [[1.0]], [1], passes=5)
    certificate = {c.id: c for c in run.certify(against=[1.0])}["pa.batch"]
    assert (certificate.measured, certificate.bound) == (0, 0)
    index_of_the_returned_vector = run.ledger.updates + 1
    assert index_of_the_returned_vector > math.floor(1.0 * 0.0 / 0.01)


@settings(deadline=None, max_examples=20)
@given(SEEDS)
def test_batch_pa_has_the_bits_of_its_definition(seed: int) -> None:
    X, y = noisy(seed)
    X[seed % 40] = 0.0
    rule = ls.BatchPassiveAggressive(beta=0.1)
    run = ls.run(rule, X, y)
    state = rule.init(3)
    loop, totals = PythonLoop(rule, state, None), _core.Totals()
    batch, outcomes = ls.Learner(rule).encode(X, y)
    loop.learn(batch, outcomes, totals, _core.RoundColumns(40), 0, 40)
    np.testing.assert_array_equal(state.w, run.state.w)
    assert ls.Ledger.of(totals) == run.ledger


def test_beta_must_be_positive() -> None:
    with pytest.raises(ls.InvalidParameter, match=r"beta is 0\.0; beta must be a finite number above 0"):
        ls.BatchPassiveAggressive(beta=0.0)


# Certificates in other forms


def test_certificates_as_html_and_markdown() -> None:
    run = ls.run(ls.Perceptron(), FOUR, FOUR_LABELS, passes=100)
    certificate = next(c for c in run.certify(against="best") if c.id == "mohri.8.8")
    assert str(certificate).count("\n") == 1
    assert "; against the vector of largest margin" in str(certificate)
    markdown, html = certificate.to_markdown(), certificate.to_html()
    assert markdown.startswith("**mohri.8.8** (vacuous): updates 4 ≤ 10")
    assert "- the start is 0 ✓" in markdown
    assert "<b>mohri.8.8: vacuous: updates 4 ≤ 10" in html
    assert html.count("<tr>") == html.count("</tr>") == len(certificate.assumptions)
    assert "Compared with the vector of largest margin." in html
    assert certificate._repr_html_() == html
    assert certificate.to_dict()["comparator"] == "the vector of largest margin"


def test_html_is_escaped() -> None:
    certificate = ls.Certificate("a<b", "s&t", "x < y", ls.Verdict.HOLDS, "q", 1.0, 2.0, "f", ())
    assert "a&lt;b" in certificate.to_html()
    assert "s&amp;t" in certificate.to_html()
    assert "x < y" not in certificate.to_html()


def test_a_violation_is_written_as_one() -> None:
    certificate = ls.Certificate("i", "s", "w", ls.Verdict.VIOLATED, "updates", 3.0, 2.0, "bound", ())
    assert certificate.relation == "updates 3 ≰ 2 = bound"


# Real data


def svmlight(name: str, width: int) -> tuple[csr_array[np.float64], FloatArray]:
    path = DATA / "libsvm" / f"{name}.svm.gz"
    if not path.exists():
        pytest.skip(f"there is no {path.name}; set LITTLESTONE_DATA to the folder of data sets")
    labels, index, value, start = list[float](), list[int](), list[float](), [0]
    with gzip.open(path, "rt") as lines:
        for line in lines:
            label, *pairs = line.split()
            labels.append(float(label))
            index += [int(pair.split(":")[0]) - 1 for pair in pairs]
            value += [float(pair.split(":")[1]) for pair in pairs]
            start.append(len(index))
    return csr_array((value, index, start), shape=(len(labels), width)), np.array(labels)


def test_a9a_has_a_best_comparator_in_seconds() -> None:
    X, y = svmlight("a9a", 123)
    best = {c.id: c for c in ls.run(ls.Perceptron(), X, y).certify(against="best")}
    assert best["mohri.8.11"].proved
    assert 12_500 < best["mohri.8.11"].bound < 12_600
    assert best["mohri.8.12"].bound < 15_100
    assert best["blum.5.11"].bound < 23_100
    assert best["mohri.8.8"].verdict is ls.Verdict.UNPROVED


def test_mushrooms_are_separable() -> None:
    X, y = svmlight("mushrooms", 112)
    best = {c.id: c for c in ls.run(ls.Perceptron(), X, y).certify(against="best")}
    assert best["mohri.8.8"].verdict is ls.Verdict.HOLDS
    assert 318 < best["mohri.8.8"].bound < 318.3


def test_kuhn_poker() -> None:
    path = next(iter((DATA / "games").glob("kuhn*")), None) if (DATA / "games").exists() else None
    if path is None:
        pytest.skip("there is no folder of games; set LITTLESTONE_DATA to the folder of data sets")
    wins = np.loadtxt(path, delimiter=",")  # of the row player, summed over the six deals
    assert -game_value(-wins).value / 6 == pytest.approx(-1 / 18, abs=1e-9)
