"""The section of epochs: the partitions side by side, the mixture, and the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlestone.columns import counted
from littlestone.report.chart import COLOURS, Chart, Line, Role, as_array
from littlestone.report.sections import Bars, Fact, Section, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.epochs import Epochs
    from littlestone.ledger import Ledger
    from littlestone.theory.certificate import Certificate

_LISTED = 64
"""Partitions that are listed; of more, the first."""


def shards_section(run: Epochs, names: Sequence[str], *, title: str, certificates: Sequence[Certificate] = ()) -> Section:
    """What the epochs left behind, for a report; the names are those of the partitions."""
    epochs, parts = len(run.ledgers), len(run.partitions)
    last, whole = run.ledgers[-1], run.progress
    measured = Fact("error of the mixture", _shown(run, run.errors[-1])) if run.errors else None
    facts = [
        Fact("partitions", number(parts)),
        Fact("epochs", number(epochs)),
        Fact("mistakes in the first epoch", number(whole[0].mistakes), rate(run, whole[0])),
        Fact("mistakes in the last epoch", number(whole[-1].mistakes), rate(run, whole[-1])),
        *([measured] if measured is not None else []),
    ]
    shown = list(names)[:_LISTED]
    tables = (
        _bars("Rows", "rows", shown, [ledger.rounds for ledger in last]),
        _bars("Mistakes in the last epoch", "mistakes", shown, [ledger.mistakes for ledger in last]),
        _bars("Share in the mixture", "share", shown, run.shares[-1].tolist()),
    )
    return Section(
        title=title,
        lead=f"{run.rule!r}: {counted(parts, 'partition')} learned apart in {counted(epochs, 'epoch')}, and mixed after each.",
        facts=tuple(facts),
        charts=(by_partition(run, shown),),
        tables=tables,
        certificates=tuple(certificates),
    )


def _bars(title: str, head: str, names: Sequence[str], values: Sequence[float]) -> Bars:
    return Bars(title, ("partition", head), tuple(zip(names, values, strict=False)))


def by_partition(run: Epochs, names: Sequence[str]) -> Chart:
    """The error of every partition, epoch by epoch, beside that of the mixture."""
    x = as_array([float(k) for k in range(1, len(run.ledgers) + 1)])
    lines = [
        Line(name, x, as_array([_error(epoch[k]) for epoch in run.ledgers]), colour=k if k < COLOURS else None)
        for k, name in enumerate(names)
    ]
    together = Line("all partitions", x, as_array([_error(ledger) for ledger in run.progress]), Role.MEASURED)
    mixed = [Line("the mixture", x, as_array(run.errors), Role.BOUND)] if len(run.errors) == len(x) else []
    targets = bool(run.progress[0].targets)
    return Chart(
        name="partitions",
        title="The partitions side by side",
        words="The progressive error of each partition in every epoch, and that of all together"
        + (", beside the error of the mixture." if mixed else "."),
        x_label="epoch",
        y_label="mean absolute error" if targets else "error",
        lines=(*lines, together, *mixed),
        percent=not targets,
        whole_x=True,
    )


def _error(ledger: Ledger) -> float:
    return ledger.mae if ledger.targets else ledger.mistake_rate


def rate(run: Epochs, ledger: Ledger) -> str:
    """The error of an epoch, as one reads it."""
    return _shown(run, _error(ledger))


def _shown(run: Epochs, error: float) -> str:
    return number(error) if run.progress[0].targets else f"{error:.2%}"
