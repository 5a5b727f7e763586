"""Play of expert rules against each other: the gap identity, the compiled twins, mutants, correlated equilibria, files."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from littlestone.arrays import BoolArray, FloatArray
from littlestone.experts import ExpertRule, ExpertState
from littlestone.experts.rule import proportional
from littlestone.games import METHODS
from littlestone.games.bimatrix import external_gaps, swap_gaps
from littlestone.games.evidence import evidence_of
from littlestone.games.methods import FADING, TRUST, Plan
from littlestone.games.payoffs import payoffs_of
from littlestone.games.swap_regret_matching import stationary
from littlestone.theory.games import MINIMAX, WEAK_DUALITY, GameEvidence, GameMoment
from shown import shows

DATA = Path(os.environ.get("LITTLESTONE_DATA", Path(__file__).parents[2] / "shared" / "data")) / "games"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the data sets are not there")

RULES: tuple[ExpertRule, ...] = (
    ls.RegretMatchingPlus(),
    ls.PredictiveRegretMatchingPlus(),
    ls.PredictiveRegretMatchingPlus(trust=0.5, fading=2.0),
    ls.OptimisticHedge(),
    ls.BestResponse(),
    ls.SwapRegretMatching(),
    ls.ExponentialWeights(),
    ls.ExponentialWeights(horizon=50),
)
LEARNERS = tuple(rule for rule in RULES if not isinstance(rule, ls.BestResponse))
PREDICTIVE = ls.PredictiveRegretMatchingPlus(trust=TRUST, fading=FADING)
GAME = np.array([[4.0, 1.0], [1.0, 2.0]])


def random_game(seed: int, rows: int, columns: int) -> FloatArray:
    return np.random.default_rng(seed).random((rows, columns))


@shows("never", "mohri.8.16")
@shows("tight", "mohri.8.16")
@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10_000),
    st.sampled_from(RULES),
    st.sampled_from(RULES),
    st.integers(1, 60),
    st.sampled_from(["max", "min"]),
    st.booleans(),
    st.sampled_from([0.0, 1.0, 2.0]),
)
def test_gap_is_the_sum_of_regrets(
    seed: int, row: ExpertRule, column: ExpertRule, rounds: int, sense: str, alternate: bool, power: float
) -> None:
    A = 6.0 * random_game(seed, 4, 5) - 3.0
    play = ls.play(A, row, column, rounds, sense=sense, alternate=alternate, power=power)
    regrets = (play.row.regret + play.column.regret) * np.ptp(A)
    assert play.gap == pytest.approx(regrets, abs=1e-10)
    assert play.certificate.measured == pytest.approx(play.certificate.bound, abs=1e-10)
    assert play.certificate.verdict is not ls.Verdict.VIOLATED


@pytest.mark.parametrize("rule", LEARNERS)
def test_self_play_finds_the_equilibrium(rule: ExpertRule) -> None:
    """[[4, 1], [1, 2]]: value 1.75 at (1/4, 3/4) for both, where a library in use returns ((1, 0), (1/2, 1/2))."""
    play = ls.play(GAME, rule, rule, 4000)
    assert play.gap <= 0.08
    assert play.lower <= 1.75 <= play.upper
    np.testing.assert_allclose(play.row.strategy, [0.25, 0.75], atol=0.05)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class SubtractsTheStrategy(ExpertRule):
    """Mutant: regret matching that subtracts the strategy, entry by entry, instead of the loss it earned."""

    source: ClassVar[str] = "a defect seen in the field"
    unit: ClassVar[bool] = False

    def init(self, experts: int) -> ExpertState:
        return ExpertState(regret=np.zeros(experts))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        return proportional(np.maximum(state.regret, 0.0), awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        state.regret[:] += (1.0 - losses) - self.weights(state)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class WrongSign(ExpertRule):
    """Mutant: prefers what lost most."""

    source: ClassVar[str] = "a mutant"
    unit: ClassVar[bool] = False

    def init(self, experts: int) -> ExpertState:
        return ExpertState(regret=np.zeros(experts))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        return proportional(state.regret, awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        state.regret[:] = np.maximum(state.regret + losses - own, 0.0)


DOMINATED = np.array([[3.0, 2.0], [1.0, 0.0]])


@pytest.mark.parametrize("rule", [*LEARNERS, ls.BestResponse()])
def test_dominated_actions_are_left(rule: ExpertRule) -> None:
    play = ls.play(DOMINATED, rule, rule, 4000)
    assert play.gap <= 0.05
    assert play.row.strategy[0] >= 0.97


@pytest.mark.parametrize(("mutant", "A", "value"), [(SubtractsTheStrategy(), GAME, 1.75), (WrongSign(), DOMINATED, 2.0)])
def test_mutants_do_not_find_it(mutant: ExpertRule, A: FloatArray, value: float) -> None:
    """The laws above have teeth: the gap of a rule that does not minimise regret stays open, and the bracket says so."""
    play = ls.play(A, mutant, mutant, 4000)
    assert play.gap > 0.3
    assert play.lower <= value <= play.upper


@shows("unproved", "mohri.8.16")
def test_certificate_asks_for_distributions() -> None:
    payoffs, p = payoffs_of(GAME), np.array([0.25, 0.75])
    bracket = payoffs.bracket(p, p)
    assert MINIMAX.certify(evidence_of(payoffs, p, p, bracket, bracket, rounds=1)).holds
    doubled = evidence_of(payoffs, 2.0 * p, p, bracket, bracket, rounds=1)
    assert MINIMAX.certify(doubled).verdict is ls.Verdict.UNPROVED


@shows("violated", "mohri.8.16")
def test_certificate_of_the_last_strategy_is_violated() -> None:
    play = ls.play(np.eye(2), ls.RegretMatchingPlus(), ls.BestResponse(), 51, alternate=True)
    p = np.array([1.0, 0.0])
    bracket = payoffs_of(np.eye(2)).bracket(p, play.column.strategy)
    evidence = GameEvidence(
        p=p,
        q=play.column.strategy,
        range=1.0,
        rounds=51,
        lower=bracket.lower,
        upper=bracket.upper,
        row_regret=play.row.regret,
        column_regret=play.column.regret,
    )
    assert MINIMAX.certify(evidence).verdict is ls.Verdict.VIOLATED


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 8), st.integers(1, 8))
def test_weak_duality_in_every_round(seed: int, rows: int, columns: int) -> None:
    generator = np.random.default_rng(seed)
    A = generator.standard_normal((rows, columns))
    p, q = generator.dirichlet(np.ones(rows)), generator.dirichlet(np.ones(columns))
    for lemma in WEAK_DUALITY:
        left, right = lemma.sides(GameMoment(A @ q, p @ A, float(p @ A @ q)))
        assert left <= right + 1e-12
    wrong = GameMoment(A @ q, p @ A, float((A @ q).max()) + 1.0)
    left, right = WEAK_DUALITY[0].sides(wrong)
    assert left > right


@pytest.mark.parametrize("sense", ["max", "min"])
@pytest.mark.parametrize(
    ("method", "row", "column", "alternate", "power"),
    [
        ("regret-matching+", ls.RegretMatchingPlus(), ls.RegretMatchingPlus(), True, 2.0),
        ("predictive-regret-matching+", PREDICTIVE, PREDICTIVE, True, 2.0),
        ("optimistic-hedge", ls.OptimisticHedge(), ls.OptimisticHedge(), True, 2.0),
        ("best-response", ls.ExponentialWeights(horizon=60), ls.BestResponse(), True, 0.0),
        ("self-play", ls.ExponentialWeights(horizon=60), ls.ExponentialWeights(horizon=60), False, 0.0),
    ],
)
def test_compiled_rounds_are_the_definition(
    method: str, row: ExpertRule, column: ExpertRule, alternate: bool, power: float, sense: str
) -> None:
    """Python defines, C++ repeats: the same averages to 1e-10 after 60 rounds."""
    A = 3.0 * random_game(21, 17, 23) + 1.0
    defined = ls.play(A, row, column, 60, sense=sense, alternate=alternate, power=power)
    payoffs = payoffs_of(A, sense=sense)
    plan = Plan(17, 23, payoffs.sign, payoffs.range, 1e-9, 60)
    duel = METHODS[method].duel(plan)
    duel.play(payoffs.game, 60, -math.inf)
    np.testing.assert_allclose(duel.row, defined.row.strategy, atol=1e-10)
    np.testing.assert_allclose(duel.column, defined.column.strategy, atol=1e-10)
    assert duel.bracket == pytest.approx((defined.lower, defined.upper), abs=1e-10)


def test_rounds_can_be_played_in_any_slices() -> None:
    game = payoffs_of(random_game(3, 9, 9)).game
    whole, sliced = (_core.optimistic_hedge(rows=9, columns=9, sign=1.0, power=2.0) for _ in range(2))
    whole.play(game, 50, 0.0)
    for rounds in (1, 19, 30):
        sliced.play(game, rounds, 0.0)
    np.testing.assert_array_equal(whole.row, sliced.row)
    assert whole.bracket == sliced.bracket


def test_play_refuses_what_makes_no_sense() -> None:
    rule = ls.RegretMatchingPlus()
    with pytest.raises(ls.InvalidParameter, match="rounds is 0"):
        ls.play(GAME, rule, rule, 0)
    with pytest.raises(ls.InvalidParameter, match="power is -1"):
        ls.play(GAME, rule, rule, 1, power=-1.0)
    with pytest.raises(ls.InvalidParameter, match="needs bounds"):
        ls.play((lambda q: GAME @ q, lambda p: p @ GAME), rule, rule, 1, shape=(2, 2))


def test_each_player_is_a_run_with_its_own_certificates() -> None:
    """Simultaneous play: the ledgers add up to the gap, and mohri.8.6b holds for each Exponential Weights player."""
    rounds = 4000  # after a few the theorem says no more than that whoever plays all actions alike does as well
    A, hedge = random_game(4, 5, 7), ls.ExponentialWeights(horizon=rounds)
    play = ls.play(A, hedge, hedge, rounds)
    regrets = play.row.ledger.regret + play.column.ledger.regret
    assert play.gap == pytest.approx(regrets / rounds * np.ptp(A), abs=1e-10)
    for player in (play.row, play.column):
        assert player.ledger.rounds == rounds
        assert player.ledger.regret == pytest.approx(rounds * player.regret, abs=1e-9)
        assert "mohri.8.6b" in [certificate.id for certificate in player.certify() if certificate.holds]


@pytest.mark.parametrize(
    "rule",
    [
        ls.MultiplicativeWeights(beta=0.8),
        ls.RandomizedWeightedMajority(beta=0.8),
        ls.PolynomialWeights(),
        ls.FixedShare(eta=0.5, alpha=0.05),
        ls.AdaHedge(),
        ls.MLpol(),
        ls.MLprod(),
        ls.MLewa(),
        ls.BOA(),
        ls.InternalRegret(horizon=30),
        ls.SwapRegret(horizon=30),
    ],
    ids=lambda rule: type(rule).__name__,
)
def test_every_expert_rule_can_play(rule: ExpertRule) -> None:
    A = random_game(14, 3, 4)
    play = ls.play(A, rule, ls.ExponentialWeights(), 30)
    assert play.gap == pytest.approx((play.row.regret + play.column.regret) * np.ptp(A), abs=1e-10)
    assert play.lower <= ls.solve(A, tol=1e-9).value <= play.upper


def test_play_of_a_constant_game() -> None:
    play = ls.play(np.full((2, 3), 4.0), ls.RegretMatchingPlus(), ls.ExponentialWeights(), 5)
    assert (play.lower, play.upper) == (4.0, 4.0)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 7), st.floats(0.0, 0.9))
def test_stationary_distribution(seed: int, experts: int, zeros: float) -> None:
    generator = np.random.default_rng(seed)
    rates = generator.random((experts, experts)) * (generator.random((experts, experts)) > zeros)
    np.fill_diagonal(rates, 0.0)
    w = stationary(rates)
    assert w.sum() == pytest.approx(1.0)
    assert (w >= 0.0).all()
    np.testing.assert_allclose(w * rates.sum(axis=1), w @ rates, atol=1e-9)


# Correlated equilibria


def brute_swap_gap(joint: FloatArray, payoffs: FloatArray) -> float:
    """Of the row player, from the definition."""
    total = 0.0
    for i in range(len(joint)):
        total += max(float(joint[i] @ (payoffs[j] - payoffs[i])) for j in range(len(joint)))
    return total


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(2, 5), st.sampled_from(["ce", "cce"]))
def test_equilibria_of_random_games(seed: int, rows: int, columns: int, concept: str) -> None:
    generator = np.random.default_rng(seed)
    A, B = generator.random((rows, columns)), generator.random((rows, columns))
    found = ls.equilibrium(A, B, concept=concept, tol=0.02)
    assert found.converged
    assert found.joint.sum() == pytest.approx(1.0)
    assert (found.joint >= 0.0).all()
    assert swap_gaps(found.joint, A, B)[0] == pytest.approx(brute_swap_gap(found.joint, A), abs=1e-12)
    assert swap_gaps(found.joint, A, B)[1] == pytest.approx(brute_swap_gap(found.joint.T, B.T), abs=1e-12)
    external, swap = external_gaps(found.joint, A, B), swap_gaps(found.joint, A, B)
    assert max(external) <= max(swap) + 1e-12
    assert (found.row_gap, found.column_gap) == (swap if concept == "ce" else external)
    assert found.row_payoff == pytest.approx(float(np.sum(found.joint * A)))


def test_correlated_equilibrium_of_chicken() -> None:
    """Told to dare, daring must pay: P(dare, chicken)(7 − 6) ≥ P(dare, dare)(2 − 0), so P(dare, dare) ≤ 1/5."""
    found = ls.equilibrium([[0, 7], [2, 6]], [[0, 2], [7, 6]], concept="ce", tol=1e-3)
    assert found.converged
    assert found.joint[0, 1] >= 2.0 * found.joint[0, 0] - found.row_gap - 1e-15  # met with equality, up to rounding
    assert found.joint[1, 0] >= 2.0 * found.joint[0, 0] - found.column_gap - 1e-15
    assert found.joint[0, 0] <= 0.2 + found.gap


def test_gaps_by_hand() -> None:
    """Told 2 half of the time where 1 always pays one more: 1/2 by the best fixed action, 1/2 by the best answers."""
    prefers_first, joint = np.array([[1.0, 1.0], [0.0, 0.0]]), np.array([[0.0, 0.5], [0.5, 0.0]])
    assert external_gaps(joint, prefers_first, prefers_first)[0] == 0.5
    assert swap_gaps(joint, prefers_first, prefers_first)[0] == 0.5
    # Told the opposite of what pays: every answer is wrong (1), and the best fixed action gains only 1/2.
    matching = np.eye(2)
    assert swap_gaps(joint, matching, matching) == (1.0, 1.0)
    assert external_gaps(joint, matching, matching) == (0.5, 0.5)


def test_zero_sum_play_pays_the_value() -> None:
    A = random_game(30, 6, 6)
    found, solution = ls.equilibrium(A, -A, concept="cce", tol=1e-3), ls.solve(A, tol=1e-6)
    assert found.converged
    assert abs(found.row_payoff - solution.value) <= 2e-3


def test_equilibrium_owns_up() -> None:
    found = ls.equilibrium(random_game(1, 9, 9), random_game(2, 9, 9), tol=1e-12, max_rounds=3)
    assert (found.converged, found.rounds) == (False, 3)
    with pytest.raises(ls.InvalidData, match="shapes"):
        ls.equilibrium(np.ones((2, 2)), np.ones((2, 3)))
    with pytest.raises(ls.InvalidParameter, match="concept is 'nash'"):
        ls.equilibrium(GAME, GAME, concept="nash")


# Files


@needs_data
def test_oneill_from_gambit() -> None:
    game = ls.read_game(DATA / "oneill.nfg")
    assert (game.zero_sum, game.A.shape, game.row_names) == (True, (4, 4), ("1", "2", "3", "4"))
    assert "1987" in game.title
    solution = ls.solve(game.A)
    assert solution.lower <= -0.2 <= solution.upper


@needs_data
def test_named_rows_and_columns() -> None:
    game = ls.read_game(DATA / "rrps43.csv")
    assert game.A.shape == (43, 43)
    assert game.row_names == game.column_names
    assert game.A[0, 1] == 8.403


NFG = {
    "payoffs": 'NFG 1 D "t" { "A" "B" } { 2 3 }\n\n1 -1 2 -2  3 -3 4 -4  5 -5 1/2 -0.5',
    "names": 'NFG 1 R "t" { "A" "B" }\n{ { "x" "y" } { "a" "b" "c" } }\n"a comment"\n1 -1 2 -2 3 -3 4 -4 5 -5 .5 -.5',
    "outcomes": 'NFG 1 R "t" { "A" "B" } { { "x" "y" } { "a" "b" "c" } } ""\n{ { "" 1, -1 } { "" 2, -2 } { "" 3, -3 } '
    '{ "" 4, -4 } { "" 5, -5 } { "" 1/2, -1/2 } }\n1 2 3 4 5 6',
}


@pytest.mark.parametrize("form", NFG)
def test_row_player_varies_fastest(form: str, tmp_path: Path) -> None:
    path = tmp_path / "game.nfg"
    path.write_text(NFG[form])
    game = ls.read_game(path)
    np.testing.assert_array_equal(game.A, [[1.0, 3.0, 5.0], [2.0, 4.0, 0.5]])
    np.testing.assert_array_equal(game.B, -game.A)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("EFG 2 R", "not a Gambit normal form"),
        ('NFG 1 R "t" { "A" "B" "C" } { 2 2 2 } 1', "two players"),
        ('NFG 1 R "t" { "A" "B" } { 2 2 } 1 2 3', "3 entries in its last part; expected 8"),
        ('NFG 1 R "t" { "A" "B" } { 1 1 } 1 x', "'x' is not a number"),
        ('NFG 1 R "t" { "A" "B" } { 1 1 } 1 1/0', "'1/0' is not a number"),
        ('NFG 1 R "t" { "A" "B" } { 1 1 } { { "" 1, 2 } } 7', "no outcome '7'"),
        ('NFG 1 R "t" { "A" "B" } { 1 1 } { { "" 1 } } 1', "not a name and two payoffs"),
        ('NFG 1 R "t" { "A" "B" } { 1 1', "ends within braces"),
        ('NFG 1 R "t" { "A" "B" } { 1 1 } } 1 2', "not opened"),
        ('NFG 1 R "t" { "A" "B" } { 0 1 } 1', "no strategies"),
        ('NFG 1 R "t"', "two players"),
        ('NFG 1 R "t" { "A" "B" } 5', "strategies of two players"),
        ('NFG 1 R "t', "a string has no end"),
    ],
)
def test_broken_nfg(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "game.nfg"
    path.write_text(text)
    with pytest.raises(ls.InvalidData, match=words):
        ls.read_game(path)


@pytest.mark.parametrize(
    ("text", "shape", "columns"),
    [
        ("1,2\n3,4\n", (2, 2), ("1", "2")),
        ("a,b\n3,4\n", (1, 2), ("a", "b")),
        (",a,b\nx,3,4\ny,5,6\n", (2, 2), ("a", "b")),
        ("x,3,4\ny,5,6\n", (2, 2), ("1", "2")),
        ("7\n", (1, 1), ("1",)),
        ("\n1e3, -2\n\n", (1, 2), ("1", "2")),
        (",1,2\nx,3,4\n", (1, 2), ("1", "2")),
    ],
)
def test_csv(text: str, shape: tuple[int, int], columns: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "game.csv"
    path.write_text(text)
    game = ls.read_game(path)
    assert (game.A.shape, game.column_names, game.zero_sum) == (shape, columns, True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("1,2\n3\n", "differ in length"),
        ("1,2\n3,x\n", "row 1: 'x' is not a number"),
        ("a,b\n", "differ|empty"),
    ],
)
def test_broken_csv(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "game.csv"
    path.write_text(text)
    with pytest.raises(ls.InvalidData, match=words):
        ls.read_game(path)


def test_figure(tmp_path: Path) -> None:
    path = tmp_path / "bracket.png"
    ls.solve(random_game(0, 30, 30)).plot(path)
    assert path.read_bytes().startswith(b"\x89PNG")
