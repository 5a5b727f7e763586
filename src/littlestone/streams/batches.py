"""Arrays, sparse matrices, frames and records as checked batches."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeGuard, runtime_checkable

from littlestone import _core
from littlestone.errors import InvalidData
from littlestone.lazy import np

if TYPE_CHECKING:
    import numpy.typing as npt

Feature: TypeAlias = str | int
Record: TypeAlias = Mapping[str, float] | Mapping[int, float] | Mapping[Feature, float]


@runtime_checkable
class Frame(Protocol):
    """What pandas and polars frames have in common."""

    @property
    def columns(self) -> Iterable[str]:
        """The names of the columns."""
        ...

    def to_numpy(self) -> npt.NDArray[np.generic]:
        """The values, a row per line."""
        ...


class Csr(Protocol):
    """The arrays of a matrix stored by rows."""

    @property
    def data(self) -> npt.NDArray[np.generic]:
        """The values."""
        ...

    @property
    def indices(self) -> npt.NDArray[np.generic]:
        """The column of each value."""
        ...

    @property
    def indptr(self) -> npt.NDArray[np.generic]:
        """Where each row starts."""
        ...

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""
        ...


class Sparse(Protocol):
    """What the sparse matrices and arrays of SciPy have in common."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""
        ...

    def tocsr(self) -> Csr:
        """The same numbers by rows."""
        ...


def numbers(values: object, what: str, *, skip: bool = False) -> npt.NDArray[np.float32] | npt.NDArray[np.float64]:
    """The values as float32 or float64 without a copy; integers and booleans are converted.

    With `skip`, what is missing (None, masked, or what pandas has for it) becomes nan.

    Raises:
        InvalidData: for every other dtype.
    """
    array = np.asarray(_unmasked(values, what, skip))
    if not array.flags.aligned:
        array = array.copy()
    if array.dtype.kind == "O":
        array = _of_objects(array, skip)
    if array.dtype.kind in "biu":
        array = array.astype(np.float64)
    if array.dtype == np.float16:
        array = array.astype(np.float32)
    if array.dtype not in (np.dtype(np.float32), np.dtype(np.float64)) or not array.dtype.isnative:
        made = "; ls.features.Columns makes features of words and categories" if array.dtype.kind in "OUST" else ""
        raise InvalidData(f"{what} have dtype {array.dtype}; expected numbers (float32, float64, integers or booleans){made}")
    return array


def _unmasked(values: object, what: str, skip: bool) -> object:
    """Values with nan where a mask hides one; what NumPy finds no shape for is refused here."""
    # A masked array can be there only once its module is; to load it would take longer than many a batch.
    if "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        if not skip:
            raise InvalidData(f'{what} are masked in places; every value must be there, or missing="skip" leaves it out')
        return np.where(np.ma.getmaskarray(values), np.nan, values.data)
    if is_sparse(values):
        raise InvalidData(f"{what} are a sparse matrix; expected an array: use toarray()")
    try:
        return np.asarray(values)
    except (ValueError, NotImplementedError):  # rows of different lengths, or a view that NumPy cannot read
        raise InvalidData(f"{what} are no table of numbers: rows differ in length") from None


def _of_objects(array: npt.NDArray[np.generic], skip: bool) -> npt.NDArray[np.generic]:
    """An array of objects as numbers where nothing but missing values is in the way; else as it is.

    Raises:
        InvalidData: for the first missing value, unless missing values are skipped.
    """
    gone = np.fromiter((is_missing(value) for value in array.flat), dtype=bool, count=array.size).reshape(array.shape)
    if gone.any() and not skip and array.ndim == 2:
        row, feature = np.argwhere(gone)[0]
        value = array[row, feature]
        raise InvalidData(
            f'row {row}: value of feature {feature} is {value!r}; values must be numbers (missing="skip" leaves it out)'
        )
    plain = all(isinstance(value, int | float | np.number | np.bool_) for value in array[~gone])
    return np.where(gone, np.nan, array).astype(np.float64) if skip and plain else array


