"""No nan is answered in silence: a number beyond the range of floats is refused, and nothing has changed."""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
import pytest

import laws
import littlestone as ls
from inventory import EXPERTS as RULES
from inventory import LINEAR
from littlestone import _core
from littlestone.experts.loop import PythonExpertLoop
from littlestone.experts.rule import ExpertRule
from littlestone.labels import Label
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


# --- rows so large that a round, or what comes of it, has to be refused

LARGE = [1.0, -1.0, 1e-150, 1e20, -1e29, 1e31, 1e45, 1e100, -1e120, 1e149]
POLYNOMIAL = ls.kernels.Polynomial(degree=3, constant=1.0)
MANY: tuple[LinearRule, ...] = (
    ls.MulticlassPerceptron(),
    ls.MulticlassPerceptron(eta=1e50),
    ls.MulticlassPassiveAggressive(),
    ls.OneVersusRest(rule=ls.Perceptron(eta=1e50)),
    ls.OneVersusRest(rule=ls.OnlineSVM()),
    ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=POLYNOMIAL)),
    ls.Pool(),
)
EVERY: tuple[LinearRule, ...] = (
    *LINEAR,
    *MANY,
    ls.Perceptron(eta=1e50),
    ls.OnlineSVM(C=1e50),
    ls.OnlineRidge(),
    ls.Winnow(),
    ls.SignedWinnow(),
    ls.ExponentiatedUpdate(),
    ls.MultiplicativePassiveAggressiveRegression(),
    ls.KernelPerceptron(kernel=POLYNOMIAL),
    ls.KernelPassiveAggressiveRegression(kernel=ls.kernels.Linear()),
    ls.PoolRegression(),
)
Row: TypeAlias = "list[float] | dict[str, float]"


def wild_row(chance: random.Random, *, named: bool) -> Row:
    if named:
        return {f"f{chance.randrange(6)}": chance.choice(LARGE) for _ in range(3)}
    return [chance.choice(LARGE) for _ in range(3)]


def wild_outcome(rule: LinearRule, chance: random.Random, step: int) -> Label:
    if "classes" in rule.abilities.learns:
        return chance.choice("abcdef"[: 2 + step])
    return chance.choice("ab" if "labels" in rule.abilities.learns else [1.0, -1.0, 1e31, 1e100])


@pytest.mark.parametrize("named", [False, True], ids=["columns", "names"])
@pytest.mark.parametrize("rule", EVERY, ids=lambda rule: repr(rule)[:40])
def test_whatever_the_size_of_rows_a_refusal_changes_nothing_and_what_is_learned_are_numbers(
    rule: LinearRule, named: bool
) -> None:
    """Labels that are new among them, so that a class that nobody learned could stay behind."""
    chance = random.Random(f"{rule!r} {named}")
    named = named and getattr(rule, "start", None) is None
    for _ in range(4):
        learner = ls.Learner(rule)
        for step in range(5):
            count = chance.choice([0, 1, 3])
            rows = [wild_row(chance, named=named) for _ in range(max(count, 1))]
            outcomes = [wild_outcome(rule, chance, step) for _ in rows]
            before = laws.fingerprint(learner)
            try:
                if count == 0:
                    learner.learn_one(rows[0], outcomes[0])
                else:
                    laws.call(learner.learn_many, rows, outcomes)
            except ls.LittlestoneError:
                assert laws.fingerprint(learner) == before
        assert learner.state.sound()
        shown = [value for value in dataclasses.asdict(learner.ledger).values() if isinstance(value, float)]
        assert not np.isnan(shown).any()


