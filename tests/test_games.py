"""Zero-sum games: known values, invariances, an exact solver beside, degenerate games, bad input."""

from __future__ import annotations

import math
import os
import signal
import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linprog

import littlestone as ls
from littlestone import _core
from littlestone.arrays import BoolArray, FloatArray
from littlestone.games import METHODS
from littlestone.games.payoffs import Payoffs, payoffs_of
from shown import shows

DATA = Path(os.environ.get("LITTLESTONE_DATA", Path(__file__).parents[2] / "shared" / "data")) / "games"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the data sets are not there")

FAST = ("predictive-regret-matching+", "regret-matching+", "optimistic-hedge")
PENNIES = np.array([[1.0, -1.0], [-1.0, 1.0]])
ROCK_PAPER_SCISSORS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
CYCLIC = np.eye(3)[[1, 2, 0]]
ONEILL = np.array([[1.0, -1, -1, -1], [-1, -1, 1, 1], [-1, 1, -1, 1], [-1, 1, 1, -1]])


def random_game(seed: int, rows: int, columns: int) -> FloatArray:
    return np.random.default_rng(seed).random((rows, columns))


def value_by_highs(A: FloatArray) -> float:
    """The value for a row player who maximises, by the row player's own program (ours solves the column player's)."""
    rows, columns = A.shape
    answer = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-A.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=np.ones(1),
        bounds=[(0.0, None)] * rows + [(None, None)],
        method="highs",
    )
    assert answer.fun is not None
    return -float(answer.fun)


def assert_sound(A: FloatArray, solution: ls.Solution, sense: str = "max") -> None:
    """What is claimed, recomputed from nothing but the payoffs and the strategies."""
    p, q = solution.row, solution.column
    for strategy in (p, q):
        assert (strategy >= 0.0).all()
        assert strategy.sum() == pytest.approx(1.0, abs=1e-12)
    row, column = A.astype(np.float64) @ q, p @ A.astype(np.float64)
    lower, upper = (column.min(), row.max()) if sense == "max" else (row.min(), column.max())
    scale = float(np.abs(A).max())
    assert solution.lower == pytest.approx(lower, abs=1e-13 * scale)
    assert solution.upper == pytest.approx(upper, abs=1e-13 * scale)
    assert solution.gap == max(solution.upper - solution.lower, 0.0)
    assert solution.converged == (solution.gap <= solution.target)
    assert solution.certificate.verdict in (ls.Verdict.HOLDS, ls.Verdict.VACUOUS)


@pytest.mark.parametrize("method", [*FAST, "lp"])
@pytest.mark.parametrize(
    ("A", "value"),
    [(PENNIES, 0.0), (ROCK_PAPER_SCISSORS, 0.0), (CYCLIC, 1 / 3), (ONEILL, -0.2), (np.array([[4.0, 1], [1, 2]]), 1.75)],
)
def test_known_values(A: FloatArray, value: float, method: str) -> None:
    solution = ls.solve(A, method=method, tol=1e-5, max_rounds=1_000_000)  # plain regret matching+ takes 130,380 on O'Neill
    assert_sound(A, solution)
    assert solution.converged
    assert solution.lower - 1e-12 <= value <= solution.upper + 1e-12


def test_strategies_of_oneill() -> None:
    solution = ls.solve(ONEILL, tol=1e-7, method="predictive-regret-matching+")
    assert solution.converged
    np.testing.assert_allclose(solution.row, [0.4, 0.2, 0.2, 0.2], atol=1e-5)
    np.testing.assert_allclose(solution.column, [0.4, 0.2, 0.2, 0.2], atol=1e-5)


@needs_data
@pytest.mark.parametrize("method", [*FAST, "lp"])
def test_kuhn_poker(method: str) -> None:
    """The matrix is in sixths of the expected payoff."""
    solution = ls.solve(ls.read_game(DATA / "kuhn_27x64.csv").A / 6.0, method=method, tol=1e-4)
    assert solution.converged
    assert solution.lower - 1e-12 <= -1 / 18 <= solution.upper + 1e-12


