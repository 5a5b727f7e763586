"""The model file: one file, no pickle, whole after a crash at any point, verified whole whenever it is loaded.

`container` has the layout of its bytes; `writing` makes a header and arrays of a learner, and `reading` a learner of them;
`mixtures` and `masters` do both for theirs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import overload

from littlestone.errors import InvalidData
from littlestone.experts.mixture import Mixture
from littlestone.learner import Learner
from littlestone.master import Master
from littlestone.outputs import path_of
from littlestone.rule import LinearRule, Rule
from littlestone.store.container import MAGIC, VERSION, Container, Place, Stamp, content, stamp, write
from littlestone.store.masters import described_master, master_of
from littlestone.store.mixtures import described_mixture, mixture_of
from littlestone.store.reading import Model
from littlestone.store.writing import Described, described

_KINDS: dict[str, type[Learner | Mixture | Master]] = {"learner": Learner, "mixture": Mixture, "master": Master}


def save(model: Learner | Mixture | Master, path: Place) -> None:
    """Writes a model: to a new file beside the old one, which then takes its place in one step.

    Raises:
        NotApplicable: if a label or parameter is of a kind that a file cannot hold.
        InvalidData: if the model is not one that could be loaded.
        OSError: if the file cannot be written; the old one is as it was.
    """
    write(path_of(path), *_described(model))


def _described(model: Learner | Mixture | Master) -> Described:
    if isinstance(model, Mixture):
        return described_mixture(model.snapshot())
    return described_master(model.snapshot()) if isinstance(model, Master) else described(model.snapshot())


@overload
def load(path: Place, *, kind: type[Learner] = ..., rules: Iterable[type[Rule]] = ()) -> Learner: ...


@overload
def load(path: Place, *, kind: type[Mixture], rules: Iterable[type[Rule]] = ()) -> Mixture: ...


@overload
def load(path: Place, *, kind: type[Master], rules: Iterable[type[Rule]] = ()) -> Master: ...


def load(
    path: Place, *, kind: type[Learner | Mixture | Master] = Learner, rules: Iterable[type[Rule]] = ()
) -> Learner | Mixture | Master:
    """Reads a model that goes on where it was saved, with the same bits.

    The file is read once and verified as it was read: what becomes of it afterwards does not touch the model, nor does
    what is learned touch the file.

    Args:
        path: the file.
        kind: what it holds: `ls.Learner`, `ls.Mixture` or `ls.Master`.
        rules: rules of your own that the file may name, besides those of the library.

    Raises:
        InvalidData: if the file is not a model, is damaged, is of another version, or holds another kind; it says which.
    """
    file = Container(str(path_of(path)), content(path))
    held = _KINDS.get(file.text(file.header, "kind"))
    if held is None:
        raise file.damaged("it holds neither a learner, nor a mixture, nor a master")
    if held is not kind:
        name = held.__name__
        raise InvalidData(f"{file.name} holds a {name}, not a {kind.__name__}; load it by ls.load(path, kind=ls.{name})")
    try:
        return _restored(file, tuple(rules))
    except (OverflowError, RecursionError):
        raise file.damaged("a number in it is too large, or it nests too deep") from None


def _restored(file: Container, rules: tuple[type[Rule], ...]) -> Learner | Mixture | Master:
    linear = [rule for rule in rules if issubclass(rule, LinearRule)]
    if file.header["kind"] == "mixture":
        return Mixture.restored(mixture_of(file, rules))
    if file.header["kind"] == "master":
        return Master.restored(master_of(file, linear))
    return Learner.restored(Model(file, linear).snapshot(), copy=False)


__all__ = ["MAGIC", "VERSION", "Stamp", "load", "save", "stamp"]
