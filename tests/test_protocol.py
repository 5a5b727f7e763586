"""`Learner`, `Mixture` and `Master` have the same verbs and keep the same promises: one table, every promise asked of each."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias, cast, final

import numpy as np
import pytest

import laws
import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.experts.mixture import MixtureSnapshot
from littlestone.master import MasterSnapshot

ROUNDS, HALF = 40, 20
X: FloatArray = np.random.default_rng(4).normal(size=(ROUNDS, 3))
LABELS = np.where(X @ [1.0, -2.0, 0.5] > 0.2, "yes", "no")
OUTCOMES: FloatArray = X.mean(axis=1)


class Model(Protocol):
    """The verbs."""

    @property
    def ledger(self) -> Counted: ...
    def learn_one(self, x: object, y: object, /) -> object: ...
    def learn_many(self, X: object, y: object, /) -> object: ...
    def predict_one(self, x: object, /) -> object: ...
    def predict_many(self, X: object, /) -> object: ...
    def snapshot(self) -> object: ...
    def save(self, path: Path, /) -> None: ...
    def certify(self) -> list[ls.Certificate]: ...


class Counted(Protocol):
    """What is asked of a ledger."""

    @property
    def rounds(self) -> int: ...


Change: TypeAlias = "Callable[[Model], object]"


@final
@dataclass(frozen=True)
class Kind:
    """One of the three: how it is made, what it learns, and what it refuses in the middle of a call."""

    name: str
    make: Callable[[], object]
    y: Hashable
    fingerprint: Callable[[object], object]
    again: Callable[[object], object]

    def fresh(self) -> Model:
        return cast("Model", self.make())

    def taught(self) -> Model:
        model = self.fresh()
        model.learn_many(X[:HALF], self.outcomes[:HALF])
        return model

    @property
    def outcomes(self) -> np.ndarray[tuple[int, ...], np.dtype[np.generic]]:
        return LABELS if isinstance(self.y, str) else OUTCOMES


def of_learner(model: object) -> object:
    assert isinstance(model, ls.Learner)
    return laws.fingerprint(model)


def of_mixture(model: object) -> object:
    assert isinstance(model, ls.Mixture)
    snapshot = model.snapshot()
    return {name: array.tobytes() for name, array in snapshot.state.arrays.items()}, repr(snapshot.totals), model.experts


def of_master(model: object) -> object:
    assert isinstance(model, ls.Master)
    return [of_learner(each) for each in model.learners], laws.votes_of(model), model.wrong_votes.tolist(), model.labels


def master() -> ls.Master:
    return ls.Master([ls.Learner(ls.Perceptron(), average=True), ls.Learner(ls.PassiveAggressive())], labels=("no", "yes"))


KINDS = (
    Kind(
        "Learner",
        lambda: ls.Learner(ls.PassiveAggressive(), labels=("no", "yes"), average=True),
        "yes",
        of_learner,
        lambda taken: ls.Learner.restored(cast("ls.Snapshot", taken)),
    ),
    Kind(
        "Mixture",
        lambda: ls.Mixture(ls.MLpol(), experts=3),
        1.0,
        of_mixture,
        lambda taken: ls.Mixture.restored(cast("MixtureSnapshot", taken)),
    ),
    Kind("Master", master, "yes", of_master, lambda taken: ls.Master.restored(cast("MasterSnapshot", taken))),
)
each = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def copies(kind: Kind, folder: Path) -> dict[str, Callable[[Model], object]]:
    def filed(model: Model) -> object:
        model.save(folder / "model.lst")
        return ls.load(folder / "model.lst", kind=cast("type[ls.Learner]", type(model)))

    return {
        "copy": copy.copy,
        "deepcopy": copy.deepcopy,
        "pickle": lambda model: pickle.loads(pickle.dumps(model)),
        "snapshot": lambda model: kind.again(model.snapshot()),
        "file": filed,
    }


@each
@pytest.mark.parametrize("way", ["copy", "deepcopy", "pickle", "snapshot", "file"])
def test_a_copy_goes_on_with_the_same_bits_and_leaves_the_original_alone(kind: Kind, way: str, tmp_path: Path) -> None:
    model = kind.taught()
    before = kind.fingerprint(model)
    twin = cast("Model", copies(kind, tmp_path)[way](model))
    assert type(twin) is type(model)
    assert kind.fingerprint(twin) == before
    twin.learn_many(X[HALF:], kind.outcomes[HALF:])
    assert kind.fingerprint(model) == before
    model.learn_many(X[HALF:], kind.outcomes[HALF:])
    assert kind.fingerprint(twin) == kind.fingerprint(model)


@each
def test_many_rounds_are_one_after_another_and_predicting_changes_nothing(kind: Kind) -> None:
    one, many = kind.fresh(), kind.fresh()
    for x, y in zip(X, kind.outcomes, strict=True):
        before = kind.fingerprint(one)
        said = one.predict_one(x)
        assert kind.fingerprint(one) == before
        shown = one.learn_one(x, y.item())
        assert shown == said
    many.learn_many(X, kind.outcomes)
    assert kind.fingerprint(one) == kind.fingerprint(many)
    assert list(cast("list[object]", one.predict_many(X))) == [one.predict_one(x) for x in X]
    assert one.ledger.rounds == ROUNDS
    assert one.certify()
    assert {verdict.verdict for verdict in one.certify()} <= {ls.Verdict.HOLDS, ls.Verdict.VACUOUS, ls.Verdict.UNPROVED}


@final
class Stumbling:
    """A number that raises when it is read."""

    def __init__(self, how: type[BaseException]) -> None:
        self._how = how

    def __float__(self) -> float:
        raise self._how


def refused(kind: Kind, how: type[BaseException]) -> Iterator[Change]:
    """Calls that end early: a number that cannot be read, in the only row, and in a row after sound ones."""
    names = [str(k) for k in range(1, 4)] if kind.name == "Mixture" else ["a", "b", "c"]
    bad = {**dict.fromkeys(names, 1.0), names[1]: Stumbling(how)}
    yield lambda model: model.learn_one(bad, kind.y)
    yield lambda model: model.learn_one(np.array([np.inf, 1.0, 1.0]), kind.y)
    yield lambda model: model.learn_many(np.array([[1.0, 1.0, 1.0], [1.0, np.inf, 1.0]]), [kind.y, kind.y])
    yield lambda model: model.learn_many(X[:3], kind.outcomes[:2])
    yield lambda model: model.learn_many([[1.0, 1.0, 1.0], [1.0, Stumbling(how), 1.0]], [kind.y, kind.y])


@each
@pytest.mark.parametrize("how", [ValueError, MemoryError, KeyboardInterrupt, ls.InvalidData])
def test_a_call_that_ends_early_leaves_no_trace(kind: Kind, how: type[BaseException]) -> None:
    model = kind.taught()
    before = kind.fingerprint(model)
    for change in refused(kind, how):
        with pytest.raises((how, ls.LittlestoneError)):
            change(model)
        assert kind.fingerprint(model) == before
    model.learn_many(X[HALF:], kind.outcomes[HALF:])
    untouched = kind.taught()
    untouched.learn_many(X[HALF:], kind.outcomes[HALF:])
    assert kind.fingerprint(model) == kind.fingerprint(untouched)


@each
def test_threads_take_turns(kind: Kind) -> None:
    """Rounds of several threads and snapshots in between: no round is lost, and every snapshot is of whole rounds."""
    model, seen = kind.fresh(), list[int]()

    def learn() -> None:
        for x, y in zip(X, kind.outcomes, strict=True):
            model.learn_one(x, y.item())

    def look() -> None:
        for _ in range(20):
            seen.append(cast("Model", kind.again(model.snapshot())).ledger.rounds)

    threads = [threading.Thread(target=work) for work in (learn, learn, learn, look)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert model.ledger.rounds == 3 * ROUNDS
    assert seen == sorted(seen)
