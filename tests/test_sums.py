"""The order of sums: the k-th nonzero of a row goes to lane k mod 16, however the row is stored and whoever checks it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.streams.batches import dense_batch, sparse_batch

Float: TypeAlias = type[np.float32] | type[np.float64]
Bits: TypeAlias = npt.NDArray[np.uint64]

FLOATS: list[Float] = [np.float32, np.float64]
STORED = ["dense", "strided", "int32", "int64", "with zeros"]


def in_lanes(terms: FloatArray) -> float:
    """The definition: number k into lane k mod 16, and the lanes pairwise."""
    lane = np.zeros(16)
    for k, term in enumerate(terms.tolist()):
        lane[k % 16] += term
    while len(lane) > 1:
        lane = lane[: len(lane) // 2] + lane[len(lane) // 2 :]
    return float(lane[0])


def rows(rng: np.random.Generator, count: int, width: int, share: float) -> FloatArray:
    """Rows whose entries are zero with the given probability, 0.0 and -0.0 among them."""
    X: FloatArray = rng.normal(size=(count, width)) * rng.choice([1e-3, 1.0, 1e3], size=(count, width))
    X[rng.random(X.shape) < share] = 0.0
    X[rng.random(X.shape) < 0.1] *= 0.0
    return X


def stored(X: FloatArray, how: str, dtype: Float) -> _core.Batch:
    values: npt.NDArray[np.float64] = X.astype(dtype)
    if how == "dense":
        return dense_batch(values)
    if how == "strided":
        return dense_batch(np.asfortranarray(values))
    csr = sp.csr_array(values)
    if how == "with zeros":  # every value is stored, whether it is one or not
        count, width = X.shape
        csr = sp.csr_array((values.ravel(), np.tile(np.arange(width), count), np.arange(count + 1) * width), shape=X.shape)
    kind = np.int64 if how == "int64" else np.int32
    csr.indices, csr.indptr = csr.indices.astype(kind), csr.indptr.astype(kind)
    return sparse_batch(csr)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    width=st.integers(0, 90) | st.sampled_from([1023, 1024, 1025, 2600]),
    share=st.sampled_from([0.0, 0.05, 0.5, 0.95]),
    dtype=st.sampled_from(FLOATS),
)
def test_a_row_has_one_sum_and_one_hash_however_it_is_stored(seed: int, width: int, share: float, dtype: Float) -> None:
    rng = np.random.default_rng(seed)
    X, w = rows(rng, 3, width, share), rng.normal(size=width)
    exact = X.astype(dtype).astype(np.float64)
    hashes = set()
    for how in STORED:
        batch = stored(X, how, dtype)
        for t, x in enumerate(exact):
            kept = x != 0.0
            assert batch[t].dot(w) == in_lanes(x[kept] * w[kept])
            assert batch[t].norm_squared == in_lanes(x[kept] * x[kept])
            assert batch[t].indices.tolist() == np.flatnonzero(kept).tolist()
        hashes.add(tuple(batch.row_hash.tolist()))
    assert len(hashes) == 1
    assert hashes == {tuple(stored(exact, "dense", np.float64).row_hash.tolist())}


def mixed(feature: int, value: float) -> int:
    """The hash of one entry, as core/nonzeros.h has it."""
    half, whole = (1 << 32) - 1, (1 << 64) - 1
    place = (feature & half) * 0x9E3779B1 + (feature & ~half)
    bits = (int(np.float64(value).view(np.uint64)) + place) & whole ^ 0xA0761D6478BD642F
    for _ in range(2):
        bits = (bits >> 32) * (bits & half) ^ ((bits & half) << 32 | bits >> 32)
    return bits


def test_the_hash_of_a_row_is_the_sum_of_its_entries() -> None:
    batch = dense_batch(np.array([[0.0, 2.5, -1.0], [0.0, 0.0, 0.0]]))
    assert batch.row_hash.tolist() == [(mixed(1, 2.5) + mixed(2, -1.0)) & ((1 << 64) - 1), 0]


def test_no_two_rows_of_many_have_one_hash() -> None:
    """Values that change places, signs, features, and halves that stay in the sum: no two are alike."""
    pairs = [{a: x, b: y} for a in range(12) for b in range(a) for x in (1.0, 2.0, -1.0, 0.5) for y in (1.0, 2.0, -1.0, 0.5)]
    dense = np.zeros((len(pairs), 12))
    for t, pair in enumerate(pairs):
        dense[t, list(pair)] = list(pair.values())
    assert len(set(dense_batch(dense).row_hash.tolist())) == len(pairs)


def test_names_have_one_hash_in_dicts_frames_and_processes() -> None:
    pandas = pytest.importorskip("pandas")
    dicts: list[dict[str | int, float]] = [{"b": 2.0, "a": 1.0}, {"a": 0.0, "ä": 3.0}, {7: 1.0}, {}]
    learner = ls.Learner(ls.Perceptron())
    here = learner.batch(dicts).row_hash
    assert (here == 0).all()  # features that are not known are not hashed: nothing is recorded of a prediction
    learner.learn_many(dicts, [1, 0, 1, 0])
    here = learner.batch(dicts).row_hash
    frame = pandas.DataFrame({"a": [1.0, 0.0], "ä": [0.0, 3.0], "b": [2.0, 0.0]})
    by_frame = ls.Learner(ls.Perceptron())
    by_frame.learn_many(frame, [1, 0])
    assert by_frame.batch(frame).row_hash.tolist() == here[:2].tolist()
    assert here[2] == dense_batch(np.eye(8)[7:]).row_hash[0]  # an int names a column
    assert here[3] == 0
    code = (
        "import littlestone as ls; l = ls.Learner(ls.Perceptron()); d = [{'b': 2.0, 'a': 1.0}, {'ä': 3.0}];"
        "l.learn_many(d, [1, 0]); print(l.batch(d).row_hash.tolist())"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8")
    assert told.stdout.strip() == str(here[:2].tolist())


def shuffled(X: sp.csr_array[np.float64], rng: np.random.Generator) -> sp.csr_array[np.float64]:
    """The same matrix with the entries of each row in another order."""
    made = X.copy()
    for a, b in zip(X.indptr[:-1], X.indptr[1:], strict=True):
        order = rng.permutation(b - a)
        made.indices[a:b], made.data[a:b] = X.indices[a:b][order], X.data[a:b][order]
    made.has_sorted_indices = False
    return made


@pytest.mark.parametrize("count", [50, 3000])
@pytest.mark.parametrize("dtype", FLOATS)
def test_unsorted_rows_give_the_bits_of_sorted_ones(count: int, dtype: Float) -> None:
    rng = np.random.default_rng(count)
    X = sp.csr_array(rows(rng, count, 120, 0.3).astype(dtype))
    y = rng.choice([-1, 1], size=count)
    other = shuffled(X, rng)
    indices = other.indices.copy()
    rule = ls.PassiveAggressive(variant="PA-I", C=0.1)
    a, b = ls.run(rule, X, y, keep=("score",)), ls.run(rule, other, y, keep=("score",))
    assert a.columns["score"].tobytes() == b.columns["score"].tobytes()
    assert a.state.w.tobytes() == b.state.w.tobytes()
    assert a.ledger == b.ledger
    assert a.learner.score_many(X).tobytes() == b.learner.score_many(other).tobytes()
    assert b.learner.learn_one(other[:1], 1) == a.learner.learn_one(X[:1], 1)
    assert (other.indices == indices).all()  # the caller's matrix is as it was


@pytest.mark.parametrize("dtype", FLOATS)
def test_entries_of_one_feature_are_added_up_as_scipy_does(dtype: Float) -> None:
    rng = np.random.default_rng(5)
    count, stored_a_row, width = 400, 40, 15
    size = count * stored_a_row
    data: npt.NDArray[np.float64] = (rng.normal(size=size) * 10.0 ** rng.integers(-6, 6, size=size)).astype(dtype)
    start = np.arange(count + 1) * stored_a_row
    twice = sp.csr_array((data, rng.integers(0, width, size=len(data)), start), shape=(count, width))
    summed = twice.copy()
    summed.sum_duplicates()
    y = rng.choice([-1, 1], size=count)
    a, b = ls.run(ls.Perceptron(), summed, y), ls.run(ls.Perceptron(), twice, y)
    assert a.state.w.tobytes() == b.state.w.tobytes()
    assert sparse_batch(summed).row_hash.tolist() == sparse_batch(twice).row_hash.tolist()


def test_a_feature_that_is_not_known_is_counted() -> None:
    """What is predicted before a row is learned is what the round says, bit for bit, wherever the new names stand."""
    rng = np.random.default_rng(3)
    learner, twin = ls.Learner(ls.Perceptron()), ls.Learner(ls.Perceptron())
    names = [f"f{k}" for k in range(300)]
    for t in range(60):
        chosen = rng.permutation(4 * t + 40)[:40]
        x = {names[k]: float(v) for k, v in zip(chosen, rng.normal(size=40) * 10.0 ** rng.integers(-5, 5, 40), strict=True)}
        before = learner.score_one(x) if t else 0.0
        kept = twin.learn_many([x], [bool(t % 2)], keep=("score",))
        learner.learn_one(x, bool(t % 2))
        assert before == kept["score"][0]


def spoiled(X: FloatArray, where: int, how: str) -> FloatArray | sp.csr_array[np.float64]:
    Y = X.copy()
    if how == "nan":
        Y[where, 3] = np.nan
        return Y
    csr = sp.csr_array(Y)
    csr.indices[csr.indptr[where + 1] - 1] = X.shape[1] if how == "outside" else 0
    csr.data[csr.indptr[where]] = np.inf if how == "both" else csr.data[csr.indptr[where]]
    return csr


@pytest.mark.parametrize("how", ["nan", "outside", "both"])
def test_the_second_thread_refuses_what_one_refuses(how: str) -> None:
    """Long batches are checked ahead by a second thread, short ones are not: the words and the state are the same."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9000, 60))
    y = rng.choice([-1, 1], size=len(X))
    for where in (0, 1, 500, 4321, 8999):
        words = []
        for count in (len(X), where + 1):
            learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
            learner.learn_many(X[:10], y[:10])
            before = learner.state.w.copy()
            with pytest.raises(ls.InvalidData) as caught:
                learner.learn_many(spoiled(X[:count], where, how), y[:count])
            words.append(str(caught.value))
            assert learner.state.w.tobytes() == before.tobytes()
            assert learner.ledger.rounds == 10
        assert words[0] == words[1]