@pytest.mark.parametrize("rule", [ls.MulticlassPerceptron(eta=1e50), ls.OneVersusRest(rule=ls.Perceptron(eta=1e50))], ids=repr)
@pytest.mark.parametrize("many", [False, True], ids=["one", "many"])
@pytest.mark.parametrize("named", [False, True], ids=["columns", "names"])
def test_a_refused_row_leaves_no_new_class(rule: LinearRule, many: bool, named: bool) -> None:
    """The class would have a place in the round that is refused; two before it left room for it."""
    learner, calm = ls.Learner(rule), ls.Learner(rule)
    huge, new = ([1e149, 0.0], [1e149, 5.0]) if not named else ({"a": 1e149}, {"a": 1e149, "new": 1.0})
    for each in (learner, calm):
        for label in "ab":
            laws.call(each.learn_one, {"b": 2.0} if named else [0.0, 2.0], label)
        laws.call(each.learn_one, huge, "a")
        for label in "cab":
            laws.call(each.learn_one, {"b": 2.0} if named else [0.0, 2.0], label)
    before = laws.fingerprint(learner)
    with pytest.raises(ls.InvalidData, match=r"the score is|beyond all numbers"):
        laws.call(learner.learn_many, [new], ["d"]) if many else laws.call(learner.learn_one, new, "d")
    assert laws.fingerprint(learner) == before
    assert learner.labels == ("a", "b", "c")
    for each in (learner, calm):
        laws.call(each.learn_one, {"b": 1.0} if named else [0.0, 1.0], "e")
    laws.same(learner, calm)


@pytest.mark.parametrize("weight", [1e35, 1e38, 1e50])
def test_a_weight_beyond_the_pool_s_numbers_is_refused_in_time(weight: float) -> None:
    """Masses are halved until they are small, which an infinite one never is."""
    learner = ls.Learner()
    learner.learn_many([[1.0, 2.0], [2.0, 1.0]], ["a", "b"])
    before = laws.fingerprint(learner)
    calls: tuple[Callable[[], object], ...] = (
        lambda: learner.learn_one([1.0, 1e20], "a", weight=weight),
        lambda: learner.learn_many([[1.0, 1e20]], ["a"], weights=[weight]),
    )
    for refused in calls:
        with pytest.raises(ls.InvalidData, match="beyond all numbers; scale them"):
            refused()
        assert laws.fingerprint(learner) == before


def test_a_target_beyond_the_pool_s_numbers_is_refused_and_the_next_is_learned() -> None:
    learner = ls.Learner(ls.PoolRegression())
    learner.learn_many([[1.0, 2.0]] * 5, [1.0, 2.0, 1.0, 2.0, 1.0])
    before = laws.fingerprint(learner)
    with pytest.raises(ls.InvalidData, match="a sum of what is learned from them is beyond all numbers; scale"):
        learner.learn_many([[1e60, 2.0]] * 3, [1e60, -1e60, 1e60])
    assert laws.fingerprint(learner) == before
    learner.learn_one([1.0, 2.0], 1.5)
    assert math.isfinite(learner.score_one([1.0, 2.0]))


@pytest.mark.parametrize("forecast", ["vaw", "ridge"])
@pytest.mark.parametrize("target", [1e160, 1e300])
def test_a_target_whose_square_is_beyond_all_numbers_is_refused_by_who_adds_up_squares(
    forecast: Literal["vaw", "ridge"], target: float
) -> None:
    """The residual of the ridge would be infinite, and nothing could be certified any more."""
    learner = ls.Learner(ls.OnlineRidge(forecast=forecast))
    learner.learn_many([[1.0, 2.0], [2.0, 1.0]], [1.0, 2.0])
    before = laws.fingerprint(learner)
    calls: tuple[Callable[[], object], ...] = (
        lambda: learner.learn_one([1.0, 1.0], target),
        lambda: learner.learn_many([[0.0, 1.0], [1.0, 1.0]], [1.0, target]),
    )
    for refused in calls:
        with pytest.raises(ls.InvalidData, match="a sum of what is learned from them is beyond all numbers; scale"):
            refused()
        assert laws.fingerprint(learner) == before
    learner.learn_one([1.0, 1.0], 3.0)
    assert learner.ledger.rounds == 3


def test_learners_of_a_master_are_all_as_they_were_where_one_of_them_meets_too_large_a_row() -> None:
    master = ls.Master([ls.Learner(ls.PassiveAggressive()), ls.Learner(ls.Perceptron(eta=1e50))], labels=("no", "yes"))
    master.learn_one({"a": 1e149}, "yes")
    known = [laws.fingerprint(each) for each in master.learners if isinstance(each, ls.Learner)]
    calls: tuple[Callable[[], object], ...] = (
        lambda: master.learn_one({"a": 1e149}, "no"),
        lambda: master.learn_many([{"a": 1e149}], ["no"]),
    )
    for refused in calls:
        with pytest.raises(ls.InvalidData):
            refused()
        assert [laws.fingerprint(each) for each in master.learners if isinstance(each, ls.Learner)] == known
