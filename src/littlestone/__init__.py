"""Online learning that shows its proof.

A rule is a value, a run leaves a ledger, a theorem reads it:

    >>> import littlestone as ls
    >>> run = ls.run(ls.Perceptron(), [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]], [1, -1, 1, 1], passes=9)
    >>> run.ledger.mistakes
    4
"""

from littlestone import convert
from littlestone._core import Batch, Interval, Row, Step, Trial, version
from littlestone.errors import InvalidData, InvalidParameter, LittlestoneError, NotApplicable, UnknownName
from littlestone.experts import (
    BOA,
    AdaHedge,
    AggregatingAlgorithm,
    ExpertRule,
    ExpertState,
    ExponentialWeights,
    FixedShare,
    FollowThePerturbedLeader,
    Halving,
    InternalRegret,
    MLewa,
    MLpol,
    MLprod,
    MultiplicativeWeights,
    PolynomialWeights,
    RandomizedWeightedMajority,
    SwapRegret,
    WeightedMajority,
    losses,
)
from littlestone.experts.ledger import ExpertLedger
from littlestone.experts.mixture import Mixture, aggregate, hedge
from littlestone.experts.run import ExpertRun
from littlestone.learner import Learner, Snapshot
from littlestone.ledger import Ledger
from littlestone.linear import (
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

__version__ = version()

__all__ = [
    "BOA",
    "AdaHedge",
    "AggregatingAlgorithm",
    "Batch",
    "Certificate",
    "ExpertLedger",
    "ExpertRule",
    "ExpertRun",
    "ExpertState",
    "ExponentialWeights",
    "Fixed",
    "FixedShare",
    "FollowThePerturbedLeader",
    "Guarantee",
    "Halving",
    "InternalRegret",
    "Interval",
    "Intervals",
    "InvalidData",
    "InvalidParameter",
    "Learner",
    "Ledger",
    "LinearRule",
    "LittlestoneError",
    "MLewa",
    "MLpol",
    "MLprod",
    "MarginPerceptron",
    "Mixture",
    "MultiplicativeWeights",
    "NotApplicable",
    "OnlineSVM",
    "PassiveAggressive",
    "PassiveAggressiveRegression",
    "Perceptron",
    "PolynomialWeights",
    "RandomizedPerceptron",
    "RandomizedWeightedMajority",
    "Row",
    "Rule",
    "Run",
    "ScaledWeights",
    "Snapshot",
    "State",
    "Step",
    "SwapRegret",
    "Trial",
    "UnknownName",
    "Verdict",
    "WeightedMajority",
    "Weights",
    "__version__",
    "aggregate",
    "certify",
    "convert",
    "hedge",
    "losses",
    "run",
    "theory",
]
