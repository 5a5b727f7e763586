"""The section of a linear run: learning curve, quantities against their bounds, largest weights, proof."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.errors import NotApplicable
from littlestone.pool.state import PoolState
from littlestone.report.chart import LONGEST, Band, Chart, Line, Role, as_array
from littlestone.report.confusion import Confusion
from littlestone.report.curves import Rerun
from littlestone.report.pool import pool_charts
from littlestone.report.reliability import reliability_charts
from littlestone.report.sections import Bars, Fact, Section, number
from littlestone.report.study import ComparedWeights, Study
from littlestone.run import Run
from littlestone.state import Weights
from littlestone.streams.intervals import Intervals
from littlestone.theory import Comparison, LinearEvidence, theory
from littlestone.theory.certificate import Verdict
from littlestone.theory.risk import anytime_bound

if TYPE_CHECKING:
    from littlestone.arrays import BoolArray, FloatArray
    from littlestone.learner import Learner
    from littlestone.ledger import Ledger
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.evidence import LinearGuarantee
    from littlestone.theory.multiclass import MulticlassGuarantee
    from littlestone.theory.proofs import Against

Drawn: TypeAlias = "LinearGuarantee | MulticlassGuarantee"

DELTA = 0.05
_TOP = 20
_DRAWN = 3
_TOTALS = {
    "updates": "updates",
    "mistakes": "mistakes",
    "expected mistakes": "expected_mistakes",
    "loss": "loss",
    "squared loss": "loss_squared",
    "tolerated loss": "tolerated_loss",
}


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
    charts = [_learning_curve(found.curve, labels=labels, iid=found.iid)] if len(found.curve) > 1 else []
    charts += _bound_charts(found) + pool_charts(found) + reliability_charts(learner.ledger)
    weights = _largest(learner)
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


@final
@dataclass(frozen=True)
class Measure:
    """What a run is judged by: wrong labels shown, distances to targets, or losses."""

    words: str
    percent: bool
    total: Callable[[Ledger], float]
    squares: Callable[[Ledger], float]

    @staticmethod
    def of(ledger: Ledger, *, labels: bool) -> Measure:
        """The measure of a run that has come so far."""
        if labels:
            return Measure("error", True, attrgetter("shown_errors"), attrgetter("shown_errors"))
        if ledger.targets:
            return Measure("absolute error", False, attrgetter("absolute_error"), attrgetter("squared_error"))
        return Measure("loss", False, attrgetter("loss"), attrgetter("loss_squared"))

    def shown(self, value: float) -> str:
        """A mean for people."""
        return f"{value:.2%}" if self.percent else number(float(value))


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


def _learning_curve(curve: Sequence[Ledger], *, labels: bool, iid: bool) -> Chart:
    # The first rounds of a long run say nothing and would take up a quarter of the axis.
    curve = [ledger for ledger in curve if curve[-1].rounds < 1000 or ledger.rounds >= 10]
    measure = Measure.of(curve[-1], labels=labels)
    rounds = as_array([ledger.rounds for ledger in curve])
    mean = as_array([measure.total(ledger) for ledger in curve]) / rounds
    bands = _bands(curve, measure, iid=iid)
    told = [f"; the band is from {measure.shown(band.low[-1])} to {measure.shown(band.high[-1])}" for band in bands]
    if bands and bands[0].x[-1] < rounds[-1]:
        told.append(" after the first pass, and there is none when rows are not new")
    return Chart(
        name="learning-curve",
        title="Learning curve",
        words=f"The progressive {measure.words}, each round judged before it was learned, ends at {measure.shown(mean[-1])} "
        f"after {int(rounds[-1]):,} rounds{''.join(told)}.",
        x_label="rounds",
        y_label=f"progressive {measure.words}",
        lines=(
            Line(f"{measure.words} so far", rounds, mean, Role.MEASURED, 0),
            Line(f"{measure.words} lately", rounds, _lately(rounds, mean * rounds), Role.ONE_OF_MANY, 1),
            *_baselines(curve, rounds),
        ),
        bands=bands,
        log_x=True,
        percent=measure.percent,
    )


def _baselines(curve: Sequence[Ledger], rounds: FloatArray) -> list[Line]:
    """Those who learn nothing."""
    names = curve[-1].baselines
    values = {name: as_array([ledger.baselines.get(name, math.nan) for ledger in curve]) for name in names}
    return [Line(name, rounds, values[name], Role.GUIDE, dash) for dash, name in enumerate(names, start=2)]


def _bands(curve: Sequence[Ledger], measure: Measure, *, iid: bool) -> tuple[Band, ...]:
    """The band over the first pass; from the second on the rows are not new, and there is none."""
    fresh = [ledger for ledger in curve if ledger.passes == 1]
    if not fresh:
        return ()
    low, high = _sure_band(fresh, measure) if measure.percent else _normal_band(fresh, measure)
    declared = "rows declared i.i.d." if iid else "if the rows are i.i.d."
    words = f"95 % at all times at once, {declared}" if measure.percent else f"about 95 %, {declared}"
    return (Band(words, as_array([ledger.rounds for ledger in fresh]), low, high, 0),)


def _lately(rounds: FloatArray, totals: FloatArray) -> FloatArray:
    """The mean over the rounds since there were half as many."""
    before = np.interp(rounds / 2.0, rounds, totals, left=0.0)
    since = np.where(rounds / 2.0 < rounds[0], 0.0, rounds / 2.0)
    recent: FloatArray = (totals - np.where(since == 0.0, 0.0, before)) / (rounds - since)
    return recent


def _sure_band(curve: Sequence[Ledger], measure: Measure) -> tuple[FloatArray, FloatArray]:
    """Both ends of a confidence sequence, each with half of δ; the lower end is the upper end of being right."""
    ends = [sure_band(int(measure.total(ledger)), ledger.rounds, DELTA) for ledger in curve]
    return as_array([low for low, _ in ends]), as_array([high for _, high in ends])


def sure_band(errors: int, rounds: int, delta: float) -> tuple[float, float]:
    """Where the rate of errors is, at all times at once, with probability 1 − δ if the rows are i.i.d."""
    return 1.0 - anytime_bound(rounds - errors, rounds, delta / 2.0), anytime_bound(errors, rounds, delta / 2.0)


def _normal_band(curve: Sequence[Ledger], measure: Measure) -> tuple[FloatArray, FloatArray]:
    """Mean ± 1.96 standard errors: losses without a known range have no band that is sure."""
    ends = [normal_band(measure.total(ledger), measure.squares(ledger), ledger.rounds) for ledger in curve]
    return as_array([low for low, _ in ends]), as_array([high for _, high in ends])


def normal_band(total: float, squares: float, rounds: int) -> tuple[float, float]:
    """Where a mean is, about 19 times of 20."""
    mean = total / rounds
    wide = 1.96 * math.sqrt(max(squares / rounds - mean * mean, 0.0) / rounds)
    return max(mean - wide, 0.0), mean + wide


def _bound_charts(found: Study) -> list[Chart]:
    """For each quantity that is bounded, the quantity and its tightest bounds over time."""
    if len(found.curve) < 2:
        return []
    # A rule that updates on mistakes alone has one curve for both.
    alike = all(ledger.updates == ledger.mistakes for ledger in found.curve)
    speaking = found.learner.rule.proofs().weighed(found.learner.rule)
    groups: dict[str, list[Drawn]] = {}
    for certificate in found.certificates:
        guarantee = speaking.get(certificate.id)
        known = certificate.verdict in (Verdict.HOLDS, Verdict.VACUOUS, Verdict.VIOLATED)
        if guarantee is not None and known and certificate.quantity in _TOTALS:
            groups.setdefault("mistakes" if alike and certificate.quantity == "updates" else certificate.quantity, []).append(
                guarantee
            )
    charts = [_bound_chart(found, quantity, guarantees) for quantity, guarantees in groups.items()]
    return [chart for chart in charts if chart is not None][:2]


def _bound_chart(found: Study, quantity: str, guarantees: Sequence[Drawn]) -> Chart | None:
    rounds = as_array([ledger.rounds for ledger in found.curve])
    measured = as_array([float(getattr(ledger, _TOTALS[quantity])) for ledger in found.curve])
    formulas = {guarantee.id: guarantee.formula for guarantee in guarantees}
    drawn = _distinct({guarantee.id: _bounds(found, guarantee) for guarantee in guarantees})
    if not drawn:
        return None
    lines = [Line(quantity, rounds, _positive(measured), Role.MEASURED, 0)]
    for k, (key, values) in enumerate(drawn.items()):
        told = f"{key}: ≤ {formulas[key]}"
        name = told if len(told) <= LONGEST else f"the bound of {key}"  # a formula is shown whole or not at all
        lines.append(Line(name, rounds, _positive(values), Role.BOUND, k + 1))
    if quantity in ("updates", "mistakes", "expected mistakes"):
        lines.append(Line("every round", rounds, rounds, Role.GUIDE, 2))
    tightest = min(drawn, key=lambda key: float(drawn[key][-1]))
    return Chart(
        name=f"bounds-{quantity.replace(' ', '-')}",
        title=f"{quantity.capitalize()} against the bounds",
        words=f"After {int(rounds[-1]):,} rounds: {quantity} {number(float(measured[-1]))}; the lowest bound, {tightest}, is "
        f"{number(float(drawn[tightest][-1]))}. Both axes are logarithmic.",
        x_label="rounds",
        y_label=quantity,
        lines=tuple(lines),
        log_x=True,
        log_y=True,
    )


def _distinct(curves: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """The lowest at the end, without those that would be hard to tell from another."""
    drawn: dict[str, FloatArray] = {}
    for key, values in sorted(curves.items(), key=lambda item: float(item[1][-1])):
        if not np.isfinite(values[-1]) or values[-1] <= 0.0 or len(drawn) == _DRAWN:
            continue
        if not any(np.allclose(values, other, rtol=0.05, equal_nan=True) for other in drawn.values()):
            drawn[key] = values
    return drawn


def _positive(values: FloatArray) -> FloatArray:
    """A logarithmic axis has no place for 0."""
    return np.where(values > 0.0, values, np.nan)


def _bounds(found: Study, guarantee: Drawn) -> FloatArray:
    """The right-hand side at every moment of the curve; nan where it says nothing."""
    comparator = found.comparators.get(guarantee.id)
    u = None if comparator is None else _lean(found, comparator.u)
    values = []
    for k, ledger in enumerate(found.curve):
        against = Comparison(u, comparator.ledgers[k]) if u is not None and comparator is not None else None
        values.append(_bound(found, guarantee, ledger, against))
    return as_array(values)


def _lean(found: Study, u: FloatArray) -> FloatArray:
    """As one vector, without zeros where only lengths count: a comparator over hashed features is all but empty."""
    plain = isinstance(found.learner.state, Weights) and getattr(found.learner.rule, "start", None) is None
    return np.compress(u.ravel() != 0.0, u) if plain or u.ndim == 2 else u


def _bound(found: Study, guarantee: Drawn, ledger: Ledger, against: Comparison | None) -> float:
    # The weights at that moment are not known any more; bounds that read them have no curve.
    evidence = LinearEvidence(found.learner.rule, ledger, against, None, found.learner.state)
    try:
        return guarantee.certify(evidence).bound
    except (ArithmeticError, ValueError):  # too early in the stream for a number
        return math.nan


def _largest(learner: Learner) -> Bars | None:
    """The largest weights by name; none for rules whose weights are not over features."""
    rows = top_weights(learner, _TOP)
    if not rows:
        return None
    note = _of_how_many(learner, len(rows))
    scheme = learner.snapshot().space[2]
    if scheme is not None and scheme.kind == "hash":
        note += f"; features {scheme.words}, which keeps no names"
    labels = learner.labels
    if learner.rule.abilities.labels and None not in labels:
        note += f"; positive weights speak for {_plain(labels[1])}, negative ones for {_plain(labels[0])}"
    return Bars("Largest weights", ("feature", "weight"), tuple(rows), note)


def _of_how_many(learner: Learner, shown: int) -> str:
    if isinstance(learner.state, PoolState):
        return f"{shown} of {learner.width:,} features: what a value as large as usual adds to the log-odds, by all members"
    return f"{shown} of {int(np.count_nonzero(learner.state.w)):,} weights that are not 0"


def _heaviness(state: PoolState) -> FloatArray:
    """Of every feature, a row per class where there are many."""
    if not isinstance(state.core, _core.Pool):
        return np.zeros(0)
    rows = [state.core.heaviness(number) for number in range(state.core.classes)]
    return rows[0] if len(rows) == 1 else np.stack(rows)


def top_weights(learner: Learner, most: int) -> list[tuple[str, float]]:
    """The largest weights by magnitude with their features, and with a row of weights per class, the class before them."""
    if learner.rule.abilities.alone:
        return []
    state = learner.state
    try:
        w = _heaviness(state) if isinstance(state, PoolState) else state.w
    except NotApplicable:
        return []
    if w.size == 0:
        return []
    names, labels, width = learner.shown_features, learner.labels, w.shape[-1]
    top = [(k // width, k % width, float(w.ravel()[k])) for k in largest(w.ravel(), most)]
    if w.ndim == 1:
        return [(str(names[feature]), weight) for _, feature, weight in top]
    return [(f"{_plain(labels[row])}: {names[feature]}", weight) for row, feature, weight in top]


def counts_mistakes(learner: Learner) -> bool:
    """Whether rounds are right or wrong: the outcomes are labels of two or of many classes."""
    can = learner.rule.abilities
    return can.classes or (can.labels and math.isfinite(learner.ledger.smallest_margin))


def _plain(label: object) -> str:
    return f"{label:g}" if isinstance(label, float) else str(label)


def largest(w: FloatArray, most: int) -> list[int]:
    """The places of the largest weights by magnitude, the first of equals first; none that is 0."""
    count = min(most, len(w))
    if count == 0:
        return []
    magnitude = np.abs(w)
    some = np.flatnonzero(magnitude >= np.partition(magnitude, len(w) - count)[len(w) - count])
    order = some[np.argsort(-magnitude[some], kind="stable")][:count]
    return [int(k) for k in order if w[k] != 0.0]
