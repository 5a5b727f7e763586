"""A certificate is true whatever the caller does: the ways in which one was not, each a test."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from scipy.sparse import csr_array

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.theory import Certificate, Verdict
from littlestone.theory.audit import audit
from littlestone.theory.generalization import GUARANTEES
from littlestone.theory.risk import Progressive, anytime_bound
from shown import shows

KEEP = ("step", "update")


def verdicts(certificates: list[Certificate]) -> dict[str, str]:
    return {certificate.id: certificate.verdict.value for certificate in certificates}


def nothing_false(certificates: list[Certificate]) -> bool:
    """Neither a proof nor a contradiction."""
    return {certificate.verdict for certificate in certificates} <= {Verdict.UNPROVED}


def words(certificate: Certificate) -> list[str]:
    return [check.words for check in certificate.assumptions if not check.met]


# --- the comparator read the stream in another way


def test_a_comparator_that_swapped_the_labels_proves_nothing() -> None:
    y = np.array(["spam", "ham"] * 50)
    X = np.where(y[:, None] == "spam", 1.0, -1.0) * np.ones((1, 2))
    learner = ls.Learner(ls.Winnow(), labels=("spam", "ham"))
    learner.learn_many(X, y)
    swapped = ls.run(ls.Fixed(weights=[1.0, 1.0]), X, y, labels=("ham", "spam"))
    assert nothing_false(learner.certify(against=swapped))
    same = ls.run(ls.Fixed(weights=[1.0, 1.0]), X, y, labels=("spam", "ham"))
    assert "the comparator separates the rounds" in words(learner.certify(against=same)[0])


def test_prototypes_of_other_classes_prove_nothing() -> None:
    X, y = np.eye(3)[[0, 1, 2] * 5], np.array(["a", "b", "c"] * 5)
    run = ls.run(ls.MulticlassPerceptron(), X, y)
    assert run.certify(against=ls.run(ls.MulticlassFixed(weights=np.eye(3)), X, y, labels=("a", "b", "c")))[0].holds
    other = ls.run(ls.MulticlassFixed(weights=np.eye(3)), X, y, labels=("c", "b", "a"))
    assert nothing_false(run.certify(against=other))


@pytest.mark.parametrize("rule", [ls.Winnow(eta=0.5), ls.SignedWinnow(eta=0.5), ls.ExponentiatedUpdate(eta=0.1)])
def test_weight_on_a_feature_that_the_learner_does_not_know_proves_nothing(rule: ls.LinearRule) -> None:
    X, y = np.array([[1.0, -1.2]] * 20), [1] * 20
    learner = ls.Learner(rule, labels=(-1, 1))
    learner.learn_many(X, y)
    wider = np.c_[X, np.zeros(20)]
    assert nothing_false(learner.certify(against=ls.run(ls.Fixed(weights=[0.6, 0.1, 0.3]), wider, y, labels=(-1, 1))))
    known = learner.certify(against=ls.run(ls.Fixed(weights=[0.9, 0.1, 0.0]), wider, y, labels=(-1, 1)))
    narrow = learner.certify(against=ls.run(ls.Fixed(weights=[0.9, 0.1]), X, y, labels=(-1, 1)))
    assert [certificate.id for certificate in known] == [certificate.id for certificate in narrow]
    bounds = [certificate.bound for certificate in narrow]
    assert [certificate.bound for certificate in known] == pytest.approx(bounds, nan_ok=True)


# --- the run is not the rule's own


def handed_over() -> list[ls.Learner]:
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    learner.learn_many([[1e3, -5e4]], [1])
    changed = ls.Learner.restored(replace(learner.snapshot(), rule=ls.Perceptron(eta=0.5)))
    assigned = ls.Learner.restored(learner.snapshot())
    assigned.rule = ls.Perceptron(start=np.array([1.0, 2.0]))
    return [learner.with_state(ls.Perceptron(), learner.state.copy()), changed, assigned]


@pytest.mark.parametrize("which", range(3))
def test_a_state_that_was_handed_over_is_not_a_zero_start(which: int, tmp_path: Path) -> None:
    learner = handed_over()[which]
    X, y = [[1.0, 1.0]] * 200, [1] * 200
    learner.learn_many(X, y)
    against = ls.run(ls.Fixed(weights=[1.0, 1.0]), X, y, labels=(-1, 1))
    for of in (learner, ls.load(_saved(learner, tmp_path)), ls.Learner.restored(learner.snapshot())):
        assert not of.ledger.own_rounds
        found = of.certify(against=against)
        assert nothing_false(found)
        assert all("the rule learned every round itself, from its own start" in words(certificate) for certificate in found)
        assert of.ledger.risk_bound().verdict is Verdict.UNPROVED
        assert of.ledger.risk_bound(unseen=True).verdict is not Verdict.UNPROVED


def _saved(learner: ls.Learner, folder: Path) -> Path:
    learner.save(folder / "m.lst")
    return folder / "m.lst"


def test_a_learner_that_goes_on_is_still_the_rule_s_own(tmp_path: Path) -> None:
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    learner.learn_many([[1.0, 0.5]] * 9, [1] * 9)
    loaded = ls.load(_saved(learner, tmp_path))
    assert loaded.ledger.own_rounds
    assert loaded.ledger.blank_start
    assert loaded.certify(against=ls.run(ls.Fixed(weights=[1.0, 0.0]), [[1.0, 0.5]] * 9, [1] * 9, labels=(-1, 1)))[0].proved


# --- risks


def stream(rows: int, seed: int = 0) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    random = np.random.default_rng(seed)
    return random.normal(size=(rows, 3)), random.choice([-1, 1], rows)


def test_weights_that_may_have_seen_the_rows_prove_nothing_unless_declared() -> None:
    """Learned from the sample until it was right, then run over it as if it were new: the true error rate is ½."""
    random = np.random.default_rng(2)
    X, y = random.normal(size=(300, 400)), random.choice([-1, 1], 300)
    learned = ls.run(ls.Perceptron(), X, y, labels=(-1, 1), passes=200)
    assert learned.converged
    again = ls.run(ls.Fixed(weights=learned.state.w), X, y, labels=(-1, 1), keep=KEEP)
    assert again.ledger.mistakes == 0
    for ledger in (again.ledger, ls.run(ls.Perceptron(start=learned.state.w), X, y, labels=(-1, 1)).ledger):
        assert words(ledger.risk_bound()) == ["the first hypothesis had not seen these rows"]
        declared = ledger.risk_bound(unseen=True)
        assert declared.holds
        assert "the first hypothesis had not seen these rows (declared) ✓" in str(declared)
        assert ledger.risk_bound(unseen=False).verdict is Verdict.UNPROVED
    assert ls.convert.longest_survivor(again, iid=True).certificate.verdict is Verdict.UNPROVED
    assert ls.convert.vote(again, iid=True).certificate.verdict is Verdict.UNPROVED
    assert ls.run(ls.Perceptron(), X, y, labels=(-1, 1)).ledger.risk_bound().verdict is not Verdict.UNPROVED


def test_a_mistake_bound_that_the_run_contradicts_is_none() -> None:
    X, y = stream(1000)
    run = ls.run(ls.Perceptron(), X, y, labels=(-1, 1), keep=KEEP)
    certificate = ls.convert.random_stopping(run, mistake_bound=5, iid=True).certificate
    assert certificate.verdict is Verdict.UNPROVED
    assert words(certificate) == ["the mistakes are bounded by a theorem (declared)"]
    enough = ls.convert.random_stopping(run, mistake_bound=run.ledger.mistakes, iid=True).certificate
    assert enough.bound == run.ledger.mistakes / 1000
    tested = ls.convert.controlled_testing(
        ls.Perceptron(), zip(X, y, strict=True), labels=(-1, 1), epsilon=0.9, delta=0.9, mistake_bound=0, iid=True
    )
    assert tested.certificate.verdict is Verdict.UNPROVED


def test_a_largest_loss_that_was_exceeded_is_none() -> None:
    y = np.where(np.random.default_rng(0).random(300) < 0.01, 50.0, 0.0)
    rule = ls.PassiveAggressiveRegression(epsilon=0.0, variant="PA-I", C=1e-6)
    run = ls.run(rule, np.ones((300, 1)), y, average=True, keep=("loss",))
    assert run.ledger.largest_loss == run.columns["loss"].max() > 40.0
    for certificate in ls.convert.average(run, iid=True, largest=1.0).certificates:
        assert "losses are in [0, M] (declared)" in words(certificate)
    assert ls.convert.average(run, iid=True, largest=60.0).certificate.holds


def test_exercise_8_11_speaks_of_rounds_of_weight_1() -> None:
    """With weights the mistakes of the Perceptron are not bounded by the unweighted loss of u."""
    X, y = stream(400, 1)
    rule = ls.Perceptron()
    plain = ls.run(rule, X, y, labels=(-1, 1), keep=KEEP)
    found = ls.convert.penalized_risk(plain, iid=True, against=[0.0, 0.0, 0.0]).certificates
    assert not words(found[1])
    weighed = replace(plain, ledger=replace(plain.ledger, largest_weight=3.0))
    found = ls.convert.penalized_risk(weighed, iid=True, against=[0.0, 0.0, 0.0]).certificates
    assert words(found[1]) == ["every round has weight 1"]


@pytest.mark.parametrize("name", ["mohri.8.14", "mohri.8.15a", "mohri.ex8.10", "mohri.ex8.11b", "risk.vote", "blum.5.12"])
def test_bounds_for_one_moment_say_that_it_was_fixed_in_advance(name: str) -> None:
    guarantee = next(known for known in GUARANTEES if known.id == name)
    assert "T was fixed in advance" in str(guarantee)
    assert "T was fixed in advance (declared) ✓" in str(guarantee.certify(Progressive(rounds=100)))


@pytest.mark.parametrize("name", ["risk.anytime", "risk.average", "risk.survivor"])
def test_bounds_for_all_times_need_no_such_thing(name: str) -> None:
    assert "in advance" not in str(next(known for known in GUARANTEES if known.id == name))


@shows("never", "risk.average")
def test_squares_only_help() -> None:
    """exp(−λX − ψX²) ≤ 1 − λX on [0, 1], which is all the bound rests on; with squares it is never larger."""
    x, stake = np.linspace(0.0, 1.0, 101)[:, None], np.linspace(0.0, 0.999, 99)[None, :]
    psi = -np.log1p(-stake) - stake
    assert (np.exp(-stake * x - psi * x**2) <= 1.0 - stake * x + 1e-12).all()
    for squares in (1.0, 10.0, 50.0, 100.0):
        assert anytime_bound(100, 1000, squares=squares) <= anytime_bound(100, 1000) + 1e-12
    assert anytime_bound(100, 1000, squares=10.0) < 0.9 * anytime_bound(100, 1000)
    assert anytime_bound(300, 1000, largest=3.0, squares=900.0) == pytest.approx(3.0 * anytime_bound(100, 1000))


@shows("never", "risk.average")
def test_losses_of_little_spread_are_covered_at_every_moment() -> None:
    """Losses .2 or .4 at random, looked at after each of 300 rounds: the bound fails in a share of at most δ of the runs."""
    random, delta, failed = np.random.default_rng(5), 0.2, 0
    for _ in range(200):
        losses = np.where(random.random(300) < 0.5, 0.2, 0.4)
        sums, squares = np.cumsum(losses), np.cumsum(losses**2)
        times = (3, 10, 30, 100, 300)
        failed += any(anytime_bound(sums[t - 1], t, delta, squares=squares[t - 1]) < 0.3 for t in times)
    assert failed <= 200 * delta


@shows("example", "risk.average")
def test_the_average_of_a_run_by_hand() -> None:
    """Targets 1 on a row 1, C = ½: scores 0, ½, 1, and losses 1, ½, 0, 0; bounds are those of S = 1.5 and Q = 1.25."""
    rule = ls.PassiveAggressiveRegression(epsilon=0.0, variant="PA-I", C=0.5)
    run = ls.run(rule, np.ones((4, 1)), np.ones(4), average=True, keep=("loss",))
    assert run.columns["loss"].tolist() == [1.0, 0.5, 0.0, 0.0]
    found = ls.convert.average(run, iid=True, largest=1.0, delta=0.5).certificate
    assert (found.id, found.bound) == ("risk.average", anytime_bound(1.5, 4, 0.5, squares=1.25))


# --- experts


@dataclass(frozen=True)
class Pretended:
    """What says of itself that it lost nothing."""

    switches: int = 0
    total: float = 0.0


def test_a_sequence_is_measured_on_the_rounds_of_the_run() -> None:
    losses = np.random.default_rng(0).random((200, 4))
    run = ls.hedge(ls.FixedShare(eta=0.5, alpha=0.02), losses)
    elsewhere = ls.oracles.best_sequence_of_losses(np.ones((200, 4)), switches=0)
    found = run.certify(against=elsewhere)[0]
    assert found.measured == pytest.approx(run.ledger.loss - losses[np.arange(200), elsewhere.choices].sum())
    with pytest.raises(ls.InvalidData, match="the sequence has 50 rounds; the run has 200"):
        run.certify(against=ls.oracles.best_sequence_of_losses(losses[:50], switches=0))
    with pytest.raises(ls.InvalidData, match="the sequence is of the experts 0, 1, 2; the run has 0, 1, 2, 3"):
        run.certify(against=ls.oracles.best_sequence_of_losses(losses[:, :3], switches=0))
    certify: Callable[..., object] = ls.certify
    with pytest.raises(ls.NotApplicable, match="an expert run is compared with a sequence of experts"):
        certify(run, against=Pretended())


def test_a_mixture_keeps_no_advice_to_measure_a_sequence_on() -> None:
    losses = np.random.default_rng(0).random((50, 3))
    mixture = ls.Mixture(ls.FixedShare(eta=0.5, alpha=0.02), experts=3, loss=ls.losses.Given(low=0.0, high=1.0))
    mixture.learn_many(losses, None)
    found = mixture.certify(against=ls.oracles.best_sequence_of_losses(losses, switches=1))[0]
    assert words(found) == ["the loss of the sequence was measured on these rounds"]
    assert found.verdict is Verdict.UNPROVED
    assert mixture.certify()[0].verdict is not Verdict.UNPROVED


def test_convexity_of_a_loss_of_ones_own_is_declared_and_looked_at() -> None:
    advice, outcomes = np.array([[0.0, 1.0]] * 20), np.full(20, 0.5)
    for function, convex in ((lambda x, y: np.abs(x - y), True), (lambda x, y: 1.0 - np.abs(x - y), False)):
        loss = ls.losses.Custom(function=function, convex=True, low=0.0, high=1.0)
        mixture = ls.Mixture(ls.ExponentialWeights(eta=0.5), experts=2, loss=loss)
        mixture.learn_many(advice, outcomes)
        (found,) = (certificate for certificate in mixture.certify() if certificate.id == "mohri.8.6a")
        assert f"the loss is convex (declared) {'✓' if convex else '✗'}" in str(found)
        assert (found.verdict is Verdict.UNPROVED) == (not convex)
    known = ls.Mixture(ls.ExponentialWeights(eta=0.5), experts=2, loss=ls.losses.Absolute(low=0.0, high=1.0))
    known.learn_many(advice, outcomes)
    assert "the loss is convex ✓" in str(known.certify()[0])


def test_losses_far_from_zero_keep_their_squares() -> None:
    unit = np.random.default_rng(0).random((200, 3))
    far = 1e6 + 0.001 * unit
    near = {c.id: c for c in ls.hedge(ls.MultiplicativeWeights(), unit).certify()}
    for certificate in ls.hedge(ls.MultiplicativeWeights(), far, low=1e6, high=1e6 + 0.001).certify():
        assert certificate.verdict is near[certificate.id].verdict
        if certificate.quantity == "loss":  # in units of the range, as is its bound
            assert certificate.bound == pytest.approx(near[certificate.id].bound, rel=1e-5)


@pytest.mark.parametrize("scale", [1.0, 1e3, 1e5, 1e7])
def test_regrets_are_known_to_roundings_of_the_losses(scale: float) -> None:
    """The same expert several times: the regret is 0, up to what is lost when large totals are subtracted."""
    for seed in range(5):
        column = scale * np.random.default_rng(seed).random((2000, 1))
        for count in (2, 3, 7):
            found = ls.hedge(ls.AdaHedge(), np.repeat(column, count, axis=1), low=None, high=None).certify()
            assert Verdict.VIOLATED not in {certificate.verdict for certificate in found}


def test_one_expert_has_nothing_to_regret() -> None:
    for rule in (ls.ExponentialWeights(horizon=10), ls.MultiplicativeWeights(horizon=10, alpha=1.0)):
        found = ls.hedge(rule, np.ones((10, 1))).certify()
        assert Verdict.VIOLATED not in {certificate.verdict for certificate in found}


# --- numbers at the ends of their range


@pytest.mark.parametrize("size", [1e-170, 1e-150, 1e-80, 1e-77, 1.0, 1e77, 1e80, 1e150])
def test_the_size_of_the_rows_makes_no_bound_false(size: float) -> None:
    X, y = np.array([[size, 0.0], [0.0, size]] * 5), [1] * 10
    for rule in (ls.Perceptron(), ls.Perceptron(start=np.array([-0.5 * size, 0.0])), ls.MarginPerceptron(rho=size / 2)):
        for u in ([1.0, 1.0], [1.0 / size, 1.0 / size]):
            found = ls.run(rule, X, y, labels=(-1, 1)).certify(against=u)
            assert Verdict.VIOLATED not in {certificate.verdict for certificate in found}, (rule, size)
    found = ls.run(ls.Perceptron(), X, y, labels=(-1, 1)).certify(against=[1.0, 1.0])
    lost = "the squared lengths of the rows keep their digits"
    assert all((lost in words(certificate)) == (size < 1e-145) for certificate in found)
    if size >= 1e-145:
        assert all(certificate.proved for certificate in found if certificate.id in ("mohri.8.8", "mohri.8.8w0"))


def test_an_empty_row_that_is_learned_has_lost_no_digits() -> None:
    found = ls.run(ls.Perceptron(), [[0.0, 0.0], [1.0, 0.0]], [1, 1], labels=(-1, 1)).certify(against=[1.0, 0.0])
    assert verdicts(found)["mohri.8.11"] in ("holds", "vacuous")


# --- what raised an error


def test_missing_values_are_skipped_by_the_comparator_too() -> None:
    X = [[1.0, math.nan], [math.nan, 2.0]]
    run = ls.run(ls.Perceptron(), X, [1, 1], labels=(-1, 1), missing="skip")
    assert verdicts(run.certify(against=[1.0, 1.0]))["mohri.8.8"] in ("holds", "vacuous")
    many = ls.run(ls.MulticlassPerceptron(), X, ["a", "b"], missing="skip")
    assert many.certify(against=np.eye(2))


def test_a_comparator_of_no_weight() -> None:
    run = ls.run(ls.MultiplicativePassiveAggressive(margin=0.1), [[1.0, -1.0]], [1], labels=(-1, 1))
    assert nothing_false(run.certify(against=[0.0, 0.0]))


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6, 1e9])
def test_the_best_mixture_of_rows_that_all_speak_against_their_labels(size: float) -> None:
    """Every log-weight of the dual is far below 0 then: the largest of them counts, not 0."""
    for rule in (ls.ExponentiatedUpdate(eta=0.1), ls.SignedExponentiatedUpdate(eta=0.1), ls.RandomizedExponentiatedUpdate()):
        for rows in ([[1.0, 2.0]], [[1.0, 2.0], [3.0, 0.5], [2.0, 2.0]], [[1.0], [2.0]]):
            run = ls.run(rule, size * np.array(rows), [-1] * len(rows), labels=(-1, 1))
            assert Verdict.VIOLATED not in {found.verdict for found in run.certify(against="best")}


def test_what_is_drawn_cannot_be_tested_by_its_labels() -> None:
    rows = (([1.0, 0.5], 1) for _ in range(9))
    with pytest.raises(ls.NotApplicable, match="RandomizedPerceptron draws its labels"):
        ls.convert.controlled_testing(ls.RandomizedPerceptron(seed=3), rows, labels=(-1, 1), mistake_bound=5, iid=True)


def test_the_recursion_of_the_margin_perceptron_ends_with_the_rounds() -> None:
    """16R²/ρ² is 1.6e13 here: a bound above the rounds is vacuous, however far above."""
    run = ls.run(ls.MarginPerceptron(rho=1e-4), np.array([[100.0, 0.0], [0.0, 100.0]]), [1, 1], labels=(-1, 1))
    assert verdicts(run.certify(against=[1.0, 1.0]))["mohri.ex8.6x"] == "vacuous"


# --- vacuous


VACUOUS: dict[str, ls.LinearRule] = {
    "bylander.2": ls.Perceptron(),
    "bylander.3": ls.ExponentiatedUpdate(eta=0.1, U=50.0),
    "bylander.8": ls.Perceptron(tolerance=0.25, eta=0.1),
    "bylander.9": ls.ExponentiatedUpdate(eta=0.0001, U=50.0, tolerance=0.5),
    "pa.1": ls.PassiveAggressive(),
    "pa.1r": ls.PassiveAggressive(),
    "pa.1x": ls.PassiveAggressive(),
    "pa.1c": ls.PassiveAggressive(),
    "pa.1h": ls.PassiveAggressive(),
    "pa.3": ls.PassiveAggressive(variant="PA-II", C=1.0),
    "pa.4": ls.MultiplicativePassiveAggressive(margin=0.01),
}


@shows("vacuous", *VACUOUS)
@pytest.mark.parametrize("name", VACUOUS)
def test_a_bound_above_the_loss_of_no_prediction_is_vacuous(name: str) -> None:
    """Three rows: a score of 0 loses next to nothing on them, and every bound allows for more."""
    X, y = np.array([[9.0, 1.0], [0.8, 0.2], [-0.7, -0.6]]), [1, 1, -1]
    if name == "pa.4":
        X[0] = [1.0, -1.1]  # a loss of the even mixture
    rule = VACUOUS[name]
    total = rule.parameters().get("U", 1.0 if name == "pa.4" else 9.0)
    run = ls.run(rule, X, y, labels=(-1, 1))
    (found,) = (c for c in run.certify(against=np.array([total, 0.0])) if c.id == name)
    assert found.verdict is Verdict.VACUOUS, found
    if name != "pa.1r":
        assert found.bound >= (run.ledger.zero_loss if found.quantity.endswith("loss") else run.ledger.zero_loss_squared)


@shows("vacuous", "crammer.mpa", "crammer.mpa2")
def test_bounds_of_many_classes_above_the_loss_of_no_prediction_are_vacuous() -> None:
    rules = {
        "crammer.mpa": ls.MulticlassPassiveAggressive(variant="PA"),
        "crammer.mpa2": ls.MulticlassPassiveAggressive(variant="PA-II", C=1.0),
    }
    for name, rule in rules.items():
        run = ls.run(rule, np.diag([9.0, 1.0, 1.0]), ["a", "b", "c"])
        (found,) = (c for c in run.certify(against=9.0 * np.eye(3)) if c.id == name)
        assert found.verdict is Verdict.VACUOUS, found


def test_a_bound_on_mistakes_is_compared_with_the_better_constant_label() -> None:
    X, y = np.array([[1.0, 1.0], [1.0, -1.0]] * 30), np.array([1, -1] * 30)
    even = ls.run(ls.Perceptron(), X, y, labels=(-1, 1))
    assert (even.ledger.positives, even.ledger.rounds) == (30, 60)
    assert verdicts(even.certify(against=[0.0, 1.0]))["mohri.8.8"] == "holds"
    rare = np.where(np.arange(60) < 2, y, 1)
    few = ls.run(ls.Perceptron(), np.where(rare[:, None] == 1, [1.0, 1.0], [1.0, -1.0]), rare, labels=(-1, 1))
    found = few.certify(against=[0.0, 1.0])
    assert verdicts(found)["mohri.8.8"] == "vacuous"  # 2 ≤ 2, and "always the positive label" errs once


# --- the comparator ran over other rows


def unit(X: FloatArray) -> FloatArray:
    rows: FloatArray = X / np.linalg.norm(X, axis=1, keepdims=True)
    return rows


def coin_flips(rows: int = 400) -> tuple[FloatArray, npt.NDArray[np.int64], FloatArray, npt.NDArray[np.int64], FloatArray]:
    """Rows with random labels, and as many separable rows of the same length."""
    random, u = np.random.default_rng(1), np.eye(10)[0]
    other = unit(random.normal(size=(3 * rows, 10)))
    other = other[abs(other @ u) > 0.03][:rows]
    return unit(random.normal(size=(rows, 10))), random.choice([-1, 1], rows), other, np.where(other @ u > 0, 1, -1), u


def test_a_comparator_over_other_rows_proves_nothing() -> None:
    X, y, X2, y2, u = coin_flips()
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    learner.learn_many(X, y)
    for rows, outcomes in ((X2, y2), (X, y2), (X2, y), (X[:-1], y[:-1])):
        assert nothing_false(learner.certify(against=ls.run(ls.Fixed(weights=u), rows, outcomes, labels=(-1, 1))))
    shuffled = np.random.default_rng(0).permutation(len(X))
    same = ls.run(ls.Fixed(weights=u), X[shuffled], y[shuffled], labels=(-1, 1))
    assert any(certificate.proved for certificate in learner.certify(against=same))
    assert same.ledger.fingerprint == learner.ledger.fingerprint
    assert same.ledger.sequence != learner.ledger.sequence


def test_outcomes_that_were_changed_after_the_run_prove_nothing() -> None:
    X, y, _, _, u = coin_flips()
    mine = y.copy()
    run = ls.run(ls.Perceptron(), X, mine, labels=(-1, 1))
    mine[:] = np.where(X @ u > 0, 1, -1)
    assert nothing_false(run.certify(against=u))
    assert nothing_false(run.certify(against="best"))
    kernel = ls.run(ls.KernelPerceptron(kernel=ls.kernels.Linear()), X[:50], y[:50].copy(), labels=(-1, 1))
    assert any(certificate.proved for certificate in kernel.certify(against=np.zeros(50)))
    held = kernel.y
    assert isinstance(held, np.ndarray)
    held[:] = 1
    assert nothing_false(kernel.certify(against=np.zeros(50)))


def test_many_classes_over_other_rows_prove_nothing() -> None:
    X, y = np.eye(3)[[0, 1, 2] * 5], np.array(["a", "b", "c"] * 5)
    run = ls.run(ls.MulticlassPerceptron(), X, np.roll(y, 1), labels=("a", "b", "c"))
    assert nothing_false(run.certify(against=ls.run(ls.MulticlassFixed(weights=np.eye(3)), X, y, labels=("a", "b", "c"))))


def test_a_learner_of_two_streams_is_compared_over_both() -> None:
    X, y, X2, y2, u = coin_flips()
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    learner.learn_many(X, y)
    learner.learn_many(X2, y2)
    fixed = ls.Learner(ls.Fixed(weights=u), labels=(-1, 1))
    fixed.learn_many(X2, y2)
    assert fixed.ledger.is_of(learner.ledger) is False
    fixed.learn_many(X, y)
    assert fixed.ledger.is_of(learner.ledger) is True


def test_a_fingerprint_knows_how_rows_are_stored_and_cut_from_what_they_are() -> None:
    X, y, *_ = coin_flips(64)
    X[np.abs(X) < 0.2] = 0.0
    X = X.astype(np.float32).astype(np.float64)
    forms: list[FloatArray | npt.NDArray[np.float32] | csr_array[np.float64] | csr_array[np.float32]] = [
        X,
        X.astype(np.float32),
        np.asfortranarray(X),
        csr_array(X),
        csr_array(X.astype(np.float32)),
    ]
    prints = {ls.run(ls.Perceptron(), form, y, labels=(-1, 1)).ledger.sequence for form in forms}
    single = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    for x, label in zip(X, y, strict=True):
        single.learn_one(x, int(label))
    assert prints == {single.ledger.sequence}
    twice = ls.run(ls.MarginPerceptron(rho=1e9), X, y, labels=(-1, 1), passes=2).ledger
    assert single.ledger.is_of(twice, passes=2) is True
    assert single.ledger.is_of(twice) is False
    names = [{f"f{k}": v for k, v in enumerate(x) if v} for x in X.tolist()]
    turned = [dict(reversed(row.items())) for row in names]
    first, second = (ls.run(ls.Perceptron(), rows, y, labels=(-1, 1)).ledger.sequence for rows in (names, turned))
    assert first == second


def test_weights_and_targets_are_part_of_a_fingerprint() -> None:
    X = np.eye(3)
    plain = ls.run(ls.PassiveAggressiveRegression(), X, [1.0, 2.0, 3.0]).ledger
    for y, weights in (([1.0, 2.0, 3.5], None), ([1.0, 2.0, 3.0], [1.0, 2.0, 1.0])):
        rule = ls.PassiveAggressiveRegression(variant="PA-I", C=1.0)
        assert ls.run(rule, X, y, weights=weights).ledger.fingerprint != plain.fingerprint
    ends = ls.run(ls.PassiveAggressive(), X, ls.Intervals([0.0, 1.0, 2.0], [1.0, 2.0, 3.0])).ledger
    wider = ls.run(ls.PassiveAggressive(), X, ls.Intervals([0.0, 1.0, 2.0], [1.0, 2.0, 4.0])).ledger
    assert ends.fingerprint != wider.fingerprint


def test_totals_of_two_stretches_merge_in_order() -> None:
    X, y, *_ = coin_flips(100)
    learner = ls.Learner(ls.Fixed(weights=np.ones(10)), labels=(-1, 1))
    whole = ls.run(ls.Fixed(weights=np.ones(10)), X, y, labels=(-1, 1)).ledger
    learner.learn_many(X[:37], y[:37])
    first = _core.Totals.from_parts(dict(learner.snapshot().totals))
    rest = ls.Learner(ls.Fixed(weights=np.ones(10)), labels=(-1, 1))
    rest.learn_many(X[37:], y[37:])
    first.merge(_core.Totals.from_parts(dict(rest.snapshot().totals)))
    assert (first.sequence, first.fingerprint, first.witnessed) == (whole.sequence, whole.fingerprint, 100)


def test_a_model_file_keeps_its_fingerprint_and_one_without_proves_nothing(tmp_path: Path) -> None:
    X, y, *_ = coin_flips(64)
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    learner.learn_many(X, y)
    against = ls.run(ls.Fixed(weights=np.zeros(10)), X, y, labels=(-1, 1))
    loaded = ls.load(_saved(learner, tmp_path))
    assert loaded.ledger == learner.ledger
    assert any(certificate.proved for certificate in loaded.certify(against=against))
    prints = {"witnessed": 0, "fingerprint": 0, "sequence": 0}
    old = replace(learner.snapshot(), totals=dict(learner.snapshot().totals) | prints)
    found = ls.Learner.restored(old).certify(against=against)
    assert nothing_false(found)
    checks = {check.words: check.met for certificate in found for check in certificate.assumptions}
    assert checks["the comparator ran over the same rounds"] is None


def test_rows_that_are_learned_again_are_noticed(tmp_path: Path) -> None:
    X, y, X2, y2, _ = coin_flips(64)
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    learner.learn_many(X, y)
    learner.learn_many(X2, y2)
    assert learner.ledger.risk_bound().proved
    loaded = ls.load(_saved(learner, tmp_path))
    for again in (learner, loaded, ls.Learner.restored(learner.snapshot())):
        again.learn_many(X[::-1], y[::-1])
        assert again.ledger.repeats == 1
        assert "each row was new when it was learned: one pass" in words(again.ledger.risk_bound())
    said = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    said.learn_many(X, y)
    said.next_pass()
    said.learn_many(X, y)
    assert (said.ledger.repeats, said.ledger.passes) == (0, 2)
    constant = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    for _ in range(3):
        constant.learn_many(np.ones((40, 2)), np.ones(40))
    assert constant.ledger.repeats == 0


# --- a compiled loop that does something else


def test_an_audit_sees_a_loop_that_is_not_its_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 5))
    y = np.where(X @ np.arange(5.0) > 0, 1, -1)
    honest = ls.run(ls.Perceptron(), X, y, labels=(-1, 1), audit=True, against=np.arange(5.0))

    def longer(_: ls.Perceptron, state: ls.State, __: object) -> _core.Loop:
        return _core.perceptron(w=state.w, eta=2.0, tolerance=0.0, average=None)

    monkeypatch.setattr(ls.Perceptron, "loop", longer)
    with pytest.raises(ls.LemmaViolated, match="the weights of the run are those of its definition"):
        ls.run(ls.Perceptron(), X, y, labels=(-1, 1), audit=True, against=np.arange(5.0))
    monkeypatch.undo()
    short = replace(honest, ledger=replace(honest.ledger, mistakes=honest.ledger.mistakes // 2))
    with pytest.raises(ls.LemmaViolated, match="mistakes of the run are those of its definition"):
        audit(short)


def test_a_bound_that_reads_the_run_ranks_below_the_others() -> None:
    random = np.random.default_rng(7)
    X = random.uniform(-1, 1, size=(2000, 3))
    u = np.array([1.0, -1.0, 0.5])
    X = X[np.abs(X @ u) > 0.5]
    found = ls.run(ls.Perceptron(), X, np.where(X @ u > 0, 1, -1), labels=(-1, 1)).certify(against=2.0 * u)
    holding = [certificate for certificate in found if certificate.holds]
    assert [certificate.hindsight for certificate in holding] == sorted(certificate.hindsight for certificate in holding)
    (hindsight,) = (certificate for certificate in holding if certificate.id == "mohri.ex8.11")
    assert hindsight.hindsight
    assert "in hindsight: the bound reads the run" in str(hindsight)
    assert hindsight.to_dict()["hindsight"] is True
    assert holding[0].id != "mohri.ex8.11"
