"""The pool: laws, what it must survive, and what it reaches on real streams."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

import laws
import littlestone as ls
from inventory import POOLS, asked
from littlestone.arrays import FloatArray
from littlestone.pool.state import PoolState
from strategies import Stream, streams

every_pool = pytest.mark.parametrize("rule", POOLS, ids=repr)


def drawn(rule: ls.LinearRule, data: st.DataObject) -> Stream:
    return data.draw(streams("targets") if isinstance(rule, ls.PoolRegression) else streams("labels"))


def waves(count: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """Four columns, and a target that is not linear in them; long enough for two generations of bins."""
    source = np.random.default_rng(seed)
    X = source.normal(size=(count, 4))
    return X, np.sin(3.0 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * source.normal(size=count)


def outcomes_for(rule: ls.LinearRule, target: FloatArray) -> FloatArray:
    return target if isinstance(rule, ls.PoolRegression) else np.where(target > 0, 1, -1)


@every_pool
@pytest.mark.parametrize("law", asked("pools"), ids=lambda law: law.__name__)
@given(data=st.data())
def test_law(law: laws.Law, rule: ls.LinearRule, data: st.DataObject) -> None:
    law(rule, drawn(rule, data))


@every_pool
@given(data=st.data())
def test_dicts_equal_arrays(rule: ls.LinearRule, data: st.DataObject) -> None:
    laws.dicts_equal_arrays(rule, drawn(rule, data))


@every_pool
@pytest.mark.parametrize("law", [laws.many_equals_one_by_one, laws.predicting_is_pure, laws.restoring_goes_on])
def test_law_with_views(law: laws.Law, rule: ls.LinearRule) -> None:
    X, target = waves(520)
    law(rule, Stream(X, outcomes_for(rule, target)))


@every_pool
def test_files_pickles_and_copies_go_on(rule: ls.LinearRule, tmp_path: Path) -> None:
    X, target = waves(700)
    y = outcomes_for(rule, target)
    learner = ls.Learner(rule)
    learner.learn_many(X[:450], y[:450])
    learner.save(tmp_path / "pool.lst")
    twins = [ls.load(tmp_path / "pool.lst"), pickle.loads(pickle.dumps(learner)), copy.deepcopy(learner)]
    expected = learner.learn_many(X[450:], y[450:], keep=("score",))["score"]
    for twin in twins:
        assert isinstance(twin, ls.Learner)
        assert twin.learn_many(X[450:], y[450:], keep=("score",))["score"].tobytes() == expected.tobytes()
        assert laws.fingerprint(twin) == laws.fingerprint(learner)


def test_a_third_label_makes_classes_of_a_pair() -> None:
    source = np.random.default_rng(1)
    X = source.normal(size=(300, 3))
    y = np.array(["no", "yes", "perhaps"])[np.argmax(X, axis=1)]
    y[:40] = np.where(X[:40, 0] > X[:40, 1], "no", "yes")
    whole, parts, single = (ls.Learner(ls.Pool()) for _ in range(3))
    kept = whole.learn_many(X, y, keep=("score", "loss", "mistake"))
    pieces = [parts.learn_many(X[a:b], y[a:b], keep=("score", "loss", "mistake")) for a, b in ((0, 7), (7, 200), (200, 300))]
    for x, label in zip(X, y, strict=True):
        single.learn_one(x, label)
    for other in (parts, single):
        laws.same(whole, other)
    for name, column in kept.items():
        assert column.tobytes() == np.concatenate([piece[name] for piece in pieces]).tobytes()
    assert whole.score_many(X).shape == (300, 3)
    assert set(whole.labels) == {"no", "yes", "perhaps"}
    assert (whole.predict_many(X[200:]) == y[200:]).mean() > 0.8


def test_the_first_two_labels_are_one_pool_and_its_mirror() -> None:
    """The scores of a pair turned into classes are the score of the pair and its negative, but for what was learned since."""
    X, target = waves(200)
    pair, three = ls.Learner(ls.Pool()), ls.Learner(ls.Pool())
    y = np.where(target > 0, 1, -1)
    pair.learn_many(X, y)
    three.learn_many(X, y)
    three.learn_one(np.zeros(4), 7, weight=0.0)
    scores = three.score_many(X)
    assert np.abs(scores[:, 1] - pair.score_many(X)).max() < 1e-9
    assert np.abs(scores[:, 0] + pair.score_many(X)).max() < 1e-3


@every_pool
def test_what_is_refused_changes_nothing(rule: ls.LinearRule) -> None:
    X, target = waves(60)
    learner = ls.Learner(rule)
    learner.learn_many(X, outcomes_for(rule, target))
    before = laws.fingerprint(learner)
    bad = X.copy()
    bad[31, 2] = np.nan
    with pytest.raises(ls.InvalidData, match="row 31"):
        learner.learn_many(bad, outcomes_for(rule, target))
    with pytest.raises(ls.InvalidData):
        learner.learn_one(bad[31], 1)
    assert laws.fingerprint(learner) == before


@pytest.mark.parametrize("rule", [ls.Pool(views=("raw",)), ls.PoolRegression(views=("raw",))], ids=repr)
def test_a_round_of_weight_0_is_recorded_and_not_learned(rule: ls.LinearRule) -> None:
    X, target = waves(30)
    y = outcomes_for(rule, target)
    learner, other = ls.Learner(rule, labels=laws.pair_of(rule)), ls.Learner(rule, labels=laws.pair_of(rule))
    learner.learn_many(X, y, np.arange(30) % 2)
    other.learn_many(X[1::2], y[1::2])
    assert learner.ledger.rounds == 30
    assert learner.score_many(X).tobytes() == other.score_many(X).tobytes()


@pytest.mark.parametrize("power", [0.0, 3.0])
def test_scales_do_not_matter(power: float) -> None:
    X, target = waves(3000)
    y = np.where(target > 0, 1, -1)
    scales = 10.0 ** np.random.default_rng(5).uniform(-power, power, size=4)
    plain = ls.run(ls.Pool(), X, y, keep=("score", "prediction"))
    scaled = ls.run(ls.Pool(), X * scales, y, keep=("score", "prediction"))
    p, q = (expit(run.columns["score"].astype(np.float64)) for run in (plain, scaled))
    assert np.abs(p - q).max() < 1e-3
    assert (plain.columns["prediction"] != scaled.columns["prediction"]).mean() <= 1e-3
    assert abs(plain.ledger.mean_loss - scaled.ledger.mean_loss) < 1e-4


def test_outliers_do_no_lasting_harm() -> None:
    X, target = waves(3000)
    y = np.where(target > 0, 1, -1)
    wild = X.copy()
    wild[np.random.default_rng(6).random(X.shape) < 0.01] *= 1e6
    plain, harmed = ls.run(ls.Pool(), X, y), ls.run(ls.Pool(), wild, y, keep=("score",))
    assert np.isfinite(harmed.columns["score"]).all()
    assert harmed.ledger.mean_loss < plain.ledger.mean_loss + 0.06


def best_member(run: ls.Run) -> float:
    """The least log loss of a member."""
    assert isinstance(run.state, ls.PoolState)
    return min(run.state.accounts()["member_losses"])


@pytest.mark.parametrize("label", [-1, 1])
@pytest.mark.parametrize("columns", [1, 5, 100])
def test_rows_of_one_label_cost_at_most_twice_what_the_best_member_loses(label: int, columns: int) -> None:
    X = np.random.default_rng(columns).normal(size=(10_000, columns))
    run = ls.run(ls.Pool(), X, np.full(10_000, label), labels=(-1, 1))
    assert run.ledger.loss <= 2.0 * best_member(run)


@pytest.mark.parametrize("case", ["constant column", "flip", "late column", "once each"])
def test_it_survives(case: str) -> None:
    X, target = waves(2000)
    y = np.where(target > 0, 1, -1)
    if case == "constant column":
        X[:, 3] = 7.0
    elif case == "flip":
        y[1000:] *= -1
    elif case == "late column":
        X[:1000, 0] = 0.0
    rows: object = [{k: 1.0} for k in range(2000)] if case == "once each" else X
    run = laws.call(ls.run, ls.Pool(), rows, y, labels=(-1, 1), keep=("score", "loss"))
    assert np.isfinite(run.columns["score"]).all()
    assert run.ledger.loss <= 2.0 * best_member(run)
    assert [certificate.id for certificate in run.certify() if certificate.verdict is ls.Verdict.VIOLATED] == []


def test_views_see_what_is_not_linear() -> None:
    X, target = waves(4500)
    y = np.where(target > 0, 1, -1)
    raw = ls.run(ls.Pool(views=("raw",)), X, y).ledger
    all_views = ls.run(ls.Pool(), X, y).ledger
    assert all_views.mistakes < 0.7 * raw.mistakes
    assert all_views.loss < 0.75 * raw.loss
    assert (
        ls.run(ls.PoolRegression(), X, target).ledger.loss_squared
        < 0.6 * ls.run(ls.PoolRegression(views=("raw",)), X, target).ledger.loss_squared
    )


@given(data=st.data())
def test_the_bound_of_the_master_holds(data: st.DataObject) -> None:
    rule = data.draw(st.sampled_from([ls.Pool(), ls.Pool(largest_weight=4.0)]))
    stream = data.draw(streams("labels"))
    weights = data.draw(st.sampled_from([None, np.linspace(0.0, rule.largest_weight, len(stream))]))
    run = ls.run(rule, stream.X, stream.y, labels=(-1, 1), weights=weights)
    master = next(certificate for certificate in run.certify() if certificate.id == "pool.master")
    assert master.verdict in (ls.Verdict.HOLDS, ls.Verdict.VACUOUS)


def test_a_weight_above_the_largest_takes_the_proof_away() -> None:
    run = ls.run(ls.Pool(), [[1.0], [2.0]], [1, -1], weights=[1.0, 2.0])
    of_master = [certificate for certificate in run.certify() if certificate.id.startswith("pool.")]
    assert {certificate.verdict for certificate in of_master} == {ls.Verdict.UNPROVED}


@pytest.mark.parametrize(
    ("views", "shown"),
    [
        (("bins",), r"\('bins',\)"),
        (("raw", "bins"), r"\('raw', 'bins'\)"),
        ((), r"\(\)"),
        ([ls.views.Bins()], r"\(Bins\(\),\)"),
    ],
)
def test_unknown_views_are_refused(views: tuple[str, ...], shown: str) -> None:
    with pytest.raises(ls.InvalidParameter, match=f"views is {shown}; views must be"):
        ls.Pool(views=views)


# Without a flag.


def test_a_learner_without_a_rule_is_a_pool_of_labels() -> None:
    learner = ls.Learner()
    assert learner.rule == ls.Pool()
    for outcome in (0.5, (1, 2), b"x", 1j, float("nan")):
        with pytest.raises(ls.NotApplicable, match="PoolRegression"):
            learner.learn_one({"a": 1.0}, outcome)
    with pytest.raises(ls.NotApplicable, match="PoolRegression"):
        learner.learn_many([[1.0]], [0.25])
    assert learner.ledger.rounds == 0
    for label in ("x", True, 3, 2.0):
        ls.Learner().learn_one({"a": 1.0}, label)
    learner.learn_one({"a": 1.0, "b": None}, "x")
    assert learner.ledger.missing == 1


@pytest.mark.parametrize("outcomes", [5, None, np.float64(3.0), np.array(3)])
@pytest.mark.parametrize("rule", [None, ls.Pool(), ls.PoolRegression()])
def test_what_holds_no_outcomes_is_refused(rule: ls.LinearRule | None, outcomes: object) -> None:
    with pytest.raises(ls.InvalidData, match=r"expected one (label|number) per row"):
        ls.Learner(rule).learn_many([[1.0]] * 2, cast("list[int]", outcomes))


@pytest.mark.parametrize("rule", [None, ls.Perceptron(), ls.MulticlassPerceptron(), ls.PoolRegression()])
def test_outcomes_may_come_one_by_one(rule: ls.LinearRule | None) -> None:
    listed, yielded = ls.Learner(rule), ls.Learner(rule)
    listed.learn_many([[1.0], [2.0], [3.0]], [0, 1, 0])
    yielded.learn_many([[1.0], [2.0], [3.0]], cast("list[int]", (k % 2 for k in range(3))))
    assert yielded.ledger == listed.ledger


@pytest.mark.parametrize("labels", [("no", "yes"), ("no", "yes", "perhaps")])
def test_probabilities_are_of_the_labels_and_add_up_to_1(labels: tuple[str, ...]) -> None:
    X, _ = waves(300)
    y = np.array(labels)[np.argmax(X[:, : len(labels)], axis=1)]
    learner = ls.Learner()
    kept = learner.learn_many(X, y, keep=("loss",))
    chances = learner.probability_many(X)
    assert chances.shape == (300, len(labels))
    assert np.abs(chances.sum(axis=1) - 1.0).max() < 1e-12
    assert (np.array(learner.labels)[np.argmax(chances, axis=1)] == learner.predict_many(X)).all()
    one = learner.probability_one(X[5])
    assert list(one) == list(learner.labels)
    assert np.abs(np.array(list(one.values())) - chances[5]).max() == 0.0
    assert abs(learner.ledger.log_loss - kept["loss"].sum()) < 1e-9 * len(X)
    assert learner.ledger.forecasts == 300 - max(0, len(labels) - 2)
    assert 0.0 < learner.ledger.brier < learner.ledger.log_loss


def test_the_loss_is_minus_the_logarithm_of_the_probability_of_what_came() -> None:
    X, target = waves(60)
    y = np.where(target > 0, 1, -1)
    learner, loss = ls.Learner(ls.Pool(), labels=(-1, 1)), []
    for x, label in zip(X, y.tolist(), strict=True):
        loss.append(-np.log(learner.probability_one(x)[label]))
        learner.learn_one(x, label)
    assert learner.ledger.log_loss == pytest.approx(sum(loss), rel=1e-12)


def test_other_rules_have_no_probabilities() -> None:
    with pytest.raises(ls.NotApplicable, match="no log-odds"):
        ls.Learner(ls.Perceptron()).probability_one([1.0])


@pytest.mark.parametrize(("rule", "y"), [(ls.Pool(), 1), (ls.PoolRegression(), 1.5)])
def test_a_round_does_not_copy_the_pool(rule: ls.LinearRule, y: float, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = ls.Learner(rule)
    for k in range(3):
        learner.learn_one({"a": float(k), "b": 1.0}, y)

    def copied(_: PoolState) -> dict[str, FloatArray]:
        raise AssertionError("its arrays were made, which takes longer than the round")

    monkeypatch.setattr(PoolState, "arrays", property(copied))
    for k in range(200):
        learner.learn_one({"a": float(k % 5), "b": 1.0}, y)
        learner.predict_one({"a": float(k % 5)})
        learner.check_one({"a": 1.0}, y)
    assert learner.ledger.rounds == 203


# --- files from strangers

FORGED = [0.0, -1.0, 0.5, 1.0, 2.0, 7.0, 47.0, 95.0, 96.0, 399.0, 3999.0, 1e5, 1e9, -1e300, 1e300, float(2**53)]


def grown(rule: ls.LinearRule, rounds: int) -> tuple[ls.Learner, FloatArray, FloatArray]:
    X, target = waves(rounds + 60, seed=1)
    y = outcomes_for(rule, target)
    learner = ls.Learner(rule)
    learner.learn_many(X[:rounds], y[:rounds])
    return learner, X[rounds:], y[rounds:]


@every_pool
@pytest.mark.parametrize("rounds", [47, 399, 420])
def test_arrays_of_a_stranger_are_refused_or_safe_to_learn_by(rule: ls.LinearRule, rounds: int) -> None:
    """A few numbers of a pool changed for others, next to the rounds in which columns are cut."""
    learner, X, y = grown(rule, rounds)
    known, chance = dict(learner.state.arrays), np.random.default_rng(rounds)
    counts = [name for name in known if name.startswith("views.") or name.endswith((".seats", ".classes", ".lines"))]
    refused = 0
    for _ in range(120):
        forged = {name: array.copy() for name, array in known.items()}
        for _ in range(int(chance.integers(1, 3))):
            array = forged[str(chance.choice(counts))]
            if len(array):
                array[int(chance.integers(min(len(array), 200)))] = float(chance.choice(FORGED))
        twin = copy.deepcopy(learner)
        try:
            twin.state.refilled(forged, 0)
            twin.learn_many(X, y)
            assert np.isfinite(twin.score_many(X)).all()
        except ls.InvalidData:
            refused += 1
    assert refused > 0


def test_bins_that_no_run_makes_are_refused() -> None:
    """A column paired with itself or with none; generations before their time; far bins."""
    learner, _, _ = grown(ls.Pool(), 420)
    known = dict(learner.state.arrays)
    forgeries: dict[str, tuple[str, int, float]] = {
        "pairs a column with itself": ("views.pairings", 2, float(known["views.pairings"][1])),
        "'views.pairings' names no scale": ("views.pairings", 2, float(known["views.scales"][0])),
        "'views.scales' has a count that cannot be": ("views.scales", 1, 2.0),
        "'views.features' has a count that cannot be": ("views.features", 0, 1e8),
        "'views.rounds' is": ("views.rounds", 0, 40.0),
    }
    for sentence, (name, at, value) in forgeries.items():
        forged = {key: array.copy() for key, array in known.items()}
        forged[name][at] = value
        expected = "'views.scales' has a count" if name == "views.rounds" else sentence
        with pytest.raises(ls.InvalidData, match=expected):
            copy.deepcopy(learner).state.refilled(forged, 0)


def test_a_column_of_few_values_keeps_its_bins_when_others_are_cut_anew() -> None:
    """Cut as before it would only be forgotten: the same features stay in use, in pairs too."""
    source = np.random.default_rng(3)
    X = source.choice([-1.0, 0.5, 2.0], size=(4000, 3))
    learner = ls.Learner(ls.Pool())
    learner.learn_many(X[:3999], X[:3999].sum(axis=1) > 1.0)
    before = {name: learner.state.arrays[name].copy() for name in ("views.features", "views.cuts", "views.pairings")}
    generations = learner.state.arrays["views.scales"][1::3].tolist()
    learner.learn_many(X[3999:], X[3999:].sum(axis=1) > 1.0)
    assert {name: learner.state.arrays[name].tolist() for name in before} == {name: before[name].tolist() for name in before}
    assert (set(generations), set(learner.state.arrays["views.scales"][1::3].tolist())) == ({1.0}, {2.0})


def test_a_generation_drops_the_pairs_of_the_one_before_the_last() -> None:
    learner, _, _ = grown(ls.Pool(), 4000)
    scales = learner.state.arrays["views.scales"][1:].reshape(-1, 3)
    pairs = learner.state.arrays["views.pairings"][1:].reshape(-1, 3).astype(int)
    assert set(scales[:, 0]) == {1.0, 2.0}
    assert all(scales[left, 0] == scales[right, 0] and scales[left, 1] != scales[right, 1] for left, right, _ in pairs)
    assert len({(left, right) for left, right, _ in pairs}) == len(pairs)
    assert {generation: int((scales[pairs[:, 0], 0] == generation).sum()) for generation in (1, 2)} == {1: 5, 2: 5}
