"""`littlestone export`: what can be typed."""

from __future__ import annotations

import click

from littlestone.cli.completion import complete_files


@click.command("export")
@click.argument("model", shell_complete=complete_files)
@click.argument("out", shell_complete=complete_files)
@click.option("--force", is_flag=True, help="Replace a file of another kind.")
@click.option("--json", "as_json", is_flag=True, help="Say as JSON what was written.")
def command(model: str, out: str, force: bool, as_json: bool) -> None:
    """Write a linear model as plain JSON or as ONNX, for whoever scores without littlestone.

    \b
    Examples:
      littlestone export spam.lst spam.json
      littlestone export spam.lst spam.onnx
    """
    from littlestone.cli.machine import print_json
    from littlestone.cli.output import EXPORT, Target, check_targets
    from littlestone.export import export
    from littlestone.store import load

    check_targets([Target("OUT", out, EXPORT)], [model], force=force)
    learner = load(model)
    export(learner, out)
    if as_json:
        print_json({"model": model, "out": out, "rule": learner.rule.name(), "features": learner.width})
