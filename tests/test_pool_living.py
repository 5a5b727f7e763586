"""To live with a pool: why it says something, what mistakes cost, who sits in it, labels that come late, files, pictures."""

from __future__ import annotations

import copy
import math
import pickle
import struct
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from river import linear_model, preprocessing
from sklearn.linear_model import SGDClassifier, SGDRegressor
from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.pool.guests import Guests
from littlestone.pool.members import MEMBERS, TARGET_MEMBERS
from littlestone.report.linear import linear_section, study
from littlestone.report.pool import accounts_of, pool_charts
from littlestone.report.weights import top_weights, weight_bars
from littlestone.sklearn import PoolClassifier
from littlestone.theory.pool import evidence_of, pool_evidence


def crossed(rows: int = 800, seed: int = 0) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Labels by a product, unbalanced."""
    source = np.random.default_rng(seed)
    X = source.normal(size=(rows, 5))
    return X, np.where(X[:, 0] * X[:, 1] + 0.5 * X[:, 2] > 0.7, 1, -1)


# The measures.


def test_measures_are_those_of_scikit_learn() -> None:
    X, y = crossed()
    run = ls.run(ls.Pool(), X, y, labels=(-1, 1), keep=("prediction", "score"))
    shown, ledger = run.columns["prediction"], run.ledger
    assert ledger.f1 == pytest.approx(f1_score(y, shown))
    assert ledger.balanced_error == pytest.approx(1.0 - balanced_accuracy_score(y, shown))
    assert (ledger.missed, ledger.false_alarms) == (int(((y > 0) & (shown < 0)).sum()), int(((y < 0) & (shown > 0)).sum()))
    assert ledger.auc == pytest.approx(roc_auc_score(y, run.columns["score"]), abs=2 / math.sqrt(ledger.pairs))


def test_auc_compares_neighbours_worked_by_hand() -> None:
    """Scores 1, 2, 2, 0 of labels −, +, −, +: right, a tie, wrong."""
    run = ls.run(ls.Fixed(weights=[1.0], task="labels"), [[1.0], [2.0], [2.0], [0.5]], [-1, 1, -1, 1], labels=(-1, 1))
    assert (run.ledger.pairs, run.ledger.ordered) == (3, 1.5)
    assert run.ledger.auc == 0.5


def test_measures_of_one_label_or_of_classes_are_not_there() -> None:
    one = ls.run(ls.Pool(), [[1.0]] * 5, [1] * 5, labels=(-1, 1)).ledger
    assert math.isnan(one.balanced_error)
    assert math.isnan(one.auc)
    assert one.f1 == 1.0
    many = ls.run(ls.Pool(), [[1.0], [2.0], [3.0]] * 5, ["a", "b", "c"] * 5).ledger
    assert math.isnan(many.balanced_error)
    assert math.isnan(many.f1)


# Costs.


@pytest.mark.parametrize("costs", [(4.0, 1.0), (1.0, 4.0), (1.0, 1.0)])
def test_costs_move_the_label_and_nothing_else(costs: tuple[float, float]) -> None:
    X, y = crossed()
    plain = ls.run(ls.Pool(), X, y, labels=(-1, 1), keep=("score",))
    run = ls.run(ls.Pool(costs=costs), X, y, labels=(-1, 1), keep=("score", "prediction"))
    assert run.columns["score"].tobytes() == plain.columns["score"].tobytes()
    p = 1.0 / (1.0 + np.exp(-run.columns["score"].astype(np.float64)))
    assert run.columns["prediction"].tolist() == np.where(p * costs[0] >= (1.0 - p) * costs[1], 1, -1).tolist()
    assert run.ledger.mistakes == plain.ledger.mistakes  # of the theory, which knows no costs
    learner = run.learner
    assert learner.predict_many(X[:50]).tolist() == [learner.predict_one(x) for x in X[:50]]


def test_costs_lower_the_cost() -> None:
    X, y = crossed(3000)
    plain, careful = (ls.run(ls.Pool(costs=costs), X, y, labels=(-1, 1)).ledger for costs in ((1.0, 1.0), (10.0, 1.0)))
    assert 10 * careful.missed + careful.false_alarms < 10 * plain.missed + plain.false_alarms


@pytest.mark.parametrize("costs", [(0.0, 1.0), (1.0,), (1.0, math.inf), 3.0, "5,1"])
def test_costs_that_are_none_are_refused(costs: object) -> None:
    with pytest.raises(ls.InvalidParameter, match="costs must be a pair"):
        ls.Pool(costs=cast("tuple[float, float]", costs))


def test_costs_are_of_two_labels() -> None:
    learner = ls.Learner(ls.Pool(costs=(5.0, 1.0)))
    with pytest.raises(ls.InvalidData, match=r"'c' is a third one; .* learn by a rule of many classes, such as ls.Pool\(\)"):
        learner.learn_many([[1.0]] * 3, ["a", "b", "c"])
    equal = ls.Learner(ls.Pool(costs=(2.0, 2.0)))
    equal.learn_many([[1.0]] * 3, ["a", "b", "c"])
    assert equal.labels == ("a", "b", "c")


TWO = [PoolClassifier(costs=(5.0, 1.0)), PoolClassifier(members=("arow", ls.Perceptron()))]


@pytest.mark.parametrize("model", TWO, ids=["costs", "guests"])
def test_an_estimator_of_two_labels_refuses_a_third(model: PoolClassifier) -> None:
    X, y = crossed(60)
    two, three = copy.deepcopy(model), copy.deepcopy(model)
    two.partial_fit(X, y)
    assert two.classes_.tolist() == [-1, 1]
    with pytest.raises(ls.InvalidData, match="is a third one"):
        two.partial_fit(X[:1], [2])
    assert two.learner_.ledger.rounds == 60
    with pytest.raises(ls.InvalidData, match="is a third one"):
        three.fit(X, np.arange(60) % 3)


# Reasons.


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15)
def test_reasons_add_up(seed: int) -> None:
    """By features and by members, whatever views are there; the log-odds are those of the score."""
    source = np.random.default_rng(seed)
    X = source.normal(size=(int(source.integers(5, 500)), 4)) * (source.random(4) < 0.7)
    labels = source.integers(0, int(source.integers(2, 4)), size=len(X))
    learner = ls.Learner(ls.Pool())
    learner.learn_many(X, labels)
    if len(learner.labels) < 2 or None in learner.labels:
        return
    x = source.normal(size=4)
    why = learner.explain_one(x)
    assert why.score == learner.score_one(x)
    assert sum(why.features.values()) + why.constant + why.rest == pytest.approx(why.score, abs=1e-9)
    assert sum(why.members.values()) + why.rest == pytest.approx(why.score, abs=1e-9)
    for feature, value in why.features.items():
        assert sum(part[feature] for part in why.parts.values()) == pytest.approx(value, abs=1e-9)


def test_the_reason_is_the_feature_that_decides() -> None:
    X, _ = crossed(1500)
    learner = ls.Learner(ls.Pool())
    learner.learn_many(X, X[:, 3] > 0)
    right = sum(next(iter(learner.explain_one(x).features)) == 3 for x in X[:40])
    assert right > 30
    assert abs(learner.explain_one(X[0]).rest) < 0.5 * abs(learner.explain_one(X[0]).score)
    assert top_weights(learner, 1)[0][0] == "3"


def test_reasons_know_names_and_change_nothing() -> None:
    learner = ls.Learner(labels=("ham", "spam"))
    for text, label in [("win cash", "spam"), ("see you", "ham")] * 5:
        learner.learn_one(dict.fromkeys(text.split(), 1.0), label)
    before = pickle.dumps(learner.snapshot().state)
    why = learner.explain_one({"cash": 1.0, "never": 2.0})
    assert set(why.features) == {"cash", "never"}
    assert why.label == "spam"
    assert str(why).splitlines()[0].startswith("log-odds of spam: +")
    assert pickle.dumps(learner.snapshot().state) == before
    assert learner.features == ["win", "cash", "see", "you"]


def test_reasons_for_either_label_are_mirrored() -> None:
    """Before the second label is met, those for the first are not called reasons for the other."""
    learner = ls.Learner()
    learner.learn_one({"a": 1.0}, "ham")
    alone = learner.explain_one({"a": 1.0})
    assert alone.label == "ham"
    assert alone.score == -learner.score_one({"a": 1.0})
    assert alone.score > 0.0
    learner.learn_one({"b": 1.0}, "spam")
    spam, ham = (learner.explain_one({"a": 1.0}, label) for label in ("spam", "ham"))
    assert learner.explain_one({"a": 1.0}) == spam
    assert (ham.score, ham.features["a"], ham.rest) == (-spam.score, -spam.features["a"], -spam.rest)


def test_reasons_that_are_not_there_are_told() -> None:
    with pytest.raises(ls.NotApplicable, match="only a pool explains itself"):
        ls.Learner(ls.Perceptron()).explain_one([1.0])
    with pytest.raises(ls.NotApplicable, match="no explanation of 'c'; there are those of"):
        ls.Learner(ls.Pool(), labels=("a", "b")).explain_one([1.0], "c")


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_reasons_add_up_to_the_prediction(seed: int) -> None:
    """Before anything is known, with one view and with three, and where the ridge regressions have retired."""
    source = np.random.default_rng(seed)
    columns = int(source.choice([4, 130]))
    X = source.normal(size=(int(source.integers(0, 500)), columns)) * (source.random(columns) < 0.7)
    y = 10.0 + X[:, 0] - np.abs(X[:, 1]) + 0.1 * source.normal(size=len(X))
    learner = ls.Learner(ls.PoolRegression())
    learner.learn_many(X, y)
    x = 3.0 * source.normal(size=columns)
    before = pickle.dumps(learner.snapshot().state)
    why = learner.explain_one(x)
    assert why.label is None
    assert why.score == learner.score_one(x)
    assert set(why.members) == set(TARGET_MEMBERS)
    assert sum(why.features.values()) + why.constant + why.rest == pytest.approx(why.score, abs=1e-9)
    assert sum(why.members.values()) + why.rest == pytest.approx(why.score, abs=1e-9)
    for feature, value in why.features.items():
        assert sum(part[feature] for part in why.parts.values()) == pytest.approx(value, abs=1e-9)
    assert pickle.dumps(learner.snapshot().state) == before


def test_the_reason_for_a_number_is_the_column_it_hangs_on() -> None:
    """Of rows inside the range of the targets next to nothing is no sum."""
    source = np.random.default_rng(0)
    X = source.normal(size=(2000, 4))
    learner = ls.Learner(ls.PoolRegression(views=("raw",)))
    learner.learn_many(X, 5.0 + 3.0 * X[:, 2] - X[:, 0])
    why = learner.explain_one([1.0, 1.0, 1.0, 1.0])
    assert why.features == pytest.approx({2: 3.0, 0: -1.0, 1: 0.0, 3: 0.0}, abs=0.05)
    assert list(why.features)[:2] == [2, 0]
    assert why.constant + why.rest == pytest.approx(5.0, abs=0.05)
    assert str(why).splitlines()[0].startswith("prediction: +")
    with pytest.raises(ls.NotApplicable, match="a prediction of a number has one explanation"):
        learner.explain_one([1.0, 1.0, 1.0, 1.0], 5.0)


def test_the_heaviest_features_are_what_a_usual_value_adds() -> None:
    """3·2^(mean log2|x|) of a column on which the target hangs by a slope of 3, whatever its scale."""
    source = np.random.default_rng(1)
    X = source.normal(size=(4000, 3)) * [1.0, 1e3, 1e-3]
    y = 3.0 * X[:, 0] - 2e-3 * X[:, 1] + 7.0
    learner = ls.Learner(ls.PoolRegression())
    learner.learn_many(X, y)
    usual = 2.0 ** np.log2(np.abs(X)).mean(axis=0)
    top = dict(top_weights(learner, 3))
    assert list(top)[:2] == ["0", "1"]
    assert [top["0"], top["1"], top["2"]] == pytest.approx([3.0 * usual[0], -2e-3 * usual[1], 0.0], abs=0.1)
    bars = weight_bars(learner)
    assert bars is not None
    assert "adds to the prediction" in bars.note


def test_the_heaviest_features_of_labels_know_the_filter_of_raw_values() -> None:
    """A pool of the filter alone: its weight times a usual value, by the slope and the share that it has."""
    source = np.random.default_rng(2)
    X = source.normal(size=(1500, 3)) * [1.0, 100.0, 1.0]
    y = np.where(2.0 * X[:, 0] - 0.01 * X[:, 1] + source.logistic(size=1500) > 0.0, 1, -1)
    learner = ls.Learner(ls.Pool(views=("raw",), members=("newton",)), labels=(-1, 1))
    learner.learn_many(X, y)
    top = dict(top_weights(learner, 3))
    usual = 2.0 ** np.log2(np.abs(X)).mean(axis=0)
    assert [top["0"], top["1"]] == pytest.approx([2.0 * usual[0], -0.01 * usual[1]], rel=0.35)


# Members.


def test_members_of_the_core_can_be_left_out() -> None:
    X, y = crossed()
    named = ls.run(ls.Pool(members=list(MEMBERS)), X, y)
    assert named.ledger.loss == ls.run(ls.Pool(), X, y).ledger.loss
    fewer = ls.run(ls.Pool(members=("arow", "newton")), X, y)
    why = fewer.learner.explain_one(X[0])
    assert {name for name, value in why.members.items() if value != 0.0} == {"arow", "newton"}
    evidence = pool_evidence(fewer)
    assert evidence is not None
    assert fewer.ledger.loss <= evidence.bound


@pytest.mark.parametrize(
    "guest",
    [
        ls.PassiveAggressive(),
        SGDClassifier(),
        preprocessing.StandardScaler() | linear_model.LogisticRegression(),
        SGDRegressor(),
        linear_model.LinearRegression(),
    ],
    ids=["rule", "scikit-learn", "River", "scikit-learn's regressor", "River's regressor"],
)
def test_guests_sit_beside_the_members_of_the_core(guest: object) -> None:
    X, y = crossed(300)
    run = ls.run(ls.Pool(members=[*MEMBERS, guest]), X, y, labels=(-1, 1), keep=("score",))
    evidence = pool_evidence(run)
    assert evidence is not None
    assert evidence.guests is not None
    assert len(evidence.guests) == 4
    assert run.ledger.loss <= evidence.bound
    assert run.certify()[0].id == "pool.master"
    one = ls.Learner(run.rule, labels=(-1, 1))
    for x, label in zip(X, y, strict=True):
        one.learn_one(x, int(label))
    assert one.ledger.loss == run.ledger.loss
    twin = copy.deepcopy(one)
    assert twin.score_one(X[0]) == one.score_one(X[0])
    assert isinstance(run.rule, ls.Pool)
    assert run.rule.guests == (guest,)


class Oracle:
    """Knows the labels."""

    def __init__(self) -> None:
        self.rounds = 0

    def predict_one(self, x: dict[int, float]) -> int:
        return 1 if x[0] * x[1] + 0.5 * x[2] > 0.7 else -1

    def learn_one(self, x: dict[int, float], y: int) -> None:
        self.rounds += 1


def test_a_guest_who_knows_is_listened_to_and_not_touched() -> None:
    X, y = crossed()
    oracle = Oracle()
    run = ls.run(ls.Pool(members=[*MEMBERS, oracle]), X, y, labels=(-1, 1))
    assert run.ledger.mistakes < 25 < ls.run(ls.Pool(), X, y).ledger.mistakes
    assert oracle.rounds == 0


class Says(Oracle):
    """Says the same of every row."""

    def __init__(self, said: object) -> None:
        super().__init__()
        self.said = said

    def predict_proba_one(self, x: dict[int, float]) -> object:
        return self.said


@pytest.mark.parametrize("said", [None, {}, {1: None}, {1: math.nan, -1: 1.0}, 0.5])
def test_a_guest_may_say_nothing_or_a_number(said: object) -> None:
    X, y = crossed(20)
    assert ls.run(ls.Pool(members=[*MEMBERS, Says(said)]), X, y).ledger.rounds == 20


@pytest.mark.parametrize("said", ["spam", {1: "likely"}, [0.5, 0.5]])
def test_a_guest_who_says_no_number_is_named(said: object) -> None:
    X, y = crossed(20)
    learner = ls.Learner(ls.Pool(members=[*MEMBERS, Says(said)]))
    with pytest.raises(ls.InvalidData, match=r"the member Says says .*; a member says a number for a row"):
        learner.learn_many(X, y)
    assert learner.ledger.rounds == 0


def test_what_combines_guests_minds_importance_weights() -> None:
    """As the core's calibrations and stacks do: one round of a score of 1 from a slope of 1 and a variance of 0.1."""
    plain, weighed = Guests([Oracle()]), Guests([Oracle()])
    row = {0: 2.0, 1: 1.0, 2: 0.0}
    for guests, weight in ((plain, 1.0), (weighed, 4.0)):
        said = guests.said(row, 0.3)
        assert said.scores == [1.0]
        guests.learn(row, said, -1, weight, weight / 4.0)
    p = 1.0 / (1.0 + math.exp(-1.0))
    for guests, weight in ((plain, 1.0), (weighed, 4.0)):
        step = 0.1 * weight * -p / (1.0 + weight * p * (1.0 - p) * 0.1)
        assert guests.calibrations[0].slope == pytest.approx(1.0 + step)
    assert weighed.stacks[0].w[-1] < plain.stacks[0].w[-1] < 0.0


