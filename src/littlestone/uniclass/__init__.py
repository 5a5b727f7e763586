"""One class: a ball that follows a stream, and what lies outside it."""

from littlestone.uniclass.batch_uniclass import BatchUniclass
from littlestone.uniclass.kernel_uniclass import KernelUniclass
from littlestone.uniclass.multiplicative_uniclass import MultiplicativeUniclass
from littlestone.uniclass.rule import Ball
from littlestone.uniclass.uniclass import Uniclass

RULES = (Uniclass, KernelUniclass, MultiplicativeUniclass, BatchUniclass)
"""Every uniclass rule, in the order in which the tables list them."""

__all__ = ["RULES", "Ball", "BatchUniclass", "KernelUniclass", "MultiplicativeUniclass", "Uniclass"]
