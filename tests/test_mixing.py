"""Learners that learned apart, made one: the bits, the theorems, and what is refused."""

from __future__ import annotations

import tracemalloc
import weakref
from collections.abc import Callable, Iterable, Iterator
from inspect import isabstract
from pathlib import Path
from typing import Never, TypeVar

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import littlestone as ls
from inventory import LINEAR, MULTICLASS, MULTIPLICATIVE
from littlestone.arrays import FloatArray
from littlestone.mixing import _MERGED, _NEVER, _REFUSED, Way, rules, verdict
from littlestone.partitions import files
from littlestone.rule import Rule
from littlestone.streams.synthetic import linear_labels
from shown import shows

PARTS = 4
Task = TypeVar("Task")
Result = TypeVar("Result")


def separable(rows: int = 200, seed: int = 0) -> tuple[list[tuple[FloatArray, npt.NDArray[np.int_]]], FloatArray]:
    X, y, u = linear_labels(rows=rows, features=6, margin=0.15, seed=seed)
    return [(X[k::PARTS], y[k::PARTS]) for k in range(PARTS)], u


# --- the bits


@pytest.mark.parametrize("rule", [ls.Perceptron(), ls.PassiveAggressive(variant="PA-I", C=0.5), ls.Winnow(eta=0.1)])
def test_threads_processes_and_one_thread_agree_to_the_bit(rule: ls.LinearRule) -> None:
    parts, _ = separable()
    alone = ls.epochs(parts, rule, epochs=3)
    for workers in (ls.threads(3), ls.processes(2)) if isinstance(rule, ls.Perceptron) else (ls.threads(3),):
        together = ls.epochs(parts, rule, epochs=3, map=workers)
        assert together.learner.state.w.tobytes() == alone.learner.state.w.tobytes()
        assert together.learner.ledger == alone.learner.ledger


def test_dask_gives_the_same_bits() -> None:
    distributed = pytest.importorskip("distributed")
    import littlestone.dask

    parts, _ = separable()
    with distributed.Client(processes=False, n_workers=2, threads_per_worker=1, dashboard_address=":0") as client:
        together = ls.epochs(parts, ls.Perceptron(), epochs=2, map=littlestone.dask.map(client))
    assert together.learner.state.w.tobytes() == ls.epochs(parts, ls.Perceptron(), epochs=2).learner.state.w.tobytes()


def test_shares_by_mistakes_count_nobody_who_made_none() -> None:
    """The first two are right from their start on, so the third alone counts, in whatever order they come."""
    parts = [ls.Learner(ls.Perceptron(start=[3.0]), labels=(-1, 1)) for _ in range(3)]
    for learner, row in zip(parts, ([[1.0]], [[2.0]], [[-5.0]]), strict=True):
        learner.learn_many(row, [1])
    for order in ((0, 1, 2), (2, 1, 0), (0, 2, 1)):
        together = ls.mix([parts[k] for k in order], weights="mistakes")
        assert together.state.w.tolist() == [-2.0]
        assert together.ledger.rounds == 3
    assert ls.mix(parts[:2], weights="mistakes").state.w.tolist() == [3.0]


