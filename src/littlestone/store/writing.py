"""What a learner knows, as a header and arrays."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import numpy as np

from littlestone import _core
from littlestone.domain import parameters as parameters_of
from littlestone.errors import NotApplicable
from littlestone.kernels import KERNELS, Kernel
from littlestone.rule import LinearRule

if TYPE_CHECKING:
    from littlestone.arrays import ByteArray, FloatArray
    from littlestone.labels import Label
    from littlestone.snapshots import Snapshot
    from littlestone.store.container import Json
    from littlestone.streams.recipe import Recipe
    from littlestone.streams.space import Mark


def described(snapshot: Snapshot) -> tuple[dict[str, Json], dict[str, FloatArray | ByteArray]]:
    """The header and the arrays of a model file.

    Raises:
        NotApplicable: if a label or parameter is of a kind that a file cannot hold.
    """
    arrays: dict[str, FloatArray | ByteArray] = {}
    rule = _rule(snapshot.rule, "rule", arrays)
    if snapshot.state is not None:
        arrays |= {f"state.{name}": array for name, array in snapshot.state.arrays.items()}
    if snapshot.average is not None:
        # The sums without the room behind the features; the snapshot's state has none either.
        average = snapshot.average.cut(0 if snapshot.state is None else snapshot.state.width)
        arrays |= {f"average.{name}": array for name, array in average.arrays.items()}
    if snapshot.names is not None:
        arrays["names"] = np.frombuffer(json.dumps(snapshot.names).encode(), dtype=np.uint8)
    header: dict[str, Json] = {
        "library": _core.version(),
        "kind": "learner",
        "rule": rule,
        "learned": snapshot.state is not None,
        "averaged": snapshot.average is not None,
        "outcomes": snapshot.kind,
        "labels": [_label(label) for label in snapshot.labels.known()],
        "space": _space(snapshot.space),
        "ledger": {name: _plain(value, name) for name, value in snapshot.totals.items()},
        "passes": snapshot.passes,
        "missing": snapshot.missing,
        "own rounds": snapshot.begun is snapshot.rule or snapshot.begun == snapshot.rule,
        "batches": list(snapshot.batches),
        "repeats": snapshot.repeats,
    }
    if snapshot.classes is not None:
        header["classes"] = [_label(label) for label in snapshot.classes.known()]
        header["given classes"] = snapshot.classes.given
    return header, arrays


def _rule(rule: LinearRule, place: str, arrays: dict[str, FloatArray | ByteArray]) -> Json:
    """A rule by its name and parameters, among which may be a rule; its arrays go by the place where it stands."""
    parameters: dict[str, Json] = {}
    for name, value in rule.parameters().items():
        if isinstance(value, np.ndarray):
            arrays[f"{place}.{name}"] = value.ravel()
            flat: dict[str, Json] = {"array": f"{place}.{name}"}
            parameters[name] = flat if value.ndim == 1 else flat | {"rows": len(value)}
        elif isinstance(value, LinearRule):
            parameters[name] = {"rule": _rule(value, f"{place}.{name}", arrays)}
        elif isinstance(value, Kernel):
            parameters[name] = {"kernel": _kernel(value)}
        else:
            parameters[name] = _plain(value, f"parameter {name}")
    return {"name": type(rule).name(), "parameters": parameters}


def _kernel(kernel: Kernel) -> Json:
    """A kernel by its name and parameters; a function of the user's is code, which no file holds."""
    name = type(kernel).__name__
    if KERNELS.get(name) is not type(kernel):
        raise NotApplicable(f"the kernel is {name}, a function that cannot be saved; a file holds no code")
    return {"name": name, "parameters": {key: _plain(getattr(kernel, key), key) for key in parameters_of(kernel)}}


def _space(mark: Mark) -> Json:
    names, width, scheme, recipe = mark
    known: Json = None if scheme is None else {"kind": scheme.kind, "bits": scheme.bits, "hashing": scheme.hashing}
    return {"names": names, "width": width, "scheme": known, "recipe": _recipe(recipe)}


def _recipe(recipe: Recipe | None) -> Json:
    if recipe is None:
        return None
    return {"columns": dict(recipe.columns), "label": recipe.label, "missing": list(recipe.missing)}


def _label(label: Label | None) -> Json:
    """A label with its type, for 1, 1.0 and True are equal and print differently; nothing for a free place."""
    if label is None:
        return None
    if isinstance(label, bool | int | float | str):
        return {type(label).__name__: _plain(label, "label")}
    raise NotApplicable(f"the label {label!r} cannot be saved; a file holds labels that are numbers, strings or booleans")


def _plain(value: object, what: str) -> Json:
    """A value as JSON has it; numbers that are not finite by their names."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple):
        return [_plain(part, what) for part in value]
    raise NotApplicable(f"{what} is {value!r}, which cannot be saved; a file holds numbers, strings and arrays of numbers")
