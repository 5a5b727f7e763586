"""Laws that every rule keeps, as functions of a rule and a stream; each raises AssertionError when it is broken."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.ballots import HedgedSnapshot
from littlestone.kernels import KernelRule
from littlestone.loop import Loop, PythonLoop
from littlestone.state import Average, State
from strategies import Stream

Answer = TypeVar("Answer")
Law: TypeAlias = Callable[[ls.LinearRule, Stream], None]
Fingerprint: TypeAlias = dict[str, object]

KEPT = ("score", "loss", "step", "mistake", "update")
COUNTERS = frozenset({"rounds", "draws", "met"})
"""Arrays of a state that count rounds, or classes, and so move without an update."""


def call(function: Callable[..., Answer], *given: object, **named: object) -> Answer:
    """Calls a function with what its types forbid: the forms of input that only a check at run time can tell apart."""
    return function(*given, **named)


def pair_of(rule: ls.LinearRule) -> tuple[int, int] | None:
    """Labels are fixed beforehand, so that the part of a stream with only one of them reads as the whole does."""
    return (-1, 1) if rule.abilities.labels else None


def fresh(rule: ls.LinearRule) -> ls.Learner:
    return ls.Learner(rule, labels=pair_of(rule), average=rule.keeps_mean())


def learned(rule: ls.LinearRule, stream: Stream) -> ls.Learner:
    learner = fresh(rule)
    learner.learn_many(stream.X, stream.y)
    return learner


# What goes by the names of features and the numbers of labels, and not by what is learned of them.
_ROWS = ("fingerprint", "sequence")


def without_names(ledger: ls.Ledger) -> ls.Ledger:
    """The ledger without its fingerprints, which go by the names of features and the numbers of labels."""
    return replace(ledger, fingerprint=0, sequence=0)


def fingerprint(learner: ls.Learner) -> Fingerprint:
    """Everything a learner knows, to the last bit."""
    known = learner.snapshot()
    arrays = {} if known.state is None else {name: array.tobytes() for name, array in known.state.arrays.items()}
    average = known.average
    sums = None if average is None else (average.drift.tobytes(), average.settled.tobytes(), average.mass.tobytes())
    scales = {} if known.statistics is None else {name: array.tobytes() for name, array in known.statistics.arrays.items()}
    return {
        "state": arrays,
        "scales": scales,
        "average": sums,
        "ledger": repr(sorted((name, total) for name, total in known.totals.items() if name not in _ROWS)),
        "rows": [known.totals[name] for name in _ROWS],
        "features": learner.features,
        "space": known.space,
        "labels": repr(known.labels),
        "classes": repr(known.classes),
        "missing": known.missing,
        "kind": known.kind,
    }


def votes_of(master: ls.Master) -> object:
    """Everything a master knows of the votes, to the last bit."""
    vote = master.snapshot().vote
    if not isinstance(vote, HedgedSnapshot):
        return fingerprint(ls.Learner.restored(vote))
    arrays = {name: array.tobytes() for name, array in vote.mixture.state.arrays.items()}
    return fingerprint(ls.Learner.restored(vote.shown)), arrays, repr(sorted(vote.mixture.totals.items()))


def same(left: ls.Learner, right: ls.Learner, *, but: Iterable[str] = ()) -> None:
    """Two learners know the same, to the last bit."""
    one, other = fingerprint(left), fingerprint(right)
    for key in one:
        if key not in set(but):
            assert one[key] == other[key], f"{key} differs"


# The same loop, however it is called.


def whole_equals_split(rule: ls.LinearRule, stream: Stream, cuts: tuple[int, ...] = (1, 4)) -> None:
    """`learn_many` on the whole, on parts, and `learn_one` in a loop leave the same bits."""
    whole, parts = fresh(rule), fresh(rule)
    kept = whole.learn_many(stream.X, stream.y, keep=KEPT)
    bounds = [0, *(min(cut, len(stream)) for cut in sorted(cuts)), len(stream)]
    pieces = []
    for begin, end in itertools.pairwise(bounds):
        part = stream.part(begin, end)
        pieces.append(parts.learn_many(part.X, part.y, keep=KEPT))
    same(whole, parts)
    for name in KEPT:
        assert kept[name].tobytes() == np.concatenate([piece[name] for piece in pieces]).tobytes()


def many_equals_one_by_one(rule: ls.LinearRule, stream: Stream) -> None:
    whole, single = learned(rule, stream), fresh(rule)
    for x, y in stream.rounds():
        single.learn_one(x, y)
    same(whole, single)


def run_equals_learner(rule: ls.LinearRule, stream: Stream) -> None:
    run = ls.run(rule, stream.X, stream.y, labels=pair_of(rule), average=rule.keeps_mean())
    same(run.learner, learned(rule, stream))
    alone, beside = run.learner.ledger, run.ledger
    if len(run.learner.labels) > 2:  # a run counts the commonest of many labels, for which no learner has room
        beside = replace(beside, majority_errors=alone.majority_errors, two_labels=alone.two_labels)
    assert beside == alone


def shows_what_it_predicts(rule: ls.LinearRule, stream: Stream) -> None:
    """`learn_one` returns what `predict_one` said just before."""
    learner = fresh(rule)
    learner.learn_many(stream.X[:0], stream.y[:0])
    for x, y in stream.rounds():
        expected = learner.predict_one(x)
        assert learner.learn_one(x, y) == expected


# Rows are numbers, whatever holds them.


def _with_explicit_zeros(X: FloatArray) -> sp.csr_matrix[np.float64]:
    rows, width = X.shape
    start = np.arange(rows + 1, dtype=np.int32) * width
    return sp.csr_matrix((X.ravel(), np.tile(np.arange(width, dtype=np.int32), rows), start), shape=X.shape)


def _long_indices(X: FloatArray) -> sp.csr_array[np.float64]:
    matrix = sp.csr_array(X)
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    return matrix


def forms(X: FloatArray) -> dict[str, object]:
    """The same rows in every form that has positions; all are exact copies."""
    strided = np.zeros((2 * X.shape[0], 3 * X.shape[1]))
    strided[::2, ::3] = X
    every: dict[str, object] = {
        "fortran": np.asfortranarray(X),
        "strided": strided[::2, ::3],
        "reversed": np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
        "csr": sp.csr_matrix(X),
        "csr array": sp.csr_array(X),
        "csr, int64": _long_indices(X),
        "csr, explicit zeros": _with_explicit_zeros(X),
        "csc": sp.csc_matrix(X),
        "coo": sp.coo_array(X),
        "lists": X.tolist(),
    }
    if np.array_equal(X.astype(np.float32).astype(np.float64), X):
        every["float32"] = X.astype(np.float32)
        every["float32, fortran"] = np.asfortranarray(X.astype(np.float32))
        every["float32, csr"] = sp.csr_matrix(X.astype(np.float32))
    return every


def every_form_is_the_same(rule: ls.LinearRule, stream: Stream) -> None:
    """Dense equals sparse equals lists, at any width of number and index."""
    plain = learned(rule, stream)
    for name, X in forms(stream.X).items():
        other = fresh(rule)
        call(other.learn_many, X, stream.y)
        assert fingerprint(other) == fingerprint(plain), name


def appearance(X: FloatArray) -> list[int]:
    """The columns in the order in which dicts of their nonzeros bring them."""
    return list(dict.fromkeys(int(k) for x in X for k in np.flatnonzero(x)))


def as_dicts(X: FloatArray, names: Callable[[int], str | int]) -> list[dict[str | int, float]]:
    return [{names(k): float(x[k]) for k in np.flatnonzero(x).tolist()} for x in X]


def dicts_equal_arrays(rule: ls.LinearRule, stream: Stream) -> None:
    """Dicts of nonzeros equal the array whose columns stand in the order of their first appearance."""
    seen = appearance(stream.X)
    ordered = np.ascontiguousarray(stream.X[:, seen])
    plain = learned(rule, Stream(ordered, stream.y))
    texts, numbers, single = fresh(rule), fresh(rule), fresh(rule)
    texts.learn_many(as_dicts(ordered, lambda k: f"f{seen[k]}"), stream.y)
    numbers.learn_many(as_dicts(ordered, lambda k: seen[k]), stream.y)
    for record, (_, y) in zip(as_dicts(ordered, lambda k: f"f{seen[k]}"), stream.rounds(), strict=True):
        single.learn_one(record, y)
    for named in (texts, numbers, single):
        same(plain, named, but=("features", "space", "rows"))
    same(texts, single)
    assert texts.features == [f"f{k}" for k in seen]
    assert numbers.features == seen


def _permuted(rule: ls.LinearRule, order: npt.NDArray[np.intp]) -> ls.LinearRule:
    """The rule with its vectors in the new order of the features."""
    moved = {}
    for name, value in rule.parameters().items():
        if isinstance(value, np.ndarray):
            padded = np.zeros(len(order))
            padded[: len(value)] = value
            moved[name] = padded[order]
    return call(type(rule), **{**rule.parameters(), **moved})


def renaming_commutes(rule: ls.LinearRule, stream: Stream, *, exact: bool = False, seed: int = 0) -> None:
    """Learning after renaming the features is renaming after learning."""
    order = np.random.default_rng(seed).permutation(stream.width)
    plain = learned(rule, stream).state.w
    renamed = learned(_permuted(rule, order), Stream(stream.X[:, order], stream.y)).state.w
    slack = 0.0 if exact else 1e-9 * (1.0 + float(np.abs(plain).max()))
    assert np.abs(renamed - plain[order]).max() <= slack


def labels_are_names(rule: ls.LinearRule, stream: Stream) -> None:
    """Any two values serve as labels."""
    plain = learned(rule, stream)
    named = ls.Learner(rule, labels=("ham", "spam"), average=rule.keeps_mean())
    named.learn_many(stream.X, ["spam" if sign > 0 else "ham" for sign in stream.signs.tolist()])
    same(plain, named, but=("labels",))


# What does not learn does not change.


def predicting_is_pure(rule: ls.LinearRule, stream: Stream) -> None:
    learner = learned(rule, stream)
    before = fingerprint(learner)
    first = (learner.score_many(stream.X).tolist(), learner.predict_many(stream.X).tolist())
    single = [learner.score_one(x) for x in stream.X]
    for x in stream.X:
        learner.predict_one(x)
    assert fingerprint(learner) == before
    assert (learner.score_many(stream.X).tolist(), learner.predict_many(stream.X).tolist()) == first
    assert single == first[0]


def no_update_moves_no_byte(rule: ls.LinearRule, stream: Stream) -> None:
    """A round that is no update leaves every array but the counters of rounds as it was."""
    learner = fresh(rule)
    learner.learn_many(stream.X[:0], stream.y[:0])
    for x, y in stream.rounds():
        before, updates = learner.state.copy(), learner.ledger.updates
        learner.learn_one(x, y)
        if learner.ledger.updates == updates:
            for name, array in learner.state.arrays.items():
                assert name in COUNTERS or array.tobytes() == before.arrays[name].tobytes(), name


def steps_are_honest(rule: ls.LinearRule, stream: Stream) -> None:
    """The column `step` says by which multiple of the row the weights moved (but for a common shrinking).

    An update that is said to be otherwise promises nothing.
    """
    if learned(rule, stream).ledger.other_updates and not hasattr(rule, "kink"):
        return
    learner = fresh(rule)
    learner.learn_many(stream.X[:0], stream.y[:0])
    for t, x in enumerate(stream.X):
        before = learner.state.w.copy()
        kept = learner.learn_many(stream.X[t : t + 1], stream.y[t : t + 1], keep=("step", "update"))
        shrink = shrinking(rule, t + 1) if kept["update"][0] else 1.0
        expected = shrink * before + float(kept["step"][0]) * x
        assert np.abs(learner.state.w - expected).max() <= 1e-12 * (1.0 + np.abs(expected).max())


def shrinking(rule: ls.LinearRule, t: int) -> float:
    """The factor that the weights are multiplied by in round t."""
    eta: object = getattr(rule, "eta", None)
    if not hasattr(rule, "kink"):
        return 1.0
    return 1.0 - (eta if isinstance(eta, float) else 1.0 / (t + 1.0))


def restoring_goes_on(rule: ls.LinearRule, stream: Stream) -> None:
    """A learner restored from a snapshot goes on as the original does, and the snapshot stays what it was."""
    half = len(stream) // 2
    learner = learned(rule, stream.part(0, half))
    saved = learner.snapshot()
    twin = ls.Learner.restored(saved)
    same(learner, twin)
    rest = stream.part(half, len(stream))
    learner.learn_many(rest.X, rest.y)
    again = ls.Learner.restored(saved)
    for other in (twin, again):
        other.learn_many(rest.X, rest.y)
        same(learner, other)


# What is recorded is what happened.


def compensated(terms: Iterable[float]) -> float:
    """Neumaier's sum, as the ledger keeps it."""
    total = correction = 0.0
    for term in terms:
        following = total + term
        correction += (total - following) + term if abs(total) >= abs(term) else (term - following) + total
        total = following
    return total + correction


