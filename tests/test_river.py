"""The rules as estimators of River: its own checks, and the same numbers as the learner."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
from collections.abc import Callable, Iterable, Iterator
from typing import cast

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from river import base, checks, compose, datasets, drift, ensemble, evaluate, metrics, preprocessing
from river import multiclass as river_multiclass

import littlestone as ls
from littlestone import kernels, linear, multiclass, uniclass
from littlestone.river import Classifier, Detector, Regressor
from littlestone.rule import LinearRule

GAUSSIAN = ls.kernels.Gaussian(gamma=0.1)
RULES: tuple[LinearRule, ...] = (
    ls.Perceptron(),
    ls.RandomizedPerceptron(),
    ls.MarginPerceptron(rho=0.1),
    ls.OnlineSVM(),
    ls.AROW(),
    ls.OnlineRidge(),
    ls.AdaGrad(),
    ls.AdaGradRegression(),
    ls.LogisticFilter(),
    ls.NaiveBayes(),
    ls.Majority(),
    ls.LastLabel(),
    ls.Markov(),
    ls.RunningMean(),
    ls.LastValue(),
    ls.PassiveAggressive(variant="PA-I", C=1.0),
    ls.PassiveAggressiveRegression(),
    ls.BatchPassiveAggressive(),
    ls.BatchPassiveAggressiveRegression(),
    ls.Winnow(),
    ls.SignedWinnow(),
    ls.ExponentiatedUpdate(),
    ls.SignedExponentiatedUpdate(),
    ls.RandomizedExponentiatedUpdate(),
    ls.MultiplicativePassiveAggressive(margin=0.1),
    ls.MultiplicativePassiveAggressiveRegression(),
    ls.KernelPerceptron(kernel=GAUSSIAN),
    ls.KernelPassiveAggressive(kernel=GAUSSIAN),
    ls.KernelPassiveAggressiveRegression(kernel=GAUSSIAN),
    ls.Uniclass(epsilon=1.0),
    ls.AdaptiveUniclass(),
    ls.AdaptiveKernelUniclass(),
    ls.RadiusUniclass(bound=4.0),
    ls.KernelUniclass(kernel=GAUSSIAN, epsilon=0.5),
    ls.MultiplicativeUniclass(epsilon=0.5),
    ls.BatchUniclass(epsilon=1.0),
    ls.MulticlassPerceptron(),
    ls.MulticlassPassiveAggressive(variant="PA-I", C=1.0),
    ls.OneVersusRest(rule=ls.Perceptron()),
    ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=ls.kernels.Gaussian(), budget=50)),
)

COMPARATORS = {ls.Fixed, ls.KernelFixed, ls.MulticlassFixed}
"""They never learn."""


def test_every_rule_is_here() -> None:
    every = {*linear.RULES, *kernels.RULES, *uniclass.RULES, *multiclass.RULES}
    assert {type(rule) for rule in RULES} == every - COMPARATORS


def metric(name: str) -> metrics.base.Metric:
    made = getattr(metrics, name)()
    assert isinstance(made, metrics.base.Metric)
    return made


def stream(name: str) -> base.typing.Dataset:
    made = getattr(datasets, name)()
    assert isinstance(made, Iterable)
    return made


def wrapped(rule: LinearRule) -> Classifier | Regressor | Detector:
    if rule.abilities.alone:
        return Detector(rule)
    return Regressor(rule) if rule.abilities.targets else Classifier(rule)


every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)


def near_and_far(scale: int = 1) -> Iterator[list[tuple[dict[str, float], int]]]:
    """In the place of the data that River would download: points near the origin, and one in twenty far away."""
    rng = np.random.default_rng(7)
    rows = rng.normal(size=(200 * scale, 6)) * np.where(np.arange(200 * scale) % 20, 0.2, 4.0)[:, np.newaxis]
    yield [({f"V{k}": float(v) for k, v in enumerate(row)}, int(t % 20 == 0)) for t, row in enumerate(rows)]


SKIPPED = {
    ("RandomizedPerceptron", "check_predict_many_matches_predict_one"): "many rows are many draws, one row is the next draw",
    ("RandomizedExponentiatedUpdate", "check_predict_many_matches_predict_one"): "as for RandomizedPerceptron",
    ("MultiplicativeUniclass", "check_emerging_features"): "the centre is a distribution over the features of the first row",
    ("MultiplicativeUniclass", "check_radically_disappearing_features"): "as above: the rows must have all features",
}
"""Checks that are not run, and why."""


@every_rule
def test_the_checks_of_river(rule: LinearRule, monkeypatch: pytest.MonkeyPatch) -> None:
    model = wrapped(rule)
    if isinstance(model, Detector):
        monkeypatch.setattr(checks, "_yield_datasets", lambda _, scale=1: near_and_far(scale))
    skipped = {check for name, check in SKIPPED if name == type(rule).__name__}
    assert model._unit_test_skips() == skipped
    for check in checks.yield_checks(model):
        if check.__name__ not in skipped:
            # River shuffles features without a seed. Another order of a sum may move its last bit, and a rule with a jump
            # (OnlineSVM at margin 1, which rows of halves and wholes reach exactly) then steps in one order and not in another.
            random.seed(7)
            check(model.clone())


def test_a_rule_goes_to_the_estimator_of_its_task() -> None:
    with pytest.raises(ls.NotApplicable, match="which learns no labels"):
        Classifier(ls.PassiveAggressiveRegression())
    with pytest.raises(ls.NotApplicable, match="which learns no targets"):
        Regressor(ls.Perceptron())
    with pytest.raises(ls.NotApplicable, match="learns rows alone"):
        Detector(ls.Perceptron())


@pytest.mark.parametrize("estimator", [Classifier, Regressor, Detector])
@pytest.mark.parametrize("rule", [5, ls.Learner(ls.Perceptron()), ls.Perceptron])
def test_what_is_no_rule_is_refused(estimator: type[Classifier | Regressor | Detector], rule: object) -> None:
    with pytest.raises(ls.InvalidParameter, match=r"^the rule is "):
        estimator(cast("ls.LinearRule", rule))


def phishing(count: int) -> list[tuple[dict[str, float], bool]]:
    return [({str(k): float(v) for k, v in x.items()}, bool(y)) for x, y in itertools.islice(stream("Phishing"), count)]


def test_the_numbers_are_those_of_the_learner() -> None:
    """The wrapper adds a constant feature and nothing else."""
    rule = ls.PassiveAggressive(variant="PA-I", C=0.1)
    model, learner = Classifier(rule), ls.Learner(rule, calibrate=True)
    for x, y in phishing(300):
        assert model.predict_one(x) == (learner.predict_one({**x, "intercept": 1.0}) if learner.ledger.rounds else None)
        model.learn_one(x, y)
        learner.learn_one({**x, "intercept": 1.0}, y)
    assert model.learner.weights == learner.weights
    assert model.ledger == learner.ledger


@given(cuts=st.lists(st.integers(0, 200), max_size=5))
def test_many_are_one_after_another(cuts: list[int]) -> None:
    rows = phishing(200)
    one, many = Classifier(ls.SignedWinnow()), Classifier(ls.SignedWinnow())
    for x, y in rows:
        one.learn_one(x, y)
    ends = [0, *sorted(cuts), 200]
    for begin, end in itertools.pairwise(ends):
        if begin < end:
            many.learn_many(pd.DataFrame([x for x, _ in rows[begin:end]]), pd.Series([y for _, y in rows[begin:end]]))
    assert one.learner.weights == many.learner.weights
    assert one.ledger == many.ledger


def test_many_keeps_the_index_of_the_frame() -> None:
    rows = phishing(30)
    X = pd.DataFrame([x for x, _ in rows], index=range(100, 130))
    model = Classifier(ls.Perceptron())
    assert model.predict_many(X).tolist() == [None] * 30
    model.learn_many(X, pd.Series([y for _, y in rows]))
    assert model.predict_many(X).index.tolist() == list(range(100, 130))
    assert model.predict_many(X).tolist() == [model.predict_one(x) for x, _ in rows]


def test_in_a_pipeline_it_is_as_good_as_by_hand() -> None:
    model = preprocessing.StandardScaler() | Classifier(ls.PassiveAggressive(variant="PA-I", C=0.1))
    score = evaluate.progressive_val_score(stream("Phishing"), model, metric("Accuracy"))
    last = model["Classifier"]
    assert isinstance(last, Classifier)
    # River asks for no prediction before the first label, and counts none; the ledger counts a tie as a mistake.
    assert last.ledger.rounds == 1250
    assert score.get() == pytest.approx(1.0 - last.ledger.mistakes / 1250, abs=2 / 1250)
    assert score.get() > 0.85


def test_a_regressor_in_a_pipeline() -> None:
    model = preprocessing.StandardScaler() | Regressor(ls.PassiveAggressiveRegression(variant="PA-I", C=1.0))
    score = evaluate.progressive_val_score(stream("TrumpApproval"), model, metric("MAE"))
    assert score.get() < 1.0


def test_a_detector_ranks_what_is_far_first() -> None:
    model = Detector(ls.Uniclass(epsilon=1.0))
    (rows,) = near_and_far()
    scores = np.zeros(len(rows))
    for t, (x, _) in enumerate(rows):
        scores[t] = model.score_one(x)
        model.learn_one(x)
    far = np.array([bool(y) for _, y in rows])
    assert scores[0] == -1.0  # before there is a centre
    assert np.median(scores[far]) > np.quantile(scores[~far], 0.95)


def test_probabilities_are_those_of_the_rule() -> None:
    model = Classifier(ls.Pool())
    assert model.predict_proba_one({"a": 1.0}) == {}
    for x, y in ((1.0, True), (-1.0, False), (2.0, True)):
        model.learn_one({"a": x}, y=y)
    row = {"a": 1.0, "intercept": 1.0}
    assert model.predict_proba_one({"a": 1.0}) == pytest.approx(model.learner.probability_one(row))
    many = model.predict_proba_many(pd.DataFrame({"a": [1.0, -3.0]}, index=[7, 8]))
    assert list(many.index) == [7, 8]
    assert many.loc[7].to_dict() == pytest.approx(model.predict_proba_one({"a": 1.0}))


def test_without_log_odds_the_scores_are_calibrated() -> None:
    model = Classifier(ls.Perceptron())
    assert model.predict_proba_one({"a": 1.0}) == {False: 0.5, True: 0.5}
    model.learn_one({"a": 1.0}, y=True)
    assert model.predict_proba_one({"a": 1.0})[True] > 0.5
    model.learn_one({"a": -1.0}, y=False)
    words = Classifier(ls.Perceptron())
    words.learn_one({"a": 1.0}, "ham")
    assert words.predict_proba_one({"a": 1.0}) == {"ham": 1.0}
    row = {"a": 1.0, "intercept": 1.0}
    assert model.predict_proba_one({"a": 1.0}) == pytest.approx(model.learner.probability_one(row))
    many = Classifier(ls.MulticlassPerceptron())
    for k, y in enumerate("abc"):
        many.learn_one({f"f{k}": 1.0}, y)
    chances = many.predict_proba_one({"f1": 1.0})
    assert max(chances, key=lambda label: chances[label]) == many.predict_one({"f1": 1.0}) == "b"
    assert sum(chances.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("rule", [ls.PassiveAggressive(variant="PA-I", C=0.1), ls.Pool()])
def test_meta_estimators_and_metrics_of_probabilities_run(rule: ls.LinearRule) -> None:
    """As with River's own: better than its PAClassifier in the same place, or as good."""
    rows = list(itertools.islice(stream("Phishing"), 300))
    made: dict[str, Callable[[], base.Classifier]] = {
        "alone": lambda: Classifier(rule),
        "adwin": lambda: ensemble.ADWINBaggingClassifier(Classifier(rule), n_models=2, seed=1),
        "leveraging": lambda: ensemble.LeveragingBaggingClassifier(Classifier(rule), n_models=2, seed=1),
        "drift": lambda: drift.DriftRetrainingClassifier(Classifier(rule)),
        "rest": lambda: river_multiclass.OneVsRestClassifier(Classifier(rule)),
    }
    for name, make in made.items():
        model = preprocessing.StandardScaler() | make()
        assert evaluate.progressive_val_score(rows, model, metric("Accuracy")).get() > 0.75, name
    for name, low, high in (("ROCAUC", 0.85, 1.0), ("LogLoss", 0.0, 0.7)):
        model = preprocessing.StandardScaler() | Classifier(rule)
        assert low < evaluate.progressive_val_score(rows, model, metric(name)).get() < high


