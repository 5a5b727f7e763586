"""The quantities that theorems bound, over time beside their bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from littlestone.report.chart import LONGEST, Chart, Line, Role, as_array
from littlestone.report.sections import number
from littlestone.state import Weights
from littlestone.theory import Comparison, LinearEvidence
from littlestone.theory.certificate import Verdict

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.ledger import Ledger
    from littlestone.report.study import Study
    from littlestone.theory.evidence import LinearGuarantee
    from littlestone.theory.multiclass import MulticlassGuarantee

Drawn: TypeAlias = "LinearGuarantee | MulticlassGuarantee"

_DRAWN = 3
_TOTALS = {
    "updates": "updates",
    "mistakes": "mistakes",
    "expected mistakes": "expected_mistakes",
    "loss": "loss",
    "squared loss": "loss_squared",
    "tolerated loss": "tolerated_loss",
}


def bound_charts(found: Study) -> list[Chart]:
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
