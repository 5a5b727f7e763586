# Written by `make stubs` from __init__.py.
from littlestone.experts.adahedge import AdaHedge as AdaHedge
from littlestone.experts.aggregating_algorithm import AggregatingAlgorithm as AggregatingAlgorithm
from littlestone.experts.bayes_mixture import BayesMixture as BayesMixture
from littlestone.experts.boa import BOA as BOA
from littlestone.experts.calibrated_exponential_weights import CalibratedExponentialWeights as CalibratedExponentialWeights
from littlestone.experts.calibrated_fixed_share import CalibratedFixedShare as CalibratedFixedShare
from littlestone.experts.exponential_weights import ExponentialWeights as ExponentialWeights
from littlestone.experts.exponentiated_gradient import ExponentiatedGradient as ExponentiatedGradient
from littlestone.experts.fixed_share import FixedShare as FixedShare
from littlestone.experts.halving import Halving as Halving
from littlestone.experts.internal_regret import InternalRegret as InternalRegret
from littlestone.experts.ml_ewa import MLewa as MLewa
from littlestone.experts.ml_pol import MLpol as MLpol
from littlestone.experts.ml_prod import MLprod as MLprod
from littlestone.experts.multiplicative_weights import MultiplicativeWeights as MultiplicativeWeights
from littlestone.experts.online_gradient_descent import OnlineGradientDescent as OnlineGradientDescent
from littlestone.experts.perturbed_leader import FollowThePerturbedLeader as FollowThePerturbedLeader
from littlestone.experts.polynomial_weights import PolynomialWeights as PolynomialWeights
from littlestone.experts.randomized_weighted_majority import RandomizedWeightedMajority as RandomizedWeightedMajority
from littlestone.experts.regularized_leader import FollowTheRegularizedLeader as FollowTheRegularizedLeader
from littlestone.experts.ridge_weights import RidgeWeights as RidgeWeights
from littlestone.experts.rule import ExpertRule as ExpertRule
from littlestone.experts.state import ExpertState as ExpertState
from littlestone.experts.swap_regret import SwapRegret as SwapRegret
from littlestone.experts.weighted_majority import WeightedMajority as WeightedMajority
HOMES: dict[str, str]
RULES: tuple[type[ExpertRule], ...]
__all__ = [
    "AdaHedge",
    "AggregatingAlgorithm",
    "BOA",
    "BayesMixture",
    "CalibratedExponentialWeights",
    "CalibratedFixedShare",
    "ExpertRule",
    "ExpertState",
    "ExponentialWeights",
    "ExponentiatedGradient",
    "FixedShare",
    "FollowThePerturbedLeader",
    "FollowTheRegularizedLeader",
    "HOMES",
    "Halving",
    "InternalRegret",
    "MLewa",
    "MLpol",
    "MLprod",
    "MultiplicativeWeights",
    "OnlineGradientDescent",
    "PolynomialWeights",
    "RULES",
    "RandomizedWeightedMajority",
    "RidgeWeights",
    "SwapRegret",
    "WeightedMajority",
]
