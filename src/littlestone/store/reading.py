"""A learner made of a header and arrays: everything is checked before anything is made of it."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING, TypeGuard, final

from littlestone import _core
from littlestone.calibration import Calibration
from littlestone.errors import InvalidData, InvalidParameter, LittlestoneError
from littlestone.kernels import KERNELS, Kernel
from littlestone.labels import Classes, Label, Labels
from littlestone.multiclass.class_states import ClassStates
from littlestone.multiclass.prototypes import Prototypes
from littlestone.multiclass.support_sets import SupportSets
from littlestone.rule import LinearRule, rule_name
from littlestone.snapshots import MISSING, Missing, Snapshot
from littlestone.state import Average, State
from littlestone.store.container import Container, Json, is_count
from littlestone.streams.recipe import Recipe
from littlestone.streams.scheme import Scheme
from littlestone.streams.space import Mark
from littlestone.views import Statistics, View, view_named

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.streams.batches import Feature
    from littlestone.streams.scheme import Hashing

# Totals that every file has had from the beginning; one that came later is what it was before the first round.
_FIRST = (
    "rounds",
    "mistakes",
    "updates",
    "impossible",
    "loss",
    "loss_squared",
    "tolerated_loss",
    "expected_mistakes",
    "smallest_margin",
    "largest_norm_squared",
    "largest_update_norm_squared",
    "largest_entry",
)


@final
class ModelContents:
    """What a model file holds."""

    def __init__(self, file: Container, rules: Iterable[type[LinearRule]]) -> None:
        self._file = file
        self._given = {rule.name(): rule for rule in rules}

    def snapshot(self) -> Snapshot:
        """What the file holds.

        Raises:
            InvalidData: if its parts do not fit one another.
        """
        if self._file.text(self._file.header, "kind") != "learner":
            raise self._file.damaged("it does not hold a learner")
        rule = self._rule()
        names = self._names()
        space = self._space(names)
        width = len(names) if names is not None else space[1] or 0
        learned, averaged = self._file.flag("learned"), self._file.flag("averaged")
        kind = None if self._file.header.get("outcomes") is None else self._file.text(self._file.header, "outcomes")
        if kind is not None and kind not in rule.abilities.learns:
            raise self._file.damaged(f"{type(rule).__name__} does not learn {kind!r}")
        view = self._view()
        shown = width if view is None else view.shown_width(width)
        state = self._state(rule, shown) if learned else None
        return Snapshot(
            rule=rule,
            state=state,
            average=self._average(state, shown) if averaged else None,
            totals=self._totals(),
            space=space,
            names=names,
            labels=self.labels(),
            kind=kind,
            passes=self._passes(),
            classes=self._classes(rule),
            missing=self._missing(),
            begun=rule if self._own_rounds() else None,
            batches=self._batches(),
            repeats=self._file.whole({"repeats": 0} | self._file.header, "repeats"),
            view=view,
            statistics=self._statistics(view, width) if view is not None and learned else None,
            calibration=self._calibration(rule),
        )

    def _rule(self) -> LinearRule:
        return self._rule_of(self._file.mapping(self._file.header, "rule"))

    def _rule_of(self, described: dict[str, Json]) -> LinearRule:
        rule = self._class_of(self._file.text(described, "name"))
        try:
            return rule(**self.parameters(described))
        except (LittlestoneError, TypeError, ValueError) as error:
            raise self._file.damaged(f"its parameters are refused: {error}") from None

    def _class_of(self, name: str) -> type[LinearRule]:
        if name in self._given:
            return self._given[name]
        library = _library()
        if name not in library:
            known = ", ".join(sorted({*library, *self._given}))
            raise InvalidData(f"{self._file.name} holds the rule {name!r}; known are {known}: give others by rules=")
        rule: type[LinearRule] = getattr(*library[name])
        return rule

    def parameters(self, described: dict[str, Json]) -> dict[str, object]:
        """The parameters of a rule, or of a loss, by their names."""
        return {key: self._parameter(value) for key, value in self._file.mapping(described, "parameters").items()}

    def _parameter(self, value: Json) -> object:
        if isinstance(value, dict) and "array" in value:
            return self._array_of(value)
        if isinstance(value, dict) and "rule" in value:
            return self._rule_of(self._file.mapping(value, "rule"))
        if isinstance(value, dict) and "kernel" in value:
            return self._kernel(self._file.mapping(value, "kernel"))
        return self._value(value)

    def _array_of(self, value: dict[str, Json]) -> FloatArray:
        flat = self._file.numbers(self._file.text(value, "array"))
        if "rows" not in value:
            return flat
        rows = self._file.whole(value, "rows")
        if rows == 0 or len(flat) % rows:
            raise self._file.damaged(f"an array of {len(flat)} numbers has no {rows} rows")
        return flat.reshape(rows, -1)

    def _kernel(self, described: dict[str, Json]) -> Kernel:
        name = self._file.text(described, "name")
        if name not in KERNELS:
            raise self._file.damaged(f"there is no kernel {name!r}; there are {', '.join(KERNELS)}")
        values = {key: self._value(value) for key, value in self._file.mapping(described, "parameters").items()}
        try:
            return KERNELS[name](**values)
        except (LittlestoneError, TypeError, ValueError) as error:
            raise self._file.damaged(f"its kernel is refused: {error}") from None

    def _value(self, value: Json) -> object:
        if isinstance(value, dict):
            return self._float(value)
        return tuple(self._value(part) for part in value) if isinstance(value, list) else value

    def _float(self, value: dict[str, Json]) -> float:
        named = value.get("float")
        if not isinstance(named, str) or named not in ("inf", "-inf", "nan"):
            raise self._file.damaged(f"{value!r} is not a number")
        return float(named)

    def _state(self, rule: LinearRule, width: int) -> State:
        """The arrays, which must be those of a fresh state of the rule."""
        if rule.init(rule.least_width()).bytes_at(width) > self._file.room:
            raise self._file.damaged(f"it has no room for {width} features")
        try:
            fresh = self._with_classes(rule.init(width))
        except LittlestoneError as error:
            raise self._file.damaged(f"its rule refuses its width: {error}") from None
        stored = [name.removeprefix("state.") for name in self._file.arrays if name.startswith("state.")]
        arrays = {name: self._file.values(f"state.{name}") for name in stored}
        try:
            state = fresh.refilled(arrays, width)
        except LittlestoneError as error:
            raise self._file.damaged(str(error)) from None
        if not self._sound(state).sound():
            raise self._file.damaged("a number of its state is not finite")
        return state

    def _with_classes(self, fresh: State) -> State:
        """With a row for each class of the file; support sets are counted by their own arrays."""
        if not isinstance(fresh, Prototypes):
            return fresh
        count = max(len(self._file.listing(self._file.header, "classes")), fresh.count)
        if count * fresh.bytes_at(fresh.width) > self._file.room:
            raise self._file.damaged(f"it has no room for {count} classes")
        return fresh.with_classes(count)

    def _sound(self, state: State) -> State:
        if not isinstance(state, ClassStates):
            return state
        met, classes = float(state.met[0]), len(self._file.listing(self._file.header, "classes"))
        if not 0.0 <= met <= state.room or met != int(met):
            raise self._file.damaged("more classes take part than it has")
        if isinstance(state, SupportSets) and state.room != classes:
            raise self._file.damaged(f"it has {classes} classes and support sets of {state.room}")
        return state

    def _average(self, state: State | None, width: int) -> Average:
        rows, width = (1, 0) if state is None else (state.rows, width)
        sums = {name: self._file.values(f"average.{name}") for name in Average.DECLARED}
        try:
            fresh = Average.of(width if len(sums["drift"]) == rows * width else 0, rows)  # no room that the file has not
            return fresh.refilled(sums, width)
        except InvalidData:
            raise self._file.damaged("its average and its weights differ in length") from None

    def _view(self) -> View | None:
        """What the rule is shown of rows; nothing is said of it where it is shown them as they are."""
        name = self._file.header.get("view")
        if name is None:
            return None
        if not isinstance(name, str):
            raise self._file.damaged(f"its view is {name!r}")
        try:
            return view_named(name)
        except InvalidParameter as error:
            raise self._file.damaged(str(error)) from None

    def _statistics(self, view: View, width: int) -> Statistics:
        fresh = view.init(0)
        stored = {name.removeprefix("view.") for name in self._file.arrays if name.startswith("view.")}
        try:
            view.check_width(width)
            known = fresh.holding({name: array.zeros(width) for name, array in fresh.schema.items()})
            found = known.refilled({name: self._file.values(f"view.{name}") for name in sorted(stored)}, width)
        except LittlestoneError as error:
            raise self._file.damaged(str(error)) from None
        if not found.sound():
            raise self._file.damaged("a number of its view is not finite")
        return found

    def _calibration(self, rule: LinearRule) -> Calibration | None:
        """The slope of the scores; nothing is said of it where they are not calibrated."""
        if "calibrated" not in self._file.header:
            return None
        fresh = Calibration.fresh()
        try:
            found = fresh.refilled({name: self._file.values(f"calibration.{name}") for name in fresh.arrays}, 0)
        except LittlestoneError as error:
            raise self._file.damaged(str(error)) from None
        if not rule.abilities.named or not rule.abilities.takes_calibration:
            raise self._file.damaged(f"{type(rule).__name__} takes no calibration")
        if not found.sound() or any(float(array[0]) < 0.0 for array in found.arrays.values()):
            raise self._file.damaged("a number of its calibration is below 0 or not finite")
        return found

    def _names(self) -> list[Feature] | None:
        array = self._file.arrays.get("names")
        if array is None:
            return None
        listed = self._file.parsed(self._file.raw[array.offset : array.offset + array.length], "its list of features")
        if not isinstance(listed, list):
            raise self._file.damaged("its features are not a list")
        names: list[Feature] = [name for name in listed if isinstance(name, str | int) and not isinstance(name, bool)]
        if len(names) != len(listed) or len(set(names)) != len(names):
            raise self._file.damaged("its features are not distinct names")
        return names

    def _space(self, names: list[Feature] | None) -> Mark:
        space = self._file.mapping(self._file.header, "space")
        count = None if names is None else len(names)
        width = None if space.get("width") is None else self._file.whole(space, "width")
        if space.get("names") != count or (count is not None and width is not None):
            raise self._file.damaged("its features do not fit its width")
        scheme, recipe = self._scheme(space.get("scheme")), self._recipe(space.get("recipe"))
        return Mark(count, width, scheme, recipe, self._hashed_names(width or 0))

    def _hashed_names(self, width: int) -> dict[int, str]:
        """The names of hashed features by their column, where the file keeps them."""
        array = self._file.arrays.get("hashed names")
        if array is None:
            return {}
        listed = self._file.parsed(self._file.raw[array.offset : array.offset + array.length], "its names of hashed features")
        names: dict[int, str] = {}
        for pair in listed if isinstance(listed, list) else [None]:
            match pair:
                case [int(column), str(name)] if 0 <= column < width and column not in names:
                    names[column] = name
                case _:
                    raise self._file.damaged("its names of hashed features do not fit its columns")
        return names

    def _recipe(self, recipe: Json) -> Recipe | None:
        try:
            return None if recipe is None else Recipe.of_json(recipe)
        except InvalidData as error:
            raise self._file.damaged(str(error)) from None

    def _scheme(self, scheme: Json) -> Scheme | None:
        if scheme is None:
            return None
        if not isinstance(scheme, dict):
            raise self._file.damaged("its hashing scheme is not an object")
        hashing: Hashing = "all" if scheme.get("hashing") == "all" else "strings"
        bits = self._file.whole(scheme, "bits")
        try:
            terms = self._file.listing({"interactions": []} | scheme, "interactions")
            products = tuple(term if isinstance(term, str) else "" for term in terms)
            return Scheme("hash", bits, hashing, products) if scheme.get("kind") == "hash" else Scheme("positions", bits)
        except InvalidParameter as error:
            raise self._file.damaged(str(error)) from None

    def labels(self) -> Labels:
        """The pair of labels."""
        pair = [self._label(label) for label in self._file.listing(self._file.header, "labels")]
        if len(pair) != 2 or (pair[0] is not None and pair[0] == pair[1]):
            raise self._file.damaged("its labels are not a pair")
        return Labels.of_known(pair[0], pair[1])

    def _classes(self, rule: LinearRule) -> Classes | None:
        """The table of a rule of many classes."""
        if not rule.abilities.classes or (rule.abilities.labels and "classes" not in self._file.header):
            return None
        labels = [self._label(label) for label in self._file.listing(self._file.header, "classes")]
        given = self._file.whole(self._file.header, "given classes")
        if len(set(labels)) < len(labels) or None in labels or given > len(labels):
            raise self._file.damaged("its classes are not distinct labels")
        return Classes({label: number for number, label in enumerate(labels)}, given)

    def _missing(self) -> Missing:
        """Files from before there was a choice have nothing missing."""
        missing = self._file.header.get("missing", "error")
        for known in MISSING:
            if missing == known:
                return known
        raise self._file.damaged(f"{missing!r} says nothing about missing values")

    def _label(self, label: Json) -> Label | None:
        if label is None:
            return None
        if not isinstance(label, dict) or len(label) != 1:
            raise self._file.damaged(f"{label!r} is not a label")
        ((kind, value),) = label.items()
        if kind == "float":
            return self._float(value) if isinstance(value, dict) else self._real(value)
        if type(value).__name__ != kind or not isinstance(value, bool | int | str):
            raise self._file.damaged(f"{label!r} is not a label")
        return value

    def _real(self, value: Json) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._file.damaged(f"{value!r} is not a number")
        return float(value)

    def _totals(self) -> dict[str, float | tuple[float, ...]]:
        totals: dict[str, float | tuple[float, ...]] = {}
        stored = self._file.mapping(self._file.header, "ledger")
        for name, fresh in _core.Totals().parts().items():
            if name not in _FIRST and name not in stored:
                totals[name] = fresh
                continue
            value = self._value(stored[name]) if name in stored else None
            whole = isinstance(fresh, int)
            if isinstance(fresh, tuple) and isinstance(value, tuple) and _are_reals(value, _sizes(fresh)):
                totals[name] = tuple(map(float, value))
            elif not isinstance(fresh, tuple) and (is_count(value) if whole else _is_real(value)):
                assert isinstance(value, int | float)
                totals[name] = value if whole else float(value)
            else:
                raise self._file.damaged(f"its ledger has no sound {name!r}")
        return totals

    def _own_rounds(self) -> bool:
        """Files from before it was noted are taken to be the rule's own."""
        own = self._file.header.get("own rounds", True)
        if not isinstance(own, bool):
            raise self._file.damaged(f"{own!r} does not say whether its rounds are the rule's own")
        return own

    def _batches(self) -> tuple[int, ...]:
        """Files from before batches were remembered know of none."""
        found = []
        for value in self._file.listing({"batches": []} | self._file.header, "batches"):
            if not isinstance(value, int) or not is_count(value):
                raise self._file.damaged(f"{value!r} is not the fingerprint of a batch")
            found.append(value)
        return tuple(found)

    def _passes(self) -> int:
        """Files from before passes were counted say nothing of them; then they are taken to be of one."""
        passes = self._file.whole({"passes": 1} | self._file.header, "passes")
        if passes == 0:
            raise self._file.damaged("it went over its rows 0 times")
        return passes


def _sizes(fresh: tuple[float, ...]) -> tuple[int, ...]:
    """How many numbers a total has: a sum and its correction; of tenths four each, or none before the first forecast."""
    return (2,) if fresh else (0, 40)


def _are_reals(values: tuple[object, ...], sizes: tuple[int, ...]) -> TypeGuard[tuple[float, ...]]:
    return len(values) in sizes and all(map(_is_real, values))


def _is_real(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _library() -> dict[str, tuple[ModuleType, str]]:
    """Where each rule of the library is, by its name; a class made elsewhere is not taken just because it exists."""
    from littlestone import kernels, linear, multiclass, pool, uniclass

    packages = (linear, multiclass, kernels, uniclass, pool)
    return {rule_name(of_class): (package, of_class) for package in packages for of_class in package.HOMES}