def test_a_rule_that_learns_rows_alone_is_no_member() -> None:
    with pytest.raises(ls.InvalidParameter, match="of rules of labels or targets"):
        ls.Pool(members=[*MEMBERS, ls.Uniclass(epsilon=1.0)])


class Broken(Oracle):
    def learn_one(self, x: dict[int, float], y: int) -> None:
        super().learn_one(x, y)
        if self.rounds == 3:
            raise RuntimeError("no more")


def test_a_guest_who_fails_leaves_the_learner_as_it_was() -> None:
    X, y = crossed(10)
    learner = ls.Learner(ls.Pool(members=[*MEMBERS, Broken()]), labels=(-1, 1))
    learner.learn_one(X[0], int(y[0]))
    learner.learn_one(X[1], int(y[1]))
    before = learner.score_one(X[5]), learner.ledger
    with pytest.raises(RuntimeError):
        learner.learn_one(X[2], int(y[2]))
    assert (learner.score_one(X[5]), learner.ledger) == before


def test_what_guests_cannot_do_is_told(tmp_path: Path) -> None:
    learner = ls.Learner(ls.Pool(members=[*MEMBERS, SGDClassifier()]), labels=("a", "b"))
    learner.learn_one({"x": 1.0}, "a")
    with pytest.raises(ls.NotApplicable, match="which cannot be saved"):
        learner.save(tmp_path / "m.lst")
    with pytest.raises(ls.InvalidData, match="needs every column in the first row"):
        learner.learn_one({"x": 1.0, "y": 1.0}, "b")
    with pytest.raises(ls.InvalidData):
        learner.learn_one({"x": 1.0}, "c")
    with pytest.raises(ls.NotApplicable, match="members of your own"):
        learner.explain_one({"x": 1.0})
    for members in ((), ("nobody",), (3.0,), (ls.Perceptron,)):
        with pytest.raises(ls.InvalidParameter, match="members"):
            ls.Pool(members=members)


