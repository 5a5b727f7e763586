"""Delayed labels: a timeline worked out by hand, laws, and what is refused."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import cast

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import laws
import littlestone as ls
from littlestone import delayed
from littlestone.delayed import Delayed, Time
from littlestone.replay import Event, LabelEvent, PredictEvent
from littlestone.streams.synthetic import linear_labels
from reading import examples

TIMELINE: list[Event] = [
    ls.PredictEvent(1, "a", [2.0]),  # w = 0: a tie, shown as +1
    ls.PredictEvent(2, "b", [-1.0]),  # a tie again
    ls.LabelEvent(3, "b", -1),  # round 1: a mistake; w = 1
    ls.PredictEvent(4, "c", [-3.0]),  # score -3
    ls.LabelEvent(5, "a", +1),  # round 2: score 2, right
    ls.LabelEvent(6, "c", +1),  # round 3: score -3, a mistake; w = 1 - 3
    ls.LabelEvent(7, "c", -1),  # a second label, and another one
    ls.LabelEvent(7, "a", +1),  # a second label, the same
    ls.LabelEvent(8, "z", +1),  # nobody asked
    ls.PredictEvent(9, "a", [5.0]),  # asked again
    ls.PredictEvent(9, "d", [1.0]),  # score -2; never labelled
]


def learner() -> ls.Learner:
    return ls.Learner(ls.Perceptron(), labels=(-1, 1))


def test_a_timeline_worked_out_by_hand() -> None:
    done = ls.replay(TIMELINE, learner())
    assert [tuple(line) for line in done.table] == [
        ("a", 1, +1, 5, +1, 0.0, 2, 0.0),
        ("b", 2, +1, 3, -1, 1.0, 1, 1.0),
        ("c", 4, -1, 6, +1, 1.0, 3, 1.0),
        ("d", 9, -1, None, None, None, None, None),
    ]
    assert done.model.state.w.tolist() == [-2.0]
    assert (done.model.ledger.rounds, done.model.ledger.mistakes, done.model.ledger.updates) == (3, 2, 2)
    assert (done.predictions, done.labelled, done.waiting, done.expired, done.unlabelled) == (4, 3, 1, 0, 1)
    assert (done.duplicates, done.contradictions, done.unknown, done.repeated) == (2, 1, 1, 1)
    assert [tuple(event) for event in done.ignored] == [
        ("c", 7, "contradiction"),
        ("a", 7, "duplicate"),
        ("z", 8, "unknown"),
        ("a", 9, "repeated"),
    ]
    assert done.mean_loss == 2 / 3
    assert done.progress("prediction").tolist() == [0.0, 1 / 2, 2 / 3]
    assert done.progress("label").tolist() == [1.0, 1 / 2, 2 / 3]
    assert done.model.certify()[0].verdict is not ls.Verdict.VIOLATED
    assert str(done).startswith("4 predictions, 3 labelled (mean loss 0.6667), 1 waiting, 0 expired; 2 duplicate labels")


def test_the_order_given_makes_no_difference_but_for_ties() -> None:
    shuffled = [TIMELINE[k] for k in np.random.default_rng(0).permutation(len(TIMELINE))]
    assert ls.replay(shuffled, learner()).table == ls.replay(TIMELINE, learner()).table
    at_once = [ls.LabelEvent(1, 0, 1), ls.PredictEvent(1, 0, [1.0])]
    assert ls.replay(at_once, learner()).unknown == 1
    assert ls.replay(reversed(at_once), learner()).labelled == 1


def test_a_label_before_its_prediction_is_unknown_then() -> None:
    done = ls.replay([ls.PredictEvent(2, 0, [1.0]), ls.LabelEvent(1, 0, 1)], learner())
    assert (done.unknown, done.waiting, done.labelled) == (1, 1, 0)


@pytest.mark.parametrize(
    ("expire", "labelled", "expired", "duplicates", "unknown"),
    [(4, 3, 0, 1, 2), (3, 2, 1, 1, 3), (2, 2, 1, 0, 4), (0.5, 0, 3, 0, 6)],
)
def test_a_prediction_expires(expire: float, labelled: int, expired: int, duplicates: int, unknown: int) -> None:
    """a waits 4, b 1 and c 2 for a label. A duplicate is unknown once its prediction is forgotten; then a is asked for anew."""
    done = ls.replay(TIMELINE, learner(), expire=expire)
    assert (done.labelled, done.expired, done.duplicates, done.unknown) == (labelled, expired, duplicates, unknown)
    assert (done.predictions, done.waiting, done.repeated) == (5, 2, 0)


def test_the_row_is_that_of_the_prediction() -> None:
    row = {"a": 1.0}

    def events() -> Iterator[Event]:
        yield ls.PredictEvent(1, 0, row)
        row["a"] = 100.0
        yield ls.LabelEvent(2, 0, 1)

    assert ls.replay(events(), learner(), ordered=True).model.weights == {"a": 1.0}


@examples(25)
@given(st.integers(0, 10), st.lists(st.integers(1, 60), min_size=40, max_size=40), st.booleans())
def test_learning_happens_in_the_order_of_the_labels(seed: int, delays: list[int], ordered: bool) -> None:
    """Against the same computed anew: for each prediction, a learner of all labels that came before it."""
    X, y, _ = linear_labels(rows=40, features=3, seed=seed)
    events: list[Event] = [ls.PredictEvent(t, t, X[t]) for t in range(40)]
    events += [ls.LabelEvent(t + delay - 0.5, t, y[t]) for t, delay in enumerate(delays) if delay < 50]
    events.sort(key=lambda event: event.time)
    done = ls.replay(events, ls.PassiveAggressive(), ordered=ordered)
    order = sorted((t for t in range(40) if delays[t] < 50), key=lambda t: t + delays[t])
    twin = ls.run(ls.PassiveAggressive(), X[order], y[order])
    assert done.model.ledger == twin.ledger
    assert np.array_equal(done.model.state.w, twin.state.w)
    for t in range(40):
        before = [k for k in order if k + delays[k] - 0.5 < t]
        known = ls.Learner(ls.PassiveAggressive())
        known.learn_many(X[before], y[before])
        assert done.table[t].prediction == known.predict_one(X[t])
    assert done.waiting == sum(delay >= 50 for delay in delays)


def test_without_delay_it_is_plain_learning() -> None:
    X, y, _ = linear_labels(rows=200, features=5, seed=3)
    events: list[Event] = []
    for t in range(200):
        events += [ls.PredictEvent(t, t, X[t]), ls.LabelEvent(t, t, y[t])]
    done = ls.replay(events, learner())
    plain = learner()
    shown = [plain.learn_one(x, label) for x, label in zip(X, y, strict=True)]
    assert [line.prediction for line in done.table] == shown
    assert done.model.ledger == plain.ledger
    assert done.loss == done.loss_when_learned == sum(a != b for a, b in zip(shown, y, strict=True))


def test_the_memory_is_that_of_what_waits() -> None:
    seen: list[int] = []

    def events() -> Iterator[Event]:
        for t in range(3000):
            yield ls.PredictEvent(t, t, {t % 7: 1.0})
            if t % 3 == 0:
                yield ls.LabelEvent(t, t - 30, t % 2)
            seen.append(t)

    done = ls.replay(events(), ls.Learner(ls.Perceptron(), labels=(0, 1)), expire=50, ordered=True, keep=False)
    assert len(seen) == 3000
    assert (done.table, done.ignored, done.labelled) == ([], [], 990)
    assert done.labelled + done.waiting + done.expired == done.predictions == 3000
    assert done.waiting <= 51
    with pytest.raises(ls.NotApplicable, match=r"^the table was not kept; replay with keep=True$"):
        done.progress()


@pytest.mark.parametrize("bits", [None, 8])
def test_rows_of_features(bits: int | None) -> None:
    words = ls.features.Text(bits=bits)
    events = [ls.PredictEvent(1, 0, words.one("buy now")), ls.LabelEvent(2, 0, "spam"), ls.PredictEvent(3, 1, words.one("buy"))]
    done = ls.replay([*events, ls.LabelEvent(4, 1, "spam")], ls.Learner(ls.Perceptron(), labels=("spam", "ham")))
    assert [line.loss for line in done.table] == [1.0, 0.0]


def test_many_classes() -> None:
    events: list[Event] = [ls.PredictEvent(t, t, [float(t == 0), float(t == 1), 1.0]) for t in range(3)]
    events += [ls.LabelEvent(3 + t, t, label) for t, label in enumerate(["red", "green", "blue"])]
    done = ls.replay([*events, ls.PredictEvent(9, 9, [1.0, 0.0, 1.0])], ls.MulticlassPerceptron())
    assert done.labelled == done.model.ledger.rounds == 3
    assert done.table[-1].prediction in ("red", "green", "blue")
    assert all(line.loss in (0.0, 1.0) for line in done.table[:3])


def test_targets_and_mixtures() -> None:
    events: list[Event] = [ls.PredictEvent(1, 0, [1.0]), ls.LabelEvent(2, 0, 3.0), ls.PredictEvent(3, 1, [1.0])]
    done = ls.replay([*events, ls.LabelEvent(4, 1, 3.0)], ls.PassiveAggressiveRegression(epsilon=0.5))
    assert [line.loss for line in done.table] == [3.0, 0.5]
    advice: list[Event] = [ls.PredictEvent(1, 0, {"gam": 10.0, "ar": 14.0}), ls.LabelEvent(2, 0, 10.0)]
    mixed = ls.replay(advice, lambda: ls.Mixture(ls.ExponentialWeights(), experts=["gam", "ar"], loss="square"))
    assert mixed.table[0].loss == 2.0
    assert mixed.model.ledger.regret == 4.0
    master = ls.replay(TIMELINE, lambda: ls.Master([learner(), ls.Learner(ls.Fixed(weights=[1.0]), labels=(-1, 1))]))
    assert master.model.ledger.rounds == 3


START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "times",
    [
        [START, START + timedelta(hours=1), START + timedelta(hours=3)],
        [(START + timedelta(hours=h)).replace(tzinfo=None) for h in (0, 1, 3)],
        [np.datetime64("2026-01-01T00"), np.datetime64("2026-01-01T01"), np.datetime64("2026-01-01T03")],
        [pd.Timestamp("2026-01-01") + pd.Timedelta(hours=h) for h in (0, 1, 3)],
    ],
)
def test_times_of_every_kind(times: list[Time]) -> None:
    first, second, third = times
    events = [ls.LabelEvent(third, 0, 1), ls.PredictEvent(first, 0, [1.0]), ls.PredictEvent(second, 1, [1.0])]
    for expire, labelled in ((timedelta(hours=3), 1), (np.timedelta64(179, "m"), 0), (None, 1)):
        assert ls.replay(events, learner(), expire=expire).labelled == labelled
    with pytest.raises(ls.InvalidData, match=r"^event 0: the time is a time .*; expire must be a timedelta then$"):
        ls.replay(events, learner(), expire=3)


def test_nanoseconds_count() -> None:
    times = [np.datetime64(1_700_000_000_000_000_000 + k, "ns") for k in range(3)]
    events = [ls.LabelEvent(times[1], 0, 1), ls.PredictEvent(times[0], 0, [1.0]), ls.LabelEvent(times[2], 0, 1)]
    done = ls.replay(events, learner())
    assert (done.labelled, done.duplicates) == (1, 1)


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        (
            [ls.PredictEvent(1, 0, [1.0]), ls.PredictEvent(math.nan, 1, [1.0])],
            "event 1: the time is nan; expected a finite",
        ),
        (
            [ls.PredictEvent(1, 0, [1.0]), ls.LabelEvent(START, 0, 1)],
            "event 1: the time is a time with a zone; those",
        ),
        ([ls.PredictEvent(1, None, [1.0])], "event 0: the id is None; an id must be a value that a dict can hold"),
        ([ls.PredictEvent(1, 0, [math.inf]), ls.LabelEvent(2, 0, 1)], "event 0: row 0: "),
        (
            [ls.PredictEvent(1, 0, [1.0]), ls.LabelEvent(2, 0, 7)],
            "event 1: row 0: the label 7 is a third one; this",
        ),
        ([{"time": 1}], "event 0: got a dict; expected a PredictEvent or a LabelEvent"),
    ],
)
def test_what_is_refused(events: list[Event], sentence: str) -> None:
    given_learner = learner()
    with pytest.raises(ls.InvalidData) as refused:
        ls.replay(events, given_learner)
    assert str(refused.value).startswith(sentence)
    assert given_learner.ledger.rounds == 0


def test_more_that_is_refused() -> None:
    with pytest.raises(ls.InvalidData, match=r"^event 1: its time 1 is before the last; say ordered=False to sort the events$"):
        ls.replay([ls.PredictEvent(2, 0, [1.0]), ls.PredictEvent(1, 1, [1.0])], learner(), ordered=True)
    with pytest.raises(ls.InvalidParameter, match=r"^expire is -1; expire must be a number or a timedelta, at least 0"):
        ls.replay([], learner(), expire=-1)
    with pytest.raises(ls.NotApplicable, match=r"^Uniclass learns rows alone; there are no labels to wait for$"):
        ls.replay([], ls.Uniclass(epsilon=1.0))
    with pytest.raises(ls.InvalidData, match=r"^event 0: the time is a number; expire must be a number then$"):
        ls.replay([ls.PredictEvent(2, 0, [1.0])], learner(), expire=timedelta(1))
    with pytest.raises(ls.InvalidParameter, match=r"^the model is Perceptron\(.*; expected one that predicts"):
        Delayed(cast("ls.Learner", ls.Perceptron()))


def _learns_every_label(self: Delayed[ls.Learner], id: Hashable, y: object, time: Time) -> object:
    known = self._remembered.get(id)
    if known is not None and known.labelled:
        self._remembered[id] = replace(known, labelled=False, x=[1.0])
    return _told(self, id, y, time)


def _asks_anew(self: Delayed[ls.Learner], id: Hashable, x: object, time: Time) -> object:
    self._remembered.pop(id, None)
    return _asked(self, id, x, time)


_asked, _told = Delayed._asked, Delayed._told
MUTANTS = {
    "the row of label time": (delayed, "_kept", lambda x: x, test_the_row_is_that_of_the_prediction),
    "every label is learned": (Delayed, "_told", _learns_every_label, test_a_timeline_worked_out_by_hand),
    "the last prediction counts": (Delayed, "_asked", _asks_anew, test_a_timeline_worked_out_by_hand),
    "nothing expires": (Delayed, "_is_old", lambda *_: False, lambda: test_a_prediction_expires(3, 2, 1, 1, 3)),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_these_tests_have_teeth(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, mutant, test = MUTANTS[name]
    monkeypatch.setattr(owner, attribute, mutant)
    with pytest.raises(AssertionError):
        test()


# --- asking and telling


def test_asking_and_telling_is_the_replay() -> None:
    """One by one, with a copy, a pickle or a snapshot in between: the same model, to the last bit, and the same counts."""
    events: list[Event] = [ls.PredictEvent(t, t % 7, [float(t % 3), 1.0]) for t in range(40)]
    events += [ls.LabelEvent(t + 2.5, t % 9, 1 if t % 3 else -1) for t in range(40)]
    events.sort(key=lambda event: event.time)
    replayed = ls.replay(events, learner(), expire=6.0, ordered=True)
    desk = Delayed(learner(), expire=6.0)
    for k, event in enumerate(events):
        if isinstance(event, LabelEvent):
            desk.label(event.id, event.y, event.time)
        elif isinstance(event, PredictEvent):
            desk.predict(event.id, event.x, event.time)
        if k % 11 == 5:
            desk = copy.deepcopy(desk) if k % 2 else pickle.loads(pickle.dumps(desk))
    counts = desk.counts
    assert desk.model.ledger == replayed.model.ledger
    assert desk.model.state.w.tobytes() == replayed.model.state.w.tobytes()
    assert (counts.waiting, counts.expired, counts.unknown) == (replayed.waiting, replayed.expired, replayed.unknown)
    assert (counts.loss, counts.loss_when_learned) == (replayed.loss, replayed.loss_when_learned)


def test_a_call_that_is_refused_changes_nothing() -> None:
    desk = ls.Delayed(ls.Learner(ls.Perceptron(), labels=("a", "b")), expire=5)
    desk.predict(1, {"x": 1.0}, time=10)
    before = desk.snapshot()
    calls: tuple[tuple[Callable[[], object], str], ...] = (
        (lambda: desk.predict(2, {"x": "?"}, time=99), "feature 'x' has the value"),
        (lambda: desk.predict(2, {"x": 1.0}, time=9), "its time 9 is before the last"),
        (lambda: laws.call(desk.predict, [], {"x": 1.0}, time=11), "the id is"),
        (lambda: desk.predict(2, {"x": 1.0}, time=datetime(2026, 1, 1, tzinfo=UTC)), "the time is a time with a zone"),
        (lambda: desk.label(1, "c", time=11), "the label 'c' is a third one"),
    )
    for call, sentence in calls:
        with pytest.raises(ls.LittlestoneError, match=sentence):
            call()
        after = desk.snapshot()
        assert (after.counts, after.now, after.clock, after.remembered) == (
            before.counts,
            before.now,
            before.clock,
            before.remembered,
        )
    assert desk.label(1, "b", time=15).fate == "learned"
    assert desk.predict(1, {"x": -1.0}, time=15) == "b"  # as it was shown, whatever the row
    assert desk.predict(1, {"x": -1.0}, time=15.5) == "a"  # expired: a new one
