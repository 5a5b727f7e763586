"""The rules as estimators of scikit-learn: its own checks, and the same numbers as the learner."""

from __future__ import annotations

import copy
import inspect
import math
import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_blobs, make_regression
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import littlestone as ls
import littlestone.sklearn as lsk
from littlestone import _core, kernels, linear, multiclass, pool, uniclass
from littlestone.arrays import FloatArray
from littlestone.kernels import Support
from littlestone.multiclass.class_states import ClassStates
from littlestone.sklearn.classifier import LinearClassifier, RuleClassifier, WeightedClassifier
from littlestone.sklearn.detector import RuleDetector
from littlestone.sklearn.estimator import RuleEstimator
from littlestone.sklearn.growth import with_more_classes
from littlestone.sklearn.passes import EarlyStop
from littlestone.sklearn.sample import rows_of
from littlestone.sklearn.supervised import RuleRegressor
from littlestone.streams.batches import dense_batch, sparse_batch

RMS = ls.features.RootMeanSquareScale()
GAUSSIAN = ls.kernels.Gaussian(gamma=0.5)
WIDE = ls.kernels.Gaussian(gamma=0.005)
"""Sees rows that are 20 apart, as those are by which scikit-learn checks the weights of classes."""

MODELS: tuple[RuleEstimator, ...] = (
    lsk.PerceptronClassifier(),
    lsk.RandomizedPerceptronClassifier(),
    lsk.MarginPerceptronClassifier(),
    lsk.OnlineSVMClassifier(),
    lsk.PassiveAggressiveClassifier(),
    lsk.PassiveAggressiveRegressor(),
    lsk.BatchPassiveAggressiveClassifier(),
    lsk.BatchPassiveAggressiveRegressor(),
    lsk.AROWClassifier(),
    lsk.OnlineRidgeRegressor(),
    lsk.AdaGradClassifier(),
    lsk.AdaGradRegressor(),
    lsk.LogisticFilterClassifier(),
    lsk.NaiveBayesClassifier(),
    lsk.WinnowClassifier(),
    lsk.SignedWinnowClassifier(),
    lsk.ExponentiatedUpdateClassifier(),
    lsk.SignedExponentiatedUpdateClassifier(),
    lsk.RandomizedExponentiatedUpdateClassifier(),
    lsk.MultiplicativePassiveAggressiveClassifier(),
    lsk.MultiplicativePassiveAggressiveRegressor(),
    lsk.MajorityClassifier(),
    lsk.LastLabelClassifier(),
    lsk.MarkovClassifier(),
    lsk.RunningMeanRegressor(),
    lsk.LastValueRegressor(),
    lsk.MulticlassPerceptronClassifier(),
    lsk.MulticlassPassiveAggressiveClassifier(),
    lsk.KernelPerceptronClassifier(kernel=WIDE),
    lsk.KernelPassiveAggressiveClassifier(),
    lsk.KernelPassiveAggressiveRegressor(),
    lsk.UniclassDetector(),
    lsk.AdaptiveUniclassDetector(),
    lsk.AdaptiveKernelUniclassDetector(),
    lsk.RadiusUniclassDetector(),
    lsk.KernelUniclassDetector(),
    lsk.MultiplicativeUniclassDetector(),
    lsk.BatchUniclassDetector(),
    lsk.PoolClassifier(),
    lsk.PoolRegressor(),
)

COMPARATORS = {ls.Fixed, ls.KernelFixed, ls.MulticlassFixed}
"""They never learn, so there is nothing to fit."""

OF_ANOTHER_RULE = {ls.OneVersusRest}
"""What a classifier of two classes becomes when it meets a third."""

CLASSIFIERS = [model for model in MODELS if isinstance(model, RuleClassifier)]
LINEAR = [model for model in CLASSIFIERS if isinstance(model, LinearClassifier)]


def name_of(model: object) -> str:
    return type(model).__name__


every_estimator = pytest.mark.parametrize("model", MODELS, ids=name_of)
every_classifier = pytest.mark.parametrize("model", CLASSIFIERS, ids=name_of)


# That nothing is forgotten.


def test_every_rule_has_its_estimator() -> None:
    rules = {*linear.RULES, *kernels.RULES, *uniclass.RULES, *multiclass.RULES, *pool.RULES} - COMPARATORS - OF_ANOTHER_RULE
    covered = [type(model.rule()) for model in MODELS]
    assert len(covered) == len(set(covered))
    assert set(covered) == rules
    assert tuple(type(model) for model in MODELS) == lsk.ESTIMATORS
    assert {kind.__name__ for kind in lsk.ESTIMATORS} == set(lsk.__all__) - {"ESTIMATORS"}


# scikit-learn 1.9's PassiveAggressiveClassifier, and what its regressor has in other ways.
DROP_IN: dict[str, object] = {
    "C": 1.0,
    "fit_intercept": True,
    "max_iter": 1000,
    "tol": 1e-3,
    "early_stopping": False,
    "validation_fraction": 0.1,
    "n_iter_no_change": 5,
    "shuffle": True,
    "verbose": 0,
    "loss": "hinge",
    "n_jobs": None,
    "random_state": None,
    "warm_start": False,
    "class_weight": None,
    "average": False,
}
OF_LABELS = {"n_jobs", "class_weight"}


def defaults(model: RuleEstimator) -> dict[str, object]:
    return {name: field.default for name, field in inspect.signature(type(model)).parameters.items()}


def test_the_drop_ins_have_the_parameters_of_scikit_learn() -> None:
    classifier, regressor = defaults(lsk.PassiveAggressiveClassifier()), defaults(lsk.PassiveAggressiveRegressor())
    assert {name: classifier[name] for name in DROP_IN} == DROP_IN
    wanted = {name: value for name, value in DROP_IN.items() if name not in OF_LABELS}
    wanted |= {"loss": "epsilon_insensitive", "epsilon": 0.1}
    assert {name: regressor[name] for name in wanted} == wanted


SPELLED = {"PassiveAggressiveClassifier", "PassiveAggressiveRegressor", "MulticlassPassiveAggressiveClassifier"}
"""Two say `variant` and `gamma` by `loss` and `C`, the names of scikit-learn; the third begins where they do, with PA-I."""


@every_estimator
def test_parameters_are_those_of_the_rule(model: RuleEstimator) -> None:
    mine, theirs = defaults(model), inspect.signature(type(model.rule())).parameters
    spelled = {"variant", "C", "gamma"} if name_of(model) in SPELLED else set()
    assert set(theirs) - spelled <= set(mine)
    assert f"`ls.{type(model.rule()).__name__}` as a" in (type(model).__doc__ or "")
    assert all(f"\n{name} : " in (type(model).__doc__ or "") for name in (*mine, "learner_", "ledger_", "n_iter_"))
    optional = {name: field.default for name, field in theirs.items() if field.default is not field.empty}
    assert {name: mine[name] for name in optional if name not in spelled} == {
        name: default for name, default in optional.items() if name not in spelled
    }
    assert set(mine) - set(theirs) <= {*DROP_IN, "scale", "calibrate"}
    assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in inspect.signature(type(model)).parameters.values())


