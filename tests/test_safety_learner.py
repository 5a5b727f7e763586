"""Interrupts, threads, forks and code in rows: a learner is whole after each of them, and so is its file."""

from __future__ import annotations

import contextlib
import copy
import itertools
import linecache
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import FrameType
from typing import ClassVar, final

import numpy as np
import pytest

import lacking
import laws
import littlestone as ls
import scarce
import scarce_scores
from littlestone import _core
from littlestone.arrays import BoolArray, FloatArray
from littlestone.body import Copied
from littlestone.outcomes import Known, OutcomeSpace
from littlestone.state import Average, State
from littlestone.store.container import Json, write
from littlestone.store.masters import described_master
from littlestone.store.mixtures import described_mixture

ROWS = [{f"f{j}": 1.0 + j % 3 for j in range(i * 4, i * 4 + 8)} for i in range(60)]
LABELS = [i % 2 for i in range(60)]


def taught(**options: bool) -> ls.Learner:
    learner = ls.Learner(ls.PassiveAggressive(), labels=(0, 1), average=options.get("average", False))
    learner.learn_many([{"a": 1.0}, {"b": 1.0}], [1, 0])
    return learner


# --- interrupts at every line


@final
class Interrupter:
    """Raises KeyboardInterrupt at the n-th line of the library that is run, as a signal would."""

    def __init__(self, at: int) -> None:
        self._lines, self._at = itertools.count(), at
        self.rang = False

    def __call__(self, frame: FrameType, event: str, _: object) -> Interrupter | None:
        if "littlestone" not in frame.f_code.co_filename:
            return None
        # Python looks for signals at calls and jumps: a lone assignment in `finally` is never missed.
        missed = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip() == "self._busy = False"
        if event == "line" and not missed and next(self._lines) == self._at:
            self.rang = True
            raise KeyboardInterrupt
        return self

    @contextmanager
    def at_work(self) -> Iterator[None]:
        before, handler = sys.gettrace(), signal.getsignal(signal.SIGINT)
        sys.settrace(self)
        try:
            yield
        finally:
            sys.settrace(before)
            # While a rule in Python is at work the handler is one that raises nothing, so no signal cuts it off there.
            signal.signal(signal.SIGINT, handler)

    def cuts_short(self, call: Callable[[], object]) -> bool:
        """Whether the call was cut short."""
        try:
            with self.at_work():
                call()
        except KeyboardInterrupt:
            return True
        return False


def is_sound(learner: ls.Learner, path: Path) -> None:
    """What it saves is loaded, and it learns on."""
    learner.save(path)
    loaded = ls.load(path)
    assert loaded.features == learner.features
    for each in (learner, loaded):
        each.learn_one({"a": 1.0, "later": 2.0}, 1)
    laws.same(learner, loaded)


CALLS: dict[str, Callable[[ls.Learner], object]] = {
    "learn_one": lambda learner: learner.learn_one(ROWS[3], 0),
    "learn_many": lambda learner: learner.learn_many(ROWS, LABELS),
    "check_one": lambda learner: learner.check_one(ROWS[3], 0),
    "check_many": lambda learner: learner.check_many(ROWS, LABELS),
    "snapshot": lambda learner: learner.snapshot(),
}


def cut_way_back(first: Interrupter, patch: pytest.MonkeyPatch) -> None:
    """A second interrupt, in the middle of going back from the first."""
    whole, calls = OutcomeSpace.retreat, itertools.count()

    def retreat(self: OutcomeSpace, known: Known) -> None:
        if first.rang and next(calls) == 0:
            raise KeyboardInterrupt
        whole(self, known)

    patch.setattr(OutcomeSpace, "retreat", retreat)


