# Written by `make stubs` from __init__.py.
from littlestone.rule import LinearRule
from littlestone.uniclass.adaptive_kernel_uniclass import AdaptiveKernelUniclass as AdaptiveKernelUniclass
from littlestone.uniclass.adaptive_uniclass import AdaptiveUniclass as AdaptiveUniclass
from littlestone.uniclass.batch_uniclass import BatchUniclass as BatchUniclass
from littlestone.uniclass.kernel_uniclass import KernelUniclass as KernelUniclass
from littlestone.uniclass.multiplicative_uniclass import MultiplicativeUniclass as MultiplicativeUniclass
from littlestone.uniclass.radius_uniclass import RadiusUniclass as RadiusUniclass
from littlestone.uniclass.rule import Ball as Ball
from littlestone.uniclass.rule import Flagging as Flagging
from littlestone.uniclass.rule import ShareFlagging as ShareFlagging
from littlestone.uniclass.uniclass import Uniclass as Uniclass
HOMES: dict[str, str]
RULES: tuple[type[LinearRule], ...]
__all__ = [
    "AdaptiveKernelUniclass",
    "AdaptiveUniclass",
    "Ball",
    "BatchUniclass",
    "Flagging",
    "HOMES",
    "KernelUniclass",
    "MultiplicativeUniclass",
    "RULES",
    "RadiusUniclass",
    "ShareFlagging",
    "Uniclass",
]
