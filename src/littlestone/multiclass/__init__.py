"""Rules for any number of classes, one file each; a rule is loaded when it is first asked for."""

from littlestone.lazy import lazily

HOMES = {
    "MulticlassPerceptron": "perceptron",
    "MulticlassPassiveAggressive": "passive_aggressive",
    "OneVersusRest": "one_versus_rest",
    "MulticlassFixed": "fixed",
}
"""The module of every multiclass rule, in the order in which the tables list them; `RULES` has the rules."""

__getattr__ = lazily(__name__, HOMES, rules=HOMES)
__all__ = ["HOMES", "RULES", *HOMES]
