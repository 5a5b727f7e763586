"""One class: a ball that follows a stream, and what lies outside it; each rule is loaded when it is first asked for."""

from littlestone.lazy import lazily

HOMES = {
    "Uniclass": "uniclass",
    "AdaptiveUniclass": "adaptive_uniclass",
    "AdaptiveKernelUniclass": "adaptive_kernel_uniclass",
    "RadiusUniclass": "radius_uniclass",
    "KernelUniclass": "kernel_uniclass",
    "MultiplicativeUniclass": "multiplicative_uniclass",
    "BatchUniclass": "batch_uniclass",
}
"""The module of every uniclass rule, in the order in which the tables list them; `RULES` has the rules."""

_OTHERS = {"Ball": "rule", "Flagging": "rule", "ShareFlagging": "rule"}

__getattr__ = lazily(__name__, HOMES | _OTHERS, rules=HOMES)
__all__ = ["HOMES", "RULES", *HOMES, *_OTHERS]
