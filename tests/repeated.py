"""Properties that are tried again and again, with other examples each time, as long as they have time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import wraps

import pytest

TIMES = 20
SECONDS, LEAST = 8.0, 0.5
"""For a property, shared by the rules that it is tried for; and for each of them. The first time is always whole."""


def again_and_again(tried: Callable[..., None], seconds: float) -> Callable[..., None]:
    """The property, tried until its time is over."""

    @wraps(tried)
    def often(*given: object, **named: object) -> None:
        begun = time.monotonic()
        for _ in range(TIMES):
            tried(*given, **named)
            if time.monotonic() - begun >= seconds:
                return

    return often


def repeat_properties(items: Sequence[pytest.Item]) -> None:
    """Has all properties among the tests tried so."""
    functions = [item for item in items if isinstance(item, pytest.Function)]
    properties = [item for item in functions if getattr(item.obj, "is_hypothesis_test", False)]
    tried_for = Counter(item.obj for item in properties)
    for item in properties:
        item.obj = again_and_again(item.obj, max(LEAST, SECONDS / tried_for[item.obj]))
