"""The section of a linear run: learning curve, quantities against their bounds, largest weights, proof."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from littlestone.report.bounds import bound_charts
from littlestone.report.confusion import Confusion
from littlestone.report.curves import Rerun
from littlestone.report.learning_curve import Measure, learning_curve
from littlestone.report.pool import pool_charts
from littlestone.report.reliability import reliability_charts
from littlestone.report.sections import Fact, Section, number
from littlestone.report.study import ComparedWeights, Study
from littlestone.report.weights import weight_bars
from littlestone.run import Run
from littlestone.streams.intervals import Intervals
from littlestone.theory import Comparison, LinearEvidence, theory

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.learner import Learner
    from littlestone.ledger import Ledger
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.proofs import Against


def study(of: Run | Learner, against: Against) -> Study:
    """What can be said of a run, or of a learner alone, which has no curve."""
    from littlestone.theory import certify

    if not isinstance(of, Run):
        return Study(of, (), certify(of, against=against))
    replay = Rerun(of)
    curve = replay.rule() or ()
    confusion = _confusion(of, replay.shown) if curve and counts_mistakes(of.learner) else None
    # Weights that are no vector over the features, or rounds that count differently: no comparator has a curve.
    if not of.rule.proofs().weighed(of.rule) or not of.ledger.unit_weights:
        certificates = certify(of, against=against)
        return Study(of.learner, curve, certificates, confusion=confusion, accounts=replay.accounts)
    certificates, vectors = _certified(of, against)
    if not curve:
        return Study(of.learner, curve, certificates)
    runs: dict[int, ComparedWeights] = {id(u): ComparedWeights(u, replay.fixed(u)) for u in vectors.values()}
    return Study(of.learner, curve, certificates, {key: runs[id(u)] for key, u in vectors.items()}, confusion=confusion)


def _confusion(run: Run, shown: FloatArray | BoolArray | None) -> Confusion | None:
    """What a run showed for what in its first pass."""
    if shown is None or isinstance(run.y, Intervals):
        return None
    counts = Confusion()
    counts.note(run.learner.label_values(shown).tolist(), np.asarray(run.y, dtype=object).tolist())
    return counts


def _certified(run: Run, against: Against) -> tuple[list[Certificate], dict[str, FloatArray]]:
    """The certificates, and the vector that each of them compares with."""
    from littlestone.theory import certify
    from littlestone.theory.certification import found_in, ranked, refuted, unmet
    from littlestone.theory.comparators import Trials
    from littlestone.theory.linear_proofs import Bench

    if isinstance(against, str) and (not run.rule.proofs().weighed(run.rule) or unmet(run.ledger)):
        return certify(run, against=against), {}
    if isinstance(against, str):
        bench = Bench(LinearEvidence(run.rule, run.ledger, None, run.state.w, run.state), Trials.of_run(run), {})
        guarantees = theory.about(run.rule)
        certificates = bench.certificates(guarantees)
        found = {guarantee.id: bench.against(guarantee) for guarantee in guarantees}
        return ranked(refuted(certificates, found_in(run))), {key: u for key, u in found.items() if u is not None}
    certificates = certify(run, against=against)
    if against is None:
        return certificates, {}
    u = against.u if isinstance(against, Comparison) else _vector(against)
    if run.rule.abilities.classes:
        u = u.reshape(len(run.learner.labels), -1)
    return certificates, {certificate.id: u for certificate in certificates}


def _vector(against: object) -> FloatArray:
    weights = against.rule.parameters()["weights"] if isinstance(against, Run) else against
    return np.asarray(weights, dtype=np.float64)


def linear_section(found: Study, *, title: str, lead: str = "") -> Section:
    """The section of a study."""
    learner = found.learner
    labels = counts_mistakes(learner)
    charts = [learning_curve(found.curve, labels=labels, iid=found.iid)] if len(found.curve) > 1 else []
    charts += bound_charts(found) + pool_charts(found) + reliability_charts(learner.ledger)
    weights = weight_bars(learner)
    counts = found.confusion.matrix() if found.confusion is not None and found.confusion.counts else None
    notes = () if found.curve else ("There are no curves: only the totals of the run are known, not its rounds.",)
    return Section(
        title=title,
        lead=lead or f"{learner.rule!r} over {learner.ledger.rounds:,} rounds.",
        facts=ledger_facts(_last(found), labels=labels),
        charts=tuple(charts),
        tables=tuple(table for table in (counts, weights) if table is not None),
        certificates=tuple(found.certificates),
        notes=notes,
    )


def _last(found: Study) -> Ledger:
    """The ledger at the end; that of the curve has what was counted beside it."""
    ledger = found.learner.ledger
    return found.curve[-1] if found.curve and found.curve[-1].rounds == ledger.rounds else ledger


def ledger_facts(ledger: Ledger, *, labels: bool) -> tuple[Fact, ...]:
    """The totals, beside those of whoever learns nothing."""
    facts = [Fact("rounds", f"{ledger.rounds:,}")]
    measure = Measure.of(ledger, labels=labels)
    beside = ", ".join(f"{name} {measure.shown(value)}" for name, value in ledger.baselines.items())
    if labels:
        facts.append(Fact("error", f"{ledger.error_rate:.2%}", beside))
        facts.append(Fact("mistakes", f"{ledger.mistakes:,}", f"{ledger.mistake_rate:.2%}; of the theory: a tie is one"))
    facts += _measures(ledger)
    if ledger.targets:
        facts.append(Fact("MAE", number(ledger.mae), beside))
        facts.append(Fact("RMSE", number(ledger.rmse), f"R² {number(ledger.r_squared)}"))
    else:
        facts.append(Fact("mean loss", number(ledger.mean_loss), f"{number(ledger.loss)} in all"))
    facts.append(Fact("updates", f"{ledger.updates:,}", f"{ledger.updates / max(ledger.rounds, 1):.2%} of the rounds"))
    return tuple(facts)


def _measures(ledger: Ledger) -> list[Fact]:
    """What says more than the error rate where labels are unbalanced, or probabilities were given."""
    facts = []
    if ledger.forecasts:
        brier = f"per round with a probability; Brier score {number(ledger.brier / ledger.forecasts)}"
        facts.append(Fact("log loss", number(ledger.log_loss / ledger.forecasts), brier))
    if not math.isnan(ledger.balanced_error):
        wrong = f"{ledger.missed:,} missed, {ledger.false_alarms:,} false alarms"
        facts.append(Fact("balanced error", f"{ledger.balanced_error:.2%}", wrong))
        facts.append(Fact("F1", number(ledger.f1), "of the positive label"))
        facts.append(Fact("AUC", number(ledger.auc), f"over {ledger.pairs:,} pairs of neighbours in time"))
    return facts


def counts_mistakes(learner: Learner) -> bool:
    """Whether rounds are right or wrong: the outcomes are labels of two or of many classes."""
    can = learner.rule.abilities
    return can.classes or (can.labels and math.isfinite(learner.ledger.smallest_margin))
