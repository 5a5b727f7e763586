# Written by `make stubs` from __init__.py.
from littlestone.rule import LinearRule
from littlestone.linear.arow import AROW as AROW
from littlestone.linear.batch_passive_aggressive import BatchPassiveAggressive as BatchPassiveAggressive
from littlestone.linear.batch_passive_aggressive import BatchPassiveAggressiveRegression as BatchPassiveAggressiveRegression
from littlestone.linear.exponentiated_update import ExponentiatedUpdate as ExponentiatedUpdate
from littlestone.linear.exponentiated_update import SignedExponentiatedUpdate as SignedExponentiatedUpdate
from littlestone.linear.fixed import Fixed as Fixed
from littlestone.linear.margin_perceptron import MarginPerceptron as MarginPerceptron
from littlestone.linear.multiplicative_passive_aggressive import MultiplicativePassiveAggressive as MultiplicativePassiveAggressive
from littlestone.linear.multiplicative_passive_aggressive import MultiplicativePassiveAggressiveRegression as MultiplicativePassiveAggressiveRegression
from littlestone.linear.online_ridge import OnlineRidge as OnlineRidge
from littlestone.linear.online_svm import OnlineSVM as OnlineSVM
from littlestone.linear.passive_aggressive import PassiveAggressive as PassiveAggressive
from littlestone.linear.passive_aggressive import PassiveAggressiveRegression as PassiveAggressiveRegression
from littlestone.linear.perceptron import Perceptron as Perceptron
from littlestone.linear.randomized_exponentiated_update import RandomizedExponentiatedUpdate as RandomizedExponentiatedUpdate
from littlestone.linear.randomized_perceptron import RandomizedPerceptron as RandomizedPerceptron
from littlestone.linear.signed_winnow import SignedWinnow as SignedWinnow
from littlestone.linear.winnow import Winnow as Winnow
HOMES: dict[str, str]
RULES: tuple[type[LinearRule], ...]
__all__ = [
    "AROW",
    "BatchPassiveAggressive",
    "BatchPassiveAggressiveRegression",
    "ExponentiatedUpdate",
    "Fixed",
    "HOMES",
    "MarginPerceptron",
    "MultiplicativePassiveAggressive",
    "MultiplicativePassiveAggressiveRegression",
    "OnlineRidge",
    "OnlineSVM",
    "PassiveAggressive",
    "PassiveAggressiveRegression",
    "Perceptron",
    "RULES",
    "RandomizedExponentiatedUpdate",
    "RandomizedPerceptron",
    "SignedExponentiatedUpdate",
    "SignedWinnow",
    "Winnow",
]
