"""The laws of every linear rule, over the multiplicative ones.

Two laws are the additive rules' alone: that a step moves w itself by a multiple of x, and that core and definition
agree to the last bit (with exp they agree to 1e-12: see test_multiplicative.py). A feature that comes late takes its
share of the sum when it comes, so dicts without their zeros are another stream than an array that had it all along.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import laws
import littlestone as ls
from inventory import MULTIPLICATIVE as RULES
from inventory import asked
from strategies import generic, streams, streams_for

every_rule = pytest.mark.parametrize("rule", RULES, ids=repr)
label_rule = pytest.mark.parametrize("rule", [rule for rule in RULES if rule.abilities.labels], ids=repr)


@every_rule
@pytest.mark.parametrize("law", asked("multiplicative"), ids=lambda law: law.__name__)
@given(data=st.data())
def test_law(law: laws.Law, rule: ls.LinearRule, data: st.DataObject) -> None:
    law(rule, data.draw(streams_for(rule)))


@label_rule
@given(data=st.data())
def test_labels_are_names(rule: ls.LinearRule, data: st.DataObject) -> None:
    laws.labels_are_names(rule, data.draw(streams("labels")))


@every_rule
@given(data=st.data())
def test_renaming_commutes(rule: ls.LinearRule, data: st.DataObject) -> None:
    laws.renaming_commutes(rule, data.draw(generic(rule)), seed=data.draw(st.integers(0, 99)))


@every_rule
@given(data=st.data())
def test_average_is_the_mean_of_the_weights_used(rule: ls.LinearRule, data: st.DataObject) -> None:
    laws.average_is_the_mean_of_the_weights_used(rule, data.draw(generic(rule)))


@every_rule
@given(data=st.data())
def test_dicts_that_name_every_feature_equal_arrays(rule: ls.LinearRule, data: st.DataObject) -> None:
    """With every feature there from the first row on, zeros included, dicts and arrays are the same stream."""
    stream = data.draw(streams_for(rule))
    at_once, single = laws.fresh(rule), laws.fresh(rule)
    rows = [{f"f{k}": float(v) for k, v in enumerate(row)} for row in stream.X]
    at_once.learn_many(rows, stream.y)
    for record, (_, y) in zip(rows, stream.rounds(), strict=True):
        single.learn_one(record, y)
    for named in (at_once, single):
        assert np.allclose(named.state.w, laws.learned(rule, stream).state.w, rtol=1e-12, atol=1e-15)
        assert named.ledger.updates == laws.learned(rule, stream).ledger.updates


@label_rule
@pytest.mark.parametrize("cuts", [(), (1,), (7, 30), tuple(range(1, 60))])
def test_chunks_of_dicts_do_not_matter(rule: ls.LinearRule, cuts: tuple[int, ...]) -> None:
    """A named feature joins the sum in the round it is first learned in, however many rows came with it."""
    source = np.random.default_rng(5)
    rows = [{f"f{j}": float(source.normal()) for j in source.choice(12, 4, replace=False)} for _ in range(60)]
    y = [int(label) for label in source.choice([-1, 1], 60)]
    single, parts = ls.Learner(rule, average=True), ls.Learner(rule, average=True)
    for x, label in zip(rows, y, strict=True):
        single.learn_one(x, label)
    for begin, end in zip((0, *cuts), (*cuts, 60), strict=True):
        parts.learn_many(rows[begin:end], y[begin:end])
    assert parts.features == single.features
    assert parts.ledger == single.ledger
    assert np.array_equal(parts.state.w, single.state.w)
    assert np.array_equal(parts.averaged().state.w, single.averaged().state.w)
