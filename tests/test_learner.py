"""The learner and the run: before the first row, passes, progress, threads, Ctrl-C."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
import pytest
import scipy.sparse as sp

import laws
import littlestone as ls
from inventory import LINEAR as RULES
from strategies import Stream

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]])
Y = np.array([1, -1, 1, 1])


# --- before the first row


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_everything_is_defined_before_learning(rule: ls.LinearRule) -> None:
    learner = ls.Learner(rule)
    before = laws.fingerprint(learner)
    start = rule.init(2).w
    table = np.array([[1.0, 2.0], [0.0, 0.0]])
    expected = (table @ start).tolist()
    assert learner.score_many(table).tolist() == expected
    assert [learner.score_one(x) for x in table] == expected
    assert learner.score_many(sp.csr_matrix(table)).tolist() == expected
    assert learner.score_one({"a": 1.0}) == 0.0
    assert learner.score_many([{"a": 1.0}, {}]).tolist() == [0.0, 0.0]
    for answer in (learner.predict_one(table[0]), learner.predict_one({}), *learner.predict_many(table).tolist()):
        assert answer in (-1, 1) if rule.abilities.labels else isinstance(answer, float)
    assert learner.state.w.tolist() == [w for w in start.tolist() if w]
    assert learner.features == []
    assert learner.ledger == ls.Learner(rule).ledger
    assert learner.ledger.mistake_rate == learner.ledger.mean_loss == 0.0
    assert laws.fingerprint(learner) == before


def test_a_zero_score_shows_plus_and_counts_as_a_mistake_for_either_label() -> None:
    """A score of 0 is a mistake."""
    learner = ls.Learner(ls.Fixed(weights=np.array([0.0])), labels=("no", "yes"))
    assert learner.predict_one([1.0]) == "yes"
    learner.learn_many([[1.0], [1.0]], ["no", "yes"])
    assert learner.ledger.mistakes == 2


def test_learn_one_returns_the_prediction_before_the_update() -> None:
    learner = ls.Learner(ls.Perceptron(), labels=("no", "yes"))
    assert [learner.learn_one([1.0], "no") for _ in range(2)] == ["yes", "no"]
    targets = ls.Learner(ls.PassiveAggressiveRegression(epsilon=0.0))
    assert [targets.learn_one([1.0], 3.0) for _ in range(2)] == [0.0, 3.0]
    spans = ls.Learner(ls.Perceptron(eta=0.5))
    assert [spans.learn_one([1.0], ls.Intervals(1.0, 1.0)) for _ in range(3)] == [0.0, 0.5, 1.0]


def test_learner_keeps_to_one_kind_of_outcome() -> None:
    learner = ls.Learner(ls.Perceptron())
    learner.learn_one([1.0], ls.Intervals(0.0, 1.0))
    with pytest.raises(ls.NotApplicable, match="this learner has learned intervals so far"):
        learner.learn_one([1.0], 1)


# --- averages and snapshots


def test_there_is_no_average_unless_asked_for() -> None:
    for learner in (ls.Learner(ls.Perceptron()), ls.Learner(ls.Perceptron(), average=True)):
        with pytest.raises(ls.NotApplicable, match="average=True"):
            learner.averaged()


def test_the_averaged_learner_predicts_and_never_moves() -> None:
    learner = ls.Learner(ls.Perceptron(), labels=("no", "yes"), average=True)
    learner.learn_many([{"a": 1.0}, {"a": -3.0, "b": 1.0}, {"b": 1.0}], ["yes", "yes", "no"])
    averaged = learner.averaged()
    assert averaged.weights == {"a": -1.0 / 3.0, "b": 1.0 / 3.0}
    assert averaged.predict_one({"a": 1.0}) == "no"
    averaged.learn_one({"a": 1.0}, "yes")
    assert averaged.weights == {"a": -1.0 / 3.0, "b": 1.0 / 3.0}
    assert learner.ledger.rounds == 3


def test_a_snapshot_by_name_goes_on_and_stays_as_it_was() -> None:
    learner = ls.Learner(ls.OnlineSVM(), average=True)
    laws.call(learner.learn_many, [{"a": 1.0}, {3: 2.0}], ["no", "yes"])
    saved = learner.snapshot()
    learner.learn_one({"b": 1.0}, "no")
    twin = ls.Learner.restored(saved)
    assert twin.features == ["a", 3]
    twin.learn_one({"b": 1.0}, "no")
    laws.same(learner, twin)
    assert ls.Learner.restored(saved).features == ["a", 3]
    empty = ls.Learner.restored(ls.Learner(ls.Perceptron(), average=True).snapshot())
    empty.learn_one({"a": 1.0}, 1)
    assert empty.averaged().weights == {}


# --- runs


def test_passes_stop_when_nothing_moves() -> None:
    run = ls.run(ls.Perceptron(), X, Y, passes=10, keep=("score", "update"))
    assert (run.passes, run.converged, run.ledger.rounds, run.ledger.updates) == (3, True, 12, 4)
    assert run.columns["update"].tolist() == [True, True, True, False, False, True] + 6 * [False]
    assert len(run.columns["score"]) == 12
    short = ls.run(ls.Perceptron(), X, Y, passes=2)
    assert (short.passes, short.converged) == (2, False)
    assert not ls.run(ls.OnlineSVM(eta=0.5, C=2.0, kink="shrink"), X, Y, passes=3).converged


def test_an_iterator_can_be_passed_over_again() -> None:
    rows = [{"a": 1.0}, {"b": 1.0}]
    run = ls.run(ls.Perceptron(), iter(rows), [1, -1], passes=5)
    assert (run.passes, run.ledger.rounds) == (2, 4)


def test_columns_are_what_they_say() -> None:
    run = ls.run(ls.PassiveAggressive(), [[2.0], [2.0], [1.0]], [1, -1, -1], keep=laws.KEPT)
    assert {name: column.tolist() for name, column in run.columns.items()} == {
        "score": [0.0, 1.0, -0.5],
        "loss": [1.0, 2.0, 0.5],
        "step": [0.25, -0.5, -0.5],
        "mistake": [True, True, False],
        "update": [True, True, True],
    }
    assert str(run.ledger) == "3 rounds, 2 mistakes (66.67%), 3 updates, loss 3.5"


def test_progress_changes_nothing_but_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    source = np.random.default_rng(4)
    stream = Stream(source.normal(size=(1003, 4)), np.where(source.normal(size=1003) > 0, 1, -1))
    shown, quiet = laws.fresh(ls.OnlineSVM()), laws.fresh(ls.OnlineSVM())
    kept = shown.learn_many(stream.X, stream.y, keep=("score",), progress=True)
    drawn = capsys.readouterr()
    assert "1003/1003" in drawn.out + drawn.err
    plain = quiet.learn_many(stream.X, stream.y, keep=("score",))
    assert capsys.readouterr() == ("", "")
    laws.same(shown, quiet)
    assert kept["score"].tobytes() == plain["score"].tobytes()


def test_a_fault_under_a_progress_bar_leaves_no_trace() -> None:
    learner = laws.learned(ls.OnlineSVM(), Stream(X, Y))
    before = laws.fingerprint(learner)
    table = np.tile(X, (500, 1))
    table[1900, 1] = np.nan
    with pytest.raises(ls.InvalidData, match="row 1900: value of feature 1 is nan"):
        learner.learn_many(table, np.tile(Y, 500), progress=True)
    assert laws.fingerprint(learner) == before


def test_a_sum_that_overflows_is_infinite_and_not_nan() -> None:
    run = ls.run(ls.Fixed(weights=np.array([1e100])), [[1e100], [1e100], [1.0]], [-1, -1, -1], labels=(-1, 1))
    assert run.ledger.loss_squared == np.inf
    assert run.ledger.loss == pytest.approx(2e200)


# --- values


def test_rules_are_values() -> None:
    assert ls.Perceptron(eta=1) == ls.Perceptron(eta=1.0)
    assert hash(ls.Perceptron(eta=1)) == hash(ls.Perceptron(eta=np.float64(1.0)))
    assert ls.Perceptron(start=np.array([0.0, 1.0])) == ls.Perceptron(start=np.array([-0.0, 1.0]))
    assert hash(ls.Perceptron(start=np.array([0.0]))) == hash(ls.Perceptron(start=np.array([-0.0])))
    assert ls.Perceptron() != ls.Perceptron(start=np.array([0.0]))
    assert ls.Perceptron(eta=2.0) != ls.Perceptron()
    assert ls.PassiveAggressive() != ls.PassiveAggressiveRegression()
    start = np.array([1.0, 2.0])
    rule = ls.Perceptron(start=start)
    start[0] = 9.0
    assert rule.init(2).w.tolist() == [1.0, 2.0]
    assert isinstance(rule.start, np.ndarray)
    with pytest.raises(ValueError, match="read-only"):
        rule.start[0] = 5.0
    with pytest.raises(AttributeError):
        object.__getattribute__(rule, "__setattr__")("eta", 3.0)


# --- threads


def test_threads_take_turns() -> None:
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    source = np.random.default_rng(5)
    table = source.integers(-3, 4, size=(200, 4)).astype(float)
    signs = np.where(source.normal(size=200) > 0, 1, -1)

    def work() -> None:
        for x, y in zip(table, signs.tolist(), strict=True):
            learner.learn_one(x, y)
        learner.learn_many(table, signs)
        learner.predict_many(table)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert learner.ledger.rounds == 1600
    assert np.isfinite(learner.state.w).all()


def test_learners_of_their_own_run_side_by_side() -> None:
    source = np.random.default_rng(6)
    stream = Stream(source.normal(size=(20_000, 8)), np.where(source.normal(size=20_000) > 0, 1, -1))
    learners = [laws.fresh(ls.OnlineSVM()) for _ in range(3)]
    workers = [threading.Thread(target=learner.learn_many, args=(stream.X, stream.y)) for learner in learners]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for learner in learners:
        laws.same(learner, laws.learned(ls.OnlineSVM(), stream))


# --- Ctrl-C


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class InterruptedRule(ls.LinearRule):
    """A Perceptron in Python alone whose user presses Ctrl-C in the middle of round 8."""

    source: ClassVar[str] = "a rule for this test"

    def init(self, width: int) -> ls.Weights:
        return ls.Weights(w=np.zeros(width), moves=np.zeros(1))

    def accepts_label(self, state: ls.State, label: int) -> ls.Interval:
        return ls.Interval.open_half_line(label)

    def update(self, state: ls.State, row: ls.Row, trial: ls.Trial) -> ls.Step:
        state.moves[0] += 1.0
        if state.moves[0] == 8.0:
            signal.raise_signal(signal.SIGINT)
        row.add_to(state.w, 1.0)
        return ls.Step.by(1.0)


def test_ctrl_c_waits_for_the_end_of_a_round_of_a_rule_in_python() -> None:
    many = ls.Learner(InterruptedRule(), labels=(-1, 1), average=True)
    with pytest.raises(KeyboardInterrupt):
        many.learn_many(np.ones((20, 1)), np.ones(20, dtype=int))
    single = ls.Learner(InterruptedRule(), labels=(-1, 1), average=True)
    for _ in range(7):
        single.learn_one([1.0], 1)
    with pytest.raises(KeyboardInterrupt):
        single.learn_one([1.0], 1)
    for learner in (many, single):
        assert (learner.ledger.rounds, learner.state.w.tolist()) == (8, [8.0])
        learner.learn_many(np.ones((12, 1)), np.ones(12, dtype=int))
        assert (learner.ledger.rounds, learner.state.w.tolist()) == (20, [20.0])
        assert learner.averaged().state.w.tolist() == [9.5]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


INTERRUPTED = textwrap.dedent("""
    import os, signal, threading, time
    import numpy as np
    import littlestone as ls

    count = 4_000_000
    row = np.random.default_rng(0).normal(size=4000)
    X = np.broadcast_to(row, (count, len(row)))      # one row in memory, four million to learn
    y = np.where(np.arange(count) % 2 == 0, 1, -1)
    learner = ls.Learner(ls.{rule}, labels=(-1, 1), average=True)

    def press():
        while not learner._totals.rounds:      # the ledger waits for the end of the call
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    try:
        learner.learn_many(X, y)
    except KeyboardInterrupt:
        print("stopped", flush=True)
    rounds = learner.ledger.rounds
    assert 0 < rounds < count, rounds
    again = ls.Learner(learner.rule, labels=(-1, 1), average=True)
    again.learn_many(X[:rounds], y[:rounds])
    for twin in (learner, again):
        twin.learn_many(X[:1000], y[:1000])
    assert learner.ledger == again.ledger
    assert learner.state.w.tobytes() == again.state.w.tobytes()
    assert learner.averaged().state.w.tobytes() == again.averaged().state.w.tobytes()
    print("consistent", flush=True)
