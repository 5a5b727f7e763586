"""How the features of a file become columns: by position, by name, or by hash."""

from __future__ import annotations

from typing import Literal, NamedTuple, Self, TypeAlias, final

from littlestone.errors import InvalidParameter

Kind: TypeAlias = Literal["positions", "names", "hash"]
Hashing: TypeAlias = Literal["strings", "all"]

MOST_BITS = 30


class _Fields(NamedTuple):
    kind: Kind
    bits: int
    hashing: Hashing


@final
class Scheme(_Fields):
    """Positions (a column is the number in the file, and the width may grow), names, or a hash to 2^bits columns.

    The hash is Vowpal Wabbit's: "strings" takes a name of digits as the number it is, "all" hashes every name.
    """

    __slots__ = ()

    def __new__(cls, kind: Kind, bits: int = 0, hashing: Hashing = "strings") -> Self:
        """Checks the bits.

        Raises:
            InvalidParameter: if they are out of range, or there for a scheme that does not hash.
        """
        least, most = (1, MOST_BITS) if kind == "hash" else (0, 0)
        if isinstance(bits, bool) or not isinstance(bits, int) or not least <= bits <= most:
            raise InvalidParameter(f"bits is {bits!r}; bits must be a whole number, at least 1 and at most {MOST_BITS}")
        return super().__new__(cls, kind, bits, hashing)

    @property
    def words(self) -> str:
        """The scheme in a sentence."""
        if self.kind == "hash":
            every = ", every name hashed" if self.hashing == "all" else ""
            return f"hashed to {self.bits} bits{every}"
        return f"known by their {self.kind}"


POSITIONS = Scheme("positions")
NAMES = Scheme("names")
