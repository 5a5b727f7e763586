"""`littlestone experts --interleave`: copies of a rule that take turns, as many as outcomes are late, and one more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlestone import outputs
from littlestone.cli.experts import read_forecasts
from littlestone.cli.machine import print_json
from littlestone.cli.output import PREDICTIONS, Target, check_targets
from littlestone.cli.text import say, say_proof
from littlestone.columns import counted
from littlestone.experts.interleaved import interleave
from littlestone.experts.summary import aligned

if TYPE_CHECKING:
    from littlestone.cli.experts import Combining
    from littlestone.experts.interleaved import InterleavedRun
    from littlestone.theory import Certificate


def combine_in_turns(
    path: str,
    combining: Combining,
    *,
    truth: str,
    ignore: tuple[str, ...],
    predictions: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Combines the experts of a CSV file by copies that take turns, and prints how they did and what is proved of it."""
    check_targets([Target("--predictions", predictions, PREDICTIONS)], [path], force=force)
    names, advice, outcomes = read_forecasts(path, truth, ignore)
    known, delay = len(outcomes), combining.delay
    run = interleave(combining.rule, advice[:known], outcomes, delay=delay, loss=combining.judged_by, experts=names)
    if predictions is not None:
        said = [*run.predictions.tolist(), *run.predict_many(advice[known:]).tolist()]
        outputs.write(predictions, (f"{value:.9g}\n".encode() for value in said))
    certificates = run.certify()
    if as_json:
        print_json(_summary(run, certificates))
    else:
        _print(run, len(advice) - known, certificates)


def _summary(run: InterleavedRun, certificates: list[Certificate]) -> dict[str, object]:
    first = run.copies[0]
    return {
        "rule": first.rule.name(),
        "loss": first.loss.name,
        "gradient": first.gradient,
        "delay": run.delay,
        "copies": len(run.copies),
        "rounds": len(run.losses),
        "mean loss": run.mean_loss,
        "regrets": dict(zip(run.experts, run.regrets.tolist(), strict=True)),
        "regret": run.regret,
        "best": run.best,
        "certificates": [certificate.to_dict() for certificate in certificates],
    }


def _print(run: InterleavedRun, coming: int, certificates: list[Certificate]) -> None:
    first = run.copies[0]
    trick, after = " on gradients" if first.gradient else "", f", {coming} more to come" if coming else ""
    rule = f"{len(run.copies)} copies of {first.rule!r}{trick} in turns"
    say(f"{rule}, {first.loss.name} loss, the truth {run.delay} rows late: {counted(len(run.losses), 'round')}{after}")
    lines: list[tuple[str, ...]] = [
        ("", "regret"),
        *((name, f"{regret:.6g}") for name, regret in zip(run.experts, run.regrets, strict=True)),
    ]
    say("\n".join(aligned(lines)))
    say(f"mean loss {run.mean_loss:.6g}, regret {run.regret:.6g} to {run.best}")
    say_proof(certificates, most=1, every=False, hint="--json shows them")