def ledger_is_the_sum_of_its_rounds(rule: ls.LinearRule, stream: Stream) -> None:
    learner = fresh(rule)
    kept = learner.learn_many(stream.X, stream.y, keep=KEPT)
    ledger, batch = learner.ledger, _core.dense_batch(stream.X)
    loss = [float(value) for value in kept["loss"] if value > 0.0]
    assert ledger.rounds == len(stream)
    assert ledger.mistakes == np.count_nonzero(kept["mistake"])
    assert ledger.updates == np.count_nonzero(kept["update"])
    assert ledger.loss == compensated(loss)
    assert ledger.loss_squared == compensated(value * value for value in loss)
    lengths = lengths_squared(rule, stream, batch)
    moved = lengths[kept["update"].astype(bool)]
    assert ledger.largest_norm_squared == approximately(lengths.max(), rule)
    assert ledger.largest_entry == np.abs(stream.X).max()
    assert ledger.largest_update_norm_squared == approximately(moved.max(initial=0.0), rule)
    if stream.labelled:
        margins = stream.signs * kept["score"]
        assert ledger.smallest_margin == margins.min()
        if not isinstance(rule, ls.RandomizedPerceptron | ls.RandomizedExponentiatedUpdate):
            assert kept["mistake"].tolist() == (margins <= 0.0).tolist()


