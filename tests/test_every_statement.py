"""A walk over `ls.theory`: no statement without a worked number, streams on which it never fails, a wrong rule that its
lemma catches, and a case for each verdict it can have.
"""

from __future__ import annotations

import dataclasses
import importlib

import pytest

import littlestone as ls
from littlestone.theory import Demonstration, Guarantee, RiskGuarantee
from shown import Kind, shown

MODULES = (
    "test_adaptive_proofs",
    "test_audit",
    "test_batch",
    "test_certificates",
    "test_comparators",
    "test_conformal",
    "test_convert",
    "test_demonstrations",
    "test_dimension",
    "test_equilibria",
    "test_extensive",
    "test_flagging",
    "test_expert_descent",
    "test_expert_interleaved",
    "test_expert_late",
    "test_portfolio",
    "test_expert_numbers",
    "test_expert_proofs",
    "test_expert_theory",
    "test_further_proofs",
    "test_games",
    "test_generalization",
    "test_kernels",
    "test_linear_proofs",
    "test_lower_bounds",
    "test_master_proofs",
    "test_mixed_theorems",
    "test_mixing",
    "test_multiclass_proofs",
    "test_multiplicative_theory",
    "test_online_ridge",
    "test_other_proofs",
    "test_own_rates",
    "test_paths",
    "test_passive_aggressive",
    "test_plain",
    "test_play",
    "test_pool_definition",
    "test_theory",
    "test_truth",
    "test_uniclass",
)

# The ids of the specification, section 2, and what it calls the same theorem in other words.
SPECIFIED = [
    "mohri.8.1",
    "mohri.8.2",
    "mohri.8.3",
    "mohri.det",
    "mohri.8.4a",
    "mohri.8.4x",
    "mohri.8.4b",
    "mohri.8.4d",
    "mohri.8.5",
    "mohri.ex8.4",
    "mohri.8.6a",
    "mohri.8.6b",
    "mohri.8.7",
    "mohri.8.7t",
    "mohri.ex8.7",
    "mohri.ex8.9",
    "mohri.ex8.8",
    "mohri.8.16",
    "mohri.8.8",
    "blum.5.10",
    "lecture.1",
    "mohri.ex8.2",
    "mohri.ex8.3",
    "mohri.8.8w0",
    "lecture.1vc",
    "mohri.8.23",
    "mohri.ex8.1",
    "mohri.8.9",
    "mohri.8.10",
    "mohri.8.11",
    "mohri.8.12",
    "blum.5.11",
    "mohri.8.13",
    "lecture.2",
    "mohri.ex8.6",
    "mohri.ex8.5",
    "bylander.L1",
    "bylander.2",
    "bylander.3",
    "bylander.4",
    "bylander.5",
    "bylander.6",
    "bylander.7",
    "bylander.master",
    "bylander.8",
    "bylander.9",
    "bylander.10",
    "bylander.11",
    "bylander.12",
    "bylander.A1",
    "pa.1",
    "pa.1c",
    "pa.1m",
    "pa.1h",
    "pa.2",
    "pa.batch",
    "pa.3",
    "pa.4",
    "mohri.8.14",
    "mohri.8.15a",
    "mohri.8.15b",
    "mohri.8.15ewa",
    "blum.5.12",
    "blum.5.13",
    "mohri.ex8.10",
    "mohri.ex8.11",
]

# Those for which it names an instance that meets the bound, or nearly.
TIGHT = [
    "mohri.8.1",
    "mohri.8.3",
    "mohri.det",
    "mohri.8.4x",
    "mohri.8.5",
    "mohri.ex8.4",
    "mohri.8.8",
    "mohri.ex8.3",
    "mohri.ex8.1",
    "bylander.2",
    "bylander.3",
    "bylander.5",
    "bylander.8",
    "bylander.11",
    "pa.1",
    "pa.2",
    "mohri.8.16",
    "mohri.ex8.6x",
    "mohri.8.2",
    "lecture.1vc",
    "risk.vote",
]

SHOWN = set[tuple[Kind, str]]().union(*(shown(importlib.import_module(module)) for module in MODULES))


def can_be_vacuous(guarantee: object) -> bool:
    """Whether there is a bound that says nothing: where something is counted, or lies in a known range."""
    default = next(field.default for field in dataclasses.fields(Guarantee) if field.name == "trivial")
    return getattr(guarantee, "trivial", default) is not default


def wanted(name: str) -> set[Kind]:
    """What must be shown of a statement."""
    statement = ls.theory.guarantees.get(name) or ls.theory[name]
    kinds: set[Kind] = {"example", "never"}
    if name in TIGHT:
        kinds.add("tight")
    if isinstance(statement, Demonstration):
        return kinds
    kinds |= {"holds", "unproved"}
    if can_be_vacuous(statement) and name != "blum.5.13":
        kinds.add("vacuous")
    return kinds if isinstance(statement, RiskGuarantee) else kinds | {"mutant", "violated"}


@pytest.mark.parametrize("name", ls.theory)
def test_everything_is_shown(name: str) -> None:
    missing = {kind for kind in wanted(name) if (kind, name) not in SHOWN}
    assert not missing, f"no test shows of {name}: {', '.join(sorted(missing))}"


def test_nothing_is_shown_that_is_not_there() -> None:
    assert {name for _, name in SHOWN} <= set(ls.theory)


def test_every_id_of_the_specification_is_there() -> None:
    assert [name for name in SPECIFIED if name not in ls.theory] == []
    assert set(TIGHT) <= set(ls.theory)
