"""`littlestone solve`: what can be typed."""

from __future__ import annotations

import sys

import click

from littlestone.cli.completion import complete_files
from littlestone.cli.output import ReportOptions
from littlestone.cli.shared import report_options


@click.command("solve")
@click.argument("game", shell_complete=complete_files)
@click.option("--tol", type=float, default=1e-4, show_default=True, help="The gap, as a fraction of the range of the payoffs.")
@click.option("--method", default="auto", show_default=True, help="auto, exact, lp, a method of play, or of games with turns.")
@click.option("--sense", type=click.Choice(["max", "min"]), default="max", show_default=True, help="What the row player wants.")
@click.option("--max-rounds", type=click.IntRange(min=1), default=1_000_000, show_default=True, help="Give up after so many.")
@click.option("--figure", help="Draw the bracket closing over time into this file.")
@report_options
@click.option("--json", "as_json", is_flag=True, help="Print the solution as JSON.")
def command(
    game: str,
    tol: float,
    method: str,
    sense: str,
    max_rounds: int,
    figure: str | None,
    wanted: ReportOptions,
    as_json: bool,
) -> None:
    """Solve a zero-sum game: a CSV matrix of the row player's payoffs, a Gambit .nfg or .efg file, or kuhn or leduc poker.

    The exit code is 1 when the tolerance was not reached.

    \b
    Examples:
      littlestone solve payoffs.csv --tol 1e-6
      littlestone solve game.nfg --method self-play --report game.html
      littlestone solve leduc --method cfr+ --tol 1e-4
    """
    from littlestone.cli.games import Search, solve_file

    search = Search(tol=tol, method=method, sense=sense, max_rounds=max_rounds)
    sys.exit(solve_file(game, search, figure=figure, wanted=wanted, as_json=as_json))