@every_estimator
def test_every_parameter_reaches_the_rule(model: RuleEstimator) -> None:
    """Whatever the rule calls by the same name, it gets."""
    rule, changed = model.rule(), clone(model)
    numbers = {name: v for name, v in rule.parameters().items() if isinstance(v, float) and name in model.get_params()}
    for name, value in numbers.items():
        other = 0.5 * value if value else 0.125
        changed.set_params(**{name: other})
        assert changed.rule().parameters()[name] == other


@every_estimator
def test_sample_weights_only_where_the_rule_gives_them_a_meaning(model: RuleEstimator) -> None:
    fit: object = getattr(type(model), "fit", None)
    assert callable(fit)
    assert ("sample_weight" in inspect.signature(fit).parameters) == model.rule().abilities.takes_weights


# The checks of scikit-learn.

ONE_UPDATE = "a weight scales the one update of a round; a row that comes twice is learned in two rounds"
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": ONE_UPDATE,
    "check_sample_weight_equivalence_on_sparse_data": ONE_UPDATE,
}
"""Checks that fail, and why; scikit-learn says the same of its own SGDClassifier."""


def failures(model: RuleEstimator, status: str = "failed") -> dict[str, Exception | None]:
    expected = EXPECTED if model.rule().abilities.takes_weights else {}
    results = check_estimator(model, expected_failed_checks=expected, on_skip=None, on_fail=None)
    assert len(results) > 40
    return {result["check_name"]: result["exception"] for result in results if result["status"] == status}


@every_estimator
def test_the_checks_of_scikit_learn(model: RuleEstimator) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        assert failures(model) == {}


def test_what_is_expected_to_fail_does() -> None:
    assert set(failures(lsk.PerceptronClassifier(), "xfail")) == set(EXPECTED)


def test_the_check_that_needs_an_environment_of_its_own() -> None:
    """SciPy must be told before it is imported; it is the only check that is skipped otherwise."""
    assert set(failures(lsk.PerceptronClassifier(), "skipped")) == {"check_array_api_input"}
    script = (
        "from sklearn.utils.estimator_checks import check_array_api_input\n"
        "from test_sklearn import MODELS\n"
        "for model in MODELS:\n"
        "    check_array_api_input(type(model).__name__, model, array_namespace='numpy', expect_only_array_outputs=False)"
    )
    environment = {**os.environ, "SCIPY_ARRAY_API": "1", "PYTHONPATH": str(Path(__file__).parent)}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment)


# The numbers are those of the learner.


def blobs(count: int = 60, classes: int = 2) -> tuple[FloatArray, np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
    return make_blobs(count, 3, centers=classes, cluster_std=3.0, random_state=1)


def with_ones(X: FloatArray) -> FloatArray:
    return np.hstack([X, np.ones((len(X), 1))])


@pytest.mark.parametrize("model", LINEAR, ids=name_of)
def test_a_pass_is_the_learner_on_rows_with_a_constant(model: LinearClassifier) -> None:
    X, y = blobs()
    mine = clone(model).set_params(shuffle=False, max_iter=1).fit(X, y)
    learner = ls.Learner(model.rule(), labels=(0, 1))
    learner.learn_many(with_ones(X), y)
    scores = learner.score_many(with_ones(X))
    expected = scores if scores.ndim == 1 else (scores[:, 1] - scores[:, 0]) / 2.0
    assert np.array_equal(mine.decision_function(X), expected)
    assert mine.ledger_ == learner.ledger
    plain = X @ mine.coef_[0] + mine.intercept_
    if isinstance(model.rule(), ls.LogisticFilter):  # whose scores are nearer to 0 by how unsure they are
        assert np.array_equal(np.sign(plain), np.sign(expected))
    else:
        assert np.allclose(plain, expected, rtol=1e-12, atol=1e-12)


def test_passes_are_those_of_run() -> None:
    X, y = blobs()
    run = ls.run(ls.Perceptron(), with_ones(X), y, passes=7)
    mine = lsk.PerceptronClassifier(shuffle=False, max_iter=7, tol=None).fit(X, y)
    assert np.array_equal(np.append(mine.coef_, mine.intercept_), run.state.w)
    assert (mine.n_iter_, mine.ledger_) == (run.passes, run.ledger)


def test_it_certifies_what_fit_did() -> None:
    X = np.random.default_rng(0).normal(size=(400, 2))
    X = X[np.abs(X[:, 0] - X[:, 1]) > 0.5]
    y = np.where(X[:, 0] > X[:, 1], "yes", "no")
    model = lsk.PerceptronClassifier(fit_intercept=False, shuffle=False).fit(X, y)
    rows, labels = np.tile(X, (model.n_iter_, 1)), np.tile(y, model.n_iter_)
    run = ls.run(ls.Fixed(weights=np.array([1.0, -1.0])), rows, labels, labels=("no", "yes"))
    (novikoff,) = [c for c in model.certify(against=run) if c.id == "mohri.8.8"]
    assert novikoff.holds
    assert 0 < novikoff.measured == model.learner_.ledger.updates <= novikoff.bound < len(y) / 4


@every_estimator
def test_sparse_rows_are_dense_rows(model: RuleEstimator) -> None:
    X, y = blobs()
    X[X < 0.0] = 0.0
    outcomes = y if isinstance(model, RuleClassifier) else y.astype(np.float64)
    shuffled = model.get_params()["shuffle"] is True
    assert shuffled
    answers = []
    for rows in (X, sparse.csr_matrix(X), sparse.csc_array(X), sparse.coo_array(X)):
        fitted = clone(model).set_params(random_state=3, max_iter=3, tol=None)
        assert isinstance(
            fitted,
            RuleClassifier | RuleRegressor | RuleDetector,
        )
        fitted.fit(rows, outcomes)
        answers.append(fitted.predict(rows))
    assert all(np.allclose(answers[0], other, rtol=1e-9) for other in answers)


def dense(rows: _core.Batch) -> FloatArray:
    """The rows of a batch as they are read."""
    start, index, value = rows.csr(np.arange(len(rows)))
    made = np.zeros((len(rows), rows.width))
    made[np.repeat(np.arange(len(rows)), np.diff(start)), index] = value
    return made


def test_unsorted_and_repeated_indices_are_put_in_order() -> None:
    messy = sparse.csr_array((np.array([1.0, 2.0, 3.0]), np.array([2, 0, 2]), np.array([0, 3])), shape=(1, 3))
    assert dense(rows_of(messy, constant=True)).tolist() == [[2.0, 0.0, 4.0, 1.0]]
    assert messy.nnz == 3  # what was given is as it was


@given(order=st.lists(st.integers(0, 6)), constant=st.booleans(), empty=st.integers(0, 6))
def test_rows_come_in_any_order(order: list[int], constant: bool, empty: int) -> None:
    X = np.arange(21.0).reshape(7, 3)
    X[empty] = 0.0
    expected, w = with_ones(X) if constant else X, np.arange(1.0, 5.0)[: 3 + constant]
    for matrix in (X, np.asfortranarray(X), X.astype(np.float32), sparse.csr_array(X)):
        rows = rows_of(matrix, constant=constant).in_order(np.array(order, dtype=np.int64))
        assert np.array_equal(dense(rows), expected[order])
        assert np.array_equal(rows.norm_squared, (expected[order] ** 2).sum(axis=1))
        assert rows.row_hash.tolist() == dense_batch(expected[order]).row_hash.tolist()
        moved = np.zeros(len(w))
        for t, k in enumerate(order):
            assert rows[t].dot(w) == expected[k] @ w
            rows[t].add_to(moved, 2.0)
        assert np.array_equal(moved, 2.0 * expected[order].sum(axis=0))


@given(seed=st.integers(0, 2**32), width=st.integers(0, 70), share=st.sampled_from([0.0, 0.3, 0.9]))
def test_a_constant_is_the_last_nonzero(seed: int, width: int, share: float) -> None:
    """The bits of a row that ends in a 1 are those of a row to which the 1 was written."""
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(2, width)), rng.normal(size=width + 1)
    X[rng.random(X.shape) < share] = 0.0
    for matrix in (X, sparse.csr_array(X)):
        rows, written = rows_of(matrix, constant=True), dense_batch(with_ones(X))
        for t in range(2):
            assert rows[t].dot(w) == written[t].dot(w)
            assert rows[t].norm_squared == written[t].norm_squared
            assert rows[t].largest_entry == written[t].largest_entry
        assert rows.row_hash.tolist() == written.row_hash.tolist()


