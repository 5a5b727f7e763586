"""Theorems as values: guarantees, their evidence, their certificates."""

from littlestone.theory.catalogue import Theory, theory
from littlestone.theory.certificate import Certificate, Check, Verdict
from littlestone.theory.certification import certify
from littlestone.theory.demonstrations import Demonstration
from littlestone.theory.evidence import Comparison, LinearEvidence, LinearMoment
from littlestone.theory.generalization import Progressive, RiskGuarantee
from littlestone.theory.guarantee import Assumption, Guarantee, Lemma

__all__ = [
    "Assumption",
    "Certificate",
    "Check",
    "Comparison",
    "Demonstration",
    "Guarantee",
    "Lemma",
    "LinearEvidence",
    "LinearMoment",
    "Progressive",
    "RiskGuarantee",
    "Theory",
    "Verdict",
    "certify",
    "theory",
]
