"""What makes games fast changes no answer: copies in 16 bits, few actions instead of many, lower expectations."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.games.exact import sift
from littlestone.games.methods import FADING, TRUST, Plan, SelfPlay
from littlestone.games.payoffs import Game, Payoffs, payoffs_of

FORMS = ("rows", "columns", "float32", "strided", "csr")
SIGN = {"max": 1.0, "min": -1.0}
RETURNING = 120  # the seed of a game in which an action that left is missed


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


def strategy(generator: np.random.Generator, actions: int, zeros: float) -> FloatArray:
    """A distribution with some actions that are not played."""
    weights = generator.random(actions) * (generator.random(actions) >= zeros)
    weights[generator.integers(actions)] += 0.1
    return np.asarray(weights / weights.sum())


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 40), st.integers(1, 70), st.sampled_from(FORMS), st.floats(0.0, 1.0))
def test_the_copy_is_the_game_to_its_rounding(seed: int, rows: int, columns: int, form: str, zeros: float) -> None:
    """Payoffs to half of 1/65534 of the unit, and each weight of a strategy to half of 1/32768."""
    A, generator = thinned(seed, rows, columns), np.random.default_rng(seed)
    copy = in_form(A, form).game.short_copy(zero=1.0, unit=8.0)
    p, q = strategy(generator, rows, zeros), strategy(generator, columns, zeros)
    np.testing.assert_allclose(copy.times(q), (A - 1.0) / 8.0 @ q, atol=1e-5 + columns / 65536)
    np.testing.assert_allclose(copy.transposed_times(p), p @ ((A - 1.0) / 8.0), atol=1e-5 + rows / 65536)


@pytest.mark.parametrize("form", FORMS)
def test_the_copy_has_every_payoff(form: str) -> None:
    """Of a pure strategy nothing is rounded, and the payoffs to half of 1/65534 of the unit."""
    A = thinned(3, 6, 70)
    copy = in_form(A, form).game.short_copy(zero=1.0, unit=8.0)
    for j in range(70):
        np.testing.assert_allclose(copy.times(np.eye(70)[j]), (A[:, j] - 1.0) / 8.0, rtol=0.0, atol=0.50001 / 65534)
    for i in range(6):
        np.testing.assert_allclose(copy.transposed_times(np.eye(6)[i]), (A[i] - 1.0) / 8.0, rtol=0.0, atol=0.50001 / 65534)


def test_ten_thousand_actions_have_eight_units_each() -> None:
    """More units than one sum of 32 bits holds at the largest payoff, in one action and over all of them."""
    A = np.ones((2, 20_000))
    copy = payoffs_of(A).game.short_copy(zero=0.5, unit=1.0)
    for q in (np.full(20_000, 1.0 / 20_000), np.eye(20_000)[7]):
        np.testing.assert_allclose(copy.times(q), [0.5, 0.5], rtol=1e-12)


@pytest.mark.parametrize("sense", ["max", "min"])
def test_what_a_copy_plays_is_what_its_averages_are_of(sense: str) -> None:
    """The gap that play sees and the gap on the payoffs differ by what rounding the payoffs can do, and no more."""
    A = np.random.default_rng(5).uniform(-1.0, 1.0, (200, 220))
    solution = ls.solve(A, sense=sense, tol=2e-3, method="predictive-regret-matching+")
    payoffs = payoffs_of(A, sense=sense)
    duel = duel_on(payoffs, solution.rounds, whole=True)
    lower, upper = duel.bracket
    assert (upper - lower) * payoffs.range == pytest.approx(solution.gap, abs=payoffs.range / 65534)
    np.testing.assert_allclose(duel.row.sum(), 1.0, rtol=1e-12)


def duel_on(payoffs: Payoffs, rounds: int, *, whole: bool) -> _core.Duel:
    """So many rounds on a copy."""
    rows, columns = payoffs.shape
    duel = _core.predictive_regret_matching_plus(
        rows=rows, columns=columns, sign=payoffs.sign, power=2.0, trust=TRUST, fading=FADING
    )
    duel.play(payoffs.game.short_copy(zero=payoffs.middle, unit=payoffs.range), rounds, 0.0, whole)
    return duel


@pytest.mark.parametrize("sense", ["max", "min"])
@pytest.mark.parametrize("form", ["rows", "columns", "csr"])
def test_actions_that_leave_change_nothing_they_have_no_part_in(form: str, sense: str) -> None:
    """Of rounds in which they would not have been played, the averages are the same to the last bits, and so is the bracket."""
    payoffs = replace(in_form(np.random.default_rng(5).uniform(-1.0, 1.0, (300, 280)), form), sign=SIGN[sense])
    narrowed, whole = (duel_on(payoffs, 44, whole=whole) for whole in (False, True))
    assert (narrowed.narrowed, whole.narrowed) == (True, False)
    np.testing.assert_allclose(narrowed.row, whole.row, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(narrowed.column, whole.column, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(narrowed.bracket, whole.bracket, rtol=1e-12)


def test_small_games_keep_their_actions() -> None:
    assert not duel_on(payoffs_of(np.random.default_rng(4).uniform(-1.0, 1.0, (200, 200))), 70, whole=False).narrowed


def test_an_action_that_left_and_would_gain_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strategies are measured against all actions, whoever played; then all of them play."""
    A, made = np.random.default_rng(RETURNING).uniform(-1.0, 1.0, (260, 260)), []
    duel = SelfPlay.duel

    def counted(self: SelfPlay, plan: Plan) -> _core.Duel:
        made.append(duel(self, plan))
        return made[-1]

    monkeypatch.setattr(SelfPlay, "duel", counted)
    solution = ls.solve(A)
    assert [one.narrowed for one in made] == [True, False]
    assert solution.converged
    assert solution.upper == pytest.approx(np.max(A @ solution.column), abs=1e-14)
    assert solution.lower == pytest.approx(np.min(solution.row @ A), abs=1e-14)


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from(["max", "min"]))
def test_every_bracket_of_the_history_holds(seed: int, sense: str) -> None:
    """Whatever was rounded or left out in play: the value is in all of them."""
    A = np.random.default_rng(seed).standard_normal((270, 260))
    solution, exact = (ls.solve(A, sense=sense, tol=tol) for tol in (1e-3, 1e-12))
    assert (solution.history.lower <= exact.value).all()
    assert (solution.history.upper >= exact.value).all()
    assert solution.history.lower[-1] == solution.lower


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 12), st.integers(1, 12), st.sampled_from(FORMS), st.sampled_from(["max", "min"]))
def test_a_restricted_game_is_that_of_its_actions(seed: int, rows: int, columns: int, form: str, sense: str) -> None:
    A, generator = thinned(seed, rows, columns), np.random.default_rng(seed)
    chosen = generator.random(rows) < 0.5, generator.random(columns) < 0.5
    for marks in chosen:
        marks[generator.integers(len(marks))] = True
    payoffs, used = in_form(A, form), (generator.random(rows) < 0.5, generator.random(columns) < 0.5)
    payoffs = replace(payoffs, sign=SIGN[sense])
    if payoffs.range == 0.0:
        return
    p, q, gap = payoffs.restricted(*chosen, used)
    assert gap <= 1e-12
    assert not p[~chosen[0]].any()
    assert not q[~chosen[1]].any()
    part = payoffs.sign * A[np.ix_(*chosen)]
    assert np.max(part @ q[chosen[1]]) - np.min(p[chosen[0]] @ part) <= (1e-6 if form == "float32" else 1e-12) * payoffs.range