def test_some_rows_of_an_order_are_in_that_order() -> None:
    X = np.arange(1.0, 11.0).reshape(5, 2)
    X[3, 1] = np.nan
    for rows in (dense_batch(X, skip=True), sparse_batch(sparse.csr_array(X), skip=True)):
        some = rows.in_order(np.array([4, 0, 3, 2])).in_order(np.array([2, 2, 1])).in_order(np.array([2, 0]))
        assert [some[t].dot(np.array([100.0, 1.0])) for t in range(2)] == [102.0, 700.0]
        assert [some[t].missing for t in range(2)] == [0, 1]
        with pytest.raises(ls.InvalidData, match="row 2 is not in the batch"):
            some.in_order(np.array([2]))


def test_an_order_is_of_rows_that_are_there() -> None:
    rows = rows_of(np.ones((3, 2)), constant=False)
    for bad in (-1, 3):
        with pytest.raises(ls.InvalidData, match="is not in the batch"):
            rows.in_order(np.array([0, bad]))
    outcomes = ls.Learner(ls.Perceptron(), labels=(-1, 1)).encode(rows, [1, -1, 1])[1]
    assert [outcomes.in_order(np.array([1, 0, 1])).label(t) for t in range(3)] == [-1, 1, -1]
    with pytest.raises(ls.InvalidData, match="is not in the batch"):
        outcomes.in_order(np.array([3]))


@pytest.mark.parametrize("model", [lsk.PerceptronClassifier(), lsk.PassiveAggressiveRegressor()], ids=name_of)
def test_weights_that_were_read_stay_as_they_were(model: lsk.PerceptronClassifier | lsk.PassiveAggressiveRegressor) -> None:
    X, y = blobs()
    fitted = clone(model).partial_fit(X[:5], y[:5])
    before, scores = fitted.coef_, fitted.predict(X)
    kept = before.copy()
    before += 1.0
    assert np.array_equal(fitted.predict(X), scores)
    before -= 1.0
    fitted.partial_fit(X[5:], y[5:])
    assert np.allclose(before, kept)
    assert not np.allclose(fitted.coef_, kept)


# Labels.


@every_classifier
def test_names_of_labels_do_not_matter(model: RuleClassifier) -> None:
    X, y = blobs()
    plain = clone(model).set_params(random_state=0).fit(X, y)
    for names in (np.array(["no", "yes"]), np.array([False, True]), np.array([-1, 1]), np.array(["b", "c"], dtype=object)):
        named = clone(model).set_params(random_state=0).fit(X, names[y])
        assert np.array_equal(named.decision_function(X), plain.decision_function(X))
        assert np.array_equal(named.predict(X), names[plain.predict(X)])
        assert np.array_equal(named.classes_, names)


@pytest.mark.parametrize(
    "model", [lsk.PerceptronClassifier(), lsk.SignedWinnowClassifier(), lsk.PassiveAggressiveClassifier()], ids=name_of
)
def test_two_classes_of_many_are_the_binary_rule(model: LinearClassifier) -> None:
    """With room for more, and bit for bit."""
    X, y = blobs()
    closed = clone(model).partial_fit(X, y, classes=[0, 1])
    opened = clone(model).partial_fit(X, y)
    assert isinstance(closed.learner_.rule, type(model.rule()))
    assert isinstance(opened.learner_.rule, ls.OneVersusRest)
    assert np.array_equal(opened.decision_function(X), closed.decision_function(X))
    assert np.array_equal(opened.coef_, closed.coef_)


@every_classifier
def test_new_classes_may_come_at_any_time(model: RuleClassifier) -> None:
    """Without being announced; for one-versus-rest the same bits as if all had been there from the beginning."""
    X, y = blobs(90, 3)
    first, later = np.flatnonzero(y < 2), np.flatnonzero(y == 2)
    surprised = clone(model).partial_fit(X[first], y[first]).partial_fit(X[later], y[later])
    warned = clone(model).partial_fit(X[first], y[first], classes=[0, 1, 2]).partial_fit(X[later], y[later])
    assert surprised.classes_.tolist() == [0, 1, 2]
    assert surprised.decision_function(X).shape == (90, 3)
    if isinstance(surprised.learner_.rule, ls.OneVersusRest):
        assert np.array_equal(surprised.decision_function(X), warned.decision_function(X))


def test_classes_are_sorted_in_whatever_order_they_came() -> None:
    X = np.eye(3)
    model = lsk.PassiveAggressiveClassifier(C=math.inf, fit_intercept=False)
    for row, label in ((0, "c"), (1, "a"), (2, "b")):
        model.partial_fit(X[[row]], [label])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.predict(X).tolist() == ["c", "a", "b"]
    assert np.array_equal(model.coef_, [[-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0], [1.0, -1.0, -1.0]])


def test_one_label_and_then_the_one_before_it() -> None:
    model = lsk.PerceptronClassifier(fit_intercept=False)
    model.fit([[1.0]], ["b"])
    assert model.predict([[5.0]]).tolist() == ["b"]
    model.partial_fit([[-1.0]], ["a"])
    assert model.classes_.tolist() == ["a", "b"]
    assert model.predict([[5.0], [-5.0]]).tolist() == ["b", "a"]


