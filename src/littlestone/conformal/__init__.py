"""Intervals and sets with a promise on their coverage, around any forecaster; loaded when first asked for."""

from littlestone.lazy import lazily

HOMES = {"AdaptiveConformal": "adaptive_conformal", "AggregatedConformal": "aggregated_conformal"}
"""The module of every rule, in the order in which the tables list them; `RULES` has the rules."""

_OTHERS = {
    "Conformal": "conformal",
    "ConformalLedger": "ledger",
    "ConformalRule": "rule",
    "ConformalRun": "run",
    "PredictionInterval": "shown",
    "PredictionSet": "shown",
}

__getattr__ = lazily(__name__, HOMES | _OTHERS, rules=HOMES)
__all__ = ["HOMES", "RULES", *HOMES, *_OTHERS]
