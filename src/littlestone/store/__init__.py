"""The model file: one file, no pickle, whole after a crash at any point, verified whole whenever it is loaded.

`container` has the layout of its bytes; `writing` makes a header and arrays of a learner, and `reading` a learner of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from littlestone.learner import Learner
from littlestone.outputs import path_of
from littlestone.rule import LinearRule
from littlestone.store.container import MAGIC, VERSION, Container, Place, Stamp, content, stamp, write
from littlestone.store.reading import Model
from littlestone.store.writing import described


def save(learner: Learner, path: Place) -> None:
    """Writes a learner: to a new file beside the old one, which then takes its place in one step.

    Raises:
        NotApplicable: if a label or parameter is of a kind that a file cannot hold.
        OSError: if the file cannot be written; the old one is as it was.
    """
    write(path_of(path), *described(learner.snapshot()))


def load(path: Place, *, rules: Iterable[type[LinearRule]] = ()) -> Learner:
    """Reads a learner that goes on where it was saved, with the same bits.

    The file is read once and verified as it was read: what becomes of it afterwards does not touch the learner, nor does
    what is learned touch the file.

    Args:
        path: the file.
        rules: rules of your own that the file may name, besides those of the library.

    Raises:
        InvalidData: if the file is not a model, is damaged, or is of another version; it says which.
    """
    file = Container(str(path_of(path)), content(path))
    try:
        return Learner.restored(Model(file, rules).snapshot(), copy=False)
    except (OverflowError, RecursionError):
        raise file.damaged("a number in it is too large, or it nests too deep") from None


__all__ = ["MAGIC", "VERSION", "Stamp", "load", "save", "stamp"]