# Late labels, files, pictures.


def test_who_goes_by_the_last_labels_sleeps_when_labels_are_late(tmp_path: Path) -> None:
    desk = ls.Delayed(ls.Learner(labels=("a", "b")))
    awake = ls.Learner(labels=("a", "b"))
    for t in range(40):
        label = "ab"[t % 2]
        desk.predict(t, {"x": 1.0}, time=t)
        desk.label(t, label, time=t)
        awake.learn_one({"x": 1.0}, label)
    assert awake.explain_one({"x": 1.0}).members["markov"] != 0.0
    assert desk.model.explain_one({"x": 1.0}).members["markov"] == 0.0
    desk.model.save(tmp_path / "m.lst")
    again = ls.load(tmp_path / "m.lst")
    assert again.explain_one({"x": 1.0}).members["markov"] == 0.0
    assert again.score_one({"x": 1.0}) == desk.model.score_one({"x": 1.0})


@pytest.mark.parametrize(("rule", "version"), [(ls.Pool(), 3), (ls.PoolRegression(), 3), (ls.Perceptron(), 1)])
def test_the_first_readers_refuse_files_with_a_pool(tmp_path: Path, rule: ls.LinearRule, version: int) -> None:
    learner = ls.Learner(rule)
    learner.learn_one([1.0, 2.0], 1)
    learner.save(tmp_path / "m.lst")
    assert struct.unpack_from("<8sI", (tmp_path / "m.lst").read_bytes())[1] == version
    assert ls.load(tmp_path / "m.lst").score_one([1.0, 2.0]) == learner.score_one([1.0, 2.0])


