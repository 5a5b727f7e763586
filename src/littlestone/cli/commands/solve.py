"""`littlestone solve`: what can be typed."""

from __future__ import annotations

import sys

import click

from littlestone.cli.completion import complete_files
from littlestone.cli.output import Wanted, report_options


@click.command("solve")
@click.argument("matrix", shell_complete=complete_files)
@click.option("--tol", type=float, default=1e-4, show_default=True, help="The gap, as a fraction of the range of the payoffs.")
@click.option("--method", default="auto", show_default=True, help="auto, exact, lp, or one of the methods of play.")
@click.option("--sense", type=click.Choice(["max", "min"]), default="max", show_default=True, help="What the row player wants.")
@click.option("--max-rounds", type=click.IntRange(min=1), default=1_000_000, show_default=True, help="Give up after so many.")
@click.option("--figure", help="Draw the bracket closing over time into this file.")
@report_options
@click.option("--json", "as_json", is_flag=True, help="Print the solution as JSON.")
def command(
    matrix: str,
    tol: float,
    method: str,
    sense: str,
    max_rounds: int,
    figure: str | None,
    wanted: Wanted,
    as_json: bool,
) -> None:
    """Solve a zero-sum game: a CSV matrix of the row player's payoffs, or a Gambit .nfg file.

    The exit code is 1 when the tolerance was not reached.

    \b
    Examples:
      littlestone solve payoffs.csv --tol 1e-6
      littlestone solve game.nfg --method self-play --report game.html
    """
    from littlestone.cli.games import Search, solve_file

    search = Search(tol=tol, method=method, sense=sense, max_rounds=max_rounds)
    sys.exit(solve_file(matrix, search, figure=figure, wanted=wanted, as_json=as_json))
