# Written by `make stubs` from __init__.py.
from littlestone.paths.ledger import PathLedger as PathLedger
from littlestone.paths.network import Network as Network
from littlestone.paths.path_weights import PathWeights as PathWeights
from littlestone.paths.perturbed_path import PerturbedPath as PerturbedPath
from littlestone.paths.rule import PathRule as PathRule
from littlestone.paths.run import PathRun as PathRun
from littlestone.paths.shortest_paths import ShortestPaths as ShortestPaths
HOMES: dict[str, str]
RULES: tuple[type[PathRule], ...]
__all__ = [
    "HOMES",
    "Network",
    "PathLedger",
    "PathRule",
    "PathRun",
    "PathWeights",
    "PerturbedPath",
    "RULES",
    "ShortestPaths",
]