def test_the_name_of_the_constant_feature_is_taken() -> None:
    model = Classifier(ls.Perceptron())
    with pytest.raises(ls.InvalidData, match="the row has a feature 'intercept'"):
        model.learn_one({"intercept": 2.0}, y=True)
    with pytest.raises(ls.InvalidData, match="there is a column 'intercept'"):
        model.learn_many(pd.DataFrame({"intercept": [2.0]}), pd.Series([True]))
    assert model.ledger.rounds == 0
    free = Classifier(ls.Perceptron(), intercept=False)
    free.learn_one({"intercept": 2.0}, y=True)
    assert free.learner.weights == {"intercept": 2.0}


def test_one_nan_is_an_error_and_not_the_end() -> None:
    """River's linear models answer nan for ever after one."""
    model = Classifier(ls.Perceptron())
    model.learn_one({"a": 1.0}, y=True)
    with pytest.raises(ls.InvalidData, match="nan"):
        model.learn_one({"a": float("nan")}, y=False)
    assert model.predict_one({"a": 1.0}) is True


def test_nothing_else_is_taken() -> None:
    with pytest.raises(ls.NotApplicable, match="'t'"):
        Classifier(ls.Perceptron()).predict_one({"a": 1.0}, t=3)


def through_pickle(model: Classifier) -> Classifier:
    restored = pickle.loads(pickle.dumps(model))
    assert isinstance(restored, Classifier)
    return restored


