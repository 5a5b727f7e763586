"""Whatever is given to the library, it answers, or refuses with an error of its own; never with one of somebody else's."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import littlestone as ls
from littlestone import _core
from littlestone.streams.batches import numbers

X = np.eye(3)
Y = [1, -1, 1]

OUTCOMES: dict[str, object] = {
    "two dimensions": np.ones((3, 2)),
    "ragged": [[1], [1, 2], 3],
    "none": [None] * 3,
    "objects": [object()] * 3,
    "complex": [1j] * 3,
    "a dict": {"a": 1},
    "a set": {1, 2, 3},
    "a text": "abc",
    "bytes": [b"a", b"b", b"a"],
    "dates": np.array(["2020", "2021", "2022"], "M8[Y]"),
    "huge": [10**400] * 3,
    "a scalar array": np.array(3),
    "nan": [float("nan")] * 3,
    "records": np.zeros(3, [("a", int)]),
    "empty lists": [[], [], []],
    "mixed": [1, "a", 2.5],
    "masked": np.ma.array([1, -1, 1], mask=[False, True, False]),
    "a number": 5,
    "nothing": None,
    "surrogates": ["\ud800", "b", "\udcff"],
}


def broken(name: str, values: list[int] | np.ndarray[tuple[int], np.dtype[np.generic]]) -> object:
    matrix = sp.csr_array(X)
    setattr(matrix, name, np.asarray(values, dtype=getattr(matrix, name).dtype))
    return matrix


def apart(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> np.ndarray[tuple[int, ...], np.dtype[np.generic]]:
    """The same numbers, not contiguous."""
    return np.repeat(array, 2)[::2]


def odd(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> np.ndarray[tuple[int, ...], np.dtype[np.generic]]:
    """The same numbers at an odd address."""
    moved = np.frombuffer(b"\0" + array.tobytes(), np.uint8)[1:].view(array.dtype).reshape(array.shape)
    assert not moved.flags.aligned
    return moved


def with_parts(change: Callable[[np.ndarray[tuple[int, ...], np.dtype[np.generic]]], object]) -> sp.csr_array[np.float64]:
    matrix = sp.csr_array(X)
    for name in ("data", "indices", "indptr"):
        setattr(matrix, name, change(getattr(matrix, name)))
    return matrix


ROWS: dict[str, object] = {
    "nothing": None,
    "nothing in rows": [None] * 3,
    "a number": 3,
    "a text": "abc",
    "texts": ["a", "b", "c"],
    "ragged": [[1], [1, 2], [3]],
    "three dimensions": np.ones((3, 2, 2)),
    "a scalar array": np.array(1.0),
    "objects": np.array([[1, "a"]] * 3, object),
    "complex": np.ones((3, 2), complex),
    "dates": np.zeros((3, 2), "M8[s]"),
    "records": np.zeros(3, [("a", float)]),
    "huge": [[10**400]] * 3,
    "a view of two dimensions": np.ones((3, 2)).data,
    "a view of one dimension": np.ones(3).data,
    "a view of bytes": memoryview(b"abcdef"),
    "bytes": b"abc",
    "a bytearray": bytearray(3),
    "sets": [{1}, {2}, {3}],
    "dicts of none": [{"a": None}] * 3,
    "dicts of text": [{"a": "b"}] * 3,
    "dicts by tuples": [{(1, 2): 1.0}] * 3,
    "dicts by floats": [{1.5: 1.0}] * 3,
    "dicts by booleans": [{True: 1.0}] * 3,
    "dicts of huge numbers": [{"a": 10**400}] * 3,
    "dicts and lists": [{"a": 1.0}, [1.0], {"b": 2}],
    "masked": np.ma.array(X, mask=X > 0),
    "long double": X.astype("g"),
    "big-endian": X.astype(">f8"),
    "no rows": np.zeros((0, 3)),
    "no columns": np.zeros((3, 0)),
    "an empty list": [],
    "coordinates": sp.coo_array(X),
    "blocks": sp.bsr_array(X),
    "complex and sparse": sp.csr_array(X.astype(complex)),
    "negative keys": [{-5: 1.0}] * 3,
    "huge keys": [{2**70: 1.0}] * 3,
    "surrogates": [{"\ud800": 1.0}] * 3,
    "nul": [{"\0": 1.0}] * 3,
    "an index outside": broken("indices", [9, 0, 1]),
    "offsets that decrease": broken("indptr", [0, 3, 2, 3]),
}


def settled() -> ls.Learner:
    learner = ls.Learner(ls.Perceptron())
    learner.learn_many(X, Y)
    return learner


def mixture() -> ls.Mixture:
    return ls.Mixture(ls.MLpol(), experts=2, loss="square")


TAKERS_OF_OUTCOMES: dict[str, Callable[..., object]] = {
    "labels": lambda y: ls.Learner(ls.Perceptron()).learn_many(X, y),
    "label": lambda y: ls.Learner(ls.Perceptron()).learn_one([1.0, 2.0], y),
    "targets": lambda y: ls.Learner(ls.PassiveAggressiveRegression()).learn_many(X, y),
    "target": lambda y: ls.Learner(ls.PassiveAggressiveRegression()).learn_one([1.0, 2.0], y),
    "classes": lambda y: ls.Learner(ls.MulticlassPerceptron()).learn_many(X, y),
    "weights": lambda y: ls.Learner(ls.Perceptron()).learn_many(X, Y, y),
    "weight": lambda y: ls.Learner(ls.Perceptron()).learn_one([1.0, 2.0], 1, y),
    "outcomes": lambda y: ls.aggregate(ls.MLpol(), X, y, loss="square"),
    "outcome": lambda y: mixture().learn_one([0.1, 0.2], y),
}
TAKERS_OF_ROWS: dict[str, Callable[..., object]] = {
    "learn_many": lambda rows: ls.Learner(ls.Perceptron()).learn_many(rows, Y),
    "learn_one": lambda rows: ls.Learner(ls.Perceptron()).learn_one(rows, 1),
    "score_many": lambda rows: settled().score_many(rows),
    "predict_one": lambda rows: settled().predict_one(rows),
    "aggregate": lambda rows: ls.aggregate(ls.MLpol(), rows, [0.1, 0.2, 0.3], loss="square"),
    "mixture": lambda rows: mixture().learn_one(rows, 0.3),
    "solve": lambda rows: ls.solve(rows),
    "run": lambda rows: ls.run(ls.Perceptron(), rows, Y),
}


def answered(call: Callable[..., object], value: object) -> None:
    try:
        call(value)
    except ls.LittlestoneError:
        return


@pytest.mark.parametrize("taker", TAKERS_OF_OUTCOMES)
@pytest.mark.parametrize("given", OUTCOMES)
def test_odd_outcomes_are_taken_or_refused(taker: str, given: str) -> None:
    answered(TAKERS_OF_OUTCOMES[taker], OUTCOMES[given])


@pytest.mark.parametrize("taker", TAKERS_OF_ROWS)
@pytest.mark.parametrize("given", ROWS)
def test_odd_rows_are_taken_or_refused(taker: str, given: str) -> None:
    answered(TAKERS_OF_ROWS[taker], ROWS[given])


@pytest.mark.parametrize("change", [apart, odd], ids=["not contiguous", "at odd addresses"])
def test_arrays_that_lie_badly_give_the_same_bits(
    change: Callable[[np.ndarray[tuple[int, ...], np.dtype[np.generic]]], np.ndarray[tuple[int, ...], np.dtype[np.float64]]],
) -> None:
    assert numbers(change(np.ones(3)), "the values").flags.aligned  # which some processors want, and others are lenient
    learner = ls.Learner(ls.Perceptron())
    learner.learn_many(with_parts(change), Y)
    assert learner.state.w.tolist() == settled().state.w.tolist()
    dense = ls.Learner(ls.Perceptron())
    dense.learn_many(change(X).reshape(3, 3) if change is odd else X, change(np.array(Y)), change(np.ones(3)))
    assert dense.state.w.tolist() == settled().state.w.tolist()
    targets, badly = (ls.Learner(ls.PassiveAggressiveRegression()) for _ in range(2))
    targets.learn_many(X, np.array([0.5, 1.5, 2.5]))
    badly.learn_many(X, change(np.array([0.5, 1.5, 2.5])))
    assert badly.state.w.tolist() == targets.state.w.tolist()


@pytest.mark.parametrize("size", [1e-320, 5e-324, 1e-300, 1e300, 1.7e308])
@pytest.mark.parametrize("method", ["auto", "lp", "exact"])
def test_payoffs_of_any_size_are_solved_or_refused(size: float, method: str) -> None:
    game = np.array([[0, -size, size], [size, 0, -size], [-size, size, 0]])
    answered(lambda A: ls.solve(A, method=method), game)


@pytest.mark.parametrize("path", [None, 3, b"x", "", "\0", "a\0b", ".", "/nonexistent/x", ["a"], 1.5, "x" * 5000, "\ud800"])
@pytest.mark.parametrize("call", [ls.load, ls.read_game, lambda path: list(ls.read(path, format="svmlight"))])
def test_what_is_no_path_is_refused(call: Callable[..., object], path: object) -> None:
    with pytest.raises(ls.LittlestoneError):
        call(path)


@pytest.mark.parametrize("path", [None, 3, b"x", "\0", ["a"], "\ud800"])
def test_what_is_no_path_is_not_written(path: object) -> None:
    save: Callable[..., None] = settled().save
    with pytest.raises(ls.InvalidParameter, match="the path is"):
        save(path)


def test_names_with_lone_surrogates_are_kept(tmp_path: Path) -> None:
    learner = ls.Learner(ls.Perceptron())
    learner.learn_many([{"\ud800": 1.0}, {"b": 1.0}], ["x\udcff", "y"])
    learner.save(tmp_path / "m.lst")
    again = ls.load(tmp_path / "m.lst")
    assert again.features == ["\ud800", "b"]
    assert again.labels == learner.labels
    ls.write_report(learner, tmp_path / "r.html", title="\ud800")
    assert "<h1>\ufffd</h1>" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_ints_chosen_to_meet_do_not() -> None:
    """Those of a table with a known odd factor, and multiples of a power of two: where all of them meet in one place of
    the table, each passes by all the others."""
    back, count = pow(0x9E3779B97F4A7C15, -1, 1 << 64), 60_000
    meeting = [name for j in range(1 << 21) if (name := ((j << 40) * back) % (1 << 64)) < 1 << 60][:count]
    for names in (meeting, [j << 42 for j in range(count)]):
        features = _core.Features()
        assert len(features.numbers(names, grow=True)) == count
        assert features.longest_search < 120


# --- arguments of any kind, one at a time: what is refused is refused in our words

RUN = ls.run(ls.Perceptron(), X, Y, keep=("mistake",))
TABLE = np.random.default_rng(0).random((3, 3))
THIRDS = np.full((3, 2, 3), 1.0 / 3.0)
QUANTILES = np.sort(np.random.default_rng(0).random((3, 2, 3)), axis=2)
EVENTS = [ls.PredictEvent(0, "a", [1.0, 2.0]), ls.LabelEvent(1, "a", 1)]
NETWORK = ls.Network([("s", "a"), ("s", "b"), ("a", "t"), ("b", "t")], "s", "t")
KUHN = ls.kuhn_poker()
POOL = ls.Learner(labels=(-1, 1))
POOL.learn_many(X, Y)

ARGUMENTS: dict[str, Callable[..., object]] = {
    "experts": lambda it: ls.aggregate(ls.MLpol(), TABLE, [0.1, 0.2, 0.3], loss="square", experts=it),
    "keep of aggregate": lambda it: ls.aggregate(ls.MLpol(), TABLE, [0.1, 0.2, 0.3], loss="square", keep=it),
    "loss of aggregate": lambda it: ls.aggregate(ls.MLpol(), TABLE, [0.1, 0.2, 0.3], loss=it),
    "delay of aggregate": lambda it: ls.aggregate(ls.MLpol(), TABLE, [0.1, 0.2, 0.3], loss="square", delay=it),
    "loss of distributions": lambda it: ls.aggregate_distributions(
        ls.BayesMixture(), np.full((3, 2, 3), 1 / 3), [0, 1, 2], loss=it
    ),
    "levels": lambda it: ls.aggregate_quantiles(ls.MLpol(), QUANTILES, [0.1, 0.2, 0.3], levels=it),
    "experts of quantiles": lambda it: ls.aggregate_quantiles(
        ls.MLpol(), QUANTILES, [0.1, 0.2, 0.3], levels=[0.1, 0.5, 0.9], experts=it
    ),
    "assets": lambda it: ls.portfolio(ls.ExponentiatedGradient(), TABLE + 0.5, assets=it),
    "loss of compare": lambda it: ls.compare(RUN, None, loss=it),
    "delta of compare": lambda it: ls.compare(RUN, None, delta=it),
    "learners of mix": lambda it: ls.mix(it),
    "weights of mix": lambda it: ls.mix([settled(), settled()], weights=it),
    "parts of merge": lambda it: ls.merge(it),
    "partitions": lambda it: ls.epochs(it, ls.Perceptron()),
    "weights of epochs": lambda it: ls.epochs([(X, Y)], ls.Perceptron(), weights=it),
    "method of equilibria": lambda it: ls.equilibria(X, X, method=it),
    "concept of equilibrium": lambda it: ls.equilibrium(X, X, concept=it),
    "method of solve": lambda it: ls.solve(X, method=it),
    "method of solve_extensive": lambda it: ls.solve_extensive(ls.kuhn_poker(), method=it),
    "events": lambda it: ls.replay(it, ls.Perceptron()),
    "model of replay": lambda it: ls.replay(EVENTS, it),
    "keep of run": lambda it: ls.run(ls.Perceptron(), X, Y, keep=it),
    "missing": lambda it: ls.Learner(ls.Perceptron(), missing=it),
    "format of parse": lambda it: ls.parse(b"1 1:1", it),
    "learners of a master": lambda it: ls.Master(it),
    "costs of paths": lambda it: ls.ShortestPaths(NETWORK).learn_many(it),
    "keep of paths": lambda it: ls.ShortestPaths(NETWORK).learn_many([[0.1] * 4], keep=it),
    "scores": lambda it: settled().labels_of(it),
    "label to explain": lambda it: POOL.explain_one([1.0, 0.0, 0.0], it),
    "export": lambda it: ls.export(it, "nowhere.json"),
    "ends of intervals": lambda it: ls.Intervals(it, 1.0),
    "against": lambda it: RUN.certify(against=it),
    "first of compare": lambda it: ls.compare(it),
    "second of compare": lambda it: ls.compare(RUN, it),
    "average of a learner": lambda it: ls.Learner(ls.Perceptron(), average=it),
    "progress of run": lambda it: ls.run(ls.Perceptron(), X, Y, progress=it),
    "audit of run": lambda it: ls.run(ls.Perceptron(), X, Y, audit=it),
    "gradient": lambda it: ls.Mixture(ls.MLpol(), experts=2, loss="square", gradient=it),
    "low of hedge": lambda it: ls.hedge(ls.ExponentialWeights(), TABLE, low=it),
    "constant of parse": lambda it: ls.parse(b"1 1:1", "svmlight", constant=it),
    "constant of read": lambda it: list(ls.read(BytesIO(b"1 1:1"), constant=it)),
    "ordered": lambda it: ls.replay(EVENTS, ls.Perceptron(), ordered=it),
    "keep of replay": lambda it: ls.replay(EVENTS, ls.Perceptron(), keep=it),
    "what makes a model": lambda it: ls.replay(EVENTS, lambda: it),
    "alternate": lambda it: ls.play(X, ls.MLpol(), ls.MLpol(), 3, alternate=it),
    "power": lambda it: ls.play(X, ls.MLpol(), ls.MLpol(), 3, power=it),
    "alternate of counterfactual play": lambda it: ls.counterfactual_play(KUHN, ls.MLpol(), ls.MLpol(), 1, alternate=it),
    "power of counterfactual play": lambda it: ls.counterfactual_play(KUHN, ls.MLpol(), ls.MLpol(), 1, power=it),
}
EXTRAS: dict[str, object] = {
    "0": 0,
    "-1": -1,
    "infinite": float("inf"),
    "true": True,
    "1e30": 10**30,
    "1e308": 1e308,
    "no text": "",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("argument", ARGUMENTS)
def test_arguments_of_any_kind_are_taken_or_refused(argument: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name, odd_one in {**OUTCOMES, **ROWS, **EXTRAS}.items():
        try:
            ARGUMENTS[argument](odd_one)
        except ls.LittlestoneError:
            continue
        except Exception as failure:
            raise AssertionError(f"{argument}: {name}: {failure!r}") from failure
