"""What a notebook shows of each kind of thing: a card, by its class."""

from __future__ import annotations

import math
from functools import singledispatch
from typing import TYPE_CHECKING

import numpy as np

from littlestone.conformal.conformal import Conformal
from littlestone.conformal.ledger import ConformalLedger
from littlestone.conformal.run import ConformalRun
from littlestone.delayed import AskedModel, Delayed
from littlestone.epochs import Epochs
from littlestone.experts.distributions import DistributionRun
from littlestone.experts.interleaved import InterleavedRun
from littlestone.experts.ledger import ExpertLedger
from littlestone.experts.mixture import Mixture
from littlestone.experts.portfolio import PortfolioRun
from littlestone.experts.quantiles import QuantileRun
from littlestone.experts.run import ExpertRun
from littlestone.experts.summary import table
from littlestone.games.counterfactual import CounterfactualPlay
from littlestone.games.equilibrium import Equilibrium
from littlestone.games.extensive import ExtensiveSolution
from littlestone.games.nash import Equilibria, NashEquilibrium
from littlestone.games.play import Play
from littlestone.games.solution import Solution
from littlestone.learner import Learner
from littlestone.ledger import Ledger
from littlestone.master import Master
from littlestone.paths.ledger import PathLedger
from littlestone.paths.run import PathRun
from littlestone.paths.shortest_paths import ShortestPaths
from littlestone.replay import Replay
from littlestone.report.card import MOST, Card
from littlestone.report.conformal import conformal_facts
from littlestone.report.experts import expert_facts
from littlestone.report.games import solution_facts, strategy
from littlestone.report.linear import counts_mistakes, ledger_facts
from littlestone.report.paired import WORDS, pair_facts
from littlestone.report.sections import Fact, number
from littlestone.report.shards import rate
from littlestone.run import Run
from littlestone.theory.certificate import Certificate, Certificates
from littlestone.theory.paired import PairedComparison

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray


@singledispatch
def card_of(of: object) -> Card:
    """The card of a thing; without one of its own, what it prints."""
    head, *lines = str(of).split("\n")
    return Card(type(of).__name__, lead=head, notes=tuple(line.strip() for line in lines))


@card_of.register
def _(of: Ledger) -> Card:
    return Card.of_facts("Ledger", _counted(of))


@card_of.register
def _(of: Learner) -> Card:
    return Card.of_facts(f"Learner: {of.rule!r}", (*_counted(of.ledger), *_known(of)))


@card_of.register
def _(of: Run) -> Card:
    rested = "; the last one made no update" if of.converged else ""
    kept = f"kept columns: {', '.join(of.columns)}" if of.columns else 'no columns were kept: keep=("mistake",)'
    notes = (f"passes: {of.passes}{rested}", kept)
    return Card.of_facts(f"Run: {of.rule!r}", (*_counted(of.ledger), *_known(of.learner)), notes=notes)


@card_of.register
def _(of: Master) -> Card:
    rows = [
        (repr(learner), float(weight), int(wrong))
        for learner, weight, wrong in zip(of.learners, of.weights, of.wrong_votes, strict=True)
    ]
    rows.sort(key=lambda row: -row[1])
    lines = tuple((name, number(weight), f"{wrong:,}") for name, weight, wrong in rows)
    return Card(f"Master of {len(lines)} learners", lines, ("learner", "weight", "wrong votes"), str(of.ledger))


@card_of.register
def _(of: Epochs) -> Card:
    lines = tuple(
        (f"epoch {k}", f"{ledger.rounds:,}", f"{ledger.mistakes:,}", rate(of, ledger))
        for k, ledger in enumerate(of.progress, start=1)
    )
    mixed = (f"error of the mixture after the last epoch: {number(of.errors[-1])}",) if of.errors else ()
    title = f"Epochs: {of.rule!r}, {len(of.partitions)} partitions"
    return Card(title, lines, ("all partitions", "rounds", "mistakes", "error"), notes=mixed)


@card_of.register
def _(of: ExpertLedger) -> Card:
    return Card.of_facts("ExpertLedger", expert_facts(of, "loss"))


@card_of.register
def _(of: Mixture) -> Card:
    heavy = sorted(of.weights.items(), key=lambda pair: -pair[1])[:MOST]
    weights = tuple(Fact(f"weight of {name}", number(weight)) for name, weight in heavy)
    return Card.of_facts(f"Mixture: {of.rule!r}", (*expert_facts(of.ledger, f"{of.loss.name} loss"), *weights))


@card_of.register
def _(of: ExpertRun) -> Card:
    head, *lines = table(of.standings())
    ledger = of.ledger
    told = f"{ledger.rounds:,} rounds, {of.loss.name} loss; regret {number(of.regret)} to {ledger.best}"
    return Card(f"ExpertRun: {of.rule!r}", tuple(lines), head, told)


