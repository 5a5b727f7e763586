"""Online learning that shows its proof.

A rule is a value, a run leaves a ledger, a theorem reads it:

    >>> import littlestone as ls
    >>> run = ls.run(ls.Perceptron(), [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]], [1, -1, 1, 1], passes=9)
    >>> run.ledger.mistakes
    4

What there is:

    rows          ls.Learner() learns a stream without tuning; ls.Learner(ls.Perceptron()) by a rule of your choice
                  ls.run(rule, X, y), ls.read(file), ls.load(model), ls.epochs(partitions, rule), ls.Delayed, ls.Master
    rules         Perceptron, PassiveAggressive, AROW, Winnow, OnlineRidge, KernelPerceptron, OneVersusRest and others
    proof         run.certify(against="best"), run.ledger.risk_bound(), ls.compare(run, other), ls.theory["mohri.8.8"]
    forecasters   ls.aggregate(None, advice, y), ls.hedge(rule, losses), ls.Mixture, ls.aggregate_quantiles, ls.portfolio
    intervals     ls.Conformal(model, coverage=0.9)
    anomalies     ls.AdaptiveUniclass(flag=0.01), ls.Uniclass
    games         ls.solve(A), ls.solve_extensive(game), ls.equilibrium(A, B), ls.equilibria(A, B), ls.ShortestPaths
    away from it  ls.write_report(run, "run.html"), ls.export(learner, "model.json"), ls.convert, littlestone.sklearn

help(ls.Perceptron) says all of one name, dir(ls) has every name, `littlestone --help` the command line.
"""

import sys
from types import ModuleType
from typing import final

from littlestone.interpreter import core_version
from littlestone.lazy import homes, lazily, listed_by_pydoc

__version__ = core_version()

# The public names, each written once. All load when they are first asked for: importing the package costs a few
# milliseconds, without NumPy. `make stubs` writes __init__.pyi from this table.
_TABLE = {
    "abilities": "Abilities",
    "_core": "Batch Interval Row Step Trial",
    "conformal": (
        "AdaptiveConformal AggregatedConformal Conformal ConformalLedger ConformalRule ConformalRun PredictionInterval "
        "PredictionSet"
    ),
    "epochs": "Epochs epochs",
    "delayed": "Delayed",
    "export": "export",
    "errors": "InvalidData InvalidParameter LemmaViolated LittlestoneError NotApplicable UnknownName",
    "experts": (
        "AdaHedge AggregatingAlgorithm BOA BayesMixture CalibratedExponentialWeights CalibratedFixedShare "
        "ExpertRule ExpertState ExponentialWeights ExponentiatedGradient FixedShare FollowThePerturbedLeader "
        "FollowTheRegularizedLeader Halving InternalRegret MLewa MLpol MLprod MultiplicativeWeights "
        "OnlineGradientDescent PolynomialWeights RandomizedWeightedMajority RidgeWeights SwapRegret "
        "WeightedMajority"
    ),
    "experts.ledger": "ExpertLedger",
    "experts.aggregation": "aggregate hedge",
    "experts.distributions": "DistributionRun aggregate_distributions",
    "experts.interleaved": "InterleavedRun interleave",
    "experts.mixture": "Mixture",
    "experts.advice_table": "Combination",
    "experts.oracles": "ExpertSequence",
    "experts.portfolio": "PortfolioRun UniversalPortfolio portfolio",
    "experts.quantiles": "QuantileRun aggregate_quantiles",
    "experts.run": "ExpertRun",
    "games": (
        "BestResponse CounterfactualPlay Equilibria Equilibrium ExtensiveGame ExtensiveSolution GameFile NashEquilibrium "
        "OptimisticHedge Play PredictiveRegretMatchingPlus "
        "RegretMatchingPlus Solution SwapRegretMatching counterfactual_play equilibria equilibrium kuhn_poker leduc_poker play "
        "read_extensive read_game solve solve_extensive"
    ),
    "kernels": "KernelFixed KernelPassiveAggressive KernelPassiveAggressiveRegression KernelPerceptron Support",
    "learner": "Learner",
    "ledger": "Ledger",
    "linear": (
        "AROW AdaGrad AdaGradRegression BatchPassiveAggressive BatchPassiveAggressiveRegression ExponentiatedUpdate Fixed "
        "LastLabel LastValue LogisticFilter Majority MarginPerceptron Markov MultiplicativePassiveAggressive "
        "MultiplicativePassiveAggressiveRegression NaiveBayes OnlineRidge OnlineSVM PassiveAggressive "
        "PassiveAggressiveRegression Perceptron RandomizedExponentiatedUpdate RandomizedPerceptron RunningMean "
        "SignedExponentiatedUpdate SignedWinnow Winnow"
    ),
    "master": "Master",
    "mixing": "merge mix",
    "norms": "ScaleWarning",
    "workers": "processes threads",
    "multiclass": "MulticlassFixed MulticlassPassiveAggressive MulticlassPerceptron OneVersusRest",
    "paths": "Network PathLedger PathRule PathRun PathWeights PerturbedPath ShortestPaths",
    "pool": "Pool PoolRegression PoolState",
    "replay": "LabelEvent PredictEvent Replay replay",
    "report": "draw_figures write_report",
    "rule": "LinearRule Rule",
    "run": "Run run",
    "shards": "InvalidPartition",
    "snapshots": "Snapshot",
    "log_weights": "LogWeights SignedLogWeights",
    "state": "ScaledWeights State Weights",
    "store": "load",
    "streams.files": "Reader parse read",
    "streams.intervals": "Intervals",
    "theory": "Certificate Guarantee PairedComparison Verdict certify compare",
    "theory.catalogue": "theory",
    "uniclass": "AdaptiveKernelUniclass AdaptiveUniclass BatchUniclass KernelUniclass MultiplicativeUniclass "
    "RadiusUniclass Uniclass",
}
ROOMS = {
    "convert": "convert",
    "features": "features",
    "kernels": "kernels",
    "losses": "experts.losses",
    "oracles": "experts.oracles",
    "views": "views",
}
HOMES = homes(_TABLE)

__getattr__ = lazily(__name__, HOMES, rooms=ROOMS)
__all__ = sorted([*HOMES, *ROOMS, "__version__"])


def __dir__() -> list[str]:
    # help(ls) would print every class with all its methods, thousands of lines; the text above is what it is to say
    return ["__doc__"] if listed_by_pydoc() else sorted({*globals(), *__all__})


@final
class _Package(ModuleType):
    """The package, whose public names are not hidden by modules of the same name: `run` and `theory`."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
