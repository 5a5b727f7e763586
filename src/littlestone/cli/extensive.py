"""`littlestone solve` of a game with turns: Gambit's .efg, and poker by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from littlestone.cli.machine import print_json
from littlestone.cli.text import say, say_certificates, say_table
from littlestone.errors import InvalidParameter
from littlestone.games import ExtensiveGame, ExtensiveSolution, kuhn_poker, leduc_poker, read_extensive, solve_extensive

if TYPE_CHECKING:
    from littlestone.cli.games import Search
    from littlestone.cli.output import ReportOptions
    from littlestone.games.trees import Strategy, Treeplex

BUILT_IN = {"kuhn": kuhn_poker, "leduc": leduc_poker}
"""Games that are known by name, where no file is called so."""

_SHOWN = 20


def extensive_game(path: str) -> ExtensiveGame | None:
    """The game with turns that is meant; None where it is a matrix.

    Raises:
        InvalidData: if the file holds no such game.
        NotApplicable: if the game is not zero-sum.
    """
    if Path(path).suffix.lower() == ".efg":
        return read_extensive(path)
    return BUILT_IN[path]() if path in BUILT_IN and not Path(path).exists() else None


def solve_turns(
    game: ExtensiveGame, path: str, search: Search, *, figure: str | None, wanted: ReportOptions, as_json: bool
) -> int:
    """Solves the game and prints it; returns 0, or 1 when the tolerance was not reached."""
    if search.sense != "max":
        raise InvalidParameter("--sense is for matrices; a game with turns says itself what its players get")
    method = "predictive-cfr+" if search.method == "auto" else search.method
    solution = solve_extensive(game, tol=search.tol, method=method, max_rounds=search.max_rounds)
    if figure is not None:
        solution.plot(figure)
    if as_json:
        print_json(_summary(solution, game))
    else:
        _print(solution, game)
    if wanted:
        from littlestone.report.games import extensive_section

        lead = f"{game.title or path}: {len(game.row):,} and {len(game.column):,} decision points, solved by {method}."
        section = extensive_section(solution, title=f"The game of {Path(path).name}", lead=lead)
        wanted.write([section], [path] if Path(path).exists() else [])
    return 0 if solution.converged else 1


def _print(solution: ExtensiveSolution, game: ExtensiveGame) -> None:
    say(str(solution))
    for player, strategy, points in (("row", solution.row, game.row), ("column", solution.column, game.column)):
        say()
        _print_strategy(player, strategy, points)
    say()
    say_certificates([solution.certificate])
    if not solution.converged:
        asked = f"the gap is {solution.gap:.3g} in payoffs and {solution.target:.3g} was asked for"
        say(f"Not converged: {asked}; the bracket is true all the same.", err=True, colour="yellow")


def _print_strategy(player: str, strategy: Strategy, points: Treeplex) -> None:
    rows = [
        (name, ", ".join(f"{action} {chance:.4f}" for action, chance in zip(actions, strategy[name], strict=True)))
        for name, actions in zip(points.names[:_SHOWN], points.actions, strict=False)
    ]
    say_table((f"{player} player at", "does"), rows)
    if len(points) > len(rows):
        say(f"and {len(points) - len(rows):,} more", dim=True)


def _summary(solution: ExtensiveSolution, game: ExtensiveGame) -> dict[str, object]:
    return {
        "value": solution.value,
        "lower": solution.lower,
        "upper": solution.upper,
        "gap": solution.gap,
        "relative_gap": solution.relative_gap,
        "exploitability": solution.exploitability,
        "range": solution.range,
        "target": solution.target,
        "rounds": solution.rounds,
        "converged": solution.converged,
        "method": solution.method,
        "row": _named(solution.row, game.row),
        "column": _named(solution.column, game.column),
        "certificate": solution.certificate.to_dict(),
    }


def _named(strategy: Strategy, points: Treeplex) -> dict[str, dict[str, float]]:
    return {
        name: dict(zip(actions, strategy[name].tolist(), strict=True))
        for name, actions in zip(points.names, points.actions, strict=True)
    }
