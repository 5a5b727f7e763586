"""Equilibria of games that are not zero-sum: known lists, another library beside, degenerate games, certificates."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.games.bimatrix import Bimatrix, external_gaps, swap_gaps
from littlestone.games.lemke_howson import lemke_howson
from littlestone.theory.equilibria import COARSE, CORRELATED, NASH, DeviationEvidence
from littlestone.theory.games import GameMoment
from littlestone.theory.guarantee import within
from shown import shows

DILEMMA = np.array([[3.0, 0.0], [5.0, 1.0]])
CHICKEN = np.array([[0.0, 7.0], [2.0, 6.0]])
ROCK_PAPER_SCISSORS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
# Payoffs of many sizes, almost dependent: the linear systems of its supports are hard for floating-point numbers.
UNEVEN = np.array(
    [
        [9504, -660, 19976, -20526, 1776, -8976],
        [-111771, 31680, -130944, 168124, -8514, 52764],
        [397584, -113850, 451176, -586476, 29216, -178761],
        [171204, -45936, 208626, -263076, 14124, -84436],
        [1303104, -453420, 1227336, -1718376, 72336, -461736],
        [737154, -227040, 774576, -1039236, 48081, -300036],
    ],
    dtype=np.float64,
)
UNEVEN_COLUMN = np.array(
    [
        [72336, -461736, 1227336, -1718376, 1303104, -453420],
        [48081, -300036, 774576, -1039236, 737154, -227040],
        [29216, -178761, 451176, -586476, 397584, -113850],
        [14124, -84436, 208626, -263076, 171204, -45936],
        [1776, -8976, 19976, -20526, 9504, -660],
        [-8514, 52764, -130944, 168124, -111771, 31680],
    ],
    dtype=np.float64,
)


def pairs(found: ls.Equilibria) -> list[tuple[list[float], list[float]]]:
    return [(each.row.round(6).tolist(), each.column.round(6).tolist()) for each in found]


def random_pair(seed: int, rows: int, columns: int) -> tuple[FloatArray, FloatArray]:
    generator = np.random.default_rng(seed)
    return generator.random((rows, columns)), generator.random((rows, columns))


@shows("example", "equilibrium.nash")
@shows("holds", "equilibrium.nash")
@pytest.mark.parametrize(
    ("A", "B", "expected"),
    [
        (DILEMMA, DILEMMA.T, [([0.0, 1.0], [0.0, 1.0])]),
        (ROCK_PAPER_SCISSORS, -ROCK_PAPER_SCISSORS, [([0.333333] * 3, [0.333333] * 3)]),
        (CHICKEN, CHICKEN.T, [([1, 0], [0, 1]), ([0, 1], [1, 0]), ([1 / 3, 2 / 3], [1 / 3, 2 / 3])]),
        ([[1, 2], [3, 0]], [[0, 2], [3, 1]], [([0, 1], [1, 0]), ([1, 0], [0, 1]), ([0.5, 0.5], [0.5, 0.5])]),
    ],
)
def test_known_equilibria(A: FloatArray, B: FloatArray, expected: list[tuple[list[float], list[float]]]) -> None:
    found = ls.equilibria(A, B)
    assert sorted(pairs(found)) == sorted((np.round(p, 6).tolist(), np.round(q, 6).tolist()) for p, q in expected)
    assert (found.complete, found.degenerate, found.note) == (True, False, "")
    for each in found:
        assert each.row_payoff == pytest.approx(each.row @ np.asarray(A) @ each.column)
        assert each.column_payoff == pytest.approx(each.row @ np.asarray(B) @ each.column)
        assert max(each.row_gap, each.column_gap) <= 1e-12
        assert each.certificate.holds


def indifferent(payoffs: list[list[Fraction]]) -> list[Fraction] | None:
    """Weights of the columns that make all rows earn the same, and what; without rounding."""
    size = len(payoffs)
    system = [[*row, Fraction(-1), Fraction(0)] for row in payoffs] + [[Fraction(1)] * size + [Fraction(0), Fraction(1)]]
    for column in range(size + 1):
        pivot = next((row for row in range(column, size + 1) if system[row][column] != 0), None)
        if pivot is None:
            return None
        system[column], system[pivot] = system[pivot], system[column]
        system[column] = [entry / system[column][column] for entry in system[column]]
        for row in range(size + 1):
            factor = system[row][column]
            if row != column and factor != 0:
                system[row] = [a - factor * b for a, b in zip(system[row], system[column], strict=True)]
    answer = [row[-1] for row in system]
    return answer if min(answer[:-1]) > 0 else None


def exact_equilibria(A: FloatArray, B: FloatArray) -> int:
    """How many there are on supports of one size, by rational arithmetic."""
    ours, theirs = ([[Fraction(int(x)) for x in row] for row in M] for M in (A, B))
    count, (rows, columns) = 0, A.shape
    for size in range(1, min(rows, columns) + 1):
        for at_rows, at_columns in product(combinations(range(rows), size), combinations(range(columns), size)):
            y = indifferent([[ours[i][j] for j in at_columns] for i in at_rows])
            x = indifferent([[theirs[i][j] for i in at_rows] for j in at_columns])
            if x is None or y is None:
                continue
            earned = [sum(ours[i][j] * q for j, q in zip(at_columns, y, strict=False)) for i in range(rows)]
            paid = [sum(theirs[i][j] * p for i, p in zip(at_rows, x, strict=False)) for j in range(columns)]
            count += max(earned) <= y[-1] and max(paid) <= x[-1]
    return count


def test_an_ill_conditioned_game_against_rational_arithmetic() -> None:
    found = ls.equilibria(UNEVEN, UNEVEN_COLUMN)
    assert len(found) == exact_equilibria(UNEVEN, UNEVEN_COLUMN) == 7
    assert not found.degenerate
    assert all(each.certificate.holds for each in found)


@pytest.mark.parametrize("seed", range(12))
def test_random_games_against_rational_arithmetic(seed: int) -> None:
    A, B = np.random.default_rng(seed).integers(-1000, 1000, (2, 4, 3)).astype(np.float64)
    assert len(ls.equilibria(A, B)) == exact_equilibria(A, B)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_pure_coordination_has_an_equilibrium_for_every_set_of_actions(size: int) -> None:
    found = ls.equilibria(np.eye(size), np.eye(size))
    assert len(found) == 2**size - 1
    assert not found.degenerate


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 4))
@example(1_000_000, 4, 4)  # they find two of three
def test_the_same_list_as_nashpy(seed: int, rows: int, columns: int) -> None:
    nash = pytest.importorskip("nashpy")
    A, B = random_pair(seed, rows, columns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that a list of even length may lack some
        theirs = [(p.round(6).tolist(), q.round(6).tolist()) for p, q in nash.Game(A, B).support_enumeration()]
    found = ls.equilibria(A, B)
    ours = sorted(pairs(found))
    assert ours == sorted(theirs) if len(theirs) % 2 else all(pair in ours for pair in theirs)
    assert len(found) % 2 == 1  # a game that is not degenerate has an odd number of them
    assert not found.degenerate


@shows("never", "equilibrium.nash")
@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 6), st.booleans(), st.sampled_from([1e-6, 1.0, 1e6]))
def test_whatever_is_listed_is_an_equilibrium(seed: int, rows: int, columns: int, ties: bool, scale: float) -> None:
    generator = np.random.default_rng(seed)
    shape = (2, rows, columns)
    A, B = scale * (generator.integers(0, 3, shape) if ties else generator.random(shape))
    for method in ("support", "lemke-howson"):
        found = ls.equilibria(A, B, method=method)
        assert len(found) >= 1
        for each in found:
            for strategy in (each.row, each.column):
                assert (strategy >= 0.0).all()
                assert strategy.sum() == pytest.approx(1.0, abs=1e-12)
            assert (A @ each.column).max() - each.row @ A @ each.column <= 1e-8 * scale * 2
            assert (each.row @ B).max() - each.row @ B @ each.column <= 1e-8 * scale * 2
            assert each.certificate.verdict is ls.Verdict.HOLDS


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 5))
def test_lemke_howson_finds_one_of_the_list(seed: int, rows: int, columns: int) -> None:
    A, B = random_pair(seed, rows, columns)
    (one,) = ls.equilibria(A, B, method="lemke-howson")
    listed = ls.equilibria(A, B)
    assert any(np.allclose(one.row, each.row) and np.allclose(one.column, each.column) for each in listed)


def test_lemke_howson_takes_larger_games() -> None:
    A, B = random_pair(4, 60, 70)
    (one,) = found = ls.equilibria(A, B, method="lemke-howson")
    assert one.certificate.holds
    assert (found.complete, found.note) == (False, "there may be more equilibria")
    assert str(found).splitlines()[0] == "1 equilibrium by lemke-howson"
    assert str(found).splitlines()[-1] == "there may be more equilibria"
    with pytest.raises(ls.InvalidParameter, match=r"pairs of supports of one size; expected at most .*lemke-howson"):
        ls.equilibria(A, B)


def test_zero_sum_games_agree_with_solve() -> None:
    A = random_pair(9, 7, 5)[0]
    (one,) = ls.equilibria(A, -A)
    assert one.row_payoff == pytest.approx(ls.solve(A, tol=1e-12).value, abs=1e-12)


# Degenerate games


@pytest.mark.parametrize(
    ("A", "B"),
    [
        (np.zeros((2, 2)), np.zeros((2, 2))),
        (np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([[1.0, 1.0], [0.0, 1.0]])),
        (np.array([[3.0, 3.0], [2.0, 5.0], [0.0, 6.0]]), np.array([[3.0, 3.0], [2.0, 6.0], [3.0, 1.0]])),
    ],
)
def test_degenerate_games_say_so(A: FloatArray, B: FloatArray) -> None:
    found = ls.equilibria(A, B)
    assert found.degenerate
    assert not found.complete
    assert "infinitely many" in found.note
    assert len(found) >= 2
    assert all(each.certificate.holds for each in found)


def test_supports_of_different_sizes_are_found_in_degenerate_games() -> None:
    """Against (1, 0) both rows earn 1 and the column player does not care: (1/2, 1/2) against (1, 0) is one of many."""
    A, B = np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[1.0, 0.0], [1.0, 0.0]])
    assert ([0.5, 0.5], [1.0, 0.0]) in pairs(ls.equilibria(A, B))


def test_lemke_howson_does_not_run_in_circles() -> None:
    for seed in range(60):
        generator = np.random.default_rng(seed)
        A, B = generator.integers(0, 2, (2, 6, 7)).astype(np.float64)
        p, q = lemke_howson(Bimatrix(A, B))
        assert max(external_gaps(np.outer(p, q), A, B)) <= 1e-9


# Correlated equilibria


@shows("example", "equilibrium.correlated", "equilibrium.coarse")
def test_the_best_correlated_equilibrium_of_chicken() -> None:
    """Aumann's: a quarter dares at the other's expense, each way, and half of the time both are careful: 5.25 each."""
    found = ls.equilibrium(CHICKEN, CHICKEN.T, concept="ce", method="lp")
    np.testing.assert_allclose(found.joint, [[0.0, 0.25], [0.25, 0.5]], atol=1e-7)
    assert (found.row_payoff, found.column_payoff) == pytest.approx((5.25, 5.25))
    assert found.certificate.holds
    coarse = ls.equilibrium(CHICKEN, CHICKEN.T, concept="cce", method="lp")
    assert coarse.row_payoff + coarse.column_payoff >= 10.5 - 1e-7
    assert coarse.certificate.holds


@shows("holds", "equilibrium.correlated", "equilibrium.coarse")
@shows("never", "equilibrium.correlated", "equilibrium.coarse")
@settings(deadline=None, max_examples=25)
@given(
    st.integers(0, 10**6),
    st.integers(1, 5),
    st.integers(1, 5),
    st.sampled_from(["ce", "cce"]),
    st.sampled_from(["regret", "lp"]),
)
def test_gains_are_at_most_the_average_regret(seed: int, rows: int, columns: int, concept: str, method: str) -> None:
    A, B = random_pair(seed, rows, columns)
    found = ls.equilibrium(A, B, concept=concept, method=method, tol=0.02, max_rounds=4000)
    gaps = (swap_gaps if concept == "ce" else external_gaps)(found.joint, A, B)
    assert (found.row_gap, found.column_gap) == pytest.approx(gaps)
    assert found.certificate.holds
    assert found.converged
    if method == "regret":  # the identity behind the theorem
        assert found.certificate.measured == pytest.approx(found.certificate.bound, abs=1e-9)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6))
def test_nash_is_correlated_is_coarse(seed: int) -> None:
    """What the players can reach together grows from one concept to the next."""
    A, B = random_pair(seed, 3, 4)
    best = max(each.row_payoff / np.ptp(A) + each.column_payoff / np.ptp(B) for each in ls.equilibria(A, B))
    for concept in ("ce", "cce"):
        found = ls.equilibrium(A, B, concept=concept, method="lp")
        reached = found.row_payoff / np.ptp(A) + found.column_payoff / np.ptp(B)
        assert reached >= best - 1e-7
        best = reached


# Verdicts


EVEN = np.full((2, 2), 0.25)


@shows("vacuous", "equilibrium.nash", "equilibrium.correlated", "equilibrium.coarse")
@shows("violated", "equilibrium.nash", "equilibrium.correlated", "equilibrium.coarse")
@shows("unproved", "equilibrium.nash", "equilibrium.correlated", "equilibrium.coarse")
def test_verdicts() -> None:
    fine = DeviationEvidence(joint=EVEN, gain=0.01, allowed=0.02)
    for theorem in (NASH, CORRELATED, COARSE):
        assert theorem.certify(fine).verdict is ls.Verdict.HOLDS
        assert theorem.certify(replace(fine, allowed=1.0)).verdict is ls.Verdict.VACUOUS
        assert theorem.certify(replace(fine, gain=0.03)).verdict is ls.Verdict.VIOLATED
        assert theorem.certify(replace(fine, joint=2.0 * EVEN)).verdict is ls.Verdict.UNPROVED
    agreed = replace(fine, joint=np.eye(2) / 2.0)
    assert NASH.certify(agreed).verdict is ls.Verdict.UNPROVED  # players who toss one coin do not draw on their own
    assert CORRELATED.certify(agreed).holds


@shows("mutant", "equilibrium.nash", "equilibrium.correlated", "equilibrium.coarse")
def test_the_lemma_catches_a_strategy_that_adds_up_to_two() -> None:
    A, p, q = CHICKEN, np.array([1 / 3, 2 / 3]), np.array([1 / 3, 2 / 3])
    (lemma,) = NASH.lemmas
    assert within(*lemma.sides(GameMoment(A @ q, p @ A, float(p @ A @ q))))
    assert not within(*lemma.sides(GameMoment(A @ q, 2.0 * p @ A, float(2.0 * p @ A @ q))))


# What is not zero-sum is not solved as if it were


def test_solve_refuses_a_game_that_is_not_zero_sum(tmp_path: Path) -> None:
    path = tmp_path / "dilemma.nfg"
    path.write_text('NFG 1 R "dilemma" { "R" "C" } { { "talk" "keep" } { "talk" "keep" } } 3 3 5 0 0 5 1 1')
    game = ls.read_game(path)
    words = r"dilemma is not zero-sum: the payoffs add up to 2 for \(keep, keep\) and 6 for \(talk, talk\)"
    with pytest.raises(ls.NotApplicable, match=words + ".*ls.equilibria"):
        ls.solve(game)
    with pytest.raises(ls.NotApplicable, match=words):
        ls.play(game, ls.RegretMatchingPlus(), ls.RegretMatchingPlus(), 3)
    assert pairs(ls.equilibria(game.A, game.B)) == [([0.0, 1.0], [0.0, 1.0])]


def test_a_constant_sum_is_as_good_as_zero(tmp_path: Path) -> None:
    path = tmp_path / "shared.nfg"
    path.write_text('NFG 1 R "shares" { "R" "C" } { 2 2 } 1 0 0 1 0 1 1 0')
    solution = ls.solve(ls.read_game(path), tol=1e-12)
    assert solution.value == pytest.approx(0.5)
    assert next(check.words for check in solution.certificate.assumptions) == "the game is zero-sum"


# Bad input


@pytest.mark.parametrize(
    ("A", "B", "words"),
    [
        ([[1.0]], [[1.0, 2.0]], r"shapes \(1, 1\) and \(1, 2\)"),
        ([[math.nan]], [[1.0]], "nan"),
        ([], [], "1 dimension;"),
    ],
)
def test_bad_payoffs(A: FloatArray, B: FloatArray, words: str) -> None:
    for call in (ls.equilibria, ls.equilibrium):
        with pytest.raises(ls.InvalidData, match=words):
            call(A, B)


def test_bad_methods() -> None:
    with pytest.raises(ls.InvalidParameter, match='method must be one of "support", "lemke-howson"'):
        ls.equilibria(CHICKEN, CHICKEN.T, method="guess")
    with pytest.raises(ls.InvalidParameter, match='method must be one of "regret", "lp"'):
        ls.equilibrium(CHICKEN, CHICKEN.T, method="guess")


def test_players_who_are_never_sorry_break_no_theorem() -> None:
    """A regret below 0 allows for no gain, and there is none: it once was a contradiction."""
    for seed in range(6):
        source = np.random.default_rng(seed)
        A, B = source.normal(size=(3, 3)), source.normal(size=(3, 3))
        for concept in ("ce", "cce"):
            found = ls.equilibrium(A, B, concept=concept, tol=1e-2)
            assert found.certificate.holds, (seed, concept)
            assert found.certificate.bound >= 0.0
