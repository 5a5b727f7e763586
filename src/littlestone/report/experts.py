"""The section of an expert run: regret against its bound, weights over time, losses, proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.experts.mixture import Mixture
from littlestone.experts.run import ExpertRun
from littlestone.report.chart import COLOURS, Chart, Line, Role, as_array
from littlestone.report.sections import Bars, Fact, Section, number
from littlestone.theory.certificate import Verdict
from littlestone.theory.expert_evidence import ExpertEvidence
from littlestone.theory.experts import GUARANTEES

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.ledger import ExpertLedger
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.expert_evidence import ExpertGuarantee

_MOMENTS = 200
_ROWS = 30
_BOUNDS = 2
# A bound farther away than this many times the largest regret would flatten the curves.
_NEAR = 4.0


@final
@dataclass(frozen=True, eq=False)
class Trace:
    """A run repeated in pieces: after each, its ledger and what theorems read, and the mean weights within it."""

    ends: FloatArray
    evidence: Sequence[ExpertEvidence]
    weights: FloatArray

    @property
    def ledgers(self) -> list[ExpertLedger]:
        """The ledger after each piece."""
        return [evidence.ledger for evidence in self.evidence]


def trace(run: ExpertRun) -> Trace | None:
    """Repeats a run; None if that does not lead to the same ledger, since the mixture had learned before, or learned late."""
    count = len(run.advice)
    if count == 0 or count != run.ledger.rounds or run.delay:
        return None
    mixture = Mixture(run.rule, experts=run.ledger.experts, loss=run.loss, gradient=run.gradient)
    ends = np.unique(np.linspace(0, count, min(count, _MOMENTS) + 1).astype(int))
    evidence: list[ExpertEvidence] = []
    weights: list[FloatArray] = []
    for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        outcomes = None if run.outcomes is None else run.outcomes[begin:end]
        part = mixture.learn_many(run.advice[begin:end], outcomes, keep=("weights",))
        evidence.append(ExpertEvidence(run.rule, part.ledger, part.state, run.loss, run.gradient, None))
        weights.append(np.nanmean(np.asarray(part.weights, dtype=np.float64), axis=0))
    return Trace(as_array(ends[1:].tolist()), evidence, np.array(weights))


def expert_section(of: ExpertRun | Mixture, certificates: Sequence[Certificate], *, title: str, lead: str = "") -> Section:
    """The section of an expert run, or of a mixture alone, which has no curves."""
    ledger = of.ledger
    found = trace(of) if isinstance(of, ExpertRun) else None
    notes = () if found is not None else ("There are no curves: only the totals of the run are known, not its rounds.",)
    unit = f"{of.loss.name} loss"
    return Section(
        title=title,
        lead=lead or f"{of.rule!r} over {ledger.rounds:,} rounds and {len(ledger.experts):,} experts.",
        facts=expert_facts(ledger, unit),
        charts=() if found is None else (_regret_chart(found, certificates, unit), _weight_chart(found)),
        tables=(_losses(of),),
        certificates=tuple(certificates),
        notes=notes,
    )


def expert_facts(ledger: ExpertLedger, unit: str) -> tuple[Fact, ...]:
    """The totals, and how far from the best expert."""
    rounds = max(ledger.rounds, 1)
    return (
        Fact("rounds", f"{ledger.rounds:,}", f"{len(ledger.experts):,} experts"),
        Fact(f"mean {unit}", number(ledger.mean_loss), f"{number(ledger.loss)} in all"),
        Fact("regret", number(ledger.regret), f"to {ledger.best}"),
        Fact("regret a round", number(ledger.regret / rounds), "better than every expert" if ledger.regret < 0.0 else ""),
    )


def _coloured(found: Trace) -> tuple[list[int], list[int]]:
    """The experts that get a colour, the same in every chart, the heaviest first; and the others."""
    order = [int(k) for k in np.argsort(-np.nanmean(found.weights, axis=0), kind="stable")]
    most = COLOURS if len(order) <= COLOURS else COLOURS - 1
    return order[:most], order[most:]


def _regret_chart(found: Trace, certificates: Sequence[Certificate], unit: str) -> Chart:
    regrets = np.array([ledger.regrets for ledger in found.ledgers])
    last = found.ledgers[-1]
    worst = as_array([ledger.regret for ledger in found.ledgers])
    shown, rest = _coloured(found)
    lines = [Line(f"to {last.experts[k]}", found.ends, regrets[:, k], Role.ONE_OF_MANY, c) for c, k in enumerate(shown)]
    lines += [Line("to the best so far", found.ends, worst, Role.MEASURED)]
    lines += _bound_lines(found, certificates, _NEAR * float(np.max(np.abs(regrets[:, shown]))))
    others = f" {len(rest)} more experts are not drawn." if rest else ""
    return Chart(
        name="regret",
        title="Regret over time",
        words=f"The loss of the mixture minus that of each expert. After {last.rounds:,} rounds the largest regret is "
        f"{number(last.regret)}, to {last.best}.{others}",
        x_label="rounds",
        y_label=f"regret ({unit})",
        lines=tuple(lines),
        zero=True,
    )


def _bound_lines(found: Trace, certificates: Sequence[Certificate], most: float) -> list[Line]:
    """The bounds on the regret, where they are near enough to be seen beside it."""
    by_id: dict[str, ExpertGuarantee] = {guarantee.id: guarantee for guarantee in GUARANTEES}
    held = [c for c in certificates if c.verdict is Verdict.HOLDS and c.quantity == "regret" and c.id in by_id]
    lines = []
    for certificate in [c for c in held if c.bound <= most][:_BOUNDS]:
        values = as_array([by_id[certificate.id].certify(evidence).bound for evidence in found.evidence])
        lines.append(Line(f"bound {certificate.id}", found.ends, values, Role.GUIDE))
    return lines


def _weight_chart(found: Trace) -> Chart:
    names = found.ledgers[-1].experts
    shown, rest = _coloured(found)
    stack = [Line(names[k], found.ends, found.weights[:, k], Role.ONE_OF_MANY, c) for c, k in enumerate(shown)]
    if rest:
        stack.append(Line(f"{len(rest)} others", found.ends, found.weights[:, rest].sum(axis=1), Role.GUIDE))
    heaviest = names[int(np.argmax(found.weights[-1]))]
    return Chart(
        name="weights",
        title="Weights over time",
        words=f"The share of each expert in the mixture, stacked. At the end the heaviest is {heaviest} with "
        f"{np.max(found.weights[-1]):.1%}.",
        x_label="rounds",
        y_label="share of the mixture",
        stack=tuple(stack),
        percent=True,
    )


def _losses(of: ExpertRun | Mixture) -> Bars:
    """The mean losses over the rounds in which each was awake, the mixture among them."""
    ledger = of.ledger
    awake = np.maximum(ledger.rounds - ledger.asleep, 1.0)
    rows = [(f"mixture ({type(of.rule).__name__})", ledger.mean_loss)]
    rows += [(name, float(mean)) for name, mean in zip(ledger.experts, ledger.losses / awake, strict=True)]
    ordered = sorted(rows, key=lambda row: row[1])
    note = "" if ledger.everybody_awake else "an expert is judged over the rounds in which it was awake"
    if len(ordered) > _ROWS:
        note = f"the best {_ROWS} of {len(ordered)}" + (f"; {note}" if note else "")
    return Bars("Mean losses", ("forecaster", f"mean {of.loss.name} loss"), tuple(ordered[:_ROWS]), note)