def lengths_squared(rule: ls.LinearRule, stream: Stream, batch: _core.Batch) -> FloatArray:
    """‖x‖² of every row, in the space of the rule."""
    if not isinstance(rule, KernelRule):
        return np.array(batch.norm_squared)
    return np.array([rule.kernel.values(x[np.newaxis, :], x)[0] for x in stream.X])


def approximately(value: float, rule: ls.LinearRule) -> object:
    """The value itself, or up to the rounding of a kernel."""
    return pytest.approx(value, rel=1e-12) if isinstance(rule, KernelRule) else value


def average_is_the_mean_of_the_weights_used(rule: ls.LinearRule, stream: Stream, *, exact: bool = False) -> None:
    """`averaged()` scores with (w_1 + ... + w_T)/T, the weights each round was scored with."""
    learner = fresh(rule)
    learner.learn_many(stream.X[:0], stream.y[:0])
    used = []
    for x, y in stream.rounds():
        used.append(learner.state.w.copy())
        learner.learn_one(x, y)
    assert learner.snapshot().average is not None
    mean = np.sum(used, axis=0) / len(used)
    slack = 0.0 if exact else 1e-11 * (1.0 + float(np.abs(used).max()))
    assert np.abs(learner.averaged().state.w - mean).max() <= slack


