"""The model file: one file, no pickle, whole after a crash at any point, verified whole whenever it is loaded.

`container` has the layout of its bytes; `writing` makes a header and arrays of a learner, and `reading` a learner of them;
`mixtures`, `masters` and `conformal` do both for theirs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias, overload

import numpy as np

from littlestone.errors import InvalidData, NotApplicable
from littlestone.experts.mixture import Mixture
from littlestone.learner import Learner
from littlestone.master import Master
from littlestone.outputs import path_of
from littlestone.rule import LinearRule, Rule
from littlestone.store.container import MAGIC, VERSION, Container, Json, Place, Stamp, content, stamp, write
from littlestone.store.masters import described_master, master_of
from littlestone.store.mixtures import described_mixture, mixture_of
from littlestone.store.reading import ModelContents
from littlestone.store.writing import Described, described

if TYPE_CHECKING:
    from littlestone.conformal.conformal import Conformal

Kept: TypeAlias = "Learner | Mixture | Master | Conformal"
"""What a file can hold."""

_KINDS = {"learner": "Learner", "mixture": "Mixture", "master": "Master", "conformal": "Conformal"}


def save(model: Kept, path: Place) -> None:
    """Writes a model: to a new file beside the old one, which then takes its place in one step.

    Raises:
        NotApplicable: if a label or parameter is of a kind that a file cannot hold.
        InvalidData: if the model is not one that could be loaded.
        OSError: if the file cannot be written; the old one is as it was.
    """
    write(path_of(path), *_described(model))


def save_noted(learner: Learner, path: Place, note: Json) -> None:
    """Writes a learner as `save` does, with a note beside it: what must never be ahead of the learner, nor behind it.

    Raises:
        OSError: if the file cannot be written; the old one is as it was.
    """
    header, arrays = described(learner.snapshot())
    text = json.dumps(note, allow_nan=False, separators=(",", ":")).encode()
    write(path_of(path), header, {**arrays, "note": np.frombuffer(text, dtype=np.uint8)})


def load_noted(path: Place, *, rules: Iterable[type[LinearRule]] = ()) -> tuple[Learner, Json]:
    """Reads a learner and the note beside it; None where there is none.

    Raises:
        InvalidData: as `load`.
    """
    file = Container(str(path_of(path)), content(path))
    learner = Learner.restored(ModelContents(file, rules).snapshot(), copy=False)
    noted = file.arrays.get("note")
    return learner, None if noted is None else file.parsed(file.raw[noted.offset : noted.offset + noted.length], "its note")


def _described(model: object) -> Described:
    if isinstance(model, Mixture):
        return described_mixture(model.snapshot())
    if isinstance(model, Master):
        return described_master(model.snapshot())
    if isinstance(model, Learner):
        return described(model.snapshot())
    from littlestone.conformal.conformal import Conformal
    from littlestone.store.conformal import described_conformal

    if isinstance(model, Conformal):
        return described_conformal(model.snapshot(), None if model.model is None else _described(model.model))
    raise NotApplicable(f"the model is a {type(model).__name__}; a file holds models of this library: pickle others")


@overload
def load(path: Place, *, kind: type[Learner] = ..., rules: Iterable[type[Rule]] = ()) -> Learner: ...


@overload
def load(path: Place, *, kind: type[Mixture], rules: Iterable[type[Rule]] = ()) -> Mixture: ...


@overload
def load(path: Place, *, kind: type[Master], rules: Iterable[type[Rule]] = ()) -> Master: ...


@overload
def load(path: Place, *, kind: type[Conformal], rules: Iterable[type[Rule]] = ()) -> Conformal: ...


def load(
    path: Place, *, kind: type[Learner | Mixture | Master | Conformal] = Learner, rules: Iterable[type[Rule]] = ()
) -> Kept:
    """Reads a model that goes on where it was saved, with the same bits.

    The file is read once and verified as it was read: what becomes of it afterwards does not touch the model, nor does
    what is learned touch the file.

    Args:
        path: the file.
        kind: what it holds: `ls.Learner`, `ls.Mixture`, `ls.Master` or `ls.Conformal`.
        rules: rules of your own that the file may name, besides those of the library.

    Raises:
        InvalidData: if the file is not a model, is damaged, is of another version, or holds another kind; it says which.
    """
    file = Container(str(path_of(path)), content(path))
    held = _KINDS.get(file.text(file.header, "kind"))
    if held is None:
        raise file.damaged("it holds no model that is known")
    if held != kind.__name__:
        raise InvalidData(f"{file.name} holds a {held}, not a {kind.__name__}; load it by ls.load(path, kind=ls.{held})")
    try:
        return _restored(file, tuple(rules))
    except (OverflowError, RecursionError):
        raise file.damaged("a number in it is too large, or it nests too deep") from None


def kind_of(path: Place) -> str:
    """What a file holds: "learner", "mixture", "master" or "conformal".

    Raises:
        InvalidData: if it is not a model, or damaged.
    """
    file = Container(str(path_of(path)), content(path))
    return file.text(file.header, "kind")


def _restored(file: Container, rules: tuple[type[Rule], ...]) -> Kept:
    linear = [rule for rule in rules if issubclass(rule, LinearRule)]
    kind = file.text(file.header, "kind")
    if kind == "conformal":
        from littlestone.store.conformal import conformal_of

        within = file.header.get("model")
        model = None if within is None else _restored(file.part(file.mapping(file.header, "model"), "model."), rules)
        return conformal_of(file, model, rules)
    if kind == "mixture":
        return Mixture.restored(mixture_of(file, rules))
    if kind == "master":
        return Master.restored(master_of(file, linear))
    return Learner.restored(ModelContents(file, linear).snapshot(), copy=False)


__all__ = ["MAGIC", "VERSION", "Kept", "Stamp", "kind_of", "load", "load_noted", "save", "save_noted", "stamp"]
