"""The rules as estimators of River: its own checks, and the same numbers as the learner."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from river import base, checks, compose, datasets, evaluate, metrics, preprocessing

import littlestone as ls
from littlestone import kernels, linear, uniclass
from littlestone.river import Classifier, Detector, Regressor
from littlestone.rule import LinearRule

GAUSSIAN = ls.kernels.Gaussian(gamma=0.1)
NEEDED: dict[str, dict[str, object]] = {
    "MarginPerceptron": {"rho": 0.1},
    "MultiplicativePassiveAggressive": {"margin": 0.1},
    "Uniclass": {"epsilon": 1.0},
    "MultiplicativeUniclass": {"epsilon": 0.5},
    "KernelUniclass": {"epsilon": 0.5, "kernel": GAUSSIAN},
    "KernelPerceptron": {"kernel": GAUSSIAN},
    "KernelPassiveAggressive": {"kernel": GAUSSIAN},
    "KernelPassiveAggressiveRegression": {"kernel": GAUSSIAN},
    "KernelFixed": {"kernel": GAUSSIAN},
}
"""Parameters without a default."""

COMPARATORS = (ls.Fixed, ls.KernelFixed)
"""They never learn."""

RULES = [
    rule(**NEEDED.get(rule.__name__, {}))
    for rule in (*linear.RULES, *kernels.RULES, *uniclass.RULES)
    if rule not in COMPARATORS
]


def wrapped(rule: LinearRule) -> Classifier | Regressor | Detector:
    if rule.signs() is not None:
        return Detector(rule)
    return Regressor(rule) if "targets" in rule.learns() else Classifier(rule)


every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)


def near_and_far(model: base.Estimator, scale: int = 1) -> Iterator[list[tuple[dict[str, float], int]]]:
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
        monkeypatch.setattr(checks, "_yield_datasets", near_and_far)
    refused = [check for check in checks.yield_checks(model) if (type(rule).__name__, check.__name__) in SKIPPED]
    assert {check.__name__ for check in refused} == model._unit_test_skips()
    for check in checks.yield_checks(model):
        if check.__name__ not in model._unit_test_skips():
            check(model.clone())


def test_a_rule_goes_to_the_estimator_of_its_task() -> None:
    with pytest.raises(ls.NotApplicable, match="which learns no labels"):
        Classifier(ls.PassiveAggressiveRegression())
    with pytest.raises(ls.NotApplicable, match="which learns no targets"):
        Regressor(ls.Perceptron())
    with pytest.raises(ls.NotApplicable, match="learns rows alone"):
        Detector(ls.Perceptron())


def phishing(count: int) -> list[tuple[dict[str, float], bool]]:
    return list(itertools.islice(datasets.Phishing(), count))


def test_the_numbers_are_those_of_the_learner() -> None:
    """The wrapper adds a constant feature and nothing else."""
    rule = ls.PassiveAggressive(variant="PA-I", C=0.1)
    model, learner = Classifier(rule), ls.Learner(rule)
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
    score = evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    last = model["Classifier"]
    assert isinstance(last, Classifier)
    # River asks for no prediction before the first label, and counts none; the ledger counts a tie as a mistake.
    assert last.ledger.rounds == 1250
    assert score.get() == pytest.approx(1.0 - last.ledger.mistakes / 1250, abs=2 / 1250)
    assert score.get() > 0.85


def test_a_regressor_in_a_pipeline() -> None:
    model = preprocessing.StandardScaler() | Regressor(ls.PassiveAggressiveRegression(variant="PA-I", C=1.0))
    score = evaluate.progressive_val_score(datasets.TrumpApproval(), model, metrics.MAE())
    assert score.get() < 1.0


def test_a_detector_ranks_what_is_far_first() -> None:
    model = Detector(ls.Uniclass(epsilon=1.0))
    (rows,) = near_and_far(model)
    far = [model.score_one(x) for x, y in rows if y and model.learn_one(x) is None]
    near = [model.score_one(x) for x, y in rows if not y]
    assert len(far) == 10
    assert all(isinstance(score, float) for score in (*far, *near))


def test_probabilities_are_not_made_up() -> None:
    model = Classifier(ls.Perceptron())
    model.learn_one({"a": 1.0}, y=True)
    with pytest.raises(NotImplementedError):
        model.predict_proba_one({"a": 1.0})
    with pytest.raises(NotImplementedError):
        evaluate.progressive_val_score(datasets.Phishing(), Classifier(ls.Perceptron()), metrics.LogLoss())


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


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])  # our own bytes
def test_a_copy_goes_on_with_the_same_bits(copied: object) -> None:
    assert callable(copied)
    rows = phishing(200)
    model = Classifier(ls.SignedWinnow())
    for x, y in rows[:100]:
        model.learn_one(x, y)
    twin = copied(model)
    assert isinstance(twin, Classifier)
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
