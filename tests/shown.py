"""What a test shows of a statement of `ls.theory`, so that a walk over all of them finds what nobody shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar

Kind = Literal["example", "tight", "never", "mutant", "holds", "vacuous", "unproved", "violated"]
"""A worked number; an instance where the bound is met or nearly; streams on which it never fails; a wrong rule caught by the
lemma; and a case for each verdict."""

Test = TypeVar("Test", bound=Callable[..., None])


def shows(kind: Kind, *names: str) -> Callable[[Test], Test]:
    """Marks a test as showing this of these statements."""

    def mark(test: Test) -> Test:
        marks: list[tuple[Kind, str]] = getattr(test, "shows", [])
        test.__dict__["shows"] = [*marks, *((kind, name) for name in names)]
        return test

    return mark


def shown(module: object) -> set[tuple[Kind, str]]:
    """What the tests of a module show."""
    marks: set[tuple[Kind, str]] = set()
    for test in vars(module).values():
        marks.update(vars(test).get("shows", ()) if callable(test) and hasattr(test, "__dict__") else ())
    return marks
