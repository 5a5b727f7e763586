"""Theorems as values: guarantees, their evidence, their certificates; a family of theorems is loaded when it is needed."""

from littlestone.lazy import homes, lazily

_HOMES = homes(
    {
        "catalogue": "Theory theory",
        "certificate": "Certificate Check Verdict",
        "certification": "certify",
        "demonstrations": "Demonstration",
        "evidence": "Comparison LinearEvidence LinearMoment",
        "risk": "Progressive RiskGuarantee",
        "guarantee": "Assumption Guarantee Lemma",
        "paired": "PairedComparison compare",
        "streaming": "certify_stream",
    }
)

__getattr__ = lazily(__name__, _HOMES)
__all__ = sorted(_HOMES)
