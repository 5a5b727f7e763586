"""Certificates in plain words, and the comparison with the commonest label that a ledger alone can prove."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.theory.certificate import Certificate, Check
from littlestone.theory.demonstrations import Demonstration
from littlestone.theory.generalization import MAJORITY
from littlestone.theory.plain import plain, spelled
from littlestone.theory.risk import Progressive
from shown import shows

Verdict = ls.Verdict
LETTERS = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,.:;'-")


def made(name: str, verdict: Verdict, measured: float) -> Certificate:
    statement = ls.theory[name]
    assert not isinstance(statement, Demonstration)
    unmet = Check(statement.assumptions[0].words, verdict is not Verdict.UNPROVED)
    return Certificate(
        id=name,
        source=statement.source,
        statement=statement.statement,
        verdict=verdict,
        quantity=statement.quantity,
        measured=measured,
        bound=math.nan if verdict is Verdict.UNPROVED else 1234.5,
        formula=statement.formula,
        assumptions=(unmet,),
    )


@pytest.mark.parametrize("name", [name for name in ls.theory if not isinstance(ls.theory[name], Demonstration)])
@pytest.mark.parametrize("verdict", Verdict)
def test_every_certificate_has_a_sentence_without_symbols(name: str, verdict: Verdict) -> None:
    for measured in (3.0, math.nan):
        said = plain(made(name, verdict, measured))
        assert set(said) <= LETTERS, set(said) - LETTERS
        assert said.endswith(".")
        assert "quantity that the theorem bounds" not in said
        assert said.count(". ") == 0


def test_sentences_by_hand() -> None:
    run = ls.run(ls.Perceptron(), [[1.0, 0.5], [1.0, -0.5]] * 50, [+1, -1] * 50)
    holds = run.certify(against=[0.0, 2.0])[0]
    assert holds.plain == "It is proved that the mistakes on these rows are at most 5; the run had 2."
    assert holds.to_dict()["plain"] == holds.plain
    (risk,) = [run.ledger.risk_bound()]
    assert risk.plain.endswith(", but for a chance of 5 in a hundred.")
    alone = next(found for found in run.certify() if found.id == "mohri.8.8")
    assert (
        alone.plain
        == "Nothing is proved of the updates here: it would have to be known that the comparator separates the rounds."
    )


def test_a_count_is_bounded_by_a_whole_number() -> None:
    found = replace(made("mohri.8.8", Verdict.HOLDS, 6.0), bound=24.9965)
    assert found.plain == "It is proved that the updates on these rows are at most 24; the run had 6."
    rounded = replace(found, bound=math.nextafter(360.0, 0.0))  # 360, but for a rounding: no less is proved
    assert rounded.plain == "It is proved that the updates on these rows are at most 360; the run had 6."
    mixed = made("mcdonald.3", Verdict.HOLDS, 3.0).plain
    assert mixed.startswith(
        "It is proved that the mistakes on these rows, weighted by the shares of the partitions, are at most "
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (3.0, "3"),
        (1234567.0, "1,234,567"),
        (0.1234, "0.123"),
        (-0.5, "minus 0.5"),
        (0.0000898, "0.000090"),
        (1e-7, "less than a millionth"),
        (1e20, "more than a million million"),
    ],
)
def test_numbers_as_one_reads_them_out(value: float, words: str) -> None:
    assert spelled(value) == words


# --- better than the commonest label, from the ledger alone


@shows("example", "paired.majority")
@shows("holds", "paired.majority")
@shows("vacuous", "paired.majority")
@shows("unproved", "paired.majority")
def test_better_than_the_commonest_label() -> None:
    """200 rounds in which only the rival was wrong, of 400: the same as the paired comparison of the two."""
    found = MAJORITY.certify(Progressive(rounds=400, loss=0.0, rival=200))
    pair = ls.PairedComparison(rounds=400, total=-200.0, spread=200.0)
    assert found.bound == pair.high
    assert -0.5 < found.bound < -0.3
    assert found.holds
    assert found.plain.startswith("It is proved better than always saying the commonest label, by at least ")
    even = MAJORITY.certify(Progressive(rounds=400, loss=100.0, rival=100))
    assert even.verdict is Verdict.VACUOUS
    assert even.plain == "It is not proved better than always saying the commonest label, so far."
    assert ls.run(ls.MulticlassPerceptron(), np.eye(3), ["a", "b", "c"]).ledger.beats_majority().verdict is Verdict.UNPROVED
    targets = ls.run(ls.PassiveAggressiveRegression(), [[1.0], [2.0]], [0.5, 1.5])
    assert targets.ledger.beats_majority().verdict is Verdict.UNPROVED


def test_it_says_less_than_the_pair_of_columns_and_nothing_else() -> None:
    source = np.random.default_rng(0)
    X = source.normal(size=(500, 3))
    y = np.where(X[:, 0] + 0.3 * source.normal(size=500) > 0.0, 1, -1)
    run = ls.run(ls.PassiveAggressive(), X, y, labels=(-1, 1), keep=("mistake",))
    pair = ls.compare(run)
    assert run.ledger.beats_majority().bound >= pair.high
    assert run.ledger.beats_majority().holds


@shows("never", "paired.majority")
@settings(max_examples=10)
@given(seed=st.integers(0, 1000))
def test_a_coin_is_not_proved_better_at_any_time(seed: int) -> None:
    """At δ = .001 none of ten streams, looked at after every round, says what is not so."""
    source = np.random.default_rng(seed)
    own, rival = source.random((2, 400)) < 0.4
    for t in range(1, 401, 7):
        a, b = own[:t], rival[:t]
        evidence = Progressive(rounds=t, loss=float(a.sum()), rival=int(b.sum()), delta=0.001)
        assert MAJORITY.certify(evidence).bound >= 0.0


def test_the_default_learner_says_whether_it_is_better() -> None:
    source = np.random.default_rng(0)
    X = source.normal(size=(600, 3))
    run = ls.run(ls.Pool(), X, np.where(X[:, 0] > 0.0, 1, 0))
    found = {one.id: one for one in run.certify()}
    assert found["paired.majority"].holds
    assert replace(found["paired.majority"], verdict=Verdict.VACUOUS).plain.endswith("so far.")


def test_one_gap_is_and_it_is_of_a_game() -> None:
    solution = ls.solve([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]], tol=1e-2)
    said = [certificate.plain for certificate in solution.certificates if certificate.quantity == "gap in payoff ranges"]
    assert said
    assert all(
        "could gain by playing otherwise in this game, as a part of the range of payoffs, is at most" in one for one in said
    )
