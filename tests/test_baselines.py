"""Rules that do not look at the row, naive Bayes and the logistic filter, by hand and beside plain computations."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import laws
import littlestone as ls
from littlestone.report.curves import Rerun
from littlestone.report.linear import linear_section, study


def test_majority_and_last_label_are_the_baselines_of_every_ledger() -> None:
    source = np.random.default_rng(0)
    y = np.where(source.random(300) < 0.7, 1, -1)
    X = np.zeros((300, 1))
    other = ls.run(ls.Perceptron(), X, y).ledger
    assert ls.run(ls.Majority(), X, y).ledger.shown_errors == other.majority_errors
    last = ls.run(ls.LastLabel(), X, y).ledger
    assert last.mistakes == other.last_label_errors


def commonest_errors(y: list[str]) -> int:
    """Of whoever shows the label met most often so far, and of equals the one that was so first."""
    errors, leader, counts = 0, "", dict.fromkeys([*y, ""], 0)
    for label in y:
        errors += label != leader
        counts[label] += 1
        leader = label if counts[label] > counts[leader] else leader
    return errors


@pytest.mark.parametrize("rule", [ls.Pool(), ls.MulticlassPerceptron(), ls.OneVersusRest(rule=ls.Perceptron())])
@pytest.mark.parametrize("passes", [1, 3])
def test_the_commonest_of_many_classes_is_a_baseline_of_every_run(rule: ls.LinearRule, passes: int) -> None:
    source = np.random.default_rng(3)
    y = source.choice(["a", "b", "c", "d"], p=[0.5, 0.2, 0.2, 0.1], size=120).tolist()
    X = source.normal(size=(120, 2))
    run = ls.run(rule, X, y, passes=passes)
    errors = commonest_errors(y * run.passes)
    assert run.ledger.majority_errors == errors
    assert run.ledger.baselines["majority label"] == errors / run.ledger.rounds
    curve = Rerun(run).rule()
    assert curve is not None
    assert [ledger.majority_errors for ledger in curve] == [
        commonest_errors((y * run.passes)[: ledger.rounds]) if ledger.two_labels < ledger.rounds else ledger.majority_errors
        for ledger in curve
    ]
    if passes == 1:
        assert f"majority label {errors / 120:.2%}" in linear_section(study(run, None), title="run").facts[1].detail


def test_labels_of_any_form_are_counted() -> None:
    y = [1, "b", 1, 2, 2, 2, "b", "b", "b", "b"]
    X = np.zeros((len(y), 1))
    expected = ls.run(ls.MulticlassPerceptron(), X, y).ledger.majority_errors
    assert expected == commonest_errors([str(label) for label in y])
    for form in (tuple(y), pd.Series(y), np.array(y, dtype=object)):
        assert laws.call(ls.run, ls.MulticlassPerceptron(), X, form).ledger.majority_errors == expected


def test_targets_and_two_labels_have_no_commonest_class() -> None:
    X = np.zeros((6, 1))
    assert ls.run(ls.PoolRegression(), X, [1.0, 2.0, 2.0, 3.0, 4.0, 5.0]).ledger.majority_errors == 0
    two = ls.run(ls.Pool(), X, [1, -1, 1, 1, -1, 1])
    assert two.ledger == two.learner.ledger


def test_running_mean_and_last_value_are_the_baselines_of_every_ledger() -> None:
    y = np.random.default_rng(1).normal(size=200).cumsum()
    X = np.zeros((200, 1))
    other = ls.run(ls.PassiveAggressiveRegression(), X, y).ledger
    assert ls.run(ls.RunningMean(), X, y).ledger.absolute_error == pytest.approx(other.mean_error)
    assert ls.run(ls.LastValue(), X, y).ledger.absolute_error == pytest.approx(other.last_value_error)


def test_majority_has_the_probabilities_of_krichevsky_and_trofimov() -> None:
    learner = ls.Learner(ls.Majority(), labels=("no", "yes"))
    learner.learn_many([[0.0]] * 3, ["yes", "yes", "no"])
    assert learner.probability_one([0.0])["yes"] == pytest.approx(2.5 / 4.0)
    assert learner.ledger.log_loss == pytest.approx(-math.log(1 / 2 * 3 / 4 * (1 / 2) / 3))
    assert learner.ledger.loss == pytest.approx(learner.ledger.log_loss)
    assert learner.ledger.brier == pytest.approx(0.25 + 1 / 16 + (5 / 6) ** 2)


def test_markov_learns_a_cycle() -> None:
    y = ["a", "a", "b", "c"] * 100
    two = ["x" if label == "a" else "y" for label in y]
    ledger = ls.run(ls.Markov(order=3), [[0.0]] * 400, two).ledger
    assert ledger.mistakes < 12
    assert ledger.log_loss < 30.0


def test_naive_bayes_is_the_formula() -> None:
    X = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0], [1.0, 0.0, 0.0]])
    learner = ls.run(ls.NaiveBayes(), X, [1, -1, 1], labels=(-1, 1)).learner
    # Masses: positive (2, 2, 0) of 4, negative (0, 1, 3) of 4; two rows against one; three features met.
    expected = math.log(2.5 / 1.5) + 1.0 * math.log(2.5 / 0.5) + 2.0 * math.log(0.5 / 3.5)
    assert learner.score_one([1.0, 0.0, -2.0]) == pytest.approx(expected)


def test_a_feature_never_met_says_nothing() -> None:
    learner = ls.Learner(ls.NaiveBayes(), labels=("no", "yes"))
    learner.learn_one({"a": 1.0}, "yes")
    assert learner.score_one({"a": 1.0, "z": 9.0}) == learner.score_one({"a": 1.0})


def test_the_filter_is_newton_s_step() -> None:
    """From P = I/a, p = ½ and h = ¼: w = ½·x/(a(1 + v/4)), v = ‖x‖²/a."""
    state = ls.run(ls.LogisticFilter(a=2.0), [[3.0, 4.0]], [1], labels=(-1, 1)).state
    v = 25.0 / 2.0
    assert state.w.tolist() == pytest.approx([0.5 * x / 2.0 / (1.0 + v / 4.0) for x in (3.0, 4.0)])
    x = np.array([3.0, 4.0])
    P = np.eye(2) / 2.0 - np.outer(x / 2.0, x / 2.0) * 0.25 / (1.0 + v / 4.0)
    assert np.allclose(state.root.T @ state.root, P)


def test_the_filter_is_sure_where_it_was_taught() -> None:
    source = np.random.default_rng(2)
    X = source.normal(size=(2000, 3))
    y = source.random(2000) < 1.0 / (1.0 + np.exp(-X @ [2.0, -1.0, 0.0]))
    learner = ls.run(ls.LogisticFilter(), X, y, labels=(False, True)).learner
    assert np.allclose(learner.state.w, [2.0, -1.0, 0.0], atol=0.3)
    assert learner.ledger.log_loss / 2000 < 0.46


@pytest.mark.parametrize("rule", [ls.AdaGrad(), ls.LogisticFilter(), ls.NaiveBayes(), ls.Majority()], ids=repr)
def test_log_odds_are_probabilities_everywhere(rule: ls.LinearRule) -> None:
    source = np.random.default_rng(3)
    X, y = source.normal(size=(100, 3)), source.random(100) < 0.3
    learner = ls.run(rule, X, y, labels=(False, True)).learner
    scores = learner.score_many(X[:5])
    assert learner.probability_many(X[:5])[:, 1] == pytest.approx(1.0 / (1.0 + np.exp(-scores)))
    assert learner.ledger.forecasts == 100
    assert learner.ledger.loss == pytest.approx(learner.ledger.log_loss)


def test_extreme_log_odds_stay_finite() -> None:
    learner = ls.Learner(ls.NaiveBayes(), labels=(False, True))
    learner.learn_many([[1.0, 0.0], [0.0, 1.0]] * 50, [True, False] * 50)
    learner.learn_one([1e6, 0.0], False)
    assert math.isfinite(learner.ledger.loss)
    assert math.isfinite(learner.ledger.log_loss)
    learner.learn_one([1e140, 1e140], True)
    assert math.isfinite(learner.ledger.log_loss)


def test_of_many_classes_there_is_no_area_under_a_curve() -> None:
    """The first two labels of a pool are two, and a pair; with the third there are classes."""
    learner = ls.Learner(ls.Pool())
    for label in ("a", "b"):
        learner.learn_one({"x": 1.0}, label)
    assert learner.ledger.pairs == 1
    assert not math.isnan(learner.ledger.auc)
    learner.learn_one({"x": 1.0}, "c")
    assert math.isnan(learner.ledger.auc)
    assert math.isnan(learner.ledger.f1)
    assert math.isnan(learner.ledger.balanced_error)
