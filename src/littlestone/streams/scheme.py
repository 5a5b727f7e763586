"""How the features of a file become columns: by position, by name, or by hash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, final

from littlestone.errors import InvalidParameter

Kind: TypeAlias = Literal["positions", "names", "hash"]
Hashing: TypeAlias = Literal["strings", "all"]

MOST_BITS = 30


@final
@dataclass(frozen=True, slots=True)
class Scheme:
    """Positions (a column is the number in the file, and the width may grow), names, or a hash to 2^bits columns.

    The hash is Vowpal Wabbit's: "strings" takes a name of digits as the number it is, "all" hashes every name.
    """

    kind: Kind
    bits: int = 0
    hashing: Hashing = "strings"

    def __post_init__(self) -> None:
        """Checks the bits.

        Raises:
            InvalidParameter: if they are out of range, or there for a scheme that does not hash.
        """
        least, most = (1, MOST_BITS) if self.kind == "hash" else (0, 0)
        if isinstance(self.bits, bool) or not isinstance(self.bits, int) or not least <= self.bits <= most:
            raise InvalidParameter(f"bits is {self.bits!r}; bits must be a whole number, at least 1 and at most {MOST_BITS}")

    @property
    def words(self) -> str:
        """The scheme in a sentence."""
        if self.kind == "hash":
            every = ", every name hashed" if self.hashing == "all" else ""
            return f"hashed to {self.bits} bits{every}"
        return f"known by their {self.kind}"


POSITIONS = Scheme("positions")
NAMES = Scheme("names")