def test_a_report_shows_who_was_heavy_and_what_is_proved() -> None:
    X, y = crossed(400)
    run = ls.run(ls.Pool(), X, y)
    found = study(run, None)
    section = linear_section(found, title="a pool")
    charts = {chart.name: chart for chart in section.charts}
    assert {"learning-curve", "pool-members", "pool-views", "pool-losses"} <= set(charts)
    assert np.sum([line.y for line in charts["pool-members"].stack], axis=0) == pytest.approx(1.0)
    band = charts["pool-losses"].bands[0]
    assert (band.low <= band.high).all()
    assert {"log loss", "balanced error", "F1", "AUC"} <= {fact.words for fact in section.facts}
    assert "Largest weights" in {table.title for table in section.tables}
    last = found.curve[-1]
    assert isinstance(run.rule, ls.Pool)
    best = evidence_of(run.rule, last, found.accounts[last.rounds]).best
    assert best <= last.loss + 20.0
    assert f"{'less' if last.loss < best else 'more'} than its best expert" in charts["pool-losses"].words
    assert "−" not in charts["pool-losses"].words.split("which is")[1]


def test_a_report_of_targets_shows_who_was_heavy_and_who_was_near() -> None:
    source = np.random.default_rng(3)
    X = source.normal(size=(500, 3))
    run = ls.run(ls.PoolRegression(), X, np.abs(X[:, 0]) + 0.1 * source.normal(size=500))
    section = linear_section(study(run, None), title="a pool")
    charts = {chart.name: chart for chart in section.charts}
    assert {"learning-curve", "pool-members", "pool-views", "pool-losses"} <= set(charts)
    for name in ("pool-members", "pool-views"):
        assert np.sum([line.y for line in charts[name].stack], axis=0) == pytest.approx(1.0)
    account = accounts_of(run.state)
    best = min(*account["member_losses"], *account["view_losses"])
    assert charts["pool-losses"].lines[0].y[-1] == pytest.approx(run.ledger.squared_error - best)
    assert "Largest weights" in {table.title for table in section.tables}


