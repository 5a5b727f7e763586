"""Linear rules, one file each, named as in their paper; a rule is loaded when it is first asked for."""

from littlestone.lazy import homes, lazily

HOMES = homes(
    {
        "perceptron": "Perceptron",
        "randomized_perceptron": "RandomizedPerceptron",
        "margin_perceptron": "MarginPerceptron",
        "online_svm": "OnlineSVM",
        "passive_aggressive": "PassiveAggressive PassiveAggressiveRegression",
        "batch_passive_aggressive": "BatchPassiveAggressive BatchPassiveAggressiveRegression",
        "arow": "AROW",
        "online_ridge": "OnlineRidge",
        "ada_grad": "AdaGrad AdaGradRegression",
        "logistic_filter": "LogisticFilter",
        "naive_bayes": "NaiveBayes",
        "winnow": "Winnow",
        "signed_winnow": "SignedWinnow",
        "exponentiated_update": "ExponentiatedUpdate SignedExponentiatedUpdate",
        "randomized_exponentiated_update": "RandomizedExponentiatedUpdate",
        "multiplicative_passive_aggressive": ("MultiplicativePassiveAggressive MultiplicativePassiveAggressiveRegression"),
        "baselines": "Majority LastLabel Markov RunningMean LastValue",
        "fixed": "Fixed",
    }
)
"""The module of every linear rule, in the order in which the tables list them; `RULES` has the rules."""

__getattr__ = lazily(__name__, HOMES, rules=HOMES)
__all__ = ["HOMES", "RULES", *HOMES]
