"""Games with turns: known values, an independent best response, the compiled twins, the certificate, files, bad input."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from littlestone.experts.rule import ExpertRule
from littlestone.games import EXTENSIVE_METHODS, Chance, End, Turn
from littlestone.games.counterfactual import CounterfactualPlayer
from littlestone.games.extensive import EXTENSIVE_TRUST
from littlestone.games.payoffs import payoffs_of
from littlestone.games.trees import Node
from littlestone.theory.counterfactual import DECOMPOSITION, IMMEDIATE, CounterfactualEvidence, CounterfactualMoment
from littlestone.theory.guarantee import within
from shown import shows

KUHN, LEDUC = ls.kuhn_poker(), ls.leduc_poker()
TWINS: dict[str, tuple[ExpertRule, float, bool]] = {
    "cfr": (ls.PolynomialWeights(alpha=2.0), 0.0, False),
    "cfr+": (ls.RegretMatchingPlus(), 1.0, True),
    "predictive-cfr+": (ls.PredictiveRegretMatchingPlus(trust=EXTENSIVE_TRUST), 2.0, True),
}


def random_tree(generator: np.random.Generator, depth: int, own: tuple[str, str] = ("", "")) -> Node:
    """Nodes look alike to a player who did the same so far, whatever chance and the other did: perfect recall."""
    kind = generator.random()
    if depth == 0 or kind < 0.1:
        won = float(generator.normal())
        return End(won, -won)
    if kind < 0.3:
        chances = generator.dirichlet([1.0, 1.0])
        return Chance(tuple(chances), tuple(random_tree(generator, depth - 1, own) for _ in chances))
    player = int(generator.random() < 0.5)
    actions = ("a", "b", "c")[: 2 + len(own[player]) % 2]
    then = []
    for action in actions:
        after = (own[0] + action, own[1]) if player == 0 else (own[0], own[1] + action)
        then.append(random_tree(generator, depth - 1, after))
    return Turn(player, own[player] or "start", actions, tuple(then))


def normal_form(root: Node) -> ls.Solution:
    """The same game as a matrix of complete plans, solved exactly: nothing of the sequence form is used."""
    points: tuple[dict[str, int], dict[str, int]] = ({}, {})

    def collect(node: Node) -> None:
        if isinstance(node, Turn):
            points[node.player][node.where] = len(node.actions)
        for then in () if isinstance(node, End) else node.then:
            collect(then)

    def paid(node: Node, plans: tuple[dict[str, int], dict[str, int]]) -> float:
        if isinstance(node, End):
            return node.row
        if isinstance(node, Chance):
            return sum(p * paid(then, plans) for p, then in zip(node.chances, node.then, strict=True))
        return paid(node.then[plans[node.player][node.where]], plans)

    collect(root)

    def plans(at: dict[str, int]) -> list[dict[str, int]]:
        return [dict(zip(at, choice, strict=True)) for choice in np.ndindex(*at.values())] if at else [{}]

    rows, columns = plans(points[0]), plans(points[1])
    return ls.solve([[paid(root, (row, column)) for column in columns] for row in rows], tol=1e-12)


def test_sizes() -> None:
    assert [len(KUHN.row), len(KUHN.column), KUHN.range] == [6, 6, 4.0]
    assert [len(LEDUC.row), len(LEDUC.column), LEDUC.range] == [468, 468, 26.0]
    assert LEDUC.payoffs.nnz == 5520  # ends of the tree


@pytest.mark.parametrize(("method", "tol"), [("cfr", 1e-3), ("cfr+", 1e-5), ("predictive-cfr+", 2e-7)])
def test_the_value_of_kuhn_poker(method: str, tol: float) -> None:
    solution = ls.solve_extensive(KUHN, tol=tol, method=method)
    assert solution.converged
    assert solution.value == pytest.approx(-1 / 18, abs=4.0 * tol / 2.0)
    assert solution.lower - 1e-12 <= -1 / 18 <= solution.upper + 1e-12
    assert solution.certificate.holds


def test_strategies_of_kuhn_poker() -> None:
    """Of the column player there is one: call with a queen a third of the time, bluff with a jack a third of the time."""
    column = ls.solve_extensive(KUHN, tol=1e-7, method="predictive-cfr+").column
    for where, bets in {"J:p": 1 / 3, "J:b": 0.0, "Q:p": 0.0, "Q:b": 1 / 3, "K:p": 1.0, "K:b": 1.0}.items():
        assert column[where][1] == pytest.approx(bets, abs=1e-3), where


def test_leduc_poker() -> None:
    solution = ls.solve_extensive(LEDUC, tol=2 * 1e-3 / 26)
    assert solution.converged
    assert solution.exploitability < 1e-3
    assert solution.value == pytest.approx(-0.0856064, abs=1e-3)
    assert solution.certificate.holds
    assert solution.history.rounds[-1] == solution.rounds
    assert solution.history.upper[-1] == solution.upper


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from(sorted(EXTENSIVE_METHODS)))
def test_random_games_against_their_normal_form(seed: int, method: str) -> None:
    root = random_tree(np.random.default_rng(seed), 4)
    game, exact = ls.ExtensiveGame.of(root), normal_form(root)
    solution = ls.solve_extensive(game, tol=0.01, method=method, max_rounds=5000)
    assert solution.lower - 1e-9 <= exact.value <= solution.upper + 1e-9
    assert solution.certificate.verdict in (ls.Verdict.HOLDS, ls.Verdict.VACUOUS)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from(sorted(TWINS)), st.integers(1, 30))
def test_the_compiled_play_is_the_play_of_its_rule(seed: int, method: str, rounds: int) -> None:
    game = KUHN if seed % 3 == 0 else ls.ExtensiveGame.of(random_tree(np.random.default_rng(seed), 5))
    rule, power, alternate = TWINS[method]
    play = ls.counterfactual_play(game, rule, rule, rounds, alternate=alternate, power=power)
    duel = EXTENSIVE_METHODS[method].duel(game)
    duel.play(payoffs_of(game.payoffs).game, rounds, -math.inf)
    np.testing.assert_allclose(duel.row, play.row, atol=1e-9)
    np.testing.assert_allclose(duel.column, play.column, atol=1e-9)
    assert duel.bracket == pytest.approx((play.lower, play.upper), abs=1e-9)


def test_exploitability_by_another_library() -> None:
    """OpenSpiel's best responses to our strategies of Kuhn poker; its cards are 0, 1, 2 for jack, queen, king."""
    spiel = pytest.importorskip("pyspiel")
    solution = ls.solve_extensive(KUHN, tol=1e-3)
    table = {}
    for strategy in (solution.row, solution.column):
        for where, chances in strategy.items():
            card, _, history = where.partition(":")
            table[f"{'JQK'.index(card)}{history}"] = [(action, float(p)) for action, p in enumerate(chances)]
    theirs = spiel.exploitability(spiel.load_game("kuhn_poker"), spiel.TabularPolicy(table))
    assert theirs == pytest.approx(solution.exploitability, abs=1e-12)


