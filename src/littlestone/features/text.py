"""Texts as features: words and runs of words, and runs of characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

from littlestone.domain import check, parameter
from littlestone.errors import InvalidParameter
from littlestone.features.maker import BITS, FLAG, HASHING, MISSING, NORM, RANGE, Maker, Missing, Norm, Range, add_text, as_list

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

    from littlestone import _core
    from littlestone.streams.scheme import Hashing

Texts: TypeAlias = "Iterable[str | None] | npt.NDArray[np.generic]"


@final
@dataclass(frozen=True, kw_only=True)
class Text(Maker["Texts", "str | None"]):
    """The words of a text, runs of words, and runs of characters, each with how often it is there.

    A word is a longest run of letters, digits and underscores, as Python's regular expressions have it; with `lowercase`,
    each character is taken in its lower case. For runs of characters any white space counts as one space, and nothing else
    is left out.
    An empty text has no features.

    By hash, features have the columns that Vowpal Wabbit gives them (`--ngram` for runs of words). By name, a run of words is
    called "not good", a run of characters "~ot g".

    Cost: one pass over the bytes, and O(features) for each text.

    Args:
        words: runs of `least` to `most` words; None for none.
        characters: runs of `least` to `most` characters; None for none.
        lowercase: whether case makes no difference.
        bits: hash to 2^bits columns; None for features by name.
        hashing: "strings" takes a word of digits as the number it is, as Vowpal Wabbit does; "all" hashes every word.
        normalize: divide a row by its "l1" or "l2" norm or its largest value; a row without features stays empty.
        bias: a feature that is 1 in every row, behind the norm.
        missing: None and nan are an "error", or texts without features ("skip").

    Example:
        >>> import littlestone as ls
        >>> features = ls.features.Text(words=(1, 2), bits=18)
        >>> X = features(["to be or not to be"]).tocsr()
        >>> X.shape, X.sum()                 # 6 words and 5 pairs of words
        ((1, 262144), np.float64(11.0))
        >>> X.max()                          # "to", "be" and "to be" are there twice
        np.float64(2.0)
    """

    words: Range | None = parameter((1, 1), domain=RANGE, why="single words say most of what a text is about")
    characters: Range | None = parameter(None, domain=RANGE, why="many features; they help with spelling and endings")
    lowercase: bool = parameter(True, domain=FLAG, why="a word is the same at the start of a sentence")
    bits: int | None = parameter(18, domain=BITS, why="as in Vowpal Wabbit: 2 MB of weights")
    hashing: Hashing = parameter("strings", domain=HASHING, why="as in Vowpal Wabbit, and as in files")
    normalize: Norm | None = parameter(None, domain=NORM, why="counts as they are")
    bias: bool = parameter(False, domain=FLAG, why="the theorems need none")
    missing: Missing = parameter("error", domain=MISSING, why="nothing is repaired silently")

    def __post_init__(self) -> None:
        """Checks the parameters.

        Raises:
            InvalidParameter: if one is outside its domain, or there is nothing to find.
        """
        check(self)
        if self.words is None and self.characters is None:
            raise InvalidParameter("Text: words and characters are None; at least one of them must be a pair")

    def _table(self, X: Texts) -> _core.FeatureTable:
        texts = as_list(X, "X")
        table = self._empty_table(len(texts))
        add_text(table, "", texts, words=self.words, characters=self.characters, lowercase=self.lowercase)
        return table

    def _alone(self, x: str | None) -> Texts:
        return [x]