@needs_data
def test_soccer_and_its_equilibrium() -> None:
    A = ls.read_game(DATA / "soccer10.csv").A
    solution = ls.solve(A, tol=1e-5)
    assert solution.converged
    assert solution.lower - 1e-12 <= 0.5 <= solution.upper + 1e-12


@needs_data
def test_tournament_against_highs() -> None:
    A = ls.read_game(DATA / "rrps43.csv").A
    solution = ls.solve(A, tol=1e-4)
    assert_sound(A, solution)
    assert solution.converged
    assert solution.lower - 1e-6 <= value_by_highs(A) <= solution.upper + 1e-6


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 12), st.integers(1, 12), st.sampled_from(FAST), st.sampled_from(["max", "min"]))
def test_bracket_contains_the_value_of_highs(seed: int, rows: int, columns: int, method: str, sense: str) -> None:
    A = random_game(seed, rows, columns).round(1)
    solution = ls.solve(A, tol=1e-3, method=method, sense=sense)
    assert_sound(A, solution, sense)
    assert solution.converged
    value = value_by_highs(A) if sense == "max" else -value_by_highs(-A)
    assert solution.lower - 1e-9 <= value <= solution.upper + 1e-9
    assert abs(solution.value - value) <= solution.gap / 2.0 + 1e-9


@pytest.mark.parametrize("shape", [(80, 50), (200, 200), (3, 400)])
@pytest.mark.parametrize("tol", [1e-3, 1e-5, 1e-9])
def test_larger_games_to_the_asked_tolerance(shape: tuple[int, int], tol: float) -> None:
    A = random_game(7, *shape)
    solution = ls.solve(A, tol=tol)
    assert_sound(A, solution)
    assert solution.converged
    assert solution.lower - 1e-9 <= value_by_highs(A) <= solution.upper + 1e-9


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10_000), st.integers(2, 40))
def test_antisymmetric_games_have_value_zero(seed: int, size: int) -> None:
    A = random_game(seed, size, size)
    solution = ls.solve(A - A.T, tol=1e-3)
    assert solution.converged
    assert solution.lower <= 1e-15
    assert solution.upper >= -1e-15


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from(FAST), st.floats(-50.0, 50.0))
def test_shift_moves_the_value_and_nothing_else(seed: int, method: str, shift: float) -> None:
    A = random_game(seed, 7, 9)
    plain, moved = (ls.solve(B, tol=1e-3, method=method) for B in (A, A + shift))
    assert moved.converged
    assert abs(moved.value - plain.value - shift) <= plain.gap + 1e-9
    # Rounding differs, so the number of rounds may; the strategies then still solve each other's game.
    assert payoffs_of(A).bracket(moved.row, moved.column).upper - moved.upper + shift == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("method", FAST)
@pytest.mark.parametrize("scale", [2.0**40, 2.0**-40])
@pytest.mark.parametrize("size", [9, 150])
def test_powers_of_two_change_no_bit_of_the_strategies(method: str, scale: float, size: int) -> None:
    A = random_game(3, size, size)
    plain, scaled = ls.solve(A, tol=1e-2, method=method), ls.solve(A * scale, tol=1e-2, method=method)
    assert (plain.rounds, plain.converged) == (scaled.rounds, True)
    np.testing.assert_array_equal(plain.row, scaled.row)
    assert scaled.value == plain.value * scale


@pytest.mark.parametrize("method", [*METHODS, "lp"])
@pytest.mark.parametrize("scale", [1e12, 1e-12])
def test_huge_and_tiny_payoffs(method: str, scale: float) -> None:
    A = random_game(11, 12, 8)
    solution = ls.solve(A * scale, tol=0.02, method=method)
    assert_sound(A * scale, solution)
    assert solution.converged
    assert solution.gap <= 0.02 * scale
    assert solution.lower - 1e-9 * scale <= value_by_highs(A) * scale <= solution.upper + 1e-9 * scale


