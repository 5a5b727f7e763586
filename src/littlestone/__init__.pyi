# Written by `make stubs` from __init__.py.
from littlestone import convert as convert
from littlestone import features as features
from littlestone import kernels as kernels
from littlestone import views as views
from littlestone._core import Batch as Batch
from littlestone._core import Interval as Interval
from littlestone._core import Row as Row
from littlestone._core import Step as Step
from littlestone._core import Trial as Trial
from littlestone.abilities import Abilities as Abilities
from littlestone.conformal import AdaptiveConformal as AdaptiveConformal
from littlestone.conformal import AggregatedConformal as AggregatedConformal
from littlestone.conformal import Conformal as Conformal
from littlestone.conformal import ConformalLedger as ConformalLedger
from littlestone.conformal import ConformalRule as ConformalRule
from littlestone.conformal import ConformalRun as ConformalRun
from littlestone.conformal import PredictionInterval as PredictionInterval
from littlestone.conformal import PredictionSet as PredictionSet
from littlestone.delayed import Delayed as Delayed
from littlestone.epochs import Epochs as Epochs
from littlestone.epochs import epochs as epochs
from littlestone.errors import InvalidData as InvalidData
from littlestone.errors import InvalidParameter as InvalidParameter
from littlestone.errors import LemmaViolated as LemmaViolated
from littlestone.errors import LittlestoneError as LittlestoneError
from littlestone.errors import NotApplicable as NotApplicable
from littlestone.errors import UnknownName as UnknownName
from littlestone.experts import AdaHedge as AdaHedge
from littlestone.experts import AggregatingAlgorithm as AggregatingAlgorithm
from littlestone.experts import BOA as BOA
from littlestone.experts import BayesMixture as BayesMixture
from littlestone.experts import CalibratedExponentialWeights as CalibratedExponentialWeights
from littlestone.experts import CalibratedFixedShare as CalibratedFixedShare
from littlestone.experts import ExpertRule as ExpertRule
from littlestone.experts import ExpertState as ExpertState
from littlestone.experts import ExponentialWeights as ExponentialWeights
from littlestone.experts import ExponentiatedGradient as ExponentiatedGradient
from littlestone.experts import FixedShare as FixedShare
from littlestone.experts import FollowThePerturbedLeader as FollowThePerturbedLeader
from littlestone.experts import FollowTheRegularizedLeader as FollowTheRegularizedLeader
from littlestone.experts import Halving as Halving
from littlestone.experts import InternalRegret as InternalRegret
from littlestone.experts import MLewa as MLewa
from littlestone.experts import MLpol as MLpol
from littlestone.experts import MLprod as MLprod
from littlestone.experts import MultiplicativeWeights as MultiplicativeWeights
from littlestone.experts import OnlineGradientDescent as OnlineGradientDescent
from littlestone.experts import PolynomialWeights as PolynomialWeights
from littlestone.experts import RandomizedWeightedMajority as RandomizedWeightedMajority
from littlestone.experts import RidgeWeights as RidgeWeights
from littlestone.experts import SwapRegret as SwapRegret
from littlestone.experts import WeightedMajority as WeightedMajority
from littlestone.experts import losses as losses
from littlestone.experts import oracles as oracles
from littlestone.experts.advice_table import Combination as Combination
from littlestone.experts.aggregation import aggregate as aggregate
from littlestone.experts.aggregation import hedge as hedge
from littlestone.experts.distributions import DistributionRun as DistributionRun
from littlestone.experts.distributions import aggregate_distributions as aggregate_distributions
from littlestone.experts.interleaved import InterleavedRun as InterleavedRun
from littlestone.experts.interleaved import interleave as interleave
from littlestone.experts.ledger import ExpertLedger as ExpertLedger
from littlestone.experts.mixture import Mixture as Mixture
from littlestone.experts.oracles import ExpertSequence as ExpertSequence
from littlestone.experts.portfolio import PortfolioRun as PortfolioRun
from littlestone.experts.portfolio import UniversalPortfolio as UniversalPortfolio
from littlestone.experts.portfolio import portfolio as portfolio
from littlestone.experts.quantiles import QuantileRun as QuantileRun
from littlestone.experts.quantiles import aggregate_quantiles as aggregate_quantiles
from littlestone.experts.run import ExpertRun as ExpertRun
from littlestone.export import export as export
from littlestone.games import BestResponse as BestResponse
from littlestone.games import CounterfactualPlay as CounterfactualPlay
from littlestone.games import Equilibria as Equilibria
from littlestone.games import Equilibrium as Equilibrium
from littlestone.games import ExtensiveGame as ExtensiveGame
from littlestone.games import ExtensiveSolution as ExtensiveSolution
from littlestone.games import GameFile as GameFile
from littlestone.games import NashEquilibrium as NashEquilibrium
from littlestone.games import OptimisticHedge as OptimisticHedge
from littlestone.games import Play as Play
from littlestone.games import PredictiveRegretMatchingPlus as PredictiveRegretMatchingPlus
from littlestone.games import RegretMatchingPlus as RegretMatchingPlus
from littlestone.games import Solution as Solution
from littlestone.games import SwapRegretMatching as SwapRegretMatching
from littlestone.games import counterfactual_play as counterfactual_play
from littlestone.games import equilibria as equilibria
from littlestone.games import equilibrium as equilibrium
from littlestone.games import kuhn_poker as kuhn_poker
from littlestone.games import leduc_poker as leduc_poker
from littlestone.games import play as play
from littlestone.games import read_extensive as read_extensive
from littlestone.games import read_game as read_game
from littlestone.games import solve as solve
from littlestone.games import solve_extensive as solve_extensive
from littlestone.kernels import KernelFixed as KernelFixed
from littlestone.kernels import KernelPassiveAggressive as KernelPassiveAggressive
from littlestone.kernels import KernelPassiveAggressiveRegression as KernelPassiveAggressiveRegression
from littlestone.kernels import KernelPerceptron as KernelPerceptron
from littlestone.kernels import Support as Support
from littlestone.learner import Learner as Learner
from littlestone.ledger import Ledger as Ledger
from littlestone.linear import AROW as AROW
from littlestone.linear import AdaGrad as AdaGrad
from littlestone.linear import AdaGradRegression as AdaGradRegression
from littlestone.linear import BatchPassiveAggressive as BatchPassiveAggressive
from littlestone.linear import BatchPassiveAggressiveRegression as BatchPassiveAggressiveRegression
from littlestone.linear import ExponentiatedUpdate as ExponentiatedUpdate
from littlestone.linear import Fixed as Fixed
from littlestone.linear import LastLabel as LastLabel
from littlestone.linear import LastValue as LastValue
from littlestone.linear import LogisticFilter as LogisticFilter
from littlestone.linear import Majority as Majority
from littlestone.linear import MarginPerceptron as MarginPerceptron
from littlestone.linear import Markov as Markov
from littlestone.linear import MultiplicativePassiveAggressive as MultiplicativePassiveAggressive
from littlestone.linear import MultiplicativePassiveAggressiveRegression as MultiplicativePassiveAggressiveRegression
from littlestone.linear import NaiveBayes as NaiveBayes
from littlestone.linear import OnlineRidge as OnlineRidge
from littlestone.linear import OnlineSVM as OnlineSVM
from littlestone.linear import PassiveAggressive as PassiveAggressive
from littlestone.linear import PassiveAggressiveRegression as PassiveAggressiveRegression
from littlestone.linear import Perceptron as Perceptron
from littlestone.linear import RandomizedExponentiatedUpdate as RandomizedExponentiatedUpdate
from littlestone.linear import RandomizedPerceptron as RandomizedPerceptron
from littlestone.linear import RunningMean as RunningMean
from littlestone.linear import SignedExponentiatedUpdate as SignedExponentiatedUpdate
from littlestone.linear import SignedWinnow as SignedWinnow
from littlestone.linear import Winnow as Winnow
from littlestone.log_weights import LogWeights as LogWeights
from littlestone.log_weights import SignedLogWeights as SignedLogWeights
from littlestone.master import Master as Master
from littlestone.mixing import merge as merge
from littlestone.mixing import mix as mix
from littlestone.multiclass import MulticlassFixed as MulticlassFixed
from littlestone.multiclass import MulticlassPassiveAggressive as MulticlassPassiveAggressive
from littlestone.multiclass import MulticlassPerceptron as MulticlassPerceptron
from littlestone.multiclass import OneVersusRest as OneVersusRest
from littlestone.norms import ScaleWarning as ScaleWarning
from littlestone.paths import Network as Network
from littlestone.paths import PathLedger as PathLedger
from littlestone.paths import PathRule as PathRule
from littlestone.paths import PathRun as PathRun
from littlestone.paths import PathWeights as PathWeights
from littlestone.paths import PerturbedPath as PerturbedPath
from littlestone.paths import ShortestPaths as ShortestPaths
from littlestone.pool import Pool as Pool
from littlestone.pool import PoolRegression as PoolRegression
from littlestone.pool import PoolState as PoolState
from littlestone.replay import LabelEvent as LabelEvent
from littlestone.replay import PredictEvent as PredictEvent
from littlestone.replay import Replay as Replay
from littlestone.replay import replay as replay
from littlestone.report import draw_figures as draw_figures
from littlestone.report import write_report as write_report
from littlestone.rule import LinearRule as LinearRule
from littlestone.rule import Rule as Rule
from littlestone.run import Run as Run
from littlestone.run import run as run
from littlestone.shards import InvalidPartition as InvalidPartition
from littlestone.snapshots import Snapshot as Snapshot
from littlestone.state import ScaledWeights as ScaledWeights
from littlestone.state import State as State
from littlestone.state import Weights as Weights
from littlestone.store import load as load
from littlestone.streams.files import Reader as Reader
from littlestone.streams.files import parse as parse
from littlestone.streams.files import read as read
from littlestone.streams.intervals import Intervals as Intervals
from littlestone.theory import Certificate as Certificate
from littlestone.theory import Guarantee as Guarantee
from littlestone.theory import PairedComparison as PairedComparison
from littlestone.theory import Verdict as Verdict
from littlestone.theory import certify as certify
from littlestone.theory import compare as compare
from littlestone.theory.catalogue import theory as theory
from littlestone.uniclass import AdaptiveKernelUniclass as AdaptiveKernelUniclass
from littlestone.uniclass import AdaptiveUniclass as AdaptiveUniclass
from littlestone.uniclass import BatchUniclass as BatchUniclass
from littlestone.uniclass import KernelUniclass as KernelUniclass
from littlestone.uniclass import MultiplicativeUniclass as MultiplicativeUniclass
from littlestone.uniclass import RadiusUniclass as RadiusUniclass
from littlestone.uniclass import Uniclass as Uniclass
from littlestone.workers import processes as processes
from littlestone.workers import threads as threads
__version__: str
__all__ = [
    "AROW",
    "Abilities",
    "AdaGrad",
    "AdaGradRegression",
    "AdaHedge",
    "AdaptiveConformal",
    "AdaptiveKernelUniclass",
    "AdaptiveUniclass",
    "AggregatedConformal",
    "AggregatingAlgorithm",
    "BOA",
    "Batch",
    "BatchPassiveAggressive",
    "BatchPassiveAggressiveRegression",
    "BatchUniclass",
    "BayesMixture",
    "BestResponse",
    "CalibratedExponentialWeights",
    "CalibratedFixedShare",
    "Certificate",
    "Combination",
    "Conformal",
    "ConformalLedger",
    "ConformalRule",
    "ConformalRun",
    "CounterfactualPlay",
    "Delayed",
    "DistributionRun",
    "Epochs",
    "Equilibria",
    "Equilibrium",
    "ExpertLedger",
    "ExpertRule",
    "ExpertRun",
    "ExpertSequence",
    "ExpertState",
    "ExponentialWeights",
    "ExponentiatedGradient",
    "ExponentiatedUpdate",
    "ExtensiveGame",
    "ExtensiveSolution",
    "Fixed",
    "FixedShare",
    "FollowThePerturbedLeader",
    "FollowTheRegularizedLeader",
    "GameFile",
    "Guarantee",
    "Halving",
    "InterleavedRun",
    "InternalRegret",
    "Interval",
    "Intervals",
    "InvalidData",
    "InvalidParameter",
    "InvalidPartition",
    "KernelFixed",
    "KernelPassiveAggressive",
    "KernelPassiveAggressiveRegression",
    "KernelPerceptron",
    "KernelUniclass",
    "LabelEvent",
    "LastLabel",
    "LastValue",
    "Learner",
    "Ledger",
    "LemmaViolated",
    "LinearRule",
    "LittlestoneError",
    "LogWeights",
    "LogisticFilter",
    "MLewa",
    "MLpol",
    "MLprod",
    "Majority",
    "MarginPerceptron",
    "Markov",
    "Master",
    "Mixture",
    "MulticlassFixed",
    "MulticlassPassiveAggressive",
    "MulticlassPerceptron",
    "MultiplicativePassiveAggressive",
    "MultiplicativePassiveAggressiveRegression",
    "MultiplicativeUniclass",
    "MultiplicativeWeights",
    "NaiveBayes",
    "NashEquilibrium",
    "Network",
    "NotApplicable",
    "OneVersusRest",
    "OnlineGradientDescent",
    "OnlineRidge",
    "OnlineSVM",
    "OptimisticHedge",
    "PairedComparison",
    "PassiveAggressive",
    "PassiveAggressiveRegression",
    "PathLedger",
    "PathRule",
    "PathRun",
    "PathWeights",
    "Perceptron",
    "PerturbedPath",
    "Play",
    "PolynomialWeights",
    "Pool",
    "PoolRegression",
    "PoolState",
    "PortfolioRun",
    "PredictEvent",
    "PredictionInterval",
    "PredictionSet",
    "PredictiveRegretMatchingPlus",
    "QuantileRun",
    "RadiusUniclass",
    "RandomizedExponentiatedUpdate",
    "RandomizedPerceptron",
    "RandomizedWeightedMajority",
    "Reader",
    "RegretMatchingPlus",
    "Replay",
    "RidgeWeights",
    "Row",
    "Rule",
    "Run",
    "RunningMean",
    "ScaleWarning",
    "ScaledWeights",
    "ShortestPaths",
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
    "UniversalPortfolio",
    "UnknownName",
    "Verdict",
    "WeightedMajority",
    "Weights",
    "Winnow",
    "__version__",
    "aggregate",
    "aggregate_distributions",
    "aggregate_quantiles",
    "certify",
    "compare",
    "convert",
    "counterfactual_play",
    "draw_figures",
    "epochs",
    "equilibria",
    "equilibrium",
    "export",
    "features",
    "hedge",
    "interleave",
    "kernels",
    "kuhn_poker",
    "leduc_poker",
    "load",
    "losses",
    "merge",
    "mix",
    "oracles",
    "parse",
    "play",
    "portfolio",
    "processes",
    "read",
    "read_extensive",
    "read_game",
    "replay",
    "run",
    "solve",
    "solve_extensive",
    "theory",
    "threads",
    "views",
    "write_report",
]
