"""The theory of the site: every statement with its formula, its bound beside a run, its proof in short and its errata.

A hook of mkdocs (tools/site_pages.py) asks for the pages; its runs are those of tools/guarantees.py, on more and more rows.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
from guarantees import EVIDENCE, line, worked

import littlestone as ls
from littlestone.report.chart import Chart, Line, Role, as_array
from littlestone.report.drawing import inline_svg
from littlestone.report.mathematics import theorem
from littlestone.theory import Certificate, Demonstration, RiskGuarantee
from littlestone.theory.guarantee import Guarantee

SKETCHES = Path(__file__).with_name("sketches.md")
SHARES = tuple(float(share) for share in np.geomspace(0.02, 1.0, 9))
"""The parts of its rows that each run is made on."""

PAGES = {
    "perceptron": ("Perceptrons", ("perceptron",)),
    "passive-aggressive": ("Passive-Aggressive", ("passive_aggressive",)),
    "second-order": ("Second order and gradients", ("adaptive", "ridge", "online_svm")),
    "multiplicative": ("Winnow and exponentiated updates", ("winnow", "multiplicative")),
    "experts": ("Experts and masters", ("experts", "interleaved", "masters")),
    "games": ("Games and paths", ("games", "equilibria", "counterfactual", "paths")),
    "classes": ("Many classes, one class, kernels", ("multiclass", "one_versus_rest", "kernels", "uniclass", "flagging")),
    "pool": ("The pool and intervals", ("pool", "conformal")),
    "mixing": ("Learners that learned apart", ("mixing",)),
    "risk": ("From rounds to rows to come", ("generalization",)),
    "shown": ("Shown on an instance", ("demonstrations",)),
}


def sketches() -> dict[str, str]:
    """The proof of each statement in short, by its id."""
    parts = re.split(r"^# (.+)$", SKETCHES.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {key: words.strip() for heads, words in zip(parts[::2], parts[1::2], strict=True) for key in heads.split()}


def families() -> dict[str, list[str]]:
    """The ids on each page: those of the modules that it is made of, in the order of the catalogue."""
    found: dict[str, list[str]] = {}
    taken: set[str] = set()
    for page, (_, modules) in PAGES.items():
        known = [key for module in modules for key in _ids(module) if key not in taken]
        found[page] = [key for key in ls.theory if key in known]
        taken.update(known)
    assert taken == set(ls.theory), taken ^ set(ls.theory)
    return found


def _ids(module: str) -> list[str]:
    home = import_module(f"littlestone.theory.{module}")
    return [statement.id for statement in getattr(home, "GUARANTEES", None) or home.DEMONSTRATIONS.values()]


def courses() -> dict[str, list[tuple[float, Certificate]]]:
    """What each certificate said after a part of the rows."""
    found: dict[str, list[tuple[float, Certificate]]] = {}
    risks = {key: risk for key, risk in ls.theory.items() if isinstance(risk, RiskGuarantee)}
    for share in SHARES:
        at = replace(
            EVIDENCE, rounds=round(10_000 * share), loss=500.0 * share, regret=100.0 * share, rival=round(2_000 * share)
        )
        said = worked(share) | {key: replace(risk.certify(at), measured=at.loss / at.rounds) for key, risk in risks.items()}
        for key, certificate in said.items():
            found.setdefault(key, []).append((share, certificate))
    return found


def chart(key: str, course: list[tuple[float, Certificate]]) -> Chart | None:
    """The bound over the run; None where it was a number in fewer than three places, or nothing was measured."""
    points = [(share, c.measured, c.bound) for share, c in course if math.isfinite(c.bound) and math.isfinite(c.measured)]
    if len(points) < 3:
        return None
    share, measured, bound = (
        as_array([p[0] for p in points]),
        as_array([p[1] for p in points]),
        as_array([p[2] for p in points]),
    )
    last = course[-1][1]
    seen = "mean loss so far" if isinstance(ls.theory[key], RiskGuarantee) else "measured"
    wide = bool((measured > 0.0).all() and (bound > 0.0).all() and bound.max() > 20.0 * measured.max())
    return Chart(
        name=re.sub(r"[^a-z0-9]", "-", key.lower()),
        title=f"{key}: {last.quantity}",
        words=f"Over the rows of a run the bound goes to {bound[-1]:.4g} and what was measured to {measured[-1]:.4g}.",
        x_label="share of the rows",
        y_label=last.quantity,
        lines=(Line("bound", share, bound, Role.BOUND, 1), Line(seen, share, measured, Role.MEASURED, 0)),
        log_x=True,
        log_y=wide,
    )


def entry(key: str, sketch: str, course: list[tuple[float, Certificate]]) -> Iterator[str]:
    """One statement."""
    statement = ls.theory[key]
    said, *errata = re.split(r"\s*Errata: ", statement.statement)
    yield f"## {key} {{ #{key} }}"
    yield f"*{statement.source}*"
    yield said
    formula = theorem(key)
    if formula is not None:
        yield f'<div class="theorem">{ET.tostring(formula, encoding="unicode")}</div>'
    yield from _conditions(statement)
    yield f"**Proof, in short.** {sketch}"
    drawn = chart(key, course)
    if drawn is not None:
        svg = ET.tostring(inline_svg(drawn), encoding="unicode").replace("\n", " ")
        yield f'<figure class="bound">{svg}<figcaption>{escape(drawn.words)}</figcaption></figure>'
    yield f"**Worked out:** {_number(key, course)}"
    if errata:
        yield f'!!! warning "Errata"\n    {errata[0][:1].upper()}{errata[0][1:]} [Counterexamples that run](../errata.md).'


def _conditions(statement: object) -> Iterator[str]:
    if isinstance(statement, Guarantee | RiskGuarantee):
        yield "**Assumes:** " + "; ".join(assumption.words for assumption in statement.assumptions) + "."
    if isinstance(statement, Guarantee):
        rules = ", ".join(f"`{rule.__name__}`" for rule in statement.rules)
        yield f"**About:** {rules}." if rules else "**About:** games."
        yield "**In every round:** " + "; ".join(lemma.words.replace("|", "\\|") for lemma in statement.lemmas) + "."


def _number(key: str, course: list[tuple[float, Certificate]]) -> str:
    """The number of docs/guarantees.md."""
    certificates = {key: course[-1][1]} if course else {}
    return re.split(r"(?<!\\) \| ", line(key, certificates))[4].replace("\\|", "|").replace("*", "\\*")


def pages() -> dict[str, str]:
    """Every page of the theory by its path."""
    proofs, found = sketches(), courses()
    assert set(proofs) == set(ls.theory), set(proofs) ^ set(ls.theory)
    drawn = {key for key, course in found.items() if chart(key, course) is not None}
    bounds = {key for key, statement in ls.theory.items() if not isinstance(statement, Demonstration)}
    assert bounds <= drawn, f"no run shows the bound of {bounds - drawn}"
    made = {}
    for page, keys in families().items():
        parts = [f"# {PAGES[page][0]}"]
        for key in keys:
            parts += entry(key, proofs[key], found.get(key, []))
        made[f"theory/{page}.md"] = "\n\n".join(parts) + "\n"
    return made
