"""The compiled kernel and the Python definition of a rule, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import laws
import littlestone as ls
from inventory import LINEAR as RULES
from strategies import Stream, rules, streams_for


@pytest.mark.parametrize("rule", RULES, ids=repr)
@given(data=st.data())
def test_kernel_equals_definition(rule: ls.LinearRule, data: st.DataObject) -> None:
    laws.kernel_equals_definition(rule, data.draw(streams_for(rule)))


@settings(max_examples=15 * settings().max_examples)
@given(data=st.data())
def test_kernel_equals_definition_for_any_parameters(data: st.DataObject) -> None:
    rule = data.draw(rules())
    laws.kernel_equals_definition(rule, data.draw(streams_for(rule)))


@pytest.mark.parametrize("number", [np.float64, np.float32, np.float16])
def test_a_parameter_may_be_a_numpy_number(number: type[np.floating]) -> None:
    source = np.random.default_rng(1)
    stream = Stream(source.normal(size=(30, 5)), np.where(source.normal(size=30) > 0, 1, -1))
    rules: tuple[ls.LinearRule, ...] = (
        laws.call(ls.OnlineSVM, eta=number(0.1), C=number(0.3)),
        laws.call(ls.PassiveAggressive, variant="PA-II", C=number(0.1), margin=number(0.7)),
        laws.call(ls.Perceptron, eta=number(0.1), tolerance=number(0.3)),
        laws.call(ls.MarginPerceptron, rho=number(0.1)),
    )
    for rule in rules:
        laws.kernel_equals_definition(rule, stream)


def test_the_mean_of_weights_that_cancel() -> None:
    """18 in one round and −18 in the next: what is left is small, and as exact as they were."""
    laws.kernel_equals_definition(ls.OnlineSVM(eta=0.999, C=9.0), Stream(np.full((3, 1), 2.0), np.array([-1, 1, 1])))


def test_long_runs_fold_and_refresh_alike() -> None:
    """Long enough for OnlineSVM to fold its scale and for MarginPerceptron to sum its norm anew."""
    source = np.random.default_rng(2)
    X = source.normal(size=(12_000, 3))
    opposed = Stream(X, np.where(source.normal(size=len(X)) > 0, 1, -1))
    for rule in (ls.OnlineSVM(eta=0.1), ls.OnlineSVM(), ls.MarginPerceptron(rho=50.0)):
        laws.kernel_equals_definition(rule, opposed)
    margin = ls.MarginPerceptron(rho=50.0)
    state = laws.observed(margin.loop, margin, opposed)[0]
    assert state.since_refresh[0] < laws.observed(margin.loop, margin, opposed)[2].updates
    svm = ls.OnlineSVM(eta=0.1)
    assert laws.observed(svm.loop, svm, opposed)[0].scale[0] >= 1e-6


def test_both_loops_score_alike() -> None:
    rule = ls.PassiveAggressive()
    X, y = np.random.default_rng(3).normal(size=(9, 33)), np.array([1, -1, 1, 1, -1, 1, -1, -1, 1])
    learner = laws.learned(rule, Stream(X, y))
    single = [learner.score_one(x) for x in X]
    assert learner.score_many(X).tolist() == single
