"""What makes games fast changes no answer: copies in single precision, few actions instead of many, lower expectations."""

from __future__ import annotations

import math
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.games.exact import sift
from littlestone.games.payoffs import Game, Payoffs, payoffs_of

FORMS = ("rows", "columns", "float32", "strided", "csr")


def in_form(A: FloatArray, form: str) -> Payoffs:
    """The same payoffs as they may come."""
    if form == "columns":
        return payoffs_of(np.asfortranarray(A))
    if form == "float32":
        return payoffs_of(A.astype(np.float32))
    if form == "strided":
        return payoffs_of(np.repeat(A, 2, axis=1)[:, ::2])
    return payoffs_of(sparse.csr_array(A) if form == "csr" else A)


def thinned(seed: int, rows: int, columns: int) -> FloatArray:
    generator = np.random.default_rng(seed)
    return np.where(generator.random((rows, columns)) < 0.4, generator.uniform(-3.0, 5.0, (rows, columns)), 0.0)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 40), st.integers(1, 70), st.sampled_from(FORMS), st.floats(0.0, 1.0))
def test_the_copy_in_single_precision_is_the_game_to_its_rounding(
    seed: int, rows: int, columns: int, form: str, zeros: float
) -> None:
    A, generator = thinned(seed, rows, columns), np.random.default_rng(seed)
    copy = in_form(A, form).game.single(zero=1.0, unit=8.0)
    p, q = (generator.random(n) * (generator.random(n) >= zeros) for n in (rows, columns))
    np.testing.assert_allclose(copy.times(q), (A - 1.0) / 8.0 @ q, atol=1e-6 * columns)
    np.testing.assert_allclose(copy.transposed_times(p), p @ ((A - 1.0) / 8.0), atol=1e-6 * rows)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 12), st.integers(1, 12), st.sampled_from(FORMS))
def test_a_block_has_the_payoffs_of_its_actions(seed: int, rows: int, columns: int, form: str) -> None:
    A, generator = thinned(seed, rows, columns), np.random.default_rng(seed)
    chosen = [np.flatnonzero(generator.random(n) < 0.5) for n in (rows, columns)]
    block = in_form(A, form).game.block(*chosen, zero=2.0, unit=-4.0)
    np.testing.assert_allclose(block, (A[np.ix_(*chosen)] - 2.0) / -4.0, rtol=1e-6 if form == "float32" else 0.0)


def test_a_block_of_actions_that_are_not_there_is_refused() -> None:
    game = payoffs_of(np.eye(3)).game
    for wrong in (-1, 3):
        with pytest.raises(ls.InvalidData, match=f"there is no action {wrong}"):
            game.block(np.array([wrong]), np.array([0]), zero=0.0, unit=1.0)
    functions = payoffs_of((lambda q: q, lambda p: p), shape=(2, 2)).game
    with pytest.raises(ls.NotApplicable, match="cannot be listed"):
        functions.single(zero=0.0, unit=1.0)


@pytest.mark.parametrize("sense", ["max", "min"])
@pytest.mark.parametrize("form", ["rows", "columns", "csr"])
def test_payoffs_of_few_features_are_solved_without_play(form: str, sense: str) -> None:
    """Of 400 × 500 actions made of 5 features, six of each are enough."""
    generator = np.random.default_rng(4)
    A = generator.standard_normal((400, 5)) @ generator.standard_normal((5, 500)) + 0.5
    forms: dict[str, Game] = {"rows": A, "columns": np.asfortranarray(A), "csr": sparse.csr_array(A)}
    solution = ls.solve(forms[form], sense=sense)
    assert (solution.method, solution.rounds) == ("exact", 0)
    assert solution.value == pytest.approx(0.5, abs=1e-12)
    assert solution.relative_gap <= 1e-12
    assert np.count_nonzero(solution.row) <= 6
    assert float(np.ptp(A @ solution.column)) <= 1e-11 * float(np.ptp(A))


def test_sifting_takes_in_the_actions_that_its_few_lack() -> None:
    """The actions of the answer are none of those it starts from."""
    A = np.random.default_rng(8).uniform(0.0, 0.1, (600, 600))
    A[101, :], A[:, 101] = 0.5, -0.5
    A[101, 101], A[101, 103], A[103, 101], A[103, 103] = 1.0, -1.0, -1.0, 1.0
    A[103, :101] = A[103, 104:] = 0.5
    A[:101, 103] = A[104:, 103] = -0.5
    found = sift(payoffs_of(A), 1e-9)
    assert found is not None
    p, q = found
    assert {*np.flatnonzero(p)} == {*np.flatnonzero(q)} == {101, 103}
    assert float(np.max(A @ q) - np.min(p @ A)) == pytest.approx(0.0, abs=1e-14)


def test_sifting_gives_up_where_half_of_all_actions_are_needed() -> None:
    payoffs = payoffs_of(np.random.default_rng(0).uniform(-1.0, 1.0, (300, 300)))
    assert sift(payoffs, 1e-4) is None


def test_what_no_single_number_can_hold_is_played_as_it_is() -> None:
    """1/range would be infinite."""
    A = np.random.default_rng(1).random((150, 150)) * 1e-310
    solution = ls.solve(A, tol=1e-2, method="predictive-regret-matching+")
    assert solution.converged
    assert math.isfinite(solution.gap)


def test_without_trust_it_is_regret_matching_plus() -> None:
    A = np.random.default_rng(2).random((7, 9))
    plain, predictive = ls.RegretMatchingPlus(), ls.PredictiveRegretMatchingPlus(trust=0.0)
    one, two = (ls.play(A, rule, rule, 40, alternate=True, power=2.0) for rule in (plain, predictive))
    np.testing.assert_array_equal(one.row.strategy, two.row.strategy)
    with pytest.raises(ls.InvalidParameter, match=r"trust must be a number from 0 to 1"):
        ls.PredictiveRegretMatchingPlus(trust=1.5)


def test_the_name_of_a_file_is_no_game() -> None:
    with pytest.raises(ls.InvalidData, match=r"the game is the name 'rps.csv'; read the file first: ls.read_game\('rps.csv'\)"):
        ls.solve(cast("list[list[float]]", "rps.csv"))
