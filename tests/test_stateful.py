"""Learners, pools, mixtures and masters under anything, in any order: what they know is what a replay of their rounds knows."""

from __future__ import annotations

import copy
import os
import pickle
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar, cast, final

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

import laws
import littlestone as ls
from littlestone.streams.space import Space
from test_safety_learner import Interrupter

Row: TypeAlias = dict[str, float]
Round: TypeAlias = tuple[Row, str]

NAMES = ("a", "b", "c", "d", "e", "f", "g", "h")
ROWS = st.dictionaries(st.sampled_from(NAMES), st.sampled_from([-2.0, -0.5, 0.0, 1.0, 3.0]), max_size=4)
LABELS = st.sampled_from(["no", "yes"])
ROUNDS = st.lists(st.tuples(ROWS, LABELS), min_size=1, max_size=5)
BAD: tuple[tuple[object, object], ...] = (
    ({"a": "?"}, "no"),
    ({"a": float("nan"), "z": 1.0}, "yes"),
    ({"z": 1.0, 2.5: 1.0}, "no"),
    ({"z": 1e200}, "no"),
    ([1.0, 2.0], "yes"),
    ({"z": 1.0}, "maybe"),
    (None, "yes"),
)

M = TypeVar("M", bound=ls.Learner | ls.Master | ls.Mixture)


class Kind(ABC, Generic[M]):
    """A model and its rounds."""

    @abstractmethod
    def fresh(self) -> M:
        """One that has learned nothing."""

    @abstractmethod
    def learn(self, model: M, rounds: list[Round], *, many: bool) -> None:
        """Learns rounds."""

    @abstractmethod
    def predict(self, model: M, row: Row) -> object:
        """Asks."""

    @abstractmethod
    def known(self, model: M) -> object:
        """All it knows."""

    @abstractmethod
    def loaded(self, path: Path) -> M:
        """From a file."""

    @abstractmethod
    def spoil(self, model: M, x: object, y: object) -> None:
        """Gives it what it must refuse."""


@dataclass(frozen=True)
class AnyLearners(Kind[ls.Learner], ABC):
    rule: ls.LinearRule

    @abstractmethod
    def label(self, x: Row, y: str) -> str:
        """What a round is called."""

    @final
    def learn(self, model: ls.Learner, rounds: list[Round], *, many: bool) -> None:
        named = [(x, self.label(x, y)) for x, y in rounds]
        if many:
            model.learn_many([x for x, _ in named], [y for _, y in named])
        else:
            for x, y in named:
                model.learn_one(x, y)

    @final
    def predict(self, model: ls.Learner, row: Row) -> object:
        return model.predict_one(row)

    @final
    def known(self, model: ls.Learner) -> object:
        return laws.fingerprint(model)

    @final
    def loaded(self, path: Path) -> ls.Learner:
        return ls.load(path)


@final
@dataclass(frozen=True)
class Learners(AnyLearners):
    def fresh(self) -> ls.Learner:
        return ls.Learner(self.rule, labels=("no", "yes"), average=True)

    def label(self, x: Row, y: str) -> str:
        return y

    def spoil(self, model: ls.Learner, x: object, y: object) -> None:
        laws.call(model.learn_one, x, y)


@final
@dataclass(frozen=True)
class Many(AnyLearners):
    """Of many classes, which come one after another: a label goes by how many features its row has, too."""

    def fresh(self) -> ls.Learner:
        return ls.Learner(self.rule)

    def label(self, x: Row, y: str) -> str:
        return f"{y} {len(x)}"

    def spoil(self, model: ls.Learner, x: object, y: object) -> None:
        laws.call(model.learn_one, x, float("nan") if y == "maybe" else f"{y}, and a class that nobody met")


@final
@dataclass(frozen=True)
class Masters(Kind[ls.Master]):
    vote: ls.ExpertRule | None = None

    def fresh(self) -> ls.Master:
        inner = ls.Master([ls.Learner(ls.PassiveAggressive()), ls.Learner(ls.OnlineSVM())])
        return ls.Master((ls.Learner(ls.Perceptron(), average=True), inner), labels=("no", "yes"), vote=self.vote)

    def learn(self, model: ls.Master, rounds: list[Round], *, many: bool) -> None:
        if many:
            model.learn_many([x for x, _ in rounds], [y for _, y in rounds])
        else:
            for x, y in rounds:
                model.learn_one(x, y)

    def predict(self, model: ls.Master, row: Row) -> object:
        return model.predict_one(row)

    def known(self, model: ls.Master) -> object:
        members = [self.known(each) if isinstance(each, ls.Master) else laws.fingerprint(each) for each in _led(model)]
        return members, laws.votes_of(model), model.wrong_votes.tolist()

    def loaded(self, path: Path) -> ls.Master:
        return ls.load(path, kind=ls.Master)

    def spoil(self, model: ls.Master, x: object, y: object) -> None:
        laws.call(model.learn_one, x, y)


def _led(master: ls.Master) -> list[ls.Learner | ls.Master]:
    return [each for each in master.learners if isinstance(each, ls.Learner | ls.Master)]