@card_of.register
def _(of: DistributionRun) -> Card:
    facts = (
        Fact("rounds", f"{len(of.losses):,}", f"{of.distributions.shape[1]:,} outcomes"),
        Fact("loss", number(of.loss), f"of the mixture, regret {number(of.regret)}"),
    )
    return Card.of_facts(f"DistributionRun: {of.run.rule!r}", facts)


@card_of.register
def _(of: InterleavedRun) -> Card:
    facts = (
        Fact("rounds", f"{len(of.losses):,}", f"outcomes {of.delay:,} rounds late"),
        Fact("mean loss", number(of.mean_loss), f"regret {number(of.regret)}"),
    )
    return Card.of_facts(f"InterleavedRun: {len(of.copies)} copies of {of.copies[0].rule!r}", facts)


@card_of.register
def _(of: QuantileRun) -> Card:
    lines = tuple((f"{level:g}", f"{share:.2%}") for level, share in zip(of.levels, of.coverage, strict=True))
    title = f"QuantileRun: {of.runs[0].rule!r}, {len(of.experts)} experts"
    return Card(title, lines, ("level", "outcomes at or below"), f"CRPS {number(of.crps)} over {len(of.outcomes):,} rounds")


@card_of.register
def _(of: PortfolioRun) -> Card:
    name, grown = of.best_asset
    facts = (
        Fact("periods", f"{len(of.returns):,}", f"{len(of.assets)} assets"),
        Fact("1 became", number(float(of.wealth[-1]) if len(of.returns) else 1.0)),
        Fact("best asset", number(grown), name),
        Fact("traded", number(of.turnover), f"at a cost of {of.cost:g}"),
    )
    return Card.of_facts(f"PortfolioRun: {of.run.rule!r}", facts)


@card_of.register
def _(of: ConformalRun) -> Card:
    return Card.of_facts(f"ConformalRun: {of.rule!r}", conformal_facts(of))


@card_of.register
def _(of: ConformalLedger) -> Card:
    return Card("ConformalLedger", _sets(of))


@card_of.register
def _(of: Conformal) -> Card:
    asked = (("asked for", f"{of.coverage:.2%}"), ("level of the next set", number(of.level)))
    return Card(f"Conformal: {of.rule!r}", (*asked, *_sets(of.ledger)))


@card_of.register
def _(of: PathLedger) -> Card:
    return Card("PathLedger", _travelled(of))


@card_of.register
def _(of: PathRun) -> Card:
    return Card(f"PathRun: {of.rule!r}", _travelled(of.ledger))


@card_of.register
def _(of: ShortestPaths) -> Card:
    return Card(f"ShortestPaths: {of.rule!r}", _travelled(of.ledger))


@card_of.register(Delayed)
def _(of: Delayed[AskedModel]) -> Card:
    counts = of.counts
    lines = (
        ("predictions", f"{counts.predictions:,}"),
        ("labelled", f"{counts.labelled:,}"),
        ("waiting", f"{counts.waiting:,}"),
        ("given up", f"{counts.expired:,}"),
        ("labels again", f"{counts.duplicates:,}", f"{counts.contradictions:,} contradict the first"),
        ("labels of nothing known", f"{counts.unknown:,}"),
    )
    return Card("Delayed", lines, lead=repr(of.model))


@card_of.register(Replay)
def _(of: Replay[AskedModel]) -> Card:
    lines = (
        ("predictions", f"{of.predictions:,}"),
        ("labelled", f"{of.labelled:,}", f"mean loss {number(of.mean_loss)} as shown"),
        ("waiting", f"{of.waiting:,}"),
        ("given up", f"{of.expired:,}"),
        ("labels again", f"{of.duplicates:,}", f"{of.contradictions:,} contradict the first"),
        ("labels of nothing known", f"{of.unknown:,}"),
    )
    return Card("Replay", lines, lead=repr(of.model))


@card_of.register
def _(of: Certificate) -> Card:
    checks = tuple((str(check),) for check in of.assumptions)
    against = (f"Compared with {of.comparator}.",) if of.comparator else ()
    hindsight = ("In hindsight: the bound reads the run.",) if of.hindsight else ()
    title = f"{of.id}: {of.verdict.value}: {of.relation}"
    return Card(title, checks, lead=of.plain, notes=(of.statement, *against, *hindsight, of.source))


@card_of.register
def _(of: Certificates) -> Card:
    lines = tuple((one.id, one.verdict.value, one.relation) for one in of)
    return Card("Certificates", lines, ("theorem", "verdict", "inequality"), of[0].plain if of else "No theorem speaks of it.")


@card_of.register
def _(of: PairedComparison) -> Card:
    return Card.of_facts("PairedComparison", pair_facts(of), WORDS[of.better])


