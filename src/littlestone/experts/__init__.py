"""Rules for prediction with expert advice, one file each, named as in their paper; loaded when first asked for."""

from littlestone.lazy import lazily

HOMES = {
    "Halving": "halving",
    "WeightedMajority": "weighted_majority",
    "RandomizedWeightedMajority": "randomized_weighted_majority",
    "ExponentialWeights": "exponential_weights",
    "MultiplicativeWeights": "multiplicative_weights",
    "PolynomialWeights": "polynomial_weights",
    "FixedShare": "fixed_share",
    "AdaHedge": "adahedge",
    "MLpol": "ml_pol",
    "MLprod": "ml_prod",
    "MLewa": "ml_ewa",
    "BOA": "boa",
    "CalibratedExponentialWeights": "calibrated_exponential_weights",
    "CalibratedFixedShare": "calibrated_fixed_share",
    "OnlineGradientDescent": "online_gradient_descent",
    "FollowTheRegularizedLeader": "regularized_leader",
    "RidgeWeights": "ridge_weights",
    "ExponentiatedGradient": "exponentiated_gradient",
    "BayesMixture": "bayes_mixture",
    "InternalRegret": "internal_regret",
    "SwapRegret": "swap_regret",
    "FollowThePerturbedLeader": "perturbed_leader",
    "AggregatingAlgorithm": "aggregating_algorithm",
}
"""The module of every expert rule, in the order in which the tables list them; `RULES` has the rules."""

_OTHERS = {"ExpertRule": "rule", "ExpertState": "state"}

__getattr__ = lazily(__name__, HOMES | _OTHERS, rules=HOMES)
__all__ = ["HOMES", "RULES", *HOMES, *_OTHERS]
