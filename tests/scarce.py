"""Learns rows while every allocation of the core fails once, each in turn: whatever it is that fails, nothing has changed.

Run by tests in a process of its own, with scarce.cpp preloaded: `python scarce.py CASE`; prints how many failed.
"""

import ctypes
import sys
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

import laws
import littlestone as ls
from laws import fingerprint, votes_of
from littlestone import _core

Outcome = str | float


def label(t: int) -> Outcome:
    return "ab"[t % 3 == 0]


def classes(t: int) -> Outcome:
    """A new one now and then."""
    return "abcd"[min(t // 16, 3) if t % 2 else 0]


Model = ls.Learner | ls.Master


class Case(NamedTuple):
    """A model and what it learns; rows that are large are learned in another way, by a copy to go back to."""

    make: Callable[[], Model]
    outcome: Callable[[int], Outcome] | None = label
    unit: float = 1.0
    rounds: int = 402
    stretch: int = 0
    """Rows that are learned together in the end, when all columns are cut."""
    help: bool = False
    """Whether a second thread may help with these; what is refused behind its own memory is then not seen."""


def master() -> ls.Master:
    """Every kind of state that may go the short way with others."""
    rules = (
        ls.PassiveAggressive(variant="PA-I", C=0.1),
        ls.AROW(),
        ls.OnlineSVM(),
        ls.NaiveBayes(),
        ls.AdaGrad(),
        ls.SignedWinnow(),
    )
    return ls.Master([ls.Learner(ls.Perceptron(), average=True), *(ls.Learner(rule) for rule in rules)])


GAUSSIAN = ls.kernels.Gaussian(gamma=0.5)
CASES: dict[str, Case] = {
    "pool": Case(ls.Learner),
    "pool and a stretch": Case(ls.Learner, rounds=2, stretch=150),
    "pool of classes and a stretch": Case(ls.Learner, classes, rounds=2, stretch=150),
    "pool of targets and a stretch": Case(
        lambda: ls.Learner(ls.PoolRegression()), lambda t: float(t % 7), rounds=2, stretch=150
    ),
    "pool of one view and a stretch": Case(lambda: ls.Learner(ls.Pool(views=("raw",))), rounds=4, stretch=150, help=True),
    "pool and large rows": Case(ls.Learner, unit=1e31, rounds=49),
    "pool of classes": Case(ls.Learner, classes),
    "pool of targets": Case(lambda: ls.Learner(ls.PoolRegression()), lambda t: float(t % 7)),
    "perceptron": Case(lambda: ls.Learner(ls.Perceptron())),
    "many classes": Case(lambda: ls.Learner(ls.MulticlassPerceptron()), classes),
    "one versus rest": Case(lambda: ls.Learner(ls.OneVersusRest(rule=ls.AROW(covariance="full"))), classes),
    "kernel": Case(lambda: ls.Learner(ls.KernelPerceptron(kernel=GAUSSIAN))),
    "kernels, one versus rest": Case(lambda: ls.Learner(ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=GAUSSIAN))), classes),
    "kernel with a budget": Case(lambda: ls.Learner(ls.KernelPerceptron(kernel=GAUSSIAN, budget=5, when_full="drop-oldest"))),
    "kernel that projects": Case(lambda: ls.Learner(ls.KernelPerceptron(kernel=GAUSSIAN, budget=5, when_full="project"))),
    "kernel behind a view": Case(
        lambda: ls.Learner(ls.KernelPerceptron(kernel=GAUSSIAN), view=ls.views.StandardScale(), calibrate=True)
    ),
    "kernel of one class": Case(lambda: ls.Learner(ls.KernelUniclass(kernel=GAUSSIAN, epsilon=0.3)), None),
    "master": Case(master),
    "behind a view": Case(lambda: ls.Learner(ls.Perceptron(), view=ls.views.StandardScale())),
}
WATCHED = {*range(8), 15, 16, 17, 22, 23, 24, 31, 33, 46, 47, 48, 49, 95, 191, 398, 399, 400}
"""Rounds: the first of all, of classes and of views that are cut anew, and some others."""


def row(t: int, unit: float) -> dict[str, float]:
    """Four columns of numbers, and one that comes late."""
    random = np.random.default_rng(t)
    values = {f"column {k}": unit * float(random.normal()) for k in range(4)}
    return values | ({f"late {t}": unit} if t in {5, 49} else {})


def known(model: Model) -> object:
    """Everything a model knows, to the last bit."""
    if isinstance(model, ls.Learner):
        return fingerprint(model)
    members = [fingerprint(each) for each in model.learners if isinstance(each, ls.Learner)]
    return members, votes_of(model), model.wrong_votes.tolist(), model.labels


def refused_one_by_one(model: Model, learn: Callable[[], object], refuse: Callable[[int], None]) -> int:
    """Lets one allocation after another fail, until none is left to; how many did."""
    before = known(model)
    for count in range(10_000):
        model.predict_one({})  # opens the short way, which to look at a model has closed
        refuse(count)
        try:
            learn()
        except MemoryError:
            refuse(-1)
            assert known(model) == before, f"after the allocation {count}"
        else:
            refuse(-1)
            return count
    raise AssertionError("a round without an end")


def learned(model: Model, t: int, case: Case) -> None:
    x, y = row(t, case.unit), () if case.outcome is None else (case.outcome(t),)
    if t % 2:
        laws.call(model.learn_one, x, *y)
    else:
        laws.call(model.learn_many, [x], *([outcome] for outcome in y))


def learned_together(model: Model, rounds: range, case: Case) -> None:
    assert case.outcome is not None
    laws.call(model.learn_many, [row(t, case.unit) for t in rounds], [case.outcome(t) for t in rounds])


def main(name: str) -> None:
    """A model that was refused everything once, beside one that was refused nothing."""
    case = CASES[name]
    refuse = ctypes.CDLL(None).refuse_after
    refuse.argtypes, refuse.restype = [ctypes.c_long], None
    assert len([_core.Totals() for _ in range(10_000)])  # the table of objects, which is not ours, has all its room
    model, twin = case.make(), case.make()
    failed = 0
    for t in range(case.rounds):
        if t in WATCHED:
            failed += refused_one_by_one(model, partial(learned, model, t, case), refuse)
        else:
            learned(model, t, case)
        learned(twin, t, case)
    if case.stretch > 0:
        _core.work_beside_others(not case.help)  # a thread that finds no memory is done without
        for one in (model, twin):
            learned_together(one, range(case.rounds, 4100), case)
        last = range(4100, 4100 + case.stretch)
        failed += refused_one_by_one(model, partial(learned_together, model, last, case), refuse)
        learned_together(twin, last, case)
    assert known(model) == known(twin)
    print(failed)


if __name__ == "__main__":
    main(*sys.argv[1:])