def test_the_squared_errors_of_members_are_of_all_rounds() -> None:
    """Views that are not cut yet are charged what the pool lost; of the raw view the mean of the last twenty is known."""
    source = np.random.default_rng(4)
    X, y = source.normal(size=(60, 2)), source.normal(size=60)
    said = np.array([np.clip(y[max(t - 20, 0) : t].mean() if t else 0.0, *_range(y[:t])) for t in range(60)])
    run = ls.run(ls.PoolRegression(), X, y, keep=("prediction",))
    account = accounts_of(run.state)
    assert account["member_losses"][TARGET_MEMBERS.index("recent-mean")] == pytest.approx(float(((y - said) ** 2).sum()))
    early = ls.run(ls.PoolRegression(), X[:20], y[:20])
    assert accounts_of(early.state)["view_losses"] == pytest.approx([early.ledger.squared_error] * 6)


def _range(targets: FloatArray) -> tuple[float, float]:
    """What a prediction is kept to."""
    if len(targets) == 0:
        return 0.0, 0.0
    slack = 0.1 * float(np.ptp(targets))
    return float(targets.min()) - slack, float(targets.max()) + slack


def test_the_largest_weights_of_many_classes_speak_for_their_own() -> None:
    source = np.random.default_rng(5)
    X = source.normal(size=(90, 2))
    run = ls.run(ls.Pool(), X, np.array(["a", "b", "c"])[np.argmax(np.c_[X, np.zeros(90)], axis=1)])
    bars = weight_bars(run.learner)
    assert bars is not None
    assert "2 features and 3 classes, each against the rest" in bars.note
    assert "positive weights speak for" not in bars.note


