"""Streams and rules for the property tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, final

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import littlestone as ls
from littlestone import _core
from littlestone.arrays import FloatArray

SignArray: TypeAlias = npt.NDArray[np.int64]
Outcomes: TypeAlias = "SignArray | FloatArray | ls.Intervals"


@final
@dataclass(frozen=True, eq=False)
class Stream:
    """Rows and their outcomes: signs (integers), targets (floats) or intervals."""

    X: FloatArray
    y: Outcomes

    def __len__(self) -> int:
        return len(self.X)

    def __repr__(self) -> str:
        return f"Stream({self.X.tolist()!r}, {self.y if isinstance(self.y, ls.Intervals) else self.y.tolist()!r})"

    @property
    def width(self) -> int:
        return int(self.X.shape[1])

    @property
    def labelled(self) -> bool:
        return not isinstance(self.y, ls.Intervals) and self.y.dtype.kind == "i"

    @property
    def signs(self) -> SignArray:
        assert not isinstance(self.y, ls.Intervals)
        return self.y.astype(np.int64)

    @property
    def outcomes(self) -> _core.Outcomes:
        if isinstance(self.y, ls.Intervals):
            return self.y.outcomes
        return _core.labels(self.y.astype(np.int8)) if self.labelled else _core.targets(self.y.astype(np.float64))

    def part(self, begin: int, end: int) -> Stream:
        return Stream(self.X[begin:end], self.y[begin:end])

    def rounds(self) -> Iterator[tuple[FloatArray, int | float | ls.Intervals]]:
        for t, x in enumerate(self.X):
            yield x, self.y[t : t + 1] if isinstance(self.y, ls.Intervals) else self.y[t].item()


WIDTH = st.integers(2, 40)
COUNT = st.integers(1, 12)

# Exact in float32 as well, so that both widths of number hold the same stream.
DENSE_ENTRY = st.floats(-4.0, 4.0, width=16)
INTEGER_ENTRY = st.integers(-3, 3).map(float)
ADVERSARIAL_ENTRY = st.sampled_from([0.0, -0.0, 1.0, -1.0, 3.0, 1.0 / 3.0, 1e8, -1e8, 1e-6, 1e-300, 5e-324])


def _matrices(entry: st.SearchStrategy[float], *, fill: bool) -> st.SearchStrategy[FloatArray]:
    return st.tuples(COUNT, WIDTH).flatmap(
        lambda shape: hnp.arrays(np.float64, shape, elements=entry, fill=st.just(0.0) if fill else st.nothing())
    )


dense = _matrices(DENSE_ENTRY, fill=False)
sparse = _matrices(DENSE_ENTRY, fill=True)
integer = _matrices(INTEGER_ENTRY, fill=True)
adversarial = _matrices(ADVERSARIAL_ENTRY, fill=True)


@st.composite
def repeated(draw: st.DrawFn) -> FloatArray:
    """Few distinct rows, many times, zero rows among them: ties and exact cancellation."""
    few = draw(hnp.arrays(np.float64, (2, 5), elements=INTEGER_ENTRY))
    pool = np.vstack([few, np.zeros((1, 5))])
    return pool[draw(st.lists(st.integers(0, 2), min_size=1, max_size=12))]


matrices = st.one_of(integer, sparse, dense, adversarial, repeated())
tame = st.one_of(integer, sparse, dense, repeated())


@st.composite
def intervals(draw: st.DrawFn, count: int) -> ls.Intervals:
    """Points, half-lines, open and closed intervals."""
    base = draw(hnp.arrays(np.float64, count, elements=INTEGER_ENTRY))
    span = draw(hnp.arrays(np.float64, count, elements=st.sampled_from([0.0, 0.5, 2.0, np.inf])))
    below = draw(hnp.arrays(np.bool_, count)) & np.isinf(span)
    lo, hi = np.where(below, -np.inf, base), np.where(below, base, base + span)
    lo_open = draw(hnp.arrays(np.bool_, count)) & (lo < hi)
    hi_open = draw(hnp.arrays(np.bool_, count)) & (lo < hi)
    return ls.Intervals(lo, hi, lo_open=lo_open, hi_open=hi_open)


def signs(count: int) -> st.SearchStrategy[SignArray]:
    return hnp.arrays(np.int64, count, elements=st.sampled_from([-1, 1]))


@st.composite
def streams(draw: st.DrawFn, kind: str, rows: st.SearchStrategy[FloatArray] = matrices) -> Stream:
    """A stream of "labels", "targets" or "intervals"."""
    X = draw(rows)
    y: Outcomes
    if kind == "labels":
        y = draw(signs(len(X)))
    elif kind == "targets":
        y = draw(hnp.arrays(np.float64, len(X), elements=DENSE_ENTRY))
    else:
        y = draw(intervals(len(X)))
    return Stream(X, y)


def streams_for(rule: ls.LinearRule, rows: st.SearchStrategy[FloatArray] = matrices) -> st.SearchStrategy[Stream]:
    """A stream of any kind that the rule learns."""
    return st.sampled_from(sorted(rule.abilities.learns)).flatmap(lambda kind: streams(kind, rows))


@st.composite
def generic(draw: st.DrawFn, rule: ls.LinearRule) -> Stream:
    """Normal numbers: no two scores tie, so that a last bit cannot change a decision."""
    source = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = source.normal(size=(draw(st.integers(1, 40)), draw(st.integers(2, 40))))
    kind = draw(st.sampled_from(sorted(rule.abilities.learns)))
    target = source.normal(size=len(X))
    if kind == "labels":
        return Stream(X, np.where(target > 0, 1, -1))
    return Stream(X, target if kind == "targets" else ls.Intervals(target, target + source.uniform(size=len(X))))


@st.composite
def separable(draw: st.DrawFn, margin: float = 1.0) -> tuple[Stream, FloatArray]:
    """Labels that a vector u gives with y(u·x) of at least the margin, and u."""
    source = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    width = draw(st.integers(1, 8))
    u = source.normal(size=width)
    X = source.normal(size=(draw(st.integers(1, 60)), width)).round(draw(st.sampled_from([0, 1, 12])))
    score = X @ u
    kept = np.abs(score) > 0.05 * np.linalg.norm(u)
    X, score = X[kept], score[kept]
    if not len(X):
        X, score = u[np.newaxis, :], np.array([u @ u])
    return Stream(X, np.where(score > 0, 1, -1)), u * (margin / np.abs(score).min() * (1.0 + 1e-12))


POSITIVE = st.one_of(st.sampled_from([0.5, 1.0, 2.0]), st.floats(0.01, 10.0))
START = st.one_of(st.none(), hnp.arrays(np.float64, 2, elements=INTEGER_ENTRY))
VARIANTS: tuple[Literal["PA", "PA-I", "PA-II", "relaxed"], ...] = ("PA", "PA-I", "PA-II", "relaxed")
_VARIANT = st.sampled_from(VARIANTS)


def _parameters(variant: str, value: float) -> tuple[float | None, float | None]:
    """C and gamma as the variant has them."""
    return value if variant in ("PA-I", "PA-II") else None, value if variant == "relaxed" else None


def _perceptron() -> st.SearchStrategy[ls.LinearRule]:
    tolerance = st.sampled_from([0.0, 0.25, 3.0])
    return st.builds(ls.Perceptron, eta=POSITIVE, start=START, tolerance=tolerance)


def _online_svm() -> st.SearchStrategy[ls.LinearRule]:
    eta = st.one_of(st.none(), st.sampled_from([0.5, 0.01, 0.999]))
    return st.builds(ls.OnlineSVM, eta=eta, C=POSITIVE, kink=st.sampled_from(["stay", "shrink"]))


@st.composite
def _passive_aggressive(draw: st.DrawFn) -> ls.LinearRule:
    variant, start = draw(_VARIANT), draw(START)
    C, gamma = _parameters(variant, draw(POSITIVE))
    if draw(st.booleans()):
        return ls.PassiveAggressive(variant=variant, C=C, gamma=gamma, start=start, margin=draw(POSITIVE))
    epsilon = draw(st.sampled_from([0.0, 0.1, 1.0]))
    return ls.PassiveAggressiveRegression(variant=variant, C=C, gamma=gamma, start=start, epsilon=epsilon)


def rules() -> st.SearchStrategy[ls.LinearRule]:
    """Any linear rule with any parameters."""
    return st.one_of(
        _perceptron(),
        st.builds(ls.RandomizedPerceptron, eta=POSITIVE, start=START, seed=st.integers(0, 2**64 - 1)),
        st.builds(ls.MarginPerceptron, rho=POSITIVE),
        _online_svm(),
        _passive_aggressive(),
        st.builds(ls.Fixed, weights=hnp.arrays(np.float64, 2, elements=INTEGER_ENTRY), margin=POSITIVE),
    )
