"""`littlestone solve`: a matrix in, strategies and a bracket out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import final

from littlestone.cli.extensive import extensive_game, solve_turns
from littlestone.cli.machine import print_json
from littlestone.cli.output import FIGURE, ReportOptions, Target
from littlestone.cli.text import say, say_certificates, say_table
from littlestone.games import GameFile, Solution, read_game, solve

_SHOWN = 20


@final
@dataclass(frozen=True, kw_only=True)
class Search:
    """How a game is to be solved."""

    tol: float
    method: str
    sense: str
    max_rounds: int


def solve_file(path: str, search: Search, *, figure: str | None, wanted: ReportOptions, as_json: bool) -> int:
    """Solves the game of a file and prints it; returns 0, or 1 when the tolerance was not reached."""
    wanted.check([path] if Path(path).exists() else [], Target("--figure", figure, FIGURE))
    turns = extensive_game(path)
    if turns is not None:
        return solve_turns(turns, path, search, figure=figure, wanted=wanted, as_json=as_json)
    game = read_game(path)
    solution = solve(game, tol=search.tol, method=search.method, sense=search.sense, max_rounds=search.max_rounds)
    if figure is not None:
        solution.plot(figure)
    if as_json:
        print_json(_summary(solution))
    else:
        _print(solution, game)
    if wanted:
        _write(solution, game, path, wanted)
    return 0 if solution.converged else 1


def _print(solution: Solution, game: GameFile) -> None:
    say(str(solution))
    say()
    _print_strategy("row player", game.row_names, solution.row.tolist())
    say()
    _print_strategy("column player", game.column_names, solution.column.tolist())
    say()
    say_certificates(solution.certificates)
    if not solution.converged:
        asked = f"the gap is {solution.gap:.3g} in payoffs and {solution.target:.3g} was asked for"
        say(f"Not converged: {asked}; the bracket is true all the same.", err=True, colour="yellow")


def _print_strategy(player: str, names: tuple[str, ...], strategy: list[float]) -> None:
    """The actions played most, with their probabilities."""
    played = [k for k in sorted(range(len(strategy)), key=lambda k: -strategy[k]) if strategy[k] > 0.0]
    rows = [(names[k] if k < len(names) else str(k), f"{strategy[k]:.6f}") for k in played[:_SHOWN]]
    say_table((player, "probability"), rows)
    if len(played) > len(rows):
        say(f"and {len(played) - len(rows):,} more", dim=True)


def _write(solution: Solution, game: GameFile, path: str, wanted: ReportOptions) -> None:
    from littlestone.report.games import game_section

    rows, columns = len(solution.row), len(solution.column)
    lead = f"The zero-sum game of {path}, {rows:,} by {columns:,} actions, solved by {solution.method}."
    title = f"The game of {Path(path).name}"
    wanted.write([game_section(solution, title=title, lead=lead, rows=game.row_names, columns=game.column_names)], [path])


def _summary(solution: Solution) -> dict[str, object]:
    return {
        "value": solution.value,
        "lower": solution.lower,
        "upper": solution.upper,
        "gap": solution.gap,
        "relative_gap": solution.relative_gap,
        "range": solution.range,
        "target": solution.target,
        "rounds": solution.rounds,
        "converged": solution.converged,
        "method": solution.method,
        "row": solution.row.tolist(),
        "column": solution.column.tolist(),
        "certificate": solution.certificate.to_dict(),
    }
