"""The rows of a chunk of a file, as a learner takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, final

from littlestone import _core
from littlestone.lazy import np

if TYPE_CHECKING:
    import numpy.typing as npt
    from scipy.sparse import csr_array

    from littlestone.arrays import FloatArray
    from littlestone.streams.recipe import Recipe
    from littlestone.streams.scheme import Scheme


@final
class FileLabels:
    """The labels of rows of a file. What is asked of numbers the core answers; an array is made when somebody asks for it."""

    __slots__ = ("_array", "_chunk")

    def __init__(self, chunk: _core.Chunk | None, array: npt.NDArray[np.generic] | None = None) -> None:
        self._chunk, self._array = chunk, array

    @staticmethod
    def given(array: npt.NDArray[np.generic]) -> FileLabels:
        """Labels that are an array already."""
        return FileLabels(None, array)

    def __len__(self) -> int:
        return len(self.array) if self._chunk is None else len(self._chunk)

    @property
    def array(self) -> npt.NDArray[np.generic]:
        """Numbers (nan where a row has no label), words, or a mix of both as objects."""
        if self._array is None:
            assert self._chunk is not None
            self._array = labels_of(self._chunk)
        return self._array

    @property
    def are_words(self) -> bool:
        """Whether a label is no number."""
        return self.array.dtype.kind in "OUST" if self._chunk is None else self._chunk.has_words

    @property
    def are_truths(self) -> bool:
        """Whether every label is True or False."""
        return self._chunk is None and self.array.dtype.kind == "b"

    @property
    def are_known_numbers(self) -> bool:
        """Whether the core has them, each of them a number."""
        return self._chunk is not None and not self._chunk.has_words and not self._chunk.unlabelled

    def unlike(self, known: Sequence[float], most: int) -> list[float]:
        """Of labels that are numbers those that are not known, in the order in which they come first, at most so many."""
        if self._chunk is not None:
            return self._chunk.labels_unlike(known, most)
        return _core.unlike(self.array.astype(np.float64), known, most)

    def signs(self, negative: float, positive: float) -> _core.Outcomes:
        """Numbers that the core has, each of them one of these two, as outcomes."""
        assert self._chunk is not None
        return self._chunk.signs(negative, positive)

    def kept(self) -> npt.NDArray[np.generic] | bytes:
        """A copy that outlives the rows; of numbers that the core has, their bytes."""
        return self._chunk.label_bytes if self._chunk is not None and not self._chunk.has_words else self.array.copy()


def labels_of(chunk: _core.Chunk) -> npt.NDArray[np.generic]:
    """The labels of a chunk as an array."""
    words = chunk.words
    if not words:
        return chunk.label
    if len(words) == len(chunk):
        return np.array([word for _, word in words])
    mixed = chunk.label.astype(object)
    for row, word in words:
        mixed[row] = word
    return mixed


@final
class Rows:
    """Rows in CSR form that the parser has checked; `Learner.learn_many` reads them without a copy."""

    __slots__ = ("chunk", "indicated", "recipe", "scheme", "tolerant")

    def __init__(
        self,
        chunk: _core.Chunk,
        scheme: Scheme,
        recipe: Recipe | None = None,
        *,
        tolerant: bool = False,
        indicated: bool = False,
    ) -> None:
        self.chunk = chunk
        self.scheme = scheme
        self.recipe = recipe
        """What the columns of the table hold that the rows come from."""
        self.tolerant = tolerant
        """Whether missing values were left out on purpose: then no learner refuses them."""
        self.indicated = indicated
        """Whether a value that is missing is a feature of its own."""

    def __len__(self) -> int:
        return len(self.chunk)

    @property
    def width(self) -> int:
        """How many columns there are: 2^bits by hash, and else as many as the rows need."""
        return 1 << self.scheme.bits if self.scheme.kind == "hash" else self.chunk.width

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self), self.width

    @property
    def names(self) -> list[str]:
        """The names of the columns of these rows, where features are known by name; else none."""
        return self.chunk.names

    @property
    def weights(self) -> FloatArray | None:
        """The importance of each row; None where every one is 1. Learners go by it."""
        return self.chunk.weight if self.chunk.weighed else None

    @property
    def tags(self) -> list[str] | None:
        """The tag of each row, "" where it has none; None without any."""
        known = self.chunk.tags
        if not known:
            return None
        tags = [""] * len(self)
        for row, tag in known:
            tags[row] = tag
        return tags

    def row(self, t: int) -> Rows:
        """One of the rows, as `Learner.learn_one` takes it."""
        return self.chosen([t])

    def chosen(self, rows: Sequence[int]) -> Rows:
        """Some of the rows, in this order."""
        return Rows(self.chunk.chosen(rows), self.scheme, self.recipe, tolerant=self.tolerant, indicated=self.indicated)

    def tocsr(self) -> csr_array[np.float64]:
        """The rows as a SciPy array over the same memory; by name, column k is `names[k]`."""
        from scipy.sparse import csr_array

        return csr_array((self.chunk.value, self.chunk.index, self.chunk.start), shape=self.shape)
