"""What a certificate says, in one sentence without a symbol."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from littlestone.theory.certificate import Verdict, whole

if TYPE_CHECKING:
    from littlestone.theory.certificate import Certificate

_SYMBOLS = set("≤≥<>=·√Σ‖²₁₂ηρτδεγβαλμσκψφ∞∈ε*+−/|^()[]{}½⅓¼θπω′_")
_WHOLE = {"updates", "mistakes", "moves of the centre"}
"""What is measured by counting."""
_MANY = _WHOLE | {"expected mistakes"}
_LEAST = 1e-6
_ELSE = "playing otherwise, as a part of the range of payoffs"
# What is measured, for whoever does not know the field; what is behind a comma comes after where it was measured.
_WORDS = {
    "loss": "sum of the losses",
    "tolerated loss": "sum of the losses beyond the tolerance",
    "log loss": "sum of the log losses",
    "square loss": "sum of the squared errors",
    "squared error": "sum of the squared errors",
    "squared error over 1 + v": "sum of the squared errors, each made less by how unsure its forecast was",
    "squared loss": "sum of the squared losses",
    "squared loss over squared length": "sum of the squared losses, each over the squared length of its row",
    "squared loss + 2(ε−ε*)·loss": "sum of the squared losses, and of the losses beyond what the comparator spares",
    "squared loss and slack": "sum of the squared losses, and of the losses beyond what the comparator spares",
    "distance from the start": "distance of the weights from their start",
    "distance of the share of misses from α": "distance of the share of misses from the share asked for",
    "half the rounds": "number of rounds over two",
    "regret": "loss beyond that of the best choice in hindsight",
    "regret to the sequence": "loss beyond that of the sequence of experts",
    "internal regret": "most that one expert in the place of another would have saved",
    "swap regret": "most that another expert in the place of each would have saved",
    "gap in payoff ranges": f"most that both players together could gain by {_ELSE}",
    "gain by deviating, in payoff ranges": f"most that a player could gain by {_ELSE}",
    "probability that the true error rate exceeds ε": "chance that the true error rate is above the one asked for",
    "mean true risk": "mean risk of the models used so far",
    "true risk of the average": "risk of the average of the models",
    "true excess risk of the average": "risk of the average of the models beyond that of the best one",
    "true risk of the choice": "risk of the model that was chosen",
    "true error rate of the choice": "error rate of the model that was chosen",
    "true error rate of the survivor": "error rate of the model that survived",
    "true error rate of the vote": "error rate of the vote of the models",
    "expected true error rate at a random stop": "expected error rate of a model stopped at random",
}


def plain(certificate: Certificate) -> str:
    """One sentence: what was measured, what is proved of it, and how much that is worth.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.Perceptron(), [[1.0, 0.5], [1.0, -0.5]] * 50, [+1, -1] * 50)
        >>> run.certify(against=[0.0, 2.0])[0].plain
        'It is proved that the mistakes on these rows are at most 5; the run had 2.'
    """
    what, _, aside = _named(certificate.quantity).partition(", ")
    if certificate.verdict is Verdict.UNPROVED:
        return f"Nothing is proved of the {what} here: {_missing(certificate)}."
    most = "a millionth" if 0.0 < certificate.bound < _LEAST else spelled(_rounded(certificate.bound, what))
    if certificate.verdict is Verdict.VIOLATED:
        return f"Something is wrong: the {what} should be at most {most}, and the run does not fit that; please report it."
    if certificate.id == "paired.majority":
        return _paired(certificate)
    aside = f", {aside}," if aside else ""
    if math.isnan(certificate.measured):
        of_rows = ("", "") if "chance" in what else (" on rows to come", _but_for(certificate.quantity))
        proved = f"It is proved that the {what}{of_rows[0]} is at most {most}{of_rows[1]}"
        return f"{proved}, which is no better than no learning." if certificate.verdict is Verdict.VACUOUS else f"{proved}."
    where = "in this game" if "payoff" in aside else "on these rows"
    are = "are" if what in _MANY else "is"
    proved = f"It is proved that the {what} {where}{aside} {are} at most {most}; the run had {spelled(certificate.measured)}"
    if certificate.verdict is Verdict.VACUOUS:
        return f"{proved}, but whoever learns nothing could promise as much."
    return f"{proved}."


def _rounded(bound: float, what: str) -> float:
    """A count that is at most 12.2 is at most 12, and one that is at most 12 but for a rounding is at most 12."""
    return whole(bound) if what in _WHOLE else bound


def spelled(value: float) -> str:
    """A number as one reads it out: whole ones whole, others with three digits."""
    if math.isinf(value):
        return "any number"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}" if value >= 0 else f"minus {int(-value):,}"
    if abs(value) < _LEAST:
        return "less than a millionth"
    if abs(value) >= 1e15:
        return "more than a million million" if value > 0 else "less than minus a million million"
    text = f"{abs(value):,.0f}" if abs(value) >= 1000 else f"{abs(value):.3g}" if abs(value) >= 1e-3 else f"{abs(value):.6f}"
    return text if value >= 0 else f"minus {text}"


def _named(quantity: str) -> str:
    head = quantity.split(" (δ")[0]
    if head.startswith("weighted "):
        return f"{_named(head.removeprefix('weighted '))}, weighted by the shares of the partitions"
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
