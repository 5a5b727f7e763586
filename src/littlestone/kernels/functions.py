"""Kernel functions: values that say how alike two rows are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, final

import numpy as np

from littlestone import _core, domain
from littlestone.arrays import FloatArray
from littlestone.domain import NONNEGATIVE, POSITIVE, Domain, choice, parameter, required
from littlestone.errors import InvalidData, InvalidParameter

Points: TypeAlias = "FloatArray | list[object]"
"""Support points as a kernel reads them: a matrix with a point per row, or a list of objects."""

_DEGREE = Domain("a whole number, at least 1", lambda n: isinstance(n, int) and not isinstance(n, bool) and 1 <= n < 2**32)
_FUNCTION = Domain("a function of (points, x)", callable)


class Kernel(ABC):
    """A positive-definite function of two rows. `values` is its definition; the core repeats it where `compiled` says so."""

    def __post_init__(self) -> None:
        """Checks every parameter against its domain."""
        domain.check(self)

    @property
    def reads_objects(self) -> bool:
        """Whether rows are arbitrary objects, such as strings."""
        return False

    def compiled(self) -> _core.KernelFunction | None:
        """The kernel as the core evaluates it, or None."""
        return None

    @abstractmethod
    def values(self, points: Points, x: object) -> FloatArray:
        """K(p, x) for every point p."""

    def overflowing(self, batch: _core.Batch) -> int | None:
        """The first row whose K(x, x) is beyond 1e150; |K(x, z)| is at most √(K(x, x)·K(z, z)). Most kernels have none."""
        return None


def _differences(points: Points, x: object) -> FloatArray:
    return np.asarray(points, dtype=np.float64) - np.asarray(x, dtype=np.float64)


def _dots(points: Points, x: object) -> FloatArray:
    products: FloatArray = np.asarray(points, dtype=np.float64) @ np.asarray(x, dtype=np.float64)
    return products


@final
@dataclass(frozen=True)
class Linear(Kernel):
    """x·z: the rule in its primal form, only slower."""

    def compiled(self) -> _core.KernelFunction:
        """The compiled kernel."""
        return _core.KernelFunction.linear()

    def values(self, points: Points, x: object) -> FloatArray:
        """The dot products."""
        return _dots(points, x)


@final
@dataclass(frozen=True, kw_only=True)
class Polynomial(Kernel):
    """(γ x·z + c)^degree: all products of up to `degree` features."""

    degree: int = parameter(2, domain=_DEGREE, why="pairs of features, the least that is not linear")
    gamma: float = parameter(1.0, domain=POSITIVE, why="rows as they are")
    constant: float = parameter(1.0, domain=NONNEGATIVE, why="1 lets the lower degrees in; 0 keeps the highest only")

    def compiled(self) -> _core.KernelFunction:
        """The compiled kernel."""
        return _core.KernelFunction.polynomial(self.gamma, self.constant, self.degree)

    def overflowing(self, batch: _core.Batch) -> int | None:
        """The first row whose power is so large that a sum of such may be beyond all numbers."""
        batch.check()
        with np.errstate(over="ignore"):
            powers = (self.gamma * batch.norm_squared + self.constant) ** self.degree
        return next(iter(np.flatnonzero(~(powers <= 1e150)).tolist()), None)

    def values(self, points: Points, x: object) -> FloatArray:
        """The powers."""
        powers: FloatArray = (self.gamma * _dots(points, x) + self.constant) ** self.degree
        return powers


@final
@dataclass(frozen=True, kw_only=True)
class Gaussian(Kernel):
    """exp(−γ‖x − z‖²)."""

    gamma: float = parameter(1.0, domain=POSITIVE, why="for rows whose neighbours are about 1 apart; scale it to yours")

    def compiled(self) -> _core.KernelFunction:
        """The compiled kernel."""
        return _core.KernelFunction.gaussian(self.gamma)

    def values(self, points: Points, x: object) -> FloatArray:
        """The exponentials."""
        near: FloatArray = np.exp(-self.gamma * np.sum(_differences(points, x) ** 2, axis=1))
        return near


@final
@dataclass(frozen=True, kw_only=True)
class Laplace(Kernel):
    """exp(−γ‖x − z‖₁): like the Gaussian, but a far feature costs less."""

    gamma: float = parameter(1.0, domain=POSITIVE, why="for rows whose neighbours are about 1 apart; scale it to yours")

    def compiled(self) -> _core.KernelFunction:
        """The compiled kernel."""
        return _core.KernelFunction.laplace(self.gamma)

    def values(self, points: Points, x: object) -> FloatArray:
        """The exponentials."""
        near: FloatArray = np.exp(-self.gamma * np.sum(np.abs(_differences(points, x)), axis=1))
        return near


@final
@dataclass(frozen=True, kw_only=True)
class Custom(Kernel):
    """A function of yours, called once per round with all support points.

    It must be positive definite, or the theorems (and the projections of a budget) mean nothing; that cannot be checked, but
    a squared length that comes out negative is refused. A learner with such a kernel is not saved: a model file holds no code.

    Args:
        function: (points, x) → one number per point. For of="arrays" points is a matrix and x a vector; for of="objects"
            points is a list and x whatever was given: a string, a dict, a graph.
        of: "arrays" or "objects".

    Example:
        >>> import littlestone as ls
        >>> shared = ls.kernels.Custom(function=lambda points, x: [len(set(p) & set(x)) for p in points], of="objects")
        >>> learner = ls.Learner(ls.KernelPerceptron(kernel=shared))
        >>> learner.learn_many(["abc", "xyz", "abd"], ["latin", "tail", "latin"])
        3 rounds learned: 1 error, 2 updates
        >>> learner.predict_one("bcd"), learner.predict_one("wxy")
        ('latin', 'tail')
    """

    function: Callable[[Points, object], object] = field(metadata=required(domain=_FUNCTION, why="it is the kernel"))
    of: Literal["arrays", "objects"] = parameter("arrays", domain=choice("arrays", "objects"), why="rows are numbers, mostly")

    @property
    def reads_objects(self) -> bool:
        """Whether rows are arbitrary objects."""
        return self.of == "objects"

    def values(self, points: Points, x: object) -> FloatArray:
        """What the function answers.

        Raises:
            InvalidData: if it is not one finite number a point.
        """
        given = self.function(points, x)
        try:
            answer = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            raise InvalidData(f"the kernel answered {given!r}; expected {len(points)} finite numbers") from None
        if answer.shape != (len(points),) or not np.isfinite(answer).all():
            raise InvalidData(f"the kernel answered {_short(answer)}; expected {len(points)} finite numbers")
        return answer


KERNELS: dict[str, type[Kernel]] = {kernel.__name__: kernel for kernel in (Linear, Polynomial, Gaussian, Laplace)}
"""The kernels of the library by name; the user's own function is not among them."""


