"""Probabilities of any rule: the slope by hand, the same bits everywhere, what it leaves alone, and what is refused."""

from __future__ import annotations

import copy
import json
import math
import pickle
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import littlestone as ls
import reading
from littlestone import store
from littlestone.arrays import FloatArray
from littlestone.calibration import Calibration
from littlestone.cli.main import main
from littlestone.kernels import Gaussian
from littlestone.report.linear import study
from littlestone.river import Classifier
from littlestone.sklearn import OnlineSVMClassifier, PerceptronClassifier, PoolClassifier
from test_views import PlainPerceptron

RULES: list[ls.LinearRule] = [
    ls.Perceptron(),
    ls.RandomizedPerceptron(),
    ls.PassiveAggressive(variant="PA-I", C=0.5),
    ls.OnlineSVM(),
    ls.Winnow(),
    ls.NaiveBayes(),
    ls.KernelPerceptron(kernel=Gaussian(gamma=0.5), budget=10, when_full="drop-oldest"),
    ls.MulticlassPerceptron(),
    ls.MulticlassPassiveAggressive(),
    ls.OneVersusRest(rule=ls.PassiveAggressive(variant="PA-I", C=0.5)),
    ls.OneVersusRest(rule=ls.NaiveBayes()),
    ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=Gaussian(gamma=0.5))),
]
every_rule = pytest.mark.parametrize("rule", RULES, ids=repr)


def table(rule: ls.LinearRule, rows: int = 200, seed: int = 0) -> tuple[FloatArray, list[str]]:
    """Rows with noise, and two labels or four classes, of which the last comes late."""
    source = np.random.default_rng(seed)
    X = np.abs(source.normal(size=(rows, 5)))
    noisy = X + source.normal(size=X.shape)
    best = np.argmax(noisy[:, : 4 if rule.abilities.classes else 2], axis=1)
    best[: rows // 2] %= 3
    return X, [f"class {k}" for k in best]


def learned(rule: ls.LinearRule, *, calibrate: bool = True, rows: int = 200) -> ls.Learner:
    learner = ls.Learner(rule, calibrate=calibrate)
    learner.learn_many(*table(rule, rows))
    return learner


def slope_of(learner: ls.Learner) -> dict[str, float]:
    calibration = learner.snapshot().calibration
    assert calibration is not None
    return {name: float(array[0]) for name, array in calibration.arrays.items()}


def same(one: ls.Learner, other: ls.Learner, X: FloatArray | list[dict[str, float]]) -> None:
    assert slope_of(one) == slope_of(other)
    assert one.ledger == other.ledger
    assert one.probability_many(X).tobytes() == other.probability_many(X).tobytes()


# The definition.


def test_two_rounds_by_hand() -> None:
    """A score of 2 is the mean lead: z = (−1, 0), p = σ(1); what came is the positive one."""
    known = Calibration.fresh()
    known.learn([0.0, 2.0], 1)
    p = 1.0 / (1.0 + math.exp(-1.0))
    c = 1.0 / (1.0 + p * (1.0 - p) * 0.3)
    assert known.slope[0] == pytest.approx(1.0 + 0.3 * c * (1.0 - p), rel=1e-15)
    assert known.variance[0] == pytest.approx(0.999 * 0.3 * c + 0.0003, rel=1e-15)
    assert known.told([0.0, -2.0])[1] == pytest.approx(1.0 / (1.0 + math.exp(float(known.slope[0]))), rel=1e-15)
    known.learn([0.0, 4.0], 0)
    assert (known.lead[0], known.leads[0]) == (3.0, 2.0)


def test_three_classes_by_hand() -> None:
    """Scores 3, 1 and 0: the largest leads the others by 2.5 on average, so z = (0, −.8, −1.2)."""
    told = Calibration.fresh().told([3.0, 1.0, 0.0])
    assert told == pytest.approx(np.exp([0.0, -0.8, -1.2]) / np.exp([0.0, -0.8, -1.2]).sum(), rel=1e-15)


@given(st.lists(st.tuples(st.lists(st.floats(-50.0, 50.0), min_size=3, max_size=3), st.integers(0, 2)), max_size=20))
def test_the_core_repeats_the_definition(rounds: list[tuple[list[float], int]]) -> None:
    mine = Calibration.fresh()
    core = Calibration.fresh()
    bound = core.bound()
    blank = ls.Interval.open_half_line(1)
    for scores, truth in rounds:
        row = ls.Learner(ls.Perceptron()).batch([[1.0]])[0]
        trial = ls.Trial(0.0, blank, 0.0, row, 1, truth=truth)
        totals = core.chances(np.array([scores]))
        assert totals[0].tolist() == pytest.approx(mine.told(scores), rel=1e-12)
        bound.foretell(trial, np.array(scores), 3)
        bound.learn(1.0)
        mine.learn(scores, truth)
        for name, array in mine.arrays.items():
            assert core.arrays[name].tolist() == pytest.approx(array.tolist(), rel=1e-9), name


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=5), st.floats(-1e3, 1e3), st.sampled_from([0.25, 1.0, 1024.0]))
def test_a_shift_and_a_unit_of_all_scores_change_nothing(scores: list[float], shift: float, unit: float) -> None:
    fresh, whole = Calibration.fresh(), [float(round(score)) for score in scores]
    moved = [unit * (score + round(shift)) for score in whole]
    assert fresh.told(moved) == pytest.approx(fresh.told(whole), rel=1e-12)


