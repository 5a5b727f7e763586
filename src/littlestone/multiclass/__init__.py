"""Rules for any number of classes, one file each."""

from littlestone.multiclass.fixed import MulticlassFixed
from littlestone.multiclass.one_versus_rest import OneVersusRest
from littlestone.multiclass.passive_aggressive import MulticlassPassiveAggressive
from littlestone.multiclass.perceptron import MulticlassPerceptron

RULES = (
    MulticlassPerceptron,
    MulticlassPassiveAggressive,
    OneVersusRest,
    MulticlassFixed,
)
"""Every multiclass rule, in the order in which the tables list them."""

__all__ = [
    "RULES",
    "MulticlassFixed",
    "MulticlassPassiveAggressive",
    "MulticlassPerceptron",
    "OneVersusRest",
]