@pytest.mark.parametrize("workers", [None, 2])
def test_the_caller_holds_a_few_models_however_many_partitions(workers: int | None) -> None:
    X, y, _ = linear_labels(rows=192, features=6, margin=0.15)
    alive: list[weakref.ref[object]] = []
    most = 0

    def counted(function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        nonlocal most
        for answer in (map if workers is None else ls.threads(workers))(function, tasks):
            alive.append(weakref.ref(answer))
            most = max(most, sum(each() is not None for each in alive))
            yield answer
            del answer

    ls.epochs([(X[k::48], y[k::48]) for k in range(48)], ls.Perceptron(), labels=(-1, 1), map=counted)
    assert len(alive) == 48
    assert most <= 2


def test_wide_models_take_no_more_room_for_more_partitions() -> None:
    """A model of 2^16 weights is half a megabyte; each partition more takes a tenth of it at most, for its ledger and rows."""
    X = csr_array(([1.0], [(1 << 16) - 1], [0, 1]), shape=(1, 1 << 16))
    most = []
    for count in (4, 24):
        parts = [(X, np.array([1]))] * count
        tracemalloc.start()
        ls.epochs(parts, ls.Perceptron(), labels=(-1, 1), epochs=2, map=ls.threads(1))
        most.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert most[1] - most[0] < 20 * (8 << 16) / 10


def test_one_partition_is_a_plain_run() -> None:
    (X, y), *_ = separable()[0]
    run = ls.epochs([(X, y)], ls.Perceptron(), epochs=3)
    plain = ls.run(ls.Perceptron(), X, y, passes=3)
    assert run.learner.state.w.tobytes() == plain.state.w.tobytes()
    assert run.learner.ledger.mistakes == plain.ledger.mistakes


def test_the_mixture_is_the_mean_in_the_order_of_the_partitions() -> None:
    parts, _ = separable()
    run = ls.epochs(parts, ls.Perceptron())
    learners = [ls.Learner(ls.Perceptron(), labels=run.learner.labels) for _ in parts]
    for learner, (X, y) in zip(learners, parts, strict=True):
        learner.learn_many(X, y)
    mean = sum((0.25 * learner.state.w for learner in learners[1:]), 0.25 * learners[0].state.w)
    assert run.learner.state.w.tobytes() == mean.tobytes()
    assert ls.merge([learner.ledger for learner in learners]).mistakes == run.learner.ledger.mistakes


def test_names_are_those_of_all_in_the_order_of_the_learners() -> None:
    parts = [ls.Learner(ls.Perceptron(), labels=("n", "p"), average=True) for _ in range(3)]
    parts[0].learn_many([{"a": 1.0}, {"b": 2.0}], ["p", "n"])
    parts[1].learn_many([{"c": 4.0}, {"a": 8.0}], ["n", "p"])  # the third learned nothing
    both = ls.mix(parts, weights=[1, 1, 2])
    assert both.weights == {"a": 0.25 * 1 + 0.25 * 8, "b": 0.25 * -2, "c": 0.25 * -4}
    assert both.averaged().weights["a"] == pytest.approx(1 / 4)  # after one of four rounds a had weight 1
    both.learn_one({"d": 1.0}, "p")


def test_classes_and_shares_by_mistakes() -> None:
    X, y = np.eye(3)[[0, 1, 2] * 6], list("abc") * 6
    run = ls.epochs([(X[:9], y[:9]), (X[9:], y[9:])], ls.MulticlassPerceptron(), epochs=2, weights="mistakes", unproved=True)
    assert run.learner.labels == ("a", "b", "c")
    assert [float(s.sum()) for s in run.shares] == [1.0, 1.0]
    assert run.learner.predict_many(X[:3]).tolist() == ["a", "b", "c"]


def test_partitions_are_files_patterns_and_directories(tmp_path: Path) -> None:
    for k in range(3):
        (tmp_path / f"part-{k}.svm").write_text(f"1 1:{k + 1}\n-1 2:1\n")
    assert [Path(file).name for file in files(tmp_path / "part-*.svm")] == [f"part-{k}.svm" for k in range(3)]
    runs = [ls.epochs(places, ls.Perceptron(), epochs=2) for places in ([tmp_path], [tmp_path / "part-*.svm"])]
    assert runs[0].learner.state.w.tobytes() == runs[1].learner.state.w.tobytes()
    assert runs[0].learner.ledger.rounds == 12


# --- the theorems


@shows("never", "mcdonald.3", "mixing.perceptron", "mixing.pa")
@given(st.integers(0, 10_000), st.sampled_from(["uniform", "mistakes"]), st.integers(1, 4))
def test_no_bound_is_exceeded_on_separable_rows(seed: int, weights: str, epochs: int) -> None:
    parts, u = separable(rows=60, seed=seed)
    for rule in (ls.Perceptron(), ls.PassiveAggressive(variant="PA-I", C=0.3)):
        run = ls.epochs(parts, rule, epochs=epochs, weights=weights, labels=(-1, 1))
        found = {certificate.id: certificate for certificate in run.certify(against=4.0 * u)}
        for name in found.keys() & {"mcdonald.3", "mixing.perceptron", "mixing.pa"}:  # others speak of other variants
            assert found[name].verdict in (ls.Verdict.HOLDS, ls.Verdict.VACUOUS), str(found[name])


@given(st.integers(0, 10_000))
def test_no_bound_is_exceeded_on_rows_that_nobody_separates(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(48, 3)), rng.choice([-1, 1], size=48)
    parts = [(X[k::PARTS], y[k::PARTS]) for k in range(PARTS)]
    for rule in (ls.Perceptron(), ls.PassiveAggressive(variant="PA-I", C=0.5)):
        run = ls.epochs(parts, rule, epochs=3, labels=(-1, 1))
        for certificate in run.certify(against=rng.normal(size=3)):
            assert certificate.verdict is not ls.Verdict.VIOLATED, str(certificate)


@shows("never", "mixing.winnow")
@shows("example", "mixing.winnow")
@given(st.integers(0, 10_000))
def test_winnow_mixed_by_log_weights_keeps_its_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 1.0], size=(80, 5))
    y = np.where(X[:, 0] > 0, 1, -1)
    run = ls.epochs([(X[k::PARTS], y[k::PARTS]) for k in range(PARTS)], ls.Winnow(eta=0.5), epochs=2, labels=(-1, 1))
    (certificate,) = run.certify(against=np.eye(5)[0])
    assert certificate.verdict in (ls.Verdict.HOLDS, ls.Verdict.VACUOUS)
    assert certificate.bound == pytest.approx(np.log(5) / (0.5 - 0.125))


