"""Theorems as values: guarantees, their evidence, their certificates."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from littlestone.theory.catalogue import Theory, theory
    from littlestone.theory.certificate import Certificate, Check, Verdict
    from littlestone.theory.certification import certify
    from littlestone.theory.demonstrations import Demonstration
    from littlestone.theory.evidence import Comparison, LinearEvidence, LinearMoment
    from littlestone.theory.generalization import Progressive, RiskGuarantee
    from littlestone.theory.guarantee import Assumption, Guarantee, Lemma

# Loaded when first asked for, so that looking at the package does not load every family of theorems.
_HOMES = {
    "littlestone.theory.catalogue": (
        "Theory",
        "theory",
    ),
    "littlestone.theory.certificate": (
        "Certificate",
        "Check",
        "Verdict",
    ),
    "littlestone.theory.certification": ("certify",),
    "littlestone.theory.demonstrations": ("Demonstration",),
    "littlestone.theory.evidence": (
        "Comparison",
        "LinearEvidence",
        "LinearMoment",
    ),
    "littlestone.theory.generalization": (
        "Progressive",
        "RiskGuarantee",
    ),
    "littlestone.theory.guarantee": (
        "Assumption",
        "Guarantee",
        "Lemma",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Loads a name of the package from the module it lives in."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'littlestone.theory' has no attribute {name!r}")
    value: object = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


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
