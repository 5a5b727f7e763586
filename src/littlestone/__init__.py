"""Online learning that shows its proof.

A rule is a value, a run leaves a ledger, a theorem reads it:

    >>> import littlestone as ls
    >>> run = ls.run(ls.Perceptron(), [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]], [1, -1, 1, 1], passes=9)
    >>> run.ledger.mistakes
    4
"""

from littlestone import convert, kernels
from littlestone._core import Batch, Interval, Row, Step, Trial, version
from littlestone.errors import InvalidData, InvalidParameter, LemmaViolated, LittlestoneError, NotApplicable, UnknownName
from littlestone.kernels import KernelPassiveAggressive, KernelPassiveAggressiveRegression, KernelPerceptron, Support
from littlestone.learner import Learner, Snapshot
from littlestone.ledger import Ledger
from littlestone.linear import (
    BatchPassiveAggressive,
    Fixed,
    MarginPerceptron,
    OnlineSVM,
    PassiveAggressive,
    PassiveAggressiveRegression,
    Perceptron,
    RandomizedPerceptron,
)
from littlestone.rule import LinearRule, Rule
from littlestone.run import Run, run
from littlestone.state import ScaledWeights, State, Weights
from littlestone.streams.intervals import Intervals
from littlestone.theory import Certificate, Guarantee, Verdict, certify, theory
from littlestone.uniclass import KernelUniclass, MultiplicativeUniclass, Uniclass

__version__ = version()

__all__ = [
    "Batch",
    "BatchPassiveAggressive",
    "Certificate",
    "Fixed",
    "Guarantee",
    "Interval",
    "Intervals",
    "InvalidData",
    "InvalidParameter",
    "KernelPassiveAggressive",
    "KernelPassiveAggressiveRegression",
    "KernelPerceptron",
    "KernelUniclass",
    "Learner",
    "Ledger",
    "LemmaViolated",
    "LinearRule",
    "LittlestoneError",
    "MarginPerceptron",
    "MultiplicativeUniclass",
    "NotApplicable",
    "OnlineSVM",
    "PassiveAggressive",
    "PassiveAggressiveRegression",
    "Perceptron",
    "RandomizedPerceptron",
    "Row",
    "Rule",
    "Run",
    "ScaledWeights",
    "Snapshot",
    "State",
    "Step",
    "Support",
    "Trial",
    "Uniclass",
    "UnknownName",
    "Verdict",
    "Weights",
    "__version__",
    "certify",
    "convert",
    "kernels",
    "run",
    "theory",
]
