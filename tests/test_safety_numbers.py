"""No nan is answered in silence: a number beyond the range of floats is refused, and nothing has changed."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import littlestone as ls
from inventory import EXPERTS as RULES
from littlestone import _core
from littlestone.experts.loop import PythonExpertLoop
from littlestone.experts.rule import ExpertRule
from littlestone.loop import PythonLoop
from littlestone.rule import LinearRule

FREE = [rule for rule in RULES if rule.squares]
EXTREMES = [5e-324, 1e-300, 1e-200, 1e-170, 1e151, 1e300]


def rounds(mixture: ls.Mixture, scale: float) -> list[float]:
    return [mixture.learn_one([scale, 3.0 * scale], 0.0) for _ in range(3)]


@pytest.mark.parametrize("scale", EXTREMES)
@pytest.mark.parametrize("rule", FREE, ids=lambda rule: type(rule).__name__)
def test_a_rule_that_squares_refuses_what_cannot_be_squared(rule: ExpertRule, scale: float) -> None:
    mixture = ls.Mixture(rule, experts=2, loss="absolute")
    before = mixture.snapshot()
    with pytest.raises(ls.InvalidData, match=r"row 0: the experts' losses differ by .*, and the rule squares that; multiply"):
        rounds(mixture, scale)
    assert mixture.snapshot().totals == before.totals
    for name, array in before.state.arrays.items():
        np.testing.assert_array_equal(mixture.state.arrays[name], array)


@pytest.mark.parametrize("scale", [1e-149, 1e-100, 1.0, 1e100, 1e149])
@pytest.mark.parametrize("rule", FREE, ids=lambda rule: type(rule).__name__)
def test_within_the_range_every_number_is_one(rule: ExpertRule, scale: float) -> None:
    mixture = ls.Mixture(rule, experts=2, loss="absolute")
    assert np.isfinite(rounds(mixture, scale)).all()
    assert math.isfinite(mixture.ledger.regret)
    assert np.isfinite(list(mixture.weights.values())).all()


@pytest.mark.parametrize("scale", EXTREMES)
def test_the_definition_refuses_the_same(scale: float) -> None:
    mixture = ls.Mixture(ls.MLpol(), experts=2, loss="absolute")
    loop = PythonExpertLoop(mixture.rule, mixture.state, mixture.loss, 2, gradient=mixture.gradient)
    compiled = ls.Mixture(ls.MLpol(), experts=2, loss="absolute")
    with pytest.raises(ls.InvalidData) as said:
        loop.learn_row([scale, 3.0 * scale], 0.0, mixture._totals)
    with pytest.raises(ls.InvalidData) as compiled_said:
        rounds(compiled, scale)
    assert str(said.value) == str(compiled_said.value)


def test_a_small_difference_after_a_large_one_is_learned() -> None:
    mixture = ls.Mixture(ls.MLpol(), experts=2, loss="absolute")
    mixture.learn_one([0.0, 1.0], 0.0)
    assert mixture.learn_one([1e-200, 3e-200], 0.0) >= 0.0
    assert mixture.ledger.rounds == 2


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (lambda: ls.Perceptron(eta=1e300), "eta"),
        (lambda: ls.OnlineSVM(C=1e300), "C"),
        (lambda: ls.RandomizedPerceptron(eta=1e300), "eta"),
        (lambda: ls.MulticlassPerceptron(eta=1e300), "eta"),
    ],
)
def test_a_rate_beyond_all_use_is_refused(made: Callable[[], LinearRule], name: str) -> None:
    with pytest.raises(ls.InvalidParameter, match=rf"{name} is 1e\+300; {name} must be a number above 0 and at most 1e50"):
        made()


@pytest.mark.parametrize("rule", [ls.Perceptron(eta=1e50), ls.OnlineSVM(C=1e50)], ids=repr)
def test_a_score_beyond_all_numbers_is_refused(rule: LinearRule) -> None:
    learner = ls.Learner(rule, labels=(0, 1))
    learner.learn_one([1e150, 1e150], 1)
    before = learner.ledger
    with pytest.raises(ls.InvalidData, match="row 0: the score is infinite: the weights or the row are too large"):
        learner.learn_one([1e150, 1e150], 0)
    with pytest.raises(ls.InvalidData, match="row 1: the score is infinite"):
        learner.learn_many([[1.0, 1.0], [1e150, 1e150]], [0, 0])
    assert learner.ledger == before
    for ask in (learner.score_one, learner.predict_one):
        with pytest.raises(ls.InvalidData, match="the score is"):
            ask([1e150, 1e150])
    with pytest.raises(ls.InvalidData, match="row 1: the score is"):
        learner.score_many([[1.0, 1.0], [1e150, 1e150]])
    assert math.isfinite(learner.score_one([1.0, 1.0]))


def test_the_definition_refuses_such_a_score_too() -> None:
    rule = ls.Perceptron(eta=1e50)
    batch = _core.dense_batch(np.array([[1e150, 1e150]]))
    state = rule.init(2)
    loop = PythonLoop(rule, state, None)
    signs = _core.labels(np.array([1], dtype=np.int8))
    loop.learn_row(batch, signs, _core.Totals())
    with pytest.raises(ls.InvalidData, match="row 0: the score is infinite: the weights or the row are too large"):
        loop.learn_row(batch, signs, _core.Totals())
    with pytest.raises(ls.InvalidData, match="row 0: the score is infinite"):
        loop.score_row(batch)
