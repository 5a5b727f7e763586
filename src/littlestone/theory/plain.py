"""What a certificate says, in one sentence without a symbol."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from littlestone.theory.certificate import Verdict

if TYPE_CHECKING:
    from littlestone.theory.certificate import Certificate

_SYMBOLS = set("≤≥<>=·√Σ‖²₁₂ηρτδεγβαλμσκψφ∞∈ε*+−/|^()[]{}½⅓¼θπω′_")
_COUNTED = {"mistakes", "updates", "moves"}
"""What is measured by counting, and is many."""
# What is measured, where its name is a formula.
_WORDS = {
    "squared loss + 2(ε−ε*)·loss": "sum of the squared losses, and of the losses beyond what the comparator spares",
    "squared loss and slack": "sum of the squared losses, and of the losses beyond what the comparator spares",
    "probability that the true error rate exceeds ε": "chance that the true error rate is above the one asked for",
}


def plain(certificate: Certificate) -> str:
    """One sentence: what was measured, what is proved of it, and how much that is worth.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.Perceptron(), [[1.0, 0.5], [1.0, -0.5]] * 50, [+1, -1] * 50)
        >>> run.certify(against=[0.0, 2.0])[0].plain
        'It is proved that the mistakes on these rows are at most 5; the run had 2.'
    """
    what = _named(certificate.quantity)
    if certificate.verdict is Verdict.UNPROVED:
        return f"Nothing is proved of the {what} here: {_missing(certificate)}."
    most = spelled(certificate.bound)
    if certificate.verdict is Verdict.VIOLATED:
        return f"Something is wrong: the {what} should be at most {most}, and the run does not fit that; please report it."
    if certificate.id == "paired.majority":
        return _paired(certificate)
    if math.isnan(certificate.measured):
        proved = f"It is proved that the {what} is at most {most}{_but_for(certificate.quantity)}"
        return f"{proved}, which is no better than no learning." if certificate.verdict is Verdict.VACUOUS else f"{proved}."
    where = "in this game" if "payoff" in what else "on these rows"
    are = "are" if _COUNTED & set(what.split()) else "is"
    proved = f"It is proved that the {what} {where} {are} at most {most}; the run had {spelled(certificate.measured)}"
    if certificate.verdict is Verdict.VACUOUS:
        return f"{proved}, but whoever learns nothing could promise as much."
    return f"{proved}."


def spelled(value: float) -> str:
    """A number as one reads it out: whole ones whole, others with three digits."""
    if math.isinf(value):
        return "any number"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}" if value >= 0 else f"minus {int(-value):,}"
    text = f"{abs(value):,.0f}" if abs(value) >= 1000 else f"{abs(value):.3g}"
    if "e" in text:
        digits, power = text.split("e")
        text = f"{digits} times ten to the power of {'minus ' if int(power) < 0 else ''}{abs(int(power))}"
    return text if value >= 0 else f"minus {text}"


def _named(quantity: str) -> str:
    head = quantity.split(" (δ")[0]
    words = _WORDS.get(head, head)
    return "quantity that the theorem bounds" if set(words) & _SYMBOLS else words


def _but_for(quantity: str) -> str:
    """The chance with which a statement may fail."""
    if "δ = " not in quantity:
        return ""
    return f", but for a chance of {float(quantity.split('δ = ')[1].rstrip(')')) * 100:g} in a hundred"


def _paired(certificate: Certificate) -> str:
    chance = _but_for(certificate.quantity)
    if certificate.verdict is Verdict.HOLDS:
        share = spelled(-certificate.bound * 100.0)
        better = "It is proved better than always saying the commonest label"
        return f"{better}, by at least {share} wrong answers in a hundred{chance}."
    return "It is not proved better than always saying the commonest label, so far."


def _missing(certificate: Certificate) -> str:
    """The first condition that is not met, where it can be said in words."""
    unmet = [check for check in certificate.assumptions if not check.met]
    words = next((check.words for check in unmet if not set(check.words) & _SYMBOLS), None)
    if words is None:
        return "a condition of the theorem is not met, or cannot be checked on what is there"
    known = next(check.met for check in unmet if check.words == words)
    words = words.replace('"', "'")
    return f"it would have to be known that {words}" if known is None else f"it is not true that {words}"