@pytest.mark.parametrize("method", FAST)
def test_permutation_permutes_the_strategies(method: str) -> None:
    A = random_game(5, 6, 8)
    rows, columns = np.random.default_rng(1).permutation(6), np.random.default_rng(2).permutation(8)
    plain, permuted = (ls.solve(B, tol=1e-4, method=method) for B in (A, A[rows][:, columns]))
    assert abs(plain.value - permuted.value) <= plain.gap
    np.testing.assert_allclose(permuted.row, plain.row[rows], atol=1e-6)


@pytest.mark.parametrize("method", [*METHODS, "lp"])
def test_transposing_and_negating_swaps_the_players(method: str) -> None:
    A = random_game(6, 6, 8)
    one, other = ls.solve(A, tol=0.02, method=method), ls.solve(-A.T, tol=0.02, method=method)
    assert abs(one.value + other.value) <= (one.gap + other.gap) / 2.0 + 1e-12


@pytest.mark.parametrize("method", [*METHODS, "lp"])
def test_minimising_is_maximising_the_negative(method: str) -> None:
    A = random_game(8, 5, 7)
    least, most = ls.solve(A, tol=0.02, method=method, sense="min"), ls.solve(-A, tol=0.02, method=method)
    np.testing.assert_allclose(least.row, most.row, atol=1e-9)
    assert (least.lower, least.upper) == pytest.approx((-most.upper, -most.lower), abs=1e-12)


def test_same_answer_in_every_form() -> None:
    A = random_game(9, 40, 30)
    A[A < 0.5] = 0.0
    wide = np.zeros((80, 60))
    wide[::2, ::2] = A
    forms = {
        "lists": A.tolist(),
        "fortran": np.asfortranarray(A),
        "strided": wide[::2, ::2],
        "csr": sparse.csr_array(A),
        "csc": sparse.csc_matrix(A),
        "functions": (lambda q: A @ q, lambda p: p @ A),
    }
    dense = ls.solve(A, tol=1e-4)
    for name, form in forms.items():
        shape = (40, 30) if name == "functions" else None
        bounds = (0.0, 1.0) if name == "functions" else None
        solution = ls.solve(form, tol=1e-4, shape=shape, bounds=bounds)
        assert_sound(A, solution)
        assert solution.converged, name
        np.testing.assert_allclose(solution.row, dense.row, atol=2e-3, err_msg=name)


def test_frames_and_integers() -> None:
    solution = ls.solve(pd.DataFrame(ROCK_PAPER_SCISSORS.astype(int), columns=["r", "p", "s"]))
    np.testing.assert_allclose(solution.row, 1 / 3)


def test_sparse_linear_program() -> None:
    A = random_game(4, 40, 50)
    A[A < 0.7] = 0.0
    solution = ls.solve(sparse.csr_array(A), method="lp", sense="min")
    assert solution.gap <= 1e-9
    assert solution.value == pytest.approx(-value_by_highs(-A), abs=1e-9)


# Degenerate games


@pytest.mark.parametrize("method", ["auto", *METHODS, "lp"])
def test_constant_game(method: str) -> None:
    solution = ls.solve(np.full((3, 4), 2.5), method=method)
    assert (solution.lower, solution.upper, solution.rounds, solution.converged) == (2.5, 2.5, 0, True)


@pytest.mark.parametrize("method", ["auto", *METHODS, "lp"])
def test_one_row_and_one_column(method: str) -> None:
    row = ls.solve([[3.0, 1.0, 2.0]], method=method)
    assert (row.value, row.gap, row.column.tolist()) == (1.0, 0.0, [0.0, 1.0, 0.0])
    column = ls.solve([[3.0], [1.0], [2.0]], method=method, sense="min")
    assert (column.value, column.gap, column.row.tolist()) == (1.0, 0.0, [0.0, 1.0, 0.0])
    assert ls.solve([[-7.0]], method=method).value == -7.0


