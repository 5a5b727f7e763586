"""The recipe of a table: which columns there are and what each holds, so that a model takes the same table in any shape."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias, final

from littlestone.errors import InvalidData

Held: TypeAlias = Literal["number", "category", "text", "date"]
HELD: tuple[Held, ...] = ("number", "category", "text", "date")

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_WORDS = {"number": "numbers", "category": "categories", "text": "texts", "date": "dates"}


@final
class Recipe(NamedTuple):
    """What the columns of a table hold. A learner keeps the recipe of the first file it learns, and its model file has it.

    Rows of a frame, of dicts or of another file then become the same features. A column that the recipe does not have is a
    new one; a column whose values have become of another kind is refused by its name.
    """

    columns: Mapping[str, Held]
    label: str | None = None
    missing: tuple[str, ...] = ()

    def joined(self, other: Recipe) -> Recipe:
        """This recipe and the columns that the other has besides.

        Raises:
            InvalidData: if a column holds something else there, or no column is the same.
        """
        self.check(other)
        return Recipe({**other.columns, **self.columns}, self.label or other.label, self.missing)

    def check(self, other: Recipe) -> None:
        """Refuses a table of which this recipe knows nothing, or knows otherwise.

        Raises:
            InvalidData: naming the column.
        """
        shared = [name for name in other.columns if name in self.columns]
        if self.columns and other.columns and not shared:
            known, new = (", ".join(map(repr, list(names)[:6])) for names in (self.columns, other.columns))
            raise InvalidData(f"none of the columns {new} is known to this learner, which has learned {known}")
        for name in shared:
            if self.columns[name] != other.columns[name]:
                now, before = _WORDS[other.columns[name]], _WORDS[self.columns[name]]
                raise InvalidData(f"the column {name!r} holds {now}; this learner has learned {before} from it")

    @staticmethod
    def of_json(found: object) -> Recipe:
        """The recipe of a model file.

        Raises:
            InvalidData: if it is none.
        """
        match found:
            case {"columns": dict(columns), "label": str() | None as label, "missing": list(missing)}:
                held = {name: kind for name, said in columns.items() for kind in HELD if kind == said}
                if len(held) == len(columns) and all(isinstance(word, str) for word in missing):
                    return Recipe(held, label, tuple(missing))
        raise InvalidData("its recipe does not say what the columns hold")

    def plain(self) -> bool:
        """Whether every column holds numbers, none of which stands for nothing, so that rows can be taken as they are."""
        return all(held == "number" for held in self.columns.values()) and not self.gaps

    @property
    def gaps(self) -> tuple[float, ...]:
        """The numbers, such as -999, that stand for none."""
        return tuple(float(word) for word in self.missing if _NUMBER.fullmatch(word))

    def lacks(self, value: object, held: str) -> bool:
        """Whether a value of a column stands for none, as it would in a file."""
        if isinstance(value, str):
            return value == "" or (held in ("number", "date") and value.strip() in self.missing)
        return held == "number" and isinstance(value, int | float) and value in self.gaps

    def of_names(self, names: Iterable[str]) -> Recipe:
        """The columns that features of these names are of: of categories, words and parts of dates those in front."""
        columns = dict.fromkeys(self._column(name) for name in names)
        return Recipe({name: self.columns.get(name, "number") for name in columns})

    def _column(self, name: str) -> str:
        front = name if name in self.columns else name.split("=", 1)[0]
        return front.rsplit(".", 1)[0] if self.columns.get(front.rsplit(".", 1)[0]) == "date" else front

    def of_frame(self, names: Iterable[str]) -> Recipe:
        """The recipe of a frame with these columns, as far as this one knows them."""
        return Recipe({name: self.columns[name] for name in names if name in self.columns} or dict.fromkeys(names, "number"))
