"""Kernels, and the rules that learn in their spaces."""

from littlestone.kernels.functions import KERNELS, Custom, Gaussian, Kernel, Laplace, Linear, Polynomial
from littlestone.kernels.kernel_fixed import KernelFixed
from littlestone.kernels.kernel_passive_aggressive import KernelPassiveAggressive, KernelPassiveAggressiveRegression
from littlestone.kernels.kernel_perceptron import KernelPerceptron
from littlestone.kernels.rule import KernelRule
from littlestone.kernels.support import Support

RULES = (KernelPerceptron, KernelPassiveAggressive, KernelPassiveAggressiveRegression, KernelFixed)
"""Every kernel rule, in the order in which the tables list them."""

__all__ = [
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