def test_a_long_batch_has_the_bits_of_its_rows() -> None:
    """What two threads check and learn is what one learns row by row."""
    rng = np.random.default_rng(1)
    X = sp.csr_array(rows(rng, 6000, 80, 0.1))
    y = rng.choice([-1, 1], size=6000)
    whole, parts = ls.Learner(ls.Perceptron(), average=True), ls.Learner(ls.Perceptron(), average=True)
    whole.learn_many(X, y)
    for a in range(0, 6000, 150):
        parts.learn_many(X[a : a + 150], y[a : a + 150])
    assert whole.state.w.tobytes() == parts.state.w.tobytes()
    assert whole.ledger == parts.ledger
    assert whole.averaged().state.w.tobytes() == parts.averaged().state.w.tobytes()


NO_THREAD = """
import resource, numpy as np, littlestone as ls
X, y = np.random.default_rng(0).normal(size=(9000, 60)), np.resize([-1, 1, 1], 9000)
one = ls.run(ls.Perceptron(), X, y)
{limit}
two = ls.run(ls.Perceptron(), X, y)
assert one.state.w.tobytes() == two.state.w.tobytes() and one.ledger == two.ledger
print("same")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited in the Linux way")
def test_no_thread_to_be_had_changes_nothing() -> None:
    """The stack of a thread does not fit into what is left of the address space."""
    code = NO_THREAD.format(
        limit="resource.setrlimit(resource.RLIMIT_AS, (resource.getpagesize() * int(open('/proc/self/statm').read().split()[0])"
        " + (6 << 20), resource.RLIM_INFINITY))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "same", done.stderr


def test_a_child_of_a_fork_goes_on() -> None:
    code = """
