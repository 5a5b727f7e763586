"""One class: a ball that follows a stream, and what lies outside it; each rule is loaded when it is first asked for."""

from typing import TYPE_CHECKING

from littlestone.lazy import lazily

if TYPE_CHECKING:
    from littlestone.rule import LinearRule
    from littlestone.uniclass.batch_uniclass import BatchUniclass
    from littlestone.uniclass.kernel_uniclass import KernelUniclass
    from littlestone.uniclass.multiplicative_uniclass import MultiplicativeUniclass
    from littlestone.uniclass.rule import Ball
    from littlestone.uniclass.uniclass import Uniclass

    RULES: tuple[type[LinearRule], ...]

HOMES = {
    "Uniclass": "uniclass",
    "KernelUniclass": "kernel_uniclass",
    "MultiplicativeUniclass": "multiplicative_uniclass",
    "BatchUniclass": "batch_uniclass",
}
"""The module of every uniclass rule, in the order in which the tables list them; `RULES` has the rules."""

__getattr__ = lazily(__name__, {**HOMES, "Ball": "rule"}, rules=HOMES)

__all__ = ["HOMES", "RULES", "Ball", "BatchUniclass", "KernelUniclass", "MultiplicativeUniclass", "Uniclass"]