""")


@pytest.mark.parametrize("rule", ["Perceptron()", "OnlineSVM()"])
def test_ctrl_c_stops_long_before_the_end_and_leaves_a_consistent_state(rule: str) -> None:
    script = INTERRUPTED.replace("{rule}", rule)
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout == "stopped\nconsistent\n"


def test_what_learn_many_returns_says_what_happened_and_cannot_be_written_to() -> None:
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    learned = learner.learn_many([[1.0], [-1.0], [2.0]], [1, -1, -1], keep=("update",))
    assert repr(learned) == "3 rounds learned: 1 error, 2 updates; columns: update"
    assert {name: column.tolist() for name, column in learned.items()} == {"update": [True, False, True]}
    assert learner.learn_many([[1.0]], [1]) == {}
    assert repr(learner.learn_many([[1.0]], [1])).startswith("1 round learned: ")
    put: object = getattr(learned, "__setitem__", None)
    assert put is None
    targets = ls.Learner(ls.PassiveAggressiveRegression()).learn_many([[1.0], [1.0]], [1.0, 2.0])
    assert repr(targets) == "2 rounds learned: MAE 1.05, 2 updates"


@pytest.mark.parametrize("rule", [ls.Perceptron(), ls.OneVersusRest(rule=ls.Perceptron())])
@pytest.mark.parametrize(
    ("x", "y"),
    [
        ({"a": 2.0}, "up"),
        ({"a": 2.0, "new": 1.0}, "down"),
        ({}, "up"),
        ({"a": 2.0}, "sideways"),
        ({"a": math.nan}, "up"),
        ({"a": math.inf}, "up"),
        ({"a": "two"}, "up"),
        ({"a": None}, "up"),
        ({1: 2.0}, "up"),
        ({"a": 2.0}, ["up"]),
        ({"a": 2.0}, None),
        ([2.0], "up"),
    ],
)
def test_what_is_checked_is_what_learning_says(rule: ls.LinearRule, x: dict[str, float], y: str) -> None:
    learner = ls.Learner(rule)
    for k in range(4):
        learner.learn_one({"a": 1.0 + k, "b": -1.0}, "up" if k % 2 else "down")
    before = laws.fingerprint(learner)

    def said(call: Callable[[dict[str, float], str], object]) -> str:
        try:
            call(x, y)
        except ls.LittlestoneError as error:
            return f"{type(error).__name__}: {error}"
        return ""

    checked = said(learner.check_one)
    assert laws.fingerprint(learner) == before
    assert checked == said(learner.learn_one)


@pytest.mark.parametrize("rule", [ls.Pool(), ls.NaiveBayes(), ls.OneVersusRest(rule=ls.NaiveBayes()), ls.Uniclass(epsilon=0.1)])
def test_a_mean_that_is_not_kept_is_not_promised(rule: ls.LinearRule) -> None:
    with pytest.raises(ls.NotApplicable, match=f"average is True, and {type(rule).__name__} keeps no mean of its weights"):
        ls.Learner(rule, average=True)
