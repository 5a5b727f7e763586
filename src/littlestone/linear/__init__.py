"""Linear rules, one file each, named as in their paper."""

from littlestone.linear.batch_passive_aggressive import BatchPassiveAggressive
from littlestone.linear.fixed import Fixed
from littlestone.linear.margin_perceptron import MarginPerceptron
from littlestone.linear.online_svm import OnlineSVM
from littlestone.linear.passive_aggressive import PassiveAggressive, PassiveAggressiveRegression
from littlestone.linear.perceptron import Perceptron
from littlestone.linear.randomized_perceptron import RandomizedPerceptron

RULES = (
    Perceptron,
    RandomizedPerceptron,
    MarginPerceptron,
    OnlineSVM,
    PassiveAggressive,
    PassiveAggressiveRegression,
    BatchPassiveAggressive,
    Fixed,
)
"""Every linear rule, in the order in which the tables list them."""

__all__ = [
    "RULES",
    "BatchPassiveAggressive",
    "Fixed",
    "MarginPerceptron",
    "OnlineSVM",
    "PassiveAggressive",
    "PassiveAggressiveRegression",
    "Perceptron",
    "RandomizedPerceptron",
]