def is_missing(value: object) -> bool:
    """None, nan, and what pandas has for it, which does not even compare with itself."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        return True


def without_missing(
    values: npt.NDArray[np.float32] | npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float32] | npt.NDArray[np.float64], npt.NDArray[np.bool_] | None]:
    """The values with 0 for nan, which adds nothing to any sum, and where nan was (None: nowhere)."""
    gone = np.isnan(values)
    if not gone.any():
        return values, None
    kept = values.copy()
    kept[gone] = 0.0
    return kept, gone


def dense_batch(
    values: object, *, skip: bool = False, names: npt.NDArray[np.uint64] | None = None, constant: bool = False
) -> _core.Batch:
    """A batch over a two-dimensional array, read in place whatever its order; with `skip`, nan stands for a value not there.

    The columns are known by their numbers, or by `names`, the hashes of their names; with `constant`, every row has a 1 behind
    them.

    Raises:
        InvalidData: if the dtype or the shape is wrong; values are checked when they are used.
    """
    try:
        array = numbers(values, "values", skip=skip)
    except ValueError as error:
        raise InvalidData(str(error) if isinstance(error, InvalidData) else "rows differ in length") from None
    if array.ndim != 2:
        raise InvalidData(f"the rows have {array.ndim} dimensions; expected a two-dimensional array")
    if not skip:
        return _core.dense_batch(array, names, constant=constant)
    kept, gone = without_missing(array)
    batch = _core.dense_batch(kept, names, constant=constant)
    if gone is not None:
        batch.note_missing(np.count_nonzero(gone, axis=1).astype(np.uint32))
    return batch


def sparse_batch(matrix: Sparse, *, skip: bool = False, constant: bool = False) -> _core.Batch:
    """A batch over a SciPy matrix: CSR in place, any other format converted once; with `skip`, a stored nan is not there.

    Indices may be in any order, and there twice. With `constant`, every row has a 1 behind its columns.

    Raises:
        InvalidData: if the dtype or the offsets are wrong; indices and values are checked when they are used.
    """
    if len(matrix.shape) != 2:
        raise InvalidData(f"the rows have {len(matrix.shape)} dimensions; expected a two-dimensional matrix")
    return _csr_batch(matrix, skip, constant)


def sparse_row(x: Sparse, *, skip: bool = False) -> _core.Batch:
    """A batch of one row over a SciPy matrix of one row or a one-dimensional array.

    Raises:
        InvalidData: if there is not one row, or as `sparse_batch`.
    """
    if len(x.shape) != 1 and (len(x.shape) != 2 or x.shape[0] != 1):
        raise InvalidData(f"the row has the shape {x.shape}; expected one row")
    return _csr_batch(x, skip)


def _csr_batch(matrix: Sparse, skip: bool, constant: bool = False) -> _core.Batch:
    csr = matrix.tocsr()
    values, gone = numbers(np.ascontiguousarray(csr.data), "values", skip=skip), None
    if skip:
        values, gone = without_missing(values)
    batch = _over_csr(csr, values, constant)
    if gone is not None:
        before = np.concatenate([np.zeros(1, dtype=np.uint32), np.cumsum(gone, dtype=np.uint32)])
        batch.note_missing(before[csr.indptr[1:]] - before[csr.indptr[:-1]])
    return batch


def _over_csr(csr: Csr, values: npt.NDArray[np.float32] | npt.NDArray[np.float64], constant: bool) -> _core.Batch:
    starts = csr.indptr.copy()  # small, and followed without another look: nobody else may change them meanwhile
    if csr.indices.dtype == csr.indptr.dtype == np.int32:
        return _core.sparse_batch(_narrow(starts), _narrow(csr.indices), values, csr.shape[-1], constant=constant)
    return _core.sparse_batch(_wide(starts), _wide(csr.indices), values, csr.shape[-1], constant=constant)


def _narrow(indices: npt.NDArray[np.generic]) -> npt.NDArray[np.int32]:
    return np.require(indices, np.int32, ("C", "A"))


def _wide(indices: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
    if indices.dtype.kind not in "iu":
        raise InvalidData(f"the indices have dtype {indices.dtype}; expected int32 or int64")
    return np.require(indices, np.int64, ("C", "A"))


def frame_values(frame: Frame, *, skip: bool = False) -> tuple[list[str], npt.NDArray[np.float32] | npt.NDArray[np.float64]]:
    """The names and numbers of a frame; with `skip`, nan where a value is missing.

    Raises:
        InvalidData: naming the first column that does not hold numbers.
    """
    names = [str(name) for name in frame.columns]
    values = frame.to_numpy()
    if values.dtype.kind not in "biuf":
        values = _by_column(names, values, skip)
    return names, numbers(values, "the values of the frame")


def _by_column(names: list[str], values: npt.NDArray[np.generic], skip: bool) -> npt.NDArray[np.float64]:
    columns = np.empty(values.shape, dtype=np.float64)
    for k, name in enumerate(names):
        gone = np.fromiter((is_missing(value) for value in values[:, k]), dtype=bool, count=len(values))
        if gone.any() and not skip:
            row = int(np.argmax(gone))
            raise InvalidData(
                f'row {row}: column {name!r} has no value; values must be there, or missing="skip" leaves them out'
            )
        try:
            columns[:, k] = np.where(gone, np.nan, values[:, k])
        except (TypeError, ValueError):
            raise InvalidData(
                f"column {name!r} does not hold numbers; ls.features.Columns makes features of words and categories"
            ) from None
    return columns


def is_sparse(x: object) -> TypeGuard[Sparse]:
    """Whether x is a SciPy matrix or array; SciPy need not be imported to know."""
    return type(x).__module__.startswith("scipy.sparse") and hasattr(x, "tocsr")


def is_frame(x: object) -> TypeGuard[Frame]:
    """Whether x is a pandas or polars frame."""
    return not isinstance(x, np.ndarray) and hasattr(x, "columns") and isinstance(x, Frame)