@given(st.lists(st.floats(-1e200, 1e200), min_size=2, max_size=4))
def test_probabilities_are_in_the_order_of_scores(scores: list[float]) -> None:
    chances = Calibration.fresh().chances(np.array([scores]))[0]
    assert chances.sum() == pytest.approx(1.0)
    assert (chances > 0.0).all()
    order = np.argsort(scores, kind="stable")
    assert (np.diff(chances[order]) >= 0.0).all()


# In a learner.


@every_rule
def test_labels_and_weights_are_those_without_it(rule: ls.LinearRule) -> None:
    with_it, without = learned(rule), learned(rule, calibrate=False)
    for name, array in without.state.arrays.items():
        assert with_it.state.arrays[name].tobytes() == array.tobytes()
    told, plain = with_it.ledger.to_dict(), without.ledger.to_dict()
    about = {"forecasts", "log_loss", "brier", "tenths"}
    assert {name: told[name] for name in told if name not in about} == {
        name: plain[name] for name in plain if name not in about
    }
    assert with_it.ledger.forecasts > 190


@every_rule
def test_one_row_at_a_time_in_chunks_and_at_once(rule: ls.LinearRule) -> None:
    X, y = table(rule)
    whole, one, parts, sparse = (ls.Learner(rule, calibrate=True) for _ in range(4))
    whole.learn_many(X, y)
    for x, label in zip(X, y, strict=True):
        one.learn_one(x, label)
    for begin, end in ((0, 1), (1, 77), (77, 200)):
        parts.learn_many(X[begin:end], y[begin:end])
    sparse.learn_many(csr_array(X), y)
    for other in (one, parts, sparse):
        same(whole, other, X)


@every_rule
def test_dicts(rule: ls.LinearRule) -> None:
    X, y = table(rule)
    rows = [{f"f{i}": float(value) for i, value in enumerate(x)} for x in X]
    one, many = ls.Learner(rule, calibrate=True), ls.Learner(rule, calibrate=True)
    for row, label in zip(rows, y, strict=True):
        one.learn_one(row, label)
    many.learn_many(rows, y)
    same(one, many, rows)
    assert slope_of(one) == slope_of(learned(rule))


@every_rule
def test_saved_pickled_and_copied_it_goes_on(rule: ls.LinearRule, tmp_path: Path) -> None:
    X, y = table(rule)
    whole, half = ls.Learner(rule, calibrate=True), ls.Learner(rule, calibrate=True)
    whole.learn_many(X, y)
    half.learn_many(X[:90], y[:90])
    half.save(tmp_path / "half.lst")
    for other in (ls.load(tmp_path / "half.lst"), pickle.loads(pickle.dumps(half)), copy.deepcopy(half)):
        assert other.calibrates
        other.learn_many(X[90:], y[90:])
        same(whole, other, X)


@every_rule
def test_scoring_changes_nothing(rule: ls.LinearRule) -> None:
    learner = learned(rule)
    before, X = slope_of(learner), table(rule)[0]
    learner.probability_one(X[0])
    learner.probability_many(X)
    learner.predict_many(X)
    assert slope_of(learner) == before