@shows("example", "mixing.perceptron", "mixing.pa")
def test_worked_by_hand() -> None:
    """Two partitions of one row each, both a mistake: K = 1, Q = 1 and u = (1, 0) has no loss."""
    parts = [(np.array([[1.0, 0.0]]), np.array([1])), (np.array([[-1.0, 0.0]]), np.array([-1]))]
    by = {c.id: c for c in ls.epochs(parts, ls.Perceptron(), labels=(-1, 1)).certify(against=[1.0, 0.0])}
    assert (by["mixing.perceptron"].measured, by["mixing.perceptron"].bound) == (1.0, 1.0)
    passive = ls.epochs(parts, ls.PassiveAggressive(variant="PA-I", C=0.5), labels=(-1, 1)).certify(against=[1.0, 0.0])
    assert (passive[0].measured, passive[0].bound) == (1.0, 2.0)  # max(R², 1/C)·‖u‖²


@pytest.mark.parametrize(
    ("against", "words"),
    [
        ([1.0, 2.0], "a weight for each of 6 features"),
        ([np.nan] * 6, "weights must be finite"),
        ("best", "expected a run of Fixed or a"),
    ],
)
def test_a_comparator_that_is_none_is_refused(against: Never, words: str) -> None:
    run = ls.epochs(separable(rows=40)[0], ls.Perceptron(), labels=(-1, 1))
    with pytest.raises(ls.InvalidData, match=words):
        run.certify(against)
    X, y = np.eye(3)[[0, 1, 2] * 2], list("abcabc")
    with pytest.raises(ls.InvalidData, match="expected 3 rows, one for each class, with a weight for each of 3 features"):
        ls.epochs([(X, y)], ls.MulticlassPerceptron()).certify([1.0, 1.0, 1.0])


@shows("example", "mcdonald.3")
def test_the_unweighted_claim_is_false() -> None:
    """One row copied to S partitions makes S mistakes, where R²/γ² is 1."""
    copies = [(np.array([[1.0, 0.0]]), np.array([1]))] * 5
    run = ls.epochs(copies, ls.Perceptron(), labels=(-1, 1))
    certificate = run.certify(against=[1.0, 0.0])[0]
    assert run.learner.ledger.mistakes == 5 > certificate.bound == 1.0 == certificate.measured


def test_mixing_once_can_fail_where_epochs_do_not() -> None:
    """The mean of two weights that each separate their own rows scores 0 on the last row of the second."""
    parts = [
        (np.array([[1.0, 0.0], [-1.0, -1.0]]), np.array([-1, 1])),
        (np.array([[2.0, 1.0], [2.0, -1.0]]), np.array([-1, 1])),
    ]
    once = ls.epochs(parts, ls.Perceptron(), labels=(-1, 1))
    assert once.learner.state.w.tolist() == [-0.5, -1.0]
    assert once.learner.score_one([2.0, -1.0]) == 0.0
    often = ls.epochs(parts, ls.Perceptron(), labels=(-1, 1), epochs=20)
    assert often.progress[-1].mistakes == 0


# --- refusals


def test_every_rule_has_its_verdict() -> None:
    found = {rule.__name__: verdict(rule) for rule in rules()}
    assert found["Perceptron"][:2] == (Way.MIX, "mcdonald.3, mixing.perceptron")
    assert found["ExponentialWeights"].way is Way.MERGE
    for name, (way, words, _) in found.items():
        assert way is not Way.MIX or all(theorem in ls.theory for theorem in words.split(", ")), name
        assert words
    listed = {name for names in _REFUSED.values() for name in names}
    assert set(_NEVER) <= listed
    assert listed | set(_MERGED) <= set(found)
    assert {rule.__name__ for rule in concrete(Rule)} == set(found)


