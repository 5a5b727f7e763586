"""The rows of a chunk of a file, as a learner takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_array

    from littlestone import _core
    from littlestone.arrays import FloatArray
    from littlestone.streams.recipe import Recipe
    from littlestone.streams.scheme import Scheme


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
        return self.chunk.weight if len(self.chunk.weight) else None

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