@pytest.mark.parametrize("twice", [False, True], ids=["once", "and on the way back"])
@pytest.mark.parametrize("name", CALLS)
def test_an_interrupt_at_any_line_leaves_a_sound_learner(name: str, twice: bool, tmp_path: Path) -> None:
    """As if it came before the call, or after: with the same bits as a learner that it never reached."""
    after = taught(average=True)
    CALLS[name](after)
    expected = [laws.fingerprint(taught(average=True)), laws.fingerprint(after)]
    for line in range(2000):
        learner, interrupter = taught(average=True), Interrupter(line)
        with pytest.MonkeyPatch.context() as patch:
            if twice:
                cut_way_back(interrupter, patch)
            if not interrupter.cuts_short(partial(CALLS[name], learner)):
                break
        assert laws.fingerprint(learner) in expected, line
        if line % 5 == 0:
            is_sound(learner, tmp_path / "model.lst")
    assert 10 < line < 1999


def test_a_signal_while_dicts_are_learned(tmp_path: Path) -> None:
    """The way a user meets it: the alarm rings anywhere in the call."""
    rows = [{f"f{j}": 1.0 for j in range(i * 10, i * 10 + 30)} for i in range(4000)]
    labels = [i % 2 for i in range(4000)]

    def ring(*_: object) -> None:
        raise KeyboardInterrupt

    handler = signal.signal(signal.SIGALRM, ring)
    try:
        for delay in np.linspace(1e-4, 0.03, 25):
            learner = taught()
            try:
                signal.setitimer(signal.ITIMER_REAL, float(delay))
                learner.learn_many(rows, labels)
            except KeyboardInterrupt:
                pass
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0.0)
            assert len(learner.features) in (2, 2 + 40020)
            is_sound(learner, tmp_path / "model.lst")
    finally:
        signal.signal(signal.SIGALRM, handler)


# --- threads


