"""Passive-Aggressive as a batch algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlestone.convert.converted import Converted
from littlestone.linear import BatchPassiveAggressive
from littlestone.run import run
from littlestone.theory import certify

if TYPE_CHECKING:
    from littlestone.labels import Label
    from littlestone.learner import Outcomes
    from littlestone.streams.space import Table


def passive_aggressive_batch(
    X: Table,
    y: Outcomes,
    *,
    beta: float = 0.01,
    margin: float = 1.0,
    labels: tuple[Label, Label] | None = None,
    passes: int = 1000,
    progress: bool = False,
) -> Converted:
    """Passes over the rows until every loss is at most √β, or `passes` are done.

    The certificates are pa.batch, which bounds the updates by B‖u − w₁‖²/β and holds where some u has no loss, and pa.2.

    Args:
        X: the rows.
        y: labels, one a row.
        beta: the squared loss that is small enough.
        margin: the margin asked of a label.
        labels: the pair (negative, positive); None lets the first two distinct labels decide.
        passes: at most so many passes.
        progress: show a progress bar for each pass.

    Example:
        >>> import littlestone as ls
        >>> rows, labels = [[1.0, 0.0], [1.0, 1.0]] * 50, [+1, -1] * 50
        >>> result = ls.convert.passive_aggressive_batch(rows, labels, beta=0.25)
        >>> print(str(result.certificate).splitlines()[0])      # B‖u − w₁‖²/β = 2·5/0.25
        pa.batch: holds: updates 4 ≤ 40 = ⌈B‖u − w₁‖²/β⌉ − 1
    """
    rule = BatchPassiveAggressive(beta=beta, margin=margin)
    done = run(rule, X, y, labels=labels, passes=passes, progress=progress)
    certificates = sorted(certify(done, against="best"), key=lambda certificate: certificate.id != "pa.batch")
    return Converted(done.learner, tuple(certificates))