def test_a_third_class_after_two_were_fitted() -> None:
    """The two go on where they are; the newcomer starts from nothing."""
    X, y = blobs(60, 2)
    model = lsk.PerceptronClassifier(random_state=0).fit(X, y)
    before, rounds = model.decision_function(X), model.ledger_.rounds
    model.partial_fit([[50.0, 50.0, 50.0]], [2])
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.ledger_.rounds == rounds + 1
    row = np.array([[50.0, 50.0, 50.0, 1.0]])
    # Each of the two either was right about "another" or took one step away from the row.
    for k, sign in ((0, -1.0), (1, 1.0)):
        binary = sign * before
        mistaken = sign * float(binary_score(X, before, row)) >= 0.0
        moved = binary - (with_ones(X) @ row[0] if mistaken else 0.0)
        assert np.allclose(model.decision_function(X)[:, k], moved)
    assert np.allclose(model.coef_[2], 50.0)


def binary_score(X: FloatArray, before: FloatArray, row: FloatArray) -> float:
    """The binary score of a row, from the scores that were."""
    w = np.linalg.lstsq(with_ones(X), before, rcond=None)[0]
    return float(row[0] @ w)


def rests(learner: ls.Learner) -> list[ls.State]:
    """The learner of no class, and those of the classes."""
    state = learner.state
    assert isinstance(state, ClassStates)
    return [state.row(k) for k in range(state.rows)]


def same_state(left: ls.State, right: ls.State) -> None:
    assert left.arrays.keys() == right.arrays.keys()
    for name, array in left.arrays.items():
        assert array.tobytes() == right.arrays[name].tobytes(), name


def third_class_of_a_kernel(model: RuleClassifier) -> None:
    """The first class is, to the bit, where a learner is that was told the two labels the other way round."""
    X, y = blobs(60, 2)
    model = clone(model).partial_fit(X, y, classes=[0, 1])
    scores, far = model.decision_function(X), np.full((2, 3), 50.0) + np.eye(2, 3)
    grown = rests(with_more_classes(model.learner_))
    model.partial_fit(far, [2, 2])
    first, second = (ls.Learner(model.rule(), labels=(False, True)) for _ in range(2))
    first.learn_many(X, y == 0)
    second.learn_many(X, y == 1)
    nobody = model.rule().init(3)
    assert isinstance(nobody, Support)
    assert isinstance(second.state, Support)
    nobody.sit_out(second.state)
    same_state(grown[0], nobody)
    third = second.with_state(model.rule(), nobody)
    assert (first.score_many(X) == -scores).all()
    same_state(grown[1], first.state)
    same_state(grown[2], second.state)
    for learner, labels in ((first, [False, False]), (second, [False, False]), (third, [True, True])):
        learner.learn_many(far, labels)
    for mine, theirs in zip(rests(model.learner_)[1:], (first, second, third), strict=True):
        same_state(mine, theirs.state)
    assert model.classes_.tolist() == [0, 1, 2]
    assert np.array_equal(model.decision_function(X), np.stack([one.score_many(X) for one in (first, second, third)], axis=1))


KERNELS: tuple[RuleClassifier, ...] = (
    lsk.KernelPerceptronClassifier(kernel=GAUSSIAN),
    lsk.KernelPerceptronClassifier(kernel=GAUSSIAN, budget=5, when_full="drop-oldest"),
    lsk.KernelPassiveAggressiveClassifier(kernel=GAUSSIAN, budget=5),
    lsk.KernelPassiveAggressiveClassifier(kernel=ls.kernels.Polynomial(degree=2), variant="PA-I", C=0.1),
)
every_kernel = pytest.mark.parametrize("model", KERNELS, ids=repr)


@every_kernel
def test_a_third_class_of_a_kernel(model: RuleClassifier) -> None:
    third_class_of_a_kernel(model)


def test_a_third_class_of_a_kernel_in_python() -> None:
    own = ls.kernels.Custom(function=lambda points, x: GAUSSIAN.values(points, x))
    third_class_of_a_kernel(lsk.KernelPerceptronClassifier(kernel=own, budget=5, when_full="drop-oldest"))


