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

    The hash is Vowpal Wabbit's: "strings" takes a name of digits as the number it is, "all" hashes every name. Interactions are
    products of namespaces by their first letters, a colon for every one.

    Raises:
        InvalidParameter: if the bits are out of range, or there for a scheme that does not hash.
    """

    __slots__ = ("bits", "hashing", "interactions", "kind")

    def __init__(self, kind: Kind, bits: int = 0, hashing: Hashing = "strings", interactions: tuple[str, ...] = ()) -> None:
        least, most = (1, MOST_BITS) if kind == "hash" else (0, 0)
        if isinstance(bits, bool) or not isinstance(bits, int) or not least <= bits <= most:
            raise InvalidParameter(f"bits is {bits!r}; bits must be a whole number, at least 1 and at most {MOST_BITS}")
        self.kind: Final = kind
        self.bits: Final = bits
        self.hashing: Final = hashing
        for term in interactions:
            if not isinstance(term, str) or len(term) < 2 or not term.isprintable() or not term.isascii():
                wanted = "each must be the first letters of two or more namespaces, a colon for any"
                raise InvalidParameter(f"interactions has {term!r}; {wanted}")
        self.interactions: Final = tuple(interactions)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scheme):
            return NotImplemented
        return self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)

    def __repr__(self) -> str:
        return f"Scheme{self._parts!r}"

    @property
    def _parts(self) -> tuple[str, int, str, tuple[str, ...]]:
        return self.kind, self.bits, self.hashing, self.interactions

    @property
    def words(self) -> str:
        """The scheme in a sentence."""
        if self.kind == "hash":
            every = ", every name hashed" if self.hashing == "all" else ""
            products = f", with products of namespaces {' '.join(self.interactions)}" if self.interactions else ""
            return f"hashed to {self.bits} bits{every}{products}"
        return f"known by their {self.kind}"


POSITIONS = Scheme("positions")
NAMES = Scheme("names")