def test_a_report_draws_no_views_where_rows_have_one() -> None:
    """Of words that are counted some columns are cut, and no row is seen so: nothing is drawn of views, and nothing paid."""
    source = np.random.default_rng(3)
    rows = [{str(word): float(source.integers(1, 4)) for word in source.choice(2000, 5)} for _ in range(300)]
    y = source.integers(2, size=300)
    run, alone = ls.run(ls.Pool(), rows, y), ls.run(ls.Pool(views=("raw",)), rows, y)
    assert "pool-views" not in {chart.name for chart in pool_charts(study(run, None))}
    assert run.certify()[0].bound == alone.certify()[0].bound


def test_the_picture_of_losses_keeps_its_band_in_sight() -> None:
    """An expert that is a hundred times as far away as what is proved is left out, the best one never."""
    X, y = crossed(2000)
    (chart,) = (chart for chart in pool_charts(study(ls.run(ls.Pool(), X, y), None)) if chart.name == "pool-losses")
    height = float(chart.bands[0].high[-1] - chart.bands[0].low[-1])
    assert chart.lines[0].y[-1] == chart.bands[0].low[-1]
    assert all(abs(line.y[-1]) <= 10.0 * height for line in chart.lines)


def test_a_report_knows_members_of_the_users_own() -> None:
    """Who is the best expert, and what is proved, is as in the certificate."""
    X, y = crossed(300)
    run = ls.run(ls.Pool(members=[*MEMBERS, Oracle()]), X, y)
    charts = {chart.name: chart for chart in pool_charts(study(run, None))}
    assert {line.name for line in charts["pool-guests"].stack} >= {"pool of the core", "Oracle"}
    assert np.sum([line.y for line in charts["pool-guests"].stack], axis=0) == pytest.approx(1.0)
    evidence = pool_evidence(run)
    assert evidence is not None
    (band,) = charts["pool-losses"].bands
    assert band.low[-1] == pytest.approx(run.ledger.loss - evidence.best)
    assert band.high[-1] == pytest.approx(evidence.bound - evidence.best)