@card_of.register
def _(of: Solution) -> Card:
    played = (*_actions("row player", of.row), *_actions("column player", of.column))
    return Card.of_facts("Solution", (*solution_facts(of), *played), notes=(of.certificate.plain,))


@card_of.register
def _(of: ExtensiveSolution) -> Card:
    facts = (*solution_facts(of), Fact("exploitability", f"{of.exploitability:.3g}", "half the gap"))
    return Card.of_facts("ExtensiveSolution", facts, notes=(of.certificate.plain,))


@card_of.register
def _(of: Equilibrium) -> Card:
    pairs = [(int(i), int(j)) for i, j in zip(*np.nonzero(of.joint > 0.0), strict=True)]
    pairs.sort(key=lambda pair: -of.joint[pair])
    lines = tuple((f"row {i}, column {j}", number(float(of.joint[i, j]))) for i, j in pairs)
    paid = f"row earns {number(of.row_payoff)}, column {number(of.column_payoff)}; deviating gains at most {of.gap:.3g}"
    kind = {"ce": "correlated", "cce": "coarse correlated"}[of.concept]
    return Card(f"Equilibrium ({kind})", lines, ("recommended", "probability"), paid, (of.certificate.plain,))


@card_of.register
def _(of: NashEquilibrium) -> Card:
    facts = (
        *_actions("row player", of.row),
        Fact("row earns", number(of.row_payoff), f"deviating gains {of.row_gap:.2g}"),
        *_actions("column player", of.column),
        Fact("column earns", number(of.column_payoff), f"deviating gains {of.column_gap:.2g}"),
    )
    return Card.of_facts("NashEquilibrium", facts, notes=(of.certificate.plain,))


@card_of.register
def _(of: Equilibria) -> Card:
    lines = tuple(
        (f"{k}", _mixed(one.row), _mixed(one.column), number(one.row_payoff), number(one.column_payoff))
        for k, one in enumerate(of.found)
    )
    head = ("", "row", "column", "row earns", "column earns")
    return Card(f"{len(of)} equilibria by {of.method}", lines, head, notes=(of.note,) if of.note else ())


@card_of.register
def _(of: Play) -> Card:
    facts = (
        *_bracket(of),
        Fact("row player", number(of.row.regret), f"mean regret of {of.row.rule!r}"),
        Fact("column player", number(of.column.regret), f"mean regret of {of.column.rule!r}"),
    )
    return Card.of_facts("Play", facts, notes=(of.certificate.plain,))


@card_of.register
def _(of: CounterfactualPlay) -> Card:
    return Card.of_facts("CounterfactualPlay", _bracket(of))


def _counted(ledger: Ledger) -> tuple[Fact, ...]:
    labels = math.isfinite(ledger.smallest_margin) or ledger.shown_errors > 0
    return ledger_facts(ledger, labels=labels and not ledger.targets)


def _known(learner: Learner) -> tuple[Fact, ...]:
    labels = [str(label) for label in learner.labels if label is not None] if counts_mistakes(learner) else []
    named = (Fact("labels", f"{len(labels):,}", ", ".join(labels[:MOST])),) if labels else ()
    return (Fact("features", f"{learner.width:,}"), *named)


def _sets(ledger: ConformalLedger) -> tuple[tuple[str, ...], ...]:
    return (
        ("coverage", f"{ledger.coverage:.2%}", f"{ledger.misses:,} misses of {ledger.rounds:,}"),
        ("mean size", number(ledger.mean_size)),
        ("sets of everything", f"{ledger.everything:,}", "cannot miss"),
        ("empty sets", f"{ledger.nothing:,}", "cannot hit"),
    )


def _travelled(ledger: PathLedger) -> tuple[tuple[str, ...], ...]:
    way = " → ".join(str(node) for node in ledger.best)
    return (
        ("rounds", f"{ledger.rounds:,}"),
        ("loss", number(ledger.loss), f"{number(ledger.taken_loss)} on the paths that were taken"),
        ("best path", number(ledger.best_loss), way),
        ("regret", number(ledger.regret)),
    )


def _bracket(of: Play | CounterfactualPlay) -> tuple[Fact, ...]:
    where = f"in [{number(of.lower, 6)}, {number(of.upper, 6)}]"
    value = Fact("value of the game", number((of.lower + of.upper) / 2.0, 6), where)
    return value, Fact("gap", f"{of.upper - of.lower:.3g}"), Fact("rounds", f"{of.rounds:,}")


def _actions(player: str, played: FloatArray) -> tuple[Fact, ...]:
    return (Fact(player, f"{np.count_nonzero(played > 0.0):,} of {len(played):,} actions", _mixed(played)),)


def _mixed(played: FloatArray) -> str:
    """The heaviest actions of a strategy, by their number."""
    rows = strategy("", (), played).rows
    return ", ".join(f"{name}: {number(share, 3)}" for name, share in rows[:4]) + (", …" if len(rows) > 4 else "")
