"""How everybody did in an expert run, the mixture, the mean of the advice and each expert, by the measures of the loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.arrays import FloatArray
from littlestone.columns import counted

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray
    from littlestone.experts.losses import Loss
    from littlestone.experts.run import ExpertRun

SLEEPERS = (
    "An expert that sleeps is judged on the rounds in which it was awake, so it can have a smaller mean than the mixture, "
    "which was judged on the others too; the regret to it counts the same rounds for both."
)


@final
@dataclass(frozen=True)
class Standing:
    """How one forecaster did on the rounds in which it was awake.

    `regret` is the mixture's loss on these rounds minus its own, and `weight` what it will weigh in the next round; None for
    the mixture and for the mean of the advice.
    """

    name: str
    rounds: int
    measures: dict[str, float]
    regret: float | None = None
    weight: float | None = None


def standings(run: ExpertRun) -> list[Standing]:
    """Everybody, by mean loss, the mixture first of those that are equal, and last whoever never woke."""
    if run.outcomes is None:
        rows = _by_losses(run)
    else:
        rows = _by_forecasts(run, run.outcomes)
    return sorted(rows, key=lambda row: (row.rounds == 0, row.measures["loss"]))


def _by_losses(run: ExpertRun) -> list[Standing]:
    """Of a run on losses: there are no forecasts to measure."""
    ledger = run.ledger
    awake = ledger.rounds - ledger.asleep
    own = Standing(f"{run.rule.name()} (mixture)", ledger.rounds, {"loss": ledger.mean_loss})
    means = ledger.losses / np.maximum(awake, 1.0)
    return [own, *(_expert(run, i, int(awake[i]), {"loss": float(means[i])}) for i in range(len(ledger.experts)))]


def _by_forecasts(run: ExpertRun, outcomes: FloatArray) -> list[Standing]:
    advice, said = np.asarray(run.advice, dtype=np.float64), np.asarray(run.predictions, dtype=np.float64)
    awake = ~np.isnan(advice)
    even = np.sum(np.where(awake, advice, 0.0), axis=1) / np.maximum(np.sum(awake, axis=1), 1)
    own = _measures(run.loss, said, outcomes, np.asarray(run.losses, dtype=np.float64))
    rows = [Standing(f"{run.rule.name()} (mixture)", len(said), own)]
    if not run.loss.labels:
        rows.append(Standing("mean of the advice", len(said), _measures(run.loss, even, outcomes)))
    for i in range(advice.shape[1]):
        here: BoolArray = awake[:, i]
        rows.append(_expert(run, i, int(here.sum()), _measures(run.loss, advice[here, i], outcomes[here])))
    return rows


def _expert(run: ExpertRun, i: int, rounds: int, measures: dict[str, float]) -> Standing:
    weights = run.rule.weights(run.state)
    return Standing(run.ledger.experts[i], rounds, measures, float(run.ledger.regrets[i]), float(weights[i]))


def _measures(loss: Loss, said: FloatArray, outcomes: FloatArray, losses: FloatArray | None = None) -> dict[str, float]:
    """The mean loss first; for real outcomes RMSE, MAE and, where no outcome is 0, MAPE; for quantiles how many were below."""
    if len(said) == 0:
        return {"loss": float("nan")}
    mean = float(np.mean(loss(said, outcomes) if losses is None else losses))
    measures = {"loss": mean}
    if loss.labels or loss.probabilities or loss.name in ("given", "custom", "returns"):
        return measures
    error = said - outcomes
    if loss.name == "pinball":
        return measures | {"below": float(np.mean(outcomes <= said))}
    measures |= {"RMSE": float(np.sqrt(np.mean(error * error))), "MAE": float(np.mean(np.abs(error)))}
    if np.all(outcomes != 0.0):
        measures["MAPE"] = float(np.mean(np.abs(error / outcomes)))
    return measures


def described(run: ExpertRun) -> str:
    """The run in a few lines: what was run, a line for everybody, and the regret."""
    ledger, rows = run.ledger, standings(run)
    loss = (
        "given losses" if run.loss.name == "given" else f"{run.loss.name} loss" + (" (none was given)" if run.assumed else "")
    )
    trick = ", learned from gradients" if run.gradient else ""
    late = f", outcomes {run.delay} rounds late" if run.delay else ""
    head = f"{run.rule!r}: {counted(ledger.rounds, 'round')}, {len(ledger.experts)} experts, {loss}{trick}{late}"
    price = f"; the delay cost {run.price:.6g}" if run.delay else ""
    lines = [head, *aligned(table(rows)), f"regret {ledger.regret:.6g} to {ledger.best}{price}"]
    return "\n".join([*lines, SLEEPERS] if ranks_above(rows) else lines)


def table(rows: list[Standing]) -> list[tuple[str, ...]]:
    """The lines of a table, headings first; how many rounds where some slept."""
    names = max((list(row.measures) for row in rows), key=len)
    slept = any(row.rounds != rows[0].rounds for row in rows)
    heads = ("", *(f"mean {name}" if name == "loss" else name for name in names), *(["rounds"] if slept else []))
    lines = [(*heads, "regret", "next weight")]
    for row in rows:
        cells = [f"{row.measures[name]:.6g}" if name in row.measures else "" for name in names]
        rest = ["" if value is None else f"{value:.4g}" for value in (row.regret, row.weight)]
        lines.append((row.name, *cells, *([f"{row.rounds:,}"] if slept else []), *rest))
    return lines


def ranks_above(rows: list[Standing]) -> bool:
    """Whether an expert that slept has a smaller mean loss than the mixture."""
    mixture = next(i for i, row in enumerate(rows) if row.name.endswith(" (mixture)"))
    return any(row.rounds < rows[mixture].rounds for row in rows[:mixture])


def aligned(lines: list[tuple[str, ...]]) -> list[str]:
    """The cells under one another: names to the left, numbers to the right."""
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    cells = ([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])] for line in lines)
    return [f"  {'  '.join(row)}".rstrip() for row in cells]
