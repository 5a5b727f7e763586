"""What a rule says that it can do is what it does."""

from __future__ import annotations

import numpy as np
import pytest

import littlestone as ls
from inventory import LINEAR as RULES
from littlestone.abilities import CLASSES, LABELS, TARGETS

every_rule = pytest.mark.parametrize("rule", RULES, ids=repr)


def test_a_rule_that_speaks_in_the_former_way_is_told_the_new_one() -> None:
    with pytest.raises(TypeError, match=r"^Former defines learns; say abilities = ls.Abilities\(learns=…\) instead$"):
        type("Former", (ls.LinearRule,), {"learns": lambda _: LABELS})


def test_a_value_says_what_its_outcomes_are() -> None:
    both = ls.Abilities(learns=LABELS | CLASSES)
    assert (both.labels, both.classes, both.targets, both.named, both.alone) == (True, True, False, True, False)
    assert not ls.Abilities(learns=TARGETS).named
    assert ls.Uniclass.abilities.alone
    assert not ls.Uniclass.abilities.named


@every_rule
def test_outcomes_that_a_rule_does_not_learn_are_refused(rule: ls.LinearRule) -> None:
    learner, X = ls.Learner(rule), np.eye(2, max(rule.least_width(), 2))
    if "intervals" not in rule.abilities.learns:
        with pytest.raises(ls.NotApplicable, match="intervals"):
            learner.learn_many(X, ls.Intervals([0.0, 0.0], [1.0, 1.0]))
    if not rule.abilities.named:
        with pytest.raises(ls.LittlestoneError):
            learner.learn_many(X, ["a", "b"])
    assert learner.ledger.rounds == 0


@every_rule
def test_weights_are_taken_where_the_rule_says_so(rule: ls.LinearRule) -> None:
    learner, width = ls.Learner(rule), max(rule.least_width(), 2)
    y = ["a", "b"] if rule.abilities.named else [0.5, 1.5]
    if rule.abilities.takes_weights:
        learner.learn_many(np.eye(2, width), y, [2.0, 0.5])
        assert learner.ledger.weight == 2.5
    else:
        with pytest.raises(ls.NotApplicable, match="weights"):
            learner.learn_many(np.eye(2, width), y, [2.0, 0.5])
