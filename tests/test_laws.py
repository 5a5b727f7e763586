"""Every law over every linear rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import laws
import littlestone as ls
from inventory import EXACT, asked
from inventory import LINEAR as RULES
from strategies import generic, integer, streams, streams_for, tame

every_rule = pytest.mark.parametrize("rule", RULES, ids=repr)
exact_rule = pytest.mark.parametrize("rule", EXACT, ids=repr)
label_rule = pytest.mark.parametrize("rule", [rule for rule in RULES if rule.abilities.labels], ids=repr)
zero_start = pytest.mark.parametrize("rule", [rule for rule in RULES if not rule.init(2).w.any()], ids=repr)


@every_rule
@pytest.mark.parametrize("law", asked("linear"), ids=lambda law: law.__name__)
@given(data=st.data())
def test_law(law: laws.Law, rule: ls.LinearRule, data: st.DataObject) -> None:
    law(rule, data.draw(streams_for(rule)))


@every_rule
@given(data=st.data())
def test_whole_equals_split_in_any_chunking(rule: ls.LinearRule, data: st.DataObject) -> None:
    stream = data.draw(streams_for(rule))
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=5))
    laws.whole_equals_split(rule, stream, tuple(cuts))


@zero_start
@given(data=st.data())
def test_dicts_equal_arrays(rule: ls.LinearRule, data: st.DataObject) -> None:
    laws.dicts_equal_arrays(rule, data.draw(streams_for(rule)))


@label_rule
@given(data=st.data())
def test_labels_are_names(rule: ls.LinearRule, data: st.DataObject) -> None:
    laws.labels_are_names(rule, data.draw(streams("labels")))


@every_rule
@given(data=st.data())
def test_steps_are_honest(rule: ls.LinearRule, data: st.DataObject) -> None:
    laws.steps_are_honest(rule, data.draw(streams_for(rule, tame)))


@every_rule
@given(data=st.data())
def test_renaming_commutes(rule: ls.LinearRule, data: st.DataObject) -> None:
    laws.renaming_commutes(rule, data.draw(generic(rule)), seed=data.draw(st.integers(0, 99)))


@exact_rule
@given(data=st.data())
def test_renaming_commutes_exactly_on_integers(rule: ls.LinearRule, data: st.DataObject) -> None:
    laws.renaming_commutes(rule, data.draw(streams_for(rule, integer)), exact=True, seed=data.draw(st.integers(0, 99)))


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.abilities.averages], ids=repr)
@given(data=st.data())
def test_average_is_the_mean_of_the_weights_used(rule: ls.LinearRule, data: st.DataObject) -> None:
    laws.average_is_the_mean_of_the_weights_used(rule, data.draw(generic(rule)))


@exact_rule
@given(data=st.data())
def test_average_is_exact_on_integers(rule: ls.LinearRule, data: st.DataObject) -> None:
    laws.average_is_the_mean_of_the_weights_used(rule, data.draw(streams_for(rule, integer)), exact=True)
