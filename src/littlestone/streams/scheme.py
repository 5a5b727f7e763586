"""How the features of a file become columns: by position, by name, or by hash."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, final

from littlestone.errors import InvalidParameter

Kind: TypeAlias = Literal["positions", "names", "hash"]
Hashing: TypeAlias = Literal["strings", "all"]

MOST_BITS = 30


@final
class Scheme:
    """Positions (a column is the number in the file, and the width may grow), names, or a hash to 2^bits columns.

    The hash is Vowpal Wabbit's: "strings" takes a name of digits as the number it is, "all" hashes every name.

    Raises:
        InvalidParameter: if the bits are out of range, or there for a scheme that does not hash.
    """

    __slots__ = ("bits", "hashing", "kind")

    def __init__(self, kind: Kind, bits: int = 0, hashing: Hashing = "strings") -> None:
        least, most = (1, MOST_BITS) if kind == "hash" else (0, 0)
        if isinstance(bits, bool) or not isinstance(bits, int) or not least <= bits <= most:
            raise InvalidParameter(f"bits is {bits!r}; bits must be a whole number, at least 1 and at most {MOST_BITS}")
        self.kind: Final = kind
        self.bits: Final = bits
        self.hashing: Final = hashing

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scheme):
            return NotImplemented
        return (self.kind, self.bits, self.hashing) == (other.kind, other.bits, other.hashing)

    def __hash__(self) -> int:
        return hash((self.kind, self.bits, self.hashing))

    def __repr__(self) -> str:
        return f"Scheme({self.kind!r}, {self.bits}, {self.hashing!r})"

    @property
    def words(self) -> str:
        """The scheme in a sentence."""
        if self.kind == "hash":
            every = ", every name hashed" if self.hashing == "all" else ""
            return f"hashed to {self.bits} bits{every}"
        return f"known by their {self.kind}"


POSITIONS = Scheme("positions")
NAMES = Scheme("names")