def concrete(rule: type[Rule]) -> Iterator[type[Rule]]:
    """Every rule of the library that is no base of others."""
    below = [other for other in rule.__subclasses__() if other.__module__.startswith("littlestone.")]
    for other in below:
        yield from concrete(other)
    if not below and not isabstract(rule):
        yield rule


def test_what_cannot_be_mixed_says_why() -> None:
    parts = [ls.Learner(ls.MarginPerceptron(rho=0.1), labels=(-1, 1)) for _ in range(2)]
    for learner in parts:
        learner.learn_many([[1.0], [-2.0]], [1, -1])
    with pytest.raises(ls.NotApplicable, match="MarginPerceptron cannot be mixed: it divides by a norm"):
        ls.mix(parts)
    assert ls.mix(parts, unproved=True).ledger.rounds == 4


@pytest.mark.parametrize("unproved", [False, True])
@pytest.mark.parametrize("rule", [ls.Pool(), ls.AROW(), ls.NaiveBayes(), ls.OneVersusRest(rule=ls.AROW())])
def test_what_has_no_mean_is_refused_before_a_row_is_read_and_says_what_else(rule: ls.LinearRule, unproved: bool) -> None:
    with pytest.raises(ls.NotApplicable, match=r"cannot be mixed: .*; learn the stream in one piece, or .* such as Perceptron"):
        ls.epochs(["nowhere.svm"], rule, unproved=unproved)


REFUSED = [
    rule
    for rule in (*LINEAR, *MULTIPLICATIVE, *MULTICLASS)
    if isinstance(rule, ls.LinearRule) and verdict(type(rule)).way is Way.REFUSE
]


@pytest.mark.parametrize("rule", REFUSED)
def test_what_is_said_to_be_mixed_all_the_same_is(rule: ls.LinearRule) -> None:
    X = np.abs(np.random.default_rng(0).normal(size=(24, 3))) + 0.1
    y = np.where(X[:, 0] > X[:, 1], 1, -1) if rule.abilities.named else X[:, 0]
    parts = [(X[:10], y[:10]), (X[10:], y[10:])]
    try:
        ls.epochs(parts, rule)
    except ls.NotApplicable as error:
        promised = "unproved=True (--unproved) mixes it all the same" in str(error)
    if promised and getattr(getattr(rule, "rule", rule), "budget", None) is None:
        assert ls.epochs(parts, rule, epochs=2, unproved=True).learner.ledger.rounds == 48
    else:
        with pytest.raises(ls.NotApplicable):
            ls.epochs(parts, rule, unproved=True)


@pytest.mark.parametrize("rule", [ls.MarginPerceptron(rho=0.1), ls.SignedWinnow(eta=0.1)])
def test_certificates_of_what_no_theorem_carries_say_unproved(rule: ls.LinearRule) -> None:
    """In both forms: learners mixed by hand, and epochs."""
    parts, u = separable()
    run = ls.epochs(parts, rule, labels=(-1, 1), epochs=2, unproved=True)
    learners = [ls.Learner(rule, labels=(-1, 1)) for _ in parts]
    for learner, (X, y) in zip(learners, parts, strict=True):
        learner.learn_many(X, y)
    for certificates in (run.certify(against=u), ls.mix(learners, unproved=True).certify()):
        assert {certificate.verdict for certificate in certificates} == {ls.Verdict.UNPROVED}


@pytest.mark.parametrize(
    ("learners", "words"),
    [
        ([], "learners is empty"),
        ([ls.Learner(ls.Perceptron()), 7], "number 1 of learners is a int; expected a Learner"),
        ([ls.Learner(ls.Perceptron()), ls.Learner(ls.Perceptron(eta=2.0))], "mix one rule"),
        ([ls.Learner(ls.Perceptron(), labels=(0, 1)), ls.Learner(ls.Perceptron(), labels=(1, 0))], "differ in their labels"),
    ],
)
def test_learners_that_differ_are_refused(learners: list[Never], words: str) -> None:
    with pytest.raises(ls.LittlestoneError, match=words):
        ls.mix(learners)


@pytest.mark.parametrize("weights", ["most", [1.0], [-1.0, 2.0], [0.0, 0.0], [np.nan, 1.0], ["a", "b"]])
def test_shares_that_are_none_are_refused(weights: str | list[float]) -> None:
    parts, _ = separable(rows=8)
    with pytest.raises(ls.InvalidParameter, match="weights"):
        ls.epochs(parts[:2], ls.Perceptron(), weights=weights)


