"""The section of a game: the bracket closing, the strategies, proof."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from littlestone.report.chart import Band, Chart, Line, Role, as_array
from littlestone.report.sections import Bars, Fact, Section, number

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.games.extensive import ExtensiveSolution
    from littlestone.games.solution import Solution

    Solved: TypeAlias = "Solution | ExtensiveSolution"

_ROWS = 20


def game_section(
    solution: Solution, *, title: str, lead: str = "", rows: Sequence[str] = (), columns: Sequence[str] = ()
) -> Section:
    """The section of a solution; actions without names are numbered."""
    played = solution.rounds > 0 and len(solution.history.rounds) > 1
    notes = () if played else (f"There are no curves: the method ({solution.method}) needs no rounds of play.",)
    return Section(
        title=title,
        lead=lead
        or f"A zero-sum game of {len(solution.row):,} by {len(solution.column):,} actions, solved by {solution.method}.",
        facts=solution_facts(solution),
        charts=bracket_charts(solution) if played else (),
        tables=(strategy("Row player", rows, solution.row), strategy("Column player", columns, solution.column)),
        certificates=solution.certificates,
        notes=notes,
    )


def extensive_section(solution: ExtensiveSolution, *, title: str, lead: str) -> Section:
    """The section of a game with turns; its strategies are too many for a page, and stand in `--json`."""
    return Section(
        title=title,
        lead=lead,
        facts=(*solution_facts(solution), Fact("exploitability", f"{solution.exploitability:.3g}", "half the gap")),
        charts=bracket_charts(solution) if len(solution.history.rounds) > 1 else (),
        tables=(),
        certificates=(solution.certificate,),
    )


def bracket_charts(solution: Solved) -> tuple[Chart, ...]:
    """The bracket closing, above its length on a logarithmic scale."""
    return _bracket(solution), _gap(solution)


def solution_facts(solution: Solved) -> tuple[Fact, ...]:
    """The value, how sure it is, and what it took."""
    return (
        Fact("value of the game", number(solution.value, 6), f"in [{number(solution.lower, 6)}, {number(solution.upper, 6)}]"),
        Fact(
            "gap", f"{solution.gap:.3g}", f"asked for: {solution.target:.3g}" + ("" if solution.converged else ", not reached")
        ),
        Fact("rounds", f"{solution.rounds:,}", solution.method),
    )


def _bracket(solution: Solved) -> Chart:
    history = solution.history
    rounds = np.maximum(history.rounds, 1.0)
    return Chart(
        name="bracket",
        title="The bracket of the value",
        words=f"What the row player secures and the column player concedes close in on each other: after "
        f"{solution.rounds:,} rounds the value lies between {number(solution.lower, 6)} and {number(solution.upper, 6)}.",
        x_label="rounds",
        y_label="payoff to the row player",
        lines=(
            Line("upper: the value is at most this", rounds, history.upper, Role.BOUND, 1),
            Line("lower: the value is at least this", rounds, history.lower, Role.MEASURED, 0),
            Line("value", as_array([rounds[0], rounds[-1]]), as_array([solution.value] * 2), Role.GUIDE),
        ),
        bands=(Band("where the value can be", rounds, history.lower, history.upper, 0),),
        log_x=True,
    )


def _gap(solution: Solved) -> Chart:
    history = solution.history
    rounds = np.maximum(history.rounds, 1.0)
    gap = history.upper - history.lower
    return Chart(
        name="gap",
        title="The gap",
        words=f"The length of the bracket falls to {solution.gap:.3g} after {solution.rounds:,} rounds; "
        f"{solution.target:.3g} was asked for. Both axes are logarithmic.",
        x_label="rounds",
        y_label="gap (payoff)",
        lines=(
            Line("gap", rounds, np.where(gap > 0.0, gap, np.nan), Role.MEASURED, 0),
            Line("asked for", as_array([rounds[0], rounds[-1]]), as_array([solution.target] * 2), Role.GUIDE),
        ),
        log_x=True,
        log_y=True,
    )


def strategy(title: str, names: Sequence[str], played: FloatArray) -> Bars:
    """The actions that are played, the likeliest first."""
    order = [int(k) for k in np.argsort(-played, kind="stable") if played[k] > 0.0]
    rows = tuple((names[k] if k < len(names) else str(k), float(played[k])) for k in order[:_ROWS])
    rest = len(order) - len(rows)
    note = f"{rest:,} more actions are played with {1.0 - sum(p for _, p in rows):.2%} together" if rest > 0 else ""
    return Bars(title, ("action", "probability"), rows, note)
