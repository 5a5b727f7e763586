"""Every rule obeys every law, and every law has a known bad rule that it catches."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from expert_laws import (
    MIXING,
    SHIFTABLE,
    SIZELESS,
    UNBIASED,
    WITH_PRIOR,
    Law,
    all_lose_for_long,
    asleep_is_out,
    distribution,
    duplication,
    even_start,
    never_there,
    permutation,
    random_losses,
    regret_is_sublinear,
    shift,
)
from inventory import EXPERTS as RULES
from littlestone.arrays import BoolArray, FloatArray
from littlestone.experts import ExpertState
from littlestone.experts.pace import period_of
from littlestone.experts.rule import ExpertRule, softmax

SEEDS = st.integers(0, 2**32 - 1)


def losses_for(rule: ExpertRule, seed: int) -> FloatArray:
    return random_losses(seed, labels=rule.votes)


@pytest.mark.parametrize("rule", RULES, ids=repr)
@given(seed=SEEDS)
def test_weights_are_a_distribution(rule: ExpertRule, seed: int) -> None:
    distribution(rule, losses_for(rule, seed))
    asleep_is_out(rule, losses_for(rule, seed))


@pytest.mark.parametrize("rule", UNBIASED, ids=repr)
@given(seed=SEEDS)
def test_names_play_no_part(rule: ExpertRule, seed: int) -> None:
    even_start(rule, losses_for(rule, seed))
    permutation(rule, losses_for(rule, seed))


@pytest.mark.parametrize("rule", SHIFTABLE, ids=repr)
@given(seed=SEEDS)
def test_a_constant_changes_nothing(rule: ExpertRule, seed: int) -> None:
    shift(rule, losses_for(rule, seed))


@pytest.mark.parametrize("rule", WITH_PRIOR, ids=repr)
@given(seed=SEEDS)
def test_twins_share_their_prior(rule: ExpertRule, seed: int) -> None:
    duplication(rule, losses_for(rule, seed))


@pytest.mark.parametrize("rule", SIZELESS, ids=repr)
@given(seed=SEEDS)
def test_whoever_always_sleeps_is_not_there(rule: ExpertRule, seed: int) -> None:
    never_there(rule, losses_for(rule, seed))


@pytest.mark.parametrize("schedule", ["doubling", "anytime"])
def test_schedules_forget_in_time(schedule: str) -> None:
    regret_is_sublinear(ls.ExponentialWeights(schedule=schedule), np.zeros((1, 2)))


@pytest.mark.parametrize("rule", [r for r in UNBIASED if not isinstance(r, ls.Halving | ls.SwapRegret)], ids=repr)
def test_weights_survive_when_everybody_loses(rule: ExpertRule) -> None:
    all_lose_for_long(rule, np.zeros((1, 3)))


@pytest.mark.parametrize("rule", MIXING, ids=repr)
def test_one_expert_is_followed(rule: ExpertRule) -> None:
    losses = random_losses(3, experts=2)[:, :1]
    distribution(rule, losses)


class _Mutant(ExpertRule):
    """A rule with a mistake that was made somewhere."""

    source: ClassVar[str] = "made up"

    def init(self, experts: int) -> ExpertState:
        return ExpertState(scores=np.zeros(experts), rounds=np.zeros(1))

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        return softmax(state.scores, awake)

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        state.scores[:] -= 0.5 * losses
        state.rounds[0] += 1.0


class IncrementalRate(_Mutant):
    """Multiplies old weights by exp(−η_t·l) instead of taking them anew (erratum 3)."""

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        state.rounds[0] += 1.0
        state.scores[:] -= math.sqrt(8.0 * math.log(len(losses)) / float(state.rounds[0])) * losses


class NoReset(_Mutant):
    """The doubling schedule without starting anew (erratum 3)."""

    def advance(self, state: ExpertState, losses: FloatArray, own: float) -> None:
        eta = math.sqrt(8.0 * math.log(len(losses)) / period_of(int(state.rounds[0])))
        state.scores[:] -= eta * losses
        state.rounds[0] += 1.0


class UnnormalisedStart(_Mutant):
    """Weights 1 in the first round: the prediction is the sum of the advice."""

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        return np.ones(len(state.scores)) if state.rounds[0] == 0.0 else softmax(state.scores, awake)


class NaivePower(_Mutant):
    """β to the number of losses as it stands: 0/0 after 1075 of them."""

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        weights = np.where(True if awake is None else awake, 0.5 ** (-2.0 * state.scores), 0.0)
        with np.errstate(invalid="ignore"):
            return weights / float(weights.sum())


class FirstIsBest(_Mutant):
    """Breaks ties by a nudge to the first expert."""

    def init(self, experts: int) -> ExpertState:
        return ExpertState(scores=np.r_[1e-3, np.zeros(experts - 1)], rounds=np.zeros(1))


class WeighsByInverse(_Mutant):
    """1/(1 + L): the size of the losses themselves matters, not their differences."""

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        return softmax(-np.log1p(np.maximum(-state.scores, 0.0)), awake)


class SleepersKeepWeight(_Mutant):
    """Forgets to leave out whoever sleeps."""

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        return softmax(state.scores)


class ShiftByTheSleeping(_Mutant):
    """Takes weights relative to the best expert even when that one sleeps: 0/0 for the others."""

    def weights(self, state: ExpertState, awake: BoolArray | None = None) -> FloatArray:
        weights: FloatArray = np.exp(5000.0 * (state.scores - state.scores.max()))
        kept: FloatArray = weights if awake is None else np.where(awake, weights, 0.0)
        with np.errstate(invalid="ignore"):
            return kept / float(kept.sum())


@pytest.mark.parametrize(
    ("mutant", "law"),
    [
        (IncrementalRate(), regret_is_sublinear),
        (NoReset(), regret_is_sublinear),
        (UnnormalisedStart(), distribution),
        (NaivePower(), all_lose_for_long),
        (FirstIsBest(), even_start),
        (FirstIsBest(), permutation),
        (WeighsByInverse(), shift),
        (SleepersKeepWeight(), asleep_is_out),
        (ShiftByTheSleeping(), asleep_is_out),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, ExpertRule) else value.__name__,
)
def test_laws_catch_mutants(mutant: ExpertRule, law: Law) -> None:
    with pytest.raises(AssertionError):
        law(mutant, random_losses(5))


def test_the_mutants_base_is_sound() -> None:
    rule = _Mutant()
    for law in (distribution, even_start, permutation, shift, asleep_is_out, never_there, all_lose_for_long):
        law(rule, random_losses(5))
