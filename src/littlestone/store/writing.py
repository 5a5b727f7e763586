"""What a learner knows, as a header and arrays."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from littlestone import _core
from littlestone.domain import parameters as parameters_of
from littlestone.errors import InvalidData, NotApplicable
from littlestone.kernels import KERNELS, Kernel
from littlestone.rule import Rule
from littlestone.schema import Axis
from littlestone.views import NAMES as VIEWS

if TYPE_CHECKING:
    from littlestone.arrays import ByteArray, FloatArray
    from littlestone.labels import Label, Labels
    from littlestone.snapshots import Snapshot
    from littlestone.store.container import Json
    from littlestone.streams.recipe import Recipe
    from littlestone.streams.space import Mark

Described: TypeAlias = "tuple[dict[str, Json], dict[str, FloatArray | ByteArray]]"
"""A header, and arrays by their names."""


def described(snapshot: Snapshot) -> Described:
    """The header and the arrays of a learner.

    Raises:
        NotApplicable: if a label or parameter is of a kind that a file cannot hold.
        InvalidData: if the learner is not one that could be loaded.
    """
    arrays: dict[str, FloatArray | ByteArray] = {}
    rule = described_rule(snapshot.rule, "rule", arrays)
    check_sound(snapshot)
    arrays |= _numbers(snapshot)
    if snapshot.names is not None:
        arrays["names"] = np.frombuffer(json.dumps(snapshot.names).encode(), dtype=np.uint8)
    if snapshot.space.hashed:
        known = sorted(snapshot.space.hashed.items())
        arrays["hashed names"] = np.frombuffer(json.dumps(known).encode(), dtype=np.uint8)
    header: dict[str, Json] = {
        "library": _core.version(),
        "kind": "learner",
        "rule": rule,
        "learned": snapshot.state is not None,
        "averaged": snapshot.average is not None,
        "outcomes": snapshot.kind,
        "labels": described_labels(snapshot.labels),
        "space": _space(snapshot.space),
        "ledger": {name: plain(value, name) for name, value in snapshot.totals.items()},
        "passes": snapshot.passes,
        "missing": snapshot.missing,
        "own rounds": snapshot.begun is snapshot.rule or snapshot.begun == snapshot.rule,
        "batches": list(snapshot.batches),
        "repeats": snapshot.repeats,
    }
    if snapshot.view is not None:
        header["view"] = snapshot.view.spelled
    if snapshot.calibration is not None:
        header["calibrated"] = True
    if snapshot.classes is not None:
        header["classes"] = [_label(label) for label in snapshot.classes.known()]
        header["given classes"] = snapshot.classes.given
    return header, arrays


def _numbers(snapshot: Snapshot) -> dict[str, FloatArray]:
    """What moves with the rounds, by the name of its part."""
    parts = {
        "state": snapshot.state,
        "average": snapshot.average,
        "view": snapshot.statistics,
        "calibration": snapshot.calibration,
    }
    return {f"{part}.{name}": array for part, of in parts.items() if of is not None for name, array in of.arrays.items()}


def described_rule(rule: Rule, place: str, arrays: dict[str, FloatArray | ByteArray]) -> Json:
    """A rule by its name and parameters, among which may be a rule; its arrays go by the place where it stands."""
    parameters: dict[str, Json] = {}
    for name, value in rule.parameters().items():
        if isinstance(value, np.ndarray):
            arrays[f"{place}.{name}"] = value.ravel()
            flat: dict[str, Json] = {"array": f"{place}.{name}"}
            parameters[name] = flat if value.ndim == 1 else flat | {"rows": len(value)}
        elif isinstance(value, Rule):
            parameters[name] = {"rule": described_rule(value, f"{place}.{name}", arrays)}
        elif isinstance(value, Kernel):
            parameters[name] = {"kernel": _kernel(value)}
        else:
            parameters[name] = plain(value, f"parameter {name}")
    return {"name": type(rule).name(), "parameters": parameters}


def check_sound(snapshot: Snapshot) -> None:
    """Refuses what `load` would refuse: a file that is replaced by one that cannot be read is lost.

    Raises:
        InvalidData: if the parts do not fit one another, or a number is none.
    """
    state, names = snapshot.state, snapshot.names
    width = len(names) if names is not None else snapshot.space.width or 0
    if names is not None and snapshot.space.names != len(names):
        raise InvalidData(f"the learner has {len(names)} names and counts {snapshot.space.names}; it cannot be saved")
    shown = width if snapshot.view is None else snapshot.view.shown_width(width)
    if state is not None and Axis.FEATURE in {array.axis for array in state.schema.values()} and state.width != shown:
        raise InvalidData(f"the learner has {state.width} weights and {shown} features; it cannot be saved")
    if snapshot.view is not None and any(type(step) not in VIEWS.values() for step in snapshot.view.steps):
        raise NotApplicable(f"the view is {snapshot.view!r}, code of yours that cannot be saved; a file holds no code")
    if state is not None and not state.sound():
        raise InvalidData("a weight of the learner is not finite; it cannot be saved, and no longer predicts anything")


def described_labels(labels: Labels) -> list[Json]:
    """A pair of labels, with None for a free place."""
    return [_label(label) for label in labels.known()]


def _kernel(kernel: Kernel) -> Json:
    """A kernel by its name and parameters; a function of the user's is code, which no file holds."""
    name = type(kernel).__name__
    if KERNELS.get(name) is not type(kernel):
        raise NotApplicable(f"the kernel is {name}, a function that cannot be saved; a file holds no code")
    return {"name": name, "parameters": {key: plain(getattr(kernel, key), key) for key in parameters_of(kernel)}}


def _space(mark: Mark) -> Json:
    names, width, scheme, recipe, _ = mark
    known: Json = None
    if scheme is not None:
        known = {"kind": scheme.kind, "bits": scheme.bits, "hashing": scheme.hashing, "interactions": list(scheme.interactions)}
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
        return {type(label).__name__: plain(label, "label")}
    raise NotApplicable(f"the label {label!r} cannot be saved; a file holds labels that are numbers, strings or booleans")


def plain(value: object, what: str) -> Json:
    """A value as JSON has it; numbers that are not finite by their names."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple):
        return [plain(part, what) for part in value]
    raise NotApplicable(f"{what} is {value!r}, which cannot be saved; a file holds numbers, strings and arrays of numbers")
