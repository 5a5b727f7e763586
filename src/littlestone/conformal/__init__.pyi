# Written by `make stubs` from __init__.py.
from littlestone.conformal.adaptive_conformal import AdaptiveConformal as AdaptiveConformal
from littlestone.conformal.aggregated_conformal import AggregatedConformal as AggregatedConformal
from littlestone.conformal.conformal import Conformal as Conformal
from littlestone.conformal.ledger import ConformalLedger as ConformalLedger
from littlestone.conformal.rule import ConformalRule as ConformalRule
from littlestone.conformal.run import ConformalRun as ConformalRun
from littlestone.conformal.shown import PredictionInterval as PredictionInterval
from littlestone.conformal.shown import PredictionSet as PredictionSet
HOMES: dict[str, str]
RULES: tuple[type[ConformalRule], ...]
__all__ = [
    "AdaptiveConformal",
    "AggregatedConformal",
    "Conformal",
    "ConformalLedger",
    "ConformalRule",
    "ConformalRun",
    "HOMES",
    "PredictionInterval",
    "PredictionSet",
    "RULES",
]
