# Written by `make stubs` from __init__.py.
from littlestone.theory.catalogue import Theory as Theory
from littlestone.theory.catalogue import theory as theory
from littlestone.theory.certificate import Certificate as Certificate
from littlestone.theory.certificate import Check as Check
from littlestone.theory.certificate import Verdict as Verdict
from littlestone.theory.certification import certify as certify
from littlestone.theory.demonstrations import Demonstration as Demonstration
from littlestone.theory.evidence import Comparison as Comparison
from littlestone.theory.evidence import LinearEvidence as LinearEvidence
from littlestone.theory.evidence import LinearMoment as LinearMoment
from littlestone.theory.guarantee import Assumption as Assumption
from littlestone.theory.guarantee import Guarantee as Guarantee
from littlestone.theory.guarantee import Lemma as Lemma
from littlestone.theory.paired import PairedComparison as PairedComparison
from littlestone.theory.paired import compare as compare
from littlestone.theory.risk import Progressive as Progressive
from littlestone.theory.risk import RiskGuarantee as RiskGuarantee
from littlestone.theory.streaming import certify_stream as certify_stream
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
    "PairedComparison",
    "Progressive",
    "RiskGuarantee",
    "Theory",
    "Verdict",
    "certify",
    "certify_stream",
    "compare",
    "theory",
]