@pytest.mark.parametrize("spoiled", [lambda state: state, lambda state: None], ids=["not mirrored", "forgotten"])
def test_a_first_class_that_does_not_go_on_is_caught(spoiled: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("littlestone.sklearn.growth._mirrored", spoiled)
    with pytest.raises(AssertionError):
        third_class_of_a_kernel(KERNELS[0])


@pytest.mark.parametrize("model", [lsk.WinnowClassifier(), lsk.ExponentiatedUpdateClassifier()], ids=name_of)
def test_a_third_class_without_a_mirror_image(model: LinearClassifier) -> None:
    """Positive weights cannot change their sign: the second class goes on, the first starts from nothing like the third."""
    X, y = blobs(60, 2)
    model.fit(X, y)
    before, rounds = model.learner_.state.copy(), model.ledger_.rounds
    nobody, first, second = rests(with_more_classes(model.learner_))
    same_state(second, before)
    for fresh in (nobody, first):
        same_state(fresh, model.rule().init(4))
    model.partial_fit(X[:1], [2])
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.ledger_.rounds == rounds + 1
    for k, own in enumerate((model.rule().init(4), before)):
        alone = ls.Learner(ls.Perceptron()).with_state(model.rule(), own)
        alone.learn_one(with_ones(X)[0], -1)
        assert model.coef_[k].tolist() == alone.state.w[:3].tolist()


@every_classifier
def test_a_sample_of_one_label_and_then_two_more(model: RuleClassifier) -> None:
    X, y = blobs(90, 3)
    model = clone(model).fit(X[y == 1], y[y == 1])
    model.partial_fit(X[y != 1], y[y != 1])
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.decision_function(X).shape == (90, 3)


@every_kernel
def test_kernels_learn_any_number_of_classes(model: RuleClassifier) -> None:
    """Pass by pass each learner is the one that scikit-learn's one-versus-rest makes of the binary estimator."""
    X, y = blobs(90, 3)
    model = clone(model).set_params(max_iter=4, tol=None, random_state=0)
    mine, theirs = clone(model).fit(X, y), OneVsRestClassifier(model).fit(X, y)
    assert isinstance(mine.learner_.rule, ls.OneVersusRest)
    assert np.array_equal(mine.decision_function(X), theirs.decision_function(X))
    assert np.array_equal(mine.predict(X), theirs.predict(X))


@every_kernel
def test_kernels_of_two_classes_are_the_rule_itself_where_two_are_told(model: RuleClassifier) -> None:
    X, y = blobs(60, 2)
    closed, opened = clone(model).partial_fit(X, y, classes=[0, 1]), clone(model).partial_fit(X, y)
    assert isinstance(closed.learner_.rule, type(model.rule()))
    assert isinstance(opened.learner_.rule, ls.OneVersusRest)
    assert np.array_equal(opened.decision_function(X), closed.decision_function(X))


def test_a_kernel_tells_three_blobs_apart() -> None:
    X, y = blobs(90, 3)
    assert lsk.KernelPerceptronClassifier(kernel=GAUSSIAN, random_state=0).fit(X, y).score(X, y) > 0.95


def of_all_rounds(model: RuleClassifier, X: FloatArray, y: npt.NDArray[np.int64]) -> FloatArray:
    """The mean of the scores that the weights of each round give the rows: what an average of weights scores."""
    learner, total, shown = clone(model).set_params(average=False), np.zeros((len(X), 3)), 0
    for t in range(len(X)):
        if shown:
            total += learner.decision_function(X)
        learner.partial_fit(X[t : t + 1], y[t : t + 1], classes=[0, 1, 2])
        shown += 1
    return total / shown


@pytest.mark.parametrize(
    "model",
    [
        lsk.MulticlassPerceptronClassifier(),
        lsk.MulticlassPassiveAggressiveClassifier(),
        lsk.PerceptronClassifier(),
        lsk.OnlineSVMClassifier(),
        lsk.AROWClassifier(),
        lsk.KernelPerceptronClassifier(kernel=GAUSSIAN),
        lsk.KernelPassiveAggressiveClassifier(kernel=GAUSSIAN),
    ],
    ids=name_of,
)
def test_the_average_of_many_classes_scores_with_the_mean_of_all_rounds(model: RuleClassifier) -> None:
    X, y = blobs(60, 3)
    expected = of_all_rounds(model, X, y)
    whole = clone(model).set_params(average=True).partial_fit(X, y, classes=[0, 1, 2])
    pieces = clone(model).set_params(average=True)
    for rows, labels in zip(np.array_split(X, 7), np.array_split(y, 7), strict=True):
        pieces.partial_fit(rows, labels, classes=[0, 1, 2])
    for averaged in (whole, pieces, pickle.loads(pickle.dumps(whole))):
        assert np.allclose(averaged.decision_function(X), expected, rtol=1e-10, atol=1e-12)
    passes = clone(model).set_params(average=True, shuffle=False, max_iter=2, tol=None).fit(X, y)
    twice = of_all_rounds(model, np.concatenate([X, X]), np.concatenate([y, y]))
    assert np.allclose(passes.decision_function(X), twice[: len(X)], rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("model", [lsk.PerceptronClassifier(), lsk.KernelPerceptronClassifier(kernel=GAUSSIAN)], ids=name_of)
def test_a_third_class_counts_as_nothing_in_the_rounds_before_it(model: RuleClassifier) -> None:
    """Two that were learned by one learner have its mean, with its sign; all three go on from there."""
    X, y = blobs(60, 3)
    order = [*np.flatnonzero(y < 2)[:25], *range(60)]
    averaged, plain = clone(model).set_params(average=True), clone(model)
    total = np.zeros((60, 3))
    for t, row in enumerate(order):
        if t:
            scores = plain.decision_function(X)
            total += scores if scores.ndim == 2 else np.stack([-scores, scores, np.zeros(60)], axis=1)
        for one in (averaged, plain):
            one.partial_fit(X[[row]], y[[row]], classes=[0, 1] if t == 0 else None)
    assert averaged.classes_.tolist() == [0, 1, 2]
    assert np.allclose(averaged.decision_function(X), total / len(order), rtol=1e-9, atol=1e-12)


def test_what_has_no_mean_is_refused_before_it_learns() -> None:
    X, y = blobs()
    words = r"^average is True, and \w+ keeps no mean of its weights; give average=False$"
    for model in (lsk.NaiveBayesClassifier(), lsk.PoolClassifier(), lsk.OnlineRidgeRegressor()):
        with pytest.raises(ls.NotApplicable, match=words):
            model.set_params(average=True).fit(X, y)
        with pytest.raises(NotFittedError):
            model.predict(X)
    dropped = lsk.KernelPerceptronClassifier(kernel=GAUSSIAN, budget=2, when_full="drop-oldest", average=True)
    with pytest.raises(ls.NotApplicable, match="the budget dropped points"):
        dropped.fit(*blobs(60, 3)).predict(X)


def test_rows_may_be_seen_in_running_scales() -> None:
    """As a learner behind the view; the constant feature, which never varies, is shown as 1."""
    X, y = blobs(60, 3)
    uneven = X * [1e6, 1.0, 1e-3] + [1e7, 0.0, 0.0]
    for scale, view in (("standard", ls.features.StandardScale()), ("rms,max", RMS | ls.features.MaxScale())):
        model = lsk.PassiveAggressiveClassifier(scale=scale, shuffle=False, max_iter=3, tol=None).fit(uneven, y)
        rule = ls.OneVersusRest(rule=ls.PassiveAggressive(variant="PA-I", C=1.0))
        learner = ls.Learner(rule, labels=(0, 1, 2), view=view)
        for _ in range(model.n_iter_):
            learner.learn_many(with_ones(uneven), y)
        assert np.array_equal(model.decision_function(uneven), learner.score_many(with_ones(uneven)))
    bare, scaled = lsk.PassiveAggressiveClassifier(random_state=0), lsk.PassiveAggressiveClassifier(scale="rms", random_state=0)
    assert scaled.fit(uneven, y).score(uneven, y) > 0.9 > 0.5 > bare.fit(uneven, y).score(uneven, y)
    with pytest.warns(ls.ScaleWarning, match=r'scale="standard" of an estimator\) puts all on one scale'):
        lsk.PerceptronClassifier(max_iter=1).fit(np.repeat(uneven, 20, axis=0), np.repeat(y, 20))
    detector = lsk.UniclassDetector(epsilon=1.0, scale="max").fit(uneven)
    assert detector.learner_.view == ls.features.MaxScale()
    targets = lsk.PassiveAggressiveRegressor(scale="standard").partial_fit(uneven, y.astype(float))
    assert targets.learner_.view == ls.features.StandardScale()
    third = lsk.PerceptronClassifier(scale="max").fit(uneven[y < 2], y[y < 2]).partial_fit(uneven, y)
    assert third.learner_.view == ls.features.MaxScale()
    with pytest.raises(
        ls.InvalidParameter, match="scale must be one of standard, rms, max, gauge, bins, pairs, evidence, or several"
    ):
        lsk.PerceptronClassifier(scale="minmax").fit(X, y)
    with pytest.raises(ls.InvalidParameter, match="Pool has scales of its own"):
        lsk.PoolClassifier(scale="max").fit(X, y)


# Every parameter is honoured, or refused in one sentence.


def test_loss_and_c_are_the_variants() -> None:
    for loss, C, variant in (("hinge", 0.5, "PA-I"), ("squared_hinge", 0.5, "PA-II"), ("hinge", math.inf, "PA")):
        rule = lsk.PassiveAggressiveClassifier().set_params(loss=loss, C=C).rule()
        assert (rule.variant, rule.C) == (variant, None if math.inf == C else C)
    regression = lsk.PassiveAggressiveRegressor(loss="squared_epsilon_insensitive", C=2.0, epsilon=0.25).rule()
    assert (regression.variant, regression.C, regression.epsilon) == ("PA-II", 2.0, 0.25)


def test_the_margin_is_one_because_the_bias_is_within_the_norm() -> None:
    """Outside of it the step is 1/‖x‖² = 1/5 and the score 1 + 1/5: what scikit-learn's estimator answers."""
    x = [[2.0, 1.0]]
    model = lsk.PassiveAggressiveClassifier(C=math.inf).partial_fit(x, [1], classes=[0, 1])
    assert model.decision_function(x)[0] == pytest.approx(1.0, abs=1e-15)
    assert np.allclose(np.append(model.coef_, model.intercept_), [2 / 6, 1 / 6, 1 / 6])
    outside = np.array([2.0, 1.0, 1.0]) / 5.0
    assert outside @ [2.0, 1.0, 1.0] == pytest.approx(1.2)


def test_fit_intercept() -> None:
    X, y = blobs()
    without = lsk.PassiveAggressiveClassifier(fit_intercept=False, random_state=0).fit(X, y)
    assert without.intercept_.tolist() == [0.0]
    assert without.learner_.state.w.shape == (3,)


def test_max_iter_tol_and_n_iter_no_change() -> None:
    X, y = blobs()
    assert lsk.PassiveAggressiveClassifier(max_iter=7, tol=None, random_state=0).fit(X, y).n_iter_ == 7
    with pytest.warns(ConvergenceWarning, match="after 3 passes"):
        assert lsk.PassiveAggressiveClassifier(max_iter=3, random_state=0).fit(X, y).n_iter_ == 3
    # A loss that cannot fall by so much stops after the first pass and the patience.
    for patience in (1, 4):
        model = lsk.PassiveAggressiveClassifier(tol=1e9, n_iter_no_change=patience, random_state=0).fit(X, y)
        assert model.n_iter_ == 1 + patience


def test_patience_counts_passes_without_progress() -> None:
    patience = EarlyStop(0.1, 2)
    assert [patience.ends(loss) for loss in (1.0, 0.95, 0.8, 0.75, 0.74)] == [False, False, False, False, True]
    assert not any(EarlyStop(None, 1).ends(1.0) for _ in range(9))


def test_a_pass_without_an_update_is_the_last() -> None:
    X, y = [[1.0], [-1.0]], [1, 0]
    model = lsk.PassiveAggressiveClassifier(tol=None, shuffle=False, fit_intercept=False).fit(X, y)
    assert (model.n_iter_, model.ledger_.rounds) == (2, 4)
    averaged = lsk.PassiveAggressiveClassifier(tol=None, max_iter=9, average=True).fit(X, y)
    assert averaged.n_iter_ == 9  # every round counts in the mean


def test_shuffle_and_random_state() -> None:
    X, y = blobs()

    def scores(**given: object) -> FloatArray:
        model = lsk.PassiveAggressiveClassifier(max_iter=2, tol=None).set_params(**given)
        return model.fit(X, y).decision_function(X)

    assert np.array_equal(scores(random_state=1), scores(random_state=1))
    assert np.array_equal(scores(random_state=np.random.RandomState(1)), scores(random_state=1))
    assert not np.array_equal(scores(random_state=1), scores(random_state=2))
    assert np.array_equal(scores(random_state=1, shuffle=False), scores(random_state=2, shuffle=False))


def test_early_stopping_holds_rows_out() -> None:
    X, y = blobs(100)
    model = lsk.PassiveAggressiveClassifier(early_stopping=True, validation_fraction=0.3, random_state=0).fit(X, y)
    assert model.ledger_.rounds == 70 * model.n_iter_
    regression = lsk.PassiveAggressiveRegressor(early_stopping=True, random_state=0).fit(X, X @ [1.0, 2.0, 3.0])
    assert regression.ledger_.rounds == 90 * regression.n_iter_
    # A score that must rise by more than it can ends after the first pass and the patience.
    assert lsk.PassiveAggressiveClassifier(early_stopping=True, tol=1.0, random_state=0).fit(X, y).n_iter_ == 6


def test_early_stopping_among_classes_that_are_not_all_there() -> None:
    X, y = blobs(90, 3)
    model = lsk.PassiveAggressiveClassifier(early_stopping=True, warm_start=True, random_state=0).fit(X, y)
    model.fit(X[y < 2], y[y < 2])
    assert model.classes_.tolist() == [0, 1, 2]
    names = np.array(["a", "b", "c"], dtype=object)
    named = lsk.PassiveAggressiveClassifier(early_stopping=True, random_state=0).fit(X, names[y])
    assert set(named.predict(X)) == {"a", "b", "c"}


def test_verbose_prints_a_line_a_pass(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = blobs()
    model = lsk.PassiveAggressiveClassifier(verbose=1, random_state=0).fit(X, y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == model.n_iter_
    assert lines[0].startswith("pass 1: ")
    assert sum(int(line.split()[2]) for line in lines) == model.ledger_.mistakes


def test_warm_start_goes_on() -> None:
    X, y = blobs()
    twice = lsk.PassiveAggressiveClassifier(warm_start=True, shuffle=False, max_iter=1).fit(X, y).fit(X, y)
    once = lsk.PassiveAggressiveClassifier(shuffle=False, max_iter=2, tol=None).fit(X, y)
    assert np.array_equal(twice.coef_, once.coef_)
    assert twice.ledger_ == once.ledger_
    cold = lsk.PassiveAggressiveClassifier(shuffle=False, max_iter=1).fit(X, y).fit(X, y)
    assert cold.ledger_.rounds == 60


def test_class_weight() -> None:
    X, y = blobs()
    weights = np.where(y == 1, 0.1, 2.0)
    by_class = lsk.PassiveAggressiveClassifier(class_weight={0: 2.0, 1: 0.1}, random_state=0).fit(X, y)
    by_row = lsk.PassiveAggressiveClassifier(random_state=0).fit(X, y, sample_weight=weights)
    assert np.array_equal(by_class.coef_, by_row.coef_)
    rare = np.concatenate([np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:10]])
    balanced = lsk.PassiveAggressiveClassifier(class_weight="balanced", random_state=0).fit(X[rare], y[rare])
    by_hand = lsk.PassiveAggressiveClassifier(class_weight={0: 40 / 60, 1: 40 / 20}, random_state=0).fit(X[rare], y[rare])
    assert np.allclose(balanced.coef_, by_hand.coef_)


@pytest.mark.parametrize("chunks", [1, 4])
def test_average_of_many_classes_is_the_mean_of_the_rounds(chunks: int) -> None:
    """Of the weights of every class, round by round, whether its label was met yet or not."""
    X, y = blobs(60, 3)
    rule = ls.OneVersusRest(rule=ls.PassiveAggressive(variant="PA-I", C=0.1))
    learner, total = ls.Learner(rule, labels=(0, 1, 2)), np.zeros((3, X.shape[1] + 1))
    for x, label in zip(with_ones(X), y.tolist(), strict=True):
        total += learner.state.w if learner.ledger.rounds else 0.0
        learner.learn_one(x, label)
    model = lsk.PassiveAggressiveClassifier(C=0.1, average=True)
    for rows, labels in zip(np.array_split(X, chunks), np.array_split(y, chunks), strict=True):
        model.partial_fit(rows, labels, classes=[0, 1, 2])
    assert np.allclose(np.column_stack([model.coef_, model.intercept_]), total / 60, rtol=1e-12)
    assert model.score(X, y) > 0.8
    again = lsk.PassiveAggressiveClassifier(C=0.1, average=True, random_state=0, early_stopping=True, max_iter=20).fit(X, y)
    assert pickle.loads(pickle.dumps(again)).predict(X).tolist() == again.predict(X).tolist()


def test_weights_may_be_shown_sparse() -> None:
    X, y = blobs(60, 3)
    classifier = lsk.PerceptronClassifier(random_state=0).fit(X, y)
    regressor = lsk.PassiveAggressiveRegressor(random_state=0).fit(X, y.astype(float))
    for model in (classifier, regressor):
        dense, scores = model.coef_, model.predict(X)
        assert sparse.issparse(model.sparsify().coef_)
        assert np.array_equal(sparse.csr_array(model.coef_).toarray().reshape(dense.shape), dense)
        assert np.array_equal(model.predict(X), scores)
        assert np.array_equal(model.densify().coef_, dense)
    with pytest.raises(NotFittedError):
        lsk.PerceptronClassifier().sparsify()


def test_average_is_the_mean_of_the_rounds() -> None:
    X, y = blobs()
    model = lsk.PassiveAggressiveClassifier(average=True, shuffle=False, max_iter=2, tol=None).fit(X, y)
    run = ls.run(ls.PassiveAggressive(variant="PA-I", C=1.0), with_ones(X), y, passes=2, average=True)
    assert np.array_equal(model.decision_function(X), run.learner.averaged().score_many(with_ones(X)))
    assert np.array_equal(np.append(model.coef_, model.intercept_), run.learner.averaged().state.w)


def refusals() -> list[tuple[RuleEstimator, str]]:
    return [
        (lsk.PassiveAggressiveClassifier(n_jobs=4), "n_jobs must be None or 1: all classes learn in one pass"),
        (lsk.PassiveAggressiveClassifier().set_params(average=10), "average must be True or False"),
        (lsk.PassiveAggressiveClassifier(C=0.0), "C must be a finite number above 0"),
        (lsk.PassiveAggressiveClassifier().set_params(loss="log"), 'loss must be one of "hinge", "squared_hinge"'),
        (lsk.PassiveAggressiveClassifier(max_iter=0), "max_iter must be a whole number, at least 1"),
        (lsk.PassiveAggressiveClassifier(tol=-1.0), "tol must be a finite number, at least 0, or None"),
        (lsk.PassiveAggressiveClassifier(validation_fraction=1.0), "validation_fraction must be a number strictly between"),
        (lsk.PassiveAggressiveClassifier(class_weight="even"), "class_weight must be a dict of labels"),
        (lsk.PerceptronClassifier(eta=-1.0), "eta must be a number above 0 and at most 1e50"),
    ]


@pytest.mark.parametrize(("model", "words"), refusals(), ids=lambda value: value if isinstance(value, str) else "")
def test_refusals_are_one_sentence(model: RuleClassifier, words: str) -> None:
    X, y = blobs()
    with pytest.raises(ls.InvalidParameter, match=words) as refused:
        model.fit(X, y)
    assert "\n" not in str(refused.value)
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_refusals_that_depend_on_the_data() -> None:
    X, y = blobs(60, 3)
    with pytest.raises(ls.InvalidParameter, match="partial_fit has not seen all rows"):
        lsk.PassiveAggressiveClassifier(class_weight="balanced").partial_fit(X, y)
    with pytest.raises(ls.NotApplicable, match="gives weights no meaning"):
        lsk.PassiveAggressiveClassifier(C=math.inf).fit(X, y, sample_weight=np.full(60, 2.0))


# Weights of rows.


@pytest.mark.parametrize("model", [m for m in MODELS if isinstance(m, WeightedClassifier)], ids=name_of)
def test_a_row_of_weight_zero_is_not_there(model: WeightedClassifier) -> None:
    X, y = blobs()
    weights = (np.arange(60) % 3 > 0).astype(np.float64)
    kept = weights > 0.0
    weighed = clone(model).set_params(shuffle=False, max_iter=3, tol=None).fit(X, y, sample_weight=weights)
    without = clone(model).set_params(shuffle=False, max_iter=3, tol=None).fit(X[kept], y[kept])
    assert np.array_equal(weighed.decision_function(X), without.decision_function(X))


def test_a_weight_multiplies_c() -> None:
    """PA-I with weight 0.25 is PA-I with a quarter of C."""
    X, y = blobs()
    weighed = lsk.PassiveAggressiveClassifier(C=0.4, random_state=0).fit(X, y, sample_weight=np.full(60, 0.25))
    smaller = lsk.PassiveAggressiveClassifier(C=0.1, random_state=0).fit(X, y)
    assert np.allclose(weighed.coef_, smaller.coef_, rtol=1e-12)


@pytest.mark.parametrize(
    ("weights", "words"),
    [(np.ones(59), "expected one weight per row"), (np.full(60, -1.0), "row 0"), (np.zeros(60), "every sample weight is zero")],
)
def test_weights_that_are_none(weights: FloatArray, words: str) -> None:
    X, y = blobs()
    with pytest.raises(ls.InvalidData, match=words):
        lsk.PerceptronClassifier().fit(X, y, sample_weight=weights)


# At home in scikit-learn.


def test_in_a_pipeline_a_search_and_a_cross_validation() -> None:
    X, y = make_blobs(150, 4, centers=3, cluster_std=2.0, random_state=0)
    model = make_pipeline(StandardScaler(), lsk.PassiveAggressiveClassifier(random_state=0))
    assert cross_val_score(model, X, np.array(["a", "b", "c"])[y], cv=3).mean() > 0.8
    search = GridSearchCV(model, {"passiveaggressiveclassifier__C": [1e-9, 0.1]}, cv=3).fit(X, y)
    assert search.best_params_ == {"passiveaggressiveclassifier__C": 0.1}


def test_regression() -> None:
    X, y = make_regression(200, 5, noise=0.1, random_state=0)
    for model in (lsk.PassiveAggressiveRegressor(random_state=0), lsk.PassiveAggressiveRegressor(C=math.inf, random_state=0)):
        assert model.fit(X, y).score(X, y) > 0.999
        assert np.allclose(X @ model.coef_ + model.intercept_, model.predict(X))


def test_frames_name_their_features() -> None:
    X, y = blobs()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = lsk.PerceptronClassifier(random_state=0).fit(frame, y)
    names: object = getattr(model, "feature_names_in_", None)
    assert isinstance(names, np.ndarray)
    assert names.tolist() == ["a", "b", "c"]
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["b", "a", "c"]])


@every_estimator
def test_a_copy_goes_on_with_the_same_bits(model: RuleEstimator) -> None:
    X, y = blobs()
    outcomes = y if isinstance(model, RuleClassifier) else y.astype(np.float64)
    fitted = clone(model).set_params(random_state=0, max_iter=2, tol=None)
    assert isinstance(fitted, RuleClassifier | RuleRegressor | RuleDetector)
    fitted.fit(X[:40], outcomes[:40])
    twins = [copy.deepcopy(fitted), pickle.loads(pickle.dumps(fitted))]
    fitted.partial_fit(X[40:], outcomes[40:])
    for twin in twins:
        assert isinstance(twin, type(fitted))
        twin.partial_fit(X[40:], outcomes[40:])
        assert np.array_equal(twin.predict(X), fitted.predict(X))
        assert twin.ledger_ == fitted.ledger_


def test_clones_know_nothing() -> None:
    X, y = blobs()
    model = lsk.PerceptronClassifier(eta=2.0, start=np.array([1.0, 2.0])).fit(X, y)
    twin = clone(model)
    assert twin.eta == 2.0
    assert not hasattr(twin, "learner_")
    with pytest.raises(NotFittedError):
        twin.certify()


def test_a_fit_that_fails_leaves_what_was_there() -> None:
    X, y = blobs()
    model = lsk.MultiplicativePassiveAggressiveClassifier(margin=0.1, constants="printed", warm_start=True)
    model.fit(np.abs(X), y)
    before, ledger = model.coef_, model.ledger_
    with pytest.raises(ls.InvalidData, match='with constants="printed" values must be at least 0'):
        model.fit(X, y)
    assert np.array_equal(model.coef_, before)
    assert model.ledger_ == ledger


def test_a_chunk_that_fails_in_its_last_row_is_not_learned() -> None:
    X, y = np.ones((300_000, 1)), np.arange(300_000) % 2
    X[-1] = -1.0
    model = lsk.MultiplicativePassiveAggressiveClassifier(margin=0.1, constants="printed").partial_fit(
        [[1.0]], [1], classes=[0, 1]
    )
    with pytest.raises(ls.InvalidData, match="values must be at least 0"):
        model.partial_fit(X, y)
    assert model.ledger_.rounds == 1


def test_detectors_know_inside_from_outside() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)) * 0.3
    model = lsk.UniclassDetector(epsilon=1.0, random_state=0).fit(X)
    far = np.full((5, 3), 4.0)
    assert model.predict(far).tolist() == [-1] * 5
    assert (model.predict(X) == 1).mean() > 0.95
    centre = model.learner_.state.w
    distance = np.linalg.norm(far - centre, axis=1)
    assert np.allclose(model.score_samples(far), -distance)
    assert np.allclose(model.decision_function(far), 1.0 - distance)
    assert model.offset_ == -1.0


