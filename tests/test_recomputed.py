"""Every certificate computed again by other code; every bound on a risk against exact risks, looked at after every round.

`make truth` runs this with many more streams; a handful of them run with all other tests. A theorem that nobody computes again,
and a bound on a risk that nobody simulates, fail here by name.
"""

from __future__ import annotations

import math
import os
from collections import Counter

import numpy as np
import pytest

import again_classes
import again_experts
import again_games
import again_linear
import again_mixing
import again_risks
import littlestone as ls
from again import REGISTERED, Again
from again_risks import COVERED, DELTA, Fails
from littlestone.theory import RiskGuarantee

MODULES = (again_linear, again_experts, again_classes, again_games, again_mixing, again_risks)
TIMES = 20 if os.environ.get("HYPOTHESIS_PROFILE") == "stress" else 1
RISKS = {name for name, statement in ls.theory.items() if isinstance(statement, RiskGuarantee)}
# The core keeps the numbers of a pool's features in single precision, its definition in double.
LOOSE = {"pool.master": 1e-3, "pool.mistakes": 1e-3}


@pytest.mark.parametrize("made", REGISTERED, ids=lambda made: f"{made.__module__.removeprefix('again_')}-{made.__name__}")
def test_certificates_are_what_other_code_computes(made: Again) -> None:
    met = Counter[str]()
    for seed in range(2 * TIMES):
        for found, measured, bound in made(seed):
            assert found.proved, f"seed {seed}: {found}"
            near = LOOSE.get(found.id, 1e-7)
            assert [found.measured, found.bound] == pytest.approx([measured, bound], rel=near, abs=1e-7, nan_ok=True), found.id
            met[found.id] += 1
    assert set(met) == set(REGISTERED[made])


def test_every_certificate_is_computed_again() -> None:
    known = [name for ids in REGISTERED.values() for name in ids]
    assert {made.__module__ for made in REGISTERED} == {module.__name__ for module in MODULES}
    assert set(known) == set(ls.theory.guarantees) | RISKS
    assert len(known) == len(set(known))


def most_failures(runs: int, delta: float) -> float:
    """What a share of δ may come to in so many runs, but for one time in a million."""
    return runs * delta + 5.0 * math.sqrt(runs * delta) + 1.0


@pytest.mark.parametrize(("name", "fails"), COVERED.items(), ids=list(COVERED))
def test_a_bound_on_a_risk_is_covered(name: str, fails: Fails) -> None:
    runs = 6 * TIMES
    assert sum(fails(seed) for seed in range(runs)) <= most_failures(runs, DELTA), name


def test_random_stopping_is_covered_in_the_mean() -> None:
    found = np.array([again_risks.stopped(seed) for seed in range(500 * TIMES)])
    assert float(found.mean()) <= 5.0 / 20.0 + 5.0 * float(found.std()) / math.sqrt(len(found))


def test_every_bound_on_a_risk_is_covered() -> None:
    assert set(COVERED) | {"blum.5.12"} == RISKS


def test_a_bound_that_is_too_small_is_not_covered() -> None:
    """The simulation has teeth: a tenth of the deviation fails far more often than δ."""
    failures = 0
    for seed in range(100):
        run = again_risks.perceptron(seed, 150)
        failures += float(run.wrong.mean()) + 0.1 * math.sqrt(math.log(1.0 / DELTA) / 300.0) < float(run.risks.mean())
    assert failures > most_failures(100, DELTA)


def test_a_pair_is_covered_at_every_moment_at_once() -> None:
    """The difference of two learners on other rows, against their exact risks."""
    runs, rounds, failures = 6 * TIMES, 150, 0
    for seed in range(runs):
        one, other = again_risks.perceptron(seed, rounds), again_risks.perceptron(seed + 10_000, rounds)
        pair, failed = ls.PairedComparison(delta=DELTA), False
        for t in range(rounds):
            pair.note(float(one.wrong[t]), float(other.wrong[t]))
            mean = float(np.mean(one.risks[: t + 1] - other.risks[: t + 1]))
            failed |= not pair.low <= mean <= pair.high
        failures += failed
    assert failures <= most_failures(runs, DELTA)
