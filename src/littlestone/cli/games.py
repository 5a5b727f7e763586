"""`littlestone solve`: a matrix in, strategies and a bracket out."""

from __future__ import annotations

import json

from rich.console import Console
from rich.table import Table

from littlestone.cli.text import print_certificate
from littlestone.games import Solution, read_game, solve

_SHOWN = 20


def solve_file(path: str, tol: float, method: str, sense: str, max_rounds: int, figure: str | None, *, as_json: bool) -> int:
    """Solves the game of a file and prints it; returns 0, or 1 when the tolerance was not reached."""
    game = read_game(path)
    solution = solve(game.A, tol=tol, method=method, sense=sense, max_rounds=max_rounds)
    if figure is not None:
        solution.plot(figure)
    if as_json:
        print(json.dumps(_summary(solution)))
        return 0 if solution.converged else 1
    console = Console()
    console.print(str(solution), highlight=False, markup=False)
    _print_strategy(console, "row", game.row_names, solution.row.tolist())
    _print_strategy(console, "column", game.column_names, solution.column.tolist())
    print_certificate(console, solution.certificate)
    if not solution.converged:
        asked = f"the gap is {solution.gap:.3g} and {solution.target:.3g} was asked for"
        console.print(f"Not converged: {asked}; the bracket is true all the same.", style="yellow", highlight=False)
    return 0 if solution.converged else 1


def _print_strategy(console: Console, player: str, names: tuple[str, ...], strategy: list[float]) -> None:
    """The actions played most, with their probabilities."""
    table = Table("action", "probability", title=f"{player} player")
    played = sorted(range(len(strategy)), key=lambda k: -strategy[k])
    for k in played[:_SHOWN]:
        if strategy[k] > 0.0:
            table.add_row(names[k] if k < len(names) else str(k), f"{strategy[k]:.6f}")
    console.print(table)


def _summary(solution: Solution) -> dict[str, object]:
    return {
        "value": solution.value,
        "lower": solution.lower,
        "upper": solution.upper,
        "gap": solution.gap,
        "rounds": solution.rounds,
        "converged": solution.converged,
        "method": solution.method,
        "row": solution.row.tolist(),
        "column": solution.column.tolist(),
        "certificate": solution.certificate.to_dict(),
    }