def test_every_member_has_a_ledger_that_can_be_certified() -> None:
    """Its mistakes are at most its log loss over ln 2, and the pool is as near to the best of them as the master says."""
    source = np.random.default_rng(4)
    X = source.normal(size=(600, 3))
    y = np.where(X[:, 0] + 0.3 * source.normal(size=600) > 0.0, 1, -1)
    learner = ls.Learner(ls.Pool(views=("raw",)), labels=(-1, 1))
    learner.learn_many(X, y)
    alone = learner.member_ledgers()
    assert tuple(alone) == (*MEMBERS, "stack", "fading-stack")
    for name, ledger in alone.items():
        assert ledger.rounds == 600
        assert ledger.mistakes <= ledger.log_loss / np.log(2.0) + 1e-9, name
        assert ledger.majority_errors == learner.ledger.majority_errors
        assert ledger.is_of(learner.ledger)
    best = min(ledger.log_loss for ledger in alone.values())
    assert learner.ledger.log_loss <= best + np.log(600) + np.log(1 / 0.01)
    assert alone["newton"].risk_bound().verdict is ls.Verdict.HOLDS
    assert alone["newton"].beats_majority().verdict is ls.Verdict.HOLDS
    assert alone["markov"].beats_majority().verdict is not ls.Verdict.HOLDS
    some = ls.Learner(ls.Pool(members=("arow", "newton")), labels=(-1, 1))
    some.learn_many(X, y)
    assert list(some.member_ledgers()) == ["arow", "newton", "stack", "fading-stack"]


def test_who_has_no_members_with_ledgers_says_so() -> None:
    with pytest.raises(ls.NotApplicable, match="no pool for labels"):
        ls.Learner(ls.Perceptron()).member_ledgers()
    with pytest.raises(ls.NotApplicable, match="no pool for labels"):
        ls.Learner(ls.PoolRegression()).member_ledgers()
    many = ls.Learner()
    many.learn_many([[1.0]] * 3, ["a", "b", "c"])
    with pytest.raises(ls.NotApplicable, match="many classes"):
        many.member_ledgers()
    heavy = ls.Learner()
    heavy.learn_many([[1.0]] * 3, [0, 1, 0], weights=[0.5, 1.0, 1.0])
    with pytest.raises(ls.NotApplicable, match="rounds counted differently"):
        heavy.member_ledgers()
