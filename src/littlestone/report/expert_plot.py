"""An expert run in three pictures: weights, regret and cumulative loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from littlestone.errors import NotApplicable
from littlestone.report.chart import COLOURS, Chart, Line, Role
from littlestone.report.sections import number

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.run import ExpertRun

_POINTS = 400


def run_charts(run: ExpertRun) -> tuple[Chart, ...]:
    """Weights (where they were kept, or the run can be repeated), regret and cumulative loss.

    Raises:
        NotApplicable: if the run has no rounds.
    """
    if len(run.advice) == 0:
        raise NotApplicable("the run has no rounds; there is nothing to draw")
    at = np.unique(np.linspace(0, len(run.advice) - 1, _POINTS).astype(int))
    shown = [int(k) for k in np.argsort(-_last_weights(run), kind="stable")[:COLOURS]]
    weights = _weights(run)
    charts = (_regrets(run, at, shown), _losses(run, at, shown))
    return charts if weights is None else (_shares(run, weights, at, shown), *charts)


def _last_weights(run: ExpertRun) -> FloatArray:
    return run.rule.weights(run.state)


def _weights(run: ExpertRun) -> FloatArray | None:
    """The weights of every round; None where they were not kept and the rounds are not all there are."""
    from littlestone.experts.mixture import Mixture

    if run.kept_weights is None and len(run.advice) == run.ledger.rounds:
        mixture = Mixture(run.rule, experts=run.ledger.experts, loss=run.loss, gradient=run.gradient)
        run = mixture.learn_many(run.advice, run.outcomes, keep=("weights",), delay=run.delay)
    return None if run.kept_weights is None else np.asarray(run.kept_weights, dtype=np.float64)


def _shares(run: ExpertRun, weights: FloatArray, at: FloatArray, shown: list[int]) -> Chart:
    names, kept = run.ledger.experts, np.asarray(weights)[at]
    if bool((kept < 0.0).any()):  # of a linear combination, which has no shares
        lines = tuple(Line(names[k], at + 1.0, kept[:, k], Role.ONE_OF_MANY, c) for c, k in enumerate(shown))
        return _chart("weights", "Weights", "weight", lines)
    rest = [k for k in range(len(names)) if k not in shown]
    stack = [Line(names[k], at + 1.0, kept[:, k], Role.ONE_OF_MANY, c) for c, k in enumerate(shown)]
    stack += [Line(f"{len(rest)} others", at + 1.0, kept[:, rest].sum(axis=1), Role.GUIDE)] if rest else []
    return Chart(
        name="weights",
        title="Weights",
        words="The share of each expert in the mixture, stacked.",
        x_label="rounds",
        y_label="share of the mixture",
        stack=tuple(stack),
        percent=True,
    )


def _regrets(run: ExpertRun, at: FloatArray, shown: list[int]) -> Chart:
    names, regrets = run.ledger.experts, np.asarray(run.regrets(), dtype=np.float64)[at]
    lines = [Line(f"to {names[k]}", at + 1.0, regrets[:, k], Role.ONE_OF_MANY, c) for c, k in enumerate(shown)]
    lines.append(Line("to the best so far", at + 1.0, np.max(regrets, axis=1), Role.MEASURED))
    return _chart(
        "regret", f"Regret: {number(run.regret)} to {run.ledger.best}", f"regret ({run.loss.name} loss)", tuple(lines)
    )


def _losses(run: ExpertRun, at: FloatArray, shown: list[int]) -> Chart:
    """Whoever sleeps is charged what the mixture lost, so that its curve stays comparable."""
    own = np.cumsum(np.asarray(run.losses, dtype=np.float64))
    theirs = own[:, None] - np.asarray(run.regrets(), dtype=np.float64)
    names = run.ledger.experts
    lines = [Line(names[k], at + 1.0, theirs[at, k], Role.ONE_OF_MANY, c) for c, k in enumerate(shown)]
    lines.append(Line("mixture", at + 1.0, own[at], Role.MEASURED))
    return _chart("losses", "Cumulative loss", f"{run.loss.name} loss so far", tuple(lines))


def _chart(name: str, title: str, label: str, lines: tuple[Line, ...]) -> Chart:
    return Chart(name=name, title=title, words=title, x_label="rounds", y_label=label, lines=lines, zero=name == "regret")
