# Written by `make stubs` from __init__.py.
from littlestone.multiclass.rule import MulticlassRule
from littlestone.multiclass.fixed import MulticlassFixed as MulticlassFixed
from littlestone.multiclass.one_versus_rest import OneVersusRest as OneVersusRest
from littlestone.multiclass.passive_aggressive import MulticlassPassiveAggressive as MulticlassPassiveAggressive
from littlestone.multiclass.perceptron import MulticlassPerceptron as MulticlassPerceptron
HOMES: dict[str, str]
RULES: tuple[type[MulticlassRule], ...]
__all__ = [
    "HOMES",
    "MulticlassFixed",
    "MulticlassPassiveAggressive",
    "MulticlassPerceptron",
    "OneVersusRest",
    "RULES",
]
