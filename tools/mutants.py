"""Writes docs/mutants.md: wrong rules, and who sees that they are wrong.

Usage: python tools/mutants.py [--check]

The mutants are those of the tests: one method of a rule is replaced by a wrong one. A run of it is then given to the lemmas,
round by round, and to `certify` alone, as by somebody who suspects nothing.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple, final

import numpy as np

import littlestone as ls
from littlestone.theory.audit import audit
from littlestone.theory.expert_audit import audit_experts

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "mutants.md"
HEAD = """# Mutants

Rules that are wrong in one method, and who sees it; written by `make tables` from the mutants of the tests. *Lemma* is what an
audit of the run stops at: the inequality of a proof that the wrong rule breaks in some round, or what its definition would
have left. *Certificate* is what `certify` says alone, from the rounds that it looks at by itself: whatever it would have proved
of the rule is then *violated*, or the check fails that is named here.

"""


@final
class Mutant(NamedTuple):
    """A wrong rule, by its name and what is wrong with it, and what was seen of it."""

    rule: str
    wrong: str
    lemma: str
    certificate: str

    @property
    def line(self) -> str:
        """Its row of the table."""
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in self) + " |"


@contextmanager
def replaced(of: type, method: str, wrong: Callable[..., object]) -> Iterator[None]:
    """A class with one method of another kind, for a while."""
    right = inspect.getattr_static(of, method)
    setattr(of, method, wrong)
    try:
        yield
    finally:
        setattr(of, method, right)


def words(wrong: Callable[..., object]) -> str:
    """What a mutant does: the first sentence of its docstring, or its name."""
    said = (inspect.getdoc(wrong) or "").split("\n")[0]
    return said.rstrip(".") or wrong.__name__.replace("_", " ")


def stopped(check: Callable[[], object]) -> str:
    """What an audit stops at."""
    try:
        check()
    except ls.LemmaViolated as found:
        return f"{found.guarantee}: {found.lemma}"
    return "**not seen**"


def said(certificates: list[ls.Certificate]) -> str:
    """The first of what certificates say against a run."""
    failing = [check.words for one in certificates for check in one.assumptions if check.met is False and _refutes(check.words)]
    violated = [one.id for one in certificates if one.verdict is ls.Verdict.VIOLATED]
    return next(iter(failing), f"{violated[0]}: violated" if violated else "**not seen**")


def _refutes(check: str) -> bool:
    return "of the definition" in check or "made again" in check or "is kept in" in check


def linear() -> Iterator[Mutant]:
    """Rules on rows."""
    import test_spot

    source = np.random.default_rng(3)
    signs = source.choice([-1.0, 1.0], size=(200, 8))
    labels = signs[:, 0].copy()
    labels[::25] *= -1.0
    for rule, wrong in test_spot.LINEAR:
        X = signs if "theta" in rule.init(8).arrays else signs / np.sqrt(8.0)
        y = ls.Intervals.of_labels(labels, margin=1.0) if getattr(rule, "tolerance", 0.0) else labels
        honest = ls.run(rule, X, y)
        with replaced(type(rule), "update", wrong):
            lemma = stopped(partial(audit, honest, np.eye(8)[0]))
            with replaced(type(rule), "loop", test_spot.as_defined):
                alone = said(ls.run(rule, X, y).certify())
        yield Mutant(type(rule).__name__, words(wrong), lemma, alone)


def of_experts() -> Iterator[Mutant]:
    """Rules on advice."""
    import test_spot

    for _, rule, method, wrong, losses in test_spot.EXPERTS:
        with replaced(type(rule), method, wrong):
            run = test_spot.ran(rule, losses)
            lemma, alone = stopped(partial(audit_experts, run)), said(run.certify())
        yield Mutant(type(rule).__name__, f"{method}: {words(wrong)}", lemma, alone)


def page() -> str:
    """The whole page."""
    sys.path.insert(0, str(ROOT / "tests"))
    found = list(dict.fromkeys([*linear(), *of_experts()]))
    unseen = [sum("not seen" in getattr(one, by) for one in found) for by in ("lemma", "certificate")]
    counts = f"Of {len(found)} an audit misses {unseen[0]}, and a certificate alone {unseen[1]}.\n\n"
    table = ["| rule | what is wrong | lemma | certificate |", "| --- | --- | --- | --- |", *(one.line for one in found)]
    return HEAD + counts + "\n".join(table) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        sys.exit(0 if PAGE.read_text(encoding="utf-8") == page() else 1)
    PAGE.write_text(page(), encoding="utf-8")
