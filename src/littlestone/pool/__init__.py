"""The pool: one learner that needs no tuning, for labels, classes and targets."""

from littlestone.lazy import lazily

HOMES = {"Pool": "pool", "PoolRegression": "regression"}
"""The module of every rule, in the order in which the tables list them; `RULES` has the rules."""

_OTHERS = {"Explanation": "explaining", "PoolRule": "rule", "PoolState": "state"}

__getattr__ = lazily(__name__, HOMES | _OTHERS, rules=HOMES)
__all__ = ["HOMES", "RULES", *HOMES, *_OTHERS]