@every_rule
def test_a_round_is_foretold_as_it_is_shown(rule: ls.LinearRule) -> None:
    """What `probability_one` says before a round is what its log loss goes by; a class that is new has none."""
    X, y = table(rule, 60)
    learner, lost = ls.Learner(rule, calibrate=True), 0.0
    learner.learn_many(X[:20], y[:20])
    before = learner.ledger
    for x, label in zip(X[20:], y[20:], strict=True):
        lost -= math.log(learner.probability_one(x).get(label, 1.0))
        learner.learn_one(x, label)
    assert learner.ledger.log_loss - before.log_loss == pytest.approx(lost, rel=1e-12)


@every_rule
def test_the_most_likely_label_is_the_one_that_is_predicted(rule: ls.LinearRule) -> None:
    if isinstance(rule, ls.RandomizedPerceptron):
        pytest.skip("it draws its labels")
    learner, X = learned(rule), table(rule, seed=1)[0]
    names = np.asarray(learner.labels, dtype=object)
    chances = learner.probability_many(X)
    sure = chances.max(axis=1) > np.sort(chances, axis=1)[:, -2]
    assert (names[np.argmax(chances, axis=1)] == learner.predict_many(X))[sure].all()


def test_a_rule_in_python_has_the_same_bits() -> None:
    core, plain = learned(ls.Perceptron()), learned(PlainPerceptron())
    assert slope_of(core) == slope_of(plain)
    assert core.ledger.log_loss == plain.ledger.log_loss
    assert core.ledger.brier == plain.ledger.brier


def test_a_round_of_weight_0_is_recorded_and_teaches_nothing() -> None:
    learner = learned(ls.Perceptron())
    before = slope_of(learner)
    learner.learn_one([1.0, 0.0, 0.0, 0.0, 0.0], "class 0", weight=0.0)
    assert slope_of(learner) == before
    assert learner.ledger.forecasts == 201


def test_a_refused_call_changes_nothing() -> None:
    learner = learned(ls.Perceptron())
    before = slope_of(learner)
    with pytest.raises(ls.InvalidData):
        learner.learn_many([[1.0] * 5, [math.nan] * 5], ["class 0", "class 1"])
    with pytest.raises(ls.InvalidData):
        learner.learn_many([[1e300] * 5, [1e300] * 5, [1e308] * 5], ["class 0", "class 1", "class 0"])
    assert slope_of(learner) == before


def test_rows_that_come_again_do_not_make_it_sure_of_itself() -> None:
    """In a second pass the mean lead goes on, for the scores do, and the slope rests."""
    X, y = table(ls.Perceptron())
    learner = ls.Learner(ls.Perceptron(), calibrate=True)
    learner.learn_many(X, y)
    before = slope_of(learner)
    learner.next_pass()
    learner.learn_many(X, y)
    after = slope_of(learner)
    assert after["slope"] == before["slope"]
    assert after["lead"] != before["lead"]


def test_behind_a_view_and_told_late() -> None:
    rule = ls.PassiveAggressive()
    X, y = table(rule)
    viewed = ls.Learner(rule, view=ls.features.StandardScale(), calibrate=True)
    viewed.learn_many(X, y)
    assert viewed.ledger.forecasts == 200
    late = ls.Delayed(ls.Learner(rule, calibrate=True))
    for t, x in enumerate(X):
        late.predict(t, x, time=t)
    for t, label in enumerate(y):
        late.label(t, label, time=200 + t)
    assert late.model.ledger.forecasts == 200


@pytest.mark.parametrize("passes", [1, 3])
@pytest.mark.parametrize("rule", [ls.Perceptron(), ls.MulticlassPerceptron()], ids=repr)
def test_a_run_is_certified_and_drawn_as_without_it(rule: ls.LinearRule, passes: int) -> None:
    run = ls.run(rule, *table(rule), calibrate=True, passes=passes)
    assert all(certificate.verdict is not ls.Verdict.VIOLATED for certificate in run.certify())
    found = study(run, None)
    assert found.curve
    assert found.curve[-1].log_loss == run.ledger.log_loss > 0.0