@final
@dataclass(frozen=True)
class Mixtures(Kind[ls.Mixture]):
    """An expert's advice is the value of its name, and 1 where it has none; the outcome is the label."""

    rule: ls.ExpertRule

    def fresh(self) -> ls.Mixture:
        return ls.Mixture(self.rule, experts=NAMES, loss=ls.losses.Absolute(low=0.0, high=8.0), gradient=False)

    def learn(self, model: ls.Mixture, rounds: list[Round], *, many: bool) -> None:
        if many:
            model.learn_many([_advice(x) for x, _ in rounds], [float(y == "yes") for _, y in rounds])
        else:
            for x, y in rounds:
                model.learn_one(_advice(x), float(y == "yes"))

    def predict(self, model: ls.Mixture, row: Row) -> object:
        return model.predict_one(_advice(row))

    def known(self, model: ls.Mixture) -> object:
        snapshot = model.snapshot()
        return {name: array.tobytes() for name, array in snapshot.state.arrays.items()}, repr(snapshot.totals)

    def loaded(self, path: Path) -> ls.Mixture:
        return ls.load(path, kind=ls.Mixture)

    def spoil(self, model: ls.Mixture, x: object, y: object) -> None:
        laws.call(model.learn_one, x, y)


def _advice(row: Row) -> list[float]:
    return [row.get(name, 1.0) for name in NAMES]


class Anything(RuleBasedStateMachine, Generic[M]):
    """The rounds that a model has learned are the only thing that this machine believes."""

    def __init__(self, kind: Kind[M]) -> None:
        super().__init__()
        self.kind = kind
        self.model: M = kind.fresh()
        self.rounds: list[Round] = []
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "model.lst"
        self.saved: list[Round] | None = None

    @rule(rounds=ROUNDS, many=st.booleans())
    def learn(self, rounds: list[Round], many: bool) -> None:
        self.kind.learn(self.model, rounds, many=many)
        self.rounds += rounds
        self.check(self.model)

    @rule(row=ROWS)
    def predict(self, row: Row) -> None:
        assert self.kind.predict(self.model, row) == self.kind.predict(self.replayed(), row)
        self.check(self.model)

    @precondition(lambda self: len(self.rounds) > 0)  # the first row decides whether features have names
    @rule(which=st.integers(0, len(BAD) - 1))
    def refuse(self, which: int) -> None:
        with pytest.raises(ls.LittlestoneError):
            self.kind.spoil(self.model, *BAD[which])
        self.check(self.model)

    @rule(rounds=ROUNDS, many=st.booleans(), line=st.integers(0, 300))
    def interrupt(self, rounds: list[Round], many: bool, line: int) -> None:
        if not Interrupter(line).cuts_short(lambda: self.kind.learn(self.model, rounds, many=many)):
            self.rounds += rounds
        else:  # the rounds before it are learned: as many as the ledger has
            done = self.model.ledger.rounds - len(self.rounds)
            assert 0 <= done <= len(rounds)
            self.rounds += rounds[:done]
        self.check(self.model)

    @rule(way=st.sampled_from(["copy", "deepcopy", "pickle", "snapshot"]))
    def copy(self, way: str) -> None:
        ways: dict[str, Callable[[M], M]] = {
            "copy": copy.copy,
            "deepcopy": copy.deepcopy,
            "pickle": lambda model: pickle.loads(pickle.dumps(model)),
            "snapshot": lambda model: cast("M", laws.call(type(model).restored, model.snapshot())),
        }
        old, self.model = self.model, ways[way](self.model)
        self.kind.learn(old, [({"a": 1.0, "only here": 1.0}, "yes")], many=False)
        self.check(self.model)

    @rule()
    def save(self) -> None:
        self.model.save(self.path)
        self.saved = list(self.rounds)
        self.check(self.model)

    @precondition(lambda self: getattr(self, "saved", None) is not None)
    @rule()
    def load(self) -> None:
        assert self.saved is not None
        self.model, self.rounds = self.kind.loaded(self.path), list(self.saved)
        self.check(self.model)

    @rule(rounds=ROUNDS)
    def fork(self, rounds: list[Round]) -> None:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                self.kind.learn(self.model, rounds, many=False)
                self.rounds += rounds
                self.check(self.model)
                code = 0
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        self.check(self.model)

    def replayed(self) -> M:
        twin = self.kind.fresh()
        if self.rounds:
            self.kind.learn(twin, self.rounds, many=False)
        return twin

    def check(self, model: M) -> None:
        assert self.kind.known(model) == self.kind.known(self.replayed())

    def teardown(self) -> None:
        self.folder.cleanup()


KINDS: dict[str, Kind[ls.Learner] | Kind[ls.Master] | Kind[ls.Mixture]] = {
    "passive-aggressive": Learners(ls.PassiveAggressive()),
    "online-svm": Learners(ls.OnlineSVM()),
    "signed-winnow": Learners(ls.SignedWinnow()),
    "kernel-perceptron": Learners(ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.5), budget=6)),
    "multiclass": Many(ls.MulticlassPassiveAggressive()),
    "one-versus-rest": Many(ls.OneVersusRest(rule=ls.OnlineSVM())),
    "pool": Many(ls.Pool()),
    "master": Masters(),
    "hedged master": Masters(ls.AdaHedge()),
    "mlpol": Mixtures(ls.MLpol()),
    "fixed-share": Mixtures(ls.FixedShare(eta=0.5, alpha=0.1)),
}


def run(name: str, examples: int, steps: int, phases: tuple[Phase, ...] = tuple(Phase)) -> None:
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    limits = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=checks, phases=phases
    )
    machine = cast("type[RuleBasedStateMachine]", partial(laws.call, Anything, KINDS[name]))
    run_state_machine_as_test(machine, settings=limits)


@pytest.mark.parametrize("name", KINDS)
def test_anything_in_any_order(name: str) -> None:
    run(name, 6, 15)


def test_a_way_back_that_forgets_the_names_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Space, "retreat", lambda *_: None)
    with pytest.raises(AssertionError):
        run("passive-aggressive", 30, 20, phases=(Phase.generate,))


@pytest.mark.stress
@pytest.mark.parametrize("name", KINDS)
def test_anything_in_any_order_at_length(name: str) -> None:
    run(name, 100, 40)
