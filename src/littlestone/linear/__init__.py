"""Linear rules, one file each, named as in their paper."""

from littlestone.linear.batch_passive_aggressive import BatchPassiveAggressive, BatchPassiveAggressiveRegression
from littlestone.linear.exponentiated_update import ExponentiatedUpdate, SignedExponentiatedUpdate
from littlestone.linear.fixed import Fixed
from littlestone.linear.margin_perceptron import MarginPerceptron
from littlestone.linear.multiplicative_passive_aggressive import (
    MultiplicativePassiveAggressive,
    MultiplicativePassiveAggressiveRegression,
)
from littlestone.linear.online_svm import OnlineSVM
from littlestone.linear.passive_aggressive import PassiveAggressive, PassiveAggressiveRegression
from littlestone.linear.perceptron import Perceptron
from littlestone.linear.randomized_exponentiated_update import RandomizedExponentiatedUpdate
from littlestone.linear.randomized_perceptron import RandomizedPerceptron
from littlestone.linear.signed_winnow import SignedWinnow
from littlestone.linear.winnow import Winnow

RULES = (
    Perceptron,
    RandomizedPerceptron,
    MarginPerceptron,
    OnlineSVM,
    PassiveAggressive,
    PassiveAggressiveRegression,
    BatchPassiveAggressive,
    BatchPassiveAggressiveRegression,
    Winnow,
    SignedWinnow,
    ExponentiatedUpdate,
    SignedExponentiatedUpdate,
    RandomizedExponentiatedUpdate,
    MultiplicativePassiveAggressive,
    MultiplicativePassiveAggressiveRegression,
    Fixed,
)
"""Every linear rule, in the order in which the tables list them."""

__all__ = [
    "RULES",
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
]