@pytest.mark.parametrize("copied", [copy.deepcopy, through_pickle])
def test_a_copy_goes_on_with_the_same_bits(copied: Callable[[Classifier], Classifier]) -> None:
    rows = phishing(200)
    model = Classifier(ls.SignedWinnow())
    for x, y in rows[:100]:
        model.learn_one(x, y)
    twin = copied(model)
    for x, y in rows[100:]:
        model.learn_one(x, y)
        twin.learn_one(x, y)
    assert twin.learner.weights == model.learner.weights
    assert twin.ledger == model.ledger


def test_clones_have_learned_nothing() -> None:
    model = Classifier(ls.Perceptron(eta=2.0), intercept=False)
    model.learn_one({"a": 1.0}, y=True)
    twin = model.clone()
    assert (twin.rule, twin.intercept, twin.ledger.rounds) == (model.rule, False, 0)
    assert model.clone({"rule": ls.Perceptron(eta=3.0)}).rule == ls.Perceptron(eta=3.0)


def test_it_certifies() -> None:
    model = Classifier(ls.Perceptron())
    for x, y in phishing(100):
        model.learn_one(x, y)
    assert {certificate.id for certificate in model.certify()} >= {"mohri.8.8"}


def test_it_works_behind_a_union_of_features() -> None:
    features = compose.Select("https", "long_url") + compose.Select("age_of_domain")
    model = features | preprocessing.StandardScaler() | Classifier(ls.Perceptron())
    for x, y in phishing(50):
        model.learn_one(x, y)
    last = model["Classifier"]
    assert isinstance(last, Classifier)
    assert set(last.learner.features) == {"https", "long_url", "age_of_domain", "intercept"}


