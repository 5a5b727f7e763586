"""Rules for prediction with expert advice, one file each, named as in their paper."""

from littlestone.experts.adahedge import AdaHedge
from littlestone.experts.aggregating_algorithm import AggregatingAlgorithm
from littlestone.experts.boa import BOA
from littlestone.experts.exponential_weights import ExponentialWeights
from littlestone.experts.fixed_share import FixedShare
from littlestone.experts.halving import Halving
from littlestone.experts.internal_regret import InternalRegret
from littlestone.experts.ml_ewa import MLewa
from littlestone.experts.ml_pol import MLpol
from littlestone.experts.ml_prod import MLprod
from littlestone.experts.multiplicative_weights import MultiplicativeWeights
from littlestone.experts.perturbed_leader import FollowThePerturbedLeader
from littlestone.experts.polynomial_weights import PolynomialWeights
from littlestone.experts.randomized_weighted_majority import RandomizedWeightedMajority
from littlestone.experts.rule import ExpertRule
from littlestone.experts.state import ExpertState
from littlestone.experts.swap_regret import SwapRegret
from littlestone.experts.weighted_majority import WeightedMajority

RULES = (
    Halving,
    WeightedMajority,
    RandomizedWeightedMajority,
    ExponentialWeights,
    MultiplicativeWeights,
    PolynomialWeights,
    FixedShare,
    AdaHedge,
    MLpol,
    MLprod,
    MLewa,
    BOA,
    InternalRegret,
    SwapRegret,
    FollowThePerturbedLeader,
    AggregatingAlgorithm,
)
"""Every expert rule, in the order in which the tables list them."""

__all__ = [
    "BOA",
    "RULES",
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
]