def kernel_of(text: str) -> Kernel:
    """A kernel as it is spelled on the command line: "gaussian", "gaussian:gamma=0.5", "polynomial:degree=3,constant=0".

    Raises:
        InvalidParameter: if there is no such kernel, or it has no such parameter.
    """
    name, _, rest = text.partition(":")
    known = {kernel.__name__.lower(): kernel for kernel in KERNELS.values()}
    if name.lower() not in known:
        raise InvalidParameter(f"there is no kernel {name!r}; there are {', '.join(known)}")
    kernel = known[name.lower()]
    values: dict[str, float] = {}
    for part in filter(None, rest.split(",")):
        key, _, value = part.partition("=")
        if key not in domain.parameters(kernel):
            has = ", ".join(domain.parameters(kernel)) or "none"
            raise InvalidParameter(f"the kernel {name} has no parameter {key!r}; its parameters: {has}")
        values[key] = _number(key, value)
    return kernel(**values)


def _number(key: str, text: str) -> float:
    try:
        return int(text) if text.lstrip("+-").isdecimal() else float(text)
    except ValueError:
        raise InvalidParameter(f"{key} is {text!r}; {key} must be a number") from None


def _short(answer: FloatArray) -> str:
    return f"an array of shape {answer.shape}" if answer.ndim != 1 or len(answer) > 4 else str(answer.tolist())


def self_value(kernel: Kernel, x: object) -> float:
    """K(x, x).

    Raises:
        InvalidData: if it is negative, which no positive-definite kernel is.
    """
    points: Points = [x] if kernel.reads_objects else np.asarray(x, dtype=np.float64)[np.newaxis, :]
    value = float(kernel.values(points, x)[0])
    if value < 0.0:
        raise InvalidData(f"the kernel of a row with itself is {value}; it must be at least 0")
    return value


def gram(kernel: Kernel, points: Points) -> FloatArray:
    """The matrix of K between all points, made symmetric."""
    matrix = np.array([kernel.values(points, x) for x in points], dtype=np.float64).reshape(len(points), len(points))
    return (matrix + matrix.T) / 2.0
