"""Online learning that shows its proof.

A rule is a value, a run leaves a ledger, a theorem reads it:

    >>> import littlestone as ls
    >>> run = ls.run(ls.Perceptron(), [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]], [1, -1, 1, 1], passes=9)
    >>> run.ledger.mistakes
    4
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, final

from littlestone._core import Batch, Interval, Row, Step, Trial, version
from littlestone.errors import InvalidData, InvalidParameter, LemmaViolated, LittlestoneError, NotApplicable, UnknownName

if TYPE_CHECKING:
    from littlestone import convert, features, kernels
    from littlestone.delayed import LabelEvent, PredictEvent, Replay, replay
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
        oracles,
    )
    from littlestone.experts.ledger import ExpertLedger
    from littlestone.experts.mixture import Mixture, aggregate, hedge
    from littlestone.experts.oracles import Combination, ExpertSequence
    from littlestone.experts.run import ExpertRun
    from littlestone.games import (
        BestResponse,
        GameFile,
        OptimisticHedge,
        PredictiveRegretMatchingPlus,
        RegretMatchingPlus,
        Solution,
        SwapRegretMatching,
        read_game,
    )
    from littlestone.games.equilibrium import Equilibrium, equilibrium
    from littlestone.games.play import Play, play
    from littlestone.games.solve import solve
    from littlestone.kernels import (
        KernelFixed,
        KernelPassiveAggressive,
        KernelPassiveAggressiveRegression,
        KernelPerceptron,
        Support,
    )
    from littlestone.learner import Learner, Snapshot
    from littlestone.ledger import Ledger
    from littlestone.linear import (
        BatchPassiveAggressive,
        BatchPassiveAggressiveRegression,
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
    from littlestone.multiclass import MulticlassFixed, MulticlassPassiveAggressive, MulticlassPerceptron, OneVersusRest
    from littlestone.report import draw_figures, write_report
    from littlestone.rule import LinearRule, Rule
    from littlestone.run import Run, run
    from littlestone.state import LogWeights, ScaledWeights, SignedLogWeights, State, Weights
    from littlestone.store import load
    from littlestone.streams.files import Reader, read
    from littlestone.streams.intervals import Intervals
    from littlestone.theory import Certificate, Guarantee, Verdict, certify
    from littlestone.theory.catalogue import theory
    from littlestone.uniclass import BatchUniclass, KernelUniclass, MultiplicativeUniclass, Uniclass

__version__ = version()

# Every name is loaded when it is first asked for: importing the package costs a few milliseconds, without NumPy.
_HOMES = {
    "littlestone.learner": (
        "Learner",
        "Snapshot",
    ),
    "littlestone.ledger": ("Ledger",),
    "littlestone.linear": (
        "BatchPassiveAggressive",
        "BatchPassiveAggressiveRegression",
        "ExponentiatedUpdate",
        "Fixed",
        "MarginPerceptron",
        "MultiplicativePassiveAggressive",
        "MultiplicativePassiveAggressiveRegression",
        "OnlineSVM",
        "PassiveAggressive",
        "PassiveAggressiveRegression",
        "Perceptron",
        "RandomizedExponentiatedUpdate",
        "RandomizedPerceptron",
        "SignedExponentiatedUpdate",
        "SignedWinnow",
        "Winnow",
    ),
    "littlestone.rule": (
        "LinearRule",
        "Rule",
    ),
    "littlestone.run": (
        "Run",
        "run",
    ),
    "littlestone.state": (
        "LogWeights",
        "ScaledWeights",
        "SignedLogWeights",
        "State",
        "Weights",
    ),
    "littlestone.streams.intervals": ("Intervals",),
    "littlestone.theory.catalogue": ("theory",),
    "littlestone.experts": (
        "BOA",
        "AdaHedge",
        "AggregatingAlgorithm",
        "ExpertRule",
        "ExpertState",
        "ExponentialWeights",
        "FixedShare",
        "FollowThePerturbedLeader",
        "Halving",
        "InternalRegret",
        "MLewa",
        "MLpol",
        "MLprod",
        "MultiplicativeWeights",
        "PolynomialWeights",
        "RandomizedWeightedMajority",
        "SwapRegret",
        "WeightedMajority",
    ),
    "littlestone.experts.ledger": ("ExpertLedger",),
    "littlestone.experts.mixture": (
        "Mixture",
        "aggregate",
        "hedge",
    ),
    "littlestone.experts.oracles": (
        "Combination",
        "ExpertSequence",
    ),
    "littlestone.experts.run": ("ExpertRun",),
    "littlestone.games": (
        "BestResponse",
        "Equilibrium",
        "GameFile",
        "OptimisticHedge",
        "Play",
        "PredictiveRegretMatchingPlus",
        "RegretMatchingPlus",
        "Solution",
        "SwapRegretMatching",
        "equilibrium",
        "play",
        "read_game",
        "solve",
    ),
    "littlestone.kernels": (
        "KernelFixed",
        "KernelPassiveAggressive",
        "KernelPassiveAggressiveRegression",
        "KernelPerceptron",
        "Support",
    ),
    "littlestone.master": ("Master",),
    "littlestone.delayed": (
        "LabelEvent",
        "PredictEvent",
        "Replay",
        "replay",
    ),
    "littlestone.multiclass": (
        "MulticlassFixed",
        "MulticlassPassiveAggressive",
        "MulticlassPerceptron",
        "OneVersusRest",
    ),
    "littlestone.report": (
        "draw_figures",
        "write_report",
    ),
    "littlestone.store": ("load",),
    "littlestone.streams.files": (
        "Reader",
        "read",
    ),
    "littlestone.theory": (
        "Certificate",
        "Guarantee",
        "Verdict",
        "certify",
    ),
    "littlestone.uniclass": (
        "BatchUniclass",
        "KernelUniclass",
        "MultiplicativeUniclass",
        "Uniclass",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_ROOMS = {
    "convert": "littlestone.convert",
    "features": "littlestone.features",
    "kernels": "littlestone.kernels",
    "losses": "littlestone.experts.losses",
    "oracles": "littlestone.experts.oracles",
}


def __getattr__(name: str) -> object:
    """Loads a public name from the module it lives in."""
    if name in _ROOMS:
        return import_module(_ROOMS[name])
    if name not in _HOME_OF:
        raise AttributeError(f"module 'littlestone' has no attribute {name!r}")
    value: object = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


@final
class _Package(ModuleType):
    """The package, whose public names are not hidden by modules of the same name: `run` and `theory`."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME_OF and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