def test_saving_while_others_learn_gives_files_that_load(tmp_path: Path) -> None:
    learner, stop, path = taught(), threading.Event(), tmp_path / "model.lst"

    def learn(k: int) -> None:
        for i in itertools.count():
            if stop.is_set():
                return
            learner.learn_one({f"t{k}f{i // 200}": 1.0, "a": 1.0}, i % 2)

    threads = [threading.Thread(target=learn, args=(k,)) for k in (0, 1)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(15):
            learner.save(path)
            loaded = ls.load(path)
            assert len(loaded.state.w) == len(loaded.features)
            twin = copy.deepcopy(learner)
            assert len(twin.state.w) == len(twin.features)
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_no_row_goes_the_short_way_while_a_snapshot_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread that learns meanwhile waits until the snapshot has what it needs, and learns then."""
    learner = ls.Learner(ls.Perceptron(), labels=("a", "b"))
    for label in "abab":
        learner.learn_one({"x": 1.0}, label)
    other = threading.Thread(target=learner.learn_one, args=({"x": 1.0}, "a"))
    waited: list[bool] = []

    def meanwhile() -> None:
        other.start()
        other.join(0.3)
        waited.append(other.is_alive())

    monkeypatch.setattr(learner, "_heal", meanwhile)
    known = learner.snapshot()
    monkeypatch.undo()
    other.join()
    assert waited == [True]
    assert known.totals["rounds"] == 4
    assert learner.ledger.rounds == 5


def test_rows_of_fractions_from_many_threads_stay_apart() -> None:
    """Reading a Fraction runs Python code, in which threads take turns; sums of powers of two are exact in any order."""
    learner = ls.Learner(ls.Perceptron(), labels=(0, 1))
    learner.learn_many([{"x": 1.0}, {"x": 1.0}], [1, 0])

    def learn(k: int) -> None:
        for _ in range(200):
            laws.call(learner.predict_one, {f"k{k}a": Fraction(1, 2), f"k{k}b": Fraction(1, 4)})
            laws.call(learner.learn_one, {f"k{k}a": Fraction(k + 1), f"k{k}b": Fraction(-k - 1)}, 1)

    threads = [threading.Thread(target=learn, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    weights = learner.weights
    assert learner.ledger.rounds == 2 + 6 * 200
    for k in range(6):
        assert weights.get(f"k{k}a", 0.0) == -weights.get(f"k{k}b", 0.0)
        assert weights.get(f"k{k}a", 0.0) % (k + 1) == 0.0


# --- code of the caller's in a row


def test_a_value_that_empties_the_dict_it_is_in() -> None:
    """What was there when the row was given is what is learned."""

    @final
    class Emptier(int):
        def __float__(self) -> float:
            row.clear()
            return 1.0

    for call in ("learn", "predict", "many"):
        learner = taught()
        row: dict[str, float] = {"k0": Emptier(3), **{f"key{i}" * 20: i + 0.25 for i in range(2000)}}
        if call == "learn":
            learner.learn_one(row, 1)
            assert len(learner.features) == 2003
        elif call == "many":
            learner.learn_many([row, {"a": 1.0}], [1, 0])
            assert len(learner.features) == 2003
        else:
            learner.predict_one(row)
        assert row == {}


def test_keys_of_types_of_their_own_are_taken_for_what_they_spell() -> None:
    """Hash and equality of a subclass are not asked, which could change the table under our hands."""

    @final
    class Name(str):
        __slots__ = ()

        def __hash__(self) -> int:
            learner.learn_one({f"from within {len(learner.features)}": 1.0}, 1)
            return 7

        def __eq__(self, other: object) -> bool:
            learner.learn_one({"x": 1.0}, 1)
            return str(self) == str(other)

    @final
    class Number(int):
        def __eq__(self, other: object) -> bool:
            raise KeyboardInterrupt

        __hash__ = int.__hash__

    learner = taught()
    row = {Name("a"): 1.0, Number(5): 1.0}
    laws.call(learner.learn_one, row, 1)
    assert {type(name) for name in learner.features} == {str, int}
    twin = pickle.loads(pickle.dumps(learner))
    laws.same(learner, twin)
    with pytest.raises(ls.InvalidData, match="row 0: a feature is there twice"):
        laws.call(learner.learn_one, {Name("a"): 1.0, "a": 1.0}, 1)


def test_a_value_that_comes_back_to_the_learner() -> None:
    """It may ask; it may not learn in the middle of a call that learns."""

    @final
    class Asker(int):
        def __float__(self) -> float:
            answers.append(learner.predict_one({"a": 1.0}))
            answers.append(laws.call(learner.predict_one, {"a": Fraction(1, 2), "new": 1.0}))
            return 2.0

    @final
    class Pupil(int):
        def __float__(self) -> float:
            learner.learn_one({"inner": 1.0}, 1)
            return 2.0

    answers: list[object] = []
    for rows in ({"a": Asker(1), "c": 1.0}, [{"d": 1.0}, {"a": Asker(1), "e": 1.0}]):
        learner = taught()
        if isinstance(rows, dict):
            learner.learn_one(rows, 0)
        else:
            learner.learn_many(rows, [0, 1])
    assert len(answers) == 4
    learner = taught()
    before = laws.fingerprint(learner)
    with pytest.raises(ls.LittlestoneError):
        learner.learn_many([{"d": 1.0}, {"a": Pupil(1), "e": 1.0}], [0, 1])
    assert laws.fingerprint(learner) == before
    learner.learn_one({"f": 1.0}, 1)
    assert learner.features == ["a", "b", "f"]


def test_an_interrupt_in_a_value_is_an_interrupt() -> None:
    @final
    class Interrupted:
        def __float__(self) -> float:
            raise KeyboardInterrupt

    learner = taught()
    before = laws.fingerprint(learner)
    calls: tuple[Callable[[], object], ...] = (
        lambda: laws.call(learner.learn_one, {"x": Interrupted()}, 1),
        lambda: laws.call(learner.predict_one, {"x": Interrupted()}),
        lambda: laws.call(learner.learn_many, [{"y": 1.0}, {"x": Interrupted()}], [1, 0]),
    )
    for call in calls:
        with pytest.raises(KeyboardInterrupt):
            call()
        assert laws.fingerprint(learner) == before
    mixture = ls.Mixture(ls.ExponentialWeights(), experts=2, loss="square")
    with pytest.raises(KeyboardInterrupt):
        laws.call(mixture.learn_one, [0.0, Interrupted()], 1.0)


def test_advice_that_empties_the_list_it_is_in() -> None:
    @final
    class Emptier:
        def __float__(self) -> float:
            advice.clear()
            return 0.5

    for verb in ("learn_one", "predict_one"):
        advice: list[object] = [Emptier(), *(float(i) for i in range(599))]
        mixture = ls.Mixture(ls.ExponentialWeights(), experts=600, loss="square")
        outcome = (0.5,) if verb == "learn_one" else ()
        assert laws.call(getattr(mixture, verb), advice, *outcome) == pytest.approx((0.5 + 599 * 299) / 600)


def test_texts_that_leave_the_list_while_they_are_read() -> None:
    """Objects whose text is taken by the core stay until it was read, whatever becomes of the list."""

    @final
    class Emptier(int):
        def __str__(self) -> str:
            column[1:] = []
            return "emptied"

    def rows(values: list[object]) -> list[list[int]]:
        table = _core.FeatureTable(len(values), norm=0, skips_missing=False)
        table.add_categories("c", values)
        batch = table.chunk(_core.Hasher(bits=18, hash_all=True, constant=False)).batch(1 << 18)
        return [batch[t].indices.tolist() for t in range(len(batch))]

    texts = [f"text number {i}" * 9 for i in range(200)]
    column: list[object] = [Emptier(3), *texts]
    assert rows(column) == rows(["emptied", *texts])
    assert len(column) == 1


# --- names that were chosen to collide


@pytest.mark.parametrize("spread", [1 << 40, 1 << 61, (1 << 61) - 1, -(1 << 45), 1])
def test_no_choice_of_ints_floods_the_table(spread: int) -> None:
    """All of them had the same place in a table of 2^20, or the same hash; a name is looked at a few times at most."""
    features = _core.Features()
    count = 30_000
    numbers = features.numbers([i * spread + 1 for i in range(count)], grow=True)
    assert numbers.tolist() == list(range(count))
    assert features.longest_search < 120
    features.truncate(count // 2)
    again = features.numbers([i * spread + 1 for i in range(count)], grow=False)
    assert again.tolist() == [*range(count // 2), *([-1] * (count - count // 2))]


# --- forks


def in_child(work: Callable[[], object], seconds: int = 20) -> int:
    """The exit code of a child that does the work; one that hangs is ended by its alarm."""
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        code = 3
        try:
            work()
            code = 0
        except ls.NotApplicable as refusal:
            code = 1 if "forked" in str(refusal) else 2
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def test_a_learner_is_used_after_a_fork() -> None:
    learner = taught()
    assert in_child(lambda: learner.learn_one({"a": 1.0, "z": 1.0}, 1)) == 0
    assert in_child(lambda: learner.learn_many(ROWS, LABELS)) == 0
    assert learner.features == ["a", "b"]


def test_a_learner_that_was_at_work_when_the_process_was_forked_says_so() -> None:
    learner = taught()
    learner._lock.acquire()
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(in_child(lambda: learner.learn_many(ROWS, LABELS))))
    thread.start()
    thread.join()
    learner._lock.release()
    assert codes == [1]
    learner.learn_many(ROWS, LABELS)


# --- mixtures


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class FailingRule(ls.ExpertRule):
    """Moves half of its state, then fails, in the round whose losses add up to more than 5."""

    source: ClassVar[str] = "a rule for this test"
    how: type[BaseException] = ValueError

    def init(self, experts: int) -> ls.ExpertState:
        return ls.ExpertState(seen=np.zeros(experts), rounds=np.zeros(1))

    def weights(self, state: ls.ExpertState, awake: BoolArray | None = None) -> FloatArray:
        return np.full(len(state.seen), 1.0 / len(state.seen))

    def advance(self, state: ls.ExpertState, losses: FloatArray, own: float) -> None:
        state.seen[:] += losses
        if float(np.sum(losses)) > 1.5:
            raise self.how
        state.rounds[0] += 1.0


def known(mixture: ls.Mixture) -> object:
    snapshot = mixture.snapshot()
    return {name: array.tobytes() for name, array in snapshot.state.arrays.items()}, repr(snapshot.totals)


@pytest.mark.parametrize("how", [ValueError, ls.InvalidData, KeyboardInterrupt, MemoryError])
def test_a_rule_that_fails_half_way_leaves_no_half_move(how: type[BaseException]) -> None:
    mixture = ls.Mixture(FailingRule(how=how), experts=3, loss=ls.losses.Absolute(low=0.0, high=1.0))
    mixture.learn_one([0.1, 0.2, 0.3], 0.0)
    before = known(mixture)
    with pytest.raises(how):
        mixture.learn_one([0.9, 0.9, 0.9], 0.0)
    assert known(mixture) == before
    with pytest.raises(how):
        mixture.learn_many([[0.1, 0.1, 0.1], [0.9, 0.9, 0.9]], [0.0, 0.0])
    assert known(mixture) == before


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_a_copied_mixture_leaves_the_other_alone(copied: Callable[[ls.Mixture], ls.Mixture]) -> None:
    for rule in (ls.MLpol(), ls.ExponentialWeights(), ls.FollowThePerturbedLeader(seed=3)):
        mixture = ls.Mixture(rule, experts=["a", "b"], loss=ls.losses.Square(low=0.0, high=4.0))
        mixture.learn_many([[0.0, 1.0], [2.0, 1.0]], [1.0, 1.5])
        before = known(mixture)
        twin = copied(mixture)
        assert known(twin) == before
        twin.learn_one({"a": 1.0, "b": 0.5}, 0.0)
        assert known(mixture) == before
        mixture.learn_one([1.0, 0.5], 0.0)
        assert known(twin) == known(mixture)


# --- masters


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class FailingPerceptron(ls.LinearRule):
    """A Perceptron in Python that moves, and then fails, on rows whose first entry is 9."""

    source: ClassVar[str] = "a rule for this test"
    how: type[BaseException] = ValueError

    def init(self, width: int) -> ls.Weights:
        return ls.Weights(w=np.zeros(width))

    def accepts_label(self, state: ls.State, label: int) -> ls.Interval:
        return ls.Interval.open_half_line(label)

    def update(self, state: ls.State, row: ls.Row, trial: ls.Trial) -> ls.Step:
        row.add_to(state.w, 1.0)
        if 9.0 in row.values:
            raise self.how
        return ls.Step.by(1.0)


def committee(how: type[BaseException] = ValueError) -> ls.Master:
    inner = ls.Master([ls.Learner(ls.PassiveAggressive()), ls.Learner(ls.MarginPerceptron(rho=0.5))], vote=ls.AdaHedge())
    failing, last = ls.Learner(FailingPerceptron(how=how)), ls.Learner(ls.OnlineSVM())
    master = ls.Master((ls.Learner(ls.Perceptron(), average=True), inner, failing, last), labels=("no", "yes"))
    for t in range(6):
        master.learn_one({"a": 1.0, f"b{t % 3}": -1.0}, "yes" if t % 2 else "no")
    return master


def all_of(master: ls.Master) -> object:
    members = [all_of(each) if isinstance(each, ls.Master) else laws.fingerprint(each) for each in _members(master)]
    return members, laws.votes_of(master), master.wrong_votes.tolist(), master.labels


def _members(master: ls.Master) -> list[ls.Learner | ls.Master]:
    return [each for each in master.learners if isinstance(each, ls.Learner | ls.Master)]


MASTERED: dict[str, Callable[[ls.Master], object]] = {
    "one": lambda master: master.learn_one({"a": 2.0, "new": 1.0}, "yes"),
    "many": lambda master: master.learn_many([{"a": 1.0, "c": 2.0}, {"d": 1.0}], ["no", "yes"]),
}


@pytest.mark.parametrize("name", MASTERED)
def test_an_interrupt_at_any_line_leaves_all_learners_in_the_same_round(name: str) -> None:
    after = committee()
    MASTERED[name](after)
    expected = [all_of(committee()), all_of(after)]
    for line in range(0, 4000, 3):
        master, interrupter = committee(), Interrupter(line)
        if not interrupter.cuts_short(partial(MASTERED[name], master)):
            break
        assert all_of(master) in expected, line
    assert 100 < line < 3999


def quick_committee() -> ls.Master:
    """All of its learners go the short way."""
    rules = (ls.PassiveAggressive(variant="PA-I", C=0.1), ls.AROW(), ls.SignedWinnow())
    master = ls.Master([ls.Learner(ls.Perceptron(), average=True), *(ls.Learner(rule) for rule in rules)], labels=("no", "yes"))
    for t in range(6):
        master.learn_one({"a": 1.0, f"b{t % 3}": -1.0}, "yes" if t % 2 else "no")
    return master


def _learn_two(master: ls.Master, row: dict[str, float]) -> None:
    master.learn_one(row, "yes")
    master.learn_one({"a": -1.0}, "no")


@pytest.mark.parametrize("row", [{"a": 2.0, "new": 1.0}, dict.fromkeys("abcdefghijk", 1.0)], ids=["short", "long"])
def test_an_interrupt_by_the_short_way_leaves_all_learners_in_the_same_round(row: dict[str, float]) -> None:
    """A row of more names than there is room for goes the long way, and opens another short one."""
    after = quick_committee()
    _learn_two(after, row)
    expected = [all_of(quick_committee()), all_of(after)]
    half = quick_committee()
    half.learn_one(row, "yes")
    expected.append(all_of(half))
    for line in range(0, 4000, 1 if len(row) == 2 else 7):
        master, interrupter = quick_committee(), Interrupter(line)
        if not interrupter.cuts_short(partial(_learn_two, master, row)):
            break
        found = all_of(master)
        assert found in expected, line
        if found == expected[0]:
            master.learn_one(row, "yes")
        if found != expected[1]:
            master.learn_one({"a": -1.0}, "no")
        assert all_of(master) == expected[1], line
    assert 2 < line < 3999


@pytest.mark.parametrize("how", [ValueError, KeyboardInterrupt, MemoryError, ls.InvalidData])
def test_a_learner_that_fails_half_way_takes_the_others_with_it(how: type[BaseException]) -> None:
    master = committee(how)
    before = all_of(master)
    calls: tuple[Callable[[], object], ...] = (
        lambda: master.learn_one({"a": 9.0, "z": 1.0}, "yes"),
        lambda: master.learn_many([{"a": 1.0}, {"a": 9.0, "z": 1.0}], ["no", "yes"]),
        lambda: laws.call(master.learn_one, {"a": "?", "z": 1.0}, "yes"),
        lambda: master.learn_one({"a": 1.0}, "maybe"),
    )
    for call in calls:
        with pytest.raises((how, ls.LittlestoneError)):
            call()
        assert all_of(master) == before


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_a_copied_master_goes_on_with_the_same_bits(copied: Callable[[ls.Master], ls.Master]) -> None:
    master = committee()
    twin = copied(master)
    before = all_of(master)
    assert all_of(twin) == before
    twin.learn_one({"a": 2.0, "new": 1.0}, "yes")
    assert all_of(master) == before
    master.learn_one({"a": 2.0, "new": 1.0}, "yes")
    assert all_of(twin) == all_of(master)


# --- files


def test_a_mixture_goes_on_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mixture.lst"
    square = ls.losses.Square(low=0.0, high=4.0)
    kinds = (ls.MLpol(), ls.ExponentialWeights(eta=0.3), ls.FixedShare(eta=0.5, alpha=0.1), ls.SwapRegret(horizon=9), ls.BOA())
    for rule in kinds:
        mixture = ls.Mixture(rule, experts=["a", "b", "c"], loss=square, gradient=False)
        mixture.learn_many([[0.0, 1.0, np.nan], [2.0, 1.0, 0.5]], [1.0, 1.5])
        mixture.save(path)
        loaded = ls.load(path, kind=ls.Mixture)
        assert known(loaded) == known(mixture)
        for each in (mixture, loaded):
            each.learn_one({"a": 1.0, "c": 0.5}, 0.0)
        assert known(loaded) == known(mixture)
        assert loaded.ledger.regret == mixture.ledger.regret
        assert [str(each) for each in loaded.certify()] == [str(each) for each in mixture.certify()]


def test_a_master_goes_on_from_its_file_with_its_learners(tmp_path: Path) -> None:
    path = tmp_path / "master.lst"
    master = committee()
    master.save(path)
    loaded = ls.load(path, kind=ls.Master, rules=[FailingPerceptron])
    assert all_of(loaded) == all_of(master)
    for each in (master, loaded):
        each.learn_many([{"a": 2.0, "new": 1.0}, {"b1": 1.0}], ["yes", "no"])
    assert all_of(loaded) == all_of(master)
    assert str(loaded.certify()[0]) == str(master.certify()[0])


def test_a_file_says_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "model.lst"
    committee().save(path)
    with pytest.raises(ls.InvalidData, match=r"holds a Master, not a Learner; load it by ls.load\(path, kind=ls.Master\)"):
        ls.load(path)
    taught().save(path)
    with pytest.raises(ls.InvalidData, match="holds a Learner, not a Mixture"):
        ls.load(path, kind=ls.Mixture)
    custom = ls.losses.Custom(function=lambda x, y: x - y, convex=True)
    with pytest.raises(ls.NotApplicable, match="the loss is Custom, a function that cannot be saved"):
        ls.Mixture(ls.ExponentialWeights(), experts=2, loss=custom).save(path)
    assert ls.load(path).features == ["a", "b"]


def test_damaged_mixtures_and_masters_are_refused_in_a_sentence(tmp_path: Path) -> None:
    """Headers and arrays that were forged, under sound checksums."""
    path = tmp_path / "model.lst"
    mixture = ls.Mixture(ls.AdaHedge(), experts=2, loss="square")
    mixture.learn_one([0.0, 1.0], 1.0)
    header, arrays = described_mixture(mixture.snapshot())
    forged: list[tuple[dict[str, Json], dict[str, FloatArray]]] = [
        (header | {"experts": ["a", "a"]}, {}),
        (header | {"experts": ["a", "b", "c"]}, {}),
        (header | {"experts": []}, {}),
        (header | {"loss": {"name": "nobody's", "parameters": {}}}, {}),
        (header | {"loss": {"name": "square", "parameters": {"low": 3.0, "high": 1.0}}}, {}),
        (header | {"rule": {"name": "perceptron", "parameters": {}}}, {}),
        (header | {"rule": {"name": "mixture", "parameters": {}}}, {}),
        (header | {"gradient": 3}, {}),
        (header, {"state.losses": np.array([np.nan, 1.0])}),
        (header, {"state.losses": np.zeros(3)}),
        (header, {"ledger.counts": np.array([-1.0, 0.0])}),
        (header, {"ledger.squares": np.zeros(7)}),
    ]
    for head, changed in forged:
        write(path, head, {**arrays, **changed})
        with pytest.raises(ls.InvalidData):
            ls.load(path, kind=ls.Mixture)
    header, arrays = described_master(committee().snapshot())
    learners = header["learners"]
    assert isinstance(learners, list)
    forged = [
        (header | {"learners": []}, {}),
        (header | {"learners": learners[:1]}, {}),
        (header | {"learners": [*learners, 3]}, {}),
        (header | {"labels": []}, {}),
        (header, {"wrong": np.array([0.0, np.nan, 0.0, 0.0])}),
        (header, {"wrong": np.zeros(3)}),
    ]
    for head, changed in forged:
        write(path, head, {**arrays, **changed})
        with pytest.raises(ls.InvalidData):
            ls.load(path, kind=ls.Master, rules=[FailingPerceptron])


def test_what_could_not_be_loaded_is_not_saved(tmp_path: Path) -> None:
    """The old file stays: a learner whose weights are none any more, or whose parts were taken apart."""
    path = tmp_path / "model.lst"
    taught().save(path)
    before = path.read_bytes()
    broken = taught()
    broken._body.state.w[0] = np.nan
    with pytest.raises(ls.InvalidData, match="a weight of the learner is not finite; it cannot be saved"):
        broken.save(path)
    torn = taught()
    torn._space.batch([{"more": 1.0}], grow=True)
    with pytest.raises(ls.InvalidData, match="2 weights and 3 features; it cannot be saved"):
        torn.save(path)
    assert path.read_bytes() == before


# --- a lack of memory


@pytest.mark.parametrize("where", [(State, "grown"), (Average, "fitting"), (ls.PassiveAggressive, "loop"), (Copied, "of")])
def test_a_lack_of_memory_leaves_no_trace(where: tuple[type, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it is noticed: in the state that grows, its average, its loop, or the copy to go back to."""

    def lacking(*_: object, **__: object) -> None:
        raise MemoryError

    calls: tuple[Callable[[ls.Learner], object], ...] = (
        lambda learner: learner.learn_one(dict.fromkeys(map(str, range(50)), 1.0), 1),
        lambda learner: learner.learn_many(ROWS * 9, LABELS * 9),
    )
    for call in calls:
        learner = taught(average=True)
        before = laws.fingerprint(learner)
        with monkeypatch.context() as patch:
            patch.setattr(*where, lacking)
            with contextlib.suppress(MemoryError):
                call(learner)
                assert where == (Copied, "of")  # which a round of the core does without
                continue
        assert laws.fingerprint(learner) == before
        call(learner)
        twin = taught(average=True)
        call(twin)
        laws.same(learner, twin)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the limit is set by what /proc says")
@pytest.mark.parametrize(("name", "verb"), [*((name, "one") for name in lacking.RULES), ("perceptron", "many")])
def test_a_real_lack_of_memory_leaves_no_trace(name: str, verb: str) -> None:
    """The process may not have more than so much: whatever allocation it is that fails, in Python or in the core."""
    run = [sys.executable, lacking.__file__, name, verb, "10"]
    ended = subprocess.run(run, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    failed, learned = map(int, ended.stdout.split())
    assert failed > 0
    assert learned > 0


@pytest.fixture(scope="module")
def scarcity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that refuses memory when it is told to."""
    compiler = shutil.which("c++")
    if compiler is None or sys.platform != "linux":
        pytest.skip("there is no compiler for a library that refuses memory, or no way to load it first")
    library = tmp_path_factory.mktemp("scarce") / "scarce.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, Path(__file__).with_name("scarce.cpp")], check=True)
    return library


def refused_in(scarcity: Path, *run: str) -> int:
    """How many allocations a program was refused that came to its end all the same."""
    environment = {**os.environ, "LD_PRELOAD": str(scarcity)}
    ended = subprocess.run([sys.executable, *run], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return int(ended.stdout)


@pytest.mark.parametrize("name", scarce.CASES)
def test_every_allocation_of_a_round_may_fail_and_leaves_no_trace_in_memory(name: str, scarcity: Path) -> None:
    """One after the other: whichever it is, the learner is as it was, and the round can be learned once there is memory."""
    assert refused_in(scarcity, scarce.__file__, name) > 100


def test_every_allocation_of_two_threads_that_score_may_fail(scarcity: Path) -> None:
    """A thread that finds no memory waits for the other one; it once left it behind, which ends the process."""
    assert refused_in(scarcity, scarce_scores.__file__) > 40


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the limit is set by what /proc says")
def test_a_column_far_out_that_finds_no_memory_leaves_a_kernel_whole() -> None:
    """The row is spread out over all columns below it."""
    code = (
        "import resource, io, littlestone as ls\n"
        "learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.5)))\n"
        "rows = [next(iter(ls.read(io.BytesIO(text)))) for text in (b'1 1:1\\n-1 3:1\\n', b'1 2000000000:1\\n')]\n"
        "learner.learn_many(*rows[0])\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, -1))\n"
        "for _ in range(3):\n"
        "    try: learner.learn_many(*rows[1])\n"
        "    except MemoryError: print(learner.ledger.rounds, learner.score_many(rows[0][0]).tolist())\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert len(set(ended.stdout.splitlines())) == 1
    assert ended.stdout.count("\n") == 3