# What it is worth.


@pytest.mark.parametrize("rule", [ls.Perceptron(), ls.PassiveAggressive(variant="PA-I", C=0.1), ls.SignedWinnow()], ids=repr)
def test_the_log_loss_on_real_rows(rule: ls.LinearRule) -> None:
    """The probabilities of a9a are worth more than the frequency of the label (.552), and come as often as they say."""
    learner = ls.Learner(rule, calibrate=True)
    for X, y in ls.read(reading.data("libsvm/a9a.svm.gz")):
        learner.learn_many(X, y)
    ledger = learner.ledger
    assert ledger.log_loss / ledger.rounds < 0.45
    assert max(abs(told - came) for told, came, rounds in ledger.reliability if rounds > 500) < 0.2


def test_naive_bayes_is_less_sure_of_itself() -> None:
    losses = []
    for calibrate in (False, True):
        learner = ls.Learner(ls.NaiveBayes(), calibrate=calibrate)
        for X, y in ls.read(reading.data("libsvm/a9a.svm.gz")):
            learner.learn_many(X, y)
        losses.append(learner.ledger.log_loss / learner.ledger.rounds)
    assert losses[1] < 0.4 < losses[0]


# What is refused.


def test_without_it_the_refusal_says_what_to_type() -> None:
    learner = learned(ls.Perceptron(), calibrate=False)
    assert not learner.has_probabilities
    with pytest.raises(ls.NotApplicable, match=r"make the learner with calibrate=True for probabilities, or learn by ls\.Pool"):
        learner.probability_one([1.0] * 5)
    with pytest.raises(ls.NotApplicable, match="PassiveAggressiveRegression is no log-odds; it has no probabilities"):
        ls.Learner(ls.PassiveAggressiveRegression()).probability_one([1.0])


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (ls.Pool(), "Pool has calibrated probabilities; leave it out"),
        (ls.PassiveAggressiveRegression(), "rules that learn labels, and PassiveAggressiveRegression does not"),
        (ls.Uniclass(epsilon=1.0), "rules that learn labels, and Uniclass does not"),
    ],
    ids=["pool", "targets", "rows alone"],
)
def test_rules_without_a_use_for_it(rule: ls.LinearRule, words: str) -> None:
    with pytest.raises(ls.InvalidParameter, match=words):
        ls.Learner(rule, calibrate=True)


def test_other_refusals() -> None:
    with pytest.raises(ls.InvalidParameter, match="calibrate must be True or False"):
        ls.Learner(ls.Perceptron(), calibrate=cast("bool", 1))
    with pytest.raises(ls.NotApplicable, match="a slope is of one learner's scores"):
        ls.mix([learned(ls.Perceptron()), learned(ls.Perceptron())])


def test_a_forged_calibration_is_refused(tmp_path: Path) -> None:
    learner = learned(ls.Perceptron())
    calibration = learner._body.bound.calibration
    assert calibration is not None
    calibration.slope[:] = -1.0
    learner.save(tmp_path / "forged.lst")
    with pytest.raises(ls.InvalidData, match="a number of its calibration is below 0"):
        ls.load(tmp_path / "forged.lst")


def test_the_file_has_a_version_that_earlier_readers_refuse(tmp_path: Path) -> None:
    learned(ls.Perceptron()).save(tmp_path / "with.lst")
    learned(ls.Perceptron(), calibrate=False).save(tmp_path / "without.lst")
    assert [store.stamp(tmp_path / name).version for name in ("with.lst", "without.lst")] == [3, 1]


# On the command line, in scikit-learn and in River.


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def stream_of(path: Path, rule: ls.LinearRule) -> str:
    X, y = table(rule)
    path.write_text(
        "\n".join(
            f"{label[-1]} " + " ".join(f"{i + 1}:{v:.6f}" for i, v in enumerate(x)) for x, label in zip(X, y, strict=True)
        )
    )
    return str(path)