__all__ = [
    "BOA",
    "AdaHedge",
    "AggregatingAlgorithm",
    "Batch",
    "BatchPassiveAggressive",
    "BatchPassiveAggressiveRegression",
    "BatchUniclass",
    "BestResponse",
    "Certificate",
    "Combination",
    "Equilibrium",
    "ExpertLedger",
    "ExpertRule",
    "ExpertRun",
    "ExpertSequence",
    "ExpertState",
    "ExponentialWeights",
    "ExponentiatedUpdate",
    "Fixed",
    "FixedShare",
    "FollowThePerturbedLeader",
    "GameFile",
    "Guarantee",
    "Halving",
    "InternalRegret",
    "Interval",
    "Intervals",
    "InvalidData",
    "InvalidParameter",
    "KernelFixed",
    "KernelPassiveAggressive",
    "KernelPassiveAggressiveRegression",
    "KernelPerceptron",
    "KernelUniclass",
    "LabelEvent",
    "Learner",
    "Ledger",
    "LemmaViolated",
    "LinearRule",
    "LittlestoneError",
    "LogWeights",
    "MLewa",
    "MLpol",
    "MLprod",
    "MarginPerceptron",
    "Master",
    "Mixture",
    "MulticlassFixed",
    "MulticlassPassiveAggressive",
    "MulticlassPerceptron",
    "MultiplicativePassiveAggressive",
    "MultiplicativePassiveAggressiveRegression",
    "MultiplicativeUniclass",
    "MultiplicativeWeights",
    "NotApplicable",
    "OneVersusRest",
    "OnlineSVM",
    "OptimisticHedge",
    "PassiveAggressive",
    "PassiveAggressiveRegression",
    "Perceptron",
    "Play",
    "PolynomialWeights",
    "PredictEvent",
    "PredictiveRegretMatchingPlus",
    "RandomizedExponentiatedUpdate",
    "RandomizedPerceptron",
    "RandomizedWeightedMajority",
    "Reader",
    "RegretMatchingPlus",
    "Replay",
    "Row",
    "Rule",
    "Run",
    "ScaledWeights",
    "SignedExponentiatedUpdate",
    "SignedLogWeights",
    "SignedWinnow",
    "Snapshot",
    "Solution",
    "State",
    "Step",
    "Support",
    "SwapRegret",
    "SwapRegretMatching",
    "Trial",
    "Uniclass",
    "UnknownName",
    "Verdict",
    "WeightedMajority",
    "Weights",
    "Winnow",
    "__version__",
    "aggregate",
    "certify",
    "convert",
    "draw_figures",
    "equilibrium",
    "features",
    "hedge",
    "kernels",
    "load",
    "losses",
    "oracles",
    "play",
    "read",
    "read_game",
    "replay",
    "run",
    "solve",
    "theory",
    "write_report",
]
