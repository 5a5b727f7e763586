"""A certificate alone sees a loop that is not its rule, a rule that is not its theorem's, a ledger that counts too little."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

import littlestone as ls
import test_audit
import test_expert_proofs
import test_linear_proofs
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.experts.reading import AdviceRule
from littlestone.experts.rule import ExpertRule
from littlestone.loop import Loop, PythonLoop
from littlestone.recount import Recount, remade
from littlestone.state import Average, State
from littlestone.theory.expert_audit import audit_experts, expert_finding
from littlestone.theory.spot import finding

Verdict = ls.Verdict


def rows(count: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    X = np.random.default_rng(seed).normal(size=(count, 5))
    return X, np.where(X @ np.arange(5.0) > 0.0, 1.0, -1.0)


def spread(X: FloatArray) -> csr_array[np.float64]:
    """The same rows, their columns far apart."""
    start = np.arange(0, X.size + 1, X.shape[1])
    return csr_array((X.ravel(), np.tile(9000 * np.arange(X.shape[1]), len(X)), start), shape=(len(X), 40_000))


def seen(certificates: list[ls.Certificate]) -> bool:
    """Whether they say that something is wrong with the run."""
    checks = [check for found in certificates for check in found.assumptions if check.met is False]
    return any(found.verdict is Verdict.VIOLATED for found in certificates) or any(
        "of the definition" in check.words or "made again" in check.words or "is kept in" in check.words for check in checks
    )


# --- nothing is found where nothing is wrong

HONEST: list[ls.LinearRule] = [
    ls.Perceptron(tolerance=0.2, eta=0.3),
    ls.RandomizedPerceptron(),
    ls.MarginPerceptron(rho=0.3),
    ls.PassiveAggressive(variant="PA-I", C=0.1),
    ls.PassiveAggressive(variant="PA-II", C=0.1),
    ls.OnlineSVM(),
    ls.AROW(),
    ls.Winnow(eta=0.3),
    ls.SignedWinnow(),
    ls.ExponentiatedUpdate(eta=0.3),
    ls.SignedExponentiatedUpdate(eta=0.3, tolerance=0.1),
    ls.RandomizedExponentiatedUpdate(),
    ls.MultiplicativePassiveAggressive(margin=0.1),
    ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.2), budget=20),
    ls.KernelPassiveAggressive(kernel=ls.kernels.Polynomial(degree=2)),
    ls.MulticlassPerceptron(),
    ls.MulticlassPassiveAggressive(),
    ls.OneVersusRest(rule=ls.Perceptron()),
]


@pytest.mark.parametrize("rule", HONEST, ids=lambda rule: type(rule).__name__)
@pytest.mark.parametrize("named", [False, True])
def test_nothing_is_found_in_an_honest_run(rule: ls.LinearRule, named: bool) -> None:
    X, y = rows(300)
    table = [{f"f{k}": float(v) for k, v in enumerate(x) if abs(v) > 0.4} for x in X] if named else X
    run = ls.run(rule, table, y, labels=(-1.0, 1.0), passes=2)
    assert finding(run) is None
    assert run.learner.watch.finding is None
    assert run.learner.watch.looked in (2, 4)  # again, where nothing had moved


@pytest.mark.parametrize("rule", HONEST, ids=lambda rule: type(rule).__name__)
def test_nothing_is_found_in_an_honest_run_of_a_wide_state(rule: ls.LinearRule) -> None:
    """Of which the features at hand are looked at."""
    X, y = rows(300)
    learner = ls.Learner(rule, labels=(-1.0, 1.0))
    learner.learn_many(spread(X), y)
    assert learner.watch.finding is None
    assert learner.watch.looked == 2


@pytest.mark.parametrize(
    "rule", [ls.Uniclass(epsilon=2.0), ls.AdaptiveUniclass(flag=0.1), ls.MultiplicativeUniclass(epsilon=0.3)]
)
def test_nothing_is_found_in_an_honest_ball(rule: ls.LinearRule) -> None:
    assert finding(ls.run(rule, rows(300)[0])) is None


@settings(max_examples=40)
@given(labels=st.lists(st.sampled_from([-1, 1]), min_size=25, max_size=25), scale=st.sampled_from([1e-30, 1.0, 1e30]))
def test_nothing_is_found_whatever_the_labels_are(labels: list[int], scale: float) -> None:
    X = scale * rows(25)[0]
    for rule in (ls.Perceptron(), ls.PassiveAggressive(), ls.Winnow(eta=0.1 / scale)):
        assert finding(ls.run(rule, X, labels, labels=(-1, 1))) is None


def test_a_watch_looks_ever_more_seldom_in_whatever_pieces_rows_come() -> None:
    X, y = rows(3000)
    whole, single = ls.Learner(ls.Perceptron(), labels=(-1.0, 1.0)), ls.Learner(ls.Perceptron(), labels=(-1.0, 1.0))
    whole.learn_many(X, y)
    for x, label in zip(X, y, strict=True):
        single.learn_one(dict(enumerate(x)), label)
    for learner in (whole, single):
        assert learner.watch.finding is None
    assert whole.watch.looked == 2
    assert whole.watch.next == 24_000
    assert 2 <= single.watch.looked < 100
    assert single.watch.next > 3000


def test_a_state_is_to_be_read() -> None:
    X, y = rows(50)
    learner = ls.Learner(ls.Perceptron(), labels=(-1.0, 1.0))
    learner.learn_many(X, y)
    with pytest.raises(ValueError, match="read-only"):
        learner.state.w[0] = 9.0
    with pytest.raises(ValueError, match="read-only"):
        ls.run(ls.Winnow(), X, y, labels=(-1.0, 1.0)).state.theta[:] = 0.0
    own = learner.state.copy()
    own.w[0] = 9.0
    other = learner.with_state(ls.Perceptron(), own)
    own.w[0] = 7.0
    assert other.state.w[0] == 9.0
    assert learner.state.w[0] != 9.0


# --- compiled loops that do something else


def twice_the_step(_: ls.Perceptron, state: State, __: Average | None) -> Loop:
    return _core.perceptron(w=state.w, eta=2.0, tolerance=0.0, average=None)


def lost_margin(_: ls.PassiveAggressive, state: State, __: Average | None) -> Loop:
    return _core.passive_aggressive(w=state.w, margin=0.5, epsilon=0.0, average=None)


BROKEN: list[tuple[ls.LinearRule, Callable[..., Loop]]] = [
    (ls.Perceptron(), twice_the_step),
    (ls.PassiveAggressive(), lost_margin),
]


WINNOW = ls.Winnow.loop


def fast_winnow(_: ls.Winnow, state: State, average: Average | None) -> Loop:
    return WINNOW(ls.Winnow(eta=0.9), state, average)


@pytest.mark.parametrize(("rule", "loop"), [*BROKEN, (ls.Winnow(eta=0.3), fast_winnow)], ids=lambda one: type(one).__name__)
def test_a_loop_over_a_wide_state_that_is_not_its_rule_is_seen(
    monkeypatch: pytest.MonkeyPatch, rule: ls.LinearRule, loop: Callable[..., Loop]
) -> None:
    X, y = rows(400)
    monkeypatch.setattr(type(rule), "loop", loop)
    learner = ls.Learner(rule, labels=(-1.0, 1.0))
    learner.learn_many(spread(X), y)
    assert "of the definition" in str(learner.watch.finding)


@pytest.mark.parametrize(("rule", "loop"), BROKEN, ids=["Perceptron", "PassiveAggressive"])
def test_a_compiled_loop_that_is_not_its_rule_is_seen(
    monkeypatch: pytest.MonkeyPatch, rule: ls.LinearRule, loop: Callable[..., Loop]
) -> None:
    X, y = rows(400)
    monkeypatch.setattr(type(rule), "loop", loop)
    learner = ls.Learner(rule, labels=(-1.0, 1.0))
    learner.learn_many(X, y)
    comparator = ls.run(ls.Fixed(weights=np.arange(5.0)), X, y, labels=(-1.0, 1.0))
    assert "of the definition" in str(learner.watch.finding)
    found = learner.certify(against=comparator)
    assert {one.verdict for one in found if one.verdict is not Verdict.UNPROVED} == {Verdict.VIOLATED}
    dicts = ls.Learner(rule, labels=(-1.0, 1.0))
    for x, label in zip(X, y, strict=True):
        dicts.learn_one(dict(enumerate(x)), label)
    assert dicts.watch.finding is not None


@pytest.mark.parametrize("kind", ["kernel", "classes", "ball"])
def test_other_loops_that_are_not_their_rule_are_seen(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    X, y = rows(120)
    other: dict[str, tuple[ls.LinearRule, ls.LinearRule]] = {
        "kernel": (
            ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.2)),
            ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.2), eta=0.5),
        ),
        "classes": (ls.MulticlassPerceptron(), ls.MulticlassPerceptron(eta=0.5)),
        "ball": (ls.Uniclass(epsilon=2.0), ls.Uniclass(epsilon=2.5)),
    }
    rule, wrong = other[kind]

    def loop(_: ls.LinearRule, state: State, average: Average | None) -> Loop:
        return PythonLoop(wrong, state, average)

    monkeypatch.setattr(type(rule), "loop", loop)
    run = ls.run(rule, X) if kind == "ball" else ls.run(rule, X, y, labels=(-1.0, 1.0))
    assert "of the definition" in str(finding(run))
    assert seen(run.certify())
    with pytest.raises(ls.LemmaViolated, match="of its definition"):
        ls.run(rule, X, audit=True) if kind == "ball" else ls.run(rule, X, y, labels=(-1.0, 1.0), audit=True)


def test_a_watch_over_a_kernel_sees_a_loop_that_is_not_its_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = rows(120)
    slow, loop = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.2), eta=0.5), ls.KernelPerceptron.loop
    honest = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.2)), labels=(-1.0, 1.0))
    honest.learn_many(X, y)
    assert (honest.watch.looked, honest.watch.finding) == (2, None)
    monkeypatch.setattr(ls.KernelPerceptron, "loop", lambda _, state, average: loop(slow, state, average))
    learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.2)), labels=(-1.0, 1.0))
    learner.learn_many(X, y)
    assert "of the definition" in str(learner.watch.finding)
    assert seen(learner.certify())


@pytest.mark.parametrize("many", [True, False])
def test_a_watch_over_a_mixture_sees_a_loop_that_is_not_its_rule(monkeypatch: pytest.MonkeyPatch, many: bool) -> None:
    """A mixture keeps no advice, so its certificates are held to rounds that were looked at on the way."""
    losses, fast = np.random.default_rng(0).random((700, 3)), ls.ExponentialWeights(eta=2.0)

    def learned() -> ls.Mixture:
        mixture = ls.Mixture(ls.ExponentialWeights(eta=0.5), experts=3, loss=ls.losses.Absolute(low=0.0, high=1.0))
        for row in losses if not many else ():
            mixture.learn_one(row, 0.0)
        for part in (losses[:100], losses[100:]) if many else ():
            mixture.learn_many(part, np.zeros(len(part)))
        return mixture

    honest = learned()
    assert (honest.watch.looked, honest.watch.finding) == (2, None)
    assert not seen(honest.certify())
    compiled = ls.ExponentialWeights.compiled
    monkeypatch.setattr(ls.ExponentialWeights, "compiled", lambda _, state: compiled(fast, state))
    wrong = learned()
    assert "of the definition" in str(wrong.watch.finding)
    assert Verdict.VIOLATED in {one.verdict for one in wrong.certify()}


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e8])
def test_a_watch_finds_nothing_in_honest_mixtures(scale: float) -> None:
    source = np.random.default_rng(1)
    y = scale * (5.0 + source.normal(size=600))
    advice = y[:, None] + scale * source.normal(size=(600, 4)) * np.array([0.1, 1.0, 3.0, 9.0])
    advice[source.random(advice.shape) < 0.1] = np.nan
    advice[:, 0] = y
    for rule in (ls.AdaHedge(), ls.MLpol(), ls.MLprod(), ls.BOA(), ls.ExponentialWeights(), ls.FixedShare(eta=0.5, alpha=0.1)):
        mixture = ls.Mixture(rule, experts=4, loss="absolute", gradient=False)
        for k in range(0, 600, 50):
            mixture.learn_many(advice[k : k + 50], y[k : k + 50])
        assert (mixture.watch.looked, mixture.watch.finding) == (2, None), rule


# --- ledgers that count too little


@pytest.mark.parametrize("name", ["mistakes", "updates", "loss", "loss_squared"])
def test_a_ledger_that_counts_half_is_seen(name: str) -> None:
    X, y = rows(200)
    run = ls.run(ls.Perceptron(), X, ls.Intervals.of_labels(y, margin=1.0), keep=())
    half = replace(run, ledger=replace(run.ledger, **{name: getattr(run.ledger, name) // 2}))
    assert not seen(run.certify(against=np.arange(5.0)))
    assert seen(half.certify(against=np.arange(5.0)))


def test_a_recount_is_the_ledger_of_the_core() -> None:
    X, y = rows(60)
    learner = ls.Learner(ls.PassiveAggressive(variant="PA-I", C=0.1), labels=(-1.0, 1.0))
    batch, outcomes = learner.encode(X, y)
    counted = remade(learner.rule, learner.first_state(5), batch, outcomes, range(60))
    learner.learn_many(X, y)
    assert counted.unlike(_core.Totals(), learner._totals) is None
    for name in ("rounds", "mistakes", "updates", "loss", "loss_squared", "tolerated_loss"):
        short = replace(counted, **{name: getattr(counted, name) * 0.5})
        assert short.unlike(_core.Totals(), learner._totals) == f"the {name.replace('_', ' ')}"
    assert Recount().unlike(_core.Totals(), _core.Totals()) is None


def test_rows_that_were_changed_after_the_run_refute_nothing() -> None:
    X, y = rows(100)
    run = ls.run(ls.Perceptron(), X, y, labels=(-1.0, 1.0))
    y[:] = -y
    assert finding(run) is None
    losses = np.random.default_rng(0).random((50, 3))
    mixed = ls.hedge(ls.ExponentialWeights(eta=0.5), losses)
    losses[:] = 1.0 - losses
    assert expert_finding(mixed) is None


def test_a_learner_that_went_on_refutes_nothing() -> None:
    X, y = rows(100)
    run = ls.run(ls.Perceptron(), X, y, labels=(-1.0, 1.0))
    run.learner.learn_many(-X, y)
    assert finding(run) is None


# --- wrong rules: what a certificate alone sees of them

Update = Callable[[ls.LinearRule, State, _core.Row, _core.Trial], _core.Step]
LINEAR: list[tuple[ls.LinearRule, Update]] = [
    *((rule, update) for rule, update, _ in test_audit.MUTANTS),
    *((case.rule, test_linear_proofs.backwards) for case in test_linear_proofs.CASES.values()),
]


def as_defined(rule: ls.LinearRule, state: State, average: Average | None) -> Loop:
    return PythonLoop(rule, state, average)


@pytest.mark.parametrize(("rule", "update"), LINEAR, ids=lambda it: getattr(it, "__name__", type(it).__name__))
def test_a_certificate_alone_sees_a_wrong_linear_rule(
    monkeypatch: pytest.MonkeyPatch, rule: ls.LinearRule, update: Update
) -> None:
    source = np.random.default_rng(3)
    X = source.choice([-1.0, 1.0], size=(200, 8))
    y = X[:, 0].copy()
    y[::25] *= -1.0
    if "theta" not in rule.init(8).arrays:
        X /= np.sqrt(8.0)  # rows of length 1, for which the steps of the rules are made
    outcomes = ls.Intervals.of_labels(y, margin=1.0) if getattr(rule, "tolerance", 0.0) else y
    assert not seen(ls.run(rule, X, outcomes).certify())
    monkeypatch.setattr(type(rule), "update", update)
    monkeypatch.setattr(type(rule), "loop", as_defined)
    assert seen(ls.run(rule, X, outcomes).certify())


def ran(rule: ExpertRule, losses: FloatArray) -> ls.ExpertRun:
    """On losses, or on what a rule that votes or forecasts takes for advice."""
    outcomes = np.resize([0.0, 1.0], len(losses))
    if isinstance(rule, ls.AggregatingAlgorithm):
        return ls.aggregate(rule, losses, outcomes, loss="brier")
    if isinstance(rule, ls.BayesMixture):
        return ls.aggregate(rule, losses, outcomes, loss="log")
    if rule.votes:
        return ls.aggregate(rule, losses, np.zeros(len(losses)), loss="zero_one")
    return ls.hedge(rule, losses)


# Whoever says ½ where a vote is tied errs as the vote does: of that one nothing can be seen in a run. Rules that read advice
# have no losses to be run on.
EXPERTS = [
    case
    for case in test_expert_proofs.CASES
    if case[3] is not test_expert_proofs.hedges and not isinstance(case[1], AdviceRule)
]


@pytest.mark.parametrize(("name", "rule", "method", "mutant", "losses"), EXPERTS, ids=lambda it: getattr(it, "__name__", ""))
def test_a_certificate_alone_sees_a_wrong_expert_rule(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    rule: ExpertRule,
    method: str,
    mutant: Callable[..., object],
    losses: FloatArray,
) -> None:
    run = ran(rule, losses)
    assert not seen(run.certify())
    audit_experts(run)  # raises where a lemma is broken, as it does for the mutant below
    monkeypatch.setattr(type(rule), method, mutant)
    wrong = ran(rule, losses)  # by the compiled loop, which the definition is now wrong for
    assert seen(wrong.certify()), name
    with pytest.raises(ls.LemmaViolated):
        audit_experts(wrong)


def test_an_expert_ledger_that_counts_half_is_seen() -> None:
    run = ls.hedge(ls.ExponentialWeights(eta=0.5), np.random.default_rng(0).random((50, 3)))
    for name in ("loss", "losses", "squares"):
        half = replace(run, ledger=replace(run.ledger, **{name: 0.5 * getattr(run.ledger, name)}))
        assert seen(half.certify()), name
        with pytest.raises(ls.LemmaViolated, match="of the run are those of its definition"):
            audit_experts(half)


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_found_among_copies_of_one_expert(seed: int) -> None:
    """Their regrets are roundings of the losses, and rates that are free of scale make much of them."""
    source = np.random.default_rng(seed)
    losses = np.repeat(source.random((40, 1)), int(source.integers(2, 7)), axis=1)
    for rule in (ls.AdaHedge(), ls.MLpol(), ls.MLprod(), ls.BOA(), ls.MLewa(), ls.PolynomialWeights(), ls.ExponentialWeights()):
        run = ls.hedge(rule, losses)
        assert expert_finding(run) is None, rule
        assert Verdict.VIOLATED not in {found.verdict for found in run.certify()}
        audit_experts(run)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 37.0, 1e8])
@pytest.mark.parametrize("loss", ["square", "absolute"])
def test_nothing_is_found_in_mixtures_of_any_scale(scale: float, loss: str) -> None:
    """Rules that are free of scale take losses in any unit, and so do their lemmas."""
    source = np.random.default_rng(0)
    y = scale * (50.0 + source.normal(size=80))
    advice = y[:, None] + scale * source.normal(size=(80, 4)) * np.array([0.1, 1.0, 3.0, 9.0])
    checks = 0
    for rule in (ls.AdaHedge(), ls.MLpol(), ls.MLprod(), ls.BOA(), ls.MLewa(), ls.ExponentialWeights(), ls.PolynomialWeights()):
        for gradient in (False, True):
            run = ls.aggregate(rule, advice, y, loss=loss, gradient=gradient)
            assert expert_finding(run) is None, (rule, gradient)
            checks += audit_experts(run)
            assert not seen(run.certify())
    assert checks > 0


DESCENTS = (ls.OnlineGradientDescent(), ls.FollowTheRegularizedLeader(), ls.ExponentiatedGradient(eta=0.05))


@pytest.mark.parametrize("rule", [ls.AdaHedge(), ls.MLpol(), *DESCENTS])
@pytest.mark.parametrize("scale", [1.0, 1e6])
def test_roundings_decide_no_verdict(rule: ls.ExpertRule, scale: float) -> None:
    """Copies of one expert, whose losses do not differ; and halves on either side of the outcome, where a loss has a kink."""
    draws = np.random.default_rng(0)
    y = scale * draws.random(90)
    copies = np.repeat((y + scale * (draws.random(90) - 0.5))[:, None], 6, axis=1)
    sides = y[:, None] + 0.5 * scale * np.where(draws.random((90, 6)) < 0.5, 1.0, -1.0)
    now_and_then = y[:, None] + scale * ((draws.random((90, 6)) < 0.05) - 0.5)
    for advice in (copies, sides, now_and_then):
        for loss in (ls.losses.Square(), ls.losses.Absolute(low=0.0, high=2.0 * scale)):
            run = ls.aggregate(rule, advice, y, loss=loss)
            assert [c.id for c in run.certify() if c.verdict is ls.Verdict.VIOLATED] == []
            assert audit_experts(run) >= 0