@pytest.mark.parametrize("method", ["auto", *METHODS])
def test_one_row_by_functions(method: str) -> None:
    A = np.array([[3.0, 1.0, 2.0]])
    solution = ls.solve((lambda q: A @ q, lambda p: p @ A), shape=(1, 3), bounds=(1.0, 3.0), method=method)
    assert (solution.value, solution.gap, solution.rounds) == (1.0, 0.0, 0)


def test_a_saddle_needs_no_play() -> None:
    A = np.array([[3.0, 2.0, 4.0], [1.0, 0.0, 9.0]])
    solution = ls.solve(A)
    assert (solution.method, solution.rounds, solution.value) == ("pure", 0, 2.0)
    assert solution.row.tolist() == [1.0, 0.0]
    assert solution.column.tolist() == [0.0, 1.0, 0.0]


def test_dominated_rows_and_columns_get_no_weight() -> None:
    A = np.pad(ROCK_PAPER_SCISSORS, ((0, 1), (0, 1)), constant_values=-2.0)
    A[:, 3] = 2.0
    solution = ls.solve(A, tol=1e-6, method="predictive-regret-matching+")
    assert solution.converged
    np.testing.assert_allclose(solution.row, [1 / 3, 1 / 3, 1 / 3, 0.0], atol=1e-4)
    np.testing.assert_allclose(solution.column, [1 / 3, 1 / 3, 1 / 3, 0.0], atol=1e-4)


# Bad input


@pytest.mark.parametrize(
    ("A", "words"),
    [
        ([[1.0, math.nan], [0.0, 1.0]], "the payoff in row 0, column 1 is nan; payoffs must be finite numbers"),
        ([[1.0, 0.0], [-math.inf, 1.0]], "the payoff in row 1, column 0 is -inf"),
        (np.zeros((0, 3)), "0 rows and 3 columns"),
        (np.zeros((3, 0)), "3 rows and 0 columns"),
        ([], "1 dimension;"),
        ([1.0, 2.0], "1 dimension;"),
        (np.zeros((2, 2, 2)), "3 dimensions"),
        ([[1.0, 2.0], [3.0]], "differ in length"),
        ([["a", "b"], ["c", "d"]], "dtype"),
        (np.array([[1j, 0], [0, 1j]]), "dtype"),
        (np.asfortranarray([[1.0, 2.0, math.nan], [0.0, 1.0, 2.0]]), "the payoff in row 0, column 2 is nan"),
        (sparse.csr_array(np.array([[1.0, math.nan], [0.0, 1.0]])), "column 1 is nan"),
    ],
)
def test_bad_payoffs(A: FloatArray, words: str) -> None:
    for call in (lambda: ls.solve(A), lambda: ls.solve(A, method="lp"), lambda: ls.play(A, RULE, RULE, 3)):
        with pytest.raises(ls.InvalidData, match=words):
            call()


RULE = ls.RegretMatchingPlus()


@pytest.mark.parametrize("scale", [1e-9, 0.5, 1.0, 8.0, 1000.0, 2000.0, 1e12])
@pytest.mark.parametrize("shift", [0.0, 3.0])
@pytest.mark.parametrize("method", ["auto", "exact", "lp"])
def test_a_tolerance_is_a_fraction_of_the_range(scale: float, shift: float, method: str) -> None:
    A = (np.array([[1.0, 0.0], [0.0, 0.5]]) + shift) * scale
    solution = ls.solve(A, tol=1e-3, method=method)
    assert solution.range == pytest.approx(scale)
    assert solution.target == pytest.approx(1e-3 * scale)
    assert solution.converged
    assert solution.gap <= 1e-3 * scale
    assert solution.relative_gap == solution.gap / solution.range
    found = ls.equilibrium(A, -A, tol=1e-3, concept="cce")
    assert found.target == pytest.approx((1e-3 * scale, 1e-3 * scale))