def test_many_classes() -> None:
    rows = [(x, y) for x, y in itertools.islice(stream("ImageSegments"), 500)]
    kernel = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.1))
    linear = ls.PassiveAggressive(variant="PA-I", C=0.1)
    for rule in (ls.MulticlassPerceptron(), ls.OneVersusRest(rule=linear), ls.OneVersusRest(rule=kernel)):
        model = preprocessing.StandardScaler() | Classifier(rule)
        score = evaluate.progressive_val_score(rows, model, metric("Accuracy"))
        assert model._multiclass
        assert score.get() > 0.6
    assert not Classifier(ls.Perceptron())._multiclass


def test_a_third_label_needs_a_rule_of_many() -> None:
    model = Classifier(ls.Perceptron())
    model.learn_one({"a": 1.0}, "x")
    model.learn_one({"a": 1.0}, "y")
    with pytest.raises(ls.InvalidData, match="'z' is a third one"):
        model.learn_one({"a": 1.0}, "z")


def test_weights_of_rounds() -> None:
    """River's `w`: of PA-I it multiplies C."""
    model = Regressor(ls.PassiveAggressiveRegression(variant="PA-I", C=1.0, epsilon=0.0), intercept=False)
    model.learn_one({"a": 1.0}, 100.0, w=0.25)
    assert model.predict_one({"a": 1.0}) == 0.25
    twin = Classifier(ls.Perceptron(), intercept=False)
    twin.learn_one({"a": 1.0}, y=True, w=3.0)
    assert twin.learner.weights == {"a": 3.0}
    with pytest.raises(ls.NotApplicable, match="gives weights no meaning"):
        Classifier(ls.Winnow()).learn_one({"a": 1.0}, y=True, w=2.0)


def test_a_view_stands_in_front_as_it_does_of_a_learner() -> None:
    """|x| < ½ is no half-line, and has bins; a clone has the view and nothing of what it learned."""
    x = np.random.default_rng(0).uniform(-1.0, 1.0, size=800)
    rule = ls.PassiveAggressive(variant="PA-I", C=0.1)
    model, learner = Classifier(rule, view=ls.views.Bins(), intercept=False), ls.Learner(rule, view=ls.views.Bins())
    for value in x.tolist():
        model.learn_one({"x": value}, abs(value) < 0.5)
        learner.learn_one({"x": value}, abs(value) < 0.5)
    assert model.ledger.mistakes == learner.ledger.mistakes < 200
    assert model.clone().learner.view == ls.views.Bins()
    assert model.clone().ledger.rounds == 0
    regressor = Regressor(ls.PassiveAggressiveRegression(variant="PA-I", C=0.1), view=ls.views.Bins() | ls.features.MaxScale())
    for value in x.tolist():
        regressor.learn_one({"x": value}, abs(value))
    assert regressor.ledger.mae < 0.15
    with pytest.raises(ls.InvalidParameter, match="Pool"):
        Classifier(ls.Pool(), view=ls.views.Bins())


def test_missing_values_are_left_out_when_asked() -> None:
    model = Classifier(ls.Perceptron(), missing="skip")
    model.learn_one({"a": 1.0, "b": float("nan")}, y=True)
    assert model.learner.weights == {"a": 1.0, "intercept": 1.0}
    assert model.predict_one({"a": float("nan"), "b": 2.0}) is True
    assert model.clone().missing == "skip"
