"""On-line shortest paths: as many experts as a graph has paths, at the cost of its arcs; loaded when first asked for."""

from littlestone.lazy import lazily

HOMES = {"PathWeights": "path_weights", "PerturbedPath": "perturbed_path"}
"""The module of every rule, in the order in which the tables list them; `RULES` has the rules."""

_OTHERS = {
    "Network": "network",
    "PathLedger": "ledger",
    "PathRule": "rule",
    "PathRun": "run",
    "ShortestPaths": "shortest_paths",
}

__getattr__ = lazily(__name__, HOMES | _OTHERS, rules=HOMES)
__all__ = ["HOMES", "RULES", *HOMES, *_OTHERS]