def test_a_tolerance_of_functions_is_a_fraction_of_no_more_than_their_range() -> None:
    A = 100.0 * random_game(2, 9, 9)
    pair = (lambda q: A @ q, lambda p: p @ A)
    loose = ls.solve(pair, shape=(9, 9), tol=1e-3)
    assert loose.converged
    assert 0.5e-3 * np.ptp(A) <= loose.target <= 1e-3 * np.ptp(A)
    assert math.isnan(loose.range)
    assert ls.solve(pair, shape=(9, 9), tol=1e-3, bounds=(0.0, 200.0)).target == pytest.approx(0.2)
    assert loose.lower <= value_by_highs(A) <= loose.upper


# To the last digit


def degenerate_game(kind: str, generator: np.random.Generator, rows: int, columns: int) -> FloatArray:
    """Games whose linear programs have ties, dependent rows, or full support."""
    if kind == "integers":
        return generator.integers(-2, 3, (rows, columns)).astype(np.float64)
    if kind == "bits":
        return generator.integers(0, 2, (rows, columns)).astype(np.float64)
    if kind == "sparse":
        return np.where(generator.random((rows, columns)) < 0.1, generator.standard_normal((rows, columns)), 0.0)
    if kind == "low rank":
        return np.asarray(generator.standard_normal((rows, 2)) @ generator.standard_normal((2, columns)))
    if kind == "twins":
        return np.repeat(generator.standard_normal(((rows + 1) // 2, columns)), 2, axis=0)
    if kind == "diagonal":
        return np.diag(generator.random(rows))
    half = generator.integers(-1, 2, (rows, rows)).astype(np.float64)
    return np.asarray(half - half.T)


KINDS = ["integers", "bits", "sparse", "low rank", "twins", "diagonal", "antisymmetric"]


@settings(deadline=None, max_examples=200)
@given(
    st.integers(0, 10**6),
    st.integers(1, 40),
    st.integers(1, 40),
    st.sampled_from(KINDS),
    st.sampled_from(["max", "min"]),
    st.sampled_from([1e-9, 1.0, 1e6]),
)
def test_every_game_to_the_last_digit(seed: int, rows: int, columns: int, kind: str, sense: str, scale: float) -> None:
    A = scale * degenerate_game(kind, np.random.default_rng(seed), rows, columns)
    solution = ls.solve(A, tol=1e-12, sense=sense)
    assert_sound(A, solution, sense)
    assert solution.method in ("exact", "pure")
    assert solution.relative_gap <= 1e-13
    assert solution.converged


@pytest.mark.parametrize("sparse_form", [False, True])
@pytest.mark.parametrize("kind", ["uniform", "sparse", "low rank", "integers"])
def test_larger_games_to_the_last_digit(kind: str, sparse_form: bool) -> None:
    generator = np.random.default_rng(3)
    A = generator.uniform(-1.0, 1.0, (150, 400)) if kind == "uniform" else degenerate_game(kind, generator, 150, 400)
    solution = ls.solve(sparse.csr_array(A) if sparse_form else A, tol=1e-12)
    assert_sound(A, solution)
    assert solution.relative_gap <= 1e-13
    assert solution.value == pytest.approx(value_by_highs(A), abs=1e-7)
    assert solution.history.upper[-1] == solution.upper
    assert solution.history.rounds[-1] == solution.rounds + 1


def test_single_precision_is_solved_to_the_last_digit_of_its_own_payoffs() -> None:
    A = random_game(2, 60, 70).astype(np.float32)
    solution = ls.solve(A, tol=1e-13)
    assert_sound(A.astype(np.float64), solution)
    assert solution.converged


def test_a_game_that_play_hardly_closes_in_on() -> None:
    """Every action is in use, and the payoffs between them are almost singular: play is at 1e-4 after 100,000 rounds."""
    place = np.linspace(0.0, 1.0, 146), np.linspace(0.0, 1.0, 236)
    A = 1.0 / (1.0 + np.abs(np.subtract.outer(*place)))
    solution = ls.solve(A, tol=1e-12)
    assert solution.relative_gap <= 1e-13
    assert solution.rounds <= 1000


def test_what_is_too_large_to_write_down_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("littlestone.games.exact._ENTRIES", 100)
    solution = ls.solve(random_game(1, 30, 30), tol=1e-5)
    assert (solution.method, solution.converged) == ("predictive-regret-matching+", True)


def test_a_start_that_is_lost_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is judged by its gap, not by how it was found."""
    restricted, calls = Payoffs.restricted, []

    def lost(
        self: Payoffs, rows: BoolArray, columns: BoolArray, used: tuple[BoolArray, BoolArray]
    ) -> tuple[FloatArray, FloatArray, float]:
        calls.append(bool(used[0].any()))
        if not used[0].any():
            return restricted(self, rows, columns, used)
        return np.eye(len(rows))[0], np.eye(len(columns))[0], 0.5

    monkeypatch.setattr(Payoffs, "restricted", lost)
    assert ls.solve(random_game(1, 30, 30), tol=1e-12).relative_gap <= 1e-13
    assert calls[:2] == [True, False]


@pytest.mark.parametrize("tol", [0.0, -1e-3, math.nan, math.inf, True])
def test_bad_tolerance(tol: float) -> None:
    with pytest.raises(ls.InvalidParameter, match="tol is"):
        ls.solve(PENNIES, tol=tol)
    with pytest.raises(ls.InvalidParameter, match="tol is"):
        ls.equilibrium(PENNIES, PENNIES, tol=tol)


@pytest.mark.parametrize("max_rounds", [0, -1, 2.5, True])
def test_bad_rounds(max_rounds: int) -> None:
    with pytest.raises(ls.InvalidParameter, match="max_rounds is"):
        ls.solve(PENNIES, max_rounds=max_rounds)


def test_one_of_a_thing_is_one() -> None:
    assert "after 1 round of" in str(ls.solve(ROCK_PAPER_SCISSORS))
    with pytest.raises(ls.InvalidData, match="the payoffs have 1 dimension; expected a matrix"):
        ls.solve([])


def test_bad_names() -> None:
    with pytest.raises(ls.UnknownName, match="there is no method 'simplex'; there are auto, exact, regret-matching"):
        ls.solve(PENNIES, method="simplex")
    with pytest.raises(ls.InvalidParameter, match='sense must be one of "max", "min"'):
        ls.solve(PENNIES, sense="minimize")


def test_bad_functions() -> None:
    good = (lambda q: PENNIES @ q, lambda p: p @ PENNIES)
    with pytest.raises(ls.InvalidParameter, match="needs shape"):
        ls.solve(good)
    with pytest.raises(ls.InvalidParameter, match="the smaller first"):
        ls.solve(good, shape=(2, 2), bounds=(1.0, -1.0))
    with pytest.raises(ls.InvalidParameter, match="shape and bounds are for games given by functions"):
        ls.solve(PENNIES, shape=(2, 2))
    with pytest.raises(ls.InvalidData, match="outside its bounds"):
        ls.solve((lambda q: CYCLIC @ q, lambda p: p @ CYCLIC), shape=(3, 3), bounds=(0.0, 0.2))
    with pytest.raises(ls.InvalidData, match="length 2; expected 3"):
        ls.solve((lambda q: np.ones(2), lambda p: np.ones(2)), shape=(3, 3))
    with pytest.raises(ls.InvalidData, match="not a vector of finite numbers"):
        ls.solve((lambda q: q * math.nan, lambda p: p), shape=(2, 2))
    with pytest.raises(ls.InvalidParameter, match="give bounds"):
        ls.solve(good, shape=(2, 2), method="best-response")
    for method in ("lp", "exact"):
        with pytest.raises(ls.NotApplicable, match="given by functions"):
            ls.solve(good, shape=(2, 2), method=method)
    with pytest.raises(ZeroDivisionError):
        ls.solve((lambda q: q, lambda p: p.tolist()[0] // 0), shape=(2, 2))


# Honesty


@pytest.mark.parametrize("method", METHODS)
def test_too_few_rounds_are_owned_up_to(method: str) -> None:
    A = random_game(1, 30, 40)
    solution = ls.solve(A, tol=1e-9, method=method, max_rounds=20)
    assert_sound(A, solution)
    assert (solution.converged, solution.rounds) == (False, 20)
    assert solution.lower - 1e-12 <= value_by_highs(A) <= solution.upper + 1e-12
    assert "NOT CONVERGED" in str(solution)


def test_history_ends_with_the_answer_and_never_lies() -> None:
    A = random_game(12, 60, 60)
    solution = ls.solve(A, tol=1e-4)
    history, value = solution.history, value_by_highs(A)
    assert (history.lower <= value + 1e-6).all()
    assert (history.upper >= value - 1e-6).all()
    assert (history.rounds[-1], history.lower[-1], history.upper[-1]) == (solution.rounds, solution.lower, solution.upper)
    assert (np.diff(history.rounds) > 0).all()


def test_interrupt_stops_play() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            ls.solve(random_game(0, 300, 300), tol=1e-15, method="regret-matching+", max_rounds=10**9)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_single_precision_is_read_in_place() -> None:
    A = np.random.default_rng(0).random((1200, 1200), dtype=np.float32)
    tracemalloc.start()
    solution = ls.solve(A, tol=0.01)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert solution.converged
    assert peak <= 0.05 * A.nbytes
    assert_sound(A.astype(np.float64), solution)


def test_copy_in_single_precision_survives_a_large_shift() -> None:
    """The copy is taken relative to the middle of the payoffs; float32 of 1e6 + x would not know x."""
    A = random_game(13, 200, 200)
    solution = ls.solve(A + 1e6, tol=1e-5)
    assert_sound(A + 1e6, solution)
    assert solution.converged


# The textbook


@shows("example", "mohri.8.16", "mohri.8.16ewa")
@shows("holds", "mohri.8.16", "mohri.8.16ewa")
@pytest.mark.parametrize(
    ("A", "rounds", "lower", "upper", "bound"),
    [(np.eye(2), 100, 0.5, 0.5293, 0.05887), (CYCLIC, 300, 0.33333, 0.35250, 0.04279)],
)
def test_worked_examples_of_the_book(A: FloatArray, rounds: int, lower: float, upper: float, bound: float) -> None:
    """Mohri et al., section 8.4: loss matrix, row minimises, column best responds."""
    log_m = math.log(len(A))
    solution = ls.solve(A, method="best-response", sense="min", tol=math.sqrt(log_m / (2 * rounds)) * (1 + 1e-9))
    assert solution.rounds == rounds
    assert (solution.lower, solution.upper) == pytest.approx((lower, upper), abs=5e-5)
    assert solution.certificates[1].bound == pytest.approx(bound, abs=5e-6)


@shows("never", "mohri.8.16ewa")
@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 10_000),
    st.integers(2, 9),
    st.integers(2, 9),
    st.sampled_from(["best-response", "self-play"]),
    st.sampled_from(["max", "min"]),
    st.floats(0.05, 0.3),
)
def test_textbook_bound_holds(seed: int, rows: int, columns: int, method: str, sense: str, tol: float) -> None:
    A = 10.0 * random_game(seed, rows, columns) - 5.0
    solution = ls.solve(A, tol=tol, method=method, sense=sense)
    if solution.method == "pure":
        return
    assert_sound(A, solution, sense)
    assert solution.converged
    identity, bound = solution.certificates
    assert bound.holds
    assert bound.bound <= tol
    assert identity.measured == pytest.approx(identity.bound, abs=1e-9)


def test_theorem_is_in_the_catalogue() -> None:
    assert ls.theory["mohri.8.16"].id == "mohri.8.16"
    assert ls.theory["mohri.8.16ewa"].id == "mohri.8.16ewa"


# The compiled products


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10_000),
    st.integers(1, 40),
    st.integers(1, 200),
    st.sampled_from([np.float32, np.float64]),
    st.floats(0.0, 1.0),
    st.booleans(),
)
def test_products(seed: int, rows: int, columns: int, dtype: type[np.floating], zeros: float, fortran: bool) -> None:
    generator = np.random.default_rng(seed)
    A = generator.standard_normal((rows, columns)).astype(dtype)
    p, q = generator.random(rows), generator.random(columns)
    p[generator.random(rows) < zeros] = 0.0
    q[generator.random(columns) < zeros] = 0.0
    game = payoffs_of(np.asfortranarray(A) if fortran else A).game
    exact = A.astype(np.float64)
    np.testing.assert_allclose(game.times(q), exact @ q, atol=1e-12 * columns)
    np.testing.assert_allclose(game.transposed_times(p), p @ exact, atol=1e-12 * rows)
    assert game.summary(1.0)[:2] == (exact.min(), exact.max())
    least, most, *ends, payoff = game.measured(p, q)
    np.testing.assert_allclose([least, most], [np.min(exact @ q), np.max(exact @ q)], atol=1e-12 * columns)
    np.testing.assert_allclose(ends, [np.min(p @ exact), np.max(p @ exact)], atol=1e-12 * rows)
    assert payoff == pytest.approx(p @ exact @ q, abs=1e-12 * rows * columns)


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 10_000), st.integers(1, 20), st.integers(1, 20), st.floats(0.0, 1.0), st.sampled_from([1.0, -1.0]))
def test_pure_equilibria_and_ranges_count_what_is_not_stored(
    seed: int, rows: int, columns: int, density: float, sign: float
) -> None:
    """The first row that secures most, and the first column that concedes least, if the two are the same."""
    generator = np.random.default_rng(seed)
    A = np.where(generator.random((rows, columns)) < density, generator.choice([-2.0, 1.0, 3.0], (rows, columns)), 0.0)
    secured, conceded = (sign * A).min(axis=1), (sign * A).max(axis=0)
    pure = (int(secured.argmax()), int(conceded.argmin())) if secured.max() == conceded.min() else None
    for form in (A, np.asfortranarray(A), A.astype(np.float32), sparse.csr_array(A)):
        assert payoffs_of(form).game.summary(sign) == (A.min(), A.max(), pure)


def test_core_refuses_wrong_sizes() -> None:
    game = payoffs_of(random_game(0, 3, 4)).game
    with pytest.raises(ls.InvalidData, match="length 3; expected 4"):
        game.times(np.ones(3))
    duel = _core.regret_matching_plus(rows=4, columns=4, sign=1.0, power=2.0)
    with pytest.raises(ls.InvalidData, match="another size"):
        duel.play(game, 1, 0.0)
    unchecked = _core.dense_batch(np.full((2, 2), math.nan))
    with pytest.raises(ls.InvalidData, match="not checked"):
        _core.matrix_game(unchecked, transposed=False)


def test_a_matrix_between_blanks_is_the_matrix_between_commas(tmp_path: Path) -> None:
    """As `np.savetxt` writes it; a game of one column has neither."""
    A = np.array([[0.0, 2.5, -1.0], [1.0, 0.0, 3.0]])
    for delimiter in (" ", ",", "\t"):
        np.savetxt(tmp_path / "a.txt", A, delimiter=delimiter)
        assert np.array_equal(ls.read_game(tmp_path / "a.txt").A, A)
    (tmp_path / "column.txt").write_text("1\n2\n")
    assert np.array_equal(ls.read_game(tmp_path / "column.txt").A, [[1.0], [2.0]])
    (tmp_path / "ragged.txt").write_text("1 2\n3\n")
    with pytest.raises(ls.InvalidData, match=r"ragged.txt: the rows of the game differ in length or are empty"):
        ls.read_game(tmp_path / "ragged.txt")