# The theorem


@shows("never", "cfr.immediate")
@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from(sorted(TWINS)), st.integers(1, 12))
def test_the_lemma_in_every_round(seed: int, method: str, rounds: int) -> None:
    game = ls.ExtensiveGame.of(random_tree(np.random.default_rng(seed), 5))
    rule, power, alternate = TWINS[method]
    moments: list[CounterfactualMoment] = []
    ls.counterfactual_play(game, rule, rule, rounds, alternate=alternate, power=power, watch=moments.append)
    assert len(moments) == 2 * rounds
    for moment in moments:
        for lemma in DECOMPOSITION:
            assert within(*lemma.sides(moment))


@shows("mutant", "cfr.immediate")
def test_the_lemma_catches_regrets_that_forget_what_follows() -> None:
    """A player who learns at each point from what is paid at once, and not from the play that follows."""
    player = CounterfactualPlayer(KUHN.row, ls.RegretMatchingPlus())
    gains = KUHN.gains_of_row(CounterfactualPlayer(KUHN.column, ls.RegretMatchingPlus()).reach())
    moment = player.moment(gains)
    shortsighted = np.array([np.max(gains[KUHN.row.at(k)] - gains[KUHN.row.at(k)].mean()) for k in range(len(KUHN.row))])
    (lemma,) = DECOMPOSITION
    assert within(*lemma.sides(moment))
    assert not within(*lemma.sides(replace(moment, regrets=0.2 * shortsighted)))


