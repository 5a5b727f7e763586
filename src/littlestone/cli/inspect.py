"""`littlestone inspect`: what a model file holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from littlestone.cli.machine import print_json
from littlestone.cli.text import plain, say, say_table
from littlestone.errors import NotApplicable
from littlestone.report.weights import top_weights
from littlestone.store import load, stamp

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.learner import Learner

_LONGEST_VECTOR = 8
_NO_LABELS = ("targets", ["targets"])


def print_model(path: str, top: int, *, as_json: bool) -> None:
    """Prints rule, parameters, features, labels, ledger, version, checksum and the largest weights of a model."""
    learner, seal = load(path), stamp(path)
    w, kind = _weights(learner), learner.snapshot(copy=False).kind
    learned = sorted(learner.rule.abilities.learns) if kind is None else kind
    known: dict[str, object] = {
        "file": path,
        "bytes": seal.size,
        "format version": seal.version,
        "library version": seal.library,
        "checksum": seal.checksum,
        "rule": learner.rule.name(),
        "parameters": {name: _plain(value) for name, value in learner.rule.parameters().items()},
        "view": None if learner.view is None else learner.view.spelled,
        "calibrated": learner.calibrates,
        "missing values": learner.missing,
        "learned": learned,
        "labels": [None if label is None else str(label) for label in learner.labels if learned not in _NO_LABELS],
        "feature scheme": _scheme(learner),
        "features": learner.width,
        "nonzero weights": None if w is None else int(np.count_nonzero(w)),
        "ledger": learner.ledger.to_dict(),
        "top": dict(top_weights(learner, top)),
    }
    if as_json:
        print_json(known)
        return
    _print(learner, known)


def _print(learner: Learner, known: dict[str, object]) -> None:
    without = {"file", "ledger", "top", *(key for key in ("labels", "nonzero weights") if known[key] in (None, []))}
    rows = [(key, _words(value)) for key, value in known.items() if key not in without]
    width = max(len(key) for key, _ in rows) + 2
    say(plain(str(known["file"])), bold=True)
    for key, text in rows:
        say(f"{key:<{width}}{plain(text)}")
    say()
    say("ledger", bold=True)
    for key, value in learner.ledger.to_dict().items():
        if isinstance(value, list):  # tables: --json has them
            continue
        text = f"{value:,.8g}" if isinstance(value, float) else f"{value:,}"
        say(f"{key.replace('_', ' '):<{width + 16}}{text}")
    top = known["top"]
    if isinstance(top, dict) and top:
        say()
        say_table(("largest weights", "weight"), [(name, f"{weight:+.6g}") for name, weight in top.items()])


def _weights(learner: Learner) -> FloatArray | None:
    """The weights over features; None for a rule that has none."""
    try:
        return learner.state.w
    except NotApplicable:
        return None


def _scheme(learner: Learner) -> str:
    known = learner.snapshot(copy=False).space
    if known.names is not None:
        return "by name"
    return known.scheme.words if known.scheme is not None else "columns"


def _plain(value: object) -> object:
    """A parameter as JSON has it; a kernel, or a rule within a rule, by the words that make it."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)


def _words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} = {_words(part)}" for name, part in value.items()) or "none"
    if isinstance(value, list):
        shown = ", ".join(_words(part) for part in value[:_LONGEST_VECTOR])
        return shown + (f", … ({len(value)} numbers)" if len(value) > _LONGEST_VECTOR else "")
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else "none" if value is None else str(value)