def test_the_simplex_method_starts_from_whatever_is_in_use() -> None:
    """What is in use is where it starts, never what it finds; even from every action of a singular game."""
    A = 1.0 + np.random.default_rng(3).random((20, 30))
    A[10:] = A[:10]
    payoffs, generator = payoffs_of(A), np.random.default_rng(1)
    everything = np.ones(20, dtype=bool), np.ones(30, dtype=bool)
    for share in (0.0, 0.3, 0.7, 1.0):
        x, y, _ = payoffs.restricted(*everything, (generator.random(20) < share, generator.random(30) < share))
        assert np.max(A @ y) - np.min(x @ A) <= 1e-14


def test_marks_of_another_length_are_refused() -> None:
    payoffs, three, four = payoffs_of(np.eye(3)), np.ones(3, dtype=bool), np.ones(4, dtype=bool)
    for wrong in ((four, three, three, three), (three, four, three, three), (three, three, four, three)):
        with pytest.raises(ls.InvalidData, match="4 actions are marked or not; expected 3"):
            payoffs.game.restricted(*wrong, zero=0.5, unit=1.0)
    functions = payoffs_of((lambda q: q, lambda p: p), shape=(2, 2)).game
    with pytest.raises(ls.NotApplicable, match="cannot be listed"):
        functions.short_copy(zero=0.0, unit=1.0)


@pytest.mark.parametrize("form", ["rows", "columns", "csr"])
def test_features_are_counted_between_some_actions(form: str) -> None:
    generator = np.random.default_rng(0)
    payoffs = in_form(generator.standard_normal((60, 4)) @ generator.standard_normal((4, 50)), form)
    some = np.arange(60) < 20, np.arange(50) < 20
    assert payoffs.of_few_features(*some, 5)  # and the constant that moves payoffs above 0
    assert not payoffs.of_few_features(*some, 4)
    assert not in_form(generator.random((60, 50)), form).of_few_features(*some, 19)
    mostly_nothing = np.where(np.arange(50) < 5, generator.random((60, 50)), 0.0)
    assert not in_form(mostly_nothing, form).of_few_features(*some, 19)


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
