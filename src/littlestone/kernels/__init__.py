"""Kernels, and the rules that learn in their spaces; each is loaded when it is first asked for."""

from typing import TYPE_CHECKING

from littlestone.lazy import lazily

if TYPE_CHECKING:
    from littlestone.kernels.functions import KERNELS, Custom, Gaussian, Kernel, Laplace, Linear, Polynomial
    from littlestone.kernels.kernel_fixed import KernelFixed
    from littlestone.kernels.kernel_passive_aggressive import KernelPassiveAggressive, KernelPassiveAggressiveRegression
    from littlestone.kernels.kernel_perceptron import KernelPerceptron
    from littlestone.kernels.rule import KernelRule
    from littlestone.kernels.support import Support

    RULES: tuple[type[KernelRule], ...]

HOMES = {
    "KernelPerceptron": "kernel_perceptron",
    "KernelPassiveAggressive": "kernel_passive_aggressive",
    "KernelPassiveAggressiveRegression": "kernel_passive_aggressive",
    "KernelFixed": "kernel_fixed",
}
"""The module of every kernel rule, in the order in which the tables list them; `RULES` has the rules."""

_FUNCTIONS = dict.fromkeys(("KERNELS", "Custom", "Gaussian", "Kernel", "Laplace", "Linear", "Polynomial"), "functions")

__getattr__ = lazily(__name__, {**HOMES, **_FUNCTIONS, "KernelRule": "rule", "Support": "support"}, rules=HOMES)

__all__ = [
    "HOMES",
    "KERNELS",
    "RULES",
    "Custom",
    "Gaussian",
    "Kernel",
    "KernelFixed",
    "KernelPassiveAggressive",
    "KernelPassiveAggressiveRegression",
    "KernelPerceptron",
    "KernelRule",
    "Laplace",
    "Linear",
    "Polynomial",
    "Support",
]