def test_a_partition_that_is_malformed_or_gone_is_named(tmp_path: Path) -> None:
    parts, _ = separable()
    X, y = parts[2]
    X = X.copy()
    X[1, 1] = np.nan
    with pytest.raises(ls.InvalidData, match="partition 2: row 1: "):
        ls.epochs([*parts[:2], (X, y)], ls.Perceptron(), labels=(-1, 1))
    with pytest.raises(ls.InvalidData, match="is not there"):
        ls.epochs([tmp_path / "no-*.svm"], ls.Perceptron(), labels=(-1, 1))


def test_an_empty_partition_stays_at_the_mixture() -> None:
    parts, _ = separable()
    empty = (np.zeros((0, 6)), np.zeros(0, dtype=int))
    run = ls.epochs([parts[0], empty], ls.Perceptron(), epochs=2, labels=(-1, 1))
    assert run.learner.ledger.rounds == 2 * len(parts[0][1])


def test_kernels_are_mixed_by_the_union_of_their_points() -> None:
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.random.default_rng(1).choice([-1, 1], size=40)
    rule = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.5))
    parts = [ls.Learner(rule, labels=(-1, 1)) for _ in range(2)]
    for k, learner in enumerate(parts):
        learner.learn_many(X[k::2], y[k::2])
    with pytest.raises(
        ls.NotApplicable, match="its support points would be those of all, and more in every epoch; unproved=True"
    ):
        ls.mix(parts)
    both = ls.mix(parts, unproved=True)
    np.testing.assert_allclose(both.score_many(X), 0.5 * parts[0].score_many(X) + 0.5 * parts[1].score_many(X), atol=1e-12)
    again = ls.epochs([(X[k::2], y[k::2]) for k in range(2)], rule, labels=(-1, 1), epochs=3, unproved=True)
    assert len(again.learner.state.alpha) <= 40  # a point that is there already has no second place
    budgeted = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.5), budget=5)
    with pytest.raises(ls.NotApplicable, match="with a budget, or of objects, have no union here"):
        ls.epochs([(X[k::2], y[k::2]) for k in range(2)], budgeted, labels=(-1, 1), unproved=True)


# --- states of expert rules


@pytest.mark.parametrize("rule", [ls.ExponentialWeights(eta=0.5), ls.FollowThePerturbedLeader(), ls.BayesMixture()])
def test_states_of_experts_add_up_to_that_of_all_rounds(rule: ls.ExpertRule) -> None:
    advice, outcomes = np.random.default_rng(2).uniform(0.1, 0.9, size=(30, 3)), np.tile([0.0, 1.0], 15)
    loss = ls.losses.Log() if isinstance(rule, ls.BayesMixture) else ls.losses.Absolute(low=0.0, high=1.0)
    states = []
    for rows in (slice(0, 10), slice(10, 30), slice(0, 30)):
        mixture = ls.Mixture(rule, experts=3, loss=loss)
        mixture.learn_many(advice[rows], outcomes[rows])
        states.append(mixture.state)
    for name, array in ls.merge(states[:2]).arrays.items():
        np.testing.assert_allclose(array, states[2].arrays[name], rtol=1e-12)


def hedge(experts: int) -> ls.Mixture:
    mixture = ls.Mixture(ls.ExponentialWeights(eta=1.0), experts=experts, loss=ls.losses.Absolute(low=0.0, high=1.0))
    mixture.learn_many(np.eye(experts), np.zeros(experts))
    return mixture


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        (3, "parts is a int; expected several of Ledger or ExpertState"),
        ([], "parts is empty; there must be at least one Ledger or ExpertState"),
        ([hedge(2)], "number 0 of parts is a Mixture; expected a Ledger or ExpertState"),
        ([ls.Learner(ls.Perceptron()).ledger, hedge(2).state], "number 1 of parts is a ExpertState; expected a Ledger"),
        ([hedge(2).state, hedge(3).state], "merge those of one rule with as many experts"),
    ],
)
def test_what_does_not_add_up_is_refused(parts: Never, words: str) -> None:
    with pytest.raises(ls.LittlestoneError, match=words):
        ls.merge(parts)


def test_states_of_experts_in_units_of_their_own_are_refused() -> None:
    """Of losses up to 1 and up to 100 each part counts in its own range: the sum would be of neither."""
    states = []
    for size in (1.0, 100.0):
        mixture = ls.Mixture(ls.ExponentialWeights(eta=0.5), experts=2, loss=ls.losses.Absolute())
        mixture.learn_many([[0.0, size]], [0.0])
        states.append(mixture.state)
    with pytest.raises(ls.NotApplicable, match=r"'losses' of these states counts in the widest range .*; declare it, as in"):
        ls.merge(states)
