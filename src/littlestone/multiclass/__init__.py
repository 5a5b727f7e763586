"""Rules for any number of classes, one file each; a rule is loaded when it is first asked for."""

from typing import TYPE_CHECKING

from littlestone.lazy import lazily

if TYPE_CHECKING:
    from littlestone.multiclass.fixed import MulticlassFixed
    from littlestone.multiclass.one_versus_rest import OneVersusRest
    from littlestone.multiclass.passive_aggressive import MulticlassPassiveAggressive
    from littlestone.multiclass.perceptron import MulticlassPerceptron
    from littlestone.multiclass.rule import MulticlassRule

    RULES: tuple[type[MulticlassRule], ...]

HOMES = {
    "MulticlassPerceptron": "perceptron",
    "MulticlassPassiveAggressive": "passive_aggressive",
    "OneVersusRest": "one_versus_rest",
    "MulticlassFixed": "fixed",
}
"""The module of every multiclass rule, in the order in which the tables list them; `RULES` has the rules."""

__getattr__ = lazily(__name__, HOMES, rules=HOMES)

__all__ = [
    "HOMES",
    "RULES",
    "MulticlassFixed",
    "MulticlassPassiveAggressive",
    "MulticlassPerceptron",
    "OneVersusRest",
]
