# Written by `make stubs` from __init__.py.
from littlestone.pool.explaining import Explanation as Explanation
from littlestone.pool.pool import Pool as Pool
from littlestone.pool.regression import PoolRegression as PoolRegression
from littlestone.pool.rule import PoolRule as PoolRule
from littlestone.pool.state import PoolState as PoolState
HOMES: dict[str, str]
RULES: tuple[type[PoolRule], ...]
__all__ = [
    "Explanation",
    "HOMES",
    "Pool",
    "PoolRegression",
    "PoolRule",
    "PoolState",
    "RULES",
]