import os, numpy as np, littlestone as ls
X, y = np.random.default_rng(0).normal(size=(9000, 60)), np.resize([-1, 1, 1], 9000)
learner = ls.Learner(ls.Perceptron())
learner.learn_many(X, y)
child = os.fork()
learner.learn_many(X, y)
bits = learner.state.w.tobytes()
if child == 0:
    os._exit(sum(bits) % 251)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == sum(bits) % 251
"""
    if not hasattr(__import__("os"), "fork"):
        pytest.skip("there is no fork here")
    subprocess.run([sys.executable, "-c", code], check=True)


MUTANTS: dict[str, Callable[[FloatArray], float]] = {
    "by feature": lambda x: in_lanes(np.where(x == 0.0, 0.0, x)),
    "in order": lambda x: float(np.cumsum(x[x != 0.0])[-1]),
    "eight lanes": lambda x: in_lanes(np.concatenate([np.append(part, np.zeros(8)) for part in np.split(x[x != 0.0], 5)])),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_another_order_would_be_seen(mutant: str) -> None:
    rng = np.random.default_rng(9)
    seen = 0
    for _ in range(50):
        x = rng.normal(size=60) * 10.0 ** rng.integers(-3, 3, 60)
        x[rng.permutation(60)[:20]] = 0.0
        seen += MUTANTS[mutant](x) != dense_batch(x[np.newaxis])[0].dot(np.ones(60))
    assert seen > 5
