"""Conformal models in model files, with the model whose forecasts they surround."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np

from littlestone import _core, conformal
from littlestone.conformal.conformal import Conformal, ConformalSnapshot
from littlestone.conformal.ledger import ConformalLedger
from littlestone.conformal.rule import ConformalRule
from littlestone.errors import InvalidData, LittlestoneError
from littlestone.rule import rule_name
from littlestone.store.mixtures import expert_class
from littlestone.store.reading import ModelContents
from littlestone.store.writing import described_rule, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from littlestone.arrays import ByteArray, FloatArray
    from littlestone.rule import Rule
    from littlestone.store.container import Container, Json
    from littlestone.store.writing import Described


def described_conformal(snapshot: ConformalSnapshot, model: Described | None) -> Described:
    """The header and the arrays, those of the model among them.

    Raises:
        NotApplicable: if a parameter is of a kind that a file cannot hold.
    """
    arrays: dict[str, FloatArray | ByteArray] = {}
    rule = described_rule(snapshot.rule, "rule", arrays)
    arrays |= {f"state.{name}": array.ravel() for name, array in snapshot.state.arrays.items()}
    arrays["scores"] = np.array(snapshot.scores, dtype=np.float64)
    within, own = (None, {}) if model is None else model
    arrays |= {f"model.{name}": array for name, array in own.items()}
    counted: dict[str, Json] = {f.name: plain(getattr(snapshot.ledger, f.name), f.name) for f in fields(ConformalLedger)}
    header: dict[str, Json] = {
        "library": _core.version(),
        "kind": "conformal",
        "rule": rule,
        "coverage": snapshot.coverage,
        "window": snapshot.window,
        "ledger": counted,
        "model": within,
    }
    return header, arrays


def conformal_of(file: Container, model: object, rules: Iterable[type[Rule]]) -> Conformal:
    """What a file holds, around its model.

    Raises:
        InvalidData: if its parts do not fit one another.
    """
    coverage, window = file.header.get("coverage"), file.header.get("window")
    if not isinstance(coverage, float) or not (window is None or type(window) is int):
        raise file.damaged("it says neither which coverage nor which window")
    try:
        made = Conformal(model, coverage=coverage, rule=_rule(file, rules), window=window)
        stored = [name.removeprefix("state.") for name in file.arrays if name.startswith("state.")]
        state = made.state.refilled({name: file.values(f"state.{name}") for name in stored}, 0)
    except (LittlestoneError, TypeError, ValueError) as error:
        raise error if isinstance(error, InvalidData) else file.damaged(f"its parameters are refused: {error}") from None
    scores = file.numbers("scores")
    if not state.sound() or not np.isfinite(scores).all() or (scores < 0.0).any() or len(scores) > (window or len(scores)):
        raise file.damaged("its scores or its levels are none")
    return Conformal.restored(
        ConformalSnapshot(model, coverage, made.rule, window, state, tuple(scores.tolist()), _ledger(file))
    )


def _rule(file: Container, rules: Iterable[type[Rule]]) -> ConformalRule:
    described = file.mapping(file.header, "rule")
    name, given = file.text(described, "name"), {rule.name(): rule for rule in rules if issubclass(rule, ConformalRule)}
    library = {rule_name(of_class): of_class for of_class in conformal.HOMES}
    if name not in library and name not in given:
        raise InvalidData(f"{file.name} holds the rule {name!r}; known are {', '.join(sorted({*library, *given}))}")
    kind: type[ConformalRule] = given[name] if name in given else getattr(conformal, library[name])
    mixing = file.mapping(described, "parameters").get("experts")
    parameters = {key: value for key, value in file.mapping(described, "parameters").items() if key != "experts"}
    values = ModelContents(file, ()).parameters({"parameters": parameters})
    if isinstance(mixing, dict):
        nested = file.mapping(mixing, "rule")
        values["experts"] = expert_class(file, file.text(nested, "name"), rules)(**ModelContents(file, ()).parameters(nested))
    return kind(**values)


def _ledger(file: Container) -> ConformalLedger:
    stored = file.mapping(file.header, "ledger")
    counts = {name: file.whole(stored, name) for name in ("rounds", "misses", "everything", "nothing", "lag")}
    sizes = stored.get("sizes")
    sound = isinstance(sizes, int | float) and not isinstance(sizes, bool) and sizes >= 0.0
    if not sound or max(counts["misses"], counts["everything"] + counts["nothing"]) > counts["rounds"]:
        raise file.damaged("its ledger does not add up")
    assert isinstance(sizes, int | float)
    return ConformalLedger(sizes=float(sizes), **counts)
