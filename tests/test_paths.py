"""On-line shortest paths: beside Exponential Weights with every path written out; theorems, graphs of all kinds, bad input."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
from collections.abc import Hashable
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.paths.rule import Journey, PathRule, Scale
from littlestone.theory.guarantee import within
from littlestone.theory.paths import PERTURBED, WEIGHTS, PathEvidence, PathMoment
from shown import shows

DIAMOND = [("home", "bridge"), ("home", "tunnel"), ("bridge", "work"), ("tunnel", "work")]


def random_network(seed: int, nodes: int = 7, share: float = 0.5) -> ls.Network:
    """Arcs from smaller to larger numbers, the way from node to node always among them."""
    generator = np.random.default_rng(seed)
    arcs = [(i, j) for i, j in itertools.combinations(range(nodes), 2) if j == i + 1 or generator.random() < share]
    generator.shuffle(arcs)
    return ls.Network([(int(i), int(j)) for i, j in arcs], 0, nodes - 1)


def every_path(network: ls.Network) -> FloatArray:
    """All paths, a row each, by trying."""
    found: list[list[int]] = []

    def walk(node: Hashable, taken: list[int]) -> None:
        if node == network.target:
            found.append(taken)
        for k, (tail, head) in enumerate(network.arcs):
            if tail == node:
                walk(head, [*taken, k])

    walk(network.source, [])
    paths = np.zeros((len(found), len(network)))
    for row, taken in zip(paths, found, strict=True):
        row[taken] = 1.0
    return paths


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 7))
def test_sums_over_paths_are_what_trying_them_all_gives(seed: int, nodes: int) -> None:
    network = random_network(seed, nodes)
    generator, paths = np.random.default_rng(seed), every_path(network)
    assert network.count == len(paths)
    assert network.longest == paths.sum(axis=1).max()
    logs = generator.normal(size=len(network)) * 3.0
    chances, total = network.pushed(logs)
    weights = np.exp(paths @ logs)
    assert total == pytest.approx(math.log(weights.sum()))
    np.testing.assert_allclose(network.flow(chances), weights @ paths / weights.sum(), atol=1e-12)
    costs = generator.normal(size=len(network))
    assert network.shortest(costs) @ costs == pytest.approx((paths @ costs).min())
    assert network.dearest(costs) @ costs == pytest.approx((paths @ costs).max())
    assert (paths == network.shortest(costs)).all(axis=1).sum() == 1


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from([None, 40]))
def test_path_weights_are_exponential_weights_over_all_paths(seed: int, horizon: int | None) -> None:
    """The same losses as the rule of experts with a column for every path."""
    network = random_network(seed, 6)
    paths, costs = every_path(network), np.random.default_rng(seed).random((40, len(network)))
    run = ls.ShortestPaths(network, rule=ls.PathWeights(horizon=horizon)).learn_many(costs)
    if len(paths) < 2:
        return
    written_out = ls.hedge(ls.ExponentialWeights(horizon=horizon), costs @ paths.T, low=0.0, high=float(network.longest))
    assert run.ledger.loss == pytest.approx(written_out.ledger.loss, rel=1e-9)
    assert run.regret == pytest.approx(written_out.ledger.regret, abs=1e-8)
    assert run.certify()[0].bound in [pytest.approx(certificate.bound) for certificate in written_out.certify()]


def test_a_network_says_what_it_is() -> None:
    assert repr(ls.Network([("a", "b"), ("b", "c"), ("a", "c")], "a", "c")) == "Network(3 arcs from 'a' to 'c')"


def test_many_more_paths_than_can_be_written_out() -> None:
    """A ladder of 300 rungs: 2^300 paths, a flow of 1 across every cut."""
    ladder = [((k, a), (k + 1, b)) for k in range(300) for a in (0, 1) for b in (0, 1)]
    network = ls.Network([*(("in", (0, a)) for a in (0, 1)), *ladder, *(((300, a), "out") for a in (0, 1))], "in", "out")
    assert network.count == 2**301
    way = ls.ShortestPaths(network, rule=ls.PathWeights(horizon=60))
    costs = np.random.default_rng(0).random((60, len(network)))
    run = way.learn_many(costs)
    assert run.certify()[0].proved
    flow = way.flow
    assert flow[:2].sum() == pytest.approx(1.0)
    assert flow[2:6].sum() == pytest.approx(1.0)
    assert flow[-2:].sum() == pytest.approx(1.0)


# The theorems


@shows("example", "paths.weights")
@shows("holds", "paths.weights")
def test_the_bound_of_path_weights_by_hand() -> None:
    network = ls.Network(DIAMOND, "home", "work")
    way = ls.ShortestPaths(network, rule=ls.PathWeights(eta=0.5))
    assert way.scale == Scale(2.0, 4.0)
    way.learn_one([1.0, 0.0, 1.0, 0.0])
    assert way.ledger.loss == pytest.approx(1.0)  # either way with a chance of a half
    np.testing.assert_allclose(way.flow[0], 1.0 / (1.0 + math.e))  # e^(-0.5 · 2) to 1
    assert way.learn_many(np.tile([1.0, 0.0, 1.0, 0.0], (99, 1))).regret == way.ledger.regret
    (certificate,) = way.certify()
    assert certificate.bound == pytest.approx(math.log(2.0) / 0.5 + 0.5 * 4.0 * 100 / 8.0)
    assert certificate.holds


def adversarial(way: ls.ShortestPaths, kind: str, generator: np.random.Generator) -> FloatArray:
    """Costs by one who knows the flow."""
    if kind == "against the flow":
        return (way.flow > generator.random(len(way.network))).astype(np.float64)
    if kind == "against the path":
        nodes = way.choose()
        taken = set(itertools.pairwise(nodes))
        return np.array([float(arc in taken) for arc in way.network.arcs])
    return generator.random(len(way.network))


@shows("never", "paths.weights")
@settings(deadline=None, max_examples=25)
@given(
    st.integers(0, 10**6),
    st.integers(1, 60),
    st.sampled_from(["against the flow", "against the path", "random"]),
    st.sampled_from([ls.PathWeights(), ls.PathWeights(eta=0.3), ls.PathWeights(horizon=30), ls.PathWeights(eta=20.0)]),
)
def test_path_weights_keep_their_bound_whatever_the_costs(seed: int, rounds: int, kind: str, rule: ls.PathWeights) -> None:
    network, generator = random_network(seed, 5), np.random.default_rng(seed)
    way = ls.ShortestPaths(network, rule=rule)
    for _ in range(rounds):
        costs = adversarial(way, kind, generator)
        eta = rule.rate(network, way.scale, way.ledger.rounds)
        before, mean = network.pushed(-eta * way.state.costs)[1], float(way.flow @ costs)
        way.learn_one(costs)
        if eta > 0.0:
            after = network.pushed(-eta * way.state.costs)[1]
            moment = PathMoment(mean=mean, eta=eta, span=way.scale.span, before=before, after=after, chosen=0.0, other=0.0)
            assert within(*WEIGHTS.lemmas[0].sides(moment))
    assert way.certify()[0].proved


@shows("example", "paths.perturbed")
@shows("holds", "paths.perturbed")
def test_the_bound_of_perturbed_paths_by_hand() -> None:
    network = ls.Network(DIAMOND, "home", "work")
    costs = np.random.default_rng(0).random((4000, 4)) * [1.0, 0.5, 1.0, 0.5]
    run = ls.ShortestPaths(network, rule=ls.PerturbedPath(epsilon=0.01)).learn_many(costs)
    (certificate,) = run.certify()
    luck = 2.0 * math.sqrt(4000 * math.log(1e9) / 2.0)
    assert certificate.bound == pytest.approx(2.0 / 0.02 + 0.01 * 2.0 * 4.0 * 4000 + luck)
    assert certificate.holds
    late = ls.ShortestPaths(network, rule=ls.PerturbedPath()).learn_many(costs).certify()[0]
    root = math.sqrt(2.0 / 2.0 * 2.0 * 4.0)  # K/2, B and A
    assert late.bound == pytest.approx(root * (math.sqrt(4000) + sum(1.0 / math.sqrt(t) for t in range(1, 4001))) + luck)


@shows("never", "paths.perturbed")
@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.integers(1, 80), st.sampled_from([None, 0.05, 3.0]))
def test_perturbed_paths_keep_their_bound_on_tables(seed: int, rounds: int, epsilon: float | None) -> None:
    network = random_network(seed, 6)
    costs = np.random.default_rng(seed).integers(0, 2, (rounds, len(network))).astype(np.float64)
    rule = ls.PerturbedPath(epsilon=epsilon, seed=seed)
    way = ls.ShortestPaths(network, rule=rule)
    others = every_path(network)
    for t in range(min(rounds, 5)):
        totals = way.state.costs + rule.noise(network, way.scale, t)
        path = rule.journey(way.state, network, way.scale).path
        for other in others:
            assert within(*PERTURBED.lemmas[0].sides(_leads(float(path @ totals), float(other @ totals))))
        way.learn_one(costs[t])
    assert ls.ShortestPaths(network, rule=rule).learn_many(costs).certify()[0].proved


def _leads(chosen: float, other: float) -> PathMoment:
    return PathMoment(mean=0.0, eta=1.0, span=1.0, before=0.0, after=0.0, chosen=chosen, other=other)


@shows("unproved", "paths.weights", "paths.perturbed")
@shows("vacuous", "paths.weights", "paths.perturbed")
@shows("violated", "paths.weights", "paths.perturbed")
def test_the_other_verdicts() -> None:
    network = ls.Network(DIAMOND, "home", "work")
    for rule in (ls.PathWeights(eta=0.01), ls.PerturbedPath()):
        way = ls.ShortestPaths(network, rule=rule)
        assert way.certify()[0].verdict is ls.Verdict.UNPROVED
        assert way.learn_many(np.zeros((1, 4))).certify()[0].verdict is ls.Verdict.VACUOUS
    told = ls.ShortestPaths(network, rule=ls.PerturbedPath(epsilon=0.01))
    told.learn_one(np.zeros(4))  # whether the costs looked at the draw nobody can tell
    assert "the costs did not look at the draw of their round ?" in str(told.certify()[0])
    wrong = PathEvidence(
        rounds=1000,
        loss=1900.0,
        best_loss=0.0,
        log_paths=math.log(2.0),
        span=2.0,
        mass=4.0,
        longest=2,
        rates=(20.0, 0.02),
        fixed=True,
        tabled=True,
    )
    for guarantee in (WEIGHTS, PERTURBED):
        assert guarantee.certify(wrong).verdict is ls.Verdict.VIOLATED
        assert guarantee.certify(replace(wrong, loss=0.0)).verdict is ls.Verdict.HOLDS


class _Stubborn(PathRule):
    """Always the path that was cheapest at first."""

    source = "nobody"

    def init(self, network: ls.Network) -> ls.ExpertState:
        return ls.ExpertState(costs=np.zeros(len(network)), rounds=np.zeros(1))

    def rate(self, network: ls.Network, scale: Scale, rounds: int) -> float:
        return 0.1

    def journey(self, state: ls.ExpertState, network: ls.Network, scale: Scale) -> Journey:
        path = network.shortest(np.zeros(len(network)))
        return Journey(path, path)


@shows("mutant", "paths.weights", "paths.perturbed")
def test_a_wrong_rule_is_caught_by_the_lemmas() -> None:
    network = ls.Network(DIAMOND, "home", "work")
    way, costs = ls.ShortestPaths(network, rule=_Stubborn()), np.array([1.0, 0.0, 1.0, 0.0])
    way.learn_one(costs)
    before = network.pushed(-0.1 * way.state.costs)[1]
    mean, path = float(way.flow @ costs), way.flow
    totals = way.state.costs.copy()
    way.learn_one(costs)
    after = network.pushed(-0.1 * way.state.costs)[1]
    moment = PathMoment(
        mean=mean,
        eta=0.1,
        span=2.0,
        before=before,
        after=after,
        chosen=float(path @ totals),
        other=float(network.shortest(totals) @ totals),
    )
    assert not within(*WEIGHTS.lemmas[0].sides(moment))
    assert not within(*PERTURBED.lemmas[0].sides(moment))


# Draws, rounds, copies


def test_paths_are_drawn_as_often_as_the_flow_says() -> None:
    network = random_network(5)
    way = ls.ShortestPaths(network, rule=ls.PathWeights(eta=0.7))
    way.learn_many(np.random.default_rng(1).random((5, len(network))))
    chances, _ = network.pushed(-0.7 * way.state.costs)
    generator = np.random.default_rng(2)
    drawn = np.mean([network.drawn(chances, generator.random(network.longest)) for _ in range(4000)], axis=0)
    np.testing.assert_allclose(drawn, way.flow, atol=0.04)
    assert way.choose() == way.choose()


@pytest.mark.parametrize("rule", [ls.PathWeights(seed=3), ls.PerturbedPath(seed=3)], ids=["weights", "perturbed"])
def test_one_at_a_time_many_and_copies_are_the_same(rule: PathRule) -> None:
    network = random_network(4)
    costs = np.random.default_rng(1).random((30, len(network)))
    one, many = ls.ShortestPaths(network, rule=rule), ls.ShortestPaths(network, rule=rule)
    taken = [one.learn_one(row) for row in costs[:20]]
    run = many.learn_many(costs[:20], keep=("flow",))
    np.testing.assert_array_equal(taken, run.taken_losses)
    assert run.flows is not None
    np.testing.assert_allclose((run.flows * costs[:20]).sum(axis=1), run.losses)
    for twin in (copy.deepcopy(one), pickle.loads(pickle.dumps(one)), many):
        assert twin.learn_many(costs[20:]).ledger.loss == ls.ShortestPaths(network, rule=rule).learn_many(costs).ledger.loss


# Graphs and costs of all kinds


def test_a_sparse_matrix_a_networkx_graph_and_pairs_are_one_network() -> None:
    networkx = pytest.importorskip("networkx")
    pairs = [(0, 1), (0, 2), (1, 3), (2, 3)]
    rows, columns = zip(*pairs, strict=True)
    matrix = sparse.csr_array((np.array([5.0, 1.0, 1.0, 1.0]), (rows, columns)), shape=(4, 4))
    for graph in (matrix, sparse.coo_matrix(matrix), networkx.DiGraph(pairs), pairs):
        network = ls.Network(graph, 0, 3)
        assert sorted(network.arcs) == pairs
        way = ls.ShortestPaths(network, high=5.0)
        way.learn_one(dict(zip(pairs, [5.0, 1.0, 1.0, 1.0], strict=True)))
        assert way.ledger.best == (0, 2, 3)
    way = ls.ShortestPaths(ls.Network(matrix, 0, 3), high=5.0)
    way.learn_one(matrix)
    assert way.ledger.best_loss == 2.0


def test_arcs_that_lead_nowhere_are_left_out() -> None:
    network = ls.Network([*DIAMOND, ("work", "pub"), ("pub", "home2"), ("cellar", "home")], "home", "work")
    assert (len(network), network.used, network.count) == (7, 4, 2)
    run = ls.ShortestPaths(network).learn_many(np.ones((3, 7)))
    assert run.ledger.loss == pytest.approx(6.0)


def test_what_is_no_network_is_refused_in_a_sentence() -> None:
    networkx = pytest.importorskip("networkx")
    with pytest.raises(ls.InvalidData, match=r"there is no path from 'home' to 'moon'"):
        ls.Network(DIAMOND, "home", "moon")
    with pytest.raises(ls.InvalidData, match=r"there is a cycle among the paths"):
        ls.Network([*DIAMOND, ("bridge", "tunnel"), ("tunnel", "bridge")], "home", "work")
    with pytest.raises(ls.InvalidData, match=r"the arc 'home' to 'bridge' is there twice"):
        ls.Network([*DIAMOND, DIAMOND[0]], "home", "work")
    with pytest.raises(ls.InvalidParameter, match=r"expected a networkx.DiGraph"):
        ls.Network(networkx.Graph(DIAMOND), "home", "work")
    with pytest.raises(ls.InvalidParameter, match=r"the matrix has shape \(2, 3\)"):
        ls.Network(sparse.csr_array(np.ones((2, 3))), 0, 1)
    with pytest.raises(ls.InvalidParameter, match=r"the graph is a int; expected a sparse matrix"):
        ls.Network(3, 0, 1)
    with pytest.raises(ls.InvalidParameter, match=r"PathWeights takes one of eta and horizon"):
        ls.PathWeights(eta=1.0, horizon=3)
    with pytest.raises(ls.InvalidParameter, match=r"PerturbedPath takes one of epsilon and horizon"):
        ls.PerturbedPath(epsilon=1.0, horizon=3)
    with pytest.raises(ls.InvalidParameter, match=r"rule is MLpol\(\); expected ls.PathWeights\(\)"):
        ls.ShortestPaths(ls.Network(DIAMOND, "home", "work"), rule=cast("PathRule", ls.MLpol()))
    with pytest.raises(ls.InvalidParameter, match=r"low is 2.0 and high 1.0"):
        ls.ShortestPaths(ls.Network(DIAMOND, "home", "work"), low=2.0)


def test_bad_costs_change_nothing() -> None:
    way = ls.ShortestPaths(ls.Network(DIAMOND, "home", "work"))
    table = np.ones((3, 4))
    table[2, 1] = 1.5
    for bad, words in (
        ([1.0], r"the costs have shape \(1,\); expected one for each of 4 arcs"),
        ([0.0, 0.0, math.nan, 0.0], r"the cost of 'bridge' to 'work' is nan"),
        ([0.0, 0.0, 2.0, 0.0], r"a cost is 2; costs were declared to be from 0 to 1"),
        ({("home", "bridge"): 1.0}, r"there is no cost of 'home' to 'tunnel'"),
        ("abcd", r"the costs are no numbers"),
    ):
        with pytest.raises(ls.InvalidData, match=words):
            way.learn_one(bad)
    with pytest.raises(ls.InvalidData, match=r"a cost is 1.5"):
        way.learn_many(table)
    with pytest.raises(ls.InvalidData, match=r"expected a round per row"):
        way.learn_many(3)
    with pytest.raises(ls.InvalidParameter, match=r"keep can name flow"):
        way.learn_many(table, keep=("weights",))
    assert way.ledger.rounds == 0