# The kernel is the definition.

Observed: TypeAlias = "tuple[State, Average, _core.Totals, dict[str, npt.NDArray[np.generic]]]"


def observed(
    make: Callable[[State, Average], Loop],
    rule: ls.LinearRule,
    stream: Stream,
    look: Callable[[State], None] | None = None,
) -> Observed:
    """What a loop leaves behind on a stream: in one go, or with a look at the state before and after each round."""
    batch, state, average = _core.dense_batch(stream.X), rule.init(stream.width), Average.of(stream.width)
    score, loss, step = np.zeros(len(stream)), np.zeros(len(stream)), np.zeros(len(stream))
    mistake, update = np.zeros(len(stream), dtype=np.uint8), np.zeros(len(stream), dtype=np.uint8)
    columns = _core.RoundColumns(len(stream), score=score, loss=loss, step=step, mistake=mistake, update=update)
    totals = _core.Totals()
    loop = make(state, average)
    if look is None:
        loop.learn(batch, stream.outcomes, totals, columns, 0, len(stream))
    else:
        look(state)
        for t in range(len(stream)):
            loop.learn(batch, stream.outcomes, totals, columns, t, t + 1)
            look(state)
    return state, average, totals, {"score": score, "loss": loss, "step": step, "mistake": mistake, "update": update}


def kernel_equals_definition(rule: ls.LinearRule, stream: Stream) -> None:
    """The compiled loop and the Python under the docstring leave the same bits (the average: the same sum)."""
    compiled, average, totals, columns = observed(rule.loop, rule, stream)
    heaviest = 0.0

    def weigh(state: State) -> None:
        nonlocal heaviest
        heaviest = max(heaviest, float(np.abs(state.w).max(initial=0.0))) if rule.abilities.averages else 0.0

    defined, explicit, expected, rows = observed(lambda state, sums: PythonLoop(rule, state, sums), rule, stream, weigh)
    for name in columns:
        assert columns[name].tobytes() == rows[name].tobytes(), name
    for name, array in compiled.arrays.items():
        assert array.tobytes() == defined.arrays[name].tobytes(), name
    assert repr(totals.parts()) == repr(expected.parts())
    if not rule.abilities.averages:
        return
    lazy, summed = average.total(compiled), explicit.total(defined)
    # A sum is as exact as what was added up is large, which may be far more than what is left in the end.
    assert np.abs(lazy - summed).max() <= 1e-9 * (1.0 + len(stream) * heaviest)
