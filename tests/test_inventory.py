"""Nothing is left out: every rule is in the inventory, and every law is asked of every family."""

from __future__ import annotations

import inspect
from types import ModuleType

import pytest

import inventory
import laws
import littlestone as ls
from inventory import EXCUSED, EXPERTS, FAMILIES, LAWS, MANIFOLD, asked
from littlestone import experts, kernels, linear, multiclass, pool, uniclass
from littlestone.experts.rule import ExpertRule
from littlestone.schema import Axis

# Prototypes that are given whole have the laws of a matrix, in test_multiclass.py; weights that are no distribution and of
# which nobody may sleep have those of least squares, in test_expert_descent.py.
ELSEWHERE = {ls.MulticlassFixed, ls.RidgeWeights}


@pytest.mark.parametrize("room", [linear, kernels, uniclass, multiclass, pool, experts], ids=lambda room: room.__name__)
def test_every_rule_is_in_the_inventory(room: ModuleType) -> None:
    known = {type(rule) for rules in (*FAMILIES.values(), EXPERTS, MANIFOLD) for rule in rules}
    assert [rule.__name__ for rule in room.RULES if rule not in known | ELSEWHERE] == []


def test_every_law_is_in_the_inventory() -> None:
    """A law is a function of a rule and a stream; those that want more of the stream have tests of their own."""
    further = {
        laws.learned,
        laws.dicts_equal_arrays,
        laws.renaming_commutes,
        laws.labels_are_names,
        laws.steps_are_honest,
        laws.average_is_the_mean_of_the_weights_used,
        laws.kernel_equals_definition,
    }
    known = {
        function
        for _, function in inspect.getmembers(laws, inspect.isfunction)
        if list(inspect.signature(function).parameters)[:2] == ["rule", "stream"]
        and function.__module__ == "laws"
        and "batch" not in inspect.signature(function).parameters
    }
    assert known == {*LAWS} | further


def test_whoever_is_excused_has_a_reason() -> None:
    assert all(family in FAMILIES and law in LAWS and reason for (family, law), reason in EXCUSED.items())
    assert all(len(asked(family)) >= len(LAWS) - 3 for family in FAMILIES)


def test_no_rule_is_listed_twice() -> None:
    for rules in FAMILIES.values():
        assert len({inventory.short(rule) for rule in rules}) == len(rules)


@pytest.mark.parametrize("rule", [*EXPERTS, *MANIFOLD], ids=repr)
def test_what_runs_along_the_experts_is_declared(rule: ExpertRule) -> None:
    """An array with a number per expert says so, and no other does."""
    few, many = rule.init(3), rule.init(5)
    for name, array in few.schema.items():
        along = (few.arrays[name].shape, many.arrays[name].shape) == ((3,), (5,))
        assert (array.axis is Axis.EXPERT) == along, name
