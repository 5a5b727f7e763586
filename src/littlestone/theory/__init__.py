"""Theorems as values: guarantees, their evidence, their certificates."""

from typing import TYPE_CHECKING

from littlestone.lazy import lazily

if TYPE_CHECKING:
    from littlestone.theory.catalogue import Theory, theory
    from littlestone.theory.certificate import Certificate, Check, Verdict
    from littlestone.theory.certification import certify
    from littlestone.theory.demonstrations import Demonstration
    from littlestone.theory.evidence import Comparison, LinearEvidence, LinearMoment
    from littlestone.theory.generalization import Progressive, RiskGuarantee
    from littlestone.theory.guarantee import Assumption, Guarantee, Lemma

# Loaded when first asked for, so that looking at the package does not load every family of theorems.
__getattr__ = lazily(
    __name__,
    {
        "Theory": "catalogue",
        "theory": "catalogue",
        "Certificate": "certificate",
        "Check": "certificate",
        "Verdict": "certificate",
        "certify": "certification",
        "Demonstration": "demonstrations",
        "Comparison": "evidence",
        "LinearEvidence": "evidence",
        "LinearMoment": "evidence",
        "Progressive": "generalization",
        "RiskGuarantee": "generalization",
        "Assumption": "guarantee",
        "Guarantee": "guarantee",
        "Lemma": "guarantee",
    },
)

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
