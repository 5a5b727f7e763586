"""Linear rules, one file each, named as in their paper; a rule is loaded when it is first asked for."""

from typing import TYPE_CHECKING

from littlestone.lazy import lazily

if TYPE_CHECKING:
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
    from littlestone.rule import LinearRule

    RULES: tuple[type[LinearRule], ...]

HOMES = {
    "Perceptron": "perceptron",
    "RandomizedPerceptron": "randomized_perceptron",
    "MarginPerceptron": "margin_perceptron",
    "OnlineSVM": "online_svm",
    "PassiveAggressive": "passive_aggressive",
    "PassiveAggressiveRegression": "passive_aggressive",
    "BatchPassiveAggressive": "batch_passive_aggressive",
    "BatchPassiveAggressiveRegression": "batch_passive_aggressive",
    "Winnow": "winnow",
    "SignedWinnow": "signed_winnow",
    "ExponentiatedUpdate": "exponentiated_update",
    "SignedExponentiatedUpdate": "exponentiated_update",
    "RandomizedExponentiatedUpdate": "randomized_exponentiated_update",
    "MultiplicativePassiveAggressive": "multiplicative_passive_aggressive",
    "MultiplicativePassiveAggressiveRegression": "multiplicative_passive_aggressive",
    "Fixed": "fixed",
}
"""The module of every linear rule, in the order in which the tables list them; `RULES` has the rules."""

__getattr__ = lazily(__name__, HOMES, rules=HOMES)

__all__ = [
    "HOMES",
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