@pytest.mark.parametrize("estimator", lsk.ESTIMATORS, ids=lambda estimator: estimator.__name__)
def test_every_estimator_can_be_made_without_arguments(estimator: type[RuleEstimator]) -> None:
    model = estimator()
    model.rule()
    assert clone(model).get_params().keys() == model.get_params().keys()


def test_without_scikit_learn_the_extra_is_named() -> None:
    code = (
        "import sys, importlib.util as u; find = u.find_spec;"
        "u.find_spec = lambda name, *rest: None if name == 'sklearn' else find(name, *rest);"
        "import littlestone.sklearn"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stderr
    assert "littlestone.sklearn needs scikit-learn; pip install 'littlestone[sklearn]'" in told


@pytest.mark.parametrize("classes", [2, 3])
@every_classifier
def test_probabilities_where_scores_are_log_odds(model: RuleClassifier, classes: int) -> None:
    X, y = blobs(60, classes)
    assert hasattr(model, "predict_proba") == model.rule().abilities.has_log_odds
    if not model.rule().abilities.has_log_odds:
        return
    fitted = clone(model).set_params(max_iter=1, random_state=0).fit(X, y)
    chances = fitted.predict_proba(X)
    assert chances.shape == (60, classes)
    assert np.allclose(chances.sum(axis=1), 1.0)
    if classes == 2:
        assert np.allclose(chances[:, 1], 1.0 / (1.0 + np.exp(-fitted.decision_function(X))))


def with_gaps(kind: str) -> tuple[FloatArray, FloatArray]:
    source = np.random.default_rng(8)
    X = source.normal(size=(300, 4))
    lean = X[:, 0] - 2.0 * X[:, 1]
    X[source.random(X.shape) < 0.2] = np.nan
    return X, lean if kind == "targets" else np.digitize(lean, [0.0] if kind == "labels" else [-1.0, 1.0]).astype(float)


@pytest.mark.parametrize("kind", ["labels", "classes", "targets"])
def test_a_pool_leaves_missing_values_out_as_its_learner_does(kind: str) -> None:
    X, y = with_gaps(kind)
    model: RuleClassifier | RuleRegressor = lsk.PoolRegressor() if kind == "targets" else lsk.PoolClassifier()
    learner = ls.Learner(model.rule(), missing="skip")
    for begin in range(0, 300, 100):
        model.partial_fit(X[begin : begin + 100], y[begin : begin + 100])
        learner.learn_many(X[begin : begin + 100], y[begin : begin + 100])
    assert model.ledger_.missing == learner.ledger.missing == np.isnan(X).sum()
    shown = model.predict(X) if isinstance(model, RuleRegressor) else model.decision_function(X)
    assert np.array_equal(shown, learner.score_many(X))
    sparse_one = clone(model).partial_fit(sparse.csr_matrix(X), y)
    assert sparse_one.ledger_.missing == np.isnan(X).sum()
    assert clone(model).set_params(max_iter=3, tol=None, random_state=0).fit(X, y).score(X, y) > 0.5
    with pytest.raises(ValueError, match="infinity"):
        model.predict(np.where(np.isnan(X), np.inf, X))
    with pytest.raises(ValueError, match="infinity"):
        clone(model).fit(np.where(np.isnan(X), np.inf, X), y)


def test_other_rules_refuse_missing_values() -> None:
    X, y = with_gaps("labels")
    with pytest.raises(ValueError, match="NaN"):
        lsk.PerceptronClassifier().fit(X, y)


@pytest.mark.parametrize("kind", ["labels", "classes"])
def test_logarithms_of_probabilities_are_theirs(kind: str) -> None:
    X, y = with_gaps(kind)
    model = lsk.PoolClassifier().fit(X, y)
    assert np.array_equal(model.predict_log_proba(X), np.log(model.predict_proba(X)))
    assert not hasattr(lsk.PerceptronClassifier(), "predict_log_proba")
