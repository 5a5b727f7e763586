"""Output for machines: JSON as the standard has it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence

from littlestone.cli.text import echo


def print_json(value: Mapping[str, object]) -> None:
    """One line of JSON; a number that is not finite is null, for JSON has no other word for it."""
    echo(json.dumps(finite(value), allow_nan=False))


def finite(value: object) -> object:
    """The value with None for every number that is not finite.

    Example:
        >>> finite({"bound": float("nan"), "rounds": [1, float("inf")]})
        {'bound': None, 'rounds': [1, None]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): finite(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [finite(part) for part in value]
    return value
