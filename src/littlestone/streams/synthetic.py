"""Streams made by formulas: the tight instances of the theorems, and random streams whose truth is known.

Every function returns a `Stream` of X, y and u: the rows, the outcomes, and the vector that explains them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar, final

import numpy as np

from littlestone.errors import InvalidParameter

if TYPE_CHECKING:
    import numpy.typing as npt
    from scipy.sparse import csr_array

    from littlestone.arrays import FloatArray

    Signs: TypeAlias = npt.NDArray[np.int64]
    Indices: TypeAlias = npt.NDArray[np.int32]

Rows = TypeVar("Rows")
AnyOutcomes = TypeVar("AnyOutcomes")


@final
class Stream(NamedTuple, Generic[Rows, AnyOutcomes]):
    """Rows, outcomes, and the vector that separates or explains them: `X, y, u = unit_vectors(8)`."""

    X: Rows
    y: AnyOutcomes
    u: FloatArray


def unit_vectors(features: int) -> Stream[FloatArray, Signs]:
    """The rows e_1, …, e_N, all labelled +1, and their separator u = (1, …, 1).

    The Perceptron makes a mistake on every one of them: N updates, which is r²/ρ² = N exactly.

    Source: Mohri et al., exercise 8.3.

    Raises:
        InvalidParameter: if there is no feature.

    Example:
        >>> import littlestone as ls
        >>> X, y, u = unit_vectors(5)
        >>> ls.run(ls.Perceptron(), X, y).ledger.updates
        5
    """
    _at_least("features", features, 1)
    return Stream(np.eye(features), np.ones(features, dtype=np.int64), np.ones(features))


def staircase(features: int) -> Stream[FloatArray, Signs]:
    """N rows in N dimensions on which the Perceptron, cycled until it is right, makes (4^N − 1)/3 updates.

    Row i = 1..N starts with i − 1 times (−1)^i, goes on with (−1)^(i+1) and ends in zeros; its label is (−1)^(i+1), so
    that y·x = (−1, …, −1, +1, 0, …, 0). Its separator in whole numbers is u = (1, 2, 4, …, 2^(N−1)), with margin 1.
    The book prints i leading components in place of i − 1; that sample is easy: two updates are enough.

    Source: Mohri et al., exercise 8.1, corrected.

    Raises:
        InvalidParameter: if there is no feature.

    Example:
        >>> import littlestone as ls
        >>> X, y, u = staircase(4)
        >>> run = ls.run(ls.Perceptron(), X, y, passes=100)
        >>> run.ledger.updates, run.state.w
        (85, array([1., 2., 4., 8.]))
    """
    _at_least("features", features, 1)
    signs = np.where(np.arange(features) % 2 == 0, 1, -1).astype(np.int64)
    steps = np.eye(features) - np.tril(np.ones((features, features)), -1)
    return Stream(steps * signs[:, np.newaxis], signs, np.exp2(np.arange(features)))


def hadamard(features: int, *, column: int = 0) -> Stream[FloatArray, Signs]:
    """The rows of Sylvester's Hadamard matrix, labelled by one of their features, so that a unit vector separates them.

    The rows are orthogonal, so the Perceptron errs on all N of them, its bound, while Winnow errs log2 N times for η = 1.

    Args:
        features: N, a power of two.
        column: the feature that is the label; column 0 is 1 in every row, every other is half 1 and half −1.

    Source: Kivinen, Warmuth and Auer 1997.

    Raises:
        InvalidParameter: if the number of features is not a power of two or there is no such column.

    Example:
        >>> import littlestone as ls
        >>> X, y, u = hadamard(64)
        >>> ls.run(ls.Perceptron(), X, y).ledger.mistakes
        64
    """
    if features < 1 or features & (features - 1):
        raise InvalidParameter(f"features is {features}; features must be a power of two")
    _within("column", column, 0, features - 1)
    matrix = np.ones((1, 1))
    while len(matrix) < features:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return Stream(matrix, matrix[:, column].astype(np.int64), _unit(features, column))


def zipf_rows(
    rows: int = 200_000,
    features: int = 47_000,
    nonzeros: int = 68,
    *,
    exponent: float = 1.0,
    noise: float = 0.0,
    seed: int = 0,
) -> Stream[csr_array[np.float64], Signs]:
    """Sparse rows of unit length like those of a bag of words, labelled by a known vector.

    A row has `nonzeros` different features; the feature of rank k turns up with probability in proportion to
    1/k^exponent, as words do. Values are uniform in (0, 1] before the row is scaled to length 1. The label is the sign of
    u·x, where the entries of u are standard normal, and is turned over with probability `noise`. The defaults are the size
    of the benchmark.

    Args:
        rows: how many rows.
        features: how many features.
        nonzeros: how many nonzeros per row, at most half of the features.
        exponent: of the law; 1 is Zipf's, 0 is uniform.
        noise: the share of labels turned over, at least 0 and at most 1/2.
        seed: of the pseudo-random numbers; the same arguments give the same stream.

    Cost: O(rows · nonzeros · log nonzeros) and a few redraws; 12 bytes a nonzero.

    Raises:
        InvalidParameter: if an argument is outside its range.

    Example:
        >>> X, y, u = zipf_rows(100, 1000, 10, seed=3)
        >>> X.shape, X.nnz, bool(((X @ u) * y > 0).all())
        ((100, 1000), 1000, True)
    """
    from scipy.sparse import csr_array

    _at_least("rows", rows, 1)
    _within("nonzeros", nonzeros, 1, features // 2)
    _within("noise", noise, 0.0, 0.5)
    _at_least("exponent", exponent, 0.0)
    rng = np.random.default_rng(seed)
    index = _distinct_ranks(rng, (rows, nonzeros), features, exponent)
    value = 1.0 - rng.random((rows, nonzeros))
    value /= np.linalg.norm(value, axis=1, keepdims=True)
    starts = np.arange(0, rows * nonzeros + 1, nonzeros)
    entries: FloatArray = value.ravel()
    X: csr_array[np.float64] = csr_array((entries, index.ravel(), starts), shape=(rows, features))
    if X.nnz < 2**31:  # half the memory, and what most libraries ask for
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    u = rng.standard_normal(features)
    return Stream(X, _noisy_signs(rng, np.sum(value * u[index], axis=1), noise), u)


def relevant_features(
    rows: int, features: int = 100_000, relevant: int = 5, *, noise: float = 0.0, seed: int = 0
) -> Stream[npt.NDArray[np.float32], Signs]:
    """Rows of random signs whose label is the majority of k of their N features: few relevant, many not.

    The separator u is 1/k on the k relevant features (random places) and 0 elsewhere, so y(u·x) ≥ 1/k, ‖u‖₁ = 1 and
    ‖x‖_∞ = 1: Winnow makes at most 2k² log N mistakes (mohri.8.13, lecture.2), the Perceptron may make up to N·k
    (mohri.8.8).

    Args:
        rows: how many rows.
        features: N.
        relevant: k, odd so that there is a majority, at most N.
        noise: the share of labels turned over, at least 0 and at most 1/2.
        seed: of the pseudo-random numbers; the same arguments give the same stream.

    Cost: 4 bytes per feature and row (float32): 400 MB for 1,000 rows of 100,000.

    Raises:
        InvalidParameter: if an argument is outside its range.

    Example:
        >>> X, y, u = relevant_features(50, 1000, 5)
        >>> X.shape, round(float((y * (X @ u)).min()), 6)             # the margin, 1/5
        ((50, 1000), 0.2)
    """
    _at_least("rows", rows, 1)
    _within("relevant", relevant, 1, features)
    if relevant % 2 == 0:
        raise InvalidParameter(f"relevant is {relevant}; relevant must be odd, so that there is a majority")
    _within("noise", noise, 0.0, 0.5)
    rng = np.random.default_rng(seed)
    u = np.zeros(features)
    u[rng.choice(features, relevant, replace=False)] = 1.0 / relevant
    X = _random_signs(rng, rows, features)
    return Stream(X, _noisy_signs(rng, np.sum(X[:, u > 0.0], axis=1, dtype=np.float64), noise), u)


def linear_labels(rows: int, features: int, *, margin: float = 0.0, seed: int = 0) -> Stream[FloatArray, Signs]:
    """Rows on the unit sphere and the side of a hidden plane they are on, none closer to it than the margin.

    u is a vector of length 1; rows with |u·x| below the margin are drawn anew.

    Args:
        rows: how many rows.
        features: how many features.
        margin: the smallest |u·x|, at least 0 and at most 1/2.
        seed: of the pseudo-random numbers; the same arguments give the same stream.

    Raises:
        InvalidParameter: if an argument is outside its range.

    Example:
        >>> X, y, u = linear_labels(100, 5, margin=0.2)
        >>> bool((y * (X @ u)).min() >= 0.2)
        True
    """
    _at_least("rows", rows, 1)
    _at_least("features", features, 1)
    _within("margin", margin, 0.0, 0.5)
    rng = np.random.default_rng(seed)
    u = _on_sphere(rng.standard_normal((1, features)))[0]
    X = _on_sphere(rng.standard_normal((rows, features)))
    while len(near := np.flatnonzero(np.abs(X @ u) < margin)):
        X[near] = _on_sphere(rng.standard_normal((len(near), features)))
    return Stream(X, np.where(X @ u > 0.0, 1, -1).astype(np.int64), u)


def linear_targets(rows: int, features: int, *, noise: float = 0.1, seed: int = 0) -> Stream[FloatArray, FloatArray]:
    """Rows on the unit sphere and targets u·x + noise, for regression.

    u is a vector of length 1 and the noise is normal with standard deviation `noise`; with none, u fits exactly.

    Args:
        rows: how many rows.
        features: how many features.
        noise: the standard deviation of what u does not explain, at least 0.
        seed: of the pseudo-random numbers; the same arguments give the same stream.

    Raises:
        InvalidParameter: if an argument is outside its range.

    Example:
        >>> X, y, u = linear_targets(20, 3, noise=0.0)
        >>> bool(np.allclose(X @ u, y)), bool(np.allclose((X**2).sum(axis=1), 1.0))
        (True, True)
    """
    _at_least("rows", rows, 1)
    _at_least("features", features, 1)
    _at_least("noise", noise, 0.0)
    rng = np.random.default_rng(seed)
    X = _on_sphere(rng.standard_normal((rows, features)))
    u = _on_sphere(rng.standard_normal((1, features)))[0]
    return Stream(X, X @ u + noise * rng.standard_normal(rows), u)


def _distinct_ranks(rng: np.random.Generator, shape: tuple[int, int], features: int, exponent: float) -> Indices:
    """Different features in every row, in increasing order: those drawn twice are drawn anew until there are none."""
    total = np.cumsum(np.arange(1, features + 1, dtype=np.float64) ** -exponent)

    def draw(count: int) -> Indices:
        drawn: Indices = np.searchsorted(total, rng.random(count) * total[-1], side="right").astype(np.int32)
        return drawn

    ranks = np.sort(draw(shape[0] * shape[1]).reshape(shape), axis=1)
    left = np.arange(shape[0])
    while len(left):
        some = ranks[left]
        twice = np.zeros(some.shape, dtype=bool)
        twice[:, 1:] = some[:, 1:] == some[:, :-1]
        some[twice] = draw(int(np.count_nonzero(twice)))
        ranks[left] = np.sort(some, axis=1)
        left = left[twice.any(axis=1)]
    return ranks


def _random_signs(rng: np.random.Generator, rows: int, features: int) -> npt.NDArray[np.float32]:
    X = np.empty((rows, features), dtype=np.float32)
    for t in range(rows):  # row by row: the bits of all rows at once would double the memory
        bits = np.unpackbits(rng.integers(0, 256, size=(features + 7) // 8, dtype=np.uint8), count=features)
        X[t] = 2.0 * bits - 1.0
    return X


def _noisy_signs(rng: np.random.Generator, scores: FloatArray, noise: float) -> Signs:
    turned = rng.random(len(scores)) < noise
    return np.where((scores > 0.0) != turned, 1, -1).astype(np.int64)


def _on_sphere(X: FloatArray) -> FloatArray:
    unit: FloatArray = X / np.linalg.norm(X, axis=1, keepdims=True)
    return unit


def _unit(features: int, k: int) -> FloatArray:
    u = np.zeros(features)
    u[k] = 1.0
    return u


def _at_least(name: str, value: float, least: float) -> None:
    if not value >= least:
        raise InvalidParameter(f"{name} is {value}; {name} must be at least {least:g}")


def _within(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise InvalidParameter(f"{name} is {value}; {name} must be at least {least:g} and at most {most:g}")
