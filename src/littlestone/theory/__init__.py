"""Theorems as values: guarantees, their evidence, their certificates."""

from littlestone.theory.catalogue import Theory, theory
from littlestone.theory.certificate import Certificate, Check, Verdict
from littlestone.theory.certification import certify
from littlestone.theory.evidence import Comparison, LinearEvidence, LinearMoment
from littlestone.theory.guarantee import Assumption, Guarantee, Lemma

__all__ = [
    "Assumption",
    "Certificate",
    "Check",
    "Comparison",
    "Guarantee",
    "Lemma",
    "LinearEvidence",
    "LinearMoment",
    "Theory",
    "Verdict",
    "certify",
    "theory",
]