def test_on_the_command_line(tmp_path: Path) -> None:
    rows, model, page = stream_of(tmp_path / "rows.svm", ls.Perceptron()), str(tmp_path / "m.lst"), tmp_path / "run.html"
    run("learn", rows, "--rule", "perceptron", "--calibrate", "--model", model, "--report", str(page))
    assert json.loads(run("inspect", model, "--json"))["ledger"]["forecasts"] == 200
    line = run("predict", model, rows, "--probabilities").splitlines()[0].split()
    assert float(line[1]) + float(line[2]) == pytest.approx(1.0, abs=1e-5)
    assert "Reliability of the probabilities" in page.read_text()
    assert "calibrated" in run("inspect", model)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--calibrate",), "--calibrate is for a --rule; the pool has calibrated probabilities"),
        (("--rule", "uniclass", "--epsilon", "1", "--calibrate"), "calibrate is for rules that learn labels"),
        (("--rule", "perceptron", "--workers", "2", "--calibrate"), "--calibrate is for one learner of all rows"),
    ],
    ids=["pool", "rows alone", "workers"],
)
def test_refused_on_the_command_line(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    result = CliRunner().invoke(main, ["learn", stream_of(tmp_path / "rows.svm", ls.Perceptron()), *arguments])
    assert result.exit_code != 0
    assert words in result.output


def test_a_model_without_it_says_how_to_learn_one(tmp_path: Path) -> None:
    rows, model = stream_of(tmp_path / "rows.svm", ls.Perceptron()), str(tmp_path / "m.lst")
    run("learn", rows, "--rule", "perceptron", "--model", model)
    result = CliRunner().invoke(main, ["predict", model, rows, "--probabilities"])
    assert result.exit_code != 0
    assert "--calibrate for probabilities" in result.output


def test_an_estimator_of_scikit_learn_has_probabilities() -> None:
    X, y = table(ls.MulticlassPerceptron())
    assert not hasattr(PerceptronClassifier(), "predict_proba")
    for labels in (
        y,
        [label if label != "class 3" else "class 0" for label in y],
        ["yes" if "0" in label else "no" for label in y],
    ):
        model = PerceptronClassifier(calibrate=True, random_state=0).fit(X, labels)
        chances = model.predict_proba(X)
        assert chances.shape == (200, len(set(labels)))
        assert np.allclose(chances.sum(axis=1), 1.0)
        sure = chances.max(axis=1) > np.sort(chances, axis=1)[:, -2]
        assert (model.classes_[np.argmax(chances, axis=1)] == model.predict(X))[sure].all()


def test_an_estimator_that_meets_a_third_class_says_the_same_of_the_two() -> None:
    """The scores of the two become each other's mirror image, and lead twice as far; the third has a score of 0."""
    X, y = table(ls.Perceptron())
    model = OnlineSVMClassifier(calibrate=True).partial_fit(X, y, classes=["class 0", "class 1"])
    before = model.predict_proba(X)
    model.partial_fit(np.zeros((1, 5)), ["class 2"])
    after = model.predict_proba(X)
    ratios = [np.log(chances[:, 1] / chances[:, 0]) for chances in (before, after)]
    assert np.abs(ratios[0] - ratios[1]).max() < 0.2


def test_what_estimators_refuse() -> None:
    X, y = table(ls.Perceptron())
    with pytest.raises(ls.InvalidParameter, match="calibrate learns the slope of the last weights"):
        PerceptronClassifier(calibrate=True, average=True).fit(X, y)
    with pytest.raises(ls.InvalidParameter, match="Pool has calibrated probabilities"):
        PoolClassifier(calibrate=True).fit(X, y)
    model = Classifier(ls.Perceptron(), calibrate=False)
    model.learn_one({"a": 1.0}, "yes")
    with pytest.raises(ls.NotApplicable, match="calibrate=True"):
        model.predict_proba_one({"a": 1.0})


def test_a_model_of_river_has_the_probabilities_of_its_learner() -> None:
    X, y = table(ls.Perceptron())
    model = Classifier(ls.Perceptron(), intercept=False)
    learner = ls.Learner(ls.Perceptron(), calibrate=True)
    for x, label in zip(X, y, strict=True):
        row = {f"f{i}": float(value) for i, value in enumerate(x)}
        assert (
            len(set(learner.labels)) < 2
            or learner.ledger.rounds == 0
            or model.predict_proba_one(row) == pytest.approx(learner.probability_one(row))
        )
        model.learn_one(row, label)
        learner.learn_one(row, label)
