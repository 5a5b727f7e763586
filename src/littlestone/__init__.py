"""Online learning that shows its proof.

A rule is a value, a run leaves a ledger, a theorem reads it:

    >>> import littlestone as ls
    >>> run = ls.run(ls.Perceptron(), [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]], [1, -1, 1, 1], passes=9)
    >>> run.ledger.mistakes
    4
"""

from littlestone import convert
from littlestone._core import Batch, Interval, Row, Step, Trial, version
from littlestone.errors import InvalidData, InvalidParameter, LemmaViolated, LittlestoneError, NotApplicable, UnknownName
from littlestone.learner import Learner, Snapshot
from littlestone.ledger import Ledger
from littlestone.linear import (
    BatchPassiveAggressive,
    ExponentiatedUpdate,
    Fixed,
    MarginPerceptron,
    MultiplicativePassiveAggressive,
    MultiplicativePassiveAggressiveRegression,
    OnlineSVM,
    PassiveAggressive,
    PassiveAggressiveRegression,
    Perceptron,
    RandomizedExponentiatedUpdate,
    RandomizedPerceptron,
    SignedExponentiatedUpdate,
    SignedWinnow,
    Winnow,
)
from littlestone.master import Master
from littlestone.rule import LinearRule, Rule
from littlestone.run import Run, run
from littlestone.state import LogWeights, ScaledWeights, SignedLogWeights, State, Weights
from littlestone.store import load
from littlestone.streams.files import Reader, read
from littlestone.streams.intervals import Intervals
from littlestone.theory import Certificate, Guarantee, Verdict, certify, theory

__version__ = version()

__all__ = [
    "Batch",
    "BatchPassiveAggressive",
    "Certificate",
    "ExponentiatedUpdate",
    "Fixed",
    "Guarantee",
    "Interval",
    "Intervals",
    "InvalidData",
    "InvalidParameter",
    "Learner",
    "Ledger",
    "LemmaViolated",
    "LinearRule",
    "LittlestoneError",
    "LogWeights",
    "MarginPerceptron",
    "Master",
    "MultiplicativePassiveAggressive",
    "MultiplicativePassiveAggressiveRegression",
    "NotApplicable",
    "OnlineSVM",
    "PassiveAggressive",
    "PassiveAggressiveRegression",
    "Perceptron",
    "RandomizedExponentiatedUpdate",
    "RandomizedPerceptron",
    "Reader",
    "Row",
    "Rule",
    "Run",
    "ScaledWeights",
    "SignedExponentiatedUpdate",
    "SignedLogWeights",
    "SignedWinnow",
    "Snapshot",
    "State",
    "Step",
    "Trial",
    "UnknownName",
    "Verdict",
    "Weights",
    "Winnow",
    "__version__",
    "certify",
    "convert",
    "load",
    "read",
    "run",
    "theory",
]
