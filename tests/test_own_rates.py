"""Theorems on MLpol, MLprod, MLewa and BOA: worked numbers, random and hostile losses, wrong rules, every verdict."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from expert_moments import expert_moments
from littlestone.arrays import BoolArray, FloatArray
from littlestone.experts.rule import ExpertRule, uniform
from littlestone.experts.state import ExpertState
from littlestone.theory.expert_audit import audit_experts
from littlestone.theory.guarantee import within
from littlestone.theory.own_rates import OWN_RATES
from shown import shows

Verdict = ls.Verdict
RULES: dict[str, ExpertRule] = {
    "rates.mlpol": ls.MLpol(),
    "rates.mlprod": ls.MLprod(),
    "rates.boa": ls.BOA(),
    "rates.mlewa": ls.MLewa(),
}
THEOREMS = {guarantee.id: guarantee for guarantee in OWN_RATES}
every = pytest.mark.parametrize("name", RULES)


def certificate(run: ls.ExpertRun | ls.Mixture) -> ls.Certificate:
    (found,) = run.certify()
    return found


def easy(rows: int = 3000) -> FloatArray:
    losses = np.random.default_rng(0).random((rows, 4))
    losses[:, 0] *= 0.2
    return losses


@shows("example", "rates.mlpol", "rates.mlprod", "rates.boa", "rates.mlewa")
def test_one_round_by_hand() -> None:
    """Losses 1 and 0: r = ∓½, so the regret to the second is ½.

    MLpol: B = Σr² = ¼, 1/η = ½ and P = ¼/½ twice: √(1·½). MLprod: η = √(log 2/1.25); a = η, as rates begin at 1, and the factor
    of the first expert, which lost, is η + (η² − 1)(−½) ≥ 1 where that is more; U = 2·factor + (1 − η)·2.
    BOA: y = ∓1/√2.2, U = Σe^{y − y²}. MLewa: y = ∓√log 2.
    """
    one = np.array([[1.0, 0.0]])
    bounds = {name: certificate(ls.hedge(rule, one)).bound for name, rule in RULES.items()}
    eta = math.sqrt(math.log(2.0) / 1.25)
    U = 2.0 * max(1.0, eta + (1.0 - eta**2) / 2.0) + 2.0 * (1.0 - eta)
    y = 1.0 / math.sqrt(2.2)
    expected = {
        "rates.mlpol": math.sqrt(0.5),
        "rates.mlprod": math.log(U) / eta + eta / 4.0,
        "rates.boa": math.log(math.exp(y - y * y) + math.exp(-y - y * y)) / (2.0 * y) + y / 2.0,
        "rates.mlewa": math.log(2.0 * math.cosh(math.sqrt(math.log(2.0)))) / math.sqrt(4.0 * math.log(2.0)),
    }
    assert bounds == pytest.approx(expected)


@shows("never", *RULES)
@every
@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), rows=st.integers(2, 80), count=st.integers(2, 6), kind=st.integers(0, 4))
def test_never_violated_and_no_lemma_is_broken(name: str, seed: int, rows: int, count: int, kind: int) -> None:
    source = np.random.default_rng(seed)
    losses = source.random((rows, count))
    if kind == 1:
        losses = np.round(losses)
    elif kind == 2:
        losses = np.cumsum(source.normal(size=(rows, count)), axis=0) * 10.0 ** source.integers(-4, 5)
    elif kind == 3:
        losses *= np.linspace(0.01, 9.0, rows)[:, None] ** 2  # the scale grows as it goes
    elif kind == 4:
        losses[: rows // 2, 0], losses[rows // 2 :, 0] = 0.0, 1.0
    run = ls.hedge(RULES[name], losses, low=float(losses.min()) - 1.0, high=float(losses.max()) + 1.0)
    assert certificate(run).verdict is not Verdict.VIOLATED
    assert audit_experts(run) > 0


@shows("holds", *RULES)
@every
def test_holds(name: str) -> None:
    rule = RULES[name]
    losses = easy()
    if name == "rates.mlewa":
        losses = np.where(np.arange(4) == 0, 0.1, 0.9) + 0.0 * losses + 1e-3 * losses
    found = certificate(ls.hedge(rule, losses))
    assert found.holds
    assert found.hindsight
    advice = np.random.default_rng(1).random((2000, 4)) * 10.0
    mixed = ls.aggregate(rule, advice, advice[:, 0] + 0.1, loss="square")  # by the gradient
    assert certificate(mixed).proved


@shows("vacuous", *RULES)
@every
def test_vacuous_where_equal_weights_do_as_well(name: str) -> None:
    losses = np.random.default_rng(0).random((40, 4))
    assert certificate(ls.hedge(RULES[name], losses)).verdict is Verdict.VACUOUS


@shows("unproved", *RULES)
@every
def test_unproved_without_the_rounds(name: str) -> None:
    rule, losses = RULES[name], easy(200)
    mixture = ls.Mixture(rule, experts=4, loss="absolute")
    mixture.learn_many(losses, np.zeros(200))
    assert certificate(mixture).verdict is Verdict.UNPROVED
    run = ls.hedge(rule, losses)
    losses[:] = 1.0 - losses
    assert certificate(run).verdict is Verdict.UNPROVED  # the advice is not what was learned


@shows("violated", *RULES)
@every
def test_violated_by_a_ledger_that_says_more(name: str) -> None:
    run = ls.hedge(RULES[name], easy(200))
    far = replace(run, ledger=replace(run.ledger, loss=run.ledger.loss + 1e6))
    assert certificate(far).verdict is Verdict.VIOLATED


@every
def test_sleepers_are_compared_where_they_were_awake(name: str) -> None:
    losses = easy(400)
    losses[1:, 2][np.random.default_rng(2).random(399) < 0.5] = np.nan
    assert certificate(ls.hedge(RULES[name], losses)).proved


# Wrong rules.


def learns_nothing(_: ExpertRule, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
    return uniform(len(next(iter(state.arrays.values()))), awake)


def keeps_no_regrets(_: ExpertRule, state: ExpertState, losses: FloatArray, own: float) -> None:
    for name in ("inverse_rates", "squares"):
        if name in state.arrays:
            state.arrays[name][:] += (own - losses) ** 2
    if "rates" in state.arrays:
        state.rates[:] *= 0.9


MUTANTS: list[tuple[str, str, Callable[..., object]]] = [
    *((name, "weights", learns_nothing) for name in RULES),
    *((name, "advance", keeps_no_regrets) for name in RULES),
]


@shows("mutant", *RULES)
@pytest.mark.parametrize(("name", "method", "mutant"), MUTANTS, ids=lambda it: getattr(it, "__name__", str(it)))
def test_a_wrong_rule_breaks_a_lemma(
    monkeypatch: pytest.MonkeyPatch, name: str, method: str, mutant: Callable[..., object]
) -> None:
    losses = np.where(np.arange(3) == 0, 0.0, 1.0) + 0.01 * np.random.default_rng(0).random((60, 3))

    def broken() -> bool:
        moments = list(expert_moments(RULES[name], losses))
        return not all(within(*lemma.sides(moment)) for lemma in THEOREMS[name].lemmas for moment in moments)

    assert not broken()
    monkeypatch.setattr(type(RULES[name]), method, mutant)
    assert broken()
