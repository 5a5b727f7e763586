# Written by `make stubs` from __init__.py.
from littlestone.kernels.functions import Custom as Custom
from littlestone.kernels.functions import Gaussian as Gaussian
from littlestone.kernels.functions import KERNELS as KERNELS
from littlestone.kernels.functions import Kernel as Kernel
from littlestone.kernels.functions import Laplace as Laplace
from littlestone.kernels.functions import Linear as Linear
from littlestone.kernels.functions import Polynomial as Polynomial
from littlestone.kernels.kernel_fixed import KernelFixed as KernelFixed
from littlestone.kernels.kernel_passive_aggressive import KernelPassiveAggressive as KernelPassiveAggressive
from littlestone.kernels.kernel_passive_aggressive import KernelPassiveAggressiveRegression as KernelPassiveAggressiveRegression
from littlestone.kernels.kernel_perceptron import KernelPerceptron as KernelPerceptron
from littlestone.kernels.rule import KernelRule as KernelRule
from littlestone.kernels.support import Support as Support
HOMES: dict[str, str]
RULES: tuple[type[KernelRule], ...]
__all__ = [
    "Custom",
    "Gaussian",
    "HOMES",
    "KERNELS",
    "Kernel",
    "KernelFixed",
    "KernelPassiveAggressive",
    "KernelPassiveAggressiveRegression",
    "KernelPerceptron",
    "KernelRule",
    "Laplace",
    "Linear",
    "Polynomial",
    "RULES",
    "Support",
]
