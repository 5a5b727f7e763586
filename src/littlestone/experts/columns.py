"""Experts that come and go: columns by their names, and the totals of an expert that joins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from littlestone.errors import InvalidData

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from littlestone.arrays import FloatArray


def placed(
    table: npt.NDArray[np.float64] | npt.NDArray[np.float32], names: tuple[str, ...], experts: tuple[str, ...]
) -> npt.NDArray[np.float64] | npt.NDArray[np.float32]:
    """The columns in the order of the experts; an expert without a column sleeps.

    Raises:
        InvalidData: if a column is no expert.
    """
    unknown = [name for name in names if name not in experts]
    if unknown:
        raise InvalidData(
            f"there is no expert {unknown[0]!r}; there are {', '.join(experts)}, and Mixture.join({unknown[0]!r}) takes it in"
        )
    if names == experts:
        return table
    full: FloatArray = np.full((len(table), len(experts)), np.nan)
    full[:, [experts.index(name) for name in names]] = table
    return full


def joined_totals(parts: Mapping[str, list[float]]) -> dict[str, list[float]]:
    """The totals with one expert more that slept in every round so far: the learner's loss stands for its own."""
    rounds, (total, correction) = parts["counts"][0], parts["loss"]
    slept = {
        "loss_total": 0.0,
        "loss_correction": 0.0,
        "squares": 0.0,
        "asleep": rounds,
        "asleep_total": total,
        "asleep_correction": correction,
    }
    return {name: [*values, slept[name]] if name in slept else list(values) for name, values in parts.items()}