@shows("example", "cfr.immediate")
@shows("holds", "cfr.immediate")
def test_one_round_of_pennies_by_hand() -> None:
    """One player calls heads with 3/4 by chance's hand: the other's only point has regret 1/2 − 0 after a uniform round."""
    ends = {side: End(1.0, -1.0) if side == "heads" else End(-1.0, 1.0) for side in ("heads", "tails")}
    coin = Chance((0.75, 0.25), (Turn(0, "call", ("heads", "tails"), (ends["heads"], ends["tails"])),) * 2)
    game = ls.ExtensiveGame.of(coin)
    solution = ls.solve_extensive(game, tol=1e-9, method="cfr", max_rounds=1)
    assert (solution.lower, solution.upper, solution.certificate.measured) == (0.0, 1.0, 0.5)
    assert solution.certificate.bound == 0.5
    assert not solution.converged
    assert solution.certificate.holds


@shows("vacuous", "cfr.immediate")
@shows("violated", "cfr.immediate")
@shows("unproved", "cfr.immediate")
def test_verdicts() -> None:
    fine = CounterfactualEvidence(gap=0.1, immediate_regret=0.3, range=2.0, rounds=10)
    assert IMMEDIATE.certify(fine).holds
    assert IMMEDIATE.certify(replace(fine, immediate_regret=2.0)).verdict is ls.Verdict.VACUOUS
    assert IMMEDIATE.certify(replace(fine, gap=0.4)).verdict is ls.Verdict.VIOLATED
    assert IMMEDIATE.certify(replace(fine, rounds=0)).verdict is ls.Verdict.UNPROVED


# Files


def kuhn_efg() -> str:
    """Kuhn poker as Gambit would write it, every information set and outcome described once."""
    lines = ['EFG 2 R "Kuhn" { "first" "second" }', '""']
    outcomes: dict[float, int] = {}
    seen: set[tuple[int, int]] = set()
    sets: dict[tuple[int, str], int] = {}

    def end(won: float) -> None:
        new = won not in outcomes
        number = outcomes.setdefault(won, len(outcomes) + 1)
        lines.append(f't "" {number} ' + (f'"" {{ {won:g}, {-won:g} }}' if new else ""))

    def turn(cards: tuple[int, int], history: str) -> None:
        if history[-2:] in ("pp", "bb", "bp"):
            stake = 2.0 if history[-2:] == "bb" else 1.0
            won = len(history) % 2 == 0 if history[-2:] == "bp" else cards[0] > cards[1]
            return end(stake if won else -stake)
        player = len(history) % 2
        number = sets.setdefault((player, f"{'JQK'[cards[player]]}:{history}"), len(sets) + 1)
        named = f'"{"JQK"[cards[player]]}:{history}" {{ "pass" "bet" }} ' if (player, number) not in seen else ""
        seen.add((player, number))
        lines.append(f'p "" {player + 1} {number} {named}0')
        for action in "pb":
            turn(cards, history + action)
        return None

    deals = [(i, j) for i in range(3) for j in range(3) if i != j]
    lines.append('c "" 1 "deal" { ' + " ".join(f'"{i}{j}" 1/6' for i, j in deals) + " } 0")
    for cards in deals:
        turn(cards, "")
    return "\n".join(lines)


