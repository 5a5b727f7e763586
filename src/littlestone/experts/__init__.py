"""Rules for prediction with expert advice, one file each, named as in their paper."""

from littlestone.experts.exponential_weights import ExponentialWeights
from littlestone.experts.rule import ExpertRule
from littlestone.experts.state import ExpertState

RULES = (ExponentialWeights,)
"""Every expert rule, in the order in which the tables list them."""

__all__ = ["RULES", "ExpertRule", "ExpertState", "ExponentialWeights"]
