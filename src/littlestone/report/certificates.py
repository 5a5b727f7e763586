"""Certificates as cards: the verdict, both sides of the inequality, the theorem, the assumptions."""

from __future__ import annotations

import math
from collections.abc import Sequence

from littlestone.report.elements import Element, el
from littlestone.report.mathematics import theorem
from littlestone.theory.certificate import Certificate, Check, Verdict

_MARKS = {Verdict.HOLDS: "✓", Verdict.VACUOUS: "○", Verdict.UNPROVED: "?", Verdict.VIOLATED: "✗"}
_LONG = 40
_MET = {True: ("✓", "met"), False: ("✗", "not met"), None: ("?", "cannot be checked")}


def proof(certificates: Sequence[Certificate]) -> Element:
    """The certificates: those that say something open, the others behind a line to click on."""
    telling = [c for c in certificates if c.verdict in (Verdict.VIOLATED, Verdict.HOLDS)]
    silent = [c for c in certificates if c not in telling]
    shown = el("div", *map(card, telling), class_="cards")
    if not telling:
        shown = el("p", "No theorem that speaks of this rule says anything of this run.", class_="note")
    if not silent:
        return el("div", shown)
    count = f"{len(silent)} more: {_counted(silent)}"
    return el("div", shown, el("details", el("summary", count), el("div", *map(card, silent), class_="cards")))


def _counted(certificates: Sequence[Certificate]) -> str:
    words = [(verdict, sum(c.verdict is verdict for c in certificates)) for verdict in (Verdict.VACUOUS, Verdict.UNPROVED)]
    return ", ".join(f"{count} {verdict.value} ({verdict.words})" for verdict, count in words if count)


def card(certificate: Certificate) -> Element:
    """One certificate."""
    verdict = certificate.verdict
    badge = el("span", f"{_MARKS[verdict]} {verdict.value}", class_=f"badge {verdict.value}", title=verdict.words)
    formula = theorem(certificate.id)
    return el(
        "article",
        el("h4", badge, " ", el("code", certificate.id)),
        el("p", certificate.plain),
        el("p", certificate.relation, class_="relation"),
        _gauge(certificate),
        None if formula is None else _theorem(formula),
        el("p", certificate.statement),
        el("ul", *map(_assumption, certificate.assumptions), class_="assumptions"),
        el("p", f"Compared with {certificate.comparator}.") if certificate.comparator else None,
        el("p", el("cite", certificate.source), class_="source"),
        class_=f"card {verdict.value}",
    )


def _theorem(formula: Element) -> Element:
    """What is wider than the card scrolls, by keyboard too; what is long is set smaller."""
    size = "theorem long" if len("".join(formula.itertext())) > _LONG else "theorem"
    return el("div", formula, class_=size, tabindex="0", role="group", aria_label="theorem")


def _gauge(certificate: Certificate) -> Element | None:
    """How much of the bound was used."""
    share = certificate.tightness
    if math.isnan(share) or not 0.0 <= share <= 1.0:
        return None
    words = f"{share:.1%} of what the theorem allows"
    bar = el("span", style=f"width: {100.0 * share:.2f}%")
    return el("div", el("div", bar, class_="gauge", aria_hidden="true"), el("span", words, class_="small"), class_="used")


def _assumption(check: Check) -> Element:
    mark, words = _MET[check.met]
    return el("li", el("span", mark, class_=f"mark {words.split()[0]}", role="img", aria_label=words), " ", check.words)