def test_a_file_is_the_game_that_is_built_in(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.efg"
    path.write_text(kuhn_efg())
    game = ls.read_extensive(path)
    assert (game.title, len(game.row), len(game.column)) == ("Kuhn", 6, 6)
    ours, theirs = (ls.solve_extensive(each, tol=1e-5) for each in (KUHN, game))
    assert (ours.lower, ours.upper, ours.rounds) == pytest.approx((theirs.lower, theirs.upper, theirs.rounds), abs=1e-12)


PENNIES = """EFG 2 R "pennies" { "one" "two" } "a comment"
p "" 1 1 "mine" { "heads" "tails" } 0
p "" 2 1 "yours" { "heads" "tails" } 3 "on the way" { 1/2 -0.5 }
t "" 1 "win" { 1, -1 }
t "" 2 "loss" { -1, 1 }
p "" 2 1 0
t "" 2
t "" 1
"""


def test_payoffs_on_the_way_add_up(tmp_path: Path) -> None:
    """Heads earns a half at once: value of [[1.5, -0.5], [-1, 1]] is 1/4."""
    path = tmp_path / "pennies.efg"
    path.write_text(PENNIES)
    solution = ls.solve_extensive(ls.read_extensive(path), tol=1e-6, method="predictive-cfr+")
    assert solution.value == pytest.approx(0.25, abs=1e-5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a Gambit extensive form"),
        ('NFG 1 R "x" { "a" "b" }', "not a Gambit extensive form"),
        ('EFG 2 R "x" { "a" "b" "c" }', "does not list two players"),
        ('EFG 2 R "x" { "a" "b" }', "node 1 begins with nothing"),
        ('EFG 2 R "x" { "a" "b" } q "" 1', "node 1 begins with 'q'"),
        ('EFG 2 R "x" { "a" "b" } p "" 3 1 "" { "l" } 0 t "" 1 "" { 0 0 }', "belongs to player 3"),
        ('EFG 2 R "x" { "a" "b" } p "" 1 x', "has 'x' where the number of an information set should be"),
        ('EFG 2 R "x" { "a" "b" } p "" 1 1 0', "has no actions"),
        ('EFG 2 R "x" { "a" "b" } c "" 1 "" { "l" 1/2 "r" } 0', "does not give each action a chance"),
        ('EFG 2 R "x" { "a" "b" } c "" 1 "" { "l" 1/3 "r" 1/3 } 0 t "" 1 "" { 0 0 } t "" 1', "chances add up to 0.666667"),
        ('EFG 2 R "x" { "a" "b" } t "" 1', "has outcome 1, which no node described before"),
        ('EFG 2 R "x" { "a" "b" } t "" 1 "" { 1 }', "pays 1 players"),
        ('EFG 2 R "x" { "a" "b" } t "" 1 "" { 1 x }', "'x' is not a number"),
        ('EFG 2 R "x" { "a" "b" } t "" 1 "" { 1 -1 } t "" 1', "goes on after its last node, number 1"),
        ('EFG 2 R "x" { "a" "b" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 -1 }', "node 3 begins with nothing"),
        (
            'EFG 2 R "x" { "a" "b" } p "" 1 1 "" { "l" "r" } 0 p "" 1 1 0 t "" 1 "" { 1 -1 } t "" 1 t "" 1',
            "has forgotten what it did",
        ),
    ],
)
def test_broken_files(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "game.efg"
    path.write_text(text)
    with pytest.raises(ls.InvalidData, match=words):
        ls.read_extensive(path)


def test_a_game_that_is_not_zero_sum_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.efg"
    path.write_text('EFG 2 R "gift" { "a" "b" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 1 } t "" 2 "" { 0 0 }')
    with pytest.raises(ls.NotApplicable, match="gift is not zero-sum: the payoffs of one end add up to 2 and of another to 0"):
        ls.read_extensive(path)


def test_read_game_says_who_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "game.efg"
    path.write_text(PENNIES)
    with pytest.raises(ls.InvalidData, match=r"ls\.read_extensive reads it"):
        ls.read_game(path)


def test_deep_trees_are_read_without_recursion(tmp_path: Path) -> None:
    depth = 5000
    lines = [f'p "" 1 {k} "" {{ "stop" "go" }} 0\nt "" 1' for k in range(1, depth)]
    first = 'p "" 1 9999 "" { "stop" "go" } 0\nt "" 1 "" { 1 -1 }'
    path = tmp_path / "long.efg"
    path.write_text('EFG 2 R "long" { "a" "b" }\n' + "\n".join([first, *lines]) + '\nt "" 1')
    assert len(ls.read_extensive(path).row) == depth


# Bad input


def test_bad_parameters() -> None:
    with pytest.raises(ls.InvalidParameter, match="tol is 0"):
        ls.solve_extensive(KUHN, tol=0.0)
    with pytest.raises(ls.InvalidParameter, match="max_rounds is 0"):
        ls.solve_extensive(KUHN, max_rounds=0)
    with pytest.raises(ls.UnknownName, match="there is no method 'cfr2'; there are cfr, cfr"):
        ls.solve_extensive(KUHN, method="cfr2")
    rule = ls.RegretMatchingPlus()
    with pytest.raises(ls.InvalidParameter, match="rounds is 0"):
        ls.counterfactual_play(KUHN, rule, rule, 0)
    with pytest.raises(ls.InvalidParameter, match="power is -1"):
        ls.counterfactual_play(KUHN, rule, rule, 3, power=-1.0)
    with pytest.raises(ls.NotApplicable, match=r"ExponentialWeights learns losses in \[0, 1\]"):
        ls.counterfactual_play(KUHN, ls.ExponentialWeights(), rule, 3)


WIN = End(1.0, -1.0)


@pytest.mark.parametrize(
    ("root", "words"),
    [
        (Chance((), ()), "0 chances"),
        (Chance((1.0,), ()), "1 chances and 0 nodes"),
        (Chance((0.5, 0.6), (WIN, WIN)), "add up to 1.1"),
        (Chance((-0.5, 1.5), (WIN, WIN)), "none below 0"),
        (Chance((math.nan, 1.0), (WIN, WIN)), "add up to nan"),
        (Turn(2, "x", ("a",), (WIN,)), "player 2 moves"),
        (Turn(0, "x", ("a", "b"), (WIN,)), "2 actions and 1 nodes"),
        (Turn(0, "x", (), ()), "0 actions"),
        (End(math.nan, 0.0), "finite"),
        (Chance((0.5, 0.5), (Turn(0, "x", ("a",), (WIN,)), Turn(0, "x", ("b",), (WIN,)))), "expected the same everywhere"),
    ],
)
def test_bad_trees(root: Node, words: str) -> None:
    with pytest.raises(ls.InvalidData, match=words):
        ls.ExtensiveGame.of(root)


def test_the_core_checks_the_order_of_points() -> None:
    good, bad = np.array([0], dtype=np.int64), np.array([5], dtype=np.int64)
    first = np.array([1, 3], dtype=np.int64)
    with pytest.raises(ls.InvalidData, match="parents first"):
        _core.cfr(row_parent=bad, row_first=first, column_parent=good, column_first=first, power=0.0, alternate=False)


def test_a_game_without_choices_is_worth_what_it_pays() -> None:
    solution = ls.solve_extensive(ls.ExtensiveGame.of(End(3.0, -3.0)))
    assert (solution.value, solution.gap, solution.converged) == (3.0, 0.0, True)


def test_what_has_no_turns_is_refused() -> None:
    with pytest.raises(ls.InvalidData, match=r"the game is a ndarray; expected one with turns: ls.kuhn_poker\(\)"):
        ls.solve_extensive(cast("ls.ExtensiveGame", np.eye(2)))
