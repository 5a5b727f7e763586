# Written by `make stubs` from __init__.py.
from littlestone.rule import LinearRule
from littlestone.linear.ada_grad import AdaGrad as AdaGrad
from littlestone.linear.ada_grad import AdaGradRegression as AdaGradRegression
from littlestone.linear.arow import AROW as AROW
from littlestone.linear.baselines import LastLabel as LastLabel
from littlestone.linear.baselines import LastValue as LastValue
from littlestone.linear.baselines import Majority as Majority
from littlestone.linear.baselines import Markov as Markov
from littlestone.linear.baselines import RunningMean as RunningMean
from littlestone.linear.batch_passive_aggressive import BatchPassiveAggressive as BatchPassiveAggressive
from littlestone.linear.batch_passive_aggressive import BatchPassiveAggressiveRegression as BatchPassiveAggressiveRegression
from littlestone.linear.exponentiated_update import ExponentiatedUpdate as ExponentiatedUpdate
from littlestone.linear.exponentiated_update import SignedExponentiatedUpdate as SignedExponentiatedUpdate
from littlestone.linear.fixed import Fixed as Fixed
from littlestone.linear.logistic_filter import LogisticFilter as LogisticFilter
from littlestone.linear.margin_perceptron import MarginPerceptron as MarginPerceptron
from littlestone.linear.multiplicative_passive_aggressive import MultiplicativePassiveAggressive as MultiplicativePassiveAggressive
from littlestone.linear.multiplicative_passive_aggressive import MultiplicativePassiveAggressiveRegression as MultiplicativePassiveAggressiveRegression
from littlestone.linear.naive_bayes import NaiveBayes as NaiveBayes
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
    "AdaGrad",
    "AdaGradRegression",
    "BatchPassiveAggressive",
    "BatchPassiveAggressiveRegression",
    "ExponentiatedUpdate",
    "Fixed",
    "HOMES",
    "LastLabel",
    "LastValue",
    "LogisticFilter",
    "Majority",
    "MarginPerceptron",
    "Markov",
    "MultiplicativePassiveAggressive",
    "MultiplicativePassiveAggressiveRegression",
    "NaiveBayes",
    "OnlineRidge",
    "OnlineSVM",
    "PassiveAggressive",
    "PassiveAggressiveRegression",
    "Perceptron",
    "RULES",
    "RandomizedExponentiatedUpdate",
    "RandomizedPerceptron",
    "RunningMean",
    "SignedExponentiatedUpdate",
    "SignedWinnow",
    "Winnow",
]
